// Package alike has buffers and slices that the same statements make.
package alike

import (
	"bytes"
	"strings"
)

func joined(name string) string {
	buf := &bytes.Buffer{}
	buf.WriteString(name) // rewritten
	buf.WriteByte('!')
	return buf.String()
}

func joinedUnmeasured(name string) string {
	b := &bytes.Buffer{}
	b.Write([]byte{'>'})
	b.WriteString(name)
	return b.String()
}

func joinedInLiteral(name string) func(string) string {
	return func(more string) string {
		buf := &bytes.Buffer{}
		buf.WriteString(name)
		buf.WriteString(more)
		return buf.String()
	}
}

func joinedLeaves(name string) *bytes.Buffer {
	buf := &bytes.Buffer{}
	buf.WriteString(name) // refused: the buffer leaves the function
	return buf
}

func joinedLong(name string) string {
	buf := &bytes.Buffer{}
	for range 100 {
		buf.WriteString(name) // refused: most texts are longer than what may be on the stack
	}
	return buf.String()
}

func joinedHidden(name string) string {
	make := strings.ToUpper
	buf := &bytes.Buffer{}
	buf.WriteString(make(name)) // refused: another function has the name
	return buf.String()
}

func keyed(name, value string) int {
	// rewritten
	b := make([]byte, 0, len(name)+len(value)+1)
	b = append(b, name...)
	b = append(b, '=')
	b = append(b, value...)
	return total(b)
}

func keyedUnmeasured(key, text string) int {
	all := make([]byte, 0, len(key)+len(text)+1)
	all = append(all, text...)
	all = append(all, key...)
	return total(all)
}

func keyedKept(name, value string) []byte {
	// refused: it leaves the function
	b := make([]byte, 0, len(name)+len(value)+1)
	b = append(b, name...)
	return append(b, value...)
}

func keyedLong(name, value string) int {
	// refused: most are too large
	b := make([]byte, 0, len(name)+len(value)+1)
	b = append(b, name...)
	b = append(b, value...)
	return total(b)
}

func filled(name string) int {
	// rewritten
	b := make([]byte, len(name)+40)
	copy(b, name)
	return total(b)
}

func filledUnmeasured(name string) int {
	b := make([]byte, len(name)+40)
	copy(b[40:], name)
	return total(b)
}

func total(b []byte) (n int) {
	for i, c := range b {
		n += i * int(c)
	}
	return n
}
