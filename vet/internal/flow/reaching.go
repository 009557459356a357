package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which stores to a local variable can a load see? SSA answers that with phis for variables in
// registers. This file does for those that it leaves in memory.
//
//	buf := pool.Get().(*bytes.Buffer)
//	defer func() { pool.Put(buf) }() // captures buf, which stays in memory
//	buf.WriteString(s)               // sees what Get has returned, and nothing else
//	if buf.Len() > max {
//		buf = new(bytes.Buffer)
//	}
//	buf.Reset()                      // sees either: the load is weak
//	exchange(&buf)
//	buf.Reset()                      // sees what exchange may have stored, too: unknown
//
// It takes a function and gives for each load the values, and for each store the loads. Code of
// others writes while a call runs that may have the address, and at any call once a goroutine has it or
// a callee has kept it. Unknown among the values makes what derives weak, which is silence.

// A reachedLoad is a read of a local variable, with the values it can yield.
type reachedLoad struct {
	value   ssa.Value
	sources []ssa.Value // unknown among them if others may have stored
}

// reachingDefinitions holds the local variables of a function that SSA leaves in memory because a
// closure captures them or their address is taken: for each store, the loads that can see it. A
// variable is analyzed when it is first asked for, as most functions have none that matters.
type reachingDefinitions struct {
	f    *Function
	vars map[ssa.Value]*localVar
}

// A localVar holds what is known of one variable in memory.
type localVar struct {
	reached  map[*ssa.Store][]reachedLoad
	entry    []reachedLoad // of a captured variable: loads that can see what it held at the beginning
	closures []*ssa.MakeClosure
	stores   int                       // how many there are
	sources  map[ssa.Value][]ssa.Value // by load, what it can yield
	unset    map[ssa.Value]bool        // by load, whether it can yield the zero value that nothing was stored over
}

// variable returns the variable at an address. The result is empty for an address of anything but a
// local variable: nothing is known of that.
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

// loads returns the loads that can see a store.
func (c *reachingDefinitions) loads(s *ssa.Store) []reachedLoad { return c.variable(s.Addr).reached[s] }

// Stand-ins among the values a variable can hold.
var (
	unset   ssa.Value = &ssa.Const{} // the zero value it begins with
	unknown ssa.Value = &ssa.Const{} // what others may have stored
	leaked  ssa.Value = &ssa.Const{} // nothing, but from now on others may store at any call
)

// A definitions set holds the values that a variable can have at one point of its function.
type definitions map[ssa.Value]bool

// include adds all of other, and reports whether any was new.
func (d definitions) include(other definitions) (changed bool) {
	for v := range other {
		if !d[v] {
			d[v] = true
			changed = true
		}
	}
	return changed
}

// accesses holds what a function does with one variable.
type accesses struct {
	addr     ssa.Value
	loads    []*ssa.UnOp
	writes   map[ssa.Instruction]ssa.Value // stores to it, with their values
	during   map[ssa.Instruction]bool      // instructions while which others may write
	after    map[ssa.Instruction]bool      // instructions after which others may write at any time
	deferred bool                          // others write when the function ends
}

// look finds out which values each load of the variable at addr can yield.
func (c *localVar) look(f *Function, addr ssa.Value) {
	a := c.collect(f, addr)
	if len(a.loads) > 0 {
		c.record(a, a.solve(f.Function))
	}
}

// collect finds the accesses.
func (c *localVar) collect(f *Function, addr ssa.Value) *accesses {
	a := &accesses{addr: addr, writes: map[ssa.Instruction]ssa.Value{}, during: map[ssa.Instruction]bool{}, after: map[ssa.Instruction]bool{}}
	for r := range ssautil.Uses[ssa.Instruction](addr) {
		switch i := r.(type) {
		case *ssa.UnOp:
			if i.Op == token.MUL {
				a.loads = append(a.loads, i)
			}
		case *ssa.Store:
			if i.Addr == addr {
				a.writes[i] = i.Val
				c.stores++
			} else {
				a.after[i] = true
			}
		case *ssa.MakeClosure:
			// One that is only deferred writes when the function ends, so it does not disturb loads
			// before that.
			c.closures = append(c.closures, i)
			if !writesTo(i, addr) {
				continue
			}
			if onlyDeferred(i) {
				a.deferred = true
			} else {
				a.after[i] = true
			}
		case ssa.CallInstruction:
			// One that is not known is not taken to keep the address.
			if f.keepsAddress(i, addr) {
				a.after[i] = true
			} else {
				a.during[i] = true
			}
		case *ssa.MakeInterface, *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.Return, *ssa.MapUpdate, *ssa.Send:
			if !harmless(i) {
				a.after[i] = true
			}
		}
	}
	return a
}

