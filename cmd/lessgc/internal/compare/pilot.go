package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
	"lessgc/cmd/lessgc/internal/verdict"
)

// aim is how much longer than the minimum a trial is planned to last, because
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
		tried := map[string]bool{}
		for c, cell := range s.Cells {
			b := r.binaryOf(cell, *row)
			if b == nil || row.Bench[c] == "" || tried[b.path+row.Bench[c]] {
				continue
			}
			tried[b.path+row.Bench[c]] = true
			r.Progress.Step("pilot %d/%d: %s in %s", i+1, len(s.Rows), row.Label, cell.Name)
			seconds, err := r.once(ctx, cell, b, strings.TrimPrefix(row.Bench[c], "Benchmark"))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if errors.Is(err, errNoLoop) {
				r.problem("", row.Label, fmt.Sprintf("%s is left out: %v", row.Label, err), nil)
				clear(row.Bench)
				break
			}
			if err == nil && seconds > 0 {
				row.N = max(row.N, roundUp(aim*r.config().MinTrial.Seconds()/seconds))
			}
		}
		row.N = max(row.N, 1)
	}
	return nil
}

// errNoLoop is about a frequent mistake, which package testing answers by
// raising b.N until it gives up.
var errNoLoop = errors.New("it does not do its work b.N times; write it as for b.Loop() { ... }")

// once measures roughly how long one iteration takes. A benchmark that hides its
// time, as b.ReportMetric(0, "ns/op") does, is timed from outside.
func (r *Run) once(ctx context.Context, c session.Cell, b *binary, name string) (seconds float64, err error) {
	i := slices.IndexFunc(b.names, func(l listed) bool { return l.name == name })
	if cold := b.names[i].seconds; cold >= r.config().MinTrial.Seconds()/5 {
		return cold, nil
	}
	v := r.variantOf(c)
	benchtime := r.config().MinTrial / 10
	o, err := r.runBench(ctx, v, b, 0, only("Benchmark"+name, benchtime.String()))
	if err != nil {
		return 0, err
	}
	line, err := result(o.Stdout, name, 0, r.procs(v))
	if err != nil {
		return 0, err
	}
	seconds = line.Seconds()
	if seconds == 0 {
		return o.Wall.Seconds() / float64(line.N), nil
	}
	const mostN = 1e9 // in package testing
	if line.N >= mostN && seconds*mostN < benchtime.Seconds()/10 {
		return 0, errNoLoop
	}
	return seconds, nil
}

// correct sets the iterations of each row anew, by what the warm-up took in its
// fastest cell: the pilot is short, and knows no settings of the run.
func (r *Run) correct() {
	fastest := map[int]float64{} // by row: seconds per iteration
	for _, t := range r.Done {
		perOp := session.Line{Values: t.Values}.Seconds()
		if old, ok := fastest[t.Row]; t.Round == 0 && perOp > 0 && (!ok || perOp < old) {
			fastest[t.Row] = perOp
		}
	}
	for row, perOp := range fastest {
		if r.benchmarks() {
			r.Dir.Session.Rows[row].N = roundUp(aim * r.config().MinTrial.Seconds() / perOp)
		}
	}
}

// estimate is how long a round will take: the sum of the warm-up's trials, with
// their loops at the corrected length.
func (r *Run) estimate() time.Duration {
	var sum time.Duration
	for _, t := range r.Done {
		if t.Round == 0 {
			more := float64(r.Dir.Session.Rows[t.Row].N - t.N)
			sum += t.Wall + time.Duration(more*session.Line{Values: t.Values}.Seconds()*float64(time.Second)) + 10*time.Millisecond
		}
	}
	if r.config().Duet {
		sum /= 2
	}
	if r.load != nil { // the loops of the warm-up were short
		sum += time.Duration(r.trialsPerRound()) * 2 * (r.config().MinTrial - r.config().MinTrial/4)
	}
	return sum
}

// planRounds settles how many rounds there will be, once it is known how long
// one takes, and says so.
func (r *Run) planRounds() error {
	s, c := r.Dir.Session, r.config()
	claims := verdict.Claims(s)
	need := max(MinRounds, stats.MinRounds(verdict.Alpha(s), claims))
	if c.Budget > 0 {
		fit := r.last + max(0, int((c.Budget-time.Since(r.Start))/max(r.roundTime, time.Millisecond)))
		if fit < MinRounds {
			return fmt.Errorf("-time %v is too short: %d rounds need about %s after %s of preparation; raise -time, or measure less with -bench or -mode",
				c.Budget, MinRounds, about(MinRounds*r.roundTime), about(time.Since(r.Start)))
		}
		if c.Rounds == 0 {
			c.Rounds = maxRounds
		}
		c.Rounds = min(c.Rounds, fit)
	}
	if c.Rounds == 0 {
		c.Rounds = max(DefaultRounds, need)
		if need > DefaultRounds {
			r.note("%d comparisons in one table need %d rounds before any can be called", claims, need)
		}
	}
	if c.Rounds < need {
		text := fmt.Sprintf("%d rounds are too few to call any of %d comparisons better or worse: at least %d are needed", c.Rounds, claims, need)
		r.note("%s", text)
		r.Progress.Line("lessgc: %s", text) // before the time is spent
	}
	left := ""
	if r.last > 0 {
		left = fmt.Sprintf(", from round %d on", r.last)
	}
	r.Progress.Line("%s of %s in random order (seed %d)%s: about %s", count(c.Rounds, "round", "rounds"), count(r.trialsPerRound(), "trial", "trials"),
		c.Seed, left, about(time.Duration(max(0, c.Rounds-max(0, r.last-1)))*r.roundTime))
	return r.Dir.Save()
}

func (r *Run) overBudget() bool {
	return r.config().Budget > 0 && time.Since(r.Start)+r.roundTime > r.config().Budget
}

// roundUp rounds a count of iterations up to three digits.
func roundUp(n float64) int {
	unit := 1.0
	for n/unit >= 1000 {
		unit *= 10
	}
	whole := float64(int(n / unit))
	if whole*unit < n {
		whole++
	}
	return max(1, int(whole*unit))
}
