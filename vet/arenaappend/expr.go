package arenaappend

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// An expr is a number: a symbol, if it has one, plus a constant. The zero expr is not
// known.
type expr struct {
	known bool
	sym   string
	add   int64
}

func number(n int64) expr { return expr{known: true, add: n} }

func (e expr) plus(n int64) expr {
	e.add += n
	return e
}

// sum is the sum of two expressions, if one of them is a number.
func sum(x, y expr) expr {
	switch {
	case !x.known || !y.known:
		return expr{}
	case x.sym == "":
		return y.plus(x.add)
	case y.sym == "":
		return x.plus(y.add)
	}
	return expr{}
}

// times is n times e.
func (e expr) times(n int64) expr {
	switch {
	case !e.known || n == 1:
		return e
	case e.sym == "":
		return number(e.add * n)
	}
	return expr{known: true, sym: fmt.Sprintf("%d*%s", n, e.sym), add: e.add * n}
}

// alike reports whether the difference of two expressions is known.
func alike(x, y expr) bool { return x.known && y.known && x.sym == y.sym }

// of is the expression of an integer.
func (f *function) of(v ssa.Value) expr {
	switch v := v.(type) {
	case nil:
		return expr{}
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Int {
			return number(v.Int64())
		}
		return expr{}
	case *ssa.Convert:
		if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			return f.of(v.X)
		}
	case *ssa.ChangeType:
		return f.of(v.X)
	case *ssa.BinOp:
		x, y := f.of(v.X), f.of(v.Y)
		switch {
		case v.Op == token.ADD && sum(x, y).known:
			return sum(x, y)
		case v.Op == token.SUB && y.known && y.sym == "":
			return x.plus(-y.add)
		case v.Op == token.MUL && y.known && y.sym == "" && y.add > 0:
			return x.times(y.add)
		case v.Op == token.MUL && x.known && x.sym == "" && x.add > 0:
			return y.times(x.add)
		case v.Op == token.QUO && y.known && y.sym == "" && y.add > 1 && x.sym != "" && x.add == 0:
			return expr{known: true, sym: fmt.Sprintf("%s/%d", x.sym, y.add)}
		}
	case *ssa.Call:
		if ssautil.IsBuiltin(v, "len") {
			return f.length(v.Call.Args[0])
		}
	}
	return f.symbol("", v)
}

// length is the expression of the length of a slice, a string or a map.
func (f *function) length(v ssa.Value) expr {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		return number(int64(len(text(c))))
	}
	if n, ok := arrayLen(v); ok {
		return number(n)
	}
	return f.symbol("len", v)
}

func (f *function) symbol(what string, v ssa.Value) expr {
	return expr{known: true, sym: what + "(" + f.key(v) + ")"}
}

// key is the same for values that are surely equal.
func (f *function) key(v ssa.Value) string {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return fmt.Sprintf("%p", v)
	}
	switch x := load.X.(type) {
	case *ssa.FieldAddr:
		when := ""
		if !f.constant(x) {
			when = f.moment(load)
		}
		return fmt.Sprintf("%s.%d%s", f.key(x.X), x.Field, when)
	case *ssa.Alloc, *ssa.FreeVar:
		when := ""
		if stores(variable(x)) > 1 {
			when = f.moment(load)
		}
		return fmt.Sprintf("*%p%s", x, when)
	}
	return fmt.Sprintf("%p", v)
}

// variable is the local variable that a function literal captured.
func variable(v ssa.Value) ssa.Value {
	for {
		free, ok := v.(*ssa.FreeVar)
		if !ok || free.Parent().Parent() == nil {
			return v
		}
		if v = binding(free); v == nil {
			return nil
		}
	}
}

// binding returns the value that the function around a literal captures for it, or nil if it
// never does.
func binding(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	for c := range ssautil.InstructionsOf[*ssa.MakeClosure](fn.Parent()) {
		if c.Fn != fn {
			continue
		}
		for i, f := range fn.FreeVars {
			if f == free {
				return c.Bindings[i]
			}
		}
	}
	return nil
}

// stores counts the assignments to a variable, in function literals too; it is many if
// they cannot be counted.
func stores(v ssa.Value) int {
	const many = 1 << 20
	if v == nil || v.Referrers() == nil {
		return many
	}
	n := 0
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			n++
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == v {
					n += stores(r.Fn.(*ssa.Function).FreeVars[i])
				}
			}
		default:
			return many
		}
	}
	return n
}

// constant reports whether the field at an address is one that the package only sets when it
// makes the struct.
func (f *function) constant(a *ssa.FieldAddr) bool {
	v := ssautil.Field(a)
	return v != nil && v.Pkg() == f.fn.Pkg.Pkg && !v.Exported() && !f.assigned[v]
}

// moment is the same for instructions of a block between which nothing is stored or
// called.
func (f *function) moment(at ssa.Instruction) string {
	n := 0
	for _, instr := range at.Block().Instrs {
		switch instr := instr.(type) {
		case *ssa.Store:
			n++
		case *ssa.Call:
			if ssautil.Builtin(&instr.Call) == "" {
				n++
			}
		}
		if instr == at {
			break
		}
	}
	return fmt.Sprintf("@%d.%d", at.Block().Index, n)
}
