package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var nilBuffer = &Lever{
	Name:  "nil-buffer",
	Title: "begin the buffer that functions append to with a capacity",
	Looks: "an append that grows a []byte which a function is given and returns, as several appends or a loop make it longer, when the function at the other end of the calls that the profile shows begins with nil or an empty slice. If only tests begin so, the exported function may, when it is given nil: then the line grows it three times or more in each operation of a benchmark, if their number is known.",
	Wrong: "when most results are shorter than the capacity, and kept: the rest of it is kept, too. When callers tell a nil result from an empty one, and nothing may be appended.",
	Before: `func (m *Message) Marshal() []byte {
	return m.AppendTo(nil)
}`,
	After: `func (m *Message) Marshal() []byte {
	return m.AppendTo(make([]byte, 0, 512)) // what most messages take
}`,
	Model: "What doubles until it is full allocates about twice what it holds in the end, and copies as much; with room for the result it allocates that once.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0.2, 0.7}},
	find:  findNilBuffer,
}

const (
	leastGrown  = 24 // bytes of the mean object: the first growth of short appends is to 8 or 16
	leastGrowth = 3  // objects of an operation, if the function only may be given nil
)

func findNilBuffer(p *Line) (f Finding) {
	fn := p.fns[p.fn.node]
	if fn == nil || fn.TypeParams().Len() > 0 || p.objectSize() < leastGrown || p.others() {
		return f
	}
	call, param := p.appendsToParam(fn)
	if call == nil {
		return f
	}
	returned := p.returns(fn, param)
	if returned == nil {
		return f
	}
	sum, first := int64(0), begin{}
	for _, l := range p.site.Leaves {
		if !p.isAppend(l, call) {
			continue
		}
		b, ok := p.begins(fn, param, l.Callers)
		if !ok || first.call != nil && first.call != b.call {
			continue
		}
		first, sum = b, sum+l.Bytes
	}
	if first.call == nil {
		return f
	}
	f.Share = float64(sum) / float64(max(p.site.Bytes, 1))
	f.Evidence = []Evidence{p.at(call.Pos(), "this append makes "+param.Name()+" larger, which "+nameOf(fn)+" is given"), p.at(returned.Pos(), "it is returned")}
	f.Sketch = true
	if p.inTest(first.call.Pos()) {
		return p.exportedHead(f, first)
	}
	f.Evidence = append(f.Evidence, p.at(first.call.Pos(), "it begins as "+first.what+" here"))
	f.Edits = p.sketchCapacity(first)
	return f
}

// A begin is a call that gives a buffer without memory to a parameter of a function.
type begin struct {
	call  ssa.CallInstruction
	to    *ssa.Function
	param *ssa.Parameter
	what  string
}

// appendsToParam is the call on the line that appends to a parameter of its function, if there is but one, and the
// parameter.
func (p *Line) appendsToParam(fn *ssa.Function) (found *ssa.Call, param *ssa.Parameter) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || !call.Pos().IsValid() || !p.onSite(call.Pos()) || !isAppender(call) {
				continue
			}
			to := p.onlyParam(call.Call.Args[appended(call)])
			if to == nil || param != nil && param != to {
				return nil, nil
			}
			found, param = call, to
		}
	}
	return found, param
}

// isAppend reports whether a leaf is one of a call that appends.
func (p *Line) isAppend(l site.Leaf, call *ssa.Call) bool {
	if callee := call.Call.StaticCallee(); callee != nil && callee.Object() != nil {
		return len(l.Path) > 0 && l.Path[0].Func == profiled(callee.Object().(*types.Func))
	}
	return !slices.ContainsFunc(l.Path, func(f prof.Frame) bool { return f.Package() != "runtime" })
}

// isAppender reports whether a call is of append, or of a function of the standard library that appends to
// bytes.
func isAppender(call *ssa.Call) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" && isBytes(call.Type())
	}
	callee := call.Call.StaticCallee()
	return callee != nil && callee.Pkg != nil && standard(callee.Pkg.Pkg.Path()) && strings.HasPrefix(callee.Name(), "Append") && appended(call) >= 0
}

// appended is the number of the argument that a call appends to, by its types: the only []byte, or the
// first, of what returns one. -1 if there is none.
func appended(call *ssa.Call) int {
	result := call.Type()
	if many, ok := result.(*types.Tuple); ok {
		if many.Len() == 0 {
			return -1
		}
		result = many.At(0).Type()
	}
	if !isBytes(result) {
		return -1
	}
	return slices.IndexFunc(call.Call.Args, func(v ssa.Value) bool { return isBytes(v.Type()) })
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// origins returns the values that a slice of bytes may have begun as, before anything was appended.
func (p *Program) origins(v ssa.Value, seen map[ssa.Value]bool) (all []ssa.Value) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			all = append(all, p.origins(e, seen)...)
		}
		return all
	case *ssa.ChangeType:
		return p.origins(v.X, seen)
	case *ssa.Slice:
		if isBytes(v.X.Type()) {
			return p.origins(v.X, seen)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 && p.passesOn(call) {
			return p.origins(call.Call.Args[appended(call)], seen)
		}
	case *ssa.Call:
		if p.passesOn(v) {
			return p.origins(v.Call.Args[appended(v)], seen)
		}
	}
	return []ssa.Value{v}
}

