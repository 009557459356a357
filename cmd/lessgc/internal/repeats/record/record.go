//go:build go1.24

// Package record is built into test binaries by package repeats. It counts, for each operation
// of a benchmark, how often an instrumented function is called with the same arguments and has the
// same results.
package record

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

// Bounds of what is recorded. Beyond them calls are counted as unknown, which is never a repeat. They are
// numbers of values and not times, so that a busy machine finds the same.
const (
	mostHashed     = 80 << 20 // values that are hashed in a process
	mostHashedEach = 2 << 20  // and for a function
	mostGroups     = 200000   // inputs in an operation
	mostGroupsEach = 8000     // and of a function
	mostContexts   = 8        // of an input
	mostProbed     = 32       // repeats of a function whose allocations are counted
	mostTexts      = 4096     // strings in an operation and of a function
	longestText    = 64       // bytes of one that is looked at
	deepest        = 48       // frames of a stack
)

// A Total holds the counts of a function.
type Total struct {
	Func     string
	Ops      int64 // operations that call it
	Calls    int64
	Inputs   int64 // distinct ones
	Cross    int64 // repeats by other call paths than the most frequent one of their input
	Same     int64 // repeats by one call path
	Unknown  int64 // calls that were not compared
	Unsteady int64 // repeats that change an argument, give another result, or whose result is changed later
	Probed   int64 // repeats of which it is known whether they allocate
	Costly   int64 // of these, those that do
	Texts    int64 // short strings that it returned
	Distinct int64 // of these, those that it had not returned before in the operation
	Paths    []*CallPath
}

// A CallPath is a way to call a function: the stack, the innermost frame first.
type CallPath struct {
	Stack []Frame
	Calls int64
	Cross int64 // calls whose input has been seen by other call paths
	Same  int64 // calls whose input has been seen from here
}

// A Frame is a call.
type Frame struct {
	Func, File string
	Line       int
}

type context [deepest]uintptr

// A group is all calls of a function with one input, in an operation.
type group struct {
	count    *function
	result   uint64
	results  []reflect.Value
	keep     []reflect.Value // the arguments: their addresses may not be used again
	calls    int64
	contexts map[uint64]int64
	bad      bool
}

type key struct {
	function int
	input    uint64
}

type function struct {
	Total
	hashed int
	groups int // in this operation
	places map[uint64]*CallPath
	texts  map[string]bool // in this operation
	op     int64           // the last that called it
	over   bool            // the next operation may be too much
}

var state struct {
	sync.Mutex
	on     bool
	paused bool
	op     int64
	hashed int
	all    map[int]*function
	groups map[key]*group
	memory runtime.MemStats
}

// Begin begins an operation.
func Begin() {
	state.Lock()
	defer state.Unlock()
	flush()
	state.on, state.paused = true, false
	state.op++
}

// Next separates the statements of an operation: what a benchmark does twice is not the program's doing.
func Next() {
	state.Lock()
	defer state.Unlock()
	flush()
}

// Pause begins a section that is not part of the operation.
func Pause() {
	state.Lock()
	defer state.Unlock()
	flush()
	state.paused = true
}

// Resume ends it.
func Resume() {
	state.Lock()
	defer state.Unlock()
	flush()
	state.paused = false
}

// End ends the loop of a benchmark, and writes the record.
func End() {
	state.Lock()
	defer state.Unlock()
	flush()
	state.on = false
	name := os.Getenv("LESSGC_REPEATS")
	if name == "" {
		return
	}
	var all []Total
	for _, f := range state.all {
		all = append(all, f.Total)
	}
	if data, err := json.Marshal(all); err == nil {
		os.WriteFile(name, data, 0o600)
	}
}

// A Call is one that has begun.
type Call struct {
	function int
	name     string
	args     []reflect.Value
	input    uint64
	content  uint64
	place    uint64
	stack    []uintptr
	known    bool
	probed   bool   // it is a repeat whose allocations are counted
	mallocs  uint64 // of the process when the call began; after Leave, those of the call
}

// Enter records the beginning of a call.
func Enter(id int, name string, args ...any) *Call {
	if !begun(id, name, true) {
		return nil
	}
	c := &Call{function: id, name: name}
	var stack context
	c.stack = stack[:runtime.Callers(3, stack[:])]
	c.place = stackSum(c.stack)
	h, same := newHasher(), uint64(id)
	for _, a := range args {
		v := addressable(a)
		c.args = append(c.args, v)
		c.content = mix(c.content, h.value(v, 0))
		same = mix(same, identity(v, 0))
	}
	c.input, c.known = mix(same, c.content), !h.unknown
	spend(id, h.nodes)
	c.probe()
	return c
}

// probe begins to count the allocations of a repeat.
func (c *Call) probe() {
	state.Lock()
	defer state.Unlock()
	f := state.all[c.function]
	if f == nil || !c.known || f.Probed >= mostProbed || state.groups[key{c.function, c.input}] == nil {
		return
	}
	c.probed, c.mallocs = true, mallocs()
}

// Leave ends the counting of allocations: Exit makes some of its own.
func (c *Call) Leave() {
	if c == nil || !c.probed {
		return
	}
	state.Lock()
	defer state.Unlock()
	c.mallocs = mallocs() - c.mallocs
	f := state.all[c.function]
	if f == nil {
		return
	}
	f.Probed++
	if c.mallocs > 0 {
		f.Costly++
	}
}

