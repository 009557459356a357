package heappointer

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A kind is memory by its owner.
type kind uint8

const (
	unknown kind = iota
	nothing      // nil, or a value that depends on itself
	scanned      // a variable with a type, on the heap or on a stack
	region       // memory that the collector does not scan
)

// A memory describes the memory that a pointer, a slice or an address points to.
type memory struct {
	kind  kind
	fresh bool      // bytes that a function has just made for itself
	cast  bool      // given its type by a conversion
	alloc bool      // handed out by something that allocates
	arena ssa.Value // that it was allocated from; nil is the heap
	at    token.Pos // the call or conversion that gave the memory its type
	what  string    // for messages
}

// hidden reports whether m is memory that the collector does not scan, seen from a block: it
// is not if its arena is nil there.
func (m memory) hidden(b *ssa.BasicBlock) bool {
	return m.kind == region && (m.arena == nil || !nilAt(m.arena, b))
}

// A tracer follows values to where they come from. What is met a second time is taken to
// be nothing.
type tracer struct {
	*world
	seen map[any]bool

	// Inside a function that was called, its parameters are what the call passes.
	fn   *ssa.Function
	call *ssa.CallCommon
	up   *tracer
}

// maxDepth bounds how many calls a tracer follows into each other.
const maxDepth = 8

func (w *world) trace() *tracer { return &tracer{world: w, seen: map[any]bool{}} }

// memory returns the memory that v points to.
func (w *world) memory(v ssa.Value) memory { return w.trace().memory(v) }

func (t *tracer) memory(v ssa.Value) memory {
	if t.seen[v] {
		return memory{kind: nothing}
	}
	t.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		if v.IsNil() {
			return memory{kind: nothing}
		}
	case *ssa.Convert:
		return t.convert(v)
	case *ssa.ChangeType:
		return t.memory(v.X)
	case *ssa.MultiConvert:
		return t.memory(v.X)
	case *ssa.SliceToArrayPointer:
		return t.memory(v.X)
	case *ssa.Slice:
		return t.advanced(t.memory(v.X), v, v.Low, v.High)
	case *ssa.IndexAddr:
		return t.advanced(t.memory(v.X), v, v.Index)
	case *ssa.BinOp:
		return t.arithmetic(v)
	case *ssa.FieldAddr:
		if m := inline(v, false); m.kind == region {
			return m
		}
		return t.memory(v.X)
	case *ssa.Alloc:
		return inline(v, true)
	case *ssa.Global:
		return inline(v, false)
	case *ssa.MakeSlice:
		if noPointers(ssautil.Elem(v.Type())) {
			return memory{kind: region, fresh: !keptAside(v), what: bytesOf(v)}
		}
		return memory{kind: scanned}
	case *ssa.Phi:
		return t.any(v.Edges)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return t.result(call, v.Index)
		}
	case *ssa.Call:
		return t.result(v, 0)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return t.load(v.X)
		}
	case *ssa.Parameter:
		return t.parameter(v)
	case *ssa.FreeVar:
		if b := t.binding(v); b != nil {
			return t.memory(b)
		}
	}
	return memory{}
}

// inline is the memory of a variable: if it is an array without pointers, the collector
// does not look into it.
func inline(v ssa.Value, fresh bool) memory {
	a, ok := ssautil.Elem(v.Type()).Underlying().(*types.Array)
	switch {
	case !ok || a.Len() == 0:
		return memory{kind: scanned}
	case noPointers(a):
		return memory{kind: region, fresh: fresh, what: bytesOf(v)}
	}
	return memory{kind: scanned}
}

// bytesOf returns the description of memory without a region of its own: "a []byte".
func bytesOf(v ssa.Value) string {
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return "a " + types.TypeString(t, (*types.Package).Name)
}

// convert follows conversions between pointers and addresses, and those of unsafe.
func (t *tracer) convert(v *ssa.Convert) memory {
	if !address(v.X.Type()) || !address(v.Type()) {
		return memory{}
	}
	m := t.memory(v.X)
	if e := ssautil.Elem(v.Type()); m.kind == region && e != nil && hasPointers(e) {
		if tooSmall(v.X, e) {
			return memory{}
		}
		m.at, m.cast = v.Pos(), true
	}
	return m
}

// tooSmall reports whether the array behind v has no room for an e: then the memory is not
// what its type says.
func tooSmall(v ssa.Value, e types.Type) bool {
	c, ok := v.(*ssa.Convert)
	if ok {
		v = c.X
	}
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	a, ok := p.Elem().Underlying().(*types.Array)
	if _, depends := pointers(e); !ok || depends {
		return false
	}
	sizes := types.SizesFor("gc", "amd64")
	return sizes.Sizeof(a) < sizes.Sizeof(e)
}

// address reports whether a value of type t is a pointer or an address.
func address(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr
	}
	return false
}

