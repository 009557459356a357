package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var stringBuilder = &Lever{
	Name:    "strings-builder",
	Title:   "use strings.Builder where only the string is wanted",
	Subject: "use strings.Builder",
	Looks:   "the String of a local bytes.Buffer that is written to and nothing else: it copies all that was written. It is of strings of up to 4 kB, which are most of the buffer. Or the growth of such a buffer, where a loop over a text writes each time.",
	Wrong:   "when strings are kept that a builder is grown for by more than they need, or part of them: they keep its memory. Grow it by no more.",
	Before: `var b bytes.Buffer
fmt.Fprintf(&b, "%s-%02d", name, n)
b.WriteByte('.')
return b.String()`,
	After: `var b strings.Builder
b.Grow(24) // few need more
fmt.Fprintf(&b, "%s-%02d", name, n)
b.WriteByte('.')
return b.String()`,
	Model:   "The copy goes whole. A builder starts with less than a buffer does, which Grow makes up for, and has more steps beyond 256 bytes.",
	Risk:    NoRisk,
	Saves:   Saves{Alloc: Range{0.6, 1}, Collect: Range{0.5, 1}},
	Rewrite: "Where a loop over a text writes each time, the builder has room for the length of the text; elsewhere, for what nine tenths of the strings in the profile need, before a text that is not empty is sure to be written. There the strings keep at most a quarter more memory than the copies of the buffer's text did, also where the source says how much room there is. The buffer is a variable of its own, of type bytes.Buffer, and all that is done with it are calls of methods that a strings.Builder has with the same results, and of functions that write to any io.Writer without a look at its type. It is not copied, and no Grow may be of a negative size, of which the panics differ.",
	find:    findStringBuilder,
}

const (
	bufferString  = "bytes.(*Buffer).String"
	largestString = 4 << 10 // beyond, a builder's steps cost about as much as the copy
)

func findStringBuilder(p *Line) (f Finding) {
	if f = p.sizedBuilder(); f.Edits != nil {
		return f
	}
	share := p.through(bufferString)
	if share == 0 || p.objectSize() > largestString {
		return f
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "String" {
			continue
		}
		v := p.local(sel.X)
		if v == nil || !isBufferType(v.Type()) {
			continue
		}
		d, ok := p.define(p.unit, v)
		if !ok || d.param || d.value != nil && !p.newBuffer(d.value) || !p.onlyWritten(v) {
			continue
		}
		if m, ok := p.makesVariable(v); ok && (m.builderWithRoom() != nil || m.asSum() != nil) {
			continue // the room, or the sum, takes as much as the copy; the buffer's memory is what is saved
		}
		return Finding{Share: share, Evidence: []Evidence{
			p.at(d.pos, v.Name()+" is only written to until its text is wanted"),
			p.at(call.Pos(), fmt.Sprintf("String copies the text, %.0f bytes on average, which a strings.Builder does not", p.objectSize())),
		}, Edits: p.builderAsRoomy(v), What: "build " + v.Name() + " with strings.Builder"}
	}
	return f
}

// mostSlack is how many times the memory of copies of the strings, exact ones, those of a builder may keep: they may live for long, or part of
// them.
const mostSlack = 1.25

// builderAsRoomy are the edits that make a builder of a buffer, with the room that was observed: a builder without takes three allocations to
// get to the 64 bytes that a buffer begins with, and would only change one copy for these. nil if the strings would keep much more memory than
// they need, or if an empty one would have some.
func (p *Line) builderAsRoomy(v *types.Var) []Edit {
	edits := p.builderEdits(v)
	m, ok := p.makesVariable(v)
	if edits == nil || !ok || p.site.Samples*p.through(bufferString) < leastObserved {
		return nil
	}
	o := p.stringsMade()
	if slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		sel, ok := m.parent().(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Grow"
	}) {
		if grown, ok := p.growthSeen(m); !ok || float64(bytesIn(grown.ends)) > mostSlack*float64(bytesIn(o.ends)) {
			return nil
		}
		return edits
	}
	room, ok := o.roomOfBuilder()
	rest := m.list.list[m.list.at+1:]
	first := slices.IndexFunc(rest, m.uses)
	m.some = true
	if !ok || first < 0 || !m.sureIn(rest[first:]) {
		return nil
	}
	note := withNote(m.p.indent(rest[first]), fmt.Sprintf("%s.Grow(%d)", v.Name(), room), fewNeedMore)
	grow := m.before(rest[first], strings.Join(note, "\n"))
	if grow == nil {
		return nil
	}
	return append(edits, grow...)
}

// stringsMade are the strings that the line makes of buffers, by the size of their memory.
func (p *Line) stringsMade() (o observed) {
	for _, l := range p.site.Leaves {
		if slices.ContainsFunc(l.Path, func(f prof.Frame) bool { return f.Func == bufferString }) {
			for _, size := range l.Sizes {
				o.ends = site.AddSize(o.ends, site.Size{Bytes: nearClass(size.Bytes), Objects: size.Objects})
			}
		}
	}
	return o
}

