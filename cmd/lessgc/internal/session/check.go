package session

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/mode"
)

// Bounds of what a plan asks for and of what a trial may say.
const (
	// MaxRounds is the largest number of a round. Intervals take memory by the
	// square of it.
	MaxRounds = 2000

	// MaxDuration is the longest time that a flag or a file may name.
	MaxDuration = 365 * 24 * time.Hour

	// MaxProcs is the largest GOMAXPROCS.
	MaxProcs = 1 << 16

	maxTrial  = 24 * time.Hour    // Config.MinTrial
	maxCPU    = 100 * MaxDuration // of one process
	maxLooks  = 1000
	maxN      = 1e15
	maxCells  = 1000
	maxPlaces = 100_000 // rows by cells
	maxNotes  = 1000
	maxValues = 1000 // of one trial
	maxUnits  = 1000 // of all trials
	maxBytes  = 1 << 60
	maxIDSize = 200

	maxInstructions = 1 << 60 // of one process

	// A metric outside of these would make ratios infinite, or zero.
	maxMagnitude, minMagnitude = 1e100, 1e-100
)

// measurable reports whether a metric can be compared.
func measurable(f float64) bool {
	size := math.Abs(f)
	return f == 0 || size >= minMagnitude && size <= maxMagnitude // false for NaN
}

// between is the error about a number outside of a range.
func between[T cmp.Ordered](name string, x, least, most T) error {
	if x >= least && x <= most { // false for NaN
		return nil
	}
	return fmt.Errorf("%s is %v, which is not between %v and %v", name, x, least, most)
}

// cellID matches what a file of a cell may be called.
var cellID = regexp.MustCompile(`^[a-zA-Z0-9._=+,-]+$`)

// check finds what a reader of the plan cannot work with.
func (s *Session) check() error {
	if len(s.Cells) > maxCells || len(s.Rows) > maxPlaces || len(s.Cells)*len(s.Rows) > maxPlaces {
		return fmt.Errorf("%d rows in %d cells are more than lessgc can judge", len(s.Rows), len(s.Cells))
	}
	c := s.Config
	err := cmp.Or(
		between("host.numCPU", s.Host.NumCPU, 0, 1<<20),
		between("host.memory", s.Host.Memory, 0, maxBytes),
		between("host.limit", s.Host.Limit, 0, maxBytes),
		between("host.cores", s.Host.Cores, 0, 1<<20),
		between("host.quota", s.Host.Quota, 0, 1<<20),
		between("host.load", s.Host.Load, -1, 1e9),
		between("rounds", c.Rounds, 0, MaxRounds),
		between("budget", c.Budget, 0, MaxDuration),
		between("trial", c.MinTrial, 0, maxTrial),
		between("timeout", c.Timeout, 0, MaxDuration),
		between("procs", c.Procs, 0, MaxProcs),
		between("margin", c.Margin, 0, 1),
		between("looks", c.Looks, 0, maxLooks),
		between("the number of looks before the end", len(s.Looked), 0, maxLooks),
		between("the number of metrics to be clear", len(c.Clear), 0, maxLooks),
		between("the number of notes", len(s.Notes), 0, maxNotes),
		between("the number of modes", len(c.Modes), 0, maxCells),
		c.Upgrade.Check(nil),
	)
	if err == nil && c.Shard != nil {
		err = c.Shard.Check()
	}
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for i, cell := range s.Cells {
		switch {
		case !cellID.MatchString(cell.ID), !filepath.IsLocal(cell.ID), cell.ID == ".", len(cell.ID) > maxIDSize:
			return fmt.Errorf("the id %.40q of cell %d is not fit for a file name", cell.ID, i)
		case ids[cell.ID]:
			return fmt.Errorf("two cells have the id %q", cell.ID)
		case cell.Ref < -1 || cell.Ref >= len(s.Cells) || cell.Ref == i:
			return fmt.Errorf("cell %d refers to cell %d, which it cannot be compared with", i, cell.Ref)
		}
		ids[cell.ID] = true
	}
	for i, row := range s.Rows {
		if len(row.Bench) != len(s.Cells) {
			return fmt.Errorf("row %d has %d benchmarks for %d cells", i, len(row.Bench), len(s.Cells))
		}
		if err := between(fmt.Sprintf("n of row %d", i), int64(row.N), 0, maxN); err != nil {
			return err
		}
		if row.Same != nil && len(row.Same) != len(s.Cells) {
			return fmt.Errorf("row %d has %d binaries that are the same for %d cells", i, len(row.Same), len(s.Cells))
		}
		if row.Fewer != nil && len(row.Fewer) != len(s.Cells) {
			return fmt.Errorf("row %d has %d counts of iterations for %d cells", i, len(row.Fewer), len(s.Cells))
		}
		for _, n := range row.Fewer {
			if err := between(fmt.Sprintf("fewer of row %d", i), int64(n), 0, maxN); err != nil {
				return err
			}
		}
	}
	return nil
}

