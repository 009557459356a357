package flame

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/prof"
)

// add adds a sample of calls, the innermost first.
func add(p *prof.Profile, values []int64, calls ...string) {
	s := &profile.Sample{Value: values}
	for _, name := range calls {
		s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
	}
	p.Sample = append(p.Sample, s)
}

func ofTypes(kind prof.Kind, types ...string) *prof.Profile {
	p := &profile.Profile{DurationNanos: 10e9}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t})
	}
	return &prof.Profile{Profile: p, Kind: kind}
}

// example has two functions that allocate, 3 MB and 1 MB, and samples of every way to
// pay for it. There are 1000, of 10 ms.
func example() Profiles {
	cpu := ofTypes(prof.CPU, "samples", "cpu")
	for _, s := range []struct {
		n     int64
		stack string
	}{
		{100, "runtime.mallocgcSmallScanNoHeader runtime.mallocgc runtime.newobject main.nodes main.main runtime.main"},
		{30, "runtime.memmove runtime.growslice strings.(*Builder).Grow main.text main.main runtime.main"},
		{20, "runtime.gcDrainN runtime.gcAssistAlloc runtime.mallocgc main.text main.main runtime.main"},
		{10, "runtime.wbBufFlush gcWriteBarrier main.nodes main.main runtime.main"},
		{40, "runtime.gcDrain runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker"},
		{20, "runtime.(*sweepLocked).sweep runtime.sweepone runtime.mallocgc main.nodes main.main runtime.main"},
		{20, "runtime.stopTheWorld runtime.gcStart runtime.mallocgc main.nodes main.main runtime.main"},
		{50, "runtime.gcDrain runtime.gcDrainMarkWorkerIdle runtime.gcBgMarkWorker"},
		{5, "runtime.madvise runtime.bgscavenge"},
		{3, "runtime.mallocgc runtime.allocm runtime.schedule"},
		{702, "main.work main.main runtime.main"},
	} {
		add(cpu, []int64{s.n, s.n * 1e7}, strings.Fields(s.stack)...)
	}
	allocs := ofTypes(prof.Allocs, "alloc_objects", "alloc_space")
	add(allocs, []int64{30_000, 3_000_000}, "main.nodes", "main.main", "runtime.main")
	add(allocs, []int64{10, 1_000_000}, "strings.(*Builder).Grow", "main.text", "main.main", "runtime.main", "runtime.goexit")
	return Profiles{cpu, allocs, func(pkg string) bool { return pkg == "main" }}
}

// at finds a node by the names of the calls that lead to it.
func at(t *testing.T, g *Graph, path ...string) *Node {
	t.Helper()
	n := g.Root
	for _, name := range path {
		i := slices.IndexFunc(n.Children, func(c *Node) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("%s has no %s on the way %q", n.Name, name, path)
		}
		n = n.Children[i]
	}
	return n
}

// check checks that no node has less than its children, in all values.
func check(t *testing.T, n *Node) {
	t.Helper()
	value, before := 0.0, 0.0
	for _, c := range n.Children {
		check(t, c)
		value, before = value+c.Value, before+c.Before
	}
	if value > n.Value*(1+1e-9) || before > n.Before*(1+1e-9) || n.Value+n.Before <= 0 {
		t.Errorf("%s has %v and %v, its children %v and %v", n.Name, n.Value, n.Before, value, before)
	}
}

func near(got, want float64) bool { return math.Abs(got-want) < 1e-9 }

// TestGraphs checks the values, the order and the marks of the plain graphs.
func TestGraphs(t *testing.T) {
	p := example()
	main := []string{"runtime.main", "main.main"}
	for _, c := range []struct {
		g          *Graph
		all, nodes float64
		unit       Unit
	}{
		{p.Bytes(), 4e6, 3e6, Bytes},
		{p.Objects(), 30_010, 30_000, Objects},
		{p.CPUTime(), 10, 1.5, Seconds},
	} {
		check(t, c.g.Root)
		if n := at(t, c.g, append(main, "main.nodes")...); !near(c.g.Root.Value, c.all) || !near(n.Value, c.nodes) || c.g.Unit != c.unit {
			t.Errorf("%s: %v %s in all, %v in nodes", c.g.Title, c.g.Root.Value, c.g.Unit, n.Value)
		}
	}
	g := p.Bytes()
	text := at(t, g, append(main, "main.text")...)
	if kinds := []Kind{g.Root.Kind, g.Root.Children[0].Kind, text.Kind, text.Children[0].Kind}; !slices.Equal(kinds, []Kind{Sum, Runtime, Own, Library}) {
		t.Errorf("the kinds are %v", kinds)
	}
	if order := at(t, g, main...).Children; order[0].Name != "main.nodes" || order[1] != text {
		t.Error("the largest is not first")
	}
}