// bytesIn is the sum of some sizes.
func bytesIn(sizes []site.Size) (sum int64) {
	for _, s := range sizes {
		sum += s.Bytes * s.Objects
	}
	return sum
}

// roomOfBuilder is the room in which nine tenths of the strings fit, of those with which these keep little more than they need the one with which
// builders allocate the fewest bytes; ok is false if there is none.
func (o observed) roomOfBuilder() (room int64, ok bool) {
	var least int64
	for _, e := range o.ends {
		var kept, all int64
		for _, s := range o.ends {
			last, sum := grownTo(s.Bytes, e.Bytes)
			kept, all = kept+last*s.Objects, all+sum*s.Objects
		}
		if objectsUpTo(o.ends, e.Bytes) >= mostEnds && float64(kept) <= mostSlack*float64(bytesIn(o.ends)) && (!ok || all < least) {
			room, least, ok = e.Bytes, all, true
		}
	}
	return room, ok
}

// grownTo is the capacity, and the sum of it and those before, of a builder to which bytes are written one by one, from a first capacity.
func grownTo(size, first int64) (last, sum int64) {
	const doubles = 256 // up to which append doubles
	for last, sum = first, first; last < size; sum += last {
		if last < doubles {
			last *= 2
		} else {
			last += (last + 3*doubles) / 4
		}
		last = nearClass(last)
	}
	return last, sum
}

// sizedBuilder is about a buffer that grows on the line, of which a string is made, and that can be a builder with room for the text that a
// loop goes over: then all of the buffer's memory is saved.
func (p *Line) sizedBuilder() (f Finding) {
	root, share := p.grownMost(func(root ssa.Value) bool {
		f.Edits = nil
		if m, ok := p.makes(root); ok {
			f.Edits, f.What = m.builderWithRoom(), "build "+m.v.Name()+" with a presized strings.Builder"
		}
		return f.Edits != nil
	})
	if root == nil {
		return Finding{}
	}
	f.Share = share
	f.Evidence = []Evidence{p.at(root.Pos(), "the buffer is only written to, and a string made of it; a strings.Builder with room for the text needs no copy")}
	return f
}

// builderWithRoom are the edits that make a builder of the buffer, with room for the text that a loop goes over.
func (m madeBuffer) builderWithRoom() []Edit {
	if m.kind != "bytes.Buffer" || !m.p.onlyWritten(m.v) || !slices.ContainsFunc(m.p.mentions(m.p.unit, m.v), asksForString) {
		return nil
	}
	b := m.p.blindTo(m.root)
	rest := m.list.list[m.list.at+1:]
	first := slices.IndexFunc(rest, m.uses)
	if b.told || b.later || b.grown || first < 0 {
		return nil
	}
	length := m.lengthOf(rest[first:])
	if length == "" || !m.p.means(rest[first].Pos(), length, "len") {
		return nil
	}
	builder, grow := m.p.builderEdits(m.v), m.before(rest[first], m.v.Name()+".Grow("+length+")")
	if builder == nil || grow == nil {
		return nil
	}
	return append(builder, grow...)
}

// makesVariable is makes of the buffer that a variable of the line's function holds.
func (p *Line) makesVariable(v *types.Var) (m madeBuffer, ok bool) {
	for _, b := range p.blocksOf(p.fns[p.fn.node]) {
		for _, in := range b.Instrs {
			if made, is := in.(*ssa.Alloc); is && made.Pos() == v.Pos() {
				return p.makes(made)
			}
		}
	}
	return m, false
}

