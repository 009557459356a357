package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var inPlace = &Lever{
	Name:    "reuse-in-place",
	Title:   "keep what stays in the slice's own memory",
	Subject: "reuse the buffer across iterations",
	Looks:   "a loop that appends some elements of a slice, as they are, to a new one, when the old one was made in the same function and is not used afterwards; and a loop that makes and fills a slice or a bytes.Buffer in each iteration, which nothing has after that.",
	Wrong:   "when other code still uses the old slice: its elements are overwritten. If it holds pointers, clear the rest (slices.DeleteFunc does).",
	Before: `var kept []User
for _, u := range users {
	if u.Active {
		kept = append(kept, u)
	}
}`,
	After: `kept := users[:0]
for _, u := range users {
	if u.Active {
		kept = append(kept, u)
	}
}`,
	Model: "The new slice goes whole.",
	Risk:  Aliasing,
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	Rewrite: "Of the second kind only. The slice or buffer is a local variable, declared without elements in the body of a loop, and no function literal, defer or go has it. " +
		"All that is done with it is to append to it for itself, to read elements, and to copy what is in it, by conversions and functions of the standard library that keep none of its memory: after the iteration nothing refers to it, and its capacity and whether it is nil are unobservable. " +
		"It is emptied where it was declared, so that each iteration begins with none of the elements of the one before; elements are of basic types, or structs and arrays of these, and keep no objects alive. Nothing else in the function has its name, and there is no goto.",
	find: findInPlace,
}

func findInPlace(p *Line) (f Finding) {
	share := p.direct()
	v := p.sliceHere()
	if v == nil || share == 0 {
		return p.reusedInLoop()
	}
	for _, m := range p.mentions(p.unit, v) {
		loop, from := p.filters(m, v)
		if from == nil || from == v {
			continue
		}
		made, ok := p.fresh(from)
		if !ok || p.leavesBy(from.Pos(), true) || !p.unusedAfter(from, loop, v) {
			continue
		}
		return Finding{Share: share, Evidence: []Evidence{
			made,
			p.at(loop.Pos(), fmt.Sprintf("%s takes some of its elements as they are, and it is not used after that", v.Name())),
		}}
	}
	return p.reusedInLoop()
}

// sliceHere is the local slice that the line makes, or makes longer.
func (p *Line) sliceHere() *types.Var {
	for _, s := range p.spots() {
		var v *types.Var
		switch n := s.node.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				continue
			}
			for i, right := range n.Rhs {
				if p.builtin(ast.Unparen(right), "append") != nil || p.builtin(ast.Unparen(right), "make") != nil {
					v = p.local(n.Lhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == 1 && len(n.Values) == 1 && p.builtin(n.Values[0], "make") != nil {
				v = p.local(n.Names[0])
			}
		}
		if v != nil {
			if _, ok := v.Type().Underlying().(*types.Slice); ok {
				return v
			}
		}
	}
	return nil
}

// filters is about a mention in append(v, x) where x is the element of a loop over a local
// slice of the same type: it returns the loop and the slice.
func (p *Line) filters(m mention, v *types.Var) (*ast.RangeStmt, *types.Var) {
	call := p.builtin(m.parent(), "append")
	if call == nil || p.local(call.Args[0]) != v || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil, nil
	}
	for i := len(m.stack) - 1; i >= 0; i-- {
		loop, ok := m.stack[i].(*ast.RangeStmt)
		if !ok || loop.Value == nil || p.object(loop.Value) == nil || p.object(loop.Value) != p.object(call.Args[1]) {
			continue
		}
		from := p.local(loop.X)
		if from != nil && types.Identical(from.Type(), v.Type()) {
			return loop, from
		}
	}
	return nil, nil
}

// copies holds the functions of the standard library whose result has no other reference.
var copies = map[string]bool{
	"strings.Split": true, "strings.SplitN": true, "strings.Fields": true, "strings.FieldsFunc": true, "bytes.Split": true, "bytes.Fields": true,
	"os.ReadDir": true, "os.Environ": true, "slices.Clone": true, "slices.Collect": true, "slices.Sorted": true, "slices.Concat": true, "slices.Repeat": true,
	"maps.Clone": true, "path/filepath.Glob": true, "path/filepath.SplitList": true,
}

// fresh reports whether only the function sees a slice: it makes it itself.
func (p *Line) fresh(v *types.Var) (Evidence, bool) {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value == nil {
		return Evidence{}, false
	}
	made := false
	switch x := ast.Unparen(d.value).(type) {
	case *ast.CompositeLit:
		made = true
	case *ast.CallExpr:
		callee := p.callee(x)
		made = p.builtin(x, "make") != nil || callee != nil && copies[callee.FullName()]
	}
	return p.at(d.pos, v.Name()+" is made here, and has no other reference"), made && p.privately(v)
}

// privately reports whether a slice is only gone over, made longer, and passed to nobody.
func (p *Line) privately(v *types.Var) bool {
	for _, m := range p.mentions(p.unit, v) {
		switch parent := m.parent().(type) {
		case *ast.RangeStmt:
		case *ast.IndexExpr:
			if u, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.UnaryExpr); ok && u.Op == token.AND {
				return false
			}
		case *ast.AssignStmt:
			if _, ok := m.assigned(); !ok { // it becomes another's, too
				return false
			}
		case *ast.CallExpr:
			if p.builtin(parent, "append") == nil && p.builtin(parent, "len") == nil && p.builtin(parent, "cap") == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// unusedAfter reports whether a slice is not used behind a loop over it, unless it is set to
// the new one.
func (p *Line) unusedAfter(v *types.Var, loop *ast.RangeStmt, kept *types.Var) bool {
	for _, m := range p.mentions(p.unit, v) {
		if value, ok := m.assigned(); ok && value != nil && p.local(value) == kept {
			continue
		}
		if m.id.Pos() > loop.X.End() { // behind, or in the loop itself
			return false
		}
		if len(loopsSince(m.stack, m.id, v.Pos())) > 0 && m.id.Pos() < loop.Pos() {
			return false // comes again
		}
	}
	return len(loopsSince(stackOf(p.file, loop), loop, v.Pos())) == 0
}

// stackOf returns the nodes around one.
func stackOf(file *ast.File, node ast.Node) (found []ast.Node) {
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		if n == node {
			found = append(found, stack...)
		}
		return found == nil && n.Pos() <= node.Pos() && node.End() <= n.End()
	})
	return found
}
