package advice

import (
	"math"
	"slices"
	"testing"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// TestGain checks predictions by hand: of 1000 samples 200 allocate, 100 mark, 50 mark in
// idle workers, and the line has half of the bytes and all of the allocation.
func TestGain(t *testing.T) {
	c := ceiling.Ceiling{Samples: 1000}
	c.ByClass[ceiling.Alloc], c.ByClass[ceiling.Fractional], c.ByClass[ceiling.Idle], c.ByClass[ceiling.Other] = 200, 100, 50, 650
	at := &site.Site{AllocCPU: 200, Samples: 1e12}
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
		r := gain(match(c1.saves, 1), part{at, Range{c1.share, c1.share}, 0.5}, c).memory
		if mid := (r.Lo + r.Hi) / 2; math.Abs(mid-c1.mid) > 0.006 {
			t.Errorf("%s: the middle is %.4f, want %.4f", c1.name, mid, c1.mid)
		}
		if r.Lo < c1.lo || r.Hi > c1.hi || r.Lo > r.Hi {
			t.Errorf("%s: %v is outside of %v to %v", c1.name, r, c1.lo, c1.hi)
		}
	}
	m := match(lever.Saves{Alloc: exactly(0.1)}, 1) // a change may save more than its lever as a rule
	m.Finding.Saves = all
	if got, want := gain(m, part{at, Range{1, 1}, 0.5}, c), gain(match(all, 1), part{at, Range{1, 1}, 0.5}, c); got != want {
		t.Errorf("a change that saves all: %v, want %v", got, want)
	}
	// Never more than there is, however wrong the figures are.
	bill := c.Bill()
	if r := gain(match(all, 1), part{&site.Site{AllocCPU: 900}, Range{1, 1}, 1}, c).memory; r.Hi > bill.Share+bill.Error || r.Lo > bill.Share {
		t.Errorf("%v is above the ceiling", r)
	}
	// The rest of the calls' time comes on top: of 100 samples half to all.
	m = match(lever.Saves{Work: lever.Range{Lo: 0.5, Hi: 1}}, 1)
	m.Calls = []string{"fmt.Sprintf", "fmt.Fprintf", "regexp.Compile"}
	at = &site.Site{Work: map[string]int64{"fmt.Sprintf": 100, "fmt.Fprintf": 80, "fmt.Sprint": 400}}
	s := gain(m, part{at, Range{1, 1}, 1}, c)
	memory, calls := s.memory, s.calls
	whole := 100 / float64(c.Samples)
	if memory != (Range{}) || calls.Lo > 0.5*whole || calls.Lo < 0.4*whole || calls.Hi < whole || calls.Hi > 1.1*whole {
		t.Errorf("%v of memory, %v of calls, which take %.3f", memory, calls, whole)
	}
}

// TestCopy checks that what growth copies is saved by a share of its own, if the lever has one.
func TestCopy(t *testing.T) {
	c := ceiling.Ceiling{Samples: 100_000}
	c.ByClass[ceiling.Alloc], c.ByClass[ceiling.Copy], c.ByClass[ceiling.Other] = 10_000, 20_000, 70_000
	p := part{&site.Site{AllocCPU: 30_000, CopyCPU: 20_000}, Range{1, 1}, 0}
	half, all := lever.Range{Lo: 0.5, Hi: 0.5}, lever.Range{Lo: 1, Hi: 1}
	for want, saves := range map[float64]lever.Saves{0.15: {Alloc: half}, 0.25: {Alloc: half, Copy: all}, 0.2: {Copy: all}} {
		if r := gain(lever.Match{Lever: &lever.Lever{Saves: saves}}, p, c).memory; math.Abs(r.Lo-want) > 0.005 || math.Abs(r.Hi-want) > 0.005 {
			t.Errorf("%+v saves %v, want %v", saves, r, want)
		}
	}
}

// TestFewer checks that bytes which are saved whole are inside, as far as the profile tells their share: by two standard errors.
func TestFewer(t *testing.T) {
	m := lever.Match{Lever: &lever.Lever{Saves: lever.Saves{Collect: lever.Range{Lo: 0.5, Hi: 1}}}}
	one := part{&site.Site{Samples: 10_000}, Range{1, 1}, 0.5}
	unsure := part{&site.Site{Samples: 10_000}, Range{0, 1}, 0.25}
	for _, x := range []struct {
		parts  []part
		lo, hi float64
	}{
		{[]part{one}, 0.5 * 0.5 * (1 - 0.0196), 0.5 * (1 + 0.0196)},
		{[]part{one, unsure}, 0.5 * 0.5 * (1 - 0.0196), 0.75 + 0.0196*math.Hypot(0.5, 0.25)},
	} {
		if r := fewer(m, x.parts); math.Abs(r.Lo-x.lo) > 1e-9 || math.Abs(r.Hi-x.hi) > 1e-9 {
			t.Errorf("%v, want %v to %v", *r, x.lo, x.hi)
		}
	}
}

