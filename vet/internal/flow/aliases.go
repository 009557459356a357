package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which values share memory with a root, how, and on how many paths? The derivation begins with one
// value and follows its uses forward. Each value that it reaches becomes a node with marks.
//
//	b := pool.Get().(*bytes.Buffer)
//	p := b.Bytes()        // derives, as an alias
//	h := &header{data: p} // derives, as something local that holds it
//	q := bytes.Clone(p)   // does not: a copy
//	n := len(p)           // does not: a number
//
// It takes the summaries of the callees and gives the nodes; effects.go asks what is done with
// them, and hands the origin over where it goes to what is not followed. So an instruction that is
// not known to pass memory on ends the derivation, and costs a finding. A value that derives on
// some paths only is a node too, but a weak one: an event of it needs a proof of its own, as
// SureAfter or edges.go in events give.

// A Mark says how a value derives from an origin. Marks only accumulate, so that a value is looked at
// once for each mark that it gets, and derivation ends.
type Mark uint8

const (
	MarkSame     Mark = 1 << iota // it is the origin
	MarkAlias                     // it points into its memory, or is a slice of it
	MarkContent                   // it is a slice that was loaded from one of its fields
	MarkHold                      // it is something local that holds it
	MarkDeep                      // what is loaded through it is the origin's memory too
	MarkText                      // it is a string that shares the memory
	MarkElements                  // slices and pointers in its elements lead to the same arena
)

// MarkMemory holds the marks of values that show, or change, what the origin owns.
const MarkMemory = MarkSame | MarkAlias | MarkContent | MarkHold | MarkText

// Aliases holds what derives from one root.
type Aliases struct {
	Func     *Function
	Root     ssa.Value
	Nodes    NodeList
	detached map[string]bool // fields that get other memory: what was loaded from them has no other owner
	texts    bool            // strings share the memory too
	captured *ssa.FreeVar    // the variable whose value is the root, if any
	included []ssa.Value     // are the same as the root: other loads of it
	repeated bool            // the root stands for what each iteration of a loop acquires
	queue    []ssa.Value
	fills    map[ssa.Value][]ssa.Instruction // what stores derived values in something local
}

// derive collects what derives from root, whose detached fields do not count.
func (f *Function) derive(root ssa.Value, m Mark, detached []string) *Aliases {
	d := f.newDerivation(root)
	for _, name := range detached {
		d.detach(name)
	}
	begin := func(d *Aliases) {
		d.begin(root, m)
		d.propagate()
	}
	begin(d)
	return d.settle(begin)
}

// begin marks the root.
func (d *Aliases) begin(root ssa.Value, m Mark) {
	d.Nodes.get(root).Mark = m
	d.queue = append(d.queue, root)
}

// detachedAny reports whether one of the fields gets other memory.
func (d *Aliases) detachedAny(fields []string) bool {
	return d.detached["*"] || slices.ContainsFunc(fields, func(name string) bool { return d.detached[name] })
}

// detach notes that a field gets other memory; "*" stands for all of them.
func (d *Aliases) detach(field string) {
	if d.detached == nil {
		d.detached = map[string]bool{}
	}
	d.detached[field] = true
}

// settle begins anew, without the slices of fields that are given other memory, if there
// are any. Which fields that are can only be told from the values that derive, so the first derivation
// takes too many, and the second is final.
//
// An example, in which p stays valid when w is released:
//
//	p := w.buf
//	w.buf = make([]byte, 512) // detaches buf: p has no other owner now
//	pool.Put(w)
//
// Two derivations suffice: the stores that detach go through values with MarkSame, which do not
// depend on what is detached. Only loads, results of calls and addresses of buffers can go away in
// the second one, so without any the first is final.
func (d *Aliases) settle(again func(*Aliases)) *Aliases {
	some := false
	for _, n := range d.Nodes.List {
		_, load := n.Value.(*ssa.UnOp)
		_, part := n.Value.(*ssa.FieldAddr)
		_, call := n.Value.(*ssa.Call)
		some = some || call && n.Mark&MarkHold != 0 || n.Mark&MarkContent != 0 || n.Mark&MarkAlias != 0 && (load || call || part && isBuffer(n.Value.Type()))
	}
	if !some {
		return d
	}
	var p Param
	d.Func.detaches(&p, d)
	if len(p.Detaches) == 0 {
		return d
	}
	e := d.Func.newDerivation(d.Root)
	e.texts, e.captured, e.detached = d.texts, d.captured, d.detached
	for _, name := range p.Detaches {
		e.detach(name)
	}
	again(e)
	return e
}

