package lever

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var appendForm = &Lever{
	Name:  "append-form",
	Title: "append to the slice of the caller",
	Looks: "a slice that a function makes and returns, when the callers that the profile shows append its elements to a slice of their own, or only look at it, and drop it.",
	Wrong: "when the callers are mostly others, which keep the result.",
	Before: `func (s *Service) records(name string) []Record {
	return []Record{s.record(name)}
}
…
all = append(all, s.records(name)...)`,
	After: `func (s *Service) appendRecords(all []Record, name string) []Record {
	return append(all, s.record(name))
}
…
all = s.appendRecords(all, name)`,
	Model: "The elements go where they would have been copied to; the slice of the callee is not made.",
	Risk:  API,
	Asks:  "Can the function take the slice to append to, for the callers that are named? If it returns nil for \"none\" or on errors, it returns what it was given instead.",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.6, 1}},
	find:  findAppendForm,
}

func findAppendForm(p *Line) (f Finding) {
	if p.direct() < 0.5 || !p.madeAgain() {
		return f
	}
	for _, v := range p.slicesOnLine() {
		for i, r := range p.returnedAs(v) {
			if r {
				if f = p.appendedByCallers(v, i); f.Share > 0 {
					return f
				}
			}
		}
	}
	return f
}

// slicesOnLine are the slices that the line makes, or makes larger, and what a return statement moves to the heap: a small
// slice that append has made is on the stack until then.
func (p *Line) slicesOnLine() (all []ssa.Value) {
	for in := range p.instructions() {
		switch in := in.(type) {
		case *ssa.MakeSlice:
			all = append(all, in)
		case *ssa.Slice:
			if made, ok := in.X.(*ssa.Alloc); ok && (made.Comment == "makeslice" || made.Comment == "slicelit") {
				all = append(all, in)
			}
		case *ssa.Alloc:
			if in.Comment == "makeslice" || in.Comment == "slicelit" {
				all = append(all, in)
			}
		case *ssa.Call:
			if callsBuiltin(in, "append") && madeByAppend(in, map[ssa.Value]bool{}) {
				all = append(all, in)
			}
		case *ssa.Return:
			for _, v := range in.Results {
				if _, ok := v.Type().Underlying().(*types.Slice); ok && !isNilConst(v) && madeByAppend(v, map[ssa.Value]bool{}) {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// madeByAppend reports whether a slice is made by its function: it begins with nothing, with a literal, or with what a
// call has returned.
func madeByAppend(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Call:
		if callsBuiltin(v, "append") {
			return madeByAppend(v.Call.Args[0], seen)
		}
		return v.Call.StaticCallee() != nil && len(v.Call.StaticCallee().Blocks) > 0
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !madeByAppend(e, seen) })
	case *ssa.Slice:
		return v.High == nil && madeByAppend(v.X, seen)
	}
	return emptyBefore(v, map[ssa.Value]bool{})
}

// returnedAs reports for each result of the function around a slice whether it may be that slice.
func (p *Line) returnedAs(v ssa.Value) []bool {
	fn := v.Parent()
	if fn == nil || fn.Signature.Results().Len() == 0 || fn.Parent() != nil {
		return nil
	}
	is := map[ssa.Value]bool{v: true}
	for changed := true; changed; {
		changed = false
		for next := range is {
			for _, in := range *next.Referrers() {
				var to ssa.Value
				switch in := in.(type) {
				case *ssa.Phi:
					to = in
				case *ssa.Slice:
					to = in
				case *ssa.ChangeType:
					to = in
				case *ssa.Call:
					if callsBuiltin(in, "append") && in.Call.Args[0] == next {
						to = in
					}
				}
				if to != nil && !is[to] {
					is[to], changed = true, true
				}
			}
		}
	}
	all := make([]bool, fn.Signature.Results().Len())
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if ret, ok := in.(*ssa.Return); ok {
				for i, r := range ret.Results {
					all[i] = all[i] || is[r]
				}
			}
		}
	}
	return all
}

// appendedByCallers is about the calls of a slice's function that append the result to a slice of their own, and drop
// it, or those that only look at it if there is one of the others.
func (p *Line) appendedByCallers(v ssa.Value, result int) (f Finding) {
	fn := v.Parent()
	pos := v.Pos()
	if !pos.IsValid() || !p.onSite(pos) {
		pos = p.lineStart()
	}
	if !pos.IsValid() {
		for in := range p.instructions() {
			pos = in.Pos()
			break
		}
	}
	evidence := []Evidence{p.at(pos, fmt.Sprintf("a %s that %s returns%s", short(v.Type()), nameOf(fn), p.perOperation()))}
	appended := 0
	lines := map[int]bool{}
	for _, call := range p.ownCalls(fn) {
		if _, ok := call.(*ssa.Call); !ok {
			continue
		}
		got := resultAt(call.Value(), result)
		if got == nil {
			continue
		}
		at := p.fset.Position(call.Pos())
		share := p.leaves(func(l site.Leaf) bool { c := l.Caller(); return c.Line == at.Line && c.File == at.Filename })
		if share == 0 || lines[at.Line] {
			continue
		}
		if !p.dropsSlice(got) {
			continue
		}
		how := "only looks at it"
		if appendsAll(got) {
			how = "appends it to a slice of its own, and drops it"
			appended++
		}
		lines[at.Line] = true
		f.Share += share
		if len(evidence) < 4 {
			evidence = append(evidence, p.at(call.Pos(), "this caller "+how))
		}
	}
	if appended == 0 || f.Share < 0.3 {
		return Finding{}
	}
	f.Evidence = evidence
	return f
}

// dropsSlice reports whether a slice that a call returns is dropped, and not kept by anything before.
func (p *Line) dropsSlice(v ssa.Value) bool {
	c := p.course(v)
	return c.dropped() && len(c.keeps) == 0 && len(c.unknown) == 0 && !c.returned && !c.public
}

// appendsAll reports whether the elements of a slice are appended to another.
func appendsAll(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		return ok && callsBuiltin(call, "append") && len(call.Call.Args) > 1 && call.Call.Args[1] == v
	})
}
