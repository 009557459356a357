package xml

import (
	"strings"
	"unicode/utf8"
)

// A class is what a scan does at a byte.
type class uint8

const (
	bad     class = iota // a control character
	plain                // goes on
	stop                 // ends
	multi                // first byte of a longer character
	bracket              // ends the scan if it begins ]]>
)

// classes is the class of each byte for one kind of scan.
type classes [256]class

// scanner returns classes in which the bytes of stops stop. A carriage return
// always does, because it has to be rewritten.
func scanner(stops string) *classes {
	c := new(classes)
	c['\t'], c['\n'], c['\r'] = plain, plain, stop
	for i := ' '; i < utf8.RuneSelf; i++ {
		c[i] = plain
	}
	for i := utf8.RuneSelf; i < len(c); i++ {
		c[i] = multi
	}
	for _, b := range []byte(stops) {
		c[b] = stop
	}
	return c
}

var (
	inText    = textScanner()
	inDouble  = scanner("\"&<\t\n")
	inSingle  = scanner("'&<\t\n")
	inComment = scanner("-")
	inInst    = scanner("?")
	inCDATA   = scanner("]")
	inDoctype = scanner("\"'[]<>")
	inDQuotes = scanner("\"")
	inSQuotes = scanner("'")
)

func textScanner() *classes {
	c := scanner("<&")
	c[']'] = bracket
	return c
}

// scan moves to the next byte that stops, or to the end.
func (p *parser) scan(c *classes) error {
	s := p.src
	for i := p.pos; i < len(s); {
		switch c[s[i]] {
		case plain:
			i++
		case stop:
			p.pos = i
			return nil
		case multi:
			n, msg := multibyte(s[i:])
			if msg != "" {
				return &SyntaxError{i, msg}
			}
			i += n
		case bracket:
			if strings.HasPrefix(s[i:], "]]>") {
				return &SyntaxError{i, errBracket}
			}
			i++
		case bad:
			return &SyntaxError{i, errChar}
		}
	}
	p.pos = len(s)
	return nil
}

// multibyte returns the length of the character that s begins with, which is
// none of ASCII, or what is wrong with it.
func multibyte(s string) (n int, msg string) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n <= 1:
		return 0, errUTF8
	case !isChar(r):
		return 0, errChar
	}
	return n, ""
}

// isChar reports whether r is a Char of XML 1.0.
func isChar(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xD800:
		return true
	case r < 0xE000:
		return false
	}
	return r != 0xFFFE && r != 0xFFFF && r <= utf8.MaxRune
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\n' || b == '\t' || b == '\r'
}
