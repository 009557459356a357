package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A mark says how a value derives from an origin.
type mark uint8

const (
	same    mark = 1 << iota // it is the origin
	alias                    // it points into its memory, or is a slice of it
	content                  // it is a slice that was loaded from one of its fields
	hold                     // it is something local that holds it
	deep                     // what is loaded through it is the origin's memory too
	text                     // it is a string that shares the memory
)

// memory are the marks of values that show, or change, what the origin owns.
const memory = same | alias | content | hold | text

// A derivation is what derives from one root.
type derivation struct {
	f        *function
	root     ssa.Value
	nodes    nodes
	detached map[string]bool // fields that get other memory: what was loaded from them is nobody else's
	texts    bool            // strings share the memory too
	captured *ssa.FreeVar    // the variable whose value is the root, if any
	repeated bool            // the root stands for what each iteration of a loop acquires
	queue    []ssa.Value
}

// derive collects what derives from root, whose detached fields do not count.
func (f *function) derive(root ssa.Value, m mark, detached []string) *derivation {
	d := f.newDerivation(root)
	for _, name := range detached {
		d.detach(name)
	}
	begin := func(d *derivation) {
		d.begin(root, m)
		d.run()
	}
	begin(d)
	return d.settle(begin)
}

// begin marks the root.
func (d *derivation) begin(root ssa.Value, m mark) {
	d.nodes.get(root).mark = m
	d.queue = append(d.queue, root)
}

func (d *derivation) detachedAny(fields []string) bool {
	return d.detached["*"] || slices.ContainsFunc(fields, func(name string) bool { return d.detached[name] })
}

func (d *derivation) detach(field string) {
	if d.detached == nil {
		d.detached = map[string]bool{}
	}
	d.detached[field] = true
}

// settle begins anew, without the slices of fields that are given other memory, if there
// are any.
func (d *derivation) settle(again func(*derivation)) *derivation {
	some := false
	for _, n := range d.nodes.list {
		_, load := n.value.(*ssa.UnOp)
		_, part := n.value.(*ssa.FieldAddr)
		_, call := n.value.(*ssa.Call)
		some = some || n.mark&content != 0 || n.mark&alias != 0 && (load || call || part && isBuffer(n.value.Type()))
	}
	if !some {
		return d
	}
	var p Param
	d.f.detaches(&p, d)
	if len(p.Detaches) == 0 {
		return d
	}
	e := d.f.newDerivation(d.root)
	e.texts, e.captured, e.detached = d.texts, d.captured, d.detached
	for _, name := range p.Detaches {
		e.detach(name)
	}
	again(e)
	return e
}

func (f *function) newDerivation(root ssa.Value) *derivation {
	return &derivation{f: f, root: root}
}

// also makes another value part of the derivation.
func (d *derivation) also(v ssa.Value, m mark) {
	d.add(v, m, d.root)
	d.run()
}

func (d *derivation) run() {
	for len(d.queue) > 0 {
		v := d.queue[len(d.queue)-1]
		d.queue = d.queue[:len(d.queue)-1]
		if refs := v.Referrers(); refs != nil {
			for _, r := range *refs {
				d.step(v, r)
			}
		}
	}
	d.weaken()
}

// add marks v, which derives from the value from, and says whether that was not known.
func (d *derivation) add(v ssa.Value, m mark, from ssa.Value) bool {
	if m == 0 || v == nil {
		return false
	}
	n := d.nodes.get(v)
	news := !slices.Contains(n.from, from)
	if news {
		n.from = append(n.from, from)
	}
	if n.mark|m != n.mark {
		n.mark |= m
		d.queue = append(d.queue, v)
	}
	return news
}

// needs says that v derives surely only if all of vs do.
func (d *derivation) needs(v ssa.Value, vs []ssa.Value) {
	if n := d.nodes.find(v); n != nil {
		n.all = vs
	}
}

var errorType = types.Universe.Lookup("error").Type()

