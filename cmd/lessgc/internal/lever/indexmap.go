package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var indexMap = &Lever{
	Name:  "index-map",
	Title: "keep the map beside the slice that it is made of, or search the slice",
	Looks: "a map that a method makes in each call of the elements of a slice, which a field has that the receiver leads to, or a variable of the package; with their indices, constants or parts of the elements as values. It is only asked for keys and its length. The method is called again with the same receiver, and at most three functions set the field, this one and those that it calls not among them.",
	Wrong: "when the slice is changed between the calls by its elements: make the map again then. When it is long and the map is asked often in each call, keep the map; when it is short, search the slice.",
	Before: `func (m *matcher) match(name string) int {
	byName := make(map[string]int, len(m.names))
	for i, n := range m.names {
		byName[n] = i
	}
	return m.score(byName, name)
}`,
	After: `func (m *matcher) match(name string) int {
	return m.score(m.byName, name) // made where m.names is set
}`,
	Model: "The map goes whole, and so does filling it, which costs more than its memory: a hash for each key.",
	Risk:  Aliasing,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.5, 1}},
	find:  findIndexMap,
}

// mostSetters limits the functions that may set the slice that a map is made of.
const mostSetters = 3

func findIndexMap(p *Line) (f Finding) {
	m, share := p.mapHere()
	if m == nil || m.Parent() != p.body() {
		return f
	}
	l := &lookups{program: p.Program, of: m, seen: map[ssa.Value]bool{}}
	if !l.only(m) || l.asked == token.NoPos {
		return f
	}
	field, from := l.source()
	if field == nil {
		return f
	}
	sets, ok := p.setOutside(field, m.Parent())
	if !ok {
		return f
	}
	again, ok := p.calledAgain(m.Parent(), 0)
	if !ok && receiverIn(m.Parent()) != nil {
		return f
	}
	text := fmt.Sprintf("a %s is made for each call of the elements of %s", short(m.Type()), field.Name())
	evidence := []Evidence{p.at(m.Pos(), text), p.at(from, "it is filled here, and nowhere else"), p.at(l.asked, "it is only asked, as here")}
	if ok {
		evidence = append(evidence, again)
	}
	return Finding{Share: share, Calls: setters, Evidence: append(evidence, sets...)}
}

// mapHere is the map that the line makes, or makes larger, if it allocates nothing else by itself.
func (p *Line) mapHere() (*ssa.MakeMap, float64) {
	in, share := p.only()
	switch in := in.(type) {
	case *ssa.MakeMap:
		return in, share
	case *ssa.MapUpdate:
		m, _ := in.Map.(*ssa.MakeMap)
		return m, share
	}
	return nil, 0
}

// lookups finds out what is done with a map.
type lookups struct {
	program *Program
	of      *ssa.MakeMap
	seen    map[ssa.Value]bool
	updates []*ssa.MapUpdate
	asked   token.Pos
}

// only reports whether a map that a value is, is only asked for keys and its length, but for updates where
// it is made: they are noted.
func (l *lookups) only(v ssa.Value) bool {
	if l.seen[v] {
		return true
	}
	l.seen[v] = true
	if len(l.seen) > longest || v.Referrers() == nil {
		return false
	}
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { return !l.use(v, in) })
}

func (l *lookups) use(v ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Lookup:
		l.asked = in.Pos()
		return in.X == v
	case *ssa.MapUpdate:
		l.updates = append(l.updates, in)
		return v == l.of && in.Map == v && in.Value != v
	case *ssa.Store:
		address, ok := in.Addr.(*ssa.FieldAddr)
		return ok && in.Val == v && l.field(fieldOf(address))
	case ssa.CallInstruction:
		return l.call(v, in)
	}
	return false
}

// call follows a map into a function that is known.
func (l *lookups) call(v ssa.Value, in ssa.CallInstruction) bool {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name() == "len"
	}
	callee := c.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		return false
	}
	for i, arg := range c.Args {
		if arg == v && (i >= len(callee.Params) || !l.only(callee.Params[i])) {
			return false
		}
	}
	_, call := in.(*ssa.Call)
	return call
}

// field reports whether what a field has is only asked, wherever it is loaded. Other packages do not see it.
func (l *lookups) field(field *types.Var) bool {
	if field == nil || field.Exported() {
		return false
	}
	for _, fn := range l.program.fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					if sameField(fieldOf(in), field) && !l.loads(in) {
						return false
					}
				case *ssa.Field:
					s, ok := in.X.Type().Underlying().(*types.Struct)
					if ok && sameField(s.Field(in.Field), field) && !l.only(in) {
						return false
					}
				}
			}
		}
	}
	return true
}

// sameField reports whether two fields are one: a package and its variant with tests are two to the type checker.
func sameField(a, b *types.Var) bool {
	return a != nil && (a == b || a.Pos() == b.Pos() && a.Name() == b.Name())
}

// loads reports whether the address of a field is only loaded from, for maps that are only asked, and stored to.
func (l *lookups) loads(address *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return in.Val == address
		case *ssa.UnOp:
			return !l.only(in)
		}
		return true
	})
}

