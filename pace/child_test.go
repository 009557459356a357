package pace

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Programs that the tests run as processes of their own, by name: this test binary, with the name in the
// environment.
const child = "LESSGC_PACE_CHILD"

var children = map[string]func(){
	"creep": func() { creep(Options{Limit: creepLimit}) },
	"fixed": func() { creep(Options{MaxGC: -1}) },
	"crash": func() { creep(Options{Limit: creepLimit, AtLimit: Crash}) },
	"shed":  func() { creep(Options{Limit: creepLimit, AtLimit: Crash, OnPressure: []func(Pressure){told, drop}}) },
	"panics": func() {
		creep(Options{Limit: creepLimit, OnPressure: []func(Pressure){func(Pressure) { panic("the hook's") }}})
	},
	"blocked": func() {
		creep(Options{Limit: creepLimit, OnPressure: []func(Pressure){told, func(Pressure) { select {} }}})
	},
	"operator": func() {
		p := Start(Options{Limit: creepLimit})
		defer p.Stop()
		report(p, 0)
	},
}

func TestMain(m *testing.M) {
	if f := children[os.Getenv(child)]; f != nil {
		f()
		return
	}
	os.Exit(m.Run())
}

const creepLimit = 128 << 20

// A node is 64 bytes, all of them for the collector to look at.
type node [64 / word]*node

const word = bits.UintSize / 8 // bytes of a pointer

var (
	kept    [][]*node
	garbage *node
	number  uint64
	dropped = make(chan bool, 1)
	shed    bool // a hook has dropped what was kept
)

func told(p Pressure) {
	fmt.Printf("told share=%.2f excess=%d limit=%d\n", p.Share, p.Excess>>20, p.Limit>>20)
}

func drop(Pressure) { dropped <- true }

// keep adds a mebibyte to the live heap, and nine of garbage.
func keep() {
	const n = 1 << 20 / 64
	chunk := make([]*node, n*8/word) // as large with pointers of 4 bytes
	for i := range n {
		chunk[i] = &node{}
	}
	kept = append(kept, chunk)
	waste(9 * n)
}

// waste allocates nodes that are garbage at once, and computes a little with each, as programs do.
func waste(n int) {
	for range n {
		garbage = &node{}
		for range 50 {
			number = number*6364136223846793005 + 1442695040888963407
		}
	}
}

// creep lets the live heap grow to almost the limit and then, four mebibytes every two seconds, until the guard is at the
// end of its means, or a hook has made room: on slow machines, and with the race detector, whose own memory lies outside
// the runtime, the collector's share may stay near its bound before. It goes on without growth until the collector's
// share of two seconds is below 0.3. Without pace it goes on until that is above 0.3. All takes three minutes at most.
func creep(o Options) {
	var p *Pacer
	if o.MaxGC >= 0 {
		p = Start(o)
		defer p.Stop()
	} else {
		debug.SetMemoryLimit(creepLimit * 9 / 10)
	}
	for grown := 0; grown < 90 && !shed; grown++ {
		keep()
		look()
	}
	q := newProbe(1, "")
	defer q.close()
	var share float64
	for begun := time.Now(); ; {
		share = wasteFor(q, 2*time.Second)
		ended := shed || p != nil && p.Stats().State == beyond
		if ended && share <= 0.3 || p == nil && share > 0.3 || time.Since(begun) > 3*time.Minute {
			break
		}
		for n := 0; n < 4 && !ended; n++ {
			keep()
		}
	}
	report(p, share)
}

// look drops what is kept if a hook has said so.
func look() {
	select {
	case <-dropped:
		kept, shed = nil, true
	default:
	}
}

// wasteFor returns the collector's share meanwhile.
func wasteFor(q *probe, d time.Duration) float64 {
	var before, after observation
	q.observe(&before)
	for begun := time.Now(); time.Since(begun) < d; {
		waste(1000)
		look()
	}
	q.observe(&after)
	return (after.gcCPU - before.gcCPU) / (after.busyCPU - before.busyCPU)
}

