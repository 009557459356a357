package verdict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
)

// A fleet is machines of several speeds and noise classes, each with waves, drift, bursts and
// outliers of its own, on which a change shows with its own effect.
type fleet struct {
	machines int
	between  float64 // standard deviation of the effect from machine to machine
	change   float64 // log ratio, on average
	rounds   int     // of each machine; a third of the machines are cut off at random
}

// measure returns the shards, and those of one machine that measures for as long as all of them.
func (f fleet) measure(seed uint64) (parts []Part, alone Part) {
	rng := rand.New(rand.NewPCG(seed, 77))
	noises := []float64{0.02, 0.05, 0.12}
	one := func(i, rounds int) Part {
		h := newHost(rng.Uint64(), noises[rng.IntN(len(noises))], false)
		speed, effect := math.Exp(1.5*rng.Float64()-0.75), f.between*rng.NormFloat64()
		p := shards(rng, 0, several(f.machines, machine{"A", 1, 0, 0, 0}))[i]
		for round := 1; round <= rounds; round++ {
			for _, c := range rng.Perm(len(p.Session.Cells)) {
				seconds := speed * h.factor()
				if c == 1 {
					seconds *= math.Exp(f.change + effect)
				}
				p.Trials = append(p.Trials, session.Trial{Round: round, Cell: c, N: 1000, Timed: true, User: time.Duration(seconds * 1e9)})
			}
		}
		return p
	}
	total := 0
	for i := range f.machines {
		rounds := f.rounds
		if rng.IntN(3) == 0 {
			rounds = 1 + rng.IntN(f.rounds)
		}
		total += rounds
		parts = append(parts, one(i, rounds))
	}
	return parts, one(0, total)
}

// naive returns the intervals that two naive evaluations give: all pairs as if they were of one machine, and all
// trials of the one code against all of the other as if they were of one machine.
func naive(parts []Part) (pairs, trials stats.Interval) {
	var d []float64
	var sides [2][]float64
	for _, p := range parts {
		byRound := map[int]*[2]float64{}
		for _, t := range p.Trials {
			if t.Cell > 1 {
				continue
			}
			if byRound[t.Round] == nil {
				byRound[t.Round] = new([2]float64)
			}
			byRound[t.Round][t.Cell] = math.Log(t.User.Seconds())
		}
		for _, round := range slices.Sorted(mapKeys(byRound)) {
			pair := byRound[round]
			d = append(d, pair[1]-pair[0])
			sides[0], sides[1] = append(sides[0], pair[0]), append(sides[1], pair[1])
		}
	}
	_, pairs = stats.HodgesLehmann(d, 0.95)
	mean, variance := [2]float64{}, 0.0
	for i, x := range sides {
		squares := 0.0
		for _, v := range x {
			mean[i] += v / float64(len(x))
		}
		for _, v := range x {
			squares += (v - mean[i]) * (v - mean[i])
		}
		variance += squares / float64(len(x)-1) / float64(len(x))
	}
	half := 2 * math.Sqrt(variance)
	return pairs, stats.Interval{Lo: mean[1] - mean[0] - half, Hi: mean[1] - mean[0] + half}
}

// TestSimulatedMachines measures how often the interval of several machines holds the truth, how often equals are called
// different, and how often a change of 3 % is called, beside a single machine of the same total time and two naive
// evaluations. The figures of docs and bench/results/spread.md are of -tables 1000.
func TestSimulatedMachines(t *testing.T) {
	for _, machines := range []int{3, 5, 8, 16, 50} {
		if machines == 50 && *tables < 100 || machines != 8 && testing.Short() {
			continue // it takes a while
		}
		for _, between := range []float64{0, 0.01, 0.03} {
			var covered, falseCalls, power, alonePower, aloneCovered, pairsCovered, pairsFalse, trialsPower, expected int
			for seed := range *tables {
				f := fleet{machines, between, math.Log(1.03), 12}
				parts, alone := f.measure(uint64(seed))
				c := cpuOf(t, mustMerge(t, parts))
				holds := func(lo, hi float64) int {
					if lo <= f.change && f.change <= hi {
						return 1
					}
					return 0
				}
				covered += holds(math.Log(c.Lo), math.Log(c.Hi))
				if c.Word == Worse {
					power++
				}
				rng := rand.New(rand.NewPCG(uint64(seed), 78))
				if further := f.change + between*rng.NormFloat64(); math.Log(c.ExpectLo) <= further && further <= math.Log(c.ExpectHi) {
					expected++
				}
				a := cpuOf(t, New(alone.Session, alone.Trials))
				aloneCovered += holds(math.Log(a.Lo), math.Log(a.Hi))
				if a.Word == Worse {
					alonePower++
				}
				p, u := naive(parts)
				pairsCovered += holds(p.Lo, p.Hi)
				if u.Lo > 0 {
					trialsPower++
				}
				f.change = 0
				parts, _ = f.measure(uint64(seed) + 1e6)
				if p, _ := naive(parts); p.Lo > 0 || p.Hi < 0 {
					pairsFalse++
				}
				if c := cpuOf(t, mustMerge(t, parts)); c.Word == Better || c.Word == Worse {
					falseCalls++
				}
			}
			share := func(n int) float64 { return 100 * float64(n) / float64(*tables) }
			t.Logf("%2d machines, %.0f %% between them: interval %.1f, equals called %.1f, +3 %% called %.1f, another machine %.1f | one machine: interval %.1f, +3 %% called %.1f | all pairs as one: interval %.1f, equals called %.1f | all trials as one: +3 %% called %.1f",
				machines, 100*between, share(covered), share(falseCalls), share(power), share(expected), share(aloneCovered), share(alonePower), share(pairsCovered), share(pairsFalse), share(trialsPower))
			n := float64(*tables)
			if spread := 3 * math.Sqrt(0.05*0.95*n); float64(covered) < 0.93*n-spread || float64(falseCalls) > 0.05*n+spread {
				t.Errorf("the interval holds the truth in %.1f %%, equals are called in %.1f %%", share(covered), share(falseCalls))
			}
		}
	}
}

func mustMerge(t testing.TB, parts []Part) *Report {
	t.Helper()
	r, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