func (f *Function) newDerivation(root ssa.Value) *Aliases {
	return &Aliases{Func: f, Root: root}
}

// include makes another value an alias.
func (d *Aliases) include(v ssa.Value, m Mark) {
	d.included = append(d.included, v)
	d.add(v, m, d.Root)
	d.propagate()
}

// propagate derives until no value gets another mark, and then finds out which values derive on some
// paths only: that can be said once it is known of all operands whether they derive.
//
// It ends because a value is queued only when it gains one of seven marks, or something local an
// instruction that fills it.
func (d *Aliases) propagate() {
	for len(d.queue) > 0 {
		v := d.queue[len(d.queue)-1]
		d.queue = d.queue[:len(d.queue)-1]
		for i := range ssautil.Uses[ssa.Instruction](v) {
			d.propagateTo(v, i)
		}
	}
	d.weaken()
}

// add marks v, which derives from the value from, and reports whether that was not known.
func (d *Aliases) add(v ssa.Value, m Mark, from ssa.Value) bool {
	if m == 0 || v == nil {
		return false
	}
	n := d.Nodes.get(v)
	news := !slices.Contains(n.from, from)
	if news {
		n.from = append(n.from, from)
	}
	if n.Mark|m != n.Mark {
		n.Mark |= m
		d.queue = append(d.queue, v)
	}
	return news
}

// needs notes that v derives surely only if all of vs do.
//
// Without it a value has to have one operand that derives surely, which is right for a result that
// is made of all its operands, and wrong for a phi, which is one of them.
func (d *Aliases) needs(v ssa.Value, vs []ssa.Value) {
	if n := d.Nodes.Find(v); n != nil {
		n.all = vs
	}
}

// propagateTo derives through one instruction that uses v. One flat switch over the instructions.
func (d *Aliases) propagateTo(v ssa.Value, instr ssa.Instruction) {
	m := d.Mark(v)
	switch i := instr.(type) {
	case *ssa.Phi:
		// An edge that brings other memory makes the phi weak.
		d.add(i, m, v)
		d.needs(i, i.Edges)
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert:
		d.add(i.(ssa.Value), m, v)
	case *ssa.Convert:
		d.convert(i, m, v)
	case *ssa.MultiConvert:
		if ssautil.IsSlice(i.Type()) && ssautil.IsSlice(i.X.Type()) {
			d.add(i, m, v)
		}
	case *ssa.Extract:
		d.extract(i, v)
	case *ssa.FieldAddr:
		if d.detached[FieldName(i)] && isBuffer(i.Type()) && m&MarkHold == 0 && !onlyAccessed(i) {
			return // the bytes in it are taken out
		}
		d.add(i, aliasOf(m)|m&(MarkHold|MarkDeep), v)
	case *ssa.IndexAddr:
		// Of an index only the operand X: v may be the index. An element that is handed out for
		// good is in advance.go.
		if i.X == v && !(aliasOf(m) != 0 && d.handsOut(v, i.Index)) {
			d.add(i, aliasOf(m)|m&(MarkHold|MarkDeep|MarkElements), v)
		}
	case *ssa.Field:
		// A copy of a field. It leads to the origin only if the struct holds it, or its parts lead
		// there.
		if m&MarkHold != 0 || m&MarkDeep != 0 && pointers(i.Type()) {
			d.add(i, m&^MarkSame, v)
		}
	case *ssa.Slice:
		// A front that is cut off is handed out for good, as an element is.
		if i.X == v && !(aliasOf(m) != 0 && (d.cutsOff(i) || i.Low != nil && d.handsOut(v, i.Low))) {
			d.add(i, partMark(m), v)
		}
	case *ssa.SliceToArrayPointer:
		d.add(i, partMark(m), v)
	case *ssa.UnOp:
		// What is received from a channel that holds the origin is not followed.
		if i.Op == token.MUL {
			d.load(i, v, m)
		}
	case *ssa.Index:
		// Of an array or string by its value: a copy of an element.
		if m&(MarkHold|MarkDeep) != 0 && i.X == v && pointers(i.Type()) {
			d.add(i, m&^MarkSame, v)
		}
	case *ssa.Lookup:
		if m&MarkDeep != 0 && i.X == v && pointers(i.Type()) {
			d.add(i, m&^MarkSame, v)
		}
	case *ssa.Range, *ssa.Next:
		// A loop over a map is followed only for a message: what its maps hold is its own.
		if m&MarkDeep != 0 {
			d.add(i.(ssa.Value), MarkDeep, v)
		}
	case *ssa.Store:
		if i.Val == v {
			d.store(i, v, m)
		}
	case *ssa.MapUpdate:
		// A map that was not made here keeps the value, which is an effect and no derivation.
		if i.Value == v || i.Key == v {
			if _, local := ssautil.Root(i.Map).(*ssa.MakeMap); local {
				d.fill(ssautil.Root(i.Map), 0, v, i)
			}
		}
	case *ssa.MakeClosure:
		// Who has the closure can get at what it has captured.
		if m&(MarkSame|MarkAlias|MarkContent|MarkHold) != 0 && i.Fn != v {
			d.add(i, MarkHold, v)
		}
	case ssa.CallInstruction:
		if c, ok := i.(*ssa.Call); ok {
			d.call(c, v, m)
		}
	}
}

