package gosyntax

import (
	"go/ast"
	"go/token"
	"sync"
)

// A parser builds the tree of one source by recursive descent. What it reads
// ahead is one token. Lists are collected on stacks and copied when their
// length is known: a slice in the tree has no spare capacity.
type parser struct {
	scanner
	file *ast.File

	top         bool              // no token yet
	lead, trail *ast.CommentGroup // see next

	level   int  // below 0 in the header of a statement, where { opens its body
	inRight bool // on the right of an assignment, where = is not another one
	depth   int  // of the tree above the node being built

	exprs   []ast.Expr
	stmts   []ast.Stmt
	decls   []ast.Decl
	specs   []ast.Spec
	names   []*ast.Ident
	fields  []*ast.Field
	imports []*ast.ImportSpec
	texts   []*ast.Comment
	groups  []*ast.CommentGroup
	params  []param
}

// maxDepth limits how deeply a tree may nest. Deeper ones are an error: the
// stack of a goroutine is bounded, for the parser as for code that walks the
// tree.
const maxDepth = 100_000

// parsers holds the stacks between two sources. All strategies of ours share
// it, so they differ only in where the tree is.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// parse returns the tree of src in the memory of m. The error is an [*Error].
func parse(m memory, src []byte) (t *Tree, err error) {
	p := parsers.Get().(*parser)
	defer func() {
		p.release()
		if e := recover(); e != nil {
			b, ok := e.(bailout)
			if !ok {
				panic(e)
			}
			t, err = nil, b.err
		}
	}()
	p.mem = m
	p.init(m.text(src))
	return p.tree(), nil
}

// release puts p back. It must not keep the tree: not by its stacks, not by
// the source.
func (p *parser) release() {
	lines, buf := p.lines, p.buf
	clear(p.directives[:cap(p.directives)])
	directives := p.directives[:0]
	p.scanner = scanner{lines: lines, buf: buf, directives: directives}
	p.file, p.lead, p.trail = nil, nil, nil
	p.level, p.inRight, p.depth = 0, false, 0
	empty(&p.exprs)
	empty(&p.stmts)
	empty(&p.decls)
	empty(&p.specs)
	empty(&p.names)
	empty(&p.fields)
	empty(&p.imports)
	empty(&p.texts)
	empty(&p.groups)
	empty(&p.params)
	parsers.Put(p)
}

func empty[T any](stack *[]T) {
	clear((*stack)[:cap(*stack)])
	*stack = (*stack)[:0]
}

// tree reads the whole source.
func (p *parser) tree() *Tree {
	p.top = true
	p.file = alloc(&p.mem, p.mem.file)
	p.next()
	f := p.file
	f.Doc = p.lead
	f.Package = p.expect(token.PACKAGE)
	f.Name = p.ident()
	p.semicolon()
	for before := token.IMPORT; p.tok != token.EOF; {
		if p.tok == token.IMPORT && before != token.IMPORT {
			p.fail(p.pos, "imports must appear before other declarations")
		}
		before = p.tok
		p.decls = append(p.decls, p.decl())
	}
	f.Decls = take(&p.mem, p.mem.decls, &p.decls, 0)
	f.Imports = take(&p.mem, p.mem.imports, &p.imports, 0)
	f.Comments = take(&p.mem, p.mem.commentGroups, &p.groups, 0)
	f.FileStart, f.FileEnd = p.at(0), p.at(p.size)
	t := alloc(&p.mem, p.mem.tree)
	t.File = f
	t.lines = clone(&p.mem, p.mem.ints, p.lines)
	t.directives = clone(&p.mem, p.mem.directives, p.scanner.directives)
	return t
}

// at returns the position of an offset.
func (p *parser) at(off int) token.Pos { return token.Pos(1 + off) }

// enter counts one more node above the next; the caller counts back.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.pos, "nested deeper than %d", maxDepth)
	}
}

// expected stops at the current token.
func (p *parser) expected(what string) {
	found := "'" + p.tok.String() + "'"
	switch {
	case p.tok == token.SEMICOLON && p.lit == "\n":
		found = "newline"
	case p.tok.IsLiteral():
		found = p.lit
	}
	p.fail(p.pos, "expected %s, found %s", what, found)
}

// expect reads a token of one kind and returns its position.
func (p *parser) expect(tok token.Token) token.Pos {
	if p.tok != tok {
		p.expected("'" + tok.String() + "'")
	}
	pos := p.at(p.pos)
	p.next()
	return pos
}

// semicolon reads the end of a statement or declaration, which a closing ) or }
// is without being read. It returns the comment on the same line.
func (p *parser) semicolon() *ast.CommentGroup {
	switch p.tok {
	case token.RPAREN, token.RBRACE:
		return nil
	case token.SEMICOLON:
		comment := p.trail
		written := p.lit == ";"
		p.next()
		if written {
			return p.trail
		}
		return comment
	}
	p.expected("';'")
	return nil
}

// comma reports whether the next token is a comma, and stops if it is neither
// that nor the end of the list.
func (p *parser) comma(list string, end token.Token) bool {
	if p.tok != token.COMMA && p.tok != end {
		p.fail(p.pos, "missing ',' in %s", list)
	}
	return p.tok == token.COMMA
}

func (p *parser) ident() *ast.Ident {
	if p.tok != token.IDENT {
		p.expected("'IDENT'")
	}
	x := alloc(&p.mem, p.mem.ident)
	x.NamePos, x.Name = p.at(p.pos), p.lit
	p.next()
	return x
}

// identsFrom reads the rest of a list of names, of which first has been read.
func (p *parser) identsFrom(first *ast.Ident) []*ast.Ident {
	from := len(p.names)
	p.names = append(p.names, first)
	for p.tok == token.COMMA {
		p.next()
		p.names = append(p.names, p.ident())
	}
	return take(&p.mem, p.mem.idents, &p.names, from)
}

// oneIdent returns a list of one name.
func (p *parser) oneIdent(name *ast.Ident) []*ast.Ident {
	p.names = append(p.names, name)
	return take(&p.mem, p.mem.idents, &p.names, len(p.names)-1)
}

// basicLit reads a literal.
func (p *parser) basicLit() *ast.BasicLit {
	x := alloc(&p.mem, p.mem.basicLit)
	x.ValuePos, x.Kind, x.Value = p.at(p.pos), p.tok, p.lit
	setEnd(x, p.at(p.end))
	p.next()
	return x
}
