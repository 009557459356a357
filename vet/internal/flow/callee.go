package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A Function is one under analysis.
type Function struct {
	*ssa.Function
	Package         *Package
	reaching        *reachingDefinitions
	Calls           []ssa.CallInstruction // all of its own
	callees         []*ssa.Function       // of the package that it calls, makes a closure of, or stores
	summarizedAt    int                   // it was summarized last
	acquiredOrigins []*Origin             // what it acquires, once it was summarized
	invokes         map[*ssa.CallCommon][]*ssa.Function
}

func (f *Function) definitions() *reachingDefinitions {
	if f.reaching == nil {
		f.reaching = &reachingDefinitions{f, map[ssa.Value]*localVar{}}
	}
	return f.reaching
}

// A Callee is whom a call calls, and with what.
type Callee struct {
	Summary  *Summary      // nil if nothing is known
	Args     []ssa.Value   // receiver first; then what a closure has captured, by address
	Captured int           // where the captured variables begin
	Func     *types.Func   // nil for function literals
	Source   *ssa.Function // nil unless it is in this package
	Once     bool          // only the first of its calls does anything
}

// Callee finds out whom a call calls.
//
// For an interface: the catalog, then the methods that are possible, then what the name of the
// method promises by its contract. For a function value: the function or closure that it surely is,
// then all that it can be. No summary means that nothing is known; effects then hand the arguments
// over. A method value has its receiver first, as the method has; what a literal captures comes
// last.
func (f *Function) Callee(c *ssa.CallCommon) Callee {
	if c.IsInvoke() {
		k := Callee{Args: append([]ssa.Value{c.Value}, c.Args...), Func: c.Method}
		k.Captured = len(k.Args)
		k.Summary = f.Package.Known(c.Method)
		if k.Summary == nil {
			k.Summary = f.invoked(c)
		}
		if k.Summary == nil && nonRetaining[c.Method.Name()] {
			k.Summary = new(Summary)
		}
		if k.Summary == nil && c.Method.Name() == "Reset" {
			k.Summary = reset(len(k.Args))
		}
		return k
	}
	k := Callee{Args: c.Args, Captured: len(c.Args)}
	value := f.Resolve(c.Value)
	if call, ok := value.(*ssa.Call); ok {
		if v := onceFunc(call); v != nil {
			value, k.Once = v, true
		}
	}
	m, closure := value.(*ssa.MakeClosure)
	fn, _ := value.(*ssa.Function)
	if closure {
		fn, _ = m.Fn.(*ssa.Function)
	}
	if fn == nil {
		all := f.Package.candidates(value)
		if len(all) != 1 {
			if k.Summary = f.Package.joined(all); len(all) == 0 {
				k.Summary = f.Package.fieldSummary(value, len(c.Args))
			}
			return k
		}
		fn = all[0]
	}
	if closure {
		if isMethodValue(fn) { // the receiver is what was captured
			k.Args = append(append([]ssa.Value(nil), m.Bindings...), c.Args...)
			k.Captured = len(k.Args)
		} else {
			k.Args = append(append([]ssa.Value(nil), c.Args...), m.Bindings...)
		}
	}
	fn = ssautil.Generic(fn)
	if obj, ok := fn.Object().(*types.Func); ok {
		k.Func = obj.Origin()
	}
	k.Summary = f.Package.summary(fn, k.Func)
	if fn.Pkg == f.Package.ssaPkg && len(fn.Blocks) > 0 {
		k.Source = fn
	}
	return k
}

// reset is the summary of a method Reset of an interface: it makes its receiver ready for the next use,
// so it does not release it. What it is given may end up anywhere.
func reset(args int) *Summary {
	s := new(Summary)
	for i := 1; i < args; i++ {
		s.grow(i).Unknown = true
	}
	return s
}

// External reports whether argument i is the receiver of a method of another package, which will
// use it.
//
// Of such a method there is no body to look at, and methods look at their receiver.
func (k Callee) External(i int) bool {
	return i == 0 && k.Source == nil && k.Func != nil && k.Func.Signature().Recv() != nil
}

// onceFunc is the function that a call, such as one of sync.OnceFunc, wraps, or nil.
//
// Each call of the result is one of the function, but only the first does anything: Callee.Once.
func onceFunc(c *ssa.Call) ssa.Value {
	if c == nil {
		return nil
	}
	for i, p := range catalog.Callee(&c.Call).Params {
		if p.Once {
			return ssautil.Arguments(&c.Call)[i]
		}
	}
	return nil
}

// nonRetaining are methods that, by the contracts of the interfaces they belong to, neither keep
// their arguments nor let go of their receiver. They are a convention of names, as in io.Writer, that holds for
// types of whatever package: no statement of the catalog.
var nonRetaining = map[string]bool{
	"Read": true, "Write": true, "ReadAt": true, "WriteAt": true, "WriteString": true, "WriteByte": true, "ReadByte": true, "WriteRune": true,
	"ReadFrom": true, "WriteTo": true, "Len": true, "Cap": true, "Size": true, "String": true, "Error": true, "Seek": true, "Flush": true, "Sum": true, "Sum32": true, "Sum64": true, "Sync": true,
	"BlockSize": true, "Less": true, "Swap": true, "Header": true, "WriteHeader": true,
}
