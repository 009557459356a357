package lever

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

var makeOnWrite = &Lever{
	Name:  "make-on-write",
	Title: "leave it nil, and make it where something is first put in",
	Looks: "a map or slice without elements that is made for a field which is not exported, or for a local variable, when the benchmarks made it at least four times as often as anything was put in, or the program compared it with nil or passed it on. Reading, ranging over and appending to nil are the same. Not where structs that have the field are copied. Needs -bench, which counts executions.",
	Wrong: "when other programs put something in more often than the benchmarks do. When tests compare the structs by reflect.DeepEqual: nil is not the same as empty there.",
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
	find:  findMakeOnWrite,
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
		return Finding{Evidence: evidence, Share: share, Edits: p.onWrite(m, d)}
	}
	return f
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
