package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/lockfile"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// report is a comparison of two cells in two rows, of CPU time, wall time and allocations.
func report(seed uint64) *verdict.Report {
	r := &verdict.Report{
		Command: []string{"compare", "-base", "main"}, Created: time.Date(2026, 11, 27, 10, 0, int(seed), 0, time.UTC), Commit: "0123456789abcdef0123456789abcdef01234567+",
		Base: "89abcdef0123456789abcdef0123456789abcdef", Seed: seed, Rounds: 10, Host: session.Host{OS: "linux", Arch: "amd64", CPU: "a CPU", NumCPU: 4},
		Cells: []verdict.Cell{{ID: "base", Name: "base 89abcdef", Ref: -1}, {ID: "work", Name: "working tree", Ref: 0}, {ID: "aa", Name: "A/A", Ref: 0, AA: true}, {ID: "x", Name: "without x", Ref: 1, Without: "x"}},
		Rows:  []verdict.Row{{Package: "example.com/x", Name: "A", N: 1}, {Package: "example.com/x", Name: "B", N: 1}},
		Metrics: []verdict.Metric{{Unit: "cpu-sec/op", Name: "cpu", Decides: true}, {Unit: "sec/op", Name: "wall"},
			{Unit: "allocs/op", Name: "allocs", Exact: true, Decides: true}},
	}
	for m := range r.Metrics {
		for _, row := range []int{0, 1, verdict.Geomean} {
			for cell := range r.Cells {
				if row >= 0 {
					r.Values = append(r.Values, verdict.Value{Row: row, Cell: cell, Metric: m, Median: float64(10*cell + m + 1), Rounds: []int{1}, Trials: []float64{float64(seed)}})
				}
				if cell > 0 {
					r.Comparisons = append(r.Comparisons, verdict.Comparison{Row: row, Cell: cell, Metric: m, N: 10, Ratio: 1.25, Bounded: m < 2, Lo: 1.125, Hi: 1.5, Word: verdict.Worse})
				}
			}
		}
	}
	return r
}

