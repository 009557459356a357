package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFailures(t *testing.T) {
	check := func(out string, procs int, want ...failure) {
		t.Helper()
		if diff := cmp.Diff(want, failures([]byte(out), procs), cmp.AllowUnexported(failure{})); diff != "" {
			t.Errorf("%q (-want +got)\n%s", out, diff)
		}
	}
	check("PASS\n", 2)
	check("    x_test.go:9: no\n--- FAIL: BenchmarkF-2\nFAIL\n", 2, failure{"F", "x_test.go:9: no"})                   // with -test.v
	check("--- FAIL: BenchmarkF-2\n    x_test.go:9: no\nFAIL\n", 2, failure{"F", "x_test.go:9: no"})                   // without
	check("BenchmarkF-2    \t--- FAIL: BenchmarkF-2\n    x_test.go:9: no\nFAIL\n", 2, failure{"F", "x_test.go:9: no"}) // in the first run
	check("--- FAIL: BenchmarkF/a=1\nFAIL\n", 1, failure{"F/a=1", "it failed without a word"})                         // one P
	check("--- FAIL: Benchmark\n    x_test.go:9: no\n", 1, failure{"", "x_test.go:9: no"})                             // no name at all
	check("--- FAIL: BenchmarkF-2\n    x_test.go:9: no\n    x_test.go:10: more\n--- FAIL: BenchmarkG-2\n", 2,          // the first word counts
		failure{"F", "x_test.go:9: no"}, failure{"G", "x_test.go:10: more"})
}

func TestStarted(t *testing.T) {
	out := "goos: linux\nBenchmarkA\nhelloBenchmarkA-2 \t 1\t 5 ns/op\nBenchmarkB/x=1\nBenchmarkB/x=1-2 \t 1\t 7 ns/op\n"
	began := started([]byte(out))
	if len(began) != 2 || began[0].name != "A" || began[1].name != "B/x=1" {
		t.Fatalf("%+v", began)
	}
	for i, want := range []float64{5e-9, 7e-9} {
		s := began[i]
		line, err := result([]byte(out[s.from:s.to]), s.name, 1, 2)
		if got := line.Seconds(); err != nil || got < 0.99*want || got > 1.01*want {
			t.Errorf("%s: %v, %v", s.name, line, err)
		}
	}
}

func TestInTrace(t *testing.T) {
	trace := "goroutine 7 [running]:\nexample.com/x.BenchmarkSub.func2(0xc000)\n\t/x_test.go:9\ncreated by testing.(*B).run1\n"
	for name, want := range map[string]bool{"Sub/b": true, "Sub": true, "Su": false, "Other": false} {
		if got := inTrace(trace, name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
