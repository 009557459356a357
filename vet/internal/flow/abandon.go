package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a function go on without a goroutine that it has started, when it has waited for long
// enough?
//
//	go func() { errs <- write(buf.Bytes()) }()
//	select {
//	case err := <-errs:
//		return err
//	case <-ctx.Done():
//		return ctx.Err() // yes: the goroutine still has buf
//	}
//
// With wg.Wait() deferred, or behind the second case, the answer is no. Channels of a context and
// of a timer count as time limits. Others may be closed by the goroutine itself, so a no for them
// is silence.

// Abandons returns where f goes on without the goroutine that i starts, when a time limit is over or a context
// is done; nil if it waits for it.
func (f *Function) Abandons(i ssa.Instruction) *ssa.BasicBlock {
	for _, c := range f.Calls {
		if d, ok := c.(*ssa.Defer); ok && f.Package.Waits(d, 0) {
			return nil
		}
	}
	for sel := range ssautil.InstructionsOf[*ssa.Select](f.Function) {
		if !sel.Blocking || !ssautil.Follows(i, sel) {
			continue
		}
		for n, s := range sel.States {
			if !isLimit(s.Chan) {
				continue
			}
			if to := branchOf(sel, n); to != nil && !f.Package.waitsFrom(to) {
				return to
			}
		}
	}
	return nil
}

// isLimit reports whether a channel is that of a context, or of a timer.
func isLimit(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		if v.Call.IsInvoke() {
			return v.Call.Method.FullName() == "(context.Context).Done"
		}
		fn := ssautil.Callee(&v.Call)
		return fn != nil && fn.FullName() == "time.After"
	case *ssa.UnOp:
		x := ssautil.LoadedField(v)
		return x != nil && x.Name() == "C" && x.Pkg() != nil && x.Pkg().Path() == "time"
	}
	return false
}

// branchOf returns where a select statement goes on after case n; nil if that is not found.
func branchOf(sel *ssa.Select, n int) *ssa.BasicBlock {
	for e := range ssautil.Uses[*ssa.Extract](sel) {
		if e.Index != 0 {
			continue
		}
		for cond := range ssautil.Uses[*ssa.BinOp](e) {
			if cond.Op != token.EQL {
				continue
			}
			if k, ok := cond.Y.(*ssa.Const); !ok || k.Int64() != int64(n) {
				continue
			}
			for branch := range ssautil.Uses[*ssa.If](cond) {
				return branch.Block().Succs[0]
			}
		}
	}
	return nil
}

// waitsFrom reports whether something is waited for on a path from b.
func (a *Package) waitsFrom(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Parent().Blocks, func(x *ssa.BasicBlock) bool {
		return ssautil.Reachable(b, x) && slices.ContainsFunc(x.Instrs, a.Joins)
	})
}

// Joins reports whether i can wait for a goroutine that was started before: as Waits does, but a function
// value that does so has no arguments.
func (a *Package) Joins(i ssa.Instruction) bool {
	c, ok := i.(ssa.CallInstruction)
	if ok && !c.Common().IsInvoke() && c.Common().StaticCallee() == nil && len(c.Common().Args) > 0 {
		return false
	}
	return a.Waits(i, 0)
}

// leaves reports whether f runs its parameter p, a function, in a goroutine that goes on when f returns.
func (f *Function) leaves(p *ssa.Parameter) bool {
	if !isFunc(p.Type()) {
		return false
	}
	for _, c := range f.Calls {
		if _, ok := c.(*ssa.Go); ok && f.getsFunc(c.Common(), p) && f.Abandons(c) != nil {
			return true
		}
	}
	for _, c := range f.Calls {
		if _, ok := c.(*ssa.Call); !ok {
			continue
		}
		for q := range f.passed(c, p) {
			if q.Leaves {
				return true
			}
		}
	}
	return false
}

// leavesBehind reports whether the goroutine that has a value by the effect x of i may go on with it when f
// returns. One that releases the value owns it.
//
// An example. The callers of write have to know that p is in use when it has failed:
//
//	func write(ctx context.Context, p []byte) error {
//		errs := make(chan error, 1)
//		go func() { errs <- store(p) }()
//		select {
//		case <-ctx.Done():
//			return ctx.Err()
//		case err := <-errs:
//			return err
//		}
//	}
func (f *Function) leavesBehind(i ssa.Instruction, x Effect) bool {
	switch i.(type) {
	case *ssa.Go:
		return x.Sure && f.Abandons(i) != nil
	case *ssa.Call:
		return x.Sure && x.Left && !f.joinsAfter(i)
	}
	return false
}

// neverDone reports whether a callee gets a context that is never done, and so has to wait for its
// goroutine:
//
//	write(context.Background(), p)
func (f *Function) neverDone(k Callee) bool {
	return slices.ContainsFunc(k.Args, func(v ssa.Value) bool {
		c, ok := f.Resolve(v).(*ssa.Call)
		if !ok || c.Call.IsInvoke() {
			return false
		}
		fn := ssautil.Callee(&c.Call)
		return fn != nil && slices.Contains([]string{"context.Background", "context.TODO", "context.WithoutCancel"}, fn.FullName())
	})
}

// joinsAfter reports whether f may wait, after i, for what i has left running.
func (f *Function) joinsAfter(i ssa.Instruction) bool {
	for x := range ssautil.Instructions(f.Function) {
		if d, ok := x.(*ssa.Defer); ok && f.Package.Waits(d, 0) || ssautil.Follows(i, x) && f.Package.Joins(x) {
			return true
		}
	}
	return false
}

// getsFunc reports whether a call is one of the function p, gets it, or is one of a closure that has it.
func (f *Function) getsFunc(c *ssa.CallCommon, p *ssa.Parameter) bool {
	has := func(v ssa.Value) bool {
		return v == ssa.Value(p) || slices.ContainsFunc(slices.Collect(ssautil.StoresTo(v)), func(s *ssa.Store) bool { return s.Val == ssa.Value(p) })
	}
	if m, ok := c.Value.(*ssa.MakeClosure); ok && slices.ContainsFunc(m.Bindings, has) {
		return true
	}
	return has(c.Value) || slices.ContainsFunc(c.Args, has)
}
