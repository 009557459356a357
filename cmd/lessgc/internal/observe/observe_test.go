package observe

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/watch"
	"lessgc/live"
)

func TestMain(m *testing.M) {
	trial.Helper()
	os.Exit(m.Run())
}

// TestWords checks that a record has a word for each metric of the probe.
func TestWords(t *testing.T) {
	if n := strings.Count(probeSource, "\t\"/"); n != words-1 {
		t.Errorf("the probe writes %d metrics, and %d are read", n, words-1)
	}
}

func record(fields map[int]uint64) []byte {
	var data []byte
	for i := range words {
		data = binary.LittleEndian.AppendUint64(data, fields[i])
	}
	return data
}

func TestParse(t *testing.T) {
	const s = 1_000_000_000
	one := record(map[int]uint64{wordAt: 2 * s, wordCycles: 3, wordForced: 1, wordAlloc: 100, wordLive: 40, wordStacks: 5, wordGlobals: 6, wordGOGC: math.MaxUint64,
		wordLimit: math.MaxInt64, wordProcs: 4, wordAssist: s, wordDedicated: 2 * s, wordIdle: 3 * s, wordPause: 4 * s, wordTotal: 50 * s, wordUnused: 20 * s,
		wordMemory: 1000, wordReleased: 100, wordFree: 200, wordObjects: 300})
	r, err := parse(append(one, one[:30]...)) // the second one is cut off
	if err != nil || len(r.Points) != 1 || r.GOGC != -1 || r.Limit < curve.NoLimit || r.Procs != 4 || !r.Whole {
		t.Fatalf("%+v, %v", r, err)
	}
	want := curve.Point{At: 2, Cycles: 3, Forced: 1, Alloc: 100, Assist: 1, Dedicated: 2, Idle: 3, Pause: 4, Busy: 30, Live: 40, Roots: 11, NonHeap: 400, Mapped: 900}
	if r.Points[0] != want {
		t.Errorf("%+v, want %+v", r.Points[0], want)
	}
	if _, err := parse(one[:recordSize-1]); err == nil {
		t.Error("no record, and no error")
	}
	if _, err := parse(record(map[int]uint64{wordCycles: 5})); err == nil || !strings.Contains(err.Error(), "older than 1.20") {
		t.Errorf("collections without CPU time: %v", err)
	}
}

const trace = "gc 1 @0.010s 1%: 0.1+2.0+0.1 ms clock, 0.2+1.0/2.0/3.0+0.2 ms cpu, 10->12->6 MB, 12 MB goal, 1 MB stacks, 2 MB globals, 4 P\n" +
	"gc 2 @0.030s 1%: 0.1+4.0+0.1 ms clock, 0.2+1.0/2.0/3.0+0.2 ms cpu, 15->18->7 MB, 20 MB goal, 1 MB stacks, 2 MB globals, 4 P\n" +
	"gc 3 @0.050s 1%: 0.1+4.0+0.1 ms clock, 0.2+1.0/2.0/3.0+0.2 ms cpu, 7->7->7 MB, 20 MB goal, 1 MB stacks, 2 MB globals, 4 P (forced)\n"

