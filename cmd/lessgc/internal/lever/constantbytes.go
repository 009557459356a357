package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var constantBytes = &Lever{
	Name:  "constant-bytes",
	Title: "write a constant string, or bytes that the package has",
	way:   fewerCopies,
	Looks: "bytes that are the same each time, a literal of constants or the conversion of a constant string, and that are only given to a Write or to functions that read them. A method of an interface moves them to the heap for each call.",
	Wrong: "when one of those who get the bytes writes to them, against the contract of io.Writer.",
	Before: `w.Write([]byte{'<', '/'})
w.Write([]byte("&lt;"))`,
	After: `w.WriteString("</") // or io.WriteString(w, "</")
w.Write(escapedLess) // var escapedLess = []byte("&lt;")`,
	Model: "The bytes are part of the program, and not allocated.",
	Risk:  Aliasing,
	Asks:  "Is the writer one that has WriteString, or reads the bytes only?",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findConstantBytes,
}

func findConstantBytes(p *Line) (f Finding) {
	if !p.madeAgain() {
		return f
	}
	found, others := 0, 0
	for _, in := range p.allocators() {
		v, text := sameBytes(in)
		k := &keeper{p: p, seen: map[ssa.Value]bool{}}
		if v == nil || !k.reads(v, 0) || k.to == "" {
			others++
			continue
		}
		found++
		f.Evidence = []Evidence{p.at(in.Pos(), text+p.perOperation()), p.at(k.at, k.to)}
	}
	if found == 0 {
		return Finding{}
	}
	f.Share = p.direct() * float64(found) / float64(found+others)
	return f
}

// sameBytes is the slice of bytes that an instruction makes of constants only; nil if it does not.
func sameBytes(in ssa.Instruction) (v ssa.Value, text string) {
	switch in := in.(type) {
	case *ssa.Convert:
		if isBytes(in.Type()) && isConst(in.X) {
			return in, "a copy of a constant string"
		}
	case *ssa.Alloc:
		array, ok := elemOf(in).Underlying().(*types.Array)
		if !ok || in.Comment != "slicelit" || !types.Identical(array.Elem().Underlying(), types.Typ[types.Byte]) {
			return nil, ""
		}
		for _, r := range *in.Referrers() {
			switch r := r.(type) {
			case *ssa.Slice:
				v = r
			case *ssa.IndexAddr:
				for _, use := range *r.Referrers() {
					if store, ok := use.(*ssa.Store); !ok || !isConst(store.Val) {
						return nil, ""
					}
				}
			}
		}
		return v, fmt.Sprintf("a literal of %d constant bytes", array.Len())
	}
	return nil, ""
}
