package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// showFiles are files that compare and report write besides those in the result folder.
type showFiles struct {
	badge   string
	junit   string
	history string
}

var showFileNames = []string{"badge", "junit", "history"}

func (f *showFiles) register(fs *flag.FlagSet) {
	fs.StringVar(&f.badge, "badge", "", "also write the answer to a new `FILE`, as JSON for an endpoint badge of shields.io")
	fs.StringVar(&f.junit, "junit", "", "also write a new `FILE` of JUnit XML: a test for each row, failed where -fail-on holds, skipped where it is unclear")
	fs.StringVar(&f.history, "history", "", "append the run as a line to `FILE`, once; report without a folder shows the course of the runs in it")
}

// any reports whether a file is named.
func (f *showFiles) any() bool { return f.badge+f.junit+f.history != "" }

// check finds, before anything is measured, what cannot be written afterwards.
func (f *showFiles) check() error {
	names := map[string]bool{}
	for _, name := range []string{f.badge, f.junit, f.history} {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		if name != "" && names[path] {
			return fmt.Errorf("%s is named twice; name a file for each flag", name)
		}
		names[path] = true
	}
	for _, name := range []string{f.badge, f.junit} {
		if name == "" {
			continue
		}
		if err := mustBeNew(name); err != nil {
			return err
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return fmt.Errorf("cannot write %s: there is no folder %s; make it", name, filepath.Dir(name))
		}
	}
	if f.history != "" {
		return history.Check(f.history)
	}
	return nil
}

func mustBeNew(name string) error {
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists already; name another file, or remove it", name)
	}
	return nil
}

// write writes the files. Each is tried, whatever became of the others.
func (f *showFiles) write(e *env, r *verdict.Report, met []render.Met, dir *session.Dir) error {
	var errs []error
	add := func(flag, name, what string, err error) {
		switch {
		case err != nil && dir != nil:
			errs = append(errs, fmt.Errorf("cannot write %s: %w; what was measured is kept, try again with: lessgc report -%s %s %s", what, err, flag, name, dir.Path))
		case err != nil:
			errs = append(errs, fmt.Errorf("cannot write %s: %w", what, err))
		}
	}
	if f.badge != "" {
		add("badge", f.badge, "the badge", createNew(f.badge, func(w io.Writer) error { return render.Badge(w, r) }))
	}
	if f.junit != "" {
		add("junit", f.junit, "the JUnit XML", createNew(f.junit, func(w io.Writer) error { return render.JUnit(w, r, met) }))
	}
	if f.history != "" {
		add("history", f.history, "the history", e.remember(f.history, r))
	}
	return errors.Join(errs...)
}

// remember appends a run to a history.
func (e *env) remember(name string, r *verdict.Report) error {
	run, err := history.NewRun(r)
	if err != nil {
		return err
	}
	added, repaired, err := history.Append(name, run)
	if repaired != "" {
		fmt.Fprintf(e.stderr, "note: %s\n", visible.All(repaired, visible.Terminal))
	}
	if err == nil && !added {
		fmt.Fprintf(e.stderr, "note: %s has this run already\n", visible.All(name, visible.Terminal))
	}
	return err
}

// createNew writes a file that is not there yet, whole or not at all.
func createNew(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if err := mustBeNew(name); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(b.Bytes())
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(name)
	}
	return err
}

// course shows the history of -history, and writes a page and a table for Otava if they have names.
func (e *env) course(f showFlags, write bool, page, otava string, command []string) int {
	if write || f.plot || f.md || len(f.failOn) > 0 || f.files.badge != "" || f.files.junit != "" {
		return e.fail(errors.New("-write, -plot, -markdown, -fail-on, -badge and -junit are for a folder; a history goes with -json, -html and -otava"))
	}
	for _, name := range []string{page, otava} {
		if name == "" {
			continue
		}
		if err := mustBeNew(name); err != nil {
			return e.fail(err)
		}
	}
	h, err := history.Read(f.files.history)
	if err != nil {
		return e.fail(err)
	}
	c, err := h.Course()
	if err != nil {
		return e.fail(err)
	}
	if len(c.Runs) == 0 {
		return e.fail(fmt.Errorf("%s holds no runs; append some with: lessgc report -history %[1]s DIR", f.files.history))
	}
	if page != "" {
		if err := createNew(page, func(w io.Writer) error { return render.CourseHTML(w, c, command) }); err != nil {
			return e.fail(fmt.Errorf("cannot write the page: %w", err))
		}
	}
	if otava != "" {
		if err := createNew(otava, func(w io.Writer) error { return render.OtavaCSV(w, c) }); err != nil {
			return e.fail(fmt.Errorf("cannot write the table: %w", err))
		}
	}
	if f.json {
		err = render.CourseJSON(e.stdout, c)
	} else {
		err = e.text().Course(e.stdout, c)
	}
	if err != nil {
		return e.fail(err)
	}
	if page != "" {
		fmt.Fprintf(e.stderr, "report: %s\n", page)
	}
	if otava != "" {
		fmt.Fprintf(e.stderr, "table: %s\n", otava)
	}
	return exitClean
}
