package gosyntax

import (
	"go/ast"
	"go/token"
)

// A param is one entry of a parameter list. While the list is being read an
// entry that is a single name has no type: only the end of the list tells
// whether the name is the type or shares the type of the next entry.
type param struct {
	name *ast.Ident
	typ  ast.Expr
}

// funcType reads a function type from its func on.
func (p *parser) funcType() *ast.FuncType {
	pos := p.expect(token.FUNC)
	if p.tok == token.LBRACK {
		p.fail(p.pos, "function type must have no type parameters")
	}
	return p.signature(pos, nil)
}

// signature reads parameters and results.
func (p *parser) signature(pos token.Pos, typeParams *ast.FieldList) *ast.FuncType {
	x := alloc(&p.mem, p.mem.funcType)
	x.Func, x.TypeParams = pos, typeParams
	x.Params = p.parameters(true)
	x.Results = p.results()
	return x
}

// parameters reads a list in parentheses. Dots says that the last one may be
// variadic.
func (p *parser) parameters(dots bool) *ast.FieldList {
	list := alloc(&p.mem, p.mem.fieldList)
	list.Opening = p.expect(token.LPAREN)
	list.List = p.paramList(nil, nil, token.RPAREN, dots)
	list.Closing = p.expect(token.RPAREN)
	return list
}

// results reads results, nil if there are none.
func (p *parser) results() *ast.FieldList {
	if p.tok == token.LPAREN {
		return p.parameters(false)
	}
	typ := p.tryType()
	if typ == nil {
		return nil
	}
	f := alloc(&p.mem, p.mem.field)
	f.Type = typ
	p.fields = append(p.fields, f)
	list := alloc(&p.mem, p.mem.fieldList)
	list.List = p.takeFields(len(p.fields) - 1)
	return list
}

// typeParameters reads a list in brackets.
func (p *parser) typeParameters() *ast.FieldList {
	opening := p.expect(token.LBRACK)
	if p.tok == token.RBRACK {
		p.fail(p.pos, "empty type parameter list")
	}
	return p.typeParametersFrom(opening, nil, nil)
}

// typeParametersFrom reads the rest of a list of which the name and the type of
// the first entry may have been read.
func (p *parser) typeParametersFrom(opening token.Pos, name *ast.Ident, typ ast.Expr) *ast.FieldList {
	list := alloc(&p.mem, p.mem.fieldList)
	list.Opening = opening
	list.List = p.paramList(name, typ, token.RBRACK, false)
	list.Closing = p.expect(token.RBRACK)
	return list
}

// paramList reads parameters up to the closing token. If that is ], they are
// type parameters. Name and typ belong to the first one, if they have been
// read.
func (p *parser) paramList(name *ast.Ident, typ ast.Expr, closing token.Token, dots bool) []*ast.Field {
	from, constraints := len(p.params), closing == token.RBRACK
	for name != nil || p.tok != closing {
		var next param
		if typ != nil {
			next = param{name, p.union(typ)}
		} else {
			next = p.param(name, constraints)
		}
		p.params = append(p.params, next)
		name, typ = nil, nil
		if !p.comma("parameter list", closing) {
			break
		}
		p.next()
	}
	list := p.params[from:]
	named := p.settle(list, constraints)
	p.checkDots(list, dots)
	fields := p.paramFields(list, named)
	p.params = p.params[:from]
	return fields
}

// param reads one entry. If name is not nil it has been read.
func (p *parser) param(name *ast.Ident, constraints bool) param {
	var x param
	switch {
	case name != nil:
		x = p.namedParam(name, constraints)
	case p.tok == token.IDENT:
		x = p.namedParam(p.ident(), constraints)
	case p.tok == token.ELLIPSIS:
		return param{nil, p.variadic()}
	case p.tok == token.TILDE && constraints:
		return param{nil, p.union(nil)}
	default:
		x.typ = p.tryType()
		if x.typ == nil {
			p.expected("parameter")
		}
	}
	if _, dots := x.typ.(*ast.Ellipsis); constraints && p.tok == token.OR && x.typ != nil && !dots {
		x.typ = p.union(x.typ)
	}
	return x
}

// namedParam reads the rest of an entry that begins with a name, which may be
// that of the type.
func (p *parser) namedParam(name *ast.Ident, constraints bool) param {
	switch p.tok {
	case token.LBRACK:
		name, typ := p.arrayOrInstance(name)
		return param{name, typ}
	case token.ELLIPSIS:
		return param{name, p.variadic()}
	case token.PERIOD:
		return param{nil, p.namedType(name)}
	case token.TILDE:
		if constraints {
			return param{name, p.union(nil)}
		}
	case token.OR:
		if constraints {
			return param{nil, p.union(name)}
		}
	default:
		return param{name, p.tryType()}
	}
	return param{name, nil}
}

func (p *parser) variadic() ast.Expr {
	x := alloc(&p.mem, p.mem.ellipsis)
	x.Ellipsis = p.expect(token.ELLIPSIS)
	x.Elt = p.typ()
	return x
}

// settle gives every entry of the list its type, and reports whether the
// entries have names. Either all or none have.
func (p *parser) settle(list []param, constraints bool) (named bool) {
	for _, x := range list {
		named = named || x.name != nil && x.typ != nil
	}
	if !named && constraints && len(list) > 0 {
		p.fail(p.pos, "missing type constraint or type parameter name")
	}
	var typ ast.Expr // of the entries in front
	for i := len(list) - 1; i >= 0; i-- {
		x := &list[i]
		switch {
		case !named && x.typ == nil:
			x.name, x.typ = nil, x.name
		case !named:
		case x.name == nil:
			p.fail(int(x.typ.Pos())-1, "missing parameter name")
		case x.typ != nil:
			typ = x.typ
		case typ == nil:
			p.fail(p.pos, "missing parameter type")
		default:
			x.typ = typ
		}
	}
	return named
}

// checkDots stops at a variadic parameter that must not be one.
func (p *parser) checkDots(list []param, dots bool) {
	for i, x := range list {
		if e, ok := x.typ.(*ast.Ellipsis); ok && (!dots || i < len(list)-1) {
			p.fail(int(e.Ellipsis)-1, "can only use ... with final parameter")
		}
	}
}

// paramFields returns the list as fields. Names that share a type share a
// field.
func (p *parser) paramFields(list []param, named bool) []*ast.Field {
	from := len(p.fields)
	for i := 0; i < len(list); {
		f := alloc(&p.mem, p.mem.field)
		f.Type = list[i].typ
		names := len(p.names)
		for ; i < len(list) && list[i].typ == f.Type; i++ {
			if named {
				p.names = append(p.names, list[i].name)
			}
		}
		f.Names = take(&p.mem, p.mem.idents, &p.names, names)
		p.fields = append(p.fields, f)
	}
	return p.takeFields(from)
}
