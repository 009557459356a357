package strategies

import (
	"testing"

	"lessgc/workloads/clones"
)

func BenchmarkClones(b *testing.B) {
	for _, s := range clones.Strategies {
		for _, row := range clones.Rows {
			b.Run("strategy="+s.Name+"/"+row.String(), func(b *testing.B) {
				payload := row.Payload()
				b.ReportAllocs()
				for b.Loop() {
					s.Respond(payload, row.Clones)
				}
			})
		}
	}
}
