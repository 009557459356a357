package gosyntax

import (
	"go/ast"
	"go/token"
)

func (p *parser) interfaceType() ast.Expr {
	x := alloc(&p.mem, p.mem.interfaceType)
	x.Interface = p.expect(token.INTERFACE)
	list := alloc(&p.mem, p.mem.fieldList)
	list.Opening = p.expect(token.LBRACE)
	from := len(p.fields)
	for p.tok != token.RBRACE {
		p.fields = append(p.fields, p.interfaceElem())
	}
	list.List = p.takeFields(from)
	list.Closing = p.expect(token.RBRACE)
	x.Methods = list
	return x
}

// interfaceElem reads a method, an embedded type or a union of types.
func (p *parser) interfaceElem() *ast.Field {
	f := alloc(&p.mem, p.mem.field)
	if p.tok == token.IDENT {
		f.Doc = p.lead
		p.methodOrType(f)
	} else {
		f.Type = p.union(nil)
	}
	f.Comment = p.semicolon()
	return f
}

// methodOrType reads what begins with a name in an interface.
func (p *parser) methodOrType(f *ast.Field) {
	name := p.ident()
	switch p.tok {
	case token.LPAREN:
		f.Names = p.oneIdent(name)
		f.Type = p.signature(token.NoPos, nil)
		return
	case token.LBRACK:
		f.Type = p.union(p.instanceInInterface(name))
	default:
		f.Type = p.union(p.namedType(name))
	}
}

// instanceInInterface reads the type arguments of an embedded type. They could
// be type parameters of a method, which there are not.
func (p *parser) instanceInInterface(name *ast.Ident) ast.Expr {
	lbrack := p.expect(token.LBRACK)
	from := len(p.exprs)
	p.level++
	first := p.expr()
	p.level--
	if _, ok := first.(*ast.Ident); ok && p.tok != token.COMMA && p.tok != token.RBRACK {
		p.fail(int(lbrack)-1, "interface method must have no type parameters")
	}
	p.exprs = append(p.exprs, first)
	if p.comma("type argument list", token.RBRACK) {
		p.next()
	}
	return p.instanceFrom(name, lbrack, from)
}

// union reads A | ~B | C. The first term is x, or is read if x is nil.
func (p *parser) union(x ast.Expr) ast.Expr {
	if x == nil {
		x = p.term()
	}
	depth := p.depth
	for p.tok == token.OR {
		p.enter()
		b := alloc(&p.mem, p.mem.binary)
		b.X, b.OpPos, b.Op = x, p.expect(token.OR), token.OR
		b.Y = p.term()
		x = b
	}
	p.depth = depth
	return x
}

func (p *parser) term() ast.Expr {
	if p.tok == token.TILDE {
		x := alloc(&p.mem, p.mem.unary)
		x.OpPos, x.Op = p.expect(token.TILDE), token.TILDE
		x.X = p.typ()
		return x
	}
	x := p.tryType()
	if x == nil {
		p.expected("~ term or type")
	}
	return x
}