// TestGCCost checks that the costs add up to the ceiling, and who pays.
func TestGCCost(t *testing.T) {
	p := example()
	g := p.GCCost()
	check(t, g.Root)
	if want := ceiling.Of(p.CPU).Throughput().Share; !near(g.Root.Value, want) {
		t.Errorf("the root has %v, the ceiling is %v", g.Root.Value, want)
	}
	for path, want := range map[string]float64{
		"runtime.main main.main main.nodes":                                           0.100 + 0.010 + 0.080*3/4,
		"runtime.main main.main main.nodes|allocation":                                0.100,
		"runtime.main main.main main.nodes|write barriers":                            0.010,
		"runtime.main main.main main.nodes|collections, by bytes":                     0.060,
		"runtime.main main.main main.text|mark assists":                               0.020,
		"runtime.main main.main main.text strings.(*Builder).Grow|copying what grows": 0.030,
		"runtime.main main.main main.text strings.(*Builder).Grow|" + collections:     0.020,
		"|(not attributed)":            0.008,
		"|(not attributed)|scavenge":   0.005,
		"|(not attributed)|allocation": 0.003,
	} {
		calls, sums, _ := strings.Cut(path, "|")
		way := strings.Fields(calls)
		if sums != "" {
			way = append(way, strings.Split(sums, "|")...)
		}
		if n := at(t, g, way...); !near(n.Value, want) || sums != "" && n.Kind != Sum {
			t.Errorf("%s costs %v, want %v", path, n.Value, want)
		}
	}
	p.Allocs = nil
	g = p.GCCost()
	if n := at(t, g, unattributed, collections); !near(n.Value, 0.080) || !near(g.Root.Value, 0.248) {
		t.Errorf("without allocations %v of %v are collections", n.Value, g.Root.Value)
	}
	for name, empty := range map[string]Profiles{"nothing": {}, "no CPU": {Allocs: example().Allocs}} {
		if n := empty.GCCost().Root; n.Value != 0 || len(n.Children) > 0 {
			t.Errorf("%s costs %v", name, n.Value)
		}
	}
}

// TestGraphsOf checks which graphs there are, and in which order.
func TestGraphsOf(t *testing.T) {
	titles := func(all []*Graph) (s string) {
		for _, g := range all {
			s += g.Title + "|" + string(g.Unit) + "\n"
		}
		return s
	}
	const cost, bytes, objects, cpu = "Cost of allocation and collection|share\n", "Allocated bytes|B\n", "Allocated objects|objects\n", "CPU time|sec\n"
	p := example()
	if got := titles(p.Graphs()); got != cost+bytes+objects+cpu {
		t.Errorf("there are\n%s", got)
	}
	if got := titles(Profiles{Allocs: p.Allocs}.Graphs()); got != bytes+objects {
		t.Errorf("without CPU there are\n%s", got)
	}
	if got := titles(Profiles{CPU: p.CPU}.Graphs()); got != cost+cpu {
		t.Errorf("without allocations there are\n%s", got)
	}
	if got := (Profiles{}).Graphs(); len(got) > 0 {
		t.Errorf("of nothing there are\n%s", titles(got))
	}
}

// large is a profile of random stacks with many small values.
func large(seed uint64) *prof.Profile {
	p := ofTypes(prof.Allocs, "alloc_objects", "alloc_space")
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 5_000 {
		calls := make([]string, 1+rng.IntN(20))
		for i := range calls {
			calls[i] = fmt.Sprintf("main.f%d", rng.IntN(3+30*i))
		}
		slices.Reverse(calls)
		n := rng.Int64N(1 << rng.IntN(20))
		add(p, []int64{n, 16 * n}, calls...)
	}
	add(p, []int64{-5, -80}, "main.f0") // differences of profiles have such
	return p
}

// total is the sum of a value.
func total(p *prof.Profile, value int) (sum float64) {
	for _, s := range p.Sample {
		sum += max(0, float64(s.Value[value]))
	}
	return sum
}

func count(n *Node) int {
	all := 1
	for _, c := range n.Children {
		all += count(c)
	}
	return all
}

// TestBuilt checks that a tree stops to grow, and that its values are still those of all
// stacks.
func TestBuilt(t *testing.T) {
	b := Profiles{}.builder()
	b.left = 3
	for _, stack := range []string{"main.c main.b main.a", "main.d main.b main.a", "main.e", "main.c main.b main.a"} {
		var frames []prof.Frame
		for name := range strings.FieldsSeq(stack) {
			frames = append(frames, prof.Frame{Func: name})
		}
		b.add(frames, "sum", 1)
	}
	g := &Graph{Root: b.tree()}
	check(t, g.Root)
	if g.Root.Value != 4 || at(t, g, "main.a", "main.b").Value != 3 || at(t, g, "main.a", "main.b", "main.c").Value != 2 || len(list(g.Root, nil)) != 4 {
		t.Errorf("%+v", g.Root)
	}
}

