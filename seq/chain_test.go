package seq

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// An op is a stage of a random chain. Its byte is the kind and a parameter.
type op byte

func (o op) kind() int  { return int(o) % 7 }
func (o op) param() int { return int(o) / 7 }

// A call is one call of the function of a stage.
type call struct{ stage, value int }

// chain returns the ops as a chain over s. It appends to calls what each
// function is called for, unless calls is nil.
func chain(s iter.Seq[int], ops []op, calls *[]call) iter.Seq[int] {
	for i, o := range ops {
		log := func(v int) {
			if calls != nil {
				*calls = append(*calls, call{i, v})
			}
		}
		p := o.param()
		switch o.kind() {
		case 0:
			s = Filter(s, func(v int) bool { log(v); return v%(p+2) != 0 })
		case 1:
			s = TakeWhile(s, func(v int) bool { log(v); return v%(p+5) != 1 })
		case 2:
			s = Take(s, p-1)
		case 3:
			s = Drop(s, p-1)
		case 4:
			s = Map(s, func(v int) int { log(v); return v + p })
		case 5:
			s = FilterMap(s, func(v int) (int, bool) { log(v); return v - p, v%2 == p%2 })
		case 6:
			s = Distinct(s, func(v int) int { log(v); return v % (p + 3) })
		}
	}
	return s
}

// plain is chain as a plain loop that stops after stop values.
func plain(in []int, ops []op, stop int) (out []int, calls []call) {
	seen := make([]int, len(ops)) // by Take and Drop
	for _, o := range ops {
		if o.kind() == 2 && o.param() <= 1 {
			return nil, nil
		}
	}
	keys := make([]map[int]bool, len(ops)) // of Distinct
	for i := range keys {
		keys[i] = map[int]bool{}
	}
	last := false
values:
	for _, v := range in {
		if last {
			break
		}
		for i, o := range ops {
			p := o.param()
			switch o.kind() {
			case 0:
				calls = append(calls, call{i, v})
				if v%(p+2) == 0 {
					continue values
				}
			case 1:
				calls = append(calls, call{i, v})
				if v%(p+5) == 1 {
					break values
				}
			case 2:
				seen[i]++
				last = last || seen[i] == p-1
			case 3:
				seen[i]++
				if seen[i] <= p-1 {
					continue values
				}
			case 4:
				calls = append(calls, call{i, v})
				v += p
			case 5:
				calls = append(calls, call{i, v})
				if v%2 != p%2 {
					continue values
				}
				v -= p
			case 6:
				calls = append(calls, call{i, v})
				if k := v % (p + 3); keys[i][k] {
					continue values
				} else {
					keys[i][k] = true
				}
			}
		}
		out = append(out, v)
		if len(out) == stop {
			break
		}
	}
	return out, calls
}

