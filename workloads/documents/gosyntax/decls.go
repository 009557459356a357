package gosyntax

import (
	"go/ast"
	"go/token"
)

func (p *parser) decl() ast.Decl {
	switch p.tok {
	case token.IMPORT:
		return p.genDecl((*parser).importSpec)
	case token.CONST:
		return p.genDecl((*parser).constSpec)
	case token.VAR:
		return p.genDecl((*parser).varSpec)
	case token.TYPE:
		return p.genDecl((*parser).typeSpec)
	case token.FUNC:
		return p.funcDecl()
	}
	p.expected("declaration")
	return nil
}

// genDecl reads one spec, or specs in parentheses. A spec of its own has no
// comment in front: that is the declaration's.
func (p *parser) genDecl(spec func(p *parser, doc *ast.CommentGroup) ast.Spec) ast.Decl {
	d := alloc(&p.mem, p.mem.genDecl)
	d.Doc, d.Tok = p.lead, p.tok
	d.TokPos = p.expect(p.tok)
	from := len(p.specs)
	if p.tok == token.LPAREN {
		d.Lparen = p.expect(token.LPAREN)
		for p.tok != token.RPAREN {
			p.specs = append(p.specs, spec(p, p.lead))
		}
		d.Rparen = p.expect(token.RPAREN)
		p.semicolon()
	} else {
		p.specs = append(p.specs, spec(p, nil))
	}
	d.Specs = take(&p.mem, p.mem.specs, &p.specs, from)
	return d
}

func (p *parser) importSpec(doc *ast.CommentGroup) ast.Spec {
	s := alloc(&p.mem, p.mem.importSpec)
	s.Doc = doc
	switch p.tok {
	case token.IDENT:
		s.Name = p.ident()
	case token.PERIOD:
		s.Name = alloc(&p.mem, p.mem.ident)
		s.Name.NamePos, s.Name.Name = p.expect(token.PERIOD), "."
	}
	if p.tok != token.STRING {
		p.expected("import path")
	}
	s.Path = p.basicLit()
	s.Comment = p.semicolon()
	p.imports = append(p.imports, s)
	return s
}

func (p *parser) constSpec(doc *ast.CommentGroup) ast.Spec {
	s := alloc(&p.mem, p.mem.valueSpec)
	s.Doc, s.Names = doc, p.identsFrom(p.ident())
	if p.tok != token.SEMICOLON && p.tok != token.RPAREN {
		s.Type = p.tryType()
		s.Values = p.values()
	}
	s.Comment = p.semicolon()
	return s
}

func (p *parser) varSpec(doc *ast.CommentGroup) ast.Spec {
	s := alloc(&p.mem, p.mem.valueSpec)
	s.Doc, s.Names = doc, p.identsFrom(p.ident())
	if p.tok != token.ASSIGN {
		s.Type = p.typ()
	}
	s.Values = p.values()
	s.Comment = p.semicolon()
	return s
}

// values reads = and what is behind it, if it is there.
func (p *parser) values() []ast.Expr {
	if p.tok != token.ASSIGN {
		return nil
	}
	p.next()
	return p.takeExprs(p.list(true))
}

func (p *parser) typeSpec(doc *ast.CommentGroup) ast.Spec {
	s := alloc(&p.mem, p.mem.typeSpec)
	s.Doc, s.Name = doc, p.ident()
	if p.tok == token.LBRACK {
		p.arrayOrGeneric(s)
	} else {
		p.typeOf(s)
	}
	s.Comment = p.semicolon()
	return s
}

// typeOf reads the type that s defines or, behind a =, is another name of.
func (p *parser) typeOf(s *ast.TypeSpec) {
	if p.tok == token.ASSIGN {
		s.Assign = p.expect(token.ASSIGN)
	}
	s.Type = p.typ()
}

// arrayOrGeneric reads the rest of a type from a [ behind its name, which
// begins a length or type parameters. Until more is known, what follows a name
// is read as an expression: P *C may be a product.
func (p *parser) arrayOrGeneric(s *ast.TypeSpec) {
	lbrack := p.expect(token.LBRACK)
	if p.tok != token.IDENT {
		s.Type = p.arrayType(lbrack, nil)
		return
	}
	var x ast.Expr = p.ident()
	if p.tok != token.LBRACK { // P []E: no constant is indexed
		p.level++
		x = p.binary(p.primary(x), token.LowestPrec+1)
		p.level--
	}
	name, constraint := p.splitParam(x, p.tok == token.COMMA)
	if name == nil || constraint == nil && p.tok == token.RBRACK {
		s.Type = p.arrayType(lbrack, x)
		return
	}
	s.TypeParams = p.typeParametersFrom(lbrack, name, constraint)
	p.typeOf(s)
}

// splitParam splits what was read as an expression into the name of a type
// parameter and its constraint, which is nil for a name alone. The name is nil
// if x can be no type parameter, or if it can be a length too and sure does not
// say that it is none.
func (p *parser) splitParam(x ast.Expr, sure bool) (*ast.Ident, ast.Expr) {
	switch x := x.(type) {
	case *ast.Ident:
		return x, nil
	case *ast.BinaryExpr:
		return p.splitBinary(x, sure)
	case *ast.CallExpr: // P (C)
		name, ok := x.Fun.(*ast.Ident)
		if !ok || len(x.Args) != 1 || x.Ellipsis.IsValid() || !sure && !isConstraint(x.Args[0]) {
			break
		}
		c := alloc(&p.mem, p.mem.paren)
		c.Lparen, c.X, c.Rparen = x.Lparen, x.Args[0], x.Rparen
		return name, c
	}
	return nil, nil
}

// splitBinary is splitParam for P *C and P *C|D.
func (p *parser) splitBinary(x *ast.BinaryExpr, sure bool) (*ast.Ident, ast.Expr) {
	sure = sure || isConstraint(x.Y)
	switch x.Op {
	case token.MUL:
		if name, ok := x.X.(*ast.Ident); ok && sure {
			c := alloc(&p.mem, p.mem.star)
			c.Star, c.X = x.OpPos, x.Y
			return name, c
		}
	case token.OR:
		if name, first := p.splitParam(x.X, sure); name != nil && first != nil {
			x.X = first
			return name, x
		}
	}
	return nil, nil
}

// isConstraint reports whether x can be nothing but a constraint.
func isConstraint(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return true
	case *ast.BinaryExpr:
		return isConstraint(x.X) || isConstraint(x.Y)
	case *ast.UnaryExpr:
		return x.Op == token.TILDE
	case *ast.ParenExpr:
		return isConstraint(x.X)
	}
	return false
}

func (p *parser) funcDecl() ast.Decl {
	d := alloc(&p.mem, p.mem.funcDecl)
	d.Doc = p.lead
	pos := p.expect(token.FUNC)
	if p.tok == token.LPAREN {
		d.Recv = p.parameters(true)
	}
	d.Name = p.ident()
	var typeParams *ast.FieldList
	if p.tok == token.LBRACK {
		if d.Recv != nil && !genericMethods {
			p.fail(p.pos, "method must have no type parameters")
		}
		typeParams = p.typeParameters()
	}
	d.Type = p.signature(pos, typeParams)
	if p.tok == token.LBRACE {
		d.Body = p.block()
	}
	p.semicolon()
	return d
}
