package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A reachedLoad is a read of a local variable, with the values it can yield.
type reachedLoad struct {
	value   ssa.Value
	sources []ssa.Value // unknown among them if others may have stored
}

// reachingDefinitions are the local variables that SSA leaves in memory because a closure has them or
// their address is taken: for each store, the loads that can see it. Each is looked at when
// it is asked for.
type reachingDefinitions struct {
	f    *ssa.Function
	vars map[ssa.Value]*localVar
}

// A cell is one variable.
type localVar struct {
	reached  map[*ssa.Store][]reachedLoad
	entry    []reachedLoad // of a captured variable: loads that can see what it held at the beginning
	closures []*ssa.MakeClosure
	stores   int                       // how many there are
	sources  map[ssa.Value][]ssa.Value // by load, what it can yield
}

// variable is the variable at an address; of others than local variables nothing is known.
func (c *reachingDefinitions) variable(addr ssa.Value) *localVar {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return new(localVar)
	}
	v := c.vars[addr]
	if v == nil {
		v = new(localVar)
		c.vars[addr] = v
		v.look(c.f, addr)
	}
	return v
}

// loads are those that can see a store.
func (c *reachingDefinitions) loads(s *ssa.Store) []reachedLoad { return c.variable(s.Addr).reached[s] }

// Stand-ins among the values a variable can hold.
var (
	zero    ssa.Value = &ssa.Const{} // the zero value it begins with
	unknown ssa.Value = &ssa.Const{} // what others may have stored
	leaked  ssa.Value = &ssa.Const{} // nothing, but from now on others may store at any call
)

// definitions are, for one variable, the values it can hold.
type definitions map[ssa.Value]bool

// look follows one variable, by its address.
func (c *localVar) look(f *ssa.Function, addr ssa.Value) {
	var loads []*ssa.UnOp
	stores := map[ssa.Value]*ssa.Store{} // by a stand-in for each store
	writes := map[ssa.Instruction]ssa.Value{}
	during := map[ssa.Instruction]bool{} // instructions while which others may write
	after := map[ssa.Instruction]bool{}  // instructions after which others may write at any time
	deferred := false                    // others write when the function ends
	for _, r := range *addr.Referrers() {
		switch i := r.(type) {
		case *ssa.UnOp:
			if i.Op == token.MUL {
				loads = append(loads, i)
			}
		case *ssa.Store:
			if i.Addr == addr {
				stores[i.Val] = i
				writes[i] = i.Val
				c.stores++
			} else {
				after[i] = true
			}
		case *ssa.MakeClosure:
			c.closures = append(c.closures, i)
			if !writesTo(i, addr) {
				continue
			}
			if onlyDeferred(i) {
				deferred = true
			} else {
				after[i] = true
			}
		case ssa.CallInstruction:
			during[i] = true
		case *ssa.MakeInterface, *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.Return, *ssa.MapUpdate, *ssa.Send:
			if !harmless(i) {
				after[i] = true
			}
		}
	}
	if len(loads) == 0 {
		return
	}
	// Forward over the blocks: which values can the variable hold?
	in := make([]definitions, len(f.Blocks))
	first := ssa.Value(nil)
	if v, ok := addr.(*ssa.FreeVar); ok {
		first = v
	}
	seen := map[*ssa.UnOp]definitions{}
	var work []*ssa.BasicBlock
	start := definitions{}
	if first != nil {
		start[first] = true
	} else {
		start[zero] = true
	}
	in[0] = start
	work = append(work, f.Blocks[0])
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		now := definitions{}
		for v := range in[b.Index] {
			now[v] = true
		}
		for _, i := range b.Instrs {
			if i == any(addr) {
				now = definitions{zero: true}
			}
			if u, ok := i.(*ssa.UnOp); ok && u.X == addr && u.Op == token.MUL {
				if seen[u] == nil {
					seen[u] = definitions{}
				}
				for v := range now {
					seen[u][v] = true
				}
			}
			switch {
			case writes[i] != nil:
				was := now[leaked]
				now = definitions{writes[i]: true}
				if was {
					now[leaked] = true
				}
			case after[i]:
				now[leaked], now[unknown] = true, true
			case during[i], now[leaked] && runsCode(i), deferred && isRunDefers(i):
				now[unknown] = true
			}
		}
		for _, s := range b.Succs {
			changed := false
			if in[s.Index] == nil {
				in[s.Index] = definitions{}
				changed = true
			}
			for v := range now {
				if !in[s.Index][v] {
					in[s.Index][v] = true
					changed = true
				}
			}
			if changed {
				work = append(work, s)
			}
		}
	}
	c.reached, c.sources = map[*ssa.Store][]reachedLoad{}, map[ssa.Value][]ssa.Value{}
	for _, l := range loads {
		x := reachedLoad{value: l}
		for v := range seen[l] {
			if v != zero && v != leaked {
				x.sources = append(x.sources, v)
			}
		}
		c.sources[l] = x.sources
		for v := range seen[l] {
			if v == first && first != nil {
				c.entry = append(c.entry, x)
			} else if s := stores[v]; s != nil {
				for other, value := range writes { // several stores may store the same value
					if value == v {
						c.reached[other.(*ssa.Store)] = append(c.reached[other.(*ssa.Store)], x)
					}
				}
			}
		}
	}
}

func isRunDefers(i ssa.Instruction) bool {
	_, ok := i.(*ssa.RunDefers)
	return ok
}

// calls reports whether i may run code of others.
func runsCode(i ssa.Instruction) bool {
	_, ok := i.(ssa.CallInstruction)
	return ok
}

// harmless reports whether an instruction that has the address of a variable does not let
// anybody write to it: it only goes to releasing calls, or is read.
func harmless(i ssa.Instruction) bool {
	v, ok := i.(ssa.Value)
	if !ok || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Convert:
			if !harmless(r) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case ssa.CallInstruction:
			f := r.Common().StaticCallee()
			if f == nil || f.Name() != "Put" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// writesTo reports whether the closure stores to a variable it captures.
func writesTo(m *ssa.MakeClosure, addr ssa.Value) bool {
	fn, ok := m.Fn.(*ssa.Function)
	if !ok {
		return true
	}
	for n, b := range m.Bindings {
		if b != addr || n >= len(fn.FreeVars) {
			continue
		}
		for _, r := range *fn.FreeVars[n].Referrers() {
			switch i := r.(type) {
			case *ssa.Store:
				return true
			case *ssa.MakeClosure:
				if writesTo(i, fn.FreeVars[n]) {
					return true
				}
			case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr:
			default:
				return true
			}
		}
	}
	return false
}

// onlyDeferred reports whether a closure is deferred, and nothing else.
func onlyDeferred(m *ssa.MakeClosure) bool {
	for _, r := range *m.Referrers() {
		switch r.(type) {
		case *ssa.Defer, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
