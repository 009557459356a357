package lever

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var receiverBuffer = &Lever{
	Name:    "receiver-buffer",
	Title:   "keep the scratch space in the receiver",
	Subject: "keep the buffer in the receiver",
	Looks:   "an array, slice, map, buffer or other object that a method makes for each call and that does not leave it, when the method changes its receiver without a lock, or reads a stream in order by it, and is called again with the same one. It is not called again before it is done.",
	Wrong:   "when goroutines take turns with the receiver in a way that the method does not see, or when there are many receivers at a time: each keeps its own. Scratch space of pointers keeps alive what they point to until the next call: clear it.",
	Before: `func (d *Decoder) uint32() (uint32, error) {
	var b [4]byte // moved to the heap: d.r is an interface
	_, err := io.ReadFull(d.r, b[:])
	return binary.BigEndian.Uint32(b[:]), err
}`,
	After: `func (d *Decoder) uint32() (uint32, error) {
	b := d.scratch[:4] // a [8]byte of the Decoder
	_, err := io.ReadFull(d.r, b)
	return binary.BigEndian.Uint32(b), err
}`,
	Model: "It is allocated once for each receiver. What is made larger than the last time, or has to be zeroed, still is.",
	Risk:  Concurrency,
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.9, 1}},
	Rewrite: "A variable of a method with a receiver that is a pointer, declared by a statement of its own: an array, or a slice of a constant length, of elements without pointers, 64 KiB at most; outside of loops also a slice that begins empty and to which append adds, and a map. It gets a field of its own, which nothing else uses. " +
		"No reference to the memory outlives the call, or the iteration of a loop: none is returned, stored, sent, captured by a function literal or a method value, given to a goroutine, to a function value or to code that is not known, or deferred; methods of io.Reader, io.Writer and the like neither keep nor look at what they are given, by contract, and those of the program are looked at. " +
		"No call leads back to the method while it has the memory, also by interfaces, function values and what libraries call; there is no goto or recover. " +
		"No two goroutines have the receiver in the method at a time: each object of its type stays with the function that makes it, or has it made by constructors that are not exported; or each way through the method, or the methods that call it with their receiver, stores to the same field of the receiver, and nothing there uses locks, channels, atomic variables, goroutines or code that is not known, as readers and writers, so that two would be racing already. " +
		"The type of the receiver is not exported, has a field that is not exported, and may have one more: nothing exported leads to it, values are not copied, compared, converted, embedded, put in slices, maps, channels or variables of the package, made interfaces or given to generic code, all literals have the names of fields, no file of another system or generated file has it, and neither unsafe nor reflect.DeepEqual is used. The method would have panicked without a receiver before anything else happens. " +
		"The memory is as new: an array is zeroed unless each element that is read was set before, by constant indices, functions of encoding/binary, io.ReadFull without an error, or the number of bytes that a Read returns; of a slice that grows nothing sees the capacity or tells nil from empty, and no two slices share it; a map is empty. Slices and maps that refer to something are taken out of the field, and put back empty at the end of the call. Slices of more than 64 KiB, and maps of more entries than the largest that was measured had room for (32 to 1024), are not kept.",
	find: findReceiverBuffer,
}

func findReceiverBuffer(p *Line) (f Finding) {
	fn := p.fns[p.fn.node]
	if fn == nil || !p.hasState(fn) {
		return f
	}
	for _, o := range p.scratch(fn) {
		t := p.follow(o.value)
		if !t.stays() || p.leavesBy(o.value.Pos(), true) || p.twoAtOnce(o.value) || p.slicedOnStack().Edits != nil {
			continue
		}
		changed, ok := p.oneGoroutine(fn, 0)
		if !ok || p.reenters(fn) {
			return f
		}
		again, ok := p.calledAgain(fn, 0)
		if !ok {
			return f
		}
		made := p.at(o.value.Pos(), o.text)
		if len(t.lent) > 0 && t.lent[0].IsValid() {
			made = p.at(t.lent[0], o.text+"; a method of an interface is given it here, whose contract forbids to keep it")
		}
		f = Finding{Share: o.share, Evidence: []Evidence{made, changed, again}}
		f.Edits, f.What = p.receiverEdits(o)
		return f
	}
	return f
}

