package poolnoreset

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// Values of one type may be in several pools, and a function then has values of one of them:
//
//	func putClean(l *list) {
//		l.reset() // says nothing about the values of stale, a pool of lists too
//		clean.Put(l)
//	}
//
// Functions are taken for those of another pool if they get from it or put into it, and do nothing with this one; so
// are functions that are not exported and are only called by these.

// exclude takes functions that only have values of other pools from those that may have one of this pool.
func (s *summary) exclude() {
	verbs := map[*ssa.Function]bool{} // does something with this pool
	for _, op := range s.looker.pool.Ops {
		for ; op != nil; op = op.By { // func put(p *sync.Pool, l *list), too
			verbs[op.Fn] = true
		}
	}
	others := map[*ssa.Function]bool{}
	put := map[ssa.Value]bool{}
	for _, op := range s.elsewhere() {
		if op.Item != nil && !verbs[op.Fn] && (types.Identical(s.uses.Root(op.Item).Type(), s.looker.view.Item) || s.asserted(op.Item)) {
			others[op.Fn] = true
			put[s.uses.Root(op.Item)] = true
		}
	}
	for fn := range others {
		for _, p := range fn.Params { // one that it does not put may be of this pool
			if types.Identical(p.Type(), s.looker.view.Item) && !put[p] {
				delete(others, fn)
			}
		}
	}
	if len(others) == 0 {
		return
	}
	callers := callersOf(s.uses)
	for range rounds {
		for fn, by := range callers {
			if !verbs[fn] && !others[fn] && allIn(by, others) {
				others[fn] = true
			}
		}
	}
	for fn := range others {
		delete(s.funcs, fn)
	}
}

// elsewhere returns the operations on pools that are surely not this one.
func (s *summary) elsewhere() (all []*pooluse.Op) {
	for _, p := range s.uses.Pools() {
		if p == s.looker.pool || p.Open {
			continue
		}
		switch p.Key.Root.(type) {
		case nil, *ssa.Global:
			all = append(all, p.Ops...)
		}
	}
	return all
}

// asserted reports whether v, an interface, is asserted to be a value as those of the pool.
func (s *summary) asserted(v ssa.Value) bool {
	if v == nil {
		return false
	}
	for _, r := range s.uses.Referrers(v) {
		if t, ok := r.(*ssa.TypeAssert); ok && types.Identical(t.AssertedType, s.looker.view.Item) {
			return true
		}
	}
	return false
}

// callersOf returns the functions that call each of those whose callers are all known: that are not exported, and
// only called, and have no name of a method of an interface that is called.
func callersOf(uses *pooluse.Uses) map[*ssa.Function][]*ssa.Function {
	by := map[*ssa.Function][]*ssa.Function{}
	used := map[types.Object]bool{} // as values
	invoked := map[string]bool{}
	for _, fn := range uses.Funcs {
		for i := range ssautil.Instructions(fn) {
			call, _ := i.(ssa.CallInstruction)
			if call != nil {
				if callee, _ := uses.Callee(call.Common()); callee != nil {
					by[callee] = append(by[callee], fn)
				}
				if call.Common().IsInvoke() {
					invoked[call.Common().Method.Name()] = true
				}
			}
			for _, v := range i.Operands(nil) {
				if f, ok := (*v).(*ssa.Function); ok && (call == nil || v != &call.Common().Value) {
					used[f.Object()] = true
				}
			}
		}
	}
	for fn := range by {
		obj, ok := fn.Object().(*types.Func)
		if !ok || obj.Exported() || used[obj] || invoked[fn.Name()] {
			delete(by, fn)
		}
	}
	return by
}

func allIn(list []*ssa.Function, set map[*ssa.Function]bool) bool {
	for _, fn := range list {
		if !set[fn] {
			return false
		}
	}
	return true
}