// passesOn reports whether a call returns a slice that it is given, with more in it.
func (p *Program) passesOn(call *ssa.Call) bool {
	if appended(call) < 0 {
		return false
	}
	if isAppender(call) {
		return true
	}
	name := ""
	if callee := call.Call.StaticCallee(); callee != nil {
		if i := appended(call); len(callee.Blocks) > 0 && i < len(callee.Params) && p.passes(callee, callee.Params[i]) {
			return true
		}
		name = callee.Name()
	} else if call.Call.IsInvoke() {
		name = call.Call.Method.Name()
	} else if isValue(&call.Call) {
		return p.valuesPass(call)
	}
	return strings.HasPrefix(strings.ToLower(name), "append")
}

// isValue reports whether a call is of a function value.
func isValue(c *ssa.CallCommon) bool {
	_, builtin := c.Value.(*ssa.Builtin)
	return !c.IsInvoke() && !builtin && c.StaticCallee() == nil
}

// valuesPass reports whether all functions that a call of a function value may be of return what they are
// given, with more in it, or nothing.
func (p *Program) valuesPass(call *ssa.Call) bool {
	i, passes := appended(call), false
	for _, fn := range p.valuesOf(call.Call.Signature()) {
		switch {
		case p.onlyTests(fn):
		case len(fn.Blocks) == 0 || i >= len(fn.Params):
			return false
		case p.passes(fn, fn.Params[i]):
			passes = true
		case !returnsNil(fn):
			return false
		}
	}
	return passes
}

// returnsNil reports whether the first result of a function is always nil.
func returnsNil(fn *ssa.Function) bool {
	return !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(r.Results) == 0 {
			return false
		}
		c, ok := r.Results[0].(*ssa.Const)
		return !ok || !c.IsNil()
	})
}

// passes reports whether a function returns what it is given in a parameter. One that calls itself is taken
// to do so, unless what else it returns says otherwise.
func (p *Program) passes(fn *ssa.Function, param *ssa.Parameter) bool {
	passes, ok := p.passing[param]
	if !ok {
		p.passing[param] = true
		passes = p.returns(fn, param) != nil
		p.passing[param] = passes
	}
	return passes
}

// onlyParam is the parameter that a slice began as, if it is one.
func (p *Program) onlyParam(v ssa.Value) *ssa.Parameter {
	all := p.origins(v, map[ssa.Value]bool{})
	if len(all) == 0 {
		return nil
	}
	param, ok := all[0].(*ssa.Parameter)
	if !ok || slices.ContainsFunc(all, func(v ssa.Value) bool { return v != param }) {
		return nil
	}
	return param
}

// returns returns the instruction with which a function returns what it was given in a parameter, or nil.
func (p *Program) returns(fn *ssa.Function, param *ssa.Parameter) *ssa.Return {
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && len(r.Results) > 0 && isBytes(r.Results[0].Type()) && slices.Contains(p.origins(r.Results[0], map[ssa.Value]bool{}), ssa.Value(param)) {
			return r
		}
	}
	return nil
}

// begins returns the call, among those of a stack, at which the value of a parameter begins empty; ok is false if
// there is none, or if the value was not made longer more than once since.
func (p *Line) begins(fn *ssa.Function, param *ssa.Parameter, stack []prof.Frame) (b begin, ok bool) {
	often := p.longer(fn, param)
	for _, f := range stack {
		if f.File == "<autogenerated>" {
			continue
		}
		at := p.function(f)
		if at == nil || p.fns[at.node] == nil {
			return b, false
		}
		call, arg := p.callOf(p.fns[at.node], f.Line, fn, param)
		if call == nil {
			return b, false
		}
		from := p.origins(arg, map[ssa.Value]bool{})
		if what := emptyBytes(from); what != "" {
			often = often || p.longerFrom(p.fns[at.node], from)
			return begin{call, fn, param, what}, often
		}
		next := p.onlyParam(arg)
		if next == nil || next.Parent() != p.fns[at.node] {
			return b, false
		}
		fn, param = next.Parent(), next
		often = often || p.longer(fn, param)
	}
	return b, false
}

