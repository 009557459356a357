// Package textconversion converts texts for functions that have a twin.
package textconversion

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
)

var digits = regexp.MustCompile("[0-9]+")

func has(line []byte) bool {
	return strings.Contains(string(line), "é") // rewritten
}

func numbered(line []byte) []int {
	return digits.FindStringIndex(string(line)) // rewritten
}

func letters(text string) (n int) {
	for _, r := range []rune(text) { // rewritten
		n += int(r)
	}
	return n
}

func decode(text string) (x any, err error) {
	err = json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&x) // rewritten
	return x, err
}

func write(f *os.File, text string) error {
	_, err := f.Write([]byte(text)) // rewritten
	return err
}

func joined(parts [][]byte) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(string(part)) // rewritten
		bytes.TrimSpace(part)
	}
	return b.String()
}

func positions(text string) (at []int) {
	for i := range []rune(text) { // refused: the number of a character is not that of its byte
		at = append(at, i)
	}
	return at
}

func rotated(b *bytes.Buffer) {
	b.WriteString(string(b.Next(8))) // refused: the bytes are of the buffer, which moves them
}

func buffered(w *bufio.Writer, text string) {
	w.Write([]byte(text)) // rewritten
}

func heard(w *bufio.Writer, text string) error {
	_, err := w.Write([]byte(text)) // refused: the error of a long text would come later
	return err
}

// A portioned notes in which portions it is written to.
type portioned []string

func (p *portioned) Write(b []byte) (int, error) { *p = append(*p, string(b)); return len(b), nil }

func portions(text string) portioned {
	var all portioned
	w := bufio.NewWriterSize(&all, 16)
	w.WriteString("<")
	w.Write([]byte(text)) // refused: a type of the program sees in which portions a long text is written out
	w.Flush()
	return all
}

func lent(w *bufio.Writer, text []byte) {
	w.WriteString(string(text)) // refused: the bytes may be those that the writer has lent
}

// A counter counts what it is written.
type counter struct {
	n int
	b bytes.Buffer
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p) // of bytes
	return c.b.Write(p)
}

func (c *counter) WriteString(s string) (int, error) {
	c.n += len(s)
	return c.b.WriteString(s)
}

func counts(c *counter, text string) {
	c.Write([]byte(text)) // rewritten
}

type wrapped struct{ *bytes.Buffer }

func wraps(w wrapped, text string) (int, error) {
	return w.Write([]byte(text)) // rewritten
}

// A double writes bytes twice, as it takes WriteString from its buffer.
type double struct{ bytes.Buffer }

func (d *double) Write(p []byte) (int, error) {
	d.Buffer.Write(p)
	return d.Buffer.Write(p)
}

func doubles(d *double, text string) {
	d.Write([]byte(text)) // refused: WriteString is that of the buffer in it
}

// A ranger counts characters of texts, and bytes of bytes.
type ranger struct{ n int }

func (r *ranger) Write(p []byte) (int, error) {
	for range p {
		r.n++
	}
	return len(p), nil
}

func (r *ranger) WriteString(s string) (int, error) {
	for range s {
		r.n++
	}
	return len(s), nil
}

func ranges(r *ranger, text string) {
	r.Write([]byte(text)) // refused: a loop over a text counts characters
}

type upper struct{ strings.Builder }

func (u *upper) WriteString(s string) (int, error) { return u.Builder.WriteString(strings.ToUpper(s)) }

func raised(u *upper, text string) {
	u.Write([]byte(text)) // refused: a type writes texts in its own way
}

type keeper struct{ all [][]byte }

func (k *keeper) Write(b []byte) (int, error) { k.all = append(k.all, b); return len(b), nil }

func kept(w io.Writer, text []byte) {
	io.WriteString(w, string(text)) // refused: a writer may keep the bytes
}

type response struct{ w io.Writer }

func (r response) send(text string) {
	r.w.Write([]byte(text)) // refused: a writer in a field may write texts in its own way
}

func source(text string, of func(io.Reader) bool) bool {
	return of(bytes.NewReader([]byte(text))) // refused: a function may ask which reader it has
}

func prefixed(line []byte, prefix string) bool {
	return strings.HasPrefix(string(line), prefix) // refused: the prefix would be copied instead
}

func replaced(line []byte) string {
	return strings.ReplaceAll(string(line), "a", "b") // refused: the text is part of the result
}

func found(line []byte) string {
	return digits.FindString(string(line)) // refused: so it is here
}

func keyed(m map[string]int, line []byte) int {
	s := string(line) // refused: the text is a key
	m[s]++
	return m[s]
}

func noted(line []byte) bool {
	return strings.Contains(string(line /* as it came */), "é") // refused: a comment would go
}

func shadowed(line []byte) bool {
	bytes := 1
	return strings.Contains(string(line), "é") && bytes > 0 // refused: bytes is a variable here
}