// scratch holds the objects that the line makes or makes larger, if they begin in its function.
func (p *Line) scratch(fn *ssa.Function) (all []object) {
	for _, o := range p.memory() {
		if o.grows && o.value.Parent() == fn {
			all = append(all, o)
		}
	}
	in, share := p.only()
	if share == 0 {
		return all
	}
	v, text := madeBy(in)
	if v == nil || v.Parent() != fn {
		return all
	}
	return append(all, object{value: v, text: text + " is made for each call, and does not leave " + nameOf(fn), share: share})
}

// madeBy is the object that an instruction makes or makes larger, and what it is.
func madeBy(in ssa.Instruction) (ssa.Value, string) {
	switch in := in.(type) {
	case *ssa.MakeSlice:
		return in, "a " + short(in.Type())
	case *ssa.MakeMap:
		return in, "a " + short(in.Type())
	case *ssa.Alloc:
		if in.Comment == "varargs" { // what takes them does not keep them: the stack, mostly
			return nil, ""
		}
		elem := in.Type().Underlying().(*types.Pointer).Elem()
		switch elem.Underlying().(type) {
		case *types.Array, *types.Struct:
			return in, "a " + short(elem)
		}
	case *ssa.MapUpdate:
		if m, ok := in.Map.(*ssa.MakeMap); ok {
			return m, "a " + short(m.Type())
		}
	case *ssa.Call: // append
		if emptyBefore(in, map[ssa.Value]bool{}) {
			return in, "a " + short(in.Type())
		}
	}
	return nil, ""
}

// emptyBefore reports whether a slice was made in the function, with nothing but append, from none.
func emptyBefore(v ssa.Value, seen map[ssa.Value]bool) bool {
	return beginsAs(v, seen, func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Const:
			return v.IsNil()
		case *ssa.MakeSlice:
			return true
		case *ssa.Alloc:
			return v.Comment == "makeslice" || v.Comment == "slicelit"
		}
		return false
	})
}

// beginsAs reports whether all values that a slice may begin with, before it was appended to or cut, are of a kind.
func beginsAs(v ssa.Value, seen map[ssa.Value]bool, kind func(ssa.Value) bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if kind(v) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Slice:
		return beginsAs(v.X, seen, kind)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !beginsAs(e, seen, kind) })
	case *ssa.Call:
		return callsBuiltin(v, "append") && beginsAs(v.Call.Args[0], seen, kind)
	}
	return false
}

// twoAtOnce reports whether a variable may hold what one iteration of a loop made while the next
// makes another: one field is not enough for both.
func (p *Line) twoAtOnce(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || !repeats(in.Block()) {
		return false
	}
	if call, ok := v.(*ssa.Call); ok && callsBuiltin(call, "append") {
		return p.renamed()
	}
	parts := []ssa.Value{v}
	for i := 0; i < len(parts); i++ {
		for _, r := range *parts[i].Referrers() {
			switch r := r.(type) {
			case *ssa.Phi:
				return true
			case *ssa.Store:
				if r.Val == parts[i] {
					return true
				}
			case *ssa.Slice:
				parts = append(parts, r)
			}
		}
	}
	return false
}

// renamed reports whether the slice that the line appends to gets a second name.
func (p *Line) renamed() bool {
	v := p.sliceHere()
	return v == nil || slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		a, ok := m.parent().(*ast.AssignStmt)
		return ok && slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return ast.Unparen(e) == m.id })
	})
}

