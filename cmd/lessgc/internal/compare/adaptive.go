package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// adaptive records the rows' progress in rounds that go on until rows are clear.
type adaptive struct {
	began   time.Time       // the rounds
	unclear []bool          // by row, at the last look
	chosen  []bool          // by row: those of them that get the time until the next look
	took    []time.Duration // by row: the duration of a round
	rounds  []int           // by row: the number of rounds
	next    time.Duration   // after began: when the next look is due; 0 for after firstLook rounds
	factor  float64         // ratio of the time of a look to that of the one before
}

// firstLook is after how many rounds of each row verdicts are first asked for. With
// fewer, a benchmark that is now fast and now slow by chance could look clear.
const firstLook = 8

// untilClear runs rounds until CPU time is clear in each row, and what else is asked for
// in Config.Clear, or the time is over. The
// rows are judged at a few looks, at a level that pays for all of them (verdict.Alpha).
// What is clear then is measured no more; of the rest, those get the time that it can
// make clear, by what they need.
func (r *Run) untilClear(ctx context.Context) error {
	s, a := r.Dir.Session, &r.adaptive
	if s.Ended || s.Settled {
		return nil
	}
	a.began = r.now()
	if r.Start.IsZero() {
		r.Start = a.began
		for _, t := range r.Done { // of a run that is resumed with the rest of its time
			if t.Round > 0 {
				r.Start = r.Start.Add(-t.Wall / time.Duration(r.atOnce()))
			}
		}
	}
	r.setUp()
	if err := r.Dir.Save(); err != nil {
		return err
	}
	if r.last > 0 && r.due() {
		r.look()
	}
	for round := r.last + 1; round <= session.MaxRounds && r.unclearRows() > 0; round++ {
		if !a.fit(r.timeLeft()) {
			break
		}
		measured := len(r.Done)
		if err := r.round(ctx, round); err != nil {
			return err
		}
		a.count(r.Done[measured:], r.atOnce())
		if len(r.Done) == measured { // all that is chosen is broken
			break
		}
		if r.due() {
			r.look()
			if err := r.Dir.Save(); err != nil {
				return err
			}
		}
	}
	if s.Settled = r.unclearRows() == 0; s.Settled {
		return r.Dir.Save()
	}
	s.Ended = true
	if r.judge(); r.unclearRows() > 0 {
		r.note("%s were not enough to make %s clear; -time gives more", about(r.config().Budget), count(r.unclearRows(), "row", "rows"))
	}
	return r.Dir.Save()
}

// atOnce returns the number of trials that run at a time.
func (r *Run) atOnce() int {
	if r.config().Duet {
		return 2
	}
	return 1
}

// setUp finds out which rows there is time for: each of them gets MinRounds.
func (r *Run) setUp() {
	s, a := r.Dir.Session, &r.adaptive
	n := len(s.Rows)
	a.unclear, a.chosen, a.rounds = make([]bool, n), make([]bool, n), make([]int, n)
	a.took = r.estimate()
	var order []int // the shortest first
	for row := range s.Rows {
		if len(r.units(s.Rows[row])) > 0 {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(a.took[x], a.took[y]) })
	left, total := r.timeLeft(), time.Duration(0)
	var without []string
	for i, row := range order {
		total += times(MinRounds, a.took[row])
		if total > left && i > 0 && r.last == 0 {
			without = append(without, s.Rows[row].Label)
			clear(s.Rows[row].Bench)
			continue
		}
		a.unclear[row], a.chosen[row] = true, true
	}
	a.count(slices.DeleteFunc(slices.Clone(r.Done), func(t session.Trial) bool { return t.Round == 0 }), r.atOnce())
	if len(without) > 0 {
		r.problem("", "", fmt.Sprintf("-time %v is too short for all: not measured: %s; raise -time, or measure less with -bench or -mode", r.config().Budget, verdict.FirstOf(5, without)), nil)
	}
	perRound := time.Duration(0)
	for row, open := range a.unclear {
		if open {
			perRound += a.took[row]
		}
	}
	most := max(r.timeLeft(), times(MinRounds, perRound))
	r.Progress.Line("rounds of %s in random order (seed %d) until each row is clear: %s at least, %s at most", count(r.trialsPerRound(), "trial", "trials"),
		r.config().Seed, about(min(times(firstLook, perRound), most)), about(most))
}

