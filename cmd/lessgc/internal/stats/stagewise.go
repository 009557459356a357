package stats

import "math"

// A Look is one at which a comparison could have ended before it did: with the first N
// differences, if their p-value by [Student] had been at most Level.
type Look struct {
	N     int
	Level float64
}

// Stagewise is [HodgesLehmann] at 0.95 for a comparison that was looked at before it ended:
// what ends as soon as it looks large enough looks larger than it is, as a rule. The estimate
// is the median-unbiased one, and the interval holds the truth in 95 %, wherever
// comparisons end.
//
// Its ends are the true values at which a result as extreme in the stagewise order has the
// chances 0.025 and 0.975: to end earlier is more extreme than to end later, however far
// from 0 (Tsiatis, Rosner and Mehta 1984; Jennison and Turnbull 2000, section 8.5). The sums of
// differences are taken for a Brownian motion. A comparison that was far enough from 0 at a
// look, and did not end there, for whatever reason, owes nothing to its looks: the result is
// that of HodgesLehmann then, as it is without looks. Looks with fewer than 6 differences
// are none, and neither are those with as many as the one before, or as d.
func Stagewise(d []float64, looks []Look) (est float64, ci Interval) {
	est, ci = HodgesLehmann(d, 0.95)
	z := inErrors(est, ci)
	if !(math.Abs(z) <= farthest) {
		return est, ci
	}
	s := &stages{last: points{0, []float64{0}, []float64{1}}}
	n := 5
	for _, look := range looks {
		if look.N <= n || look.N >= len(d) {
			continue
		}
		n = look.N
		bound, blur := boundOf(look)
		if bound > farthest {
			continue
		}
		if math.Abs(inErrors(HodgesLehmann(d[:n], 0.95))) >= bound || Student(d[:n]) <= look.Level {
			return est, ci
		}
		s.add(float64(n)/float64(len(d)), bound, blur)
	}
	if len(s.looks) == 0 {
		return est, ci
	}
	drift := func(p float64) float64 {
		if z < 0 { // in the order of what is below 0
			return -s.drift(-z, 1-p)
		}
		return s.drift(z, p)
	}
	se := (ci.Hi - ci.Lo) / 2 / z975
	return est + (drift(0.5)-z)*se, Interval{
		est - (est-ci.Lo)*(z-drift(0.025))/z975,
		est + (ci.Hi-est)*(drift(0.975)-z)/z975,
	}
}

// z975 is how many standard errors an interval of 95 % is wide, to either side.
const z975 = 1.959964

// inErrors returns the distance of an estimate from 0 in standard errors. It is not finite if
// the interval has no width, and 0 if it has no ends.
func inErrors(est float64, ci Interval) float64 { return est / (ci.Hi - ci.Lo) * 2 * z975 }

// farthest limits the distance from 0, in standard errors, of a comparison that did not end
// before.
const farthest = 12

// gridPoints is the number of points that stand for the sums at a look. All chances then
// add up to 1 within 0.001 (TestStagewiseGrid).
const gridPoints = 97

// Stages are the looks of a comparison and its end, in the time of the end: n differences
// take the time 1. Densities are those of a drift of 0, times the distance of points;
// with a drift, the sum x at the time t has exp(drift x - drift^2 t/2) times that.
type stages struct {
	looks []stage
	last  points // that went on at the last look
}

// A stage is a look.
type stage struct {
	time   float64
	before points  // that went on at the look before
	ended  points  // sums above 0 that ended at this look, below top
	top    float64 // above it, all end
}

// Points are sums at a time.
type points struct {
	time       float64
	at, weight []float64
}

// add adds a look at a time, at which what is bound away from 0 ends, in standard errors,
// give or take blur.
func (s *stages) add(time, bound, blur float64) {
	root := math.Sqrt(time)
	next := stage{time: time, before: s.last, top: (bound + 5*blur) * root, ended: points{time: time}}
	s.last = points{time: time}
	at := next.before.after(time, next.top)
	for i, x := range at.at {
		ends := 1 - math.Erfc((math.Abs(x)/root-bound)/(blur*math.Sqrt2))/2
		s.last.add(x, at.weight[i]*(1-ends))
		if x > 0 {
			next.ended.add(x, at.weight[i]*ends)
		}
	}
	s.looks = append(s.looks, next)
}

func (p *points) add(at, weight float64) {
	p.at, p.weight = append(p.at, at), append(p.weight, weight)
}

// boundOf is by how many standard errors a comparison ends at a look. Because it divides by
// an estimate of that error, it may end a little nearer to 0 or farther away: the
// standard deviation of that is blur, at least a hundredth.
func boundOf(look Look) (bound, blur float64) {
	nu := float64(look.N - 1)
	lo, hi := 0.0, 1e3
	for range 50 {
		if mid := (lo + hi) / 2; tail(mid, nu) > look.Level {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, max(0.01, lo/math.Sqrt(2*nu))
}

// after are the sums at a later time that are less than top away from 0.
func (p points) after(time, top float64) points {
	next := points{time, make([]float64, gridPoints), make([]float64, gridPoints)}
	width := 2 * top / gridPoints
	dt := time - p.time
	scale := width / math.Sqrt(2*math.Pi*dt)
	for i := range next.at {
		x := -top + (float64(i)+0.5)*width
		sum := 0.0
		for k, w := range p.weight {
			d := x - p.at[k]
			sum += w * math.Exp(-d*d/(2*dt))
		}
		next.at[i], next.weight[i] = x, sum*scale
	}
	return next
}

// chance returns the chance of all points, with a drift.
func (p points) chance(drift float64) float64 {
	sum := 0.0
	for i, w := range p.weight {
		sum += w * math.Exp(drift*p.at[i]-drift*drift*p.time/2)
	}
	return sum
}

// above is the chance that the sum went on to one of the points and is at least x later.
func (p points) above(time, x, drift float64) float64 {
	dt := time - p.time
	sum := 0.0
	for i, w := range p.weight {
		at := p.at[i]
		sum += w * math.Exp(drift*at-drift*drift*p.time/2) * math.Erfc((x-at-drift*dt)/math.Sqrt(2*dt)) / 2
	}
	return sum
}

// chance returns the chance of a result as extreme as to end at z, or above it.
func (s *stages) chance(z, drift float64) float64 {
	sum := s.last.above(1, z, drift)
	for _, look := range s.looks {
		sum += look.ended.chance(drift) + look.before.above(look.time, look.top, drift)
	}
	return sum
}

// drift returns the drift at which the chance is p.
func (s *stages) drift(z, p float64) float64 {
	lo, hi := z-farthest, z+farthest
	for range 18 { // to 1e-4
		if mid := (lo + hi) / 2; s.chance(z, mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
