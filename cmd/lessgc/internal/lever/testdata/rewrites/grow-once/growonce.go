// Package growonce has functions that add to a slice, builder or buffer several times.
package growonce

import (
	"bytes"
	"strings"
)

type user struct{ name string }

func pair(name, value string) string {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('=')
	b.WriteString(value) // rewritten
	return b.String()
}

func frame(head, body []byte) []byte {
	var out []byte
	out = append(out, head...)
	out = append(out, body...) // rewritten
	return out
}

func listed(lead string, names []string) []string {
	out := []string{}
	out = append(out, lead, "")
	for _, name := range names {
		out = append(out, name) // rewritten
	}
	return out
}

func ruled(title string) string {
	var b strings.Builder
	b.WriteString(title)
	b.WriteByte('\n')
	for range title {
		b.WriteByte('-') // rewritten
	}
	return b.String()
}

func message(head string, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	b.Write(body) // rewritten
	return b.Bytes()
}

func copied(text string) (strings.Builder, string) {
	var b strings.Builder
	for range text {
		b.WriteByte('-')
		b.WriteByte('-') // refused: a copy of a builder that was grown panics
	}
	c := b
	c.WriteString("end")
	return b, c.String()
}

func room(a, b string) int {
	var out strings.Builder
	out.WriteString(a)
	out.WriteString(b) // refused: the capacity is asked for
	return out.Cap()
}

func spare(a, b []byte) int {
	var out bytes.Buffer
	out.Write(a)
	out.Write(b) // refused: the room that is left is asked for
	return out.Available()
}

func optional(a, b string) []byte {
	var out bytes.Buffer
	out.WriteString(a)
	if a == "" {
		out.WriteString("-")
	}
	out.WriteString(b) // refused: callers see more room than is filled
	return out.Bytes()
}

func held(a, b []byte) ([]byte, []byte) {
	var out bytes.Buffer
	out.Write(a)
	first := out.Bytes()
	out.Write(b) // refused: the bytes that were taken share the memory of what is written later
	return first, out.Bytes()
}

func kept(a, b []byte) ([]byte, []byte) {
	out := []byte{}
	out = append(out, a...)
	first := out
	out = append(out, b...) // refused: an earlier slice shares the memory, which is written to
	out[0] = '!'
	return first, out
}

func branches(a, b []byte) ([]byte, []byte) {
	out := []byte{}
	out = append(out, a...)
	out = append(out, b...) // refused: two slices are made of it, in its memory or not
	x := append(out, 'x')
	y := append(out, 'y')
	return x, y
}

func capacity(a, b []byte) int {
	out := []byte{}
	out = append(out, a...)
	out = append(out, b...) // refused: the capacity is asked for
	return cap(out)
}

func changed(a, b string) string {
	var out strings.Builder
	out.WriteString(a)
	b = strings.Repeat(b, 2)
	out.WriteString(b) // refused: what is written changes on the way
	return out.String()
}

var steps int

func stepped(a string, u *user) string {
	var out strings.Builder
	out.WriteString(a)
	steps++
	out.WriteString(u.name) // refused: a pointer that is nil would panic before the step is counted
	return out.String()
}

func called(a string, u *user) string {
	var out strings.Builder
	out.WriteString(a)
	u.rename()
	out.WriteString(u.name) // refused: a method changes what is written
	return out.String()
}

func (u *user) rename() { u.name += "!" }

func left(a, b string) string {
	var out strings.Builder
	out.WriteString(a)
	if a == "" {
		return out.String()
	}
	out.WriteString(b) // refused: it may be asked for before
	return out.String()
}

func nested(rows, columns []string, check func(string)) []string {
	out := []string{}
	out = append(out, "")
	for _, r := range rows {
		for range columns {
			check(r)
			out = append(out, r) // refused: the product of two lengths may be large, and a call end the loop
		}
	}
	return out
}

func repeated(text string, lines []string, check func(string)) string {
	var out strings.Builder
	for _, l := range lines {
		check(l)
		out.WriteString(text)
		out.WriteByte('\n') // refused: so it is with a text in each iteration
	}
	return out.String()
}

func letters(lead []rune, text string) []rune {
	out := []rune{}
	out = append(out, lead...)
	for _, r := range text {
		out = append(out, r) // refused: a string has fewer characters than bytes, and callers see the room
	}
	return out
}

func shadowed(a, b string) string {
	len := func(s string) int { return -1 }
	var out strings.Builder
	out.WriteString(a)
	out.WriteString(b) // refused: len is another function here
	return out.String()[:len(a)+1]
}

func pointed(a, b []byte) []byte {
	p := &b
	out := []byte{}
	out = append(out, a...)
	*p = nil
	out = append(out, b...) // refused: a pointer changes what is appended
	return out
}

func handed(a, b string) string {
	var out strings.Builder
	write := out.WriteString
	write(a)
	out.WriteString(b) // refused: a method value writes to it
	return out.String()
}

func bracketed(text string) string {
	var out strings.Builder
	in := false
	for _, c := range text {
		if in {
			out.WriteRune(c) // refused: no character need be in brackets
			in = c != ']'
			continue
		}
		if in = c == '['; in {
			out.WriteRune(c)
		}
	}
	return out.String()
}

func vowels(text string) string {
	var out strings.Builder
	for _, c := range text {
		switch c {
		case 'a', 'e', 'i', 'o', 'u':
			out.WriteRune(c) // refused: there is no default
		}
	}
	return out.String()
}

func quoted(text string) string {
	var out strings.Builder
	for _, c := range text {
		if c == '"' {
			out.WriteByte('\\')
			out.WriteRune(c)
		} else {
			out.WriteRune(c) // refused: nobody knows how much longer it becomes
		}
	}
	return out.String()
}
