package advice

import (
	"math"
	"testing"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/lever"
)

// TestGain checks predictions by hand: of 1000 samples 200 allocate, 100 mark, 50 mark in
// idle workers, and the line has half of the bytes and all of the allocation.
func TestGain(t *testing.T) {
	c := ceiling.Ceiling{Samples: 1000}
	c.ByClass[ceiling.Alloc], c.ByClass[ceiling.Fractional], c.ByClass[ceiling.Idle], c.ByClass[ceiling.Other] = 200, 100, 50, 650
	x := Site{Share: 0.5, Alloc: c.Part(200)}
	match := func(s lever.Saves, share float64) lever.Match {
		return lever.Match{Lever: &lever.Lever{Saves: s}, Finding: lever.Finding{Share: share}}
	}
	exactly := func(v float64) lever.Range { return lever.Range{Lo: v, Hi: v} }
	all := lever.Saves{Alloc: exactly(1), Collect: exactly(1)}
	for _, c1 := range []struct {
		name   string
		saves  lever.Saves
		share  float64
		mid    float64
		lo, hi float64 // bounds of the ends
	}{
		{name: "all of allocation", saves: lever.Saves{Alloc: exactly(1)}, share: 1, mid: 0.2, lo: 0.17, hi: 0.23},
		{name: "half of it", saves: lever.Saves{Alloc: exactly(1)}, share: 0.5, mid: 0.1, lo: 0.08, hi: 0.12},
		{name: "half of collecting, at 0.35 to 2.1 times its stacks", saves: lever.Saves{Collect: exactly(1)}, share: 1, mid: 0.06125, lo: 0.01, hi: 0.11},
		{name: "all", saves: all, share: 1, mid: 0.26125, lo: 0.20, hi: 0.32},
		{name: "a model that knows little", saves: lever.Saves{Alloc: lever.Range{Lo: 0, Hi: 1}}, share: 1, mid: 0.1, lo: 0, hi: 0.21},
	} {
		r, _ := gain(match(c1.saves, c1.share), x, nil, c)
		if mid := (r.Lo + r.Hi) / 2; math.Abs(mid-c1.mid) > 0.006 {
			t.Errorf("%s: the middle is %.4f, want %.4f", c1.name, mid, c1.mid)
		}
		if r.Lo < c1.lo || r.Hi > c1.hi || r.Lo > r.Hi {
			t.Errorf("%s: %v is outside of %v to %v", c1.name, r, c1.lo, c1.hi)
		}
	}
	// Never more than there is, however wrong the figures are.
	x = Site{Share: 1, Alloc: ceiling.Share{Share: 0.9, Error: 0.5}}
	bill := c.Bill()
	if r, _ := gain(match(all, 1), x, nil, c); r.Hi > bill.Share+bill.Error || r.Lo > bill.Share {
		t.Errorf("%v is above the ceiling", r)
	}
	// The rest of the calls' time comes on top: of 100 samples half to all.
	m := match(lever.Saves{Work: lever.Range{Lo: 0.5, Hi: 1}}, 1)
	m.Calls = []string{"fmt.Sprintf", "fmt.Fprintf", "regexp.Compile"}
	memory, calls := gain(m, x, map[string]int64{"fmt.Sprintf": 100, "fmt.Fprintf": 80, "fmt.Sprint": 400}, c)
	whole := 100 / float64(c.Samples)
	if memory != (Range{}) || calls.Lo > 0.5*whole || calls.Lo < 0.4*whole || calls.Hi < whole || calls.Hi > 1.1*whole {
		t.Errorf("%v of memory, %v of calls, which take %.3f", memory, calls, whole)
	}
}

// TestTogether checks that sites with many levers count once, and the sum ends at the
// ceiling.
func TestTogether(t *testing.T) {
	c := ceiling.Ceiling{Samples: 1000}
	c.ByClass[ceiling.Alloc], c.ByClass[ceiling.Fractional], c.ByClass[ceiling.Other] = 100, 200, 700
	r := &Report{Costs: costs(c), Sites: &Sites{Live: 1 << 30, Sites: []Site{
		{Levers: []Lever{{Gain: &Range{0.05, 0.1}}, {Gain: &Range{0.2, 0.3}}}},
		{Levers: []Lever{{Gain: &Range{0.0004, 0.5}}}}, // noise
		{Levers: []Lever{{Gain: &Range{0.05, 0.9}}}},
	}}}
	r.together(c)
	for n, want := range map[int]*Range{0: nil, 1: r.Sites.Sites[0].Together, 2: r.Sites.Sites[0].Together, 3: r.Gain, 100: r.Gain} {
		if got := r.Together(n); got != want {
			t.Errorf("the first %d together: %v, want %v", n, got, want)
		}
	}
	bill := c.Bill()
	if r.Gain == nil || math.Abs(r.Gain.Lo-0.1) > 1e-9 || r.Gain.Hi != bill.Share+bill.Error {
		t.Errorf("together %v", r.Gain)
	}
	sites := r.Sites.Sites
	if first := sites[0].Together; first == nil || *first != (Range{0.05, 0.1}) || sites[1].Together != nil || *sites[2].Together != *r.Gain {
		t.Errorf("one after the other: %+v", sites)
	}
	if len(r.Levers) != 1 || r.Levers[0].Name != "gc-setting" || r.Levers[0].Gain.Lo < 0.03 || r.Levers[0].Gain.Lo > 0.05 || r.Levers[0].Gain.Hi > bill.Share+bill.Error {
		t.Errorf("levers of the program: %+v", r.Levers)
	}
	// With next to no collecting there is nothing to set.
	c.ByClass[ceiling.Fractional], c.ByClass[ceiling.Other] = 10, 890
	r = &Report{Costs: costs(c), Sites: &Sites{}}
	if r.together(c); len(r.Levers) > 0 || r.Gain != nil {
		t.Errorf("%+v, %v", r.Levers, r.Gain)
	}
}

// TestHeapAt checks heaps beyond any machine's.
func TestHeapAt(t *testing.T) {
	for live, want := range map[int64]string{0: "16.0 MiB", 10 << 20: "50.0 MiB", math.MaxInt64: "4398046511104.0 MiB"} {
		if got := heapAt(live, 400); got != want {
			t.Errorf("%d: %s, want %s", live, got, want)
		}
	}
}

// TestOrder checks that what is sure comes first.
func TestOrder(t *testing.T) {
	site := func(share, err, mark float64) Site {
		return Site{Alloc: ceiling.Share{Share: share, Error: err}, Mark: Range{mark, 2 * mark}}
	}
	for _, c := range []struct{ first, second Site }{
		{site(0.03, 0.01, 0), site(0.04, 0.03, 0)},
		{site(0.01, 0.02, 0), site(0.005, 0.02, 0)},
		{site(0.01, 0.02, 0.01), site(0.02, 0.015, 0)},
	} {
		if bySure(c.first, c.second) >= 0 || bySure(c.second, c.first) <= 0 {
			t.Errorf("%+v does not come before %+v", c.first, c.second)
		}
	}
}
