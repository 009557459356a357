package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var returnValue = &Lever{
	Name:    "return-value",
	Subject: "return the struct by value",
	Title:   "return the struct itself, instead of a pointer to it",
	Looks:   "a struct of 256 bytes or less that a function returns by a pointer or an interface, when the callers for which most of the bytes are made neither store it nor return it: they read its fields, or call its methods. Callers that only pass it on are followed to theirs.",
	Wrong:   "when a method of the struct keeps its pointer, or the callers call it by an interface all the same: then it is on the heap again, at another line.",
	Before: `func (t *table) lookup(name string) *property {
	p, ok := t.properties[name]
	if !ok {
		return nil
	}
	return &p // moved to the heap
}`,
	After: `func (t *table) lookup(name string) (property, bool) {
	p, ok := t.properties[name]
	return p, ok
}`,
	Model: "The object is on the stack of the caller. Copies of the struct cost less than an allocation up to some hundred bytes; a larger one is filled by a function that is given its address.",
	Risk:  API,
	Asks:  "Do the callers only use it while they run, as a value of its own type?",
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.8, 1}},
	Rewrite: "The function is not exported, has no deferred calls and no names of results, and is only called, in files that are loaded: no interface has a method of its name, no test, directive or assembly names it, and no file for other systems has its name or the struct's. " +
		"The struct is of the package and has 128 bytes or less, of which each copy takes eight moves of 16 bytes; it has no lock, and nothing of other packages that may know its own address. " +
		"Each statement of the function returns a new one, or nil with false or an error that is not nil. Until then nothing has been given a pointer to the struct or into it that may keep it: none is stored, not in the struct itself, captured, compared or returned beside it. " +
		"What else a statement returns beside a variable makes no calls, and beside a literal none that could change it. " +
		"Each caller drops the result, selects a field that it reads, or declares a variable that is set once, and not by the head of a loop; it is only selected from, followed, or given to functions that do not keep it, " +
		"and if the function may return nil, only where the failure is false or nil. The variable is then the only copy: its fields and its address mean what those of the object did.",
	find: findReturnValue,
}

const largestReturned = 256 // bytes of a struct

func findReturnValue(p *Line) (f Finding) {
	if f := p.returnsItself(); len(f.Edits) > 0 {
		return f
	}
	in, share := p.only()
	v, struc := returnedStruct(in)
	if v == nil || share == 0 || !p.smallStruct(struc, largestReturned) {
		return f
	}
	fate := p.follow(v)
	if len(fate.returned) == 0 || p.storesIn(fate, struc) || !returnsOne(in.Parent(), struc) {
		return f
	}
	up := &returning{p: p, made: v, ends: map[prof.Frame]outcome{}}
	most, share2 := int64(0), 0.0
	var last *ssa.Call
	for _, l := range p.site.Leaves {
		c := up.droppedBy(l.Callers)
		if c == nil {
			continue
		}
		share2 += float64(l.Bytes) / float64(max(p.site.Bytes, 1))
		if l.Bytes > most {
			most, last = l.Bytes, c
		}
	}
	if share2 < leastDropped {
		return f
	}
	made := fmt.Sprintf("a %s of %.0f bytes, which %s returns%s", short(struc), p.objectSize(), nameOf(in.Parent()), p.inEach())
	drops := fmt.Sprintf("%s neither stores it nor returns it, as far as the source shows; such callers have %.0f %% of the bytes", nameOf(last.Parent()), 100*share2)
	f = Finding{Share: share * share2, Evidence: []Evidence{p.at(in.Parent().Pos(), made), p.at(last.Pos(), drops)}}
	if isPublic(in.Parent()) {
		f.Evidence = append(f.Evidence, p.at(in.Parent().Pos(), fmt.Sprintf("others may call %s: keep it, as one line around a function of the package that returns the struct, and the compiler inlines it", in.Parent().Name())))
	}
	return f
}

const (
	leastDropped = 0.6 // of the bytes have to be dropped by the callers
	mostPassed   = 3   // functions that pass it on to their callers
)

// returnsOne reports whether a result of a function is a pointer to a type, or an interface: of others it has only a part.
func returnsOne(fn *ssa.Function, t types.Type) bool {
	for v := range fn.Signature.Results().Variables() {
		it, ok := v.Type().Underlying().(*types.Interface)
		if ok && (types.Implements(t, it) || types.Implements(types.NewPointer(t), it)) || isPointerTo(v.Type(), t) {
			return true
		}
	}
	return false
}

// returnedStruct is the pointer to a struct that an instruction allocates, or the interface made of one, and its type.
func returnedStruct(in ssa.Instruction) (ssa.Value, types.Type) {
	switch in := in.(type) {
	case *ssa.Alloc:
		if in.Comment != "varargs" {
			return in, elemOf(in)
		}
	case *ssa.MakeInterface:
		return in, in.X.Type()
	}
	return nil, nil
}

