package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

var splitSeq = &Lever{
	Name:    "split-seq",
	Title:   "go over the parts of the text without a slice of them",
	Subject: "range over parts without a slice",
	Looks:   "strings.Split, Fields and the like (also those of package bytes) whose result one loop goes over, once, and nothing else uses.",
	Wrong:   "when the text has a handful of parts: the iterator may take an object, too, and about the same time.",
	Before: `for _, field := range strings.Split(line, ",") {
	use(field)
}`,
	After: `for field := range strings.SplitSeq(line, ",") {
	use(field)
}`,
	Model:   "The slice goes whole, and the iterator may take a small object for what the loop uses; the parts were never copied.",
	Saves:   Saves{Alloc: Range{0.2, 0.9}, Collect: Range{0.4, 1}},
	Rewrite: "The parts are those of a string, which nothing changes, and one loop goes over them, once, without their number. FieldsFunc asks a function of package unicode, so that it does not matter when it is asked. The body neither defers nor recovers: it becomes a function that the iterator calls.",
	find: func(p *Line) Finding {
		f, _ := p.splits((*Line).ranged, "1.24")
		return f
	},
}

// sequences are functions that have a twin which yields what they return.
var sequences = map[string]bool{"Split": true, "SplitAfter": true, "Fields": true, "FieldsFunc": true}

// splits asks about each call on the line of a function of package strings or bytes. s is the statement of the one that something is found of.
func (p *Line) splits(about func(*Line, called, *ast.SelectorExpr) Finding, since string) (f Finding, s ast.Stmt) {
	for _, c := range p.called() {
		if c.fn.Pkg() == nil || c.fn.Pkg().Path() != "strings" && c.fn.Pkg().Path() != "bytes" || c.fn.Signature().Recv() != nil {
			continue
		}
		sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
		share := p.below(c.fn)
		if !ok || share == 0 || !p.goes(since) {
			continue
		}
		if f = about(p, c, sel); len(f.Evidence) > 0 {
			f.Share, f.Calls = share, []string{c.name}
			return f, stmtOf(c.stack)
		}
	}
	return Finding{}, nil
}

// splitsAlike is splits with a change of other statements like the one that is changed.
func (p *Line) splitsAlike(about func(*Line, called, *ast.SelectorExpr) Finding, since string) Finding {
	f, s := p.splits(about, since)
	return p.alike(f, s, true, func(other ast.Stmt) []Edit {
		f, s := p.lineAt(other.Pos()).splits(about, since)
		if s != other {
			return nil
		}
		return f.Edits
	})
}

// ranged is about a call over whose result one loop goes.
func (p *Line) ranged(c called, sel *ast.SelectorExpr) (f Finding) {
	if !sequences[c.fn.Name()] {
		return f
	}
	loop, _ := c.parent().(*ast.RangeStmt)
	v := p.assignedOnce(c)
	if v != nil {
		all := p.mentions(p.unit, v)
		if len(all) != 1 || len(loopsSince(all[0].stack, all[0].id, v.Pos())) > 0 || within(all[0].stack, v.Pos()) != nil {
			return f
		}
		if loop, _ = all[0].parent().(*ast.RangeStmt); loop != nil && ast.Unparen(loop.X) != all[0].id {
			return f
		}
	}
	if loop == nil || c.fn.Pkg().Path() == "bytes" && p.writesTo(loop.Body, c.call.Args[0]) {
		return f
	}
	f.Evidence = []Evidence{p.at(loop.Pos(), fmt.Sprintf("%s allocates a slice that only this loop reads, so the loop can take the parts one by one, without a slice", c.name))}
	if key := p.object(loop.Key); loop.Key != nil && (key != nil || loop.Value == nil) {
		if id, ok := loop.Key.(*ast.Ident); !ok || id.Name != "_" {
			return f // it counts, too
		}
	}
	if !p.yields(c, loop) {
		return f
	}
	f.Edits = []Edit{p.edit(sel.Sel.Pos(), sel.Sel.End(), sel.Sel.Name+"Seq")}
	switch {
	case loop.Value != nil:
		f.Edits = append(f.Edits, p.edit(loop.Key.Pos(), loop.Value.Pos(), ""))
	case loop.Key != nil:
		f.Edits = append(f.Edits, p.edit(loop.Key.Pos(), loop.TokPos+token.Pos(len(loop.Tok.String())), ""))
	}
	return f
}

// yields reports whether a loop may be given the parts one by one: nothing changes the text meanwhile, or sees when a
// part is cut off, and the body may be a function of its own.
func (p *Line) yields(c called, loop *ast.RangeStmt) bool {
	if c.fn.Pkg().Path() != "strings" || c.fn.Name() == "FieldsFunc" && !p.ofUnicode(c.call.Args[1]) || p.commentedBetween(loop.Pos(), loop.X.Pos()) {
		return false
	}
	ok := true
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			ok = false
		case *ast.CallExpr:
			ok = ok && p.builtin(n, "recover") == nil
		}
		return ok
	})
	return ok
}

// ofUnicode reports whether an expression is a function of package unicode.
func (p *Line) ofUnicode(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := p.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "unicode"
}

// writesTo reports whether a loop names a variable that bytes come from: it may change them.
func (p *Line) writesTo(body *ast.BlockStmt, e ast.Expr) bool {
	v := p.local(e)
	found := v == nil
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && p.pkg.TypesInfo.Uses[id] == v
		return !found
	})
	return found
}
