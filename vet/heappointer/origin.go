package heappointer

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A holder is what keeps the memory alive that a value points to.
type holder uint8

const (
	others  holder = iota // something that is not seen
	program               // nothing has to: a constant, a variable of the package, nil
	regions               // the region itself
	callers               // the caller, perhaps no longer than the call
	nobody                // it is new
)

// holder returns what keeps alive what v points to, apart from where v is stored.
func (w *world) holder(v ssa.Value) holder { return w.trace().holder(v) }

// worst joins what is known of several values. One that is in a region shows that the
// code knows where its memory is: of the others is then nothing known.
func (t *tracer) worst(values []ssa.Value) holder {
	found, unseen := program, false
	for _, v := range values {
		switch h := t.holder(v); h {
		case regions:
			return regions
		case others:
			unseen = true
		default:
			found = max(found, h)
		}
	}
	if unseen && found == program {
		return others
	}
	return found
}

// holder is the same for a value within the calls that t has entered. One flat switch over the values.
func (t *tracer) holder(v ssa.Value) holder {
	if yes, depends := pointers(v.Type()); !yes && !depends || t.seen[key{v}] {
		return program
	}
	t.seen[key{v}] = true
	if _, made := v.(*ssa.MakeSlice); !made && t.lasting(v) {
		return regions
	}
	if t.kept(v) {
		return others
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function:
		return program
	case *ssa.Alloc:
		if v.Heap {
			return nobody
		}
		return others
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure:
		return nobody
	case *ssa.MakeInterface:
		if noPointers(v.X.Type()) {
			return boxed(v.X)
		}
		switch v.X.Type().Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
			return t.holder(v.X) // it is the pointer itself
		}
		return nobody
	case *ssa.BinOp:
		return nobody
	case *ssa.Convert:
		return t.converted(v)
	case *ssa.ChangeType:
		return t.holder(v.X)
	case *ssa.ChangeInterface:
		return t.holder(v.X)
	case *ssa.TypeAssert:
		return t.holder(v.X)
	case *ssa.Slice:
		return t.holder(v.X)
	case *ssa.FieldAddr:
		return t.holder(v.X)
	case *ssa.IndexAddr:
		return t.holder(v.X)
	case *ssa.Field:
		return t.holder(v.X)
	case *ssa.Index:
		return t.holder(v.X)
	case *ssa.Phi:
		return t.worst(v.Edges)
	case *ssa.Extract:
		return t.extracted(v)
	case *ssa.Call:
		return t.returned(v, 0)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return t.loaded(v.X)
		}
	case *ssa.Lookup:
		return t.container(v.X)
	case *ssa.Parameter:
		return t.passed(v)
	case *ssa.FreeVar:
		if b := t.binding(v); b != nil {
			return t.holder(b)
		}
	}
	return others
}

// key sets what holder has seen apart from what memory has.
type key struct{ ssa.Value }

// boxed returns the holder of a value without pointers that is converted to an interface.
func boxed(v ssa.Value) holder {
	if _, ok := v.(*ssa.Const); ok {
		return program
	}
	if b, ok := v.Type().Underlying().(*types.Basic); ok && (b.Kind() == types.Bool || b.Kind() == types.Uint8 || b.Kind() == types.Int8) {
		return program // the runtime has a table of them
	}
	if s, ok := v.Type().Underlying().(*types.Struct); ok && s.NumFields() == 0 {
		return program
	}
	return nobody
}

// lasting reports whether v points into a region, not only to bytes that will not be one.
func (t *tracer) lasting(v ssa.Value) bool {
	if !points(v.Type()) && !ssautil.IsString(v.Type()) {
		return false
	}
	m := t.world.memory(v)
	return m.kind == region && !m.fresh
}

// kept reports whether v is stored elsewhere too, where the collector finds it.
func (t *tracer) kept(v ssa.Value) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == v && t.keeps(r.Addr) {
				return true
			}
		case *ssa.MapUpdate:
			if r.Map != v {
				return true
			}
		case *ssa.MakeInterface:
			if t.kept(r) {
				return true
			}
		case ssa.CallInstruction:
			n := calleeName(r.Common())
			switch n[strings.LastIndexByte(n, '.')+1:] {
			case "Pin", "Keep", "KeepAlive":
				return true
			}
		}
	}
	return false
}

// keeps reports whether what is stored at addr is kept alive by that.
func (t *tracer) keeps(addr ssa.Value) bool {
	switch a := addr.(type) {
	case *ssa.Global:
		return true
	case *ssa.FieldAddr:
		if _, local := a.X.(*ssa.Alloc); local {
			return false
		}
		return t.world.memory(a.X).kind != region
	case *ssa.IndexAddr:
		array, ok := a.X.(*ssa.Alloc)
		if !ok {
			return t.world.memory(a.X).kind != region
		}
		return t.appended(array)
	}
	return false
}

