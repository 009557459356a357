package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var callerBuffer = &Rule{
	Name:  "caller-buffer",
	Title: "append to a buffer of the caller",
	Looks: "a slice without pointers, or the bytes of a buffer, that a function makes and returns, when those who call it look at it and do not keep it.",
	Wrong: "when other callers keep the result: they would have to copy it.",
	Before: `func (u *User) Encode() []byte {
	b := make([]byte, 0, 64)
	return append(b, u.Name...)
}`,
	After: `func (u *User) AppendTo(b []byte) []byte {
	return append(b, u.Name...)
}`,
	Model: "With a buffer that is used again all of it goes, but for the first time.",
	Risk:  API,
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.8, 1}},
	find:  findCallerBuffer,
}

func findCallerBuffer(p *Place) (f Finding) {
	for _, o := range p.memory() {
		t := p.follow(o.value)
		if len(t.returned) == 0 || len(t.kept) > 0 || len(t.lent) > 0 || len(t.toValues) > 0 || !o.plain || p.leavesBy(o.value.Pos(), false) {
			continue
		}
		calls := p.knownCalls(o.value.Parent(), o.callers)
		if len(calls) == 0 {
			continue
		}
		evidence := []Evidence{p.at(o.value.Pos(), o.text), p.at(t.returned[0], "it is returned")}
		for _, c := range calls {
			if v := c.Value(); v == nil || !p.followAs(t.how, nil, v).stays() {
				evidence = nil
				break
			} else if len(evidence) < 4 {
				evidence = append(evidence, p.at(c.Pos(), "this caller does not keep it"))
			}
		}
		if evidence != nil {
			return Finding{Evidence: evidence, Share: o.share}
		}
	}
	return f
}

// knownCalls returns the calls of a function in the program itself, tests left out; nil if
// there are none, or the profile shows others.
func (p *Place) knownCalls(fn *ssa.Function, shown []prof.Frame) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	var lines []Evidence
	for _, c := range p.callsOf(fn) {
		e := p.at(c.Pos(), "")
		lines = append(lines, Evidence{File: e.File, Line: e.Line})
		if !strings.HasSuffix(e.File, "_test.go") {
			all = append(all, c)
		}
	}
	for _, f := range shown {
		if f.File != "" && p.units[f.File] != nil && !slices.Contains(lines, Evidence{File: f.File, Line: f.Line}) {
			return nil
		}
	}
	return all
}

var typedPool = &Rule{
	Name:  "typed-pool",
	Title: "take it out of a pool and put it back (lessgc/pool)",
	Looks: "a buffer that grows, a map, an object or slice of 256 bytes or more, or a reader or writer of the standard library that has Reset, which does not leave the function that makes it, or any that has a constructor make it. A struct of 256 bytes or more, all that the line makes, also if slices of its fields leave: it is zeroed before it goes back; and if, by its type, nothing outside a function that makes one can hold it when that ends. A map is cleared before it goes back.",
	Wrong: "when what it is given to keeps it all the same: a method of an interface that breaks its contract, as io.Writer forbids, or a function of another module. Then the next user overwrites it. When objects differ in size by much: bound what is put back, as pool.Buffers does.",
	Before: `var buf bytes.Buffer
encode(&buf, v)
w.Write(buf.Bytes())`,
	After: `buf := buffers.Get(0)
defer buffers.Put(buf)
encode(buf, v)
w.Write(buf.Bytes())`,
	Model: "A pooled object is not allocated but for the first time and after collections; Get and Put cost about as much as one small allocation.",
	Risk:  Lifetime,
	Saves: Saves{Alloc: Range{0.4, 1}, Collect: Range{0.7, 1}},
	find:  findPool,
}

// leastPooled is the size in bytes below which an allocation costs no more than a pool.
const leastPooled = 256

func findPool(p *Place) (f Finding) {
	for _, o := range p.memory() {
		if !o.grows && p.objectSize() < leastPooled {
			continue
		}
		drops := p.drops(o, p.followAs)
		if drops == nil && p.onlyStruct(o.value) {
			if drops = p.drops(o, func(how link, dynamic []types.Type, values ...ssa.Value) fate {
				return p.followZeroed(how, dynamic, values[0])
			}); drops != nil {
				drops = append(drops, p.at(o.value.Pos(), "zero it before it is put back: slices that it refers to are kept"))
			}
		}
		if drops == nil {
			drops = p.droppedByType(o)
		}
		if drops == nil {
			continue
		}
		return Finding{Evidence: append([]Evidence{p.at(o.value.Pos(), o.text)}, drops...), Share: o.share,
			Edits: p.sketchPool(o.value.Pos()), Sketch: true}
	}
	return f
}

// A following is a way to find the fate of an object that values lead to.
type following func(how link, dynamic []types.Type, values ...ssa.Value) fate

