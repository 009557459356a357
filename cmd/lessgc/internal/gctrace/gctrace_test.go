package gctrace

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	// Printed by one small program built with each toolchain, on two CPUs.
	go125       = "gc 2 @0.006s 9%: 0.005+1.2+0.048 ms clock, 0.010+0.081/0.24/0.83+0.096 ms cpu, 7->8->4 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	go125Forced = "gc 15 @0.033s 13%: 0.049+0.41+0.003 ms clock, 0.098+0/0.16/0.62+0.006 ms cpu, 4->4->2 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)"
	go126       = "gc 1 @0.002s 10%: 0.29+5.1+0.054 ms clock, 0.59+0.52/1.0/0.15+0.10 ms cpu, 3->8->7 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	go126Limit  = "gc 2 @0.002s 18%: 0.026+0.87+0.068 ms clock, 0.053+0.33/0.35/0.21+0.13 ms cpu, 2->3->3 MB, 2 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	go127       = "gc 11 @0.033s 15%: 0.015+1.0+0.001 ms clock, 0.030+0.40/0.64/0.029+0.002 ms cpu, 7->8->4 MB, 9 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	go127Leaks  = "gc 1 @0.000s 12% (checking for goroutine leaks): 0.035+0.33+0.004 ms clock, 0.070+0/0.19/0.15+0.009 ms cpu, 0->0->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)"

	// In the formats of older versions: 1.5 and 1.6 told five phases, 1.7 to
	// 1.17 had no stacks and globals.
	go15       = "gc 12 @1.881s 4%: 1.3+37+5.0+4.6+6.1 ms clock, 11+37+0+31/0.26/0+49 ms cpu, 121->158->156 MB, 180 MB goal, 8 P"
	go15Forced = "gc 13 @1.901s 4%: 3.2+0+0+0+7.4 ms clock, 25+0+0+15/0.002/0+59 ms cpu, 88->88->86 MB, 88 MB goal, 8 P (forced)"
	go117      = "gc 31 @4.500s 2%: 0.14+12+0.20 ms clock, 1.1+3.5/22/0+1.6 ms cpu, 40->44->21 MB, 42 MB goal, 8 P"
	go118      = "gc 31 @4.500s 2%: 0.14+12+0.20 ms clock, 1.1+3.5/22/0+1.6 ms cpu, 40->44->21 MB, 42 MB goal, 0 MB stacks, 1 MB globals, 8 P"
)

func us(n float64) time.Duration { return time.Duration(n * float64(time.Microsecond)) }

