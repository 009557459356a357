package lever

import (
	"fmt"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var batchSlices = &Lever{
	Name:  "batch-slices",
	Title: "cut the small slices out of one backing array",
	way:   together,
	Looks: "small slices, of 512 bytes or less on average, of which an operation of a benchmark makes 16 or more, but no more than a mebibyte, at the line, and which are kept together: the rows of a table, as elements of a slice or map, or fields of other objects. Not for slices that begin empty with room for a constant number, or become interfaces, nor where the profile has more than a tenth of the bytes live.",
	Wrong: "when slices are dropped one by one, or one of many is kept: each keeps the array, and all that this points to. When append grows most of them.",
	Before: `for i := range rows {
	rows[i] = make([]int, i+1)
}`,
	After: `all := make([]int, n*(n+1)/2)
for i := range rows {
	rows[i], all = all[:i+1:i+1], all[i+1:] // append copies a row, and leaves the next alone
}`,
	Model: "Some dozens of slices take one allocation. Their bytes are zeroed and collected as before.",
	Risk:  NoRisk,
	Asks:  "Are these slices all dropped at about the same time? Allocate one array for all where the sum of their lengths is known, else one for some eight to sixty-four slices at a time, in the value that is named, and cut each slice out of it with no room behind (a[i:j:j]).",
	Saves: Saves{Alloc: Range{0.2, 0.6}, Collect: Range{0, 0.3}},
	find:  findBatchSlices,
}

const mostRow = 512 // bytes of a slice

func findBatchSlices(p *Line) (f Finding) {
	in, share := p.only()
	if in == nil || share < 0.5 || p.objectSize() > mostRow || p.each() < leastRows || !p.fewBytes() {
		return f
	}
	made := sliceMade(in)
	if made == nil || hasTypeParameter(made.Type()) {
		return f
	}
	if k, ok := constLength(made); ok && k == 0 && !roomGiven(in) {
		return f // append grows it
	}
	for v := range p.courseBy(made, true).seen {
		if boxed, ok := v.(*ssa.MakeInterface); ok && types.Identical(boxed.X.Type(), made.Type()) {
			return f // data of any type, which users are given
		}
	}
	elem := made.Type().Underlying().(*types.Slice).Elem()
	stack := p.ownStack()
	owner := p.batchOwner(stack, nil)
	k := &keeping{p: p, seen: map[ssa.Value]bool{}}
	if owner == "" || !k.kept(made, stack[1:], 0) {
		return f
	}
	each := fmt.Sprintf("%s slices []%s of %.0f bytes in each operation; %s", few(p.each()), short(elem), p.objectSize(), owner)
	return Finding{Share: share, Evidence: []Evidence{p.at(p.madeAt(made), each), k.where}}
}

// sliceMade is the slice that an instruction makes; nil if it makes none.
func sliceMade(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.MakeSlice:
		return in
	case *ssa.Alloc: // of an array, with a constant size
		if in.Comment != "makeslice" {
			return nil
		}
		for _, r := range *in.Referrers() {
			if s, ok := r.(*ssa.Slice); ok {
				return s
			}
		}
	}
	return nil
}

// constLength is the constant length of a slice that is made.
func constLength(made ssa.Value) (n int64, ok bool) {
	var length ssa.Value
	switch made := made.(type) {
	case *ssa.MakeSlice:
		length = made.Len
	case *ssa.Slice:
		length = made.High
	}
	c, ok := length.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return c.Int64(), true
}

// roomGiven reports whether a slice is made with a capacity that is not a constant.
func roomGiven(in ssa.Instruction) bool {
	made, ok := in.(*ssa.MakeSlice)
	if !ok {
		return false
	}
	_, fixed := made.Cap.(*ssa.Const)
	return !fixed
}

const leastRows = 16 // slices of an operation

// fewBytes reports whether what an operation makes at the line may be alive at a time, and is not kept after it.
func (p *Line) fewBytes() bool {
	return p.each()*p.objectSize() <= batchedBytes && float64(p.site.LiveBytes) <= liveChunked*float64(p.site.Bytes)
}
