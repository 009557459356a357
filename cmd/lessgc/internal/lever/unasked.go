package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An unasked follows slices to all their uses, and finds those that can tell how much room a slice has: cap, append to
// anything but the variable that has the slice, slicing beyond the length, and all that is not understood. Two slices of one
// memory are no matter as long as no element is written to: grow is then the same with and without a copy.
type unasked struct {
	p     *Line
	field *types.Var  // that has the slice and grows; nil for a variable
	own   []token.Pos // the appends to the variable itself

	// writers says that the slice is what a buffer has, to which nothing is written any more: a writer that is given it by the contract of
	// io.Writer only reads it, and it may be cut at its end.
	writers bool
	lent    bool // a writer that is not known gets it
	outside bool // a file gets it, or a writer that hands it to one that is not known

	// cuts says that nothing is appended to the slice: it may be cut, if not behind its length.
	cuts bool

	asked bool        // somebody can tell
	nil   bool        // somebody compares the slice with nil
	wrote bool        // an element is set, or its address taken
	given bool        // the slice is returned
	grows []ssa.Value // the calls that make it longer
	makes []ssa.Value // what is stored in the field besides
	seen  map[ssa.Value]bool
	work  []ssa.Value
}

// mostUnasked bounds the values that are looked at.
const mostUnasked = 500

// unaskedField follows what a field of an own type has.
func (p *Line) unaskedField(field *types.Var, named *types.Named) *unasked {
	u := &unasked{p: p, field: field, seen: map[ssa.Value]bool{}}
	u.asked = field.Exported() || p.movesWhole(named)
	for _, address := range p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				u.push(in)
			case *ssa.Store:
				if in.Addr != address {
					u.asked = true
				} else if call, ok := in.Val.(*ssa.Call); !ok || !callsBuiltin(call, "append") || !u.ofField(call.Call.Args[0]) {
					u.makes = append(u.makes, in.Val)
					u.asked = u.asked || !isNewSlice(in.Val)
					u.pushMade(in.Val)
				}
			default:
				u.asked = true
			}
		}
	}
	u.run()
	return u
}

// isNewSlice reports whether a slice is nil, or made where it is.
func isNewSlice(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice:
		return true
	case *ssa.Slice:
		made, ok := v.X.(*ssa.Alloc)
		return ok && (made.Comment == "makeslice" || made.Comment == "slicelit")
	}
	return false
}

// unaskedValues follows the values that a variable has, to which the appends at some positions add.
func (p *Line) unaskedValues(own []token.Pos, values ...ssa.Value) *unasked {
	u := &unasked{p: p, own: own, seen: map[ssa.Value]bool{}}
	for _, v := range values {
		u.push(v)
	}
	u.run()
	return u
}

func (u *unasked) run() {
	for len(u.work) > 0 && !u.asked {
		v := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		if v.Referrers() == nil {
			u.asked = true
			return
		}
		for _, in := range *v.Referrers() {
			u.use(v, in)
		}
	}
	u.asked = u.asked || len(u.seen) >= mostUnasked
}

func (u *unasked) push(v ssa.Value) {
	if !u.seen[v] {
		u.seen[v] = true
		u.work = append(u.work, v)
	}
	u.asked = u.asked || len(u.seen) >= mostUnasked
}

// pushMade follows a slice that is stored in the field, which must not be in another place, too.
func (u *unasked) pushMade(v ssa.Value) {
	if v.Referrers() == nil {
		return // nil
	}
	stores := 0
	for _, in := range *v.Referrers() {
		if _, ok := in.(*ssa.Store); ok {
			stores++
		}
	}
	u.asked = u.asked || stores > 1
	u.push(v)
}

// movesWhole reports whether structs of a type may be copied, by themselves or in others, lie in slices, arrays or maps, or are
// converted to another type: then a field of them is in several places, or has another name.
func (p *Program) movesWhole(named *types.Named) bool {
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return moves(in, named) }) {
				return true
			}
		}
	}
	return false
}

// moves reports whether an instruction copies, converts or indexes structs of a type.
func moves(in ssa.Instruction, named *types.Named) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.MUL && containsStruct(in.Type(), named)
	case *ssa.IndexAddr:
		pointer, ok := in.Type().Underlying().(*types.Pointer)
		return ok && containsStruct(pointer.Elem(), named)
	case *ssa.MapUpdate:
		return containsStruct(in.Value.Type(), named)
	case *ssa.ChangeType:
		from := namedOf(in.X.Type())
		return from != nil && types.Identical(from, named) || namedOf(in.Type()) != nil && types.Identical(namedOf(in.Type()), named)
	}
	return false
}

// containsStruct reports whether values of a type are, or have in them, a struct of another.
func containsStruct(t types.Type, named *types.Named) bool {
	if types.Identical(t, named) {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if containsStruct(f.Type(), named) {
				return true
			}
		}
	case *types.Array:
		return containsStruct(t.Elem(), named)
	}
	return false
}