// source is the field or variable with the slice that all updates of the map are made of; nil if
// there is none, and where they are.
func (l *lookups) source() (of types.Object, at token.Pos) {
	if len(l.updates) != 1 {
		return nil, at
	}
	u := l.updates[0]
	var from ssa.Value
	if !madeOfElements(u.Key, &from, 0) || from == nil || !madeOfElements(u.Value, &from, 0) || !repeats(u.Block()) || repeats(l.of.Block()) {
		return nil, at
	}
	load, ok := from.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !longLived(load.X, l.of.Parent(), 0) {
		return nil, at
	}
	switch address := load.X.(type) {
	case *ssa.Global:
		return address.Object(), u.Pos()
	case *ssa.FieldAddr:
		if field := fieldOf(address); field != nil {
			return field, u.Pos()
		}
	}
	return nil, at
}

// madeOfElements reports whether a value is a constant, an index, or part of an element of a slice, which
// is the same for all.
func madeOfElements(v ssa.Value, from *ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL && madeOfElements(v.X, from, depth+1)
	case *ssa.FieldAddr:
		return madeOfElements(v.X, from, depth+1)
	case *ssa.Field:
		return madeOfElements(v.X, from, depth+1)
	case *ssa.IndexAddr:
		if _, ok := v.X.Type().Underlying().(*types.Slice); !ok || *from != nil && *from != v.X {
			return false
		}
		*from = v.X
		return true
	case *ssa.Alloc:
		stored := storedOnce(v)
		return stored != nil && madeOfElements(stored, from, depth+1)
	case *ssa.Phi:
		return isCounter(v)
	case *ssa.BinOp: // range counts from -1
		phi, ok := v.X.(*ssa.Phi)
		return ok && v.Op == token.ADD && isConst(v.Y) && isCounter(phi)
	}
	return false
}

// storedOnce returns the value of a variable that is assigned once, if nothing but loads of it and of its fields
// uses its address besides.
func storedOnce(variable *ssa.Alloc) (v ssa.Value) {
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.FieldAddr:
			if addressStored(r) {
				return nil
			}
		case *ssa.Store:
			if v != nil || r.Addr != variable {
				return nil
			}
			v = r.Val
		default:
			return nil
		}
	}
	return v
}

// isCounter reports whether a variable is a constant at first, and one more in each iteration.
func isCounter(phi *ssa.Phi) bool {
	return !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
		if isConst(e) {
			return false
		}
		add, ok := e.(*ssa.BinOp)
		return !ok || add.Op != token.ADD || add.X != phi || !isConst(add.Y)
	})
}

// longLived reports whether an address is found by way of the receiver, or of a variable of a package.
func longLived(v ssa.Value, fn *ssa.Function, depth int) bool {
	if depth > 12 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Global:
		return true
	case *ssa.Parameter:
		_, pointer := v.Type().Underlying().(*types.Pointer)
		return pointer && receiverIn(fn) == v
	case *ssa.FieldAddr:
		return longLived(v.X, fn, depth+1)
	case *ssa.UnOp:
		return v.Op == token.MUL && longLived(v.X, fn, depth+1)
	case *ssa.Lookup:
		return longLived(v.X, fn, depth+1)
	case *ssa.Extract:
		return longLived(v.Tuple, fn, depth+1)
	}
	return false
}

// setOutside returns the first line on which a slice is set, if any; ok is false if many functions set it, or if
// fn or a function that it calls does.
func (p *Line) setOutside(of types.Object, fn *ssa.Function) (at []Evidence, ok bool) {
	field, ok := of.(*types.Var)
	if !ok {
		return nil, false
	}
	below := p.itsCalls(fn)
	var by []*ssa.Function
	for _, other := range p.fns {
		if p.inTest(other.Pos()) {
			continue
		}
		pos := setsIn(other, field)
		if !pos.IsValid() {
			continue
		}
		if below[other] || len(by) == mostSetters {
			return nil, false
		}
		by = append(by, other)
		at = append(at, p.at(pos, nameOf(other)+" sets the slice"))
	}
	slices.SortFunc(at, func(a, b Evidence) int { return a.Line - b.Line })
	return at[:min(len(at), 1)], true
}

// itsCalls holds a function and those that it calls.
func (p *Program) itsCalls(fn *ssa.Function) map[*ssa.Function]bool {
	all := map[*ssa.Function]bool{fn: true}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok && c.Common().StaticCallee() != nil {
				all[c.Common().StaticCallee()] = true
			}
		}
	}
	return all
}

// setsIn returns the position at which a function stores to a field or variable, or has its address for more than
// to load.
func setsIn(fn *ssa.Function, of *types.Var) token.Pos {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				if sameField(fieldOf(in), of) && addressStored(in) {
					return in.Pos()
				}
			case *ssa.Store:
				if g, ok := in.Addr.(*ssa.Global); ok && g.Object() == of {
					return in.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// addressStored reports whether an address is used for more than to load from it.
func addressStored(address *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return in.Op != token.MUL
		}
		return true
	})
}
