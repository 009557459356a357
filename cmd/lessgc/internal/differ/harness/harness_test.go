package harness

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

type tree struct {
	left, right *tree
	name        string
	tags        map[string][]int
}

func values(all ...interface{}) (list []reflect.Value) {
	for _, v := range all {
		list = append(list, reflect.ValueOf(&v).Elem())
	}
	return list
}

// TestEncode checks what the text of values tells apart, and what it does not.
func TestEncode(t *testing.T) {
	ring := &tree{name: "ring"}
	ring.left = ring
	text := func(v interface{}) string { return encode(&Target{}, values(v)) }
	for _, pair := range [][2]interface{}{
		{math.NaN(), math.NaN()}, {make([]int, 1, 2), make([]int, 1, 9)}, {map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}},
		{ring, &tree{name: "ring", left: ring}}, {errors.New("x"), errors.New("x")}, {&tree{}, &tree{}},
		{map[float64]int{math.NaN(): 1, 2: 2}, map[float64]int{2: 2, math.NaN(): 1}},
	} {
		if text(pair[0]) != text(pair[1]) && !strings.Contains(text(pair[0]), "up)") {
			t.Errorf("%s and %s are told apart", text(pair[0]), text(pair[1]))
		}
	}
	for _, pair := range [][2]interface{}{
		{[]int(nil), []int{}}, {map[string]int(nil), map[string]int{}}, {0.0, math.Copysign(0, -1)}, {1, int64(1)}, {1, "1"}, {nil, (*tree)(nil)},
		{errors.New("x"), errors.New("y")}, {errors.New("x"), &failure{"x"}}, {&tree{name: "a"}, &tree{name: "b"}},
		{&tree{left: &tree{}}, &tree{right: &tree{}}}, {[]byte("\xff"), []byte("\ufffd")}, {strings.Repeat("a", 300), strings.Repeat("a", 299) + "b"},
		{[2][]int{{1}, {2, 3}}, [2][]int{{1, 2}, {3}}}, {&tree{tags: map[string][]int{"": nil}}, &tree{tags: map[string][]int{"": {}}}},
	} {
		if text(pair[0]) == text(pair[1]) {
			t.Errorf("%s is not told from another value", text(pair[0]))
		}
	}
}

type failure struct{ text string }

func (f *failure) Error() string { return f.text }

// TestMemory checks which values are said to share memory.
func TestMemory(t *testing.T) {
	b := []byte("abcdef")
	n := &tree{name: "n"}
	all := []*tree{n, n}
	table := map[string][]int{"a": {1}}
	for _, c := range []struct {
		name string
		a, b interface{}
		want bool
	}{
		{"a slice and its part", b, b[4:], true},
		{"parts beside each other", b[:2:2], b[2:], false},
		{"a part with capacity and the next", b[:2], b[2:], true},
		{"an empty part with capacity", b[:0], b, true},
		{"copies", append([]byte(nil), b...), b, false},
		{"a pointer and a slice of it", n, all, true},
		{"a map", table, table, true},
		{"a value of a map", table["a"], table, true},
		{"equal texts", "abc", "abc", false},
		{"no memory", struct{}{}, &struct{}{}, false},
		{"errors", errors.ErrUnsupported, errors.ErrUnsupported, false},
	} {
		if got := shared(spansOf(values(c.a)), spansOf(values(c.b))) > 0; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if within(spansOf(values(all))) == 0 || within(spansOf(values([]*tree{{}, {}}))) != 0 {
		t.Error("pointers to one object are not told from pointers to two")
	}
}

// TestSeed checks that a seed makes the same input each time, of memory of its own, and that seeds make all kinds of
// values.
func TestSeed(t *testing.T) {
	type all struct {
		Ints   []int
		Text   string
		Bytes  []byte
		Tree   *tree
		Any    interface{}
		Err    error
		Less   func(a, b int) bool
		Floats [2]float64
		hidden map[uint8]bool
	}
	target := &Target{Old: func(all, *all) {}, New: func(all, *all) {}}
	c := newChecker(target, newSettings(), &report{}, 1)
	seen := map[string]bool{}
	var last all
	for i := 0; i < 2000; i++ {
		in := c.input(i)
		a, b := c.build(in), c.build(in)
		for j := range a.calls {
			if x, y := encode(target, a.calls[j]), encode(target, b.calls[j]); x != y {
				t.Fatalf("one seed makes %s and %s", x, y)
			}
		}
		if shared(a.owned, b.owned) > 0 {
			t.Fatal("two inputs share memory")
		}
		last = a.calls[0][0].Interface().(all)
		for name, is := range map[string]bool{
			"nil slice": last.Ints == nil, "empty slice": last.Ints != nil && len(last.Ints) == 0, "spare capacity": cap(last.Ints) > len(last.Ints),
			"empty text": last.Text == "", "invalid text": !validText(last.Text), "long text": len(last.Text) > 2000,
			"nil pointer": last.Tree == nil, "deep pointer": last.Tree != nil && last.Tree.left != nil, "nil error": last.Err == nil,
			"error": last.Err != nil, "nil function": last.Less == nil, "nil map": last.hidden == nil, "map": len(last.hidden) > 0,
			"NaN": math.IsNaN(last.Floats[0]), "nil any": last.Any == nil,
			"large number": len(last.Ints) > 0 && last.Ints[0] == math.MaxInt,
		} {
			seen[name] = seen[name] || is
		}
	}
	for name, is := range seen {
		if !is {
			t.Errorf("no input has this: %s", name)
		}
	}
}

func validText(s string) bool { return strings.ToValidUTF8(s, "") == s }