// checkChain compares a chain with the plain loop, stopped at every position:
// what comes out, and which calls are made in which order.
func checkChain(t *testing.T, in []int, ops []op) {
	t.Helper()
	before := slices.Clone(in)
	all, _ := plain(in, ops, -1)
	var calls []call
	c := chain(slices.Values(in), ops, &calls)
	for stop := 1; stop <= len(all)+1; stop++ {
		want, wantCalls := plain(in, ops, stop)
		var got []int
		calls = nil
		for v := range c {
			if got = append(got, v); len(got) == stop {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v over %d values, stopped after %d: %v, want %v", ops, len(in), stop, got, want)
		}
		if !slices.Equal(calls, wantCalls) {
			t.Fatalf("%v over %d values, stopped after %d: calls %v, want %v", ops, len(in), stop, calls, wantCalls)
		}
	}
	if !slices.Equal(in, before) {
		t.Fatalf("%v changed its input", ops)
	}
}

// chains are the chains of the tests and the seeds of the fuzzer.
var chains = [][]op{
	nil,
	{0}, {1}, {2}, {2 + 7}, {2 + 7*2}, {2 + 7*6}, {3}, {3 + 7*4}, {4}, {5}, {6}, {6 + 7*8},
	{0, 0, 7, 14}, {0, 4, 0, 4}, {2 + 7*9, 0, 2 + 7*4}, {3 + 7*3, 3 + 7*3},
	{2 + 7*5, 3 + 7*9}, {5, 3 + 7*2, 4 + 7, 2 + 7*8, 1}, {0, 2 + 7}, {6 + 7*6, 5 + 7, 6 + 7*3},
}

func TestChains(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, ops := range chains {
		for _, n := range []int{0, 1, 2, 40} {
			checkChain(t, rnd.Perm(n), ops)
		}
		checkChain(t, nil, ops)
	}
	for range 500 {
		ops := make([]op, rnd.IntN(8))
		for i := range ops {
			ops[i] = op(rnd.Uint32())
		}
		checkChain(t, rnd.Perm(rnd.IntN(60)), ops)
	}
}

func FuzzChains(f *testing.F) {
	for _, ops := range chains {
		stages := make([]byte, len(ops))
		for i, o := range ops {
			stages[i] = byte(o)
		}
		f.Add(stages, []byte{1, 0, 7, 3, 3, 250, 9, 4, 12, 5, 6, 8, 15, 2})
	}
	f.Fuzz(func(t *testing.T, stages, values []byte) {
		ops := make([]op, min(len(stages), 12))
		for i := range ops {
			ops[i] = op(stages[i])
		}
		in := make([]int, min(len(values), 100))
		for i := range in {
			in[i] = int(values[i])
		}
		checkChain(t, in, ops)
	})
}

// TestConcurrent loops over the same chain in several goroutines: its state
// belongs to the loop. The race detector watches.
func TestConcurrent(t *testing.T) {
	in := rand.New(rand.NewPCG(1, 2)).Perm(1000)
	for _, ops := range chains {
		want, _ := plain(in, ops, -1)
		c := chain(slices.Values(in), ops, nil)
		var wg sync.WaitGroup
		for range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if got := slices.Collect(c); !slices.Equal(got, want) {
					t.Errorf("%v: %v, want %v", ops, got, want)
				}
			}()
		}
		wg.Wait()
	}
}

// TestNested loops over a chain inside a loop over the same chain.
func TestNested(t *testing.T) {
	c := Take(Drop(Filter(slices.Values([]int{1, 2, 3, 4, 5, 6, 7, 8}), func(v int) bool { return v%2 == 0 }), 1), 2)
	var got []int
	for v := range c {
		for w := range c {
			got = append(got, 10*v+w)
		}
	}
	if want := []int{44, 46, 64, 66}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPanic checks that a panic in the function of any stage, and in the loop,
// reaches the caller as it is, and that the chain works again after it.
func TestPanic(t *testing.T) {
	in := []int{1, 2, 3, 4, 5}
	bad := 0
	f := func(at int) func(int) bool {
		return func(v int) bool {
			if bad == at && v == 3 {
				panic(fmt.Sprint("stage ", at))
			}
			return true
		}
	}
	same := func(v int) int { f(4)(v); return v }
	kept := func(v int) (int, bool) { return v, f(1)(v) }
	key := func(v int) int { f(2)(v); return v }
	each := func(v int) iter.Seq[int] { f(5)(v); return slices.Values([]int{v}) }
	c := FlatMap(Map(Take(TakeWhile(Distinct(FilterMap(Filter(slices.Values(in), f(0)), kept), key), f(3)), 4), same), each)
	run := func() (got []int, err any) {
		defer func() { err = recover() }()
		for v := range c {
			f(6)(v)
			got = append(got, v)
		}
		return got, nil
	}
	for bad = range 7 {
		if got, err := run(); err != fmt.Sprint("stage ", bad) || !slices.Equal(got, in[:2]) {
			t.Errorf("stage %d: values %v, panic %v", bad, got, err)
		}
	}
	bad = -1
	if got, err := run(); err != nil || !slices.Equal(got, in[:4]) {
		t.Errorf("after the panics: values %v, panic %v", got, err)
	}
}
