package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a function take something out of a map that a parameter leads to? A table of what is under way
// has one method for the begin and one for the end:
//
//	func (t *table) start(key int, j *job) { t.jobs[key] = j }
//	func (t *table) finish(key int)        { delete(t.jobs, key) }
//
//	t.start(key, j)
//	defer put(j)
//	defer func() { t.finish(key) }() // runs before the put: j is in the table no more
//
// A summary names the fields with such maps, also those that a callee or a closure empties. Whether the
// keys are one is not proved, nor that the delete is executed on all paths: both cost a finding.

// empties adds to s the fields with maps from which f takes something.
func (f *Function) empties(s *Summary) {
	for _, c := range f.Calls {
		if _, isGo := c.(*ssa.Go); isGo || f.runsAfterRelease(c) {
			continue
		}
		if ssautil.IsBuiltin(c, "delete", "clear") {
			if fa := ssautil.LoadedFrom(c.Common().Args[0]); fa != nil {
				f.emptiesBy(s, fa, FieldName(fa))
			}
			continue
		}
		k := f.Callee(c.Common())
		for n, arg := range k.Args {
			if k.Summary != nil {
				f.emptiesBy(s, arg, k.Summary.Param(n).Empties...)
			}
		}
	}
}

// emptiesBy adds the names to the parameter or captured variable that v belongs to, if any.
func (f *Function) emptiesBy(s *Summary, v ssa.Value, names ...string) {
	i := f.ownerOf(v)
	if i < 0 || len(names) == 0 {
		return
	}
	p := s.grow(i)
	for _, name := range names {
		if !slices.Contains(p.Empties, name) {
			p.Empties = append(p.Empties, name)
		}
	}
	slices.Sort(p.Empties)
}

// ownerOf returns the index of the parameter or captured variable that leads to v by fields; -1 if none
// does. Six steps are more fields than one follows another in practice.
func (f *Function) ownerOf(v ssa.Value) int {
	for range 6 {
		switch x := ssautil.Root(v).(type) {
		case *ssa.Parameter:
			return slices.Index(f.Params, x)
		case *ssa.FreeVar:
			if i := slices.Index(f.FreeVars, x); i >= 0 {
				return len(f.Params) + i
			}
			return -1
		case *ssa.UnOp:
			v = x.X
		case *ssa.Alloc: // a variable that a closure captures
			held := onlyStored(x)
			if held == nil {
				return -1
			}
			v = held
		default:
			return -1
		}
	}
	return -1
}

// onlyStored returns what the only store to a variable stores; nil if there are more, or none.
func onlyStored(a *ssa.Alloc) (v ssa.Value) {
	for s := range ssautil.StoresTo(a) {
		if v != nil {
			return nil
		}
		v = s.Val
	}
	return v
}

// runsAfterRelease reports whether c is deferred before a call that releases a parameter: it runs when
// that is done.
func (f *Function) runsAfterRelease(c ssa.CallInstruction) bool {
	if _, deferred := c.(*ssa.Defer); !deferred {
		return false
	}
	for d := range ssautil.InstructionsOf[*ssa.Defer](f.Function) {
		if ssa.CallInstruction(d) != c && ssautil.Before(c, d) && f.releasesAny(d) {
			return true
		}
	}
	return false
}

// releasesAny reports whether a call surely releases one of its arguments.
func (f *Function) releasesAny(c ssa.CallInstruction) bool {
	k := f.Callee(c.Common())
	for n := range k.Args {
		if k.Summary != nil && k.Summary.Param(n).Release.certain() {
			return true
		}
	}
	return false
}

// keptMap returns the name of the field with the map in which a call keeps its argument.
func (k Callee) keptMap(v ssa.Value) string {
	for n, arg := range k.Args {
		if arg == v && k.Summary != nil {
			return k.Summary.Param(n).keptMap
		}
	}
	return ""
}

// TakesOut reports whether the call c takes something out of the map, with the same owner at index n of
// what c gets, in which the call first has stored v.
func (k Callee) TakesOut(n int, first Callee, v ssa.Value) bool {
	name := first.keptMap(v)
	return name != "" && k.Summary != nil && slices.Contains(k.Summary.Param(n).Empties, name)
}
