package live

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"lessgc/internal/methods"
	"lessgc/internal/pacing"
)

// start is taken when the program's packages are initialised, some milliseconds
// after the process was started.
var start = time.Now()

// reader keeps the memory that the runtime fills in, so that being watched adds
// little to what is watched.
var reader struct {
	mu      sync.Mutex
	samples []metrics.Sample
	pauses  debug.GCStats
}

// Read takes a snapshot of this process. Any number of goroutines may do so.
func Read() Snapshot {
	reader.mu.Lock()
	defer reader.mu.Unlock()
	if reader.samples == nil {
		for _, m := range known {
			reader.samples = append(reader.samples, metrics.Sample{Name: m.name})
		}
	}
	s := Snapshot{Format: Format, Go: runtime.Version(), Start: start.Round(0)}
	metrics.Read(reader.samples)
	debug.ReadGCStats(&reader.pauses)
	s.Time = s.Start.Add(time.Since(start))
	s.PauseSeconds = reader.pauses.PauseTotal.Seconds()
	s.CPUSeconds, s.RSS = cpuSeconds(), rss()
	for i, m := range known {
		m.set(&s, reader.samples[i].Value)
	}
	for _, m := range methods.All() {
		s.Methods = append(s.Methods, Method(m))
	}
	if f, ok := pacing.Get(); ok {
		s.Pace = (*Pace)(&f)
	}
	return s
}

// known are the metrics that a snapshot is made of. One that the runtime does not
// have is of kind bad, and leaves its field as it is.
var known = []struct {
	name string
	set  func(*Snapshot, metrics.Value)
}{
	{"/gc/heap/allocs:bytes", count(func(s *Snapshot) *uint64 { return &s.AllocBytes })},
	{"/gc/heap/allocs:objects", count(func(s *Snapshot) *uint64 { return &s.AllocObjects })},
	{"/gc/heap/tiny/allocs:objects", count(func(s *Snapshot) *uint64 { return &s.AllocObjects })},
	{"/gc/cycles/automatic:gc-cycles", count(func(s *Snapshot) *uint64 { return &s.GCAutomatic })},
	{"/gc/cycles/forced:gc-cycles", count(func(s *Snapshot) *uint64 { return &s.GCForced })},
	{"/gc/heap/live:bytes", count(func(s *Snapshot) *uint64 { return &s.HeapLive })},
	{"/gc/heap/goal:bytes", count(func(s *Snapshot) *uint64 { return &s.HeapGoal })},
	{"/memory/classes/heap/objects:bytes", count(func(s *Snapshot) *uint64 { return &s.HeapBytes })},
	{"/gc/heap/objects:objects", count(func(s *Snapshot) *uint64 { return &s.HeapObjects })},
	{"/memory/classes/heap/free:bytes", count(func(s *Snapshot) *uint64 { return &s.HeapFree })},
	{"/gc/scan/stack:bytes", count(func(s *Snapshot) *uint64 { return &s.Roots })},
	{"/gc/scan/globals:bytes", count(func(s *Snapshot) *uint64 { return &s.Roots })},
	{"/sched/goroutines:goroutines", count(func(s *Snapshot) *uint64 { return &s.Goroutines })},
	{"/sched/gomaxprocs:threads", count(func(s *Snapshot) *uint64 { return &s.GOMAXPROCS })},
	{"/memory/classes/total:bytes", count(func(s *Snapshot) *uint64 { return &s.Memory })},
	{"/memory/classes/heap/released:bytes", func(s *Snapshot, v metrics.Value) {
		if v.Kind() == metrics.KindUint64 {
			s.Memory -= min(s.Memory, v.Uint64())
		}
	}},
	{"/gc/gogc:percent", setting(func(s *Snapshot) *int64 { return &s.GOGC })},
	{"/gc/gomemlimit:bytes", setting(func(s *Snapshot) *int64 { return &s.MemoryLimit })},
	{"/cpu/classes/total:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.Total })},
	{"/cpu/classes/user:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.User })},
	{"/cpu/classes/idle:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.Idle })},
	{"/cpu/classes/gc/mark/assist:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.GCAssist })},
	{"/cpu/classes/gc/mark/dedicated:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.GCDedicated })},
	{"/cpu/classes/gc/mark/idle:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.GCIdle })},
	{"/cpu/classes/gc/pause:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.GCPause })},
	{"/cpu/classes/scavenge/total:cpu-seconds", seconds(func(c *CPU) *float64 { return &c.Scavenge })},
	{"/sched/pauses/total/gc:seconds", func(s *Snapshot, v metrics.Value) {
		if v.Kind() == metrics.KindFloat64Histogram {
			s.Pauses = compact(v.Float64Histogram())
		}
	}},
}

// count adds to a field.
func count(field func(*Snapshot) *uint64) func(*Snapshot, metrics.Value) {
	return func(s *Snapshot, v metrics.Value) {
		if v.Kind() == metrics.KindUint64 {
			*field(s) += v.Uint64()
		}
	}
}

// setting sets a field to what may be the largest number, for off.
func setting(field func(*Snapshot) *int64) func(*Snapshot, metrics.Value) {
	return func(s *Snapshot, v metrics.Value) {
		if v.Kind() == metrics.KindUint64 {
			*field(s) = int64(v.Uint64())
		}
	}
}

func seconds(field func(*CPU) *float64) func(*Snapshot, metrics.Value) {
	return func(s *Snapshot, v metrics.Value) {
		if v.Kind() == metrics.KindFloat64 {
			*field(&s.CPU) = v.Float64()
		}
	}
}

// compact copies what a histogram holds. JSON has no infinity, so the last bucket
// ends where it begins, and the first begins at 0.
func compact(h *metrics.Float64Histogram) []Bucket {
	all := []Bucket{}
	for i, n := range h.Counts {
		if n == 0 {
			continue
		}
		b := Bucket{max(0, h.Buckets[i]), h.Buckets[i+1], n}
		if math.IsInf(b.Hi, 1) {
			b.Hi = b.Lo
		}
		all = append(all, b)
	}
	return all
}
