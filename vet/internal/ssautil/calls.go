package ssautil

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"
)

// Functions returns all functions of a package: those that buildssa lists, the initializer of its
// variables, and the function literals in there, which buildssa leaves out.
func Functions(built *buildssa.SSA) []*ssa.Function {
	all := built.SrcFuncs[:len(built.SrcFuncs):len(built.SrcFuncs)]
	if init := built.Pkg.Func("init"); init != nil {
		all = append(append(all, init), Literals(init)...)
	}
	return all
}

// Literals returns the function literals in fn, and those in them.
func Literals(fn *ssa.Function) []*ssa.Function {
	var all []*ssa.Function
	for _, f := range fn.AnonFuncs {
		all = append(append(all, f), Literals(f)...)
	}
	return all
}

// Generic returns the function of which fn is an instance, or fn.
func Generic(fn *ssa.Function) *ssa.Function {
	if origin := fn.Origin(); origin != nil {
		return origin
	}
	return fn
}

// Callee returns the function or method that a call names, as it is declared: of an instance the
// generic function, of a call through an interface the interface's method. It is nil for builtins,
// function literals and function values.
func Callee(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method.Origin()
	}
	if fn := c.StaticCallee(); fn != nil {
		if obj, ok := fn.Object().(*types.Func); ok {
			return obj.Origin()
		}
	}
	return nil
}

// CalleeName returns the name of the called function, method or builtin, without its package and
// receiver, or the empty string.
func CalleeName(c *ssa.CallCommon) string {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	if f := Callee(c); f != nil {
		return f.Name()
	}
	return ""
}

// Arguments returns the operands of a call that a callee gets, the receiver first.
func Arguments(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}

// IsAppend reports whether a call is one of the builtin append.
func IsAppend(c *ssa.Call) bool { return IsBuiltin(c, "append") }

// IsBuiltin reports whether a call is one of a builtin function of one of some names.
func IsBuiltin(c ssa.CallInstruction, names ...string) bool {
	return slices.Contains(names, Builtin(c.Common()))
}

// Builtin returns the name of the builtin function that is called, or "" for a call of anything else.
func Builtin(c *ssa.CallCommon) string {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}
