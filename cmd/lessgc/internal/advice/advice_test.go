package advice

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// add adds a sample of calls, the innermost first.
func add(p *profile.Profile, values []int64, calls ...string) {
	s := &profile.Sample{Value: values}
	for _, name := range calls {
		s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
	}
	p.Sample = append(p.Sample, s)
}

func ofTypes(kind prof.Kind, types ...string) *prof.Profile {
	p := &profile.Profile{Period: 512}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t})
	}
	return &prof.Profile{Profile: p, Kind: kind}
}

// example has two lines: one allocates most bytes, all without pointers, the other
// many small objects with them.
func example() *prof.Set {
	cpu := ofTypes(prof.CPU, "samples", "cpu")
	add(cpu.Profile, []int64{20, 2e8}, "runtime.mallocgcSmallNoscan", "runtime.mallocgc", "main.blobs")
	add(cpu.Profile, []int64{100, 1e9}, "runtime.mallocgcSmallScanNoHeader", "runtime.mallocgc", "main.nodes")
	add(cpu.Profile, []int64{80, 8e8}, "runtime.gcDrain", "runtime.gcDrainMarkWorkerDedicated", "runtime.gcBgMarkWorker")
	add(cpu.Profile, []int64{100, 1e9}, "runtime.gcDrain", "runtime.gcDrainMarkWorkerIdle", "runtime.gcBgMarkWorker")
	add(cpu.Profile, []int64{700, 7e9}, "main.work")
	allocs := ofTypes(prof.Allocs, "alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
	add(allocs.Profile, []int64{75, 750_000, 1, 10_000}, "main.blobs")
	add(allocs.Profile, []int64{5000, 250_000, 100, 5_000}, "main.nodes")
	return &prof.Set{CPU: cpu, Allocs: allocs}
}

// TestNew checks the shares and the order of a report.
func TestNew(t *testing.T) {
	r := New(example(), site.Module("example.com/none"), Code{}, nil)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	if c := r.Costs; c.Samples != 1000 || !near(c.Throughput.Share, 0.2) || !near(c.Bill.Share, 0.3) || !c.Enough || len(c.Classes) != 3 {
		t.Errorf("%+v", c)
	}
	s := r.Sites
	if s.Bytes != 1_000_000 || s.Objects != 5075 || s.Live != 15_000 || len(s.Sites) != 2 {
		t.Fatalf("%+v", s)
	}
	nodes, blobs := s.Sites[0], s.Sites[1]
	if nodes.Func != "main.nodes" || blobs.Func != "main.blobs" || !near(blobs.Share, 0.75) {
		t.Errorf("%+v", s.Sites)
	}
	if !near(nodes.Alloc.Share, 0.1) || !near(nodes.Mark.Hi, 0.08*0.25) || !near(nodes.Mark.Lo, 0.01) || blobs.Mark != (Range{}) {
		t.Errorf("nodes: %+v, %+v, blobs: %+v", nodes.Alloc, nodes.Mark, blobs.Mark)
	}
	if !strings.Contains(r.Regime, "live heap 14.6 KiB, less than half") {
		t.Error(r.Regime)
	}
	total := 0.0
	for _, x := range s.Sites {
		total += x.Alloc.Share + x.Mark.Hi
	}
	if total > r.Costs.Throughput.Share {
		t.Errorf("the lines cost %v, more than the ceiling", total)
	}
}

// TestHalf checks reports of which a part is missing.
func TestHalf(t *testing.T) {
	p := example()
	p.CPU = nil
	r := New(p, site.Module(), Code{}, nil)
	if r.Costs != nil || r.Sites.Sites[0].Func != "main.blobs" || !strings.Contains(strings.Join(r.Notes, "\n"), "without a CPU profile") {
		t.Errorf("%+v", r)
	}
	p = example()
	p.Allocs = nil
	r = New(p, site.Module(), Code{}, nil)
	if r.Sites != nil || !strings.Contains(strings.Join(r.Notes, "\n"), "without a profile of allocations") || !strings.Contains(r.Regime, "cannot tell") {
		t.Errorf("%+v", r)
	}
	p = example()
	p.CPU.Sample = p.CPU.Sample[4:]
	add(p.CPU.Profile, []int64{2, 2e7}, "runtime.mallocgc", "main.blobs")
	r = New(p, site.Module(), Code{}, nil)
	if r.Costs.Enough || r.Sites.Sites[0].Func != "main.blobs" || !strings.Contains(strings.Join(r.Notes, "\n"), "holds 2 samples of allocation and collection, too few") ||
		!strings.Contains(strings.Join(r.Notes, "\n"), "5 times as long") {
		t.Errorf("%+v", r.Notes)
	}
	p = example()
	p.Live = ofTypes(prof.Allocs, "alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
	add(p.Live.Profile, []int64{1, 1, 1, 10 << 20}, "main.nodes")
	if r = New(p, site.Module(), Code{}, nil); r.Sites.Live != 10<<20 || !strings.Contains(r.Regime, "live heap 10.0 MiB: with GOGC=100") {
		t.Errorf("%d live, %s", r.Sites.Live, r.Regime)
	}
}

// TestLive checks that live bytes count wherever they were allocated, and that rules see when
// they are not known.
func TestLive(t *testing.T) {
	var seen []int64
	code := Code{Levers: func(s *site.Site) []lever.Match { seen = append(seen, s.LiveBytes); return nil }}
	p := example()
	p.Live = ofTypes(prof.Allocs, "alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
	add(p.Live.Profile, []int64{1, 1 << 20, 1, 1 << 20}, "main.cache")
	add(p.Live.Profile, []int64{1, 100, 1, 100}, "main.nodes")
	if r := New(p, site.Module("example.com/none"), code, nil); r.Sites.Live != 1<<20+100 || !slices.Equal(seen, []int64{0, 100}) {
		t.Errorf("%d live, lines %v", r.Sites.Live, seen)
	}
	seen = nil
	p = example()
	p.Allocs = ofTypes(prof.Allocs, "alloc_objects", "alloc_space")
	add(p.Allocs.Profile, []int64{75, 750_000}, "main.blobs")
	r := New(p, site.Module("example.com/none"), code, nil)
	if r.Sites.Live != -1 || !slices.Equal(seen, []int64{-1, -1}) || len(r.Levers) > 0 || !strings.Contains(r.Regime, "no profile has the live heap") {
		t.Errorf("%d live, lines %v, %q", r.Sites.Live, seen, r.Regime)
	}
}
