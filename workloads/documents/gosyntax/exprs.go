package gosyntax

import (
	"go/ast"
	"go/token"
)

// expr reads an expression, which may be a type.
func (p *parser) expr() ast.Expr { return p.binary(nil, token.LowestPrec+1) }

// right reads an expression on the right of an assignment, or where none can
// be.
func (p *parser) right() ast.Expr {
	old := p.inRight
	p.inRight = true
	x := p.expr()
	p.inRight = old
	return x
}

// list puts a list of expressions on the stack and returns where it begins.
func (p *parser) list(inRight bool) (from int) {
	old := p.inRight
	p.inRight = inRight
	from = len(p.exprs)
	p.exprs = append(p.exprs, p.expr())
	for p.tok == token.COMMA {
		p.next()
		p.exprs = append(p.exprs, p.expr())
	}
	p.inRight = old
	return from
}

// takeExprs moves the expressions from the stack to the tree.
func (p *parser) takeExprs(from int) []ast.Expr {
	return take(&p.mem, p.mem.exprs, &p.exprs, from)
}

// binary reads the operators of at least the given precedence and their
// operands. The first operand is x, or is read if x is nil.
func (p *parser) binary(x ast.Expr, least int) ast.Expr {
	if x == nil {
		x = p.unary()
	}
	depth := p.depth
	for {
		op, prec := p.tok, p.tok.Precedence()
		if op == token.ASSIGN && p.inRight && token.EQL.Precedence() >= least {
			p.expected("'=='")
		}
		if prec < least {
			p.depth = depth
			return x
		}
		p.enter()
		b := alloc(&p.mem, p.mem.binary)
		b.X, b.OpPos, b.Op = x, p.at(p.pos), op
		p.next()
		b.Y = p.binary(nil, prec+1)
		x = b
	}
}

func (p *parser) unary() ast.Expr {
	switch p.tok {
	case token.ADD, token.SUB, token.NOT, token.XOR, token.AND, token.TILDE:
		x := alloc(&p.mem, p.mem.unary)
		x.OpPos, x.Op = p.at(p.pos), p.tok
		x.X = p.operandOf()
		return x
	case token.MUL:
		x := alloc(&p.mem, p.mem.star)
		x.Star = p.at(p.pos)
		x.X = p.operandOf()
		return x
	case token.ARROW:
		arrow := p.at(p.pos)
		y := p.operandOf()
		if typ, ok := y.(*ast.ChanType); ok {
			p.receiveOnly(typ, arrow)
			return y
		}
		x := alloc(&p.mem, p.mem.unary)
		x.OpPos, x.Op, x.X = arrow, token.ARROW, y
		return x
	}
	return p.primary(nil)
}

// operandOf reads a unary operator and returns what is behind it.
func (p *parser) operandOf() ast.Expr {
	p.enter()
	p.next()
	x := p.unary()
	p.depth--
	return x
}

// receiveOnly gives the arrow in front of a channel type to the type: what was
// read as <-(chan T) is (<-chan T). A type that had an arrow, chan<- T, passes
// its own on to T.
func (p *parser) receiveOnly(typ *ast.ChanType, arrow token.Pos) {
	for {
		if typ.Dir == ast.RECV {
			p.fail(int(typ.Arrow)-1, "expected 'chan'")
		}
		dir := typ.Dir
		typ.Begin, typ.Arrow, typ.Dir, arrow = arrow, arrow, ast.RECV, typ.Arrow
		if dir != ast.SEND {
			return
		}
		next, ok := typ.Value.(*ast.ChanType)
		if !ok {
			p.fail(int(arrow)-1, "expected channel type")
		}
		typ = next
	}
}
