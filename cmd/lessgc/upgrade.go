package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
)

// setUpgrade makes the modes of -upgrade.
func (f *compareFlags) setUpgrade(ctx context.Context, c *session.Config) error {
	if err := f.upgradeFits(); err != nil {
		return err
	}
	dir := "."
	if c.Load != "" {
		dir = filepath.Dir(c.Load)
	}
	m := mode.Mode{}
	if f.tags != "" {
		m.Tags = strings.Split(f.tags, ",")
	}
	plan, modes, err := upgrade.Find(ctx, build.Go, dir, f.upgrade, m)
	if err != nil {
		return err
	}
	c.Upgrade, c.Modes, c.Baseline = plan, modes, plan.From
	return nil
}

// upgradeFits refuses what makes other cells than an upgrade has.
func (f *compareFlags) upgradeFits() error {
	for _, other := range []struct {
		given     bool
		name, why string
	}{
		{f.base != "", "-base", "it compares two code versions; run the two comparisons one after the other"},
		{len(f.modes) > 0, "-mode", "it makes the modes itself; settings that all of them are to have stand in the environment, as GOGC=200 or GOFLAGS"},
		{f.baseline != "", "-baseline", "the baseline is the toolchain in use here"},
		{f.column != "", "-col", "it compares by a key of benchmark names; run the two comparisons one after the other"},
	} {
		if other.given {
			return fmt.Errorf("-upgrade does not go with %s: %s", other.name, other.why)
		}
	}
	buildable, err := compare.Buildable(f.exec)
	switch {
	case f.exec == "":
		return nil
	case err != nil:
		return err
	case !buildable:
		return errors.New("-upgrade builds with two toolchains, and the program of -exec is built already; name its Go package in -exec")
	}
	return nil
}
