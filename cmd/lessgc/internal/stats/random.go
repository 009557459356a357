package stats

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// A Group is what one of several groups says of an effect that is not the same in all: a machine,
// say, of many.
type Group struct {
	Estimate float64
	Error    float64 // its standard error, at least 0
	N        int     // how many differences both are of; 0 if the error is known
}

// A Summary is what groups say together.
type Summary struct {
	Groups   int
	Estimate float64  // of the mean effect over all groups like these
	Interval Interval // of 95 %, for that mean; without ends for one group
	P        float64  // two-sided, of the hypothesis that the mean is 0; 1 for one group
	Error    float64  // standard error of the estimate
	Between  float64  // standard deviation of the effect from group to group, beyond what their errors explain
	I2       float64  // the share of all variation between estimates that is Between's, from 0 to 1
	Expected Interval // 95 % of the groups like these have their effect in it; without ends for fewer than 3
}

// RandomEffects estimates the mean of an effect that differs between groups, and by how much it
// differs. Groups are taken for a sample of all groups like them, so that the interval tells about those
// too: it does not become narrow by many measurements in few groups.
//
// The variance between groups is that of Paule and Mandel (1982), the weights are the inverse of the total
// variance, and the interval is that of Hartung and Knapp (2001): Student's distribution with one degree of freedom less
// than groups, around an error that the weighted residuals give. With few groups it holds the truth
// where the older one of DerSimonian and Laird does not (IntHout, Ioannidis and Borm 2014). Expected is the
// prediction interval of Higgins, Thompson and Spiegelhalter (2009).
//
// Errors serve as weights only. Those of a few differences are rough: a group whose differences lie close
// together by chance would count too much. So the variance of a difference is taken together with the median of all
// groups', which counts as if it had been of nine differences. That of a single difference is the median.
//
// It panics without groups, for an estimate or an error that is not finite, and for an error below 0.
func RandomEffects(groups []Group) Summary {
	return Subgroups([][]Group{groups})[0]
}

// Subgroups is [RandomEffects] for classes of groups that may have different means, and have the variance
// between the groups of one class in common: so that a class of two groups tells something, too. Degrees of freedom
// are groups less classes (Knapp and Hartung 2003, with classes as the covariate). Where there are
// none left, because each class is one group, the intervals have no ends.
func Subgroups(classes [][]Group) []Summary {
	k, c := 0.0, float64(len(classes))
	for _, groups := range classes {
		mustBeGroups(groups)
		k += float64(len(groups))
	}
	classes = moderated(classes)
	df := k - c
	between := betweenGroups(classes, df)
	var all []Summary
	residuals := 0.0
	for _, groups := range classes {
		est, q, weights := pooled(groups, between)
		residuals += q
		all = append(all, Summary{Groups: len(groups), Estimate: est, P: 1, Interval: everywhere(), Expected: everywhere(),
			Error: math.Sqrt(1 / weights), Between: math.Sqrt(between), I2: share(groups, between)})
	}
	if df < 1 {
		return all
	}
	t := tQuantile(0.975, df)
	for i := range all {
		s := &all[i]
		s.Error *= math.Sqrt(residuals / df)
		s.Interval = Interval{s.Estimate - t*s.Error, s.Estimate + t*s.Error}
		s.P = tail(s.Estimate/s.Error, df)
		if df >= 2 {
			half := tQuantile(0.975, df-1) * math.Sqrt(between+s.Error*s.Error)
			s.Expected = Interval{s.Estimate - half, s.Estimate + half}
		}
	}
	return all
}

// everywhere is an interval without ends.
func everywhere() Interval { return Interval{math.Inf(-1), math.Inf(1)} }

func mustBeGroups(groups []Group) {
	if len(groups) == 0 {
		panic("stats: no groups")
	}
	for _, g := range groups {
		mustBeFinite([]float64{g.Estimate, g.Error})
		if g.Error < 0 || g.N < 0 {
			panic("stats: the error or the number of differences of a group is below 0")
		}
	}
}

