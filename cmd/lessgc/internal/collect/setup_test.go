package collect

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
)

const setUps = `package m

import "testing"

var kept, sink []byte

func prepare() {
	for range 200 {
		kept = make([]byte, 64<<10)
	}
}

func work() { sink = make([]byte, 1<<10) }

func BenchmarkLoop(b *testing.B) {
	prepare()
	for b.Loop() {
		work()
	}
}

func BenchmarkN(b *testing.B) {
	prepare()
	for range b.N {
		work()
	}
}

func BenchmarkStopped(b *testing.B) {
	for range b.N {
		b.StopTimer()
		kept = make([]byte, 64<<10)
		b.StartTimer()
		for range 100 {
			work()
		}
	}
}

func BenchmarkNothing(b *testing.B) {
	prepare()
	for b.Loop() {
		kept[0]++
	}
}
`

// TestSetUp checks that what a benchmark's set-up allocates is taken off, and nothing of what
// its operations do.
func TestSetUp(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m_test.go": setUps} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		bench string
		left  string  // the function whose allocations are left
		calls float64 // of it in an operation
	}{{"Loop", "m.work", 1}, {"N", "m.work", 1}, {"Stopped", "m.work", 100}, {"Loop|N", "m.work", 1}, {"Nothing", "", 0}} {
		p, _, err := Benchmarks(t.Context(), []string{"."}, "^Benchmark("+c.bench+")$", 100*time.Millisecond, func(string, ...any) {})
		if err != nil {
			t.Fatal(err)
		}
		ops, space := p.Allocs.Ops(), p.Allocs.Value("alloc_space")
		var all, left, live int64
		for _, s := range p.Allocs.Sample {
			all += s.Value[space]
			live += s.Value[p.Allocs.Value("inuse_space")]
			if f := s.Location[0].Line[0].Function.Name; f == c.left {
				left += s.Value[space]
			}
		}
		switch {
		case c.left == "" && all > 1<<20:
			t.Errorf("%s: %d bytes of 12.5 MiB are left", c.bench, all)
		case c.left != "" && float64(left) < 0.99*float64(all):
			t.Errorf("%s: %d of %d bytes are of %s", c.bench, left, all, c.left)
		}
		switch perOp := float64(left) / float64(max(ops, 1)); {
		case (ops > 0) == strings.Contains(c.bench, "|"):
			t.Errorf("%s: %d operations", c.bench, ops)
		case c.left == "m.work" && ops > 0 && (perOp < 0.9*1024*c.calls || perOp > 1.1*1024*c.calls):
			t.Errorf("%s: %.0f bytes an operation of %d", c.bench, perOp, ops)
		}
		if live < 64<<10 { // kept
			t.Errorf("%s: %d bytes are live", c.bench, live)
		}
	}
}

// TestSeconds checks which benchmarks run alone.
func TestSeconds(t *testing.T) {
	results := func(names ...string) (all []benchfmt.Result) {
		for _, name := range names {
			all = append(all, benchfmt.Result{Name: benchfmt.Name(name), Iters: 1, Values: []benchfmt.Value{{Value: 0.5, Unit: "sec/op"}}})
		}
		return all
	}
	var many []string
	for i := range mostAlone + 1 {
		many = append(many, fmt.Sprint("X", i))
	}
	for _, c := range []struct {
		names []string
		want  map[string]float64
	}{
		{[]string{"Join-2", "Join/deep-8-2"}, map[string]float64{"BenchmarkJoin": 0.5, "BenchmarkJoin/deep-8": 0.5}},
		{[]string{"Join"}, map[string]float64{"BenchmarkJoin": 0.5}},
		{[]string{"Join-2", "Join-2"}, nil},
		{many, nil},
	} {
		if got := (&benchmarks{results: results(c.names...)}).seconds(); !maps.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%q: %v, want %v", c.names, got, c.want)
		}
	}
}

// TestNoneRuns checks what is said of benchmarks that match and do not run.
func TestNoneRuns(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Chdir(t.TempDir())
	const skipped = "package m\n\nimport \"testing\"\n\nfunc BenchmarkSkipped(b *testing.B) { b.Skip() }\n"
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m_test.go": skipped} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := Benchmarks(t.Context(), []string{"."}, "Skipped", time.Millisecond, func(string, ...any) {})
	if err == nil || err.Error() != "no benchmark of m that matches -bench 'Skipped' has run" {
		t.Error(err)
	}
}

