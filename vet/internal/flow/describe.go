package flow

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
)

// Summary returns the summary of f, as other functions of the package see it.
func (f *Function) Summary() *Summary { return f.Package.summaries[f.Function] }

// Describe returns what a summary says in one line, with the names of f's parameters:
//
//	b: released; w: used; result 0: item of buffers
//
// It is for lessgc vet -debug and for tests.
func (f *Function) Describe(s *Summary) string {
	var all []string
	if s != nil {
		for i := range s.Params {
			if said := s.Params[i].describe(f); len(said) > 0 {
				all = append(all, f.operand(i)+": "+strings.Join(said, ", "))
			}
		}
		for i, r := range s.Acquires {
			if words := r.describe(); words != "" {
				all = append(all, fmt.Sprintf("result %d: %s", i, words))
			}
		}
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, "; ")
}

// operand returns the name of parameter i, or of the captured variable behind the parameters.
func (f *Function) operand(i int) string {
	switch {
	case i < len(f.Params):
		return f.Params[i].Name()
	case i-len(f.Params) < len(f.FreeVars):
		return f.FreeVars[i-len(f.Params)].Name()
	}
	return fmt.Sprint("parameter ", i)
}

// describe returns a word or two for each thing that happens to a parameter.
func (p *Param) describe(f *Function) []string {
	var all []string
	say := func(yes bool, words string) {
		if yes {
			all = append(all, words)
		}
	}
	say(p.Release == ReleaseAlways, "released")
	say(p.Release == ReleaseOrDropped, "released or dropped")
	say(p.Release == ReleaseUnlessTold, "released or dropped, as results tell")
	say(p.Release == ReleasePerhaps, "perhaps released")
	if t := p.Told; t != nil {
		by := fmt.Sprint("result ", t.Result)
		if t.Result < 0 {
			by = f.operand(-1 - t.Result)
		}
		say(true, fmt.Sprintf("%s if %s is zero and else %s", phaseNames[t.Zero], by, phaseNames[t.Other]))
	}
	say(p.Reset, "reset")
	say(p.Keep, "kept")
	say(p.Unknown, "escapes")
	for i := range 64 {
		say(p.KeptIn&(1<<i) != 0, "kept in "+f.operand(i))
	}
	results := func(bits uint64, words string) {
		for r := range 64 {
			say(bits&(1<<r) != 0, fmt.Sprint(words, " result ", r))
		}
	}
	results(p.Same, "is")
	results(p.Alias, "aliased by")
	results(p.Content, "content of")
	results(p.Hold, "held by")
	results(p.Alloc, "arena of")
	results(p.Text, "arena of the text in")
	results(p.Elements, "arena of the elements of")
	say(len(p.HeldFrom) > 0, "which is of "+strings.Join(p.HeldFrom, " "))
	say(len(p.From) > 0, "from "+strings.Join(p.From, " "))
	say(len(p.Detaches) > 0, "detaches "+strings.Join(p.Detaches, " "))
	say(len(p.Empties) > 0, "deletes from "+strings.Join(p.Empties, " "))
	say(p.Use, "used")
	for i := range 64 {
		say(p.UsedAfter&(1<<i) != 0, "used after the release of "+f.operand(i))
	}
	say(p.Scope, "lends its argument")
	say(p.Spawn, "called later")
	say(p.Leaves, "left running")
	var fields []string
	for name := range p.Parts {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	for _, name := range fields {
		say(true, "."+name+" "+strings.Join(p.Parts[name].describe(f), " and "))
	}
	return all
}

var kindNames = map[catalog.Kind]string{catalog.Item: "item", catalog.Safe: "safe arena", catalog.Std: "std arena", catalog.Typed: "typed arena", catalog.Recycled: "recycled arena", catalog.OffHeap: "arena off the heap"}

// describe returns what there is to release of a result, and in its fields; "" if there is nothing.
func (r Acquired) describe() string {
	var all []string
	if r.Kind != catalog.None {
		all = append(all, r.itself())
	}
	for _, name := range slices.Sorted(maps.Keys(r.Held)) {
		words := "." + name + " item"
		if pool := r.Held[name]; pool != "" {
			words += " of " + pool
		}
		all = append(all, words)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Within)) {
		all = append(all, "."+name+" "+r.Within[name].describe())
	}
	return strings.Join(all, ", ")
}

