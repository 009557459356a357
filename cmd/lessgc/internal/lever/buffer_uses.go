package lever

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A roomBlind follows a builder or buffer to all its uses, and finds those that can tell how much room it had when it began: its
// methods about room, those that hand out its memory, reads into it, copies of it, and all that is not understood. What is written to
// it, and read from it as a copy, is the same.
type roomBlind struct {
	p     *Line
	root  ssa.Value
	told  bool // the room is observable
	grown bool // it is given room already
	later bool // a function literal, a deferred call or a field has it, which may write at any time
	cut   bool // it may become shorter
	bytes []*ssa.Call
	fills []*ssa.Call              // that write a byte at least, in the function that makes it
	at    map[ssa.Instruction]bool // the uses in the function that makes it, but for those that only read
	seen  map[ssa.Value]bool
	work  []ssa.Value
}

// blindTo follows the builder or buffer that a value makes.
func (p *Line) blindTo(root ssa.Value) *roomBlind {
	b := &roomBlind{p: p, root: root, at: map[ssa.Instruction]bool{}, seen: map[ssa.Value]bool{}}
	b.push(root)
	for len(b.work) > 0 && !b.told {
		v := b.work[len(b.work)-1]
		b.work = b.work[:len(b.work)-1]
		if v.Referrers() == nil {
			b.told = true
			break
		}
		for _, in := range *v.Referrers() {
			b.use(v, in)
		}
	}
	b.told = b.told || len(b.bytes) > 0 && b.later || slices.ContainsFunc(b.bytes, b.seenThrough)
	return b
}

func (b *roomBlind) push(v ssa.Value) {
	if !b.seen[v] {
		b.seen[v] = true
		b.work = append(b.work, v)
	}
	b.told = b.told || len(b.seen) >= mostUnasked
}

// hasBuffer reports whether a value is the address of a variable that has the buffer's address, or an interface.
func hasBuffer(v ssa.Value) bool {
	pointer, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	if bufferKind(pointer.Elem()) != "" {
		return true
	}
	return types.IsInterface(pointer.Elem())
}

func (b *roomBlind) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi:
		b.push(in.(ssa.Value))
		return
	case *ssa.TypeAssert:
		b.push(in)
		return
	case *ssa.Extract:
		if in.Index == 0 {
			b.push(in)
		}
		return
	case *ssa.BinOp:
		return
	case *ssa.Store:
		if in.Addr == b.root && b.isDeclared(in) {
			return
		}
	}
	if in.Parent() == b.root.Parent() {
		b.at[in] = true
	}
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op != token.MUL || !hasBuffer(v) {
			b.told = true
			return
		}
		b.push(in)
	case *ssa.Store:
		b.store(v, in)
	case *ssa.MakeClosure:
		b.later = true
		fn := in.Fn.(*ssa.Function)
		for i, bound := range in.Bindings {
			if bound == v {
				b.push(fn.FreeVars[i])
			}
		}
	case *ssa.Return:
		b.result(v, in)
	case *ssa.Call:
		b.call(v, in)
	case *ssa.Defer:
		b.later = true
		b.call(v, in)
	default:
		b.told = true
	}
}

// isDeclared reports whether a store is of the zero value, where the buffer is declared.
func (b *roomBlind) isDeclared(in *ssa.Store) bool {
	all := in.Block().Instrs
	i := slices.Index(all, ssa.Instruction(in))
	_, zero := in.Val.(*ssa.Const)
	made, ok := b.root.(*ssa.Alloc)
	return zero && ok && i > 0 && all[i-1] == ssa.Instruction(made)
}

// store follows the buffer into a local variable.
func (b *roomBlind) store(v ssa.Value, in *ssa.Store) {
	if in.Val != v {
		b.told = b.told || !hasBuffer(v)
		return
	}
	switch to := in.Addr.(type) {
	case *ssa.Alloc:
		if hasBuffer(to) {
			b.push(to)
			return
		}
	case *ssa.FieldAddr:
		b.intoField(to)
		return
	}
	b.told = true
}

