package collect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/coverage"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/prof"
)

// The files of a folder with profiles. Those of lessgc compare have the first two of
// these names too.
const (
	cpuFile    = "cpu.pprof"
	allocsFile = "allocs.pprof"
	liveFile   = "live.pprof"

	coverageFile = "coverage.out"
)

// Write writes the profiles into a folder, which is there, each to a file of its own.
func Write(dir string, p *prof.Set) error {
	for name, profile := range map[string]*prof.Profile{cpuFile: p.CPU, allocsFile: p.Allocs, liveFile: p.Live} {
		if profile == nil {
			continue
		}
		if err := write(filepath.Join(dir, name), profile); err != nil {
			return err
		}
	}
	if p.Coverage == nil {
		return nil
	}
	f, err := os.Create(filepath.Join(dir, coverageFile))
	if err != nil {
		return err
	}
	return errors.Join(p.Coverage.Write(f), f.Close())
}

func write(name string, p *prof.Profile) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(p.Write(f), f.Close())
}

// readRegular reads a profile found in a folder: the file may be of any kind.
func readRegular(r *prof.Reader, name string) (*prof.Profile, error) {
	f, err := input.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return r.ReadOpen(f)
}

// ErrNoProfiles is about a folder without any.
var ErrNoProfiles = errors.New("holds no profiles (*.pprof, *.pb.gz, *.prof)")

// Folder reads the profiles that Write wrote into a folder, or else all files in it whose
// names end as those of profiles do.
func Folder(dir string) (*prof.Set, error) {
	var names []string
	for _, pattern := range []string{"*.pprof", "*.pb.gz", "*.prof"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	live := filepath.Join(dir, liveFile)
	names = slices.DeleteFunc(names, func(name string) bool { return name == live })
	if len(names) == 0 {
		return nil, fmt.Errorf("%s %w", dir, ErrNoProfiles)
	}
	var all []*prof.Profile
	var notes []string
	var r prof.Reader
	for _, name := range names {
		p, err := readRegular(&r, name)
		switch {
		case errors.Is(err, prof.ErrNoSamples): // nobody has named it
			notes = append(notes, err.Error())
		case err != nil:
			return nil, err
		default:
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, errors.New(strings.Join(notes, "; "))
	}
	out, err := sum(all)
	if err != nil {
		return nil, err
	}
	out.Notes = notes
	out.Live, err = readRegular(&r, live)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	out.Coverage, err = coverage.ReadFile(filepath.Join(dir, coverageFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		out.Notes = append(out.Notes, fmt.Sprintf("what was executed how often is not known: %v", err))
	}
	warn(out)
	return out, nil
}
