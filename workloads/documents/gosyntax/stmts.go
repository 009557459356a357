package gosyntax

import (
	"go/ast"
	"go/token"
)

// block reads statements in braces.
func (p *parser) block() *ast.BlockStmt {
	x := alloc(&p.mem, p.mem.block)
	x.Lbrace = p.expect(token.LBRACE)
	x.List = p.stmtList()
	x.Rbrace = p.expect(token.RBRACE)
	return x
}

// stmtList reads statements up to a case, a default or a }.
func (p *parser) stmtList() []ast.Stmt {
	from := len(p.stmts)
	for {
		switch p.tok {
		case token.CASE, token.DEFAULT, token.RBRACE, token.EOF:
			return p.takeStmts(from)
		}
		p.stmts = append(p.stmts, p.stmt())
	}
}

// takeStmts moves the statements from the stack to the tree.
func (p *parser) takeStmts(from int) []ast.Stmt {
	return take(&p.mem, p.mem.stmts, &p.stmts, from)
}

func (p *parser) stmt() ast.Stmt {
	p.enter()
	s := p.anyStmt()
	p.depth--
	return s
}

func (p *parser) anyStmt() ast.Stmt {
	switch p.tok {
	case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.FUNC, token.LPAREN,
		token.LBRACK, token.STRUCT, token.MAP, token.CHAN, token.INTERFACE,
		token.ADD, token.SUB, token.MUL, token.AND, token.XOR, token.ARROW, token.NOT:
		s := p.simpleStmt(true)
		if _, ok := s.(*ast.LabeledStmt); !ok {
			p.semicolon()
		}
		return s
	case token.CONST, token.TYPE, token.VAR:
		s := alloc(&p.mem, p.mem.declStmt)
		s.Decl = p.decl()
		return s
	case token.GO, token.DEFER:
		return p.goOrDefer()
	case token.RETURN:
		return p.returnStmt()
	case token.BREAK, token.CONTINUE, token.GOTO, token.FALLTHROUGH:
		return p.branchStmt()
	case token.LBRACE:
		s := p.block()
		p.semicolon()
		return s
	case token.IF:
		return p.ifStmt()
	case token.SWITCH:
		return p.switchStmt()
	case token.SELECT:
		return p.selectStmt()
	case token.FOR:
		return p.forStmt()
	case token.SEMICOLON, token.RBRACE:
		return p.emptyStmt()
	}
	p.expected("statement")
	return nil
}

// emptyStmt reads a semicolon, or nothing in front of a }.
func (p *parser) emptyStmt() ast.Stmt {
	s := alloc(&p.mem, p.mem.emptyStmt)
	s.Semicolon, s.Implicit = p.at(p.pos), p.lit != ";"
	if p.tok == token.SEMICOLON {
		p.next()
	}
	return s
}

// simpleStmt reads a statement that may stand in the header of another one, or,
// if labels says so, a statement with a label.
func (p *parser) simpleStmt(labels bool) ast.Stmt {
	from := p.list(false)
	if assigns(p.tok) {
		tokPos, tok := p.at(p.pos), p.tok
		p.next()
		return p.assigned(from, tokPos, tok)
	}
	return p.exprBased(p.single(from), labels)
}

func assigns(tok token.Token) bool {
	return tok == token.ASSIGN || tok == token.DEFINE || token.ADD_ASSIGN <= tok && tok <= token.AND_NOT_ASSIGN
}

// single takes the expressions from the stack, which must be one.
func (p *parser) single(from int) ast.Expr {
	x := p.exprs[from]
	if len(p.exprs) > from+1 {
		p.fail(int(x.Pos())-1, "expected 1 expression")
	}
	p.exprs = p.exprs[:from]
	return x
}

// assigned reads what is on the right of an assignment. What is on its left is
// on the stack, and the operator has been read.
func (p *parser) assigned(from int, tokPos token.Pos, tok token.Token) ast.Stmt {
	s := alloc(&p.mem, p.mem.assign)
	s.Lhs = p.takeExprs(from)
	s.TokPos, s.Tok = tokPos, tok
	s.Rhs = p.takeExprs(p.list(true))
	return s
}

// exprBased reads what makes a statement of the expression x.
func (p *parser) exprBased(x ast.Expr, labels bool) ast.Stmt {
	switch p.tok {
	case token.COLON:
		label, ok := x.(*ast.Ident)
		if !ok || !labels {
			p.fail(p.pos, "illegal label declaration")
		}
		s := alloc(&p.mem, p.mem.labeled)
		s.Label, s.Colon = label, p.expect(token.COLON)
		s.Stmt = p.stmt()
		return s
	case token.ARROW:
		return p.send(x)
	case token.INC, token.DEC:
		s := alloc(&p.mem, p.mem.incDec)
		s.X, s.TokPos, s.Tok = x, p.at(p.pos), p.tok
		p.next()
		return s
	}
	s := alloc(&p.mem, p.mem.exprStmt)
	s.X = x
	return s
}

func (p *parser) send(channel ast.Expr) ast.Stmt {
	s := alloc(&p.mem, p.mem.send)
	s.Chan, s.Arrow = channel, p.expect(token.ARROW)
	s.Value = p.right()
	return s
}

func (p *parser) goOrDefer() ast.Stmt {
	tok := p.tok
	pos := p.expect(tok)
	at := p.pos
	call, ok := p.right().(*ast.CallExpr)
	if !ok {
		p.fail(at, "expression in %s must be function call", tok)
	}
	p.semicolon()
	if tok == token.GO {
		s := alloc(&p.mem, p.mem.goStmt)
		s.Go, s.Call = pos, call
		return s
	}
	s := alloc(&p.mem, p.mem.deferStmt)
	s.Defer, s.Call = pos, call
	return s
}

func (p *parser) returnStmt() ast.Stmt {
	s := alloc(&p.mem, p.mem.returnStmt)
	s.Return = p.expect(token.RETURN)
	if p.tok != token.SEMICOLON && p.tok != token.RBRACE {
		s.Results = p.takeExprs(p.list(true))
	}
	p.semicolon()
	return s
}

func (p *parser) branchStmt() ast.Stmt {
	s := alloc(&p.mem, p.mem.branch)
	s.Tok = p.tok
	s.TokPos = p.expect(p.tok)
	if s.Tok == token.GOTO || s.Tok != token.FALLTHROUGH && p.tok == token.IDENT {
		s.Label = p.ident()
	}
	p.semicolon()
	return s
}
