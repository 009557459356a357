package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Impossible reports whether a condition, being yes, says that a call has failed that is documented
// never to fail, or whose callee returns nil for the error each time. The branch for that is there
// because the method implements an interface.
func (f *Function) Impossible(cond ssa.Value, yes bool) bool {
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

// infallible reports whether a call never returns an error: it writes to memory or to a hash.
func infallible(c *ssa.CallCommon) bool {
	f := ssautil.Callee(c)
	args := ssautil.Arguments(c)
	if f == nil || f.Pkg() == nil || len(args) == 0 {
		return false
	}
	if c.IsInvoke() {
		switch ssautil.TypeName(c.Value.Type()) {
		case "hash.Hash", "hash.Hash32", "hash.Hash64":
			return f.Name() == "Write"
		}
		return false
	}
	switch f.Name() {
	case "Write", "WriteString", "WriteByte", "WriteRune":
		return f.Signature().Recv() != nil && isMemory(args[0].Type())
	}
	return false
}

// isMemory reports whether t is a type of the standard library whose methods that write never fail.
func isMemory(t types.Type) bool {
	switch ssautil.TypeName(ssautil.Deref(t)) {
	case "bytes.Buffer", "strings.Builder", "hash/maphash.Hash":
		return true
	}
	return false
}
