package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// deepestConduct bounds calls that are followed.
const deepestConduct = 6

// conductOfFunc is what calling a function does.
func (p *Program) conductOfFunc(fn *ssa.Function) conduct {
	w := conductWalk{Program: p, open: map[*ssa.Function]bool{}, done: map[*ssa.Function]conduct{}}
	return w.function(fn)
}

// A conductWalk looks at a function, and at all that it calls.
type conductWalk struct {
	*Program
	open map[*ssa.Function]bool
	done map[*ssa.Function]conduct
}

// function is what calling a function does; one that calls itself is not followed.
func (w *conductWalk) function(fn *ssa.Function) (c conduct) {
	if done, ok := w.done[fn]; ok {
		return done
	}
	if w.builtElsewhere(fn.Object()) || w.open[fn] || len(w.open) > deepestConduct || len(fn.Blocks) == 0 || fn.Recover != nil {
		return c
	}
	w.open[fn] = true
	defer delete(w.open, fn)
	c = conduct{quiet: true, fails: fn.Syntax() == nil || loopsOn(fn.Syntax())}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			quiet, fails := w.instruction(in)
			if !quiet {
				return conduct{}
			}
			c.fails = c.fails || fails
		}
	}
	w.done[fn] = c
	return c
}

// loopsOn reports whether a function has loops other than over something that ends.
func loopsOn(fn ast.Node) bool {
	return below(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			return true
		case *ast.BranchStmt:
			return n.Tok == token.GOTO
		}
		return false
	})
}

// instruction reports whether an instruction is quiet, and whether it may panic.
func (w *conductWalk) instruction(in ssa.Instruction) (quiet, fails bool) {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Jump, *ssa.If, *ssa.Return, *ssa.Phi, *ssa.Extract, *ssa.Field, *ssa.ChangeType, *ssa.ChangeInterface,
		*ssa.MakeInterface, *ssa.MakeClosure, *ssa.Alloc, *ssa.Convert, *ssa.Next:
		return true, false
	case *ssa.Panic, *ssa.SliceToArrayPointer, *ssa.Slice:
		return true, true
	case *ssa.Store:
		made, ok := base(in.Addr).(*ssa.Alloc)
		return ok && made.Parent() == in.Parent(), false
	case *ssa.UnOp:
		return in.Op != token.ARROW, in.Op == token.MUL && !w.isVariable(in.X)
	case *ssa.BinOp:
		return true, w.binaryFails(in)
	case *ssa.FieldAddr:
		return true, !w.isVariable(in.X)
	case *ssa.IndexAddr:
		return true, true
	case *ssa.Index:
		return true, true
	case *ssa.Lookup:
		m, ok := in.X.Type().Underlying().(*types.Map)
		return true, !ok || !immutable(m.Key())
	case *ssa.Range:
		return isMap(in.X) || isString(in.X.Type()), false
	case *ssa.TypeAssert:
		return true, !in.CommaOk
	case *ssa.MakeSlice:
		_, constant := in.Len.(*ssa.Const)
		_, room := in.Cap.(*ssa.Const)
		return true, !constant || !room
	case *ssa.MakeMap:
		return true, false
	case *ssa.Call:
		c := w.call(in)
		return c.quiet, c.fails
	}
	return false, false
}

// isVariable reports whether an address is that of a variable, or of a part of it: it is not nil.
func (w *conductWalk) isVariable(address ssa.Value) bool {
	switch a := address.(type) {
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
		return true
	case *ssa.FieldAddr:
		return w.isVariable(a.X)
	case *ssa.IndexAddr: // if it panics it is the index
		return true
	}
	return false
}

// binaryFails reports whether an operation may panic.
func (w *conductWalk) binaryFails(in *ssa.BinOp) bool {
	switch in.Op {
	case token.QUO, token.REM:
		b, ok := in.Type().Underlying().(*types.Basic)
		return !ok || b.Info()&types.IsInteger != 0 && !w.neverZero(in.Y, 0)
	case token.SHL, token.SHR:
		b, ok := in.Y.Type().Underlying().(*types.Basic)
		_, constant := in.Y.(*ssa.Const)
		return !constant && (!ok || b.Info()&types.IsUnsigned == 0)
	case token.EQL, token.NEQ:
		return !comparesAlways(in.X.Type()) && !isNilConst(in.X) && !isNilConst(in.Y)
	}
	return false
}

// comparesAlways reports whether values of a type can be compared without a panic.
func comparesAlways(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Chan:
		return true
	}
	return false
}

func (w *conductWalk) call(in *ssa.Call) conduct {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex":
			return conduct{quiet: true}
		}
		return conduct{}
	}
	if c.IsInvoke() {
		return conduct{}
	}
	callee := c.StaticCallee()
	if callee == nil {
		return w.dynamic(c.Value)
	}
	if w.decls[callee.Object()] == nil && callee.Syntax() == nil {
		return conduct{quiet: computes(fullName(callee)) && plainArgumentsOf(c.Args)}
	}
	return w.function(callee)
}

// dynamic is the conduct of all functions that a value may be.
func (w *conductWalk) dynamic(v ssa.Value) (c conduct) {
	r := &callees{Program: w.Program, seen: map[ssa.Value]bool{}, reads: map[ssa.Value]bool{}}
	if !r.value(v) || len(r.all) == 0 {
		return c
	}
	c = conduct{quiet: true, fails: r.null}
	for _, fn := range r.all {
		one := w.function(fn)
		c = conduct{quiet: c.quiet && one.quiet, fails: c.fails || one.fails}
	}
	return c
}

// plainArgumentsOf reports whether arguments are of basic types without methods.
func plainArgumentsOf(args []ssa.Value) bool {
	for _, arg := range args {
		if !plainType(arg.Type()) {
			return false
		}
	}
	return true
}

// plainType reports whether a type is basic and has no methods.
func plainType(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return immutable(t) && (!ok || named.NumMethods() == 0)
}

// computes reports whether a function of the standard library has no effects, does not panic, and ends, given numbers and strings.
func computes(name string) bool {
	return endsAlways(name) && !strings.HasPrefix(name, "fmt.Errorf") || strings.HasPrefix(name, "unicode.Is") || strings.HasPrefix(name, "unicode.To") ||
		strings.HasPrefix(name, "unicode/utf8.Rune") || strings.HasPrefix(name, "unicode/utf8.Valid")
}