// ofField reports whether a value is loaded from the field.
func (u *unasked) ofField(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || u.field == nil {
		return false
	}
	address, ok := load.X.(*ssa.FieldAddr)
	return ok && fieldOf(address) == u.field
}

func (u *unasked) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Range:
	case *ssa.Phi, *ssa.ChangeType:
		u.push(in.(ssa.Value))
	case *ssa.Slice:
		if (in.High != nil || in.Max != nil) && !(u.cuts && withinLength(in)) && !(u.writers && in.Max == nil && isLess(in.High, v)) {
			u.asked = true
			return
		}
		u.push(in)
	case *ssa.IndexAddr:
		u.wrote = u.wrote || slices.ContainsFunc(*in.Referrers(), u.writes)
	case *ssa.BinOp:
		u.nil = true
	case *ssa.Convert:
		u.asked = u.asked || !isString(in.Type())
	case *ssa.Return:
		u.result(in, v)
	case *ssa.Store:
		u.asked = u.asked || !slices.Contains(u.grows, v) && !slices.Contains(u.makes, v) // see growsItself
	case *ssa.Call:
		u.call(v, in)
	default:
		u.asked = true
	}
}

// writes reports whether an instruction does more with the address of an element than to load it.
func (u *unasked) writes(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.UnOp:
		return in.Op != token.MUL
	case *ssa.FieldAddr:
		return slices.ContainsFunc(*in.Referrers(), u.writes)
	}
	return true
}

// result follows what a function returns to its callers, if all of them are known.
func (u *unasked) result(in *ssa.Return, v ssa.Value) {
	fn := in.Parent()
	u.given = true
	if token.IsExported(fn.Name()) && !inMain(fn) || fn.Parent() != nil || fn.Origin() != nil || u.p.values[fn] || u.p.mayBeInvoked(fn) {
		u.asked = true
		return
	}
	for part := range u.p.atCallers(in, v) {
		if !u.p.inTest(part.Pos()) {
			u.push(part)
		}
	}
	if slices.ContainsFunc(u.p.callsOf(fn), func(c ssa.CallInstruction) bool { return c.Value() == nil && c.Common().IsInvoke() }) {
		u.asked = true
	}
}

// inMain reports whether a function is a command's.
func inMain(fn *ssa.Function) bool { return fn.Pkg != nil && fn.Pkg.Pkg.Name() == "main" }

func (u *unasked) call(v ssa.Value, in *ssa.Call) {
	args := in.Call.Args
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		u.builtinCall(v, in, b.Name())
		return
	}
	callee := in.Call.StaticCallee()
	switch {
	case u.writers && readsText[nameOfCall(in)] && in.Call.Value != v:
		u.lent = u.lent || in.Call.IsInvoke() && !isHash(in.Call.Value)
		u.outside = u.outside || !in.Call.IsInvoke() && !writesToMemory[nameOfCall(in)]
	case u.writers && partOfText[nameOfCall(in)]:
		u.push(in)
	case callee == nil:
		u.asked = true
	case len(callee.Blocks) > 0 && u.p.builtElsewhere(callee.Object()):
		u.asked = true // another system may have another one
	case len(callee.Blocks) > 0:
		for i, arg := range args {
			if arg == v && i < len(callee.Params) {
				u.push(callee.Params[i])
			}
		}
	case sortsElements[fullName(callee)]:
		u.wrote = true
	case u.field == nil && appends(fullName(callee)) && u.p.isOfStandard(callee) && u.growsItself(v, in):
		u.grows = append(u.grows, in)
		u.push(in)
	default:
		u.asked = u.asked || !slices.Contains(looksAtElements, fullName(callee)) || !u.p.isOfStandard(callee)
	}
}

// isHash reports whether a value is the hash that a constructor of the standard library has just returned: the compiler knows its type, and
// its Write neither keeps what it is given nor tells nil from empty.
func isHash(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	name := fullName(call.Call.StaticCallee())
	return oneShots[name].name != "" && !strings.HasPrefix(name, "hash/crc32.") || strings.HasPrefix(name, "hash/fnv.New")
}

// isOfStandard reports whether a function without a body is of the standard library.
func (p *Line) isOfStandard(fn *ssa.Function) bool {
	object, ok := fn.Object().(*types.Func)
	return ok && object.Pkg() != nil && p.isStandard(object)
}

// isLess reports whether a value is the length of a slice, or that less a constant.
func isLess(high, v ssa.Value) bool {
	if less, ok := high.(*ssa.BinOp); ok && less.Op == token.SUB {
		if n, ok := less.Y.(*ssa.Const); !ok || n.Int64() < 0 {
			return false
		}
		high = less.X
	}
	call, ok := high.(*ssa.Call)
	return ok && callsBuiltin(call, "len") && call.Call.Args[0] == v
}