// callOf is the only call of a function on a line, and what it gives to a parameter.
func (p *Line) callOf(caller *ssa.Function, line int, fn *ssa.Function, param *ssa.Parameter) (found ssa.CallInstruction, arg ssa.Value) {
	i := slices.Index(fn.Params, param)
	for _, b := range caller.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok || p.line(c.Pos()) != line {
				continue
			}
			at := i
			callee := c.Call.StaticCallee()
			if c.Call.IsInvoke() && c.Call.Method.Name() == fn.Name() && fn.Signature.Recv() != nil {
				at--
			} else if isValue(&c.Call) {
				if fn.Signature.Recv() != nil || !sameSignature(fn.Signature, c.Call.Signature()) {
					continue
				}
			} else if callee == nil || p.fset.Position(callee.Pos()) != p.fset.Position(fn.Pos()) {
				continue
			}
			if found != nil || at < 0 || at >= len(c.Call.Args) {
				return nil, nil
			}
			found, arg = c, c.Call.Args[at]
		}
	}
	return found, arg
}

// longer reports whether a function makes what it is given longer on several lines, or in a loop.
func (p *Line) longer(fn *ssa.Function, param *ssa.Parameter) bool {
	return p.longerFrom(fn, []ssa.Value{param})
}

func (p *Line) longerFrom(fn *ssa.Function, from []ssa.Value) bool {
	n := 0
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || !p.passesOn(call) {
				continue
			}
			of := p.origins(call.Call.Args[appended(call)], map[ssa.Value]bool{})
			if !slices.ContainsFunc(of, func(v ssa.Value) bool { return slices.Contains(from, v) }) {
				continue
			}
			if n++; n > 1 || repeats(b) {
				return true
			}
		}
	}
	return false
}

// emptyBytes describes slices without memory: "" if one may have some.
func emptyBytes(from []ssa.Value) (what string) {
	for _, v := range from {
		switch v := v.(type) {
		case *ssa.Const:
			what = "nil"
			continue
		case *ssa.Slice:
			made, ok := v.X.(*ssa.Alloc)
			if !ok {
				return ""
			}
			array, ok := elemOf(made).Underlying().(*types.Array)
			if ok && array.Len() == 0 {
				what = "an empty slice"
				continue
			}
		}
		return ""
	}
	return what
}

// exportedHead is the finding about an exported function that tests give nil.
func (p *Line) exportedHead(f Finding, b begin) Finding {
	decl, ok := b.to.Syntax().(*ast.FuncDecl)
	each := p.each()
	if !ok || !decl.Name.IsExported() || p.inTest(b.to.Pos()) || each > 0 && each < leastGrowth {
		return Finding{}
	}
	name := b.param.Name()
	text := fmt.Sprintf("%s may be given nil, as %s is in tests", nameOf(b.to), name)
	if each > 0 {
		text += fmt.Sprintf(": the line grows it %s times in each operation", few(each))
	} else {
		text += fmt.Sprintf(": the line grows it to %s bytes on average, which takes several steps", few(p.objectSize()))
	}
	f.Evidence = append(f.Evidence, p.at(decl.Pos(), text))
	pos := decl.Body.Lbrace + 1
	f.Edits = []Edit{p.edit(pos, pos, fmt.Sprintf("\n\tif %s == nil {\n\t\t%[1]s = make([]byte, 0, %d) // the size that results have\n\t}", name, p.room()))}
	return f
}

// room is the size that a result may have: what grows last is larger than the mean.
func (p *Line) room() int {
	size := 64
	for float64(size) < p.objectSize() {
		size *= 2
	}
	return size
}

// sketchCapacity makes the nil that a call gives to a function, or the empty slice, one with room.
func (p *Line) sketchCapacity(b begin) []Edit {
	u := p.unitOf(b.call.Pos())
	if u == nil {
		return nil
	}
	i := slices.Index(b.to.Params, b.param)
	if b.to.Signature.Recv() != nil {
		i--
	}
	var edits []Edit
	text := fmt.Sprintf("make([]byte, 0, %d /* the size that results have */)", p.room())
	ast.Inspect(u.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Lparen != b.call.Pos() {
			return true
		}
		if i < len(call.Args) {
			if e := p.emptyValue(u, call.Args[i]); e != nil {
				edits = []Edit{p.edit(e.Pos(), e.End(), text)}
			}
		}
		return false
	})
	return edits
}

// emptyValue is the expression that makes an empty slice of bytes: an argument, or what a variable is
// declared with; nil if it is another.
func (p *Line) emptyValue(u *unit, e ast.Expr) ast.Expr {
	if v := u.local(e); v != nil && isBytes(v.Type()) {
		d, ok := p.define(u, v)
		if !ok || d.value == nil {
			return nil
		}
		e = d.value
	}
	if u.isNil(e) {
		return e
	}
	if !isBytes(u.typeOf(e)) {
		return nil
	}
	switch n := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		if len(n.Elts) == 0 {
			return e
		}
	case *ast.CallExpr:
		if u.builtin(n, "make") != nil && len(n.Args) > 1 && u.isZero(n.Args[len(n.Args)-1]) {
			return e
		}
	}
	return nil
}
