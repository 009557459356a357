package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

// A poolForm is the code that takes a variable's memory out of a pool and puts it back.
type poolForm struct {
	things string   // are pooled, for the pool's comment
	fresh  string   // the expression that makes a new one
	taken  string   // the type that Get is asserted to
	pool   []Edit   // that declare the pool; none where one is used that is there
	get    []string // statements in the place of the declaration
	ready  []string // statements after it
	put    []string // statements at the end of the use

	taking  string                // the call that takes a value out, if a function does
	putting func(v string) string // and the one that puts what a variable has back

	within token.Pos
	edits  []Edit // of uses of the variable
	stack  string // of get, what the compiler has to have on the stack
}

// mostKept is the size in bytes above which a buffer that has grown is not put back, as in encoding/json and fmt. A map is not above
// so many entries as keptEntries says, which is between leastKeptEntries and mostKeptEntries.
const (
	mostKept         = 64 << 10
	leastKeptEntries = 32
	mostKeptEntries  = 1024
)

// keptEntries is the number of entries up to which a map is kept for the next call: those of the largest table of a map like it that was
// measured where it is made or gets entries. Clear takes as long as the map was ever large, and each call clears it: where no call
// was large, one that is must not make all later ones slow.
func (p *Line) keptEntries(made ssa.Value) int64 {
	n := int64(leastKeptEntries)
	m, of := made.(*ssa.MakeMap)
	if !of || p.pkg.TypesSizes == nil || hasTypeParameter(mapType(m)) {
		return n
	}
	group := p.groupSize(mapType(m))
	lines := map[prof.Frame]bool{{File: p.site.File, Line: p.site.Line}: true}
	for _, in := range p.mapOfValue(m).updates {
		lines[p.frameOf(in.Pos())] = true
	}
	for _, s := range p.sitesAt(lines) {
		for _, l := range s.Leaves {
			for _, size := range l.Sizes {
				if slots, ok := slotsIn(size.Bytes, group); ok {
					n = max(n, min(slots, mostKeptEntries))
				}
			}
		}
	}
	return n
}

// poolEdits rewrites the variable that an object is first stored in as one whose memory comes out of a pool: nil if it
// cannot be shown that nothing else can tell. what is Finding.What.
func (p *Line) poolEdits(o object) (edits []Edit, what string) {
	x := p.pooling(o.value)
	if x == nil || !x.means("new", "make", "cap", "len") || x.heldLonger() {
		return nil, ""
	}
	var form *poolForm
	switch t := x.v.Type().Underlying().(type) {
	case *types.Map:
		form = x.mapForm()
	case *types.Slice:
		form = x.sliceForm(x.poolName(), t)
	case *types.Struct:
		form = x.bufferForm()
	case *types.Pointer:
		if isBuffer(x.v.Type()) {
			form = x.bufferForm()
		} else {
			form = x.structForm()
		}
	}
	if form == nil {
		return nil, ""
	}
	edits, ok := x.write(form)
	if !ok || form.pool == nil {
		return nil, ""
	}
	return slices.Concat(form.pool, edits, form.edits), "pool " + withKind(x.v)
}

// declare puts the declaration of a pool before the function; nil if the file cannot import package sync.
func (x *pooling) declare(text string) []Edit {
	sync, imports, ok := x.p.importing("sync")
	if !ok || sync != "sync" {
		return nil
	}
	pos := x.decl.Pos()
	if x.decl.Doc != nil {
		pos = x.decl.Doc.Pos()
	}
	return append(imports, x.p.edit(pos, pos, text+"\n\n"))
}

// declaration is that of a pool that one function uses.
func (x *pooling) declaration(name string, f *poolForm) string {
	of := x.decl.Name.Name
	if x.decl.Recv != nil {
		of = receiverName(x.decl) + "." + of
	}
	fresh := " return " + f.fresh + " "
	if strings.Contains(f.fresh, "\n") {
		fresh = "\n" + f.fresh + "\n"
	}
	return documented(fmt.Sprintf("%s keeps %s of %s between its calls.", name, f.things, of),
		fmt.Sprintf("var %s = sync.Pool{New: func() %s {%s}}", name, x.anything(), fresh))
}