// What moderated takes for the variances of groups.
const (
	priorFreedom = 8     // degrees of freedom of the median
	leastError   = 1e-12 // an error of 0 would be infinite weight
	enough       = 6     // differences with a variance that the median is taken of, if any group has so many
)

// moderated returns the groups with errors that are taken together with the median's. A simulation of 3 to 50
// groups of 8 and 12 differences, normal and with outliers, of which some are three times as noisy as others, chose
// the degrees of freedom: with 8 of them the interval holds the truth in 93.8 to 96.8 %, with none in 86.4
// to 95.1 %; groups of the same weight take 1.0 to 1.6 times as wide an interval (see TestMachineCoverage).
func moderated(classes [][]Group) [][]Group {
	median := medianVariance(classes)
	out := make([][]Group, len(classes))
	for i, groups := range classes {
		for _, g := range groups {
			if n := float64(g.N); g.N > 0 {
				own := (n - 1) * g.Error * g.Error * n
				g.Error = math.Sqrt((priorFreedom*median + own) / (priorFreedom + n - 1) / n)
			}
			g.Error = max(g.Error, leastError)
			out[i] = append(out[i], g)
		}
	}
	return out
}

// medianVariance is the median over groups of the variance of a difference.
func medianVariance(classes [][]Group) float64 {
	var few, many []float64
	for _, groups := range classes {
		for _, g := range groups {
			switch v := g.Error * g.Error * float64(g.N); {
			case g.N >= enough:
				many = append(many, v)
			case g.N > 1:
				few = append(few, v)
			}
		}
	}
	if len(many) == 0 {
		many = few
	}
	if len(many) == 0 {
		return 0
	}
	return Median(many)
}

// pooled returns the mean weighted by the inverse of the total variances, the weighted sum of squared
// residuals, and the sum of weights.
func pooled(groups []Group, between float64) (mean, residuals, weights float64) {
	for _, g := range groups {
		w := 1 / (g.Error*g.Error + between)
		weights += w
		mean += w * g.Estimate
	}
	mean /= weights
	for _, g := range groups {
		residuals += (g.Estimate - mean) * (g.Estimate - mean) / (g.Error*g.Error + between)
	}
	return mean, residuals, weights
}

// betweenGroups is the variance between groups with which the weighted sum of squared residuals in all classes is
// what it should be on average, its degrees of freedom; 0 if it is smaller without any. The sum falls as
// the variance grows.
func betweenGroups(classes [][]Group, df float64) float64 {
	excess := func(between float64) bool {
		q := 0.0
		for _, groups := range classes {
			_, of, _ := pooled(groups, between)
			q += of
		}
		return q > df
	}
	if df < 1 || !excess(0) {
		return 0
	}
	lo, hi := 0.0, 0.0
	for _, groups := range classes {
		for _, g := range groups {
			hi = max(hi, g.Error*g.Error)
		}
	}
	for excess(hi) {
		hi *= 2
	}
	for range 60 {
		if mid := lo + (hi-lo)/2; excess(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// share is I2 of Higgins and Thompson (2002): of the variance of an estimate, that between groups, where the
// typical variance within one is theirs.
func share(groups []Group, between float64) float64 {
	var w, w2 float64
	for _, g := range groups {
		x := 1 / (g.Error * g.Error)
		w, w2 = w+x, w2+x*x
	}
	df := float64(len(groups) - 1)
	if between == 0 || df == 0 {
		return 0
	}
	typical := df * w / (w*w - w2)
	return between / (between + typical)
}

// tQuantile is the quantile p > 0.5 of Student's distribution with nu degrees of freedom, also for few, where
// t975 is not.
func tQuantile(p, nu float64) float64 {
	lo, hi := 0.0, 1.0
	upper := func(t float64) float64 { return mathx.BetaInc(nu/(nu+t*t), nu/2, 0.5) / 2 }
	for upper(hi) > 1-p {
		hi *= 2
	}
	for range 60 {
		if mid := lo + (hi-lo)/2; upper(mid) > 1-p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
