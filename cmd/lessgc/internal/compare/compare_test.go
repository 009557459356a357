package compare

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/trial/countertest"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/internal/longtest"
)

func TestMain(m *testing.M) {
	if os.Getenv(countertest.Variable) != "" {
		trial.OpenCounter = countertest.Open
	}
	trial.Helper()
	os.Exit(m.Run())
}

// module is the code that is really built and run here: a benchmark that
// allocates, in many copies, and one that only computes, 20 % more of it if the
// environment says so.
var module = map[string]string{
	"go.mod": "module example.com/real\n\ngo 1.26\n",
	"real_test.go": `package real

import (
	"fmt"
	"os"
	"testing"
)

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

var kept *tree

func BenchmarkGrow(b *testing.B) {
	for i := range 20 {
		b.Run(fmt.Sprintf("copy=%d", i), func(b *testing.B) {
			for b.Loop() {
				kept = grow(10)
			}
		})
	}
}

func BenchmarkCompute(b *testing.B) {
	work := 100_000
	if os.Getenv("PLANTED") != "" {
		work += work / 5
	}
	x := uint64(1)
	for b.Loop() {
		for range work {
			x = x*6364136223846793005 + 1442695040888963407
		}
	}
	if x == 0 {
		b.Fatal("it never is")
	}
}
`}

// measure runs a comparison of two modes that differ in an environment
// variable only, and judges it.
func measure(t *testing.T, bench string, minTrial time.Duration, modes ...string) *verdict.Report {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, content := range module {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := session.Config{
		Packages: []string{"."}, Bench: bench, Rounds: 10, MinTrial: minTrial, Timeout: time.Minute, Seed: 1,
		Procs: Procs(false), Margin: 0.03, Looks: 1,
	}
	for _, s := range modes {
		m, err := mode.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		c.Modes = append(c.Modes, m...)
	}
	c.Baseline = c.Modes[0].Name
	s := &session.Session{Format: session.Format, Dir: dir, Host: session.NewHost(), Config: c}
	out, err := session.Create(filepath.Join(t.TempDir(), "results"), s)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := &Run{Dir: out, Progress: &progress.Printer{W: io.Discard}, Start: time.Now()}
	if err := r.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return verdict.New(s, r.Done)
}

// calls returns the comparisons of CPU time, geometric means left out, and how
// many of them are called better or worse.
func calls(r *verdict.Report) (all []verdict.Comparison, called int) {
	for _, c := range r.Comparisons {
		if r.Metrics[c.Metric].Name != "cpu" || c.Row == verdict.Geomean || r.Cells[c.Cell].AA {
			continue
		}
		all = append(all, c)
		if c.Word == verdict.Better || c.Word == verdict.Worse {
			called++
		}
	}
	return all, called
}

// TestSameBinaryTwice compares one binary with itself under two names, twenty
// times and for real: at most one may be called better or worse. The simulated
// counterpart is in package verdict.
func TestSameBinaryTwice(t *testing.T) {
	longtest.Skip(t, "measures for half a minute")
	r := measure(t, "Grow", 20*time.Millisecond, "one: COPY=1", "two: COPY=2")
	all, called := calls(r)
	if len(all) != 20 {
		t.Fatalf("%d comparisons, want 20", len(all))
	}
	t.Logf("%d of %d called", called, len(all))
	if limit := len(all) * 5 / 100; called > limit {
		t.Errorf("%d of %d comparisons of a binary with itself are called better or worse, want at most %d", called, len(all), limit)
	}
	if r.Cells[0].Build.SHA256 != r.Cells[1].Build.SHA256 {
		t.Error("the two modes differ at run time only and should share a binary")
	}
}

// TestPlantedSlowdown finds 20 % more work in ten rounds.
func TestPlantedSlowdown(t *testing.T) {
	r := measure(t, "Compute", 100*time.Millisecond, "plain: COPY=1", "slow: PLANTED=1")
	all, _ := calls(r)
	t.Logf("%+v", all)
	if len(all) != 1 || all[0].Word != verdict.Worse {
		t.Errorf("20 %% more work in 10 rounds gives %+v, want worse", all)
	}
}
