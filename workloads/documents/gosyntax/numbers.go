package gosyntax

import "go/token"

// scanNumber reads a number. Most are a few decimal digits.
func (s *scanner) scanNumber() {
	src, i := s.src, s.off
	for i < len(src) && class[src[i]]&digit != 0 {
		i++
	}
	plain := i == len(src) || src[i] != '.' && src[i] != '_' && class[src[i]]&letter == 0
	if plain && (src[s.off] != '0' || i == s.off+1) {
		s.off = i
		s.literal(token.INT)
		return
	}
	tok := s.scanLongNumber()
	s.literal(tok)
	s.checkSeparators()
}

// scanLongNumber reads a number with a base, a point, an exponent, separators
// or an i behind it.
func (s *scanner) scanLongNumber() token.Token {
	tok, base := token.INT, s.base()
	octal := base == 8 && class[s.src[s.off-1]]&digit != 0 // 0 and digits, no o
	n, wrong := s.digits(base)
	if octal {
		n++
	}
	if s.peek(s.off) == '.' {
		if base == 2 || base == 8 && !octal {
			s.fail(s.off, "invalid radix point in a number of base %d", base)
		}
		s.off++
		tok = token.FLOAT
		more, _ := s.digits(base)
		n += more
	}
	if n == 0 {
		s.fail(s.off, "number has no digits")
	}
	switch e := s.peek(s.off) | 0x20; {
	case e == 'e' || e == 'p':
		s.exponent(e, base, octal)
		tok = token.FLOAT
	case base == 16 && tok == token.FLOAT:
		s.fail(s.off, "hexadecimal mantissa requires a 'p' exponent")
	}
	if s.eat('i') {
		return token.IMAG
	}
	if tok == token.INT && wrong >= 0 {
		s.fail(wrong, "invalid digit %q in a number of base %d", s.src[wrong], base)
	}
	return tok
}

// base reads the prefix of a number. A 0 that no letter follows is read too.
func (s *scanner) base() int {
	if s.src[s.off] != '0' {
		return 10
	}
	s.off++
	base := 8
	switch s.peek(s.off) | 0x20 {
	case 'x':
		base = 16
	case 'b':
		base = 2
	case 'o':
	default:
		return 8
	}
	s.off++
	return base
}

// digits reads digits and separators. It returns the number of digits and the
// offset of the first that the base does not have, or -1. Decimal digits are
// read whatever the base is.
func (s *scanner) digits(base int) (n, wrong int) {
	kind, wrong := uint8(digit), -1
	if base == 16 {
		kind = hex
	}
	for {
		c := s.peek(s.off)
		switch {
		case class[c]&kind != 0:
			n++
			if wrong < 0 && int(digitValue(c)) >= base {
				wrong = s.off
			}
		case c != '_':
			return n, wrong
		}
		s.off++
	}
}

// exponent reads an exponent that begins with e, in lower case.
func (s *scanner) exponent(e byte, base int, octal bool) {
	if e == 'e' && base != 10 && !octal {
		s.fail(s.off, "'e' exponent requires decimal mantissa")
	}
	if e == 'p' && base != 16 {
		s.fail(s.off, "'p' exponent requires hexadecimal mantissa")
	}
	s.off++
	if !s.eat('+') {
		s.eat('-')
	}
	if n, _ := s.digits(10); n == 0 {
		s.fail(s.off, "exponent has no digits")
	}
}

// checkSeparators stops unless each _ of the number stands between two digits.
// The prefix of a base counts as a digit.
func (s *scanner) checkSeparators() {
	lit := s.lit
	prefixed, kind := false, uint8(digit)
	if len(lit) > 1 && lit[0] == '0' {
		switch lit[1] | 0x20 {
		case 'x':
			prefixed, kind = true, hex
		case 'b', 'o':
			prefixed = true
		}
	}
	for i := range len(lit) {
		if lit[i] != '_' {
			continue
		}
		before := class[lit[i-1]]&kind != 0 || prefixed && i == 2
		after := i+1 < len(lit) && class[lit[i+1]]&kind != 0
		if !before || !after {
			s.fail(s.pos+i, "'_' must separate successive digits")
		}
	}
}
