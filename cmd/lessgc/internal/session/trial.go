package session

import (
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/gctrace"
)

// A Trial is one process. What User, System, Instructions, Busy and GC are about is less,
// where it can be told: of a server under load, N requests of the open loop; of a benchmark
// that is Timed, N iterations between StartTimer and StopTimer.
type Trial struct {
	Round   int             `json:"round"` // 0 is the warm-up, which no statistic uses
	Order   int             `json:"order"` // within the round
	Cell    int             `json:"cell"`
	Row     int             `json:"row"`
	N       int             `json:"n"`
	Link    int             `json:"link,omitempty"` // number of the link whose order of functions the binaries have; 0 for the linker's own
	Start   time.Time       `json:"start"`
	Wall    time.Duration   `json:"wall"` // of the process
	User    time.Duration   `json:"user"`
	System  time.Duration   `json:"system"`
	Timed   bool            `json:"timed,omitempty"`
	Turns   bool            `json:"turns,omitempty"` // it took turns with the others of its row and round; Wall is without the time it was stopped
	Busy    time.Duration   `json:"busy,omitempty"`  // that Ps were not idle, added up, by the runtime's clock; 0 if it is not known
	RSS     int64           `json:"rss"`             // peak, bytes; 0 if it is not known
	GC      gctrace.Summary `json:"gc"`
	Load    float64         `json:"load"`
	Steal   float64         `json:"steal"`
	Values  []Value         `json:"values,omitempty"`  // what the benchmark itself printed, in base units
	Latency []byte          `json:"latency,omitempty"` // of a server under load: an HdrHistogram of nanoseconds, V2 compressed
	Err     string          `json:"err,omitempty"`     // it failed; there are no values then

	Instructions int64 `json:"instructions,omitempty"` // in user mode; 0 if they are not known
}

// A Value is one metric of a benchmark line.
type Value struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Metrics returns all that a trial measured, by unit. Times are in seconds,
// sizes in bytes. CPU time and instructions are divided by the iterations; unless Timed they are those
// of the process, start-up and set-up included. What is not known is left out.
func (t Trial) Metrics() []Value {
	n := float64(max(t.N, 1))
	measured := []Value{
		{(t.User + t.System).Seconds() / n, "cpu-sec/op"},
		{t.User.Seconds() / n, "user-sec/op"},
		{t.System.Seconds() / n, "sys-sec/op"},
		{float64(t.GC.Cycles), "gc-cycles"},
		{float64(t.GC.HeapGoal), "heap-goal-bytes"},
	}
	if !t.Turns { // or the stops of the process would be in them
		measured = append(measured, Value{t.GC.Stopped.Seconds(), "stw-sec"}, Value{t.GC.MaxPause.Seconds(), "max-pause-sec"})
	}
	if share, ok := t.gcShare(); ok {
		measured = append(measured, Value{share, "gc-cpu-fraction"})
	}
	if t.Instructions > 0 {
		measured = append(measured, Value{float64(t.Instructions) / n, "instructions/op"})
	}
	if t.RSS > 0 {
		measured = append(measured, Value{float64(t.RSS), "peak-RSS-bytes"})
	}
	var all []Value
	for _, v := range t.Values { // a unit of the same name that the benchmark reports gives way
		if !slices.ContainsFunc(measured, func(m Value) bool { return m.Unit == v.Unit }) {
			all = append(all, v)
		}
	}
	return append(all, measured...)
}

// gcShare is the collector's share of CPU time. The collector measures itself by the
// clock, so that a thread which the system does not let run counts as well. So does
// Busy. The CPU time of the process does not: on a machine that is not busy the
// quotient is the same, on another it is too large, and not known where that shows. Nor is
// it where the process itself was stopped now and then.
func (t Trial) gcShare() (share float64, ok bool) {
	if t.Turns {
		return 0, false
	}
	all := t.Busy
	if all <= 0 {
		all = t.User + t.System
	}
	if all <= 0 {
		return 0, t.GC.CPU == 0
	}
	share = float64(t.GC.CPU) / float64(all)
	return share, share <= 1
}

// Units of servers under load that become notes: how late the load itself was, and the
// share of requests without an answer.
const (
	LateUnit   = "late-p99-sec"
	FailedUnit = "failed-fraction"
)
