package collect

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/live"
)

// stacked is a profile of stacks, the innermost call first, with one value each.
func stacked(kind prof.Kind, kindOf string, values map[string]int64) *prof.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: kindOf}}, PeriodType: &profile.ValueType{}, Period: 1, DurationNanos: 7}
	for stack, value := range values {
		s := &profile.Sample{Value: []int64{1, value}}
		for name := range strings.SplitSeq(stack, " ") {
			id := uint64(len(p.Function) + 1)
			f := &profile.Function{ID: id, Name: name}
			l := &profile.Location{ID: id, Line: []profile.Line{{Function: f, Line: 1}}}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return &prof.Profile{Profile: p, Kind: kind}
}

// TestLeaveOut checks which stacks are those of being asked for profiles and figures, and
// which are the service's own work.
func TestLeaveOut(t *testing.T) {
	serving := reflect.TypeFor[live.Snapshot]().PkgPath() + ".serve"
	const conn = " net/http.HandlerFunc.ServeHTTP net/http.(*ServeMux).ServeHTTP net/http.(*conn).serve"
	for stack, out := range map[string]bool{
		"compress/flate.(*compressor).deflate compress/gzip.(*Writer).Write runtime/pprof.(*profileBuilder).build runtime/pprof.profileWriter": true,
		"runtime.mallocgc runtime/pprof.writeHeapInternal net/http/pprof.handler.ServeHTTP net/http/pprof.Index" + conn:                        true,
		"time.Sleep net/http/pprof.Profile main.withAuth" + conn:                                                                               true,
		"runtime.mallocgc runtime/pprof.writeGoroutine runtime/pprof.(*Profile).WriteTo main.debug" + conn:                                     true,
		"encoding/json.Marshal " + serving + conn:                                                                                              true,
		"runtime.ReadMemStats expvar.memstats expvar.expvarHandler" + conn:                                                                     true,
		"main.work runtime/pprof.Do main.handle" + conn:                                                                                        false, // labels
		"runtime.mallocgc main.handle" + conn:                                                                                                  false,
		"runtime/pprof.writeHeapInternal runtime/pprof.(*Profile).WriteTo main.everyMinute":                                                    false, // by itself
		"net/http.(*conn).readRequest net/http.(*conn).serve":                                                                                  false,
		"example.com/net/http/pprof.Index main.handle" + conn:                                                                                  false,
		"runtime.gcBgMarkWorker": false,
	} {
		p := stacked(prof.CPU, "cpu", map[string]int64{stack: 30, "main.main": 70})
		left, all := leaveOut(p, "cpu")
		want, samples := int64(0), 2
		if out {
			want, samples = 30, 1
		}
		if left != want || all != 100 || len(p.Sample) != samples || p.DurationNanos != 7 {
			t.Errorf("%s: %d of %d are left out, and %d samples stay", stack, left, all, len(p.Sample))
		}
		if out && len(p.Function) != 1 {
			t.Errorf("%s: its functions stay", stack)
		}
	}
}

// TestOwnRequests checks the note, and a service that does nothing else.
func TestOwnRequests(t *testing.T) {
	const request = "runtime.mallocgc net/http/pprof.Index"
	p := &prof.Set{
		CPU:    stacked(prof.CPU, "cpu", map[string]int64{request: 5, "main.main": 95}),
		Allocs: stacked(prof.Allocs, "alloc_space", map[string]int64{request: 1 << 20, "main.main": 3 << 20}),
	}
	if err := leaveOutRequests(p); err != nil {
		t.Fatal(err)
	}
	const want = "left out: what the service spent on being asked for these profiles and figures, 5.0 % of its CPU time and 1.0 MiB (25.0 %) of what it allocated"
	if len(p.Notes) != 1 || p.Notes[0] != want {
		t.Errorf("%q, want %q", p.Notes, want)
	}
	p.Notes = nil
	if err := leaveOutRequests(p); err != nil || p.Notes != nil {
		t.Errorf("nothing is left to leave out: %v, %q", err, p.Notes)
	}
	p.CPU = stacked(prof.CPU, "cpu", map[string]int64{request: 5})
	if err := leaveOutRequests(p); !errors.Is(err, prof.ErrNoSamples) || !strings.Contains(err.Error(), "let the program work") {
		t.Error(err)
	}
}
