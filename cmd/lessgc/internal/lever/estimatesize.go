package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var estimateSize = &Lever{
	Name:    "estimate-size",
	Title:   "begin with room for what is expected",
	Subject: "presize to the observed size",
	way:     size,
	Looks:   "a slice, strings.Builder or bytes.Buffer that grows several times by what the line adds, when no number is known beforehand that is its size: but a count that was read, the length of the input, or the size of the last time is near.",
	Wrong:   "when sizes differ by orders of magnitude, or most stay empty: what is too large is zeroed and kept for nothing.",
	Before: `func tokenize(text []byte) (all []Token) {
	for … {
		all = append(all, next())
	}`,
	After: `func tokenize(text []byte) []Token {
	all := make([]Token, 0, len(text)/4+1) // a token takes about four bytes
	for … {
		all = append(all, next())
	}
// or s.all = s.all[:0], where the same object does this again
// or a scratch buffer from a pool, and a copy of the size that was needed`,
	Model: "A slice that is doubled until it is large enough allocates twice its size or more, and copies it once or twice.",
	Risk:  NoRisk,
	Asks:  "Is there a number to begin with, right in most cases?",
	Saves: Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0.2, 0.6}},
	Rewrite: "Nobody can tell how much room the slice has: all that is done with it, in the function and by own functions to which it is given or returned, is to read its elements. Its capacity is not asked for, nothing but its own variable or field is appended to, it is not sliced beyond its length, and nothing that is not known gets it, such as callers of an exported function. " +
		"While it grows nothing else refers to its memory, or, of a field, no element is ever set. It is made where it is declared if it is not compared with nil; or else right before the append, which is sure to come. " +
		"Of a builder or buffer, local and empty at first, methods are called that write text or read it: by own functions, and those of the standard library that only write. It is not copied nor asked for its room, nothing is read into it, no method of an interface and no function value gets it; what its Bytes are is read only, after the last write, and nil is not told from empty there. It grows where a write is sure to follow, or the benchmarks left nine tenths of the texts not empty, and where the text is read on every way that returns no error: by the length of a text if each iteration of a loop over it writes; by the lengths of variables and fields that are sure to be written, with up to 16 bytes for what branches write; or by what was observed. " +
		"The room is the capacity with which the runs of the profile allocate the fewest bytes, a tenth less than by growing at least, and keep at most half more; each benchmark counts alike, and in none may it allocate more bytes than growing, or be too small for half of the runs. There is none where the capacity that nine tenths end with is more than four times the median, nor a number of more than 512 bytes.",
	find: findEstimate,
}

// How many elements an array has, on the average, of a slice that has grown more than once; and of one of which
// an operation makes so many that the first elements count.
const (
	leastRegrown = 3.0
	fewRegrown   = 1.5
	manyGrown    = 8 // in an operation
)

func findEstimate(p *Line) Finding {
	f := p.estimate()
	exact := func(r *Lever) bool { return Match{r, r.find(p)}.Complete() }
	if len(f.Edits) > 0 && (exact(preallocate) || exact(growOnce)) {
		f.Edits = nil // a number in the source is better than one of a profile
	}
	return f
}

// estimate is findEstimate of what has no number in the source.
func (p *Line) estimate() (f Finding) {
	if f = p.appendsAgain(); f.Share > 0 {
		return f
	}
	if f = p.mapGrows(); f.Share > 0 {
		return f
	}
	if f = p.appendedThere(); f.Share > 0 {
		return f
	}
	share := p.leaves(grows)
	mean := p.meanOf(grows)
	if share == 0 || mean < 2*smallestBuilt {
		return f
	}
	for _, s := range p.spots() {
		if call, ok := s.node.(*ast.CallExpr); ok && p.calleeName(call) != "" {
			f.Share = share
			f.Evidence = append(f.Evidence, p.at(call.Pos(), fmt.Sprintf("%s finds no room in the buffer, which allocates %.0f bytes on average then and copies what it has", types.ExprString(call.Fun), mean)))
			return p.withGrow(f)
		}
	}
	return f
}

