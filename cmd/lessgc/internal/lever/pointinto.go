package lever

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var pointInto = &Lever{
	Name:  "point-into",
	Title: "point to the element, instead of to a copy of it",
	Looks: "a variable that is on the heap because its address is taken, when all it ever gets is a copy of an element of a slice, of a field, or of what a pointer points to.",
	Wrong: "when the copy is changed, or kept longer than the slice: a pointer into it keeps all of the slice.",
	Before: `for _, row := range rows {
	store.insert(&row)
}`,
	After: `for i := range rows {
	store.insert(&rows[i])
}`,
	Model: "The copies go whole.",
	Risk:  Aliasing,
	Asks:  "Does nothing change the element, or the copy, while the other is used, and may the pointer keep the slice?",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findPointInto,
}

func findPointInto(p *Line) (f Finding) {
	in, share := p.only()
	made, ok := in.(*ssa.Alloc)
	if !ok || share == 0 {
		return f
	}
	switch made.Comment {
	case "complit", "new", "varargs", "makeslice", "slicelit":
		return f
	}
	if _, ok := elemOf(made).Underlying().(*types.Struct); !ok {
		return f
	}
	from := copiedFrom(made)
	if from == nil {
		return f
	}
	return Finding{Share: share, Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("%s, %.0f bytes, is on the heap", made.Comment, p.objectSize())),
		p.at(from.Pos(), "it is a copy of what has an address already"),
	}}
}

// copiedFrom is the address that the only value of a variable is loaded from; nil if it has others, or is
// changed in part.
func copiedFrom(made *ssa.Alloc) (from ssa.Value) {
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != made {
				continue
			}
			load, ok := r.Val.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || from != nil {
				return nil
			}
			switch load.X.(type) {
			case *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Parameter:
				from = load.X
			default:
				return nil
			}
		case *ssa.FieldAddr:
			if stored(r) {
				return nil
			}
		}
	}
	return from
}
