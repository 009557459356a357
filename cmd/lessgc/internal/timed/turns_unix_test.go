//go:build unix

package timed

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/turns"
	"lessgc/internal/longtest"
)

// TestTurns checks that a benchmark stops where its iterations begin, goes on when it is
// continued, and does not count the time for which it was stopped.
func TestTurns(t *testing.T) {
	root := goroot(t, "local")
	binary := built(t, root, root)
	for _, name := range []string{"BenchmarkTurns", "BenchmarkLoop", "BenchmarkAllocs"} {
		p, err := turns.New(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.bench=^"+name+"$", "-test.benchtime=10x",
			Flag+"="+filepath.Join(t.TempDir(), "regions"), TurnsFlag+"=10:"+p.File)
		cmd.Env = append(os.Environ(), "STOPS="+p.File)
		var out []byte
		if err := turns.Run([]*turns.Process{p}, time.Minute, func(int) { out, err = cmd.CombinedOutput() }); err != nil {
			t.Fatal(err)
		}
		if err != nil || p.Stopped() == 0 {
			t.Errorf("%s: stopped for %v: %v\n%s", name, p.Stopped(), err, out)
		}
		if name == "BenchmarkAllocs" && !strings.Contains(string(out), " 1 allocs/op") {
			t.Errorf("one allocation a time:\n%s", out)
		}
	}
	// Another number of iterations, such as those of a benchmark around it, is not a reason to stop.
	stops := filepath.Join(t.TempDir(), "stops")
	if err := os.WriteFile(stops, make([]byte, 8), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(turns string) string {
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.bench=^BenchmarkTurns$", "-test.benchtime=10x",
			Flag+"="+filepath.Join(t.TempDir(), "regions"), TurnsFlag+"="+turns)
		cmd.Env = append(os.Environ(), "STOPS="+stops)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", turns, err, out)
		}
		return string(out)
	}
	run("11:" + stops)
	run("10:" + filepath.Join(t.TempDir(), "nowhere"))
}

// TestStops checks that the time for which a process was stopped is not that of the
// benchmark.
func TestStops(t *testing.T) {
	root := goroot(t, "local")
	binary := built(t, root, root)
	stops := filepath.Join(t.TempDir(), "stops")
	if err := os.WriteFile(stops, make([]byte, 8), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.bench=^BenchmarkTurns$", "-test.benchtime=10x",
		Flag+"="+filepath.Join(t.TempDir(), "regions"), TurnsFlag+"=10:"+stops)
	cmd.Env = append(os.Environ(), "STOPS="+stops)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			var within, around, timed time.Duration // of the last run of the benchmark
			for line := range strings.Lines(out.String()) {
				if _, after, ok := strings.Cut(line, "times "); ok {
					fmt.Sscan(after, (*int64)(&within), (*int64)(&around), (*int64)(&timed))
				}
			}
			const stopped = 200 * time.Millisecond
			if err != nil || timed < within-stopped || timed > around-stopped || timed == 0 {
				t.Errorf("%v were timed, want from %v to %v: %v\n%s", timed, within-stopped, around-stopped, err, out.String())
			}
			return
		case <-time.After(time.Millisecond):
			cmd.Process.Signal(syscall.SIGCONT) // it stops itself once
		}
	}
}

// TestStopsAtEdges checks that a stop at the start or the end of what is timed, between the
// read of the time and that of the stops, is neither missing nor taken off twice: the timer is started
// and stopped all the time.
func TestStopsAtEdges(t *testing.T) {
	root := goroot(t, "local")
	binary := built(t, root, root)
	n := 10_000
	if longtest.Wanted() {
		n = 300_000
	}
	out := make([]string, 2)
	var all []*turns.Process
	for range out {
		p, err := turns.New(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		all = append(all, p)
	}
	err := turns.Run(all, time.Minute, func(i int) {
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.bench=^BenchmarkStarts$", fmt.Sprintf("-test.benchtime=%dx", n),
			Flag+"="+filepath.Join(t.TempDir(), "regions"), fmt.Sprintf("%s=%d:%s", TurnsFlag, n, all[i].File))
		text, _ := cmd.CombinedOutput()
		out[i] = string(text)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range out {
		var least, most time.Duration
		_, last, _ := strings.Cut(text[max(strings.LastIndex(text, "least "), 0):], "least ")
		_, err := fmt.Sscanf(last, "%d most %d", (*int64)(&least), (*int64)(&most))
		if err != nil || least < 0 || all[i].Stopped() < 5*turns.Slice {
			t.Errorf("process %d was stopped for %v, timed from %v to %v: %v\n%s", i, all[i].Stopped(), least, most, err, text)
		}
		t.Logf("timed from %v to %v at once", least, most)
	}
}
