package events

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Is a message of a stream used after the next one was received, which recycles it?
//
//	var all []*pb.Request
//	for {
//		m, err := stream.Recv()
//		if err != nil {
//			break
//		}
//		all = append(all, m)
//	}
//	save(all) // stale: all but the last message are recycled
//
//	batch = append(batch, m.GetOwner())
//	save(batch)        // not stale: nothing was received since
//	batch = batch[:0]  // and nothing is left in it for later
//
// States do not answer that, as one origin stands for all messages of the stream. So it is asked
// backward, from a use to where the value was received: it is stale if all paths from there to the
// use receive again. A value that may be empty, or that another message may have been received
// into, is not: silence.

// stale is a message of a stream that is used after the next one was received.
var stale = event{origin: (*finder).stale}

func (fd *finder) stale() {
	if !fd.origin.Received {
		return
	}
	r := fd.origin.Stream
	s := &staleness{r: r, d: fd.states.Aliases}
	first := map[ssa.Value]Event{} // the first use of each variable
	for _, n := range s.d.Nodes.List {
		if n.Weak || r.Reused[ssautil.Root(n.Value)] {
			continue
		}
		for i := range ssautil.Uses[ssa.Instruction](n.Value) {
			if i.Parent() != fd.fn.Function {
				continue
			}
			at := s.use(n, i)
			if at == nil || !at.Pos().IsValid() && !flow.PosOf(at).IsValid() || r.Receives(at) || !s.is(n.Value, i) {
				continue
			}
			e := Event{Kind: Stale, Pos: flow.PosOf(at), Release: s.by(n.Value, i), Value: n.Value}
			// One finding for each variable, at its first use in the text: the others follow from
			// it.
			group := s.variable(n.Value)
			if old, ok := first[group]; !ok || e.Pos < old.Pos {
				first[group] = e
			}
		}
	}
	var all []Event
	for _, e := range first {
		all = append(all, e)
	}
	slices.SortFunc(all, func(x, y Event) int { return int(x.Pos - y.Pos) })
	for _, e := range all {
		fd.report(e)
	}
}

// A staleness finds out which values are of messages before the last one.
type staleness struct {
	r     *flow.Stream
	d     *flow.Aliases
	steps int // left for one use: phis of phis could take very many
}

// is reports whether v, whenever i uses it and it is neither nil nor empty, is memory of a message
// before the last one, or a list that has such.
func (s *staleness) is(v ssa.Value, i ssa.Instruction) bool {
	s.steps = 1000
	return s.known(v, i, nil) == yes
}

// An answer is the result of known. It is open for a value that only depends on itself.
type answer uint8

const (
	no answer = iota
	yes
	open
)

// known is is while the values in seen are looked at. What has got its value since the last message
// was received is not stale; what got it before is if what it was made of was.
//
// It ends because a value is looked at once on each way, in seen, and after a thousand steps the
// answer is no. Open is what a loop says of its own phi: the other edges decide.
func (s *staleness) known(v ssa.Value, i ssa.Instruction, seen []ssa.Value) answer {
	n := s.d.Nodes.Find(v)
	if s.steps--; s.steps < 0 || n == nil || n.Weak || s.r.Reused[v] || mayBeEmpty(v, nil) {
		return no
	}
	switch v := v.(type) {
	case *ssa.MakeMap:
		// Containers are as stale as what was put into them by then.
		return s.all(inserted(v, s.d), i, seen)
	case *ssa.Alloc:
		if slices.Contains(seen, ssa.Value(v)) {
			return open
		}
		if s.r.ReceivedBy[v] == nil {
			return s.all(stored(v, s.d), i, append(seen, v))
		}
	case *ssa.MakeInterface:
		return s.known(v.X, i, seen)
	case *ssa.ChangeType:
		return s.known(v.X, i, seen)
	case *ssa.ChangeInterface:
		return s.known(v.X, i, seen)
	case *ssa.FieldAddr:
		return s.known(v.X, i, seen)
	case *ssa.IndexAddr:
		return s.known(v.X, i, seen)
	}
	from := s.from(v)
	switch {
	case from == nil:
		return no
	case !flow.PathWithout(from, i, s.r.Receives):
		// All paths from where it got its value to the use receive a message.
		return yes
	case slices.Contains(seen, v):
		return open
	}
	return s.made(v, append(seen, v))
}

