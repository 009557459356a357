// Package plainformat formats plain values.
package plainformat

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
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

func (c *counter) into(b *bytes.Buffer) int { c.n++; b.WriteString("x"); return c.n }

func filledBy(b *bytes.Buffer, c *counter) {
	fmt.Fprintf(b, "%d;", c.into(b)) // rewritten
}

func starred(b **bytes.Buffer, n int) {
	fmt.Fprintf(*b, "%d;", n) // rewritten
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
	fmt.Fprintf(w, "%s=%d", name, id) // rewritten
}

// A portioned notes in which portions it is written to.
type portioned []string

func (p *portioned) Write(b []byte) (int, error) { *p = append(*p, string(b)); return len(b), nil }

func seen(name string, id int) portioned {
	var all portioned
	w := bufio.NewWriterSize(&all, 16)
	fmt.Fprintf(w, "%s=%d", name, id) // refused: a type of the program sees in which portions a full buffer is written out
	w.Flush()
	return all
}

func fails(w *bufio.Writer, name string, id int) error {
	_, err := fmt.Fprintf(w, "%s=%d%c\n", name, id, 'é') // refused: of a long text in parts, the error comes later
	return err
}

func spoken(w *bufio.Writer, name string, id int) {
	_, _ = fmt.Fprintf(w, "%s=%d%c\n", name, id, 'é') // rewritten
}

func never(b *bytes.Buffer, name string, id int8) error {
	_, err := fmt.Fprintf(b, "%s=%d\n", name, id) // rewritten
	return err
}

func wrote(w *bufio.Writer, name string, id int) (n int) {
	n, _ = fmt.Fprintf(w, "%s=%d", name, id) // refused: the number of bytes is wanted
	return n
}

type tag struct {
	b    *bytes.Buffer
	name string
	of   *tag
}

func (t *tag) open(class string, r rune) {
	fmt.Fprintf(t.b, "<%s class=%s>%c", t.name, class, r) // rewritten
}

func (t *tag) inside(b *bytes.Buffer, name string) {
	fmt.Fprintf(b, "<%s %s %s>", name, t.of.name, t.name) // rewritten
	_, _ = fmt.Fprintf(b, "<%s %s>", name, t.of.name)     // rewritten
}

func (t *tag) all(b *bytes.Buffer, parts []string) {
	for i := range parts {
		fmt.Fprintf(b, "[%d %s]", i, parts[i+1]) // rewritten
	}
}

func (t *tag) next() string {
	t.b = &bytes.Buffer{}
	t.name += "+"
	return t.name
}

func (t *tag) moved() {
	fmt.Fprintf(t.b, "<%s>", t.next()) // refused: a call changes where it is written to
}

func (t *tag) renamed(b *bytes.Buffer) {
	fmt.Fprintf(b, "<%s %s>", t.name, t.next()) // refused: a call changes what is written before
}

func (t *tag) picked(parts []string, i int) {
	fmt.Fprintf(t.b, "<%s>", parts[i]) // refused: which panic comes first
}

func raws(parts [][]byte) string {
	var b strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&b, "<%s>", part) // rewritten
	}
	return b.String()
}

func lent(b *bytes.Buffer) {
	part := b.Next(8)
	fmt.Fprintf(b, "<%s>", part) // refused: the bytes are those of the buffer, which moves them
}

func deferred(b *bytes.Buffer, name string, id int) {
	defer fmt.Fprintf(b, "%s=%d", name, id) // refused: it is written later
	b.WriteString(":")
}

func whole(w io.Writer, name string) (int, error) {
	return fmt.Fprint(w, name) // refused: a type of the program writes texts in another way
}

func filed(f *os.File, c color) (int, error) {
	return fmt.Fprintf(f, "%s", c) // rewritten
}

func parts(f *os.File, name string, id int) {
	fmt.Fprintf(f, "%s=%d", name, id) // refused: a file is written to at once
}

func counted(b *bytes.Buffer, name string, id int) (int, error) {
	return fmt.Fprintf(b, "%s=%d", name, id) // refused: the number of bytes is wanted
}

func partial(b *bytes.Buffer, name string, p *point) {
	fmt.Fprintf(b, "%s=%d", name, p.x) // rewritten
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

func described(v any, names map[string]int) string {
	switch x := v.(type) {
	case int:
		return fmt.Sprintf("%d", x) // rewritten
	case uint8:
		return fmt.Sprintf("%d", x)
	case string:
		return fmt.Sprintf("<%s %s>", x, fmt.Sprintf("%d", len(x)))
	case []string:
		each := func(i int) string { return fmt.Sprintf("%d", names[x[i]]) }
		return each(0)
	case point:
		return fmt.Sprintf("%v", x) + fmt.Sprintf("%3d", x.x)
	}
	return ""
}

var errNone = errors.New("none")

var describe = func(names []string) string {
	n := 0
	next := func() string { n++; return names[n] }
	return fmt.Sprintf("%d %s", n, next()) // refused: the call changes what is before it
}

func headed(a, b int, key string) bool {
	if fmt.Sprintf("%d:%s", pair{a, b}.x, key) == key { // refused: a header may not begin with a literal
		return true
	}
	return false
}

type pair struct{ x, y int }

// shown has a case whose strconv is a text, and one whose call stands in a function of its own.
func shown(v any) string {
	switch x := v.(type) {
	case int:
		f := func() string {
			return fmt.Sprintf("%d", x) // rewritten
		}
		return f()
	case uint8:
		strconv := "n"
		return strconv + fmt.Sprintf("%d", x)
	}
	return ""
}
