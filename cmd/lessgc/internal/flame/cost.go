package flame

import (
	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/prof"
)

// The nodes of a graph of costs that are not functions, besides the names of classes.
const (
	collections  = "collections, by bytes"
	unattributed = "(not attributed)"
)

// GCCost returns the graph of the costs of allocation and collection, as shares of all CPU time,
// with all nodes. Its root is the throughput ceiling: idle workers are left out.
//
// What is done on the stack of the code that causes it belongs to that stack, cut where
// it enters the runtime: allocation, copying what grows, mark assists, write barriers.
// What is done elsewhere, or by whoever happens to be there when it is due, is divided
// by the bytes that each stack of the profile of allocations asked for: marking by
// workers, sweeping, starting and ending collections. There are as many collections as
// there are bytes, as long as GOGC or a memory limit starts them. What marking costs
// depends on the live heap, and memory without pointers causes collections like any
// other, so this says who causes collections, and not whose memory is marked.
//
// Nobody is charged for scavenging, for stacks that hold nothing but the runtime, and
// without a profile of allocations for what would be divided.
func (p Profiles) GCCost() *Graph {
	b := p.builder()
	shared := 0.0
	if p.CPU != nil {
		i := p.CPU.Value("samples")
		for _, s := range p.CPU.Sample {
			stack, n := prof.Stack(s), float64(s.Value[i])
			switch class := ceiling.Classify(stack); class {
			case ceiling.Other, ceiling.Idle:
			case ceiling.Alloc, ceiling.Copy, ceiling.Assist, ceiling.Barrier:
				b.charge(caller(stack), class.String(), n)
			case ceiling.Scavenge:
				b.charge(nil, class.String(), n)
			default:
				shared += n
			}
		}
		b.divide(p.Allocs, shared)
	}
	g := &Graph{Title: "Cost of allocation and collection", Unit: Share, Root: b.tree(), Note: "All of it is the throughput ceiling. " +
		"Allocation, mark assists and write barriers count where the CPU profile saw them; the rest of what collections cost is divided by the bytes that each stack allocated."}
	if p.CPU == nil {
		return g
	}
	return g.Scaled(1/float64(max(ceiling.Of(p.CPU).Samples, 1)), Share)
}

// charge adds a cost to a stack, or to what is not attributed if that is empty.
func (b *builder) charge(stack []prof.Frame, what string, value float64) {
	if len(stack) == 0 {
		stack = []prof.Frame{{Func: unattributed}}
	}
	b.add(stack, what, value)
}

// divide charges the stacks of a profile of allocations for their part of a cost.
func (b *builder) divide(allocs *prof.Profile, cost float64) {
	total := 0.0
	if allocs != nil {
		i := allocs.Value("alloc_space")
		for _, s := range allocs.Sample {
			total += max(0, float64(s.Value[i]))
		}
		for _, s := range allocs.Sample {
			b.charge(caller(prof.Stack(s)), collections, cost*max(0, float64(s.Value[i]))/max(total, 1))
		}
	}
	if total == 0 {
		b.charge(nil, collections, cost)
	}
}

// caller is a stack without the calls inside the runtime at its leaf: nothing, if there
// are no others.
func caller(stack []prof.Frame) []prof.Frame {
	for len(stack) > 0 && ofRuntime(stack[0]) {
		stack = stack[1:]
	}
	return stack
}
