package poolnoreset

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// A field describes what the package does with one field of pooled structs.
type field struct {
	path     string            // its name, after those of the structs that it is nested in
	writes   []ssa.Instruction // that leave data for the next user
	plain    []ssa.Instruction // that do so if nothing replaces it before it is read
	options  []ssa.Instruction // that leave an option, if readers ask whether there is one
	tested   bool              // readers do
	branched bool              // some of plain are in one branch of a function that gets a value
	stale    []*pooluse.Op     // the Gets after which it is read before it is overwritten
	must     bool              // all are plain: only what is always read counts
	listed   bool              // its elements are counted or ranged over
	read     bool              // something loads what it holds
	reset    bool              // something empties or replaces it, or may do so
}

// A summary describes what the functions that may have a value of a pool do with its fields.
// It compares what is written with what is reset: a reset in any of these functions counts,
// whether before Put, after Get, or in a method that one of them calls.
type summary struct {
	looker *looker
	uses   *pooluse.Uses
	funcs  map[*ssa.Function]bool
	public bool // values get to callers or into interfaces: any method may be called
	fields map[string]*field
	kept   map[string]bool // copied by an assignment of a whole struct
	whole  bool            // whole structs are assigned
	passed bool            // values get to code that is not seen

	calls map[*ssa.Function]bool // functions of the package that are called with a value
	first map[step]outcome
}

