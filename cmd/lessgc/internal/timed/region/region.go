// Package testing is compiled into package testing of a test binary that lessgc
// measures, beside its own files: see package timed. It measures what happens while
// the timer of a benchmark runs, and tells it at the end.
package testing

import (
	"fmt"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// lessgcTimed is the file that each benchmark's region is appended to, the value of
// the flag -test.lessgctimed. Nothing is measured without it.
var lessgcTimed *string

// lessgcCounter is the descriptor of a counter of instructions, the value of the flag
// -test.lessgccounter. It is -1 once it could not be read.
var lessgcCounter *int

// lessgcTurns is the value of the flag -test.lessgcturns: a number of iterations, a colon
// and a file. The process then takes turns with others, from when the timer is first reset
// for so many iterations: it writes its number, followed by a newline, into the file with
// .pid after its name, and stops until somebody continues it. From then on somebody stops and
// continues it, and writes for how long it was stopped, in ns, into the file: 8 bytes as
// memory has them.
var lessgcTurns *string

// lessgcStops is the memory of the file of lessgcTurns, once the process takes turns. It is
// written to while the process is stopped.
var lessgcStops *atomic.Int64

// lessgcCounts holds counters of the process since it started.
type lessgcCounts struct {
	user, system int64      // CPU time in ns, with that of children waited for
	counter      lessgcRead // zero without one
	busy         int64      // time in ns that Ps were not idle, up to the end of the last collection
	cycles       uint64     // number of the last collection that has ended
}

// lessgcRead is the result of a read of the counter: instructions, and the times for
// which it was enabled and for which it did count, in ns.
type lessgcRead struct{ instructions, enabled, running uint64 }

// lessgcRegion is the time in which the timer of one benchmark ran.
type lessgcRegion struct {
	began    lessgcCounts // when the timer was started
	sum      lessgcCounts // of the time before that
	spans    int          // how many of lessgcSpans are its own
	stopped  int64        // for how long the process was stopped when the timer was started, in ns
	starting bool         // its start was read at stopped
	until    int64        // for how long the process was stopped when the timer was stopped, in ns
	ending   bool         // its end was read at until
}

// lessgcSpan are collections by number: those after first, up to last.
type lessgcSpan struct{ first, last uint64 }

// lessgcSpans holds the spans in which collections of the region ended, lessgcSamples
// the metrics read of the runtime. One benchmark at a time is timed, under
// benchmarkLock; that of one with sub-benchmarks tells nothing. They are not part of
// the heap: a benchmark that is measured is to find it as it would be.
var (
	lessgcSpans   [10_000]lessgcSpan
	lessgcLast    lessgcRead // of the counter
	lessgcSamples = [...]metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
	}
)

func lessgcOff() bool { return lessgcTimed == nil || *lessgcTimed == "" }

func lessgcCounting() bool { return lessgcCounter != nil && *lessgcCounter > 0 }

// begin is called right before the timer is started: CPU time is read last, so that no
// other question is in it, and the counter before it.
func (r *lessgcRegion) begin() {
	if lessgcOff() {
		return
	}
	r.began.readRuntime()
	r.began.readCounter()
	r.began.readCPU()
}

// starts reports whether the time of the start is to be read: the first time, and again if
// the process was stopped meanwhile, before the time was read or after. It allocates nothing, and
// costs a few ns.
func (r *lessgcRegion) starts() bool {
	stopped := lessgcStopped()
	r.starting = !r.starting || stopped != r.stopped
	r.stopped = stopped
	return r.starting
}

// ends reports whether the time of the end is to be read, as starts does of the start.
func (r *lessgcRegion) ends() bool {
	stopped := lessgcStopped()
	r.ending = !r.ending || stopped != r.until
	r.until = stopped
	return r.ending
}

