package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var embedObject = &Lever{
	Name:    "embed",
	Title:   "make the object part of the one that refers to it",
	Subject: "store the field by value",
	way:     together,
	Looks:   "a struct of 256 bytes or less that is made for one field of another object: the field is given nothing else but new objects and nil, and there are about as many of the one as of the other; or both are made by the same function, one for each.",
	Wrong:   "when most of the objects leave the field nil: each has room for it then. When something refers to the inner object for longer: it keeps the outer one.",
	Before: `type Tx struct {
	db *DB
	wc *writeContext // nil for those that only read
}

tx.wc = &writeContext{}`,
	After: `type Tx struct {
	db       *DB
	writable bool
	wc       writeContext
}

tx.writable = true`,
	Model: "One object where there were two. The bytes stay, and are zeroed and collected as before.",
	Risk:  NoRisk,
	Asks:  "Is the object used as long as the one that refers to it, and no longer? Then make the field a value; where its pointer has to stay, allocate both as one struct, and let the field point into it.",
	Saves: Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0, 0.4}},
	Rewrite: "The field is known in its package only, and so is its struct, by each of its names there, in tests and files for other systems too. Structs are made by & and new and used by pointers: none is copied, compared, converted, part of another type, or an interface without methods, and no package or generic function sees its fields. " +
		"Each struct is made with a new object in the field, in its literal or before anything else has it, and the field is set nowhere else: it is never nil, and no two structs share an object. " +
		"All else that is done with the field selects a field or calls a method of the object: its pointer is not compared, stored, passed or replaced. Neither has a finalizer, and no 64-bit number has to be aligned by its place. Expressions stay in their order.",
	find: findEmbed,
}

const (
	mostEmbedded  = 256 // bytes of the inner object
	leastEmbedded = 0.5 // of the outer ones have an inner one
	mostReplaced  = 4   // inner objects for each outer one: with more, the inner ones come and go
)

func findEmbed(p *Line) (f Finding) {
	if f := p.embedded(); len(f.Edits) > 0 {
		return f
	}
	o, ok := p.structMade(mostEmbedded)
	if !ok || o.named == nil || !p.often() {
		return f
	}
	c := p.course(o.made)
	if len(c.away) > 0 || len(c.seen) >= widest || c.retained() {
		return f
	}
	for _, store := range c.storesOf() {
		to := store.Addr.(*ssa.FieldAddr)
		field, owner := fieldOf(to), namedOf(to.X.Type())
		if field == nil || owner == nil || owner == o.named || hasInside(o.named, owner) || !p.inSourceOf(owner) {
			continue
		}
		why := ""
		switch {
		case isPointerTo(field.Type(), o.of) && !inValue(to) && !c.keptBeside(field) && p.onlyNew(field, o.of) && p.asOften(o, owner, to):
			why = fmt.Sprintf("the object is stored in field %s of %s, which is given nothing but such new objects, or nil", field.Name(), owner.Obj().Name())
		case p.madeBeside(o, to, c):
			why = fmt.Sprintf("the object is stored in field %s of a %s that is made for it at the same time", field.Name(), owner.Obj().Name())
		default:
			continue
		}
		made := fmt.Sprintf("a %s of %.0f bytes%s", short(o.of), p.objectSize(), p.inEach())
		pos := store.Pos()
		if !pos.IsValid() {
			pos = to.Pos()
		}
		if !pos.IsValid() {
			pos = o.made.Pos()
		}
		return Finding{Share: o.share, Evidence: []Evidence{p.at(o.made.Pos(), made), p.at(pos, why)}}
	}
	return f
}

// inSourceOf reports whether a type is declared in the source that is loaded.
func (p *Program) inSourceOf(t *types.Named) bool { return p.unitOf(t.Obj().Pos()) != nil }

// onlyNew reports whether all that the program stores in a field is new objects of a type, made for it, and nil.
func (p *Program) onlyNew(field *types.Var, of types.Type) bool {
	some := false
	for _, address := range p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			store, ok := in.(*ssa.Store)
			if !ok || store.Addr != address || isNilConst(store.Val) {
				continue
			}
			if !isFresh(store.Val, of, 0) {
				return false
			}
			some = true
		}
	}
	return some
}

