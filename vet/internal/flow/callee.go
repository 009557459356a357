package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function is one under analysis.
type function struct {
	*ssa.Function
	a       *analyzer
	vars    *cells
	calls   []ssa.CallInstruction // all of its own
	uses    []*ssa.Function       // of the package that it calls, makes a closure of, or stores
	when    int                   // it was summarized last
	origins []*Origin             // what it acquires, once it was summarized
}

func (f *function) cells() *cells {
	if f.vars == nil {
		f.vars = &cells{f.Function, map[ssa.Value]*cell{}}
	}
	return f.vars
}

// A callee is whom a call calls, and with what.
type callee struct {
	sum  *Summary      // nil if nothing is known
	args []ssa.Value   // receiver first; then what a closure has captured, by address
	free int           // where the captured variables begin
	fn   *types.Func   // nil for function literals
	ssa  *ssa.Function // nil unless it is in this package
	once bool          // only the first of its calls does anything
}

// callee finds out whom a call calls.
func (f *function) callee(c *ssa.CallCommon) callee {
	if c.IsInvoke() {
		k := callee{args: append([]ssa.Value{c.Value}, c.Args...), fn: c.Method}
		k.free = len(k.args)
		k.sum = f.a.entry(c.Method)
		if k.sum == nil && polite[c.Method.Name()] {
			k.sum = new(Summary)
		}
		return k
	}
	k := callee{args: c.Args, free: len(c.Args)}
	value := f.resolve(c.Value)
	if call, ok := value.(*ssa.Call); ok {
		if v := onceFunc(call); v != nil {
			value, k.once = v, true
		}
	}
	m, closure := value.(*ssa.MakeClosure)
	fn, _ := value.(*ssa.Function)
	if closure {
		fn, _ = m.Fn.(*ssa.Function)
	}
	if fn == nil {
		return k
	}
	if closure {
		if fn.Synthetic != "" && fn.Object() != nil { // a method value: the receiver is what was captured
			k.args = append(append([]ssa.Value(nil), m.Bindings...), c.Args...)
			k.free = len(k.args)
		} else {
			k.args = append(append([]ssa.Value(nil), c.Args...), m.Bindings...)
		}
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		k.fn = obj.Origin()
	}
	k.sum = f.a.summary(fn, k.fn)
	if fn.Pkg == f.a.pkg && len(fn.Blocks) > 0 {
		k.ssa = fn
	}
	return k
}

// abroad says whether argument i is the receiver of a method of another package, which will
// use it.
func (k callee) abroad(i int) bool {
	return i == 0 && k.ssa == nil && k.fn != nil && k.fn.Signature().Recv() != nil
}

// onceFunc is the function that a call of sync.OnceFunc wraps, or nil.
func onceFunc(c *ssa.Call) ssa.Value {
	if c == nil {
		return nil
	}
	if f := c.Call.StaticCallee(); f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "sync" || f.Name() != "OnceFunc" {
		return nil
	}
	return c.Call.Args[0]
}

// polite are methods that, by the contracts of the interfaces they belong to, neither keep
// their arguments nor let go of their receiver.
var polite = map[string]bool{
	"Read": true, "Write": true, "ReadAt": true, "WriteAt": true, "WriteString": true, "WriteByte": true, "ReadByte": true, "WriteRune": true,
	"ReadFrom": true, "WriteTo": true, "Len": true, "Cap": true, "Size": true, "String": true, "Error": true, "Seek": true, "Flush": true, "Sum": true, "Sync": true,
	"BlockSize": true, "Less": true, "Swap": true, "Header": true, "WriteHeader": true,
}