// TestFold checks that folding makes graphs small and keeps what nodes are worth.
func TestFold(t *testing.T) {
	p := large(1)
	g := Profiles{Allocs: p}.Bytes()
	whole := count(g.Root)
	first := *g.Root.Children[0]
	check(t, g.Root)
	g.Fold()
	check(t, g.Root)
	if n := count(g.Root); n > 2*mostNodes || whole < 3*mostNodes {
		t.Errorf("%d of %d nodes are left", n, whole)
	}
	if g.Root.Value != total(p, 1) || g.Root.Children[0].Value != first.Value {
		t.Errorf("the root has %v, want %v; its largest child %v, want %v", g.Root.Value, total(p, 1), g.Root.Children[0].Value, first.Value)
	}
	small := Profiles{Allocs: ofTypes(prof.Allocs, "alloc_objects", "alloc_space")}
	add(small.Allocs, []int64{1, 1_000_000}, "main.a")
	add(small.Allocs, []int64{1, 10}, "main.b", "main.a")
	add(small.Allocs, []int64{1, 20}, "main.c", "main.a")
	add(small.Allocs, []int64{1, 30}, "main.e", "main.d", "main.a")
	g = small.Bytes()
	g.Fold()
	if more := at(t, g, "main.a", "(3 more)"); more.Value != 60 || more.Kind != Sum || len(more.Children) > 0 {
		t.Errorf("folded: %+v", more)
	}
}

// TestDeep checks that a recursion without end is one.
func TestDeep(t *testing.T) {
	p := Profiles{Allocs: ofTypes(prof.Allocs, "alloc_objects", "alloc_space")}
	add(p.Allocs, []int64{1, 7}, slices.Repeat([]string{"main.f"}, 100_000)...)
	n := p.Graphs()[0].Root
	depth := 0
	for ; len(n.Children) > 0; n = n.Children[0] {
		depth++
	}
	if n.Value != 7 || depth != mostNodes {
		t.Errorf("%d bytes at depth %d", int(n.Value), depth)
	}
}

// TestDiff checks both values of nodes that stay, come and go.
func TestDiff(t *testing.T) {
	before, after := example(), example()
	add(before.Allocs, []int64{5, 500_000}, "main.old", "main.main", "runtime.main")
	add(after.Allocs, []int64{5, 400_000}, "main.new", "main.main", "runtime.main")
	cpu, allocs := Work{10, 5, "minute"}, Work{10, 20, "minute"}
	all := Diffs(before, after, cpu, allocs)
	if len(all) != 4 {
		t.Fatalf("there are %d graphs", len(all))
	}
	for i, c := range []struct {
		before, after float64
		unit          Unit
	}{{0.248, 0.496, "sec/minute"}, {450_000, 220_000, "B/minute"}, {3001.5, 1500.75, "objects/minute"}, {1, 2, "sec/minute"}} {
		g := all[i]
		check(t, g.Root)
		if !near(g.Root.Before, c.before) || !near(g.Root.Value, c.after) || g.Unit != c.unit || !g.Diff {
			t.Errorf("%s: %v, then %v %s, want %+v", g.Title, g.Root.Before, g.Root.Value, g.Unit, c)
		}
	}
	bytes := all[1]
	for name, want := range map[string][2]float64{"main.old": {50_000, 0}, "main.new": {0, 20_000}, "main.nodes": {300_000, 150_000}} {
		if n := at(t, bytes, "runtime.main", "main.main", name); n.Before != want[0] || n.Value != want[1] || n.Kind != Own {
			t.Errorf("%s: %+v", name, n)
		}
	}
	same := Work{1, 1, ""}
	if g := Diffs(before, after, same, same)[1]; g.Root.Before != 4_500_000 || g.Root.Value != 4_400_000 || g.Unit != Bytes {
		t.Errorf("as they are: %v, then %v %s", g.Root.Before, g.Root.Value, g.Unit)
	}
	if all := Diffs(Profiles{CPU: before.CPU}, after, cpu, allocs); len(all) != 2 || all[0].Unit != "sec/minute" || all[1].Unit != "sec/minute" {
		t.Errorf("with allocations on one side there are %d graphs", len(all))
	}
	g := Diff(Profiles{Allocs: large(1)}.Bytes(), Profiles{Allocs: large(2)}.Bytes())
	g.Fold()
	check(t, g.Root)
	if g.Root.Before != total(large(1), 1) || g.Root.Value != total(large(2), 1) || count(g.Root) > 2*mostNodes {
		t.Errorf("%v, then %v, in %d nodes", g.Root.Before, g.Root.Value, count(g.Root))
	}
}
