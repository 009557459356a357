package pace

import (
	"bytes"
	"io"
	"os"
)

// A resident reads how much memory the process occupies, besides pages of files, which the kernel
// takes back when it needs them.
type resident struct {
	file *os.File
	page int64
	buf  [256]byte
}

func (r *resident) open() {
	r.page = int64(os.Getpagesize())
	r.file, _ = os.Open("/proc/self/statm") // nil: the size is unknown
}

func (r *resident) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// bytes returns 0 if the size is unknown. It reads "size resident shared text lib data dt", in pages.
func (r *resident) bytes() int64 {
	if r.file == nil {
		return 0
	}
	n, err := r.file.ReadAt(r.buf[:], 0)
	if err != nil && err != io.EOF {
		return 0
	}
	_, rest, _ := bytes.Cut(r.buf[:n], space)
	all, rest, _ := bytes.Cut(rest, space)
	shared, _, _ := bytes.Cut(rest, space)
	return max(0, pages(all)-pages(shared)) * r.page
}

var space = []byte(" ")

func pages(digits []byte) (n int64) {
	for _, c := range digits {
		if c < '0' || c > '9' || n > 1<<48 {
			return 0
		}
		n = 10*n + int64(c-'0')
	}
	return n
}
