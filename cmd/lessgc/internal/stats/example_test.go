package stats_test

import (
	"fmt"
	"math"

	"lessgc/cmd/lessgc/internal/stats"
)

// Ten rounds, each with one run of the reference and one of the change.
func Example() {
	ref := []float64{102, 98, 121, 100, 97, 105, 99, 140, 101, 103} // ms
	change := []float64{95, 93, 110, 97, 96, 96, 101, 126, 94, 97}  // ms

	d := make([]float64, len(ref))
	for i := range d {
		d[i] = math.Log(change[i] / ref[i])
	}
	est, ci := stats.HodgesLehmann(d, 0.95)
	percent := func(logRatio float64) float64 { return 100 * math.Expm1(logRatio) }
	fmt.Printf("%+.1f %% [%+.1f, %+.1f] p=%.4f\n",
		percent(est), percent(ci.Lo), percent(ci.Hi), stats.SignedRank(d))
	// Output:
	// -5.8 % [-8.0, -2.6] p=0.0059
}