// made is the answer for what v was made of, at the time when it was.
func (s *staleness) made(v ssa.Value, seen []ssa.Value) answer {
	switch v := v.(type) {
	case *ssa.Phi:
		return s.merged(v, seen)
	case *ssa.Slice:
		return s.known(v.X, v, seen)
	case *ssa.TypeAssert:
		return s.known(v.X, v, seen)
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok {
			return s.known(t.X, v, seen)
		}
	case *ssa.Call:
		// A list that had stale messages has them still. What is appended counts only if it is
		// stale by itself.
		if ssautil.IsAppend(v) {
			return max(s.known(v.Call.Args[0], v, seen), s.known(v.Call.Args[1], v, seen)&yes)
		}
	case *ssa.UnOp:
		if cell, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return s.loaded(v, cell, seen)
		}
	}
	return no
}

// merged is the answer for a phi: yes if it is for all edges that bring something.
//
// Each edge is asked at the end of its predecessor, when it gets the value. An empty one brings
// nothing, so it does not count.
func (s *staleness) merged(phi *ssa.Phi, seen []ssa.Value) answer {
	all := open
	for k, e := range phi.Edges {
		if mayBeEmpty(e, nil) {
			continue
		}
		pred := phi.Block().Preds[k]
		switch s.known(e, pred.Instrs[len(pred.Instrs)-1], seen) {
		case no:
			return no
		case yes:
			all = yes
		}
	}
	return all
}

// loaded is the answer for what is loaded from a variable.
func (s *staleness) loaded(load *ssa.UnOp, cell *ssa.Alloc, seen []ssa.Value) answer {
	all := open
	for st := range ssautil.StoresTo(cell) {
		if mayBeEmpty(st.Val, nil) || !ssautil.Follows(st, load) {
			continue
		}
		if s.d.Nodes.Find(st.Val) == nil {
			return no
		}
		if !flow.PathWithout(st, load, s.r.Receives) {
			all = yes
			continue
		}
		switch s.known(st.Val, st, seen) {
		case no:
			return no
		case yes:
			all = yes
		}
	}
	return all
}

// all is the answer for something that the instructions in puts have put messages into: all of
// those that have been executed by the time of i.
//
// Every put that can have happened has to be stale by then: with one that is not, the container may
// hold just that.
func (s *staleness) all(puts []ssa.Instruction, i ssa.Instruction, seen []ssa.Value) answer {
	all := no
	for _, p := range puts {
		if !ssautil.Follows(p, i) {
			continue
		}
		if st, ok := p.(*ssa.Store); (!ok || s.known(st.Val, st, seen) != yes) && flow.PathWithout(p, i, s.r.Receives) {
			return no
		}
		all = yes
	}
	return all
}

// mayBeEmpty reports whether v, carried from one message to the next, may hold nothing: it is a
// constant, part of a slice, or a slice that a loop takes elements from.
//
// Which elements are left in a slice that was cut is not known. An example, in which each message
// is taken out before the next is received:
//
//	queue = append(queue, m.GetUsers()...)
//	for len(queue) > 0 {
//		use(queue[0])
//		queue = queue[1:]
//	}
func mayBeEmpty(v ssa.Value, seen []ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Slice:
		return ssautil.IsSlice(v.X.Type()) && (v.Low != nil || v.High != nil)
	case *ssa.Phi:
		if slices.Contains(seen, ssa.Value(v)) {
			return true
		}
		seen = append(seen, v)
		drained := func(e ssa.Value) bool {
			part, ok := e.(*ssa.Slice)
			return ok && part.X == ssa.Value(v)
		}
		filled := func(e ssa.Value) bool { return !mayBeEmpty(e, seen) }
		return slices.ContainsFunc(v.Edges, drained) || !slices.ContainsFunc(v.Edges, filled)
	}
	return false
}

