package pooluse

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A summary describes what a function does with pools for its callers.
type summary struct {
	gets map[int]*Op   // by result: where it is from
	puts map[int][]*Op // by parameter
}

// rounds limits how deeply a Get or Put may be wrapped in functions.
const rounds = 4

// wrappers notes the calls of functions that get or put for their callers.
func (u *Uses) wrappers() {
	for range rounds {
		u.summarize()
		before := len(u.Ops)
		u.instructions(u.indirect)
		if len(u.Ops) == before {
			return
		}
	}
}

// summarize finds out what the functions do, as far as is known now.
func (u *Uses) summarize() {
	clear(u.sums)
	for _, op := range u.Ops {
		if p, ok := op.Item.(*ssa.Parameter); ok && op.Verb == Put {
			s := u.sum(p.Parent())
			i := slices.Index(p.Parent().Params, p)
			s.puts[i] = append(s.puts[i], op)
		}
	}
	for _, fn := range u.Funcs {
		if fn.Parent() != nil || fn.Signature.Results() == nil {
			continue
		}
		for i := range fn.Signature.Results().Len() {
			if op := u.result(fn, i); op != nil {
				u.sum(fn).gets[i] = op
			}
		}
	}
}

func (u *Uses) sum(fn *ssa.Function) *summary {
	s := u.sums[fn]
	if s == nil {
		s = &summary{map[int]*Op{}, map[int][]*Op{}}
		u.sums[fn] = s
	}
	return s
}

// result returns the Get of result i of fn, if it is from one pool or else nil or new.
func (u *Uses) result(fn *ssa.Function, i int) *Op {
	var from *Op
	for ret := range ssautil.Returns(fn) {
		if i >= len(ret.Results) {
			continue
		}
		v := u.unbox(ret.Results[i])
		switch op := u.Origin(v); {
		case op != nil && (from == nil || from.Pool == op.Pool):
			from = op
		case op == nil && fresh(v):
		default:
			return nil
		}
	}
	return from
}

// fresh reports whether v is nil or new.
func fresh(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Alloc:
		return v.Heap
	}
	return false
}

// indirect notes a call of a function that gets or puts.
func (u *Uses) indirect(fn *ssa.Function, i ssa.Instruction) {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return
	}
	callee, args := u.Callee(call.Common())
	s := u.sums[callee]
	if s == nil || len(args) != len(callee.Params) {
		return
	}
	for _, i := range slices.Sorted(maps.Keys(s.gets)) {
		op := s.gets[i]
		if v := resultOf(call, i); v != nil && u.got[v] == nil {
			n := &Op{Verb: Get, Kind: op.Kind, Fn: fn, Call: call, Pool: u.outside(op.Pool, callee, args), Item: v, Via: callee, By: op}
			u.Ops = append(u.Ops, n)
			u.got[v] = n
		}
	}
	for _, i := range slices.Sorted(maps.Keys(s.puts)) {
		for _, op := range s.puts[i] {
			n := &Op{Verb: Put, Kind: op.Kind, Fn: fn, Call: call, Pool: u.outside(op.Pool, callee, args), Arg: u.Source(args[i]), Item: u.unbox(args[i]), Via: callee, By: op, param: callee.Params[i]}
			if !slices.ContainsFunc(u.Ops, func(o *Op) bool {
				return o.Call == call && o.Verb == Put && o.Arg == n.Arg && o.Pool == n.Pool
			}) {
				u.Ops = append(u.Ops, n)
			}
		}
	}
}

// outside is the location p, which is one in fn, for a caller that passes args.
func (u *Uses) outside(p Location, fn *ssa.Function, args []ssa.Value) Location {
	switch root := p.Root.(type) {
	case *ssa.Global:
		return p
	case *ssa.Parameter:
		if i := slices.Index(fn.Params, root); i >= 0 {
			return p.join(u.location(args[i]))
		}
	}
	return p.forget()
}

// resultOf returns result i of call, or nil if nobody uses it.
func resultOf(call ssa.CallInstruction, i int) ssa.Value {
	v := call.Value()
	if v == nil || call.Common().Signature().Results().Len() == 1 {
		if v == nil {
			return nil
		}
		return v
	}
	for e := range ssautil.Uses[*ssa.Extract](v) {
		if e.Index == i {
			return e
		}
	}
	return nil
}
