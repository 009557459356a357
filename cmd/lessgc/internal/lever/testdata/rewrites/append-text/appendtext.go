// Package appendtext makes texts that go elsewhere.
package appendtext

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

type user struct{ id int }

func ids(users []*user) (b []byte) {
	for _, u := range users {
		b = append(b, strconv.FormatUint(uint64(u.id), 10)...) // rewritten
		b = append(b, ' ')
	}
	return b
}

func line(b []byte, name string, id int) []byte {
	return append(b, fmt.Sprintf("%s=%d", name, id)...) // rewritten
}

func stamped(b *bytes.Buffer, t time.Time, n uint64) {
	b.WriteString(t.Format(time.RFC3339))      // rewritten
	b.WriteString(strconv.FormatUint(n, 10))   // rewritten
	b.Write([]byte(fmt.Sprintf("%8d", n)))     // rewritten
	io.WriteString(b, fmt.Sprintf(" %v\n", n)) // rewritten
}

func (u *user) next() int { u.id++; return u.id }

func called(u *user) string {
	var b bytes.Buffer
	b.Write([]byte(fmt.Sprintf("%d", u.next()))) // rewritten
	fmt.Fprint(&b, "!")
	return b.String()
}

func buffered(w *bufio.Writer, n int) {
	w.WriteString(strconv.Itoa(n)) // rewritten
}

func heard(w *bufio.Writer, t time.Time) error {
	_, err := w.WriteString(t.Format("2006-01-02")) // refused: where a text is longer than the buffer, its error would come later
	return err
}

// A portioned notes in which portions it is written to.
type portioned []string

func (p *portioned) Write(b []byte) (int, error) { *p = append(*p, string(b)); return len(b), nil }

func portions(t time.Time) portioned {
	var all portioned
	w := bufio.NewWriterSize(&all, 4)
	w.WriteString("<")
	w.WriteString(t.Format("2006-01-02")) // refused: a type of the program sees in which portions a text is written out
	w.Flush()
	return all
}

func summed(b *bytes.Buffer, text string) {
	sum := sha256.Sum256([]byte(text))
	b.WriteString(hex.EncodeToString(sum[:4]))                           // rewritten
	b.WriteString(base64.StdEncoding.EncodeToString([]byte(text + "="))) // rewritten
}

func hexed(b []byte, text string) []byte {
	return append(b, hex.EncodeToString([]byte(text))...) // rewritten
}

func coded(b *bytes.Buffer) {
	part := b.Next(4)
	b.Reset()
	b.WriteString(hex.EncodeToString(part)) // refused: the bytes are those of the buffer
}

func within(b []byte) []byte {
	return append(b[:0], hex.EncodeToString(b)...) // refused: so they are here
}

func built(t time.Time, n int) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(n))   // rewritten
	b.WriteString(t.Format("06-01")) // rewritten
	return b.String()
}

func quoted(b []byte, name string) []byte {
	return append(b, strconv.Quote(name)...) // refused: what does not fit is written to the old memory first
}

func number(b []byte, f float64) []byte {
	return append(b, strconv.FormatFloat(f, 'g', -1, 64)...) // refused: so are the parts of a number
}

func dated(b []byte, t time.Time) []byte {
	return append(b, t.Format("2006-01-02")...) // refused: so are the parts of a time
}

type keeper struct{ all [][]byte }

func (k *keeper) Write(b []byte) (int, error) { k.all = append(k.all, b); return len(b), nil }

func kept(k *keeper, n int) {
	k.Write([]byte(fmt.Sprintf("%d", n))) // refused: a writer may keep the bytes, which fmt uses again
}

func written(w io.Writer, n int) {
	w.Write([]byte(fmt.Sprintf("%d", n))) // refused: an interface may hold such a writer
}

func texts(w io.Writer, n int) {
	io.WriteString(w, fmt.Sprintf("%d", n)) // refused: or one that takes texts in another way
}

type upper struct{ strings.Builder }

func (u *upper) WriteString(s string) (int, error) { return u.Builder.WriteString(strings.ToUpper(s)) }

func raised(u *upper, n int) {
	u.WriteString(fmt.Sprintf("%x", n)) // refused: a type writes texts in its own way
}

type log struct{ buf []byte }

func (l *log) next() int { l.buf = append(l.buf, '#'); return 1 }

func logged(l *log) {
	l.buf = append(l.buf, strconv.Itoa(l.next())...) // refused: a call changes what is appended to
}

func picked(b *bytes.Buffer, all []int, i int) {
	b.WriteString(strconv.Itoa(all[i])) // refused: an index out of range panics before the buffer is nil
}

type text []byte

func own(b text, n int) text {
	return append(b, strconv.Itoa(n)...) // refused: the bytes have a type of their own
}

func shifted(b []byte, n uint) []byte {
	return append(b, strconv.Itoa(1<<n)...) // refused: where an int has 32 bits, an int64 shifts farther
}

func shadowed(b []byte, n int) []byte {
	int64 := 1
	return append(b, strconv.Itoa(n)...)[int64:] // refused: int64 is a variable here
}

func noted(b []byte, n int) []byte {
	return append(b, strconv.Itoa(n /* not padded */)...) // refused: a comment would go
}

func late(b *bytes.Buffer, n int) {
	defer b.WriteString(strconv.Itoa(n)) // refused: the text is made now, and written later
	b.WriteByte('=')
}

func wanted(b []byte, n int) ([]byte, string) {
	s := strconv.Itoa(n) // refused: the text is wanted, too
	return append(b, s...), s
}