// withGrow adds to a finding about a buffer that grows the edits that give it room.
func (p *Line) withGrow(f Finding) Finding {
	root, share, edits := p.estimatedBuffer()
	if root == nil {
		f.Evidence = append(f.Evidence, p.numbers()...)
		return f
	}
	f.Share, f.Edits = share, edits
	if made, ok := root.(*ssa.Alloc); ok && isNamedVariable(made) {
		f.What = "presize " + withKindAs(made.Comment, elemOf(made))
	}
	f.Evidence = append(f.Evidence, p.at(root.Pos(), "the buffer starts without room"))
	if slices.ContainsFunc(edits, func(e Edit) bool { return strings.Contains(e.Text, ".Grow(len(") }) {
		f.Evidence = append(f.Evidence, p.at(root.Pos(), "the room is for lengths that are known, and grows if more is written"))
	}
	return f
}

// appendedThere is about a slice that a method of another module appends to, by its address.
func (p *Line) appendedThere() (f Finding) {
	for _, c := range p.callsOnLine() {
		fn := c.Call.StaticCallee()
		if fn == nil || len(fn.Blocks) > 0 || fn.Signature.Recv() == nil || p.each() > 0 && p.each() < leastOften {
			continue
		}
		recv, ok := fn.Signature.Recv().Type().Underlying().(*types.Pointer)
		if !ok || !isSlice(recv.Elem()) || p.objectSize() < leastRegrown*float64(p.elemBytes(recv.Elem())) {
			continue
		}
		if share := p.leavesOf(c); share >= leastCostly {
			text := fmt.Sprintf("%s appends to its receiver, a slice, which grows to %.0f bytes on average%s", nameOfCall(c), p.objectSize(), p.inEach())
			return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), text)}}
		}
	}
	return f
}

// grows reports whether a stack ends in a builder or a buffer that finds no room; where all is written at once,
// it is not needed to say how much that will be.
func grows(l site.Leaf) bool {
	return slices.ContainsFunc(l.Path, func(f prof.Frame) bool { return growing[f.Func] }) &&
		!slices.ContainsFunc(l.Path, func(f prof.Frame) bool { return writesAll[f.Func] })
}

// meanOf returns the mean size, in bytes, of the objects that some of the stacks allocate; 0 if there are none.
func (p *Line) meanOf(some func(site.Leaf) bool) float64 {
	var bytes, objects int64
	for _, l := range p.site.Leaves {
		if some(l) {
			bytes, objects = bytes+l.Bytes, objects+l.Objects
		}
	}
	return float64(bytes) / float64(max(objects, 1))
}

// writesAll are readers that write all that they have in one piece.
var writesAll = map[string]bool{"bytes.(*Reader).WriteTo": true, "strings.(*Reader).WriteTo": true, "bytes.(*Buffer).WriteTo": true}

// leastOften is the smallest number of times that a slice grows in an operation to be reported.
const leastOften = 0.2

// smallestBuilt is the first capacity of a strings.Builder, in bytes.
const smallestBuilt = 8

// growing holds the functions in which builders and buffers find no room.
var growing = map[string]bool{
	"strings.(*Builder).Write": true, "strings.(*Builder).WriteString": true, "strings.(*Builder).WriteByte": true, "strings.(*Builder).WriteRune": true,
	"bytes.(*Buffer).grow": true, "bytes.growSlice": true,
}

// appendsAgain is about an append that finds no room several times.
func (p *Line) appendsAgain() (f Finding) {
	var call *ssa.Call
	for _, in := range p.allocators() {
		c, ok := in.(*ssa.Call)
		if !ok || call != nil || !callsBuiltin(c, "append") || !p.appendsOn(c) {
			return f
		}
		call = c
	}
	if each := p.each(); each > 0 && each < leastOften {
		return f // it grows with what the program keeps, not with an operation
	}
	least := leastRegrown
	if p.each() >= manyGrown {
		least = fewRegrown
	}
	if call == nil || p.objectSize() < least*float64(p.elemBytes(call.Type())) || p.direct() == 0 {
		return f
	}
	elems := p.objectSize() / float64(p.elemBytes(call.Type()))
	f.Share = p.direct()
	f.Evidence = append(f.Evidence, p.at(call.Pos(), fmt.Sprintf("append finds no room in the slice, which grows to %s elements on average and is copied each time%s", few(elems), p.inEach())))
	if f.Edits, f.What = p.estimated(call); f.Edits == nil {
		f.Evidence = append(f.Evidence, p.numbers()...)
	}
	return f
}

