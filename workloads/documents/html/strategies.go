package html

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"

	"lessgc/arena"
)

// A Strategy decides where a tree lives, and who makes it.
type Strategy struct {
	Name string

	// Do is one op: it parses src, appends the page that is rendered from the
	// tree to dst, drops the tree and returns the extended dst. If see is not
	// nil it gets the tree before; the tree must not be used after see
	// returns. Neither the tree nor the result holds anything of src. An error
	// says that src is nested too deep, see [ErrDepth], or that the tree
	// cannot be written; dst is returned as it was. Safe for concurrent use.
	Do func(dst, src []byte, see func(doc *html.Node)) ([]byte, error)
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{"xnethtml", xnetHTML},
	{"heap", heap},
}, arenas, []Strategy{
	{"arena-safe", arenaSafe},
	{"arena-typed", arenaTyped},
	{"arena-recycle", arenaRecycle},
	{"handle", handle},
})

func xnetHTML(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	doc, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return dst, err
	}
	if see != nil {
		see(doc)
	}
	b := bytes.NewBuffer(dst)
	if err := html.Render(b, doc); err != nil {
		return dst, err
	}
	return b.Bytes(), nil
}

// do runs the op of every strategy but xnethtml with its memory.
func do(dst, src []byte, m memory, see func(*html.Node)) ([]byte, error) {
	doc, err := parse(src, m)
	if err != nil {
		return dst, err
	}
	if see != nil {
		see(doc)
	}
	return Append(dst, doc)
}

func heap(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	return do(dst, src, memory{}, see)
}

func arenaSafe(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	a := arena.NewArena()
	defer a.Free()
	return do(dst, src, memory{allocator: inArena, arena: a}, see)
}

// The pools keep what the largest page needed, until they are not used for a
// while.
var (
	typed   = arena.Pool{Policy: arena.RecycleTyped}
	recycle = arena.Pool{Policy: arena.RecycleAll}
)

func arenaTyped(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	a := typed.Get()
	defer a.Free()
	return do(dst, src, memory{allocator: inArena, arena: a}, see)
}

func arenaRecycle(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	a := recycle.Get()
	defer a.Free()
	return do(dst, src, memory{allocator: inArena, arena: a}, see)
}

func handle(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	a := recycle.Get()
	defer a.Free()
	return do(dst, src, memory{
		allocator: inSlabs,
		arena:     a,
		nodes:     arena.Of[html.Node](a),
		attrs:     arena.Of[html.Attribute](a),
	}, see)
}
