package timed

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/trial/countertest"
	"lessgc/internal/longtest"
)

// benchmarks have set-ups that cost a multiple of what they time.
const benchmarks = `package m

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

var sink []byte

// untimed is the CPU time that all set-ups have taken.
var untimed time.Duration

func TestMain(m *testing.M) {
	code := m.Run()
	fmt.Fprintln(os.Stderr, "untimed", untimed.Nanoseconds())
	os.Exit(code)
}

// setUp is what no benchmark times.
func setUp(ms, collections int) {
	before := cpu()
	work(ms)
	collect(collections)
	untimed += cpu() - before
}

func work(ms int) {
	for began := time.Now(); time.Since(began) < time.Duration(ms)*time.Millisecond; {
	}
}

func collect(n int) {
	for range n {
		runtime.GC()
	}
}

func BenchmarkReset(b *testing.B) {
	setUp(300, 5)
	b.ResetTimer()
	for range b.N {
		work(10)
	}
	collect(2)
}

func BenchmarkLoop(b *testing.B) {
	setUp(300, 5)
	for b.Loop() {
		work(10)
	}
	setUp(200, 3)
}

func BenchmarkStop(b *testing.B) {
	for range b.N {
		b.StopTimer()
		setUp(30, 1)
		b.StartTimer()
		work(10)
		collect(1)
	}
}

func BenchmarkSub(b *testing.B) {
	setUp(50, 0)
	for _, name := range []string{"a", "b c"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				work(10)
				collect(1)
			}
		})
	}
}

func BenchmarkOne(b *testing.B) {
	work(10)
}

// turned is when BenchmarkTurns has last ended.
var turned time.Time

// BenchmarkTurns prints times that are within and around that of its timer, and that.
func BenchmarkTurns(b *testing.B) {
	began := time.Now()
	if b.N > 1 {
		os.WriteFile(os.Getenv("STOPS"), binary.NativeEndian.AppendUint64(nil, 200e6), 0o666)
	}
	for range b.N {
		work(30)
	}
	within := time.Since(began)
	b.StopTimer()
	fmt.Fprintln(os.Stderr, "times", within.Nanoseconds(), time.Since(turned).Nanoseconds(), b.Elapsed().Nanoseconds())
	turned = time.Now()
}

// BenchmarkStarts starts and stops its timer all the time, times nothing, and prints the least
// and the most that it was timed for at once.
func BenchmarkStarts(b *testing.B) {
	b.StopTimer()
	before := b.Elapsed()
	least, most := time.Hour, -time.Hour
	for range b.N {
		b.StartTimer()
		b.StopTimer()
		timed := b.Elapsed() - before
		before += timed
		least, most = min(least, timed), max(most, timed)
	}
	fmt.Fprintln(os.Stderr, "least", least.Nanoseconds(), "most", most.Nanoseconds())
}

func BenchmarkAllocs(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		sink = make([]byte, 100)
	}
}
`

// cpuUnix and cpuOther have the CPU time of the process.
const (
	cpuUnix = `//go:build unix

package m

import (
	"syscall"
	"time"
)

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
`
	cpuOther = `//go:build !unix

package m

import "time"

func cpu() time.Duration { return 0 }
`
)

// built is the test binary of benchmarks.
func built(t *testing.T, toolchain, root string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", "m_test.go": benchmarks, "unix_test.go": cpuUnix, "other_test.go": cpuOther} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	replace, err := Overlay(t.TempDir(), root)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(root, "bin", "go"), "test", "-c", "-o", "m.test", "-overlay="+overlay, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOTOOLCHAIN=local", "GOROOT="+root)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", toolchain, err, out)
	}
	return filepath.Join(dir, "m.test")
}

