package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/timed"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/turns"
)

// A unit lists the cells that run at one time: one, the two of a duet, or all that take turns.
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

// A trialKey is a trial's trialKey in the plan.
type trialKey struct{ round, row, cell int }

// rounds runs the warm-up and the rounds that are not done yet.
func (r *Run) rounds(ctx context.Context) error {
	r.done, r.failures = map[trialKey]bool{}, map[trialKey]int{}
	for _, t := range r.Done {
		r.done[trialKey{t.Round, t.Row, t.Cell}] = true
		r.last = max(r.last, t.Round)
	}
	if err := r.round(ctx, 0); err != nil {
		return err
	}
	if !slices.ContainsFunc(r.Done, func(t session.Trial) bool { return t.Err == "" }) {
		return errors.New("nothing could be measured: every trial of the warm-up failed; the reasons are above")
	}
	if err := r.checkDecide(); err != nil {
		return err
	}
	if r.last == 0 {
		r.correct()
	}
	r.planTurns()
	if err := r.planOrders(ctx); err != nil {
		return err
	}
	if r.config().Adaptive {
		return r.untilClear(ctx)
	}
	for _, took := range r.estimate() {
		r.roundTime += took
	}
	if err := r.planRounds(); err != nil {
		return err
	}
	for round := 1; round <= r.config().Rounds; round++ {
		began := time.Now()
		if err := r.round(ctx, round); err != nil {
			return err
		}
		if took := time.Since(began); took > r.roundTime {
			r.roundTime = (r.roundTime + took) / 2
		}
		if r.overBudget() && round >= max(MinRounds, r.last) && round < r.config().Rounds {
			r.note("the budget of %v ended after %d of %d planned rounds", r.config().Budget, round, r.config().Rounds)
			r.config().Rounds = round
		}
	}
	return nil
}

// checkDecide refuses a unit that is to decide and that no benchmark reports, and notes those that do
// not report it.
func (r *Run) checkDecide() error {
	unit := r.config().Decide
	if unit == "" {
		return nil
	}
	have, without := map[string]bool{}, map[int]bool{}
	for _, t := range r.Done {
		if t.Err != "" {
			continue
		}
		for _, v := range t.Values {
			have[v.Unit] = true
		}
		if !slices.ContainsFunc(t.Values, func(v session.Value) bool { return v.Unit == unit }) {
			without[t.Row] = true
		}
	}
	if !have[unit] {
		return fmt.Errorf("-decide %s: no benchmark reports that unit; they report %s", unit, strings.Join(slices.Sorted(maps.Keys(have)), ", "))
	}
	for row := range r.Dir.Session.Rows {
		if without[row] {
			r.note("%s does not report %s, which decides: it has no verdict", r.Dir.Session.Rows[row].Label, unit)
		}
	}
	return nil
}

// round runs what is not done of one round, 0 being the warm-up.
func (r *Run) round(ctx context.Context, round int) error {
	if round > r.last { // neither the warm-up nor one of an earlier run
		if err := r.nextOrder(ctx); err != nil {
			return err
		}
	}
	s := r.Dir.Session
	rng := rand.New(rand.NewPCG(r.config().Seed, r.salted(round)))
	order, ran, began := 0, false, r.now()
	for _, row := range rng.Perm(len(s.Rows)) {
		if r.paused(row) {
			continue
		}
		units := r.units(s.Rows[row])
		if r.takesTurns(round, row) {
			units = r.oneUnit(row, units)
		}
		whole := r.whole(units, round, row)
		rng.Shuffle(len(units), func(a, b int) { units[a], units[b] = units[b], units[a] })
		for _, u := range units {
			order++
			rng.Shuffle(len(u), func(a, b int) { u[a], u[b] = u[b], u[a] }) // which side of a duet gets which CPU
			if whole || slices.ContainsFunc(u, func(c int) bool { return r.broken(row, c) }) {
				continue
			}
			ran = true
			r.showStep(round, order, s.Rows[row].Label, r.now().Sub(began))
			trials, err := r.runUnit(ctx, round, order, row, u)
			if err != nil {
				return err
			}
			if err := r.keep(trials); err != nil {
				return fmt.Errorf("cannot store what was measured: %w", err)
			}
		}
	}
	r.orders.measured += r.now().Sub(began)
	if ran && round > 0 && !r.Progress.Terminal && !r.config().Adaptive {
		r.Progress.Line("round %d/%d done%s", round, r.config().Rounds, r.left(round))
	}
	return nil
}

// whole reports whether a row is done in a round. If some of its trials are
// missing, because the run was cut off or one of them failed, all are run again:
// only those that run one after the other make pairs.
func (r *Run) whole(units []unit, round, row int) bool {
	for _, u := range units {
		for _, c := range u {
			if !r.done[trialKey{round, row, c}] && !r.broken(row, c) {
				return false
			}
		}
	}
	return true
}

// tries is the number of failures after which a cell is given up for a row: a single one may be bad
// luck.
const tries = 2

func (r *Run) broken(row, cell int) bool { return r.failures[trialKey{0, row, cell}] >= tries }

// keep stores the trials of a unit.
func (r *Run) keep(trials []session.Trial) error {
	if err := r.Dir.Append(trials...); err != nil {
		return err
	}
	r.Done = append(r.Done, trials...)
	for _, t := range trials {
		if t.Err == "" {
			continue
		}
		r.failures[trialKey{0, t.Row, t.Cell}]++
		if err := r.Dir.Save(); err != nil { // with the problem
			return err
		}
	}
	return nil
}

