package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"lessgc/cmd/lessgc/internal/mode"
)

// MaxShards is the largest number of machines that a comparison is spread over.
const MaxShards = 1000

// A Shard is the part of a comparison that one of several machines measures: whole rounds, in an order
// that no other shard has.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Check finds a shard that there cannot be.
func (s Shard) Check() error {
	return errors.Join(between("the number of shards", s.Of, 1, MaxShards), between("the number of the shard", s.Index, 1, max(1, min(s.Of, MaxShards))))
}

// Together returns an error if two sessions are not shards of one comparison: of the same code, built with the
// same toolchains in the same modes, with the same flags. What a machine decides may differ: its number of CPUs, the
// folder, iterations, how many rounds it came to, and which benchmarks it could not run.
func (s *Session) Together(o *Session) error {
	a, b := s.Config, o.Config
	switch {
	case a.Shard == nil || b.Shard == nil:
		return errors.New("one is a shard of a comparison and the other is not")
	case a.Shard.Of != b.Shard.Of:
		return fmt.Errorf("one is of %d shards, the other of %d", a.Shard.Of, b.Shard.Of)
	case a.Shard.Index == b.Shard.Index:
		return fmt.Errorf("both are shard %s; name one of them", a.Shard)
	case a.Seed != b.Seed:
		return fmt.Errorf("they have other seeds, %d and %d, so they are of two comparisons", a.Seed, b.Seed)
	case a.Base != b.Base:
		return fmt.Errorf("they have other base revisions, %.12s and %.12s", a.Base, b.Base)
	case s.Code != o.Code:
		return errors.New("they have measured other code: the source files differ")
	}
	for _, f := range []struct {
		flag string
		x, y any
	}{
		{"packages", a.Packages, b.Packages}, {"-bench", a.Bench, b.Bench}, {"-args", a.Args, b.Args}, {"-exec", a.Exec, b.Exec},
		{"-load", a.LoadSum, b.LoadSum}, {"-mode", comparable(a.Modes), comparable(b.Modes)}, {"-baseline", a.Baseline, b.Baseline}, {"-tests", a.Tests, b.Tests},
		{"-col", a.Column, b.Column}, {"-duet", a.Duet, b.Duet}, {"-relink", a.OneLink, b.OneLink}, {"-trial", a.MinTrial, b.MinTrial},
		{"-margin", a.Margin, b.Margin}, {"-decide", a.Decide, b.Decide}, {"-upgrade", a.Upgrade, b.Upgrade},
	} {
		if !reflect.DeepEqual(f.x, f.y) {
			return fmt.Errorf("they have other flags: %s differs", f.flag)
		}
	}
	if len(s.Cells) != len(o.Cells) {
		return fmt.Errorf("one has %d modes and versions, the other %d", len(s.Cells), len(o.Cells))
	}
	for i, c := range s.Cells {
		d := o.Cells[i]
		if c.ID != d.ID || c.Ref != d.Ref || c.AA != d.AA {
			return fmt.Errorf("one has the cell %.40q where the other has %.40q", c.ID, d.ID)
		}
		if x, y := c.Build, d.Build; c.Err == "" && d.Err == "" && (x.GoVersion != y.GoVersion || x.Experiment != y.Experiment) {
			return fmt.Errorf("mode %.40q was built with %s %s and with %s %s", c.Name, x.GoVersion, x.Experiment, y.GoVersion, y.Experiment)
		}
	}
	return nil
}

// comparable returns modes without the folders of their profiles: they lie elsewhere on another machine.
func comparable(modes []mode.Mode) []mode.Mode {
	modes = slices.Clone(modes)
	for i := range modes {
		modes[i].PGO = filepath.Base(filepath.FromSlash(modes[i].PGO))
	}
	return modes
}
