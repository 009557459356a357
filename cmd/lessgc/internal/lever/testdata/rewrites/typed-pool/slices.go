package pooled

import (
	"fmt"
	"io"
	"strconv"
	"sync"
)

const blockSize = 4 << 10

// CopyAll copies by way of an array of a constant size.
func CopyAll(w io.Writer, r io.Reader) (n int, err error) {
	block := make([]byte, blockSize) // rewritten
	for {
		k, err := r.Read(block)
		if _, err := w.Write(block[:k]); err != nil {
			return n, err
		}
		n += k
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// Histogram expects zeros, and a length that is its own.
func Histogram(data []byte, size int) (most, room int) {
	counts := make([]int, size) // rewritten
	for _, b := range data {
		counts[int(b)%size]++
	}
	for _, n := range counts {
		most = max(most, n)
	}
	return most, cap(counts)
}

// Reversed has a slice as long as another.
func Reversed(text string) string {
	out := make([]byte, len(text)) // rewritten
	for i := range len(text) {
		out[len(text)-1-i] = text[i]
	}
	return string(out)
}

// Twice computes the size of what it makes.
func Twice(w io.Writer, text string, n int) {
	out := make([]byte, n*len(text)) // rewritten
	for i := range n {
		copy(out[i*len(text):], text)
	}
	w.Write(out)
}

// Numbers appends to a slice, which grows.
func Numbers(w io.Writer, all []int) {
	line := make([]byte, 0, 64) // rewritten
	for i, n := range all {
		if i > 0 {
			line = append(line, ',')
		}
		line = strconv.AppendInt(line, int64(n), 10)
	}
	line = append(line, '\n')
	w.Write(line)
}

// Fields has room for as many as it needs at most, and uses it again for each.
func Fields(w io.Writer, text string) {
	field := make([]byte, 0, len(text)) // rewritten
	for i := range len(text) {
		if text[i] != ' ' {
			field = append(field, text[i])
			continue
		}
		fmt.Fprintf(w, "%d:%s ", len(field), string(field))
		field = field[:0]
	}
	w.Write(field)
}

// Branched looks at the room of a slice, which stays as it was.
func Branched(text string) (room int, a, b string) {
	stem := make([]byte, 0, 300) // rewritten
	stem = append(stem, text...)
	left := append(stem, 'l')
	right := append(stem, 'r') // in the same memory
	return cap(stem), string(left), string(right)
}

// Marked reads a slice while it is changed: what it reads depends on when that has outgrown its room.
func Marked(text string) (n int) {
	out := make([]byte, 0, 300) // rewritten
	out = append(out, text...)
	for _, b := range out {
		out = append(out, b)
		if len(out) > 301 {
			out[len(text)-1] = '-'
		}
		if b == '-' {
			n++
		}
	}
	return n
}

// Blocks has a block in each iteration.
func Blocks(w io.Writer, all []string) {
	for _, text := range all {
		block := make([]byte, 1<<10) // rewritten
		n := copy(block, text)
		block[n] = '.'
		w.Write(block[:n+2])
	}
}

// table keeps the import in use where nothing is rewritten.
var table sync.Map

func nested(text string, depth int) (n int) {
	out := make([]byte, len(text)) // refused: each call that it makes would hold another one
	copy(out, text)
	for _, b := range out {
		n += int(b)
	}
	if depth > 0 {
		n += again(text, depth-1)
	}
	return n
}

func again(text string, depth int) int { return nested(text, depth) }
