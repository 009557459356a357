package lever

import (
	"fmt"
	"slices"
)

var objectPool = &Lever{
	Name:  "object-pool",
	Title: "use the object again when its use has ended",
	way:   reuse,
	Looks: "a struct of 24 bytes or more that a constructor makes for each operation, that is not kept by anything but what is made with it, and whose type has a method that ends its use: Close, Release, Commit, Rollback, Abort, Discard.",
	Wrong: "when a method is called after the end, or it is ended twice: it is another operation's then. Let the ended object say so, as an error or a panic of tests. What is never ended is collected as before.",
	Before: `func (db *DB) Begin() *Tx {
	return &Tx{db: db, items: map[string]item{}}
}

func (tx *Tx) Rollback() { tx.db.unlock() }`,
	After: `var txs = sync.Pool{New: func() any { return &Tx{items: map[string]item{}} }}

func (db *DB) Begin() *Tx {
	tx := txs.Get().(*Tx)
	tx.db = db
	return tx
}

func (tx *Tx) Rollback() {
	tx.db.unlock()
	tx.db = nil
	clear(tx.items)
	txs.Put(tx)
}`,
	Model: "Pooled objects are not allocated but for the first time and after collections; maps and slices in them stay, too.",
	Risk:  Lifetime,
	Asks:  "Is it unused after the method that is named? Put it there into a sync.Pool, cleared, or back to the owner if that has one at a time.",
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0.5, 0.95}},
	find:  findObjectPool,
}

const leastWithEnd = 24 // bytes

func findObjectPool(p *Line) (f Finding) {
	o, ok := p.structMade(1 << 20)
	if !ok || o.named == nil || o.size < leastWithEnd || !p.madeAgain() || p.inPool() || p.singled(o.of) {
		return f
	}
	end := p.endMethod(o.named)
	if end == nil {
		return f
	}
	c := p.courseBy(o.made, true)
	if !c.returned || len(c.away) > 0 || slices.ContainsFunc(c.keeps, func(k ownership) bool { return k.whole && !k.fresh && k.owner != o.named }) {
		return f
	}
	if c.retained() {
		return f
	}
	made := fmt.Sprintf("a %s%s, which %s returns", short(o.of), p.perOperation(), nameOf(o.made.Parent()))
	return Finding{Share: o.share, Evidence: []Evidence{p.at(o.made.Pos(), made), p.at(end.Pos(), fmt.Sprintf("%s ends the use of a %s", end.Name(), o.named.Obj().Name()))}}
}