// write makes the edits of the statement and of the end of the use; ok is false if there is no room for them on lines of
// their own, or a comment would be lost.
func (x *pooling) write(f *poolForm) (edits []Edit, ok bool) {
	end := x.stmt.End()
	if f.within.IsValid() {
		end = f.within
	}
	if x.p.commentedBetween(x.stmt.Pos(), end) {
		return nil, false
	}
	indent, ok := x.p.indentOf(x.stmt)
	if !ok {
		return nil, false
	}
	put, last := f.put, x.stmt
	if x.loop {
		after := x.after()
		last = after[len(after)-1]
	} else if len(put) > 0 {
		put = deferred(put)
	}
	get, ready := f.get, f.ready
	if f.within.IsValid() && !x.loop { // the literal stays behind
		get, put = slices.Concat(get[:len(get)-1], put, get[len(get)-1:]), nil
	}
	edit := x.p.edit(x.stmt.Pos(), end, strings.Join(get, "\n"+indent))
	edit.Stack = f.stack
	edits = append(edits, edit)
	if !x.loop {
		ready, put = append(slices.Clone(ready), put...), nil
	}
	for _, part := range []struct {
		after ast.Stmt
		lines []string
	}{{x.stmt, ready}, {last, put}} {
		if len(part.lines) == 0 {
			continue
		}
		at, ok := x.p.endOfLine(part.after.End())
		if !ok {
			return nil, false
		}
		edits = append(edits, x.p.edit(at, at, "\n"+indent+strings.Join(part.lines, "\n"+indent)))
	}
	return edits, true
}

// deferred makes some statements ones of a deferred function.
func deferred(put []string) []string {
	if len(put) == 1 {
		return []string{"defer " + put[0]}
	}
	return slices.Concat([]string{"defer func() {"}, indented(put), []string{"}()"})
}

// unlessLarge puts something back unless a condition on its size does not hold.
func unlessLarge(thing, cond string, put ...string) []string {
	return slices.Concat([]string{"// A large " + thing + " is dropped: the pool would keep it alive.", "if " + cond + " {"}, indented(put), []string{"}"})
}

// bufferForm is that of a bytes.Buffer, a variable of it or a pointer to one.
func (x *pooling) bufferForm() *poolForm {
	_, isValue := x.v.Type().Underlying().(*types.Struct)
	if isValue && !isBuffer(types.NewPointer(x.v.Type())) || x.setAgain(isValue) {
		return nil
	}
	pkg, imports, ok := x.p.importing("bytes")
	if !ok || len(imports) > 0 {
		return nil
	}
	f := &poolForm{things: "an empty buffer", fresh: "new(" + pkg + ".Buffer)", taken: "*" + pkg + ".Buffer"}
	if !isValue {
		if f.fresh, ok = x.newBuffer(f.fresh); !ok {
			return nil
		}
	} else if f.edits, ok = x.p.pointerUses(x.v, nil); !ok || x.value != nil {
		return nil
	}
	if !x.confinedTo(false) || !x.likeNew() {
		return nil
	}
	x.lend(&lentForm{poolForm: f, param: "b", of: "buffer", most: "64 << 10", size: "b.Cap()", limit: "limits the capacity of buffers in %s",
		reset: []string{"b.Reset()"}}, "")
	return f
}

