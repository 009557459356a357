package gosyntax

import "go/token"

// scanMark reads a token that begins with the mark c: an operator, a
// delimiter, a quoted literal, a comment, or a newline that ends a statement.
func (s *scanner) scanMark(c byte) {
	s.off++
	switch c {
	case '\n':
		s.tok, s.lit, s.semi = token.SEMICOLON, "\n", false
		s.newline(s.off)
		return
	case '"':
		s.scanString()
		return
	case '\'':
		s.scanRune()
		return
	case '`':
		s.scanRaw()
		return
	case '/':
		if next := s.peek(s.off); next == '/' || next == '*' {
			s.scanComment(next == '*')
			return
		}
	}
	s.lit = ""
	if c == ';' {
		s.lit = ";"
	}
	s.tok = s.mark(c)
	switch s.tok {
	case token.RPAREN, token.RBRACK, token.RBRACE, token.INC, token.DEC:
		s.semi = true
	default:
		s.semi = false
	}
}

// mark returns the longest operator or delimiter that begins with c, which has
// been read.
func (s *scanner) mark(c byte) token.Token {
	switch c {
	case ',':
		return token.COMMA
	case ';':
		return token.SEMICOLON
	case '(':
		return token.LPAREN
	case ')':
		return token.RPAREN
	case '[':
		return token.LBRACK
	case ']':
		return token.RBRACK
	case '{':
		return token.LBRACE
	case '}':
		return token.RBRACE
	case '~':
		return token.TILDE
	case '.':
		if s.peek(s.off) == '.' && s.peek(s.off+1) == '.' {
			s.off += 2
			return token.ELLIPSIS
		}
		return token.PERIOD
	case ':':
		return s.withEqual(token.COLON, token.DEFINE)
	case '=':
		return s.withEqual(token.ASSIGN, token.EQL)
	case '!':
		return s.withEqual(token.NOT, token.NEQ)
	case '*':
		return s.withEqual(token.MUL, token.MUL_ASSIGN)
	case '/':
		return s.withEqual(token.QUO, token.QUO_ASSIGN)
	case '%':
		return s.withEqual(token.REM, token.REM_ASSIGN)
	case '^':
		return s.withEqual(token.XOR, token.XOR_ASSIGN)
	}
	return s.doubled(c)
}

// doubled is mark for those that have a form with a second mark.
func (s *scanner) doubled(c byte) token.Token {
	switch c {
	case '+':
		if s.eat('+') {
			return token.INC
		}
		return s.withEqual(token.ADD, token.ADD_ASSIGN)
	case '-':
		if s.eat('-') {
			return token.DEC
		}
		return s.withEqual(token.SUB, token.SUB_ASSIGN)
	case '&':
		if s.eat('&') {
			return token.LAND
		}
		if s.eat('^') {
			return s.withEqual(token.AND_NOT, token.AND_NOT_ASSIGN)
		}
		return s.withEqual(token.AND, token.AND_ASSIGN)
	case '|':
		if s.eat('|') {
			return token.LOR
		}
		return s.withEqual(token.OR, token.OR_ASSIGN)
	case '<':
		if s.eat('-') {
			return token.ARROW
		}
		if s.eat('<') {
			return s.withEqual(token.SHL, token.SHL_ASSIGN)
		}
		return s.withEqual(token.LSS, token.LEQ)
	case '>':
		if s.eat('>') {
			return s.withEqual(token.SHR, token.SHR_ASSIGN)
		}
		return s.withEqual(token.GTR, token.GEQ)
	}
	s.fail(s.pos, "illegal character %#U", rune(c))
	return token.ILLEGAL
}

func (s *scanner) eat(c byte) bool {
	if s.peek(s.off) != c {
		return false
	}
	s.off++
	return true
}

func (s *scanner) withEqual(plain, equal token.Token) token.Token {
	if s.eat('=') {
		return equal
	}
	return plain
}
