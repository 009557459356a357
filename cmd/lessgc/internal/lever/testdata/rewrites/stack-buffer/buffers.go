// Package stackbuffer puts short texts together.
package stackbuffer

import (
	"bufio"
	"bytes"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// buffers are made elsewhere, too.
var kept bytes.Buffer

func joined(name string, n int) string {
	var b bytes.Buffer
	b.WriteString(name) // rewritten
	b.WriteByte('=')
	b.WriteString(strconv.Itoa(n))
	return b.String()
}

func hashed(name string, n int) uint64 {
	var b bytes.Buffer // of a node
	if n > 0 {
		b.WriteString(name) // rewritten
		b.WriteByte('-')
		for range n {
			b.WriteString(strconv.Itoa(n))
		}
	}
	h := fnv.New64a()
	h.Write(b.Bytes())
	return h.Sum64()
}

func pointed(name string, n int) string {
	b := &bytes.Buffer{}
	b.WriteString(name) // rewritten
	if b.Len() > 3 {
		b.Truncate(3)
	}
	b.Write([]byte{'a', byte(n)})
	return b.String()
}

func fresh(name string) string {
	b := new(bytes.Buffer)
	addTo(b, name)
	if b.Len() == 0 {
		return ""
	}
	return b.String()
}

func addTo(b *bytes.Buffer, name string) {
	b.WriteString(name) // rewritten
	b.WriteByte('!')
}

func handed(name string) string {
	b := bytes.Buffer{}
	addTo(&b, name)
	b.WriteString(name)
	return b.String()
}

func substituted(s string, with map[rune]string) string {
	var b bytes.Buffer
	b.WriteByte('>') // refused: a long text of many runes would have a slice grow by smaller steps
	for _, c := range []rune(s) {
		if d, ok := with[c]; ok {
			b.WriteString(d)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func runes(s string) (string, int) {
	b := new(bytes.Buffer)
	b.WriteRune('«') // rewritten
	b.Write([]byte(s))
	b.WriteRune('x')
	b.WriteByte(s[0])
	n := b.Len()
	if n > 20 {
		b.Reset()
		b.WriteString(
			"long",
		)
	}
	return b.String(), n
}

func inLoop(names []string) (n int) {
	for i, name := range names {
		var b bytes.Buffer
		b.WriteString(name) // rewritten
		b.WriteString(strconv.Itoa(i))
		n += len(b.Bytes())
	}
	return n
}

func header(scratch *bytes.Buffer, name string) *bytes.Buffer {
	scratch.WriteString(name) // refused: the variable that its maker is found in holds another one
	out := new(bytes.Buffer)
	out.WriteString(strings.ToUpper(scratch.String()))
	return out
}

func rendered(name string) string {
	b := header(bytes.NewBuffer(nil), name)
	b.WriteByte('!')
	return b.String()
}

type expr interface{ text() string }

type pair struct{ l, r expr }

type leaf string

func (l leaf) text() string { return string(l) }

func (p *pair) text() string {
	var b bytes.Buffer
	b.WriteByte('(') // refused: methods of the interface lead back
	b.WriteString(p.l.text())
	b.WriteString(p.r.text())
	b.WriteByte(')')
	return b.String()
}

type tree struct{ left, right *tree }

func (t *tree) String() string {
	if t == nil {
		return "."
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "(%v %v)", t.left, t.right) // refused: fmt calls it again
	return b.String()
}

func walked(t *tree) string {
	var walk func(*tree) string
	walk = func(t *tree) string {
		if t == nil {
			return "."
		}
		var b bytes.Buffer
		b.WriteString(walk(t.left)) // refused: the function literal calls itself
		b.WriteString(walk(t.right))
		return b.String()
	}
	return walk(t)
}

func mapped(s string) string {
	var next func(rune) rune
	next = func(c rune) rune {
		var b bytes.Buffer
		b.WriteString(string(c)) // refused: strings.Map calls the function literal again
		if c == '(' {
			b.WriteString(strings.Map(next, "x"))
		}
		return rune(b.String()[0])
	}
	return strings.Map(next, s)
}

func visitAll(t *tree, visit func(*tree) string) string {
	var b bytes.Buffer
	b.WriteString(visit(t)) // refused: the function that it is given leads back
	return b.String()
}

func visited(t *tree) string {
	if t == nil {
		return "."
	}
	return visitAll(t, func(t *tree) string { return visited(t.left) + visited(t.right) })
}

func parenthesised(s string) string {
	var b bytes.Buffer
	(b.WriteRune('›')) // refused: an assignment has no parentheses
	b.WriteString(s)
	return b.String()
}

func lined(w *bufio.Writer, name string) {
	var b bytes.Buffer  // text
	b.WriteString(name) // refused: the bufio.Writer hands it to a writer that the compiler does not know
	w.Write(b.Bytes())
}

func distinct(names []string) (n int) {
	var last []byte
	for _, name := range names {
		var b bytes.Buffer  // key
		b.WriteString(name) // refused: the next iteration has its bytes
		if !bytes.Equal(last, b.Bytes()) {
			n++
		}
		last = b.Bytes()
	}
	return n
}

func mixed(s string, n int) string {
	var b bytes.Buffer
	for _, c := range []rune(s) {
		b.WriteString(string(c)) // refused: most bytes are those of a long text now and then
	}
	if n == 0 {
		for range 400 {
			b.WriteString("some more of it")
		}
	}
	return b.String()
}

func returned(name string) []byte {
	var b bytes.Buffer
	b.WriteString(name) // refused: the memory is returned
	return b.Bytes()
}

func returnedWhole(name string) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString(name) // refused: the buffer is returned
	return b
}

func formatted(name string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %d", name, len(name)) // rewritten
	if b.Len() > 0 {
		fmt.Fprint(&b, name, 1, 2)
		fmt.Fprintln(&b)
	}
	b.WriteByte('.')
	return b.String()
}

func formattedPlain(name string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d.%d", len(name), -1) // rewritten: b = strconv.AppendInt(b, int64(len(name)), 10)
	if name != "" {
		fmt.Fprintf(&b, "-%s", name)
	}
	b.WriteByte('.')
	return b.String()
}

func formattedRune(r rune, name string) string {
	var b bytes.Buffer
	b.WriteRune(r) // rewritten: b = utf8.AppendRune(b, r)
	fmt.Fprintf(&b, "%c%t", r, name == "")
	return b.String()
}

func formattedTo(name string) string {
	b := &bytes.Buffer{}
	b.WriteString(name) // rewritten
	fmt.Fprintf(b, " %d %s", len(name), b.String())
	return b.String()
}

func formattedCounted(name string) (string, int) {
	var b bytes.Buffer
	n, _ := fmt.Fprintf(&b, "%s %d", name, len(name)) // refused: the result is used
	return b.String(), n
}

func formattedBeside(name string) string {
	var b bytes.Buffer
	print(&b, name)
	return b.String()
}

func print(b *bytes.Buffer, name string) {
	fmt.Fprintf(b, "%s %d", name, len(name)) // refused: the slice would have to be returned
}

func copiedTo(name string) string {
	var b bytes.Buffer
	io.WriteString(&b, name) // refused: io is given it as a writer
	return b.String()
}

func printed(b []byte) string {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%v", &b) // rewritten
	fmt.Fprint(&text, 1.5)
	return text.String()
}

func printsItself(name string) string {
	var b bytes.Buffer
	b.WriteString(name) // refused: it is an operand of fmt
	fmt.Fprintf(&b, "%v", &b)
	return b.String()
}

func asked(name string) (string, int) {
	var b bytes.Buffer
	b.WriteString(name) // refused: its room is observable
	return b.String(), b.Cap()
}

func grown(name string) string {
	var b bytes.Buffer
	b.Grow(8)
	b.WriteString(name) // refused: it has a size
	return b.String()
}

func isNil(name string) bool {
	var b bytes.Buffer
	if name != "" {
		b.WriteString(name) // refused: nil is told from empty
	}
	return b.Bytes() == nil
}

func written(w io.Writer, name string) {
	var b bytes.Buffer
	b.WriteString(name) // refused: the compiler does not know the writer
	w.Write(b.Bytes())
}

func writtenHash(h hash.Hash64, name string) {
	var b bytes.Buffer
	b.WriteString(name) // refused: the hash may be of any type
	h.Write(b.Bytes())
}

func checksum(name string) uint32 {
	var b bytes.Buffer
	b.WriteString(name) // refused: crc32 gives it to a function value
	h := crc32.NewIEEE()
	h.Write(b.Bytes())
	return h.Sum32()
}

func captured(name string) string {
	var b bytes.Buffer
	write := func(s string) { b.WriteString(s) } // refused: a function literal has it
	write(name)
	return b.String()
}

func late(name string) (s string) {
	var b bytes.Buffer
	defer b.Reset()
	b.WriteString(name) // refused: a deferred call has it
	return b.String()
}

func nested(names []string) string {
	var b bytes.Buffer
	b.WriteString(names[0]) // refused: each depth would have the memory in its frame
	if len(names) > 1 {
		b.WriteString(nested(names[1:]))
	}
	return b.String()
}

func again(names []string) (all []string) {
	var b bytes.Buffer
	for _, name := range names {
		b.WriteString(name) // refused: it is assigned another one
		all = append(all, b.String())
		b = bytes.Buffer{}
	}
	return all
}

func copied(name string) string {
	var b bytes.Buffer
	b.WriteString(name) // refused: it is copied
	c := b
	return c.String()
}

func stored(name string) string {
	b := new(bytes.Buffer)
	b.WriteString(name) // refused: it outlives the call
	last = b
	return b.String()
}

var last *bytes.Buffer

func two(name string) string {
	var b, c bytes.Buffer
	b.WriteString(name) // refused: the statement declares another one
	c.WriteByte('x')
	return b.String() + c.String()
}

func long(name string) string {
	var b bytes.Buffer
	for range 200 {
		b.WriteString(name) // refused: most texts are longer than 512 bytes
	}
	return b.String()
}

func changed(name string) string {
	var b bytes.Buffer
	b.WriteString(name) // refused: bytes of it are set
	b.Bytes()[0] = 'x'
	return b.String()
}

func runesCounted(s string) (n int) {
	var b bytes.Buffer
	n, _ = b.WriteRune('›') // refused: the result is used
	b.WriteString(s)
	return n + b.Len()
}

func runesBeside(s string) string {
	var b bytes.Buffer
	addRunes(&b, s)
	return b.String()
}

func addRunes(b *bytes.Buffer, s string) {
	b.WriteRune('›') // refused: the slice would have to be returned
	b.WriteString(s)
}

func runesCut(s string) string {
	var b bytes.Buffer
	b.WriteRune('›') // refused: Truncate panics in its own words
	b.WriteString(s)
	b.Truncate(1)
	return b.String()
}

func runesShadowed(s string) string {
	append := func(s string) string { return s + "." }
	var b bytes.Buffer
	b.WriteRune('›') // refused: append means something else
	b.WriteString(s)
	b.WriteString(append(""))
	return b.String()
}

func commented(s string) string {
	var b bytes.Buffer
	b.WriteRune( /* before s */ '›') // refused: the comment would be lost
	b.WriteString(s)
	return b.String()
}

func separatedBy(names []string) string {
	b := new(bytes.Buffer)
	for _, name := range names {
		if b.Len() > 0 {
			b.WriteRune(',')
			b.WriteRune( /* a space */ (' '))
		}
		b.WriteString(name) // rewritten
	}
	b.WriteRune('\n') //nolint:errcheck
	return b.String()
}

func byHeader(name string, n int) string {
	var b bytes.Buffer
	for i := 0; i < n; b.WriteRune('·') {
		b.WriteString(name) // refused: the header of the loop writes in each iteration
		i++
	}
	return b.String()
}

func commaBeside(names []string) string {
	var b bytes.Buffer
	for _, name := range names {
		b.WriteString(name) // refused: the call of the other function would have to change
		addComma(&b)
	}
	return b.String()
}

func addComma(b *bytes.Buffer) { b.WriteRune(',') }

func commasCounted(names []string) (total int) {
	var b bytes.Buffer
	for _, name := range names {
		b.WriteString(name) // refused: WriteByte returns no size
		n, _ := b.WriteRune(',')
		total += n
	}
	return total + b.Len()
}

const comma rune = ','

func commasNamed(names []string) string {
	var b bytes.Buffer
	for _, name := range names {
		b.WriteString(name) // refused: the constant is no byte
		b.WriteRune(comma)
	}
	return b.String()
}

func listed(names []string) string {
	var b bytes.Buffer
	for i, name := range names {
		fmt.Fprintf(&b, "%d %-1s\n", i, name) // refused: a long list would have a slice grow by smaller steps
	}
	return b.String()
}

func listedEach(names []string) (n int) {
	for i, name := range names {
		var b bytes.Buffer
		fmt.Fprintf(&b, "%d %-1s\n", i, name) // rewritten
		n += b.Len()
	}
	return n
}

func looked(names []string, name string) (n int) {
	var b bytes.Buffer
	b.WriteRune('«') // rewritten
	b.WriteString(name)
	for _, other := range names {
		if other == b.String() {
			n += b.Len()
		}
	}
	return n
}

func jumping(name string, n int) string {
	var b bytes.Buffer
more:
	b.WriteRune('«') // refused: goto makes a loop
	b.WriteString(name)
	if n--; n > 0 {
		goto more
	}
	return b.String()
}

func runesAgain(name string, n int) string {
	var b bytes.Buffer
	for i := range n {
		if i > 0 {
			b.WriteRune('›')
			continue
		}
		b.WriteString(name) // refused: a rune of several bytes is written in a loop
	}
	return b.String()
}
