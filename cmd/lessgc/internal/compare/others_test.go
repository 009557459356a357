package compare

import (
	"io"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aclements/go-moremath/stats"

	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/verdict"
)

// The same machine time, spent otherwise: this package is compared with a fixed number of
// rounds of half a second, as many as there is time for, and with ten runs of each side
// under a U test, as benchstat does it, in turn and one side after the other. A run lasts
// as long as go test lets it, with as much again for finding its iterations. The machine's
// waves and drift are hard on the U test, which does not know of pairs.
func TestSimulatedOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("it simulates hundreds of comparisons")
	}
	const budget, trial = 2 * time.Minute, 200 * time.Millisecond
	type count struct{ fixed, inTurn, inRow int }
	called := map[float64]map[float64]count{}
	for _, sd := range []float64{0.02, 0.08, 0.2} {
		called[sd] = map[float64]count{}
		for _, effect := range []float64{1, 1.03, 1.05, 1.1} {
			var n count
			for seed := range *tables {
				if word := fixedRounds(t, uint64(seed), sd, budget, effect); word == verdict.Worse || word == verdict.Better {
					n.fixed++
				}
				if uTest(uint64(seed), sd, budget, effect, true) {
					n.inTurn++
				}
				if uTest(uint64(seed), sd, budget, effect, false) {
					n.inRow++
				}
			}
			called[sd][effect] = n
			share := func(k int) float64 { return 100 * float64(k) / float64(*tables) }
			t.Logf("noise %v, %+.0f %%: called in %5.1f %% by a fixed number of rounds, %5.1f %% by ten runs in turn, %5.1f %% by ten after ten",
				sd, 100*(effect-1), share(n.fixed), share(n.inTurn), share(n.inRow))
		}
	}
	// What is equal is not called in turn, and it is one after the other, because the machine changes.
	for sd, n := range called {
		most := float64(*tables) / 20
		if most += 2*math.Sqrt(most) + 1; float64(n[1].inTurn) > most || float64(n[1].fixed) > most {
			t.Errorf("noise %v: equals are called in %d of %d by runs in turn, in %d by rounds", sd, n[1].inTurn, *tables, n[1].fixed)
		}
	}
	if n := called[0.02][1].inRow; 10*n < *tables {
		t.Errorf("equals are called in %d of %d by ten runs after ten: this machine has no drift", n, *tables)
	}
}

// average is a trial of several times the length of one that has noise sd.
func (m *machine) average(times int) float64 {
	sum := 0.0
	for range times {
		sum += m.factor() / float64(times)
	}
	return sum
}

// fixedRounds is the word of as many rounds of half a second as fit into a time.
func fixedRounds(t testing.TB, seed uint64, sd float64, budget time.Duration, effect float64) verdict.Word {
	const trial = 500 * time.Millisecond
	r, m := simulation(t, seed, sd, effect)
	defer r.Dir.Close()
	c := r.config()
	c.Adaptive, c.MinTrial, c.Rounds = false, trial, int(budget/(3*(trial+20*time.Millisecond)))
	r.Progress = &progress.Printer{W: io.Discard}
	r.measure = m.trials(trial, []float64{effect}, func() float64 { return (m.factor() + m.factor() + m.factor()/2) / 2.5 })
	if err := r.rounds(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, x := range verdict.New(r.Dir.Session, r.Done).Comparisons {
		if x.Cell == 1 && x.Word != "" {
			return x.Word
		}
	}
	return ""
}

// uTest reports whether two sides of ten runs each differ by the Mann-Whitney U test at 5 %.
func uTest(seed uint64, sd float64, budget time.Duration, effect float64, inTurn bool) bool {
	const runs = 10
	m := &machine{rng: rand.New(rand.NewPCG(seed, 8)), sd: sd}
	m.wave = 2 * math.Pi * m.rng.Float64()
	times := int(budget / (2 * runs) / (200 * time.Millisecond))
	var x [2][]float64
	for i := range 2 * runs {
		side := i / runs
		if inTurn {
			side = i % 2
		}
		m.average(times / 2) // finds the number of iterations
		took := m.average(times / 2)
		if side == 1 {
			took *= effect
		}
		x[side] = append(x[side], took)
	}
	u, err := stats.MannWhitneyUTest(x[0], x[1], stats.LocationDiffers)
	return err == nil && u.P < 0.05
}
