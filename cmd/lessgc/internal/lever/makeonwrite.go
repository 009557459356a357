package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var makeOnWrite = &Lever{
	Name:    "make-on-write",
	Title:   "leave it nil, and make it where something is first put in",
	Subject: "make the map on the first write",
	Looks:   "a map or slice without elements that is made for a field which is not exported, or for a local variable, when the benchmarks made it at least four times as often as anything was put in, or the program compared it with nil or passed it on. Reading, ranging over and appending to nil are the same. Not where structs that have the field are copied. Needs -bench, which counts executions.",
	Wrong:   "when other programs put something in more often than the benchmarks do. When tests compare the structs by reflect.DeepEqual: nil is not the same as empty there.",
	Before: `func newTx(db *DB) *tx {
	return &tx{db: db, dropped: make(map[string]*index)}
}

func (t *tx) drop(name string) {
	t.dropped[name] = t.db.indexes[name]
}`,
	After: `func newTx(db *DB) *tx {
	return &tx{db: db}
}

func (t *tx) drop(name string) {
	if t.dropped == nil {
		t.dropped = make(map[string]*index)
	}
	t.dropped[name] = t.db.indexes[name]
}`,
	Model: "What nothing was put into goes whole.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	Rewrite: "It is a map of a local variable that is set nowhere else, has no address taken, is not captured by a function literal and not assigned, given or returned to anyone: the variable is the only name of the map. " +
		"All uses take or set an element, go over it, or give it to len, delete or clear, which do the same with nil; before each statement that sets an element the map is made if it is nil. " +
		"The size that it was made with has no effects. Maps of fields, which others may compare by reflection, and slices, whose capacity others may have, are not rewritten.",
	find: findMakeOnWrite,
}

func findMakeOnWrite(p *Line) (f Finding) {
	for _, m := range p.makings() {
		if !isEmpty(m.in.(ssa.Value)) {
			continue
		}
		d := p.demandsOf(m.in, m.expr, m.made)
		evidence, share := p.seldom(m, d)
		if evidence == nil || shared(m, d) {
			continue
		}
		return Finding{Evidence: evidence, Share: share, Edits: p.onWrite(m, d), Sketch: !p.plainMap(m, d), What: p.subject("make % on the first write", m.expr)}
	}
	return f
}

// plainMap reports whether a map is that of a local variable which has no other name: it is read and written by the
// variable, where that stands, so that nil is indistinguishable from a map without elements, and nothing has the nil
// that it was before.
func (p *Line) plainMap(m making, d *demands) bool {
	assign, ok := innermost(stackOf(p.file, m.expr)).(*ast.AssignStmt)
	if _, isMap := p.typeOf(m.expr).Underlying().(*types.Map); !ok || !isMap || m.up || len(d.fields) > 0 || assign.Tok != token.DEFINE {
		return false
	}
	v := p.local(assign.Lhs[0])
	if v == nil || !p.setOnce(v) || !p.droppable(m.expr) {
		return false
	}
	for _, use := range p.mentions(p.unit, v) {
		if p.captured(use, v) || p.renamesAt(use.id.Pos(), m.expr) || !p.readsMap(use) {
			return false
		}
	}
	return true
}

// readsMap reports whether a mention of a map takes or sets an element, goes over it, or is given to a builtin function that
// takes nil.
func (p *Line) readsMap(m mention) bool {
	switch parent := m.parent().(type) {
	case *ast.IndexExpr:
		return ast.Unparen(parent.X) == m.id
	case *ast.RangeStmt:
		return ast.Unparen(parent.X) == m.id
	case *ast.CallExpr:
		return p.builtin(parent, "len") != nil || p.builtin(parent, "delete") != nil && ast.Unparen(parent.Args[0]) == m.id || p.builtin(parent, "clear") != nil
	}
	return false
}

// droppable reports whether the sizes that a make has need not be computed, and the variables in them are used elsewhere.
func (p *Line) droppable(e ast.Expr) bool {
	call := p.builtin(ast.Unparen(e), "make")
	if call == nil {
		lit, ok := ast.Unparen(e).(*ast.CompositeLit)
		return ok && len(lit.Elts) == 0
	}
	for _, size := range call.Args[1:] {
		if !p.size(size) {
			return false
		}
		all, _ := p.variables(size)
		for _, v := range all {
			if d, ok := p.define(p.unit, v); !p.constant(size) && (!ok || !d.param) && len(p.mentions(p.unit, v)) < 2 {
				return false
			}
		}
	}
	return true
}

// shared reports whether a map or slice has several names: what one of them makes later, the others would not
// have. A function that is given nil is one of them.
func shared(m making, d *demands) bool {
	stores := 0
	for _, in := range *m.in.(ssa.Value).Referrers() {
		if _, debug := in.(*ssa.DebugRef); !debug {
			stores++
		}
	}
	return len(d.fields) > 1 || len(d.fields) == 1 && stores > 1 ||
		slices.ContainsFunc(d.needs, func(x need) bool { return len(x.way) > 0 })
}