// fullHash matches the hash of a git commit.
var fullHash = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// resumable finds what a plan lacks that is to be run.
func (s *Session) resumable() error {
	c := s.Config
	if !filepath.IsAbs(s.Dir) {
		return fmt.Errorf("dir is %.40q, which is not the path of a folder", s.Dir)
	}
	if err := c.CheckBounds(); err != nil {
		return err
	}
	if len(c.Modes) == 0 {
		return errors.New("there are no modes")
	}
	for _, m := range c.Modes {
		if err := m.Check(); err != nil {
			return fmt.Errorf("mode %.40q: %w", m.Name, err)
		}
	}
	if name := mode.Duplicate(c.Modes); name != "" {
		return fmt.Errorf("two modes are called %q", name)
	}
	if !slices.ContainsFunc(c.Modes, func(m mode.Mode) bool { return m.Name == c.Baseline }) {
		return fmt.Errorf("baseline is %.40q, which is not one of the modes", c.Baseline)
	}
	if err := c.checkUpgrade(); err != nil {
		return err
	}
	switch {
	case c.Base != "" && !fullHash.MatchString(c.Base):
		return fmt.Errorf("base is %.40q, which is not the hash of a commit", c.Base)
	case !slices.Contains([]string{"", "new", "base", "own"}, c.Tests):
		return fmt.Errorf("tests is %.40q; want new, base or own", c.Tests)
	case c.Duet && (c.Base == "" || c.Procs != 1 || c.Column != "" || len(c.Modes) != 1):
		return errors.New("duet is set, and the rest is not that of a duet")
	case c.Exec != "" && c.Load != "":
		return errors.New("exec and load are both set")
	case c.Load != "" && !filepath.IsAbs(c.Load):
		return fmt.Errorf("load is %.40q, which is not the path of a file", c.Load)
	case len(c.Decide) > maxIDSize || strings.ContainsFunc(c.Decide, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return fmt.Errorf("decide is %.40q, not a unit", c.Decide)
	case strings.Contains(s.Dir+c.Load+c.Exec+strings.Join(c.Packages, ""), "\x00"):
		return errors.New("a path has a zero byte")
	}
	return between("procs", c.Procs, 1, MaxProcs)
}

// checkUpgrade finds an upgrade that is not about the modes, the baseline of which is the
// old toolchain.
func (c Config) checkUpgrade() error {
	if c.Upgrade == nil {
		return nil
	}
	var names []string
	for _, m := range c.Modes {
		names = append(names, m.Name)
	}
	if err := c.Upgrade.Check(names); err != nil {
		return err
	}
	if c.Baseline != c.Upgrade.From || c.Base != "" || c.Column != "" || c.Duet {
		return errors.New("upgrade is set, and the rest is not that of an upgrade")
	}
	return nil
}

// CheckBounds finds times and numbers of rounds that no run can have. The error
// begins with the name of the flag.
func (c Config) CheckBounds() error {
	return cmp.Or(
		between("trial", c.MinTrial, 1, maxTrial),
		between("timeout", c.Timeout, c.MinTrial, MaxDuration),
		between("time", c.Budget, 0, MaxDuration),
		between("rounds", c.Rounds, 0, MaxRounds),
	)
}

// Check finds figures that no process can have had, and that Read refuses.
func (t Trial) Check() error {
	err := cmp.Or(
		between("round", t.Round, 0, MaxRounds),
		between("order", t.Order, 0, math.MaxInt32),
		between("n", int64(t.N), 0, maxN),
		between("link", t.Link, 0, MaxRounds),
		between("wall", t.Wall, 0, MaxDuration),
		between("user", t.User, 0, maxCPU),
		between("system", t.System, 0, maxCPU),
		between("busy", t.Busy, 0, maxCPU),
		between("instructions", t.Instructions, 0, maxInstructions),
		between("rss", t.RSS, 0, maxBytes),
		between("load", t.Load, -1, 1e9),
		between("steal", t.Steal, -1, 1),
		between("gc.cycles", t.GC.Cycles, 0, math.MaxInt32),
		between("gc.forced", t.GC.Forced, 0, math.MaxInt32),
		between("gc.unread", t.GC.Unread, 0, math.MaxInt32),
		between("gc.cpu", t.GC.CPU, 0, maxCPU),
		between("gc.idleCPU", t.GC.IdleCPU, 0, maxCPU),
		between("gc.stopped", t.GC.Stopped, 0, MaxDuration),
		between("gc.maxPause", t.GC.MaxPause, 0, MaxDuration),
		between("gc.heapGoal", t.GC.HeapGoal, 0, maxBytes),
		between("the number of values", len(t.Values), 0, maxValues),
	)
	if err != nil {
		return err
	}
	for _, v := range t.Values {
		if !measurable(v.Value) {
			return fmt.Errorf("the value %g of %.40q cannot be compared", v.Value, v.Unit)
		}
	}
	return nil
}
