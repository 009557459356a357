package session

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/mode"
)

// sample is a plan with two cells and three rows in two packages.
func sample() *Session {
	oldgc, greentea := mode.Published()[0], mode.Published()[1]
	return &Session{
		Format: Format, Command: []string{"compare", "-mode", "oldgc,greentea"}, Dir: "/home/x", Created: time.Unix(1e9, 5).UTC(),
		Host: Host{OS: "linux", Arch: "amd64", Kernel: "6.1", CPU: "Some CPU @ 3.0GHz", NumCPU: 8, Memory: 1 << 34, Load: 0.25},
		Config: Config{Packages: []string{"./..."}, Bench: ".", Modes: []mode.Mode{oldgc, greentea}, Baseline: "oldgc", Rounds: 10,
			Budget: time.Hour, MinTrial: time.Second, Timeout: time.Minute, Seed: 1<<63 + 1, Procs: 8, Margin: 0.02, Looks: 1},
		Cells: []Cell{
			{ID: "oldgc", Name: "oldgc", Mode: oldgc, Ref: -1, Build: executable.Info{GoVersion: "go1.26.8", Experiment: "nogreenteagc", SHA256: "ab"}},
			{ID: "greentea", Name: "greentea", Mode: greentea},
			{ID: "aa", Name: "A/A", Mode: oldgc, AA: true},
		},
		Rows: []Row{
			{Package: "p/a", Name: "Get/size=1", Bench: []string{"Get/size=1", "Get/size=1", "Get/size=1"}, N: 1000},
			{Package: "p/a", Name: "Get-8", Bench: []string{"Get-8", "", "Get-8"}, N: 7},
			{Package: "p/b", Name: "Put", Bench: []string{"Put", "Put", "Put"}, N: 1},
		},
		Problems: []Problem{{Cell: "greentea", Row: "Get-8", Text: "it is not there", Detail: "two\nlines"}},
		Notes:    []string{"a note"},
	}
}

// trialOf is one that differs from all others.
func trialOf(round, row, cell int) Trial {
	n := round*100 + row*10 + cell
	return Trial{Round: round, Order: n, Cell: cell, Row: row, N: []int{1000, 7, 1}[row], Start: time.Unix(1e9+int64(n), 0).UTC(),
		Wall: time.Second + time.Duration(n), User: 900*time.Millisecond + time.Duration(n), System: 30 * time.Millisecond, Instructions: int64(n) * 1e6, RSS: int64(n) << 20,
		GC:   gctrace.Summary{Cycles: n, Forced: 2, CPU: 100 * time.Millisecond, Stopped: 1234567, MaxPause: 4567, HeapGoal: 4 << 20},
		Load: 0.5, Steal: 0.001,
		Values: []Value{{0.00123456789 * float64(n+1), "sec/op"}, {float64(n), "B/op"}, {3, "allocs/op"}, {1e9 / 3, "B/s"}, {0.1 + 0.2, "hits/op"}}}
}

// rounds are the trials of whole rounds, the first being the warm-up.
func rounds(s *Session, first, last int) []Trial {
	var trials []Trial
	for round := first; round <= last; round++ {
		for row := range s.Rows {
			for cell := range s.Cells {
				if s.Rows[row].Bench[cell] != "" {
					trials = append(trials, trialOf(round, row, cell))
				}
			}
		}
	}
	return trials
}

func failed(round, row, cell int) Trial {
	t := trialOf(round, row, cell)
	t.Values, t.Err = nil, "panic: on purpose"
	return t
}

// store appends and closes.
func store(t *testing.T, d *Dir, trials ...Trial) {
	t.Helper()
	for _, x := range trials {
		if err := d.Append(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, s *Session, trials ...Trial) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "deep", "result")
	d, err := Create(path, s)
	if err != nil {
		t.Fatal(err)
	}
	store(t, d, trials...)
	return path
}

func opened(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t *testing.T, path string) (*Session, []Trial) {
	t.Helper()
	s, trials, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return s, trials
}

// same is true of floats that differ by the rounding of a unit.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	near := cmp.Comparer(func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-14*math.Abs(a) })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

