package gosyntax

import (
	goparser "go/parser"
	"go/token"
	"slices"

	"lessgc/arena"
)

// A Strategy decides how a source is parsed and where its tree lives.
type Strategy struct {
	Name string

	// Do is one op: it parses src, hands the tree to use, and drops the tree
	// when use returns. Nothing of the tree may be used after that. It shares
	// no memory with src. If src is not a Go file, use is not called and the error
	// says where the first mistake is: an [*Error], of goparser a
	// [go/scanner.ErrorList] with more.
	Do func(src []byte, use func(*Tree)) error
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{"goparser", goParser},
	{"heap", heap},
}, arenas, []Strategy{
	{"arena-safe", safe},
	{"arena-typed", typed},
	{"arena-recycle", recycle},
	{"handle", handle},
})

// mode asks go/parser for the tree that ours is equal to.
const mode = goparser.ParseComments | goparser.SkipObjectResolution

func goParser(src []byte, use func(*Tree)) error {
	set := token.NewFileSet()
	f, err := goparser.ParseFile(set, "", src, mode)
	if err != nil {
		return err
	}
	use(&Tree{File: f, set: set})
	return nil
}

// run is one op of our parser.
func run(m memory, src []byte, use func(*Tree)) error {
	t, err := parse(m, src)
	if err != nil {
		return err
	}
	use(t)
	return nil
}

func heap(src []byte, use func(*Tree)) error { return run(memory{}, src, use) }

func safe(src []byte, use func(*Tree)) error {
	a := arena.NewArena()
	defer a.Free()
	return run(memory{kind: inArena, arena: a}, src, use)
}

// The zero pool recycles everything but strings: the copy of the source that
// names are part of stays what it is.
var (
	typedPool   = arena.Pool{Policy: arena.RecycleTyped}
	recyclePool = arena.Pool{Policy: arena.RecycleAll}
	handlePool  = arena.Pool{Policy: arena.RecycleAll}
)

func typed(src []byte, use func(*Tree)) error {
	a := typedPool.Get()
	defer a.Free()
	return run(memory{kind: inArena, arena: a}, src, use)
}

func recycle(src []byte, use func(*Tree)) error {
	a := recyclePool.Get()
	defer a.Free()
	return run(memory{kind: inArena, arena: a}, src, use)
}

func handle(src []byte, use func(*Tree)) error {
	a := handlePool.Get()
	if a == nil { // arenas are switched off: no slabs of chunks either
		return heap(src, use)
	}
	defer a.Free()
	return run(memory{kind: inSlabs, arena: a, slabs: slabsOf(a)}, src, use)
}
