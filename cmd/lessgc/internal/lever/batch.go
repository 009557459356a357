package lever

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var batch = &Lever{
	Name:    "batch",
	Subject: "use a slice of values",
	Title:   "allocate the small objects in batches, a slice of some dozens at a time",
	way:     together,
	Looks:   "structs of one type of 256 bytes or less, of which an operation of a benchmark makes 32 or more, but no more than a mebibyte, at the line, in a loop or recursion, and which are kept together: in a slice, a map, or fields of other objects. Not for types with a lock, a finalizer or a pool, nor where the benchmarks delete more than one in eight from a map, nor where the profile has more than a tenth of the bytes live.",
	Wrong:   "when objects are dropped one by one, or one of many is kept: each keeps those of its batch, and all that these point to.",
	Before: `func (p *parser) node(kind Kind) *Node {
	return &Node{Kind: kind, Line: p.line}
}`,
	After: `func (p *parser) node(kind Kind) *Node {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]Node, 0, min(max(4, 2*cap(p.nodes)), 64))
	}
	p.nodes = append(p.nodes, Node{Kind: kind, Line: p.line})
	return &p.nodes[len(p.nodes)-1]
}`,
	Model: "Some dozens of objects take one allocation. Their bytes are zeroed and collected as before; a batch is one object to the collector.",
	Risk:  NoRisk,
	Asks:  "Are these objects all dropped at about the same time, and which value that lives as long as the operation can keep the batch?",
	Saves: Saves{Alloc: Range{0.2, 0.6}, Collect: Range{0, 0.3}},
	Rewrite: "The objects are made where they are appended to a slice of pointers, whose elements they become. It is a field that only its package knows, of a struct that is never copied, converted, or an interface without methods. " +
		"All else that is done with the field is taking its length, comparing it with nil, leaving it empty, and reading fields of its elements, where they stand or by a variable: no pointer to one is kept, compared, passed, captured or nil, and neither is one of a field. " +
		"Elements do not change once they are in the slice, so that a copy, and one from before the slice has grown, is the same as the object; or they change by a variable in the function that has made the struct and not yet given it to anyone, which uses the field for nothing else while it has the variable. " +
		"They have no lock, no finalizer and at most 64 bytes. The capacity of the slice is not asked for.",
	find: findBatch,
}

const (
	leastBatched = 32      // objects of an operation
	mostBatched  = 256     // bytes of an object
	batchedBytes = 1 << 20 // of an operation: more than that is hardly alive at a time
	mostHops     = 4       // functions that an object is passed by until it is stored
)

func findBatch(p *Line) (f Finding) {
	if f := p.asElements(); len(f.Edits) > 0 {
		return f
	}
	in, share := p.only()
	made, ok := in.(*ssa.Alloc)
	if !ok || share < 0.5 || !p.manyTogether() || !p.ownObject(made) || !p.smallStruct(elemOf(made), mostBatched) || p.freedSingly(made) {
		return f
	}
	if size := p.pkg.TypesSizes.Sizeof(elemOf(made)); size < tinyObject && !pointsInto(elemOf(made)) || size == 0 {
		return f
	}
	return p.together(made, share, "objects of type "+short(elemOf(made)), elemOf(made))
}

// freedSingly reports whether objects have a finalizer or a pool, or the program deletes them from a map more often than for one
// in eight, as far as the benchmarks show it.
func (p *Line) freedSingly(made *ssa.Alloc) bool {
	if !p.singled(elemOf(made)) {
		return false
	}
	if !p.deleted(elemOf(made)) || p.pooled(elemOf(made)) {
		return true
	}
	n, ok := p.executed(made.Pos())
	if !ok {
		return true
	}
	sum := int64(0)
	for _, call := range p.deletesOf(elemOf(made)) {
		k, known := p.executed(call.Pos())
		if !known {
			return true
		}
		sum += k
	}
	return sum*8 > n
}

// manyTogether reports whether an operation makes enough objects at the line, and not more than may be alive at a time.
// It is not known where operations are not counted.
func (p *Line) manyTogether() bool {
	n := p.each()
	return (n == 0 && p.objectSize() <= mostChunked || n >= leastBatched && n*p.objectSize() <= batchedBytes) && float64(p.site.LiveBytes) <= liveChunked*float64(p.site.Bytes)
}

