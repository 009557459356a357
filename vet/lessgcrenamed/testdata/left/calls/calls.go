// Package calls has uses that are not rewritten.
package calls

import (
	"iter"
	"slices"

	"lessgc/arena"
	"lessgc/pool"
	"lessgc/rpc/arenagrpc"
	"lessgc/seq"
)

type server struct {
	arena.Builder // want `arena.Builder is gone`
	a             *arena.Arena
	p             arena.Pool
}

type request struct {
	*arena.Arena
}

type pools struct{ arena.Pool }

func current() *arena.Arena              { return nil }
func next() []byte                       { return nil }
func args() (*arena.Arena, []int, []int) { return nil, nil, nil }

func badFunctions(a *arena.Arena, parts [][]byte, words []string) {
	_ = arena.AppendSlice[int]         // want `AppendSlice`
	_ = arena.AppendSlice(args())      // want `AppendSlice`
	_ = arena.Grow(a, []int{}, 3)      // want `^arena.Grow is gone: use arena.MakeSlice\(a, len, cap\), or just append$`
	_ = a.Bytes(parts...)              // want `Bytes`
	_ = a.Bytes(nil, next())           // want `Bytes`
	_ = current().Bytes(nil, parts[0]) // want `Bytes`
	_ = a.Concat()                     // want `Concat`
	_ = a.Concat(words...)             // want `Concat`
	_ = a.Concat("a" /* and */, "b")   // want `Concat`
	_ = a.Concat                       // want `Concat`
	_ = a.Sprintf                      // want `Sprintf`
}

func badPromoted(r request, p *pools) {
	_ = r.Bytes(nil, nil) // want `Bytes`
	_ = p.Audit()         // want `Audit`
	_ = p.Pool.Audit      // want `Audit`
}

// keeper has methods of the names that would be written.
type keeper struct{ *arena.Arena }

func (keeper) Keep()                {}
func (keeper) String(string) string { return "" }

func badHidden(k keeper) {
	k.KeepAll()        // want `KeepAll`
	k.Concat("a", "b") // want `Concat`
	k.Sprintf("a")     // want `Sprintf`
	(k.Concat)("a")    // want `Concat`
}

func badKeep(a *arena.Arena, v []int) {
	a.Keep(v) // want `^arena.Arena.Keep\(v\) is gone: use a variable that lives as long, and runtime.KeepAlive\(v\)$`
}

func badPolicies() {
	arena.UseHeap(true)                                   // want `^arena.UseHeap is gone: pass nil arenas or use LESSGC_ARENA=heap`
	_ = arena.Pool{Policy: arena.Heap}                    // want `arena.Heap is gone`
	_ = arenagrpc.Options{Policy: arena.Heap, Heap: true} // want `arena.Heap is gone`
	_ = arenagrpc.Options{arena.Heap, false, nil}         // want `arena.Heap is gone`
	_ = []arena.Policy{arena.Std, arena.Audit}            // want `arena.Std is gone` `arena.Audit is gone`
}

func badList(a *arena.Arena) *arena.List[int] { // want `arena.List is gone`
	var e *arena.Element[int] // want `arena.Element is gone`
	_ = e
	return arena.NewList[int](a) // want `arena.NewList is gone`
}

func positive(v int) bool { return v > 0 }

type order struct{ n int }

func (o *order) take() bool { o.n++; return true }

func badSeq(a *arena.Arena, s iter.Seq[int], buf []int) {
	_ = seq.And2(positive, positive)                                                                      // want `seq.And2 is gone`
	_ = seq.And2(func(o order) bool { return o.take() }, func(o order) bool { return o.n == 0 })          // want `seq.And2 is gone`
	_ = seq.And2(func(v int) bool { return v > 0 }, func(w int) bool { return w > 1 })                    // want `seq.And2 is gone`
	_ = seq.And2(func(v int) bool { return v > 0 }, func(v int) bool { v++; return v > 1 })               // want `seq.And2 is gone`
	_ = seq.And2(func(v int) bool { return v > 0 /* positive */ }, func(v int) bool { return v > 1 })     // want `seq.And2 is gone`
	_ = seq.And2(func(v [2]int) bool { return len(v[:]) > 0 }, func(v [2]int) bool { return v[0] > 1 })   // want `seq.And2 is gone`
	_ = seq.And2(func(v nowhere) bool { return len(v[:]) > 0 }, func(v nowhere) bool { return v[0] > 1 }) // want `seq.And2 is gone`
	_ = seq.And2(func(v int) bool { return v > 0 })                                                       // want `seq.And2 is gone`
	_ = seq.And(positive)                                                                                 // want `^seq.And is gone: use a function that loops over rules$`
	_ = seq.Chunk(s, buf)                                                                                 // want `seq.Chunk is gone`
	_ = seq.Zip(s, s)                                                                                     // want `seq.Zip is gone`
	_ = seq.Split(seq.Pairs(slices.All(buf)))                                                             // want `seq.Split is gone` `seq.Pairs is gone`
	var p seq.Pair[int, int]                                                                              // want `seq.Pair is gone`
	_ = p
	_ = seq.Sort(s, nil)       // want `seq.Sort is gone`
	_ = seq.Least(s, buf, nil) // want `seq.Least is gone`
	_ = seq.Reduce(s, 0, nil)  // want `seq.Reduce is gone`
	_ = seq.Collect(a, s)      // want `seq.Collect is gone`
}

func badStats(p *pool.Buffers) float64 {
	s := p.Stats()
	_ = s.Gets         // want `^pool.Stats.Gets is gone: count your requests; Stats.Misses is how many of them allocated$`
	return s.HitRate() // want `^pool.Stats.HitRate is gone: use 1 - Stats.Misses / your requests$`
}

// What does not compile for other reasons is not reported.
func goodWrong(a *arena.Arena) {
	a.Free(1)
	a.Bytes()
	a.Nothing()
	arena.Nothing()
	_ = nowhere.Map
	_, _ = args().KeepAll, nil.KeepAll
	_ = arena.Options{Policy: arena.Safe}
	func() {}.KeepAll()
	undeclared()
}
