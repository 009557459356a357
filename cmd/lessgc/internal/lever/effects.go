package lever

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// hasEffects reports whether a function, or what it calls by name, may do something that its arguments and results
// do not show: set a variable of a package, or what it leads to, write to a file, send, lock, or start
// a goroutine. What it changes of its arguments is seen when it runs.
func (p *Program) hasEffects(fn *ssa.Function) bool {
	e := effects{p, map[visit]bool{}}
	return e.of(fn, 0)
}

// A visit is a function, and which of its parameters lead to variables of packages.
type visit struct {
	fn     *ssa.Function
	shared uint64
}

type effects struct {
	*Program
	seen map[visit]bool
}

// mostVisits bounds the functions that are looked at; beyond, there may be effects.
const mostVisits = 3000

func (e effects) of(fn *ssa.Function, shared uint64) bool {
	if len(fn.Blocks) == 0 {
		return false
	}
	v := visit{fn, shared}
	if e.seen[v] {
		return false
	}
	e.seen[v] = true
	if len(e.seen) > mostVisits {
		return true
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if e.instruction(in, v) {
				return true
			}
		}
	}
	return false
}

func (e effects) instruction(in ssa.Instruction, v visit) bool {
	switch in := in.(type) {
	case *ssa.Go, *ssa.Send, *ssa.Select:
		return true
	case *ssa.Store:
		return v.isShared(in.Addr, 0)
	case *ssa.MapUpdate:
		return v.isShared(in.Map, 0)
	case *ssa.MakeClosure:
		return e.of(in.Fn.(*ssa.Function), 0)
	case *ssa.Call:
		return e.call(in.Common(), v)
	case *ssa.Defer:
		return e.call(in.Common(), v)
	}
	return false
}

func (e effects) call(call *ssa.CallCommon, v visit) bool {
	if call.IsInvoke() {
		return acts(call.Method) || v.isShared(call.Value, 0) && !isError(call.Value.Type())
	}
	switch fn := call.Value.(type) {
	case *ssa.Builtin:
		name := fn.Name()
		return name == "close" || name == "print" || name == "println" || (name == "delete" || name == "clear" || name == "copy") && v.isShared(call.Args[0], 0)
	}
	callee := call.StaticCallee()
	if callee == nil {
		return !madeHere(call.Value) && e.anyOf(call.Signature())
	}
	shared := uint64(0)
	for i, arg := range call.Args {
		if i < 64 && v.isShared(arg, 0) {
			shared |= 1 << i
		}
	}
	if len(callee.Blocks) == 0 {
		return e.external(callee, call, shared)
	}
	return e.of(callee, shared)
}

// anyOf reports whether a function of a type may have effects, of those that are used as values; it may if
// there are none.
func (e effects) anyOf(sig *types.Signature) bool {
	all := e.valuesOf(sig)
	for _, made := range e.closures {
		if fn := made.Fn.(*ssa.Function); sameSignature(fn.Signature, sig) {
			all = append(all, fn)
		}
	}
	all = slices.DeleteFunc(all, func(fn *ssa.Function) bool { return e.inTest(fn.Pos()) })
	return len(all) == 0 || slices.ContainsFunc(all, func(fn *ssa.Function) bool {
		if len(fn.Blocks) == 0 {
			return e.external(fn, nil, 0)
		}
		return e.of(fn, 0)
	})
}

// madeHere reports whether a function value is a literal of the function that calls it.
func madeHere(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeClosure, *ssa.Function:
		return true
	case *ssa.UnOp:
		_, ok := v.X.(*ssa.Alloc)
		return ok
	case *ssa.Call: // an iterator
		callee := v.Call.StaticCallee()
		return callee != nil && callee.Object() != nil && callee.Object().Pkg() != nil && iterates[callee.Object().Pkg().Path()]
	}
	return false
}

// iterates are packages whose functions return iterators over what they are given.
var iterates = map[string]bool{"strings": true, "bytes": true, "slices": true, "maps": true}

