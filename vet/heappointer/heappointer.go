package heappointer

import (
	_ "embed"
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

//go:embed doc.go
var doc string

// Analyzer finds pointers in memory that the collector does not scan.
var Analyzer = rule.New("heappointer", doc, false, run, summaries)

func run(pass *rule.Pass) error {
	w := pass.ResultOf[summaries].(*world)
	if w == nil {
		return nil
	}
	c := &check{world: w, pass: pass, reported: map[token.Pos]bool{}}
	for _, fn := range w.funcs {
		for instr := range ssautil.Instructions(fn) {
			c.instruction(instr)
		}
	}
	return nil
}

// A check looks for mistakes.
type check struct {
	*world
	pass     *rule.Pass
	reported map[token.Pos]bool
}

func (c *check) instruction(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		c.store(instr)
	case *ssa.Call:
		c.call(instr)
	case *ssa.Return:
		c.result(instr)
	}
}

// store looks at an assignment.
func (c *check) store(s *ssa.Store) {
	if !hasPointers(s.Val.Type()) {
		return
	}
	if m, ok := c.bad(s.Addr, s.Val, s.Block()); ok {
		c.report(storePos(s), s.Val.Type(), m, c.holder(s.Val))
	}
}

// bad reports whether v must not be stored at addr.
func (c *check) bad(addr, v ssa.Value, b *ssa.BasicBlock) (memory, bool) {
	m := c.memory(addr)
	if !m.hidden(b) {
		return m, false
	}
	h := c.holder(v)
	if m.fresh && !leaves(addr) && (h != nobody || uses(v) > 1) {
		return m, false // bytes of a function for itself, and it still has the pointer
	}
	return m, h == nobody || h == callers
}

// uses counts the uses of v.
func uses(v ssa.Value) int {
	if refs := v.Referrers(); refs != nil {
		return len(*refs)
	}
	return 0
}

// leaves reports whether the memory that addr is in is returned or stored.
func leaves(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
			continue
		case *ssa.IndexAddr:
			addr = a.X
			continue
		}
		break
	}
	refs := addr.Referrers()
	if refs == nil {
		return true // a variable of the package
	}
	for _, r := range *refs {
		switch r.(type) {
		case *ssa.Return, *ssa.Store, *ssa.MakeInterface:
			return true
		}
	}
	return false
}

// storePos is the position of an assignment.
func storePos(s *ssa.Store) token.Pos {
	if s.Pos().IsValid() {
		return s.Pos()
	}
	return s.Val.Pos()
}

// call looks at calls that store.
func (c *check) call(call *ssa.Call) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" || b.Name() == "copy" {
			c.copied(call, common.Args[0], common.Args[1])
		}
		return
	}
	targets := fills(common)
	switch {
	case catalog.Callee(common).Appends && len(common.Args) > 2:
		if m := c.memory(call); m.hidden(call.Block()) {
			c.each(call, common.Args[2], m)
		}
	case len(targets) > 0:
		for _, arg := range targets {
			c.filled(call, arg)
		}
	case len(common.Args) > 0 && common.StaticCallee() != nil && common.Signature().Recv() != nil:
		c.held(call, common)
	}
	if s := c.summaryOf(common); s != nil {
		c.instance(call, s)
	}
}

// copied looks at an append or copy of values to memory.
func (c *check) copied(call *ssa.Call, to, from ssa.Value) {
	e := ssautil.Elem(to.Type())
	if e == nil || !hasPointers(e) {
		return
	}
	m := c.memory(to)
	if m.hidden(call.Block()) && !m.fresh {
		c.each(call, from, m)
	}
}

