package programs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
)

type level int

func (l level) String() string { return [...]string{"low", "high"}[l&1] }

type hexadecimal int

func (h hexadecimal) Format(f fmt.State, verb rune) { io.WriteString(f, "0x") }

func label(name string, l level, share float64) string {
	return fmt.Sprintf("%s is %v at %.2f%%", name, l, share) // want plain-format
}

func numbered(name string, id uint16, f float32) string {
	text := fmt.Sprint(name, id, f) // want plain-format
	return text[1:]
}

func pairs(buf *bytes.Buffer, names []string) {
	buf.Reset()
	for i, name := range names {
		fmt.Fprintf(buf, "%s=%d;", name, i+1000) // want plain-format
	}
}

func lined(names []string) string {
	var b strings.Builder
	b.Grow(10000)
	for i, name := range names {
		fmt.Fprintln(&b, name, i) // want plain-format
	}
	return b.String()
}

// Its own method formats it.
func addressed(h hexadecimal) string {
	return fmt.Sprintf("at %d", h) // no plain-format
}

// Who writes it is not known, and has only one call then.
func toWriter(w io.Writer, name string) {
	fmt.Fprintf(w, "%s;", name) // no plain-format
}

// There are flags and widths.
func aligned(buf *bytes.Buffer, name string) {
	buf.Reset()
	fmt.Fprintf(buf, "%-10s|%05d", name, len(name)+1000) // no plain-format
}

// A pointer may be nil, and fmt says so.
func pointed(t *time.Time) string {
	return fmt.Sprintf("at %v", t) // no plain-format
}

// What is allocated are the words.
func fielded(w *bufio.Writer, text string) {
	fmt.Fprintf(w, "%d;", len(strings.Fields(text))&0x7f) // no plain-format
}
