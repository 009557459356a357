package arenas

import (
	"fmt"
	"testing"

	"lessgc/arena"
	"lessgc/arena/audit"
	"lessgc/bench/internal/cputime"
)

// auditRates are values of [arena.Pool.AuditEvery].
var auditRates = []int{0, 1000, 100, 10}

// BenchmarkAudit has what audits add to a request of n objects, four types and a
// string for each fourth: by the number of arenas of which one is audited, 0 for none.
func BenchmarkAudit(b *testing.B) {
	for _, n := range []int{50, 1000} {
		for _, policy := range []arena.Policy{arena.Safe, arena.RecycleAll} {
			for _, every := range auditRates {
				b.Run(fmt.Sprintf("objects=%d/policy=%v/every=%d", n, policy, every), func(b *testing.B) {
					pool := &arena.Pool{Policy: policy, AuditEvery: every}
					b.ReportAllocs()
					start := cputime.Now()
					for b.Loop() {
						a := pool.Get()
						mixedIn(a, n)
						a.Free()
					}
					b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
				})
			}
		}
	}
}

// TestAudit checks that the workload keeps nothing, and that it is audited.
func TestAudit(t *testing.T) {
	if (&arena.Pool{}).Get() == nil {
		t.Skip("arenas are the heap")
	}
	for _, every := range auditRates {
		pool := &arena.Pool{Policy: arena.RecycleAll, AuditEvery: every}
		want := mixedOnHeap(50)
		// Of arenas this small about one in six of those audited has a sample.
		for range min(2000+200*every, 22000) {
			a := pool.Get()
			if got := mixedIn(a, 50); got != want {
				t.Fatalf("one in %d: checksum %#x, want %#x", every, got, want)
			}
			a.Free()
		}
		if err := audit.Verify(); err != nil {
			t.Error(err)
		}
		if r := audit.Of(pool); len(r.Escapes) > 0 || r.Pending > 0 || every > 0 && every < 1000 && r.Objects == 0 {
			t.Errorf("one in %d: %v", every, r)
		}
	}
}