// end is called right after the time of the end was read. It returns for how long the process
// was stopped since the start.
func (r *lessgcRegion) end() time.Duration {
	if lessgcOff() {
		return 0
	}
	var now lessgcCounts
	now.readCPU()
	now.readCounter()
	now.readRuntime()
	r.sum.user += now.user - r.began.user
	r.sum.system += now.system - r.began.system
	r.sum.counter.instructions += now.counter.instructions - r.began.counter.instructions
	r.sum.counter.enabled += now.counter.enabled - r.began.counter.enabled
	r.sum.counter.running += now.counter.running - r.began.counter.running
	r.sum.busy += now.busy - r.began.busy
	switch {
	case now.cycles == r.began.cycles:
	case r.spans > 0 && lessgcSpans[r.spans-1].last == r.began.cycles, r.spans == len(lessgcSpans):
		lessgcSpans[r.spans-1].last = now.cycles
	default:
		lessgcSpans[r.spans] = lessgcSpan{r.began.cycles, now.cycles}
		r.spans++
	}
	return time.Duration(r.until - r.stopped)
}

// lessgcTakeTurns begins to take turns, if it is asked for with n iterations; n is 0 in
// B.Loop. It is called before allocations are counted, by ResetTimer.
func lessgcTakeTurns(n int) {
	if lessgcTurns == nil || lessgcStops != nil {
		return
	}
	wanted, name, _ := strings.Cut(*lessgcTurns, ":")
	if n != 0 && wanted != strconv.Itoa(n) {
		return
	}
	stops := lessgcMap(name)
	if stops == nil {
		return
	}
	if os.WriteFile(name+".pid", []byte(strconv.Itoa(os.Getpid())+"\n"), 0o666) != nil {
		return
	}
	lessgcStops = stops
	lessgcStop()
}

// lessgcStopped is for how long the process was stopped, in ns.
func lessgcStopped() int64 {
	if lessgcStops == nil {
		return 0
	}
	return lessgcStops.Load()
}

// reset forgets what was measured until now. It is called before allocations are
// counted: the first question to the runtime allocates.
func (r *lessgcRegion) reset() {
	if lessgcOff() {
		return
	}
	var first lessgcCounts
	first.readRuntime()
	r.sum, r.spans = lessgcCounts{}, 0
}

// report appends a line: iterations, user and system CPU time and busy time in ns,
// instructions, spans, and the benchmark's name, which has no spaces. A counter that had to
// share the hardware with others did not count all the time, and tells nothing.
func (r *lessgcRegion) report(name string, n int) {
	if lessgcOff() {
		return
	}
	var spans strings.Builder
	for i, s := range lessgcSpans[:r.spans] {
		if i > 0 {
			spans.WriteByte(',')
		}
		fmt.Fprintf(&spans, "%d-%d", s.first, s.last)
	}
	if spans.Len() == 0 {
		spans.WriteByte('-')
	}
	instructions := "-"
	if c := r.sum.counter; lessgcCounting() && c.running == c.enabled {
		instructions = fmt.Sprint(c.instructions)
	}
	f, err := os.OpenFile(*lessgcTimed, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return // who reads the file finds out
	}
	fmt.Fprintf(f, "%d %d %d %d %s %s %s\n", n, r.sum.user, r.sum.system, r.sum.busy, instructions, spans.String(), name)
	f.Close()
}

// readCounter reads the counter: the sum over all threads, those that have ended included.
func (c *lessgcCounts) readCounter() {
	if !lessgcCounting() {
		return
	}
	if !lessgcLast.read(*lessgcCounter) {
		*lessgcCounter = -1
	}
	c.counter = lessgcLast
}

func (c *lessgcCounts) readRuntime() {
	metrics.Read(lessgcSamples[:])
	if v := lessgcSamples[0].Value; v.Kind() == metrics.KindUint64 {
		c.cycles = v.Uint64()
	}
	total, idle := lessgcSamples[1].Value, lessgcSamples[2].Value
	if total.Kind() == metrics.KindFloat64 && idle.Kind() == metrics.KindFloat64 {
		c.busy = int64(1e9 * (total.Float64() - idle.Float64()))
	}
}
