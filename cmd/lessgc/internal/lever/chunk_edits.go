package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"
)

// A chunking is the statement of a method that makes an object, and the field that its chunks get.
type chunking struct {
	recv  string // the name of the receiver, or of the parameter
	stmt  ast.Stmt
	value ast.Expr // the literal, or nil for a zero value
	name  string   // of the variable that has the object
	typ   string
	field string
	made  ast.Expr // what the statement returns; nil if it declares the variable
}

// chunkEdits takes an object out of a chunk that a new field of the receiver has: nil if it cannot be shown that
// nothing but the memory changes.
func (p *Line) chunkEdits(recv *types.Named, made *ssa.Alloc) []Edit {
	c := p.chunkStatement(recv, made)
	if c == nil {
		return nil
	}
	param := chunkParameter(made.Parent())
	collected := param != nil && collects(made, param)
	if collected && synchronizes(made.Parent(), deepest) {
		return nil // the lock may be held only later
	}
	if param == nil || !collected && !p.nodeOf(made, param) || !dereferenced(param, made) && !p.dereferencedBy(param, made) || !p.extendable(recv, c.field) {
		return nil
	}
	field := p.chunkField(recv, c)
	if field == nil {
		return nil
	}
	most := min(64, max(16, 4096/p.pkg.TypesSizes.Sizeof(elemOf(made)))/16*16)
	if !collected {
		most = mostNodes
	}
	most = min(most, max(firstChunk, int64(p.each())/leastChunks/firstChunk*firstChunk))
	lines := p.chunkLines(c, most)
	end := c.stmt.End()
	if c.value != nil {
		end = c.value.Pos()
		lines = append(lines, "*"+c.name+" = ")
	}
	indent, ok := p.indentOf(c.stmt)
	text := strings.Join(lines, "\n"+indent)
	if !ok || p.commentedBetween(c.stmt.Pos(), end) || !p.means(c.stmt.Pos(), text, "len", "cap", "make", "min", "max") {
		return nil
	}
	edits := append(field, c.finish(p, text, indent)...)
	slices.SortFunc(edits, byPlace)
	return edits
}

// nodeOf reports whether an object is a node of a tree that its function makes and returns for the one goroutine that has the object of
// a parameter: it changes that on each way.
func (p *Line) nodeOf(made *ssa.Alloc, param *ssa.Parameter) bool {
	if !inTree(made) || !isReturned(made) && !slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		made, ok := in.(*ssa.MakeInterface)
		return ok && isReturned(made)
	}) {
		return false
	}
	_, ok := p.storesOnEachWay(param, made.Block(), deepest)
	return ok
}

// chunkLines are the statements that declare a variable with the next object of the chunk.
func (p *Line) chunkLines(c *chunking, most int64) []string {
	chunk := c.recv + "." + c.field
	return slices.Concat([]string{fmt.Sprintf("if len(%s) == cap(%s) {", chunk, chunk)}, p.chunkRoom(chunk, c.typ, most), []string{
		"}",
		fmt.Sprintf("%s = %s[:len(%s)+1]", chunk, chunk, chunk),
		fmt.Sprintf("%s := &%s[len(%s)-1]", c.name, chunk, chunk),
	})
}

// chunkStatement is the statement of the line that makes an object, if it does nothing else than declare a variable with
// it; nil if it is none that can be rewritten.
func (p *Line) chunkStatement(recv *types.Named, made *ssa.Alloc) *chunking {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	of, isNamed := types.Unalias(elemOf(made)).(*types.Named)
	param := chunkParameter(made.Parent())
	if !ok || !isNamed || param == nil || of.TypeArgs() != nil {
		return nil
	}
	self, obj := param.Object(), of.Obj()
	if p.fns[decl] != made.Parent() || obj.Pkg() != p.pkg.Types || obj.Parent() != p.pkg.Types.Scope() {
		return nil
	}
	c := &chunking{recv: self.Name(), typ: obj.Name(), field: titled(obj.Name(), unicode.ToLower) + "Chunk"}
	var all []ast.Expr
	var around []ast.Node
	for _, s := range p.spots() {
		if e, ok := s.node.(ast.Expr); ok && p.madeOf(s) != nil {
			all, around = append(all, e), s.stack
		}
	}
	if len(all) != 1 || len(around) < 2 {
		return nil
	}
	if made, ok := all[0].(*ast.UnaryExpr); ok {
		if lit, ok := made.X.(*ast.CompositeLit); !ok || !types.Identical(p.typeOf(lit), of) {
			return nil
		} else if len(lit.Elts) > 0 {
			c.value = lit
		}
	}
	switch around[len(around)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return nil
	}
	if s, ok := around[len(around)-1].(*ast.AssignStmt); ok && len(s.Lhs) == 1 && s.Tok == token.DEFINE {
		id, ok := s.Lhs[0].(*ast.Ident)
		if !ok || id.Name == "_" {
			return nil
		}
		c.stmt, c.name = s, id.Name
	} else if !c.returned(p, all[0], around[len(around)-1]) {
		return nil
	}
	if c.recv == "_" || !p.meansAt(obj, c.stmt.Pos()) || !p.steady(self, c.stmt.Pos()) || c.value != nil && p.mentioned(c.value, c.name) {
		return nil
	}
	return c
}

// steady reports whether a name means a variable at a position, and nothing assigns to it.
func (p *Line) steady(object types.Object, pos token.Pos) bool {
	v, ok := object.(*types.Var)
	return ok && p.objectAt(v.Name(), pos) == object && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		u, ok := m.parent().(*ast.UnaryExpr)
		return sets(m) || ok && u.Op == token.AND || p.captured(m, v)
	})
}

