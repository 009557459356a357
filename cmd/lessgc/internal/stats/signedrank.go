package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// maxExact is the largest sample with an exact null distribution. Its 2^50 sign
// assignments are exact in a float64.
const maxExact = 50

// SignedRank returns the two-sided p-value of the hypothesis that d is
// symmetric about 0 (Wilcoxon 1945).
//
// Zeros are dropped first, as Wilcoxon did, and equal |d| share their midrank.
// With up to 50 differences left the null distribution is the exact one given
// those midranks: every assignment of signs is equally likely (HWC), so p is a
// positive multiple of 2/2^n, capped at 1. With more it is the normal
// approximation with the variance of the midranks and without a continuity
// correction. p is 1 if nothing is left.
func SignedRank(d []float64) (p float64) {
	mustBeFinite(d)
	d = slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	ranks, plus := doubledRanks(d)
	return newNull(ranks).p(plus)
}

// Pratt (1959) ranks the zeros too and then drops their ranks. With a sample
// rounded to a coarse unit that is the better rule. Log ratios of measured times
// are hardly ever exactly 0, and Wilcoxon's rule is what other tools default to.

// doubledRanks sorts d, which has no zeros, by absolute value. It returns twice
// the midranks in that order, integers, and their sum over the positive
// elements.
func doubledRanks(d []float64) (ranks []int, plus int) {
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	for i := 0; i < len(d); {
		j := i + 1
		for j < len(d) && math.Abs(d[j]) == math.Abs(d[i]) {
			j++
		}
		rank := i + 1 + j // twice the mean of the ranks i+1 to j
		for ; i < j; i++ {
			ranks = append(ranks, rank)
			if d[i] > 0 {
				plus += rank
			}
		}
	}
	return ranks, plus
}

// A null is the distribution of S, the sum of a random half of the doubled
// ranks: each rank is in or out with probability 1/2. S is 2T+ in the usual
// notation.
type null struct {
	n     int
	total int       // sum of all doubled ranks: n(n+1)
	cum   []float64 // cum[s]: number of the 2^n assignments with S <= s; nil if approximate
	sd    float64   // standard deviation of S
}

func newNull(ranks []int) null {
	h := null{n: len(ranks)}
	squares := 0.0
	for _, r := range ranks {
		h.total += r
		squares += float64(r) * float64(r)
	}
	// Each rank is r or 0, so it adds r^2/4 to the variance. Without ties the
	// sum is 4 n(n+1)(2n+1)/24; midranks bring the usual correction for ties.
	h.sd = math.Sqrt(squares) / 2
	if h.n <= maxExact {
		h.cum = cumulative(ranks, h.total)
	}
	return h
}

// cumulative counts, for each s up to total, the subsets of ranks whose sum is
// at most s.
func cumulative(ranks []int, total int) []float64 {
	count := make([]float64, total+1)
	count[0] = 1
	sum := 0
	for _, r := range ranks {
		sum += r
		for s := sum; s >= r; s-- {
			count[s] += count[s-r]
		}
	}
	for s := 1; s <= total; s++ {
		count[s] += count[s-1]
	}
	return count
}

// p returns the two-sided p-value of S = s. S is symmetric about total/2, so
// both tails have the same mass.
func (h null) p(s int) float64 {
	s = min(s, h.total-s)
	if h.cum != nil {
		return min(1, math.Ldexp(h.cum[s], 1-h.n))
	}
	z := (float64(h.total)/2 - float64(s)) / h.sd
	return math.Erfc(z / math.Sqrt2)
}

func mustBeFinite(x []float64) {
	for i, v := range x {
		if !finite(v) {
			panic(fmt.Sprintf("stats: element %d of the sample is %v; samples must be finite", i, v))
		}
	}
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
