package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Can a call that is asked for its error fail at all? If not, the branch for it needs no release:
//
//	if _, err := b.WriteString(s); err != nil {
//		return err // never: b is a bytes.Buffer
//	}
//	if err := rc.Close(); err != nil {
//		return err // never, if each Close that rc can have returns nil
//	}
//	if _, err := fmt.Fprintf(w, "%s", s); err != nil {
//		return err // perhaps
//	}
//
// It knows documented cases from the catalog, and looks at the returns of functions of the package. All that is not
// known can fail. A wrong yes would be serious: the edge has no states then, and no longer stands
// between a release and a bad use.

// Impossible reports whether a condition, being yes, says that a call has failed that is documented
// never to fail, or whose callee returns nil for the error each time, or that copy has copied too little.
// The branch for that is there because the method implements an interface, or out of caution.
func (f *Function) Impossible(cond ssa.Value, yes bool) bool {
	if f.copiesLess(cond, yes) {
		return true
	}
	v, zero := f.test(cond, yes)
	if zero || !types.Identical(v.Type(), ErrorType) {
		return false
	}
	result := 0
	if e, ok := v.(*ssa.Extract); ok {
		v, result = e.Tuple, e.Index
	}
	c, ok := v.(*ssa.Call)
	return ok && (infallible(&c.Call) || f.returnsNil(&c.Call, result))
}

// returnsNil reports whether all that a call can reach are functions of the package, each of which returns
// nil for a result.
//
// Each callee that is possible has to return the constant nil at each return. What it returns from
// another call is not followed.
func (f *Function) returnsNil(c *ssa.CallCommon, result int) bool {
	var all []*ssa.Function
	if c.IsInvoke() {
		all = f.targets(c)
	} else if fn := c.StaticCallee(); fn != nil {
		all = []*ssa.Function{f.Package.Source(fn)}
	}
	for _, fn := range all {
		callee := f.Package.Funcs[fn]
		if callee == nil {
			return false
		}
		for _, ret := range callee.Returns() {
			if !IsNil(ret.Results[result]) {
				return false
			}
		}
	}
	return len(all) > 0
}

// infallible reports whether a call never returns an error: the catalog says so of the method and the type
// that it is called on, or it marshals what is plain.
func infallible(c *ssa.CallCommon) bool {
	f := ssautil.Callee(c)
	args := ssautil.Arguments(c)
	if f == nil || len(args) == 0 {
		return false
	}
	if f.FullName() == "encoding/json.Marshal" {
		// Not in the catalog: it is the form of JSON that decides, which isPlain knows.
		x, ok := args[0].(*ssa.MakeInterface)
		return ok && isPlain(x.X.Type(), 0)
	}
	return f.Signature().Recv() != nil && catalog.TypeOf(args[0].Type()).Infallible[f.Name()]
}

// isPlain reports whether all values of t have a form in JSON: those of types without methods that are
// integers, strings, or lists or maps of them. A float may be infinite.
func isPlain(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
	case *types.Slice:
		return isPlain(t.Elem(), depth+1)
	case *types.Array:
		return isPlain(t.Elem(), depth+1)
	case *types.Map:
		return types.Identical(t.Key(), types.Typ[types.String]) && isPlain(t.Elem(), depth+1)
	}
	return false
}
