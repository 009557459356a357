package diff

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/take"
	"lessgc/cmd/lessgc/internal/watch"
)

// A stack has values and calls, the innermost first.
type stack struct {
	values []int64
	calls  string
}

func of(kind prof.Kind, d time.Duration, types string, stacks ...stack) *prof.Profile {
	p := &profile.Profile{Period: 512, DurationNanos: int64(d)}
	for t := range strings.FieldsSeq(types) {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t})
	}
	for _, s := range stacks {
		x := &profile.Sample{Value: s.values}
		for name := range strings.FieldsSeq(s.calls) {
			x.Location = append(x.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
		}
		p.Sample = append(p.Sample, x)
	}
	return &prof.Profile{Profile: p, Kind: kind}
}

func cpu(d time.Duration, stacks ...stack) *prof.Profile {
	return of(prof.CPU, d, "samples cpu", stacks...)
}

func allocs(d time.Duration, stacks ...stack) *prof.Profile {
	return of(prof.Allocs, d, "alloc_objects alloc_space", stacks...)
}

// example is a minute of work, and half a minute with half of the allocation in it.
func example() (before, after Side) {
	before = Side{Name: "b", Profiles: &take.Profiles{
		CPU: cpu(time.Minute,
			stack{[]int64{400, 4e9}, "runtime.mallocgc main.parse main.parse main.main"},
			stack{[]int64{100, 1e9}, "runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker"},
			stack{[]int64{500, 5e9}, "main.work main.main"}),
		Allocs: allocs(time.Minute, stack{[]int64{1000, 1 << 20}, "main.parse main.main"}, stack{[]int64{10, 1 << 10}, "main.gone main.main"}),
	}}
	after = Side{Name: "a", Profiles: &take.Profiles{
		CPU: cpu(30*time.Second,
			stack{[]int64{100, 1e9}, "runtime.mallocgc main.parse main.main"},
			stack{[]int64{250, 25e8}, "main.work main.main"}),
		Allocs: allocs(30*time.Second, stack{[]int64{250, 1 << 18}, "main.parse main.main"}, stack{[]int64{10, 1 << 10}, "main.new main.main"}),
	}}
	return before, after
}