// drops is the evidence that an object is left by the function that makes it, or by those that have a
// constructor make it; nil if there is none.
func (p *Place) drops(o object, follow following) []Evidence {
	t := follow(refers, nil, o.value)
	if drops := p.droppedByCallers(o, t, follow); drops != nil {
		return drops
	}
	if !t.stays() || p.leavesBy(o.value.Pos(), true) {
		return nil
	}
	var drops []Evidence
	if len(t.lent) > 0 && t.lent[0].IsValid() {
		drops = append(drops, p.at(t.lent[0], "it is given to a method of an interface here, whose contract forbids to keep it"))
	} else {
		drops = append(drops, p.at(o.value.Pos(), "it does not leave "+nameOf(o.value.Parent())))
	}
	if len(t.toValues) > 0 && t.toValues[0].IsValid() {
		drops = append(drops, p.at(t.toValues[0], "it is given to a function value or interface here: none that these packages have keeps it"))
	}
	return drops
}

// onlyStruct reports whether a value points to a struct that is all the line makes by itself.
func (p *Place) onlyStruct(v ssa.Value) bool {
	made, ok := v.(*ssa.Alloc)
	if in, share := p.only(); !ok || in != made || share == 0 {
		return false
	}
	_, ok = elemOf(made).Underlying().(*types.Struct)
	return ok
}

// droppedByType is the evidence that a function below which nearly all objects of the line are made, one in
// each call, drops them: nil if there is none. By their types, nothing outside can hold one.
func (p *Place) droppedByType(o object) []Evidence {
	if !p.onlyStruct(o.value) || len(p.site.Leaves) == 0 {
		return nil
	}
	of, ok := types.Unalias(elemOf(o.value.(*ssa.Alloc))).(*types.Named)
	if !ok || of.TypeArgs().Len() > 0 {
		return nil
	}
	stack := append([]prof.Frame{p.site.Frame}, p.site.Leaves[0].Callers...)
	for i, f := range stack[:min(len(stack), nearest)] {
		at := p.function(f)
		if at == nil || p.inTest(at.node.Pos()) || p.leavesBy(o.value.Pos(), i == 0) || len(p.loopsAt(f)) > 0 || i > 0 && p.callsItself(stack[:i+1]) {
			return nil
		}
		if fn := p.fns[at.node]; fn != nil && p.madeBelow(f.Func) >= mostOfBytes && p.confine(of).dropsAll(fn) {
			return []Evidence{p.dropped(fn, of)}
		}
	}
	return nil
}

// nearest is how many calls above a line the function is that has to put an object back.
const nearest = 4

// droppedByCallers is the evidence that an object is returned by its constructor, and left by none of the
// functions that call that; nil if there is none.
func (p *Place) droppedByCallers(o object, t fate, follow following) (drops []Evidence) {
	if len(t.returned) == 0 || len(t.kept) > 0 || len(t.toValues) > 0 || p.leavesBy(o.value.Pos(), false) {
		return nil
	}
	constructor := o.value.Parent()
	if !onlyReturns(constructor, t) {
		return nil
	}
	for _, call := range p.knownCalls(constructor, o.callers) {
		v := call.Value()
		if v == nil || constructor.Signature.Results().Len() != 1 || !follow(t.how, returnedTypes(constructor), v).stays() {
			return nil
		}
		drops = append(drops, p.at(call.Pos(), "it does not leave "+nameOf(call.Parent())+", which has it made"))
	}
	return drops[:min(len(drops), 3)]
}

// onlyReturns reports whether a function gives back the object of a fate, or nil, and nothing that it was
// given or has from elsewhere.
func onlyReturns(fn *ssa.Function, t fate) bool {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 1 || isConst(ret.Results[0]) {
			continue
		}
		_, phi := ret.Results[0].(*ssa.Phi)
		if phi || !slices.Contains(t.returned, ret.Pos()) {
			return false
		}
	}
	return true
}

// returnedTypes are the types of what a function returns as an interface.
func returnedTypes(fn *ssa.Function) (all []types.Type) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if made, ok := in.(*ssa.MakeInterface); ok {
				all = append(all, made.X.Type())
			}
		}
	}
	return all
}

// nameOf is a function's name in its package.
func nameOf(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return fn.Name()
	}
	return fn.RelString(fn.Pkg.Pkg)
}

// An object is memory that a line makes, or makes larger.
type object struct {
	value   ssa.Value // the reference to it
	text    string    // what it is
	plain   bool      // it holds no pointers
	grows   bool      // it is a buffer that grows, or has one
	share   float64   // of the line's bytes
	callers []prof.Frame
}

// memory are the objects that a line is about.
func (p *Place) memory() []object {
	fn := p.fns[p.fn.node]
	if fn == nil {
		return nil
	}
	var all []object
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if !p.onSite(in.Pos()) || !in.Pos().IsValid() {
				continue
			}
			switch in := in.(type) {
			case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
				if o, ok := p.made(in.(ssa.Value)); ok {
					all = append(all, o)
				}
			case *ssa.Call:
				all = append(all, p.inCall(in)...)
			}
		}
	}
	return all
}

