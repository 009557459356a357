package lever

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var fewerGoroutines = &Lever{
	Name:  "fewer-goroutines",
	Title: "do it without a goroutine, or by some that stay",
	Looks: "a go statement, or a channel that is made for a goroutine, one or more times in each operation of a benchmark.",
	Wrong: "when what the goroutine does waits, or takes long against its start: some hundred nanoseconds, and the wake-ups on both sides.",
	Before: `for _, item := range items {
	go func() { results <- handle(item) }()
}`,
	After: `for _, item := range items {
	results = append(results, handle(item))
}
// or as many goroutines as there are processors, which take items from a channel`,
	Model: "The function's object and the goroutine's start go; a stack is used again by the runtime, as it was.",
	Risk:  Concurrency,
	Asks:  "Is what it does short, and does nothing wait in it?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findGoroutines,
}

func findGoroutines(p *Line) (f Finding) {
	if p.each() < 0.9 {
		return f
	}
	for in := range p.instructions() {
		text := ""
		switch in := in.(type) {
		case *ssa.Go:
			text = "a goroutine is started"
		case *ssa.MakeChan:
			if !forGoroutine(in) {
				continue
			}
			text = "a " + short(in.Type()) + " is made"
		default:
			continue
		}
		return Finding{Share: p.direct(), Evidence: []Evidence{p.at(in.Pos(), fmt.Sprintf("%s here, %s objects in each operation", text, few(p.each())))}}
	}
	return f
}

// forGoroutine reports whether the function that makes a channel, or one that it gives the channel to, starts a goroutine.
func forGoroutine(made *ssa.MakeChan) bool {
	if starts(outermost(made.Parent())) {
		return true
	}
	return slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		return ok && call.Call.StaticCallee() != nil && starts(call.Call.StaticCallee())
	})
}

// starts reports whether a function, or a function literal in it, has a go statement.
func starts(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			_, ok := in.(*ssa.Go)
			return ok
		})
	}) || slices.ContainsFunc(fn.AnonFuncs, starts)
}