// arithmetic follows the address in a sum, or in one that is aligned.
func (t *tracer) arithmetic(v *ssa.BinOp) memory {
	if !address(v.Type()) {
		return memory{}
	}
	switch v.Op {
	case token.ADD, token.SUB, token.AND, token.AND_NOT:
		m := t.memory(v.X)
		if m.kind != region && v.Op == token.ADD {
			return t.advanced(t.memory(v.Y), v, v.X)
		}
		return t.advanced(m, v, v.Y)
	}
	return memory{}
}

// advanced is m as handed out by an allocator if one of the offsets is one that v's
// function moves on.
func (t *tracer) advanced(m memory, v ssa.Value, offsets ...ssa.Value) memory {
	if m.kind != region || m.alloc {
		return m
	}
	for _, o := range offsets {
		if o != nil && moves(v.Parent(), o, map[ssa.Value]bool{}) {
			m.alloc, m.fresh = true, false
			return m
		}
	}
	return m
}

// moves reports whether offset is read from a variable that fn also writes.
func moves(fn *ssa.Function, offset ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[offset] {
		return false
	}
	seen[offset] = true
	switch v := offset.(type) {
	case *ssa.BinOp:
		return moves(fn, v.X, seen) || moves(fn, v.Y, seen)
	case *ssa.Convert:
		return moves(fn, v.X, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if moves(fn, e, seen) {
				return true
			}
		}
	case *ssa.UnOp:
		return v.Op == token.MUL && writes(fn, v.X)
	case *ssa.Call:
		if strings.HasPrefix(calleeName(v.Common()), "(*sync/atomic.") || strings.HasPrefix(calleeName(v.Common()), "sync/atomic.Add") {
			return strings.Contains(calleeName(v.Common()), "Add")
		}
		if callee := v.Call.StaticCallee(); callee != nil && callee.Blocks != nil && callee != fn {
			for _, r := range returned(callee, 0) {
				if moves(callee, r, seen) {
					return true
				}
			}
		}
	}
	return false
}

// writes reports whether fn writes the variable or field at addr.
func writes(fn *ssa.Function, addr ssa.Value) bool {
	for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
		if s.Addr == addr {
			return true
		}
		x, ok1 := s.Addr.(*ssa.FieldAddr)
		y, ok2 := addr.(*ssa.FieldAddr)
		if ok1 && ok2 && ssautil.Field(x) != nil && ssautil.Field(x) == ssautil.Field(y) {
			return true
		}
	}
	return false
}

// returned returns the values that fn returns as its result i.
func returned(fn *ssa.Function, i int) (list []ssa.Value) {
	for r := range ssautil.Returns(fn) {
		if i < len(r.Results) {
			list = append(list, r.Results[i])
		}
	}
	return list
}

// keptAside reports whether v is also stored somewhere: it is then the memory of something
// that lasts.
func keptAside(v ssa.Value) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.Store:
			if _, local := r.Addr.(*ssa.Alloc); !local && r.Val == v {
				return true
			}
		case *ssa.Slice:
			if keptAside(r) {
				return true
			}
		}
	}
	return false
}

// any is the memory of one of several values: in a region if one is and the others are
// nil or variables, which is what a function does that falls back to the heap.
func (t *tracer) any(values []ssa.Value) memory {
	found := memory{kind: nothing}
	for _, v := range values {
		switch m := t.memory(v); {
		case m.kind == unknown:
			return m
		case m.kind > found.kind:
			found = m
		}
	}
	return found
}

// all is the memory of all of several values: in a region only if none is elsewhere.
func (t *tracer) all(values []ssa.Value) memory {
	found := memory{kind: nothing}
	for _, v := range values {
		m := t.memory(v)
		switch {
		case m.kind == unknown:
			return m
		case m.kind == nothing:
		case found.kind == nothing:
			found = m
		case m.kind != found.kind:
			return memory{}
		}
	}
	found.fresh = false
	return found
}

// load returns the memory that a pointer or slice read from addr points to.
func (t *tracer) load(addr ssa.Value) memory {
	if c := t.cell(addr); c != nil {
		values, ok := t.stored(c)
		if !ok || len(values) == 0 {
			return memory{}
		}
		return t.any(values)
	}
	switch a := addr.(type) {
	case *ssa.Global:
		return t.all(t.globals[a])
	case *ssa.FieldAddr:
		return t.fieldMemory(a)
	case *ssa.IndexAddr:
		return t.element(a.X)
	case *ssa.Convert:
		return t.pun(a)
	}
	return memory{}
}

// fieldMemory returns the memory that a field points to. A field without assignments is
// taken at its type, if only the package can assign to it.
func (t *tracer) fieldMemory(a *ssa.FieldAddr) memory {
	f := ssautil.Field(a)
	if f == nil {
		return memory{}
	}
	if s, ok := f.Type().Underlying().(*types.Slice); ok && len(t.fields[f]) == 0 && !f.Exported() && noPointers(s.Elem()) {
		return memory{kind: region, what: "a " + types.TypeString(f.Type(), (*types.Package).Name)}
	}
	return t.all(t.fields[f])
}

// pun returns the memory of a value that is read from a local variable through a pointer of
// another type: a slice as a string, a string as a slice.
func (t *tracer) pun(c *ssa.Convert) memory {
	for {
		switch x := c.X.(type) {
		case *ssa.Convert:
			c = x
			continue
		case *ssa.Alloc:
			if values, ok := t.stored(x); ok {
				return t.any(values)
			}
		}
		return memory{}
	}
}

