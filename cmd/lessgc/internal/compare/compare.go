// Package compare runs `lessgc compare`: it builds code in several
// modes, runs the cells round by round in random order, and stores every trial.
// What the numbers mean is left to package verdict.
//
// The protocol is randomised multiple interleaved trials (Abedi and
// Brecht, "Conducting Repeatable Experiments in Highly Variable Cloud Computing
// Environments", ICPE 2017): all binaries are built first; one warm-up round is
// thrown away; then, in each round, every benchmark in random order and for
// each every cell in random order, one process per trial, at an iteration count
// that is the same for all cells that are about as fast. So the trials that are compared lie seconds
// apart, and a machine that slows down slows all cells alike.
package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/load"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/scratch"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/session"
)

// MinRounds is the smallest number of rounds that Run accepts: with fewer
// pairs, no two-sided signed-rank test can reach 5 %.
const MinRounds = 6

// DefaultTime is for how long rounds go on when the user names neither rounds nor a time,
// if something is not clear: that of the rounds, without what comes before them.
const DefaultTime = 5 * time.Minute

// A Run is one comparison while it is being measured.
type Run struct {
	Dir      *session.Dir
	Done     []session.Trial // from an earlier run that is resumed
	Progress *progress.Printer
	Start    time.Time // when the budget began; zero if it begins with the rounds

	tmp      string
	variants []*variant
	worktree *build.Worktree
	program  program // of -exec or a load
	load     *load.Spec
	calls    []*load.Call // by row

	// For who looks at a server under load: see UnderLoad.
	addProbe    func(replace map[string]string, pkg string) error
	environment []string // further variables of the next server

	overlays map[string]overlay // by GOROOT: for timed regions

	done      map[trialKey]bool
	failures  map[trialKey]int // of round 0: in how many rounds it failed
	last      int              // round that Done ends with
	roundTime time.Duration    // how long a round takes, about
	adaptive  adaptive         // of rounds that go on until rows are clear
	inTurns   []time.Duration  // by row: for how long a process is waited for; 0 if its trials take no turns
	orders    orders           // in which binaries that differ have their functions

	// For simulations.
	now     func() time.Time
	measure func(ctx context.Context, row, cell, n int, at slot) session.Trial

	daemonsMu sync.Mutex
	daemons   []string // names of processes that outlived the one measured, see noteLeft
}

// Measure builds, plans and runs whatever the session's Config asks for and is
// not done. The session then holds the plan and all problems; the trials are in
// the result directory and in Done.
//
// The error is about something that ends the whole run: a context that is
// done, a result directory that cannot be written, or nothing left to compare.
// A failure of one cell or one benchmark becomes a Problem, and the rest goes
// on.
func (r *Run) Measure(ctx context.Context) (err error) {
	tmp, err := scratch.New(os.Getenv("GOTMPDIR"), build.ForgetWorktrees)
	if err != nil {
		return fmt.Errorf("cannot make a temporary folder: %w; set TMPDIR to another", err)
	}
	defer tmp.Remove()
	r.tmp = tmp.Path
	ctx = build.WithTemp(ctx, r.tmp)
	defer r.removeWorktree()

	r.now, r.measure = time.Now, r.runTrial
	s := r.Dir.Session
	old := planOf(s)
	s.Problems, s.Notes = nil, nil
	s.Host.NoCounter = noCounter()
	for _, name := range []string{"GOEXPERIMENT", "GOGC", "GOMEMLIMIT", "GODEBUG"} {
		if value := os.Getenv(name); value != "" {
			r.note("%s=%s stands in the environment, and holds in every mode that does not set its own", name, value)
		}
	}
	if err := r.readLoad(); err != nil {
		return err
	}
	if err := r.buildAll(ctx); err != nil {
		return err
	}
	if err := r.noteCode(ctx); err != nil {
		return err
	}
	if err := r.layOut(ctx); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	if err := r.leaveOutUntouched(ctx); err != nil {
		return err
	}
	if err := r.resolveLoad(ctx); err != nil {
		return err
	}
	if len(old.rows) > 0 {
		if err := old.same(s); err != nil {
			return err
		}
		old.apply(s)
	} else if err := r.pilot(ctx); err != nil {
		return err
	} else if err := r.check(); err != nil { // the pilot may have left rows out
		return err
	}
	for _, note := range s.Config.Upgrade.Notes() {
		r.note("%s", note)
	}
	r.noteRates()
	if err := r.Dir.Save(); err != nil {
		return err
	}
	if err := r.rounds(ctx); err != nil {
		return err
	}
	if err := r.profile(ctx); err != nil {
		return err
	}
	r.noteAllLeft()
	if latest := session.Latest(r.Done); len(latest) < len(r.Done) {
		r.Done = latest
		if err := r.Dir.Rewrite(latest); err != nil {
			return err
		}
	}
	return r.Dir.Save()
}

