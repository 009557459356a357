package lever

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A view decides whether code can tell a buffer, or a slice that grows, which has room from an earlier use from a new
// one: by capacity, by nil where a new one has no memory yet, or by two slices that share memory or do not.
type view struct {
	*pooling
	grows    func(ssa.CallInstruction) bool // appends to the slice itself; nil for a buffer, of which only methods do
	consumes bool                           // what is read out of the buffer is overwritten by what is written later
}

// appending and consuming are the methods of bytes.Buffer that show no capacity. After consuming ones, a part of the
// content is written over.
var (
	appending = map[string]bool{"Write": true, "WriteByte": true, "WriteRune": true, "WriteString": true, "Len": true, "String": true, "Bytes": true, "Grow": true, "ReadFrom": true}
	consuming = map[string]bool{"Reset": true, "Truncate": true, "Next": true, "Read": true, "ReadByte": true, "ReadRune": true, "ReadString": true, "ReadBytes": true,
		"UnreadByte": true, "UnreadRune": true, "WriteTo": true}
)

// likeNew reports whether nothing that has a reference to a bytes.Buffer can tell one that was reset from a new one.
func (x *pooling) likeNew() bool {
	w := &view{pooling: x}
	w.consumes = !x.everyUse(func(v ssa.Value, in ssa.Instruction) bool { return !consumesBuffer(v, in) })
	return x.everyUse(w.same)
}

// consumesBuffer reports whether a use of a buffer may do more than append to it.
func consumesBuffer(v ssa.Value, in ssa.Instruction) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	c := call.Common()
	if c.IsInvoke() {
		return c.Value == v && !appending[c.Method.Name()]
	}
	callee := c.StaticCallee()
	if callee == nil || len(callee.Blocks) > 0 || isBytes(v.Type()) {
		return false
	}
	if isBuffer(v.Type()) && c.Args[0] == v && callee.Signature.Recv() != nil {
		return !appending[callee.Name()]
	}
	return !onlyAppends(fullName(callee))
}

// onlyAppends reports whether a function of the standard library does nothing with a buffer but write to it, also by
// way of what it returns.
func onlyAppends(name string) bool {
	return strings.HasPrefix(name, "fmt.Fprint") || name == "io.WriteString" || strings.Contains(name, "NewEncoder") || strings.Contains(name, "NewWriter") ||
		strings.Contains(name, "Writer).") || strings.Contains(name, "Encoder).")
}

// same reports whether a use does the same with a buffer or slice that has room as with a new one.
func (w *view) same(v ssa.Value, in ssa.Instruction) bool {
	if _, ok := in.(*ssa.DebugRef); ok {
		return true
	}
	switch {
	case isSlice(v.Type()):
		return w.sameSlice(v, in)
	case isElement(v):
		return w.grows != nil || readsElement(in) && (!w.consumes || w.atOnce(v, in))
	case isBuffer(v.Type()):
		return sameBuffer(v, in)
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok || !call.Common().IsInvoke() || call.Common().Value != v || !slices.ContainsFunc(w.flow.dynamic, isBuffer) {
		return true
	}
	name := call.Common().Method.Name()
	return appending[name] || consuming[name] || !bufferHas(name)
}

// isElement reports whether a value is the address of an element of a slice.
func isElement(v ssa.Value) bool {
	at, ok := v.(*ssa.IndexAddr)
	return ok && isSlice(at.X.Type())
}

func readsElement(in ssa.Instruction) bool {
	load, ok := in.(*ssa.UnOp)
	return ok && load.Op == token.MUL
}

// bufferHas reports whether bytes.Buffer has a method that shows its capacity.
func bufferHas(name string) bool {
	return name == "Cap" || name == "Available" || name == "AvailableBuffer" || name == "Peek"
}

// sameBuffer is same for a use of the buffer by its address.
func sameBuffer(v ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return false // a copy
	case *ssa.Store:
		return in.Addr != v
	case ssa.CallInstruction:
		c := in.Common()
		callee := c.StaticCallee()
		if callee != nil && len(callee.Blocks) == 0 && callee.Signature.Recv() != nil && c.Args[0] == v {
			return appending[callee.Name()] || consuming[callee.Name()]
		}
	}
	return true
}

