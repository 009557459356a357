package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// reusedVariable is about a buffer or slice that is made in each iteration of a loop, and that nothing has when the
// iteration ends, whatever it is given to does within its contract. ok is false if that cannot be shown.
func (p *Line) reusedVariable(made ssa.Value) (f Finding, ok bool) {
	x := p.temporaryVariable(made)
	if x == nil || !x.loop || bufferKind(made.Type()) != "" && p.concatenated(made) || !x.means("new", "make", "cap", "nil") || !x.p.onlyName(x.v) {
		return f, false
	}
	loop := x.innermostLoop()
	if loop == nil {
		return f, false
	}
	var edits []Edit
	if t, isSlice := x.v.Type().Underlying().(*types.Slice); isSlice {
		edits = x.reusedSlice(loop, t)
	} else {
		edits = x.reusedBuffer(loop)
	}
	if edits == nil {
		return f, false
	}
	f.Edits, f.What = edits, "reuse "+withKind(x.v)+" across iterations"
	f.Evidence = []Evidence{
		p.at(x.v.Pos(), x.v.Name()+" is allocated in each iteration, and nothing refers to its memory when the iteration ends"),
		p.at(loop.Pos(), "all iterations of this loop can use the same memory"),
	}
	return f, true
}

// innermostLoop is the loop whose iterations make the variable; nil if it is an iterator's, whose body is a function.
func (x *pooling) innermostLoop() ast.Node {
	stack := stackOf(x.p.file, x.stmt)
	for i := len(stack) - 1; i >= 0; i-- {
		if loopBody(stack[i]) == nil {
			continue
		}
		if r, ok := stack[i].(*ast.RangeStmt); ok {
			if _, iterator := x.p.typeOf(r.X).Underlying().(*types.Signature); iterator {
				return nil
			}
		}
		return stack[i]
	}
	return nil
}

// reusedBuffer makes a buffer, a variable of it or a pointer to a new one, when the loop first needs it, and empties it
// after that.
func (x *pooling) reusedBuffer(loop ast.Node) []Edit {
	_, isValue := x.v.Type().Underlying().(*types.Struct)
	if isValue && !isBuffer(types.NewPointer(x.v.Type())) || !isValue && !isBuffer(x.v.Type()) || x.setAgain(isValue) {
		return nil
	}
	pkg, imports, ok := x.p.importing("bytes")
	if !ok || len(imports) > 0 {
		return nil
	}
	fresh := "new(" + pkg + ".Buffer)"
	var uses []Edit
	if isValue {
		uses, ok = x.p.pointerUses(x.v, nil)
		ok = ok && x.value == nil
	} else {
		fresh, ok = x.newBuffer(fresh)
	}
	if !ok || !x.confinedTo(false) || !x.likeNew() {
		return nil
	}
	v := x.v.Name()
	edits := x.hoisted(loop, fmt.Sprintf("var %s *%s.Buffer", v, pkg), "shared by all iterations",
		"if "+v+" == nil {", "\t"+v+" = "+fresh, "} else {", "\t"+v+".Reset()", "}")
	if edits == nil {
		return nil
	}
	return append(edits, uses...)
}

// reusedSlice takes a slice out of memory that is made before, if there is enough, and zeroes it.
func (x *pooling) reusedSlice(loop ast.Node, t *types.Slice) []Edit {
	m := x.p.builtin(ast.Unparen(x.value), "make")
	if m == nil || len(m.Args) != 2 || pointsInto(t.Elem()) || hasTypeParameter(t.Elem()) || x.p.pkg.TypesSizes == nil || x.p.constant(m.Args[1]) {
		return nil
	}
	array, ok := ast.Unparen(m.Args[0]).(*ast.ArrayType)
	if !ok || x.p.renamesAt(loop.Pos(), array) || !x.confinedTo(false) {
		return nil
	}
	elem := x.packageWide(array.Elt)
	if elem == "" || x.p.pkg.TypesSizes.Sizeof(t.Elem()) == 0 {
		return nil
	}
	s := &pooledSlice{pooling: x, elem: elem, count: m.Args[1], memory: x.localName(x.v.Name() + "Memory")}
	n, grow, ok := s.enough()
	zero := s.zeroed(x.v.Name(), x.v.Name())
	if !ok || zero == nil {
		return nil
	}
	for i := range grow {
		grow[i] = strings.ReplaceAll(grow[i], "*"+s.memory, s.memory)
	}
	lines := append(grow, fmt.Sprintf("%s := %s[:%s:%[3]s]", x.v.Name(), s.memory, n))
	return x.hoisted(loop, fmt.Sprintf("var %s []%s", s.memory, elem), "shared by all iterations", append(lines, zero...)...)
}

// hoisted puts a declaration with a comment before a loop, and other lines in the place of the variable's; nil if a comment would be lost,
// or they do not stand on lines of their own.
func (x *pooling) hoisted(loop ast.Node, before, note string, lines ...string) []Edit {
	outer := x.p.indent(loop.(ast.Stmt))
	first, ok := x.p.insert(loop, strings.Join(withNote(outer, before, note), "\n"+outer))
	if !ok || x.p.commentedBetween(x.stmt.Pos(), x.stmt.End()) {
		return nil
	}
	indent, ok := x.p.indentOf(x.stmt)
	if !ok {
		return nil
	}
	edits := []Edit{first}
	at, alone := x.p.endOfLine(x.stmt.End())
	if !alone {
		return nil
	}
	rest := x.p.textBetween(x.stmt.End(), at)
	if strings.TrimSpace(rest) == "" {
		return append(edits, x.p.edit(x.stmt.Pos(), x.stmt.End(), strings.Join(lines, "\n"+indent)))
	}
	// The comment stays on the line of what was declared.
	return append(edits, x.p.edit(x.stmt.Pos(), x.stmt.End(), lines[0]), x.p.edit(at, at, "\n"+indent+strings.Join(lines[1:], "\n"+indent)))
}