func (r *Run) showStep(round, order int, name string, spent time.Duration) {
	total := r.trialsPerRound()
	if round == 0 {
		r.Progress.Step("warm-up: %d/%d %s", order, total, name)
		return
	}
	if r.config().Adaptive {
		r.Progress.Step("round %d, %s, at most %s left: %s", round, count(r.unclearRows(), "row is not clear yet", "rows are not clear yet"), about(r.timeLeft()), name)
		return
	}
	left := times(r.config().Rounds-round+1, r.roundTime) - spent
	r.Progress.Step("round %d/%d, trial %d/%d, about %s left: %s", round, r.config().Rounds, order, total, about(left), name)
}

func (r *Run) left(round int) string {
	if n := r.config().Rounds - round; n > 0 {
		return ", about " + about(times(n, r.roundTime)) + " left"
	}
	return ""
}

// trialsPerRound counts units: the two of a duet run at one time.
func (r *Run) trialsPerRound() int {
	n := 0
	for _, row := range r.Dir.Session.Rows {
		n += len(r.units(row))
	}
	return n
}

// runUnit runs the cells of a unit at the same time and returns their trials.
// The error ends the run.
func (r *Run) runUnit(ctx context.Context, round, order, row int, u unit) ([]session.Trial, error) {
	trials := r.runTogether(ctx, round, row, u)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range trials {
		t := &trials[i]
		t.Round, t.Order, t.Row, t.Cell, t.Link = round, order, row, u[i], r.orders.inUse
		// A server's words may be long, and figures such as no reader of the results
		// would take.
		t.Err = strings.ToValidUTF8(t.Err[:min(len(t.Err), mostText)], "")
		if err := t.Check(); err != nil {
			*t = session.Trial{Round: round, Order: order, Row: row, Cell: u[i], N: t.N, Start: t.Start, Load: t.Load,
				Err: cmp.Or(t.Err, "its figures are impossible: "+err.Error())}
		}
		if t.Err != "" && r.failures[trialKey{0, row, t.Cell}] == 0 {
			s := r.Dir.Session
			r.problem(s.Cells[t.Cell].ID, s.Rows[row].Label, fmt.Sprintf("%s in %s, %s: %s", s.Rows[row].Label, s.Cells[t.Cell].Name, roundName(round), t.Err), nil)
		}
	}
	return trials, nil
}

// A slot determines where and when a trial runs.
type slot struct {
	cpu   int            // see trial.Command
	turns *turns.Process // nil if it takes no turns
}

// runTogether runs the cells of a unit at once or in turns.
func (r *Run) runTogether(ctx context.Context, round, row int, u unit) []session.Trial {
	if len(u) > 1 && r.takesTurns(round, row) {
		if trials, ok := r.runInTurns(ctx, round, row, u); ok {
			return trials
		}
	}
	trials := make([]session.Trial, len(u))
	run := func(i int, at slot) { trials[i] = r.measure(ctx, row, u[i], r.iterations(round, row, u[i]), at) }
	var all sync.WaitGroup
	for i := range u {
		if r.config().Duet {
			all.Go(func() { run(i, slot{cpu: i + 1}) })
		} else {
			run(i, slot{})
		}
	}
	all.Wait()
	return trials
}

func roundName(round int) string {
	if round == 0 {
		return "warm-up"
	}
	return "round " + strconv.Itoa(round)
}

// iterations returns the number of iterations of a row's trials in a round. Those of the warm-up may
// be short: they only have to touch everything once, and to tell how long an iteration takes in each
// cell.
func (r *Run) iterations(round, row, cell int) int {
	n := r.Dir.Session.Rows[row].Iterations(cell)
	if round == 0 {
		return max(1, n/4)
	}
	return n
}

// muchPrinted describes output that was not read to its end.
func muchPrinted(o trial.Outcome) string {
	const mb = 1 << 20
	return fmt.Sprintf("it printed %d MB to standard output, of which the first and last %d MB are read", (o.Unread+int64(len(o.Stdout)))/mb, len(o.Stdout)/2/mb)
}

// runTrial runs one process and reads its result.
func (r *Run) runTrial(ctx context.Context, rowIndex, cellIndex, n int, at slot) session.Trial {
	s := r.Dir.Session
	row, cell := s.Rows[rowIndex], s.Cells[cellIndex]
	if r.load != nil {
		return r.loadTrial(ctx, rowIndex, cell, n)
	}
	v, b := r.variantOf(cell), r.binaryOf(cell, row).inOrder(cell.AA)
	t := session.Trial{N: n, Start: time.Now(), Turns: at.turns != nil}
	var o trial.Outcome
	var region *timed.Region
	var err error
	if r.config().Exec != "" {
		o, err = r.runProcess(ctx, trial.Command{Path: b.path, Args: r.program.args, Dir: v.dir, Env: r.environ(v), CPU: at.cpu, Count: true})
	} else {
		o, region, err = r.runTimed(ctx, v, b, at, row.Bench[cellIndex], n)
	}
	t.Wall, t.User, t.System, t.RSS, t.GC, t.Load, t.Steal = o.Wall, o.User, o.System, o.PeakRSS, o.GC, o.Load, o.Steal
	t.Instructions = o.Instructions
	if region != nil {
		t.Timed, t.User, t.System, t.Busy = true, region.User, region.System, region.Busy
		t.Instructions = region.Instructions
	}
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
		line, err := result(o.Stdout, strings.TrimPrefix(row.Bench[cellIndex], "Benchmark"), n, r.procs(v))
		if err != nil {
			t.Err = err.Error()
			if o.Unread > 0 {
				t.Err = muchPrinted(o) + ", and there is no result line in it; have it print less"
			}
		}
		t.Values = line.Values
	}
	return t
}
