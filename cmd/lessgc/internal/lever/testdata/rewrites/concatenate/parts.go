// Package concatenate puts texts of a few parts together.
package concatenate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

type pattern struct {
	expression string
	kinds      map[string]string
}

func denormalized(all []pattern, alias string, named bool, kinds map[string]string) string {
	text := "%{a}"
	for _, stored := range all {
		var buffer bytes.Buffer
		if named {
			// rewritten
			buffer.WriteString("(?P<")
			buffer.WriteString(alias)
			buffer.WriteString(">")
			buffer.WriteString(stored.expression)
			buffer.WriteString(")")
		} else {
			buffer.WriteString("(")
			buffer.WriteString(stored.expression)
			buffer.WriteString(")")
		}
		for k, v := range stored.kinds {
			if _, ok := kinds[k]; !ok {
				kinds[k] = v
			}
		}
		text = strings.Replace(text, "%{a}", buffer.String(), -1)
	}
	return text
}

func returned(host string, port int) string {
	var b bytes.Buffer
	// rewritten
	b.WriteString(host)
	b.WriteByte(':')
	b.WriteString(strconv.Itoa(port))
	b.WriteRune('→')
	b.WriteString("a path that is long")
	return b.String()
}

func assigned(name string) int {
	b := &strings.Builder{}

	// rewritten
	b.WriteByte('[')
	b.WriteString(name + "/" + name)
	b.WriteByte(']')

	s := b.String()
	return len(s)
}

func later(name string, n int) string {
	b := new(bytes.Buffer)
	// rewritten
	b.WriteString("<")
	b.WriteString(name)
	b.WriteString(">")
	n++
	return fmt.Sprint(b.String(), n, len(b.String()))
}

func byKind(v any) string {
	var b strings.Builder
	switch v := v.(type) {
	case nil:
	case string:
		// rewritten
		b.WriteByte('"')
		b.WriteString(v)
		b.WriteByte('"')
	case []string:
		if len(v) > 0 {
			b.WriteString("first: ")
			b.WriteString(v[0])
		}
	default:
		b.WriteString("?")
	}
	return b.String()
}

func readBefore(name string) string {
	var b strings.Builder
	before := b.String()
	// rewritten
	b.WriteString("<")
	b.WriteString(name)
	return before + b.String()
}

func twoOf(name string) string {
	var b, c strings.Builder
	// refused: the statement declares another one
	b.WriteString("<")
	b.WriteString(name)
	c.WriteString(name)
	return b.String() + c.String()
}

func beside(name string) (string, string) {
	var b strings.Builder
	// rewritten
	b.WriteString("<")
	b.WriteString(name)
	var c strings.Builder
	c.WriteString(name)
	c.WriteString("many bytes more")
	return b.String(), c.String()
}

func ofLoop(names []string) string {
	var b bytes.Buffer
	for _, name := range names {
		// refused: each iteration would copy what there is
		b.WriteString("<")
		b.WriteString(name)
	}
	return b.String()
}

func optional(name string, more bool) string {
	var b bytes.Buffer
	// refused: there are two rows on one way
	b.WriteString("<")
	b.WriteString(name)
	if more {
		b.WriteString(" more>")
	}
	return b.String()
}

func between(name string, n *int) string {
	var b bytes.Buffer
	// refused: another statement stands between the writes
	b.WriteString("<")
	*n++
	b.WriteString(name)
	return b.String()
}

func onlyText(name string) string {
	var b bytes.Buffer
	// refused: the text would be that of the name, and keep what it is part of
	b.WriteString(name)
	return b.String()
}

func onlyTexts(name, other string) string {
	var b bytes.Buffer
	// refused: one of them may be empty, and the text the other
	b.WriteString(name)
	b.WriteString(other)
	b.WriteString("")
	return b.String()
}

func counted(name string) (string, int) {
	var b bytes.Buffer
	n, _ := b.WriteString("<") // refused: the result is used
	b.WriteString(name)
	return b.String(), n
}

func lengthRead(name string) (string, int) {
	var b bytes.Buffer
	// refused: its length is asked for
	b.WriteString("<")
	b.WriteString(name)
	return b.String(), b.Len()
}

func bytesRead(name string) []byte {
	var b bytes.Buffer
	// refused: its bytes are read
	b.WriteString("<")
	b.WriteString(name)
	return b.Bytes()
}