// element returns the memory that the elements of a slice of slices or pointers point to.
func (t *tracer) element(v ssa.Value) memory {
	values, ok := t.elementsOf(v, map[ssa.Value]bool{})
	if !ok || len(values) == 0 {
		return memory{}
	}
	return t.all(values)
}

// elementsOf returns the values that are stored in the elements of v; ok is false if they
// are not known.
func (t *tracer) elementsOf(v ssa.Value, seen map[ssa.Value]bool) (list []ssa.Value, ok bool) {
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	if f := ssautil.LoadedField(v); f != nil {
		list, ok = t.elementsOfAll(t.fields[f], seen)
		return append(list, t.elements[f]...), ok
	}
	switch v := v.(type) {
	case *ssa.Const:
		return nil, true
	case *ssa.MakeSlice, *ssa.Alloc:
		return fieldsOf(v), true
	case *ssa.Slice:
		return t.elementsOf(v.X, seen)
	case *ssa.Phi:
		return t.elementsOfAll(v.Edges, seen)
	case *ssa.Call:
		if catalog.Callee(v.Common()).Appends {
			return t.elementsOfAll(v.Call.Args[1:], seen)
		}
		if ssautil.IsAppend(v) {
			return t.elementsOfAll(v.Call.Args, seen)
		}
	}
	return nil, false
}

// elementsOfAll returns the values that are stored in the elements of several slices; ok is
// false if some are not known.
func (t *tracer) elementsOfAll(values []ssa.Value, seen map[ssa.Value]bool) (list []ssa.Value, ok bool) {
	for _, v := range values {
		more, ok := t.elementsOf(v, seen)
		if !ok {
			return nil, false
		}
		list = append(list, more...)
	}
	return list, true
}

// parameter returns the memory of the arguments that all callers pass, if all are known.
func (t *tracer) parameter(p *ssa.Parameter) memory {
	calls, ok := t.callers(p.Parent())
	if !ok {
		return memory{}
	}
	var values []ssa.Value
	for _, c := range calls {
		v := argument(c.Common(), p)
		if v == nil {
			return memory{}
		}
		values = append(values, v)
	}
	return t.all(values)
}

// result returns the memory that the result i of a call points to.
func (t *tracer) result(call *ssa.Call, i int) memory {
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return t.builtin(call, b)
	}
	n, known := calleeName(c), catalog.Callee(c).Memory
	isC, cAlloc := fromC(n)
	switch {
	case known == catalog.UnscannedType && i == 0:
		return memory{kind: region, alloc: true, arena: first(c), at: call.Pos(), what: "memory of " + short(n)}
	case known == catalog.UnscannedRaw && i == 0:
		return memory{kind: region, alloc: true, arena: first(c), what: "memory of " + short(n)}
	case known == catalog.UnscannedText:
		return memory{kind: region, what: "memory of " + short(n)}
	case cAlloc:
		return memory{kind: region, alloc: true, what: "memory of C"}
	case isC:
		return memory{}
	}
	s := t.summaryOf(c)
	switch {
	case s != nil && s.making:
		return memory{kind: nothing}
	case s == nil || i >= len(s.Results) || !s.Results[i].Region:
		return memory{}
	}
	r := s.Results[i]
	m := memory{kind: region, alloc: r.Alloc, fresh: r.Fresh, what: r.What, arena: first(c)}
	if e := ssautil.Elem(resultType(call, i)); e != nil && hasPointers(e) {
		m.at = call.Pos()
	}
	return m
}

// first is the first argument of a call, which may be the arena.
func first(c *ssa.CallCommon) ssa.Value {
	switch {
	case c.IsInvoke():
		return c.Value
	case len(c.Args) > 0:
		return c.Args[0]
	}
	return nil
}

// resultType is the type of the result i of a call.
func resultType(call *ssa.Call, i int) types.Type {
	if r := call.Call.Signature().Results(); i < r.Len() {
		return r.At(i).Type()
	}
	return call.Type()
}

// short is the name of a function with its package's last element only.
func short(full string) string {
	full = strings.NewReplacer("(", "", ")", "", "*", "").Replace(full)
	return full[strings.LastIndexByte(full, '/')+1:]
}

func (t *tracer) builtin(call *ssa.Call, b *ssa.Builtin) memory {
	args := call.Call.Args
	switch b.Name() {
	case "SliceData", "StringData", "Slice", "String":
		return t.memory(args[0])
	case "Add":
		return t.advanced(t.memory(args[0]), call, args[1])
	case "append":
		m := t.memory(args[0])
		if e := ssautil.Elem(call.Type()); m.kind == nothing && e != nil && noPointers(e) {
			return memory{kind: region, fresh: true, what: bytesOf(call)}
		}
		return m
	}
	return memory{}
}

// points reports whether a value of type t is a pointer, a slice or an address.
func points(t types.Type) bool { return ssautil.Elem(t) != nil || address(t) }
