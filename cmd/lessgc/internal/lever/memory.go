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

// An object is memory that a line makes, or makes larger.
type object struct {
	value   ssa.Value // the reference to it
	text    string    // its description
	plain   bool      // it holds no pointers
	grows   bool      // it is a buffer that grows, or has one
	share   float64   // of the line's bytes
	callers []prof.Frame
}

// memory are the objects that a line is about.
func (p *Line) memory() []object {
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
func (p *Line) made(v ssa.Value) (object, bool) {
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
func (p *Line) inCall(call *ssa.Call) (all []object) {
	callee := call.Call.StaticCallee()
	if callee != nil && callee.Object() != nil {
		name := callee.Object().(*types.Func).FullName()
		if share := p.through(name); resets[name] && share > 0 {
			return []object{{value: call, text: name + " makes a new value for each call, although Reset would make a used one new", grows: true, share: share}}
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
			all = append(all, object{value: root, text: "a new bytes.Buffer grows in each call", plain: true, grows: true, share: share, callers: p.callers()})
		}
	}
	return all
}

// growsBuffer reports whether a leaf is the growth of a bytes.Buffer.
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

// isBufferInside reports whether an interface holds a buffer.
func isBufferInside(v ssa.Value) bool {
	made, ok := v.(*ssa.MakeInterface)
	return ok && isBuffer(made.X.Type())
}

// roots returns the variables that a reference to a buffer comes from, here or in
// functions that call this one, as far as the profile shows. It returns nil if one of
// them is not known.
func (p *Line) roots(v ssa.Value, callers []prof.Frame, depth int) []ssa.Value {
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
func (p *Line) stored(cell *ssa.Alloc, callers []prof.Frame, depth int) (all []ssa.Value) {
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
func (p *Line) arguments(v *ssa.Parameter, callers []prof.Frame, depth int) (all []ssa.Value) {
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
