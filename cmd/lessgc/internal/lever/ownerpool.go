package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var ownerPool = &Lever{
	Name:  "owner-pool",
	Title: "use the memory again at the end of its owner",
	way:   reuse,
	Looks: "a buffer, slice, map, table or large object that operations make again and again, and that is stored in a field of an object whose use ends: by a method as Close, Release, Commit or Rollback, by a Read that meets io.EOF, by the counterpart of the function that makes it, as releaseScope is of newScope, or because the function that makes it drops it.",
	Wrong: "when other code uses part of the memory after the end, or the end is called twice, or not by all: what is not put back is collected as before. When the sizes differ by much: keep one pool for each size class, and nothing that is very large.",
	Before: `func NewReader(src io.Reader) *Reader {
	return &Reader{src: src, buf: make([]byte, 32<<10)}
}

func (r *Reader) Close() error { return nil }`,
	After: `var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func NewReader(src io.Reader) *Reader {
	return &Reader{src: src, buf: buffers.Get().(*[32 << 10]byte)[:]}
}

func (r *Reader) Close() error {
	if r.buf != nil {
		buffers.Put((*[32 << 10]byte)(r.buf))
		r.buf = nil // the end may be called twice
	}
	return nil
}`,
	Model: "Pooled memory is not allocated but for the first time and after collections. What has to be zeroed or cleared still is.",
	Risk:  Lifetime,
	Asks:  "Is the memory not used any more after the end that is named, by the owner or by code that was given part of it? Put it into a sync.Pool there, or keep it in what lives longer and has one owner at a time.",
	Saves: Saves{Alloc: Range{0.3, 0.95}, Collect: Range{0.5, 0.95}},
	find:  findOwnerPool,
}

const (
	leastOwned  = 512  // bytes of an object that is worth a pool, unless it is a map
	leastKept   = 64   // of one whose owner is worth a pool, as functions make and drop it
	leastStruct = 128  // of a struct with an end of its own
	leastEach   = 0.9  // objects of an operation
	liveOwned   = 0.25 // of the bytes may be live at most
)

func findOwnerPool(p *Line) (f Finding) {
	if !p.madeAgain() || p.inPool() {
		return f
	}
	for _, o := range p.owned() {
		if evidence := p.ownedUntil(o); evidence != nil {
			return Finding{Share: o.share, Evidence: append([]Evidence{p.at(o.pos, o.text+p.perOperation())}, evidence...)}
		}
	}
	return f
}

// madeAgain reports whether operations make what the line makes again and again, and drop it.
func (p *Line) madeAgain() bool {
	n := p.each()
	return (n == 0 || n >= leastEach || p.onlyBeside()) && float64(p.site.LiveBytes) <= liveOwned*float64(p.site.Bytes)
}

// onlyBeside reports whether goroutines make what the line makes, of which the profile does not tell in the operations of
// which benchmark they were started: then it is not known how many an operation makes.
func (p *Line) onlyBeside() bool {
	return p.Ops == 0 && len(p.site.Benchmarks) == 1 && p.site.Benchmarks[""] > 0
}

// perOperation describes how large the objects of the line are, and how many an operation makes.
func (p *Line) perOperation() string {
	size := fmt.Sprintf(", %s each", bytesOf(p.objectSize()))
	if n := p.each(); n > 0 && !p.onlyBeside() {
		size += fmt.Sprintf(", %s in each operation", few(n))
	}
	return size
}

func bytesOf(n float64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%s MiB", few(n/(1<<20)))
	case n >= 1<<10:
		return fmt.Sprintf("%s KiB", few(n/(1<<10)))
	}
	return fmt.Sprintf("%.0f bytes", n)
}

// An owned is memory that a line makes, or makes larger, and may have an owner.
type owned struct {
	text  string
	pos   token.Pos
	share float64
	value ssa.Value // nil if a field is known
	field *ssa.FieldAddr
	isMap bool
	named *types.Named // of the object itself, if it is a struct
}

// owned is the memory that the line makes by itself.
func (p *Line) owned() (all []owned) {
	share := p.direct()
	if share < 0.5 {
		return nil
	}
	for in := range p.instructions() {
		if o, ok := ownedBy(in); ok {
			o.share, o.pos = share, in.Pos()
			all = append(all, o)
		}
	}
	return all
}

