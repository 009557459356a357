package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// What does a function receive from a queue (queues.go), and is anything else sent there?
//
//	jobs := make(chan *bytes.Buffer, 8)
//	go func() { jobs <- pool.Get().(*bytes.Buffer) }() // in sight
//	b := <-jobs                                        // an origin, if some receiver puts it back
//
//	register(jobs) // others may send there: no queue

// deleteShared deletes the channels that go elsewhere than to sends and receives in sight: somebody may
// send other values there.
//
// Each use of the channel, of its address, and of what is stored there has to be in sight. A
// conversion to a channel that only receives is no way to send.
func (a *Package) deleteShared(all queues) {
	for _, f := range a.Order {
		for i := range ssautil.Instructions(f.Function) {
			switch i := i.(type) {
			case *ssa.UnOp:
				if c := f.queueOf(i); c != nil && all[c] != nil && !onlyChannel(i) {
					delete(all, c)
				}
			case *ssa.Store:
				if c := f.storedTo(i.Addr); c != nil && all[c] != nil && !isFresh(i.Val) {
					delete(all, c)
				}
			case *ssa.FieldAddr:
				if c := f.storedTo(i); c != nil && all[c] != nil && !onlyAddress(i) {
					delete(all, c)
				}
			}
		}
	}
	for c := range all {
		if cell, ok := c.(*ssa.Alloc); ok && !onlyAddress(cell) {
			delete(all, c)
		}
	}
}

// storedTo returns what the channel at an address is known by; nil if there is none.
func (f *Function) storedTo(addr ssa.Value) any {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		if field := ssautil.Field(x); field != nil {
			return field.Origin()
		}
	case *ssa.Global:
		return x.Object()
	case *ssa.Alloc:
		return x
	case *ssa.FreeVar:
		if cell := capturedVariable(x, 0); cell != nil {
			return cell
		}
	}
	return nil
}

// onlyChannel reports whether a channel is used for nothing but to send, to receive and to close.
func onlyChannel(v ssa.Value) bool {
	for i := range ssautil.Uses[ssa.Instruction](v) {
		switch i := i.(type) {
		case *ssa.DebugRef, *ssa.Select, *ssa.BinOp:
		case *ssa.Send:
			if i.X == v {
				return false
			}
		case *ssa.UnOp:
			if i.Op != token.ARROW {
				return false
			}
		case *ssa.ChangeType:
			if c, ok := i.Type().Underlying().(*types.Chan); !ok || c.Dir() != types.RecvOnly && !onlyChannel(i) {
				return false
			}
		case ssa.CallInstruction:
			if ssautil.Builtin(i.Common()) == "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyAddress reports whether the address of a channel is only loaded from, stored to, or captured.
func onlyAddress(v ssa.Value) bool {
	for i := range ssautil.Uses[ssa.Instruction](v) {
		switch i := i.(type) {
		case *ssa.DebugRef, *ssa.UnOp, *ssa.MakeClosure:
		case *ssa.Store:
			if i.Val == v {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isFresh reports whether v is no channel, or a new one that goes to one place.
//
// One channel that is stored in two fields would be two queues with the same values.
func isFresh(v ssa.Value) bool {
	if IsNil(v) {
		return true
	}
	made, ok := v.(*ssa.MakeChan)
	if !ok {
		return false
	}
	stores := 0
	for i := range ssautil.Uses[ssa.Instruction](made) {
		switch i.(type) {
		case *ssa.Store:
			stores++
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return stores == 1
}

// An arrival is a value that is received from a channel which may be a queue.
type arrival struct {
	value ssa.Value
	from  any // what the channel is known by
	pos   token.Pos
}

// arrivals returns what f receives.
func (f *Function) arrivals() (all []arrival) {
	add := func(from, v ssa.Value, pos token.Pos) {
		if c := f.queueOf(from); c != nil && v != nil {
			all = append(all, arrival{v, c, pos})
		}
	}
	for i := range ssautil.Instructions(f.Function) {
		switch i := i.(type) {
		case *ssa.UnOp:
			switch {
			case i.Op == token.ARROW && i.CommaOk:
				add(i.X, resultOf(i, 0), i.Pos())
			case i.Op == token.ARROW:
				add(i.X, i, i.Pos())
			}
		case *ssa.Select:
			result := 2 // those before are the case and whether the channel is open
			for _, s := range i.States {
				if s.Dir == types.RecvOnly {
					add(s.Chan, resultOf(i, result), s.Pos)
					result++
				}
			}
		}
	}
	return all
}

// resultOf returns result n of an instruction; nil if it is not used.
func resultOf(tuple ssa.Value, n int) ssa.Value {
	for e := range ssautil.Uses[*ssa.Extract](tuple) {
		if e.Index == n {
			return e
		}
	}
	return nil
}

// queuedIn returns the origin that v, which was received from a channel, is itself or has in a field; nil
// if that field may hold another.
func (f *Function) queuedIn(v ssa.Value, name string) *Origin {
	if name != "" {
		return f.heldIn(v, name)
	}
	start, _ := v.(ssa.Instruction)
	d := f.track(v, MarkSame)
	return &Origin{Kind: catalog.Item, Tracked: d, States: d.states(d.Effects, start, false)}
}

// visitQueued visits what f receives from the queues of the package.
func (f *Function) visitQueued(visit func(*Origin)) {
	if len(f.Package.queued) == 0 {
		return
	}
	for _, at := range f.arrivals() {
		carried := f.Package.queued[at.from]
		for _, name := range slices.Sorted(maps.Keys(carried)) {
			o := f.queuedIn(at.value, name)
			if o == nil {
				continue
			}
			o.Queued, o.Pool, o.Pos, o.Name = true, carried[name], at.pos, f.Package.variable(at.pos, nil)
			if name != "" && o.Name != "" {
				o.Name += "." + name
			}
			visit(o)
		}
	}
}
