// Package texttwice gathers texts in slices, and makes strings of them.
package texttwice

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// without returns a text without underscores.
func without(s string) string {
	buf := make([]byte, 0, len(s)) // one byte each
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			buf = append(buf, s[i])
		}
	}
	return string(buf) // rewritten
}

func escaped(s, quote string) string {
	var out []byte = make([]byte, 0, len(s)+2*len(quote))
	out = append(out, quote...)
	for i, r := range s {
		switch {
		case r == '"':
			out = append(out, '\\', '"')
		case r == '\n' && len(out) > len(quote):
			out = append(out, '\\', s[i]+'n'-'\n')
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	out = append(out, []byte(quote)...)
	return string(out) // rewritten
}

func snake(s string) string {
	var name []rune
	for _, r := range s {
		if unicode.IsUpper(r) {
			if len(name) > 0 {
				name = append(name, '_')
			}
			r = unicode.ToLower(r)
		}
		name = append(name, r)
	}
	return string(name) // rewritten
}

func camel(s string) string {
	buffer := make([]rune, 0, len(s))
	up := false
	for _, r := range s {
		if r == '_' {
			up = true
			continue
		}
		if up {
			r, up = unicode.ToUpper(r), false
		}
		buffer = append(buffer, r)
	}
	return string(buffer) // rewritten
}

// surrogates are no runes.
func surrogates(s string) (out []string) {
	for range 2 {
		all := []rune{}
		for _, r := range s {
			all = append(all, r, '\n', 'ä')
			all = append(all, r+0xd800, -r)
		}
		out = append(out, string(all)) // rewritten
	}
	return out
}

type label string

func pieces(l label, b []byte) (string, bool) {
	buf := make([]byte, 0, len(l)+len(b)+1)
	buf = append(buf, l...)
	buf = append(buf, ' ')
	buf = append(buf, b[:len(b)/2]...)
	half := string(buf) // rewritten
	buf = append(buf, b[len(b)/2:]...)
	return half + string(buf), string(buf) == half
}

func trimmed(s string) string {
	buf := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		buf = append(buf, s[i])
	}
	buf = buf[:len(buf)-1]
	return string(buf) // refused: the last is taken away
}

func again(s string) (out []string) {
	buf := make([]byte, 0, len(s))
	for range 2 {
		buf = append(buf[:0], s...)
		out = append(out, string(buf)) // refused: the memory is used for the next
	}
	return out
}

func set(s string) string {
	buf := make([]byte, 0, len(s))
	buf = append(buf, s...)
	buf[0] = '!'
	return string(buf) // refused: a byte is set
}

func looked(s string) string {
	buf := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if n := len(buf); n == 0 || buf[n-1] != s[i] {
			buf = append(buf, s[i])
		}
	}
	return string(buf) // refused: the last is read
}

func numbers(s string, n int) string {
	buf := make([]byte, 0, len(s)+len(s)+8)
	buf = append(buf, s...)
	buf = append(buf, s...)
	buf = strconv.AppendInt(buf, int64(n), 10)
	return string(buf) // refused: a builder has no method for numbers
}

func given(s string) string {
	buf := make([]byte, 0, len(s))
	buf = append(buf, s...)
	upper(buf)
	return string(buf) // refused: a function changes it
}

func upper(b []byte) {
	for i := range b {
		b[i] &^= 0x20
	}
}

func captured(s string) string {
	buf := make([]byte, 0, len(s))
	add := func(c byte) { buf = append(buf, c) }
	for i := 0; i < len(s); i++ {
		add(s[i])
	}
	return string(buf) // refused: a function literal has it
}

func fromNothing(s string) string {
	var buf []byte
	for i := 0; i < len(s); i++ {
		buf = append(buf, s[i])
	}
	return string(buf) // refused: a builder takes more steps
}

func anyRoom(s string, n int) string {
	buf := make([]byte, 0, n)
	buf = append(buf, s...)
	return string(buf) // refused: a negative size panics in other words
}

func large(s string) string {
	buf := make([]byte, 0, 4*len(s))
	buf = append(buf, s...)
	return string(buf) // refused: the string would keep four times its memory
}

func zeros(s string) string {
	buf := make([]byte, len(s), len(s)+len(s))
	buf = append(buf, s...)
	return string(buf) // refused: it is not empty at first
}

