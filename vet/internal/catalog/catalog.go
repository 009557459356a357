package catalog

import (
	_ "embed"
	"go/types"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A Kind is the kind of resource that is acquired, and decides what a mistake costs.
type Kind uint8

// The kinds.
const (
	None     Kind = iota
	Item          // a value of a pool
	Safe          // an arena whose memory is left to the collector: only the arena itself must not be used after Free
	Std           // an arena whose memory is gone after Free
	Typed         // a recycled arena whose strings stay valid
	Recycled      // a recycled arena
	OffHeap       // an arena outside the heap, which the collector does not free
)

// Arena reports whether k is an arena of any kind.
func (k Kind) Arena() bool { return k >= Safe }

// A Memory describes a result that the collector does not scan.
type Memory uint8

// The kinds of unscanned memory.
const (
	Scanned       Memory = iota
	UnscannedType        // of the type argument, or what it points to
	UnscannedRaw         // bytes, or an address
	UnscannedText        // a string
)

// A Pool describes the values of a type that is a pool.
type Pool uint8

// The kinds of pools. Each has methods Get and Put.
const (
	NoPool     Pool = iota
	AnyPool         // interface values, as sync.Pool
	TypedPool       // values of one type
	BufferPool      // buffers of several sizes; Put panics for those of another pool
	ArenaPool       // arenas
)

// Locks says of which types a function allocates values in an arena, its first argument. If that recycles,
// and one of them has a lock, the function panics.
type Locks uint8

// The types.
const (
	NoLocks        Locks = iota // it does not, or does not panic
	LocksElement                // what its result points to, or has as elements
	LocksType                   // what its second argument is, a reflect.Type
	LocksSlice                  // the elements of that
	LocksArguments              // the type arguments of what its result points to
)

// A Function holds what is known about a function, method or interface method. The zero value knows
// nothing.
type Function struct {
	// Flows says that the fields Acquires and Params are all that the function does with values;
	// its code is not looked at.
	Flows    bool
	Acquires Kind // of the first result
	Params   []Param

	Slice     *Slice // the result is a slice in an arena
	Memory    Memory // of its first result
	Appends   bool   // it appends its third argument, a slice, to its second, in memory of that kind
	Part      bool   // its result is part of its first argument, or that itself
	Single    bool   // it makes an arena that one goroutine at a time may use,
	Plain     bool   // if it is called without options
	Goroutine []int  // parameters that are functions which it runs in a goroutine
	FreedBy   string // the full name of the function that frees the result
	Makes     bool   // its first result is a new pool

	NonNil     bool  // its result is never nil
	Fresh      bool  // strings and slices that it returns are new
	Fills      []int // parameters, pointers in interfaces, behind which it writes what it has read
	Calm       bool  // it does not panic
	Concurrent bool  // it may be called while other goroutines use the arena that it gets
	Limits     bool  // it limits how much is read
	Few        bool  // it appends a few bytes at most
	Locks      Locks

	name string
}

// A Param describes what a function does with a parameter. "The result" is the first.
type Param struct {
	Release bool // it releases it
	Reset   bool // it releases what was allocated from it
	Keep    bool // it keeps it for long
	Own     bool // it takes it over
	Same    bool // the result is the parameter
	Alias   bool // the result shares its memory
	Hold    bool // the result holds it
	Once    bool // the result is a function that calls it, the first time only
	Alloc   bool // the result is memory of this arena
	Text    bool // the result is a string of this arena
	Scope   bool // it is a function that must not keep its argument
	Spawn   bool // it is a function that is called later, or by a goroutine

	Stored uint64 // the parameters in which it is stored, as bits
}

// A Slice records which arguments of a function are the length and the capacity of the slice that it
// makes. Without a capacity, that is the length; -1 stands for none.
type Slice struct{ Len, Cap int }

// A Type holds what is known about a named type. The zero value knows nothing.
type Type struct {
	Arena     Kind // it is an arena of at least this kind
	Handle    bool // it allocates from an arena, and must not be used after Free whatever the policy
	Buffer    bool // a failed method does not break it
	Lent      bool // whoever keeps one for a while is done with it before its owner releases it
	Confined  bool // one goroutine at a time may use it
	Depends   bool // so it is only if a function made it that is Single
	NoCopy    bool // it must not be copied
	Pool      Pool
	Allocates bool            // a holder of the standard library: its methods allocate what they hold,
	Idle      map[string]bool // but for these
	Job       map[string]bool // nil, or it is run once, and its fields are of no use afterwards: methods that do not wait for that

	Infallible map[string]bool // methods that return no error but nil

	name string
}

// A Catalog is a set of statements.
type Catalog struct {
	functions map[string]*Function // by their full names
	types     map[string]*Type
	last      map[string]bool // names of functions without their packages and types

	functionsOf map[string][]*Function // by the unversioned path of their package
	typesOf     map[string][]*Type
}

//go:embed catalog.txt
var catalogText string

// builtin returns the catalog in catalog.txt.
var builtin = sync.OnceValue(func() *Catalog {
	c, err := Parse(catalogText)
	if err != nil {
		panic("catalog.txt: " + err.Error())
	}
	return c
})

// users is the catalog that Use was called with last.
var users = new(Catalog)

// Use adds the statements of users to the catalog of all rules of the process. It must not be
// called while one runs.
func Use(c *Catalog) { users = c }

// nothing is known.
var (
	noFunction = new(Function)
	noType     = new(Type)
)

// Func returns the entry of a function; f may be nil. A statement that does not fit its parameters and results
// is left out, so that rules may index a call's arguments by it. The result is never nil, and must not
// be changed.
func Func(f *types.Func) *Function {
	if f == nil || !builtin().last[f.Name()] && !users.last[f.Name()] {
		return noFunction
	}
	full := Plain(f.Origin().FullName())
	known := builtin().functions[full]
	if known == nil {
		known = builtin().functions[Unversioned(full)]
	}
	if known == nil {
		known = noFunction
	}
	if user := users.functions[full]; user != nil {
		known = user.over(known)
	}
	return known.fit(f.Signature())
}

// Callee returns the entry of the function that a call names.
func Callee(c *ssa.CallCommon) *Function { return Func(ssautil.Callee(c)) }

// Says reports whether a statement about f, or about all functions of its package, is such that the
// predicate holds; f may be nil.
func Says(f *types.Func, says func(*Function) bool) bool {
	if f == nil {
		return false
	}
	if says(Func(f)) {
		return true
	}
	if f.Pkg() == nil {
		return false
	}
	path := f.Pkg().Path()
	for _, all := range []*Function{builtin().functions[Unversioned(path)+whole], builtin().functions[path+whole], users.functions[path+whole]} {
		if all != nil && says(all) {
			return true
		}
	}
	return false
}

// TypeOf returns the entry of the type that t is or points to. The result is never nil, and must
// not be changed.
func TypeOf(t types.Type) *Type {
	name := ssautil.TypeName(t)
	if name == "" {
		return noType
	}
	if user := users.types[name]; user != nil {
		return user
	}
	if known := builtin().types[name]; known != nil {
		return known
	}
	if known := builtin().types[Unversioned(name)]; known != nil {
		return known
	}
	return noType
}

// over returns what f and then known say: f is what a user says.
func (f *Function) over(known *Function) *Function {
	x := *f
	if !x.Flows {
		x.Flows, x.Acquires, x.Params, x.Goroutine = known.Flows, known.Acquires, known.Params, known.Goroutine
	}
	if x.Slice == nil {
		x.Slice = known.Slice
	}
	if x.Memory == Scanned {
		x.Memory, x.Appends = known.Memory, known.Appends
	}
	x.Part = x.Part || known.Part
	x.Makes = x.Makes || known.Makes
	x.NonNil = x.NonNil || known.NonNil
	x.Fresh = x.Fresh || known.Fresh
	x.Calm = x.Calm || known.Calm
	x.Concurrent = x.Concurrent || known.Concurrent
	x.Limits = x.Limits || known.Limits
	x.Few = x.Few || known.Few
	if x.Locks == NoLocks {
		x.Locks = known.Locks
	}
	if x.Fills == nil {
		x.Fills = known.Fills
	}
	if !x.Single {
		x.Single, x.Plain = known.Single, known.Plain
	}
	if x.FreedBy == "" {
		x.FreedBy = known.FreedBy
	}
	return &x
}

// fit returns f without what does not fit a signature: statements are checked against none, and another
// version of a library may have fewer parameters.
func (f *Function) fit(sig *types.Signature) *Function {
	n, results := sig.Params().Len(), sig.Results().Len()
	if sig.Recv() != nil {
		n++
	}
	if n >= f.operands() && results > 0 {
		return f
	}
	x := *f
	x.Params = slices.Clone(f.Params[:min(n, len(f.Params))])
	for i := range x.Params {
		x.Params[i].Stored &= 1<<n - 1
	}
	tooMany := func(i int) bool { return i >= n }
	x.Goroutine, x.Fills = slices.DeleteFunc(slices.Clone(f.Goroutine), tooMany), slices.DeleteFunc(slices.Clone(f.Fills), tooMany)
	if x.Slice != nil && max(x.Slice.Len, x.Slice.Cap) >= n {
		x.Slice = nil
	}
	x.Appends = x.Appends && n >= appendOperands
	x.Part, x.Plain = x.Part && n > 0, x.Plain && n > 0
	if n < f.Locks.operands() || results == 0 {
		x.Locks = NoLocks
	}
	if results == 0 {
		x.Acquires, x.Slice, x.Memory, x.Appends, x.Part = None, nil, Scanned, false, false
		x.Single, x.Plain, x.Makes, x.FreedBy = false, false, false, ""
		x.NonNil, x.Fresh = false, false
		for i := range x.Params {
			p := &x.Params[i]
			p.Same, p.Alias, p.Hold, p.Once, p.Alloc, p.Text = false, false, false, false, false, false
		}
	}
	return &x
}

// appendOperands is the smallest number of parameters of a function that Appends.
const appendOperands = 3

// operands returns how many parameters a function must have for what f says.
func (f *Function) operands() int {
	n := len(f.Params)
	for _, p := range f.Params {
		n = max(n, bits.Len64(p.Stored))
	}
	for _, i := range slices.Concat(f.Goroutine, f.Fills) {
		n = max(n, i+1)
	}
	if f.Slice != nil {
		n = max(n, f.Slice.Len+1, f.Slice.Cap+1)
	}
	if f.Part || f.Plain {
		n = max(n, 1)
	}
	if f.Appends {
		n = max(n, appendOperands)
	}
	return max(n, f.Locks.operands())
}

// operands returns how many parameters a function must have.
func (l Locks) operands() int {
	switch l {
	case NoLocks:
		return 0
	case LocksType, LocksSlice:
		return 2
	}
	return 1
}

// Is reports whether full, which may lack the major version, is the full name of f; f may be nil.
func Is(f *types.Func, full string) bool {
	if f == nil || full == "" {
		return false
	}
	name := Plain(f.Origin().FullName())
	return name == full || Unversioned(name) == full
}

// Declares reports whether pkg has a function or type that one of the predicates holds for. A nil
// predicate holds for none.
func Declares(pkg *types.Package, ofFunction func(*Function) bool, typ func(*Type) bool) bool {
	return mentions(map[string]bool{Unversioned(pkg.Path()): true}, ofFunction, typ)
}

// Imports reports whether pkg, or a package that it imports, declares such a function or type.
func Imports(pkg *types.Package, ofFunction func(*Function) bool, typ func(*Type) bool) bool {
	paths := map[string]bool{Unversioned(pkg.Path()): true}
	for _, p := range pkg.Imports() {
		paths[Unversioned(p.Path())] = true
	}
	return mentions(paths, ofFunction, typ)
}

// mentions reports whether an entry is of one of the packages, and a predicate holds for it.
func mentions(paths map[string]bool, ofFunction func(*Function) bool, typ func(*Type) bool) bool {
	for _, c := range []*Catalog{builtin(), users} {
		for path := range paths {
			if ofFunction != nil && slices.ContainsFunc(c.functionsOf[path], ofFunction) || typ != nil && slices.ContainsFunc(c.typesOf[path], typ) {
				return true
			}
		}
	}
	return false
}

// Receives reports whether a method of the type that t is or points to is a function for which the
// predicate holds.
func Receives(t types.Type, ofFunction func(*Function) bool) bool {
	name := Unversioned(ssautil.TypeName(t))
	if name == "" {
		return false
	}
	for _, c := range []*Catalog{builtin(), users} {
		for _, f := range c.functionsOf[PackageOf(name)] {
			if recv, _, ok := strings.Cut(strings.TrimLeft(f.name, "(*"), ")"); ok && Unversioned(recv) == name && ofFunction(f) {
				return true
			}
		}
	}
	return false
}

// param makes room for parameter i.
func (f *Function) param(i int) *Param {
	for len(f.Params) <= i {
		f.Params = append(f.Params, Param{})
	}
	return &f.Params[i]
}