func (r *Run) config() *session.Config { return &r.Dir.Session.Config }

// What a problem may take in the results: a benchmark may print gigabytes.
const (
	mostProblems = 300
	mostText     = 2 << 10
	mostDetail   = 16 << 10
)

func (r *Run) problem(cell, row, text string, err error) {
	detail := ""
	if e := new(build.Error); errors.As(err, &e) {
		detail = strings.TrimSpace(e.Output)
	}
	if r.load != nil { // a server may say back what it was sent
		text, detail = secret.Blank(text, r.load.Secrets()...), secret.Blank(detail, r.load.Secrets()...)
	}
	text = strings.ToValidUTF8(text[:min(len(text), mostText)], "")
	detail = strings.ToValidUTF8(detail[:min(len(detail), mostDetail)], "")
	if slices.ContainsFunc(r.Dir.Session.Problems, func(p session.Problem) bool { return p.Text == text }) {
		return
	}
	if n := len(r.Dir.Session.Problems); n >= mostProblems {
		if n > mostProblems {
			return
		}
		cell, row, text, detail = "", "", fmt.Sprintf("there are more than %d problems; the others are not listed", mostProblems), ""
	}
	r.Dir.Session.Problems = append(r.Dir.Session.Problems, session.Problem{Cell: cell, Row: row, Text: text, Detail: detail})
	r.Progress.Line("lessgc: %s", text)
}

func (r *Run) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.Dir.Session.Notes, text) {
		r.Dir.Session.Notes = append(r.Dir.Session.Notes, text)
	}
}

func (r *Run) removeWorktree() {
	if r.worktree != nil {
		r.worktree.Remove()
	}
}

// check refuses a plan in which nothing can be compared.
func (r *Run) check() error {
	s := r.Dir.Session
	if err := r.checkUpgrade(); err != nil {
		return err
	}
	built := slices.ContainsFunc(s.Cells, func(c session.Cell) bool {
		return c.Ref >= 0 && !c.AA && c.Err == "" && s.Cells[c.Ref].Err == ""
	})
	if !built {
		return errors.New("nothing to compare: fewer than two modes could be built; the reasons are above")
	}
	if !slices.ContainsFunc(s.Rows, r.comparable) {
		return errors.New("nothing to compare: no benchmark is in two of the cells that are compared")
	}
	return nil
}

// comparable reports whether some cell has the row and its reference too.
func (r *Run) comparable(row session.Row) bool {
	for i, c := range r.Dir.Session.Cells {
		if c.Ref >= 0 && !c.AA && row.Bench[i] != "" && row.Bench[c.Ref] != "" {
			return true
		}
	}
	return false
}

// A plan holds what must not change between two runs into one directory.
type plan struct {
	cells    []session.Cell
	rows     []session.Row
	problems []session.Problem
}

func planOf(s *session.Session) plan {
	return plan{slices.Clone(s.Cells), slices.Clone(s.Rows), slices.Clone(s.Problems)}
}

// apply takes over what the pilot found out: iterations, and which rows cannot
// be measured.
func (p plan) apply(s *session.Session) {
	for i := range s.Rows {
		row := &s.Rows[i]
		row.N, row.Fewer = p.rows[i].N, p.rows[i].Fewer
		if slices.ContainsFunc(p.rows[i].Bench, func(name string) bool { return name != "" }) {
			continue
		}
		clear(row.Bench)
		for _, problem := range p.problems {
			if problem.Row == row.Label {
				s.Problems = append(s.Problems, problem)
			}
		}
	}
}

// same reports whether the trials of an earlier run were made by the same code.
// The binary of a base revision holds the path of its checkout, so there the
// commit, which is part of the configuration, stands for it.
func (p plan) same(s *session.Session) error {
	const advice = "start a new comparison without -resume"
	if len(p.cells) != len(s.Cells) || len(p.rows) != len(s.Rows) {
		return errors.New("the benchmarks or modes are not those of the earlier run; " + advice)
	}
	for i, c := range s.Cells {
		if was := p.cells[i]; c.ID != was.ID || c.Version != "base" && c.Build.SHA256 != was.Build.SHA256 {
			return fmt.Errorf("the code in mode %s is not what the earlier run measured; %s", c.Name, advice)
		}
	}
	for i, row := range s.Rows {
		if row.Package != p.rows[i].Package || row.Name != p.rows[i].Name {
			return fmt.Errorf("benchmark %s was not part of the earlier run; %s", row.Label, advice)
		}
	}
	return nil
}

// Procs returns the GOMAXPROCS of trials when the user names no number.
func Procs(duet bool) int {
	if duet {
		return 1
	}
	return runtime.NumCPU()
}
