package estimatesize

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

func list(n next) string {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	return b.String()
}

func tagged(n next) string {
	var buf bytes.Buffer
	buf.WriteByte('<')
	writeNumbers(&buf, n)
	buf.WriteByte('>')
	return buf.String()
}

func writeNumbers(w io.Writer, n next) {
	for i, ok := n(); ok; i, ok = n() {
		fmt.Fprintf(w, " number %d", i) // rewritten
	}
}

func numbered(n next) (string, error) {
	buf := new(bytes.Buffer)
	if err := number(buf, n); err != nil {
		return "", err
	}
	return buf.String(), nil
}

func number(w io.StringWriter, n next) error {
	if _, err := w.WriteString("numbers:"); err != nil {
		return err
	}
	for i, ok := n(); ok; i, ok = n() {
		if _, err := w.WriteString(" number " + strconv.Itoa(i)); err != nil { // rewritten
			return err
		}
	}
	return nil
}

func trimmed(n next) string {
	buf := bytes.NewBuffer(nil)
	for {
		i, ok := n()
		fmt.Fprintf(buf, "number %d\n", i) // rewritten
		if !ok {
			return string(bytes.TrimSpace(buf.Bytes()))
		}
	}
}

func visited(n next) string {
	buf := &bytes.Buffer{} // what is written
	visit(n, func(i int) {
		buf.WriteString(" number " + strconv.Itoa(i)) // rewritten
	})
	buf.WriteByte('.')
	return buf.String()
}

func visit(n next, f func(int)) {
	for i, ok := n(); ok; i, ok = n() {
		f(i)
	}
}

func labels(all []int) string {
	var b strings.Builder
	for _, i := range all {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	return b.String()
}

func cut(n next) []byte {
	b := bytes.Buffer{}
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(strconv.Itoa(i) + ", ") // rewritten
	}
	b.WriteByte('.')
	text := b.Bytes()
	return append([]byte("numbers: "), text[:len(text)-1]...)
}

func copied(n next, w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	_, err := w.Write(b.Bytes())
	return err
}

func begun(n next) *bytes.Buffer {
	b := &bytes.Buffer{}
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	return b
}

func ended(n next) string {
	b := begun(n)
	b.WriteByte('.')
	return b.String()
}

func often(n next) string {
	var b strings.Builder
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	return b.String()
}

type printer struct{ out io.Writer }

func (p *printer) print(i int) {
	fmt.Fprintf(p.out, " number %d", i) // rewritten
}

func printed(n next) string {
	var b strings.Builder
	p := &printer{out: &b}
	for i, ok := n(); ok; i, ok = n() {
		p.print(i)
	}
	return b.String()
}

// A Printer has a field that users see.
type Printer struct{ Out io.Writer }

func (p *Printer) print(i int) {
	fmt.Fprintf(p.Out, " number %d", i) // refused: users have the buffer by a field
}

// Printed lets users print.
func Printed(n next, with func(*Printer)) string {
	var b bytes.Buffer
	p := &Printer{Out: &b}
	for i, ok := n(); ok; i, ok = n() {
		p.print(i)
	}
	with(p)
	return b.String()
}

type copiedPrinter struct{ out io.Writer }

func (p copiedPrinter) print(i int) {
	fmt.Fprintf(p.out, " number %d", i) // refused: the struct is copied, and its fields have other names then
}

func printedByCopy(n next) (string, int) {
	var b bytes.Buffer
	p := copiedPrinter{out: &b}
	for i, ok := n(); ok; i, ok = n() {
		p.print(i)
	}
	return b.String(), roomOfPrinter(otherPrinter(p))
}

type otherPrinter struct{ out io.Writer }

func roomOfPrinter(p otherPrinter) int { return p.out.(*bytes.Buffer).Cap() }

func roomOfText(n next) int {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the capacity is asked for
	}
	return b.Cap()
}

func roomLeft(n next) int {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the room that is left is asked for
	}
	return b.Available()
}

// Text gives users a slice that they may append to.
func Text(n next) []byte {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: users of the package see how much room there is behind the text
	}
	return b.Bytes()
}

func isEmptyText(n next) bool {
	var b bytes.Buffer
	fmt.Fprint(&b)
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the bytes are compared with nil, which they are if nothing is written
	}
	return b.Bytes() == nil
}

func filled(n next, r io.Reader) string {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the reader sees how much room there is for it
	}
	b.ReadFrom(r)
	return b.String()
}

func filledBy(n next, r io.Reader) string {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: io.Copy has the buffer read
	}
	io.Copy(&b, r)
	return b.String()
}

func twoBuilders(n next) string {
	var b strings.Builder
	c := b
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a copy of a builder that has memory panics when it is written to
	}
	c.WriteString("end")
	return b.String() + c.String()
}

func anew(n next) string {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i == 2 {
			b = strings.Builder{}
		}
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the variable gets another builder
	}
	return b.String()
}

func given(n next, to func(*bytes.Buffer) int) int {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: nobody knows what is done with it
	}
	return to(&b)
}

var kept *bytes.Buffer

func storedText(n next) {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a variable of the package keeps it
	}
	kept = &b
}

func maybe(n next) string {
	var b strings.Builder
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: mostly nothing is written, and the room would be for nothing
	}
	return b.String()
}

func variedText(n next) string {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a few of the texts are a hundred times as long as the rest
	}
	return b.String()
}

func roomy(n next) string {
	var b strings.Builder
	b.Grow(20)
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: it has room already
	}
	return b.String()
}

func again(n next) string {
	var b bytes.Buffer
	b.WriteString("numbers:")
	before := b.Bytes()
	b.Reset()
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(strings.Repeat("x", 9) + " number " + strconv.Itoa(i) + strings.Repeat("y", 60)) // refused: its bytes are held while it is written to again
	}
	return string(before)
}

// Renderer is what users implement.
type Renderer interface{ Render(w io.Writer) int }

func rendered(n next, r Renderer) int {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a method that nobody knows is given it
	}
	return r.Render(&b)
}

func beyond(n next, fill int) int {
	var b bytes.Buffer
	b.WriteString("numbers:" + strings.Repeat("x", fill))
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: its bytes are sliced beyond their length
	}
	text := b.Bytes()
	return len(text[:len(text)+1])
}

func asserted(n next) int {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: behind an interface its capacity is asked for
	}
	return roomIn(&b)
}

func roomIn(w io.Writer) int {
	if b, ok := w.(interface{ Cap() int }); ok {
		return b.Cap()
	}
	return 0
}

func deferred(n next) (text []byte) {
	var b bytes.Buffer
	b.WriteString("numbers:")
	defer b.WriteString(strings.Repeat("x", 60))
	defer b.Reset()
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: it is written to when its bytes are returned
	}
	return b.Bytes()
}

func deferredText(n next) string { return string(deferred(n)) }

func laterText(n next) string {
	var b bytes.Buffer
	write := func() {
		b.Reset()
		b.WriteString(strings.Repeat("x", 60))
	}
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a function literal writes to it while its bytes are held
	}
	text := b.Bytes()
	write()
	return string(text)
}

func written(n next, w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(strings.Repeat("x", 0))
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a writer may see that what it gets is not nil where nothing is written
	}
	_, err := w.Write(b.Bytes())
	return err
}

func mixed(n next) string {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: one of the benchmarks has texts that are ten times as long
	}
	return b.String()
}

func mixedUp(n next) (total int) {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: one of the benchmarks has slices that are ten times as long
	}
	for _, i := range out {
		total += i
	}
	return total
}

func twice(n next) string {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten: b.Grow(96) // few need more
	}
	return b.String()
}