// isFresh reports whether a value is a new object of a type each time: made in its function, or by one that it calls.
func isFresh(v ssa.Value, of types.Type, depth int) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap && types.Identical(elemOf(v), of) && !keptElsewhere(v)
	case *ssa.Phi:
		return depth <= deepest && !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !isNilConst(e) && !isFresh(e, of, depth+1) })
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee == nil || len(callee.Blocks) == 0 || depth > deepest || callee.Signature.Results().Len() != 1 {
			return false
		}
		for _, b := range callee.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !isNilConst(ret.Results[0]) && !isFresh(ret.Results[0], of, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// keptElsewhere reports whether a new object is put into a slice or map, or into two fields.
func keptElsewhere(made *ssa.Alloc) bool {
	stores := 0
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.MapUpdate, *ssa.Send, *ssa.MakeInterface:
			return true
		case *ssa.Store:
			if in.Val == made {
				if _, ok := in.Addr.(*ssa.IndexAddr); ok {
					return true
				}
				stores++
			}
		}
	}
	return stores > 1
}

// inValue reports whether a field is one of a struct that is made as a value, on its way to where it stays.
func inValue(field *ssa.FieldAddr) bool {
	made, ok := field.X.(*ssa.Alloc)
	return ok && !made.Heap
}

// keptBeside reports whether the object itself is stored in another field, too, of something that was there before.
func (c *course) keptBeside(field *types.Var) bool {
	return slices.ContainsFunc(c.keeps, func(k ownership) bool { return k.whole && !k.fresh && !k.sameField(field) })
}

// asOften reports whether most owners have an object, and few of them several one after another. Where that was not counted,
// the owner is made there too, or had none before.
func (p *Line) asOften(o structMade, owner *types.Named, to *ssa.FieldAddr) bool {
	n, ok := p.executed(o.made.Pos())
	owners, known := p.makersCount(owner)
	if !ok || !known || owners == 0 {
		_, fresh := to.X.(*ssa.Alloc)
		return fresh || ifNil(to)
	}
	return float64(n) >= leastEmbedded*float64(owners) && n <= mostReplaced*owners
}

// ifNil reports whether an instruction is executed only where a field of the same struct was found to be nil.
func ifNil(to *ssa.FieldAddr) bool {
	for b := to.Block(); b.Idom() != nil; b = b.Idom() {
		from := b.Idom()
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] != b || len(b.Preds) != 1 {
			continue
		}
		op, ok := cond.Cond.(*ssa.BinOp)
		if !ok || op.Op != token.EQL || !isNilConst(op.Y) {
			continue
		}
		if loaded := loadedField(op.X); loaded != nil && loaded.X == to.X && loaded.Field == to.Field {
			return true
		}
	}
	return false
}

// madeBeside reports whether the owner of a field is an object that is made for each of those of the line, and nothing else has it.
func (p *Line) madeBeside(o structMade, to *ssa.FieldAddr, c *course) bool {
	outer, ok := to.X.(*ssa.Alloc)
	if !ok || !outer.Heap || outer.Comment != "complit" && outer.Comment != "new" || elemOf(outer) != types.Type(namedOf(outer.Type())) {
		return false
	}
	if slices.ContainsFunc(c.keeps, func(k ownership) bool { return k.whole && (!k.fresh || !k.sameField(fieldOf(to))) }) || c.returned && c.public {
		return false
	}
	if outer.Parent() != o.made.Parent() && !p.onStack(outer.Parent()) && !calls(o.made.Parent(), outer.Parent()) {
		return false
	}
	n, ok := p.executed(o.made.Pos())
	m, known := p.executed(outer.Pos())
	return ok && known && n > 0 && n <= 2*m && m <= 2*n
}

// onStack reports whether the profile has a function above the line, in the stack with the most bytes.
func (p *Line) onStack(fn *ssa.Function) bool {
	return slices.ContainsFunc(p.ownStack(), func(f prof.Frame) bool {
		at := p.function(f)
		return at != nil && p.fns[at.node] == fn
	})
}

// calls reports whether a function calls another.
func calls(fn, callee *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && call.Call.StaticCallee() == callee {
				return true
			}
		}
	}
	return false
}
