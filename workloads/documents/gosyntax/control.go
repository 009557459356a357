package gosyntax

import (
	"go/ast"
	"go/token"
)

// header enters the header of a statement and returns the level to go back to.
func (p *parser) header() (level int) {
	level, p.level = p.level, -1
	return level
}

// condition returns the expression that s must be; nil if s is nil.
func (p *parser) condition(s ast.Stmt, what string) ast.Expr {
	if s == nil {
		return nil
	}
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		p.fail(int(s.Pos())-1, "expected %s, found statement", what)
	}
	return x.X
}

func (p *parser) ifStmt() ast.Stmt {
	p.enter()
	s := alloc(&p.mem, p.mem.ifStmt)
	s.If = p.expect(token.IF)
	level := p.header()
	s.Init, s.Cond = p.ifHeader()
	p.level = level
	s.Body = p.block()
	s.Else = p.elseBranch()
	p.depth--
	return s
}

func (p *parser) ifHeader() (init ast.Stmt, cond ast.Expr) {
	var s ast.Stmt
	if p.tok != token.SEMICOLON && p.tok != token.LBRACE {
		s = p.simpleStmt(false)
	}
	if p.tok != token.LBRACE {
		init, s = s, nil
		p.expect(token.SEMICOLON)
		if p.tok != token.LBRACE {
			s = p.simpleStmt(false)
		}
	}
	cond = p.condition(s, "boolean expression")
	if cond == nil {
		p.fail(p.pos, "missing condition in if statement")
	}
	return init, cond
}

// elseBranch reads the end of an if statement. It returns nil if there is no
// else.
func (p *parser) elseBranch() ast.Stmt {
	if p.tok != token.ELSE {
		p.semicolon()
		return nil
	}
	p.next()
	switch p.tok {
	case token.IF:
		return p.ifStmt()
	case token.LBRACE:
		s := p.block()
		p.semicolon()
		return s
	}
	p.expected("if statement or block")
	return nil
}

func (p *parser) switchStmt() ast.Stmt {
	pos := p.expect(token.SWITCH)
	var init, tag ast.Stmt
	if p.tok != token.LBRACE {
		level := p.header()
		if p.tok != token.SEMICOLON {
			tag = p.simpleStmt(false)
		}
		if p.tok == token.SEMICOLON {
			p.next()
			init, tag = tag, nil
			if p.tok != token.LBRACE {
				tag = p.simpleStmt(false)
			}
		}
		p.level = level
	}
	if p.isTypeSwitch(tag) {
		s := alloc(&p.mem, p.mem.typeSwitch)
		s.Switch, s.Init, s.Assign = pos, init, tag
		s.Body = p.clauses((*parser).caseClause)
		return s
	}
	s := alloc(&p.mem, p.mem.switchStmt)
	s.Switch, s.Init, s.Tag = pos, init, p.condition(tag, "switch expression")
	s.Body = p.clauses((*parser).caseClause)
	return s
}

// isTypeSwitch reports whether s is x.(type) or v := x.(type).
func (p *parser) isTypeSwitch(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return isTypeGuard(s.X)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !isTypeGuard(s.Rhs[0]) {
			return false
		}
		if s.Tok == token.ASSIGN {
			p.fail(int(s.TokPos)-1, "expected ':=', found '='")
		}
		return s.Tok == token.DEFINE
	}
	return false
}

func isTypeGuard(x ast.Expr) bool {
	t, ok := x.(*ast.TypeAssertExpr)
	return ok && t.Type == nil
}

// clauses reads the body of a switch or select statement.
func (p *parser) clauses(clause func(*parser) ast.Stmt) *ast.BlockStmt {
	x := alloc(&p.mem, p.mem.block)
	x.Lbrace = p.expect(token.LBRACE)
	from := len(p.stmts)
	for p.tok == token.CASE || p.tok == token.DEFAULT {
		p.stmts = append(p.stmts, clause(p))
	}
	x.List = p.takeStmts(from)
	x.Rbrace = p.expect(token.RBRACE)
	p.semicolon()
	return x
}