var parsed = []struct {
	line string
	want Cycle
}{
	{go125, Cycle{HeapStart: 7 << 20, HeapEnd: 8 << 20, Procs: 2, N: 2, At: us(6000), Live: 4 << 20, SweepTermination: us(5), Concurrent: us(1200), MarkTermination: us(48),
		AssistCPU: us(81), BackgroundCPU: us(240), IdleCPU: us(830), StoppedCPU: us(106), HeapGoal: 8 << 20}},
	{go125Forced, Cycle{HeapStart: 4 << 20, HeapEnd: 4 << 20, Procs: 2, N: 15, At: us(33000), Live: 2 << 20, Forced: true, SweepTermination: us(49), Concurrent: us(410), MarkTermination: us(3),
		BackgroundCPU: us(160), IdleCPU: us(620), StoppedCPU: us(104), HeapGoal: 8 << 20}},
	{go126, Cycle{HeapStart: 3 << 20, HeapEnd: 8 << 20, Procs: 2, N: 1, At: us(2000), Live: 7 << 20, SweepTermination: us(290), Concurrent: us(5100), MarkTermination: us(54),
		AssistCPU: us(520), BackgroundCPU: us(1000), IdleCPU: us(150), StoppedCPU: us(690), HeapGoal: 4 << 20}},
	{go126Limit, Cycle{HeapStart: 2 << 20, HeapEnd: 3 << 20, Procs: 2, N: 2, At: us(2000), Live: 3 << 20, SweepTermination: us(26), Concurrent: us(870), MarkTermination: us(68),
		AssistCPU: us(330), BackgroundCPU: us(350), IdleCPU: us(210), StoppedCPU: us(183), HeapGoal: 2 << 20}},
	{go127, Cycle{HeapStart: 7 << 20, HeapEnd: 8 << 20, Procs: 2, N: 11, At: us(33000), Live: 4 << 20, SweepTermination: us(15), Concurrent: us(1000), MarkTermination: us(1),
		AssistCPU: us(400), BackgroundCPU: us(640), IdleCPU: us(29), StoppedCPU: us(32), HeapGoal: 9 << 20}},
	{go127Leaks, Cycle{Procs: 2, N: 1, Forced: true, SweepTermination: us(35), Concurrent: us(330), MarkTermination: us(4),
		BackgroundCPU: us(190), IdleCPU: us(150), StoppedCPU: us(79), HeapGoal: 4 << 20}},
	{go117, Cycle{HeapStart: 40 << 20, HeapEnd: 44 << 20, Procs: 8, N: 31, At: us(4500000), Live: 21 << 20, SweepTermination: us(140), Concurrent: us(12000), MarkTermination: us(200),
		AssistCPU: us(3500), BackgroundCPU: us(22000), StoppedCPU: us(2700), HeapGoal: 42 << 20}},
	{go118, Cycle{HeapStart: 40 << 20, HeapEnd: 44 << 20, Globals: 1 << 20, Procs: 8, N: 31, At: us(4500000), Live: 21 << 20, SweepTermination: us(140), Concurrent: us(12000), MarkTermination: us(200),
		AssistCPU: us(3500), BackgroundCPU: us(22000), StoppedCPU: us(2700), HeapGoal: 42 << 20}},

	// What a later version may add, in each field.
	{"gc 7 @0.1s 3%: 1+2+3 ms clock, 4+5/6/7+8 ms cpu, 9 spans, 3->4->2 MB, 4 MB goal, new 5 MB things, 2 P, arena 3", Cycle{HeapStart: 3 << 20, HeapEnd: 4 << 20, Procs: 2, N: 7, At: us(100000), Live: 2 << 20, SweepTermination: us(1000),
		Concurrent: us(2000), MarkTermination: us(3000), AssistCPU: us(5000), BackgroundCPU: us(6000), IdleCPU: us(7000), StoppedCPU: us(12000), HeapGoal: 4 << 20}},
	{"gc 7 @0.1s 3%: 1+2+3 ms clock, 2 P (forced)\r", Cycle{Procs: 2, N: 7, At: us(100000), Forced: true, SweepTermination: us(1000), Concurrent: us(2000), MarkTermination: us(3000)}},
	{"gc 7 @0.1s 3%: 1+2+3 ms clock, 4+5/6/7/8+9 ms cpu, x MB goal, 2 P", Cycle{Procs: 2, N: 7, At: us(100000), SweepTermination: us(1000), Concurrent: us(2000), MarkTermination: us(3000), StoppedCPU: us(13000)}},
}

// near reports whether durations are equal but for the rounding of a float.
var near = cmp.Comparer(func(a, b time.Duration) bool { return max(a-b, b-a) <= 2 })

func TestParse(t *testing.T) {
	for _, test := range parsed {
		if Find(test.line) != 0 {
			t.Errorf("not seen as a trace: %s", test.line)
		}
		got, ok := Parse(test.line)
		if !ok {
			t.Errorf("not read: %s", test.line)
		} else if diff := cmp.Diff(test.want, got, near); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.line, diff)
		}
	}
}