// step derives through one instruction that uses v.
func (d *derivation) step(v ssa.Value, instr ssa.Instruction) {
	m := d.mark(v)
	switch i := instr.(type) {
	case *ssa.Phi:
		d.add(i, m, v)
		d.needs(i, i.Edges)
	case *ssa.ChangeType:
		d.add(i, m, v)
	case *ssa.ChangeInterface:
		d.add(i, m, v)
	case *ssa.MakeInterface:
		d.add(i, m, v)
	case *ssa.Convert:
		d.convert(i, m, v)
	case *ssa.MultiConvert:
		if ssautil.IsSlice(i.Type()) && ssautil.IsSlice(i.X.Type()) {
			d.add(i, m, v)
		}
	case *ssa.TypeAssert:
		d.add(i, m, v)
	case *ssa.Extract:
		d.extract(i, v)
	case *ssa.FieldAddr:
		if d.detached[fieldName(i)] && isBuffer(i.Type()) && m&hold == 0 {
			return // the bytes in it are taken out
		}
		d.add(i, aliasOf(m)|m&(hold|deep), v)
	case *ssa.IndexAddr:
		if i.X == v {
			d.add(i, aliasOf(m)|m&(hold|deep), v)
		}
	case *ssa.Field:
		if m&hold != 0 || m&deep != 0 && pointers(i.Type()) {
			d.add(i, m&^same, v)
		}
	case *ssa.Slice:
		if i.X == v {
			d.add(i, part(m), v)
		}
	case *ssa.SliceToArrayPointer:
		d.add(i, part(m), v)
	case *ssa.UnOp:
		if i.Op == token.MUL {
			d.load(i, v, m)
		}
	case *ssa.Index:
		if m&(hold|deep) != 0 && i.X == v && pointers(i.Type()) {
			d.add(i, m&^same, v)
		}
	case *ssa.Lookup:
		if m&deep != 0 && i.X == v && pointers(i.Type()) {
			d.add(i, m&^same, v)
		}
	case *ssa.Range:
		if m&deep != 0 {
			d.add(i, deep, v)
		}
	case *ssa.Next:
		if m&deep != 0 {
			d.add(i, deep, v)
		}
	case *ssa.Store:
		if i.Val == v {
			d.store(i, v, m)
		}
	case *ssa.MapUpdate:
		if i.Value == v || i.Key == v {
			if _, local := ssautil.Root(i.Map).(*ssa.MakeMap); local {
				d.add(ssautil.Root(i.Map), hold, v)
			}
		}
	case *ssa.MakeClosure:
		if m&(same|alias|content|hold) != 0 && i.Fn != v {
			d.add(i, hold, v)
		}
	case ssa.CallInstruction:
		if c, ok := i.(*ssa.Call); ok {
			d.call(c, v, m)
		}
	}
}

// part is the mark of a slice of a value: of its contents it is one of those.
func part(m mark) mark {
	if m&same != 0 {
		return m&^same | alias
	}
	return m
}

func aliasOf(m mark) mark {
	if m&(same|alias|content) != 0 {
		return alias
	}
	return 0
}