// appended reports whether an array, the arguments of a variadic call, is appended to a slice
// that is not in a region.
func (t *tracer) appended(array *ssa.Alloc) bool {
	for s := range ssautil.Uses[*ssa.Slice](array) {
		for call := range ssautil.Uses[*ssa.Call](s) {
			if ssautil.IsAppend(call) && t.world.memory(call.Call.Args[0]).kind != region {
				return true
			}
		}
	}
	return false
}

// converted follows conversions. Those between strings and slices copy.
func (t *tracer) converted(v *ssa.Convert) holder {
	if address(v.Type()) && address(v.X.Type()) {
		return t.holder(v.X)
	}
	if _, ok := v.X.(*ssa.Const); ok {
		return program
	}
	if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
		return others
	}
	return nobody
}

func (t *tracer) extracted(v *ssa.Extract) holder {
	switch x := v.Tuple.(type) {
	case *ssa.Call:
		return t.returned(x, v.Index)
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return t.holder(x.X)
		}
	case *ssa.Lookup:
		if v.Index == 0 {
			return t.container(x.X)
		}
	case *ssa.Next:
		if r, ok := x.Iter.(*ssa.Range); ok {
			return t.container(r.X)
		}
	}
	return others
}

// container returns the holder of the elements of v, which v keeps alive.
func (t *tracer) container(v ssa.Value) holder {
	h := others
	if p, ok := v.(*ssa.Parameter); ok && (t.fn == nil || p.Parent() != t.fn) {
		h = t.given(p)
	} else {
		h = t.holder(v)
	}
	if h == callers || h == program {
		return h
	}
	return others
}

// loaded returns the holder of the value that is read from addr.
func (t *tracer) loaded(addr ssa.Value) holder {
	if c := t.cell(addr); c != nil {
		values, ok := t.stored(c)
		values = append(values, fieldsOf(c)...)
		if !ok || len(values) == 0 {
			return others
		}
		return t.worst(values)
	}
	switch a := addr.(type) {
	case *ssa.Global:
		return program
	case *ssa.Call:
		return t.dereferenced(a)
	case *ssa.FieldAddr:
		if c, ok := a.X.(*ssa.Alloc); ok && !escapes(c) {
			if values := storesToField(c, a.Field); len(values) > 0 {
				return t.worst(values)
			}
		}
		if t.world.memory(a.X).kind == region {
			return regions
		}
	case *ssa.IndexAddr:
		if t.world.memory(a.X).kind == region {
			return regions
		}
		return t.container(a.X)
	case *ssa.Convert:
		for {
			switch x := a.X.(type) {
			case *ssa.Convert:
				a = x
				continue
			case *ssa.Alloc:
				if values, ok := t.stored(x); ok {
					return t.worst(values)
				}
			}
			return others
		}
	}
	return others
}

// dereferenced returns the holder of what is read from the result of a call: if that is a struct that
// the callee has made, the holder of the values that it has put there.
func (t *tracer) dereferenced(call *ssa.Call) holder {
	fn := call.Call.StaticCallee()
	if fn == nil || t.memory(call).kind == region {
		return others
	}
	var values []ssa.Value
	for _, v := range returned(ssautil.Generic(fn), 0) {
		made, ok := v.(*ssa.Alloc)
		if !ok || t.kept(made) {
			return others
		}
		values = append(values, fieldsOf(made)...)
	}
	in := t.enter(call, ssautil.Generic(fn))
	if len(values) == 0 || in == nil {
		return others
	}
	return in.worst(values)
}

// storesToField returns the values that are stored in a field of a local struct.
func storesToField(c *ssa.Alloc, i int) (list []ssa.Value) {
	for f := range ssautil.FieldAddrs(c, i) {
		list = append(list, storesTo(f)...)
	}
	return list
}

