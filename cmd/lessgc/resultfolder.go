package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/watch"
)

// The files of a result folder, besides profiles and what package session writes.
const (
	adviceFile = "advice.json"
	diffFile   = "diff.json"
	pageFile   = "report.html"
	watchFile  = "watch.jsonl"
	traceFile  = "gctrace.txt" // what compare -load keeps of the lines of the collector
)

// checkFolder checks, before anything is measured, whether results can be written to the folder
// that is named: they may not be written over others.
func checkFolder(name string, files ...string) error {
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(name, file)); name != "" && err == nil {
			return fmt.Errorf("%s holds %s, which would be written over; name another folder with -o", name, file)
		}
	}
	return nil
}

// resultFolder makes the folder for results: the one that is named, or a new one.
func resultFolder(name string) (string, error) {
	if name == "" {
		var err error
		if name, err = defaultFolder(time.Now()); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(name, 0o777); err != nil {
		return "", fmt.Errorf("cannot make the result folder: %w; name another with -o", err)
	}
	return name, nil
}

// defaultFolder names a new folder below lessgc-results, which git is told to
// ignore.
func defaultFolder(now time.Time) (string, error) {
	const parent = "lessgc-results"
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", fmt.Errorf("cannot make the result folder: %w; name another with -o", err)
	}
	ignore := filepath.Join(parent, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) { // not through a link that leads nowhere
		if err := os.WriteFile(ignore, []byte("*\n"), 0o666); err != nil {
			return "", err
		}
	}
	name := filepath.Join(parent, now.Format("20060102-150405"))
	for n := 2; ; n++ {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return name, nil
		}
		name = filepath.Join(parent, fmt.Sprintf("%s-%d", now.Format("20060102-150405"), n))
	}
}

// create writes a file.
func create(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// recorded reads what the runtime reported while the profiles in a folder were taken, and how;
// nil if nothing of that is there.
func recorded(dir string) (*watch.Summary, watch.Source, error) {
	recording, err := watch.ReadFile(filepath.Join(dir, watchFile))
	if errors.Is(err, fs.ErrNotExist) {
		trace, err := readTrace(filepath.Join(dir, traceFile))
		return trace, watch.Trace, err
	}
	if err != nil {
		return nil, "", err
	}
	return &recording.Summary, recording.Source, nil
}

// readTrace reads the lines of the collector; nil if there is no such file.
func readTrace(name string) (*watch.Summary, error) {
	f, err := input.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := watch.ReadTrace(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// maxAdvice bounds what advise has said. It has some hundred bytes for each line of code.
const maxAdvice = 64 << 20

// readAdvice reads what advise has said; nil if there is no such file.
func readAdvice(name string) (*advice.Report, error) {
	data, err := input.ReadFile(name, maxAdvice)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head struct{ Format string } // those of other formats may not fit into a Report
	if err := json.Unmarshal(data, &head); err == nil && head.Format != advice.Format {
		return nil, fmt.Errorf("%s is of format %.40q, and this lessgc reads %s; run lessgc advise again", name, head.Format, advice.Format)
	}
	r := new(advice.Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w; run lessgc advise again", name, err)
	}
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w; run lessgc advise again", name, err)
	}
	return r, nil
}