// asksForString reports whether a mention is a call of String.
func asksForString(m mention) bool {
	sel, ok := m.parent().(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "String"
}

// isBufferType reports whether a type is bytes.Buffer, or a pointer to one.
func isBufferType(t types.Type) bool {
	return isBuffer(t) || isBuffer(types.NewPointer(t))
}

// newBuffer reports whether an expression is an empty buffer that nobody else has.
func (u *unit) newBuffer(e ast.Expr) bool {
	if and, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && and.Op == token.AND {
		e = and.X
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return u.builtin(e, "new") != nil || u.newEmpty(e)
	}
	return false
}

// newEmpty reports whether a call makes a bytes.Buffer of nothing, or of a constant text.
func (u *unit) newEmpty(call *ast.CallExpr) bool {
	fn := u.callee(call)
	if fn == nil || len(call.Args) != 1 {
		return false
	}
	arg := ast.Unparen(call.Args[0])
	switch fn.FullName() {
	case "bytes.NewBufferString":
		return u.constant(arg)
	case "bytes.NewBuffer":
		lit, empty := arg.(*ast.CompositeLit)
		made := u.builtin(arg, "make")
		return u.isNil(arg) || empty && len(lit.Elts) == 0 || made != nil && len(made.Args) == 3 && u.isZero(made.Args[1])
	}
	return false
}

// written are the methods that both bytes.Buffer and strings.Builder have, with the same
// signature and meaning.
var written = []string{"Write", "WriteString", "WriteByte", "WriteRune", "Grow", "Len", "String"}

// onlyWritten reports whether all that is done with a buffer could be done with a strings.Builder:
// its methods are called, and it is given to functions that take an io.Writer.
func (p *Line) onlyWritten(v *types.Var) bool {
	for _, m := range p.mentions(p.unit, v) {
		parent := m.parent()
		if sel, ok := parent.(*ast.SelectorExpr); ok {
			call, ok := innermost(m.stack[:slices.Index(m.stack, parent)]).(*ast.CallExpr)
			if !ok || ast.Unparen(call.Fun) != sel || !slices.Contains(written, sel.Sel.Name) {
				return false
			}
			continue
		}
		arg := ast.Expr(m.id)
		if and, ok := parent.(*ast.UnaryExpr); ok && and.Op == token.AND {
			arg, parent = and, innermost(m.stack[:slices.Index(m.stack, parent)])
		}
		call, ok := parent.(*ast.CallExpr)
		if !ok || !p.takesWriter(call, arg) {
			return false
		}
	}
	return true
}

// onlyWrites are functions that take a buffer as any other writer. io.Copy is none: it reads into a
// buffer itself.
var onlyWrites = map[string]bool{"fmt.Fprint": true, "fmt.Fprintf": true, "fmt.Fprintln": true, "io.WriteString": true, "encoding/binary.Write": true,
	"html.Escape": true, "text/template.HTMLEscape": true, "text/template.JSEscape": true}

// takesWriter reports whether a function takes an argument as io.Writer, and does not look which it is.
func (p *Line) takesWriter(call *ast.CallExpr, arg ast.Expr) bool {
	sig, ok := p.typeOf(call.Fun).Underlying().(*types.Signature)
	i := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return ast.Unparen(e) == arg })
	fn := p.callee(call)
	if !ok || i < 0 || i >= fixed(sig) || fn == nil || !onlyWrites[fn.FullName()] {
		return false
	}
	return types.TypeString(sig.Params().At(i).Type(), nil) == "io.Writer"
}

// builderEdits makes a builder of a buffer that is declared by var. nil if the file might no longer
// use package bytes with other buffers changed, too, or a size is one that buffer and builder refuse in their own words.
func (p *Line) builderEdits(v *types.Var) []Edit {
	spec, _ := p.declares(v)
	if spec == nil || len(spec.Names) != 1 || len(spec.Values) > 0 || spec.Type == nil || types.TypeString(v.Type(), nil) != "bytes.Buffer" || !p.grownBySizes(v) {
		return nil
	}
	if buffers, others := p.usesBytes(); !others && buffers > 1 {
		return nil
	}
	_, more, known := p.importing("bytes")
	name, _, ok := p.importing("strings")
	if !ok || !known || len(more) > 0 {
		return nil
	}
	edits, _ := p.instead(map[ast.Node]string{spec.Type: name + ".Builder"}, "strings")
	return edits
}

// grownBySizes reports whether a buffer is only grown by what cannot be negative.
func (p *Line) grownBySizes(v *types.Var) bool {
	return !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		sel, ok := m.parent().(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Grow" {
			return false
		}
		call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(sel))]).(*ast.CallExpr)
		return !ok || len(call.Args) != 1 || !p.notNegative(call.Args[0])
	})
}

// notNegative reports whether a number is a length, a constant, or made of these by + and by * with a constant: a product of two lengths may be
// too large for an int.
func (p *Line) notNegative(e ast.Expr) bool {
	if p.constant(ast.Unparen(e)) {
		return p.constantInt(ast.Unparen(e)) >= 0
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := p.local(e)
		if v == nil || !p.setOnce(v) {
			return false
		}
		d, ok := p.define(p.unit, v)
		return ok && d.value != nil && !p.constant(d.value) && p.notNegative(d.value)
	case *ast.CallExpr:
		return p.builtin(e, "len") != nil
	case *ast.BinaryExpr:
		times := e.Op == token.MUL && (p.constant(ast.Unparen(e.X)) || p.constant(ast.Unparen(e.Y)))
		return (e.Op == token.ADD || times) && p.notNegative(e.X) && p.notNegative(e.Y)
	}
	return false
}

// declares is the statement that declares a variable alone, by var.
func (p *Line) declares(v *types.Var) (spec *ast.ValueSpec, stmt *ast.DeclStmt) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeclStmt); ok {
			g := d.Decl.(*ast.GenDecl)
			if s, ok := g.Specs[0].(*ast.ValueSpec); ok && len(g.Specs) == 1 && !g.Lparen.IsValid() && s.Names[0].Pos() == v.Pos() {
				spec, stmt = s, d
			}
		}
		return spec == nil
	})
	return spec, stmt
}

// usesBytes counts how often the file names the type of buffers, and reports whether it uses package bytes for
// something else.
func (p *Line) usesBytes() (buffers int, others bool) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if name, ok := p.object(sel.X).(*types.PkgName); ok && name.Imported().Path() == "bytes" {
			if sel.Sel.Name == "Buffer" {
				buffers++
			} else {
				others = true
			}
		}
		return true
	})
	return buffers, others
}