// hasState reports whether a function is a method of a struct that one goroutine at a time may
// have: it has no lock, is never copied, and is not a node of many.
func (p *Program) hasState(fn *ssa.Function) bool {
	named, s := receiverOf(fn)
	return s != nil && !hasLock(s, 0) && !linked(named, s) && !p.copied(named)
}

func receiverOf(fn *ssa.Function) (*types.Named, *types.Struct) {
	if fn.Signature.Recv() == nil || fn.Signature.RecvTypeParams().Len() > 0 {
		return nil, nil
	}
	pointer, ok := types.Unalias(fn.Signature.Recv().Type()).(*types.Pointer)
	if !ok {
		return nil, nil
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	if !ok {
		return nil, nil
	}
	s, _ := named.Underlying().(*types.Struct)
	return named, s
}

// hasLock reports whether a struct has something in it that is for several goroutines.
func hasLock(s *types.Struct, depth int) bool {
	for field := range s.Fields() {
		t := types.Unalias(field.Type())
		if pointer, ok := t.(*types.Pointer); ok {
			t = types.Unalias(pointer.Elem())
		}
		if array, ok := t.(*types.Array); ok {
			t = types.Unalias(array.Elem())
		}
		named, ok := t.(*types.Named)
		if ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path()+"/", "sync/") {
			return true
		}
		for {
			array, ok := t.Underlying().(*types.Array)
			if !ok {
				break
			}
			t = types.Unalias(array.Elem())
		}
		if inner, ok := t.Underlying().(*types.Struct); ok && depth < 4 && hasLock(inner, depth+1) {
			return true
		}
		if _, ok := t.(*types.Chan); ok {
			return true
		}
	}
	return false
}

// linked reports whether a struct refers to others of its type, as the nodes of a tree do: there
// may be many.
func linked(named *types.Named, s *types.Struct) bool {
	for field := range s.Fields() {
		t := types.Unalias(field.Type())
		for range 4 {
			switch u := t.(type) {
			case *types.Pointer:
				t = types.Unalias(u.Elem())
			case *types.Slice:
				t = types.Unalias(u.Elem())
			case *types.Array:
				t = types.Unalias(u.Elem())
			case *types.Map:
				t = types.Unalias(u.Elem())
			}
		}
		if t == types.Type(named) {
			return true
		}
	}
	return false
}

// copied reports whether the program copies structs of a type: both would have the scratch space.
func (p *Program) copied(named *types.Named) bool {
	if p.copies == nil {
		p.copies = map[types.Type]bool{}
		for _, fn := range p.fns {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					load, ok := in.(*ssa.UnOp)
					if ok && load.Op == token.MUL && !isNew(load.X) {
						p.copies[load.Type()] = true
					}
				}
			}
		}
	}
	for t := range p.copies {
		if types.Identical(t, named) {
			return true
		}
	}
	return false
}

// isNew reports whether a struct is a literal that is on its way to where it stays.
func isNew(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	return ok && a.Comment == "complit" && !a.Heap
}

// deepest bounds how far calls are followed.
const deepest = 3

// oneGoroutine returns the line on which a method changes its receiver, or reads a stream by it, or on which all
// that call it with the same receiver do: two goroutines could not do so at a time.
func (p *Program) oneGoroutine(fn *ssa.Function, depth int) (Evidence, bool) {
	if p.beside(fn) || locks(fn) {
		return Evidence{}, false
	}
	if e, ok := p.changesReceiver(fn, 0); ok {
		return e, true
	}
	object, ok := fn.Object().(*types.Func)
	if !ok || object.Exported() || depth >= deepest || p.values[fn] {
		return Evidence{}, false
	}
	var first Evidence
	for _, c := range p.callsOf(fn) {
		caller := c.Parent()
		if strings.HasSuffix(p.at(c.Pos(), "").File, "_test.go") {
			continue
		}
		if caller == fn || !givesReceiver(c) {
			return Evidence{}, false
		}
		e, ok := p.oneGoroutine(caller, depth+1)
		if !ok {
			return Evidence{}, false
		}
		if first.File == "" {
			first = e
		}
	}
	return first, first.File != ""
}

