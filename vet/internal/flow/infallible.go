package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Impossible reports whether a condition, being yes, says that a call has failed that is documented
// never to fail. The branch for that is there because the method implements an interface.
func (f *Function) Impossible(cond ssa.Value, yes bool) bool {
	v, zero := f.test(cond, yes)
	if zero || !types.Identical(v.Type(), ErrorType) {
		return false
	}
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	c, ok := v.(*ssa.Call)
	return ok && infallible(&c.Call)
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
