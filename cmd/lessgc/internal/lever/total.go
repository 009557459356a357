package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// total reports whether an expression can be evaluated at any time, or not at all, unobservably: it has no effects,
// cannot panic, ends, and is made of constants and of local variables of immutable types that are set once. It reads no memory
// that others may change, under a lock or not.
func (p *Line) total(e ast.Expr) bool {
	if p.constant(e) || p.isNil(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := p.local(e)
		return v != nil && immutable(v.Type()) && p.setOnce(v)
	case *ast.BinaryExpr:
		return immutable(p.typeOf(e.X)) && immutable(p.typeOf(e.Y)) && p.total(e.X) && p.total(e.Y) && (!mayPanic(e.Op) || p.constant(e.Y))
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			_, literal := ast.Unparen(e.X).(*ast.CompositeLit)
			return literal && p.total(e.X)
		}
		return e.Op != token.ARROW && p.total(e.X)
	case *ast.CompositeLit:
		return p.totalLiteral(e)
	case *ast.CallExpr:
		return p.totalCall(e)
	}
	return false
}

// mayPanic reports whether an operator panics for some operands, all of which a constant on its right excludes.
func mayPanic(op token.Token) bool {
	return op == token.QUO || op == token.REM || op == token.SHL || op == token.SHR
}

func (p *Line) totalLiteral(lit *ast.CompositeLit) bool {
	t := p.typeOf(lit).Underlying()
	m, isMap := t.(*types.Map)
	if isMap && !immutable(m.Key()) { // an interface may have a value that cannot be a key
		return false
	}
	_, isStruct := t.(*types.Struct)
	for _, x := range lit.Elts {
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			if !isStruct && !p.total(pair.Key) {
				return false
			}
			x = pair.Value
		}
		if !p.total(x) {
			return false
		}
	}
	return true
}

func (p *Line) totalCall(call *ast.CallExpr) bool {
	if call.Ellipsis.IsValid() {
		return false
	}
	if p.pkg.TypesInfo.Types[call.Fun].IsType() {
		return len(call.Args) == 1 && immutable(p.typeOf(call.Args[0])) && p.total(call.Args[0]) && !isTypeParameter(p.typeOf(call))
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := p.object(id).(*types.Builtin); ok {
			return p.totalBuiltin(b.Name(), call)
		}
	}
	fn := p.callee(call)
	if fn == nil || !endsAlways(fn.FullName()) && !p.formatsInteger(fn, call) {
		return false
	}
	for _, arg := range call.Args {
		t := types.Unalias(p.typeOf(arg))
		named, ok := t.(*types.Named)
		if !immutable(t) || ok && named.NumMethods() > 0 || !p.total(arg) {
			return false
		}
	}
	return true
}

// formatsInteger reports whether a call formats an integer in a base that there is.
func (p *Line) formatsInteger(fn *types.Func, call *ast.CallExpr) bool {
	name := fn.FullName()
	if name != "strconv.FormatInt" && name != "strconv.FormatUint" {
		return false
	}
	base := p.constantInt(call.Args[1])
	return 2 <= base && base <= 36
}

// largestMade is the size in bytes of elements of which memory has room for as many as any string or slice has.
const largestMade = 1 << 10

func (p *Line) totalBuiltin(name string, call *ast.CallExpr) bool {
	switch name {
	case "len":
		return p.lengthOf(call)
	case "new":
		return p.pkg.TypesInfo.Types[call.Args[0]].IsType()
	case "make":
		for _, size := range call.Args[1:] {
			if !p.size(size) {
				return false
			}
		}
		if s, ok := p.typeOf(call).Underlying().(*types.Slice); ok {
			return len(call.Args) < 3 && p.pkg.TypesSizes != nil && !hasTypeParameter(s) && p.pkg.TypesSizes.Sizeof(s.Elem()) <= largestMade
		}
		_, isMap := p.typeOf(call).Underlying().(*types.Map)
		return isMap && !hasTypeParameter(p.typeOf(call))
	}
	return false
}

// lengthOf reports whether a call is of the length of a string or slice in a local variable that is set once: a map's may
// change.
func (p *Line) lengthOf(call *ast.CallExpr) bool {
	v := p.local(call.Args[0])
	if v == nil || !p.setOnce(v) {
		return false
	}
	_, isSlice := v.Type().Underlying().(*types.Slice)
	return isSlice || isString(v.Type())
}

// size reports whether an expression is a number that make takes: a constant, a length, or a sum of these.
func (p *Line) size(e ast.Expr) bool {
	if p.constant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return e.Op == token.ADD && p.size(e.X) && p.size(e.Y) && !p.negative(e.X) && !p.negative(e.Y)
	case *ast.CallExpr:
		return p.builtin(e, "len") != nil && p.lengthOf(e)
	}
	return false
}

func (p *Line) negative(e ast.Expr) bool { return p.constant(e) && p.constantInt(e) < 0 }

// endsAlways reports whether a function of the standard library has no effects and does not panic, whatever it is given of
// basic types without methods.
func endsAlways(name string) bool {
	switch name {
	case "strings.Repeat", "strings.NewReplacer", "strings.Map", "strings.NewReader", "strconv.FormatInt", "strconv.FormatUint", "strconv.FormatFloat", "strconv.FormatComplex":
		return false // for negative counts, odd numbers of arguments, and bases or bit sizes that there are not; or they make what has a state
	}
	for _, prefix := range []string{"fmt.Sprint", "fmt.Errorf", "errors.New", "strings.", "strconv.Format", "strconv.Itoa", "strconv.Quote", "path.", "path/filepath.Join",
		"path/filepath.Base", "path/filepath.Dir", "path/filepath.Ext", "path/filepath.Clean", "encoding/hex.EncodeToString", "net/url.QueryEscape", "net/url.PathEscape",
		"html.EscapeString", "math."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
