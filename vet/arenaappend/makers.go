package arenaappend

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A maker is a function that makes a slice in an arena. Its arguments are counted from the
// receiver.
type maker struct {
	len, cap int // which arguments: -1 if there is none
}

// full is the maker of slices whose capacity is their length.
var full = maker{-1, -1}

var makers = map[string]maker{
	"arena.MakeSlice":                                  {1, 2},
	"lessgc/arena.MakeSlice":                           {1, 2},
	"(*lessgc/arena.Slab).Make":                        {1, 2},
	"(*lessgc/arena.Arena).Bytes":                      full,
	"github.com/ortuman/nuke.MakeSlice":                {1, 2},
	"github.com/wundergraph/go-arena.AllocateSlice":    {1, 2},
	"github.com/VoolFI71/go-arena.MakeSlice":           {1, 2},
	"github.com/limpo1989/arena.NewSlice":              {1, 2},
	"github.com/thebagchi/arena-go.MakeSlice":          {1, 2},
	"github.com/xDarkicex/memory.MustArenaSlice":       {-1, 1},
	"github.com/joetifa2003/mm-go.AllocMany":           {1, 1},
	"github.com/joetifa2003/mm-go/allocator.AllocMany": {1, 1},
}

// made is the maker that a value comes from.
func made(v ssa.Value) (*ssa.Call, maker, bool) {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil, maker{}, false
	}
	f := call.Call.StaticCallee()
	if f == nil {
		return nil, maker{}, false
	}
	object, ok := f.Object().(*types.Func)
	if !ok {
		return nil, maker{}, false
	}
	m, ok := makers[plain(object.Origin().FullName())]
	if !ok || len(call.Call.Args) == 0 || isNil(call.Call.Args[0]) {
		return nil, maker{}, false // a nil arena is the heap
	}
	return call, m, true
}

// plain is a full name without the type parameters of its receiver.
func plain(full string) string {
	if i := strings.IndexByte(full, '['); i >= 0 {
		if j := strings.LastIndexByte(full, ']'); j > i {
			return full[:i] + full[j+1:]
		}
	}
	return full
}

func isNil(v ssa.Value) bool {
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}
