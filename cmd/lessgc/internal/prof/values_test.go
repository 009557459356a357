package prof

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// withValues is a profile whose samples have these values.
func withValues(types []string, values ...[]int64) *profile.Profile {
	p := sample(types...)
	at := p.Sample[0].Location
	p.Sample, p.Period = nil, 1
	for _, v := range values {
		p.Sample = append(p.Sample, &profile.Sample{Location: at, Value: v})
	}
	return p
}

var (
	cpuTypes  = []string{"samples", "cpu"}
	heapTypes = []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
)

// TestValues checks values of which no sums and shares can be made, and those that are
// changed so that they can.
func TestValues(t *testing.T) {
	const most = math.MaxInt64
	milliseconds := withValues(cpuTypes, []int64{1, 1})
	milliseconds.SampleType[1].Unit = "milliseconds"
	kilobytes := withValues(heapTypes, []int64{1, 1, 1, 1})
	kilobytes.SampleType[1].Unit = "kilobytes"
	for name, c := range map[string]struct {
		p   *profile.Profile
		err string
	}{
		"overflow":           {withValues(cpuTypes, []int64{1, most}, []int64{1, 1}), `its values of "cpu" add up to more than 64 bits hold: it is damaged`},
		"overflow of counts": {withValues(cpuTypes, []int64{most, 1}, []int64{most, 1}, []int64{most, 1}), `its values of "samples" add up`},
		"overflow of live":   {withValues(heapTypes, []int64{1, 1, 1, most}, []int64{1, 1, 1, most}), `its values of "inuse_space" add up`},
		"overflow below":     {withValues(cpuTypes, []int64{1, math.MinInt64}), `its values of "cpu" add up`},
		"difference":         {withValues(heapTypes, []int64{1, 100, 0, 0}, []int64{1, -50, 0, 0}), "its values of alloc_space add up to 100 above zero and 50 below: it is the difference of two profiles, such as pprof -base makes; give both to lessgc diff"},
		"all below":          {withValues(cpuTypes, []int64{-1, -1}), "its values of samples add up to 0 above zero and 1 below"},
		"zeros":              {withValues(cpuTypes, []int64{0, 0}), "it holds no samples: all values of samples are zero"},
		"no time":            {withValues(cpuTypes, []int64{1, 0}), "it holds no samples: all values of cpu are zero"},
		"milliseconds":       {milliseconds, `its values of cpu are in "milliseconds", and nanoseconds are needed`},
		"kilobytes":          {kilobytes, `its values of alloc_space are in "kilobytes", and bytes are needed`},
		"too few values":     {withValues(cpuTypes, []int64{1}), "it is damaged (mismatch"},
	} {
		p, err := new(Reader).Read(bytes.NewReader(unpacked(t, c.p)))
		if p != nil || err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, c.err)
		}
	}
	if _, err := new(Reader).Read(bytes.NewReader(unpacked(t, withValues(cpuTypes, []int64{0, 0})))); !errors.Is(err, ErrNoSamples) {
		t.Error(err)
	}
}