// intoField follows the buffer into a field of a struct that is never copied: it is in all that is loaded from such a field.
func (b *roomBlind) intoField(to *ssa.FieldAddr) {
	field, named := fieldOf(to), namedOf(to.X.Type())
	if field == nil || field.Exported() || field.Embedded() || named == nil || named.TypeParams().Len() > 0 || b.p.movesWhole(named) {
		b.told = true
		return
	}
	b.later = true
	for _, address := range b.p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				b.push(in)
			case *ssa.Store:
				b.told = b.told || in.Addr != address
			default:
				b.told = true
			}
		}
	}
}

// result follows the buffer to the callers of a function that returns it, if all of them are known.
func (b *roomBlind) result(v ssa.Value, in *ssa.Return) {
	fn := in.Parent()
	if hasBuffer(v) || token.IsExported(fn.Name()) && !inMain(fn) || fn.Parent() != nil || fn.Origin() != nil || b.p.values[fn] || b.p.mayBeInvoked(fn) {
		b.told = true
		return
	}
	for part := range b.p.atCallers(in, v) {
		b.push(part)
	}
}

func (b *roomBlind) call(v ssa.Value, in ssa.CallInstruction) {
	c := in.Common()
	callee := c.StaticCallee()
	switch _, builtin := c.Value.(*ssa.Builtin); {
	case builtin:
		b.told = true
	case c.IsInvoke():
		if c.Value != v || slices.Contains(c.Args, v) {
			b.told = true
			return
		}
		b.method(c.Method.Name(), in)
	case callee == nil:
		b.told = true
	case len(callee.Blocks) > 0:
		b.told = b.told || b.p.builtElsewhere(callee.Object())
		for i, arg := range c.Args {
			if arg == v && i < len(callee.Params) {
				b.push(callee.Params[i])
			}
		}
	case callee.Signature.Recv() != nil && c.Args[0] == v && bufferKind(v.Type()) != "":
		if slices.Contains(c.Args[1:], v) {
			b.told = true
			return
		}
		b.method(callee.Name(), in)
	default:
		i, ok := writesToArgument[fullName(callee)]
		b.told = b.told || !ok || !b.p.isOfStandard(callee) || c.Args[i] != v || slices.Contains(slices.Delete(slices.Clone(c.Args), i, i+1), v)
	}
}

// method is about a call of a method of the buffer, by its name.
func (b *roomBlind) method(name string, in ssa.CallInstruction) {
	switch name {
	case "String", "Len":
		delete(b.at, in)
	case "Write", "WriteString", "WriteByte", "WriteRune":
		if call, ok := in.(*ssa.Call); ok && call.Parent() == b.root.Parent() && writesSome(call) {
			b.fills = append(b.fills, call)
		}
	case "Truncate", "Reset", "WriteTo", "Read", "ReadByte", "ReadRune", "ReadBytes", "ReadString", "UnreadByte", "UnreadRune":
		b.cut = true
	case "Bytes":
		delete(b.at, in)
		if call, ok := in.(*ssa.Call); ok {
			b.bytes = append(b.bytes, call)
		} else {
			b.told = true
		}
	case "Grow":
		b.grown = true
	default:
		b.told = true
	}
}

// writesToArgument are functions of the standard library that do no more than write to one of their arguments, with its
// number, and read it as text.
var writesToArgument = map[string]int{
	"fmt.Fprint": 0, "fmt.Fprintf": 0, "fmt.Fprintln": 0, "io.WriteString": 0, "encoding/binary.Write": 0,
	"(*strings.Replacer).WriteString": 1, "text/template.HTMLEscape": 0, "text/template.JSEscape": 0, "html/template.HTMLEscape": 0,
	"html/template.JSEscape": 0, "encoding/xml.EscapeText": 0, "encoding/xml.Escape": 0, "encoding/json.Indent": 0, "encoding/json.Compact": 0,
	"encoding/json.HTMLEscape": 0,
}

