package poolmismatch

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// fresh reports a call of New that should be one of Get.
func (c *checker) fresh(op *pooluse.Op) {
	gets, puts, open := 0, 0, false
	for _, k := range op.Pool.Keys() {
		g := c.uses.At(k)
		open = open || g.Open || k.Exported() || k.Pointer() && len(g.Allocs) == 0
	}
	var put *pooluse.Op // of what this call makes
	for _, o := range c.uses.Ops {
		if !same(o.Pool, op.Pool) {
			continue
		}
		switch o.Verb {
		case pooluse.Get:
			if outermost(o.Fn) == outermost(op.Fn) {
				return // in case that Get gives nil
			}
			gets++
		case pooluse.Put:
			puts++
			if op.Item != nil && c.uses.Root(o.Item) == op.Item {
				put = o
			}
		}
	}
	var related []analysis.RelatedInformation
	switch {
	case put != nil:
		if ssautil.Reaches(op.Call.Block(), op.Call.Block()) || !c.used(op.Item) {
			return // fills the pool
		}
		related = append(related, rule.Related(put.Pos(), "it is put back here"))
	case puts == 0 || gets > 0 || open || len(op.Pool.Keys()) == 0:
		return
	}
	f := c.at(op, rule.Leak, related...)
	f.Message = "New of " + op.Pool.String() + " is called instead of Get: every call allocates, and values put back are never reused"
	if call := c.uses.Syntax(op.Call); call != nil {
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "New" {
			f.Fixes = []analysis.SuggestedFix{{Message: "Call Get", TextEdits: []analysis.TextEdit{{Pos: s.Sel.Pos(), End: s.Sel.End(), NewText: []byte("Get")}}}}
		}
	}
	c.report(f)
}

// used reports whether something is done with v but putting it.
func (c *checker) used(v ssa.Value) bool {
	for _, r := range c.uses.Referrers(v) {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			if c.used(r) {
				return true
			}
		case *ssa.MakeInterface:
			if c.used(r) {
				return true
			}
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if !c.isPut(r) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (c *checker) isPut(call ssa.CallInstruction) bool {
	for _, op := range c.uses.Ops {
		if op.Call == call && op.Verb == pooluse.Put {
			return true
		}
	}
	return false
}
