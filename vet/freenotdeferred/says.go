package freenotdeferred

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/directive"
	"lessgc/vet/internal/rule"
)

// A said is the fact that directives declare the result of a function to be an arena, or that it releases
// parameters.
type said struct {
	Acquires bool
	Releases []int // the receiver counts
}

// AFact makes said a fact.
func (*said) AFact() {}

// says collects what the directives of a package say.
var says = &analysis.Analyzer{
	Name:       "freenotdeferredsays",
	Doc:        "find functions that make or free arenas by what their directives say",
	Requires:   []*analysis.Analyzer{directive.Analyzer},
	ResultType: reflect.TypeFor[map[*types.Func]*said](),
	FactTypes:  []analysis.Fact{new(said)},
	Run: func(pass *analysis.Pass) (result any, err error) {
		all := map[*types.Func]*said{}
		defer rule.Recover(pass, &err)
		for decl, list := range pass.ResultOf[directive.Analyzer].(*directive.Directives).Funcs {
			f, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			s := new(said)
			for _, d := range list {
				switch d.Verb {
				case "acquire":
					s.Acquires = d.Arg == "arena" || d.Arg == "recycled"
				case "releases":
					s.Releases = append(s.Releases, parameters(f, d.Arg)...)
				}
			}
			if s.Acquires || len(s.Releases) > 0 {
				all[f] = s
				pass.ExportObjectFact(f, s)
			}
		}
		return all, nil
	},
}

// parameters returns the number of the parameter with a name.
func parameters(f *types.Func, name string) []int {
	var all []*types.Var
	if r := f.Signature().Recv(); r != nil {
		all = append(all, r)
	}
	for v := range f.Signature().Params().Variables() {
		all = append(all, v)
	}
	if i := slices.IndexFunc(all, func(v *types.Var) bool { return v.Name() == name }); i >= 0 {
		return []int{i}
	}
	return nil
}

// A checker is a pass together with its directives.
type checker struct {
	*rule.Pass
	here map[*types.Func]*said
}

// said returns what directives say of a function.
func (c *checker) said(f *types.Func) *said {
	var s said
	if f == nil {
		return &s
	}
	if own := c.here[f.Origin()]; own != nil {
		return own
	}
	if f.Pkg() != nil && f.Pkg() != c.Pkg {
		c.ImportObjectFact(f.Origin(), &s)
	}
	return &s
}

// releases reports whether a function is known to release a parameter.
func (c *checker) releases(f *types.Func, i int) bool {
	if p := catalog.Func(f).Params; i < len(p) && p[i].Release {
		return true
	}
	return slices.Contains(c.said(f).Releases, i)
}
