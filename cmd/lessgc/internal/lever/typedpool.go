package lever

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var typedPool = &Lever{
	Name:    "typed-pool",
	Title:   "take it out of a pool and put it back",
	Subject: "pool the temporary value",
	Looks:   "a buffer that grows, a map, an object or slice of 256 bytes or more, or a reader or writer of the standard library that has Reset, which does not leave the function that makes it, or any that has a constructor make it. A struct of 256 bytes or more, all that the line makes, also if slices of its fields leave: it is zeroed before it goes back; and if, by its type, nothing outside a function that makes one can hold it when that ends. A map is cleared before it goes back. Not where most of the bytes are in buffers and slices of more than 64 KiB, which a pool drops.",
	Wrong:   "when what it is given to keeps it all the same: a method of an interface that breaks its contract, as io.Writer forbids, or a function of another module. Then the next user overwrites it. When objects differ in size by much: bound what is put back.",
	Rewrite: "a bytes.Buffer, a slice that make makes, a map, or a pointer to a struct of 256 bytes to 64 KiB, in a variable that a statement of its own declares. No reference to the memory outlives the function, or the iteration in which it is made: none is returned, stored, sent, captured by a function literal or a method value, given to a goroutine, to code that is not known or to a function value, other than one out of an unexported field in which the package stores its own functions only, or deferred before it; a method of io.Writer, io.Reader and the like does not keep its argument by contract, and those of the program are looked at. The function neither recovers nor has a goto, and has no type parameters; in a loop, the iteration ends only behind its last statement. Each call has a value of its own, also if it calls itself or runs in several goroutines. It is as a new one: a slice has the same length and capacity, and is cleared, unless it only grows and nothing sees its capacity; of a buffer, nothing sees the capacity, tells nil bytes from none, or uses or changes bytes of it when others may have been written over them (Read calls may ask a reader for more at a time); a map and a slice of elements with pointers are cleared and a struct zeroed before they are put back, also after a panic (before Go 1.21, a map whose keys are equal to themselves). make panics for the same sizes. Buffers and slices of more than 64 KiB, and maps of more entries than the largest that was measured had room for (32 to 1024), which take as long to clear as they once were large, are not put back. A map that is made with room for more is made as before, and not put back even if few entries came: its room is a number or length by name, which in a loop nothing sets. Where only known functions are given such a map, it is on the stack with up to 8 entries, and cheaper there than in a pool: only a larger one comes out of the pool, and none in a loop. No call that leads back to the function comes after the last use of the value: it would be held for longer, at each depth. All pools of maps of a package have one limit, the largest that any needs. A pool of an earlier change is used again if it has the same type and new values, word for word, and nothing but its two functions uses it; these are given the room for a map where one is made with it, and 0 elsewhere.",
	Before: `var buf bytes.Buffer
encode(&buf, v)
w.Write(buf.Bytes())`,
	After: `buf := getBuffer() // of var bufferPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}
defer putBuffer(buf) // which drops one of more than 64 KiB
encode(buf, v)
w.Write(buf.Bytes())`,
	Model: "A pooled object is not allocated but for the first time and after collections; Get and Put cost about as much as one small allocation. A map, or a slice that its function appends to, keeps what it has grown to: its growth on other lines goes, too.",
	Risk:  Lifetime,
	Saves: Saves{Alloc: Range{0.4, 1}, Collect: Range{0.7, 1}},
	find:  findPool,
}

// leastPooled is the size in bytes below which an allocation costs no more than a pool.
const leastPooled = 256

// firstRoom is the number of bytes that a bytes.Buffer makes room for at first: one that needs no more is worth no pool.
const firstRoom = 64

func findPool(p *Line) (f Finding) {
	for _, o := range p.memory() {
		if !o.grows && p.objectSize() < leastPooled || o.grows && o.plain && p.objectSize() <= firstRoom {
			continue
		}
		drops := p.drops(o, p.followAs)
		if drops == nil && p.onlyStruct(o.value) {
			if drops = p.drops(o, func(how link, dynamic []types.Type, values ...ssa.Value) fate {
				return p.followZeroed(how, dynamic, values[0])
			}); drops != nil {
				drops = append(drops, p.at(o.value.Pos(), "other code keeps slices that the value refers to, so the value has to be zeroed before it is put back"))
			}
		}
		if drops == nil {
			drops = p.droppedByType(o)
		}
		if drops == nil || o.grows && p.withoutPool(o.value) || p.slicedOnStack().Edits != nil || len(findReceiverBuffer(p).Edits) > 0 {
			continue
		}
		small := p.smallShare(o.grows)
		if small < leastSmall {
			continue
		}
		f = Finding{Evidence: append([]Evidence{p.at(o.value.Pos(), o.text)}, drops...), Share: o.share * small}
		f.Edits, f.What = p.poolEdits(o)
		also, grows := p.alsoGrowth(o, f.Edits != nil)
		f.Also, f.Evidence = also, append(f.Evidence, grows...)
		if f.Edits == nil {
			f.Edits, f.Sketch = p.sketchPool(o.value.Pos()), true
		}
		return f
	}
	return f
}