// describe returns the kind of an arena, and the fields that hold memory of it.
func (w Within) describe() string {
	words := kindNames[w.Kind]
	if len(w.Fields) > 0 {
		words += " of ." + strings.Join(w.Fields, " .")
	}
	return words
}

// itself returns words for a result that has to be released.
func (r Acquired) itself() string {
	words := kindNames[r.Kind]
	if r.Pool != "" {
		words += " of " + r.Pool
	}
	if len(r.Detached) > 0 {
		words += ", detached " + strings.Join(r.Detached, " ")
	}
	if r.Shared {
		words += ", shared"
	}
	if r.Mixed {
		words += ", or another value"
	}
	if r.By > 0 {
		words += fmt.Sprint(", released by result ", r.By-1)
	}
	if r.Despite {
		words += ", also with an error"
	}
	if r.Taken {
		words += ", taken out"
	}
	return words
}

var (
	effectNames = map[EffectKind]string{EffectUse: "use", EffectRelease: "release", EffectMayRelease: "perhaps release", EffectReleaseIf: "release if told", EffectHandOver: "hand over", EffectHandOverIf: "hand over if told", EffectKeep: "keep", EffectSpawn: "spawn",
		EffectDefer: "defer release", EffectMayDefer: "perhaps defer release", EffectReset: "reset", EffectDeferReset: "defer reset", EffectGoRelease: "release in goroutine", EffectTakeBack: "take back"}
	phaseNames   = [...]string{PhaseAbsent: "absent", PhaseLive: "live", PhaseHanded: "handed over", PhaseReleased: "released", PhaseDropped: "dropped", PhaseMaybe: "perhaps released", PhaseTold: "to be told"}
	pendingNames = [...]string{PendingNone: "", PendingSure: "+deferred", PendingMaybe: "+perhaps deferred", PendingTwice: "+deferred twice"}
)

// String returns the situations of s, such as "live+deferred|absent".
func (s State) String() string {
	var all []string
	s.Each(func(phase Phase, pending Pending) (Phase, Pending) {
		all = append(all, phaseNames[phase]+pendingNames[pending])
		return phase, pending
	})
	if len(all) == 0 {
		return "not reached"
	}
	return strings.Join(all, "|")
}

// Describe returns lines about an origin of f: what it is, then each effect of an instruction in the
// order of the source, with the state before it, and the state at each return.
func (o *Origin) Describe(f *Function) []string {
	line := func(pos token.Pos) int { return f.Package.Pass.Fset.Position(pos).Line }
	kind := kindNames[o.Kind]
	if o.Pool != "" {
		kind += " of " + o.Pool
	}
	name := o.Name
	if name == "" {
		name = "a value"
	}
	lines := []string{fmt.Sprintf("%s, %s, line %d", name, kind, line(o.Pos))}
	type row struct {
		line int
		text string
	}
	var rows []row
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			s := o.States.Before[i]
			for _, a := range o.States.Effects[i] {
				sure := ""
				if !a.Sure {
					sure = ", on some paths"
				}
				rows = append(rows, row{line(a.Pos), fmt.Sprintf("%s%s, when %s", effectNames[a.Kind], sure, s)})
				s = Apply(a, s)
			}
			if ret, ok := i.(*ssa.Return); ok {
				rows = append(rows, row{line(f.ReturnPos(ret)), "return, when " + o.States.Exits[ret].String()})
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y row) int { return x.line - y.line })
	for _, r := range slices.Compact(rows) {
		lines = append(lines, fmt.Sprintf("  line %d: %s", r.line, r.text))
	}
	return lines
}