// beside reports whether a function, or one around a call of it, is started by a go statement.
func (p *Program) beside(fn *ssa.Function) bool {
	return slices.ContainsFunc(p.callsOf(fn), func(c ssa.CallInstruction) bool {
		if _, ok := c.(*ssa.Go); ok {
			return true
		}
		for around := c.Parent(); around != nil && around.Parent() != nil; around = around.Parent() {
			if startedByGo(around) {
				return true
			}
		}
		return false
	})
}

// startedByGo reports whether a function literal is the function of a go statement.
func startedByGo(literal *ssa.Function) bool {
	for _, b := range literal.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Go); ok && c.Call.StaticCallee() == literal {
				return true
			}
		}
	}
	return false
}

// locks reports whether a function takes a lock: another goroutine may hold it.
func locks(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := c.Common()
			name := ""
			if common.IsInvoke() {
				name = common.Method.Name()
			} else if callee := common.StaticCallee(); callee != nil {
				name = callee.Name()
			}
			if strings.HasSuffix(name, "Lock") && len(name) < len("TryRLock")+1 {
				return true
			}
		}
	}
	return false
}

// givesReceiver reports whether a method calls another with its own receiver.
func givesReceiver(c ssa.CallInstruction) bool {
	args, fn := c.Common().Args, c.Parent()
	return len(args) > 0 && len(fn.Params) > 0 && fn.Signature.Recv() != nil && args[0] == fn.Params[0]
}

// changesReceiver returns the line on which a method, or one that it calls with the same receiver, changes it.
func (p *Program) changesReceiver(fn *ssa.Function, depth int) (Evidence, bool) {
	var calls []*ssa.Function
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if text := changing(fn, in); text != "" && !afterNil(b) {
				return p.at(in.Pos(), text), true
			}
			if c, ok := in.(*ssa.Call); ok && givesReceiver(c) && c.Call.StaticCallee() != nil {
				calls = append(calls, c.Call.StaticCallee())
			}
		}
	}
	for _, callee := range calls {
		if depth < deepest && callee != fn {
			if e, ok := p.changesReceiver(callee, depth+1); ok {
				return e, true
			}
		}
	}
	return Evidence{}, false
}

// changing returns how an instruction changes the receiver of its method, or what it is the only one
// to have: "" if it does not. An error that is noted if there is one is no change: there may be
// none.
func changing(fn *ssa.Function, in ssa.Instruction) string {
	if len(fn.Params) == 0 || fn.Signature.Recv() == nil {
		return ""
	}
	recv := fn.Params[0]
	switch in := in.(type) {
	case *ssa.Store:
		c, flag := in.Val.(*ssa.Const)
		flag = flag && c.Value != nil && c.Value.Kind() == constant.Bool // it may be set but once
		if base(in.Addr) == recv && !flag && (!isError(in.Val.Type()) || fromCall(in)) && in.Pos().IsValid() {
			return "the receiver is changed without a lock: only one goroutine has it"
		}
	case *ssa.MapUpdate:
		if partOf(in.Map, recv) {
			return "a map of the receiver is changed without a lock: only one goroutine has it"
		}
	case *ssa.Call:
		if in.Call.IsInvoke() && partOf(in.Call.Value, recv) {
			return inOrder(fn.Name(), in.Call.Method.FullName())
		}
		callee := in.Call.StaticCallee()
		if callee == nil || callee.Object() == nil || len(in.Call.Args) == 0 || !partOf(in.Call.Args[0], recv) {
			return ""
		}
		if name := callee.Object().(*types.Func).FullName(); movesOn(name) && !random(in.Call.Args[0]) {
			return fmt.Sprintf("%s by the receiver, without a lock: only one goroutine has it", name)
		}
	}
	return ""
}