// each looks at a slice whose elements are stored in memory.
func (c *check) each(call *ssa.Call, from ssa.Value, m memory) {
	if e := ssautil.Elem(from.Type()); e == nil || !hasPointers(e) {
		return
	}
	if s, ok := from.(*ssa.Slice); ok {
		if array, ok := s.X.(*ssa.Alloc); ok {
			for _, v := range fieldsOf(array) {
				if h := c.holder(v); hasPointers(v.Type()) && (h == nobody || h == callers) {
					c.report(call.Pos(), v.Type(), m, h)
					return
				}
			}
			return
		}
	}
	if p, ok := from.(*ssa.Parameter); ok {
		if h := c.holder(p); h == callers {
			c.report(call.Pos(), ssautil.Elem(from.Type()), m, h)
		}
	}
}

// filled looks at a pointer that is passed as an interface to a function that fills it.
func (c *check) filled(call *ssa.Call, arg ssa.Value) {
	i, ok := arg.(*ssa.MakeInterface)
	if !ok {
		return
	}
	e := ssautil.Elem(i.X.Type())
	if e == nil || !hasPointers(e) {
		return
	}
	if m := c.memory(i.X); m.hidden(call.Block()) {
		c.report(call.Pos(), e, m, nobody)
	}
}

// held looks at a method of the standard library that allocates what its receiver holds.
func (c *check) held(call *ssa.Call, common *ssa.CallCommon) {
	e := ssautil.Elem(common.Args[0].Type())
	if e == nil {
		return
	}
	if known := catalog.TypeOf(e); ssautil.IsPointer(e) || !known.Allocates || known.Idle[common.StaticCallee().Name()] {
		return
	}
	if m := c.memory(common.Args[0]); m.hidden(call.Block()) {
		c.report(call.Pos(), e, m, nobody)
	}
}

// instance looks at the call of a function that stores values of a type parameter.
func (c *check) instance(call *ssa.Call, s *summary) {
	for _, p := range s.Stored {
		if p.Param >= len(call.Call.Args) {
			continue
		}
		arg := call.Call.Args[p.Param]
		m := memory{kind: region, what: p.What, at: call.Pos()}
		if p.Variadic {
			c.each(call, arg, m)
			continue
		}
		if h := c.holder(arg); hasPointers(arg.Type()) && (h == nobody || h == callers) {
			c.report(call.Pos(), arg.Type(), m, h)
		}
	}
}

// result looks at what an exported function returns: memory of a region that other
// packages are to fill.
func (c *check) result(r *ssa.Return) {
	fn := r.Parent()
	if !c.open(fn) || fn.Parent() != nil {
		return
	}
	for _, v := range r.Results {
		e := ssautil.Elem(v.Type())
		if e == nil || !hasPointers(e) {
			continue
		}
		m := c.memory(v)
		if m.kind == region && m.alloc && !c.assigned(e) && writable(e) && m.at.IsValid() && (!m.cast || c.ours(e)) {
			c.report(m.at, e, m, others)
		}
	}
}

// ours reports whether t is declared in the package: then who cast bytes to it is who says
// what is stored in it.
func (c *check) ours(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == c.pass.Pkg
}

// assigned reports whether the package assigns pointers to fields of t, or is known to use
// elements of type t.
func (c *check) assigned(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for f := range s.Fields() {
		if hasPointers(f.Type()) && len(c.fields[f.Origin()]) > 0 {
			return true
		}
	}
	return false
}

func (c *check) report(pos token.Pos, t types.Type, m memory, h holder) {
	if c.reported[pos] || !pos.IsValid() {
		return
	}
	c.reported[pos] = true
	f := rule.Finding{Pos: pos, Category: rule.Corruption}
	switch h {
	case others:
		name := types.TypeString(t, types.RelativeTo(c.pass.Pkg))
		f.Message = fmt.Sprintf("memory for a %s, which has pointers, is taken from %s, which the garbage collector does not scan: objects referenced only from there are freed while in use", name, m.what)
	default:
		f.Message = fmt.Sprintf("%s is stored in %s, which the garbage collector does not scan: the objects it points to are freed while in use", word(t, c.pass.Pkg), m.what)
	}
	if m.at.IsValid() && m.at != pos {
		f.Related = append(f.Related, rule.Related(m.at, "memory is taken here"))
	}
	c.pass.Report(f)
}