// ownedBy is the memory that an instruction makes.
func ownedBy(in ssa.Instruction) (o owned, ok bool) {
	switch in := in.(type) {
	case *ssa.MakeSlice:
		return owned{text: "a " + short(in.Type()), value: in}, true
	case *ssa.MakeMap:
		return owned{text: "a " + short(in.Type()), value: in, isMap: true}, true
	case *ssa.Alloc:
		if !in.Heap || in.Comment == "varargs" {
			return o, false
		}
		switch t := elemOf(in).Underlying().(type) {
		case *types.Array:
			return owned{text: "a []" + short(t.Elem()), value: in}, true
		case *types.Struct:
			return owned{text: "a " + short(elemOf(in)), value: in, named: namedOf(elemOf(in))}, true
		}
	case *ssa.MapUpdate:
		if field := loadedField(in.Map); field != nil {
			return owned{text: "the map in field " + fieldOf(field).Name() + " grows", field: field, isMap: true}, true
		}
	case *ssa.Call:
		if !callsBuiltin(in, "append") {
			return o, false
		}
		if field := loadedField(in.Call.Args[0]); field != nil {
			return owned{text: "the slice in field " + fieldOf(field).Name() + " grows", field: field}, true
		}
	}
	return o, false
}

// loadedField is the field that a value was loaded from; nil if it was not.
func loadedField(v ssa.Value) *ssa.FieldAddr {
	if slice, ok := v.(*ssa.Slice); ok {
		v = slice.X
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if field, ok := load.X.(*ssa.FieldAddr); ok && fieldOf(field) != nil {
			return field
		}
	}
	return nil
}

// inPool reports whether the line is of a function that makes what a pool is empty of.
func (p *Line) inPool() bool {
	found := false
	ast.Inspect(p.fn.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if callee := p.callee(call); callee != nil && (callee.FullName() == "(*sync.Pool).Get" || callee.FullName() == "(*sync.Pool).Put") {
				found = true
			}
		}
		return !found
	})
	return found || p.isNewOfPool()
}

// isNewOfPool reports whether the function is the field New of a pool.
func (p *Line) isNewOfPool() bool {
	return keptBy(&p.newOfPools, p.file, valuesOfNew)[p.fn.node]
}

// valuesOfNew returns what a file gives keys New of composite literals.
func valuesOfNew(file *ast.File) map[ast.Node]bool {
	values := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "New" {
				values[ast.Unparen(pair.Value)] = true
			}
		}
		return true
	})
	return values
}

// ownedUntil is the evidence that memory has an owner whose use ends; nil if there is none.
func (p *Line) ownedUntil(o owned) []Evidence {
	size := p.objectSize()
	if o.field != nil {
		k := ownership{field: fieldOf(o.field), owner: namedOf(o.field.X.Type()), pos: o.field.Pos(), by: o.field.Parent()}
		return p.endOfOwners([]ownership{k}, o.isMap || size >= leastOwned)
	}
	c := p.course(o.value)
	if evidence := p.ownEnd(o, size, c); evidence != nil {
		return evidence
	}
	if evidence := p.leftScope(o, c); evidence != nil {
		return evidence
	}
	if len(c.away) > 0 || len(c.users) > 0 || c.public {
		return nil
	}
	keeps := slices.DeleteFunc(c.keeps, func(k ownership) bool { return k.owner == nil || k.owner == o.named })
	return p.endOfOwners(keeps, o.isMap || size >= leastOwned)
}

// ownEnd is the evidence that the object itself has an end, and is none of those that users make.
func (p *Line) ownEnd(o owned, size float64, c *course) []Evidence {
	if o.named == nil || o.named.Obj().Exported() || p.singled(o.named) || c.returned && token.IsExported(o.value.Parent().Name()) {
		return nil
	}
	if other := p.pairOf(outermost(o.value.Parent())); other != nil { // whoever has it gives it back there
		return []Evidence{p.at(other.Pos(), fmt.Sprintf("%s ends the use of what %s makes", other.Name(), o.value.Parent().Name()))}
	}
	end, ok := p.endOf(o.named)
	if !ok || size < leastStruct || len(c.away) > 0 {
		return nil
	}
	return []Evidence{end}
}

// leftScope is the evidence that the object is stored by a function which has a counterpart that stores to the same
// field, as enterScope and leaveScope do.
func (p *Line) leftScope(o owned, c *course) []Evidence {
	if o.named == nil || o.named.Obj().Exported() {
		return nil
	}
	for _, k := range c.keeps {
		if k.fresh || !k.whole || k.owner == nil || k.owner == o.named {
			continue
		}
		other := p.pairOf(k.by)
		if other == nil || !p.storesTo(other, k.field) {
			continue
		}
		return []Evidence{p.at(k.pos, fmt.Sprintf("it is stored in field %s of %s by %s", k.field.Name(), k.owner.Obj().Name(), k.by.Name())),
			p.at(other.Pos(), fmt.Sprintf("%s ends that", other.Name()))}
	}
	return nil
}