// seenThrough reports whether it is observable how much room there is, or that a buffer without text is not nil, by what Bytes
// returns; or whether that may still be used when more is written, which may then be its memory or not.
func (b *roomBlind) seenThrough(call *ssa.Call) bool {
	if call.Parent() != b.root.Parent() || b.writtenAfter(call) {
		return true
	}
	u := &unasked{p: b.p, writers: true, seen: map[ssa.Value]bool{}}
	u.push(call)
	u.run()
	filled := !b.cut && slices.ContainsFunc(b.fills, func(c *ssa.Call) bool { return comesBefore(c, call) })
	return u.asked || (u.nil || u.lent) && !filled
}

// writesSome reports whether a call of a method that writes has something to write.
func writesSome(call *ssa.Call) bool {
	args := call.Call.Args
	if text, ok := args[len(args)-1].(*ssa.Const); ok && isString(text.Type()) {
		return constant.StringVal(text.Value) != ""
	}
	return !call.Call.IsInvoke() && writes[call.Call.StaticCallee().Name()] == 1
}

// comesBefore reports whether a call is made on each way to another one of its function.
func comesBefore(a, b *ssa.Call) bool {
	if a.Block() == b.Block() {
		all := a.Block().Instrs
		return slices.Index(all, ssa.Instruction(a)) < slices.Index(all, ssa.Instruction(b))
	}
	return a.Block().Dominates(b.Block())
}

// writtenAfter reports whether a use that may write can follow a call, in the same function and for the same buffer.
func (b *roomBlind) writtenAfter(call *ssa.Call) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var from func(block *ssa.BasicBlock, instrs []ssa.Instruction) bool
	from = func(block *ssa.BasicBlock, instrs []ssa.Instruction) bool {
		for _, in := range instrs {
			if v, ok := in.(ssa.Value); ok && v == b.root {
				return false // it is another buffer from here on
			}
			if b.at[in] {
				return true
			}
		}
		return slices.ContainsFunc(block.Succs, func(next *ssa.BasicBlock) bool {
			if seen[next] {
				return false
			}
			seen[next] = true
			return from(next, next.Instrs)
		})
	}
	at := slices.Index(call.Block().Instrs, ssa.Instruction(call))
	return from(call.Block(), call.Block().Instrs[at+1:])
}

// mustWrite reports whether a function writes to what it is given in a parameter on each way from its beginning to a return.
func (p *Program) mustWrite(param *ssa.Parameter, depth int) bool {
	fn := param.Parent()
	if depth > 3 || len(fn.Blocks) == 0 {
		return false
	}
	same := []ssa.Value{param}
	writes := map[*ssa.BasicBlock]bool{}
	for i := 0; i < len(same); i++ {
		for _, in := range *same[i].Referrers() {
			switch in := in.(type) {
			case *ssa.ChangeInterface, *ssa.MakeInterface:
				same = append(same, in.(ssa.Value))
			case *ssa.Call:
				if p.mustWriteTo(in, same[i], depth) {
					writes[in.Block()] = true
				}
			}
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	var misses func(b *ssa.BasicBlock) bool
	misses = func(b *ssa.BasicBlock) bool {
		if writes[b] || seen[b] {
			return false
		}
		seen[b] = true
		if _, ends := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ends {
			return true
		}
		return slices.ContainsFunc(b.Succs, misses)
	}
	return fn.Recover == nil && !misses(fn.Blocks[0])
}

// mustWriteTo reports whether a call is sure to write to a builder, buffer or writer.
func (p *Program) mustWriteTo(in *ssa.Call, v ssa.Value, depth int) bool {
	c := in.Common()
	if c.IsInvoke() {
		return c.Value == v && strings.HasPrefix(c.Method.Name(), "Write") && c.Method.Name() != "WriteTo"
	}
	callee := c.StaticCallee()
	if callee == nil {
		return false
	}
	if len(callee.Blocks) > 0 {
		i := slices.Index(c.Args, v)
		return i >= 0 && i < len(callee.Params) && p.mustWrite(callee.Params[i], depth+1)
	}
	name := fullName(callee)
	if kind := bufferKind(v.Type()); kind != "" && callee.Signature.Recv() != nil && c.Args[0] == v {
		_, ok := writes[callee.Name()]
		return ok
	}
	i, ok := writesToArgument[name]
	return ok && c.Args[i] == v
}
