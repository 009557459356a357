package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// elementRead is a condition of (*reflect.MapIter).Key and Value: in a loop, what they return is only read, in ways
// that do not tell a Value which may be set from another, and is not kept.
func elementRead(p *Line, s spot, call *ast.CallExpr) bool {
	if !p.goes("1.18") {
		return false
	}
	for _, c := range p.callsOnLine() {
		if c.Pos() == call.Lparen {
			return repeats(c.Block()) && p.valueRead(c, map[ssa.Value]bool{})
		}
	}
	return false
}

// valueReads are methods of reflect.Value that neither return nor keep the memory of the value, and do the same for one
// that may be set.
var valueReads = map[string]bool{
	"Kind": true, "Type": true, "Int": true, "Uint": true, "Float": true, "Bool": true, "String": true, "Complex": true, "Len": true, "Cap": true,
	"IsNil": true, "IsValid": true, "IsZero": true, "NumField": true, "NumMethod": true, "Elem": true, "CanInt": true, "CanUint": true, "CanFloat": true,
	"CanInterface": true,
}

// valueCopies are methods of reflect.Value that copy what they are given.
var valueCopies = map[string]bool{"SetMapIndex": true, "Set": true, "MapIndex": true}

// valueRead reports whether a reflect.Value is only read, here and in functions of the program that it is given to.
func (p *Line) valueRead(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if v.Referrers() == nil {
		return false
	}
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Call:
			return !p.readBy(v, in, seen)
		}
		return true
	})
}

// readBy reports whether a call only reads a reflect.Value.
func (p *Line) readBy(v ssa.Value, call *ssa.Call, seen map[ssa.Value]bool) bool {
	callee := call.Call.StaticCallee()
	if callee == nil {
		return false
	}
	name, method := strings.CutPrefix(callee.RelString(nil), "(reflect.Value).")
	for i, arg := range call.Call.Args {
		switch {
		case arg != v:
		case method && (i == 0 && valueReads[name] || i > 0 && valueCopies[name]):
		case method || i >= len(callee.Params) || len(callee.Blocks) == 0 || !p.valueRead(callee.Params[i], seen):
			return false
		}
	}
	return true
}

// setsItself is the call of Set around one of a function of reflect, when it is of a value that may be named twice; nil
// if there is none.
func (p *Line) setsItself(s spot) *ast.SelectorExpr {
	set, ok := s.parent().(*ast.CallExpr)
	if !ok || !p.goes("1.20") || len(set.Args) != 1 {
		return nil
	}
	fn := p.callee(set)
	sel, ok := ast.Unparen(set.Fun).(*ast.SelectorExpr)
	if fn == nil || fn.FullName() != "(reflect.Value).Set" || !ok || !p.pure(sel.X) {
		return nil
	}
	return sel
}

// appendedInPlace is a condition of reflect.Append: of one element to the slice that the result is set in.
func appendedInPlace(p *Line, s spot, call *ast.CallExpr) bool {
	sel := p.setsItself(s)
	return sel != nil && len(call.Args) == 2 && !call.Ellipsis.IsValid() && types.ExprString(sel.X) == types.ExprString(call.Args[0])
}

// madeInPlace is a condition of reflect.MakeSlice: of the type of the slice that the result is set in, and full.
func madeInPlace(p *Line, s spot, call *ast.CallExpr) bool {
	sel := p.setsItself(s)
	if sel == nil || len(call.Args) != 3 || types.ExprString(call.Args[1]) != types.ExprString(call.Args[2]) || p.isZero(call.Args[1]) {
		return false
	}
	typ := call.Args[0]
	if v := p.local(typ); v != nil {
		d, ok := p.define(p.unit, v)
		if !ok || d.value == nil {
			return false
		}
		typ = d.value
	}
	return types.ExprString(typ) == types.ExprString(sel.X)+".Type()"
}

// anyElements is a condition of (*reflect.MapIter).Value: the elements are as large as interfaces, they are kept as Values,
// and the function looks for interfaces among them.
func anyElements(p *Line, s spot, call *ast.CallExpr) bool {
	const interfaceSize = 16
	if size := p.objectSize(); size < interfaceSize-0.5 || size > interfaceSize+0.5 || p.through("reflect.(*MapIter).Value") < 0.95 || elementRead(p, s, call) {
		return false
	}
	for _, c := range p.callsOnLine() {
		if c.Pos() == call.Lparen {
			return repeats(c.Block()) && unwraps(c, 0)
		}
	}
	return false
}

// unwraps reports whether a reflect.Value is taken for one that may be an interface: its Kind is compared with Interface
// here, or in a function that is given it.
func unwraps(v ssa.Value, depth int) bool {
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil {
			return false
		}
		callee := call.Call.StaticCallee()
		if callee.RelString(nil) == "(reflect.Value).Kind" {
			return slices.ContainsFunc(*call.Referrers(), isInterfaceKind)
		}
		for i, arg := range call.Call.Args {
			if arg == v && i < len(callee.Params) && len(callee.Blocks) > 0 && depth < 2 && unwraps(callee.Params[i], depth+1) {
				return true
			}
		}
		return false
	})
}

// isInterfaceKind reports whether an instruction compares something with reflect.Interface.
func isInterfaceKind(in ssa.Instruction) bool {
	op, ok := in.(*ssa.BinOp)
	if !ok || op.Op != token.EQL && op.Op != token.NEQ {
		return false
	}
	kind, ok := op.Y.(*ssa.Const)
	return ok && kind.Value != nil && kind.Int64() == int64(reflect.Interface)
}

