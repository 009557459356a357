package lever

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var sortedCopy = &Lever{
	Name:  "sorted-copy",
	Title: "keep the elements in order, or take only what is wanted before the sort",
	way:   fewerCopies,
	Looks: "a slice that is filled in a loop over a map, or over another slice, and sorted, one or more times in each operation.",
	Wrong: "when the map changes as often as it is sorted, or the callers want all elements, in order and of their own.",
	Before: `func (s *set) rank(name string) int {
	all := make([]member, 0, len(s.members))
	for name, score := range s.members {
		all = append(all, member{name, score})
	}
	sort.Slice(all, …)
	…`,
	After: `func (s *set) rank(name string) (n int) {
	for other, score := range s.members { // nothing is sorted to count
		if less(score, other, s.members[name], name) {
			n++
		}
	}
	return n
}
// or s.sorted, a slice that is kept in order by what changes the map, or made when it is asked for after a change`,
	Model: "The copy goes, and the work to sort it.",
	Risk:  NoRisk,
	Asks:  "Does the map change less often than it is sorted, or is only a part wanted: one element, a count, a range?",
	Saves: Saves{Alloc: Range{0.3, 1}, Collect: Range{0.3, 1}, Work: Range{0, 0.5}},
	find:  findSortedCopy,
}

func findSortedCopy(p *Line) (f Finding) {
	if !p.often() || p.direct() < leastCostly {
		return f
	}
	for _, in := range p.allocators() {
		made, ok := filledSlice(in)
		if !ok || !filledFrom(made) {
			continue
		}
		if sort := p.sorts(made, 0, map[ssa.Value]bool{}); sort != nil {
			return Finding{Share: p.direct(), Evidence: []Evidence{
				p.at(in.Pos(), fmt.Sprintf("a %s is filled%s", short(made.Type()), p.perOperation())),
				p.at(sort.Pos(), "it is sorted here"),
			}}
		}
	}
	return f
}

// filledSlice is the slice that an instruction makes, or makes larger.
func filledSlice(in ssa.Instruction) (ssa.Value, bool) {
	switch in := in.(type) {
	case *ssa.MakeSlice:
		return in, true
	case *ssa.Call:
		return in, callsBuiltin(in, "append")
	}
	return nil, false
}

// filledFrom reports whether a slice gets its elements one by one in a loop over a map or a slice of its function.
func filledFrom(made ssa.Value) bool {
	fn := made.Parent()
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return repeats(b) && slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Call:
				return callsBuiltin(in, "append") && (in == made || reachesSlice(in.Call.Args[0], made, 0))
			case *ssa.Store:
				to, ok := in.Addr.(*ssa.IndexAddr)
				return ok && reachesSlice(to.X, made, 0)
			}
			return false
		})
	})
}

// reachesSlice reports whether a slice is another one, as variables, loops and append pass it on.
func reachesSlice(v, made ssa.Value, depth int) bool {
	if v == made {
		return true
	}
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return reachesSlice(e, made, depth+1) })
	case *ssa.Slice:
		return reachesSlice(v.X, made, depth+1)
	case *ssa.ChangeType:
		return reachesSlice(v.X, made, depth+1)
	case *ssa.Call:
		return callsBuiltin(v, "append") && reachesSlice(v.Call.Args[0], made, depth+1)
	}
	return false
}

// sorts is the call that sorts a slice, in its function or in one that it is returned to; nil if there is none.
func (p *Line) sorts(v ssa.Value, depth int, seen map[ssa.Value]bool) ssa.Instruction {
	if seen[v] || depth > 2 || v.Referrers() == nil {
		return nil
	}
	seen[v] = true
	for _, in := range *v.Referrers() {
		var next ssa.Value
		switch in := in.(type) {
		case *ssa.Phi:
			next = in
		case *ssa.Slice:
			next = in
		case *ssa.ChangeType:
			next = in
		case *ssa.MakeInterface:
			next = in
		case *ssa.Store: // a variable that a function literal captures
			variable, ok := in.Addr.(*ssa.Alloc)
			if !ok || in.Val != v {
				continue
			}
			for _, r := range *variable.Referrers() {
				if load, ok := r.(*ssa.UnOp); ok {
					if found := p.sorts(load, depth, seen); found != nil {
						return found
					}
				}
			}
		case *ssa.Call:
			if isSort(in) {
				return in
			}
			if callsBuiltin(in, "append") && in.Call.Args[0] == v {
				next = in
			}
		case *ssa.Return:
			for _, call := range p.ownCalls(in.Parent()) {
				if result := call.Value(); result != nil {
					if got := resultAt(result, slices.Index(in.Results, v)); got != nil {
						if found := p.sorts(got, depth+1, seen); found != nil {
							return found
						}
					}
				}
			}
		}
		if next != nil {
			if found := p.sorts(next, depth, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// isSort reports whether a call sorts its first argument.
func isSort(c *ssa.Call) bool {
	fn, _ := callee(c.Common())
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sort":
		return !strings.HasPrefix(fn.Name(), "Search") && !strings.HasPrefix(fn.Name(), "Is") && !strings.HasPrefix(fn.Name(), "Find")
	case "slices":
		return strings.HasPrefix(fn.Name(), "Sort")
	}
	return false
}