// TestNotes checks values that say something although not all of it makes sense.
func TestNotes(t *testing.T) {
	read := func(p *profile.Profile) *Profile {
		t.Helper()
		got, err := new(Reader).Read(bytes.NewReader(unpacked(t, p)))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	noted := func(p *Profile, want string) {
		t.Helper()
		if want == "" && len(p.Notes) > 0 || want != "" && !strings.Contains(strings.Join(p.Notes, "; "), want) {
			t.Errorf("%q, want %q", p.Notes, want)
		}
	}
	noted(read(withValues(heapTypes, []int64{1, 1, 1, 1})), "")

	// What net/http/pprof makes of two estimates.
	p := read(withValues(heapTypes, []int64{100, 1000, 1, 1}, []int64{-50, -10, 1, 1}))
	noted(p, "1 values of alloc_objects are negative, 50.0 % of all; they count as zero")
	noted(p, "1 values of alloc_space are negative, 1.0 % of all; they count as zero")
	if v := p.Sample[1].Value; v[0] != 0 || v[1] != 0 || v[2] != 1 {
		t.Error(v)
	}
	noted(read(withValues(heapTypes, []int64{-1, 10, 1, 1})), "1 values of alloc_objects are negative, and none is positive")

	p = read(withValues(heapTypes, []int64{1, 1, -1, -100}))
	noted(p, NoLive)
	if p.Value("inuse_space") >= 0 || len(p.SampleType) != 2 || len(p.Sample[0].Value) != 2 {
		t.Error(p.SampleType, p.Sample[0].Value)
	}

	none := withValues(heapTypes, []int64{1, 1, 1, 1})
	none.Period = 0
	p = read(none)
	noted(p, "the profile does not say how finely allocations were sampled")
	if p.Period != 512<<10 {
		t.Error(p.Period)
	}
	none.Period, none.PeriodType = 1e7, &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	if p = read(none); p.Period != 512<<10 {
		t.Error(p.Period)
	}

	backwards := withValues(cpuTypes, []int64{1, 1})
	backwards.DurationNanos = math.MinInt64
	p = read(backwards)
	noted(p, "the profile says that it took less than no time")
	if p.DurationNanos != 0 {
		t.Error(p.DurationNanos)
	}
}

// TestAdd checks sums of profiles, of which each one makes sense.
func TestAdd(t *testing.T) {
	of := func(kind Kind, duration int64, p *profile.Profile) *Profile {
		p.DurationNanos, p.PeriodType = duration, &profile.ValueType{}
		return &Profile{Profile: p, Kind: kind}
	}
	cpu := func(nanos, duration int64) *Profile {
		return of(CPU, duration, withValues(cpuTypes, []int64{1, nanos}))
	}
	if p, err := Add(nil); p != nil || err != nil {
		t.Error(p, err)
	}
	p, err := Add([]*Profile{cpu(1, 2), cpu(3, 4)})
	if err != nil || p.Sample[0].Value[1] != 4 || p.DurationNanos != 6 || p.Kind != CPU || p.Notes != nil {
		t.Fatal(p, err)
	}
	if _, err := Add([]*Profile{cpu(math.MaxInt64, 2), cpu(1, 4)}); err == nil || !strings.Contains(err.Error(), "the cpu profiles cannot be added up: their values add up to more than 64 bits hold") {
		t.Error(err)
	}
	for _, durations := range [][]int64{{math.MaxInt64, math.MaxInt64, 3}, {1, 0, 1}} {
		var all []*Profile
		for _, d := range durations {
			all = append(all, cpu(1, d))
		}
		if p, err := Add(all); err != nil || p.DurationNanos != 0 {
			t.Error(durations, p, err)
		}
	}
	p, err = Add([]*Profile{cpu(1, 0), cpu(1, 1), cpu(1, 1)})
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "1 of 3 profiles do not say how long they took") {
		t.Error(p, err)
	}
	// One of them has no values of the live heap.
	whole, half := of(Allocs, 0, withValues(heapTypes, []int64{1, 2, 3, 4})), of(Allocs, 0, withValues(heapTypes[:2], []int64{1, 2}))
	half.Notes = []string{NoLive}
	p, err = Add([]*Profile{whole, half})
	if err != nil || len(p.SampleType) != 2 || p.Sample[0].Value[1] != 4 || len(p.Notes) != 1 {
		t.Error(p, err)
	}
}

// TestLess checks what is left of a profile when that of the set-up is taken off.
func TestLess(t *testing.T) {
	of := func(kind Kind, duration int64, p *profile.Profile) *Profile {
		p.DurationNanos, p.PeriodType = duration, &profile.ValueType{}
		return &Profile{Profile: p, Kind: kind}
	}
	heap := func(objects, bytes int64) *Profile {
		return of(Allocs, 0, withValues(heapTypes, []int64{objects, bytes, 2, 40}))
	}
	p, err := heap(1000, 10_000).Less(heap(100, 1000))
	if err != nil || p.Kind != Allocs || !slices.Equal(p.Sample[0].Value, []int64{900, 9000, 2, 40}) {
		t.Fatal(p, err)
	}
	// 100 samples have an error of a tenth: three of both are 424 bytes.
	for bytes, left := range map[int64]bool{1000: false, 1400: false, 1500: true, 900: false} {
		p, err := heap(bytes/10, bytes).Less(heap(100, 1000))
		if left != (err == nil) || !left && !errors.Is(err, ErrNoSamples) {
			t.Errorf("%d bytes less 1000: %v, %v", bytes, p, err)
		}
	}
	p, err = of(CPU, 10, withValues(cpuTypes, []int64{5, 50})).Less(of(CPU, 3, withValues(cpuTypes, []int64{3, 30})))
	if err != nil || !slices.Equal(p.Sample[0].Value, []int64{2, 20}) || p.DurationNanos != 7 {
		t.Error(p, err)
	}
	if _, err := of(CPU, 10, withValues(cpuTypes, []int64{5, 50})).Less(of(CPU, 3, withValues(cpuTypes, []int64{6, 60}))); !errors.Is(err, ErrNoSamples) {
		t.Error(err)
	}
	if _, err := heap(1, 1).Less(of(CPU, 3, withValues(cpuTypes, []int64{6, 60}))); err == nil {
		t.Error("CPU time was taken off allocations")
	}
}
