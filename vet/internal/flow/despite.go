package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a function return an acquired value along with an error?
//
//	func read(r io.Reader) (*bytes.Buffer, error) {
//		b := pool.Get().(*bytes.Buffer)
//		_, err := b.ReadFrom(r)
//		return b, err
//	}
//
//	b, err := read(r)
//	if err != nil {
//		return err // b is lost: it is there, too
//	}
//
// Otherwise an error means that there is no value, as it does where a return has nil for it. Each
// return has to have the value, live, and one of them an error that may be there. That errs towards
// silence.

// comesWithError reports whether result i of f is o on all returns, although an error that is returned with
// it need not be nil: who gets the error has the value as well. What the error of one of its methods
// may have broken does not count.
func (f *Function) comesWithError(o *Origin, i int) bool {
	results := f.Signature.Results()
	n := results.Len() - 1
	if i == n || !types.Identical(results.At(n).Type(), ErrorType) || !o.Despite && mayFail(o.Tracked.Root) {
		return false
	}
	r := o.States
	failing := false
	for _, ret := range f.Returns() {
		if o.Tracked.Sure(ret.Results[i])&MarkSame == 0 || r.Exits[ret]&^(InPhase(PhaseLive)|InPhase(PhaseHanded)) != 0 {
			return false
		}
		err := f.Resolve(ret.Results[n])
		if r.ownError(err, 0) && !isBuffer(o.Tracked.Root.Type()) && !r.buffer() {
			return false
		}
		failing = failing || !IsNil(err)
	}
	return failing
}

// mayFail reports whether v comes from a call with an error among its results.
func mayFail(v ssa.Value) bool {
	e, ok := ssautil.Root(v).(*ssa.Extract)
	if !ok {
		return false
	}
	c, ok := e.Tuple.(*ssa.Call)
	return ok && slices.ContainsFunc(slices.Collect(c.Call.Signature().Results().Variables()), func(x *types.Var) bool { return types.Identical(x.Type(), ErrorType) })
}
