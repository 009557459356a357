package arenaappend

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A shape holds what is known about a slice: where in an arena it was made, its capacity,
// and its smallest and largest length.
type shape struct {
	made   *ssa.Call // nil if it is not known to be in an arena
	cap    expr
	lo, hi expr
}

// A verdict is the effect of an append on where a slice lies: in the arena or on the heap.
type verdict uint8

const (
	stays    verdict = iota
	may              // it may move
	overruns         // it may, and the test of its length allows for that
	letsMore         // it may, and a test of something else allows for that
	moves
)

// An amount is a number of elements, at least and at most.
type amount struct{ lo, hi expr }

// add returns the shape after so many elements are appended, and the verdict.
func (s shape) add(n amount) (shape, verdict) {
	lo, hi := sum(s.lo, n.lo), sum(s.hi, n.hi)
	switch {
	case alike(lo, s.cap) && lo.add > s.cap.add, s.full() && n.hi != number(0):
		return shape{}, moves
	case alike(hi, s.cap) && hi.add <= s.cap.add:
		return shape{s.made, s.cap, lo, hi}, stays
	}
	return shape{made: s.made, cap: s.cap, lo: lo}, may // if it has moved, then lo still holds
}

// full reports whether there is no room left.
func (s shape) full() bool { return alike(s.lo, s.cap) && s.lo.add >= s.cap.add }

// A function is one that is looked at.
type function struct {
	*library
	fn     *ssa.Function
	shapes map[ssa.Value]shape
	loops  map[*ssa.BasicBlock]*loop // by header

	assigned map[*types.Var]bool // fields that the package assigns to
	done     map[*ssa.Call]bool  // appends that are reported
}

// shape returns what is known about the length and capacity of v.
func (f *function) shape(v ssa.Value) shape {
	if s, ok := f.shapes[v]; ok {
		return s
	}
	f.shapes[v] = shape{} // while it is being found out
	s := f.find(v)
	f.shapes[v] = s
	return s
}

func (f *function) find(v ssa.Value) shape {
	if call, m, ok := f.made(v); ok {
		return f.initial(call, m)
	}
	switch v := v.(type) {
	case *ssa.ChangeType:
		return f.shape(v.X)
	case *ssa.Slice:
		return f.resliced(v)
	case *ssa.Call:
		if isAppend(v) {
			s, _ := f.shape(v.Call.Args[0]).add(f.count(v.Call.Args[1]))
			return s
		}
	case *ssa.Phi:
		if l := f.loops[v.Block()]; l != nil {
			return f.turning(v, l)
		}
		return f.merged(v.Edges)
	}
	return shape{}
}

// initial is the shape of what a maker returns.
func (f *function) initial(call *ssa.Call, m maker) shape {
	s := shape{made: call, cap: f.symbol("cap", call)}
	s.lo, s.hi = s.cap, s.cap
	switch {
	case m == full:
		return s
	case m.len < 0:
		s.lo, s.hi = number(0), number(0)
	default:
		n := f.of(call.Call.Args[m.len])
		s.lo, s.hi = n, n
	}
	s.cap = f.of(call.Call.Args[m.cap])
	return s
}

// resliced is the shape of s[low:high]. One that also says max wants append to copy.
func (f *function) resliced(v *ssa.Slice) shape {
	s := f.shape(v.X)
	low := number(0)
	if v.Low != nil {
		low = f.of(v.Low)
	}
	if s.made == nil || v.Max != nil || !low.known || low.sym != "" {
		return shape{}
	}
	if v.High != nil {
		s.lo = f.of(v.High)
		s.hi = s.lo
	}
	s.cap, s.lo, s.hi = s.cap.plus(-low.add), s.lo.plus(-low.add), s.hi.plus(-low.add)
	return s
}

// merged is the shape of one of several slices.
func (f *function) merged(values []ssa.Value) shape {
	s := f.shape(values[0])
	for _, v := range values[1:] {
		o := f.shape(v)
		if o.made == nil || o.made != s.made || o.cap != s.cap {
			return shape{}
		}
		s.lo, s.hi = least(s.lo, o.lo), most(s.hi, o.hi)
	}
	return s
}

func least(x, y expr) expr {
	if !alike(x, y) {
		return expr{}
	}
	x.add = min(x.add, y.add)
	return x
}

func most(x, y expr) expr {
	if !alike(x, y) {
		return expr{}
	}
	x.add = max(x.add, y.add)
	return x
}

// isAppend reports whether a call is one of append that adds something.
func isAppend(call *ssa.Call) bool {
	return ssautil.IsAppend(call) && len(call.Call.Args) == 2
}

