package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var exactSize = &Lever{
	Name:  "exact-size",
	Title: "collect in scratch space, and keep a copy of the right size",
	way:   reuse,
	Looks: "slices that are made with room for a constant number of elements, empty, 32 bytes or more of it, several times in each operation, and that leave the function: what is not used of the room is kept for nothing, and what does not fit is copied. Buffers and slices that grow several times, for each operation anew.",
	Wrong: "when nearly all of the room is used as a rule.",
	Before: `line := make([]byte, 0, 256)
for … {
	line = append(line, c)
}
h.raw = line // of 60 bytes, mostly`,
	After: `line := h.scratch[:0]
for … {
	line = append(line, c)
}
h.scratch, h.raw = line, bytes.Clone(line)`,
	Model: "What is kept has the size that it needs; the room is allocated once.",
	Risk:  Aliasing,
	Asks:  "Is much of the room left as a rule, and who can keep the scratch space: the receiver, a parser, a pool?",
	Saves: Saves{Alloc: Range{0.2, 0.8}, Collect: Range{0.3, 0.8}},
	find:  findExactSize,
}

const (
	leastRoom  = 32 // bytes
	leastRoomy = 2  // in an operation
)

func findExactSize(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < leastRoomy {
		return f
	}
	if f = p.grownByConstant(); f.Share > 0 {
		return f
	}
	for _, in := range p.allocators() {
		if f = p.roomOfOther(in); f.Share > 0 {
			return f
		}
		made, room := roomOf(in)
		if room == 0 || room*p.elemBytes(made.Type()) < leastRoom || p.objectSize() < 0.8*float64(room*p.elemBytes(made.Type())) {
			continue
		}
		if p.follow(made).stays() {
			continue
		}
		return Finding{Share: p.direct(), Evidence: []Evidence{
			p.at(in.Pos(), fmt.Sprintf("a %s with room for %d elements, %d bytes%s, which leaves the function", short(made.Type()), room, room*p.elemBytes(made.Type()), p.inEach())),
		}}
	}
	return p.grownForCopy()
}

// roomOfOther is about a slice that is made with a capacity of its own beside the length, which is not a constant: the parameter of
// a function, or what another slice has.
func (p *Line) roomOfOther(in ssa.Instruction) (f Finding) {
	made, ok := in.(*ssa.MakeSlice)
	if !ok || made.Len == made.Cap || p.objectSize() < leastForCopy {
		return f
	}
	if _, constant := made.Len.(*ssa.Const); constant {
		return f // it is filled by append
	}
	switch room := made.Cap.(type) {
	case *ssa.Parameter:
	case *ssa.Call:
		if !callsBuiltin(room, "cap") {
			return f
		}
	default:
		return f
	}
	text := fmt.Sprintf("a %s is made with a capacity that is not its length, %s each%s", short(made.Type()), bytesOf(p.objectSize()), p.inEach())
	return Finding{Share: p.direct(), Evidence: []Evidence{p.at(made.Pos(), text)}}
}

// grownByConstant is about a builder or buffer that is made to have room for a constant number of bytes.
func (p *Line) grownByConstant() (f Finding) {
	for _, c := range p.callsOnLine() {
		name := profiledName(nameOfCall(c))
		if name != "strings.(*Builder).Grow" && name != "bytes.(*Buffer).Grow" {
			continue
		}
		n, ok := c.Call.Args[1].(*ssa.Const)
		if share := p.leavesOf(c); ok && n.Int64() >= leastForCopy && share >= 0.5 {
			text := fmt.Sprintf("room for %d bytes is made%s, whatever is written", n.Int64(), p.inEach())
			return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), text)}}
		}
	}
	return f
}

// leastForCopy is the mean size in bytes of what grows and is worth a copy.
const leastForCopy = 128

// grownForCopy is about a buffer or a slice that grows anew in each operation, by half of its size for nothing.
func (p *Line) grownForCopy() (f Finding) {
	if !p.madeAgain() {
		return f
	}
	if share, mean := p.leaves(grows), p.meanOf(grows); share >= 0.5 && mean >= leastForCopy {
		text := fmt.Sprintf("a buffer grows, to %.0f bytes on average%s: of these one copy would do", mean, p.inEach())
		return Finding{Share: share, Evidence: []Evidence{{text, p.site.File, p.site.Line}}}
	}
	if f = p.appendsAgain(); f.Share > 0 {
		f.Evidence, f.Edits = f.Evidence[:1], nil // room is what estimate-size makes
	}
	return f
}

// roomOf is the constant capacity of an empty slice that an instruction makes; 0 if it makes none.
func roomOf(in ssa.Instruction) (v ssa.Value, room int64) {
	switch in := in.(type) {
	case *ssa.MakeSlice:
		length, ok1 := in.Len.(*ssa.Const)
		capacity, ok2 := in.Cap.(*ssa.Const)
		if ok1 && ok2 && length.Int64() == 0 {
			return in, capacity.Int64()
		}
	case *ssa.Alloc: // of an array, with a constant size
		array, ok := elemOf(in).Underlying().(*types.Array)
		if !ok || in.Comment != "makeslice" {
			return nil, 0
		}
		for _, r := range *in.Referrers() {
			s, ok := r.(*ssa.Slice)
			if !ok || s.High == nil {
				continue
			}
			if high, ok := s.High.(*ssa.Const); ok && high.Int64() == 0 {
				return s, array.Len()
			}
		}
	}
	return nil, 0
}
