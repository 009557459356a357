package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A fate is where a reference to an object goes. It is found by following the reference
// through the code whose source is here; what cannot be followed counts as kept.
type fate struct {
	returned []token.Pos // by the function that has it first
	kept     []token.Pos // stored, sent, or given to code that is not known
	lent     []token.Pos // given to a function value, which may keep it or not
}

// stays says whether nobody has the object when the function ends, unless one that it was
// lent to.
func (f fate) stays() bool { return len(f.returned) == 0 && len(f.kept) == 0 }

// A follower follows one object.
type follower struct {
	p       *Program
	fate    *fate
	seen    map[ssa.Value]bool
	returns map[*ssa.Function]bool // called functions that return the reference, or what holds it
	depth   int                    // of calls
}

const (
	deepest = 6    // calls that are followed
	longest = 2000 // values
)

// follow finds the fate of an object that values refer to.
func (p *Program) follow(values ...ssa.Value) fate {
	var out fate
	f := follower{p: p, fate: &out, seen: map[ssa.Value]bool{}, returns: map[*ssa.Function]bool{}}
	for _, v := range values {
		f.value(v)
	}
	return out
}

// value follows what is done with a reference.
func (f *follower) value(v ssa.Value) {
	if v == nil || f.seen[v] {
		return
	}
	f.seen[v] = true
	if v.Referrers() == nil || len(f.seen) > longest {
		f.keep(v.Pos())
		return
	}
	for _, in := range *v.Referrers() {
		f.use(v, in)
	}
}

func (f *follower) keep(pos token.Pos) { f.fate.kept = append(f.fate.kept, pos) }

func (f *follower) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer:
		f.value(in.(ssa.Value)) // another reference, or one into the object
	case *ssa.Convert:
		if b, ok := in.Type().Underlying().(*types.Basic); !ok || b.Kind() == types.UnsafePointer { // string(b) is a copy
			f.value(in)
		}
	case *ssa.Store:
		if in.Val == v {
			f.store(in)
		}
	case *ssa.UnOp:
		if in.Op == token.MUL && (holds(v) || owned(v, in)) {
			f.value(in)
		}
	case *ssa.Return:
		f.result(in)
	case *ssa.MakeClosure:
		f.closure(v, in)
	case *ssa.Send, *ssa.MapUpdate, *ssa.Go, *ssa.Panic, *ssa.Select:
		f.keep(in.Pos())
	case ssa.CallInstruction:
		f.call(v, in)
	}
}

// owned says whether a slice is loaded from a field of the object: it may be memory that
// the object keeps for its next use, as that of a buffer is.
func owned(address ssa.Value, load *ssa.UnOp) bool {
	_, isField := address.(*ssa.FieldAddr)
	_, isSlice := load.Type().Underlying().(*types.Slice)
	return isField && isSlice
}

// holds says whether an address is that of a variable that holds the reference. What is
// loaded from elsewhere stands in the object.
func holds(address ssa.Value) bool {
	switch a := address.(type) {
	case *ssa.Alloc:
		switch a.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Interface:
			return true
		}
	case *ssa.FreeVar:
		return true
	}
	return false
}

// store follows a reference into the variable that it is stored in.
func (f *follower) store(in *ssa.Store) {
	switch to := in.Addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		f.value(to)
	case *ssa.FieldAddr:
		if f.seen[to.X] { // of the object itself
			return
		}
		if a, ok := to.X.(*ssa.Alloc); ok { // into a local struct: as far as it goes
			f.value(a)
			return
		}
		f.keep(in.Pos())
	default:
		f.keep(in.Pos())
	}
}

// result notes where the reference is returned: by a function that was called, to that
// call.
func (f *follower) result(in *ssa.Return) {
	if f.depth == 0 {
		f.fate.returned = append(f.fate.returned, in.Pos())
	} else {
		f.returns[in.Parent()] = true
	}
}

// closure follows a captured reference in the function literal, whose own fate is the
// reference's too.
func (f *follower) closure(v ssa.Value, in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	for i, b := range in.Bindings {
		if b == v {
			f.value(fn.FreeVars[i])
		}
	}
	f.value(in)
}

