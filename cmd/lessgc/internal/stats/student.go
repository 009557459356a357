package stats

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// Student returns the two-sided p-value of the hypothesis that the mean of d is 0, by
// the one-sample t-test (Student 1908). Unlike [SignedRank] it looks at how far d is
// from 0, not only at signs and ranks, so that it is not limited to multiples of 2/2^n.
// For that it assumes a normal distribution of the mean. Where d has heavier tails than
// normal ones p is too large, where it has hardly any, too small: at 6 uniform
// differences three times too small at 0.001 (TestStudentLevel). p is 1 for fewer than
// 2 differences or if all are 0, and 0 if all are equal otherwise.
func Student(d []float64) (p float64) {
	mustBeFinite(d)
	n := float64(len(d))
	if n < 2 {
		return 1
	}
	mean, squares := moments(d)
	return tail(mean*math.Sqrt(n*(n-1)/squares), n-1)
}

// MeanError is the standard error of the mean of d, in the unit of d; 0 for fewer than 2 differences.
func MeanError(d []float64) float64 {
	mustBeFinite(d)
	n := float64(len(d))
	if n < 2 {
		return 0
	}
	_, squares := moments(d)
	return math.Sqrt(squares / (n - 1) / n)
}

// moments returns the mean of d and the sum of squared distances from it.
func moments(d []float64) (mean, squares float64) {
	n := float64(len(d))
	for _, v := range d {
		mean += v / n
	}
	for _, v := range d {
		squares += (v - mean) * (v - mean)
	}
	return mean, squares
}

// tail is the chance that |T| is at least |t|, T having Student's distribution with nu
// degrees of freedom. It is 1 for a t that is 0/0.
func tail(t, nu float64) float64 {
	if math.IsNaN(t) {
		return 1
	}
	if math.IsInf(t*t, 0) {
		return 0
	}
	return mathx.BetaInc(nu/(nu+t*t), nu/2, 0.5)
}