// others are lines that are not the trace of a collection.
var others = []string{
	"",
	"gc",
	"gc ",
	"gc 1",
	"gc 1 @",
	"gc 1 @0.1s",
	"gc 1 @0.1s 3",
	"gc x @0.1s 3%: 1+2+3 ms clock",
	"gc: 3 objects collected, 5%: fine",
	"gc sweep 5 done @ 10%: 1+2+3 ms clock",
	"gc 1 done, 5%: of all",
	"gc1(2): 0+0+6000+1000 us, 26 -> 53 MB, 563714 (315404-314840) objects", // Go 1.4
	"scvg: inuse: 835, idle: 188, sys: 1023, released: 17, consumed: 1005 (MB)",
	"scav 0 KiB work (bg), 0 KiB work (eager), 4496 KiB now, 100% util",
	"pacer: assist ratio=+5.248596e-001 (scan 1 MB in 8->11 MB) workers=0++2.500000e-001",
	"SCHED 5ms: gomaxprocs=2 idleprocs=0 threads=4 spinningthreads=0",
	"scan: class 16B 0+38+0=38 objs, 4+0=4 spans",
	"[GC 55 ms clock, 3%: done]",
}

// TestCounted checks that cycles are counted by number, forced ones as well.
func TestCounted(t *testing.T) {
	const text = "gc 9 @0.1s 3%: 1+2+3 ms clock, 4+5/6/7+8 ms cpu, 2 P\ngc 10 @0.2s 3% (checkmark): 1+2+3 ms clock, 2 P (forced)\ngc 11 @0.3s 3%: 1+2+9 ms clock, 2 P\ngc 11 @0.3s 3%: 1+\n"
	s, err := Read(strings.NewReader(text), func(n int) bool { return n == 9 || n == 10 })
	if err != nil || s.Cycles != 2 || s.Forced != 0 || s.CPU != us(30000) || s.MaxPause != us(3000) || s.Unread != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestIsNot(t *testing.T) {
	for _, line := range others {
		if Find(line) >= 0 {
			t.Errorf("seen as a trace: %s", line)
		}
	}
	if s, err := Read(strings.NewReader(strings.Join(others, "\n")), nil); err != nil || s != (Summary{}) {
		t.Errorf("Read of other lines = %+v, %v", s, err)
	}
}

// TestImpossible checks what a program may print to look like a collection.
func TestImpossible(t *testing.T) {
	const good = "gc 1 @0.1s 1%: 0.1+0.2+0.3 ms clock, 0.1+0.2/0.3/0.4+0.5 ms cpu, 3->4->2 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	if _, ok := Parse(good); !ok {
		t.Fatal("the line itself is not read")
	}
	for from, to := range map[string]string{
		"0.1+0.2+0.3 ms": "1e300+0.2+0.3 ms", "+0.3 ms": "+-1 ms", "0.2/0.3": "1e18/0.3", "+0.5 ms cpu": "+NaN ms cpu",
		", 4 MB": ", -9223372036854775807 MB", "->2 MB": "->-5 MB",
	} {
		line := strings.Replace(good, from, to, 1)
		if c, ok := Parse(line); ok {
			t.Errorf("%s: %+v", line, c)
		}
		if s, err := Read(strings.NewReader(line+"\n"), nil); err != nil || s != (Summary{Unread: 1}) {
			t.Errorf("%s: %+v, %v", line, s, err)
		}
	}
}

// TestNoGoal checks the goal that the runtime prints under GOGC=off.
func TestNoGoal(t *testing.T) {
	for _, goal := range []string{"17592186044415", "9223372036854775807"} {
		if c, ok := Parse("gc 1 @0.1s 1%: 0.1+0.2+0.3 ms clock, 3->4->2 MB, " + goal + " MB goal, 2 P"); !ok || c.HeapGoal != 0 {
			t.Errorf("%s: %+v, %v", goal, c, ok)
		}
	}
}

