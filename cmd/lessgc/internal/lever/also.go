package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A wider finds what a change at a line saves at others: the memory that some instructions allocate there.
type wider struct {
	p       *Line
	at      []token.Pos                                 // of the instructions
	through func(site.Leaf) bool                        // the leaves that may be theirs
	group   int64                                       // size of the first table, if they set elements of a map; 0 if it is not known
	below   func(stack []prof.Frame) (some, whole bool) // whether a stack is one of the change, and of nothing else; nil for any
	most    int64                                       // size in bytes above which something that has grown is dropped, and grows again
}

// all returns the lines, but for that of the site, with evidence.
func (w *wider) all(text string) (all []Also, evidence []Evidence) {
	for _, pos := range w.at {
		line := w.p.frameOf(pos)
		if w.p.inTest(pos) || line.Line == w.p.site.Line && line.File == w.p.site.File || slices.ContainsFunc(all, func(a Also) bool { return a.Line == line }) {
			continue
		}
		all = append(all, Also{line, w.share})
		if w.measured(line) {
			evidence = append(evidence, w.p.at(pos, text))
		}
	}
	return all, evidence
}

// measured reports whether the profile has memory of a line that the change saves.
func (w *wider) measured(line prof.Frame) bool {
	return slices.ContainsFunc(w.p.sitesAt(map[prof.Frame]bool{line: true}), func(s *site.Site) bool { return w.share(s).Hi > 0 })
}

// share returns the share of the bytes of a site that are of the instructions. It counts for less where something else on the line
// allocates, or on the way to it makes what may grow there.
func (w *wider) share(s *site.Site) Range {
	line := w.p.lineOf(s)
	if line == nil {
		return Range{}
	}
	alone := !slices.ContainsFunc(line.allocators(), func(in ssa.Instruction) bool { return !slices.Contains(w.at, in.Pos()) })
	var some, whole int64
	var sizes []site.Size
	for _, l := range s.Leaves {
		if !w.through(l) {
			continue
		}
		for _, stack := range l.Stacks {
			ours, only := true, true
			if w.below != nil {
				ours, only = w.below(append([]prof.Frame{s.Frame}, stack.Callers...))
			}
			size := stack.Bytes / max(stack.Objects, 1)
			if !alone && w.group > 0 {
				if _, table := slotsIn(size, w.group); !table {
					ours = false
				}
			}
			if !ours {
				continue
			}
			some += stack.Bytes
			sizes = site.AddSize(sizes, site.Size{Bytes: size, Objects: stack.Objects})
			if only && (alone || w.group > 0) {
				whole += stack.Bytes
			}
		}
	}
	bytes := float64(max(s.Bytes, 1))
	return Range{float64(whole) / bytes * shareUpTo(endsOf(sizes), w.most), float64(some) / bytes}
}

// alsoCopies are the copies of text on other lines that go with the line's.
func (p *Line) alsoCopies(at []token.Pos) ([]Also, []Evidence) {
	w := &wider{p: p, at: at, through: directly, most: math.MaxInt64}
	return w.all("the copy here is saved, too")
}

// alsoGrowth is the growth of a map or slice on other lines, which goes when its memory is used again, with the room that it has got. Of a slice
// this is known only if it is written, as a variable of its function.
func (p *Line) alsoGrowth(o object, written bool) ([]Also, []Evidence) {
	switch made := o.value.(type) {
	case *ssa.MakeMap:
		return p.mapGrowth(made)
	case *ssa.MakeSlice:
		if written {
			return p.sliceGrowth(made)
		}
	case *ssa.Alloc: // of a constant size
		if _, array := elemOf(made).Underlying().(*types.Array); array && written {
			return p.sliceGrowth(made)
		}
	}
	return nil, nil
}

// mapGrowth is alsoGrowth of a map: at the lines that set its elements, by stacks with a call of the function that makes it. Where
// another map gets there, too, and a function that makes such a one is in the stack, the growth may be of that.
func (p *Line) mapGrowth(made *ssa.MakeMap) ([]Also, []Evidence) {
	use := p.mapOfValue(made)
	w := &wider{p: p, through: directly, most: math.MaxInt64}
	for _, in := range use.updates {
		w.at = append(w.at, in.Pos())
	}
	if m := mapType(made); p.pkg.TypesSizes != nil && !hasTypeParameter(m.Key()) && !hasTypeParameter(m.Elem()) {
		w.group = p.groupSize(m)
		w.most = w.group * p.keptEntries(made) / 8 * 5 / 4 // rounded up to a size class; a larger table may be one of a map that is not put back
	}
	home := p.stretchOf(made.Parent())
	var others []stretch
	for _, m := range use.makes {
		if m != made {
			others = append(others, p.stretchOf(m.Parent()))
		}
	}
	w.below = func(stack []prof.Frame) (some, whole bool) {
		return slices.ContainsFunc(stack, home.holds), !slices.ContainsFunc(others, func(s stretch) bool { return slices.ContainsFunc(stack, s.holds) })
	}
	return w.all(fmt.Sprintf("the map grows here, in calls below %s, and keeps its room in the pool", nameOf(made.Parent())))
}

// sliceGrowth is alsoGrowth of a slice whose function alone appends to it.
func (p *Line) sliceGrowth(made ssa.Value) ([]Also, []Evidence) {
	x := p.pooling(made)
	if x == nil {
		return nil, nil
	}
	t, ok := x.v.Type().Underlying().(*types.Slice)
	if m := x.p.builtin(x.value, "make"); !ok || m == nil || len(m.Args) != 3 || !x.confinedTo(pointsInto(t.Elem())) || !x.growsInPlace() {
		return nil, nil
	}
	w := &wider{p: p, most: mostKept}
	var by []string // functions that append text
	for v := range x.flow.seen {
		for _, in := range *v.Referrers() {
			call, ok := in.(*ssa.Call)
			if !ok || len(call.Call.Args) == 0 || call.Call.Args[0] != v || call.Parent() != x.home {
				continue
			}
			if callsBuiltin(call, "append") {
				w.at = append(w.at, call.Pos())
			} else if fn, static := callee(&call.Call); static && fn != nil && appendsText(fullName(call.Call.StaticCallee())) {
				w.at, by = append(w.at, call.Pos()), append(by, profiled(fn))
			}
		}
	}
	slices.Sort(w.at)
	w.at = slices.Compact(w.at)
	w.through = func(l site.Leaf) bool { return directly(l) || slices.Contains(by, l.Path[0].Func) }
	return w.all("the slice grows here, and keeps its room in the pool")
}

// A stretch is the lines of a function.
type stretch struct {
	file     string
	from, to int
}

func (p *Program) stretchOf(fn *ssa.Function) stretch {
	node := fn.Syntax()
	if node == nil {
		return stretch{}
	}
	at := p.fset.Position(node.Pos())
	return stretch{at.Filename, at.Line, p.line(node.End())}
}

func (s stretch) holds(f prof.Frame) bool {
	return f.File == s.file && s.from <= f.Line && f.Line <= s.to
}
