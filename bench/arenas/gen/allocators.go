package main

const (
	lessgcImport = `"lessgc/arena"`
	arenasTag    = "goexperiment.arenas"
)

// allocators are all allocators with a generated op. sync.Pool is left out: it
// takes back object by object.
var allocators = []allocator{
	{
		Name: "heap", Std: []string{`"strings"`},
		NewExpr: "new($T)", MakeExpr: "make([]$T, 0, $n)", AppendExpr: "append($x, $v)",
		BytesExpr: "append([]byte(nil), $x...)", StringExpr: "strings.Clone($x)",
	},
	{
		Name: "stdArena", Tag: arenasTag, Std: []string{`"arena"`},
		Open: "a := arena.NewArena()", Close: "a.Free()",
		Param: "a *arena.Arena", NewExpr: "arena.New[$T](a)", MakeExpr: "arena.MakeSlice[$T](a, 0, $n)",
		AppendExpr: "stdAppend(a, $x, $v)",
		BytesExpr:  "copied(arena.MakeSlice[byte](a, len($x), len($x)), $x)",
		StringExpr: "str(arena.MakeSlice[byte](a, len($x), len($x)), $x)",
	},
	{
		Name: "safeArena", Tag: arenasTag, Imports: []string{`"github.com/scttfrdmn/safearena"`},
		Setup: "regions := new(safearena.Pool)", Open: "a := regions.Get()", Close: "regions.Put(a)",
		Param: "a *safearena.Arena", NewExpr: "safearena.Alloc(a, $T{}).Get()",
		MakeExpr: "safearena.AllocSlice[$T](a, $n).Get()[:0]", AppendExpr: "append($x, $v)",
		BytesExpr:  "copied(safearena.AllocSlice[byte](a, len($x)).Get(), $x)",
		StringExpr: "str(safearena.AllocSlice[byte](a, len($x)).Get(), $x)",
	},
	{
		Name: "nuke", Imports: []string{`"github.com/ortuman/nuke"`},
		Setup: "regions := keep(newNuke($n))", Open: "a := regions.get()", Close: "a.Reset(false)\nregions.put(a)",
		Param: "a nuke.Arena", NewExpr: "nuke.New[$T](a)", MakeExpr: "nuke.MakeSlice[$T](a, 0, $n)",
		AppendExpr: "nuke.SliceAppend(a, $x, $v)",
		BytesExpr:  "copied(nuke.MakeSlice[byte](a, len($x), len($x)), $x)",
		StringExpr: "str(nuke.MakeSlice[byte](a, len($x), len($x)), $x)",
	},
	{
		Name: "goArena", Imports: []string{`"github.com/wundergraph/go-arena"`},
		Setup: "regions := keep(newGoArena($n))", Open: "a := regions.get()", Close: "a.Reset()\nregions.put(a)",
		Param: "a arena.Arena", NewExpr: "arena.Allocate[$T](a)", MakeExpr: "arena.AllocateSlice[$T](a, 0, $n)",
		AppendExpr: "arena.SliceAppend(a, $x, $v)",
		BytesExpr:  "copied(arena.AllocateSlice[byte](a, len($x), len($x)), $x)",
		StringExpr: "str(arena.AllocateSlice[byte](a, len($x), len($x)), $x)",
	},
	{
		Name: "slab", Std: []string{`"strings"`},
		Setup: "regions := keep(newSlabs($n))", Open: "a := regions.get()", Close: "a.reset()\nregions.put(a)",
		Param: "a *slabs", NewExpr: "a.$s.Alloc()", MakeExpr: "a.objectPointerSlab.Alloc($n, false)",
		AppendExpr: "append($x, $v)", BytesExpr: "copied(a.bufferSlab.Alloc(len($x), true), $x)",
		StringExpr: "strings.Clone($x)", NameExpr: "str(a.nameSlab.Alloc(len($x), true), $x)",
	},
	{
		Name: "ristretto", Imports: []string{`"github.com/dgraph-io/ristretto/v2/z"`},
		Setup: "regions, size := newRistretto(tb, $n)", Open: `a := regions.Get(size, "bench")`, Close: "regions.Return(a)",
		Param: "a *z.Allocator", NewExpr: "zNew[$T](a)", MakeExpr: "zMake[$T](a, $n)",
		AppendExpr: "zAppend(a, $x, $v)", BytesExpr: "a.Copy($x)",
		StringExpr: "str(a.Allocate(len($x)), $x)",
	},
	{
		Name: "offHeap", Imports: []string{`"github.com/xDarkicex/memory"`},
		Setup: "regions := keep(newOffHeap($n))", Open: "a := regions.get()", Close: "a.Reset()\nregions.put(a)",
		Param: "a *memory.Arena", NewExpr: "offHeapNew[$T](a)", MakeExpr: "memory.MustArenaSlice[$T](a, $n)",
		AppendExpr: "offHeapAppend(a, $x, $v)",
		BytesExpr:  "append(memory.MustArenaSlice[byte](a, len($x)), $x...)",
		StringExpr: "str(memory.MustArenaSlice[byte](a, len($x))[:len($x)], $x)",
	},
	{
		Name: "malloc", Imports: []string{`"modernc.org/memory"`},
		Open: "a := new(memory.Allocator)", Close: "check(a.Close())",
		Param: "a *memory.Allocator", NewExpr: "mallocNew[$T](a)", MakeExpr: "mallocMake[$T](a, $n)",
		AppendExpr: "mallocAppend(a, $x, $v)",
		BytesExpr:  "append(mallocMake[byte](a, len($x)), $x...)",
		StringExpr: "str(mallocMake[byte](a, len($x))[:len($x)], $x)",
	},
	{
		Name: "byteArena", Imports: []string{`"github.com/siddontang/go/arena"`}, BytesOnly: true,
		Setup: "regions := keep(func() *arena.Arena { return arena.NewArena($n.roomy()) })",
		Open:  "a := regions.get()", Close: "a.Reset()\nregions.put(a)",
		BytesExpr: "copied(a.Make(len($x)), $x)",
	},
	lessgc("safe", "", "a := arena.NewArena()"),
	lessgc("typed", "regions := &arena.Pool{Policy: arena.RecycleTyped}", "a := regions.Get()"),
	lessgc("recycle", "regions := &arena.Pool{Policy: arena.RecycleAll}", "a := regions.Get()"),
	handle(),
}

func lessgc(name, setup, open string) allocator {
	return allocator{
		Name: name, Imports: []string{lessgcImport}, Setup: setup, Open: open, Close: "a.Free()",
		Param: "a *arena.Arena", NewExpr: "arena.New[$T](a)", MakeExpr: "arena.MakeSlice[$T](a, 0, $n)",
		AppendExpr: "arena.Append(a, $x, $v)",
		BytesExpr:  "a.Bytes($x)", StringExpr: "a.String($x)",
	}
}

// handle is recycle with a slab looked up once for each type, not for each
// object.
func handle() allocator {
	a := lessgc("handle", "regions := &arena.Pool{Policy: arena.RecycleAll}", "a := regions.Get()")
	a.Slab = "$s := arena.Of[$T](a)"
	a.Param = "$s *arena.Slab[$T]"
	a.NewExpr = "$s.New()"
	a.MakeExpr = "$s.Make(0, $n)"
	a.AppendExpr = "$s.Append($x, $v)"
	return a
}
