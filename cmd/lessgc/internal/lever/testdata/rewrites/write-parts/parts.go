// Package parts puts texts together that are only written.
package parts

import (
	"bufio"
	"bytes"
	"html"
	"io"
	"strconv"
	"strings"
)

type node struct {
	b    bytes.Buffer
	name string
	next *node
}

func (n *node) open(class string, id int) {
	n.b.WriteString("<" + n.name + " class=" + html.EscapeString(class) + " id=" + strconv.Itoa(id) + ">") // rewritten
}

func attrs(b *strings.Builder, key, value string) error {
	_, err := b.WriteString(key + "=" + value) // rewritten
	return err
}

func indexed(b *bytes.Buffer, names []string, i int) {
	b.Write([]byte("[" + names[i] + "]")) // rewritten
}

func (n *node) chained(b *bytes.Buffer) {
	io.WriteString(b, "<"+n.next.name+">") // rewritten
}

func called(b *bytes.Buffer, of func() string) {
	b.WriteString("<" + of() + of() + ">") // rewritten
}

func list(names []string) string {
	var b strings.Builder
	b.WriteString(strings.Join(names, ", ")) // rewritten
	return b.String()
}

func lines(w *bufio.Writer, names []string, sep string) {
	w.WriteString("[")
	w.WriteString(strings.Join(names, sep)) // rewritten
	w.WriteString("]")
}

func runes(b *bytes.Buffer, s string) {
	for _, r := range s {
		b.WriteString(string(r)) // rewritten
	}
}

func buffered(w *bufio.Writer, r rune, c byte) {
	w.WriteString(string(r))    // rewritten
	w.Write([]byte{c, '=', 10}) // rewritten
}

func counted(b *bytes.Buffer, key, value string) int {
	n, _ := b.WriteString(key + "=" + value) // refused: the number of bytes is wanted
	return n
}

func heard(w *bufio.Writer, key, value string) error {
	_, err := w.WriteString(key + "=" + value) // refused: the error of a long text would come later
	return err
}

func whole(w io.Writer, key, value string) {
	io.WriteString(w, key+"="+value) // refused: a writer sees each part
}

// A portioned notes in which portions it is written to.
type portioned []string

func (p *portioned) Write(b []byte) (int, error) { *p = append(*p, string(b)); return len(b), nil }

func portions(key, value string) portioned {
	var all portioned
	w := bufio.NewWriterSize(&all, 16)
	w.WriteString(key + "=" + value) // refused: a type of the program sees in which portions a full buffer is written out
	w.Flush()
	return all
}

// A lister writes texts in a way of its own.
type lister struct{ strings.Builder }

func (l *lister) WriteString(s string) (int, error) { return l.Builder.WriteString(s + "\n") }

func listed(l *lister, key, value string) {
	l.WriteString(key + "=" + value) // refused: a type of the program sees each part
}

func joined(b *bytes.Buffer, names []string) {
	b.WriteString(strings.Join(names, ", ")) // refused: the buffer may be nil, which a loop without iterations does not see
}

func separated(b *bytes.Buffer, names []string, sep *string) {
	b.WriteByte('[')
	b.WriteString(strings.Join(names, *sep)) // refused: the pointer is followed with one name, too
}

func (n *node) reset() string { n.b.Reset(); return n.name }

func (n *node) again() {
	n.b.WriteString("<" + n.reset() + n.b.String() + ">") // refused: a call and what is no call are in no order
}

type holder struct{ b *bytes.Buffer }

func (h *holder) swap() string { h.b = new(bytes.Buffer); return "swapped" }

func (h *holder) swapped() {
	h.b.WriteString("<" + h.swap() + ">") // refused: a call changes which buffer is written to
}

func (h *holder) at(names []string, i int) {
	h.b.WriteString("<" + names[i] + ">") // refused: which panic comes first
}

func deferred(b *bytes.Buffer, key, value string) {
	defer b.WriteString(key + "=" + value) // refused: it is written later
	b.WriteString(":")
}

type text string

func typed(b *bytes.Buffer, key, value text) {
	b.WriteString(string(key + "=" + value)) // refused: the parts have another type
}

func noted(b *bytes.Buffer, key, value string) {
	b.WriteString(key + "=" /* no spaces */ + value) // refused: a comment would go
}

func kept(b *bytes.Buffer, key, value string) string {
	s := key + "=" + value // refused: the text is wanted, too
	b.WriteString(s)
	return s
}

func condition(b *bytes.Buffer, key, value string) bool {
	if _, err := b.WriteString(key + "=" + value); err != nil { // refused: there is no list of statements
		return false
	}
	return true
}

func shadowed(b *bytes.Buffer, id int) {
	int64 := "id="
	b.WriteString(int64 + strconv.Itoa(id)) // refused: int64 is a variable here
}
