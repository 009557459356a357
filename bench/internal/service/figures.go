package service

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Share returns the collector's share of the busy CPU time over the window that ends with point i and lasts at
// least some seconds: 0 if no collection ended in it, because the runtime counts at the end of one, and NaN if the
// points do not reach back that far.
func Share(points []Point, i int, seconds float64) float64 {
	from := i
	for from >= 0 && points[i].T-points[from].T < seconds-0.05 { // ticks are not exact
		from--
	}
	if from < 0 {
		return math.NaN()
	}
	return Between(points[from], points[i])
}

// Between returns the collector's share of the busy CPU time from one point to another, 0 if no collection ended in between.
func Between(a, b Point) float64 {
	if b.Cycles == a.Cycles || b.Busy <= a.Busy { // the runtime counts some of the time of a collection earlier than the rest
		return 0
	}
	return min(max(0, b.GC-a.GC)/(b.Busy-a.Busy), 1)
}

// Shares returns the largest share of the windows of some seconds that lie between two times, the mean over that
// time, and the number of windows. Both are NaN if there is no window.
func Shares(points []Point, from, to, seconds float64) (largest, mean float64, windows int) {
	first, last := -1, -1
	for i, p := range points {
		if p.T < from || p.T > to {
			continue
		}
		if first < 0 {
			first = i
		}
		if last = i; p.T-points[first].T < seconds-0.05 {
			continue
		}
		largest = max(largest, Share(points, i, seconds))
		windows++
	}
	if windows == 0 {
		return math.NaN(), math.NaN(), 0
	}
	return largest, Between(points[first], points[last]), windows
}

// Served sums up the requests that were scheduled from one time to another.
type Served struct {
	Scheduled int
	Answered  int
	PerSecond Number // answered
	P50, P99  Number // seconds, +Inf if so many were not answered
}

// Latency looks at the answers to requests that were scheduled in a phase. One that was never answered took for ever.
func Latency(answers []Answer, scheduled []float64, from, to float64) Served {
	s := Served{}
	for _, at := range scheduled {
		if at >= from && at < to {
			s.Scheduled++
		}
	}
	var took []float64
	for _, a := range answers {
		if a.At >= from && a.At < to {
			took = append(took, a.Took)
		}
	}
	s.Answered = len(took)
	s.PerSecond = Number(float64(s.Answered) / (to - from))
	for len(took) < s.Scheduled {
		took = append(took, math.Inf(1))
	}
	slices.Sort(took)
	s.P50, s.P99 = Number(Percentile(took, 0.5)), Number(Percentile(took, 0.99))
	return s
}

// Percentile returns the smallest value that at least a share p of sorted values do not exceed, or NaN if there are none.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}

// Median returns the median of values, the lower one of two, or NaN if there are none. NaNs are the least.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return Percentile(sorted, 0.5)
}

// A Number is written as JSON's null if it is not finite.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
}

// Milli writes a time in seconds as milliseconds.
func Milli(n Number) string {
	switch {
	case math.IsNaN(float64(n)):
		return "–"
	case math.IsInf(float64(n), 1):
		return "never"
	}
	return fmt.Sprintf("%.1f ms", 1000*float64(n))
}

// MiB is a number of bytes in mebibytes.
func MiB(bytes int64) float64 { return float64(bytes) / (1 << 20) }