func TestEach(t *testing.T) {
	const trace = "gc 1 @0.1s 1%: 0.1+0.2+0.3 ms clock, 2 P\n"
	var b strings.Builder
	err := Each(strings.NewReader("a\nno end "+trace+strings.Repeat("x", 2*longest)+"\n"+trace), func(trace string) { b.WriteString(trace) })
	if err != nil || b.String() != trace+trace {
		t.Errorf("%q, %v", b.String(), err)
	}
}
func TestRead(t *testing.T) {
	check := func(name, text string, want Summary) {
		t.Helper()
		got, err := Read(strings.NewReader(text), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(want, got, near); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	one := Summary{Cycles: 1, CPU: us(81 + 240 + 830 + 106), IdleCPU: us(830), Stopped: us(53), MaxPause: us(48), HeapGoal: 8 << 20}
	check("empty", "", Summary{})
	check("one", go125+"\n", one)
	check("no newline at the end", go125, one)
	check("carriage returns", go125+"\r\n", one)
	check("forced", go125Forced+"\n"+go127Leaks+"\n", Summary{Forced: 2})
	check("forced between", go125Forced+"\n"+go125+"\n"+go125Forced+"\n", Summary{Cycles: 1, Forced: 2, CPU: one.CPU, IdleCPU: one.IdleCPU,
		Stopped: one.Stopped, MaxPause: one.MaxPause, HeapGoal: one.HeapGoal})
	check("the program's own lines", "start\n"+go125+"\n\ngc is fine\npanic: x\n"+go126+"\nend", Summary{Cycles: 2,
		CPU: one.CPU + us(520+1000+150+690), IdleCPU: us(980), Stopped: us(53 + 344), MaxPause: us(290), HeapGoal: 8 << 20})
	check("the longest stop and the largest goal are not the last", go118+"\n"+go127+"\n", Summary{Cycles: 2,
		CPU: us(3500 + 22000 + 2700 + 400 + 640 + 29 + 32), IdleCPU: us(29), Stopped: us(340 + 16), MaxPause: us(200), HeapGoal: 42 << 20})
	// The five phases of Go 1.5 would be read into the wrong fields.
	check("go1.5", go15+"\n"+go15Forced+"\n"+go125, Summary{Cycles: 1, Unread: 2, CPU: one.CPU, IdleCPU: one.IdleCPU,
		Stopped: one.Stopped, MaxPause: one.MaxPause, HeapGoal: one.HeapGoal})
	// A program that writes at the same time tears a line apart, for the
	// runtime prints it in pieces.
	check("torn before the times", "gc 7 @0.1s 3%: 0.0hello\n05+1.2+0.048 ms clock, 1+1/1/1+1 ms cpu, 2 P\n", Summary{Unread: 1})
	check("torn in the times", "gc 7 @0.1s 3%: 0.1+hello\n", Summary{Unread: 1})
	check("torn in a number", "gc 7 @0.1s 3%: 0.1+2+x ms clock, 1+1/1/1+1 ms cpu\n", Summary{Unread: 1})
	check("torn behind the clock", "gc 7 @0.1s 3%: 1+2+3 ms clock, 4+5hello\n", Summary{Unread: 1})
}

// A cycle whose line begins behind something that the program wrote without a
// newline, such as dots for progress, is a cycle as well.
func TestReadBehindOutput(t *testing.T) {
	s, err := Read(strings.NewReader("loading ... "+go125+"\n."+go126+"\n"), nil)
	if err != nil || s.Cycles+s.Unread != 2 {
		t.Errorf("two collections are summed up as %+v, %v", s, err)
	}
}

// Whether a collection was forced stands at the end of its line. Torn off, the
// reader cannot know, and must not count it as one that the pacer started.
func TestReadTornForced(t *testing.T) {
	s, err := Read(strings.NewReader(strings.TrimSuffix(go125Forced, " MB stacks, 0 MB globals, 2 P (forced)")+"end\n MB stacks, 0 MB globals, 2 P (forced)\n"), nil)
	if err != nil || s.Cycles != 0 {
		t.Errorf("a torn forced collection is summed up as %+v, %v", s, err)
	}
}

// A line of the program has no length limit.
func TestReadLongLine(t *testing.T) {
	s, err := Read(strings.NewReader(go125+"\n"+strings.Repeat("x", 3<<20)+"\n"+go126+"\n"), nil)
	if err != nil || s.Cycles != 2 {
		t.Errorf("two collections beside a line of 3 MB are summed up as %+v, %v", s, err)
	}
}

// TestReadOverflow checks that times and sizes that no process has are not added up.
func TestReadOverflow(t *testing.T) {
	const line = "gc 7 @0.1s 3%: %s ms clock, 1+%s/0/0+1 ms cpu, 4->4->%s MB, %s MB goal, 2 P\n"
	for clock, good := range map[string]bool{"1e300+1+1": false, "NaN+1+1": false, "1+1+Inf": false, "-1+1+1": false, "1e12+1+1e12": false, "1+1+1": true} {
		for _, value := range []string{"5", "-5", "NaN", "1e999", "9223372036854775807", "1e12", "1000000000000"} {
			cycles := 0
			if good && (value == "5" || value == "1e999") { // which is not a number, and counts as 0
				cycles = 9
			}
			trace := strings.Replace(line, "%s", clock, 1)
			got, err := Read(strings.NewReader(strings.Repeat(strings.ReplaceAll(trace, "%s", value), 9)), nil)
			if err != nil || got.Cycles != cycles || got.Cycles+got.Unread != 9 || got.CPU < 0 || got.Stopped < 0 || got.MaxPause < 0 || got.HeapGoal < 0 {
				t.Errorf("%s, %s: %+v, %v", clock, value, got, err)
			}
		}
	}
	if c, ok := Parse("gc 7 @" + strings.Repeat("9", 300) + ".0s 3%: 1+1+1 ms clock, 4->4->7 MB, 2 P"); !ok || c.At < 0 {
		t.Errorf("%+v, %v", c, ok)
	}
}

func FuzzRead(f *testing.F) {
	for _, test := range parsed {
		f.Add(test.line)
	}
	for _, line := range others {
		f.Add(line)
	}
	f.Add(go15 + "\n" + go126 + "\n" + go15Forced)
	f.Add("gc 7 @0.1s 3%: 1e300+Inf+NaN ms clock, -4+5/1e999/7+8 ms cpu, 99999999999999999999 MB goal, 2 P")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Read(strings.NewReader(s), nil)
		if err != nil {
			t.Fatalf("%v", err)
		}
		lines := strings.Count(s, "gc ")
		if got.Cycles < 0 || got.Forced < 0 || got.Unread < 0 || got.Cycles+got.Forced+got.Unread > lines {
			t.Errorf("%+v of %d lines in %q", got, lines, s)
		}
		if got.CPU < 0 || got.IdleCPU < 0 || got.Stopped < 0 || got.MaxPause < 0 || got.HeapGoal < 0 {
			t.Errorf("times below zero: %+v in %q", got, s)
		}
		if got.Cycles == 0 && (got.CPU != 0 || got.IdleCPU != 0 || got.Stopped != 0 || got.MaxPause != 0 || got.HeapGoal != 0) {
			t.Errorf("times without a cycle: %+v in %q", got, s)
		}
	})
}

// The runtime is asked itself how often it collected.
func TestRealProcess(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1", "GOGC=100", "GOMEMLIMIT=off", childEnv+"=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var all, forced int
	if _, err := fmt.Sscan(string(out), &all, &forced); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	s, err := Read(strings.NewReader(stderr.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Cycles != all-forced || s.Forced != forced || s.Unread != 0 {
		t.Errorf("read %d cycles and %d forced ones, %d unread; the runtime counted %d and %d\n%s", s.Cycles, s.Forced, s.Unread, all-forced, forced, stderr.String())
	}
	if s.Cycles < 3 || s.CPU <= 0 || s.Stopped <= 0 || s.MaxPause <= 0 || s.MaxPause > s.Stopped || s.HeapGoal < 4<<20 {
		t.Errorf("the sums cannot be: %+v", s)
	}
}

const childEnv = "GCTRACE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		allocate()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var sink [][]byte

func allocate() {
	for range 2 {
		for range 2000 {
			sink = append(sink, make([]byte, 10<<10))
		}
		runtime.GC()
		sink = nil
	}
	debug.SetGCPercent(-1) // and no cycle is under way afterwards
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.NumGC, m.NumForcedGC)
}