func printed(name string) string {
	var b bytes.Buffer
	// refused: fmt gets it
	b.WriteString("<")
	fmt.Fprint(&b, name)
	return b.String()
}

func captured(name string) string {
	var b bytes.Buffer
	// refused: a function literal reads it
	b.WriteString("<")
	b.WriteString(name)
	read := func() string { return b.String() }
	return read()
}

func capturedToWrite(name string) string {
	var b bytes.Buffer
	add := func() {
		// refused: a function literal writes to it
		b.WriteString("<")
		b.WriteString(name)
	}
	add()
	return b.String()
}

var title = "title"

func changes() string {
	title += "."
	return "!"
}

func changedBetween() string {
	var b bytes.Buffer
	// refused: the call changes what is written before it
	b.WriteString("<")
	b.WriteString(title)
	b.WriteString(changes())
	return b.String()
}

func received(texts chan string) string {
	var b bytes.Buffer
	// refused: what is written first may change while it is received
	b.WriteString("<")
	b.WriteString(title)
	b.WriteString(<-texts)
	return b.String()
}

func ofItself(name string) string {
	var b bytes.Buffer
	// refused: it is written what it has
	b.WriteString("<")
	b.WriteString(b.String())
	b.WriteString(name)
	return b.String()
}

func fallen(name string, n int) string {
	var b bytes.Buffer
	switch n {
	case 0:
		// refused: both cases are executed
		b.WriteString("<")
		b.WriteString(name)
		fallthrough
	default:
		b.WriteString(">")
	}
	return b.String()
}

func inHeader(name string) string {
	var b bytes.Buffer
	if b.WriteString("<"); name != "" {
		b.WriteString(name) // refused: the header of the statement writes, too
		b.WriteString(">")
	}
	return b.String()
}

func jumping(name string, n int) string {
again:
	var b bytes.Buffer
	// refused: goto makes a loop
	b.WriteString("<")
	b.WriteString(name)
	if n--; n > 0 {
		goto again
	}
	return b.String()
}

func commented(name string) string {
	var b bytes.Buffer
	b.WriteString("<") // refused: a comment stands between the parts
	// What it is called.
	b.WriteString(name)
	return b.String()
}

func linted(name string) string {
	var b bytes.Buffer
	// refused: a linter reads a comment for one of them
	b.WriteString("<")
	b.WriteString(name) //nolint:errcheck
	return b.String()
}

func asByte(name string, c byte) string {
	var b bytes.Buffer
	// refused: the text of a byte of 128 or more is another one
	b.WriteString("<")
	b.WriteByte(c)
	b.WriteString(name)
	return b.String()
}

func latin(name string) string {
	var b bytes.Buffer
	// refused: the byte is not the text of the character
	b.WriteString("<")
	b.WriteByte('é')
	b.WriteString(name)
	return b.String()
}

func given(name string) string {
	var b bytes.Buffer
	// refused: another function writes to it
	b.WriteString("<")
	b.WriteString(name)
	addTo(&b)
	return b.String()
}

func addTo(b *bytes.Buffer) { b.WriteString("!") }

func grown(name string) string {
	var b strings.Builder
	b.Grow(2)
	// refused: a person has given it room
	b.WriteString("<")
	b.WriteString(name)
	return b.String()
}

func deferred(name string) string {
	var b bytes.Buffer
	// refused: the text is not read
	b.WriteString("<")
	b.WriteString(name)
	defer b.String()
	return name
}

func reset(name string) string {
	var b bytes.Buffer
	// refused: it begins again
	b.WriteString("<")
	b.WriteString(name)
	b.Reset()
	return b.String()
}

func again(name string) string {
	b := bytes.Buffer{}
	// refused: it is another one then
	b.WriteString("<")
	b.WriteString(name)
	b = bytes.Buffer{}
	return b.String()
}

func begun(name string) string {
	b := bytes.NewBufferString(name)
	// refused: it begins with a text
	b.WriteString("<and some more text>")
	b.WriteString(strings.Repeat(name, 9))
	return b.String()
}

func many(a, b, c, d string) string {
	var all bytes.Buffer
	// refused: a sum of so many parts is hard to read
	all.WriteString(a)
	all.WriteString("=")
	all.WriteString(b)
	all.WriteString(", ")
	all.WriteString(c)
	all.WriteString("=")
	all.WriteString(d)
	all.WriteString(", ")
	all.WriteString(a)
	return all.String()
}