func (d *derivation) convert(i *ssa.Convert, m mark, v ssa.Value) {
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

// load derives through a load from address v.
func (d *derivation) load(i *ssa.UnOp, v ssa.Value, m mark) {
	t := i.Type()
	if m&hold != 0 {
		if fa, ok := v.(*ssa.FieldAddr); ok {
			d.loadField(i, fa)
			return
		}
		if ia, ok := v.(*ssa.IndexAddr); ok {
			d.loadElement(i, ia)
			return
		}
		if a, ok := v.(*ssa.Alloc); ok && pointers(t) {
			if !d.heldLater(a, i) {
				d.add(i, m&(hold|deep), v)
			}
			return
		}
	}
	switch {
	case m&deep != 0 && ssautil.IsString(t):
		if d.texts {
			d.add(i, text, v)
		}
	case m&deep != 0 && pointers(t):
		if d.texts || !collected(t) {
			d.add(i, alias|deep, v)
		}
	case m&same != 0 && ssautil.IsSlice(t): // *[]byte: the memory is what is pooled
		if !d.detached["*"] {
			d.add(i, alias, v)
		}
	case m&alias != 0 && ssautil.IsSlice(t):
		if fa, ok := v.(*ssa.FieldAddr); ok && d.mark(fa.X)&(same|alias) != 0 && !d.detached[fieldName(fa)] && !d.detached["*"] && !d.f.a.onlyGrows(ssautil.Field(fa)) {
			d.add(i, content, v)
		}
	case m&alias != 0 && ssautil.IsString(t) && d.texts:
		d.add(i, text, v)
	}
}

// loadField derives a load from a field of something local by what was stored there.
func (d *derivation) loadField(load *ssa.UnOp, fa *ssa.FieldAddr) {
	d.merge(load, fieldStores(fa.X, fa.Field, 0))
}

// fieldStores are the values stored to a field of what base points to, by itself or with
// all of the struct.
func fieldStores(base ssa.Value, field, depth int) []ssa.Value {
	var stores []ssa.Value
	if base.Referrers() == nil || depth > 3 {
		return nil
	}
	for _, r := range *base.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field != field {
				continue
			}
			for _, use := range *r.Referrers() {
				if s, ok := use.(*ssa.Store); ok && s.Addr == r {
					stores = append(stores, s.Val)
				}
			}
		case *ssa.Store:
			if whole, ok := r.Val.(*ssa.UnOp); ok && r.Addr == base {
				stores = append(stores, fieldStores(whole.X, field, depth+1)...)
			}
		}
	}
	return stores
}

// loadElement does so for an element of an array.
func (d *derivation) loadElement(load *ssa.UnOp, ia *ssa.IndexAddr) {
	var stores []ssa.Value
	for _, r := range *ia.X.Referrers() {
		if other, ok := r.(*ssa.IndexAddr); ok {
			for _, use := range *other.Referrers() {
				if s, ok := use.(*ssa.Store); ok && s.Addr == other {
					stores = append(stores, s.Val)
				}
			}
		}
	}
	d.merge(load, stores)
	if len(stores) > 1 {
		if n := d.nodes.find(load); n != nil {
			n.weak = true
		}
	}
}

// merge derives v from what of vs derives.
func (d *derivation) merge(v ssa.Value, vs []ssa.Value) {
	for _, s := range vs {
		if m := d.mark(s); m != 0 {
			d.add(v, m, s)
			d.needs(v, vs)
		}
	}
}

// store derives through a store of v: into a local variable to its loads, into part of
// something local to the whole.
func (d *derivation) store(s *ssa.Store, v ssa.Value, m mark) {
	switch addr := s.Addr.(type) {
	case *ssa.Alloc:
		for _, load := range d.f.cells().loads(s) {
			d.add(load.value, m, v)
			d.needs(load.value, load.sources)
			if vs := d.overwritten(addr, load.value); vs != nil {
				d.needs(load.value, append(vs, v))
			}
		}
		for _, c := range d.f.cells().of(addr).closures {
			d.add(c, hold, v)
		}
		d.reinterpret(addr, v, m)
		if _, whole := v.Type().Underlying().(*types.Struct); whole && m&hold != 0 {
			d.add(addr, hold|m&deep, v)
		}
		return
	case *ssa.FreeVar:
		return
	}
	base := ssautil.Root(s.Addr)
	if d.inside(base) {
		return // into itself
	}
	if local(base) && m&(same|alias|content|hold|text) != 0 {
		if d.add(base, hold|m&deep, v) {
			d.queue = append(d.queue, base) // what is loaded from it may derive now
		}
		if vs := besides(s); vs != nil {
			d.needs(base, append(vs, v))
		}
	}
}

// heldLater says whether what a variable holds is stored in its fields on other ways only
// than those that lead to i.
func (d *derivation) heldLater(cell *ssa.Alloc, i ssa.Instruction) bool {
	later := false
	for _, r := range *cell.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *fa.Referrers() {
			s, ok := use.(*ssa.Store)
			if !ok || s.Addr != ssa.Value(fa) || d.mark(s.Val) == 0 {
				continue
			}
			if ssautil.Follows(s, i) {
				return false
			}
			later = true
		}
	}
	return later
}

