package service

import (
	"bytes"
	"context"
	"os"
	"runtime/metrics"
	"strconv"
	"time"

	"lessgc/bench/internal/cputime"
)

// A Point holds what the runtime and the system report at one moment. Sizes are in bytes, times in seconds.
type Point struct {
	T       float64  `json:"t"`    // from the beginning
	GC      float64  `json:"gc"`   // CPU time of marking, without idle workers, and of pauses, since the start
	Busy    float64  `json:"busy"` // CPU time of all but idle processors and idle workers, since the start
	CPU     float64  `json:"cpu"`  // CPU time by the operating system, since the start
	Cycles  uint64   `json:"cycles"`
	RSS     int64    `json:"rss"`
	Files   int64    `json:"files"` // of RSS, pages of files, such as the program's own: the kernel can reclaim them
	Heap    int64    `json:"heap"`  // objects, live or not swept yet
	Live    int64    `json:"live"`
	Goal    int64    `json:"goal"`
	Memory  int64    `json:"memory"` // that the memory limit counts
	Limit   int64    `json:"limit"`
	GOGC    int64    `json:"gogc"`
	State   string   `json:"state,omitempty"` // of pace
	Answers []Answer `json:"answers,omitempty"`
}

// A Sampler makes points.
type Sampler struct {
	begin   time.Time
	samples []metrics.Sample
}

var sampled = []string{
	"/cpu/classes/gc/mark/assist:cpu-seconds", "/cpu/classes/gc/mark/dedicated:cpu-seconds", "/cpu/classes/gc/pause:cpu-seconds",
	"/cpu/classes/total:cpu-seconds", "/cpu/classes/idle:cpu-seconds", "/cpu/classes/gc/mark/idle:cpu-seconds",
	"/gc/cycles/total:gc-cycles", "/memory/classes/heap/objects:bytes", "/gc/heap/live:bytes", "/gc/heap/goal:bytes",
	"/memory/classes/total:bytes", "/memory/classes/heap/released:bytes", "/gc/gomemlimit:bytes", "/gc/gogc:percent",
}

// NewSampler returns one whose points count from a beginning.
func NewSampler(begin time.Time) *Sampler {
	s := &Sampler{begin: begin}
	for _, name := range sampled {
		s.samples = append(s.samples, metrics.Sample{Name: name})
	}
	return s
}

// Point makes a point. The CPU times of the runtime change only when a collection ends.
func (s *Sampler) Point() Point {
	metrics.Read(s.samples)
	f := func(i int) float64 { return s.samples[i].Value.Float64() }
	n := func(i int) int64 { return int64(s.samples[i].Value.Uint64()) }
	rss, files := resident()
	return Point{
		T: time.Since(s.begin).Seconds(), GC: f(0) + f(1) + f(2), Busy: f(3) - f(4) - f(5), CPU: cputime.Now().Seconds(),
		Cycles: uint64(n(6)), RSS: rss, Files: files, Heap: n(7), Live: n(8), Goal: n(9), Memory: n(10) - n(11), Limit: n(12), GOGC: int64(int32(n(13))),
	}
}

// Each calls do with a point now and then once per interval, until ctx ends.
func (s *Sampler) Each(ctx context.Context, interval time.Duration, do func(Point)) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for ctx.Err() == nil {
		do(s.Point())
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
}

// RSS is the resident memory of this process, or 0 if the system does not tell.
func RSS() int64 {
	rss, _ := resident()
	return rss
}

// resident returns the resident memory, and what of it is pages of files.
func resident() (rss, files int64) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(data)
	if len(fields) < 3 {
		return 0, 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	shared, _ := strconv.ParseInt(string(fields[2]), 10, 64)
	return pages * int64(os.Getpagesize()), shared * int64(os.Getpagesize())
}