// isShared reports whether a value is, or leads from, a variable of a package.
func (v visit) isShared(x ssa.Value, depth int) bool {
	if depth > 20 {
		return true
	}
	switch x := x.(type) {
	case *ssa.Global:
		return true
	case *ssa.Parameter:
		for i, param := range v.fn.Params {
			if param == x && i < 64 {
				return v.shared&(1<<i) != 0
			}
		}
	case *ssa.FieldAddr:
		return v.isShared(x.X, depth+1)
	case *ssa.IndexAddr:
		return v.isShared(x.X, depth+1)
	case *ssa.UnOp:
		return pointsInto(x.Type()) && v.isShared(x.X, depth+1)
	case *ssa.Slice:
		return v.isShared(x.X, depth+1)
	case *ssa.ChangeType:
		return v.isShared(x.X, depth+1)
	case *ssa.MakeInterface:
		return pointsInto(x.X.Type()) && v.isShared(x.X, depth+1)
	case *ssa.ChangeInterface:
		return v.isShared(x.X, depth+1)
	case *ssa.TypeAssert:
		return v.isShared(x.X, depth+1)
	case *ssa.Extract:
		return v.isShared(x.Tuple, depth+1)
	case *ssa.Lookup:
		return pointsInto(x.Type()) && v.isShared(x.X, depth+1)
	case *ssa.Phi:
		for _, edge := range x.Edges {
			if edge != x && v.isShared(edge, depth+8) {
				return true
			}
		}
	}
	return false
}

// actions begin the names of methods that do something to the world outside.
var actions = []string{"Create", "Remove", "Rename", "Mkdir", "TempFile", "Symlink", "Chmod", "Put", "Delete", "Exec", "RoundTrip", "Publish", "Send",
	"Dial", "Listen", "Accept", "Sleep", "Print", "Log", "Info", "Warn", "Debug", "Fatal", "Commit", "Lock", "RLock", "Store", "Now", "Emit", "Observe", "Notify"}

// acts reports whether a method of an interface may do something that is not seen in memory.
func acts(m *types.Func) bool {
	if m.Name() == "Do" || m.Name() == "Inc" {
		return true
	}
	for _, prefix := range actions {
		if strings.HasPrefix(m.Name(), prefix) {
			return true
		}
	}
	return false
}

// reads are functions of the standard library that may be given the address of a variable of a package, and change
// nothing that matters.
var reads = map[string]bool{"(*sync.Pool).Get": true, "(*sync.Pool).Put": true, "(*sync.Once).Do": true, "(*sync.Map).Load": true,
	"(*sync/atomic.Bool).Load": true, "(*sync/atomic.Int64).Load": true, "(*sync/atomic.Int32).Load": true, "(*sync/atomic.Value).Load": true, "(*sync/atomic.Pointer).Load": true}

// worldly begin the names of functions that do something to the world outside, or ask it something that changes.
var worldly = []string{"os.Create", "os.Write", "os.Remove", "os.Mkdir", "os.Rename", "os.OpenFile", "os.Exit", "os.Set", "os.Unset", "os.Ch", "os.Link", "os.Symlink",
	"os.Truncate", "(*os.File).Write", "(*os.File).Truncate", "(*os.File).Sync", "(*os.File).Seek", "os/exec.", "(*os/exec.", "os/signal.", "net.Dial", "net.Listen", "net/http.", "(*net/http.Client)",
	"fmt.Print", "fmt.Fprint", "fmt.Scan", "log.", "(*log.", "log/slog.", "(*log/slog.", "time.Now", "time.Sleep", "time.After", "time.New", "time.Since", "math/rand", "(*math/rand", "crypto/rand.",
	"(*sync.Mutex).", "(*sync.RWMutex).", "(*sync.Cond).", "(*sync.WaitGroup).", "(*sync.Map).Store", "(*sync.Map).LoadOr", "(*sync.Map).Delete", "sync/atomic.Store", "sync/atomic.Add", "sync/atomic.Swap",
	"runtime.", "runtime/debug.", "syscall.", "golang.org/x/sys/", "database/sql.", "(*database/sql.", "expvar.", "context.With", "testing."}

// external reports whether a function whose source is not loaded may have effects.
func (e effects) external(callee *ssa.Function, call *ssa.CallCommon, shared uint64) bool {
	name := fullName(callee)
	if reads[name] {
		return false
	}
	for _, prefix := range worldly {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	if name == "fmt.Fprintf" || shared == 0 {
		return false
	}
	for _, arg := range call.Args { // an address may be written to; what is loaded is read, as a rule
		if _, ok := arg.(*ssa.Global); ok {
			return true
		}
	}
	return false
}
