// Package stringsbuilder has buffers of which a string is made.
package stringsbuilder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

func path(host, name string) string {
	var b bytes.Buffer
	if host != "" {
		b.WriteString(host)
	}
	b.WriteByte('/')
	b.WriteString(name)
	return b.String() // rewritten
}

func listed(names []string) string {
	var b bytes.Buffer
	b.Grow(17 * len(names))
	for i, n := range names {
		fmt.Fprintf(&b, "%d: %s", i, n)
		b.WriteRune('é')
	}
	if b.Len() == 0 {
		return "none"
	}
	return b.String() // rewritten
}

func either(host, name string) string {
	var b bytes.Buffer
	if name == "" {
		fmt.Fprintf(&b, "%s of none", host)
	} else {
		fmt.Fprint(&b, host)
		b.WriteString(" of ")
		b.WriteString(name)
	}
	return b.String() // rewritten
}

func varied(names []string) string {
	var b bytes.Buffer
	b.WriteByte('>')
	for _, n := range names {
		b.WriteString(n)
	}
	return b.String() // refused: some strings would keep much more memory than they need
}

func mayBeEmpty(names []string) string {
	var b bytes.Buffer
	for _, n := range names {
		b.WriteString(n)
	}
	return b.String() // refused: an empty text would have memory
}

func mayWriteNone(host, name string) string {
	var b bytes.Buffer
	fmt.Fprint(&b, host, name)
	b.WriteString(host)
	fmt.Fprintf(&b, "%s%v", name, host)
	return b.String() // refused: all that is written may be empty
}

func mayEnd(name string) string {
	var b bytes.Buffer
	for i := range name {
		if name[i] == '"' {
			return b.String() // refused: the text may end before anything is written
		}
		b.WriteByte(name[i])
	}
	return ""
}

func roomy(names []string) string {
	var b bytes.Buffer
	b.Grow(64 * len(names))
	for _, n := range names {
		b.WriteString(n)
	}
	return b.String() // refused: the room that it is given is more than the string needs
}

func trimmed(text []byte) int { return len(bytes.TrimSpace(text)) }

func asBytes(name string) (string, []byte) {
	var b bytes.Buffer
	b.WriteString(name)
	return b.String(), b.Bytes() // refused: the bytes are taken, too
}

func copied(r io.Reader) string {
	var b bytes.Buffer
	io.Copy(&b, r)
	return b.String() // refused: it is read into
}

func encoded(x any) string {
	var b bytes.Buffer
	json.NewEncoder(&b).Encode(x)
	return b.String() // refused: others have it
}

func none() string {
	var b *bytes.Buffer
	return b.String() // refused: of nil the text is another
}

func sized(name string, n int) string {
	var b bytes.Buffer
	b.Grow(n)
	b.WriteString(name)
	return b.String() // refused: a negative size panics with a text of its own
}

func twice(name string) (string, string) {
	var b bytes.Buffer
	b.WriteString(name)
	c := b
	c.WriteString("!")
	return b.String(), c.String() // refused: a builder that is copied panics
}

func shown(name string) string {
	var b bytes.Buffer
	b.WriteString(name)
	fmt.Fprintf(&b, "%v", &b)
	return b.String() // refused: it is printed
}

func begun(name string) string {
	var b bytes.Buffer
	b.WriteString(name)
	b.Truncate(1)
	return b.String() // refused: it is made shorter
}

func again(name string) (string, string) {
	var b bytes.Buffer
	b.WriteString(name)
	first := b.String() // refused: it is written again
	b.Reset()
	b.WriteString("other")
	return first, b.String()
}

func room(name string) (string, int) {
	var b bytes.Buffer
	b.WriteString(name)
	return b.String(), b.Cap() // refused: the capacity is asked for
}

func read(name string) (string, byte) {
	var b bytes.Buffer
	b.WriteString(name)
	first, _ := b.ReadByte()
	return b.String(), first // refused: it is read from
}

func handed(name string, use func(func(string) (int, error))) string {
	var b bytes.Buffer
	use(b.WriteString)
	return b.String() // refused: others have a method of it
}

func kept(name string) (string, *bytes.Buffer) {
	var b bytes.Buffer
	b.WriteString(name)
	return b.String(), &b // refused: callers get the buffer
}

func shadowed(name string) string {
	strings := 1
	var b bytes.Buffer
	b.WriteString(name[strings:])
	return b.String() // refused: strings is a variable here
}

func noted(name string) string {
	var b bytes. /* as others do */ Buffer
	b.WriteString(name)
	return b.String() // refused: a comment would go
}
