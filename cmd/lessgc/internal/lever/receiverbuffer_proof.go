package lever

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// alone reports whether no two goroutines are in the method with the same receiver at a time: each object of its type stays with the
// function that makes it, or two of them would be racing already.
func (s *receiverSpace) alone() bool {
	if s.p.ownedByMakers(s.named) {
		return true
	}
	_, ok := s.p.takesTurn(s.home, s.made.(ssa.Instruction).Block(), 0)
	return ok
}

// ownedByMakers reports whether each object of a type is used only by the function that makes it, or has it made by a constructor, and by
// what these call before they return: none is stored in what was there before, sent, or given to a goroutine.
func (p *Program) ownedByMakers(named *types.Named) bool {
	all := p.makersOf(named)
	return len(all) > 0 && !slices.ContainsFunc(all, func(made *ssa.Alloc) bool { return !p.ownedByMaker(made, refers, 0) })
}

// ownedByMaker is ownedByMakers of an object to which a value leads.
func (p *Program) ownedByMaker(v ssa.Value, how link, depth int) bool {
	t, fn := p.followAs(how, nil, v), v.Parent()
	if len(t.kept) > 0 {
		return false
	}
	if len(t.returned) == 0 {
		return true
	}
	if depth >= deepest || fn.Parent() != nil || token.IsExported(fn.Name()) || p.values[fn] || p.mayBeInvoked(fn) {
		return false
	}
	for _, c := range p.callsOf(fn) {
		if p.inTest(c.Pos()) {
			continue
		}
		if c.Value() == nil || !p.ownedByMaker(c.Value(), t.how, depth+1) {
			return false
		}
	}
	return true
}

// takesTurn returns a line on which each way through a block of a method stores to a field of its receiver, there or in the methods that
// call it with their own receiver: two goroutines in it would be racing already, as none of the functions waits for another one. What
// calls a reader or writer may wait: for a goroutine that has the receiver and calls the method meanwhile.
func (p *Program) takesTurn(fn *ssa.Function, by *ssa.BasicBlock, depth int) (pos token.Pos, ok bool) {
	if mayWait(fn, map[*ssa.Function]bool{}) || p.beside(fn) {
		return token.NoPos, false
	}
	if pos, ok := p.storesOnEachWay(fn.Params[0], by, deepest); ok {
		return pos, true
	}
	if depth >= deepest || p.values[fn] || p.mayBeInvoked(fn) {
		return token.NoPos, false
	}
	for _, c := range p.callsOf(fn) {
		if p.inTest(c.Pos()) {
			continue
		}
		call, plain := c.(*ssa.Call)
		if !plain || !givesReceiver(c) || c.Parent() == fn {
			return token.NoPos, false
		}
		at, found := p.takesTurn(c.Parent(), call.Block(), depth+1)
		if !found || pos.IsValid() && at != pos {
			return token.NoPos, false // two goroutines in two callers need not meet there
		}
		pos = at
	}
	return pos, pos.IsValid()
}

// mayWait reports whether a function, or one that it calls, may wait for another goroutine: by a channel, a lock or an atomic variable, or in
// code that is not known, as a method of an interface.
func mayWait(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	if synchronizes(fn, 0) {
		return true
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := call.Common()
			callee := c.StaticCallee()
			switch {
			case callee == nil:
				if _, builtin := c.Value.(*ssa.Builtin); !builtin {
					return true
				}
			case len(callee.Blocks) > 0:
				if mayWait(callee, seen) {
					return true
				}
			case !pureOfLibrary(callee):
				return true
			}
		}
	}
	return false
}

// pureOfLibrary reports whether a function is one of the standard library that does nothing but compute from its arguments: it is given no
// interface and no function.
func pureOfLibrary(fn *ssa.Function) bool {
	if fn.Pkg == nil || !slices.Contains([]string{"bytes", "encoding/binary", "encoding/hex", "errors", "math", "math/bits", "strconv", "strings", "unicode", "unicode/utf8"}, fn.Pkg.Pkg.Path()) {
		return false
	}
	for v := range fn.Signature.Params().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Interface, *types.Signature:
			return false
		}
	}
	return true
}

// A region is part of the memory: elements from one on, up to another one or to a number that is a value.
type region struct {
	from, to int64
	end      ssa.Value // nil where to is known
	vague    bool      // it may begin later, or be part of this only
}

// An elementWrite is an instruction that sets all elements of a region; where it can fail, it has done so from a block on.
type elementWrite struct {
	region
	in ssa.Instruction
	by *ssa.BasicBlock
}

func (f elementWrite) before(in ssa.Instruction) bool {
	if f.by != nil {
		return f.by.Dominates(in.Block())
	}
	if f.in.Block() != in.Block() {
		return f.in.Block().Dominates(in.Block())
	}
	all := in.Block().Instrs
	return slices.Index(all, f.in) < slices.Index(all, in)
}