func find(t *testing.T, p *Part, name string) Function {
	t.Helper()
	i := slices.IndexFunc(p.Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return p.Functions[i]
}

// TestNew checks values per minute by hand.
func TestNew(t *testing.T) {
	before, after := example()
	r := New(before, after)
	check := func(c Change, b, a float64, percent string) {
		t.Helper()
		if math.Abs(c.Before-b) > 1e-9*b || math.Abs(c.After-a) > 1e-9*a || c.Percent() != percent {
			t.Errorf("%s: %v to %v, %s; want %v to %v, %s", c.Name, c.Before, c.After, c.Percent(), b, a, percent)
		}
	}
	if r.CPU.Per != "minute" || r.Bytes.Per != "minute" || len(r.CPU.Classes) != 2 {
		t.Errorf("%+v", r)
	}
	check(r.CPU.Total, 10, 7, "-30.0 %")
	check(r.CPU.Classes[0], 4, 2, "-50.0 %")
	check(r.CPU.Classes[1], 1, 0, "gone")
	check(find(t, r.CPU, "main.parse").Cum, 4, 2, "-50.0 %") // recursion counts once
	check(find(t, r.CPU, "main.parse").Flat, 0, 0, "=")
	check(find(t, r.CPU, "main.main").Cum, 9, 7, "-22.2 %")
	check(r.Bytes.Total, 1<<20+1<<10, 2*(1<<18+1<<10), "-49.9 %")
	check(find(t, r.Bytes, "main.gone").Flat, 1<<10, 0, "gone")
	check(find(t, r.Bytes, "main.new").Flat, 0, 2<<10, "new")
	if first := r.CPU.Functions[0].Name; first != "runtime.mallocgc" {
		t.Errorf("%s has changed most", first)
	}
	total := r.CPU.Total
	half := 1.96 * math.Sqrt(1.0/1000+1.0/350)
	if !total.Clear() || math.Abs(total.Lo-0.7*math.Exp(-half)) > 1e-9 || math.Abs(total.Hi-0.7*math.Exp(half)) > 1e-9 {
		t.Errorf("%+v", total)
	}
	if c := r.CPU.Classes[1]; !c.Clear() || c.Lo != 0 || c.Hi != 0.03 {
		t.Errorf("what is gone: %+v", c)
	}
	if c := find(t, r.CPU, "main.work").Flat; c.Clear() || c.Percent() != "+0.0 %" {
		t.Errorf("what has not changed is clear: %+v", c)
	}
}

// TestUnits checks what values are divided by.
func TestUnits(t *testing.T) {
	before, after := example()
	before.Requests, after.Requests = 1000, 1000
	if r := New(before, after); r.CPU.Per != "request" || math.Abs(r.CPU.Total.After-0.0035) > 1e-12 {
		t.Errorf("%s: %+v", r.CPU.Per, r.CPU.Total)
	}
	before, after = example()
	before.Profiles.CPU.SetOps(100)
	after.Profiles.CPU.SetOps(50)
	if r := New(before, after); r.CPU.Per != "operation" || math.Abs(r.CPU.Total.Before-0.1) > 1e-12 || r.Bytes.Per != "minute" {
		t.Errorf("%s: %+v", r.CPU.Per, r.CPU.Total)
	}
	before, after = example()
	after.Profiles.Allocs.DurationNanos = 0
	r := New(before, after)
	if r.Bytes.Per != "" || r.Bytes.Total.Before != 1<<20+1<<10 || !slices.ContainsFunc(r.Notes, func(s string) bool { return strings.Contains(s, "-requests") }) {
		t.Errorf("%s: %+v %q", r.Bytes.Per, r.Bytes.Total, r.Notes)
	}
	before.Profiles.CPU = nil
	if r := New(before, after); r.CPU != nil || !strings.Contains(strings.Join(r.Notes, "\n"), "only one side has a CPU profile") {
		t.Errorf("%+v", r)
	}
}

// TestScore checks that the levers of lines that allocate less are added up, and no others.
func TestScore(t *testing.T) {
	before, after := example()
	lever := func(rule string, lo, hi float64) []advice.Lever {
		return []advice.Lever{{Rule: rule, Gain: &advice.Range{Lo: lo, Hi: hi}}}
	}
	before.Advice = &advice.Report{
		Costs: &advice.Costs{Bill: ceiling.Share{Share: 0.5, Error: 0.03}},
		Sites: &advice.Sites{Sites: []advice.Site{
			{Func: "main.parse", Levers: lever("arena", 0.2, 0.4)},
			{Func: "main.gone", Levers: lever("builder", 0.01, 0.02)},
			{Func: "main.main"},
			{Func: "main.work", Levers: lever("boxing", 0.5, 0.9)}, // allocates nothing
		}},
	}
	s := New(before, after).Score
	if s == nil || len(s.Applied) != 2 || math.Abs(s.Predicted.Lo-0.21) > 1e-9 || math.Abs(s.Predicted.Hi-0.42) > 1e-9 || !s.Inside {
		t.Fatalf("%+v", s)
	}
	before.Advice.Sites.Sites[0].Levers = lever("arena", 0.45, 0.9)
	if s = New(before, after).Score; s.Inside || s.Predicted.Hi > 0.53+1e-9 {
		t.Errorf("%+v", s)
	}
	if s = New(before, before).Score; s != nil {
		t.Errorf("nothing has changed: %+v", s)
	}
}

// TestRuntime checks that only figures of both sides are compared.
func TestRuntime(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	b, a := new(watch.Summary), new(watch.Summary)
	b.PerSecond.GCs, a.PerSecond.GCs = v(10), v(2)
	b.Gauges.Live = v(100)
	r := New(Side{Runtime: b}, Side{Runtime: a})
	if len(r.Runtime) != 1 || r.Runtime[0].Percent() != "-80.0 %" || r.Runtime[0].Name != "collections" {
		t.Errorf("%+v", r.Runtime)
	}
	b.Pauses, a.Pauses = new(watch.Pauses), new(watch.Pauses)
	if r := New(Side{Runtime: b}, Side{Runtime: a}); len(r.Runtime) != 4 {
		t.Errorf("no pauses: %+v", r.Runtime)
	}
	if r := New(Side{Runtime: b, Source: watch.Live}, Side{Runtime: a, Source: watch.Pprof}); len(r.Runtime) != 1 || len(r.Notes) != 1 {
		t.Errorf("pauses that are counted in different ways: %+v", r.Runtime)
	}
	if r := New(Side{Runtime: b}, Side{}); r.Runtime != nil {
		t.Errorf("%+v", r.Runtime)
	}
}