func counted(s string) string {
	runes := []rune{}
	for _, r := range s {
		if len(runes) < 1000 {
			runes = append(runes, r)
		}
	}
	return string(runes) // refused: a builder counts bytes
}

func decoded(s string) string {
	var runes []rune
	runes = append(runes, []rune(s)...)
	runes = append(runes, '.')
	return string(runes) // refused: bytes that are no characters become U+FFFD
}

func isNil(s string) string {
	var runes []rune
	for _, r := range s {
		runes = append(runes, r)
	}
	if runes == nil {
		return "nil"
	}
	return string(runes) // refused: it is told from nil
}

func doubled(s string) string {
	buf := make([]byte, 0, len(s)+len(s))
	buf = append(buf, s...)
	buf = append(buf, buf...)
	return string(buf) // refused: it is appended to itself
}

func sized(s string) string {
	buf := make([]byte, 0, len(s)+len(s))
	for i := 0; i < len(s); i++ {
		buf = append(buf, byte(len(buf)), s[i])
	}
	return string(buf) // refused: its length is appended
}

type reader struct {
	s string
	n int
}

func (r *reader) next() byte { r.n++; return r.s[r.n-1] }

func ordered(r *reader) string {
	buf := make([]byte, 0, len(r.s)+len(r.s))
	for r.n < len(r.s)-1 {
		buf = append(buf, byte(r.n), r.next())
	}
	return string(buf) // refused: the call changes what is appended before
}

func copied(s string) (string, []byte) {
	buf := make([]byte, 0, len(s))
	buf = append(buf, s...)
	return string(buf), buf // refused: the caller has the bytes, too
}

func other(s string) string {
	buf := make([]byte, 0, len(s))
	more := append(buf, s...)
	return string(more) + string(buf) // refused: another variable has what is appended
}

func joined(a, b []byte) string {
	buf := append(make([]byte, 0, len(a)+len(b)), a...)
	buf = append(buf, b...)
	return string(buf) // refused: it is not empty at first
}

func typed(s string) label {
	buf := make([]byte, 0, len(s))
	buf = append(buf, s...)
	return label(buf) // refused: the string has another type
}

func commented(s string) string {
	buf := make([]byte, 0, len(s))
	buf = append(buf /* all of it */, s...)
	return string(buf) // refused: a comment would go
}

func inCondition(s string) string {
	buf := make([]byte, 0, len(s))
	if buf = append(buf, s...); len(buf) > 200 {
		return ""
	}
	return string(buf) // refused: a condition begins with the statement
}

func two(s string) string {
	buf, n := make([]byte, 0, len(s)), 0
	buf = append(buf, s...)
	return string(buf[n:]) + strings.Repeat(string(buf), 0) // refused: a part of it becomes text
}

func small(s string) string {
	buf := make([]byte, 0, 64)
	buf = append(buf, s...)
	return string(buf) // refused: there is room on the stack
}

func result(s string) (buf []rune, text string) {
	for _, r := range s {
		buf = append(buf, r)
	}
	text = string(buf) // refused: it is a result
	return nil, text
}

func hidden(strings []string) string {
	buf := make([]byte, 0, len(strings[0]))
	buf = append(buf, strings[0]...)
	return string(buf) // refused: strings means something else
}

// shortened ends with a character whose last byte looks like another one.
func shortened(s string) string {
	out := make([]byte, 0, len(s)+3)
	out = append(out, s...)
	out = utf8.AppendRune(out, '…')
	return string(out) // rewritten
}

func hiding(names []string) (out []string) {
	for _, name := range names {
		name := make([]byte, 0, len(name))
		name = append(name, 'x')
		out = append(out, string(name)) // refused: the room is that of what the slice hides
	}
	return out
}

func switched(v any) string {
	switch strings := v.(type) {
	case []string:
		buf := make([]byte, 0, len(strings[0]))
		buf = append(buf, strings[0]...)
		return string(buf) // refused: strings is the text here
	}
	return ""
}

// cleaned is a function that a variable has.
var cleaned = func(s string) string {
	buf := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			buf = append(buf, s[i])
		}
	}
	return string(buf)
}

// returned is one that hands its bytes on.
var returned = func(s string) (string, []byte) {
	buf := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		buf = append(buf, s[i]|0x20)
	}
	return string(buf), buf // refused: the bytes are returned, too
}

// Each of the changes leaves the import to the other.
const _ = utf8.RuneError
