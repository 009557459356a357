package poolmismatch

import (
	_ "embed"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("poolmismatch", doc, false, run, pooluse.Analyzer, inspect.Analyzer)

// A checker checks one package.
type checker struct {
	*rule.Pass
	uses *pooluse.Uses
	said map[token.Pos]bool
}

func run(pass *rule.Pass) error {
	c := &checker{pass, pass.ResultOf[pooluse.Analyzer].(*pooluse.Uses), map[token.Pos]bool{}}
	for _, p := range c.uses.Pools() { // what is known for sure first
		if p.Key.Root != nil {
			c.types(p)
		}
	}
	for _, p := range c.uses.Pools() {
		if p.Key.Root == nil {
			c.types(p)
		}
	}
	for _, op := range c.uses.Ops {
		switch op.Verb {
		case pooluse.Put:
			c.nothing(op)
			c.address(op)
			c.keptCopy(op)
			c.stray(op)
			c.given(op)
		case pooluse.New:
			c.fresh(op)
		}
	}
	if declaresNoCopy(c.Pkg, map[*types.Package]bool{}) {
		c.copies()
	}
	return nil
}

// report reports f, unless there is a finding at the same position already.
func (c *checker) report(f rule.Finding) {
	if !c.said[f.Pos] {
		c.said[f.Pos] = true
		c.Report(f)
	}
}

// at begins a finding about op.
func (c *checker) at(op *pooluse.Op, category string, related ...analysis.RelatedInformation) rule.Finding {
	pos, end := c.uses.Range(op.Call)
	return rule.Finding{Pos: pos, End: end, Category: category, Related: related}
}

// name is t as the package writes it.
func (c *checker) name(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(c.Pkg))
}

// outermost is the declared function around fn.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// same reports whether x and y may be, by one of their keys, the same pool.
func same(x, y pooluse.Location) bool {
	for _, k := range x.Keys() {
		for _, l := range y.Keys() {
			if k == l {
				return true
			}
		}
	}
	return false
}