// TestNotBuilding checks that a package whose tests do not build, or that cannot be loaded, takes nothing from others, and that one alone is an error.
func TestNotBuilding(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Chdir(t.TempDir())
	for _, dir := range []string{"broken", "loads"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const broken = "package broken\n\nimport \"testing\"\n\nfunc BenchmarkBroken(b *testing.B) { missing() }\n"
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m_test.go": setUps, "broken/b_test.go": broken, "loads/l.go": "package loads\n\nimport _ \"..\"\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	quiet := func(string, ...any) {}
	set, _, err := Benchmarks(t.Context(), []string{"./..."}, "^Benchmark(Broken|N)$", 100*time.Millisecond, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Allocs.Marks(); !slices.Equal(got, []string{"m.BenchmarkN"}) || !strings.Contains(strings.Join(set.Notes, "\n"), "the tests of m/broken do not build, and are left out: broken/b_test.go:5:38: undefined: missing") {
		t.Errorf("profiles of %q, notes %q", got, set.Notes)
	}
	for dir, want := range map[string]string{"./broken": "undefined: missing", "./loads": "local import", "./nosuch": "directory not found"} {
		if _, _, err := Benchmarks(t.Context(), []string{dir}, ".", time.Millisecond, quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s alone: %v", dir, err)
		}
	}
}

// TestFailingLater checks that benchmarks which only fail in a longer run take nothing from those of other packages.
func TestFailingLater(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Chdir(t.TempDir())
	if err := os.Mkdir("late", 0o777); err != nil {
		t.Fatal(err)
	}
	const late = "package late\n\nimport (\n\t\"flag\"\n\t\"testing\"\n)\n\nfunc BenchmarkLate(b *testing.B) {\n\tif flag.Lookup(\"test.cpuprofile\").Value.String() != \"\" {\n\t\tb.Fatal(\"too long\")\n\t}\n\tfor b.Loop() {\n\t}\n}\n"
	const others = `
func BenchmarkLateAllocs(b *testing.B) {
	if flag.Lookup("test.memprofile").Value.String() != "" {
		b.Fatal("too many")
	}
	for b.Loop() {
		kept = make([]byte, 1<<12)
	}
}

func BenchmarkNeverLate(b *testing.B) {
	for b.Loop() {
		kept = make([]byte, 1<<12)
	}
}

var kept []byte
`
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m_test.go": setUps, "late/l_test.go": late + others} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	quiet := func(string, ...any) {}
	set, runs, err := Benchmarks(t.Context(), []string{"./..."}, "^Benchmark(Late|N)$", 100*time.Millisecond, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Allocs.Marks(); len(runs) != 1 || !slices.Equal(got, []string{"m.BenchmarkN"}) || !strings.Contains(strings.Join(set.Notes, "\n"), "benchmarks of m/late fail in a longer run, and are left out: ") {
		t.Errorf("profiles of %q, notes %q", got, set.Notes)
	}
	if _, _, err := Benchmarks(t.Context(), []string{"./late"}, "^BenchmarkLate$", 100*time.Millisecond, quiet); err == nil || !strings.Contains(err.Error(), "the benchmarks of m/late failed: ") {
		t.Errorf("alone: %v", err)
	}
	set, runs, err = Benchmarks(t.Context(), []string{"./late"}, "Late", 100*time.Millisecond, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Allocs.Marks(); len(runs) != 1 || len(runs[0].perOp) != 1 || !slices.Equal(got, []string{"m/late.BenchmarkNeverLate"}) || strings.Count(strings.Join(set.Notes, "\n"), "fail in a longer run, and are left out: ") != 2 {
		t.Errorf("beside one that does not fail: profiles of %q, notes %q", got, set.Notes)
	}
	if got := set.CPU.Marks(); slices.Contains(got, "m/late.BenchmarkLateAllocs") {
		t.Errorf("CPU time of one that failed later: %q", got)
	}
}

// TestFailing checks that a benchmark that fails takes nothing from others, and that one alone is an error.
func TestFailing(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m_test.go": setUps + `
func BenchmarkFails(b *testing.B) {
	b.Run("inner", func(b *testing.B) { b.Fatal("no server") })
	b.Run("works", func(b *testing.B) {
		for b.Loop() {
			work()
		}
	})
}
`} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	quiet := func(string, ...any) {}
	set, _, err := Benchmarks(t.Context(), []string{"."}, "^Benchmark(Fails|N)$", 100*time.Millisecond, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Allocs.Marks(); !slices.Equal(got, []string{"m.BenchmarkFails/works", "m.BenchmarkN"}) || !strings.Contains(strings.Join(set.Notes, "\n"), "left out: BenchmarkFails/inner") {
		t.Errorf("profiles of %q, notes %q", got, set.Notes)
	}
	if _, _, err := Benchmarks(t.Context(), []string{"."}, "^BenchmarkFails$/inner", 100*time.Millisecond, quiet); err == nil || !strings.Contains(err.Error(), "no server") {
		t.Errorf("a benchmark that fails alone: %v", err)
	}
}