// writtenFirst reports whether each element of the memory, which has some, is set by the method before it is read: it need not be zeroed.
func (x *pooling) writtenFirst(n int64) bool {
	var filled []elementWrite
	type use struct {
		region
		in ssa.Instruction
	}
	var reads []use
	for v := range x.flow.seen {
		if v.Parent() != x.home {
			return false
		}
		r, ok := regionOf(v, x.made, n)
		if !ok {
			return false
		}
		for _, in := range *v.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef, *ssa.Slice, *ssa.IndexAddr:
				continue
			case *ssa.Store:
				if at, ok := v.(*ssa.IndexAddr); !ok || in.Addr != v {
					return false
				} else if _, constant := at.Index.(*ssa.Const); constant && !r.vague {
					filled = append(filled, elementWrite{region: r, in: in})
				}
				continue
			case *ssa.Call:
				if all := setsRegion(in, v, r); all != nil {
					filled = append(filled, all...)
					continue
				}
				if callsBuiltin(in, "len") || callsBuiltin(in, "cap") {
					continue
				}
			}
			reads = append(reads, use{r, in})
		}
	}
	for _, u := range reads {
		set := make([]bool, n)
		for _, f := range filled {
			if !f.before(u.in) {
				continue
			}
			if f.end != nil {
				if f.end == u.end {
					u.to, u.end = u.from, nil
				}
				continue
			}
			for i := f.from; i < f.to; i++ {
				set[i] = true
			}
		}
		if slices.Contains(set[u.from:u.to], false) {
			return false
		}
	}
	return true
}

// regionOf returns the part of some memory that a value refers to, as far as constants tell; the rest of the memory if its end is a
// number that they do not.
func regionOf(v, made ssa.Value, n int64) (r region, ok bool) {
	if v == made {
		return region{to: n}, true
	}
	at := func(i ssa.Value) (int64, bool) {
		c, ok := i.(*ssa.Const)
		if !ok || c.Value == nil {
			return 0, false
		}
		k, exact := constant.Int64Val(constant.ToInt(c.Value))
		return k, exact && 0 <= k && k <= n
	}
	switch v := v.(type) {
	case *ssa.Slice:
		if r, ok = regionOf(v.X, made, n); !ok || (r.end != nil || r.vague) && (v.Low != nil || v.High != nil) {
			return r, false
		}
		from := r.from
		if v.Low != nil {
			low, ok := at(v.Low)
			if !ok || from+low > n {
				return region{from: from, to: n, vague: true}, v.High == nil
			}
			r.from += low
		}
		if v.High != nil {
			if high, ok := at(v.High); ok {
				r.to = min(n, from+high)
			} else {
				r.to, r.end = n, v.High
			}
		}
		return r, r.from <= r.to
	case *ssa.IndexAddr:
		if r, ok = regionOf(v.X, made, n); !ok {
			return r, false
		}
		if i, ok := at(v.Index); ok && r.from+i < n && !r.vague {
			return region{from: r.from + i, to: r.from + i + 1}, true
		}
		return region{from: r.from, to: n, vague: true}, true
	}
	return r, false
}

// setsRegion returns what a call sets of a region that it is given, or of the elements before a number that it returns: nil if it may read
// them before.
func setsRegion(call *ssa.Call, v ssa.Value, r region) (all []elementWrite) {
	common := call.Common()
	if r.end != nil || r.vague || slices.Index(common.Args, v) != slices.IndexFunc(common.Args, func(arg ssa.Value) bool { return isSlice(arg.Type()) }) {
		return nil
	}
	first := func(n ssa.Value) {
		if r.from == 0 && n != nil {
			all = append(all, elementWrite{region{end: n}, call, nil})
		}
	}
	name := ""
	if callee := common.StaticCallee(); callee != nil {
		name = fullName(callee)
	} else if common.IsInvoke() {
		name = common.Method.FullName()
	}
	switch name {
	case "encoding/binary.PutUvarint", "encoding/binary.PutVarint":
		first(call)
	case "io.ReadFull":
		if by := withoutError(call); by != nil {
			all = append(all, elementWrite{r, call, by})
		}
		first(resultAt(call, 0))
	case "(io.Reader).Read", "(*os.File).Read", "(*bufio.Reader).Read", "(net.Conn).Read":
		first(resultAt(call, 0))
	}
	if order, put, is := strings.Cut(name, ").Put"); is && strings.HasPrefix(order, "(encoding/binary.") {
		size := map[string]int64{"Uint16": 2, "Uint32": 4, "Uint64": 8}[put]
		if size > 0 && r.from+size <= r.to {
			all = append(all, elementWrite{region{from: r.from, to: r.from + size}, call, nil})
		}
	}
	return all
}

// withoutError is the block that is executed only after a call has returned no error; nil if nothing asks.
func withoutError(call *ssa.Call) *ssa.BasicBlock {
	err := resultAt(call, 1)
	if err == nil {
		return nil
	}
	for _, in := range *err.Referrers() {
		op, ok := in.(*ssa.BinOp)
		if !ok || op.X != err || !isNilConst(op.Y) {
			continue
		}
		cond, ok := op.Block().Instrs[len(op.Block().Instrs)-1].(*ssa.If)
		if !ok || cond.Cond != ssa.Value(op) {
			continue
		}
		next := op.Block().Succs[1]
		if op.Op == token.EQL {
			next = op.Block().Succs[0]
		} else if op.Op != token.NEQ {
			continue
		}
		if len(next.Preds) == 1 {
			return next
		}
	}
	return nil
}