// mentioned reports whether a node has a name that is not that of a field.
func (p *Line) mentioned(in ast.Node, name string) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && id.Name == name {
			v, isVar := p.pkg.TypesInfo.ObjectOf(id).(*types.Var)
			found = found || !isVar || !v.IsField()
		}
		return !found
	})
	return found
}

// indentOf returns what stands before a statement on its line: ok is false if that is not only white space.
func (p *Line) indentOf(s ast.Stmt) (text string, ok bool) {
	file := p.fset.File(s.Pos())
	text = p.textBetween(file.LineStart(file.Line(s.Pos())), s.Pos())
	return text, strings.Trim(text, "\t ") == ""
}

// chunkField adds the field to the receiver's type; nil if there is no line for it.
func (p *Line) chunkField(recv *types.Named, c *chunking) []Edit {
	return p.addField(recv, c.field, "[]"+c.typ, "holds the latest "+c.typ+" values, with room for more: many share one allocation.")
}

// addField adds a field to a struct type, with a comment that begins with its name; nil if there is no line for it.
func (p *Line) addField(named *types.Named, name, typ, doc string) []Edit {
	u := p.unitOf(named.Obj().Pos())
	if u == nil || p.generated(u) || p.inTest(named.Obj().Pos()) || ast.IsGenerated(u.file) {
		return nil
	}
	var edits []Edit
	ast.Inspect(u.file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Pos() != named.Obj().Pos() {
			return true
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			return false
		}
		file := p.fset.File(s.Pos())
		start := file.LineStart(file.Line(s.Fields.Closing))
		indent := p.textBetween(start, s.Fields.Closing)
		field := "\t" + strings.Join(append(comment(indent+"\t", name+" "+doc), name+" "+typ), "\n\t") + "\n"
		switch {
		case p.line(s.Fields.Opening) != p.line(s.Fields.Closing):
			if strings.Trim(indent, "\t ") == "" {
				edits = []Edit{p.edit(start, start, "\n"+indent+strings.ReplaceAll(strings.TrimSuffix(field, "\n"), "\n", "\n"+indent)+"\n")}
			}
		case s.Fields.NumFields() > 0: // on one line
			edits = []Edit{p.edit(s.Fields.Opening+1, s.Fields.Opening+1, "\n\t"), p.edit(s.Fields.Closing, s.Fields.Closing, "\n\n"+field)}
		default:
			edits = []Edit{p.edit(s.Fields.Closing, s.Fields.Closing, "\n"+field)}
		}
		return false
	})
	return edits
}

// collects reports whether the method that makes an object appends it, on each way to its end, to a slice that is a field
// of the receiver: objects of one receiver are collected together, and two goroutines could not have it.
func collects(made *ssa.Alloc, recv *ssa.Parameter) bool {
	for _, r := range *made.Referrers() {
		store, ok := r.(*ssa.Store)
		if !ok || store.Val != made {
			continue
		}
		element, ok := store.Addr.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *element.X.Referrers() {
			args, ok := r.(*ssa.Slice)
			if !ok {
				continue
			}
			for _, use := range *args.Referrers() {
				if call, ok := use.(*ssa.Call); ok && appendsToField(call, args, recv) && !endsWithout(made.Block(), call.Block()) {
					return true
				}
			}
		}
	}
	return false
}

// appendsToField reports whether a call appends some values to a field of an object.
func appendsToField(call *ssa.Call, values ssa.Value, object ssa.Value) bool {
	if !callsBuiltin(call, "append") || call.Call.Args[1] != values {
		return false
	}
	load, ok := call.Call.Args[0].(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	from, ok := load.X.(*ssa.FieldAddr)
	return ok && from.X == object && slices.ContainsFunc(*call.Referrers(), func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		if !ok {
			return false
		}
		to, ok := store.Addr.(*ssa.FieldAddr)
		return ok && store.Val == call && to.X == object && to.Field == from.Field
	})
}

// endsWithout reports whether a function may return, or begin again, from a block on without executing another one.
func endsWithout(from, by *ssa.BasicBlock) bool {
	if from == by {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{by: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if _, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return); returns || seen[b] && b == from {
			return true
		}
		seen[b] = true
		for _, next := range b.Succs {
			if next == from || !seen[next] {
				work = append(work, next)
			}
		}
	}
	return false
}

// dereferenced reports whether the method reads or sets a field of its receiver before it makes an object, or with the
// object's own fields: it would panic there without a receiver.
func dereferenced(recv ssa.Value, made *ssa.Alloc) bool {
	for _, r := range *recv.Referrers() {
		field, ok := r.(*ssa.FieldAddr)
		if !ok || !slices.ContainsFunc(*field.Referrers(), accesses) {
			continue
		}
		if field.Block() != made.Block() && field.Block().Dominates(made.Block()) {
			return true
		}
		if field.Block() == made.Block() && !callsBetween(made, field) {
			return true
		}
	}
	return false
}

func accesses(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.MUL
	case *ssa.Store:
		return true
	}
	return false
}

// callsBetween reports whether something that others see comes between an object and a later instruction of its block.
func callsBetween(made *ssa.Alloc, field *ssa.FieldAddr) bool {
	all := made.Block().Instrs
	from, to := slices.Index(all, ssa.Instruction(made)), slices.Index(all, ssa.Instruction(field))
	return from < to && slices.ContainsFunc(all[from:to], func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case ssa.CallInstruction, *ssa.MapUpdate, *ssa.Send, *ssa.Panic:
			return true
		case *ssa.Store:
			return base(in.Addr) != made
		}
		return false
	})
}
