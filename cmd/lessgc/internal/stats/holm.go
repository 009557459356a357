package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm returns the p-values adjusted for their number, in the order of p. An
// adjusted value at or below alpha is significant with a probability of at most
// alpha for any false alarm in the whole table, however the tests depend on each
// other (Holm 1979). An empty p gives an empty slice; a p outside [0, 1] panics.
//
// The smallest of m values is multiplied by m, the next by m-1 and so on. Each is
// capped at 1 and is no smaller than the one before it.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			panic(fmt.Sprintf("stats: p[%d] = %v is not a probability", i, v))
		}
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })

	adjusted := make([]float64, len(p))
	largest := 0.0
	for step, i := range order {
		largest = max(largest, min(1, p[i]*float64(len(p)-step)))
		adjusted[i] = largest
	}
	return adjusted
}
