package ssautil

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Instructions returns an iterator over the instructions of fn, block by block in the order of
// fn.Blocks. That is not an order of execution: fn.DomPreorder puts each block behind the one that
// dominates it.
func Instructions(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// InstructionsOf returns an iterator over the instructions of fn that are of type T, which may be an
// interface such as ssa.CallInstruction, in the order of Instructions.
func InstructionsOf[T ssa.Instruction](fn *ssa.Function) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if x, ok := i.(T); ok && !yield(x) {
					return
				}
			}
		}
	}
}

// Returns returns an iterator over the return statements of fn, in the order of its blocks. That of
// the block that recovers from a panic is one of them.
func Returns(fn *ssa.Function) iter.Seq[*ssa.Return] {
	return func(yield func(*ssa.Return) bool) {
		for _, b := range fn.Blocks {
			if len(b.Instrs) == 0 {
				continue
			}
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !yield(r) {
				return
			}
		}
	}
}

// Uses returns an iterator over the instructions of type T that have v as an operand. One that has it
// twice comes twice, as in Referrers. Constants and what belongs to no function, such as global
// variables, have no uses: go/ssa does not record them.
func Uses[T ssa.Instruction](v ssa.Value) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, r := range referrers(v) {
			if x, ok := r.(T); ok && !yield(x) {
				return
			}
		}
	}
}

// referrers returns the uses of v. The iterators do not build on each other, as only one level of them
// is sure to be inlined, and so to cost no allocation.
func referrers(v ssa.Value) []ssa.Instruction {
	if refs := v.Referrers(); refs != nil {
		return *refs
	}
	return nil
}

// StoresTo returns an iterator over the stores to an address. Those that store the address itself
// somewhere are left out.
func StoresTo(addr ssa.Value) iter.Seq[*ssa.Store] {
	return func(yield func(*ssa.Store) bool) {
		for _, r := range referrers(addr) {
			if s, ok := r.(*ssa.Store); ok && s.Addr == addr && !yield(s) {
				return
			}
		}
	}
}

// StoresOf returns an iterator over the stores of a value, to any address.
func StoresOf(v ssa.Value) iter.Seq[*ssa.Store] {
	return func(yield func(*ssa.Store) bool) {
		for _, r := range referrers(v) {
			if s, ok := r.(*ssa.Store); ok && s.Val == v && !yield(s) {
				return
			}
		}
	}
}

// FieldAddrs returns an iterator over the addresses that are taken of a field of the struct at base:
// go/ssa computes the address anew for each access.
func FieldAddrs(base ssa.Value, field int) iter.Seq[*ssa.FieldAddr] {
	return func(yield func(*ssa.FieldAddr) bool) {
		for _, r := range referrers(base) {
			if fa, ok := r.(*ssa.FieldAddr); ok && fa.Field == field && !yield(fa) {
				return
			}
		}
	}
}
