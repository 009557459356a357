package prof

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/pprof/profile"
)

// TestMark checks that the profiles of benchmarks are told apart after they were added up, written and read.
func TestMark(t *testing.T) {
	fn := &profile.Function{ID: 1, Name: "m.f", Filename: "f.go"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 3}}}
	one := func(n int64) *Profile {
		p := &Profile{Profile: &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}}, PeriodType: &profile.ValueType{},
			Sample: []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{1, n}}}, Location: []*profile.Location{loc}, Function: []*profile.Function{fn},
		}, Kind: Allocs}
		p.SetOps(10 * n)
		return p
	}
	a, b := one(1), one(2)
	if a.Marks() != nil {
		t.Error("nothing is marked yet")
	}
	for name, p := range map[string]*Profile{"m.BenchmarkA": a, "m.BenchmarkB/x": b} {
		p.Mark(name)
		p.MoveOps(name)
	}
	sum, err := Add([]*Profile{a, b})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := sum.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := new(Reader).Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := read.Marks(), []string{"m.BenchmarkA", "m.BenchmarkB/x"}; !slices.Equal(got, want) {
		t.Errorf("marks %q, want %q", got, want)
	}
	for name, n := range map[string]int64{"m.BenchmarkA": 1, "m.BenchmarkB/x": 2} {
		if p := read.Of(name); len(p.Sample) != 1 || p.Sample[0].Value[1] != n || p.Ops() != 10*n || p.Kind != Allocs {
			t.Errorf("%s: %v, %d operations", name, p.Sample, p.Ops())
		}
	}
	if p := read.Of("m.BenchmarkC"); len(p.Sample) != 0 || p.Ops() != 0 {
		t.Errorf("nothing is of a benchmark that did not run: %v", p.Sample)
	}
	read.Sample[0].Label = nil
	if read.Marks() != nil {
		t.Error("of samples without a mark nobody knows the benchmark")
	}
}
