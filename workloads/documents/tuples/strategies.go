package tuples

import (
	"slices"
	"sync"

	"lessgc/arena"
)

// A Strategy decides where the rows of both tables and everything that the
// query needs live.
type Strategy struct {
	Name string

	// Do is one op: it reads the tables, sorts, joins, hands the output to use,
	// and drops everything when use returns. Nothing of the output may be used
	// after that. It shares no memory with in.
	Do func(in Input, use func(Output))
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{"heap", heap},
	{"presize", presize},
	{"pool", pooled},
}, arenas, []Strategy{
	{"arena-safe", safe},
	{"arena-typed", typed},
	{"arena-recycle", recycle},
	{"handle", handle},
})

func heap(in Input, use func(Output)) { run(&memory{}, in, use) }

func presize(in Input, use func(Output)) {
	run(&memory{kind: isSized, sized: new(sized)}, in, use)
}

var sizedPool = sync.Pool{New: func() any { return new(sized) }}

func pooled(in Input, use func(Output)) {
	s := sizedPool.Get().(*sized)
	run(&memory{kind: isSized, sized: s}, in, use)
	s.empty()
	sizedPool.Put(s)
}

func safe(in Input, use func(Output)) {
	a := arena.NewArena()
	defer a.Free()
	run(&memory{kind: inArena, arena: a}, in, use)
}

// The zero pool recycles everything but strings.
var (
	typedPool   = arena.Pool{Policy: arena.RecycleTyped}
	recyclePool = arena.Pool{Policy: arena.RecycleAll}
	handlePool  = arena.Pool{Policy: arena.RecycleAll}
)

func typed(in Input, use func(Output)) {
	a := typedPool.Get()
	defer a.Free()
	run(&memory{kind: inArena, arena: a}, in, use)
}

func recycle(in Input, use func(Output)) {
	a := recyclePool.Get()
	defer a.Free()
	run(&memory{kind: inArena, arena: a}, in, use)
}

func handle(in Input, use func(Output)) {
	a := handlePool.Get()
	if a == nil { // arenas are switched off: no slabs of chunks either
		heap(in, use)
		return
	}
	defer a.Free()
	run(&memory{kind: inSlabs, arena: a, slabs: slabsOf(a)}, in, use)
}
