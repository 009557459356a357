// Package plainformat formats plain values.
package plainformat

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
)

func key(name string, id int) string {
	return fmt.Sprintf("%s:%d", name, id) // rewritten
}

func share(name string, of float64, open bool) string {
	return fmt.Sprintf("%s \"%.2f%%\" %v %t %x", name, of, of, open, uint8(len(name))) // rewritten
}

func line(b *bytes.Buffer, name string, id int64) {
	fmt.Fprintf(b, "%s=%d;", name, id) // rewritten
}

func list(names []string) string {
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintln(&b, i, n) // rewritten
	}
	return b.String()
}

type color string

type point struct{ x, y int }

func (p point) name() string { return "p" }

func at(c color, p point) string {
	return fmt.Sprint(c, p.name(), p.x, p.y) // rewritten
}

// A level has a text that may panic.
type level int

var names = []string{"low", "high"}

func (l level) String() string { return names[l] }

func leveled(name string, l level) string {
	return fmt.Sprintf("%s %v", name, l) // refused: fmt catches the panic of a String
}

type failure string

func (f failure) Error() string { return "failed: " + string(f) }

func failed(name string, f failure) string {
	return fmt.Sprintf("%s %s", name, f) // refused: an error is printed by its method
}

type hidden string

func (hidden) Format(s fmt.State, _ rune) { s.Write([]byte("***")) }

func secret(name string, h hidden) string {
	return fmt.Sprintf("%s %s", name, h) // refused: a type formats itself
}

func wide(name string, id int) string {
	return fmt.Sprintf("%s:%4d", name, id) // refused: a number has a width
}

func cut(name string, id int) string {
	return fmt.Sprintf("%.3s:%d", name, id) // refused: a text is cut
}

func missing(name string, format string) string {
	return fmt.Sprintf(format, name, 1) // refused: the format is not known
}

func raw(name []byte, id int) string {
	return fmt.Sprintf("%s:%d", name, id) // refused: bytes are no string
}

func anything(name string, x any) string {
	return fmt.Sprintf("%s:%v", name, x) // refused: an interface may hold anything
}

func wrapped(name string, err error) string {
	return fmt.Sprintf("%s: %v", name, err) // refused: an error may be nil
}

func pointed(name string, id *int) bool {
	return fmt.Sprintf("%s:%v", name, id) == "" // refused: a pointer is an address
}

type counter struct{ n int }

func (c *counter) next() string { c.n++; return "next" }

func stepped(c *counter) string {
	return fmt.Sprintf("%d %s", c.n, c.next()) // refused: a call changes what is printed before it
}

func constant() string {
	return fmt.Sprint("ab")[:3] // refused: of a constant this does not compile
}

type filler struct{ bytes.Buffer }

func (f *filler) WriteString(s string) (int, error) { return len(s), nil }

func filled(f *filler, name string, id int) {
	fmt.Fprintf(f, "%s=%d", name, id) // refused: a type of its own writes texts in another way
}

func flushed(w *bufio.Writer, name string, id int) {
	fmt.Fprintf(w, "%s=%d", name, id) // refused: a full buffer is written out in other portions
}

func counted(b *bytes.Buffer, name string, id int) (int, error) {
	return fmt.Fprintf(b, "%s=%d", name, id) // refused: the number of bytes is wanted
}

func partial(b *bytes.Buffer, name string, p *point) {
	fmt.Fprintf(b, "%s=%d", name, p.x) // refused: a pointer that is nil leaves half of the text
}

func shadowed(name color, id int32) string {
	int64 := 10
	return fmt.Sprintf("%s:%d", name, id)[:int64] // refused: int64 is a variable here
}

func noted(name string, id int) string {
	return fmt.Sprintf("%s:%d" /* as it is stored */, name, id) // refused: a comment would go
}

func generic[T ~string](name T, id int) string {
	return fmt.Sprintf("%s:%d", name, id) // refused: a type parameter may have methods
}

var errNone = errors.New("none")
