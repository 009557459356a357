package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/collect"
	"lessgc/cmd/lessgc/internal/rooted"
	"lessgc/cmd/lessgc/internal/session"
)

// profile takes the profiles of each row and cell, if they are asked for; servers under
// load always have some. It comes after the rounds, in runs of its own: profiles and traces
// cost time.
func (r *Run) profile(ctx context.Context) error {
	if r.load == nil && !(r.config().Profiles && r.benchmarks()) {
		return nil
	}
	s := r.Dir.Session
	root := r.Dir.Root
	if err := rooted.FreshDir(root, session.ProfilesDir); err != nil {
		return err
	}
	for row := range s.Rows {
		if !r.comparable(s.Rows[row]) {
			continue
		}
		for c, cell := range s.Cells {
			if cell.AA || s.Rows[row].Bench[c] == "" || r.binaryOf(cell, s.Rows[row]) == nil || r.broken(row, c) {
				continue
			}
			r.Progress.Step("profiles: %s in %s", s.Rows[row].Label, cell.Name)
			dir := filepath.Join(session.ProfilesDir, cell.ID, r.folderName(row))
			if err := root.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			var err error
			if r.load != nil {
				err = r.profileServer(ctx, row, cell, dir)
			} else {
				err = r.profileBenchmark(ctx, row, c, dir)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				r.problem(cell.ID, s.Rows[row].Label, fmt.Sprintf("%s in %s, profiles: %v", s.Rows[row].Label, cell.Name, err), nil)
			}
		}
	}
	path := filepath.Join(r.Dir.Path, session.ProfilesDir)
	if r.load != nil {
		r.note("CPU and allocation profiles, a trace of the runtime and the gctrace lines of each server are in %s; they come from a run of their own", path)
	} else {
		r.note("CPU and allocation profiles of each benchmark are in %s; they come from runs of their own, and lessgc diff %s compares them", path, r.Dir.Path)
	}
	return nil
}

// profileBenchmark runs a benchmark for each kind of profile, as often as in a trial or a
// part of that, and stores the profiles in dir of the results.
func (r *Run) profileBenchmark(ctx context.Context, row, cell int, dir string) error {
	tmp, err := os.MkdirTemp(r.tmp, "profiles-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	s := r.Dir.Session
	v, b := r.variantOf(s.Cells[cell]), r.binaryOf(s.Cells[cell], s.Rows[row])
	for _, kind := range collect.Kinds {
		file := filepath.Join(tmp, kind.File)
		n := max(1, s.Rows[row].Iterations(cell)/kind.Part)
		o, err := r.runBench(ctx, v, b, 0, append(build.Only(s.Rows[row].Bench[cell], fmt.Sprintf("%dx", n)), kind.Args(file)...))
		if err == nil && o.Failed() {
			err = errors.New(o.Reason())
		}
		if err == nil {
			err = collect.NoteOps(file, int64(n))
		}
		if err == nil {
			err = r.store(file, dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// store copies a file to dir of the results.
func (r *Run) store(file, dir string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return rooted.WriteFile(r.Dir.Root, filepath.Join(dir, filepath.Base(file)), data)
}

// folderName names the folder of a row's profiles: its label, as far as a file can
// be called that on any system, and its number where another row has the same.
func (r *Run) folderName(row int) string {
	rows := r.Dir.Session.Rows
	name := fileName(rows[row].Label)
	for i := range row {
		if strings.EqualFold(fileName(rows[i].Label), name) {
			return fmt.Sprintf("%d_%s", row, name)
		}
	}
	return name
}

func fileName(label string) string {
	const most = 100
	name := strings.Map(func(c rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, c) || !unicode.IsPrint(c) {
			return '_'
		}
		return c
	}, strings.ToValidUTF8(label, "_"))
	for len(name) > most {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	if strings.Trim(name, ". ") == "" || !filepath.IsLocal(name) {
		return "_" + name
	}
	return name
}