// keepsAddress reports whether a call leaves the address of a variable to those who may write there later: a
// goroutine, or what the callee stores it in.
//
// Only a callee that is named in the source is asked: to find others, variables are looked up.
func (f *Function) keepsAddress(c ssa.CallInstruction, addr ssa.Value) bool {
	if _, ok := c.(*ssa.Go); ok {
		return true
	}
	if c.Common().StaticCallee() == nil {
		return false
	}
	for p := range f.passed(c, addr) {
		if p.Keep || p.KeptIn != 0 {
			return true
		}
	}
	return false
}

// solve carries values forward over the blocks until no block gets a new one, and returns those that
// each load can yield. It ends because sets only grow.
//
// That is the least fixed point: a value is in the set of a load only if a path brings it there. A
// block that is reached for the first time is visited even if its set is empty.
func (a *accesses) solve(f *ssa.Function) map[*ssa.UnOp]definitions {
	first := unset
	if v, ok := a.addr.(*ssa.FreeVar); ok {
		first = v
	}
	seen := map[*ssa.UnOp]definitions{}
	in := make([]definitions, len(f.Blocks))
	in[0] = definitions{first: true}
	now := definitions{}
	work := []*ssa.BasicBlock{f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		clear(now)
		now.include(in[b.Index])
		a.transfer(b, now, seen)
		for _, s := range b.Succs {
			reached := in[s.Index] != nil
			if !reached {
				in[s.Index] = definitions{}
			}
			if in[s.Index].include(now) || !reached {
				work = append(work, s)
			}
		}
	}
	return seen
}

// transfer turns the values at the start of b into those at its end, and adds to seen what the loads in
// b can yield.
func (a *accesses) transfer(b *ssa.BasicBlock, now definitions, seen map[*ssa.UnOp]definitions) {
	for _, i := range b.Instrs {
		if i == any(a.addr) {
			clear(now) // a new variable in each iteration of a loop
			now[unset] = true
		}
		if u, ok := i.(*ssa.UnOp); ok && u.X == a.addr && u.Op == token.MUL {
			if seen[u] == nil {
				seen[u] = definitions{}
			}
			seen[u].include(now)
		}
		switch {
		case a.writes[i] != nil:
			// A store hides all values before it, but not that others have the address.
			was := now[leaked]
			clear(now)
			now[a.writes[i]] = true
			if was {
				now[leaked] = true
			}
		case a.after[i]:
			now[leaked], now[unknown] = true, true
		case a.during[i], now[leaked] && runsCode(i), a.deferred && isRunDefers(i):
			now[unknown] = true
		}
	}
}

// record stores the result, by load and by store.
func (c *localVar) record(a *accesses, seen map[*ssa.UnOp]definitions) {
	freeVar, _ := a.addr.(*ssa.FreeVar)
	c.reached, c.sources, c.unset = map[*ssa.Store][]reachedLoad{}, map[ssa.Value][]ssa.Value{}, map[ssa.Value]bool{}
	for _, l := range a.loads {
		x := reachedLoad{value: l}
		for v := range seen[l] {
			// The zero value shares no memory. On a path on which nothing was stored the load is
			// nil, so there is nothing to be wrong about.
			if v != unset && v != leaked {
				x.sources = append(x.sources, v)
			}
		}
		c.sources[l], c.unset[l] = x.sources, seen[l][unset]
		if freeVar != nil && seen[l][freeVar] {
			c.entry = append(c.entry, x)
		}
		for i, v := range a.writes {
			if s := i.(*ssa.Store); seen[l][v] && (freeVar == nil || v != ssa.Value(freeVar)) {
				c.reached[s] = append(c.reached[s], x)
			}
		}
	}
}

func isRunDefers(i ssa.Instruction) bool {
	_, ok := i.(*ssa.RunDefers)
	return ok
}

// runsCode reports whether i may run code of others.
func runsCode(i ssa.Instruction) bool {
	_, ok := i.(ssa.CallInstruction)
	return ok
}

// harmless reports whether an instruction that has the address of a variable does not let
// anybody write to it: it only goes to releasing calls, or is read.
//
// A pool that holds pointers to slices gets the address, and must not make the variable unknown:
//
//	func put(b []byte) { slices.Put(&b) }
func harmless(i ssa.Instruction) bool {
	v, ok := i.(ssa.Value)
	if !ok {
		return false
	}
	for r := range ssautil.Uses[ssa.Instruction](v) {
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
		for r := range ssautil.Uses[ssa.Instruction](fn.FreeVars[n]) {
			switch i := r.(type) {
			case *ssa.Store:
				return true
			case *ssa.MakeClosure:
				if writesTo(i, fn.FreeVars[n]) {
					return true
				}
			case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr:
				// It reads the variable, or works on what is in it, which is no store to the
				// variable.
			default:
				return true
			}
		}
	}
	return false
}

// onlyDeferred reports whether a closure is deferred, and nothing else.
func onlyDeferred(m *ssa.MakeClosure) bool {
	for r := range ssautil.Uses[ssa.Instruction](m) {
		switch r.(type) {
		case *ssa.Defer, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
