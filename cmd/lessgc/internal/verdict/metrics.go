package verdict

import (
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
)

// metrics are the known units in the order in which they are shown. A unit
// that a benchmark reports itself comes behind them.
var metrics = []Metric{
	{Unit: "cpu-sec/op", Name: "cpu", Title: "CPU time", Decides: true},
	{Unit: "sec/op", Name: "wall", Title: "wall time"},
	{Unit: "instructions/op", Name: "instructions", Title: "instructions"},
	{Unit: "p50-sec", Name: "p50", Title: "latency, median"},
	{Unit: "p90-sec", Name: "p90", Title: "latency, 90 %"},
	{Unit: "p99-sec", Name: "p99", Title: "latency, 99 %"},
	{Unit: "p99.9-sec", Name: "p99.9", Title: "latency, 99.9 %"},
	{Unit: "max-sec", Name: "max", Title: "latency, longest"},
	{Unit: "req/s", Name: "rate", Title: "requests a second at full load", Higher: true},
	{Unit: "full-load-cpu-sec/op", Name: "full-cpu", Title: "CPU time at full load"},
	{Unit: "allocs/op", Name: "allocs", Title: "allocations", Exact: true, Decides: true},
	{Unit: "B/op", Name: "bytes", Title: "allocated bytes", Exact: true},
	{Unit: "peak-RSS-bytes", Name: "rss", Title: "peak memory (RSS)"},
	{Unit: "gc-cycles", Name: "gc", Title: "GC cycles"},
	{Unit: "gc-cpu-fraction", Name: "gc-cpu", Title: "GC share of CPU"},
	{Unit: "stw-sec", Name: "stw", Title: "world stopped"},
	{Unit: "max-pause-sec", Name: "pause", Title: "longest stop"},
	{Unit: "heap-goal-bytes", Name: "goal", Title: "heap goal"},
	{Unit: "B/s", Name: "throughput", Title: "throughput", Higher: true},
}

// inRawOnly are units that the logs hold and no table shows: parts of another, and
// what becomes a note.
var inRawOnly = []string{"user-sec/op", "sys-sec/op", session.LateUnit, session.FailedUnit}

// knownMetrics are metrics, with decide, if it is not "", in the place of the CPU time of the process.
func knownMetrics(decide string) []Metric {
	known := slices.Clone(metrics)
	if decide != "" {
		known[0] = Metric{Unit: decide, Name: "cpu", Title: "CPU time (" + decide + ")", Decides: true}
		known = slices.Insert(known, 1, Metric{Unit: metrics[0].Unit, Name: "process-cpu", Title: "CPU time of the process"})
	}
	return known
}

// metricsOf returns the metrics that the trials have.
func metricsOf(trials []session.Trial, decide string) []Metric {
	metrics := knownMetrics(decide)
	have := map[string]bool{}
	var other []string
	for _, t := range trials {
		for _, v := range t.Metrics() {
			if have[v.Unit] || slices.Contains(inRawOnly, v.Unit) {
				continue
			}
			have[v.Unit] = true
			if !slices.ContainsFunc(metrics, func(m Metric) bool { return m.Unit == v.Unit }) {
				other = append(other, v.Unit)
			}
		}
	}
	var all []Metric
	for _, m := range metrics {
		if have[m.Unit] {
			all = append(all, m)
		}
	}
	slices.Sort(other)
	for _, unit := range other {
		// x/perf's default: what happens per second should happen often.
		all = append(all, Metric{Unit: unit, Name: unit, Title: unit, Higher: strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec")})
	}
	return all
}