// together is the finding that many of something are made in a loop or recursion, and are kept in the same way. The type
// of objects is nil for strings.
func (p *Line) together(made ssa.Value, share float64, what string, of types.Type) (f Finding) {
	stack := p.ownStack()
	again, ok := p.repeats(stack)
	if !ok {
		again, ok = p.forever(stack)
	}
	owner := p.batchOwner(stack, of)
	k := &keeping{p: p, seen: map[ssa.Value]bool{}}
	if !ok || owner == "" || !k.kept(made, stack[1:], 0) {
		return f
	}
	each := fmt.Sprintf("many %s of %.0f bytes", what, p.objectSize())
	if n := p.each(); n > 0 {
		each = fmt.Sprintf("%s %s of %.0f bytes in each operation", few(n), what, p.objectSize())
	}
	again.Text += "; " + owner
	return Finding{Share: share, Evidence: []Evidence{p.at(p.madeAt(made), each), again, k.where}}
}

// ownStack is the line and the calls above it, of the stack with the most bytes, up to tests and benchmarks.
func (p *Line) ownStack() []prof.Frame {
	stack := append([]prof.Frame{p.site.Frame}, p.callersOf()...)
	if i := slices.IndexFunc(stack, func(f prof.Frame) bool { return strings.HasSuffix(f.File, "_test.go") }); i >= 0 {
		stack = stack[:i]
	}
	return stack
}

// nearby is the number of frames, from the line up, in which something that can keep a batch is looked for.
const nearby = 2

// batchOwner returns what can keep a batch: a receiver that is none of the objects, the function of a loop close to the
// line, or for slices one that calls for several of them. It is "" if there is none.
func (p *Line) batchOwner(stack []prof.Frame, of types.Type) string {
	for i, f := range stack[:min(len(stack), nearby)] {
		at := p.function(f)
		if at == nil || p.fns[at.node] == nil {
			continue
		}
		if (of != nil && i < 2 || i == 0) && p.loopAt(at, f.Line) != nil {
			return nameOf(p.fns[at.node]) + " can keep the batch"
		}
		if i > 0 && of == nil && p.callsTwice(p.fns[at.node], stack[i-1]) {
			return nameOf(p.fns[at.node]) + " calls for several in a row, and can keep one array for all of them"
		}
		named, struc := receiverOf(outermost(p.fns[at.node]))
		if named != nil && struc != nil && !linked(named, struc) && (of == nil || !types.Identical(named, of)) {
			return "*" + named.Obj().Name() + ", the receiver of " + nameOf(p.fns[at.node]) + ", can keep the batch"
		}
	}
	return ""
}

// callsTwice reports whether a function calls the one of a frame on two or more lines.
func (p *Line) callsTwice(fn *ssa.Function, of prof.Frame) bool {
	at := p.function(of)
	if at == nil || p.fns[at.node] == nil {
		return false
	}
	n := 0
	for _, call := range p.callsOf(p.fns[at.node]) {
		if call.Parent() == fn {
			n++
		}
	}
	return n > 1
}

// madeAt returns the position at which a value is made, or that of the function that makes it if it is not known.
func (p *Line) madeAt(v ssa.Value) token.Pos {
	if v.Pos().IsValid() {
		return v.Pos()
	}
	return v.Parent().Pos()
}

// A keeping looks for where an object is stored, in the functions that it is given to or returned by.
type keeping struct {
	p     *Line
	seen  map[ssa.Value]bool
	where Evidence
}