// inserted returns the instructions that put messages into a map; none if something is taken out
// again.
func inserted(m *ssa.MakeMap, d *flow.Aliases) []ssa.Instruction {
	var all []ssa.Instruction
	for r := range ssautil.Uses[ssa.Instruction](m) {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if d.Sure(r.Value) == 0 && d.Sure(r.Key) == 0 {
				return nil
			}
			all = append(all, r)
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() != "len" {
				return nil
			}
		}
	}
	return all
}

// stored returns the instructions that put messages into a message, each field by one only; none if
// it is something else.
//
// A field that also gets something else may hold that, so its stores do not count.
func stored(v *ssa.Alloc, d *flow.Aliases) []ssa.Instruction {
	if !flow.IsMessage(v.Type()) {
		return nil
	}
	var all []ssa.Instruction
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			all = append(all, onlyStores(r, d)...)
		case *ssa.Store:
			if r.Addr == ssa.Value(v) {
				return nil
			}
		case ssa.CallInstruction:
			if resets(r) {
				return nil
			}
		case *ssa.MakeInterface:
			for c := range ssautil.Uses[ssa.CallInstruction](r) {
				if resets(c) {
					return nil
				}
			}
		}
	}
	return all
}

// onlyStores returns the stores to an address, if all are of messages; none otherwise.
func onlyStores(addr *ssa.FieldAddr, d *flow.Aliases) []ssa.Instruction {
	var all []ssa.Instruction
	for st := range ssautil.StoresTo(addr) {
		if d.Sure(st.Val) == 0 {
			return nil
		}
		all = append(all, st)
	}
	return all
}

// resets reports whether c is a call of Reset: of a message, or proto's.
func resets(c ssa.CallInstruction) bool {
	f := c.Common().StaticCallee()
	return f != nil && f.Name() == "Reset" || c.Common().IsInvoke() && c.Common().Method.Name() == "Reset"
}

// from returns where v got its value.
func (s *staleness) from(v ssa.Value) ssa.Instruction {
	if c := s.r.ReceivedBy[v]; c != nil {
		return c
	}
	i, _ := v.(ssa.Instruction)
	return i
}

// by returns the call that has recycled v before i uses it.
func (s *staleness) by(v ssa.Value, i ssa.Instruction) token.Pos {
	for _, c := range s.r.Calls {
		if ssautil.Before(c, i) {
			return c.Pos()
		}
	}
	for _, c := range s.r.Calls {
		if ssautil.Follows(c, i) {
			return c.Pos()
		}
	}
	return token.NoPos
}

// variable stands for the variable that v is a value of.
func (s *staleness) variable(v ssa.Value) ssa.Value {
	for range 16 {
		switch x := v.(type) {
		case *ssa.Call:
			if !ssautil.IsAppend(x) || s.d.Nodes.Find(x.Call.Args[0]) == nil {
				return v
			}
			v = x.Call.Args[0]
		case *ssa.Slice:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return v
		}
	}
	return v
}

