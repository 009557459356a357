package arenalock

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// A finder finds out which arenas recycle.
type finder struct {
	uses   *pooluse.Uses
	flow   *flow.Package
	fset   *token.FileSet
	fields map[*types.Var][]given     // what is stored in a field
	vars   map[*ssa.Global][]given    // what is stored in variables of the package
	params map[*ssa.Parameter][]given // what is passed for a parameter
	shares bool                       // the package makes arenas usable by several goroutines
}

// A given is a value that fn stores or passes.
type given struct {
	value ssa.Value
	fn    *ssa.Function
}

// collect notes what is stored and passed in the package.
func (f *finder) collect() {
	f.fields, f.vars, f.params = map[*types.Var][]given{}, map[*ssa.Global][]given{}, map[*ssa.Parameter][]given{}
	for _, fn := range f.uses.Funcs {
		for i := range ssautil.Instructions(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				f.stored(i, fn)
			case ssa.CallInstruction:
				f.passed(i, fn)
			}
		}
	}
}

// passed notes what fn passes to a function of which the package has the source, and whether that makes
// an arena usable by several goroutines.
func (f *finder) passed(c ssa.CallInstruction, fn *ssa.Function) {
	callee, args := f.uses.Callee(c.Common())
	if callee == nil {
		return
	}
	f.shares = f.shares || callee.String() == "(*lessgc/arena.Arena).Share"
	for n, p := range callee.Params {
		if n < len(args) {
			f.params[p] = append(f.params[p], given{args[n], fn})
		}
	}
}

// stored notes what is stored in a field or variable of the package: what those of others
// hold is not known.
func (f *finder) stored(s *ssa.Store, fn *ssa.Function) {
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		if v := ssautil.FieldOf(addr.X.Type(), addr.Field); v.Pkg() == fn.Pkg.Pkg {
			f.fields[v] = append(f.fields[v], given{s.Val, fn})
		}
	case *ssa.Global:
		if addr.Pkg == fn.Pkg {
			f.vars[addr] = append(f.vars[addr], given{s.Val, fn})
		}
	}
}

// recycled returns the position of the Get, of a pool that recycles, that an arena in fn comes
// from. It is NoPos unless all arenas that it may be recycle; nil, which is the heap, does not
// count.
func (f *finder) recycled(arena ssa.Value, fn *ssa.Function) token.Pos {
	s := &search{finder: f, test: f.inTest(fn), seen: map[ssa.Value]bool{}}
	if !s.arena(arena) {
		return token.NoPos
	}
	return s.get
}

// inTest reports whether fn is in a test file. Arenas that tests pass say nothing about those of
// the program.
func (f *finder) inTest(fn *ssa.Function) bool {
	return strings.HasSuffix(f.fset.Position(fn.Pos()).Filename, "_test.go")
}

// A search looks for where one arena comes from. The first value that is not known to recycle
// ends it, so that none has to be looked at twice.
type search struct {
	*finder
	test bool // the arena is used in a test
	seen map[ssa.Value]bool
	get  token.Pos
}

// arena reports whether v is nil, or an arena that recycles.
func (s *search) arena(v ssa.Value) bool {
	v = s.uses.Source(v)
	if ssautil.IsNil(v) || s.seen[v] {
		return true
	}
	s.seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		return allOf(v.Edges, s.arena)
	case *ssa.Parameter:
		return s.all(s.params[v], s.arena)
	case *ssa.Field:
		return s.all(s.fields[ssautil.FieldOf(v.X.Type(), v.Field)], s.arena)
	case *ssa.UnOp:
		return v.Op == token.MUL && s.loaded(v.X)
	case *ssa.Call:
		return s.result(v, 0)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && s.result(call, v.Index)
	}
	return false
}

// loaded is arena for what is read from addr.
func (s *search) loaded(addr ssa.Value) bool {
	switch addr := s.uses.Variable(addr).(type) {
	case *ssa.Alloc:
		stored := s.uses.Stored(addr)
		return len(stored) > 0 && allOf(stored, s.arena)
	case *ssa.FieldAddr:
		return s.all(s.fields[ssautil.FieldOf(addr.X.Type(), addr.Field)], s.arena)
	case *ssa.Global:
		return s.all(s.vars[addr], s.arena)
	}
	return false
}

// result is arena for one of the results of a call.
func (s *search) result(c *ssa.Call, i int) bool {
	callee, args := s.uses.Callee(c.Common())
	if callee == nil {
		return false
	}
	switch callee.String() {
	case "(*lessgc/arena.Pool).Get":
		if !s.pool(args[0]) {
			return false
		}
		if !s.get.IsValid() {
			s.get = c.Pos()
		}
		return true
	case "(*lessgc/arena.Arena).Child":
		return s.arena(args[0])
	}
	for r := range ssautil.Returns(callee) {
		if !s.arena(r.Results[i]) {
			return false
		}
	}
	return len(callee.Blocks) > 0
}

// pool reports whether v is a pool that recycles.
func (s *search) pool(v ssa.Value) bool {
	v = s.uses.Variable(s.uses.Source(v))
	p, ok := v.(*ssa.Parameter)
	if !ok {
		return v != nil && s.flow.Recycles(v)
	}
	if s.seen[p] {
		return true
	}
	s.seen[p] = true
	return s.all(s.params[p], s.pool)
}

// all reports whether ok holds for all values that are given, leaving out those of tests.
func (s *search) all(list []given, ok func(ssa.Value) bool) bool {
	some := false
	for _, g := range list {
		if s.test || !s.inTest(g.fn) {
			if !ok(g.value) {
				return false
			}
			some = true
		}
	}
	return some
}

func allOf(values []ssa.Value, ok func(ssa.Value) bool) bool {
	return !slices.ContainsFunc(values, func(v ssa.Value) bool { return !ok(v) })
}
