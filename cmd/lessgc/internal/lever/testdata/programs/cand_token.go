package programs

import (
	"bufio"
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenLexer reads a text in memory character by character.
type tokenLexer struct {
	text string
	at   int
	char rune
	buf  bytes.Buffer
}

func (l *tokenLexer) next() {
	if l.at >= len(l.text) {
		l.char = -1
		return
	}
	r, w := utf8.DecodeRuneInString(l.text[l.at:])
	l.char, l.at = r, l.at+w
}

func (l *tokenLexer) word() string {
	l.buf.Reset()
	for l.char > ' ' {
		l.buf.WriteRune(l.char)
		l.next()
	}
	return l.buf.String() // want token-text
}

func (l *tokenLexer) read() rune {
	l.next()
	return l.char
}

func (l *tokenLexer) runes() string {
	var all []rune
	for r := l.read(); r > ' '; r = l.read() {
		if r == '\\' {
			r = l.read()
		}
		all = append(all, r)
	}
	return string(all) // want token-text
}

func (l *tokenLexer) upper() string {
	l.buf.Reset()
	for l.char > ' ' {
		l.buf.WriteRune(unicode.ToUpper(l.char))
		l.next()
	}
	return l.buf.String() // no token-text
}

type tokenSign struct{ text string }

func tokenSigns(text string) (all []tokenSign) {
	all = make([]tokenSign, 0, len(text))
	for _, r := range text {
		if r == '-' || r == '\\' {
			all = append(all, tokenSign{string(r)}) // want token-text
		}
	}
	return all
}

// The text is not in memory.
func tokenRead(r *bufio.Reader) string {
	var b strings.Builder
	for {
		c, err := r.ReadByte()
		if err != nil || c <= ' ' {
			return b.String()
		}
		b.WriteByte(c) // no token-text
	}
}