// readsText are methods and functions that only read the text they are given, and do not tell nil from empty, writesToMemory those of them that
// copy it; partOfText are those that return part of it.
var (
	readsText = map[string]bool{"(io.Writer).Write": true, "(net/http.ResponseWriter).Write": true, "(*os.File).Write": true, "(*bufio.Writer).Write": true,
		"(*bytes.Buffer).Write": true, "(*strings.Builder).Write": true, "os.WriteFile": true}
	writesToMemory = map[string]bool{"(*bytes.Buffer).Write": true, "(*strings.Builder).Write": true}
	partOfText     = map[string]bool{"bytes.TrimSpace": true, "bytes.TrimPrefix": true, "bytes.TrimSuffix": true, "bytes.TrimRight": true,
		"bytes.TrimLeft": true, "bytes.Trim": true}
)

// sortsElements are functions of the standard library that change the order of what they are given, and looksAtElements
// those that only read it.
var (
	sortsElements   = map[string]bool{"sort.Strings": true, "sort.Ints": true, "sort.Float64s": true, "slices.Sort": true, "slices.Reverse": true}
	looksAtElements = strings.Fields("strings.Join bytes.Join bytes.Equal bytes.Compare bytes.Contains bytes.Index bytes.IndexByte bytes.HasPrefix bytes.HasSuffix sort.SearchStrings sort.SearchInts " +
		"slices.Contains slices.Index slices.Equal slices.Compare slices.Max slices.Min " +
		"crypto/md5.Sum crypto/sha1.Sum crypto/sha256.Sum256 crypto/sha512.Sum512 encoding/hex.EncodeToString")
)

func (u *unasked) builtinCall(v ssa.Value, in *ssa.Call, name string) {
	switch name {
	case "len":
	case "copy":
		u.wrote = u.wrote || in.Call.Args[0] == v
	case "clear":
		u.wrote = true
	case "append":
		if in.Call.Args[0] != v || becomesText(in) {
			return
		}
		if !u.growsItself(v, in) {
			u.asked = true
			return
		}
		u.grows = append(u.grows, in)
		u.push(in)
	default:
		u.asked = true
	}
}

// becomesText reports whether a slice becomes a string right where it is made, and nothing else: what is appended to the same memory later is not in it.
func becomesText(v *ssa.Call) bool {
	only := -1
	all := v.Block().Instrs
	for _, in := range *v.Referrers() {
		if _, ok := in.(*ssa.DebugRef); ok {
			continue
		}
		text, ok := in.(*ssa.Convert)
		if !ok || !isString(text.Type()) || only >= 0 || text.Block() != v.Block() {
			return false
		}
		only = slices.Index(all, in)
	}
	return only >= 0 && !slices.ContainsFunc(all[slices.Index(all, ssa.Instruction(v))+1:only], func(in ssa.Instruction) bool {
		_, ok := in.(*ssa.DebugRef)
		return !ok
	})
}

// growsItself reports whether the result of an append has the place of what it is about: the same field of the same value,
// or the variable, of which the source has shown that.
func (u *unasked) growsItself(v ssa.Value, in *ssa.Call) bool {
	if u.field == nil {
		return slices.Contains(u.own, in.Pos())
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || !u.ofField(v) || load.Block() != in.Block() || !u.nothingBetween(load, in) {
		return false
	}
	base := load.X.(*ssa.FieldAddr).X
	stored := false
	for _, use := range *in.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			to, ok := use.Addr.(*ssa.FieldAddr)
			if !ok || use.Val != in || fieldOf(to) != u.field || to.X != base {
				return false
			}
			stored = true
		default:
			return false
		}
	}
	return stored
}

// nothingBetween reports whether nothing that may make the field longer is called after it is loaded, and before it is
// appended to: both would begin at the same element.
func (u *unasked) nothingBetween(load *ssa.UnOp, in *ssa.Call) bool {
	all := load.Block().Instrs
	for _, between := range all[slices.Index(all, ssa.Instruction(load)):slices.Index(all, ssa.Instruction(in))] {
		if call, ok := between.(ssa.CallInstruction); ok && u.mayUseField(call, map[*ssa.Function]bool{}) {
			return false
		}
	}
	return true
}

// mayUseField reports whether a call may come to a use of the field.
func (u *unasked) mayUseField(call ssa.CallInstruction, seen map[*ssa.Function]bool) bool {
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return false
	}
	fn := call.Common().StaticCallee()
	if fn == nil || len(seen) > 50 {
		return true
	}
	if seen[fn] {
		return false
	}
	seen[fn] = true
	if len(fn.Blocks) == 0 {
		return !u.p.isOfStandard(fn) || slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool {
			_, basic := v.Type().Underlying().(*types.Basic)
			return !basic
		})
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if address, ok := in.(*ssa.FieldAddr); ok && fieldOf(address) == u.field {
				return true
			}
			if next, ok := in.(ssa.CallInstruction); ok && u.mayUseField(next, seen) {
				return true
			}
		}
	}
	return false
}