// overwritten are the values that fields of a struct in a variable get, if all of it is
// loaded.
func (d *derivation) overwritten(cell *ssa.Alloc, load ssa.Value) []ssa.Value {
	if _, ok := load.Type().Underlying().(*types.Struct); !ok {
		return nil
	}
	var all []ssa.Value
	for _, r := range *cell.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *fa.Referrers() {
			if s, ok := use.(*ssa.Store); ok && s.Addr == ssa.Value(fa) && pointers(s.Val.Type()) {
				all = append(all, s.Val)
			}
		}
	}
	return all
}

// besides are what else is stored in the place of a store: into the same field, later, or
// into elements in another branch.
func besides(s *ssa.Store) []ssa.Value {
	var all []ssa.Value
	add := func(addr ssa.Value, element bool) {
		for _, r := range *addr.Referrers() {
			t, ok := r.(*ssa.Store)
			if ok && t != s && t.Addr == addr && (element && !ssautil.Before(t, s) && !ssautil.Before(s, t) || !element && ssautil.Follows(s, t)) {
				all = append(all, t.Val)
			}
		}
	}
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		for _, r := range *addr.X.Referrers() {
			if fa, ok := r.(*ssa.FieldAddr); ok && fa.Field == addr.Field {
				add(fa, false)
			}
		}
	case *ssa.IndexAddr:
		if addr.X.Referrers() == nil {
			return nil
		}
		for _, r := range *addr.X.Referrers() {
			if ia, ok := r.(*ssa.IndexAddr); ok {
				add(ia, true)
			}
		}
	}
	return all
}

// reinterpret derives what is loaded from a variable by a pointer of another type, as
// *(*string)(unsafe.Pointer(&b)) does.
func (d *derivation) reinterpret(cell *ssa.Alloc, v ssa.Value, m mark) {
	if aliasOf(m) == 0 || d.f.cells().of(cell).stores != 1 {
		return
	}
	for _, first := range *cell.Referrers() {
		unsafePointer, ok := first.(*ssa.Convert)
		if !ok {
			continue
		}
		for _, second := range *unsafePointer.Referrers() {
			pointer, ok := second.(*ssa.Convert)
			if !ok {
				continue
			}
			for _, use := range *pointer.Referrers() {
				if load, ok := use.(*ssa.UnOp); ok && (ssautil.IsString(load.Type()) || ssautil.IsSlice(load.Type())) {
					d.add(load, alias|textIf(load.Type(), m), v)
				}
			}
		}
	}
}

// call derives the results of a call.
func (d *derivation) call(c *ssa.Call, v ssa.Value, m mark) {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			if c.Call.Args[0] == v {
				d.add(c, part(m), v)
			} else if m&deep != 0 && d.shares(elem(v.Type())) {
				d.add(c, alias|deep, v) // the elements lead there
			} else if m&hold != 0 || pointers(elem(c.Type())) && m&(alias|same) != 0 && isVarargs(v) {
				d.add(c, hold, v)
			}
		case "copy":
			if to := ssautil.Root(c.Call.Args[0]); c.Call.Args[1] == v && m&deep != 0 && local(to) && d.shares(elem(v.Type())) {
				d.add(to, hold|deep, v)
			}
		case "String", "StringData", "Slice", "SliceData": // of unsafe
			d.add(c, part(m)|textIf(c.Type(), m), v)
		}
		return
	}
	k := d.f.callee(&c.Call)
	if k.sum == nil {
		if m&deep != 0 && len(k.args) > 0 && k.args[0] == v && c.Call.Signature().Results().Len() == 1 && getter(c) {
			d.result(c, 0, alias|deep, v)
		}
		return
	}
	if k.fn != nil && catalog.Is(k.fn, "slices.Clone") && m&deep != 0 && d.shares(elem(v.Type())) {
		d.add(c, alias|deep, v)
	}
	for i, arg := range k.args {
		if arg != v {
			continue
		}
		p := k.sum.param(i)
		for r := range c.Call.Signature().Results().Len() {
			bit := uint64(1) << r
			var out mark
			if p.Same&bit != 0 {
				out |= m
			}
			if p.Alias&bit != 0 && !(m&same != 0 && d.detached["*"] && isBuffer(v.Type())) {
				out |= m&^same | aliasOf(m) | m&text
			}
			if p.Content&bit != 0 && m&(same|alias|deep) != 0 && !d.detachedAny(p.From) {
				out |= content | m&deep
			}
			if p.Hold&bit != 0 {
				out |= hold
			}
			if m&deep != 0 && out == 0 && i == 0 && getter(c) {
				out = alias | deep
			}
			d.result(c, r, out, v)
		}
		// Stored into another argument: that holds it now, if it is local.
		for j, other := range k.args {
			if p.KeptIn&(1<<j) != 0 && j != i && local(ssautil.Root(other)) && d.mark(other)&(same|alias) == 0 {
				d.add(ssautil.Root(other), hold, v)
			}
		}
	}
}