// made is about an object or slice that the line makes itself.
func (p *Place) made(v ssa.Value) (object, bool) {
	o := object{value: v, share: p.direct(), callers: p.callers()}
	if o.share == 0 {
		return o, false
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		o.plain = !pointsInto(t.Elem())
		o.text = fmt.Sprintf("a %s is made for each call", short(t))
	case *types.Map:
		o.grows = true
		o.text = fmt.Sprintf("a %s is made for each call", short(t))
	case *types.Pointer:
		if a := v.(*ssa.Alloc); !a.Heap || a.Comment == "varargs" { // what append is given is on the stack
			return o, false
		}
		elem := t.Elem()
		if array, ok := elem.Underlying().(*types.Array); ok { // make with a constant size
			o.plain = !pointsInto(array.Elem())
			o.text = fmt.Sprintf("a []%s of %d elements is made for each call", short(array.Elem()), array.Len())
			return o, true
		}
		if _, ok := elem.Underlying().(*types.Struct); !ok {
			return o, false
		}
		o.text = fmt.Sprintf("a %s is made for each call", short(elem))
	}
	return o, true
}

// resets are constructors of the standard library whose result has a method Reset.
var resets = map[string]bool{
	"bufio.NewWriter": true, "bufio.NewWriterSize": true, "bufio.NewReader": true, "bufio.NewReaderSize": true,
	"compress/gzip.NewWriter": true, "compress/gzip.NewWriterLevel": true, "compress/gzip.NewReader": true, "compress/zlib.NewWriter": true,
	"compress/zlib.NewWriterLevel": true, "compress/flate.NewWriter": true, "compress/flate.NewReader": true, "compress/zlib.NewReader": true,
}

// inCall is about a buffer that a call makes larger, or an object of the standard library
// that it makes.
func (p *Place) inCall(call *ssa.Call) (all []object) {
	callee := call.Call.StaticCallee()
	if callee != nil && callee.Object() != nil {
		name := callee.Object().(*types.Func).FullName()
		if share := p.through(name); resets[name] && share > 0 {
			return []object{{value: call, text: name + " makes a new one for each call; it has Reset", grows: true, share: share}}
		}
	}
	share := p.leaves(growsBuffer)
	if share == 0 {
		return nil
	}
	for _, arg := range call.Call.Args {
		if !isBuffer(arg.Type()) && !isBufferInside(arg) {
			continue
		}
		for _, root := range p.roots(arg, p.callers(), 0) {
			all = append(all, object{value: root, text: "a new bytes.Buffer grows for each call", plain: true, grows: true, share: share, callers: p.callers()})
		}
	}
	return all
}

// growsBuffer says whether a leaf is the growth of a bytes.Buffer.
func growsBuffer(l site.Leaf) bool {
	return slices.ContainsFunc(l.Path, func(f prof.Frame) bool { return strings.HasPrefix(f.Func, "bytes.(*Buffer).") })
}

func isBuffer(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "bytes" && named.Obj().Name() == "Buffer"
}

// isBufferInside says whether an interface holds a buffer.
func isBufferInside(v ssa.Value) bool {
	made, ok := v.(*ssa.MakeInterface)
	return ok && isBuffer(made.X.Type())
}

// roots are where a reference to a buffer comes from: the variables, here or in functions
// that call this one, as far as the profile shows. nil if one of them is not known.
func (p *Place) roots(v ssa.Value, callers []prof.Frame, depth int) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Alloc:
		if isBuffer(v.Type()) {
			return []ssa.Value{v}
		}
		return p.stored(v, callers, depth)
	case *ssa.MakeInterface:
		return p.roots(v.X, callers, depth)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			if cell, ok := v.X.(*ssa.Alloc); ok {
				return p.stored(cell, callers, depth)
			}
		}
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil && callee.Object() != nil {
			switch callee.Object().(*types.Func).FullName() {
			case "bytes.NewBuffer":
				if isNilConst(v.Call.Args[0]) {
					return []ssa.Value{v}
				}
			}
		}
	case *ssa.Parameter:
		return p.arguments(v, callers, depth)
	}
	return nil
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// stored are the roots of what a variable holds.
func (p *Place) stored(cell *ssa.Alloc, callers []prof.Frame, depth int) (all []ssa.Value) {
	for _, r := range *cell.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == cell {
			roots := p.roots(s.Val, callers, depth)
			if roots == nil {
				return nil
			}
			all = append(all, roots...)
		}
	}
	return all
}

// arguments are the roots of what the calls that the profile shows give to a parameter.
func (p *Place) arguments(v *ssa.Parameter, callers []prof.Frame, depth int) (all []ssa.Value) {
	fn := v.Parent()
	i := slices.Index(fn.Params, v)
	for _, c := range p.callsOf(fn) {
		at := p.at(c.Pos(), "")
		shown := slices.ContainsFunc(callers, func(f prof.Frame) bool { return f.File == at.File && f.Line == at.Line })
		if !shown && depth == 0 || i >= len(c.Common().Args) || depth > 2 {
			continue
		}
		roots := p.roots(c.Common().Args[i], nil, depth+1)
		if roots == nil {
			return nil
		}
		all = append(all, roots...)
	}
	return all
}
