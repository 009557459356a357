package compare

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
)

func TestRoundUp(t *testing.T) {
	for _, c := range []struct {
		n    float64
		want int
	}{{0, 1}, {0.5, 1}, {1, 1}, {999.5, 1000}, {1001, 1010}, {123456, 124000}, {-5, 1}} {
		if got := roundUp(c.n); got != c.want {
			t.Errorf("roundUp(%v) = %d, want %d", c.n, got, c.want)
		}
	}
	for _, n := range []float64{1e18, 1e300, math.Inf(1)} {
		if got := roundUp(n); got < 1e9 || int64(got) > 1e15 {
			t.Errorf("roundUp(%v) = %d", n, got)
		}
	}
}

func TestTimes(t *testing.T) {
	if got := times(3, time.Second); got != 3*time.Second {
		t.Error(got)
	}
	if got := times(math.MaxInt, session.MaxDuration); got != session.MaxDuration {
		t.Error(got)
	}
}

// TestFolderName checks that requests may be called as one likes, and that their
// profiles do not overwrite each other.
func TestFolderName(t *testing.T) {
	labels := []string{"..", ".", "", "a/b", `a\b`, "../../x", "A_b", "x\x00\n", strings.Repeat("ü", 300), "\xff", "users.Users/Get"}
	r := &Run{Dir: &session.Dir{Session: &session.Session{}}}
	for _, label := range labels {
		r.Dir.Session.Rows = append(r.Dir.Session.Rows, session.Row{Label: label})
	}
	seen := map[string]string{}
	for i, label := range labels {
		name := r.folderName(i)
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00\n") || len(name) > 120 {
			t.Errorf("%q has the folder %q", label, name)
		}
		if other, ok := seen[strings.ToLower(name)]; ok {
			t.Errorf("%q and %q have the folder %q", label, other, name)
		}
		seen[strings.ToLower(name)] = label
	}
	if got := r.folderName(len(labels) - 1); got != "users.Users_Get" {
		t.Errorf("an ordinary name becomes %q", got)
	}
}

// TestLongNames checks that a mode may have a long name: files of the result are
// called after it.
func TestLongNames(t *testing.T) {
	r := &Run{Dir: &session.Dir{Session: &session.Session{}}}
	for range 3 {
		id := r.cellID(session.Cell{Name: strings.Repeat("long ", 100)})
		if len(id) > 110 {
			t.Errorf("an id of %d bytes", len(id))
		}
		r.Dir.Session.Cells = append(r.Dir.Session.Cells, session.Cell{ID: id})
	}
}

// TestMuchOutput checks that what a benchmark prints without end costs kilobytes.
func TestMuchOutput(t *testing.T) {
	s := &session.Session{}
	r := &Run{Dir: &session.Dir{Session: s}, Progress: &progress.Printer{W: io.Discard}}
	for i := range 10_000 {
		r.problem("", "", fmt.Sprintf("%d: %s", i, strings.Repeat("x", 10_000)), &build.Error{Output: strings.Repeat("y", 100_000)})
	}
	if n := len(s.Problems); n != mostProblems+1 || !strings.Contains(s.Problems[n-1].Text, "the others are not listed") {
		t.Errorf("%d problems", n)
	}
	if p := s.Problems[0]; len(p.Text) > mostText || len(p.Detail) > mostDetail || !strings.HasPrefix(p.Text, "0: xxx") {
		t.Errorf("%d bytes of text, %d of detail", len(p.Text), len(p.Detail))
	}
	if began := started([]byte(strings.Repeat("BenchmarkX\n", 1_000_000))); len(began) > 10_000 {
		t.Errorf("%d starts", len(began))
	}
	if began := started([]byte("Benchmark" + strings.Repeat("x", 1<<20) + "\nBenchmarkY\n")); len(began) != 1 || began[0].name != "Y" {
		t.Errorf("%d starts", len(began))
	}
	out := strings.Repeat(" x_test.go:1: "+strings.Repeat("z", 1<<20)+"\n", 2) + "--- FAIL: BenchmarkX\n"
	if f := failures([]byte(out), 1); len(f) != 1 || len(f[0].reason) > 400 {
		t.Errorf("%d failures", len(f))
	}
	o := trial.Outcome{Stdout: make([]byte, 16<<20), Unread: 1008 << 20}
	if got, want := muchPrinted(o), "it printed 1024 MB to standard output, of which the first and last 8 MB are read"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