// sameSlice is same for a use of a slice of the memory.
func (w *view) sameSlice(v ssa.Value, in ssa.Instruction) bool {
	if w.consumes && !w.atOnce(v, in) {
		return false
	}
	switch in := in.(type) {
	case *ssa.Slice:
		return in.X == v && in.Max == nil && (in.High == nil || withinLen(in.High, v))
	case *ssa.IndexAddr, *ssa.ChangeType, *ssa.Store, *ssa.Phi, *ssa.Return, *ssa.Extract:
		return true
	case *ssa.Convert:
		return isString(in.Type())
	case ssa.CallInstruction:
		return w.sameArgument(v, in)
	}
	return false // compared with nil, or made an interface or array
}

// withinLen reports whether the end of a slice expression is not beyond the length of the slice.
func withinLen(high, of ssa.Value) bool {
	if c, ok := high.(*ssa.Const); ok {
		return c.Value != nil && constant.Sign(constant.ToInt(c.Value)) == 0
	}
	if sub, ok := high.(*ssa.BinOp); ok && sub.Op == token.SUB {
		if c, ok := sub.Y.(*ssa.Const); !ok || c.Value == nil || constant.Sign(constant.ToInt(c.Value)) < 0 {
			return false
		}
		high = sub.X
	}
	call, ok := high.(*ssa.Call)
	return ok && callsBuiltin(call, "len") && call.Call.Args[0] == of
}

// sameArgument is sameSlice for what is given to a call.
func (w *view) sameArgument(v ssa.Value, in ssa.CallInstruction) bool {
	c := in.Common()
	if w.grows == nil && slices.ContainsFunc(c.Args, func(a ssa.Value) bool { return a != v && w.flow.seen[a] != 0 }) {
		return false // the buffer is given its own content
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len":
			return true
		case "copy":
			return w.grows != nil || c.Args[0] != v
		case "append":
			return c.Args[0] != v || w.grows != nil && w.grows(in)
		}
		return false
	}
	if c.IsInvoke() {
		name := c.Method.FullName()
		return borrows[name] && (w.grows != nil || strings.Contains(name, "Write"))
	}
	callee := c.StaticCallee()
	switch {
	case callee == nil:
		return w.p.ownFunction(c) // the parameters of all that it may be are looked at
	case len(callee.Blocks) > 0:
		return true // its parameter is looked at
	}
	name := fullName(callee)
	if w.grows == nil {
		return readsBytes(name)
	}
	if appendsText(name) {
		return w.grows(in)
	}
	return readsBytes(name) || onlyCopies(name) || ofElements[name]
}

// appendsText reports whether a function of the standard library is like append.
func appendsText(name string) bool { return appends(name) && strings.Contains(name, "Append") }

// readsBytes reports whether a function of the standard library only reads a slice, and returns at most parts of it. A
// clone of nil is nil.
func readsBytes(name string) bool {
	for _, prefix := range []string{"bytes.Clone", "bytes.New", "bytes.Lines", "(*encoding/"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	for _, prefix := range []string{"bytes.", "hash/crc32.", "hash/adler32.", "crypto/", "unicode/utf8.Valid", "unicode/utf8.Decode", "unicode/utf8.Rune", "unicode/utf8.Full"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "(*os.File).Write" || name == "(*bufio.Writer).Write" || name == "(*bytes.Buffer).Write" || name == "(*strings.Builder).Write" ||
		name == "encoding/json.Unmarshal" || name == "encoding/hex.EncodeToString"
}

// atOnce reports whether nothing is done with the buffer between the instruction that makes a slice of its content
// and a use of the slice.
func (w *view) atOnce(v ssa.Value, in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Store, *ssa.Phi, *ssa.Return:
		return false
	}
	made, ok := v.(ssa.Instruction)
	if !ok {
		return true // a parameter: who has only that cannot write to the buffer
	}
	if result, ok := in.(ssa.Value); ok && w.flow.seen[result] != 0 && !isSlice(result.Type()) && !isElement(result) || in.Block() != made.Block() {
		return false
	}
	instrs := in.Block().Instrs
	from, to := slices.Index(instrs, made), slices.Index(instrs, in)
	if to < from {
		return false
	}
	return !slices.ContainsFunc(instrs[from+1:to], func(between ssa.Instruction) bool {
		call, ok := between.(ssa.CallInstruction)
		return ok && slices.ContainsFunc(call.Operands(nil), func(o *ssa.Value) bool { return *o != nil && *o != v && w.flow.seen[*o] != 0 })
	})
}
