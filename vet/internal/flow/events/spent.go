package events

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// spent reports whether what i keeps is in a job, such as a command, that may have run when the function
// ends: its fields are not used any more then. A call that gets the job after i may wait for it, unless it is
// of a method that is known not to.
//
// An example, and one that goes on running:
//
//	cmd.Stdout = b
//	err := cmd.Run() // waits: b is not used any more
//	pool.Put(b)
//
//	cmd.Stdout = b
//	err := cmd.Start() // does not wait
//	pool.Put(b)
func (fd *finder) spent(i ssa.Instruction, a flow.Effect) bool {
	if a.To == nil {
		return false
	}
	job := ssautil.Root(a.To)
	idle := catalog.TypeOf(job.Type()).Job
	if idle == nil {
		return false
	}
	return slices.ContainsFunc(fd.fn.Calls, func(c ssa.CallInstruction) bool {
		if _, now := c.(*ssa.Call); !now || c == i || !ssautil.Follows(i, c) {
			return false
		}
		k := fd.fn.Callee(c.Common())
		if !slices.ContainsFunc(k.Args, func(v ssa.Value) bool { return ssautil.Root(v) == job }) {
			return false
		}
		return k.Func == nil || k.Func.Signature().Recv() == nil || ssautil.TypeName(k.Func.Signature().Recv().Type()) != ssautil.TypeName(job.Type()) || !idle[k.Func.Name()]
	})
}
