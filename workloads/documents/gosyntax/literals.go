package gosyntax

import (
	"go/token"
	"strings"
	"unicode/utf8"
)

// literal ends a token at the current offset.
func (s *scanner) literal(tok token.Token) {
	s.tok, s.lit, s.semi = tok, s.src[s.pos:s.off], true
}

// scanString reads an interpreted string; its opening quote has been read.
func (s *scanner) scanString() {
	src, i := s.src, s.off
	for i < len(src) {
		switch src[i] {
		case '"':
			s.off = i + 1
			s.literal(token.STRING)
			return
		case '\\':
			i = s.escape(i+1, '"')
			continue
		case '\n':
			s.fail(s.pos, "string literal not terminated")
		}
		i++
	}
	s.unterminated("string literal")
}

// scanRune reads a rune literal; its opening quote has been read.
func (s *scanner) scanRune() {
	i, n := s.off, 0
	for i < len(s.src) {
		switch c := s.src[i]; {
		case c == '\'':
			if n != 1 {
				s.fail(s.pos, "illegal rune literal")
			}
			s.off = i + 1
			s.literal(token.CHAR)
			return
		case c == '\\':
			i = s.escape(i+1, '\'')
		case c == '\n':
			s.fail(s.pos, "rune literal not terminated")
		default:
			_, size := utf8.DecodeRuneInString(s.src[i:])
			i += size
		}
		n++
	}
	s.unterminated("rune literal")
}

// scanRaw reads a raw string; its opening quote has been read. Carriage
// returns are not part of its value.
func (s *scanner) scanRaw() {
	n := strings.IndexByte(s.src[s.off:], '`')
	if n < 0 {
		s.unterminated("raw string literal")
	}
	s.newlines(s.off + n)
	s.off += n + 1
	s.literal(token.STRING)
	if strings.IndexByte(s.lit, '\r') >= 0 {
		s.lit = s.withoutCR(s.lit, false)
	}
}

// unterminated stops where a literal or comment meets the end of the source.
func (s *scanner) unterminated(what string) {
	if s.bad != "" {
		s.newlines(len(s.src))
		s.failBad()
	}
	s.fail(s.pos, "%s not terminated", what)
}

// newlines records the lines that end between the current offset and end.
func (s *scanner) newlines(end int) {
	for i := s.off; ; {
		n := strings.IndexByte(s.src[i:end], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		s.newline(i)
	}
}

// withoutCR returns a copy of text without carriage returns. In a comment one
// is kept if without it the comment would end there.
func (s *scanner) withoutCR(text string, comment bool) string {
	b := s.buf[:0]
	for i := range len(text) {
		if text[i] != '\r' || comment && len(b) > len("/*") && b[len(b)-1] == '*' && strings.HasPrefix(text[i+1:], "/") {
			b = append(b, text[i])
		}
	}
	s.buf = b
	return s.mem.text(b)
}

// escape reads an escape sequence from offset i, which is behind its
// backslash, and returns the offset behind it.
func (s *scanner) escape(i int, quote byte) int {
	switch c := s.peek(i); c {
	case 'a', 'b', 'f', 'n', 'r', 't', 'v', '\\', quote:
		return i + 1
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return s.escaped(i, i, 3, 8, 0xFF)
	case 'x':
		return s.escaped(i, i+1, 2, 16, 0xFF)
	case 'u':
		return s.escaped(i, i+1, 4, 16, utf8.MaxRune)
	case 'U':
		return s.escaped(i, i+1, 8, 16, utf8.MaxRune)
	}
	s.fail(i, "unknown escape sequence")
	return i
}

// escaped reads n digits of the escape sequence at offset start from offset i.
func (s *scanner) escaped(start, i, n int, base, most uint32) int {
	x := uint32(0)
	for end := i + n; i < end; i++ {
		d := digitValue(s.peek(i))
		if d >= base {
			s.fail(i, "illegal character in escape sequence")
		}
		x = x*base + d
	}
	if x > most || 0xD800 <= x && x < 0xE000 {
		s.fail(start, "escape sequence is not a Unicode code point")
	}
	return i
}

// digitValue returns 16 for what is not a hexadecimal digit.
func digitValue(c byte) uint32 {
	switch {
	case class[c]&digit != 0:
		return uint32(c - '0')
	case class[c]&hex != 0:
		return uint32(c|0x20-'a') + 10
	}
	return 16
}