func (p *parser) caseClause() ast.Stmt {
	s := alloc(&p.mem, p.mem.caseClause)
	s.Case = p.at(p.pos)
	word := p.tok
	p.next()
	if word == token.CASE {
		s.List = p.takeExprs(p.list(true))
	}
	s.Colon = p.expect(token.COLON)
	s.Body = p.stmtList()
	return s
}

func (p *parser) selectStmt() ast.Stmt {
	s := alloc(&p.mem, p.mem.selectStmt)
	s.Select = p.expect(token.SELECT)
	s.Body = p.clauses((*parser).commClause)
	return s
}

func (p *parser) commClause() ast.Stmt {
	s := alloc(&p.mem, p.mem.commClause)
	s.Case = p.at(p.pos)
	word := p.tok
	p.next()
	if word == token.CASE {
		s.Comm = p.communication()
	}
	s.Colon = p.expect(token.COLON)
	s.Body = p.stmtList()
	return s
}

// communication reads what a select statement waits for.
func (p *parser) communication() ast.Stmt {
	from := p.list(false)
	switch p.tok {
	case token.ARROW:
		return p.send(p.single(from))
	case token.ASSIGN, token.DEFINE:
		if len(p.exprs) > from+2 {
			p.fail(int(p.exprs[from].Pos())-1, "expected 1 or 2 expressions")
		}
		s := alloc(&p.mem, p.mem.assign)
		s.Lhs = p.takeExprs(from)
		s.TokPos, s.Tok = p.at(p.pos), p.tok
		p.next()
		p.exprs = append(p.exprs, p.right())
		s.Rhs = p.takeExprs(from)
		return s
	}
	s := alloc(&p.mem, p.mem.exprStmt)
	s.X = p.single(from)
	return s
}

func (p *parser) forStmt() ast.Stmt {
	pos := p.expect(token.FOR)
	level := p.header()
	var init, cond, post ast.Stmt
	switch p.tok {
	case token.LBRACE, token.SEMICOLON:
	case token.RANGE:
		return p.rangeStmt(pos, token.NoPos, token.ILLEGAL, len(p.exprs), level)
	default:
		from := p.list(false)
		if assigns(p.tok) {
			tokPos, tok := p.at(p.pos), p.tok
			p.next()
			if p.tok == token.RANGE && (tok == token.ASSIGN || tok == token.DEFINE) {
				return p.rangeStmt(pos, tokPos, tok, from, level)
			}
			cond = p.assigned(from, tokPos, tok)
		} else {
			cond = p.exprBased(p.single(from), false)
		}
	}
	if p.tok == token.SEMICOLON {
		init, cond = cond, nil
		p.next()
		if p.tok != token.SEMICOLON {
			cond = p.simpleStmt(false)
		}
		p.semicolon()
		if p.tok != token.LBRACE {
			post = p.simpleStmt(false)
		}
	}
	p.level = level
	s := alloc(&p.mem, p.mem.forStmt)
	s.For, s.Init, s.Post = pos, init, post
	s.Cond = p.condition(cond, "boolean or range expression")
	s.Body = p.block()
	p.semicolon()
	return s
}

// rangeStmt reads a range statement from its range on. The variables are on the
// stack.
func (p *parser) rangeStmt(pos, tokPos token.Pos, tok token.Token, from, level int) ast.Stmt {
	s := alloc(&p.mem, p.mem.rangeStmt)
	s.For, s.TokPos, s.Tok = pos, tokPos, tok
	vars := p.exprs[from:]
	if len(vars) > 2 {
		p.fail(int(vars[2].Pos())-1, "expected at most 2 expressions")
	}
	if len(vars) > 0 {
		s.Key = vars[0]
	}
	if len(vars) > 1 {
		s.Value = vars[1]
	}
	p.exprs = p.exprs[:from]
	s.Range = p.expect(token.RANGE)
	s.X = p.right()
	p.level = level
	s.Body = p.block()
	p.semicolon()
	return s
}
