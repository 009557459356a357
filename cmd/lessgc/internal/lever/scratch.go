package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var scratch = &Lever{
	Name:  "scratch",
	Title: "keep the scratch space of a call for the next",
	way:   reuse,
	Looks: "a slice, array, map, buffer, image, object or reflect.New that a function makes for each call, and that nothing has when it ends, or when those end that call it, but for calls which it is given to and whose code is not known: methods of interfaces, function values, reflection, other modules.",
	Wrong: "when what is called keeps it, as a queue or a cache does, or gives it to a goroutine. When the function calls itself: each call needs its own, which a pool has and the receiver has not.",
	Before: `func (r *lineReader) index() error {
	buf := make([]byte, 1024) // moved to the heap: r.src is an interface
	n, err := r.src.ReadAt(buf, r.off)
	...`,
	After: `func (r *lineReader) index() error {
	n, err := r.src.ReadAt(r.buf[:], r.off) // a [1024]byte of the lineReader
	...`,
	Model: "It is allocated once for each receiver, or for each goroutine at a time. What has to be cleared still is.",
	Risk:  Lifetime,
	Asks:  "Does what is called use it during the call only? Then keep it in the receiver if one goroutine at a time has that, or in a sync.Pool; a small array can be the caller's, on its stack.",
	Saves: Saves{Alloc: Range{0.4, 0.95}, Collect: Range{0.6, 0.95}},
	find:  findScratch,
}

// leastHanded is the size in bytes of what is worth a look into the functions that a value may be.
const leastHanded = 64

func findScratch(p *Line) (f Finding) {
	if !p.madeAgain() || p.inPool() {
		return f
	}
	for _, o := range p.temporary() {
		c := p.course(o.value)
		if !c.dropped() || len(c.keeps) > 0 && !(calledFor(o.value) && p.objectSize() >= leastRoomMade) || c.public || c.returned && p.isResult(o.value) || !p.calledWith(o, c) {
			continue
		}
		evidence := []Evidence{p.at(o.pos, o.text+p.perOperation()), p.lastUse(o, c)}
		if e, ok := p.handedOn(o.value, c); ok {
			evidence[1] = e
		}
		if e, ok := p.ownReceiver(o.value.Parent()); ok {
			evidence = append(evidence, e)
		}
		return Finding{Share: o.share, Evidence: evidence}
	}
	return f
}

// calledFor reports whether a value is what a call returns.
func calledFor(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && call.Call.StaticCallee() != nil
}

// temporary is the memory that the line makes and that may be scratch space.
func (p *Line) temporary() (all []owned) {
	for _, o := range p.owned() {
		if o.value != nil && !isStructVariable(o.value) {
			all = append(all, o)
		}
	}
	for in := range p.instructions() {
		all = append(all, p.temporaryBy(in)...)
	}
	return all
}

// isStructVariable reports whether a value is a struct that the source has a name for: what moves it to the heap is its
// address.
func isStructVariable(v ssa.Value) bool {
	made, ok := v.(*ssa.Alloc)
	if !ok || made.Comment == "complit" || made.Comment == "new" {
		return false
	}
	_, isStruct := elemOf(made).Underlying().(*types.Struct)
	return isStruct
}

// temporaryBy is memory besides that of owned: what append makes larger, buffers, variables, and what reflection makes.
func (p *Line) temporaryBy(in ssa.Instruction) (all []owned) {
	switch in := in.(type) {
	case *ssa.Alloc:
		if _, basic := elemOf(in).Underlying().(*types.Basic); basic && in.Heap && in.Comment != "varargs" && in.Comment != "new" && p.direct() > 0.5 {
			return []owned{{text: fmt.Sprintf("the variable %s, a %s, which its address moves to the heap", in.Comment, short(elemOf(in))), pos: in.Pos(), share: p.direct(), value: in}}
		}
	case *ssa.MapUpdate:
		if made, ok := in.Map.(*ssa.MakeMap); ok && p.direct() > 0.5 {
			return []owned{{text: "a " + short(made.Type()) + " grows", pos: in.Pos(), share: p.direct(), value: made, isMap: true}}
		}
	case *ssa.Call:
		name := ""
		if callee := in.Call.StaticCallee(); callee != nil {
			name = fullName(callee)
		}
		switch {
		case name == "reflect.New" || name == "reflect.MakeSlice" || name == "reflect.MakeMap":
			return []owned{{text: "what " + name + " makes", pos: in.Pos(), share: p.through(name), value: in}}
		case name == "" && p.direct() > 0.5 && emptyBefore(in, map[ssa.Value]bool{}) && !in.Call.IsInvoke():
			return []owned{{text: "a " + short(in.Type()) + " that grows", pos: in.Pos(), share: p.direct(), value: in, isMap: true}}
		}
		if made, ok := p.withRoom(in); ok {
			return []owned{made}
		}
		for _, o := range p.inCall(in) {
			if in := o.value; isBuffer(in.Type()) && o.share > 0.5 {
				all = append(all, owned{text: "a bytes.Buffer that grows", pos: in.Pos(), share: o.share, value: in, isMap: true})
			}
		}
	}
	return all
}

// leastRoomMade is the size in bytes of what a constructor of another module makes and is worth a pool.
const leastRoomMade = 1024