// smallStruct reports whether a type is a struct of at most some bytes that may be copied.
func (p *Line) smallStruct(t types.Type, most int64) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok && p.pkg.TypesSizes != nil && !hasTypeParameter(t) && !ownsLock(t) && p.pkg.TypesSizes.Sizeof(t) <= most
}

// ownsLock reports whether a type has something in itself that must not be copied. What it points to may.
func ownsLock(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path()+"/", "sync/") {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if ownsLock(field.Type()) {
				return true
			}
		}
	case *types.Array:
		return ownsLock(u.Elem())
	}
	return false
}

// storesIn reports whether an object is stored, sent or given to a goroutine, and not only to functions that are not known;
// or to one of these as an argument, for which it has to be on the heap, too.
func (p *Line) storesIn(fate fate, t types.Type) bool {
	return slices.ContainsFunc(fate.kept, func(pos token.Pos) bool {
		u := p.unitOf(pos)
		if u == nil {
			return true
		}
		at := p.function(prof.Frame{File: p.fset.Position(pos).Filename, Line: p.line(pos)})
		if at == nil || p.fns[at.node] == nil {
			return true
		}
		return !slices.ContainsFunc(p.fns[at.node].Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
				c, ok := in.(*ssa.Call)
				return ok && in.Pos() == pos && !storesArgument(c) && !givesAway(c, t)
			})
		})
	})
}

// givesAway reports whether a call gives a pointer to a struct to a function whose code is not known, other than as the
// receiver.
func givesAway(c *ssa.Call, t types.Type) bool {
	callee := c.Call.StaticCallee()
	if callee != nil && len(callee.Blocks) > 0 {
		return false
	}
	args := c.Call.Args
	if callee != nil && callee.Signature.Recv() != nil {
		args = args[1:]
	}
	return slices.ContainsFunc(args, func(v ssa.Value) bool {
		if made, ok := v.(*ssa.MakeInterface); ok {
			v = made.X
		}
		return isPointerTo(v.Type(), t)
	})
}

// storesArgument reports whether a call is one of a builtin function or of one that is there to keep what it is given.
func storesArgument(c *ssa.Call) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return true
	}
	name := nameOfCall(c)
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, prefix := range []string{"Put", "Set", "Store", "Add", "Push", "Insert", "Register", "Append"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// A returning follows a struct from the function that makes it to the callers that drop it.
type returning struct {
	p    *Line
	made ssa.Value
	ends map[prof.Frame]outcome
}

// An outcome is what a caller does with the result.
type outcome struct {
	call   *ssa.Call // that returns it; nil if it is stored, or not known
	passed bool      // to the caller of the caller
}

// droppedBy is the call whose function drops what it is given back; nil if it is kept, or passed too far. The frames are
// those above the function that makes it.
func (r *returning) droppedBy(callers []prof.Frame) *ssa.Call {
	fn := r.made.Parent()
	for _, f := range callers[:min(len(callers), mostPassed+1)] {
		if strings.HasSuffix(f.File, "_test.go") {
			return nil
		}
		e, ok := r.ends[f]
		if !ok {
			e = r.outcome(fn, f)
			r.ends[f] = e
		}
		if e.call == nil {
			return nil
		}
		if !e.passed {
			if fn == r.made.Parent() && inlines(fn) && e.call.Call.StaticCallee() != nil {
				return nil // inlined there, and on the heap for a reason that the source does not show
			}
			return e.call
		}
		fn = e.call.Parent()
	}
	return nil
}

// outcome returns what the caller at a line does with the result of a function.
func (r *returning) outcome(fn *ssa.Function, f prof.Frame) outcome {
	c := r.p.callAbove(fn, f)
	if c == nil {
		return outcome{}
	}
	var dynamic []types.Type
	if made, ok := r.made.(*ssa.MakeInterface); ok {
		dynamic = append(dynamic, made.X.Type())
	} else {
		dynamic = append(dynamic, r.made.Type())
	}
	fate := r.p.followZeroed(refers, dynamic, c)      // what its fields refer to may be returned
	if len(fate.kept) > 0 || len(fate.toValues) > 0 { // by value it would be on the heap, too
		return outcome{}
	}
	return outcome{c, len(fate.returned) > 0}
}

// inlines reports whether a function is so small that the compiler copies it into its callers.
func inlines(fn *ssa.Function) bool {
	n := 0
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.DebugRef, *ssa.FieldAddr, *ssa.Jump:
			case *ssa.Call:
				if _, ok := in.Call.Value.(*ssa.Builtin); !ok {
					n += 15
				}
			case *ssa.Defer, *ssa.Go, *ssa.Select, *ssa.RunDefers:
				return false
			default:
				n++
			}
		}
	}
	return n < 25
}
