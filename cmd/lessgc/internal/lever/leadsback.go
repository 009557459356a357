package lever

import (
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

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
			if v, ok := in.(ssa.Value); ok && onlyNamesType(v) {
				continue
			}
			switch in := in.(type) {
			case *ssa.MakeInterface:
				if mayHaveMethods(in.X.Type(), 0) {
					return true
				}
			case *ssa.ChangeInterface:
				return true
			case *ssa.Store:
				if isOther(in.Val) && !onlyNamesType(in.Val) {
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

// onlyNamesType reports whether all that is done with an interface is to print the name of its type: no method of the value is called.
func onlyNamesType(v ssa.Value) bool {
	if !types.IsInterface(v.Type()) || v.Referrers() == nil {
		return false
	}
	named := false
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeInterface:
			if !onlyNamesType(in) {
				return false
			}
			named = true
		case *ssa.Store:
			place, ok := in.Addr.(*ssa.IndexAddr)
			if !ok || in.Val != v || !namesTypesOf(place.X) {
				return false
			}
			named = true
		default:
			return false
		}
	}
	return named
}

// typeNames matches a format with no verb but %T.
var typeNames = regexp.MustCompile(`^(?:[^%]|%T)*$`)

// namesTypesOf reports whether the operands of a call in an array are those of fmt that prints the names of their types.
func namesTypesOf(operands ssa.Value) bool {
	made, ok := operands.(*ssa.Alloc)
	if !ok || made.Comment != "varargs" {
		return false
	}
	for _, in := range *made.Referrers() {
		cut, ok := in.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, in := range *cut.Referrers() {
			call, ok := in.(*ssa.Call)
			if !ok {
				return false
			}
			callee, args := call.Call.StaticCallee(), call.Call.Args
			if callee == nil || !slices.Contains([]string{"fmt.Sprintf", "fmt.Fprintf", "fmt.Printf", "fmt.Errorf"}, fullName(callee)) {
				return false
			}
			format, ok := args[len(args)-2].(*ssa.Const)
			if !ok || !isString(format.Type()) || !typeNames.MatchString(constant.StringVal(format.Value)) || strings.Count(constant.StringVal(format.Value), "%T") != int(elemOf(made).Underlying().(*types.Array).Len()) {
				return false
			}
		}
	}
	return true
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
		if _, basic := named.Underlying().(*types.Basic); basic && !slices.ContainsFunc(calledByLibraries, func(name string) bool { return hasMethod(named, name) }) {
			return false
		}
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
