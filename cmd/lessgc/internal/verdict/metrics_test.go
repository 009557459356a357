package verdict

import "testing"

// TestShow checks that how a metric is shown survives another unit that decides, and that a unit of a
// benchmark is not taken for a metric of that name.
func TestShow(t *testing.T) {
	known := knownMetrics("server-cpu-sec/op")
	if cpu, process := known[0], known[1]; !cpu.Decides || !cpu.Show().Chart || process.Decides || process.Show() != (Show{}) {
		t.Errorf("%+v, %+v", cpu, process)
	}
	if gc := (Metric{Unit: "gc-cycles", Name: "gc"}); !gc.Show().Collector || gc.Tabled() {
		t.Error("the collections have a table of their own")
	}
	if own := (Metric{Unit: "gc", Name: "gc"}); own.Show() != (Show{}) || !own.Tabled() {
		t.Error("a unit of a benchmark is shown as a figure of the collector")
	}
}