// newBuffer returns the expression that makes a buffer like the variable's, which is new(bytes.Buffer) or one of a
// constant size.
func (x *pooling) newBuffer(empty string) (fresh string, ok bool) {
	switch e := ast.Unparen(x.value).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return empty, ok && len(lit.Elts) == 0
	case *ast.CallExpr:
		if x.p.builtin(e, "new") != nil {
			return empty, true
		}
		callee := x.p.callee(e)
		if callee == nil || callee.FullName() != "bytes.NewBuffer" || len(e.Args) != 1 {
			return "", false
		}
		for _, b := range x.home.Blocks { // the buffer, and not the memory that it begins with
			for _, in := range b.Instrs {
				if call, ok := in.(*ssa.Call); ok && call.Pos() == e.Lparen {
					x.made = call
				}
			}
		}
		if x.p.isNil(e.Args[0]) {
			return empty, true
		}
		m := x.p.builtin(ast.Unparen(e.Args[0]), "make")
		if m == nil || len(m.Args) != 3 || !x.p.isZero(m.Args[1]) || !x.outsideConstant(m.Args[2]) || x.packageWide(m.Args[0]) == "" {
			return "", false
		}
		return x.p.text(e), !x.p.commentedBetween(e.Pos(), e.End())
	}
	return "", false
}

// outsideConstant reports whether an expression is a constant by names that mean the same outside of the function.
func (x *pooling) outsideConstant(e ast.Expr) bool {
	ok := x.p.constant(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			ok = ok && x.outside(id)
		}
		return ok
	})
	return ok
}

// mapForm is that of a map.
func (x *pooling) mapForm() *poolForm {
	var of ast.Expr
	room, count := "", ""
	switch e := ast.Unparen(x.value).(type) {
	case *ast.CompositeLit:
		if of = e.Type; len(e.Elts) > 0 {
			return nil
		}
	case *ast.CallExpr:
		if x.p.builtin(e, "make") == nil {
			return nil
		}
		if of = e.Args[0]; len(e.Args) == 2 {
			switch {
			case x.outsideConstant(e.Args[1]):
				room = ", " + x.p.text(e.Args[1])
			case !x.roomBeside(e.Args[1]) || !x.means("int"):
				return nil
			default:
				count = x.p.text(e.Args[1])
			}
		}
	}
	if of == nil || x.setAgain(false) || !x.confinedTo(false) || !x.everyUse(func(v ssa.Value, in ssa.Instruction) bool { return !shrinksMap(in) }) {
		return nil
	}
	t, empty := x.packageWide(of), x.emptyMap("m")
	if t == "" || empty == nil {
		return nil
	}
	f := &poolForm{things: "an empty map", fresh: "make(" + t + room + ")", taken: t}
	large := count != "" && x.mayStayOnStack()
	x.lend(&lentForm{poolForm: f, param: "m", of: "map", most: strconv.FormatInt(x.p.keptEntries(x.made), 10), large: large, size: "len(m)", reset: empty}, count)
	if large {
		return x.onlyLarge(f, t, count)
	}
	return f
}

// stackEntries is the number of entries up to which a map that does not leave its function is on the stack, whatever room it is made with: it is
// one group of slots.
const stackEntries = 8

// mayStayOnStack reports whether the compiler may have a small map on the stack, where a pool costs more than it saves: no function that is
// not known to it is given the map.
func (x *pooling) mayStayOnStack() bool {
	return x.everyUse(func(_ ssa.Value, in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Defer:
			return false
		case *ssa.Call:
			_, builtin := in.Call.Value.(*ssa.Builtin)
			return builtin || in.Call.StaticCallee() != nil
		}
		return true
	})
}

// onlyLarge makes a form of a map one that takes it out of the pool only if it is too large for the stack. It has two variables: of one, the
// compiler would have the small map on the heap, too. It is nil in a loop, which would have to put back what it may not have.
func (x *pooling) onlyLarge(f *poolForm, t, count string) *poolForm {
	if x.loop || f.pool == nil {
		return nil
	}
	v, pooled := x.v.Name(), x.localName("pooled")
	f.ready = slices.Concat(comment(x.p.indent(x.stmt), "A small map is on the stack; only a large one is pooled."), []string{"if " + count + " > " + stackLimit + " {"},
		indented([]string{pooled + " := " + f.taking, "defer " + f.putting(pooled), v + " = " + pooled}), []string{"}"})
	f.stack = v + " := make(" + t + ")"
	f.get, f.put = []string{f.stack}, nil
	return f
}

