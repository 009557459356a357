package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lessgc/cmd/lessgc/internal/session"
)

// statesOf are the two states that the arguments name: each one, or both a folder of
// lessgc compare that has profiles of one comparison.
func statesOf(args []string) ([]string, error) {
	if len(args) == 2 {
		return args, nil
	}
	if len(args) == 1 {
		if s, _, err := session.Read(args[0]); err == nil {
			return onlyComparison(args[0], s)
		}
	}
	return nil, errors.New("name two states: lessgc diff BEFORE AFTER; lessgc diff -h has examples")
}

// onlyComparison finds the two folders of profiles that belong together, if those are all.
func onlyComparison(dir string, s *session.Session) ([]string, error) {
	var first []string
	n := 0
	for _, c := range s.Cells {
		if c.AA || c.Ref < 0 {
			continue
		}
		folder := func(c session.Cell) string { return filepath.Join(dir, session.ProfilesDir, c.ID) }
		rows, _ := os.ReadDir(folder(c)) // there may be none
		for _, row := range rows {
			before := filepath.Join(folder(s.Cells[c.Ref]), row.Name())
			if info, err := os.Stat(before); err != nil || !info.IsDir() {
				continue
			}
			if n++; n == 1 {
				first = []string{before, filepath.Join(folder(c), row.Name())}
			}
		}
	}
	switch {
	case n == 0:
		return nil, noProfiles(dir, s)
	case n > 1:
		return nil, fmt.Errorf("%s has profiles of %d comparisons: name the folders of one, such as lessgc diff %s %s", dir, n, first[0], first[1])
	}
	return first, nil
}

// compared explains why a folder of lessgc compare has no profiles.
func compared(dir string, err error) error {
	if more, _ := filepath.Glob(filepath.Join(dir, session.ProfilesDir, "*", "*", "*.pprof")); len(more) > 0 {
		return fmt.Errorf("%s is of lessgc compare: name the folder of one mode and one benchmark or request in it, such as %s", dir, filepath.Dir(more[0]))
	}
	if s, _, none := session.Read(dir); none == nil {
		return noProfiles(dir, s)
	}
	return err
}

func noProfiles(dir string, s *session.Session) error {
	if s.Config.Exec != "" {
		return fmt.Errorf("%s is of lessgc compare -exec, which takes no profiles; lessgc report %s reads it", dir, dir)
	}
	return fmt.Errorf("%s is of lessgc compare, without profiles: take them by lessgc compare -resume %s -profiles; lessgc report %s reads it", dir, dir, dir)
}
