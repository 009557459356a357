package vet

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// heapVariable makes the test binary the process that the test looks at.
const heapVariable = "LESSGC_TEST_STARTING_HEAP"

var sink []byte

// TestStartingHeap checks that there is no collection before so much memory is used, that there are some
// afterwards, and that the settings are then those of the environment.
func TestStartingHeap(t *testing.T) {
	if os.Getenv(heapVariable) != "" {
		startsAt(t, 64<<20)
		return
	}
	for _, c := range []struct {
		env  string
		want bool // whether the first collection is delayed
	}{{"", true}, {"GOGC=100", false}, {"GOMEMLIMIT=1GiB", false}} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStartingHeap$")
		cmd.Env = append(withoutHeap(os.Environ()), heapVariable+"=1", c.env)
		out, err := cmd.CombinedOutput()
		if err == nil != c.want {
			t.Errorf("%q: %v\n%s", c.env, err, out)
		}
		if !c.want && !strings.Contains(string(out), "collections before") {
			t.Errorf("%q: it ended for another reason:\n%s", c.env, out)
		}
	}
}

// withoutHeap returns an environment without what decides when to collect.
func withoutHeap(env []string) []string {
	var kept []string
	for _, e := range env {
		if !strings.HasPrefix(e, "GOGC=") && !strings.HasPrefix(e, "GOMEMLIMIT=") {
			kept = append(kept, e)
		}
	}
	return kept
}

func startsAt(t *testing.T, size int) {
	collections := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	allocate := func(bytes int) {
		for range bytes >> 10 {
			sink = make([]byte, 1<<10)
		}
	}
	setStartingHeap(int64(size))
	before := collections()
	allocate(size / 2)
	if n := collections() - before; n > 0 {
		t.Fatalf("%d collections before half of %d bytes are allocated", n, size)
	}
	allocate(size)
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(time.Millisecond) { // the runtime runs the cleanup when it gets to it
		if limit := debug.SetMemoryLimit(-1); limit == math.MaxInt64 && collections() > before {
			break
		}
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		t.Errorf("the limit stays at %d", limit)
	}
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("GOGC is %d", percent)
	}
	runtime.KeepAlive(sink)
}
