// The program prints which types arenas refuse that recycle. TestLocker compares that with
// what the rule says of them.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lessgc/arena"
	"lessgc/arena/amap"
)

type (
	embeds        struct{ sync.Mutex }
	embedsPointer struct{ *sync.Mutex }
	embedsLocker  struct{ sync.Locker }
	embedsDeep    struct{ embeds }
	embedsBoth    struct { // they hide each other's Lock
		sync.Mutex
		sync.RWMutex
	}
	holds     struct{ mu sync.RWMutex }
	holdsDeep struct {
		n    int
		list [2]struct{ h holds }
	}
	points    struct{ mu *sync.Mutex }
	noCopy    struct{}
	byValue   struct{}
	half      struct{}
	args      struct{}
	bare      sync.Mutex
	of[T any] struct {
		v T
		p *T
	}
	alias     = sync.Mutex
	number    int
	slice     []sync.Mutex
	function  func()
	recursive struct {
		next *recursive
		list []recursive
		mu   sync.Mutex
	}
)

func (*noCopy) Lock()      {}
func (*noCopy) Unlock()    {}
func (byValue) Lock()      {}
func (byValue) Unlock()    {}
func (*half) Lock()        {}
func (*args) Lock(int)     {}
func (*args) Unlock()      {}
func (*number) Lock()      {}
func (*number) Unlock()    {}
func (slice) Lock()        {}
func (slice) Unlock()      {}
func (function) Lock()     {}
func (*function) Unlock()  {}
func (*recursive) String() {}

type prone struct {
	Mutex         sync.Mutex
	RWMutex       sync.RWMutex
	WaitGroup     sync.WaitGroup
	Once          sync.Once
	Cond          sync.Cond
	Map           sync.Map
	Pool          sync.Pool
	Locker        sync.Locker
	Int64         atomic.Int64
	Bool          atomic.Bool
	Value         atomic.Value
	Pointer       atomic.Pointer[int]
	Array         [3]sync.Mutex
	Arrays        [2][1]sync.Once
	None          [0]sync.Mutex
	NoneOfMany    [4][0]sync.Mutex
	Slice         []sync.Mutex
	ToMutex       *sync.Mutex
	ToStruct      *holds
	MapOf         map[int]sync.Mutex
	Chan          chan sync.Mutex
	Func          func(sync.Mutex)
	Any           any
	Embeds        embeds
	EmbedsPointer embedsPointer
	EmbedsLocker  embedsLocker
	EmbedsDeep    embedsDeep
	EmbedsBoth    embedsBoth
	Holds         holds
	HoldsDeep     holdsDeep
	Points        points
	Unnamed       struct {
		n  int
		mu sync.Mutex
	}
	UnnamedEmbeds  struct{ sync.Mutex }
	UnnamedPointer struct{ *sync.Mutex }
	UnnamedLocker  struct{ sync.Locker }
	UnnamedInside  struct {
		n  int
		in struct {
			*sync.Cond
			sync.Locker
		}
	}
	NoCopy noCopy
	Blank  struct {
		_ noCopy
		n int
	}
	ByValue   byValue
	Half      half
	Args      args
	Bare      bare
	OfMutex   of[sync.Mutex]
	OfInt     of[int]
	OfPointer of[*sync.Mutex]
	Alias     alias
	Number    number
	SliceType slice
	Function  function
	Recursive recursive
	Arena     arena.Arena
	ArenaPool arena.Pool
	Amap      amap.Map[int, sync.Mutex]
	Logger    log.Logger
	File      os.File
	Timer     time.Timer
	Time      time.Time
	Builder   strings.Builder
	Pipe      io.PipeReader
	String    string
	Int       int
}

var arenas = arena.Pool{Policy: arena.RecycleTyped}

func main() {
	for i := range reflect.TypeFor[prone]().NumField() {
		f := reflect.TypeFor[prone]().Field(i)
		fmt.Printf("%s\t%s\n", f.Name, refused(f.Type))
	}
}

// refused is the lock in t that an arena names when it refuses t.
func refused(t reflect.Type) (lock string) {
	defer func() {
		if r := recover(); r != nil {
			_, text, _ := strings.Cut(fmt.Sprint(r), " holds a ")
			lock, _, _ = strings.Cut(text, ", ")
		}
	}()
	arena.NewValue(arenas.Get(), t)
	return ""
}
