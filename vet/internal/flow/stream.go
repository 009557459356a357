package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A received origin is the messages that a stream's handler receives: with
// arenagrpc.MethodOptions.PerMessage each is recycled by the next call of Recv or RecvMsg,
// and the last one when the handler returns.
type received struct {
	calls []ssa.Instruction             // of Recv and RecvMsg
	by    map[ssa.Value]ssa.Instruction // messages, and the calls that they come from
	inner bool                          // the function is a literal in the handler
	owner *ssa.Parameter                // of a RecvMsg that wraps another: its receiver

	reused map[ssa.Value]bool // messages of RecvMsg that are received into again
}

// streamKind is how f, the handler of a stream, recycles each message, None if it does not or
// that is not to be seen; and the type of the stream.
func (f *function) streamKind() (catalog.Kind, types.Type) {
	p, r := f.Signature.Params(), f.Signature.Results()
	if p.Len() == 0 || p.Len() > 2 || r.Len() != 1 || !types.Identical(r.At(0).Type(), errorType) || p.Len() == 2 && !message(p.At(0).Type()) {
		return catalog.None, nil
	}
	stream := p.At(p.Len() - 1).Type()
	if !types.IsInterface(stream) {
		return catalog.None, nil
	}
	set := types.NewMethodSet(stream)
	if set.Lookup(nil, "Recv") == nil && set.Lookup(nil, "Send") == nil && set.Lookup(nil, "RecvMsg") == nil {
		return catalog.None, nil
	}
	kind := catalog.None
	for _, o := range f.options() {
		if service, ok := strings.CutSuffix(typeName(stream), "_"+f.Name()+"Server"); ok && service != o.service {
			continue // another service's
		}
		if !o.perMessage || o.kind <= catalog.Safe {
			return catalog.None, nil
		}
		if kind == catalog.None || o.kind < kind {
			kind = o.kind
		}
	}
	return kind, stream
}

// typeName is the name that a type has in the source.
func typeName(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return t.Obj().Name()
	case *types.Named:
		return t.Obj().Name()
	}
	return ""
}

// received is the origin of the messages that f receives, if it is the handler of a stream, or
// a literal in one, and the method has the option PerMessage; nil otherwise.
func (f *function) received() *Origin {
	if len(f.a.rpc.methods) == 0 {
		return nil
	}
	if o := f.wrapped(); o != nil {
		return o
	}
	top := f
	for top.Parent() != nil {
		if top = f.a.funcs[top.Parent()]; top == nil {
			return nil
		}
	}
	kind, stream := top.streamKind()
	if kind == catalog.None {
		return nil
	}
	r := &received{by: map[ssa.Value]ssa.Instruction{}, reused: map[ssa.Value]bool{}, inner: top != f}
	var roots []ssa.Value
	for _, i := range f.calls {
		c, ok := i.(*ssa.Call)
		if !ok || !c.Call.IsInvoke() || !types.Identical(c.Call.Value.Type(), stream) {
			continue
		}
		var m ssa.Value
		switch c.Call.Method.Name() {
		case "Recv":
			m = result(c, 1)
		case "RecvMsg":
			m = ssautil.Root(c.Call.Args[0])
		default:
			continue
		}
		r.calls = append(r.calls, c)
		if m == nil || !message(m.Type()) || !recycled(m.Type(), kind == catalog.Recycled, 0) {
			continue
		}
		if r.by[m] != nil || c.Call.Method.Name() == "RecvMsg" && !renewed(m, c) {
			r.reused[m] = true
		}
		r.by[m] = c
		roots = append(roots, m)
	}
	if !r.inner && len(f.Params) == 3 && recycled(f.Params[1].Type(), kind == catalog.Recycled, 0) {
		roots = append(roots, f.Params[1]) // generated code has received it
	}
	if len(roots) == 0 {
		return nil
	}
	return f.messages(roots, kind, r)
}

// messages is the origin of the messages in roots.
func (f *function) messages(roots []ssa.Value, kind catalog.Kind, r *received) *Origin {
	d := f.newDerivation(roots[0])
	d.texts, d.repeated = kind == catalog.Recycled, true
	d.begin(roots[0], same|deep)
	for _, m := range roots[1:] {
		d.add(m, same|deep, roots[0])
	}
	d.run()
	name := f.a.variable(roots[0].Pos(), roots[0])
	if p, ok := roots[0].(*ssa.Parameter); ok {
		name = p.Name()
	}
	if name == "" || name == "_" {
		name = "the message"
	}
	o := &Origin{Kind: kind, Pos: roots[0].Pos(), Name: name, Borrowed: true, Direct: true, Received: true, stream: r, d: &derived{derivation: d, acts: d.actions()}}
	o.run = d.flow(o.d.acts, nil, true)
	o.siblings = []*derived{o.d}
	return o
}

