package session

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// logged reads a raw log as benchstat does. The results are copies.
func logged(t *testing.T, path, cell string) []*benchfmt.Result {
	t.Helper()
	f, err := os.Open(filepath.Join(path, rawDir, cell+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*benchfmt.Result
	r := benchfmt.NewReader(f, cell)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			all = append(all, rec.Clone())
		default:
			t.Errorf("%s: %v", cell, rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// mustHold compares a log with the trials that it has to hold.
func mustHold(t *testing.T, s *Session, path string, trials []Trial) {
	t.Helper()
	for c, cell := range s.Cells {
		var want []Trial
		for _, x := range trials {
			if x.Cell == c && x.Round > 0 && x.Err == "" {
				want = append(want, x)
			}
		}
		got := logged(t, path, cell.ID)
		if len(got) != len(want) {
			t.Errorf("%s: %d results, want %d", cell.ID, len(got), len(want))
			continue
		}
		for i, x := range want {
			row := s.Rows[x.Row]
			if name := row.Name + "-8"; string(got[i].Name) != name || got[i].Iters != x.N {
				t.Errorf("%s: %s %d, want %s %d", cell.ID, got[i].Name, got[i].Iters, name, x.N)
			}
			config := map[string]string{}
			for _, c := range got[i].Config {
				config[c.Key] = string(c.Value)
			}
			same(t, "configuration", map[string]string{"goos": "linux", "goarch": "amd64", "cpu": "Some CPU @ 3.0GHz", "pkg": row.Package}, config)
			metrics := x.Metrics()
			if len(got[i].Values) != len(metrics) {
				t.Errorf("%s: %d values, want %d", cell.ID, len(got[i].Values), len(metrics))
				continue
			}
			for k, v := range metrics {
				if g := got[i].Values[k]; g.Unit != v.Unit || math.Abs(g.Value-v.Value) > 1e-8*math.Abs(v.Value) {
					t.Errorf("%s: %v %s, want %v %s", cell.ID, g.Value, g.Unit, v.Value, v.Unit)
				}
			}
		}
	}
}

func TestRawLogs(t *testing.T) {
	s := sample()
	trials := append(rounds(s, 0, 3), failed(4, 0, 0), trialOf(4, 2, 0))
	path := create(t, s, trials...)
	mustHold(t, s, path, trials)

	// benchstat makes a table for each configuration: there may be no key with
	// another value but pkg, which has to change with the rows.
	data, err := os.ReadFile(filepath.Join(path, rawDir, "oldgc.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, once := range []string{"goos: ", "goarch: ", "cpu: "} {
		if n := strings.Count("\n"+string(data), "\n"+once); n != 1 {
			t.Errorf("%d lines %q", n, once)
		}
	}
	if !strings.Contains(string(data), "\n# cell=oldgc go=go1.26.8 round=3 ") || !strings.Contains(string(data), " ns/op") {
		t.Errorf("a trial's own line, or ns/op, is missing:\n%s", data)
	}
}

func TestRawLogsResumed(t *testing.T) {
	s := sample()
	before, after := rounds(s, 0, 2), rounds(s, 3, 3)
	check := func(name string, damage func(path string)) {
		t.Helper()
		path := create(t, s, before...)
		damage(path)
		d, _, err := Resume(path)
		if err != nil {
			t.Fatal(err)
		}
		store(t, d, after...)
		mustHold(t, s, path, append(before[:len(before):len(before)], after...))
		if t.Failed() {
			t.Fatal(name)
		}
	}
	log := func(path string) string { return filepath.Join(path, rawDir, "aa.txt") }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check("whole", func(path string) {})
	// The last trial is in trials.jsonl only, or torn in the log.
	check("cut in the middle of a line", func(path string) {
		info, err := os.Stat(log(path))
		must(err)
		must(os.Truncate(log(path), info.Size()-20))
	})
	check("removed", func(path string) { must(os.RemoveAll(filepath.Join(path, rawDir))) })
	// A copy of the plan and the trials is enough to go on.
	check("other text in it", func(path string) { must(os.WriteFile(log(path), []byte("BenchmarkX 1 5 ns/op\n"), 0o666)) })
}

// Names that the format does not have.
func TestRawNames(t *testing.T) {
	check := func(name string, procs int, want string) {
		t.Helper()
		s := sample()
		s.Rows[0].Name, s.Config.Procs = name, procs
		got := logged(t, create(t, s, trialOf(1, 0, 0), trialOf(2, 0, 0)), "oldgc")
		if len(got) != 2 || string(got[0].Name) != want || got[0].Iters != 1000 {
			t.Errorf("%q with GOMAXPROCS=%d: %v, want %q twice", name, procs, got, want)
		}
	}
	check("Get", 8, "Get-8")
	check("Get", 1, "Get")
	check("Get-8", 8, "Get-8-8")
	check("", 8, "-8") // func Benchmark
	check("", 1, "")
	check("./prog -n 5  'a b'", 2, "./prog_-n_5_'a_b'-2")
	check("prog", 1, "prog")
	check("Größe/日本=1", 4, "Größe/日本=1-4")
}

func TestParseOutput(t *testing.T) {
	check := func(out string, procs int, want map[string]Line) {
		t.Helper()
		got := ParseOutput([]byte(out), procs)
		if len(got) == 0 && len(want) == 0 {
			return
		}
		same(t, out[:min(len(out), 200)], want, got)
	}
	check("", 8, nil)
	check("goos: linux\ngoarch: amd64\npkg: p\ncpu: x\nPASS\nok  \tp\t1.0s\n", 8, nil)
	check(`goos: linux
BenchmarkGet-8   	    1000	    125 ns/op	  48 B/op	  3 allocs/op
BenchmarkGet/size=1/impl=a-b-8 	  2	 2000000000 ns/op
BenchmarkPut-8   	 10	 4096.5 ns/op	 250.00 MB/s	 0.5 hits/op	 7 p99-ns
PASS
`, 8, map[string]Line{
		"Get":                 {1000, []Value{{125 * 1e-9, "sec/op"}, {48, "B/op"}, {3, "allocs/op"}}},
		"Get/size=1/impl=a-b": {2, []Value{{2, "sec/op"}}},
		"Put":                 {10, []Value{{4096.5 * 1e-9, "sec/op"}, {250e6, "B/s"}, {0.5, "hits/op"}, {7e-9, "p99-sec"}}},
	})
	// One CPU gives no suffix; a name may end like one.
	one := "BenchmarkGet-8 \t 5 \t 1 ns/op\nBenchmarkGet \t 6 \t 1 ns/op\n"
	check(one, 1, map[string]Line{"Get-8": {5, []Value{{1e-9, "sec/op"}}}, "Get": {6, []Value{{1e-9, "sec/op"}}}})
	check("BenchmarkGet-8-4 \t 5 \t 1 ns/op\nBenchmarkGet-4 \t 6 \t 1 ns/op\n", 4,
		map[string]Line{"Get-8": {5, []Value{{1e-9, "sec/op"}}}, "Get": {6, []Value{{1e-9, "sec/op"}}}})
	// What is not a result is passed over.
	check("BenchmarkX-8\nBenchmarkX-8 \t--- FAIL: BenchmarkX-8\n    x_test.go:5: no\nBenchmarkY-8 \t 3 \t 2 ns/op\nBenchmarkZ \t x \t 2 ns/op\nBenchmarkW-8 \t 3\n", 8,
		map[string]Line{"Y": {3, []Value{{2e-9, "sec/op"}}}})
	check("Benchmark-8 \t 3 \t 2 ns/op\n", 8, map[string]Line{"": {3, []Value{{2e-9, "sec/op"}}}})
	// A line of the benchmark's own may be of any length.
	check("BenchmarkX-8 \t 3 \t 2 ns/op\n"+strings.Repeat("x", 2<<20)+"\nBenchmarkY-8 \t 3 \t 2 ns/op\n", 8,
		map[string]Line{"X": {3, []Value{{2e-9, "sec/op"}}}, "Y": {3, []Value{{2e-9, "sec/op"}}}})
}

func TestSeconds(t *testing.T) {
	if s := (Line{Values: []Value{{3, "B/op"}, {0.5, "sec/op"}}}).Seconds(); s != 0.5 {
		t.Errorf("%v, want 0.5", s)
	}
	if s := (Line{}).Seconds(); s != 0 {
		t.Errorf("%v of no values", s)
	}
}

func TestTrimProcs(t *testing.T) {
	check := func(name string, procs int, want string) {
		t.Helper()
		if got := TrimProcs(name, procs); got != want {
			t.Errorf("TrimProcs(%q, %d) = %q, want %q", name, procs, got, want)
		}
	}
	check("Get-8", 8, "Get")
	check("Get-8-8", 8, "Get-8")
	check("Get-16", 8, "Get-16")
	check("Get-18", 8, "Get-18")
	check("Get", 8, "Get")
	check("Get-1", 1, "Get-1")
	check("Get/a-b-12", 12, "Get/a-b")
	check("-8", 8, "")
	check("", 8, "")
}

func TestNewHost(t *testing.T) {
	h := NewHost()
	if h.OS != runtime.GOOS || h.Arch != runtime.GOARCH || h.NumCPU != runtime.NumCPU() {
		t.Errorf("%+v", h)
	}
	if runtime.GOOS == "linux" && (h.Kernel == "" || strings.TrimSpace(h.Kernel) != h.Kernel || h.Memory < 1<<20 || h.Load < 0) {
		t.Errorf("%+v", h)
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" && h.CPU == "" {
		t.Errorf("no CPU: %+v", h)
	}
}

func TestField(t *testing.T) {
	check := func(data, key, want string) {
		t.Helper()
		if got := field([]byte(data), key); got != want {
			t.Errorf("%q of %q = %q, want %q", key, data, got, want)
		}
	}
	cpuinfo := "processor\t: 0\nmodel\t\t: 85\nmodel name\t: A CPU: fast @ 2GHz\nmodel name\t: another\n"
	check(cpuinfo, "model name", "A CPU: fast @ 2GHz")
	check(cpuinfo, "model", "85")
	check(cpuinfo, "name", "")
	check("MemTotal:       16384 kB\n", "MemTotal", "16384 kB")
	check("", "x", "")
	check("no colon", "no colon", "")
}
