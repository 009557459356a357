package heappointer

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/code"
	"lessgc/vet/internal/ssautil"
)

// typed are the functions that return memory of a type argument which the collector does
// not scan.
var typed = names(
	"github.com/ortuman/nuke.New",
	"github.com/ortuman/nuke.MakeSlice",
	"github.com/ortuman/nuke.SliceAppend",
	"github.com/wundergraph/go-arena.Allocate",
	"github.com/wundergraph/go-arena.AllocateSlice",
	"github.com/wundergraph/go-arena.SliceAppend",
	"github.com/VoolFI71/go-arena.New",
	"github.com/VoolFI71/go-arena.MakeSlice",
	"github.com/VoolFI71/go-arena.Append",
	"github.com/limpo1989/arena.New",
	"github.com/limpo1989/arena.NewSlice",
	"github.com/thebagchi/arena-go.Alloc",
	"github.com/thebagchi/arena-go.MakeObject",
	"github.com/thebagchi/arena-go.MakeSlice",
	"github.com/xDarkicex/memory.ArenaAlloc",
	"github.com/xDarkicex/memory.MustArenaAlloc",
	"github.com/xDarkicex/memory.ArenaSlice",
	"github.com/xDarkicex/memory.MustArenaSlice",
	"github.com/xDarkicex/memory.ArenaAppend",
	"github.com/xDarkicex/memory.PoolAlloc",
	"github.com/xDarkicex/memory.MustPoolAlloc",
	"github.com/xDarkicex/memory.PoolSlice",
	"github.com/xDarkicex/memory.MustPoolSlice",
	"github.com/xDarkicex/memory.FreeListAlloc",
	"github.com/xDarkicex/memory.MustFreeListAlloc",
	"github.com/xDarkicex/memory.ShardedFreeListAlloc",
	"github.com/xDarkicex/memory.MustShardedFreeListAlloc",
	"github.com/joetifa2003/mm-go.Alloc",
	"github.com/joetifa2003/mm-go.AllocMany",
	"github.com/joetifa2003/mm-go.Reallocate",
	"github.com/joetifa2003/mm-go/allocator.Alloc",
	"github.com/joetifa2003/mm-go/allocator.AllocMany",
	"github.com/joetifa2003/mm-go/allocator.Realloc",
	"(*github.com/joetifa2003/mm-go/typedarena.TypedArena).Alloc",
	"(*github.com/joetifa2003/mm-go/typedarena.TypedArena).AllocMany",
)

// appends are those of them that append their third argument, a slice, to their second.
var appends = names(
	"github.com/ortuman/nuke.SliceAppend",
	"github.com/wundergraph/go-arena.SliceAppend",
	"github.com/VoolFI71/go-arena.Append",
	"github.com/xDarkicex/memory.ArenaAppend",
)

// raw are the functions that return bytes, or an address, of such memory.
var raw = names(
	"(github.com/ortuman/nuke.Arena).Alloc",
	"(github.com/wundergraph/go-arena.Arena).Alloc",
	"(*github.com/limpo1989/arena.Arena).Malloc",
	"(*github.com/limpo1989/arena.Arena).Bytes",
	"(*github.com/xDarkicex/memory.Arena).Alloc",
	"(*github.com/xDarkicex/memory.FreeList).Allocate",
	"(github.com/joetifa2003/mm-go/allocator.Allocator).Alloc",
	"(*github.com/siddontang/go/arena.Arena).Make",
	"(*modernc.org/memory.Allocator).Malloc",
	"(*modernc.org/memory.Allocator).Calloc",
	"(*modernc.org/memory.Allocator).Realloc",
	"(*modernc.org/memory.Allocator).UnsafeMalloc",
	"(*modernc.org/memory.Allocator).UnsafeCalloc",
	"(*modernc.org/memory.Allocator).UnsafeRealloc",
	"(*modernc.org/memory.Allocator).UintptrMalloc",
	"(*modernc.org/memory.Allocator).UintptrCalloc",
	"(*modernc.org/memory.Allocator).UintptrRealloc",
	"github.com/dgraph-io/ristretto/z.Calloc",
	"(*github.com/dgraph-io/ristretto/z.Allocator).Allocate",
	"(*github.com/dgraph-io/ristretto/z.Allocator).AllocateAligned",
	"(*github.com/dgraph-io/ristretto/z.Allocator).Copy",
	"(*github.com/dgraph-io/ristretto/z.Buffer).Allocate",
	"(*github.com/dgraph-io/ristretto/z.Buffer).SliceAllocate",
	"(*github.com/dgraph-io/ristretto/z.Buffer).Bytes",
	"github.com/dgraph-io/ristretto/z.Mmap",
	"syscall.Mmap",
	"golang.org/x/sys/unix.Mmap",
	"github.com/edsrzf/mmap-go.Map",
	"github.com/edsrzf/mmap-go.MapRegion",
)

// strings of these are in the memory of the region.
var texts = names(
	"(*github.com/VoolFI71/go-arena.Arena).AllocString",
	"(*github.com/VoolFI71/go-arena.Arena).AllocBytesToString",
	"(*github.com/thebagchi/arena-go.Arena).MakeString",
)

// fillers write what they have read behind a pointer that they get as an interface.
var fillers = []string{"Unmarshal", "UnmarshalJSON", "Decode", "DecodeElement", "Scan", "Sscan", "Fscan", "Scanf", "Sscanf", "Fscanf", "Bind", "BindJSON", "ShouldBindJSON", "ReadJSON"}

// holders are types of the standard library whose methods allocate what they hold. The
// methods that follow do not.
var holders = map[string][]string{
	"bytes.Buffer":        {"Len", "Cap", "Bytes", "String", "Available", "Next", "Read", "ReadByte", "Truncate", "Reset", "WriteTo"},
	"strings.Builder":     {"Len", "Cap", "String", "Reset"},
	"container/list.List": {"Len", "Front", "Back", "Remove", "Init"},
	"math/big.Int":        {"Cmp", "CmpAbs", "Sign", "String", "Text", "Int64", "Uint64", "BitLen", "IsInt64", "IsUint64", "Bit", "Bytes", "Append"},
	"sync.Map":            {"Load", "Delete", "Range", "LoadAndDelete", "Clear"},
}

func names(list ...string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}

// name is the full name of a called function, without type arguments and without the
// major version in its path; empty if the function is not known.
func name(call *ssa.CallCommon) string {
	if f := ssautil.Callee(call); f != nil {
		return code.Unversioned(f.FullName())
	}
	if fn := call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}

// regional says whether a package can have to do with memory that the collector does not
// scan: it converts pointers, or calls who does.
func regional(pass *analysis.Pass) bool {
	for _, p := range pass.Pkg.Imports() {
		if p == types.Unsafe {
			return true
		}
	}
	return code.Imports(pass.Pkg, typed) || code.Imports(pass.Pkg, raw) || code.Imports(pass.Pkg, texts) || len(pass.AllObjectFacts()) > 0
}

// fromC says whether a called function is C's, and whether it is one that allocates.
func fromC(name string) (c, alloc bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	c = strings.HasPrefix(name, "_Cfunc_")
	return c, c && strings.HasSuffix(strings.ToLower(name), "alloc")
}
