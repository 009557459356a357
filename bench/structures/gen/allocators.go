package main

const (
	arenaImport     = `"lessgc/arena"`
	nukeImport      = `"github.com/ortuman/nuke"`
	goArenaImport   = `goarena "github.com/wundergraph/go-arena"`
	ristrettoImport = `"github.com/dgraph-io/ristretto/v2/z"`
	slabImport      = `"github.com/jokruger/slab"`
)

// allocators are all allocators of the templates. The first is the reference
// for structures that the language has no type for.
var allocators = []allocator{
	{
		Name: "heap", Type: "onHeap", Open: "var a onHeap\n_ = a",
		NewExpr: "new($T)", MakeExpr: "make([]$T, $len, $cap)", AppendExpr: "append($x, $v)",
		TextExpr: "strings.Clone($x)",
	},
	{
		Name: "count", Type: "*counter", Open: "a := new(counter)", Close: "_ = sum // the op is run to count\nsum = uint64(a.bytes)",
		NewExpr: "countNew[$T](a)", MakeExpr: "countMake[$T](a, $len, $cap)", AppendExpr: "countAppend(a, $x, $v)",
		TextExpr: "countText(a, $x)",
	},
	{
		Name:  "floor",
		Setup: "regions := keep(func() *$sFloor { return new($sFloor) })", Open: "a := regions.get()", Close: "a.reset()\nregions.put(a)",
		NewExpr: "a.$f.take()", MakeExpr: "a.$f.makeZeroed($len, $cap)", RawExpr: "a.$f.makeRaw($len, $cap)",
		AppendExpr: "a.$f.grow($x, $v)", TextExpr: "a.text.copy($x)",
		Field: "floorSlab[$T]", Text: "text floorText",
	},
	{
		Name:  "slab",
		Setup: "regions := keep(func() *$sSlab { return new$SSlab(in.size()) })", Open: "a := regions.get()", Close: "a.reset()\nregions.put(a)",
		NewExpr: "a.$f.Alloc()", MakeExpr: "slabMake(&a.$f, $len, $cap)", AppendExpr: "slabAppend(&a.$f, $x, $v)",
		TextExpr: "slabText(&a.text, $x)", Text: "text slab.SliceSlab[byte]",
	},
	{
		Name: "nuke", Type: "nuke.Arena",
		Setup: "regions := keep(newNuke(int(count$S(in)())))", Open: "a := regions.get()", Close: "a.Reset(false)\nregions.put(a)",
		NewExpr: "nuke.New[$T](a)", MakeExpr: "nuke.MakeSlice[$T](a, $len, $cap)", AppendExpr: "nukeAppend(a, $x, $v)",
		TextExpr: "str(nuke.MakeSlice[byte](a, len($x), len($x)), $x)",
	},
	{
		Name: "goArena", Type: "goarena.Arena",
		Setup: "regions := keep(newGoArena(int(count$S(in)())))", Open: "a := regions.get()", Close: "a.Reset()\nregions.put(a)",
		NewExpr: "goarena.Allocate[$T](a)", MakeExpr: "goarena.AllocateSlice[$T](a, $len, $cap)", AppendExpr: "goArenaAppend(a, $x, $v)",
		TextExpr: "str(goarena.AllocateSlice[byte](a, len($x), len($x)), $x)",
	},
	{
		Name: "ristretto", Type: "*z.Allocator",
		Setup: "regions := keep(newRistretto(int(count$S(in)())))", Open: "a := regions.get()", Close: "a.Reset()\nregions.put(a)",
		NewExpr: "zNew[$T](a)", MakeExpr: "zMake[$T](a, $len, $cap)", AppendExpr: "zAppend(a, $x, $v)",
		TextExpr: "str(a.Allocate(len($x)), $x)",
	},
	lessgc("safe", "", "a := arena.NewArena()"),
	lessgc("typed", "regions := &arena.Pool{Policy: arena.RecycleTyped, MaxKept: 1 << 30}", "a := regions.Get()"),
	lessgc("recycle", "regions := &arena.Pool{Policy: arena.RecycleAll, MaxKept: 1 << 30}", "a := regions.Get()"),
	{
		Name: "handle", Setup: "regions, a := &arena.Pool{Policy: arena.RecycleAll, MaxKept: 1 << 30}, new($sHandle)",
		Open: "r := regions.Get()\n*a = $handle", Close: "r.Free()",
		NewExpr: "a.$f.New()", MakeExpr: "a.$f.Make($len, $cap)", AppendExpr: "a.$f.Append($x, $v)",
		TextExpr: "a.arena.String($x)", Field: "*arena.Slab[$T]", Text: "arena *arena.Arena",
	},
}

func lessgc(name, setup, open string) allocator {
	return allocator{
		Name: name, Setup: setup, Open: open, Close: "a.Free()", Type: "*arena.Arena",
		NewExpr: "arena.New[$T](a)", MakeExpr: "arena.MakeSlice[$T](a, $len, $cap)",
		AppendExpr: "arena.Append(a, $x, $v)", TextExpr: "a.String($x)",
	}
}

// structures are all structures, with what they allocate.
var structures = []structure{
	{Name: "btree", Fields: []field{
		{"nodes", "btreeNode", "n/20+2", ""},
		{"items", "btreeItem", "n/20+2", "btreeMax"},
		{"children", "*btreeNode", "n/600+2", "btreeMax+1"},
	}},
	{Name: "skiplist", Fields: []field{
		{"nodes", "skipNode", "n+1", ""},
		{"towers", "*skipNode", "n", "4"},
	}},
	{Name: "matrix", Fields: []field{
		{"rows", "[]float64", "1", "n"},
		{"cells", "float64", "n", "n"},
	}},
	{Name: "json", Texts: "n/8+16, 24", Fields: []field{
		{"nodes", "jsonNode", "n/8+16", ""},
		{"members", "jsonMember", "0", "0"},
		{"items", "*jsonNode", "0", "0"},
	}},
	{Name: "regexp", Texts: "8, 16", Fields: []field{
		{"nodes", "reNode", "n", ""},
		{"subs", "*reNode", "n", "4"},
		{"ranges", "reRange", "n", "4"},
	}},
	{Name: "intern", Heap: "heapTable", Texts: "n/4, 16", Fields: []field{
		{"entries", "internEntry", "n/4", ""},
		{"buckets", "*internEntry", "0", "0"},
		{"out", "string", "1", "n"},
	}},
	{Name: "bfs", Skip: "slab", Fields: []field{
		{"lists", "[]uint32", "", ""},
		{"edges", "uint32", "", ""},
		{"dist", "int32", "", ""},
		{"queue", "uint32", "", ""},
	}},
	{Name: "hash", Heap: "heapTable", Skip: "slab", Fields: []field{
		{"slots", "hashSlot", "", ""},
	}},
	{Name: "radix", Texts: "2*n, 32", Fields: []field{
		{"nodes", "radixNode", "2*n+1", ""},
		{"children", "*radixNode", "2*n", "4"},
	}},
}