// mallocs returns the number of objects that the process has made; state is locked.
func mallocs() uint64 {
	runtime.ReadMemStats(&state.memory)
	return state.memory.Mallocs
}

// Count counts a call of a function without results.
func Count(id int, name string) { begun(id, name, false) }

// begun counts a call, and reports whether it is to be compared with others.
func begun(id int, name string, compare bool) bool {
	state.Lock()
	defer state.Unlock()
	if !state.on || state.paused {
		return false
	}
	if state.all == nil {
		state.all, state.groups = map[int]*function{}, map[key]*group{}
	}
	f := state.all[id]
	if f == nil {
		f = &function{Total: Total{Func: name}, places: map[uint64]*CallPath{}}
		state.all[id] = f
	}
	if f.op != state.op {
		f.over = f.hashed > mostHashedEach/2 || state.hashed > mostHashed/2
		f.op = state.op
		clear(f.texts)
		if !f.over {
			f.Ops++
		}
	}
	if f.over {
		return false
	}
	f.Calls++
	if compare && (state.hashed > mostHashed || f.hashed > mostHashedEach || len(state.groups) >= mostGroups || f.groups >= mostGroupsEach) {
		f.Unknown++
		return false
	}
	return compare
}

// stackSum identifies a stack. Frames of recursion count once: they are data, not call sites.
func stackSum(stack []uintptr) (sum uint64) {
	for i, pc := range stack {
		again := false
		for _, other := range stack[:i] {
			again = again || other == pc
		}
		if !again {
			sum += mix(17, uint64(pc))
		}
	}
	return sum
}

func spend(id, nodes int) {
	state.Lock()
	state.hashed += nodes
	if f := state.all[id]; f != nil {
		f.hashed += nodes
	}
	state.Unlock()
}

// Exit records the end of a call.
func (c *Call) Exit(results ...any) {
	if c == nil {
		return
	}
	after, out := newHasher(), newHasher()
	content, result := uint64(0), uint64(0)
	for _, v := range c.args {
		content = mix(content, after.value(v, 0))
	}
	var kept []reflect.Value
	for _, r := range results {
		v := addressable(r)
		kept = append(kept, v)
		result = mix(result, out.value(v, 0))
	}
	known := c.known && !after.unknown && !out.unknown
	spend(c.function, after.nodes+out.nodes)
	state.Lock()
	defer state.Unlock()
	f := state.all[c.function]
	if !state.on || state.paused || f == nil {
		return
	}
	for _, r := range results {
		f.text(r)
	}
	if !known {
		f.Unknown++
		return
	}
	k := key{c.function, c.input}
	g := state.groups[k]
	if g == nil {
		g = &group{count: f, result: result, results: kept, keep: c.args, contexts: map[uint64]int64{}}
		state.groups[k] = g
		f.groups++
	}
	g.calls++
	g.bad = g.bad || result != g.result || content != c.content
	if len(g.contexts) < mostContexts || g.contexts[c.place] > 0 {
		g.contexts[c.place]++
	} else {
		g.bad = true
	}
	if f.places[c.place] == nil && len(f.places) < 64 {
		f.places[c.place] = &CallPath{Stack: frames(c.stack)}
		f.Paths = append(f.Paths, f.places[c.place])
	}
}

// text counts a string that the function has returned. Beyond some, each counts as one of its own.
func (f *function) text(result any) {
	v := reflect.ValueOf(result)
	if !v.IsValid() || v.Kind() != reflect.String || v.Len() == 0 || v.Len() > longestText {
		return
	}
	f.Texts++
	if f.texts[v.String()] {
		return
	}
	f.Distinct++
	if f.texts == nil {
		f.texts = map[string]bool{}
	}
	if len(f.texts) < mostTexts {
		f.texts[v.String()] = true
	}
}

func frames(stack []uintptr) (all []Frame) {
	for next := runtime.CallersFrames(stack); ; {
		f, more := next.Next()
		if f.Function != "" {
			all = append(all, Frame{f.Function, f.File, f.Line})
		}
		if !more || len(all) >= deepest {
			return all
		}
	}
}

// flush adds up an operation.
func flush() {
	if len(state.groups) == 0 {
		return
	}
	for _, g := range state.groups {
		g.add()
	}
	clear(state.groups)
}

func (g *group) add() {
	f := g.count
	f.Inputs++
	f.groups = 0
	if g.calls > 1 && !g.bad { // whoever changes a result needs one of his own
		h, now := newHasher(), uint64(0)
		for _, v := range g.results {
			now = mix(now, h.value(v, 0))
		}
		g.bad = now != g.result
		state.hashed += h.nodes
		f.hashed += h.nodes
	}
	if g.bad {
		f.Unsteady += g.calls - 1
	}
	most := int64(0)
	for _, n := range g.contexts {
		most = max(most, n)
	}
	if !g.bad {
		f.Cross += g.calls - most
		f.Same += most - 1
	}
	for id, n := range g.contexts {
		p := f.places[id]
		if p == nil {
			continue
		}
		p.Calls += n
		if g.bad {
			continue
		}
		p.Same += n - 1
		if n < g.calls {
			p.Cross += n
		}
	}
}

// addressable returns a copy of a value that has an address, by which functions can be told apart.
func addressable(x any) reflect.Value {
	if x == nil {
		return reflect.Value{}
	}
	v := reflect.ValueOf(x)
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	return to
}

// word is the pointer that a function value is.
func word(v reflect.Value) (unsafe.Pointer, bool) {
	if !v.CanAddr() {
		return nil, false
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr())), true
}