// kept finds a slice, a map or another object that a value is stored in. The frames are the calls above its function.
func (k *keeping) kept(v ssa.Value, callers []prof.Frame, hops int) bool {
	if k.seen[v] || v.Referrers() == nil || hops > mostHops {
		return false
	}
	k.seen[v] = true
	for _, in := range callsLast(*v.Referrers()) {
		found := false
		switch in := in.(type) {
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi, *ssa.TypeAssert, *ssa.FieldAddr, *ssa.Extract:
			found = k.kept(in.(ssa.Value), callers, hops)
		case *ssa.Slice: // part of a text
			found = isString(v.Type()) && k.kept(in, callers, hops)
		case *ssa.Store:
			found = in.Val == v && k.stored(in, callers, hops)
		case *ssa.MapUpdate:
			found = in.Value == v && k.found(in, "they are kept as elements of a map")
		case *ssa.Return:
			found = k.returned(in, v, callers, hops)
		case *ssa.Call:
			found = isString(v.Type()) && cutsText(in) && k.kept(in, callers, hops) || k.given(in, v, hops)
		}
		if found {
			return true
		}
	}
	return false
}

// callsLast puts the calls behind the other instructions: what a function does with its arguments may be for a few of them.
func callsLast(all []ssa.Instruction) []ssa.Instruction {
	isCall := func(in ssa.Instruction) int {
		if _, ok := in.(*ssa.Call); ok {
			return 1
		}
		return 0
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b ssa.Instruction) int { return cmp.Compare(isCall(a), isCall(b)) })
}

func (k *keeping) found(in ssa.Instruction, text string) bool {
	pos := in.Pos()
	if store, ok := in.(*ssa.Store); ok && !pos.IsValid() {
		pos = store.Addr.Pos()
	}
	if !pos.IsValid() {
		pos = in.Parent().Pos()
	}
	k.where = k.p.at(pos, text)
	return true
}

// stored follows a value to where it is stored: into the variable that gets it, if that is no other object.
func (k *keeping) stored(in *ssa.Store, callers []prof.Frame, hops int) bool {
	root := base(in.Addr)
	cell, local := root.(*ssa.Alloc)
	if element, ok := in.Addr.(*ssa.IndexAddr); ok && (!local || cell.Comment == "slicelit" || appendedBy(element.X).IsValid()) {
		return k.found(in, "they are kept as elements of a slice")
	}
	if local && (!cell.Heap || cell == in.Addr) { // a struct on its way, or a variable
		for _, r := range *cell.Referrers() {
			if load, ok := r.(*ssa.UnOp); ok && k.kept(load, callers, hops) {
				return true
			}
		}
		return false
	}
	if field, ok := in.Addr.(*ssa.FieldAddr); ok {
		if name := fieldOf(field); name != nil && !isGlobal(root) {
			return k.found(in, "they are kept in field "+name.Name()+" of "+typeName(field.X.Type()))
		}
	}
	return false
}

func isGlobal(v ssa.Value) bool {
	_, ok := v.(*ssa.Global)
	return ok
}

// typeName is the name of a struct that a pointer points to.
func typeName(pointer types.Type) string {
	name := strings.TrimPrefix(short(pointer), "*")
	if strings.HasPrefix(name, "struct{") {
		return "a struct"
	}
	return name
}

// returned follows a value to the function that calls the one that returns it.
func (k *keeping) returned(in *ssa.Return, v ssa.Value, callers []prof.Frame, hops int) bool {
	if len(callers) == 0 || strings.HasSuffix(callers[0].File, "_test.go") {
		return false
	}
	for _, c := range k.p.callsAbove(in.Parent(), callers[0]) {
		for i, part := range parts(c) {
			if i < len(in.Results) && in.Results[i] == v && k.kept(part, callers[1:], hops+1) {
				return true
			}
		}
	}
	return false
}

// boxedIn is the value that an interface is made of; or the value itself.
func boxedIn(v ssa.Value) ssa.Value {
	if made, ok := v.(*ssa.MakeInterface); ok {
		return made.X
	}
	return v
}

// given follows a value into a function that is given it.
func (k *keeping) given(in *ssa.Call, v ssa.Value, hops int) bool {
	if text := textKept[nameOfCall(in)]; text != "" && isString(boxedIn(v).Type()) {
		return k.found(in, text)
	}
	callee := in.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		return false
	}
	for i, arg := range in.Call.Args {
		if arg == v && i < len(callee.Params) && k.kept(callee.Params[i], nil, hops+1) {
			return true
		}
	}
	return false
}