// count takes note of trials.
func (a *adaptive) count(trials []session.Trial, atOnce int) {
	took, last, rounds := map[int]time.Duration{}, map[int]int{}, map[int]int{}
	for _, t := range trials {
		took[t.Row] += t.Wall / time.Duration(atOnce)
		if t.Round != last[t.Row] {
			last[t.Row] = t.Round
			rounds[t.Row]++
		}
	}
	for row, sum := range took {
		a.took[row] = (a.took[row] + sum/time.Duration(rounds[row])) / 2
		a.rounds[row] += rounds[row]
	}
}

// fit reports whether some row is chosen that there is time for, and takes out the others.
// If none is, the unclear ones that were not chosen have the rest.
func (a *adaptive) fit(left time.Duration) bool {
	tooLong := func(row int) bool { return a.took[row] > left && a.rounds[row] >= MinRounds }
	for range 2 {
		for row := range a.chosen {
			a.chosen[row] = a.chosen[row] && !tooLong(row)
		}
		if slices.Contains(a.chosen, true) {
			return true
		}
		copy(a.chosen, a.unclear)
	}
	return false
}

// paused reports whether a row gets no trials now.
func (r *Run) paused(row int) bool {
	return r.adaptive.chosen != nil && !r.adaptive.chosen[row]
}

// unclearRows counts the rows that are not clear.
func (r *Run) unclearRows() int {
	n := 0
	for _, unclear := range r.adaptive.unclear {
		if unclear {
			n++
		}
	}
	return n
}

func (r *Run) timeLeft() time.Duration {
	return max(0, r.config().Budget-r.now().Sub(r.Start))
}

// due reports whether it is time for a look. After the first they come later and later, so
// that the last is about the end.
func (r *Run) due() bool {
	s, a := r.Dir.Session, &r.adaptive
	for row, chosen := range a.chosen {
		if chosen && a.rounds[row] < firstLook {
			return false
		}
	}
	spent := r.now().Sub(r.Start)
	if len(s.Looked) >= verdict.MostInterim || spent < a.next {
		return false
	}
	if a.next == 0 {
		spent = max(spent, time.Millisecond)
		a.factor = max(1.3, math.Pow(float64(r.config().Budget)/float64(spent), 1/float64(verdict.MostInterim-len(s.Looked))))
	}
	a.next = time.Duration(float64(spent) * a.factor)
	return true
}

// judge finds out which rows are clear. Of the others it returns how many rounds they
// need, and whether some comparison is not likely to become clear at all.
func (r *Run) judge() (needs []int, hopeless []bool) {
	s, a := r.Dir.Session, &r.adaptive
	report := verdict.New(s, r.Done)
	needs, hopeless = make([]int, len(s.Rows)), make([]bool, len(s.Rows))
	clear(a.unclear)
	for _, c := range report.Comparisons {
		m := report.Metrics[c.Metric]
		wanted := m.Name == "cpu" || slices.Contains(s.Config.Clear, m.Name) || slices.Contains(s.Config.Clear, m.Unit)
		if c.Row == verdict.Geomean || !wanted || !report.Cells[c.Cell].Compared() || !c.Open() {
			continue
		}
		if total := upgraded(report, &c); total != nil && total.Word == verdict.Same {
			continue // where nothing has changed, no cause is looked for
		}
		a.unclear[c.Row] = true
		needs[c.Row] = max(needs[c.Row], c.Need)
		hopeless[c.Row] = hopeless[c.Row] || c.Need == 0
	}
	return needs, hopeless
}

// look judges the rows, and chooses those that get the time until the next look.
func (r *Run) look() {
	s, a := r.Dir.Session, &r.adaptive
	s.Looked = append(s.Looked, r.Done[len(r.Done)-1].Round)
	needs, hopeless := r.judge()
	left := r.timeLeft()
	extra := func(row int) time.Duration { return times(max(1, needs[row]-a.rounds[row]), a.took[row]) }
	var order []int // rows that need the least time come first
	for row, unclear := range a.unclear {
		if unclear && !hopeless[row] && extra(row) <= left {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(extra(x), extra(y)) })
	clear(a.chosen)
	total := time.Duration(0)
	for _, row := range order {
		if total += extra(row); total <= left {
			a.chosen[row] = true
		}
	}
	if len(order) == 0 { // nothing is likely to become clear: all have the same chance
		copy(a.chosen, a.unclear)
	}
	if !r.Progress.Terminal {
		measured := r.measuredRows()
		r.Progress.Line("look %d: %d of %d rows are clear after %s, %s left at most", len(s.Looked), measured-r.unclearRows(), measured,
			about(r.now().Sub(a.began)), about(left))
	}
}

// measuredRows counts the rows that there are rounds of.
func (r *Run) measuredRows() int {
	n := 0
	for _, rounds := range r.adaptive.rounds {
		if rounds > 0 {
			n++
		}
	}
	return n
}
