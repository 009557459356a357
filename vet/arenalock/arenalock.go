package arenalock

import (
	_ "embed"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

//go:embed doc.go
var doc string

// Analyzer finds types with locks in arenas that recycle.
var Analyzer = rule.New("arenalock", doc, false, run, flow.Analyzer, pooluse.Analyzer)

func run(pass *rule.Pass) error {
	c := &check{
		finder: finder{uses: pass.ResultOf[pooluse.Analyzer].(*pooluse.Uses), flow: pass.ResultOf[flow.Analyzer].(*flow.Package), fset: pass.Fset},
		pass:   pass,
	}
	c.collect()
	for _, fn := range c.uses.Funcs {
		for call := range ssautil.InstructionsOf[ssa.CallInstruction](fn) {
			c.allocation(fn, call)
		}
	}
	return nil
}

// A check looks for mistakes.
type check struct {
	finder
	pass *rule.Pass
}

// allocation reports a call that allocates a lock in an arena that recycles.
func (c *check) allocation(fn *ssa.Function, call ssa.CallInstruction) {
	callee, args := c.uses.Callee(call.Common())
	if callee == nil {
		return
	}
	f, _ := callee.Object().(*types.Func)
	if c.shares && catalog.Is(f, "lessgc/arena.Of") {
		return // a shared arena hands out slabs of the heap; only this library's arenas are shared
	}
	for _, t := range c.allocated(catalog.Func(f).Locks, call.Common(), args) {
		path := locker(t)
		if path == nil {
			continue
		}
		if get := c.recycled(args[0], fn); get.IsValid() {
			name := callee.String()
			c.report(call, name[strings.LastIndexByte(name, '/')+1:], path, get)
			return
		}
	}
}

// allocated returns the types of the values that a call allocates in its first argument, an
// arena; nil if it does not.
func (c *check) allocated(locks catalog.Locks, call *ssa.CallCommon, args []ssa.Value) []types.Type {
	switch locks {
	case catalog.LocksElement:
		return elem(call.Signature().Results().At(0).Type())
	case catalog.LocksType:
		return c.reflected(args[1])
	case catalog.LocksSlice:
		if ts := c.reflected(args[1]); ts != nil {
			return elem(ts[0])
		}
	case catalog.LocksArguments:
		p, ok := call.Signature().Results().At(0).Type().(*types.Pointer)
		if !ok {
			return nil
		}
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok {
			var all []types.Type
			for t := range n.TypeArgs().Types() {
				all = append(all, t)
			}
			return all
		}
	}
	return nil
}

// elem returns the type that a pointer or slice points to, in a slice of one; nil for other
// types.
func elem(t types.Type) []types.Type {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return []types.Type{t.Elem()}
	case *types.Slice:
		return []types.Type{t.Elem()}
	}
	return nil
}

// reflected returns the type that a reflect.Type stands for, if a call of TypeFor or TypeOf
// made it.
func (c *check) reflected(v ssa.Value) []types.Type {
	call, ok := c.uses.Source(v).(*ssa.Call)
	if !ok {
		return nil
	}
	f := call.Call.StaticCallee()
	if f == nil {
		return nil
	}
	switch catalog.Plain(f.String()) {
	case "reflect.TypeFor":
		return f.TypeArgs()
	case "reflect.TypeOf":
		if i, ok := call.Call.Args[0].(*ssa.MakeInterface); ok {
			return []types.Type{i.X.Type()}
		}
	}
	return nil
}

func (c *check) report(call ssa.CallInstruction, name string, path []types.Type, get token.Pos) {
	what := "it has the methods Lock and Unlock"
	if len(path) > 1 {
		what = "it holds a lock"
		if lock := c.visible(path); lock != nil {
			what += " (" + c.name(lock) + ")"
		}
	}
	pos, end := c.uses.Range(call)
	c.pass.Report(rule.Finding{
		Pos: pos, End: end, Category: rule.Corruption,
		Message: fmt.Sprintf("%s of %s panics: %s, and the arena recycles its memory; keep the lock on the heap behind a pointer, or use a safe arena", name, c.name(path[0]), what),
		Related: []analysis.RelatedInformation{rule.Related(get, "the arena is from here")},
	})
}

// visible returns the last type on the path that the package can name: a sync.WaitGroup rather
// than the noCopy in it. It is nil if that is the first.
func (c *check) visible(path []types.Type) types.Type {
	for _, t := range slices.Backward(path[1:]) {
		if n, ok := t.(*types.Named); ok && (n.Obj().Exported() || n.Obj().Pkg() == c.pass.Pkg) {
			return n
		}
	}
	return nil
}

// name is t as the package writes it.
func (c *check) name(t types.Type) string { return types.TypeString(t, types.RelativeTo(c.pass.Pkg)) }
