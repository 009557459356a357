package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
)

// A unit is what runs at one time: one cell, or the two of a duet.
type unit []int

// units lists what a row runs in a round.
func (r *Run) units(row session.Row) []unit {
	var all []unit
	if !r.comparable(row) {
		return nil
	}
	cells := r.Dir.Session.Cells
	runs := func(c int) bool { return row.Bench[c] != "" && r.binaryOf(cells[c], row) != nil }
	for c, cell := range cells {
		switch {
		case !runs(c):
		case !r.config().Duet:
			all = append(all, unit{c})
		case cell.Ref >= 0 && runs(cell.Ref):
			all = append(all, unit{cell.Ref, c})
		}
	}
	return all
}

// rounds runs the warm-up and the rounds that are not done yet.
func (r *Run) rounds(ctx context.Context) error {
	done := map[[3]int]bool{} // round, row, cell
	last := 0
	for _, t := range r.Done {
		done[[3]int{t.Round, t.Row, t.Cell}] = t.Err == ""
		last = max(last, t.Round)
	}
	broken := map[[2]int]bool{} // row, cell
	var roundTime time.Duration
	for round := 0; round == 0 || round <= r.config().Rounds || r.config().Rounds == 0; round++ {
		began := time.Now()
		ran, err := r.round(ctx, round, done, broken, roundTime)
		if err != nil {
			return err
		}
		if round == 0 && last == 0 {
			r.correct()
		}
		if round == 0 {
			roundTime = r.estimate()
			if err := r.planRounds(roundTime); err != nil {
				return err
			}
			continue
		}
		if took := time.Since(began); ran && took > roundTime {
			roundTime = (roundTime + took) / 2
		}
		if over := r.overBudget(roundTime); over && round >= MinRounds && round < r.config().Rounds {
			r.note("the budget of %v ended after %d of %d planned rounds", r.config().Budget, round, r.config().Rounds)
			r.config().Rounds = round
		}
	}
	return nil
}

// round runs one round, 0 being the warm-up, and says whether anything had to
// be run.
func (r *Run) round(ctx context.Context, round int, done map[[3]int]bool, broken map[[2]int]bool, roundTime time.Duration) (ran bool, err error) {
	s := r.Dir.Session
	rng := rand.New(rand.NewPCG(r.config().Seed, uint64(round)))
	order, began := 0, time.Now()
	total := 0
	for _, row := range s.Rows {
		total += len(r.units(row))
	}
	for _, i := range rng.Perm(len(s.Rows)) {
		units := r.units(s.Rows[i])
		rng.Shuffle(len(units), func(a, b int) { units[a], units[b] = units[b], units[a] })
		for _, u := range units {
			order++
			if rng.IntN(2) == 0 { // which side of a duet gets which CPU
				slices.Reverse(u)
			}
			if !slices.ContainsFunc(u, func(c int) bool { return !done[[3]int{round, i, c}] && !broken[[2]int{i, c}] }) {
				continue
			}
			if slices.ContainsFunc(u, func(c int) bool { return broken[[2]int{i, c}] }) {
				continue
			}
			ran = true
			r.showStep(round, order, total, s.Rows[i].Label, roundTime, time.Since(began))
			trials, err := r.runUnit(ctx, round, order, i, u)
			if err != nil {
				return ran, err
			}
			for _, t := range trials {
				if err := r.Dir.Append(t); err != nil {
					return ran, fmt.Errorf("cannot store what was measured: %w", err)
				}
				r.Done = append(r.Done, t)
				if t.Err != "" {
					broken[[2]int{i, t.Cell}] = true
					if err := r.Dir.Save(); err != nil { // with the problem
						return ran, fmt.Errorf("cannot store what was measured: %w", err)
					}
				}
			}
		}
	}
	if ran && round > 0 && !r.Progress.Terminal {
		r.Progress.Line("round %d/%d done%s", round, r.config().Rounds, r.left(round, roundTime))
	}
	return ran, nil
}

func (r *Run) showStep(round, order, total int, name string, roundTime, spent time.Duration) {
	if round == 0 {
		r.Progress.Step("warm-up: %d/%d %s", order, total, name)
		return
	}
	left := time.Duration(r.config().Rounds-round+1)*roundTime - spent
	r.Progress.Step("round %d/%d, trial %d/%d, about %s left: %s", round, r.config().Rounds, order, total, about(left), name)
}

func (r *Run) left(round int, roundTime time.Duration) string {
	if n := r.config().Rounds - round; n > 0 {
		return ", about " + about(time.Duration(n)*roundTime) + " left"
	}
	return ""
}

// runUnit runs the cells of a unit at the same time and returns their trials.
// The error ends the run.
func (r *Run) runUnit(ctx context.Context, round, order, row int, u unit) ([]session.Trial, error) {
	trials := make([]session.Trial, len(u))
	var all sync.WaitGroup
	for i, c := range u {
		cpu := 0
		if r.config().Duet {
			cpu = i + 1
		}
		all.Go(func() { trials[i] = r.runTrial(ctx, row, c, cpu) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range trials {
		t := &trials[i]
		t.Round, t.Order, t.Row, t.Cell = round, order, row, u[i]
		if t.Err != "" {
			s := r.Dir.Session
			r.problem(s.Cells[t.Cell].ID, s.Rows[row].Label, fmt.Sprintf("%s in %s, %s: %s", s.Rows[row].Label, s.Cells[t.Cell].Name, roundName(round), t.Err), nil)
		}
	}
	return trials, nil
}

func roundName(round int) string {
	if round == 0 {
		return "warm-up"
	}
	return "round " + strconv.Itoa(round)
}

// runTrial runs one process and reads its result.
func (r *Run) runTrial(ctx context.Context, rowIndex, cellIndex, cpu int) session.Trial {
	s := r.Dir.Session
	row, cell := s.Rows[rowIndex], s.Cells[cellIndex]
	v, b := r.variantOf(cell), r.binaryOf(cell, row)
	t := session.Trial{N: row.N, Start: time.Now()}
	var o trial.Outcome
	var err error
	if r.config().Exec != "" {
		p, _ := parseProgram(s.Dir, r.config().Exec) // buildPrograms has checked it
		o, err = r.runProcess(ctx, trial.Command{Path: b.path, Args: p.args, Dir: v.dir, Env: r.environ(v), CPU: cpu})
	} else {
		o, err = r.runBench(ctx, v, b, cpu, only(row.Bench[cellIndex], strconv.Itoa(row.N)+"x"))
	}
	t.Wall, t.User, t.System, t.RSS, t.GC, t.Load, t.Steal = o.Wall, o.User, o.System, o.PeakRSS, o.GC, o.Load, o.Steal
	switch {
	case err != nil:
		t.Err = err.Error()
	case o.Failed():
		t.Err = o.Reason()
		if f := failures(o.Stdout, r.procs(v)); len(f) > 0 {
			t.Err = f[0].reason
		}
	case r.config().Exec != "":
		t.Values = []session.Value{{Value: o.Wall.Seconds(), Unit: "sec/op"}}
	default:
		line, err := result(o.Stdout, strings.TrimPrefix(row.Bench[cellIndex], "Benchmark"), row.N, r.procs(v))
		if err != nil {
			t.Err = err.Error()
		}
		t.Values = line.Values
	}
	return t
}
