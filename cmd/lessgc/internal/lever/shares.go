package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// sharers are the functions that may be given the same value by several goroutines, and do not change it.
var sharers = map[string]bool{
	"hash/crc32.Checksum": true, "hash/crc32.Update": true, "hash/crc32.New": true, "hash/crc64.Checksum": true, "hash/crc64.Update": true, "hash/crc64.New": true,
	"(*math/big.Int).Add": true, "(*math/big.Int).Sub": true, "(*math/big.Int).Mul": true, "(*math/big.Int).Quo": true, "(*math/big.Int).Rem": true,
	"(*math/big.Int).Div": true, "(*math/big.Int).Mod": true, "(*math/big.Int).And": true, "(*math/big.Int).Or": true, "(*math/big.Int).Xor": true,
	"(*math/big.Int).Cmp": true, "(*math/big.Int).CmpAbs": true, "(*math/big.Int).Exp": true, "(*math/big.Int).ModInverse": true, "crypto/rand.Int": true,
	"(net.IP).Equal": true, "(*net.IPNet).Contains": true, "(net.IP).Mask": true,
	"encoding/base64.NewEncoder": true, "encoding/base64.NewDecoder": true, "encoding/base32.NewEncoder": true, "encoding/base32.NewDecoder": true,
}

// changers are the methods that change a value, or make another of it that may share its memory.
var changers = map[string]bool{"Longest": true, "UnmarshalText": true, "Copy": true}

// onlyShared reports whether all that is done with what a call makes may be done with one value, by several goroutines: it
// goes nowhere else, where it could be changed or told from another one.
func (p *Line) onlyShared(call *ast.CallExpr, kind string) bool {
	stack := stackOf(p.file, call)
	if kind == "Text" || p.usesOnce(call) {
		return hasUse(innermost(stack)) // it is a string, or nothing has the pattern
	}
	var v *types.Var
	switch parent := innermost(stack).(type) {
	case *ast.AssignStmt:
		if parent.Tok == token.DEFINE && (len(parent.Lhs) == 1 || len(parent.Lhs) == 2 && isBlank(parent.Lhs[1])) {
			v = p.local(parent.Lhs[0])
		}
	case *ast.ValueSpec:
		if len(parent.Names) == 1 {
			v = p.local(parent.Names[0])
		}
	case *ast.KeyValueExpr:
		field := p.fieldOf(call, stack)
		return field != nil && p.fieldShares(field, kind)
	default:
		return p.shares(call, stack, kind)
	}
	return v != nil && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return !p.shares(m.id, m.stack, kind) })
}

// fieldOf is the field that a call is the value of, in a literal of a struct; nil if it is not.
func (p *Line) fieldOf(call *ast.CallExpr, stack []ast.Node) *types.Var {
	pair, ok := innermost(stack).(*ast.KeyValueExpr)
	if !ok || ast.Unparen(pair.Value) != call {
		return nil
	}
	key, ok := pair.Key.(*ast.Ident)
	if !ok {
		return nil
	}
	if v, ok := p.pkg.TypesInfo.Uses[key].(*types.Var); ok && v.IsField() {
		return v
	}
	return nil
}

// fieldShares reports whether all that is done with the values of a field may be done with one value: no other code has them, nor compares or copies
// what the field is of.
func (p *Line) fieldShares(field *types.Var, kind string) bool {
	c := p.confinedField(field)
	return c != nil && !slices.ContainsFunc(c.uses, func(use fieldUse) bool {
		if assign, ok := innermost(use.stack).(*ast.AssignStmt); ok && slices.Contains(assign.Lhs, use.e) {
			return false
		}
		if _, selected := use.e.(*ast.SelectorExpr); !selected { // the key in a literal
			return false
		}
		here := &Line{p.Program, use.unit, p.site, p.fn, nil}
		return !here.shares(use.e, use.stack, kind)
	})
}

// shares reports whether an expression is the receiver of a method that does not change it, or an argument of such
// a function.
func (p *Line) shares(e ast.Expr, stack []ast.Node, kind string) bool {
	switch parent := innermost(stack).(type) {
	case *ast.SelectorExpr:
		selection := p.pkg.TypesInfo.Selections[parent]
		if selection == nil || selection.Kind() != types.MethodVal || changers[parent.Sel.Name] {
			return false
		}
		if readers, ok := methodsReading[kind]; ok {
			_, called := innermost(stack[:slices.Index(stack, ast.Node(parent))]).(*ast.CallExpr)
			return called && slices.Contains(readers, parent.Sel.Name)
		}
		return true
	case *ast.CallExpr:
		fn := p.callee(parent)
		if fn == nil || ast.Unparen(parent.Fun) == e || !p.isStandard(fn) || p.isExpression(parent) {
			return false
		}
		if kind == "Zone" {
			return p.readsTime(fn, stack[:slices.Index(stack, ast.Node(parent))])
		}
		return sharers[fn.FullName()]
	}
	return false
}

// methodsReading are the methods that only read their receiver, and return nothing of it, by kind; of other kinds those that are no
// changers.
var methodsReading = map[string][]string{
	"Template": {"Execute", "ExecuteTemplate"},
	"Number":   {"Cmp", "CmpAbs", "Sign", "BitLen", "Int64", "Uint64", "IsInt64", "IsUint64", "String", "Text"},
	"IP":       {"Equal", "String"},
	"Mask":     {"Size", "String"},
	"Zone":     {},
}

// timeReaders are the methods of a time that return nothing with its location.
var timeReaders = []string{"Format", "AppendFormat", "Year", "YearDay", "Month", "Day", "Weekday", "Hour", "Minute", "Second", "Date", "Clock", "ISOWeek", "Unix", "UnixMilli", "UnixNano"}

// readsTime reports whether a function that is given a location makes a time of which only a method is called: two times are
// equal by == if their locations are the same.
func (p *Line) readsTime(fn *types.Func, stack []ast.Node) bool {
	if fn.FullName() != "(time.Time).In" && fn.FullName() != "time.Date" {
		return false
	}
	sel, ok := innermost(stack).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, called := innermost(stack[:slices.Index(stack, ast.Node(sel))]).(*ast.CallExpr)
	return called && slices.Contains(timeReaders, sel.Sel.Name)
}

// isExpression reports whether a call is of a method expression: its first argument is the receiver.
func (p *Line) isExpression(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	selection := p.pkg.TypesInfo.Selections[sel]
	return selection != nil && selection.Kind() == types.MethodExpr
}