// fromCall reports whether a value is stored right after a call that returns it, whatever it is.
func fromCall(in *ssa.Store) bool {
	v := in.Val
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	return ok && call.Block() == in.Block()
}

// inOrder returns why a call of an interface that the receiver has is of one goroutine: "" if it need
// not be. Bytes that are read or written one by one have an order.
func inOrder(method, callee string) string {
	if callee == "(io.Reader).Read" && strings.HasPrefix(method, "Read") || callee == "(io.Writer).Write" && oneByOne[method] {
		return callee + " by the receiver, in the order of a stream: only one goroutine has it"
	}
	return ""
}

// oneByOne holds methods that are called for each byte or character of a stream, by their contract.
var oneByOne = map[string]bool{"ReadByte": true, "WriteByte": true, "ReadRune": true, "WriteRune": true}

// partOf reports whether a value is the address of a field of an object, or what such a field has.
func partOf(v, object ssa.Value) bool {
	if i, ok := v.(*ssa.ChangeInterface); ok {
		v = i.X
	}
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	_, field := v.(*ssa.FieldAddr)
	return field && base(v) == object
}

// movesOn reports whether a function of the standard library changes its first argument, or reads
// from it what nobody else then gets.
func movesOn(name string) bool {
	switch name {
	case "io.ReadFull", "io.ReadAtLeast":
		return true
	}
	for _, t := range []string{"(*bytes.Buffer).", "(*bytes.Reader).", "(*strings.Reader).", "(*strings.Builder).", "(*bufio.Reader).", "(*bufio.Writer).", "(*bufio.Scanner)."} {
		if method, ok := strings.CutPrefix(name, t); ok {
			return slices.ContainsFunc([]string{"Write", "Read", "Next", "Scan", "Discard", "Reset", "Flush", "Unread", "Truncate"}, func(s string) bool { return strings.HasPrefix(method, s) })
		}
	}
	return false
}

// random reports whether a stream may be one of random numbers, which is for many goroutines: by the
// name of the field that has it.
func random(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	address, ok := load.X.(*ssa.FieldAddr)
	if !ok || fieldOf(address) == nil {
		return true
	}
	name := strings.ToLower(fieldOf(address).Name())
	return slices.ContainsFunc([]string{"rand", "rng", "entropy", "seed", "random"}, func(s string) bool { return strings.Contains(name, s) })
}

// afterNil reports whether a block is only for what has its zero value so far: it runs once.
func afterNil(b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		op, ok := cond.Cond.(*ssa.BinOp)
		if ok && op.Op == token.EQL && (isConst(op.X) || isConst(op.Y)) && d.Succs[0].Dominates(b) {
			return true
		}
	}
	return false
}

// reenters reports whether a method may be called with the same receiver before it is done.
func (p *Program) reenters(fn *ssa.Function) bool {
	seen := map[*ssa.Function]bool{}
	work := []*ssa.Function{fn}
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range next.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if made, isMade := in.(*ssa.MakeClosure); isMade {
					work = p.enter(made.Fn.(*ssa.Function), seen, work)
				}
				if !ok {
					continue
				}
				if c.Common().IsInvoke() && borrows[c.Common().Method.FullName()] {
					continue // a stream does not call who reads or writes it
				}
				to, known := p.targets(c)
				if !known && (handsOn(fn, c) || isCallback(c)) || slices.Contains(to, fn) {
					return true
				}
				for _, callee := range to {
					work = p.enter(callee, seen, work)
				}
			}
		}
		if len(seen) > longest {
			return true
		}
	}
	return false
}

// isCallback reports whether a call is of a function value that the function was given or has found in a
// field: it may be anything.
func isCallback(c ssa.CallInstruction) bool {
	if c.Common().IsInvoke() {
		return false
	}
	switch v := c.Common().Value.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.UnOp:
		_, local := v.X.(*ssa.Alloc)
		return !local
	}
	return false
}

