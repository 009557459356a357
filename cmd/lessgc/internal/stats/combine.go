package stats

import "math"

// A Part is one of several independent samples: the result of [HodgesLehmann] at 0.95
// over N >= 6 differences.
type Part struct {
	N        int
	Estimate float64
	Interval Interval
}

// Combine estimates the mean of the centres of parts, each of the same weight, with its
// 95 % interval and the two-sided p-value of the hypothesis that it is 0. The standard
// error of a part is that of a mean whose interval by Student's distribution would be as
// wide as its own; degrees of freedom are those of Welch (1947). Without parts the
// estimate is NaN, the interval has no ends and p is 1.
func Combine(parts []Part) (est float64, ci Interval, p float64) {
	k := float64(len(parts))
	var squares, fourths float64 // of the standard errors
	for _, part := range parts {
		nu := float64(part.N - 1)
		se := StandardError(part.N, part.Interval)
		est += part.Estimate / k
		squares += se * se
		fourths += se * se * se * se / nu
	}
	if k == 0 {
		return math.NaN(), Interval{math.Inf(-1), math.Inf(1)}, 1
	}
	nu, se := float64(parts[0].N-1), math.Sqrt(squares)/k
	if fourths > 0 {
		nu = squares * squares / fourths
	}
	half := t975(nu) * se
	return est, Interval{est - half, est + half}, tail(est/se, nu)
}

// StandardError is that of a mean of n >= 6 differences whose 95 % interval by Student's distribution would
// be as wide as ci.
func StandardError(n int, ci Interval) float64 { return (ci.Hi - ci.Lo) / 2 / t975(float64(n-1)) }
