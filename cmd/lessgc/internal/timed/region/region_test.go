package testing

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	gotesting "testing"

	"lessgc/cmd/lessgc/internal/trial/countertest"
)

// TestReport checks the line that a region ends with. What the calls in package
// testing do is checked by package timed.
func TestReport(t *gotesting.T) {
	var r lessgcRegion
	off := func() {
		r.reset()
		r.begin()
		r.end()
		r.report("BenchmarkOff", 1)
	}
	off() // before the flags are there
	file := filepath.Join(t.TempDir(), "regions")
	lessgcTimed = new("")
	defer func() { lessgcTimed = nil }()
	off()
	*lessgcTimed = file
	r.reset()
	for i := range len(lessgcSpans) + 10 {
		r.begin()
		r.began.cycles -= 2 + uint64(i%2) // as if there had been some, apart from each other
		r.end()
	}
	r.report("BenchmarkOn", 3)
	r.reset()
	r.report("BenchmarkOn", 4)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "3 ") || !strings.HasSuffix(lines[0], " BenchmarkOn") || lines[1] != "4 0 0 0 - - BenchmarkOn" {
		t.Fatalf("%.300q", lines)
	}
	if spans := strings.Split(strings.Fields(lines[0])[5], ","); len(spans) != len(lessgcSpans) {
		t.Errorf("%d spans", len(spans))
	}
	*lessgcTimed = filepath.Join(file, "nowhere")
	r.report("BenchmarkOn", 5) // is not a panic
	var c lessgcCounts
	runtime.GC()
	if c.readCPU(); c.user+c.system <= 0 {
		t.Errorf("%+v", c)
	}
	if c.readRuntime(); c.busy <= 0 || c.cycles == 0 {
		t.Errorf("%+v", c)
	}
}

// TestCounter checks what a region says of a counter: what lies between two reads, and
// nothing of one that shared the hardware, or cannot be read.
func TestCounter(t *gotesting.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no counter")
	}
	lessgcTimed, lessgcCounter = new(filepath.Join(t.TempDir(), "regions")), new(0)
	defer func() { lessgcTimed, lessgcCounter = nil, nil }()
	check := func(name, want string) {
		t.Helper()
		t.Setenv(countertest.Variable, name)
		counter, err := countertest.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer counter.Close()
		*lessgcCounter = int(counter.Fd())
		var r lessgcRegion
		r.reset()
		for range 2 {
			r.begin()
			r.end()
		}
		os.Remove(*lessgcTimed)
		r.report("BenchmarkOn", 3)
		data, err := os.ReadFile(*lessgcTimed)
		if fields := strings.Fields(string(data)); err != nil || len(fields) != 7 || fields[4] != want {
			t.Errorf("%s: %q, %v: want %s", name, data, err, want)
		}
		for range 1000 { // more than it can be read
			r.begin()
			r.end()
		}
		os.Remove(*lessgcTimed)
		r.report("BenchmarkOn", 3)
		if data, _ := os.ReadFile(*lessgcTimed); strings.Fields(string(data))[4] != "-" || *lessgcCounter != -1 {
			t.Errorf("%s: %q when it could not be read", name, data)
		}
	}
	check(countertest.Steps, strconv.Itoa(2*countertest.Step))
	check(countertest.Shared, "-")
}

// TestStopped checks what a region says of the time for which the process was stopped, and
// that nothing stops which is not asked for.
func TestStopped(t *gotesting.T) {
	lessgcTakeTurns(3) // before the flags are there
	name := filepath.Join(t.TempDir(), "stops")
	lessgcTurns, lessgcTimed = new("3:"+name), new(filepath.Join(t.TempDir(), "regions"))
	defer func() { lessgcTurns, lessgcTimed, lessgcStops = nil, nil, nil }()
	lessgcTakeTurns(4)
	lessgcTakeTurns(3) // there is no file
	if err := os.WriteFile(name, make([]byte, 7), 0o666); err != nil {
		t.Fatal(err)
	}
	lessgcTakeTurns(3) // it is too short
	if lessgcStops != nil {
		t.Fatal("it takes turns")
	}
	lessgcStops = new(atomic.Int64)
	started := func(r *lessgcRegion, meanwhile int64) (reads int) {
		r.begin()
		for r.starts() {
			if reads++; reads == 1 {
				lessgcStops.Add(meanwhile)
			}
		}
		return reads
	}
	ended := func(r *lessgcRegion, meanwhile int64) (reads int, stopped int64) {
		for r.ends() {
			if reads++; reads == 1 {
				lessgcStops.Add(meanwhile)
			}
		}
		lessgcStops.Add(1e15) // after the end was read
		return reads, int64(r.end())
	}
	var r lessgcRegion
	for _, c := range []struct{ atStart, later, atEnd int64 }{{0, 0, 0}, {0, 7, 0}, {1e9, 0, 0}, {5, 1e12, 0}, {0, 0, 1e9}, {0, 7, 1}, {5, 7, 1}} {
		want := func(meanwhile int64) int { // how often a time is read
			if meanwhile == 0 {
				return 1
			}
			return 2
		}
		if reads := started(&r, c.atStart); reads != want(c.atStart) {
			t.Errorf("%+v: the start was read %d times", c, reads)
		}
		lessgcStops.Add(c.later)
		if reads, stopped := ended(&r, c.atEnd); reads != want(c.atEnd) || stopped != c.later+c.atEnd {
			t.Errorf("%+v: the end was read %d times, stopped for %d ns", c, reads, stopped)
		}
	}
	if allocs := gotesting.AllocsPerRun(100, func() { started(&r, 1); ended(&r, 1) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
