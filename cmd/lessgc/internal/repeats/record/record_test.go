package record

import (
	"os"
	"reflect"
	"testing"
)

// TestHash checks that values have the same hash if they are equal in all that they lead to.
func TestHash(t *testing.T) {
	type node struct {
		name string
		next *node
		more map[string][]any
		call func()
	}
	hash := func(x any) uint64 {
		h := newHasher()
		sum := h.value(addressable(x), 0)
		if h.unknown {
			return 0
		}
		return sum
	}
	call := func() {}
	build := func(name string) *node {
		n := &node{name, nil, map[string][]any{"a": {1, "x"}, "b": nil}, call}
		n.next = &node{"next", n, nil, nil} // a cycle
		return n
	}
	first, second := hash(build("a")), hash(build("a"))
	if first == 0 || first != second || first == hash(build("b")) {
		t.Error("equal values have other hashes, or others the same")
	}
	changed := build("a")
	changed.next.next.more["b"] = []any{nil}
	if hash(changed) == hash(build("a")) {
		t.Error("a change deep within is not seen")
	}
	if hash([]int(nil)) == hash([]int{}) || hash([]byte("ab")) == hash("ab") {
		t.Error("values that are not equal have the same hash")
	}
	if hash(os.Stdout) != 0 || hash(make([]string, mostNodes)) != 0 {
		t.Error("what is not known has a hash")
	}
	a, b := string([]byte("same")), string([]byte("same"))
	same, other := identity(reflect.ValueOf(a), 0), identity(reflect.ValueOf(b), 0)
	if same == other || same != identity(reflect.ValueOf(a), 0) {
		t.Error("memory is not told apart")
	}
}

// called calls a function that is recorded.
func called(s []int, change bool) {
	c := Enter(1, "m.F", s)
	result := []int{len(s)}
	if change {
		s[0]++
	}
	c.Exit(result)
}

// TestRecord checks what counts as a repeat.
func TestRecord(t *testing.T) {
	t.Setenv("LESSGC_REPEATS", "")
	s := []int{1, 2}
	called(s, false) // before
	for range 2 {
		Begin()
		called(s, false)
		called(s, false)
		Next()
		called(s, false)
		Pause()
		called(s, false)
		Resume()
		for range 3 {
			called(s, false)
		}
		Next()
		called([]int{1, 2}, false)
		called([]int{1, 2}, false)
		Next()
		for range 2 {
			called(s, true)
		}
	}
	End()
	called(s, false)
	got := state.all[1].Total
	got.Paths = nil
	if want := (Total{Func: "m.F", Ops: 2, Calls: 20, Inputs: 2 * (1 + 1 + 1 + 2 + 2), Cross: 2, Same: 4}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A parser keeps the token that it has read.
type parser struct {
	text   string
	tokens []string
}

func (p *parser) peek() (token string) {
	c := Enter(7, "m.(*parser).peek", p)
	defer func() { c.Leave(); c.Exit(token) }()
	if len(p.tokens) == 0 {
		p.tokens = append(p.tokens, string([]byte(p.text)))
	}
	return p.tokens[0]
}

func (p *parser) read() (token string) {
	c := Enter(8, "m.(*parser).read", p)
	defer func() { c.Leave(); c.Exit(token) }()
	return string([]byte(p.text))
}

// TestCostly checks that repeats which allocate are distinguished from those that find what
// is there.
func TestCostly(t *testing.T) {
	state.all, state.groups = nil, nil
	Begin()
	p := &parser{text: "a text that is long enough for the heap"}
	for range 20 {
		p.peek()
		p.read()
	}
	Next()
	peek, read := state.all[7], state.all[8]
	if peek.Probed == 0 || 2*peek.Costly > peek.Probed {
		t.Errorf("of %d repeats that find their result %d allocate", peek.Probed, peek.Costly)
	}
	if read.Probed == 0 || read.Costly < read.Probed {
		t.Errorf("of %d repeats that allocate %d do", read.Probed, read.Costly)
	}
	End()
}
