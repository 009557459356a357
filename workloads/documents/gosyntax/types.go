package gosyntax

import (
	"go/ast"
	"go/token"
)

// typ reads a type.
func (p *parser) typ() ast.Expr {
	x := p.tryType()
	if x == nil {
		p.expected("type")
	}
	return x
}

// tryType reads a type, or nothing and returns nil if there is none.
func (p *parser) tryType() ast.Expr {
	p.enter()
	x := p.typeOrNil()
	p.depth--
	return x
}

func (p *parser) typeOrNil() ast.Expr {
	switch p.tok {
	case token.IDENT:
		return p.namedType(p.ident())
	case token.LBRACK:
		return p.arrayType(p.expect(token.LBRACK), nil)
	case token.STRUCT:
		return p.structType()
	case token.MUL:
		x := alloc(&p.mem, p.mem.star)
		x.Star = p.expect(token.MUL)
		x.X = p.typ()
		return x
	case token.FUNC:
		return p.funcType()
	case token.INTERFACE:
		return p.interfaceType()
	case token.MAP:
		return p.mapType()
	case token.CHAN, token.ARROW:
		return p.chanType()
	case token.LPAREN:
		x := alloc(&p.mem, p.mem.paren)
		x.Lparen = p.expect(token.LPAREN)
		x.X = p.typ()
		x.Rparen = p.expect(token.RPAREN)
		return x
	}
	return nil
}

// qualified reads the rest of the name of a type, which may be in a package.
func (p *parser) qualified(name *ast.Ident) ast.Expr {
	if p.tok != token.PERIOD {
		return name
	}
	p.next()
	x := alloc(&p.mem, p.mem.selector)
	x.X, x.Sel = name, p.ident()
	return x
}

// namedType reads the rest of a type that begins with a name.
func (p *parser) namedType(name *ast.Ident) ast.Expr {
	x := p.qualified(name)
	if p.tok == token.LBRACK {
		return p.instance(x)
	}
	return x
}

// instance reads the type arguments of x.
func (p *parser) instance(x ast.Expr) ast.Expr {
	lbrack := p.expect(token.LBRACK)
	if p.tok == token.RBRACK {
		p.expected("type argument list")
	}
	return p.instanceFrom(x, lbrack, len(p.exprs))
}

// instanceFrom reads the rest of the type arguments of x. Those that have been
// read are on the stack.
func (p *parser) instanceFrom(x ast.Expr, lbrack token.Pos, from int) ast.Expr {
	p.level++
	for p.tok != token.RBRACK {
		p.exprs = append(p.exprs, p.typ())
		if !p.comma("type argument list", token.RBRACK) {
			break
		}
		p.next()
	}
	p.level--
	return p.indexed(x, lbrack, from, p.expect(token.RBRACK))
}

// arrayType reads the rest of an array or slice type from behind the [. If n is
// not nil it is the length, which has been read.
func (p *parser) arrayType(lbrack token.Pos, n ast.Expr) ast.Expr {
	if n == nil {
		n = p.arrayLen()
	}
	if p.tok == token.COMMA {
		p.fail(p.pos, "unexpected comma; expecting ]")
	}
	p.expect(token.RBRACK)
	return p.arrayOf(lbrack, n)
}

// arrayOf reads the element type of an array or slice type.
func (p *parser) arrayOf(lbrack token.Pos, n ast.Expr) ast.Expr {
	x := alloc(&p.mem, p.mem.arrayType)
	x.Lbrack, x.Len, x.Elt = lbrack, n, p.typ()
	return x
}

// arrayLen returns nil for a slice.
func (p *parser) arrayLen() ast.Expr {
	switch p.tok {
	case token.RBRACK:
		return nil
	case token.ELLIPSIS:
		x := alloc(&p.mem, p.mem.ellipsis)
		x.Ellipsis = p.expect(token.ELLIPSIS)
		return x
	}
	p.level++
	n := p.right()
	p.level--
	return n
}

