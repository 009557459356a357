package live

import (
	"bytes"
	"os"
	"strconv"
)

// rss returns the resident set size of the process in bytes, or 0.
func rss() uint64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return pages * uint64(os.Getpagesize())
}