// indented are lines of a block.
func indented(lines []string) (all []string) {
	for _, line := range lines {
		all = append(all, "\t"+line)
	}
	return all
}

// roomBeside reports whether an expression, which is evaluated when memory is taken and once more for when it is put back, has the same
// value and no effect: a number or the length of something by name. In a loop, nothing may set it.
func (x *pooling) roomBeside(e ast.Expr) bool {
	of := ast.Unparen(e)
	if call := x.p.builtin(of, "len"); call != nil {
		of = call.Args[0]
	}
	v := x.p.local(of)
	return types.Identical(x.p.typeOf(e), types.Typ[types.Int]) && !x.p.commentedBetween(e.Pos(), e.End()) && x.p.oneLine(e) != "" && x.p.simple(of) &&
		(!x.loop || v != nil && x.p.setOnce(v) && !x.p.definesName(x.p.fn.node, v.Name(), v)) // which the name may mean at the end
}

// shrinksMap reports whether an instruction takes entries out of a map: then its length does not tell how large it is.
func shrinksMap(in ssa.Instruction) bool {
	return callsBuiltin(in, "delete") || callsBuiltin(in, "clear")
}

// structForm is that of a pointer to a large struct, which is zeroed before it is put back.
func (x *pooling) structForm() *poolForm {
	named := namedOf(x.v.Type())
	made, ok := x.made.(*ssa.Alloc)
	if !ok || named == nil || !types.Identical(elemOf(made), named) || hasTypeParameter(named) || x.p.pkg.TypesSizes == nil {
		return nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if size := x.p.pkg.TypesSizes.Sizeof(named); !ok || hasLock(s, 0) || size < leastPooled || size > mostKept {
		return nil
	}
	f := &poolForm{things: "a zero " + named.Obj().Name()}
	var of ast.Expr
	switch e := ast.Unparen(x.value).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		if !ok {
			return nil
		}
		if of = lit.Type; len(lit.Elts) > 0 {
			f.within = lit.Pos()
			if e.X != lit || x.value != e { // parentheses
				return nil
			}
		}
	case *ast.CallExpr:
		if x.p.builtin(e, "new") == nil {
			return nil
		}
		of = e.Args[0]
	}
	if of == nil || x.setAgain(false) || !x.confinedTo(true) {
		return nil
	}
	t := x.packageWide(of)
	if t == "" {
		return nil
	}
	f.fresh, f.taken = "new("+t+")", "*"+t
	param := "x"
	if hasWord(t, param) {
		param = "value"
	}
	x.lend(&lentForm{poolForm: f, param: param, of: kindOf(x.v.Type()), reset: []string{"*" + param + " = " + t + "{}"}}, "")
	if f.within.IsValid() {
		f.get = append(f.get, "*"+x.v.Name()+" = ")
	}
	return f
}

// heldLonger reports whether a call that leads back to the function comes after the last use of the value: it is garbage by then, and
// each of the calls would hold it until it returns.
func (x *pooling) heldLonger() bool {
	fn := x.home
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := call.Common()
			callee := c.StaticCallee()
			back := callee != nil && x.p.reachesCall(callee, fn) || c.IsInvoke() && fn.Signature.Recv() != nil && c.Method.Name() == fn.Name()
			if back && !x.usedAfter(call.Pos()) {
				return true
			}
		}
	}
	return false
}

// usedAfter reports whether the variable is used after a call: nothing is that is part of a return.
func (x *pooling) usedAfter(pos token.Pos) bool {
	path, _ := astutil.PathEnclosingInterval(x.p.file, pos, pos)
	if slices.ContainsFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.ReturnStmt); return ok }) {
		return false
	}
	return slices.ContainsFunc(x.p.mentions(x.p.unit, x.v), func(m mention) bool { return m.id.Pos() > pos })
}