func newRun(t *testing.T, seed uint64) *Run {
	t.Helper()
	run, err := NewRun(report(seed))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestNewRun checks what is kept of a report, and that the id depends on what was measured.
func TestNewRun(t *testing.T) {
	run := newRun(t, 1)
	if len(run.Results) != 6 { // two rows and the mean, in two metrics
		t.Fatalf("%d results: %+v", len(run.Results), run.Results)
	}
	want := Result{Package: "example.com/x", Name: "A", Cell: "working tree", Against: "base 89abcdef", Metric: "cpu", Unit: "cpu-sec/op",
		Ratio: 1.25, Bounded: true, Lo: 1.125, Hi: 1.5, Word: verdict.Worse, Pairs: 10, Median: 11, Baseline: 1}
	if diff := cmp.Diff(want, run.Results[0]); diff != "" {
		t.Error(diff)
	}
	if run.Commit != "0123456789abcdef0123456789abcdef01234567" || !run.Dirty || !strings.HasPrefix(run.Base, "89ab") || run.Machines[0].CPU != "a CPU" {
		t.Errorf("%+v", run)
	}
	again := report(1)
	again.Tool, again.Notes, again.Answers = "another lessgc", []string{"a note"}, []verdict.Answer{{Cell: 1}}
	if same, err := NewRun(again); err != nil || same.ID != run.ID || same.Plan != run.Plan {
		t.Errorf("%v: the same results have another id", err)
	}
	again.Values[0].Trials = append(again.Values[0].Trials, 7)
	if more, err := NewRun(again); err != nil || more.ID == run.ID || more.Plan != run.Plan {
		t.Errorf("%v: more rounds have the same id, or another plan", err)
	}
	if other := newRun(t, 2); other.ID == run.ID || other.Plan == run.Plan {
		t.Error("another run has the same id or plan")
	}
	again.Comparisons = nil
	if _, err := NewRun(again); err == nil || !strings.Contains(err.Error(), "nothing was compared") {
		t.Error(err)
	}
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestAppend checks that a run is one line, whole, however often it is appended.
func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.jsonl")
	check := func(seed uint64, want bool, count int) {
		t.Helper()
		added, repaired, err := Append(name, newRun(t, seed))
		if err != nil || added != want || repaired != "" {
			t.Fatalf("%v, %q, %v", added, repaired, err)
		}
		if got := lines(t, name); len(got) != count {
			t.Fatalf("%d lines, want %d", len(got), count)
		}
	}
	check(1, true, 1)
	check(1, false, 1)
	check(2, true, 2)
	check(1, false, 2)
	if first := lines(t, name)[0]; !strings.HasPrefix(first, `{"format":"lessgc-history/1",`) {
		t.Errorf("%.80s", first)
	}
	f, err := Read(name)
	if err != nil || len(f.Runs) != 2 || f.Cut != "" {
		t.Fatal(f, err)
	}
	if diff := cmp.Diff(*newRun(t, 2), f.Runs[1]); diff != "" {
		t.Error(diff)
	}
	if entries, _ := os.ReadDir(filepath.Dir(name)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestCut checks that a last line that was cut off anywhere is passed over and repaired, and
// that nothing else is lost.
func TestCut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.jsonl")
	for seed := range uint64(2) {
		if _, _, err := Append(name, newRun(t, seed)); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(whole, '\n') + 1
	for _, at := range []int{first + 1, first + 5, first + 40, len(whole) - 20, len(whole) - 2} {
		if err := os.WriteFile(name, whole[:at], 0o666); err != nil {
			t.Fatal(err)
		}
		if f, err := Read(name); err != nil || len(f.Runs) != 1 || !strings.Contains(f.Cut, "h.jsonl:2: the last line was cut off") {
			t.Fatalf("%d: %+v, %v", at, f, err)
		}
		added, repaired, err := Append(name, newRun(t, 5))
		if err != nil || !added || !strings.Contains(repaired, "was cut off; it is removed") {
			t.Fatalf("%d: %v, %q, %v", at, added, repaired, err)
		}
		if f, err := Read(name); err != nil || len(f.Runs) != 2 || f.Cut != "" || f.Runs[1].ID != newRun(t, 5).ID {
			t.Fatalf("%d: %+v, %v", at, f, err)
		}
	}
	// A whole line whose end an editor has taken away is kept.
	if err := os.WriteFile(name, whole[:len(whole)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, repaired, err := Append(name, newRun(t, 5)); err != nil || repaired != "" || len(lines(t, name)) != 3 {
		t.Errorf("%q, %v", repaired, err)
	}
}

// TestRefused checks files that are not read: one sentence with the place, and the file stays as it is.
func TestRefused(t *testing.T) {
	good, err := json.Marshal(newRun(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	change := func(from, to string) string {
		t.Helper()
		if !bytes.Contains(good, []byte(from)) {
			t.Fatalf("%s is not in %s", from, good)
		}
		return strings.ReplaceAll(string(good), from, to)
	}
	for text, want := range map[string]string{
		string(good) + "\n" + `{"format":"lessgc-history/2","id":7,"results":"none"}` + "\n": `h.jsonl:2: the line is of format "lessgc-history/2", and this lessgc reads lessgc-history/1; use the lessgc that wrote it, or another file`,
		`{"format":"lessgc-history/2","id":7}`:                                               `"lessgc-history/2"`,
		`{"format":"lessgc-history/2","id`:                                                   `h.jsonl:1: unexpected end of JSON input; remove the line`,
		"{}\n":                                                                               `h.jsonl:1: the line is of format ""`,
		"notes of mine":                                                                      "h.jsonl:1: invalid character",
		"<<<<<<< HEAD\n" + string(good) + "\n":                                               "h.jsonl:1: invalid character '<'",
		change(`"id":"`, `"id":"x`):                                                          "which is not 32 hexadecimal digits; remove the line",
		change(`"ratio":1.25`, `"ratio":-1`):                                                 "has the ratio -1",
		change(`"ratio":1.25`, `"ratio":1e300`):                                              "has the ratio 1e+300",
		change(`"ratio":1.25`, `"ratio":1e999`):                                              "1e999",
		change(`"hi":1.5`, `"hi":0.5`):                                                       "[1.125, 0.5]",
		change(`"word":"worse"`, `"word":"wonderful"`):                                       `"wonderful", not a verdict`,
		change(`"median":11`, `"median":1e200`):                                              "medians 1e+200",
		change(`"pairs":10`, `"pairs":-1`):                                                   "of -1 pairs",
		change(`"name":"B"`, `"name":"A"`):                                                   "a second one of",
		change(`"time":"2026`, `"time":"20266`):                                              "remove the line",
		change(`"results":[`, `"results":[],"x":[`):                                          "there are no results",
		change(`"results":[`, `"results":[`+strings.Repeat("{},", maxObjects)):               "more than 1048576 results",
		string(good[:len(good)-1]) + strings.Repeat(" ", maxLine) + "}":                      "longer than 16777216 bytes",
	} {
		name := filepath.Join(t.TempDir(), "h.jsonl")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, do := range []func() error{
			func() error { _, err := Read(name); return err },
			func() error { return Check(name) },
			func() error { _, _, err := Append(name, newRun(t, 9)); return err },
		} {
			if err := do(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000 {
				t.Errorf("%.100s: %v; want %s", text, err, want)
			}
		}
		if now, err := os.ReadFile(name); err != nil || string(now) != text {
			t.Errorf("%.100s: the file was changed: %v", text, err)
		}
	}
	dir := t.TempDir()
	if err := Check(filepath.Join(dir, "nowhere", "h.jsonl")); err == nil || !strings.Contains(err.Error(), "there is no folder") {
		t.Error(err)
	}
	if err := Check(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
	if err := Check(filepath.Join(dir, "h.jsonl")); err != nil {
		t.Error(err)
	}
}

// TestMain lets the test binary be a process that appends runs.
func TestMain(m *testing.M) {
	if name := os.Getenv("HISTORY_TEST_FILE"); name != "" {
		var first uint64
		fmt.Sscan(os.Getenv("HISTORY_TEST_SEED"), &first)
		for seed := range uint64(10) {
			run, err := NewRun(report(first + seed))
			if err == nil {
				_, _, err = Append(name, run)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestTwoWriters checks that two processes lose nothing of each other.
func TestTwoWriters(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.jsonl")
	var all []*exec.Cmd
	for first := range 3 { // the third has half of the second's runs
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HISTORY_TEST_FILE="+name, fmt.Sprintf("HISTORY_TEST_SEED=%d", []int{0, 20, 25}[first]))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	f, err := Read(name)
	if err != nil || len(f.Runs) != 25 || f.Cut != "" {
		t.Fatalf("%d runs, %v", len(f.Runs), err)
	}
}

// TestHeld checks that a writer that does not end is named, and that nothing is changed.
func TestHeld(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.jsonl")
	if _, _, err := Append(name, newRun(t, 1)); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	lock, err := lockfile.Acquire(root, "h.jsonl.lock", lockfile.Self("compare", "-history", "h.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	defer func(before time.Duration) { patience = before }(patience)
	patience = 50 * time.Millisecond
	_, _, err = Append(name, newRun(t, 2))
	if err == nil || !strings.HasPrefix(err.Error(), "the history cannot be written: ") || !strings.Contains(err.Error(), `"lessgc compare -history h.jsonl"; wait for its end, and remove `) {
		t.Error(err)
	}
	if len(lines(t, name)) != 1 {
		t.Error("the file was changed")
	}
}

// A full stands for a file on a full disk.
type full struct{ bytes.Buffer }

func (f *full) Write(p []byte) (int, error) {
	n, _ := f.Buffer.Write(p[:len(p)/2])
	return n, errors.New("no space left on device")
}

func (f *full) Truncate(size int64) error { f.Buffer.Truncate(int(size)); return nil }
func (f *full) Sync() error               { return nil }

// TestFull checks that half a line is taken back.
func TestFull(t *testing.T) {
	var f full
	f.Buffer.WriteString("before\n")
	if err := write(&f, []byte("a line\n"), 7); err == nil || f.String() != "before\n" {
		t.Errorf("%v, %q", err, f.String())
	}
}

// TestCourse checks the order, what is left out, and the notes.
func TestCourse(t *testing.T) {
	var f File
	for _, seed := range []uint64{3, 1, 2} {
		f.Runs = append(f.Runs, *newRun(t, seed))
	}
	f.Runs[1].Machines, f.Runs[1].Results = []Machine{{CPU: "another"}}, f.Runs[1].Results[1:] // the oldest lacks A
	f.Runs[2].Base, f.Runs[2].Dirty = "", false
	again := *newRun(t, 3)
	again.ID, again.Rounds = strings.Repeat("0", 32), 20
	f.Runs = append(f.Runs, again)
	f.Cut = "h.jsonl:5: the last line was cut off"
	c, err := f.Course()
	if err != nil {
		t.Fatal(err)
	}
	var seconds []int
	for _, s := range c.Runs {
		seconds = append(seconds, s.Time.Second())
	}
	if diff := cmp.Diff([]int{1, 2, 3}, seconds); diff != "" || c.Runs[2].Rounds != 20 {
		t.Errorf("%s, %+v", diff, c.Runs)
	}
	if !strings.HasSuffix(c.Runs[0].Commit, "+") || strings.HasSuffix(c.Runs[1].Commit, "+") {
		t.Errorf("%+v", c.Runs)
	}
	if len(c.Tables) != 2 || c.Tables[0].Title != "CPU time" || c.Tables[1].Title != "allocations" || len(c.Tables[0].Rows) != 3 {
		t.Fatalf("%+v", c.Tables)
	}
	a, mean := c.Tables[0].Rows[0], c.Tables[0].Rows[2]
	if a.Name != "A" || a.Points[0] != nil || a.Points[1] == nil || a.Points[2].Lo != 1.125 || a.Points[2].Median != 11 || !mean.Mean || mean.Points[0] == nil {
		t.Errorf("%+v, %+v", a, mean)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"not paired with each other", "of 2 machines", "against 2 base revisions", "Of 2 of 3 runs not everything", "1 lines are left out", "was cut off"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in\n%s", want, notes)
		}
	}
	if c, err := new(File).Course(); err != nil || len(c.Runs) != 0 || len(c.Tables) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	var hostile File // other rows in each run: a course of it would be of 10 billion points
	for i := range maxRuns {
		hostile.Runs = append(hostile.Runs, Run{Plan: fmt.Sprint(i), Results: []Result{{Name: fmt.Sprint(i)}}})
	}
	if _, err := hostile.Course(); err == nil || !strings.Contains(err.Error(), "100000 rows in 100000 runs are more than lessgc can draw") {
		t.Error(err)
	}
}

// FuzzDecode checks that no file makes the reader fail other than by an error, and that what it
// accepts can be shown.
func FuzzDecode(f *testing.F) {
	run, err := NewRun(report(1))
	if err != nil {
		f.Fatal(err)
	}
	good, err := json.Marshal(run)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(good, '\n'))
	f.Add(good[:len(good)/2])
	f.Add([]byte(`{"format":"lessgc-history/2"}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := decode("h", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		c, err := h.Course()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Error(err)
		}
	})
}
