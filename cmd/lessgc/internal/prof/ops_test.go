package prof

import (
	"maps"
	"testing"

	"github.com/google/pprof/profile"
)

// TestOpsOf checks that the operations of sub-benchmarks are added up by the function that runs them.
func TestOpsOf(t *testing.T) {
	var comments []string
	for name, n := range map[string]int64{"example.com/a/b.BenchmarkX/one/two.3": 3, "example.com/a/b.BenchmarkX/two": 4, "example.com/a/b.BenchmarkY": 5, "b.BenchmarkZ/a: b": 6} {
		p := &Profile{Profile: &profile.Profile{}}
		p.SetOps(n)
		p.MoveOps(name)
		comments = append(comments, p.Comments...)
	}
	p := &Profile{Profile: &profile.Profile{Comments: append(comments, "lessgc operations of x", "lessgc operations of y: z")}}
	want := map[string]int64{"example.com/a/b.BenchmarkX": 7, "example.com/a/b.BenchmarkY": 5, "b.BenchmarkZ": 6}
	if got := p.OpsOf(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := p.Ops(); n != 0 {
		t.Errorf("%d operations of one benchmark", n)
	}
}