// withRoom returns the object of a constructor of another module or of the standard library, if its type has the
// memory in a field that users may set: they may as well bring their own.
func (p *Line) withRoom(in *ssa.Call) (o owned, ok bool) {
	callee := in.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) > 0 || !strings.HasPrefix(callee.Name(), "New") || p.objectSize() < leastRoomMade {
		return o, false
	}
	pointer, ok := in.Type().Underlying().(*types.Pointer)
	if !ok {
		return o, false
	}
	made, ok := pointer.Elem().Underlying().(*types.Struct)
	if !ok {
		return o, false
	}
	for field := range made.Fields() {
		slice, ok := field.Type().Underlying().(*types.Slice)
		if !ok || !field.Exported() {
			continue
		}
		if _, basic := slice.Elem().Underlying().(*types.Basic); basic {
			name := fullName(callee)
			return owned{text: fmt.Sprintf("a %s of %s, with its %s", short(in.Type()), name, field.Name()), pos: in.Pos(), share: p.through(name), value: in}, true
		}
	}
	return o, false
}

// retaining holds the beginnings of the names of functions that keep what they are given.
var retaining = []string{"add", "put", "set", "store", "push", "append", "insert", "register", "send", "enqueue", "submit", "subscribe", "publish", "attach",
	"new", "with", "schedule", "spawn", "go", "cache", "save", "queue", "replace", "assign", "link", "watch", "wrap", "make", "keep", "join", "notify", "start"}

// decoding holds those of functions that take what is in the memory out of it, or put it in, mostly to keep it.
var decoding = []string{"unmarshal", "decode", "scan", "bind", "parse", "convert", "load"}

// retains reports whether a function keeps what it is given, by its name.
func retains(name string, o owned) bool {
	return beginsWith(name, retaining) && !(name == "SetMapIndex" && o.text == "what reflect.New makes") // which copies it
}

func beginsWith(name string, all []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(name, s) })
}

// calledWith reports whether there are calls of what is not known that are given the memory, or it is handed up
// to a caller, and no call retains it by its name.
func (p *Line) calledWith(o owned, c *course) bool {
	if len(c.unknown) == 0 && len(c.lent) == 0 && !c.returned {
		return false
	}
	return !slices.ContainsFunc(c.unknown, func(in ssa.CallInstruction) bool {
		name := calledName(in)
		return retains(name, o) || holdsPointers(o.value.Type()) && beginsWith(name, decoding) || isCallback(in) && p.objectSize() < leastHanded
	})
}

// holdsPointers reports whether memory of a type, as a value refers to it, has pointers in it.
func holdsPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return pointsInto(u.Elem())
	case *types.Slice:
		return pointsInto(u.Elem())
	}
	return true
}

// calledName is the name of the function that a call is of, as far as it is known.
func calledName(in ssa.CallInstruction) string {
	common := in.Common()
	if common.IsInvoke() {
		return common.Method.Name()
	}
	if callee := common.StaticCallee(); callee != nil {
		return callee.Name()
	}
	if field := loadedField(common.Value); field != nil {
		return fieldOf(field).Name()
	}
	return common.Value.Name()
}

// isResult reports whether a value is an object of a named type, which its constructor is there to make.
func (p *Line) isResult(v ssa.Value) bool {
	made, ok := v.(*ssa.Alloc)
	return ok && namedOf(made.Type()) != nil && p.objectSize() < leastPooled
}

// lastUse is the evidence of what is done with the memory last, as far as the source shows.
func (p *Line) lastUse(o owned, c *course) Evidence {
	if len(c.unknown) == 0 && len(c.lent) == 0 {
		return p.at(o.pos, "it is returned, and none of those that call "+nameOf(o.value.Parent())+" keeps it")
	}
	in := append(slices.Clone(c.unknown), c.lent...)[0] // what is not known first
	what := "a function value"
	switch common := in.Common(); {
	case common.IsInvoke():
		what = "method " + common.Method.Name() + " of an interface"
	case common.StaticCallee() != nil:
		what = fullName(common.StaticCallee())
	}
	pos := in.Pos()
	if !pos.IsValid() {
		pos = o.pos
	}
	return p.at(pos, fmt.Sprintf("%s is given it here; nothing else that is known keeps it", what))
}

// handedOn is the evidence that a caller gives what a function returns to another function, and drops it: it is an
// intermediate result.
func (p *Line) handedOn(v ssa.Value, c *course) (e Evidence, ok bool) {
	if !c.returned {
		return e, false
	}
	for _, call := range p.ownCalls(v.Parent()) {
		got := call.Value()
		if got == nil || call.Parent() == v.Parent() {
			continue
		}
		refs := slices.DeleteFunc(slices.Clone(*got.Referrers()), func(in ssa.Instruction) bool { _, debug := in.(*ssa.DebugRef); return debug })
		if len(refs) != 1 {
			continue
		}
		if made, isInterface := refs[0].(*ssa.MakeInterface); isInterface && len(*made.Referrers()) == 1 {
			refs = *made.Referrers()
		}
		if to, isCall := refs[0].(*ssa.Call); isCall && to.Call.StaticCallee() != nil {
			return p.at(call.Pos(), fmt.Sprintf("%s is given it here, and drops it: an intermediate result", nameOf(to.Call.StaticCallee()))), true
		}
	}
	return e, false
}

// ownReceiver is the evidence that the function is a method whose receiver one goroutine has.
func (p *Line) ownReceiver(fn *ssa.Function) (Evidence, bool) {
	if !p.hasState(fn) {
		return Evidence{}, false
	}
	return p.oneGoroutine(fn, 0)
}