func (p *Program) enter(fn *ssa.Function, seen map[*ssa.Function]bool, work []*ssa.Function) []*ssa.Function {
	if seen[fn] {
		return work
	}
	seen[fn] = true
	return append(work, fn)
}

// targets are the functions that a call may be of. known is false if there may be others.
func (p *Program) targets(c ssa.CallInstruction) (all []*ssa.Function, known bool) {
	common := c.Common()
	if callee := common.StaticCallee(); callee != nil {
		return []*ssa.Function{callee}, len(callee.Blocks) > 0
	}
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return nil, true
	}
	if !common.IsInvoke() {
		return p.valuesOf(common.Signature()), false
	}
	for _, fn := range p.fns {
		if fn.Signature.Recv() != nil && fn.Name() == common.Method.Name() && types.Implements(fn.Signature.Recv().Type(), common.Value.Type().Underlying().(*types.Interface)) {
			all = append(all, fn)
		}
	}
	return all, false
}

// handsOn reports whether a call of what is not known gives it an object of a method's type.
func handsOn(fn *ssa.Function, c ssa.CallInstruction) bool {
	t := fn.Signature.Recv().Type()
	return slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool {
		if made, ok := v.(*ssa.MakeInterface); ok {
			v = made.X
		}
		return types.Identical(v.Type(), t)
	})
}

// calledAgain returns the line that shows that a method is called more than once with the same receiver: in a
// loop, on several lines, or by way of an object that has the receiver.
func (p *Program) calledAgain(fn *ssa.Function, depth int) (Evidence, bool) {
	name := nameOf(fn)
	if oneByOne[fn.Name()] {
		return p.at(fn.Pos(), name+" is for one byte of many"), true
	}
	var own []ssa.CallInstruction
	for _, c := range p.callsOf(fn) {
		if len(c.Common().Args) == 0 || !c.Pos().IsValid() { // of a method that is promoted
			continue
		}
		recv := c.Common().Args[0]
		switch {
		case repeats(c.Block()) && !madeIn(recv, c.Block()):
			return p.at(c.Pos(), "a loop calls "+name+" with the same receiver"), true
		case givesReceiver(c):
			own = append(own, c)
		}
		if load, ok := recv.(*ssa.UnOp); ok && load.Op == token.MUL && !strings.HasSuffix(p.at(c.Pos(), "").File, "_test.go") {
			if _, ok := load.X.(*ssa.FieldAddr); ok && base(load.X) == receiverIn(c.Parent()) {
				return p.at(c.Pos(), "the receiver is kept in a field"), true
			}
		}
	}
	if len(own) > 2 {
		return p.at(own[1].Pos(), fmt.Sprintf("%s is called with the same receiver on %d lines, here for one", name, len(own))), true
	}
	for _, c := range own {
		if depth < deepest && c.Parent() != fn {
			if e, ok := p.calledAgain(c.Parent(), depth+1); ok {
				return e, true
			}
		}
	}
	return Evidence{}, false
}

// madeIn reports whether a loop that repeats a block may make the receiver anew each time.
func madeIn(recv ssa.Value, b *ssa.BasicBlock) bool {
	in, ok := recv.(ssa.Instruction)
	if !ok {
		return false // a parameter, a global or captured variable
	}
	if load, ok := recv.(*ssa.UnOp); ok && load.Op == token.MUL {
		if cell, ok := base(load.X).(*ssa.Alloc); ok {
			return repeats(cell.Block()) || slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
				s, ok := r.(*ssa.Store)
				return ok && s.Addr == cell && repeats(s.Block())
			})
		}
		if at, ok := base(load.X).(ssa.Instruction); ok {
			return repeats(at.Block())
		}
		return false
	}
	return repeats(in.Block())
}

// receiverIn is the receiver of a method, or nil.
func receiverIn(fn *ssa.Function) ssa.Value {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 {
		return nil
	}
	return fn.Params[0]
}