func report(p *Pacer, share float64) {
	s := p.Stats()
	fmt.Printf("share=%.3f state=%s gogc=%d limit=%d limitBy=%s gogcBy=%s memory=%d outside=%d margin=%d episodes=%d calls=%d\n",
		share, s.State, s.GOGC, s.MemoryLimit>>20, s.MemoryLimitBy, s.GOGCBy, s.Memory>>20, s.Outside>>20, s.Margin>>20, s.Episodes, s.Calls)
}

// start runs a program. Returns what it wrote, and its exit status.
func start(t *testing.T, name string, env ...string) (text string, status int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	for _, v := range os.Environ() { // not those of the test
		if !strings.HasPrefix(v, "GOGC=") && !strings.HasPrefix(v, "GOMEMLIMIT=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, child+"="+name, "GOMAXPROCS=2"), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatal(err)
		}
	}
	t.Logf("%s: %.300s", name, out.String())
	return out.String(), cmd.ProcessState.ExitCode()
}

// shareOf returns the collector's share that a program has reported.
func shareOf(t *testing.T, text string) float64 {
	t.Helper()
	_, text, ok := strings.Cut(text, "share=")
	if i := strings.LastIndex(text, "share="); i >= 0 {
		text = text[i+len("share="):]
	}
	text, _, _ = strings.Cut(text, " ")
	share, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil {
		t.Fatalf("no share: %v", err)
	}
	return share
}

// TestCreep has a live heap that grows to the limit: without pace the collector takes half of the CPU
// time, and with it not more than it may.
func TestCreep(t *testing.T) {
	t.Parallel()
	without, status := start(t, "fixed")
	if share := shareOf(t, without); status != 0 || share < 0.3 {
		t.Errorf("status %d, share %.3f without pace: the test does not test", status, share)
	}
	with, status := start(t, "creep")
	if share := shareOf(t, with); status != 0 || share > 0.3 || !strings.Contains(with, "state=beyond") {
		t.Errorf("status %d, share %.3f", status, share)
	}
}

// TestCrash checks that the end is as chosen, and says why.
func TestCrash(t *testing.T) {
	t.Parallel()
	text, status := start(t, "crash")
	if status != 2 || !strings.Contains(text, "panic: pace: the collector takes ") || !strings.Contains(text, "hard limit 128.0 MiB; give the process about ") {
		t.Errorf("status %d", status)
	}
}

// TestHooks checks that a hook which makes room keeps the process from the end, and what one does that panics
// or blocks.
func TestHooks(t *testing.T) {
	t.Parallel()
	text, status := start(t, "shed")
	if share := shareOf(t, text); status != 0 || share > 0.3 || !strings.Contains(text, "told share=0.") || !strings.Contains(text, "calls=1\n") {
		t.Errorf("shed: status %d", status)
	}
	if text, status := start(t, "panics"); status != 2 || !strings.Contains(text, "panic: the hook's") {
		t.Errorf("panics: status %d", status)
	}
	text, status = start(t, "blocked")
	if share := shareOf(t, text); status != 0 || share > 0.3 || !strings.Contains(text, "calls=1\n") || !strings.Contains(text, "state=beyond") {
		t.Errorf("blocked: status %d", status)
	}
}

// TestEnvironment checks that the variables hold in a process of their own.
func TestEnvironment(t *testing.T) {
	check := func(want string, env ...string) {
		t.Helper()
		if text, status := start(t, "operator", env...); status != 0 || !strings.Contains(text, want) {
			t.Errorf("status %d, want %s", status, want)
		}
	}
	check("limit=100 limitBy=environment gogcBy=pace", "GOMEMLIMIT=100MiB")
	check("gogc=50 limit=1", "GOGC=50")
	check("gogc=-1 limit=100 limitBy=environment gogcBy=environment", "GOGC=off", "GOMEMLIMIT=100MiB")
	check("limitBy=pace gogcBy=pace")
}