// filledInPlace is a condition of reflect.MakeSlice: of the type of a Value that it is then set in, and full. It is set
// in the function, or by one that calls it, and until then only its elements are used.
func filledInPlace(p *Line, s spot, call *ast.CallExpr) bool {
	if !p.goes("1.20") || len(call.Args) != 3 || types.ExprString(call.Args[1]) != types.ExprString(call.Args[2]) || p.isZero(call.Args[1]) {
		return false
	}
	for _, c := range p.callsOnLine() {
		if c.Pos() != call.Lparen {
			continue
		}
		if setAtOnce(c) {
			return true
		}
		of := typeFrom(c.Call.Args[0])
		return of != nil && p.setsBack(c, of, map[ssa.Value]bool{})
	}
	return false
}

// setAtOnce reports whether a Value is only set in another, which is one of a slice: its length or capacity is asked for, or
// set, besides.
func setAtOnce(c *ssa.Call) bool {
	var target ssa.Value
	for _, in := range *c.Referrers() {
		set, ok := in.(*ssa.Call)
		switch {
		case ok && target == nil && isCallOf(set, "(reflect.Value).Set") && set.Call.Args[1] == c:
			target = set.Call.Args[0]
		default:
			if _, debug := in.(*ssa.DebugRef); !debug {
				return false
			}
		}
	}
	return target != nil && target.Referrers() != nil && slices.ContainsFunc(*target.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		return ok && (isCallOf(call, "(reflect.Value).SetLen") || isCallOf(call, "(reflect.Value).Cap")) && call.Call.Args[0] == target
	})
}

// isCallOf reports whether a call is of a function by its name.
func isCallOf(call *ssa.Call, name string) bool {
	callee := call.Call.StaticCallee()
	return callee != nil && callee.RelString(nil) == name
}

// typeFrom is the Value whose Type a value is; nil if it is something else.
func typeFrom(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok || !isCallOf(call, "(reflect.Value).Type") {
		return nil
	}
	return call.Call.Args[0]
}

// setsBack reports whether a Value is set in another, by this function or one that calls it, and is used for nothing else
// but its elements.
func (p *Line) setsBack(v, target ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	found := false
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			callee := in.Call.StaticCallee()
			if callee == nil {
				return false
			}
			switch name := callee.RelString(nil); {
			case name == "(reflect.Value).Set" && in.Call.Args[1] == v && in.Call.Args[0] != v:
				if in.Call.Args[0] != target {
					return false
				}
				found = true
			case in.Call.Args[0] == v && inPlaceReads[name]:
			default:
				return false
			}
		case *ssa.Return:
			param, ok := target.(*ssa.Parameter)
			if !ok || !p.setByCallers(param, slices.Index(in.Results, v), seen) {
				return false
			}
			found = true
		default:
			return false
		}
	}
	return found
}

// inPlaceReads are methods of reflect.Value that do the same for a slice and for a Value that has it.
var inPlaceReads = map[string]bool{"(reflect.Value).Index": true, "(reflect.Value).Len": true, "(reflect.Value).Kind": true, "(reflect.Value).IsValid": true}

// setByCallers reports whether all that call a function set its result in what they give for a parameter, or return it to
// those that do: the function is for that.
func (p *Line) setByCallers(param *ssa.Parameter, result int, seen map[ssa.Value]bool) bool {
	at := slices.Index(param.Parent().Params, param)
	found := false
	for _, c := range p.callsOf(param.Parent()) {
		if p.inTest(c.Pos()) {
			continue
		}
		call, ok := c.(*ssa.Call)
		if !ok {
			return false
		}
		set := false
		for i, part := range parts(call) {
			set = set || i == result && p.setsResult(part, call.Call.Args[at], seen)
		}
		if found = set; !set {
			break
		}
	}
	return found
}

// setsResult reports whether a result is set in a Value, or returned to who does that.
func (p *Line) setsResult(v, target ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Phi:
			return p.setsResult(in, target, seen)
		case *ssa.Call:
			return isCallOf(in, "(reflect.Value).Set") && in.Call.Args[1] == v && in.Call.Args[0] == target
		case *ssa.Return:
			param, ok := target.(*ssa.Parameter)
			return ok && p.setByCallers(param, slices.Index(in.Results, v), seen)
		}
		return false
	})
}

// notCached is a condition: neither the function nor those that call it, as far as the profile shows, keep anything
// by type.
func notCached(p *Line, s spot, call *ast.CallExpr) bool {
	top := p.top(p.unit, p.fn.body.Pos())
	if top == nil || p.runsOnce(top.node.(*ast.FuncDecl), s.stack) || top.keepsByType() {
		return false
	}
	for _, l := range p.site.Leaves {
		for _, c := range l.Callers[:min(len(l.Callers), callsUp)] {
			if c.Package() == "sync" { // once
				return false
			}
			if fn := p.function(c); fn != nil && fn.keepsByType() {
				return false
			}
		}
	}
	return true
}

// keepsByType reports whether a function uses a map by reflect.Type, or a sync.Map or sync.Once.
func (f *function) keepsByType() bool {
	found := false
	ast.Inspect(f.body, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		t := f.typeOf(e)
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		if m, ok := t.Underlying().(*types.Map); ok && types.TypeString(m.Key(), nil) == "reflect.Type" {
			found = true
		}
		switch types.TypeString(t, nil) {
		case "sync.Map", "sync.Once":
			found = true
		}
		return !found
	})
	return found
}