// onlyAccessed reports whether the field at an address is a slice that is loaded or stored there: who does
// so uses the struct, whoever has the bytes.
//
// An example, where the put is of the struct, so that the store uses what was put back, although
// the bytes that buf had were taken out before:
//
//	out := w.buf
//	w.buf = nil
//	pool.Put(w)
//	w.buf = out // uses w
func onlyAccessed(fa *ssa.FieldAddr) bool {
	for i := range ssautil.Uses[ssa.Instruction](fa) {
		switch i := i.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if i.Addr != ssa.Value(fa) {
				return false
			}
		default:
			return false
		}
	}
	return ssautil.IsSlice(ssautil.Deref(fa.Type()))
}

// partMark returns the mark of a slice of a value: a slice of its contents is one of those.
func partMark(m Mark) Mark {
	if m&MarkSame != 0 {
		return m&^MarkSame | MarkAlias
	}
	return m
}

// aliasOf returns the mark of an address in what has the mark m. Of something local that only holds
// the origin it is none: the address is not the origin's.
func aliasOf(m Mark) Mark {
	if m&(MarkSame|MarkAlias|MarkContent) != 0 {
		return MarkAlias
	}
	return 0
}

// convert derives through a conversion that does not copy.
func (d *Aliases) convert(i *ssa.Convert, m Mark, v ssa.Value) {
	from, to := i.X.Type().Underlying(), i.Type().Underlying()
	_, fromText := from.(*types.Basic)
	switch {
	case ssautil.IsSlice(from) && ssautil.IsString(to), ssautil.IsString(from) && ssautil.IsSlice(to):
		return // a copy
	case fromText && ssautil.IsString(from) && ssautil.IsString(to):
		d.add(i, m, v)
	case ssautil.IsSlice(from) && ssautil.IsSlice(to):
		d.add(i, m, v)
	case isPointer(from) && isPointer(to):
		d.add(i, m, v)
	}
}

// extract derives an element of a tuple. Results of calls other than the root are derived by result.
func (d *Aliases) extract(e *ssa.Extract, v ssa.Value) {
	switch t := e.Tuple.(type) {
	case *ssa.TypeAssert:
		if e.Index == 0 {
			d.add(e, d.Mark(v), v)
		}
	case *ssa.Next:
		if d.Mark(v)&MarkDeep != 0 && pointers(e.Type()) {
			d.add(e, MarkAlias|MarkDeep, v)
		}
	case *ssa.Lookup:
		if e.Index == 0 {
			d.add(e, d.Mark(v), v)
		}
	case *ssa.Call:
		if v == ssa.Value(t) && v == d.Root && e.Index == 0 {
			d.add(e, d.Mark(v), v)
		}
	}
}