// use returns the instruction in which i uses the memory of a message that the node n stands for, or
// nil if it does not. Numbers of the message itself, which is on the heap, can be read at any time; its
// strings too unless they are recycled.
func (s *staleness) use(n flow.Node, i ssa.Instruction) ssa.Instruction {
	v := n.Value
	part := n.Mark&(flow.MarkSame|flow.MarkHold) == 0
	switch i := i.(type) {
	case *ssa.UnOp:
		if i.Op != token.MUL || n.Mark&(flow.MarkAlias|flow.MarkContent) == 0 && n.Mark&flow.MarkHold == 0 {
			return nil
		}
		if n.Mark&flow.MarkHold != 0 {
			return s.element(v, i)
		}
		// The struct that is a message is never recycled, only what it points to.
		if fa, ok := v.(*ssa.FieldAddr); ok && s.d.Mark(fa.X)&flow.MarkSame != 0 && !s.d.Shares(i.Type()) {
			return nil // of the message itself
		}
		if _, cell := v.(*ssa.Alloc); !cell && used(i) {
			return i
		}
	case *ssa.Range:
		if n.Mark&(flow.MarkHold|flow.MarkAlias|flow.MarkContent|flow.MarkText) != 0 && values(i) {
			return i
		}
	case *ssa.Lookup:
		if i.X == v && n.Mark&flow.MarkHold != 0 && used(i) && !isBool(i) {
			return i
		}
	case *ssa.BinOp:
		if n.Mark&flow.MarkText != 0 {
			return i
		}
	case *ssa.IndexAddr:
		if n.Mark&flow.MarkHold != 0 && i.X == v && s.d.Nodes.Find(i) == nil {
			for load := range ssautil.Uses[*ssa.UnOp](i) {
				if s.element(i, load) != nil {
					return load
				}
			}
		}
	case *ssa.Store:
		if i.Val == v {
			return s.passed(v, i.Addr)
		}
	case *ssa.Call:
		return s.call(n, i, part)
	case *ssa.Go:
		return s.call(n, i, part)
	}
	return nil
}

// element returns the load if it takes a message, or part of one, out of a list.
func (s *staleness) element(v ssa.Value, load *ssa.UnOp) ssa.Instruction {
	if _, ok := v.(*ssa.IndexAddr); !ok || !used(load) || !s.d.Shares(load.Type()) {
		return nil
	}
	if _, ok := load.Type().Underlying().(*types.Struct); ok {
		return nil // the message may be what is not used of it
	}
	return load
}

// call returns the call if it gets a message.
func (s *staleness) call(n flow.Node, i ssa.CallInstruction, part bool) ssa.Instruction {
	c := i.Common()
	if ssautil.Builtin(c) != "" {
		return nil
	}
	if c.Value == n.Value && !c.IsInvoke() {
		return nil
	}
	k := s.d.Func.Callee(c)
	for j, arg := range k.Args[:k.Captured] {
		if arg != n.Value {
			continue
		}
		// A function of the package that does nothing with the argument, such as one that asks for
		// its length.
		if k.Source != nil && k.Summary != nil {
			if p := k.Summary.Param(j); !p.Use && !p.Keep && !p.Unknown && p.KeptIn == 0 && !p.Spawn {
				continue
			}
		}
		if call, ok := i.(*ssa.Call); ok && j == 0 && flow.IsGetter(call) && !part && n.Mark&flow.MarkSame != 0 && !s.d.Shares(call.Type()) {
			continue
		}
		if _, ok := n.Value.(*ssa.Alloc); ok && s.r.ReceivedBy[n.Value] == nil && !flow.IsMessage(n.Value.Type()) {
			continue
		}
		return i
	}
	return nil
}

// passed returns the call that gets v as one of its last arguments, in a list that addr is in; nil if
// it only goes to another list.
func (s *staleness) passed(v, addr ssa.Value) ssa.Instruction {
	list, ok := ssautil.Root(addr).(*ssa.Alloc)
	if !ok || list.Comment != "varargs" {
		return nil
	}
	for sl := range ssautil.Uses[*ssa.Slice](list) {
		for c := range ssautil.Uses[*ssa.Call](sl) {
			if ssautil.Builtin(&c.Call) == "" {
				return c
			}
		}
	}
	return nil
}

// used reports whether v is more than compared.
func used(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
			return false
		case *ssa.Extract:
			return i.Index == 0 && used(i)
		}
		return true
	})
}

func isBool(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// values reports whether a loop over a map, or string, looks at more than its keys.
func values(i *ssa.Range) bool {
	if ssautil.IsString(i.X.Type()) {
		return true
	}
	for next := range ssautil.Uses[*ssa.Next](i) {
		for e := range ssautil.Uses[*ssa.Extract](next) {
			if e.Index == 2 && used(e) {
				return true
			}
		}
	}
	return false
}
