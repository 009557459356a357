package lever

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

var grownText = &Lever{
	Name:  "grown-text",
	Title: "gather the text in a builder, or keep offsets, instead of adding to a string",
	way:   size,
	Looks: "a string to which the line adds, that is itself the result of such an addition: in a loop, in a field or an element of a slice, or several times in a function. Each addition copies all that is there.",
	Wrong: "when there are few and short additions.",
	Before: `for len(rest) > 0 && rest[0] == edit[0] {
	head += edit[:1]
	edit = edit[1:] + rest[:1]
	rest = rest[1:]
}`,
	After: `text := head + edit + rest // once
for i, j := len(head), len(head)+len(edit); j < len(text) && text[i] == text[j]; i, j = i+1, j+1 {
	… text[:i], text[i:j], text[j:]
}
// or a strings.Builder, where only the result is wanted`,
	Model: "The copies of what was there before go.",
	Risk:  NoRisk,
	Asks:  "Is only the last text wanted, so that a strings.Builder can gather it, or are the texts parts of one, so that offsets do?",
	Saves: Saves{Alloc: Range{0.5, 0.95}, Collect: Range{0.5, 0.95}},
	find:  findGrownText,
}

// leastSums is the smallest number of additions, one after another, that make a text grow outside of a loop.
const leastSums = 4

func findGrownText(p *Line) (f Finding) {
	sums, all := 0, 0
	for _, in := range p.allocators() {
		sum, ok := in.(*ssa.BinOp)
		if ok && isOperand(sum) && onlyOnLine(p, sum) {
			continue
		}
		all++
		if !ok || f.Evidence != nil {
			continue
		}
		g := &growth{sum: sum, seen: map[ssa.Value]bool{}}
		g.of(leftmost(sum))
		switch {
		case g.again:
			f.Evidence = []Evidence{p.at(sum.Pos(), fmt.Sprintf("a text of %.0f bytes on average%s: all that is there is copied for what is added, again and again in the loop", p.objectSize(), p.inEach()))}
		case g.field && repeatedly(p):
			f.Evidence = []Evidence{p.at(sum.Pos(), fmt.Sprintf("a text of %.0f bytes on average%s: all that is in the field or element is copied for what is added", p.objectSize(), p.inEach()))}
		case g.sums >= leastSums-1:
			f.Evidence = []Evidence{p.at(sum.Pos(), fmt.Sprintf("a text of %.0f bytes on average%s: it is added to several times, and copied each time", p.objectSize(), p.inEach()))}
		default:
			continue
		}
		sums++
	}
	if sums > 0 {
		f.Share = p.direct() / float64(all)
	}
	return f
}

// onlyOnLine reports whether a text is put into another on the line.
func onlyOnLine(p *Line, sum *ssa.BinOp) bool {
	for _, r := range *sum.Referrers() {
		if other, ok := r.(*ssa.BinOp); ok && !p.onLine(other) {
			return false
		}
	}
	return true
}

// leftmost is the first of the texts that are put together.
func leftmost(sum *ssa.BinOp) ssa.Value {
	for {
		left, ok := sum.X.(*ssa.BinOp)
		if !ok || left.Op != token.ADD || sum.Pos() == left.Pos() || left.Referrers() == nil || len(*left.Referrers()) > 1 {
			return sum.X
		}
		sum = left
	}
}

// repeatedly reports whether an operation executes the line several times.
func repeatedly(p *Line) bool {
	each := p.each()
	return each == 0 || each >= leastSums
}

// A growth looks for the text that something is added to.
type growth struct {
	sum   *ssa.BinOp
	seen  map[ssa.Value]bool
	again bool // it is what was added to in the last iteration
	field bool // it is in the field that gets the result
	sums  int  // additions before
}

func (g *growth) of(v ssa.Value) {
	if g.seen[v] {
		return
	}
	g.seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if e == g.sum || leadsThrough(e, g.sum) {
				g.again = true
			}
			g.of(e)
		}
	case *ssa.Slice:
		g.of(v.X)
	case *ssa.BinOp:
		if v.Op == token.ADD && v != g.sum {
			g.sums++
			g.of(leftmost(v))
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			g.field = storesTo(g.sum, v.X)
		}
	}
}

// leadsThrough reports whether a value is a sum, or a longer one that begins with it.
func leadsThrough(v ssa.Value, sum *ssa.BinOp) bool {
	for range 8 {
		switch x := v.(type) {
		case *ssa.BinOp:
			if x == sum {
				return true
			}
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return false
		}
	}
	return false
}

// storesTo reports whether a sum is stored in the field that an address is of.
func storesTo(sum *ssa.BinOp, address ssa.Value) bool {
	from, ok := address.(*ssa.FieldAddr)
	for _, r := range *sum.Referrers() {
		store, isStore := r.(*ssa.Store)
		if !isStore || store.Val != sum {
			continue
		}
		to, isField := store.Addr.(*ssa.FieldAddr)
		if ok && isField && to.Field == from.Field && to.X == from.X || store.Addr == address || sameElement(store.Addr, address) {
			return true
		}
	}
	return false
}

// sameElement reports whether two addresses are of the same element of a slice, as far as a glance shows.
func sameElement(a, b ssa.Value) bool {
	x, ok := a.(*ssa.IndexAddr)
	y, isIndex := b.(*ssa.IndexAddr)
	return ok && isIndex && sameValue(x.X, y.X) && sameIndex(x.Index, y.Index)
}

// sameIndex reports whether two indices are the same: one value, or the same distance from the end of one slice.
func sameIndex(a, b ssa.Value) bool {
	x, ok := a.(*ssa.BinOp)
	y, isDistance := b.(*ssa.BinOp)
	if !ok || !isDistance {
		return sameValue(a, b)
	}
	m, ok := x.X.(*ssa.Call)
	n, isCall := y.X.(*ssa.Call)
	return ok && isCall && x.Op == y.Op && sameValue(x.Y, y.Y) && callsBuiltin(m, "len") && callsBuiltin(n, "len") && sameValue(m.Call.Args[0], n.Call.Args[0])
}