// weaken finds the values that derive on some paths only. All are sure at first, so that a loop that
// carries the origin around keeps it sure: the greatest fixed point.
//
// Beginning with weak nodes instead would make each phi of a loop weak, as it is an operand of
// itself:
//
//	for range n {
//		b = append(b, 'x') // b is phi(root, append(b)): sure if append(b) is, which is sure if b is
//	}
//
// It ends because a node never becomes sure again. Each pass but the last makes one weak at least.
func (d *Aliases) weaken() {
	for changed := true; changed; {
		changed = false
		for i := range d.Nodes.List {
			if n := &d.Nodes.List[i]; n.Value != d.Root && !n.Weak && d.isWeak(n) {
				n.Weak = true
				changed = true
			}
		}
	}
}

// isWeak reports whether an operand that n needs does not surely derive. Constants and empty slices do
// not count: a nil in place of the value is what Optional is asked for.
func (d *Aliases) isWeak(n *Node) bool {
	if d.outgrows(n) {
		return true
	}
	if n.all != nil {
		// A choice: each alternative has to derive. The value itself is one in a loop, and decides
		// nothing.
		for _, v := range n.all {
			if v == n.Value || isEmpty(v) {
				continue
			}
			if s := d.Nodes.Find(v); s == nil || s.Weak {
				return true
			}
		}
		return false
	}
	// Made of all operands together: one that is sure suffices.
	for _, v := range n.from {
		if s := d.Nodes.Find(v); s == nil || !s.Weak {
			return false
		}
	}
	return true
}

// Inside reports whether v is the origin's memory, or was loaded from it.
//
// It follows four loads, as in w.a.b.c.d. Beyond them the answer is no, and a store there counts as
// one that keeps the value elsewhere.
func (d *Aliases) Inside(v ssa.Value) bool {
	for range 4 {
		v = ssautil.Root(v)
		if d.Mark(v)&(MarkSame|MarkAlias|MarkContent) != 0 {
			return true
		}
		u, ok := v.(*ssa.UnOp)
		if !ok {
			return false
		}
		v = u.X
	}
	return false
}

// Sure returns the marks of a value that derives on all paths.
func (d *Aliases) Sure(v ssa.Value) Mark {
	if n := d.Nodes.Find(v); n != nil && !n.Weak {
		return n.Mark
	}
	return 0
}

// A Node is an alias of the root.
type Node struct {
	Value ssa.Value
	Mark  Mark
	Weak  bool        // it derives on some paths only
	from  []ssa.Value // operands that derive
	all   []ssa.Value // if any: it derives surely only if all of these do
}

// A NodeList holds the nodes of a root, in the order in which they were found. Most have only a
// few, which are found faster without an index.
type NodeList struct {
	List  []Node
	index map[ssa.Value]int
}

const few = 12

// Find returns the node of v, or nil.
func (n *NodeList) Find(v ssa.Value) *Node {
	if n.index != nil {
		if i, ok := n.index[v]; ok {
			return &n.List[i]
		}
		return nil
	}
	for i := range n.List {
		if n.List[i].Value == v {
			return &n.List[i]
		}
	}
	return nil
}

// get returns the node of v, a new one if there is none. It is valid until the next get.
func (n *NodeList) get(v ssa.Value) *Node {
	if x := n.Find(v); x != nil {
		return x
	}
	n.List = append(n.List, Node{Value: v})
	if n.index != nil {
		n.index[v] = len(n.List) - 1
	} else if len(n.List) > few {
		n.index = make(map[ssa.Value]int, 4*few)
		for i := range n.List {
			n.index[n.List[i].Value] = i
		}
	}
	return &n.List[len(n.List)-1]
}

// Mark returns how v derives; 0 if it does not.
func (d *Aliases) Mark(v ssa.Value) Mark {
	if n := d.Nodes.Find(v); n != nil {
		return n.Mark
	}
	return 0
}
