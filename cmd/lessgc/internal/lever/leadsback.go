package lever

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A wayBack follows all that a function may call: also methods by an interface, function values, and what a library calls for the values and
// functions that it is given.
type wayBack struct {
	*Program
	seen  map[*ssa.Function]bool
	asked map[string]bool // the names of methods, and the signatures, whose functions have been added
	work  []*ssa.Function
}

// mostWayBack bounds the functions that a way back is looked for in.
const mostWayBack = 3000

// leadsBack reports whether a call in a function may lead back to it. The program keeps the answer: each line that writes to a buffer asks.
func (p *Program) leadsBack(fn *ssa.Function) bool {
	if p.back == nil {
		p.back = map[*ssa.Function]bool{}
	}
	back, known := p.back[fn]
	if !known {
		back = p.findWayBack(fn)
		p.back[fn] = back
	}
	return back
}

func (p *Program) findWayBack(fn *ssa.Function) bool {
	w := &wayBack{Program: p, seen: map[*ssa.Function]bool{}, asked: map[string]bool{}}
	w.calls(fn)
	for len(w.work) > 0 && len(w.seen) < mostWayBack {
		next := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if next == fn || fn.Syntax() != nil && next.Syntax() == fn.Syntax() {
			return true
		}
		w.calls(next)
	}
	return len(w.work) > 0
}

func (w *wayBack) push(fn *ssa.Function) {
	if fn != nil && !w.seen[fn] {
		w.seen[fn] = true
		w.work = append(w.work, fn)
	}
}

// calls adds what a function may call.
func (w *wayBack) calls(fn *ssa.Function) {
	library := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if made, ok := in.(*ssa.MakeClosure); ok {
				w.push(made.Fn.(*ssa.Function))
			}
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := call.Common()
			callee := c.StaticCallee()
			_, builtin := c.Value.(*ssa.Builtin)
			switch {
			case builtin:
			case c.IsInvoke():
				w.methods(c.Method.Name())
			case callee == nil:
				w.functionsOf(c.Signature())
			case len(callee.Blocks) > 0:
				w.push(callee)
			default:
				library = true
				for _, arg := range c.Args {
					if sig, ok := arg.Type().Underlying().(*types.Signature); ok {
						w.functionsOf(sig)
					}
				}
			}
		}
	}
	if library && handsOver(fn) {
		for _, name := range calledByLibraries {
			w.methods(name)
		}
	}
}

// methods adds the methods of a name.
func (w *wayBack) methods(name string) {
	w.each(name, func(f *ssa.Function) bool { return f.Signature.Recv() != nil && f.Name() == name })
}

// functionsOf adds the functions of a signature that are values.
func (w *wayBack) functionsOf(sig *types.Signature) {
	w.each(sig.String(), func(f *ssa.Function) bool {
		return (w.values[f] || f.Parent() != nil) && sameSignature(f.Signature, sig)
	})
}

// each adds the functions of the program for which something holds, once for each of what is asked.
func (w *wayBack) each(asked string, holds func(*ssa.Function) bool) {
	if w.asked[asked] {
		return
	}
	w.asked[asked] = true
	for _, fn := range w.fns {
		if holds(fn) {
			w.push(fn)
		}
	}
}

// calledByLibraries are methods that packages of the standard library call for values that they are given as an interface.
var calledByLibraries = []string{"String", "Error", "Format", "GoString", "MarshalJSON", "MarshalText", "MarshalBinary", "MarshalXML", "UnmarshalJSON", "UnmarshalText",
	"UnmarshalBinary", "UnmarshalXML", "Write", "WriteString", "Read", "ReadByte", "ReadRune", "WriteTo", "ReadFrom", "Close", "Len", "Less", "Swap", "Push", "Pop", "ServeHTTP", "Scan", "Value", "Set",
	"Is", "As", "Unwrap", "LogValue", "Next"}

// handsOver reports whether a function makes interfaces of values that may have methods of the program, or hands interfaces on.
func handsOver(fn *ssa.Function) bool {
	isOther := func(v ssa.Value) bool {
		switch v.(type) {
		case *ssa.MakeInterface, *ssa.Const:
			return false
		}
		return types.IsInterface(v.Type())
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.MakeInterface:
				if mayHaveMethods(in.X.Type(), 0) {
					return true
				}
			case *ssa.ChangeInterface:
				return true
			case *ssa.Store:
				if isOther(in.Val) {
					return true
				}
			case ssa.CallInstruction:
				if c := in.Common(); c.StaticCallee() != nil && slices.ContainsFunc(c.Args, isOther) {
					return true
				}
			}
		}
	}
	return false
}

// mayHaveMethods reports whether a value of a type, or what is found in it, may have methods that the standard library does not declare.
func mayHaveMethods(t types.Type, depth int) bool {
	if depth > 5 {
		return true
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return mayHaveMethods(pointer.Elem(), depth+1)
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		pkg := named.Obj().Pkg() // nil of error
		return pkg == nil || !slices.Contains([]string{"bytes", "strings", "time"}, pkg.Path())
	}
	switch t := t.(type) {
	case *types.Basic:
		return false
	case *types.Slice:
		return mayHaveMethods(t.Elem(), depth+1)
	case *types.Array:
		return mayHaveMethods(t.Elem(), depth+1)
	}
	return true
}