// leastSmall is the share of the line's bytes that a pool has to keep.
const leastSmall = 0.5

// smallShare is the share of the line's bytes that is in objects which a pool keeps, as it drops larger ones: of what grows, with
// all steps to its size. It is 1 if the profile has no sizes.
func (p *Line) smallShare(grows bool) float64 {
	var ends []site.Size
	for _, l := range p.site.Leaves {
		for _, s := range l.Sizes {
			ends = site.AddSize(ends, s)
		}
	}
	if grows {
		ends = endsOf(ends)
	}
	return shareUpTo(ends, mostKept)
}

// shareUpTo is the share of the bytes that is in objects of at most a size; 1 of none.
func shareUpTo(sizes []site.Size, most int64) float64 {
	var small, all int64
	for _, e := range sizes {
		all += e.Bytes * e.Objects
		if e.Bytes <= most {
			small += e.Bytes * e.Objects
		}
	}
	if all == 0 {
		return 1
	}
	return float64(small) / float64(all)
}

// objectsUpTo is the share of the objects that have at most a size; 1 of none.
func objectsUpTo(sizes []site.Size, most int64) float64 {
	var small, all int64
	for _, e := range sizes {
		all += e.Objects
		if e.Bytes <= most {
			small += e.Objects
		}
	}
	if all == 0 {
		return 1
	}
	return float64(small) / float64(all)
}

// A following is a way to find the fate of an object that values lead to.
type following func(how link, dynamic []types.Type, values ...ssa.Value) fate

// drops is the evidence that an object is left by the function that makes it, or by those that have a
// constructor make it; nil if there is none.
func (p *Line) drops(o object, follow following) []Evidence {
	t := follow(refers, nil, o.value)
	if drops := p.droppedByCallers(o, t, follow); drops != nil {
		return drops
	}
	if !t.stays() || p.leavesBy(o.value.Pos(), true) {
		return nil
	}
	var drops []Evidence
	if len(t.lent) > 0 && t.lent[0].IsValid() {
		drops = append(drops, p.at(t.lent[0], "the value is only lent to a method of an interface here, whose contract forbids keeping it"))
	} else {
		drops = append(drops, p.at(o.value.Pos(), "the value does not leave "+nameOf(o.value.Parent())+", so the next call can use it again"))
	}
	if len(t.toValues) > 0 && t.toValues[0].IsValid() {
		drops = append(drops, p.at(t.toValues[0], "the value is given to a function value or an interface here, and none that these packages have keeps it"))
	}
	return drops
}

// onlyStruct reports whether a value points to a struct that is all the line makes by itself.
func (p *Line) onlyStruct(v ssa.Value) bool {
	made, ok := v.(*ssa.Alloc)
	if in, share := p.only(); !ok || in != made || share == 0 {
		return false
	}
	_, ok = elemOf(made).Underlying().(*types.Struct)
	return ok
}

// droppedByType is the evidence that a function below which nearly all objects of the line are made, one in
// each call, drops them: nil if there is none. By their types, nothing outside can hold one.
func (p *Line) droppedByType(o object) []Evidence {
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

// nearest is the number of frames, from the line up, in which the function that has to put an object back
// is looked for.
const nearest = 4

// droppedByCallers is the evidence that an object is returned by its constructor, and left by none of the
// functions that call that; nil if there is none.
func (p *Line) droppedByCallers(o object, t fate, follow following) (drops []Evidence) {
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
		drops = append(drops, p.at(call.Pos(), "the value does not leave "+nameOf(call.Parent())+", which has it made here"))
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

// nameOf is a function's name in its package: F, T.M or (*T).M.
func nameOf(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return fn.Name()
	}
	name := fn.RelString(fn.Pkg.Pkg)
	if typ, method, ok := strings.Cut(name, ")."); ok && strings.HasPrefix(typ, "(") && !strings.HasPrefix(typ, "(*") {
		return typ[1:] + "." + method
	}
	return name
}