// measured runs a benchmark and returns its region, what it printed, and the CPU time of
// the process.
func measured(t *testing.T, binary, name string, n int) (*Region, string, time.Duration) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "regions")
	pattern := "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	t.Setenv(countertest.Variable, countertest.Steps)
	counter, err := countertest.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer counter.Close()
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.bench="+pattern, fmt.Sprintf("-test.benchtime=%dx", n), Flag+"="+file)
	if runtime.GOOS != "windows" {
		cmd.ExtraFiles = []*os.File{counter} // 3 there
		cmd.Args = append(cmd.Args, CounterFlag+"=3")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := Read(file, name, n)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// untimed returns the CPU time of the set-ups of a process that has printed it.
func untimed(t *testing.T, out string) time.Duration {
	t.Helper()
	_, after, _ := strings.Cut(out, "untimed ")
	var d time.Duration
	if _, err := fmt.Sscan(after, (*int64)(&d)); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return d
}

// cycles counts the collections of a region.
func cycles(r *Region) int {
	n := 0
	for i := range 1000 {
		if r.Has(i) {
			n++
		}
	}
	return n
}

// TestRegion checks that what a benchmark does not time is not counted.
func TestRegion(t *testing.T) {
	roots := []string{goroot(t, "local")}
	if longtest.Wanted() {
		for _, other := range []string{"go1.25.9", "go1.27.3"} {
			root := filepath.Join(t.TempDir(), other)
			if err := os.Symlink(goroot(t, other), root); err != nil {
				t.Fatal(err)
			}
			roots = append(roots, root)
		}
	}
	for _, root := range roots {
		binary := built(t, root, root)
		check := func(name string, n int, gcs, intervals int) {
			t.Helper()
			r, out, took := measured(t, binary, name, n)
			// However fast the machine is, the timed region and the set-ups are apart in all that
			// the process took.
			if cpu := r.User + r.System; cpu > took-untimed(t, out) || cpu <= 0 {
				t.Errorf("%s: %v of CPU time in the timed region, of %v in all\n%s", name, cpu, took, out)
			}
			if got := cycles(r); got != gcs {
				t.Errorf("%s: %d collections in the timed region, want %d: %v", name, got, gcs, r.spans)
			}
			if want := int64(intervals * countertest.Step); r.Instructions != want && runtime.GOOS != "windows" {
				t.Errorf("%s: the counter gives %d, want %d", name, r.Instructions, want)
			}
			if gcs > 0 && r.Busy <= 0 {
				t.Errorf("%s: busy for %v", name, r.Busy)
			}
		}
		check("BenchmarkReset", 10, 2, 1)
		check("BenchmarkLoop", 10, 0, 1)
		check("BenchmarkStop", 5, 5, 6)
		check("BenchmarkSub/a", 3, 3, 1)
		check("BenchmarkSub/b_c", 3, 3, 1)
		check("BenchmarkOne", 1, 0, 1)
		// The runtime's own goroutines allocate now and then while a benchmark runs, without
		// the overlay too (10 of 300 runs on a busy machine): what the overlay allocates
		// is there every time.
		exact := func(out string) bool {
			return strings.Contains(out, " 112 B/op") && strings.Contains(out, " 1 allocs/op")
		}
		_, out, _ := measured(t, binary, "BenchmarkAllocs", 1)
		for try := 1; try < 10 && !exact(out); try++ {
			_, out, _ = measured(t, binary, "BenchmarkAllocs", 1)
		}
		if !exact(out) {
			t.Errorf("one iteration allocates 112 bytes and once, in 10 runs:\n%s", out)
		}
		plain, err := exec.Command(binary, "-test.run=^$", "-test.bench=One", "-test.benchtime=1x").CombinedOutput()
		if err != nil || !strings.Contains(string(plain), "BenchmarkOne") {
			t.Errorf("without the flag: %v\n%s", err, plain)
		}
	}
}

func goroot(t *testing.T, toolchain string) string {
	t.Helper()
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestInstrument checks that another package testing is refused.
func TestInstrument(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(goroot(t, "local"), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := instrument(source)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := strings.Count(string(source), "\n"), strings.Count(string(changed), "\n"); a != b {
		t.Errorf("%d lines have become %d", a, b)
	}
	for what, replace := range map[string][2]string{
		"there is not exactly one position for the flags":           {"func initBenchmarkFlags()", "func initFlags()"},
		"there is not exactly one position for a field of B":        {"type B struct", "type BB struct"},
		"there is not exactly one position for begin in StartTimer": {"\t\tb.start = ", "\t\tstart := "},
		"there is not exactly one position for end in StopTimer":    {"b.duration += ", "b.duration = b.duration + "},
		"there is not exactly one position for report in launch":    {"b.result = BenchmarkResult", "_ = BenchmarkResult"},
		"expected": {"package testing", "package"},
	} {
		text := strings.Replace(string(source), replace[0], replace[1], 1)
		if _, err := instrument([]byte(text)); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v: want %q", err, what)
		}
	}
	if !slices.Contains(Systems, runtime.GOOS) {
		t.Errorf("%s is not in Systems", runtime.GOOS)
	}
}

// TestRead checks files that are not whole, or not ours.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "regions")
	if _, err := Read(file, "BenchmarkX", 1); err == nil {
		t.Error("there is no file")
	}
	const text = "5 1 2 3 - - BenchmarkX\n7 10 20 30 40 2-4,6-7 BenchmarkX\n7 11 21 31 41 2-4 BenchmarkX/a\n" +
		"8 -1 2 3 - - BenchmarkX\n8 1 2 3 - 4-2 BenchmarkX\n8 1 2 3 - a BenchmarkX\n8 1 2 99999999999999999999 - - BenchmarkX\n" +
		"8 1 2 3 -4 - BenchmarkX\n8 1 2 3 x - BenchmarkX\n8 1 2 3 - BenchmarkX\n9 1 2\nx"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Read(file, "BenchmarkX", 7)
	if err != nil || r.User != 10 || r.System != 20 || r.Busy != 30 || r.Instructions != 40 || cycles(r) != 3 || r.Has(2) || !r.Has(3) || !r.Has(4) || r.Has(5) || r.Has(6) || !r.Has(7) {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Read(file, "BenchmarkX", 5); err != nil || r.Instructions != 0 {
		t.Errorf("without a counter: %+v, %v", r, err)
	}
	for _, n := range []int{6, 8, 9} {
		if r, err := Read(file, "BenchmarkX", n); err == nil {
			t.Errorf("%d iterations: %+v", n, r)
		}
	}
	if err := os.Truncate(file, maxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(file, "BenchmarkX", 7); err == nil {
		t.Error("a file of 16 MB was read")
	}
}