// renewed reports whether m is made anew before the call c is executed again.
func renewed(m ssa.Value, c ssa.Instruction) bool {
	made, ok := m.(*ssa.Alloc)
	return ok && !without(c, c, func(i ssa.Instruction) bool { return i == ssa.Instruction(made) })
}

// without reports whether there is a path from i to j, after i, on which no instruction stops
// it.
func without(i, j ssa.Instruction, stops func(ssa.Instruction) bool) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func([]ssa.Instruction, *ssa.BasicBlock) bool
	walk = func(list []ssa.Instruction, b *ssa.BasicBlock) bool {
		for _, x := range list {
			if x == j {
				return true
			}
			if stops(x) || x == i {
				return false
			}
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				if walk(next.Instrs, next) {
					return true
				}
			}
		}
		return false
	}
	rest := i.Block().Instrs
	return walk(rest[slices.Index(rest, i)+1:], i.Block())
}

// receives reports whether i is one of the calls.
func (r *received) receives(i ssa.Instruction) bool { return slices.Contains(r.calls, i) }

// next reports whether a message can be received after i.
func (r *received) next(i ssa.Instruction) bool {
	return slices.ContainsFunc(r.calls, func(c ssa.Instruction) bool { return ssautil.Follows(i, c) })
}

// joined reports whether something can wait for what i has begun before the next message is
// received.
func (r *received) joined(a *analyzer, i ssa.Instruction) bool {
	for _, b := range i.Parent().Blocks {
		for _, x := range b.Instrs {
			if x != i && !r.receives(x) && a.waits(x, 0) && without(i, x, r.receives) {
				return true
			}
		}
	}
	return false
}

// keeps reports whether a literal in the handler certainly keeps a message beyond the next one:
// what it shares with the rest of the handler may be in use by turns.
func (r *received) keeps(i ssa.Instruction, a action) bool {
	if r.owner != nil {
		return r.collects(i, a)
	}
	if !r.inner {
		return true
	}
	switch i := i.(type) {
	case *ssa.Send, *ssa.Select:
		return r.next(i)
	}
	if a.act == spawn {
		return r.next(i)
	}
	if a.to == nil {
		return true
	}
	switch base := loadedFrom(a.to).(type) {
	case *ssa.Global:
		return true
	case *ssa.FreeVar:
		top := i.Parent()
		for top.Parent() != nil {
			top = top.Parent()
		}
		return a.to != ssa.Value(base) && len(top.Params) > 0 && base.Name() == top.Params[0].Name() // of the server
	}
	return false
}

// collects reports whether a wrapper of a stream keeps a message beyond the next one: more than
// the last one, which it may use until then.
func (r *received) collects(i ssa.Instruction, a action) bool {
	if a.act == spawn || a.to == nil || loadedFrom(a.to) != ssa.Value(r.owner) {
		return true
	}
	switch i := i.(type) {
	case *ssa.Send, *ssa.Select, *ssa.MapUpdate:
		return true
	case *ssa.Store:
		c, ok := i.Val.(*ssa.Call)
		return ok && ssautil.IsAppend(c)
	}
	return false
}

// wrapped is the origin of the message that f receives if it is the method RecvMsg of a type that
// wraps a grpc.ServerStream, and a method of the package has the option PerMessage; nil otherwise.
func (f *function) wrapped() *Origin {
	sig := f.Signature
	if f.Name() != "RecvMsg" || sig.Recv() == nil || sig.Params().Len() != 1 || len(f.Params) != 2 || !types.IsInterface(sig.Params().At(0).Type()) || !embeds(sig.Recv().Type(), "ServerStream") {
		return nil
	}
	kind := catalog.None
	for _, list := range f.a.rpc.methods {
		for _, o := range list {
			if o.perMessage && o.kind > catalog.Safe && (kind == catalog.None || o.kind < kind) {
				kind = o.kind
			}
		}
	}
	if kind == catalog.None {
		return nil
	}
	return f.messages([]ssa.Value{f.Params[1]}, kind, &received{owner: f.Params[0]})
}

// embeds reports whether a struct, or what t points to, embeds a field of this name.
func embeds(t types.Type, name string) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range s.Fields() {
		if v.Embedded() && v.Name() == name {
			return true
		}
	}
	return false
}

