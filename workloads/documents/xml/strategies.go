package xml

import (
	"slices"

	"lessgc/arena"
)

// A Strategy decides where a document lives, and who makes it.
type Strategy struct {
	Name string

	// Do is one op: it decodes src, hands the document to use and drops it
	// when use returns. The document must not be used after that. It holds
	// nothing of src. An error is a *[SyntaxError] but for the strategy
	// encodingxml, which returns those of its decoder too; use is not called
	// then. Safe for concurrent use.
	Do func(src []byte, use func(doc *Node)) error
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{"encodingxml", encodingXML},
	{"heap", heap},
}, arenas, []Strategy{
	{"arena-safe", arenaSafe},
	{"arena-typed", arenaTyped},
	{"arena-recycle", arenaRecycle},
	{"handle", handle},
})

// do runs the op of every strategy but encodingxml with its memory.
func do(src []byte, m memory, use func(*Node)) error {
	doc, err := parse(view(src), m)
	if err != nil {
		return err
	}
	use(doc)
	return nil
}

func heap(src []byte, use func(*Node)) error {
	return do(src, memory{}, use)
}

func arenaSafe(src []byte, use func(*Node)) error {
	a := arena.NewArena()
	defer a.Free()
	return do(src, memory{allocator: inArena, arena: a}, use)
}

// The pools keep what the largest document needed, until they are not used for
// a while.
var (
	typed   = arena.Pool{Policy: arena.RecycleTyped}
	recycle = arena.Pool{Policy: arena.RecycleAll}
)

func arenaTyped(src []byte, use func(*Node)) error {
	a := typed.Get()
	defer a.Free()
	return do(src, memory{allocator: inArena, arena: a}, use)
}

func arenaRecycle(src []byte, use func(*Node)) error {
	a := recycle.Get()
	defer a.Free()
	return do(src, memory{allocator: inArena, arena: a}, use)
}

func handle(src []byte, use func(*Node)) error {
	a := recycle.Get()
	defer a.Free()
	return do(src, memory{
		allocator: inSlabs,
		arena:     a,
		nodes:     arena.Of[Node](a),
		attrs:     arena.Of[Attr](a),
	}, use)
}
