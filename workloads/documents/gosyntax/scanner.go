package gosyntax

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner cuts a source into tokens. It finds the tokens of go/scanner, at
// the same places, with the same semicolons, but copies no text: lit is part of
// src, unless carriage returns had to be taken out of it.
type scanner struct {
	mem memory
	src string // what there is before the first byte that no source may hold
	bad string // what is wrong with that byte; "" if there is none
	off int    // of the next byte

	size int // of the whole source

	lines      []int // offset of each line so far; the first is 0
	directives []directive
	buf        []byte // for text without its carriage returns

	semi   bool // a newline here ends a statement
	nl     int  // offset of a newline in a comment that ends a statement, if not 0
	nlLine int

	// The token.
	tok      token.Token
	lit      string // of names, literals, comments; "\n" for a semicolon that is not in src
	pos, end int    // offsets
	line     int    // of pos, from 1
}

// bom is the byte order mark, allowed in front of a source and nowhere else.
const bom = "\uFEFF"

// init starts on src, which must not change while the tree is in use.
func (s *scanner) init(src string) {
	s.src, s.bad = readable(src)
	s.size = len(src)
	s.off, s.semi, s.nl = 0, false, 0
	s.lines = append(s.lines[:0], 0)
	s.directives = s.directives[:0]
	if strings.HasPrefix(s.src, bom) {
		s.off = len(bom)
	}
}

// readable returns src up to the first byte that may not even stand in a
// comment, and what is wrong with it. To look for it once costs less than to
// look at each byte of a comment.
func readable(src string) (good, bad string) {
	good = src
	if i := strings.IndexByte(good, 0); i >= 0 {
		good, bad = good[:i], "illegal character NUL"
	}
	if !utf8.ValidString(good) {
		for i, r := range good {
			if r != utf8.RuneError {
				continue
			}
			if _, n := utf8.DecodeRuneInString(good[i:]); n == 1 {
				good, bad = good[:i], "illegal UTF-8 encoding"
				break
			}
		}
	}
	body := strings.TrimPrefix(good, bom)
	if i := strings.Index(body, bom); i >= 0 {
		i += len(good) - len(body)
		good, bad = good[:i], "illegal byte order mark"
	}
	return good, bad
}

// peek returns the byte at offset off, 0 at the end. No source holds a 0.
func (s *scanner) peek(off int) byte {
	if off < len(s.src) {
		return s.src[off]
	}
	return 0
}

// newline records that a line ends with the byte in front of off. As in
// [token.File], nothing begins at the end of the source.
func (s *scanner) newline(off int) {
	if off < s.size {
		s.lines = append(s.lines, off)
	}
}

// scan reads the next token, a comment being one.
func (s *scanner) scan() {
	if s.nl != 0 {
		s.pos, s.end, s.line = s.nl, s.nl+1, s.nlLine
		s.tok, s.lit, s.nl = token.SEMICOLON, "\n", 0
		return
	}
	s.skipSpace()
	s.pos, s.line = s.off, len(s.lines)
	c := s.peek(s.off)
	switch {
	case c == 0:
		s.scanEnd()
	case class[c]&letter != 0:
		s.scanName()
	case class[c]&digit != 0, c == '.' && class[s.peek(s.off+1)]&digit != 0:
		s.scanNumber()
	case c >= utf8.RuneSelf:
		s.scanWide()
	default:
		s.scanMark(c)
	}
	s.end = s.off
}

// skipSpace stops at a newline that ends a statement.
func (s *scanner) skipSpace() {
	src, i := s.src, s.off
	for i < len(src) {
		switch src[i] {
		case ' ', '\t', '\r':
		case '\n':
			if s.semi {
				s.off = i
				return
			}
			s.newline(i + 1)
		default:
			s.off = i
			return
		}
		i++
	}
	s.off = i
}

func (s *scanner) scanEnd() {
	switch {
	case s.bad != "":
		s.failBad()
	case s.semi:
		s.tok, s.lit, s.semi = token.SEMICOLON, "\n", false
	default:
		s.tok, s.lit = token.EOF, ""
	}
}

// The classes of a byte. Bytes of 0x80 and more belong to none.
const (
	letter = 1 << iota // a-z, A-Z, _
	digit              // 0-9
	hex                // 0-9, a-f, A-F
)

var class = func() (t [256]uint8) {
	for c := range utf8.RuneSelf {
		switch {
		case '0' <= c && c <= '9':
			t[c] = digit | hex
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			t[c] = letter | hex
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '_':
			t[c] = letter
		}
	}
	return t
}()

// scanName reads a name or keyword that begins with an ASCII letter.
func (s *scanner) scanName() {
	src, i := s.src, s.off+1
	for i < len(src) && class[src[i]]&(letter|digit) != 0 {
		i++
	}
	s.off = i
	if i < len(src) && src[i] >= utf8.RuneSelf {
		s.restOfName()
	}
	s.lit = src[s.pos:s.off]
	s.tok = keyword(s.lit)
	switch s.tok {
	case token.IDENT, token.BREAK, token.CONTINUE, token.FALLTHROUGH, token.RETURN:
		s.semi = true
	default:
		s.semi = false
	}
}

// restOfName goes to the end of a name that is not all ASCII.
func (s *scanner) restOfName() {
	for i, r := range s.src[s.off:] {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			s.off += i
			return
		}
	}
	s.off = len(s.src)
}

// scanWide reads a token that begins with a rune beyond ASCII: a name.
func (s *scanner) scanWide() {
	r, _ := utf8.DecodeRuneInString(s.src[s.off:])
	if !unicode.IsLetter(r) {
		s.fail(s.off, "illegal character %#U", r)
	}
	s.restOfName()
	s.lit = s.src[s.pos:s.off]
	s.tok, s.semi = token.IDENT, true
}

func keyword(name string) token.Token {
	switch name {
	case "break":
		return token.BREAK
	case "case":
		return token.CASE
	case "chan":
		return token.CHAN
	case "const":
		return token.CONST
	case "continue":
		return token.CONTINUE
	case "default":
		return token.DEFAULT
	case "defer":
		return token.DEFER
	case "else":
		return token.ELSE
	case "fallthrough":
		return token.FALLTHROUGH
	case "for":
		return token.FOR
	case "func":
		return token.FUNC
	case "go":
		return token.GO
	case "goto":
		return token.GOTO
	case "if":
		return token.IF
	case "import":
		return token.IMPORT
	case "interface":
		return token.INTERFACE
	case "map":
		return token.MAP
	case "package":
		return token.PACKAGE
	case "range":
		return token.RANGE
	case "return":
		return token.RETURN
	case "select":
		return token.SELECT
	case "struct":
		return token.STRUCT
	case "switch":
		return token.SWITCH
	case "type":
		return token.TYPE
	case "var":
		return token.VAR
	}
	return token.IDENT
}
