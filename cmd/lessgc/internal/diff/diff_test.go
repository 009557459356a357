package diff

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/prof"
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
	before = Side{Name: "b", Profiles: &prof.Set{
		CPU: cpu(time.Minute,
			stack{[]int64{400, 4e9}, "runtime.mallocgc main.parse main.parse main.main"},
			stack{[]int64{100, 1e9}, "runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker"},
			stack{[]int64{500, 5e9}, "main.work main.main"}),
		Allocs: allocs(time.Minute, stack{[]int64{1000, 1 << 20}, "main.parse main.main"}, stack{[]int64{10, 1 << 10}, "main.gone main.main"}),
	}}
	after = Side{Name: "a", Profiles: &prof.Set{
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

// TestScore checks which levers are taken for those that were taken, and what is said of them. CPU
// time is 100 s before and 80 after, with errors of a few seconds.
func TestScore(t *testing.T) {
	before, after := example()
	lever := func(rule string, lo, hi float64) []advice.Lever {
		return []advice.Lever{{Name: rule, Gain: &advice.Range{Lo: lo, Hi: hi}}}
	}
	sites := []advice.Site{
		{Func: "main.parse", File: "/src/x/parse.go", Line: 7, Levers: lever("arena", 0.2, 0.4)},
		{Func: "main.gone", File: "/src/x/gone.go", Line: 9, Levers: lever("builder", 0.01, 0.02)},
		{Func: "main.main"},
		{Func: "main.work", Levers: lever("boxing", 0.5, 0.9)}, // allocates nothing
		{Func: "main.none", File: "/src/x/none.go", Line: 3, Levers: []advice.Lever{{Name: "preallocate"}}},
	}
	before.Advice = &advice.Report{Sites: &advice.Sites{Sites: sites}, Levers: lever("gc-setting", 0.1, 0.3)}
	s := New(before, after).Score
	if s == nil || len(s.Applied) != 2 || math.Abs(s.Predicted.Lo-0.21) > 1e-9 || math.Abs(s.Predicted.Hi-0.42) > 1e-9 || s.Named {
		t.Fatalf("%+v", s)
	}
	t.Logf("measured %.3f %+v", s.Estimate, s.Measured)
	if s = New(before, before).Score; s != nil {
		t.Errorf("nothing has changed: %+v", s)
	}
	// What is said of it: the middle counts, and what knows less than the prediction is not a hit.
	estimate, half := New(before, after).Score.Estimate, New(before, after).Score.Measured
	width := half.Hi - half.Lo
	for _, c := range []struct {
		lo, hi float64
		want   Word
	}{
		{estimate - width, estimate + width, Inside},
		{estimate + 0.01, estimate + 0.02 + width, Outside},
		{estimate - 0.02 - width, estimate - 0.01, Outside},
		{estimate - width/4, estimate + width/4, Noisy},
	} {
		sites[0].Levers, sites[1].Levers = lever("arena", c.lo, c.hi), nil
		if s := New(before, after).Score; s.Word != c.want {
			t.Errorf("%.3f to %.3f is called %s, want %s: %+v", c.lo, c.hi, s.Word, c.want, s)
		}
	}
	// The user knows better, also of what did harm or shows nowhere.
	for text, want := range map[string]string{
		"boxing@parse.go:7":       "-took boxing@parse.go:7: the advice for that line is arena",
		"arena@parse.go:8":        "-took arena@parse.go:8: the advice has no lever for that line, as it was before",
		"arena@arse.go:7":         "-took arena@arse.go:7: the advice has no lever for that line, as it was before",
		"arena@parse.go":          "-took arena@parse.go: write LEVER@FILE:LINE, such as preallocate@codec/x.go:12",
		"arena":                   "-took arena: no lever of the whole program is called arena; of a line it is LEVER@FILE:LINE",
		"preallocate@none.go:3":   "-took preallocate@none.go:3: the advice predicts no gain for it, as its CPU profile is missing or too short",
		"arena@./x/parse.go:7":    "",
		"arena@/src/x/parse.go:7": "",
		"gc-setting":              "",
	} {
		took, err := ParseTook(before.Advice, text)
		if err != nil || want != "" {
			if err == nil || err.Error() != want {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		named := before
		named.Took = []Took{took}
		if s := New(named, after).Score; s == nil || !s.Named || len(s.Applied) != 1 || text[0] == 'g' && s.Predicted.Lo != 0.1 {
			t.Errorf("%s: %+v", text, s)
		}
		if s := New(named, before).Score; s == nil || s.Estimate != 0 {
			t.Errorf("%s, and nothing has changed: %+v", text, s)
		}
	}
	if _, err := ParseTook(nil, "arena"); err == nil {
		t.Error("there is no advice")
	}
}

// TestRecognised checks lines by what they say: they move, change, and allocate less.
func TestRecognised(t *testing.T) {
	before, after := example()
	site := func(line int, text string, bytes int64) advice.Site {
		return advice.Site{Func: "main.parse", Line: line, Text: text, Bytes: bytes, Levers: []advice.Lever{{Name: text, Gain: &advice.Range{Lo: 0.1, Hi: 0.2}}}}
	}
	before.Advice = &advice.Report{Sites: &advice.Sites{Sites: []advice.Site{site(1, "moved", 1000), site(2, "changed", 1000), site(3, "halved", 1000), site(4, "less", 1000)}}}
	after.Advice = &advice.Report{Sites: &advice.Sites{Sites: []advice.Site{site(2, "moved", 1000), site(3, "anew", 900), site(4, "halved", 490), site(5, "less", 700)}}}
	work := New(before, after).Bytes.Work()
	for i := range after.Advice.Sites.Sites {
		after.Advice.Sites.Sites[i].Bytes = int64(float64(after.Advice.Sites.Sites[i].Bytes) * work.After / work.Before)
	}
	var got []string
	for _, a := range New(before, after).Score.Applied {
		got = append(got, a.Lever)
	}
	if !slices.Equal(got, []string{"changed", "halved"}) {
		t.Errorf("%q", got)
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