// stale finds what is used after the next message was received.
func (j *judgement) stale() {
	r := j.o.stream
	s := &stale{r: r, d: j.r.d}
	first := map[ssa.Value]Event{} // the first use of each variable
	for _, n := range s.d.nodes.list {
		if n.weak || n.value.Referrers() == nil || r.reused[ssautil.Root(n.value)] {
			continue
		}
		for _, i := range *n.value.Referrers() {
			if i.Parent() != j.f.Function {
				continue
			}
			at := s.use(n, i)
			if at == nil || !at.Pos().IsValid() && !place(at).IsValid() || r.receives(at) || !s.is(n.value, i) {
				continue
			}
			e := Event{Trouble: Stale, Pos: place(at), Release: s.by(n.value, i), Value: n.value}
			group := s.variable(n.value)
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
		j.report(e)
	}
}

// A stale finds out which values are of messages before the last one.
type stale struct {
	r     *received
	d     *derivation
	steps int // left for one use: phis of phis could take very many
}

// is reports whether v, whenever i uses it and it is neither nil nor empty, is memory of a message
// before the last one, or a list that has such.
func (s *stale) is(v ssa.Value, i ssa.Instruction) bool {
	s.steps = 1000
	return s.known(v, i, nil) == yes
}

// An answer is that of known. It is open for a value that only depends on itself.
type answer uint8

const (
	no answer = iota
	yes
	open
)

// known is is while the values in seen are looked at.
func (s *stale) known(v ssa.Value, i ssa.Instruction, seen []ssa.Value) answer {
	n := s.d.nodes.find(v)
	if s.steps--; s.steps < 0 || n == nil || n.weak || s.r.reused[v] || mayBeEmpty(v, nil) {
		return no
	}
	switch v := v.(type) {
	case *ssa.MakeMap:
		return s.all(inserted(v, s.d), i, seen)
	case *ssa.Alloc:
		if slices.Contains(seen, ssa.Value(v)) {
			return open
		}
		if s.r.by[v] == nil {
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
	case !without(from, i, s.r.receives):
		return yes
	case slices.Contains(seen, v):
		return open
	}
	seen = append(seen, v)
	switch v := v.(type) {
	case *ssa.Phi:
		all := open
		for k, e := range v.Edges {
			if mayBeEmpty(e, nil) {
				continue
			}
			pred := v.Block().Preds[k]
			switch s.known(e, pred.Instrs[len(pred.Instrs)-1], seen) {
			case no:
				return no
			case yes:
				all = yes
			}
		}
		return all
	case *ssa.Slice:
		return s.known(v.X, v, seen)
	case *ssa.TypeAssert:
		return s.known(v.X, v, seen)
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok {
			return s.known(t.X, v, seen)
		}
	case *ssa.Call:
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

// loaded is the answer for what is loaded from a variable.
func (s *stale) loaded(load *ssa.UnOp, cell *ssa.Alloc, seen []ssa.Value) answer {
	all := open
	for _, r := range *cell.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(cell) || mayBeEmpty(st.Val, nil) || !ssautil.Follows(st, load) {
			continue
		}
		if s.d.nodes.find(st.Val) == nil {
			return no
		}
		if !without(st, load, s.r.receives) {
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
func (s *stale) all(puts []ssa.Instruction, i ssa.Instruction, seen []ssa.Value) answer {
	all := no
	for _, p := range puts {
		if !ssautil.Follows(p, i) {
			continue
		}
		if st, ok := p.(*ssa.Store); (!ok || s.known(st.Val, st, seen) != yes) && without(p, i, s.r.receives) {
			return no
		}
		all = yes
	}
	return all
}

// mayBeEmpty reports whether v, carried from one message to the next, may hold nothing: it is a
// constant, part of a slice, or a slice that a loop takes elements from.
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

// inserted are the instructions that put messages into a map; none if something is taken out
// again.
func inserted(m *ssa.MakeMap, d *derivation) []ssa.Instruction {
	var all []ssa.Instruction
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if d.sure(r.Value) == 0 && d.sure(r.Key) == 0 {
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

// stored are the instructions that put messages into a message, each field by one only; none if
// it is something else.
func stored(v *ssa.Alloc, d *derivation) []ssa.Instruction {
	if !message(v.Type()) {
		return nil
	}
	var all []ssa.Instruction
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			var one []ssa.Instruction
			n := 0
			for _, u := range *r.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == ssa.Value(r) {
					n++
					if d.sure(st.Val) != 0 {
						one = append(one, st)
					}
				}
			}
			if n == len(one) {
				all = append(all, one...)
			}
		case *ssa.Store:
			if r.Addr == ssa.Value(v) {
				return nil
			}
		case ssa.CallInstruction:
			if resets(r) {
				return nil
			}
		case *ssa.MakeInterface:
			for _, u := range *r.Referrers() {
				if c, ok := u.(ssa.CallInstruction); ok && resets(c) {
					return nil
				}
			}
		}
	}
	return all
}

// resets reports whether c is a call of Reset: of a message, or proto's.
func resets(c ssa.CallInstruction) bool {
	f := c.Common().StaticCallee()
	return f != nil && f.Name() == "Reset" || c.Common().IsInvoke() && c.Common().Method.Name() == "Reset"
}

// from is where v got its value.
func (s *stale) from(v ssa.Value) ssa.Instruction {
	if c := s.r.by[v]; c != nil {
		return c
	}
	i, _ := v.(ssa.Instruction)
	return i
}

// by is the call that has recycled v before i uses it.
func (s *stale) by(v ssa.Value, i ssa.Instruction) token.Pos {
	for _, c := range s.r.calls {
		if ssautil.Before(c, i) {
			return c.Pos()
		}
	}
	for _, c := range s.r.calls {
		if ssautil.Follows(c, i) {
			return c.Pos()
		}
	}
	return token.NoPos
}

// variable stands for the variable that v is a value of.
func (s *stale) variable(v ssa.Value) ssa.Value {
	for range 16 {
		switch x := v.(type) {
		case *ssa.Call:
			if !ssautil.IsAppend(x) || s.d.nodes.find(x.Call.Args[0]) == nil {
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

// use is the instruction in which i uses the memory of a message that the node n stands for, or
// nil if it does not. Numbers of the message itself, which is on the heap, can be read at any time; its
// strings too unless they are recycled.
func (s *stale) use(n node, i ssa.Instruction) ssa.Instruction {
	v := n.value
	part := n.mark&(same|hold) == 0
	switch i := i.(type) {
	case *ssa.UnOp:
		if i.Op != token.MUL || n.mark&(alias|content) == 0 && n.mark&hold == 0 {
			return nil
		}
		if n.mark&hold != 0 {
			return s.element(v, i)
		}
		if fa, ok := v.(*ssa.FieldAddr); ok && s.d.mark(fa.X)&same != 0 && !s.d.shares(i.Type()) {
			return nil // of the message itself
		}
		if _, cell := v.(*ssa.Alloc); !cell && used(i) {
			return i
		}
	case *ssa.Range:
		if n.mark&(hold|alias|content|text) != 0 && values(i) {
			return i
		}
	case *ssa.Lookup:
		if i.X == v && n.mark&hold != 0 && used(i) && !isBool(i) {
			return i
		}
	case *ssa.BinOp:
		if n.mark&text != 0 {
			return i
		}
	case *ssa.IndexAddr:
		if n.mark&hold != 0 && i.X == v && s.d.nodes.find(i) == nil {
			for _, r := range *i.Referrers() {
				if load, ok := r.(*ssa.UnOp); ok && s.element(i, load) != nil {
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

// element is the load if it takes a message, or part of one, out of a list.
func (s *stale) element(v ssa.Value, load *ssa.UnOp) ssa.Instruction {
	if _, ok := v.(*ssa.IndexAddr); !ok || !used(load) || !s.d.shares(load.Type()) {
		return nil
	}
	if _, ok := load.Type().Underlying().(*types.Struct); ok {
		return nil // the message may be what is not used of it
	}
	return load
}

// call is the call that gets a message.
func (s *stale) call(n node, i ssa.CallInstruction, part bool) ssa.Instruction {
	c := i.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil
	}
	if c.Value == n.value && !c.IsInvoke() {
		return nil
	}
	k := s.d.f.callee(c)
	for j, arg := range k.args[:k.free] {
		if arg != n.value {
			continue
		}
		if k.ssa != nil && k.sum != nil {
			if p := k.sum.param(j); !p.Use && !p.Keep && !p.Unknown && p.KeptIn == 0 && !p.Spawn {
				continue
			}
		}
		if call, ok := i.(*ssa.Call); ok && j == 0 && getter(call) && !part && n.mark&same != 0 && !s.d.shares(call.Type()) {
			continue
		}
		if _, ok := n.value.(*ssa.Alloc); ok && s.r.by[n.value] == nil && !message(n.value.Type()) {
			continue
		}
		return i
	}
	return nil
}

// passed is the call that gets v as one of its last arguments, in a list that addr is in; nil if
// it only goes to another list.
func (s *stale) passed(v, addr ssa.Value) ssa.Instruction {
	list, ok := ssautil.Root(addr).(*ssa.Alloc)
	if !ok || list.Comment != "varargs" {
		return nil
	}
	for _, r := range *list.Referrers() {
		sl, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, u := range *sl.Referrers() {
			if c, ok := u.(*ssa.Call); ok {
				if _, builtin := c.Call.Value.(*ssa.Builtin); !builtin {
					return c
				}
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
	for _, r := range *i.Referrers() {
		next, ok := r.(*ssa.Next)
		if !ok {
			continue
		}
		for _, u := range *next.Referrers() {
			if e, ok := u.(*ssa.Extract); ok && e.Index == 2 && used(e) {
				return true
			}
		}
	}
	return false
}
