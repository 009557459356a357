package gosyntax

import (
	"go/ast"
	"go/token"
)

// primary reads an operand and the selectors, indexes, calls and braces behind
// it. The operand is x, or is read if x is nil.
func (p *parser) primary(x ast.Expr) ast.Expr {
	depth := p.depth
	if x == nil {
		p.enter()
		x = p.operand()
	}
	for {
		switch p.tok {
		case token.PERIOD:
			x = p.selector(x)
		case token.LBRACK:
			x = p.index(x)
		case token.LPAREN:
			x = p.call(x)
		default:
			if p.tok != token.LBRACE || !p.bracesBelongTo(x) {
				p.depth = depth
				return x
			}
			x = p.compositeLit(x)
		}
		p.enter()
	}
}

// operand reads an operand, which may be a type, even [...]T.
func (p *parser) operand() ast.Expr {
	switch p.tok {
	case token.IDENT:
		return p.ident()
	case token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING:
		return p.basicLit()
	case token.LPAREN:
		x := alloc(&p.mem, p.mem.paren)
		x.Lparen = p.expect(token.LPAREN)
		p.level++
		x.X = p.right()
		p.level--
		x.Rparen = p.expect(token.RPAREN)
		return x
	case token.FUNC:
		return p.funcTypeOrLit()
	}
	x := p.tryType()
	if x == nil {
		p.expected("operand")
	}
	return x
}

func (p *parser) funcTypeOrLit() ast.Expr {
	typ := p.funcType()
	if p.tok != token.LBRACE {
		return typ
	}
	x := alloc(&p.mem, p.mem.funcLit)
	x.Type = typ
	p.level++
	x.Body = p.block()
	p.level--
	return x
}

// selector reads .name, .(T) or .(type).
func (p *parser) selector(x ast.Expr) ast.Expr {
	p.next()
	switch p.tok {
	case token.IDENT:
		s := alloc(&p.mem, p.mem.selector)
		s.X, s.Sel = x, p.ident()
		return s
	case token.LPAREN:
		t := alloc(&p.mem, p.mem.typeAssert)
		t.X, t.Lparen = x, p.expect(token.LPAREN)
		if p.tok == token.TYPE {
			p.next()
		} else {
			t.Type = p.typ()
		}
		t.Rparen = p.expect(token.RPAREN)
		return t
	}
	p.expected("selector or type assertion")
	return nil
}

// index reads [i], [T1, T2] or [low:high:max].
func (p *parser) index(x ast.Expr) ast.Expr {
	lbrack := p.expect(token.LBRACK)
	if p.tok == token.RBRACK {
		p.expected("operand")
	}
	p.level++
	from := len(p.exprs)
	if p.tok == token.COLON {
		return p.slice(x, lbrack, nil)
	}
	first := p.right()
	if p.tok == token.COLON {
		return p.slice(x, lbrack, first)
	}
	p.exprs = append(p.exprs, first)
	for p.tok == token.COMMA {
		p.next()
		if p.tok != token.RBRACK {
			p.exprs = append(p.exprs, p.typ())
		}
	}
	p.level--
	return p.indexed(x, lbrack, from, p.expect(token.RBRACK))
}

// indexed returns x with the indexes that are on the stack.
func (p *parser) indexed(x ast.Expr, lbrack token.Pos, from int, rbrack token.Pos) ast.Expr {
	if len(p.exprs) == from+1 {
		i := alloc(&p.mem, p.mem.index)
		i.X, i.Lbrack, i.Index, i.Rbrack = x, lbrack, p.exprs[from], rbrack
		p.exprs = p.exprs[:from]
		return i
	}
	i := alloc(&p.mem, p.mem.indexList)
	i.X, i.Lbrack, i.Indices, i.Rbrack = x, lbrack, p.takeExprs(from), rbrack
	return i
}

// slice reads the rest of [low:high:max] from the first colon on.
func (p *parser) slice(x ast.Expr, lbrack token.Pos, low ast.Expr) ast.Expr {
	s := alloc(&p.mem, p.mem.slice)
	s.X, s.Lbrack, s.Low = x, lbrack, low
	s.High = p.bound()
	if p.tok == token.COLON {
		if s.High == nil {
			p.fail(p.pos, "middle index required in 3-index slice")
		}
		s.Slice3 = true
		s.Max = p.bound()
		if s.Max == nil {
			p.fail(p.pos, "final index required in 3-index slice")
		}
	}
	p.level--
	s.Rbrack = p.expect(token.RBRACK)
	return s
}

// bound reads a colon and the index behind it, nil if there is none.
func (p *parser) bound() ast.Expr {
	p.next()
	if p.tok == token.COLON || p.tok == token.RBRACK {
		return nil
	}
	return p.right()
}

func (p *parser) call(fun ast.Expr) ast.Expr {
	c := alloc(&p.mem, p.mem.call)
	c.Fun, c.Lparen = fun, p.expect(token.LPAREN)
	p.level++
	from := len(p.exprs)
	for p.tok != token.RPAREN && !c.Ellipsis.IsValid() {
		p.exprs = append(p.exprs, p.right())
		if p.tok == token.ELLIPSIS {
			c.Ellipsis = p.expect(token.ELLIPSIS)
		}
		if !p.comma("argument list", token.RPAREN) {
			break
		}
		p.next()
	}
	p.level--
	c.Args = p.takeExprs(from)
	c.Rparen = p.expect(token.RPAREN)
	return c
}

// bracesBelongTo reports whether { makes x the type of a composite literal. In
// the header of a statement it does so only if x cannot be anything but a type.
func (p *parser) bracesBelongTo(x ast.Expr) bool {
	typ := ast.Unparen(x)
	switch typ.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		if p.level < 0 {
			return false
		}
	case *ast.ArrayType, *ast.StructType, *ast.MapType:
	default:
		return false
	}
	if typ != x {
		p.fail(p.pos, "cannot parenthesize type in composite literal")
	}
	return true
}

// compositeLit reads {...}. Typ is nil inside another literal that gives the
// type.
func (p *parser) compositeLit(typ ast.Expr) ast.Expr {
	p.enter()
	x := alloc(&p.mem, p.mem.compositeLit)
	x.Type, x.Lbrace = typ, p.expect(token.LBRACE)
	p.level++
	from := len(p.exprs)
	for p.tok != token.RBRACE {
		p.exprs = append(p.exprs, p.element())
		if !p.comma("composite literal", token.RBRACE) {
			break
		}
		p.next()
	}
	p.level--
	x.Elts = p.takeExprs(from)
	x.Rbrace = p.expect(token.RBRACE)
	p.depth--
	return x
}

// element reads a value, or a key and a value.
func (p *parser) element() ast.Expr {
	x := p.elementValue()
	if p.tok != token.COLON {
		return x
	}
	kv := alloc(&p.mem, p.mem.keyValue)
	kv.Key, kv.Colon = x, p.expect(token.COLON)
	kv.Value = p.elementValue()
	return kv
}

func (p *parser) elementValue() ast.Expr {
	if p.tok == token.LBRACE {
		return p.compositeLit(nil)
	}
	return p.expr()
}
