package compare

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/turns"
)

// plainEvery is the interval, in rounds, at which trials run one after the other: these rounds give
// the times for which the world was stopped.
const plainEvery = 8

// mostInTurns limits the memory of the processes that take turns, all together, in bytes: the
// working set of each is to stay in the last-level cache while the others run.
const mostInTurns = 64 << 20

// mostCollecting is the largest share of CPU time that a trial in turns may collect. The
// collector goes by the clock and beside the program: stops, and one CPU for all, make it
// another. With 20 % of collecting, a difference of +57 % became +28 %.
const mostCollecting = 0.01

// leastInTurns is the shortest trial that takes turns: a shorter one has hardly any.
const leastInTurns = 5 * turns.Slice

// takesTurns reports whether the trials of a row take turns in a round.
func (r *Run) takesTurns(round, row int) bool {
	return len(r.inTurns) > 0 && r.inTurns[row] > 0 && round%plainEvery != 1
}

// planTurns finds the rows whose trials can take turns, by what the warm-up was like.
func (r *Run) planTurns() {
	s := r.Dir.Session
	if !trial.CanPin || !r.benchmarks() || r.config().Duet || r.config().NoTurns {
		return
	}
	r.inTurns = make([]time.Duration, len(s.Rows))
	warmUps := make([][]session.Trial, len(s.Rows))
	for _, t := range r.Done {
		if t.Round == 0 && t.Err == "" {
			warmUps[t.Row] = append(warmUps[t.Row], t)
		}
	}
	for row, trials := range warmUps {
		var memory int64
		var longest time.Duration
		all, most := len(trials) > 1, 0.0
		for _, t := range trials {
			computes, ok := stoppable(t)
			all, most = all && ok, max(most, computes)
			memory += t.RSS
			longest = max(longest, t.Wall)
		}
		if all && most > 0.6 && memory <= mostInTurns {
			r.inTurns[row] = time.Second + 2*longest
		}
	}
}

// stoppable reports whether a trial can be stopped now and then without being another
// one: it hardly collects, its goroutines do not contend, and it reports no figures of its
// own, such as latencies, which would have the stops in them. Whether it waits for something is seen
// only by the part of its time in which it computes, which is small on a busy machine, too.
func stoppable(t session.Trial) (computes float64, ok bool) {
	plain := []string{"sec/op", "B/op", "allocs/op", "B/s"}
	if slices.ContainsFunc(t.Values, func(v session.Value) bool { return !slices.Contains(plain, v.Unit) }) {
		return 0, false
	}
	wall := session.Line{Values: t.Values}.Seconds() * float64(t.N)
	cpu := (t.User + t.System).Seconds()
	if !t.Timed || wall < leastInTurns.Seconds() || cpu > 1.3*wall || t.GC.CPU.Seconds() > mostCollecting*cpu {
		return 0, false
	}
	return cpu / wall, true
}

// oneUnit is a unit of all that take turns.
func (r *Run) oneUnit(row int, units []unit) []unit {
	all := slices.Concat(units...)
	all = slices.DeleteFunc(all, func(c int) bool { return r.broken(row, c) })
	if len(all) < 2 {
		return units
	}
	return []unit{all}
}

// runInTurns runs the cells of a unit in turns. If one fails, they run one after the
// other from then on: they may need what only one process can have.
func (r *Run) runInTurns(ctx context.Context, round, row int, u unit) (trials []session.Trial, ok bool) {
	var all []*turns.Process
	defer func() {
		for _, p := range all {
			p.Close()
		}
	}()
	for range u {
		p, err := turns.New(r.tmp)
		if err != nil {
			r.noTurns(row, err.Error())
			return nil, false
		}
		all = append(all, p)
	}
	// One CPU for all: another may be faster or slower.
	cpu := 1 + int((r.config().Seed+uint64(round))%uint64(runtime.NumCPU()))
	trials = make([]session.Trial, len(u))
	err := turns.Run(all, r.inTurns[row], func(i int) {
		trials[i] = r.measure(ctx, row, u[i], r.iterations(round, row, u[i]), slot{cpu, all[i]})
	})
	if ctx.Err() != nil {
		return trials, true
	}
	if err != nil {
		r.noTurns(row, err.Error())
		return nil, false
	}
	for i := range trials {
		if trials[i].Err != "" {
			r.noTurns(row, trials[i].Err)
			return nil, false
		}
		trials[i].Wall = max(0, trials[i].Wall-all[i].Stopped())
	}
	return trials, true
}

func (r *Run) noTurns(row int, why string) {
	r.inTurns[row] = 0
	r.note("%s runs one process after the other, not in turns: %s", r.Dir.Session.Rows[row].Label, fmt.Sprintf("%.200s", why))
}
