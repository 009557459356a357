package lever

import "strconv"

// few writes a number with about three significant digits and without an exponent: 0.25, 1990, 3450000.
func few(n float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 3, 64), 64) // what it has written parses
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
