package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// aim is the ratio of the planned length of a trial to the minimum. It is above 1 because
// trials vary.
const aim = 1.05

// pilot finds the iterations of each row: so many that a trial of its fastest
// binary lasts the minimum.
func (r *Run) pilot(ctx context.Context) error {
	s := r.Dir.Session
	if r.load != nil {
		return r.loadPilot(ctx)
	}
	if !r.benchmarks() {
		return nil
	}
	r.Progress.Line("pilot: how many iterations make a trial of %v", r.config().MinTrial)
	for i := range s.Rows {
		row := &s.Rows[i]
		if !r.comparable(*row) {
			continue
		}
		took := map[string]float64{} // seconds per iteration, by binary and benchmark
		perCell := make([]float64, len(s.Cells))
		for c, cell := range s.Cells {
			b := r.binaryOf(cell, *row)
			if b == nil || row.Bench[c] == "" {
				continue
			}
			key := b.path + row.Bench[c]
			if seconds, tried := took[key]; tried {
				perCell[c] = seconds
				continue
			}
			r.Progress.Step("pilot %d/%d: %s in %s", i+1, len(s.Rows), row.Label, cell.Name)
			seconds, err := r.once(ctx, cell, b, strings.TrimPrefix(row.Bench[c], "Benchmark"), r.config().MinTrial/10)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if errors.Is(err, errNoLoop) {
				r.problem("", row.Label, fmt.Sprintf("%s is left out: %v", row.Label, err), nil)
				clear(row.Bench)
				break
			}
			if err != nil {
				seconds = 0
			}
			took[key], perCell[c] = seconds, seconds
		}
		if err := r.lookAgain(ctx, i, perCell); err != nil {
			return err
		}
		r.settle(i, perCell)
	}
	return nil
}

// lookAgain measures cells that seem much slower than the fastest for as long as a trial
// lasts: what a benchmark does once, such as the first allocation of an arena, may be all
// that the pilot saw of them. It does so twice, because a busy machine makes slow, and
// takes the faster.
func (r *Run) lookAgain(ctx context.Context, index int, perCell []float64) error {
	s := r.Dir.Session
	row := s.Rows[index]
	limit := muchSlower * fastest(perCell)
	again := map[string]float64{}
	for c, cell := range s.Cells {
		b := r.binaryOf(cell, row)
		if b == nil || row.Bench[c] == "" || !(perCell[c] > limit) || perCell[c] > r.config().MinTrial.Seconds() {
			continue
		}
		key := b.path + row.Bench[c]
		seconds, tried := again[key]
		if !tried {
			seconds = perCell[c]
			for range 2 {
				took, err := r.once(ctx, cell, b, strings.TrimPrefix(row.Bench[c], "Benchmark"), r.config().MinTrial)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err == nil && took > 0 {
					seconds = min(seconds, took)
				}
				if seconds <= limit {
					break
				}
			}
			again[key] = seconds
		}
		perCell[c] = seconds
	}
	return nil
}

// fastest is the least of some times, of which 0 is unknown; +Inf if all are.
func fastest(times []float64) float64 {
	least := math.Inf(1)
	for _, t := range times {
		if t > 0 {
			least = min(least, t)
		}
	}
	return least
}

// muchSlower is the ratio to the fastest cell's time of an iteration above which a cell
// gets fewer iterations than the others.
const muchSlower = 4

// settle sets the iterations of a row by how long one takes in each cell, in seconds; 0
// is for unknown. They are the same in all cells, so that what a benchmark does once
// counts the same, but where a trial would last more than four times what it has to.
func (r *Run) settle(index int, perCell []float64) {
	s := r.Dir.Session
	row := &s.Rows[index]
	perCell = slices.Clone(perCell)
	for c, cell := range s.Cells { // an A/A cell is its reference once more
		if ref := cell.Ref; cell.AA && ref >= 0 {
			perCell[ref] = max(perCell[ref], perCell[c])
			perCell[c] = perCell[ref]
		}
	}
	least := fastest(perCell)
	enough := func(seconds float64) int { return roundUp(aim * r.config().MinTrial.Seconds() / seconds) }
	row.N, row.Fewer = max(row.N, 1), nil
	if math.IsInf(least, 1) {
		return
	}
	row.N = enough(least)
	for c, seconds := range perCell {
		if seconds <= muchSlower*least {
			continue
		}
		if row.Fewer == nil {
			row.Fewer = make([]int, len(s.Cells))
		}
		row.Fewer[c] = enough(seconds)
	}
}

// errNoLoop is about a frequent mistake, which package testing answers by
// raising b.N until it gives up.
var errNoLoop = errors.New("it does not do its work b.N times; write it as for b.Loop() { ... }")

// leastIteration is less than any iteration takes on one processor, in seconds: half a cycle of the fastest.
const leastIteration = 1e-10

// mostIterations is how far package testing raises b.N.
const mostIterations = 1e9