// result marks result r of a call.
func (d *derivation) result(c *ssa.Call, r int, m mark, v ssa.Value) {
	if m == 0 {
		return
	}
	if c.Call.Signature().Results().Len() == 1 {
		d.typed(c, m, v)
		return
	}
	for _, ref := range *c.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == r {
			d.typed(e, m, v)
		}
	}
}

// typed marks a result as far as its type can share memory.
func (d *derivation) typed(c ssa.Value, m mark, v ssa.Value) {
	switch t := c.Type(); {
	case types.Identical(t, errorType): // errors are made to be kept
	case ssautil.IsString(t):
		if m&deep != 0 && d.texts || m&text != 0 || m&alias != 0 && m&deep == 0 {
			d.add(c, text, v)
		}
	case m&deep != 0 && !d.texts && collected(t):
	case pointers(t):
		d.add(c, m, v)
	}
}

// shares says whether copies of values of type t lead to the same memory.
func (d *derivation) shares(t types.Type) bool {
	if ssautil.IsString(t) {
		return d.texts
	}
	return pointers(t) && (d.texts || !collected(t))
}

// collected says whether a part of a message is left to the collector if strings are: bytes
// are like strings, and maps are never in an arena.
func collected(t types.Type) bool {
	_, isMap := t.Underlying().(*types.Map)
	return isMap || Bytes(t.Underlying())
}

// getter says whether a call is one of a method that only reads its receiver, as generated
// ones do.
func getter(c *ssa.Call) bool {
	f := c.Call.StaticCallee()
	name := ""
	switch {
	case c.Call.IsInvoke():
		name = c.Call.Method.Name()
	case f != nil && f.Signature.Recv() != nil:
		name = f.Name()
	}
	return len(name) > 3 && name[:3] == "Get"
}

func (d *derivation) extract(e *ssa.Extract, v ssa.Value) {
	switch t := e.Tuple.(type) {
	case *ssa.TypeAssert:
		if e.Index == 0 {
			d.add(e, d.mark(v), v)
		}
	case *ssa.Next:
		if d.mark(v)&deep != 0 && pointers(e.Type()) {
			d.add(e, alias|deep, v)
		}
	case *ssa.Lookup:
		if e.Index == 0 {
			d.add(e, d.mark(v), v)
		}
	case *ssa.Call:
		if v == ssa.Value(t) && v == d.root && e.Index == 0 {
			d.add(e, d.mark(v), v)
		}
	}
}

// weaken finds the values that derive on some paths only.
func (d *derivation) weaken() {
	for changed := true; changed; {
		changed = false
		for i := range d.nodes.list {
			if n := &d.nodes.list[i]; n.value != d.root && !n.weak && d.perhaps(n) {
				n.weak = true
				changed = true
			}
		}
	}
}

func (d *derivation) perhaps(n *node) bool {
	if n.all != nil {
		for _, v := range n.all {
			if v == n.value || isConst(v) {
				continue
			}
			if s := d.nodes.find(v); s == nil || s.weak {
				return true
			}
		}
		return false
	}
	for _, v := range n.from {
		if s := d.nodes.find(v); s == nil || !s.weak {
			return false
		}
	}
	return true
}

