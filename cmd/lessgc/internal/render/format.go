package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"lessgc/cmd/lessgc/internal/verdict"
)

// shellQuote protects a word from a POSIX shell.
func shellQuote(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=:@%+-"
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// nameParts are the pieces of a name between which a line may break.
func nameParts(name string) []string { return strings.SplitAfter(name, "/") }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// amount writes a value with its unit in three digits: 420 ns, 1.50 MiB, 10.
// Counts are whole.
func amount(v float64, unit string) string {
	switch form := verdict.FormOf(unit); {
	case v == 0:
		return "0"
	case form == verdict.FormShare:
		return fmt.Sprintf("%.1f %%", 100*v)
	case form == verdict.FormCount:
		return grouped(v)
	}
	s := benchunit.CommonScale([]float64{v}, benchunit.ClassOf(unit))
	return scaled(v, s, max(0, s.Prec-1), unit)
}

// scaled writes v with digits behind the point, the prefix and the unit.
func scaled(v float64, s benchunit.Scaler, digits int, unit string) string {
	number := strconv.FormatFloat(v/s.Factor, 'f', digits, 64)
	return strings.TrimRight(number+"\u00a0"+s.Prefix+unitSymbol(unit), "\u00a0")
}

// unitSymbol is the part of a unit that a prefix can stand before.
func unitSymbol(unit string) string {
	base, per, _ := strings.Cut(unit, "/")
	switch {
	case base == "sec" || strings.HasSuffix(base, "-sec"):
		return "s"
	case (base == "B" || strings.HasSuffix(base, "-bytes")) && (per == "s" || per == "sec"):
		return "B/s"
	case base == "B" || strings.HasSuffix(base, "-bytes"):
		return "B"
	}
	return ""
}

// grouped writes a count with commas between the thousands.
func grouped(v float64) string {
	number, fraction, _ := strings.Cut(strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64), ".")
	for i := len(number) - 3; i > 0; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	if fraction != "" {
		number += "." + fraction
	}
	return number
}