// mapGrows is about a map that its function makes without a size, and fills in a loop.
func (p *Line) mapGrows() (f Finding) {
	for _, in := range p.allocators() {
		set, ok := in.(*ssa.MapUpdate)
		if !ok {
			if _, boxed := in.(*ssa.MakeInterface); boxed {
				continue
			}
			return Finding{}
		}
		made, ok := set.Map.(*ssa.MakeMap)
		if !ok || !noRoom(made) || !repeats(set.Block()) || p.objectSize() < smallestGroup {
			return Finding{}
		}
		f = Finding{Share: p.direct(), Evidence: append([]Evidence{
			p.at(set.Pos(), fmt.Sprintf("a %s grows here%s", short(made.Type()), p.bySteps())),
			p.at(made.Pos(), "the map is made without a size"),
		}, p.numbers()...)}
	}
	return f
}

// bySteps says by how much what the line makes larger grows, and how often.
func (p *Line) bySteps() string {
	text := fmt.Sprintf(" by %s at a time on average", bytesOf(p.objectSize()))
	if n := p.each(); n > 0 && !p.onlyBeside() {
		text += fmt.Sprintf(", and %s times in each operation", few(n))
	}
	return text
}

// noRoom reports whether a map is made without a size.
func noRoom(made *ssa.MakeMap) bool {
	room, ok := made.Reserve.(*ssa.Const)
	return made.Reserve == nil || ok && room.Int64() == 0
}

// smallestGroup is about the size in bytes of what most maps have for their first eight elements; what a line
// allocates is smaller on the average if few maps get there.
const smallestGroup = 136

// appendsOn reports whether an append is about a variable, field or parameter that then has the result,
// with all that was in it: what does not grow again is not meant.
func (p *Line) appendsOn(call *ssa.Call) bool {
	for _, s := range p.spots() {
		x := p.builtin(s.node, "append")
		if x == nil || x.Lparen != call.Pos() && x.Pos() != call.Pos() {
			continue
		}
		switch around := s.parent().(type) {
		case *ast.AssignStmt:
			i := slices.IndexFunc(around.Rhs, func(e ast.Expr) bool { return ast.Unparen(e) == x })
			to := x.Args[0]
			_, variable := ast.Unparen(to).(*ast.Ident)
			if part, ok := ast.Unparen(to).(*ast.SliceExpr); ok && part.High != nil && part.Max == nil && !p.constant(part.High) {
				to = part.X // what is behind is written again
			}
			return i >= 0 && len(around.Lhs) == len(around.Rhs) && (variable || types.ExprString(around.Lhs[i]) == types.ExprString(to)) && !p.isNil(x.Args[0])
		case *ast.ReturnStmt:
			v := p.local(x.Args[0])
			return v != nil && v.Pos() < p.fn.body.Pos()
		}
	}
	return false
}

// numbers returns the parameters that may tell the final size, if it is added to in a loop.
func (p *Line) numbers() (all []Evidence) {
	fn := p.fns[p.fn.node]
	if fn == nil || len(p.loopsAt(p.site.Frame)) == 0 {
		return nil
	}
	for _, param := range fn.Params {
		text := ""
		switch t := param.Type().Underlying().(type) {
		case *types.Slice:
			text = fmt.Sprintf("len(%s) may be the final size", param.Name())
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				text = fmt.Sprintf("len(%s) may be the final size", param.Name())
			}
		case *types.Interface:
			if short(param.Type()) == "io.Reader" {
				text = fmt.Sprintf("%s may have a method Len that returns the final size, as bytes.Reader, strings.Reader and bytes.Buffer do", param.Name())
			}
		}
		if text != "" && len(all) < 2 {
			all = append(all, p.at(param.Pos(), text))
		}
	}
	return all
}
