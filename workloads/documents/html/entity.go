package html

import (
	"html"
	"strings"
	"unicode/utf8"
)

// decode adds s to j with line ends made line feeds and what else how says. It
// must say something.
func decode(j *joiner, s string, how decoding) {
	for {
		i := special(s, how)
		j.add(s[:i])
		s = s[i:]
		if s == "" {
			return
		}
		switch s[0] {
		case '\r':
			j.add("\n")
			s = strings.TrimPrefix(s[1:], "\n")
		case 0:
			j.add("\ufffd")
			s = s[1:]
		default:
			s = s[reference(j, s, how&inAttribute != 0):]
		}
	}
}

// A decoding is a set of flags that say what decode does.
type decoding uint8

const (
	references  decoding = 1 << iota // replace character references
	inAttribute                      // by the rules for attributes
	replaceNUL
)

// special returns the index of the next byte of s that decode changes, or the
// length of s.
func special(s string, how decoding) int {
	for i := range len(s) {
		if specials[s[i]]&how != 0 {
			return i
		}
	}
	return len(s)
}

// specials are the bytes that decode changes if one of the flags is set.
var specials = [256]decoding{'\r': references | replaceNUL, '&': references, 0: replaceNUL}

// reference adds the character reference that s begins with, or the & if it is
// none, and returns how many bytes of s that was.
func reference(j *joiner, s string, attribute bool) int {
	if strings.HasPrefix(s, "&#") {
		return number(j, s)
	}
	n := 1
	for n < len(s) && isAlnum(s[n]) {
		n++
	}
	semicolon := n < len(s) && s[n] == ';'
	if semicolon {
		n++
	}
	if c := common(s[:n]); c != "" {
		j.add(c)
		return n
	}
	if n == 1 || attribute && !semicolon && n < len(s) && s[n] == '=' {
		j.add(s[:n])
		return n
	}
	c := html.UnescapeString(s[:n])
	if attribute && !whole(s[:n], c) {
		c = s[:n]
	}
	j.add(c)
	return n
}

// common are the references that pages are full of. All others, more than two
// thousand, are looked up by package html, which allocates.
func common(ref string) string {
	switch ref {
	case "&lt;":
		return "<"
	case "&gt;":
		return ">"
	case "&amp;":
		return "&"
	case "&quot;":
		return "\""
	case "&apos;":
		return "'"
	case "&nbsp;":
		return "\u00a0"
	case "&copy;":
		return "\u00a9"
	case "&laquo;":
		return "\u00ab"
	case "&raquo;":
		return "\u00bb"
	case "&ndash;":
		return "\u2013"
	case "&mdash;":
		return "\u2014"
	case "&hellip;":
		return "\u2026"
	case "&nGt;": // package html lacks these two
		return "\u226b\u20d2"
	case "&nLt;":
		return "\u226a\u20d2"
	}
	return ""
}

// whole reports whether c is what all of ref stands for. Package html takes the
// beginning of an unknown name for a known one; then the rest of the name is
// the end of c. No reference but these two stands for such a character.
func whole(ref, c string) bool {
	last := c[len(c)-1]
	return ref == "&semi;" || ref == "&fjlig;" || last != ';' && !isAlnum(last)
}

// windows1252 are the characters for the numbers from 0x80 on. Zero stands for
// itself.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// number is reference for &# and a number.
func number(j *joiner, s string) int {
	base, i := rune(10), len("&#")
	if i < len(s) && s[i]|0x20 == 'x' {
		base = 16
		i++
	}
	first, r := i, rune(0)
	for ; i < len(s); i++ {
		d := digit(s[i])
		if d >= base {
			break
		}
		r = min(r*base+d, utf8.MaxRune+1)
	}
	if i == first {
		j.add("&")
		return 1
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	switch {
	case r == 0 || r > utf8.MaxRune:
		r = utf8.RuneError
	case 0x80 <= r && r < 0xA0 && windows1252[r-0x80] != 0:
		r = windows1252[r-0x80]
	}
	j.addCopy("")
	j.buf = utf8.AppendRune(j.buf, r) // U+FFFD for half a surrogate pair
	return i
}

// digit returns what b counts in hexadecimal, 16 if it is not a digit.
func digit(b byte) rune {
	switch {
	case '0' <= b && b <= '9':
		return rune(b - '0')
	case isLetter(b) && b|0x20 <= 'f':
		return rune(b|0x20-'a') + 10
	}
	return 16
}
