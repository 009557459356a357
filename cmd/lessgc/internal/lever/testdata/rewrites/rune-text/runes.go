// Package runes goes over the characters of texts.
package runes

import (
	"strings"
	"unicode"
)

func letters(s string) (n int) {
	for _, r := range []rune(s) { // rewritten
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

type name string

func (n name) width() (w int) {
	var r rune
	for _, r = range []rune(n) { // rewritten
		w += int(r % 4)
	}
	for range []rune(strings.TrimSpace(string(n))) { // rewritten
		w++
	}
	return w
}

func marks(s string) string {
	var out strings.Builder
	for i := range []rune(s) { // rewritten
		out.WriteByte('0' + byte(i%10))
	}
	return out.String()
}

func title(s string) string {
	var out strings.Builder
	// rewritten
	runes := []rune(s)
	out.Grow(len(s))
	for _, r := range runes {
		out.WriteRune(unicode.ToTitle(r))
	}
	return out.String()
}

func short(s string, n int) (sum rune, ok bool) {
	// rewritten
	all := []rune(s)
	if len(all) > n {
		return 0, false
	}
	for _, r := range all {
		sum += r
	}
	for i := range all {
		sum += rune(i)
	}
	return sum, true
}

func fields(s string) (n int) {
	for range []rune(struct{ a, b string }{s, "b"}.a) { // rewritten
		n++
	}
	return n
}

func spread(s string) (out []byte) {
	for i, r := range []rune(s) { // refused: bytes are counted, and not runes
		if r == 'x' {
			out = append(out, byte(i))
		}
	}
	return out
}

func bytesOf(b []byte) (n int) {
	for _, r := range []byte(string(b)) { // refused: these are bytes
		n += int(r)
	}
	return n
}

type letter rune

func typed(s string) (all []any) {
	for _, l := range []letter(s) { // refused: they have another type
		all = append(all, l)
	}
	return all
}

func reversed(s string) string {
	// refused: they are taken by their number
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

func valid(s string) string {
	// refused: bytes that are no characters become U+FFFD
	runes := []rune(s)
	for _, r := range runes {
		if r == 'x' {
			return ""
		}
	}
	return string(runes)
}

func set(s string) (n int) {
	// refused: the text is set in between
	runes := []rune(s)
	s = strings.ToUpper(s)
	for _, r := range runes {
		if strings.ContainsRune(s, r) {
			n++
		}
	}
	return n
}

func repeated(s string) (n int) {
	// refused: they would be counted in each iteration
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		n += i
	}
	for _, r := range runes {
		n += int(r)
	}
	return n
}

func shadowed(s string) (n int) {
	// refused: another text has the name
	runes := []rune(s)
	if s := "abc"; len(s) > n {
		for _, r := range runes {
			n += int(r)
		}
	}
	return n
}

func changed(s string) (out string) {
	// refused: a rune is set
	runes := []rune(s)
	runes[0] = 'x'
	for _, r := range runes {
		out += string(r)
	}
	return out
}

func kept(s string) []rune {
	// refused: the caller has them
	runes := []rune(s)
	for _, r := range runes {
		if r == 'x' {
			return nil
		}
	}
	return runes
}

func later(all []string) (out []func() int) {
	var s string
	for _, s = range all {
		// refused: the text is another one by then
		runes := []rune(s)
		out = append(out, func() (n int) {
			for range runes {
				n++
			}
			return n
		})
	}
	return out
}

func commented(s string) (n int) {
	runes := []rune(s) // refused: a comment would go
	for range runes {
		n++
	}
	return n
}

type lexer struct{ input string }

func (l *lexer) next() rune { l.input = l.input[1:]; return rune(l.input[0]) }

func (l *lexer) all() (n rune) {
	// refused: the field is set
	runes := []rune(l.input)
	n = l.next()
	for _, r := range runes {
		n += r
	}
	return n
}

func appended(runes []rune, s string) []rune {
	return append(runes, []rune(s)...) // refused: they are appended
}

func counted(s string) (n int) {
	// refused: the number of a rune is taken, too
	runes := []rune(s)
	for i, r := range runes {
		n += i * int(r)
	}
	return n
}

type heading string

func (n heading) marks() (width int) {
	for i := range []rune(n) { // refused: a function of utf8 takes no text of another type
		width += i
	}
	return width
}

func (n heading) long() bool {
	runes := []rune(n) // refused: a function of utf8 takes no text of another type
	return len(runes) > 3
}

type runesOf []rune

func ofType(s string) (n int) {
	for range runesOf(s) { // refused: the type may be the only one of its package here
		n++
	}
	return n
}