// escapes reports whether the address of a local struct goes anywhere, or all of it is
// assigned at once.
func escapes(c *ssa.Alloc) bool {
	for r := range ssautil.Uses[ssa.Instruction](c) {
		switch r.(type) {
		case *ssa.FieldAddr, *ssa.UnOp, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}

// passed returns the holder of the values that callers pass for a parameter.
func (t *tracer) passed(p *ssa.Parameter) holder {
	if t.fn != nil && p.Parent() == t.fn {
		if v := argument(t.call, p); v != nil {
			return t.up.holder(v)
		}
	}
	if t.handle(p.Type()) || t.native(p.Type()) {
		return others
	}
	return t.given(p)
}

// given is passed without a look at the type.
func (t *tracer) given(p *ssa.Parameter) holder {
	calls, all := t.callers(p.Parent())
	var values []ssa.Value
	for _, c := range calls {
		v := argument(c.Common(), p)
		if v == nil || onHeap(c) {
			continue
		}
		values = append(values, v)
	}
	switch {
	case p.Parent().Parent() != nil && !all:
		return others // what calls a function literal may pass anything
	case t.values[ssautil.Generic(p.Parent())] || p.Parent().Signature.Recv() != nil && t.invoked[p.Parent().Name()]:
		return others
	case all && len(values) > 0:
		return t.worst(values)
	case all:
		return others
	}
	switch h := t.worst(values); {
	case h == regions:
		return regions
	case h != nobody && isUnsafePointer(p.Type()):
		return others // it may lead to memory of C: no caller is seen to pass a Go pointer
	}
	return callers
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// onHeap reports whether a call passes nil where an arena is wanted, which is the heap.
func onHeap(call ssa.CallInstruction) bool {
	c := call.Common()
	for _, v := range c.Args {
		if isArena(v.Type()) && nilAt(v, call.Block()) {
			return true
		}
	}
	return false
}

// isArena reports whether t is an arena: of a library that is known, or by the convention that it is the
// type Arena of a package whose name ends in arena.
func isArena(t types.Type) bool {
	known := catalog.TypeOf(t)
	if known.Arena != catalog.None || known.Confined || catalog.Receives(t, inRegion) {
		return true
	}
	return strings.HasSuffix(catalog.Unversioned(ssautil.TypeName(t)), "arena.Arena")
}

// inRegion reports whether a function returns bytes or a string in memory that the collector does not scan.
func inRegion(f *catalog.Function) bool {
	return f.Memory == catalog.UnscannedRaw || f.Memory == catalog.UnscannedText
}

// handle reports whether t is an arena, or a struct of the package that has the bytes of one:
// whoever uses its memory keeps it.
func (t *tracer) handle(typ types.Type) bool {
	if isArena(typ) {
		return true
	}
	p, ok := typ.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if isArena(f.Type()) {
			return true
		}
		if e := ssautil.Elem(f.Type()); e != nil && len(t.fields[f.Origin()]) > 0 && t.world.trace().all(t.fields[f.Origin()]).kind == region {
			return true
		}
	}
	return false
}

// taken reports whether v may be memory that gets its type here.
func taken(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Call, *ssa.Convert:
		return true
	}
	return false
}

// native reports whether t is a pointer to, or a slice of, what the package takes memory of
// regions for: whoever passes it has probably got it there.
func (t *tracer) native(typ types.Type) bool {
	e := ssautil.Elem(typ)
	return e != nil && t.allocated()[types.TypeString(e, nil)]
}

// allocated are the types for which the package takes memory of regions.
func (w *world) allocated() map[string]bool {
	if w.within != nil {
		return w.within
	}
	w.within = map[string]bool{}
	for _, fn := range w.funcs {
		for instr := range ssautil.Instructions(fn) {
			v, ok := instr.(ssa.Value)
			if !ok {
				continue
			}
			if e := ssautil.Elem(v.Type()); taken(v) && e != nil && hasPointers(e) && w.memory(v).kind == region {
				w.within[types.TypeString(e, nil)] = true
			}
		}
	}
	return w.within
}

// returned returns the holder of the result i of a call.
func (t *tracer) returned(call *ssa.Call, i int) holder {
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "String", "Slice", "SliceData", "StringData", "Add":
			return t.holder(c.Args[0])
		case "append":
			if h := t.holder(c.Args[0]); h == regions {
				return h
			}
			return nobody
		case "min", "max":
			return t.worst(c.Args)
		}
		return others
	}
	f := c.StaticCallee()
	n := calleeName(c)
	if isC, _ := fromC(n); f == nil || isC {
		return others
	}
	if o := ssautil.Generic(f); o.Blocks != nil {
		return t.inside(call, o, i)
	}
	if catalog.Callee(c).Part {
		return t.holder(c.Args[0])
	}
	if object, ok := f.Object().(*types.Func); !ok || !catalog.Says(object, func(f *catalog.Function) bool { return f.Fresh }) {
		return others
	}
	typ := resultType(call, i)
	if _, slice := typ.Underlying().(*types.Slice); slice || ssautil.IsString(typ) {
		return nobody
	}
	return others
}

// enter follows a call; nil if it is too deep, or in there already.
func (t *tracer) enter(call *ssa.Call, fn *ssa.Function) *tracer {
	depth := 0
	for up := t; up != nil; up = up.up {
		if depth++; up.fn == fn || depth > maxDepth {
			return nil
		}
	}
	return &tracer{world: t.world, seen: map[any]bool{}, fn: fn, call: call.Common(), up: t}
}

// inside returns the holder of the result i of a function of the package, given the arguments of this
// call.
func (t *tracer) inside(call *ssa.Call, fn *ssa.Function, i int) holder {
	in := t.enter(call, fn)
	if in == nil {
		return program
	}
	found := program
	for _, r := range returned(fn, i) {
		switch h := in.holder(r); h {
		case regions, others:
			return h
		default:
			found = max(found, h)
		}
	}
	return found
}