// storesTo reports whether a function stores to a field.
func (p *Program) storesTo(fn *types.Func, field *types.Var) bool {
	return slices.ContainsFunc(p.addressesOf(field), func(address *ssa.FieldAddr) bool {
		return fullName(address.Parent()) == fn.FullName() && stored(address) // it may be of the variant with tests
	})
}

// farOwner limits the length of a chain of owners.
const farOwner = 3

// endOfOwners is the evidence of the nearest owner whose use ends. Of memory that is not large, the owner itself has to be one
// that functions make and drop.
func (p *Line) endOfOwners(keeps []ownership, large bool) []Evidence {
	type step struct {
		ownership
		way []Evidence
	}
	var work []step
	for i, k := range keeps {
		if k.owner == nil {
			continue
		}
		var way []Evidence
		for _, above := range keeps[max(0, i-farOwner+1):i] {
			if above.owner != nil {
				way = append(way, p.at(above.pos, fmt.Sprintf("field %s of %s", above.field.Name(), above.owner.Obj().Name())))
			}
		}
		work = append(work, step{k, append(way, p.at(k.pos, fmt.Sprintf("it is stored in field %s of %s", k.field.Name(), k.owner.Obj().Name())))})
	}
	seen := map[*types.Named]bool{}
	for len(work) > 0 {
		next := work[0]
		work = work[1:]
		if seen[next.owner] || p.shown(next.ownership) {
			continue
		}
		seen[next.owner] = true
		if end, ok := p.endOf(next.owner); ok && large && p.madeOften(next.owner) {
			return append(next.way, end)
		}
		if len(next.way) == 1 && (large || p.objectSize() >= leastKept) {
			if end, ok := p.droppedOwner(next.ownership); ok {
				return append(next.way, end)
			}
		}
		if len(next.way) >= farOwner || !large {
			continue
		}
		for _, k := range p.holdersOf(next.owner) {
			way := append(slices.Clone(next.way), p.at(k.pos, fmt.Sprintf("a %s is field %s of %s", next.owner.Obj().Name(), k.field.Name(), k.owner.Obj().Name())))
			work = append(work, step{k, way})
		}
	}
	return nil
}

// droppedOwner is the evidence that the functions which make the owners of a field, as far as the benchmarks come there, drop
// them when they end, and that nothing else gets what the field has.
func (p *Line) droppedOwner(k ownership) (e Evidence, ok bool) {
	if p.readOut(&k) {
		return e, false
	}
	for _, made := range p.makersOf(k.owner) {
		if n, known := p.executed(made.Pos()); !known || n == 0 {
			continue
		}
		c := p.course(made)
		if c.returned || !c.dropped() {
			return e, false
		}
		e, ok = p.at(made.Pos(), fmt.Sprintf("%s makes a %s, and drops it when it ends: kept for the next call, in a sync.Pool or in what lives longer, it has its memory", nameOf(made.Parent()), k.owner.Obj().Name())), true
	}
	return e, ok
}

// readOut reports whether what a field has is read from it and stored elsewhere, or returned, by itself or in something else.
func (p *Line) readOut(k *ownership) bool {
	for c := range p.coursesFrom(k) {
		if c.returned || c.public || c.handed || len(c.users)+len(c.owners)+len(c.apart) > 0 || c.storesBeside(k) {
			return true
		}
	}
	return false
}

// shown reports whether who uses the package gets what a field has: the field is exported, or an exported
// function returns it.
func (p *Program) shown(k ownership) bool {
	field := k.field
	if field.Exported() && k.owner.Obj().Exported() {
		return true
	}
	if !pointsInto(field.Type()) || namedOf(field.Type()) != nil {
		return false
	}
	return slices.ContainsFunc(p.loads[field], func(v ssa.Value) bool {
		return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
			_, returns := in.(*ssa.Return)
			return returns && token.IsExported(in.Parent().Name())
		})
	})
}

// madeOften reports whether owners of a type are made about as often as the line is executed, as far as that is known.
func (p *Line) madeOften(owner *types.Named) bool {
	line, ok := p.executed(p.lineStart())
	if !ok {
		return true
	}
	sum, known := int64(0), false
	for _, made := range p.makersOf(owner) {
		n, ok := p.executed(made.Pos())
		if ok {
			sum, known = sum+n, true
		}
	}
	return !known || sum == 0 || sum*50 >= line
}

// lineStart is the position of something that the line makes.
func (p *Line) lineStart() token.Pos {
	for _, in := range p.allocators() {
		if in.Pos().IsValid() {
			return in.Pos()
		}
	}
	return token.NoPos
}