// once measures roughly how long one iteration takes. A benchmark that hides its
// time, as b.ReportMetric(0, "ns/op") does, is timed from outside. One that took much longer than it was
// asked to, or takes next to nothing, is measured up to three times, and the least counts: work that is
// done once and was interrupted looks like that.
func (r *Run) once(ctx context.Context, c session.Cell, b *binary, name string, benchtime time.Duration) (seconds float64, err error) {
	i := slices.IndexFunc(b.names, func(l listed) bool { return l.name == name })
	if cold := b.names[i].seconds; cold >= 2*benchtime.Seconds() {
		return cold, nil
	}
	v := r.variantOf(c)
	seconds = math.Inf(1)
	for range 3 {
		o, err := r.runBench(ctx, v, b, 0, build.Only("Benchmark"+name, benchtime.String()))
		if err != nil {
			return 0, err
		}
		line, err := result(o.Stdout, name, 0, r.procs(v))
		if err != nil {
			return 0, err
		}
		took := line.Seconds()
		if took == 0 {
			took = o.Wall.Seconds() / float64(line.N)
		}
		if line.N >= mostIterations && took < leastIteration/float64(max(1, r.procs(v))) {
			return 0, errNoLoop
		}
		seconds = min(seconds, took)
		if took > 20*leastIteration && (line.N == 1 || took*float64(line.N) < 2*benchtime.Seconds()) {
			break
		}
	}
	return seconds, nil
}

// correct sets the iterations of each row anew, by what the warm-up took in its
// fastest cell: the pilot is short, and knows no settings of the run.
func (r *Run) correct() {
	if !r.benchmarks() {
		return
	}
	s := r.Dir.Session
	warmUps := map[int][]session.Trial{} // by row
	for _, t := range r.Done {
		if t.Round == 0 {
			warmUps[t.Row] = append(warmUps[t.Row], t)
		}
	}
	var fewer []string
	for row := range s.Rows {
		perCell := make([]float64, len(s.Cells)) // seconds per iteration
		cpu := make([]float64, len(s.Cells))
		for _, t := range warmUps[row] {
			perCell[t.Cell] = session.Line{Values: t.Values}.Seconds()
			cpu[t.Cell] = (t.User + t.System).Seconds() / float64(max(t.N, 1))
		}
		limit, cpuLimit := muchSlower*fastest(perCell), muchSlower*fastest(cpu)
		for _, t := range warmUps[row] {
			// A warm-up that was shorter than a trial does not tell that a cell is slow:
			// see lookAgain. Nor does the clock alone, on a busy machine.
			perOp := &perCell[t.Cell]
			short := *perOp*float64(t.N) < r.config().MinTrial.Seconds()
			if (short || cpu[t.Cell] < cpuLimit) && s.Rows[row].Iterations(t.Cell) == s.Rows[row].N {
				*perOp = min(*perOp, limit)
			}
		}
		if !math.IsInf(fastest(perCell), 1) {
			r.settle(row, perCell)
		}
		if s.Rows[row].Fewer != nil {
			fewer = append(fewer, s.Rows[row].Label)
		}
	}
	if len(fewer) > 0 {
		r.note("fewer iterations make a trial where one takes more than %d times as long as in another cell: %s", muchSlower, verdict.FirstOf(5, fewer))
	}
}

// estimate returns the expected duration of each row in a round: the sum of the warm-up's
// trials, with their loops at the corrected length.
func (r *Run) estimate() []time.Duration {
	seconds := make([]float64, len(r.Dir.Session.Rows))
	for _, t := range r.Done {
		if t.Round == 0 {
			more := float64(r.Dir.Session.Rows[t.Row].Iterations(t.Cell) - t.N)
			seconds[t.Row] += t.Wall.Seconds() + more*session.Line{Values: t.Values}.Seconds() + 0.01
		}
	}
	took := make([]time.Duration, len(seconds))
	for row, sum := range seconds {
		if r.config().Duet {
			sum /= 2
		}
		if r.load != nil { // the loops of the warm-up were short
			sum += float64(len(r.units(r.Dir.Session.Rows[row]))) * 2 * (r.config().MinTrial - r.config().MinTrial/4).Seconds()
		}
		took[row] = time.Duration(min(sum, session.MaxDuration.Seconds()) * float64(time.Second))
	}
	return took
}

// times is n times d, as far as it makes sense: earlier trials may have taken as
// long as they say.
func times(n int, d time.Duration) time.Duration {
	return time.Duration(min(float64(n)*float64(d), float64(session.MaxDuration)))
}

// planRounds settles how many rounds there will be of those that were asked for, once it
// is known how long one takes, and says so.
func (r *Run) planRounds() error {
	c := r.config()
	if c.Budget > 0 && !r.Start.IsZero() {
		fit := max(MinRounds, r.last+max(0, int((c.Budget-time.Since(r.Start))/max(r.roundTime, time.Millisecond))))
		if fit < c.Rounds {
			r.note("-time %v has room for %d of %d rounds", c.Budget, fit, c.Rounds)
			c.Rounds = fit
		}
	}
	left := ""
	if r.last > 0 {
		left = fmt.Sprintf(", from round %d on", r.last)
	}
	r.Progress.Line("%s of %s in random order (seed %d)%s: about %s", count(c.Rounds, "round", "rounds"), count(r.trialsPerRound(), "trial", "trials"),
		c.Seed, left, about(times(max(0, c.Rounds-max(0, r.last-1)), r.roundTime)))
	return r.Dir.Save()
}

func (r *Run) overBudget() bool {
	return r.config().Budget > 0 && !r.Start.IsZero() && time.Since(r.Start)+r.roundTime > r.config().Budget
}

// roundUp rounds a count of iterations up to three digits.
func roundUp(n float64) int {
	n = min(n, 1e15, math.MaxInt/2) // an iteration may take no time at all
	unit := 1.0
	for n/unit >= 1000 {
		unit *= 10
	}
	whole := math.Floor(n / unit)
	if whole*unit < n {
		whole++
	}
	return max(1, int(whole*unit))
}