// summarize looks at the fields of the values of a pool. It is nil if they are not structs
// of this package.
func summarize(l *looker, uses *pooluse.Uses) *summary {
	n, ok := types.Unalias(l.view.Elem).(*types.Named)
	if !ok || n.Obj().Pkg() != l.pass.Pkg || n.TypeParams().Len() > 0 || !ssautil.IsPointer(l.view.Item) {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	s := &summary{looker: l, uses: uses, funcs: maps.Clone(l.view.Funcs), fields: map[string]*field{}, kept: map[string]bool{},
		calls: map[*ssa.Function]bool{}, first: map[step]outcome{}}
	for _, fn := range uses.Funcs {
		s.public = s.public || s.funcs[fn] && s.leaves(fn)
	}
	if s.public {
		for _, fn := range uses.Funcs {
			s.funcs[fn] = true
		}
	}
	s.exclude()
	for _, fn := range uses.Funcs {
		if s.funcs[fn] {
			for i := range ssautil.Instructions(fn) {
				s.instruction(fn, i)
			}
		}
	}
	return s
}

// leaves reports whether fn returns a value to other packages, or makes an interface of one
// that is not just put.
func (s *summary) leaves(fn *ssa.Function) bool {
	for i := range ssautil.Instructions(fn) {
		switch i := i.(type) {
		case *ssa.Return:
			obj, ok := fn.Object().(*types.Func)
			for _, r := range i.Results {
				if ok && obj.Exported() && s.is(r) {
					return true
				}
			}
		case *ssa.MakeInterface:
			if s.is(i.X) && !s.onlyPut(i) {
				return true
			}
		case ssa.CallInstruction:
			c := i.Common()
			if callee, _ := s.uses.Callee(c); callee != nil && callee.Pkg == s.uses.SSA.Pkg {
				continue
			}
			if slices.ContainsFunc(c.Args, s.is) && !s.looker.puts(i) {
				return true
			}
		}
	}
	return false
}

func (s *summary) onlyPut(m *ssa.MakeInterface) bool {
	for r := range ssautil.Uses[ssa.Instruction](m) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Return: // of New
			if r.Parent().Parent() == nil || token.IsExported(r.Parent().Name()) {
				return false
			}
		case ssa.CallInstruction:
			if !s.looker.puts(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// is reports whether v is a value that may come from the pool: one that is not made here.
func (s *summary) is(v ssa.Value) bool {
	v = s.uses.Source(v)
	return types.Identical(v.Type(), s.looker.view.Item) && !s.looker.view.New(v)
}

// path is the name of the field that a is the address of, empty if it is none of a pooled
// value.
func (s *summary) path(a ssa.Value) string {
	var names []string
	for {
		fa, ok := a.(*ssa.FieldAddr)
		if !ok {
			break
		}
		names = append(names, ssautil.Field(fa).Name())
		a = s.uses.Source(fa.X)
	}
	if len(names) == 0 || !s.is(a) {
		return ""
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// field returns the entry of a path, which it adds if there is none.
func (s *summary) field(path string) *field {
	f := s.fields[path]
	if f == nil {
		f = &field{path: path}
		s.fields[path] = f
	}
	return f
}

func (s *summary) instruction(fn *ssa.Function, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		if path := s.path(i); path != "" {
			for r := range ssautil.Uses[ssa.Instruction](i) {
				s.address(fn, i, path, r)
			}
		}
	case *ssa.Store:
		if s.is(i.Addr) {
			s.assigned(i)
		}
	case *ssa.UnOp:
		if i.Op == token.MUL && s.is(i.X) { // a copy of all fields
			s.passed = true
		}
	case *ssa.Convert:
		s.passed = s.passed || s.is(i.X)
	}
	if call, ok := i.(ssa.CallInstruction); ok {
		if callee, args := s.uses.Callee(call.Common()); callee != nil && slices.ContainsFunc(args, s.is) {
			s.calls[callee] = true
		}
	}
}

// assigned looks at an assignment of a whole struct: all of its fields are replaced, but for
// those that the literal copies.
func (s *summary) assigned(st *ssa.Store) {
	if s.atGet(st) {
		return
	}
	s.whole = true
	load, ok := st.Val.(*ssa.UnOp)
	if !ok {
		return
	}
	literal, ok := load.X.(*ssa.Alloc)
	if !ok {
		return
	}
	for fa := range ssautil.Uses[*ssa.FieldAddr](literal) {
		for set := range ssautil.StoresTo(fa) {
			if from := ssautil.LoadedFrom(set.Val); from != nil && s.path(from) == ssautil.Field(fa).Name() {
				s.kept[s.path(from)] = true
			}
		}
	}
}

// address looks at a use of the address of a field.
func (s *summary) address(fn *ssa.Function, fa *ssa.FieldAddr, path string, use ssa.Instruction) {
	f := s.field(path)
	switch use := use.(type) {
	case *ssa.FieldAddr, *ssa.DebugRef:
	case *ssa.Store:
		if use.Addr != fa {
			f.reset = true // another name for it
			return
		}
		s.store(fn, f, use)
	case *ssa.UnOp:
		s.load(f, use)
	case ssa.CallInstruction:
		s.method(f, use, fa)
	case *ssa.MakeInterface:
		s.writer(f, use)
	default:
		f.reset = true
	}
}

// method looks at a call that gets a field, or its address: a method of the standard
// library adds to it, resets it, or reads.
func (s *summary) method(f *field, call ssa.CallInstruction, v ssa.Value) {
	c := call.Common()
	m := ssautil.Callee(c)
	args := ssautil.Arguments(c)
	switch {
	case c.Value == v: // a function that the field holds
		f.read = true
	case m == nil || m.Signature().Recv() == nil || args[0] != v || !standard(m.Pkg()):
		f.reset = f.reset || !ssautil.IsSlice(v.Type()) && !types.IsInterface(v.Type()) && !basic(v.Type())
		f.read = true
	case resets(m.Name()) || drains(m.Name()) || lends(m):
		f.reset = true
	case isBuffer(v.Type()) && writes(m.Name()):
		s.wrote(f, call)
		f.read = true
	default:
		f.read = true
		f.reset = f.reset || !isBuffer(v.Type()) && !types.IsInterface(v.Type()) && !basic(v.Type())
	}
}

// lends reports whether a method gives its buffer a length, or others its memory.
func lends(m *types.Func) bool { return m.Name() == "AvailableBuffer" || m.Name() == "Truncate" }

func isBuffer(t types.Type) bool {
	n := ssautil.TypeName(t)
	return n == "bytes.Buffer" || n == "strings.Builder"
}

func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// writer looks at a buffer that is passed as an interface.
func (s *summary) writer(f *field, m *ssa.MakeInterface) {
	i, ok := m.Type().Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 || !isBuffer(m.X.Type()) {
		f.reset = true
		return
	}
	for x := range i.Methods() {
		if x.Name() != "Write" && x.Name() != "WriteString" && x.Name() != "WriteByte" {
			f.reset = true
		}
	}
	for r := range ssautil.Uses[ssa.Instruction](m) {
		switch r.(type) {
		case ssa.CallInstruction:
			s.wrote(f, m)
		case *ssa.DebugRef:
		default:
			f.reset = true
		}
	}
}

// wrote notes that i leaves data in a field.
func (s *summary) wrote(f *field, i ssa.Instruction) {
	f.writes = append(f.writes, i)
}

// load looks at what is done with what a field holds.
func (s *summary) load(f *field, load *ssa.UnOp) {
	t := load.Type().Underlying()
	_, isMap := t.(*types.Map)
	_, isPointer := t.(*types.Pointer)
	f.tested = f.tested || tests(load)
	for r := range ssautil.Uses[ssa.Instruction](load) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MapUpdate:
			if r.Map == load {
				s.wrote(f, r)
				continue
			}
			f.read = true
			f.reset = f.reset || isMap || isPointer
		case *ssa.Range:
			f.read, f.listed = true, true
		case *ssa.MakeInterface:
			f.read = true
			if isPointer {
				s.writer(f, r)
			}
			f.reset = f.reset || isMap
		case ssa.CallInstruction:
			s.given(f, load, r)
		case *ssa.BinOp:
			f.read = f.read || !ssautil.IsNil(r.X) && !ssautil.IsNil(r.Y) || isError(load.Type())
		case *ssa.Slice:
			f.read = f.read || !empties(r)
		case *ssa.Lookup, *ssa.Index:
			f.read = true
		case *ssa.UnOp:
			f.read = true
			f.reset = f.reset || (isMap || isPointer) && !copied(r.Type())
		case *ssa.IndexAddr, *ssa.FieldAddr:
			f.read = true
			f.reset = f.reset || isPointer && !onlyRead(r.(ssa.Value))
		default:
			f.read = true
			f.reset = f.reset || isMap || isPointer
		}
	}
}

// copied reports whether nothing that is done with a loaded value of type t can empty what is in memory.
func copied(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Slice:
		return true
	}
	return false
}

// onlyRead reports whether the only use of an address is to load what is there, and that is nothing that could
// be emptied in its turn, as the map in this:
//
//	clear(r.details.names)
func onlyRead(address ssa.Value) bool {
	for r := range ssautil.Uses[ssa.Instruction](address) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if !copied(r.Type()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// given looks at a call that gets what a field holds.
func (s *summary) given(f *field, load *ssa.UnOp, call ssa.CallInstruction) {
	b, ok := call.Common().Value.(*ssa.Builtin)
	if !ok {
		s.method(f, call, load)
		if _, m := load.Type().Underlying().(*types.Map); m {
			f.reset = true
		}
		return
	}
	switch b.Name() {
	case "clear", "delete":
		f.reset = true
	case "len":
		f.read, f.listed = true, true
	case "cap":
	case "append": // to what it holds, too: the next user's is written behind that, and all of it stays
		f.read = true
	default:
		f.read = true
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// empties reports whether x is v[:0].
func empties(x *ssa.Slice) bool {
	c, ok := x.High.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == 0
}