func TestRoundTrip(t *testing.T) {
	s := sample()
	want := append(rounds(s, 0, 2), failed(3, 1, 0))
	path := create(t, s, want...)
	gotSession, gotTrials := read(t, path)
	same(t, "session", s, gotSession)
	same(t, "trials", want, gotTrials)

	// The plan may change while it runs, and is never half written.
	s.Rows[0].N, s.Config.Rounds = 5000, 12
	d := opened(t, path)
	d.Session = s
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	gotSession, _ = read(t, path)
	same(t, "changed session", s, gotSession)
	entries, _ := os.ReadDir(path)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	same(t, "files", []string{"raw", "session.json", "trials.jsonl"}, names)
}

func TestNoTrialsYet(t *testing.T) {
	s := sample()
	s.Rows = nil // before the pilot
	got, trials := read(t, create(t, s))
	same(t, "session", s, got)
	if trials != nil {
		t.Errorf("trials: %v", trials)
	}
}

func TestCreateRefuses(t *testing.T) {
	path := create(t, sample(), trialOf(1, 0, 0))
	if _, err := Create(path, sample()); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "-resume") {
		t.Errorf("over other results: %v", err)
	}
	_, trials := read(t, path)
	if len(trials) != 1 {
		t.Errorf("%d trials are left", len(trials))
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(file, "x"), sample()); err == nil || !strings.Contains(err.Error(), "-o") {
		t.Errorf("under a file: %v", err)
	}
	// Another file in the folder is not an obstacle.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, sample()); err != nil {
		t.Error(err)
	}
	// One that would be written over is.
	for _, name := range written {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(dir, sample()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("over %s: %v", name, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	check := func(name, file, text string, parts ...string) {
		t.Helper()
		path := create(t, sample(), trialOf(1, 0, 0))
		if file != "" {
			if err := os.WriteFile(filepath.Join(path, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err := Read(path)
		_, _, resumeErr := Resume(path)
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) || resumeErr == nil || resumeErr.Error() != err.Error() {
				t.Errorf("%s: Read: %v, Resume: %v; want %q in both", name, err, resumeErr, part)
			}
		}
	}
	check("another version", planFile, `{"format": "lessgc-session/2"}`, `"lessgc-session/2"`, Format)
	check("no version", planFile, `{}`, `""`, Format)
	check("no JSON", planFile, `{"format": `, planFile)
	check("no object", planFile, `[]`, planFile)
	for _, place := range []string{`"cell":3,"row":0`, `"cell":-1,"row":0`, `"cell":0,"row":3`, `"cell":0,"row":-1`} {
		check(place, trialsFile, "\n{\"round\":1,"+place+"}\n", trialsFile+":2: ", "does not have")
	}
	if _, _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no results of lessgc compare") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, _, err := Read(filepath.Join(t.TempDir(), "no")); err == nil || !strings.Contains(err.Error(), "holds no results of lessgc compare") {
		t.Errorf("no folder: %v", err)
	}
}

// Wherever a run was cut off, what was whole before stays, and what the
// resumed run adds comes behind it. What Resume does not return will be
// measured again, so it must not come back later either.
func TestResume(t *testing.T) {
	s := sample()
	before, after := rounds(s, 0, 1), rounds(s, 2, 2)
	whole := create(t, s, before...)
	data, err := os.ReadFile(filepath.Join(whole, trialsFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	last := len(lines[len(lines)-2])
	for _, cut := range []int{0, 1, 2, last / 2, last - 1, last, last + 1} {
		t.Run(fmt.Sprintf("%d bytes cut off", cut), func(t *testing.T) {
			path := create(t, s, before...)
			if err := os.Truncate(filepath.Join(path, trialsFile), int64(len(data)-cut)); err != nil {
				t.Fatal(err)
			}
			want := before
			if cut > 0 {
				want = before[:len(before)-1]
			}
			if cut > last {
				want = before[:len(before)-2]
			}
			_, got := read(t, path)
			same(t, "read", want, got)

			d, got, err := Resume(path)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "session", s, d.Session)
			same(t, "resumed", want, got)
			store(t, d, after...)
			all := append(want[:len(want):len(want)], after...)
			_, got = read(t, path)
			same(t, "read after more", all, got)

			// And once more.
			d, got, err = Resume(path)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "resumed twice", all, got)
			store(t, d, trialOf(3, 0, 0))
			_, got = read(t, path)
			same(t, "read after one more", append(all, trialOf(3, 0, 0)), got)
		})
	}
}

// Whatever a benchmark prints, its trial can be stored.
func TestAppendOddMetrics(t *testing.T) {
	out := "BenchmarkX-8 \t 10 \t 100 ns/op \t NaN hits/op \t +Inf misses/op \t -Inf x/op \t 7 z/op\n"
	line := ParseOutput([]byte(out), 8)["X"]
	x := trialOf(1, 0, 0)
	x.Values = line.Values
	path := create(t, sample(), x)
	_, got := read(t, path)
	if len(got) != 1 {
		t.Fatalf("%d trials", len(got))
	}
	same(t, "what is a number", []Value{{1e-7, "sec/op"}, {7, "z/op"}}, got[0].Values)
}

func TestDiscard(t *testing.T) {
	path := create(t, sample())
	opened(t, path).Discard()
	if _, err := os.Stat(path); err == nil {
		t.Error("the folder is still there")
	}
	path = create(t, sample())
	other := filepath.Join(path, "mine.txt")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	opened(t, path).Discard()
	if _, err := os.Stat(other); err != nil {
		t.Error("a file of the user is gone")
	}
}

func TestMetrics(t *testing.T) {
	check := func(name string, x Trial, want map[string]float64) {
		t.Helper()
		got := map[string]float64{}
		for _, v := range x.Metrics() {
			if _, twice := got[v.Unit]; twice {
				t.Errorf("%s: %s is there twice", name, v.Unit)
			}
			got[v.Unit] = v.Value
		}
		same(t, name, want, got)
	}
	x := Trial{N: 4, User: 6 * time.Second, System: 2 * time.Second, RSS: 5 << 20,
		GC:     gctrace.Summary{Cycles: 3, Forced: 9, CPU: 2 * time.Second, Stopped: time.Millisecond, MaxPause: time.Microsecond, HeapGoal: 4 << 20},
		Values: []Value{{0.5, "sec/op"}, {7, "odd"}}}
	want := map[string]float64{"sec/op": 0.5, "odd": 7, "cpu-sec/op": 2, "user-sec/op": 1.5, "sys-sec/op": 0.5, "peak-RSS-bytes": 5 << 20,
		"gc-cycles": 3, "gc-cpu-fraction": 0.25, "stw-sec": 0.001, "max-pause-sec": 1e-6, "heap-goal-bytes": 4 << 20}
	check("all", x, want)
	x.Values = append(x.Values, Value{99, "gc-cycles"})
	check("a unit of our own", x, want)

	zero := map[string]float64{"cpu-sec/op": 0, "user-sec/op": 0, "sys-sec/op": 0,
		"gc-cycles": 0, "gc-cpu-fraction": 0, "stw-sec": 0, "max-pause-sec": 0, "heap-goal-bytes": 0}
	check("nothing", Trial{}, zero)
	check("no iterations are one", Trial{User: time.Second}, merged(zero, map[string]float64{"cpu-sec/op": 1, "user-sec/op": 1}))
	// The clock of the collector is not that of the kernel: what it says may be more.
	counted := merged(zero, map[string]float64{"cpu-sec/op": 1, "user-sec/op": 1})
	delete(counted, "gc-cpu-fraction")
	check("more collection than CPU time", Trial{N: 1, User: time.Second, GC: gctrace.Summary{CPU: 3 * time.Second}}, counted)
	check("a busy machine", Trial{N: 1, User: time.Second, Busy: 4 * time.Second, GC: gctrace.Summary{CPU: 3 * time.Second}},
		merged(counted, map[string]float64{"gc-cpu-fraction": 0.75}))

	values := make([]Value, 1, 20)
	x = Trial{N: 1, Values: values}
	x.Metrics()
	if values[:2][1] != (Value{}) {
		t.Error("Metrics wrote into the trial's values")
	}
}

func merged(a, b map[string]float64) map[string]float64 {
	all := map[string]float64{}
	for _, m := range []map[string]float64{a, b} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// A trial that was run again replaces the earlier one, failed or not.
func TestLatest(t *testing.T) {
	again := trialOf(1, 0, 0)
	again.Wall++
	path := create(t, sample(), trialOf(1, 0, 0), trialOf(1, 0, 1), failed(1, 1, 0), again, trialOf(1, 1, 0))
	_, got := read(t, path)
	same(t, "trials", []Trial{trialOf(1, 0, 1), again, trialOf(1, 1, 0)}, got)
}
