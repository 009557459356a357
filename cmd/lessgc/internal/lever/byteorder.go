package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

var byteOrder = &Lever{
	Name:    "byte-order",
	Title:   "use the byte order's functions, not binary.Read and Write",
	Subject: "avoid binary.Read and Write",
	Looks:   "encoding/binary.Read and Write of a number, or of a struct of numbers, whose type is known: they make an interface and a buffer for each call, and look at the type by reflection.",
	Wrong:   "when it is for a struct with many fields that is read once, such as the header of a file: one call is easier to read.",
	Before:  `binary.Write(&buf, binary.BigEndian, id) // a uint32`,
	After:   `buf.Write(binary.BigEndian.AppendUint32(buf.AvailableBuffer(), id))`,
	Model:   "A bytes.Buffer or bufio.Writer is appended to without memory of its own. For another writer or reader, the bytes of the number remain, unless they are kept in the receiver.",
	Risk:    NoRisk,
	Saves:   Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}, Work: Range{0.3, 0.9}},
	Rewrite: "The number is a variable or a field of an integer type of 16 bits or more, the order is one of encoding/binary, and the writer is a bytes.Buffer or bufio.Writer, named by a variable or field: it gets the same bytes in one Write. The error goes where it went, and the names of the types that the number is converted to mean these.",
	find:    findByteOrder,
}

func findByteOrder(p *Line) (f Finding) {
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 {
			continue
		}
		callee := p.callee(call)
		if callee == nil || callee.FullName() != "encoding/binary.Read" && callee.FullName() != "encoding/binary.Write" {
			continue
		}
		kind := p.fixedSize(call.Args[2], callee.Name() == "Read")
		share := p.through(callee.FullName())
		if kind == "" || share == 0 {
			continue
		}
		if in, direct := p.only(); in != nil && callee.Name() == "Write" { // the interface
			share += direct
		}
		evidence := []Evidence{p.at(call.Pos(), fmt.Sprintf("%s takes values as interfaces, here %s; the functions of the byte order take numbers as they are", callee.FullName(), kind))}
		if text := p.appendable(call.Args[0]); text != "" {
			evidence = append(evidence, p.at(call.Args[0].Pos(), text))
		}
		return Finding{Share: share, Evidence: evidence, What: "avoid binary." + callee.Name(), Calls: []string{callee.FullName()}, Edits: p.appendOrder(s, call)}
	}
	return f
}

// fixedSize describes the value read or written if it is a number, or a struct that consists of numbers:
// "" if not.
func (u *unit) fixedSize(e ast.Expr, pointer bool) string {
	t := types.Unalias(u.typeOf(e))
	if to, ok := t.Underlying().(*types.Pointer); ok {
		t = to.Elem()
	} else if pointer {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Basic:
		if bits(t) > 0 {
			return "a number, " + short(t)
		}
	case *types.Struct:
		if ofNumbers(t) {
			return "a struct of numbers, " + short(t) + ", which it goes over by reflection"
		}
	}
	return ""
}

// bits is the size of a number that binary.Write takes; 0 if it is none.
func bits(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Bool:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32, types.Float32:
		return 32
	case types.Int64, types.Uint64, types.Float64:
		return 64
	}
	return 0
}

func ofNumbers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return bits(t) > 0
	case *types.Array:
		return ofNumbers(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if !ofNumbers(field.Type()) {
				return false
			}
		}
		return u.NumFields() > 0
	}
	return false
}

// appendable returns how the bytes get to a reader or writer without memory of their own: "" if they
// do not.
func (u *unit) appendable(e ast.Expr) string {
	switch types.TypeString(u.typeOf(e), nil) {
	case "*bytes.Buffer", "*bufio.Writer":
		return "what has AvailableBuffer is appended to in place"
	case "*bufio.Reader":
		return "Peek and Discard read in place"
	}
	return ""
}

// appendOrder changes a call of binary.Write for a number and a writer that is appended to in
// place. nil if it stands where that takes more than to put one expression for another.
func (p *Line) appendOrder(s spot, call *ast.CallExpr) []Edit {
	w, order, x := ast.Unparen(call.Args[0]), ast.Unparen(call.Args[1]), call.Args[2]
	if u, ok := w.(*ast.UnaryExpr); ok && u.Op == token.AND {
		w = ast.Unparen(u.X)
	}
	name := types.TypeString(types.Unalias(p.typeOf(x)).Underlying(), nil)
	if !isPath(w) || !isPath(x) || p.constant(x) || !p.isOrder(order) || !writesInPlace(p.typeOf(call.Args[0])) ||
		bits(p.typeOf(x)) < 16 || !p.goes("1.21") || p.hasComment(call) || strings.HasPrefix(name, "float") {
		return nil
	}
	value := p.text(x)
	unsigned := fmt.Sprintf("uint%d", bits(p.typeOf(x)))
	if types.TypeString(types.Unalias(p.typeOf(x)), nil) != unsigned {
		value = unsigned + "(" + value + ")"
	}
	if !p.means(call.Pos(), value, unsigned) {
		return nil
	}
	to := p.text(w)
	edits := []Edit{p.edit(call.Pos(), call.End(), fmt.Sprintf("%s.Write(%s.AppendUint%d(%s.AvailableBuffer(), %s))", to, p.text(order), bits(p.typeOf(x)), to, value))}
	switch parent := s.parent().(type) {
	case *ast.ExprStmt:
		return edits
	case *ast.AssignStmt:
		if len(parent.Lhs) == 1 && len(parent.Rhs) == 1 {
			return append(edits, p.edit(parent.Pos(), parent.Pos(), "_, "))
		}
	}
	return nil
}

func writesInPlace(t types.Type) bool {
	return short(t) == "*bytes.Buffer" || short(t) == "*bufio.Writer"
}

// isPath reports whether an expression is a variable, or a field of one.
func isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	}
	return false
}

// isOrder reports whether an expression is one of the byte orders of encoding/binary, and not a
// variable that has one.
func (u *unit) isOrder(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := u.pkg.TypesInfo.Uses[sel.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "encoding/binary" && !types.IsInterface(v.Type())
}