// TestAlso checks that the memory of other lines counts for a lever, and once in the sum with a lever of theirs.
func TestAlso(t *testing.T) {
	of := func(s *site.Site) lever.Range {
		if s.Func != "main.nodes" {
			t.Errorf("asked about %s", s.Func)
		}
		return lever.Range{Lo: 0.5, Hi: 1}
	}
	whole := lever.Saves{Alloc: lever.Range{Lo: 1, Hi: 1}, Collect: lever.Range{Lo: 1, Hi: 1}}
	line := func(name string) prof.Frame { return prof.Frame{File: "main.go", Line: int(name[len("main.")])} }
	report := func(also []lever.Also, levers ...string) *Report {
		p := example()
		for _, x := range []*prof.Profile{p.CPU, p.Allocs} {
			for _, s := range x.Sample {
				for _, l := range s.Location {
					l.Line[0].Function.Filename, l.Line[0].Line = "main.go", int64(l.Line[0].Function.Name[len("main.")])
				}
			}
		}
		return New(p, site.Module("example.com/none"), Code{Levers: func(s *site.Site) []lever.Match {
			if !slices.Contains(levers, s.Func) {
				return nil
			}
			m := lever.Match{Lever: &lever.Lever{Name: "x", Saves: whole}, Finding: lever.Finding{Share: 1}}
			if s.Func == "main.blobs" {
				m.Also = also
			}
			return []lever.Match{m}
		}}, nil)
	}
	also := []lever.Also{{Line: line("main.nodes"), Share: of}}
	find := func(r *Report, name string) Site {
		return r.Sites.Sites[slices.IndexFunc(r.Sites.Sites, func(s Site) bool { return s.Func == name })]
	}
	alone, nodes := find(report(nil, "main.blobs"), "main.blobs").Levers[0], find(report(nil, "main.nodes"), "main.nodes").Levers[0]
	both := report(also, "main.blobs")
	got := find(both, "main.blobs").Levers[0]
	if got.Bytes.Lo < alone.Bytes.Lo+0.1 || got.Bytes.Lo > 0.875 || got.Bytes.Hi != 1 {
		t.Errorf("%v of the bytes, %v without the other line", *got.Bytes, *alone.Bytes)
	}
	if got.Gain.Lo < alone.Gain.Lo+0.03 || got.Gain.Hi < alone.Gain.Hi+0.9*nodes.Gain.Hi || got.Gain.Hi > alone.Gain.Hi+nodes.Gain.Hi+1e-9 {
		t.Errorf("%v of CPU time, %v without the other line, %v of that", *got.Gain, *alone.Gain, *nodes.Gain)
	}
	if *both.Gain != *got.Gain {
		t.Errorf("one lever is %v, and all together %v", *got.Gain, *both.Gain)
	}
	sum, separate := report(also, "main.blobs", "main.nodes"), report(nil, "main.blobs", "main.nodes")
	if *sum.Gain != *separate.Gain {
		t.Errorf("a line that two levers are about counts twice: %v, want %v", *sum.Gain, *separate.Gain)
	}
}

// TestTogether checks that sites with many levers count once, and the sum ends at the
// ceiling.
func TestTogether(t *testing.T) {
	c := ceiling.Ceiling{Samples: 1000}
	c.ByClass[ceiling.Alloc], c.ByClass[ceiling.Fractional], c.ByClass[ceiling.Other] = 100, 200, 700
	of := func(line int, lo, hi float64) Lever {
		return Lever{Gain: &Range{lo, hi}, saves: []saving{{prof.Frame{Line: line}, Range{lo, hi}, Range{}}}}
	}
	r := &Report{Costs: costs(c), Sites: &Sites{Live: 1 << 30, Sites: []Site{
		{Levers: []Lever{of(1, 0.05, 0.1), of(1, 0.2, 0.3)}},
		{Levers: []Lever{of(2, 0.0004, 0.5)}}, // noise
		{Levers: []Lever{of(3, 0.05, 0.9)}},
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
