package events

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// A finder walks through a function with the states of one origin, and calls the hooks of the
// events. Blocks come in an order in which each stands behind the one that dominates it, so that of
// two events of a kind on one path the first one is found first. Later ones of the same origin
// follow from it, and are left out:
//
//	pool.Put(b)
//	b.Reset()       // reported
//	b.WriteByte(1)  // not reported

// A finder looks for the events of one origin in a function.
type finder struct {
	*search
	fn     *flow.Function
	origin *flow.Origin
	states *flow.States
	seen   map[Kind]bool

	doubles []ssa.Instruction // where the double releases that were reported happen
}

// run calls the hooks of all events. The condition of a loop comes before its body, although its block
// comes later: what happens first is reported.
func (fd *finder) run() {
	if fd.origin.Whole || fd.origin.Queued {
		fd.missing()
		return
	}
	for _, b := range fd.fn.DomPreorder() {
		for _, i := range b.Instrs {
			fd.instruction(i)
		}
	}
	for _, e := range allEvents {
		if e.origin != nil {
			e.origin(fd)
		}
	}
}

// instruction calls the hooks for one instruction.
func (fd *finder) instruction(i ssa.Instruction) {
	if len(fd.states.Effects[i]) > 0 {
		fd.effects(i)
	}
	for _, e := range allEvents {
		switch i := i.(type) {
		case *ssa.RunDefers:
			if e.runDefers != nil {
				e.runDefers(fd, i)
			}
		case *ssa.Return:
			if e.exit != nil {
				e.exit(fd, i)
			}
		}
	}
}

// effects calls the hooks for the effects of one instruction, with the state before each.
//
// An event needs a value that surely derives and is not nil instead, or one that does so whenever
// some branch is taken. The state changes between two effects of one instruction.
func (fd *finder) effects(i ssa.Instruction) {
	s := fd.states.Before[i]
	for _, a := range fd.states.Effects[i] {
		if a.Sure && fd.shown(a) || fd.sureOnEdge(i, a) {
			for _, e := range allEvents {
				if e.effect != nil {
					e.effect(fd, i, a, s)
				}
			}
		}
		s = flow.Apply(a, s)
	}
}

// shown reports whether the value of an effect certainly shows what ends with the origin: it can be
// no constant instead, and is no string that stays valid.
func (fd *finder) shown(a flow.Effect) bool {
	if fd.states.Aliases.Optional(a.Value) && !fd.origin.Received {
		return false
	}
	return a.Mark&flow.MarkMemory != flow.MarkText || fd.origin.Kind > catalog.Typed || fd.origin.Kind == catalog.Item
}

// report adds an event, unless it follows from one that was reported.
func (fd *finder) report(e Event) {
	if !e.Pos.IsValid() || fd.seen[e.Kind] {
		return
	}
	at := position{e.Kind, e.Pos}
	// A request that is kept in two places has two keepers to be changed.
	if fd.origin.Borrowed && (e.Kind == Outlives || e.Kind == Stale) {
		at = position{Outlives, fd.statement(e.Pos)} // each keeper is a mistake of its own
	} else {
		fd.seen[e.Kind] = e.Kind != Double // of which reportDouble sorts out what follows
	}
	switch {
	case fd.reported[at] != nil && (e.Kind != Double || fd.reported[at] != fd.origin):
	case fd.origin.Elsewhere:
		fd.keepsRequests(fd.fn, e.What)
	default:
		fd.reported[at] = fd.origin
		e.Origin = fd.origin
		fd.events = append(fd.events, &e)
	}
}

// reportDouble adds a double release, unless it is on one path with another one: of three releases in a
// row the last is no mistake of its own. It is told apart from others by at, where the value is
// released too early or too often, as many of them can end in the same deferred call.
func (fd *finder) reportDouble(at ssa.Instruction, e Event) {
	if !e.Pos.IsValid() || slices.ContainsFunc(fd.doubles, func(x ssa.Instruction) bool {
		return x == at || ssautil.Follows(x, at) || ssautil.Follows(at, x)
	}) {
		return
	}
	fd.doubles = append(fd.doubles, at)
	e.Kind = Double
	fd.report(e)
}

// has reports whether an instruction has an effect of one of the kinds on the origin.
func (fd *finder) has(i ssa.Instruction, kinds ...flow.EffectKind) bool {
	return slices.ContainsFunc(fd.states.Effects[i], func(a flow.Effect) bool { return slices.Contains(kinds, a.Kind) })
}
