package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Which values are messages that end when the next one is received?
//
//	m, err := stream.Recv() // in the handler of a method with PerMessage: one
//	s.last = m              // outlives it
//
//	m := new(pb.Request)
//	err := stream.RecvMsg(m) // one, too
//	s.last = proto.CloneOf(m) // right
//
// It takes the options that the package registers its handlers with. If one that may be meant does
// not recycle, or its policy is not constant, there is none: silence. All messages are one origin
// that lives from the entry, as a receive ends the one before; stale.go of events tells them apart.

// A Stream origin is the messages that a stream's handler receives: with
// arenagrpc.MethodOptions.PerMessage each is recycled by the next call of Recv or RecvMsg,
// and the last one when the handler returns.
type Stream struct {
	Calls      []ssa.Instruction             // of Recv and RecvMsg
	ReceivedBy map[ssa.Value]ssa.Instruction // messages, and the calls that they come from
	Inner      bool                          // the function is a literal in the handler
	Owner      *ssa.Parameter                // of a RecvMsg that wraps another: its receiver

	Reused map[ssa.Value]bool // messages of RecvMsg that are received into again
}

// streamKind returns the kind of recycling of each message by f, the handler of a stream, and the
// type of the stream. The kind is None if f does not recycle them or that cannot be seen.
func (f *Function) streamKind() (catalog.Kind, types.Type) {
	p, r := f.Signature.Params(), f.Signature.Results()
	if p.Len() == 0 || p.Len() > 2 || r.Len() != 1 || !types.Identical(r.At(0).Type(), ErrorType) || p.Len() == 2 && !IsMessage(p.At(0).Type()) {
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
		// One entry that may be of this method, and does not recycle, is enough for silence.
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
func (f *Function) received() *Origin {
	if len(f.Package.rpc.methods) == 0 {
		return nil
	}
	if o := f.wrapped(); o != nil {
		return o
	}
	top := f
	for top.Parent() != nil {
		if top = f.Package.Funcs[top.Parent()]; top == nil {
			return nil
		}
	}
	kind, stream := top.streamKind()
	if kind == catalog.None {
		return nil
	}
	r := &Stream{ReceivedBy: map[ssa.Value]ssa.Instruction{}, Reused: map[ssa.Value]bool{}, Inner: top != f}
	var roots []ssa.Value
	for _, i := range f.Calls {
		c, ok := i.(*ssa.Call)
		if !ok || !c.Call.IsInvoke() || !types.Identical(c.Call.Value.Type(), stream) {
			continue
		}
		var m ssa.Value
		switch c.Call.Method.Name() {
		case "Recv":
			m = firstResult(c, 1)
		case "RecvMsg":
			m = ssautil.Root(c.Call.Args[0])
		default:
			continue
		}
		r.Calls = append(r.Calls, c)
		if m == nil || !IsMessage(m.Type()) || !recycled(m.Type(), kind == catalog.Recycled, 0) {
			continue
		}
		// A message that is received into twice holds the newest one, so it is never stale.
		if r.ReceivedBy[m] != nil || c.Call.Method.Name() == "RecvMsg" && !isRenewed(m, c) {
			r.Reused[m] = true
		}
		r.ReceivedBy[m] = c
		roots = append(roots, m)
	}
	if !r.Inner && len(f.Params) == 3 && recycled(f.Params[1].Type(), kind == catalog.Recycled, 0) {
		roots = append(roots, f.Params[1]) // generated code has received it
	}
	if len(roots) == 0 {
		return nil
	}
	return f.messages(roots, kind, r)
}

// messages is the origin of the messages in roots.
func (f *Function) messages(roots []ssa.Value, kind catalog.Kind, r *Stream) *Origin {
	d := f.newDerivation(roots[0])
	d.texts, d.repeated = kind == catalog.Recycled, true
	d.begin(roots[0], MarkSame|MarkDeep)
	for _, m := range roots[1:] {
		d.add(m, MarkSame|MarkDeep, roots[0])
	}
	d.propagate()
	name := f.Package.variable(roots[0].Pos(), roots[0])
	if p, ok := roots[0].(*ssa.Parameter); ok {
		name = p.Name()
	}
	if name == "" || name == "_" {
		name = "the message"
	}
	o := &Origin{Kind: kind, Pos: roots[0].Pos(), Name: name, Borrowed: true, Direct: true, Received: true, Stream: r, Tracked: &Tracked{Aliases: d, Effects: d.effects()}}
	o.States = d.states(o.Tracked.Effects, nil, true)
	o.Siblings = []*Tracked{o.Tracked}
	return o
}

// isRenewed reports whether m is made anew before the call c is executed again.
func isRenewed(m ssa.Value, c ssa.Instruction) bool {
	made, ok := m.(*ssa.Alloc)
	return ok && !PathWithout(c, c, func(i ssa.Instruction) bool { return i == ssa.Instruction(made) })
}

// PathWithout reports whether there is a path from i to j, after i, on which no instruction stops
// it.
//
// It is a walk over the blocks, each of them once. Coming back to i ends a path, as one that begins
// there is walked already.
func PathWithout(i, j ssa.Instruction, stops func(ssa.Instruction) bool) bool {
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

// Receives reports whether i is one of the calls.
func (r *Stream) Receives(i ssa.Instruction) bool { return slices.Contains(r.Calls, i) }

// Next reports whether a message can be received after i.
func (r *Stream) Next(i ssa.Instruction) bool {
	return slices.ContainsFunc(r.Calls, func(c ssa.Instruction) bool { return ssautil.Follows(i, c) })
}

// Joined reports whether something can wait for what i has begun before the next message is
// received.
func (r *Stream) Joined(a *Package, i ssa.Instruction) bool {
	for x := range ssautil.Instructions(i.Parent()) {
		if x != i && !r.Receives(x) && a.Waits(x, 0) && PathWithout(i, x, r.Receives) {
			return true
		}
	}
	return false
}

// Keeps reports whether a literal in the handler certainly keeps a message beyond the next one:
// what it shares with the rest of the handler may be in use by turns.
//
// In a goroutine that receives, a variable of the handler may be read before the next message is.
// Only a place that outlives the stream is certain.
func (r *Stream) Keeps(i ssa.Instruction, a Effect) bool {
	if r.Owner != nil {
		return r.collects(i, a)
	}
	if !r.Inner {
		return true
	}
	switch i := i.(type) {
	case *ssa.Send, *ssa.Select:
		return r.Next(i)
	}
	if a.Kind == EffectSpawn {
		return r.Next(i)
	}
	if a.To == nil {
		return true
	}
	switch base := LoadedFrom(a.To).(type) {
	case *ssa.Global:
		return true
	case *ssa.FreeVar:
		top := i.Parent()
		for top.Parent() != nil {
			top = top.Parent()
		}
		return a.To != ssa.Value(base) && len(top.Params) > 0 && base.Name() == top.Params[0].Name() // of the server
	}
	return false
}

// collects reports whether a wrapper of a stream keeps a message beyond the next one: more than
// the last one, which it may use until then.
//
// A wrapper may have the last message in a field. A list, a map or a channel may have more than
// that.
func (r *Stream) collects(i ssa.Instruction, a Effect) bool {
	if a.Kind == EffectSpawn || a.To == nil || LoadedFrom(a.To) != ssa.Value(r.Owner) {
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
func (f *Function) wrapped() *Origin {
	sig := f.Signature
	if f.Name() != "RecvMsg" || sig.Recv() == nil || sig.Params().Len() != 1 || len(f.Params) != 2 || !types.IsInterface(sig.Params().At(0).Type()) || !embeds(sig.Recv().Type(), "ServerStream") {
		return nil
	}
	kind := catalog.None
	for _, list := range f.Package.rpc.methods {
		for _, o := range list {
			if o.perMessage && o.kind > catalog.Safe && (kind == catalog.None || o.kind < kind) {
				kind = o.kind
			}
		}
	}
	if kind == catalog.None {
		return nil
	}
	return f.messages([]ssa.Value{f.Params[1]}, kind, &Stream{Owner: f.Params[0]})
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