// inside says whether v is the origin's memory, or was loaded from it.
func (d *derivation) inside(v ssa.Value) bool {
	for range 4 {
		v = ssautil.Root(v)
		if d.mark(v)&(same|alias|content) != 0 {
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

// optional says whether v can be a constant, such as nil, instead of what derives from the
// root.
func (d *derivation) optional(v ssa.Value, depth int) bool {
	if v == d.root || depth > 8 {
		return false
	}
	n := d.nodes.find(v)
	if n == nil {
		return false
	}
	if slices.ContainsFunc(n.all, isConst) {
		return true
	}
	for _, s := range n.from {
		if s != v && d.optional(s, depth+1) {
			return true
		}
	}
	return false
}

// sureAfter says whether v derives from the origin on all paths that come by i.
func (d *derivation) sureAfter(i ssa.Instruction, v ssa.Value, depth int) bool {
	if depth > 8 || d.mark(v) == 0 {
		return false
	}
	phi, ok := v.(*ssa.Phi)
	if !ok && d.sure(v) != 0 && !d.optional(v, 0) {
		return true
	}
	if !ok {
		n := d.nodes.find(v)
		after := func(s ssa.Value) bool { return d.sureAfter(i, s, depth+1) }
		if len(n.all) > 0 {
			return !slices.ContainsFunc(n.all, func(s ssa.Value) bool { return !after(s) })
		}
		return slices.ContainsFunc(n.from, after)
	}
	if !ssautil.Follows(i, phi) {
		return d.sure(v) != 0
	}
	any := false
	for n, e := range phi.Edges {
		pred := phi.Block().Preds[n]
		if pred != i.Block() && !d.leadsOn(i, pred) {
			continue
		}
		if e == v {
			continue // what it had before
		}
		if !d.sureAfter(i, e, depth+1) {
			return false
		}
		any = true
	}
	return any
}

// leadsOn says whether b can be reached from i before the origin is made anew.
func (d *derivation) leadsOn(i ssa.Instruction, b *ssa.BasicBlock) bool {
	start, _ := d.root.(ssa.Instruction)
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(i.Block().Succs)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || start != nil && x == start.Block() {
			continue
		}
		if x == b {
			return true
		}
		seen[x] = true
		work = append(work, x.Succs...)
	}
	return false
}

// sure returns the marks of a value that derives on all paths.
func (d *derivation) sure(v ssa.Value) mark {
	if n := d.nodes.find(v); n != nil && !n.weak {
		return n.mark
	}
	return 0
}

// local says whether what v points to was made in this function, so that it is known who
// gets it: allocated, or returned by a call.
func local(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Call:
		return !x.Call.IsInvoke() // an interface hands out what others have
	case *ssa.UnOp:
		return emptied(x)
	case *ssa.Extract:
		c, ok := x.Tuple.(*ssa.Call)
		return ok && !c.Call.IsInvoke()
	case *ssa.Phi:
		for _, e := range x.Edges {
			if _, again := e.(*ssa.Phi); again || !local(ssautil.Root(e)) {
				return false
			}
		}
		return true
	}
	return false
}

// emptied says whether a load is from a field that is set to nil afterwards: nobody else has
// what was in it.
func emptied(load *ssa.UnOp) bool {
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || fa.X.Referrers() == nil {
		return false
	}
	for _, r := range *fa.X.Referrers() {
		other, ok := r.(*ssa.FieldAddr)
		if !ok || other.Field != fa.Field {
			continue
		}
		for _, use := range *other.Referrers() {
			if s, ok := use.(*ssa.Store); ok && s.Addr == ssa.Value(other) && isNil(s.Val) && ssautil.Before(load, s) {
				return true
			}
		}
	}
	return false
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok && v != unknown
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil && v != unknown
}

func isFlag(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool
}

func isVarargs(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	_, ok = s.X.(*ssa.Alloc)
	return ok
}

func isPointer(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	}
	return false
}

func textIf(t types.Type, m mark) mark {
	if ssautil.IsString(t) {
		return text
	}
	return m & deep
}

// elem is the type of the elements of a slice.
func elem(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// pointers says whether a value of type t can share memory with another.
func pointers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.String
	case *types.Array:
		return pointers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if pointers(f.Type()) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			if pointers(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
