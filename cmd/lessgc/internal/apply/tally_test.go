package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/progress"
)

const tallied = `package x

import "testing"

var kept []byte

func once(n int) []byte { return make([]byte, n) }

func BenchmarkOnce(b *testing.B) {
	for b.Loop() {
		kept = once(64)
	}
}
`

// runnerOn returns a runner on a module x with one file.
func runnerOn(t *testing.T, name, text string) *Runner {
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	for name, text := range map[string]string{"go.mod": "module x\n\ngo 1.26\n", name: text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	results, tmp := t.TempDir(), t.TempDir()
	r, err := newRunner(new(attempt.State), results, tmp, new(progress.Printer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if r.tree, err = NewTree(t.Context(), dir, results, tmp); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(tmp, "t"), 0o777); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTally checks that a change without effect on what is allocated ends before its tests, and no other.
func TestTally(t *testing.T) {
	ctx := t.Context()
	r := runnerOn(t, "x_test.go", tallied)
	for _, c := range []struct {
		name, lever, old, new string
		gains                 []attempt.Gain
		want                  attempt.Outcome
	}{
		{"as before", "typed-pool", "64", "64 ", nil, attempt.NoEffect},
		{"more", "typed-pool", "64", "128", nil, attempt.NoEffect},
		{"less", "typed-pool", "64", "32", nil, ""},
		{"work is saved, too", "cut", "64", "64 ", nil, ""},
		{"a benchmark that does not run", "typed-pool", "64", "64 ", []attempt.Gain{{Benchmark: "x.BenchmarkOther", Bytes: 0.5}}, ""},
		{"one that only comes by", "typed-pool", "64", "64 ", []attempt.Gain{{Benchmark: "x.BenchmarkOnce"}}, ""},
		{"a program", "typed-pool", "64", "64 ", []attempt.Gain{{Bytes: 0.5}}, ""},
		{"it does not build", "typed-pool", "64", "x", nil, ""},
	} {
		if c.gains == nil {
			c.gains = []attempt.Gain{{Benchmark: "x.BenchmarkOnce", Bytes: 0.5}}
		}
		files := map[string][]byte{"x_test.go": []byte(strings.Replace(tallied, "once("+c.old+")", "once("+c.new+")", 1))}
		if err := r.tree.Write(files); err != nil {
			t.Fatal(err)
		}
		x := &candidate{lever: lever.ByName(c.lever), Attempt: attempt.Attempt{Gains: c.gains}}
		if err := r.tally(ctx, x, "x", files); err != nil {
			t.Fatal(err)
		}
		if x.Outcome != c.want {
			t.Errorf("%s: %q, want %q", c.name, x.Outcome, c.want)
		}
		if data, err := os.ReadFile(filepath.Join(r.tree.Dir, "x_test.go")); err != nil || string(data) != string(files["x_test.go"]) {
			t.Errorf("%s: the change is not there any more: %v", c.name, err)
		}
	}
}

// TestTallies checks that few iterations, which the first ones weigh much in, say nothing.
func TestTallies(t *testing.T) {
	lines := func(text string) map[string]tally { return tallies([]byte("pkg: x\n" + text)) }
	before := lines("BenchmarkA-2 100 5 ns/op 64 B/op 2 allocs/op\nBenchmarkA-2 90 5 ns/op 80 B/op 2 allocs/op\n")
	for text, want := range map[string]bool{
		"BenchmarkA-2 100 5 ns/op 66 B/op 2 allocs/op\nBenchmarkA-2 100 5 ns/op 64 B/op 3 allocs/op\n": true,
		"BenchmarkA-2 100 5 ns/op 64 B/op 1 allocs/op\n":                                               false,
		"BenchmarkA-2 100 5 ns/op 48 B/op 2 allocs/op\n":                                               false,
		"BenchmarkA-2 4 5 ns/op 64 B/op 2 allocs/op\n":                                                 false,
		"BenchmarkA-2 100 5 ns/op\n":                                                                   false,
		"BenchmarkB-2 100 5 ns/op 64 B/op 2 allocs/op\n":                                               false,
		"FAIL\n": false,
	} {
		if got := asBefore(before, lines(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestCostliest checks that benchmarks that allocate more are measured right behind the one that a change matters most to.
func TestCostliest(t *testing.T) {
	before := tallies([]byte("pkg: x\nBenchmarkA-2 100 5 ns/op 64 B/op 2 allocs/op\nBenchmarkB-2 100 5 ns/op 1000 B/op 2 allocs/op\n" +
		"BenchmarkC/c-1-2 100 5 ns/op 8 B/op 1 allocs/op\nBenchmarkD 100 5 ns/op 0 B/op 0 allocs/op\nBenchmarkE 3 5 ns/op 0 B/op 0 allocs/op\n"))
	for _, c := range []struct{ now, want string }{
		{"BenchmarkB-2 100 5 ns/op 1005 B/op 2 allocs/op\nBenchmarkC/c-1-2 100 5 ns/op 8 B/op 1 allocs/op\nBenchmarkD 100 5 ns/op 0 B/op 0 allocs/op\n", "A B C D E"},
		{"BenchmarkC/c-1-2 100 5 ns/op 32 B/op 1 allocs/op\n", "A C B D E"},
		{"BenchmarkB-2 100 5 ns/op 1020 B/op 2 allocs/op\nBenchmarkC/c-1-2 100 5 ns/op 32 B/op 1 allocs/op\nBenchmarkD 100 5 ns/op 8 B/op 1 allocs/op\n", "A D C B E"},
		{"BenchmarkE 3 5 ns/op 8 B/op 1 allocs/op\nBenchmarkA 100 5 ns/op 80 B/op 3 allocs/op\n", "A B C D E"},
		{"BenchmarkB-2 100 5 ns/op 1000 B/op 4 allocs/op\nBenchmarkC/c-1-2 2 5 ns/op 32 B/op 1 allocs/op\n", "A B C D E"},
		{"FAIL\n", "A B C D E"},
	} {
		var gains []attempt.Gain
		for _, name := range []string{"A", "B", "C/c-1", "D", "E"} {
			gains = append(gains, attempt.Gain{Benchmark: "x.Benchmark" + name})
		}
		got := ""
		for _, g := range costliest(gains, before, tallies([]byte("pkg: x\n"+c.now))) {
			got += g.Benchmark[len("x.Benchmark"):][:1] + " "
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%q: %s, want %s", c.now, got, c.want)
		}
	}
}
