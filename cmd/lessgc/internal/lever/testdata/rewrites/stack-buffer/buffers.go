// Package stackbuffer puts short texts together.
package stackbuffer

import (
	"bytes"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"io"
	"strconv"
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
	b.WriteByte('>') // rewritten
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
	b.WriteString(name) // refused: fmt gets it as an io.Writer
	fmt.Fprintf(&b, " %d", len(name))
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
	for _, c := range []rune(s) {
		size, _ := b.WriteRune(c) // refused: the result is used
		n += size
	}
	return n + b.Len()
}

func runesBeside(s string) string {
	var b bytes.Buffer
	addRunes(&b, s)
	return b.String()
}

func addRunes(b *bytes.Buffer, s string) {
	for _, c := range []rune(s) {
		b.WriteRune(c) // refused: the slice would have to be returned
	}
}

func runesCut(s string) string {
	var b bytes.Buffer
	for _, c := range []rune(s) {
		b.WriteRune(c) // refused: Truncate panics in its own words
	}
	b.Truncate(1)
	return b.String()
}

func runesShadowed(s string) string {
	append := func(s string) string { return s + "." }
	var b bytes.Buffer
	for _, c := range []rune(s) {
		b.WriteRune(c) // refused: append means something else
	}
	b.WriteString(append(""))
	return b.String()
}

func commented(s string) string {
	var b bytes.Buffer
	for _, c := range []rune(s) {
		b.WriteRune( /* of s */ c) // refused: the comment would be lost
	}
	return b.String()
}