// arrayOrInstance reads from the [ behind a name. It returns the name and its
// type if that is x []E or x [N]E, and nil and the type if it is x[T].
func (p *parser) arrayOrInstance(x *ast.Ident) (*ast.Ident, ast.Expr) {
	lbrack := p.expect(token.LBRACK)
	if p.tok == token.RBRACK {
		p.next()
		return x, p.arrayOf(lbrack, nil)
	}
	from, trailing := len(p.exprs), -1
	p.level++
	p.exprs = append(p.exprs, p.right())
	for p.tok == token.COMMA {
		comma := p.pos
		p.next()
		if p.tok == token.RBRACK {
			trailing = comma
			break
		}
		p.exprs = append(p.exprs, p.right())
	}
	p.level--
	rbrack := p.expect(token.RBRACK)
	if len(p.exprs) > from+1 {
		return nil, p.indexed(x, lbrack, from, rbrack)
	}
	elem := p.tryType()
	if elem == nil {
		return nil, p.indexed(x, lbrack, from, rbrack)
	}
	if trailing >= 0 {
		p.fail(trailing, "unexpected comma; expecting ]")
	}
	array := alloc(&p.mem, p.mem.arrayType)
	array.Lbrack, array.Len, array.Elt = lbrack, p.exprs[from], elem
	p.exprs = p.exprs[:from]
	return x, array
}

func (p *parser) mapType() ast.Expr {
	x := alloc(&p.mem, p.mem.mapType)
	x.Map = p.expect(token.MAP)
	p.expect(token.LBRACK)
	x.Key = p.typ()
	p.expect(token.RBRACK)
	x.Value = p.typ()
	return x
}

func (p *parser) chanType() ast.Expr {
	x := alloc(&p.mem, p.mem.chanType)
	x.Begin, x.Dir = p.at(p.pos), ast.SEND|ast.RECV
	if p.tok == token.ARROW {
		x.Arrow, x.Dir = p.expect(token.ARROW), ast.RECV
		p.expect(token.CHAN)
	} else {
		p.next()
		if p.tok == token.ARROW {
			x.Arrow, x.Dir = p.expect(token.ARROW), ast.SEND
		}
	}
	x.Value = p.typ()
	return x
}

func (p *parser) structType() ast.Expr {
	x := alloc(&p.mem, p.mem.structType)
	x.Struct = p.expect(token.STRUCT)
	list := alloc(&p.mem, p.mem.fieldList)
	list.Opening = p.expect(token.LBRACE)
	from := len(p.fields)
	for p.tok == token.IDENT || p.tok == token.MUL {
		p.fields = append(p.fields, p.structField())
	}
	list.List = p.takeFields(from)
	list.Closing = p.expect(token.RBRACE)
	x.Fields = list
	return x
}

// takeFields moves the fields from the stack to the tree.
func (p *parser) takeFields(from int) []*ast.Field {
	return take(&p.mem, p.mem.fields, &p.fields, from)
}

func (p *parser) structField() *ast.Field {
	f := alloc(&p.mem, p.mem.field)
	f.Doc = p.lead
	if p.tok == token.MUL {
		x := alloc(&p.mem, p.mem.star)
		x.Star = p.expect(token.MUL)
		x.X = p.namedType(p.ident())
		f.Type = x
	} else {
		f.Names, f.Type = p.namedFields(p.ident())
	}
	if p.tok == token.STRING {
		f.Tag = p.basicLit()
	}
	f.Comment = p.semicolon()
	return f
}

// namedFields reads the rest of fields that begin with a name. They have no
// names if the name is that of an embedded type.
func (p *parser) namedFields(name *ast.Ident) ([]*ast.Ident, ast.Expr) {
	switch p.tok {
	case token.PERIOD:
		return nil, p.namedType(name)
	case token.STRING, token.SEMICOLON, token.RBRACE:
		return nil, name
	case token.LBRACK:
		name, typ := p.arrayOrInstance(name)
		if name == nil {
			return nil, typ
		}
		return p.oneIdent(name), typ
	}
	names := p.identsFrom(name)
	return names, p.typ()
}