// lenders are methods and functions of the standard library that do not keep what they
// are given, by their contract.
var lenders = map[string]bool{
	"(io.Reader).Read": true, "(io.Writer).Write": true, "(io.ReaderAt).ReadAt": true, "(io.WriterAt).WriteAt": true, "(io.StringWriter).WriteString": true,
	"(net.Conn).Read": true, "(net.Conn).Write": true, "(net/http.ResponseWriter).Write": true, "(hash.Hash).Write": true, "(hash.Hash).Sum": true,
	"(*os.File).Read": true, "(*os.File).Write": true, "(*bufio.Writer).Write": true, "(*bufio.Reader).Read": true,
	"io.ReadFull": true, "io.ReadAtLeast": true, "io.CopyBuffer": true, "io.Copy": true, "io.WriteString": true,
	"fmt.Fprintf": true, "fmt.Fprint": true, "fmt.Fprintln": true, "fmt.Sscanf": true, "fmt.Sscan": true,
	"encoding/json.Unmarshal": true, "encoding/binary.Write": true, "encoding/binary.Read": true, "encoding/hex.Encode": true, "encoding/hex.EncodeToString": true,
	"bytes.Equal": true, "bytes.Compare": true, "bytes.Contains": true, "bytes.Index": true, "bytes.IndexByte": true, "bytes.HasPrefix": true, "bytes.Count": true,
	"hash/crc32.ChecksumIEEE": true, "crypto/sha256.Sum256": true, "crypto/sha1.Sum": true, "crypto/md5.Sum": true,
	"encoding/json.NewEncoder": true, "(*encoding/json.Encoder).Encode": true, "text/template.(*Template).Execute": true, "html/template.(*Template).Execute": true,
	"sort.Slice": true, "sort.Ints": true, "sort.Strings": true,
}

// lends says whether a function that is not followed gives back what it is given. Methods
// of bytes.Buffer and strings.Builder copy.
func lends(name string) bool {
	return lenders[name] || strings.HasPrefix(name, "(*bytes.Buffer).") || strings.HasPrefix(name, "(*strings.Builder).") ||
		strings.HasPrefix(name, "(encoding/binary.")
}

func (f *follower) call(v ssa.Value, in ssa.CallInstruction) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtin(b, v, in)
		return
	}
	if c.IsInvoke() {
		if !lends(c.Method.FullName()) {
			f.keep(in.Pos())
		}
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		if c.Value == v { // the closure that has it is called
			return
		}
		f.fate.lent = append(f.fate.lent, in.Pos())
		return
	}
	name := callee.RelString(nil)
	if object := callee.Object(); object != nil {
		name = object.(*types.Func).FullName()
	}
	switch {
	case strings.Contains(name, ".Append") && len(callee.Blocks) == 0 && c.Args[0] == v:
		f.value(in.Value())
	case lends(name):
		f.methodResult(name, in)
	case len(callee.Blocks) > 0 && f.depth < deepest:
		f.depth++
		for i, arg := range c.Args {
			if arg == v && i < len(callee.Params) {
				f.value(callee.Params[i])
			}
		}
		f.depth--
		if result := in.Value(); result != nil && f.returns[callee] {
			f.value(result)
		}
	case callee.Signature.Recv() != nil && c.Args[0] == v && !slices.Contains(c.Args[1:], v):
		if result := in.Value(); result != nil && pointsInto(result.Type()) { // its own method
			f.value(result)
		}
	default:
		f.keep(in.Pos())
	}
}

// methodResult follows what refers to the object: the bytes of a buffer.
func (f *follower) methodResult(name string, in ssa.CallInstruction) {
	switch name {
	case "(*bytes.Buffer).Bytes", "(*bytes.Buffer).AvailableBuffer", "(*bytes.Buffer).Next", "(*strings.Builder).String", "encoding/json.NewEncoder":
		if v := in.Value(); v != nil {
			f.value(v)
		}
	}
}

// pointsInto says whether a value of the type can refer to something.
func pointsInto(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Info()&types.IsString != 0
	case *types.Tuple:
		for v := range u.Variables() {
			if pointsInto(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

func (f *follower) builtin(b *ssa.Builtin, v ssa.Value, in ssa.CallInstruction) {
	if b.Name() != "append" {
		return // len, cap, copy, clear, print
	}
	if in.Common().Args[0] == v { // the elements of the other argument are copied
		f.value(in.Value())
	}
}