// count returns the number of elements that the second argument of an append has.
func (f *function) count(v ssa.Value) amount {
	if c, ok := v.(*ssa.Const); ok && c.IsNil() {
		return amount{number(0), number(0)}
	}
	n := f.length(v)
	if s, ok := v.(*ssa.Slice); ok && n.sym != "" {
		return amount{number(0), f.length(s.X)} // a part
	}
	return amount{n, n}
}

// arrayLen is the length of a slice of a whole array, such as the arguments of a variadic
// call.
func arrayLen(v ssa.Value) (int64, bool) {
	s, ok := v.(*ssa.Slice)
	if !ok || s.Low != nil || s.High != nil {
		return 0, false
	}
	p, ok := s.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	a, ok := p.Elem().Underlying().(*types.Array)
	if !ok {
		return 0, false
	}
	return a.Len(), true
}

// text is the value of a constant string.
func text(c *ssa.Const) string {
	if c.Value.Kind() != constant.String {
		return ""
	}
	return constant.StringVal(c.Value)
}

// A loop is the blocks that lead back to its header.
type loop struct {
	header     *ssa.BasicBlock
	blocks     map[*ssa.BasicBlock]bool
	backs      []*ssa.BasicBlock // that jump to the header
	iterations expr              // number of iterations, at most
	exact      bool              // exactly so often: nothing but the header ends it
}

// findLoops finds the loops of a function.
func (f *function) findLoops() {
	all := map[*ssa.BasicBlock]*loop{}
	for _, b := range f.fn.Blocks {
		for _, h := range b.Succs {
			if !h.Dominates(b) {
				continue
			}
			l := all[h]
			if l == nil {
				l = &loop{header: h, blocks: map[*ssa.BasicBlock]bool{h: true}}
				all[h] = l
			}
			l.backs = append(l.backs, b)
			l.include(b)
		}
	}
	for _, l := range all {
		f.iterations(l)
	}
	f.loops = all
}

func (l *loop) include(b *ssa.BasicBlock) {
	if l.blocks[b] {
		return
	}
	l.blocks[b] = true
	for _, p := range b.Preds {
		l.include(p)
	}
}

// iterations finds the number of iterations of a loop.
func (f *function) iterations(l *loop) {
	l.exact = true
	for b := range l.blocks {
		for _, s := range b.Succs {
			if !l.blocks[s] && b != l.header {
				l.exact = false
			}
		}
	}
	last := l.header.Instrs[len(l.header.Instrs)-1]
	branch, ok := last.(*ssa.If)
	if !ok || l.blocks[l.header.Succs[1]] {
		return
	}
	switch cond := branch.Cond.(type) {
	case *ssa.BinOp:
		l.iterations = f.counted(l, cond)
	case *ssa.Extract: // the next of a map or a string
		next, ok := cond.Tuple.(*ssa.Next)
		if !ok {
			return
		}
		if r, ok := next.Iter.(*ssa.Range); ok {
			l.iterations = f.length(r.X)
			l.exact = l.exact && !next.IsString
		}
	}
}

// counted is the number of iterations of a loop that counts up.
func (f *function) counted(l *loop, cond *ssa.BinOp) expr {
	first, ok := f.first(l, cond.X)
	if !ok {
		return expr{}
	}
	n := f.of(cond.Y)
	if i, ok := cond.Y.(ssa.Instruction); ok && l.blocks[i.Block()] && n.sym == f.symbol("", cond.Y).sym {
		return expr{} // it may change
	}
	switch cond.Op {
	case token.LSS, token.NEQ:
		return n.plus(-first)
	case token.LEQ:
		return n.plus(1 - first)
	}
	return expr{}
}

// first is the first value of a variable that each turn increments; before it is compared,
// for a range.
func (f *function) first(l *loop, v ssa.Value) (int64, bool) {
	if b, ok := v.(*ssa.BinOp); ok && b.Op == token.ADD && b.Block() == l.header {
		n, ok := f.first(l, b.X)
		return n + 1, ok && f.of(b.Y) == number(1)
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.header {
		return 0, false
	}
	start := expr{}
	for i, e := range phi.Edges {
		if l.blocks[phi.Block().Preds[i]] {
			b, ok := e.(*ssa.BinOp)
			if !ok || b.Op != token.ADD || b.X != phi || f.of(b.Y) != number(1) {
				return 0, false
			}
			continue
		}
		start = f.of(e)
	}
	return start.add, start.known && start.sym == ""
}
