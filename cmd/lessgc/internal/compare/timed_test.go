package compare

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/internal/longtest"
)

// collecting has a set-up that makes the live heap, and a region that allocates.
const collecting = `package m

import "testing"

type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

var sink *node

func BenchmarkTrees(b *testing.B) {
	live := tree(16)
	for b.Loop() {
		sink = tree(12)
	}
	sink = live
}
`

// TestCollectorUnderLoad checks the collector's share of CPU time on a machine that has
// more to do than it can: what the collector says of itself then is elapsed time, and
// must not be compared with CPU time.
func TestCollectorUnderLoad(t *testing.T) {
	longtest.Skip(t, "it keeps every CPU busy three times over")
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", "m_test.go": collecting} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := &Run{
		Progress: &progress.Printer{W: io.Discard},
		Dir:      &session.Dir{Session: &session.Session{Dir: dir, Config: session.Config{Procs: runtime.NumCPU(), Timeout: time.Minute}}},
		tmp:      t.TempDir(),
	}
	v := &variant{mode: mode.Default(), dir: dir}
	b := &binary{pkg: build.Package{ImportPath: "m", Dir: dir}, path: filepath.Join(t.TempDir(), "m.test")}
	if err := r.buildTest(t.Context(), v, b); err != nil || !b.timed {
		t.Fatal(err, r.Dir.Session.Notes)
	}
	measured := func() session.Trial {
		t.Helper()
		o, region, err := r.runTimed(t.Context(), v, b, slot{}, "BenchmarkTrees", 1000)
		if err != nil || o.Failed() || region == nil {
			t.Fatalf("%v, %+v\n%s", err, region, o.Stdout)
		}
		x := session.Trial{N: 1000, Timed: true, User: region.User, System: region.System, Busy: region.Busy, GC: o.GC}
		if x.GC.Cycles < 10 || x.Busy <= 0 {
			t.Fatalf("%+v", x)
		}
		return x
	}
	share := func(x session.Trial) float64 {
		for _, v := range x.Metrics() {
			if v.Unit == "gc-cpu-fraction" {
				return v.Value
			}
		}
		return -1
	}
	quiet := measured()
	for range 3 * runtime.NumCPU() {
		busy := exec.CommandContext(t.Context(), "/bin/sh", "-c", "while :; do :; done")
		if err := busy.Start(); err != nil {
			t.Fatal(err)
		}
		defer busy.Wait()
		defer busy.Process.Kill()
	}
	loaded := measured()
	t.Logf("quiet %.3f of %v, CPU %v; loaded %.3f of %v, CPU %v", share(quiet), quiet.Busy, quiet.User+quiet.System, share(loaded), loaded.Busy, loaded.User+loaded.System)
	for _, x := range []session.Trial{quiet, loaded} {
		// The window of Busy begins and ends with collections, that of CPU time does not.
		if cpu := x.User + x.System; x.Busy < cpu*8/10 {
			t.Errorf("Ps were busy for %v, the process used %v", x.Busy, cpu)
		}
		if s := share(x); s <= 0.05 || s >= 0.95 {
			t.Errorf("the collector's share is %.3f: %+v", s, x)
		}
	}
	if q, l := share(quiet), share(loaded); l > 2*q || q > 2*l {
		t.Errorf("the collector's share is %.3f on a quiet machine, %.3f on a busy one", q, l)
	}
}