func TestTraces(t *testing.T) {
	r, err := Traces(strings.NewReader("hello\n" + trace))
	if err != nil || len(r.Points) != 4 || !r.Whole || !r.Available || r.Procs != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	const mib = 1 << 20
	last := r.Points[3]
	if last.Alloc != 24*mib || last.Black != 5*mib || last.Cycles != 2 || last.Forced != 1 || last.Live != 7*mib || last.Roots != 3*mib {
		t.Errorf("%+v", last)
	}
	if math.Abs(last.Concurrent-0.010) > 1e-9 || math.Abs(last.Idle-0.009) > 1e-9 || math.Abs(last.Pause-0.0012) > 1e-9 {
		t.Errorf("times of %+v", last)
	}
	// Two processes in one file: the last one counts.
	if r, err := Traces(strings.NewReader(trace + trace)); err != nil || len(r.Points) != 4 {
		t.Errorf("twice: %+v, %v", r, err)
	}
	for text, want := range map[string]string{
		"":          "no line of a collection",
		"nothing\n": "no line of a collection",
		"gc 1 @0.1s 1%: 1+2+3+4+5 ms clock, 11+37+0+31/0.26/0+49 ms cpu, 121->158->156 MB, 180 MB goal, 8 P\n": "none can be read",
		"gc 1 @0.1s 1%: 1+2+3 ms clock, 1+2/3/4+5 ms cpu, 2 P\n":                                               "no sizes",
	} {
		if _, err := Traces(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTorn checks that what gctrace tells is left out if one line of it is missing.
func TestTorn(t *testing.T) {
	r := &curve.Run{Points: []curve.Point{{}, {Cycles: 1}, {Cycles: 2, Forced: 1}}}
	if err := addTraces(r, strings.NewReader(trace)); err != nil || r.Points[2].Black != 5<<20 || r.Points[1].Concurrent != 0.002 {
		t.Errorf("%+v, %v", r.Points, err)
	}
	torn := &curve.Run{Points: []curve.Point{{}, {Cycles: 1}, {Cycles: 2, Forced: 1}}}
	lines := strings.SplitAfter(trace, "\n")
	if err := addTraces(torn, strings.NewReader(lines[0]+lines[2])); err != nil || torn.Points[2].Black != 0 {
		t.Errorf("%+v, %v", torn.Points, err)
	}
}

func TestSnapshots(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	at := time.Now()
	snapshot := func(segment int, n float64) *watch.Snapshot {
		return &watch.Snapshot{Time: at.Add(time.Duration(n) * time.Second), Segment: segment,
			Totals: watch.Totals{AllocBytes: f(n * 1e6), GCs: f(n), ForcedGCs: f(0)},
			CPU:    &live.CPU{Total: 4 * n, Idle: n, GCDedicated: n / 2},
			Gauges: watch.Gauges{Live: f(1e6), Limit: f(math.MaxInt64), GOGC: f(100), GOMAXPROCS: f(4), Heap: f(2e6), Memory: f(9e6), HeapFree: f(3e6), Roots: f(1e5), RSS: f(n * 1e7)}}
	}
	r, err := Snapshots([]*watch.Snapshot{snapshot(0, 50), snapshot(1, 1), snapshot(1, 2)})
	if err != nil || len(r.Points) != 2 || r.PeakRSS != 2e7 || r.Procs != 4 || r.Whole {
		t.Fatalf("%+v, %v", r, err)
	}
	if p := r.Points[1]; p.Busy != 6 || p.Dedicated != 1 || p.Mapped != 9e6 || p.NonHeap != 4e6 || p.Alloc != 2e6 {
		t.Errorf("%+v", p)
	}
	lacks := snapshot(1, 3)
	lacks.CPU = nil
	if _, err := Snapshots([]*watch.Snapshot{lacks}); !errors.Is(err, errSource) {
		t.Errorf("without CPU time: %v", err)
	}
	old := snapshot(1, 3)
	old.Gauges.Roots = nil
	if _, err := Snapshots([]*watch.Snapshot{old}); err == nil || !strings.Contains(err.Error(), "older lessgc/live") {
		t.Errorf("of an older handler: %v", err)
	}
	changed := snapshot(1, 3)
	changed.Gauges.GOGC = f(200)
	if _, err := Snapshots([]*watch.Snapshot{snapshot(1, 1), changed}); err == nil || !strings.Contains(err.Error(), "settings changed") {
		t.Errorf("another GOGC: %v", err)
	}
	if _, err := Snapshots(nil); err == nil {
		t.Error("no snapshots, and no error")
	}
}

// churn is a module with a benchmark and a program that allocate beside a live heap.
var churn = map[string]string{
	"go.mod": "module example.com/churn\n\ngo 1.25\n",
	"churn/churn.go": `package churn

var live, sink []*[64]byte

// Fill makes 8 MiB live.
func Fill() {
	for range 8 << 20 / 64 {
		live = append(live, new([64]byte))
	}
}

func Churn(n int) {
	for range n {
		sink = nil
		for range 1000 {
			sink = append(sink, new([64]byte))
		}
	}
}
`,
	"churn/churn_test.go": `package churn

import "testing"

func BenchmarkChurn(b *testing.B) {
	b.Run("n=1", func(b *testing.B) {
		if live == nil {
			Fill()
		}
		for b.Loop() {
			Churn(1)
		}
	})
}
`,
	"main.go": `package main

import "example.com/churn/churn"

func main() {
	churn.Fill()
	churn.Churn(4000)
}
`}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPrediction observes a real benchmark and a real program once, predicts collections and memory at another GOGC, and has them run
// there. Both do not depend on how fast the machine is.
func TestPrediction(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOMEMLIMIT", "off")
	dir := write(t, churn)
	run := func(exec bool, gogc string) Subject {
		t.Helper()
		modes, err := mode.Parse("x: GOGC=" + gogc)
		if err != nil {
			t.Fatal(err)
		}
		step := func(string) {}
		if exec {
			p := Program{Dir: dir, Command: ".", Mode: modes[0], Timeout: time.Minute, Step: step}
			s, err := p.Run(context.Background(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		b := Benches{Dir: dir, Packages: []string{"./..."}, Bench: ".", Mode: modes[0], Time: 500 * time.Millisecond, Timeout: time.Minute, Step: step}
		all, err := b.Run(context.Background(), t.TempDir())
		if err != nil || len(all) != 1 || all[0].Err != nil {
			t.Fatalf("%+v, %v", all, err)
		}
		return all[0]
	}
	for _, exec := range []bool{false, true} {
		s := run(exec, "100")
		m, err := curve.Fit(s.Run)
		if err != nil {
			t.Fatal(err)
		}
		if live := s.Run.Points[len(s.Run.Points)-1].Live; live < 8<<20 || live > 20<<20 {
			t.Errorf("%s: %g bytes are live", s.Name, live)
		}
		if !exec && s.Name != "Churn/n=1" {
			t.Errorf("its name is %q", s.Name)
		}
		other := run(exec, "300")
		first, last := other.Run.Points[other.Run.Start], other.Run.Points[len(other.Run.Points)-1]
		p := m.Predict(curve.Setting{GOGC: 300, Limit: curve.NoLimit})
		// One run each, on a machine with other work: the interval is for many, and is widened by half.
		check := func(what string, got float64, v curve.Value) {
			t.Helper()
			if got < v.Lo*2/3 || got > v.Hi*3/2 {
				t.Errorf("%s: %s %g, predicted %+v", s.Name, what, got, v)
			}
		}
		check("collections a second", (last.Cycles-first.Cycles)/(last.Alloc-first.Alloc)*m.Rate, p.Cycles)
		if rss := other.Run.PeakRSS; rss > 0 {
			check("peak RSS", rss, p.RSS)
		}
	}
}

// TestFails checks what is said of programs that tell nothing.
func TestFails(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := write(t, map[string]string{"go.mod": "module example.com/x\n\ngo 1.25\n",
		"fail/main.go": "package main\n\nimport \"os\"\n\nfunc main() { println(\"no luck\"); os.Exit(3) }\n",
		"hang/main.go": "package main\n\nfunc main() { for {} }\n"})
	check := func(command, want string) {
		t.Helper()
		p := Program{Dir: dir, Command: command, Timeout: 2 * time.Second, Step: func(string) {}}
		if _, err := p.Run(context.Background(), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", command, err)
		}
	}
	check("./fail", "no luck")
	check("./hang", "longer than 2s; raise -timeout")
	check("./nowhere", "nowhere")
	check("true", "traced no collection")
}

// TestInOrder checks that only the number of processors that was used is taken from a benchmark's name.
func TestInOrder(t *testing.T) {
	const out = "goos: linux\nBenchmarkGet-8\t5\t1 ns/op\nBenchmarkPut/n=10\t5\t1 ns/op\nnot BenchmarkX\t5\t1 ns/op\nBenchmarkGet-8\t6\t1 ns/op\nBenchmarkTorn\n"
	if got, want := inOrder([]byte(out), 1), []string{"BenchmarkGet-8", "BenchmarkPut/n=10"}; !slices.Equal(got, want) {
		t.Errorf("one processor: %q, want %q", got, want)
	}
	if got, want := inOrder([]byte(out), 8), []string{"BenchmarkGet", "BenchmarkPut/n=10"}; !slices.Equal(got, want) {
		t.Errorf("eight processors: %q, want %q", got, want)
	}
}

// TestFromFile checks that what was before the load is not part of the window.
func TestFromFile(t *testing.T) {
	const s = 1_000_000_000
	name := filepath.Join(t.TempDir(), "records")
	var data []byte
	for at := range uint64(5) {
		data = append(data, record(map[int]uint64{wordAt: at * s, wordCycles: at, wordTotal: at * s, wordProcs: 1})...)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for start, want := range map[time.Duration]int{0: 0, 2500 * time.Millisecond: 3, time.Minute: 4} {
		r, err := fromFile(name, compare.Loaded{Start: start})
		if err != nil || r.Start != want {
			t.Errorf("load from %v on: %+v, %v; want %d", start, r, err, want)
		}
	}
}

// TestLanguage builds what is compiled into programs as part of a module of an old version of the language.
func TestLanguage(t *testing.T) {
	for _, name := range []string{filepath.Join("probe", "probe.go"), filepath.Join("..", "load", "probe", "probe.go")} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for file, content := range map[string]string{"go.mod": "module example.com/old\n\ngo 1.12\n", "main.go": "package main\n\nfunc main() {}\n", "probe.go": string(source)} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "old"), ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
