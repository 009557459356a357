package arenaappend

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// inCell classifies an append to a variable that function literals share: the slice of a maker
// to which nothing happens but append.
func (f *function) inCell(call *ssa.Call) (verdict, shape) {
	cell := cellOf(call.Call.Args[0])
	if cell == nil {
		return stays, shape{}
	}
	values, ok := contents(cell)
	if !ok {
		return stays, shape{}
	}
	var s shape
	appends := 0
	for _, v := range values {
		if made, m, ok := f.made(v); ok && s.made == nil {
			s = f.initial(made, m)
			continue
		}
		a, ok := v.(*ssa.Call)
		if !ok || !isAppend(a) || cellOf(a.Call.Args[0]) != cell {
			return stays, shape{}
		}
		appends++
	}
	switch {
	case s.made == nil || !stored(call, cell):
		return stays, shape{}
	case s.full():
		return moves, s
	case appends == 1 && f.enough(s, call), f.sized(s, call):
		return stays, s
	}
	return f.guarded(call, s), s
}

// cellOf is the variable that a value is read from, if function literals share it.
func cellOf(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	switch x := load.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return variable(x)
	}
	return nil
}

// contents returns the values that are assigned to a variable, in function literals too; ok
// is false if its address goes elsewhere.
func contents(v ssa.Value) (values []ssa.Value, ok bool) {
	if _, alloc := v.(*ssa.Alloc); !alloc && v.Parent().Parent() == nil {
		return nil, false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != v {
				return nil, false
			}
			values = append(values, r.Val)
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b != v {
					continue
				}
				more, ok := contents(r.Fn.(*ssa.Function).FreeVars[i])
				if !ok {
					return nil, false
				}
				values = append(values, more...)
			}
		default:
			return nil, false
		}
	}
	return values, true
}

// soleContent returns the one value that is ever assigned to a variable that function literals share, or nil.
func soleContent(cell ssa.Value) ssa.Value {
	a, ok := cell.(*ssa.Alloc)
	if !ok {
		return nil
	}
	values, ok := contents(a)
	if !ok || len(values) != 1 {
		return nil
	}
	return values[0]
}

// stored reports whether a value is assigned to a variable.
func stored(v, cell ssa.Value) bool {
	for s := range ssautil.Uses[*ssa.Store](v) {
		if variable(s.Addr) == cell {
			return true
		}
	}
	return false
}

// enough reports whether there is room for all that an append in the variable's own function
// adds.
func (f *function) enough(s shape, call *ssa.Call) bool {
	if s.made.Parent() != f.fn {
		return false
	}
	n := f.count(call.Call.Args[1]).hi
	for _, l := range f.loops {
		if !l.blocks[call.Block()] || l.blocks[s.made.Block()] {
			continue
		}
		if n.sym != "" {
			return false
		}
		n = l.iterations.times(n.add)
	}
	_, v := s.add(amount{number(0), n})
	return v == stays
}

// sized reports whether the room is what a method, such as Len, of the value says that the
// literal with the append is passed to.
func (f *function) sized(s shape, call *ssa.Call) bool {
	_, m, ok := f.made(s.made)
	if !ok || m.cap < 0 {
		return false
	}
	size, ok := s.made.Call.Args[m.cap].(*ssa.Call)
	if !ok || size.Call.StaticCallee() == nil && !size.Call.IsInvoke() {
		return false
	}
	of := f.receiver(&size.Call)
	for c := range ssautil.InstructionsOf[*ssa.Call](s.made.Parent()) {
		if of == "" || f.receiver(&c.Call) != of {
			continue
		}
		for _, arg := range c.Call.Args {
			if closure, ok := arg.(*ssa.MakeClosure); ok && closure.Fn == call.Parent() {
				return true
			}
		}
	}
	return false
}

// receiver is a key for the receiver of a call, or for its first argument.
func (f *function) receiver(c *ssa.CallCommon) string {
	switch {
	case c.IsInvoke():
		return f.key(c.Value)
	case len(c.Args) > 0:
		return strings.Split(f.key(c.Args[0]), "@")[0]
	}
	return ""
}
