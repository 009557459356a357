package verdict

import (
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
)

// A knownMetric is one that lessgc measures for any code, and how it is shown.
type knownMetric struct {
	Metric
	show Show
	form Form
}

// Show is how a metric is shown, besides in the files for programs, which have all of them. The zero
// value stands for a unit that a benchmark reports.
type Show struct {
	Table     bool // has a table where people read, though it does not decide; see Metric.Tabled
	Plot      bool // has bars on a terminal, though it does not decide
	Chart     bool // has a bar chart on the page
	Collector bool // is a column among the figures of the collector, and no table of the page
	Beside    bool // is a column beside those on the page, and a table, too

	Echo bool // of an upgrade: differs with CPU time or allocations, and for the same causes
	Felt bool // of an upgrade: makes it worse for users, though it does not decide
}

// A Form is the notation of a unit's values.
type Form int

// The forms.
const (
	FormScaled Form = iota // with the unit and its prefixes
	FormCount              // as a plain number
	FormShare              // as a percentage
)

// metrics are the known units in the order in which they are shown. A unit
// that a benchmark reports itself comes behind them.
var metrics = []knownMetric{
	{Metric: Metric{Unit: "cpu-sec/op", Name: "cpu", Title: "CPU time", Decides: true}, show: Show{Chart: true}},
	{Metric: Metric{Unit: "sec/op", Name: "wall", Title: "wall time"}, show: Show{Table: true, Plot: true, Chart: true, Echo: true}},
	{Metric: Metric{Unit: "instructions/op", Name: "instructions", Title: "instructions"}, show: Show{Table: true, Echo: true}},
	{Metric: Metric{Unit: "p50-sec", Name: "p50", Title: "latency, median"}, show: Show{Table: true, Felt: true}},
	{Metric: Metric{Unit: "p90-sec", Name: "p90", Title: "latency, 90 %"}},
	{Metric: Metric{Unit: "p99-sec", Name: "p99", Title: "latency, 99 %"}, show: Show{Table: true, Chart: true, Felt: true}},
	{Metric: Metric{Unit: "p99.9-sec", Name: "p99.9", Title: "latency, 99.9 %"}},
	{Metric: Metric{Unit: "max-sec", Name: "max", Title: "latency, longest"}},
	{Metric: Metric{Unit: "req/s", Name: "rate", Title: "requests a second at full load", Higher: true}, show: Show{Table: true, Felt: true}},
	{Metric: Metric{Unit: "full-load-cpu-sec/op", Name: "full-cpu", Title: "CPU time at full load"}, show: Show{Table: true, Felt: true}},
	{Metric: Metric{Unit: "allocs/op", Name: "allocs", Title: "allocations", Exact: true, Decides: true}, show: Show{Chart: true}, form: FormCount},
	{Metric: Metric{Unit: "B/op", Name: "bytes", Title: "allocated bytes", Exact: true}, show: Show{Table: true, Chart: true, Echo: true}},
	{Metric: Metric{Unit: "peak-RSS-bytes", Name: "rss", Title: "peak memory (RSS)"}, show: Show{Table: true, Beside: true, Felt: true}},
	{Metric: Metric{Unit: "gc-cycles", Name: "gc", Title: "GC cycles"}, show: Show{Collector: true}, form: FormCount},
	{Metric: Metric{Unit: "gc-cpu-fraction", Name: "gc-cpu", Title: "GC share of CPU"}, show: Show{Collector: true}, form: FormShare},
	{Metric: Metric{Unit: "stw-sec", Name: "stw", Title: "world stopped"}, show: Show{Collector: true}},
	{Metric: Metric{Unit: "max-pause-sec", Name: "pause", Title: "longest stop"}, show: Show{Collector: true}},
	{Metric: Metric{Unit: "heap-goal-bytes", Name: "goal", Title: "heap goal"}, show: Show{Collector: true}},
	{Metric: Metric{Unit: "B/s", Name: "throughput", Title: "throughput", Higher: true}},
}

// Own reports whether a benchmark reports the metric itself; lessgc measures all others.
func (m Metric) Own() bool { return m.Name == m.Unit }

// Show returns how the metric is shown. It is not in report.json, which holds what was measured.
func (m Metric) Show() Show {
	if i := slices.IndexFunc(metrics, func(k knownMetric) bool { return k.Name == m.Name }); i >= 0 && !m.Own() {
		return metrics[i].show
	}
	return Show{}
}

// Tabled reports whether the metric has a table where people read. The page has one of any metric
// but those of the collector.
func (m Metric) Tabled() bool { return m.Decides || m.Own() || m.Show().Table }

// FormOf returns how values of a unit are written.
func FormOf(unit string) Form {
	if i := slices.IndexFunc(metrics, func(k knownMetric) bool { return k.Unit == unit }); i >= 0 {
		return metrics[i].form
	}
	return FormScaled
}

// inRawOnly are units that the logs hold and no table shows: parts of another, and
// what becomes a note.
var inRawOnly = []string{"user-sec/op", "sys-sec/op", session.LateUnit, session.FailedUnit}

// knownMetrics are metrics, with decide, if it is not "", in the place of the CPU time of the process.
func knownMetrics(decide string) (known []Metric) {
	for _, k := range metrics {
		known = append(known, k.Metric)
	}
	if decide != "" {
		process := Metric{Unit: known[0].Unit, Name: "process-cpu", Title: "CPU time of the process"}
		known[0].Unit, known[0].Title = decide, "CPU time ("+decide+")"
		known = slices.Insert(known, 1, process)
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
