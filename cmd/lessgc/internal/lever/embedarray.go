package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var embedArray = &Lever{
	Name:  "embed-array",
	Title: "make the first array of a slice part of the object that has it",
	way:   together,
	Looks: "a slice of a small constant size, or part of an array, 128 bytes or less, that is made for a field of an object which the same function makes, and put nowhere else; it may be given to calls before.",
	Wrong: "when objects are copied: the slice of the copy still leads into the first one. When most slices outgrow the array: it stays in the object then, unused. When the slice is handed out and kept: it keeps the whole object.",
	Before: `func newChunk() *chunk {
	return &chunk{data: make([]byte, 0, 128)}
}`,
	After: `type chunk struct {
	data  []byte
	first [128]byte
}

func newChunk() *chunk {
	c := &chunk{}
	c.data = c.first[:0]
	return c
}`,
	Model: "One object where there were two. The bytes stay, and are zeroed and collected as before.",
	Risk:  Aliasing,
	Asks:  "Is the object never copied, and is its slice kept no longer than it? Then give the struct an array, and begin the slice on that.",
	Saves: Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0, 0.3}},
	find:  findEmbedArray,
}

// mostInArray is the largest array of an object, in bytes.
const mostInArray = 128

func findEmbedArray(p *Line) (f Finding) {
	in, share := p.only()
	if in == nil || share < 0.5 || !p.often() || p.pkg.TypesSizes == nil {
		return f
	}
	if field, owner := p.arrayFor(in); field != nil {
		array := elemOf(in.(*ssa.Alloc))
		made := fmt.Sprintf("a slice of an array of %d bytes%s", p.pkg.TypesSizes.Sizeof(array), p.inEach())
		why := fmt.Sprintf("the object is stored in field %s of the %s that is made beside it: give that a %s", field.Name(), short(elemOf(owner)), short(array))
		return Finding{Share: share, Evidence: []Evidence{p.at(in.Pos(), made), p.at(owner.Pos(), why)}}
	}
	return f
}

// arrayFor is the field that a small array is made for, as a slice, and the object beside it that has the field; nil if
// there is none, or something else has the slice.
func (p *Line) arrayFor(in ssa.Instruction) (*types.Var, *ssa.Alloc) {
	made, ok := in.(*ssa.Alloc)
	if !ok || made.Comment == "varargs" || hasTypeParameter(elemOf(made)) {
		return nil, nil
	}
	if _, isArray := elemOf(made).Underlying().(*types.Array); !isArray {
		return nil, nil
	}
	if n := p.pkg.TypesSizes.Sizeof(elemOf(made)); n == 0 || n > mostInArray {
		return nil, nil
	}
	var slice *ssa.Slice
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.Slice:
			if onlyLent(in) {
				continue
			}
			if slice != nil {
				return nil, nil
			}
			slice = in
		case *ssa.DebugRef, *ssa.IndexAddr:
		default:
			return nil, nil
		}
	}
	if slice == nil {
		return nil, nil
	}
	return fieldBeside(slice)
}

// onlyLent reports whether a slice is only given to calls, as to be read into.
func onlyLent(slice *ssa.Slice) bool {
	return !slices.ContainsFunc(*slice.Referrers(), func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		_, debug := in.(*ssa.DebugRef)
		return !debug && (!ok || callsBuiltin(c, "append"))
	})
}

// fieldBeside is the only field that a slice is stored in, if that is one of an object that its function makes.
func fieldBeside(slice ssa.Value) (field *types.Var, owner *ssa.Alloc) {
	for _, in := range *slice.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.IndexAddr:
		case *ssa.Store:
			to, ok := in.Addr.(*ssa.FieldAddr)
			if !ok || in.Val != slice || field != nil {
				return nil, nil
			}
			field, owner = fieldOf(to), objectWith(to)
		case *ssa.Call:
			if !callsBuiltin(in, "len") && !callsBuiltin(in, "copy") && !callsBuiltin(in, "cap") {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	if owner == nil {
		return nil, nil
	}
	return field, owner
}

// objectWith is the object, made in the function as one of its own and no value on its way to another, that has a field, also as a
// part of another field; nil if there is none.
func objectWith(to *ssa.FieldAddr) *ssa.Alloc {
	for {
		switch x := to.X.(type) {
		case *ssa.FieldAddr:
			to = x
		case *ssa.Alloc:
			if inside := copiedTo(x); inside != nil {
				to = inside // the value of a literal, for a field of another
				continue
			}
			_, isStruct := elemOf(x).Underlying().(*types.Struct)
			if !x.Heap || !isStruct || slices.ContainsFunc(*x.Referrers(), isCopied) {
				return nil
			}
			return x
		default:
			return nil
		}
	}
}

// copiedTo is the field that the value of a literal is stored in, if that is all that is done with it.
func copiedTo(literal *ssa.Alloc) (to *ssa.FieldAddr) {
	if literal.Heap || literal.Comment != "complit" {
		return nil
	}
	for _, in := range *literal.Referrers() {
		load, ok := in.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, in := range *load.Referrers() {
			if _, ok := in.(*ssa.DebugRef); ok {
				continue
			}
			store, ok := in.(*ssa.Store)
			if !ok || to != nil {
				return nil
			}
			if to, ok = store.Addr.(*ssa.FieldAddr); !ok {
				return nil
			}
		}
	}
	return to
}

// isCopied reports whether an instruction loads or stores a whole value.
func isCopied(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.MUL
	case *ssa.Store:
		_, zero := in.Val.(*ssa.Const)
		_, isStruct := in.Val.Type().Underlying().(*types.Struct)
		return isStruct && !zero
	}
	return false
}
