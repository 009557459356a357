package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A final is what was found after lessgc apply.
type final struct {
	Took   string
	Passed int      // tests, with the race detector and all changes
	Broken []string // those that passed before only
}

// A report is that of lessgc apply, as far as the table needs it.
type report struct {
	Base     string
	Attempts []attempt
	Person   []struct {
		Lever, File string
		Line        int
	}
	Total []row
	Mean  effect
}

// An effect is a change: 0.9 is 10 % less.
type effect struct {
	Word          string
	Ratio, Lo, Hi float64
}

func (e effect) String() string {
	if e.Ratio == 0 {
		return "-"
	}
	if e.Lo == 0 && e.Hi == 0 {
		return percent(e.Ratio)
	}
	return fmt.Sprintf("%s [%s, %s]", percent(e.Ratio), percent(e.Lo), percent(e.Hi))
}

func percent(ratio float64) string { return fmt.Sprintf("%+.1f %%", (ratio-1)*100) }

// passes are the outcomes of rewrites that have passed their tests.
var passes = []string{"kept", "no gain", "worse", "unclear"}

// table prints a row for each module, and writes the scoreboard.
func table(w io.Writer, out string, modules []module) error {
	fmt.Fprintln(w, "module | kind | lines with advice | tried | kept | taken back | tests passed, broken | CPU time of the benchmarks that are touched | best | bytes | took")
	fmt.Fprintln(w, "---|---|---|---|---|---|---|---|---|---|---")
	kept, passed, better := 0, 0, 0
	var board []byte
	for _, m := range modules {
		dir := filepath.Join(out, m.folder())
		r, err := readReport(dir)
		if err != nil {
			return err
		}
		if r == nil {
			fmt.Fprintf(w, "%s | %s | not run\n", m.name(), m.kind)
			continue
		}
		var f final
		if data, err := os.ReadFile(filepath.Join(dir, finalFile)); err == nil {
			if err := json.Unmarshal(data, &f); err != nil {
				return fmt.Errorf("%s: %w", m.name(), err)
			}
		}
		r.row(w, m, f)
		for _, a := range r.Attempts {
			if a.Outcome == "kept" {
				kept++
			}
			if slices.Contains(passes, a.Outcome) {
				passed++
			}
		}
		if r.Mean.Hi > 0 && r.Mean.Hi < 1 {
			better++
		}
		entries, err := entries(dir, m)
		if err != nil {
			return err
		}
		board = append(board, entries...)
	}
	fmt.Fprintf(w, "\n%d of %d rewrites that passed their tests were kept; CPU time of %d of %d modules is less, interval included\n", kept, passed, better, len(modules))
	return os.WriteFile(filepath.Join(out, "board.jsonl"), board, 0o666)
}

func (r *report) row(w io.Writer, m module, f final) {
	advised, back := map[string]bool{}, map[string]int{}
	kept := 0
	for _, a := range r.Attempts {
		advised[fmt.Sprint(a.File, a.Line)] = true
		if a.Outcome == "kept" {
			kept++
			continue
		}
		back[a.Outcome]++
	}
	for _, p := range r.Person {
		advised[fmt.Sprint(p.File, p.Line)] = true
	}
	var reasons []string
	for _, o := range slices.Sorted(maps.Keys(back)) {
		reasons = append(reasons, fmt.Sprintf("%d %s", back[o], o))
	}
	best, bytes := effect{}, effect{}
	logs, n := 0.0, 0
	for _, row := range r.Total {
		if row.CPU.Hi > 0 && (best.Ratio == 0 || row.CPU.Ratio < best.Ratio) {
			best = row.CPU
		}
		if row.Bytes.Ratio > 0 {
			logs += math.Log(row.Bytes.Ratio)
			n++
		}
	}
	if n > 0 {
		bytes.Ratio = math.Exp(logs / float64(n))
	}
	name := m.name()
	if m.unseen {
		name += " (unseen)"
	}
	tests := "-"
	if kept > 0 {
		tests = fmt.Sprintf("%d, %d", f.Passed, len(f.Broken))
	}
	fmt.Fprintf(w, "%s | %s | %d | %d | %d | %s | %s | %s | %s | %s | %s\n", name, m.kind, len(advised), len(r.Attempts), kept,
		cmp.Or(strings.Join(reasons, ", "), "-"), tests, r.Mean, best, bytes, f.Took)
}

// An entry is a line of a scoreboard, as lessgc apply writes it.
type entry struct {
	Time      time.Time `json:"time"`
	Tool      string    `json:"tool,omitempty"`
	Go        string    `json:"go,omitempty"`
	Module    string    `json:"module"`
	Lever     string    `json:"lever"`
	Line      string    `json:"line"`
	Outcome   string    `json:"outcome"`
	Benchmark string    `json:"benchmark,omitempty"`
	Predicted *share    `json:"predicted,omitempty"`
	Measured  *share    `json:"measured,omitempty"`
	Saved     float64   `json:"saved,omitempty"`
	Memory    *share    `json:"memory,omitempty"`
	Freed     *float64  `json:"freed,omitempty"`
	Allocs    string    `json:"allocs,omitempty"`
}

// entries are the lines of a module's scoreboard, with its version in the place of the commit of the copy, and with what settle
// has measured.
func entries(dir string, m module) (all []byte, err error) {
	file := filepath.Join(dir, "board.jsonl")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	settled := map[int]effect{}
	if data, err := os.ReadFile(filepath.Join(dir, settledFile)); err == nil {
		if err := json.Unmarshal(data, &settled); err != nil {
			return nil, err
		}
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var e entry
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields() // they would be lost
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		e.Module = m.name()
		if s := settled[n]; s.Ratio > 0 {
			e.Saved, e.Measured = 1-s.Ratio, &share{1 - s.Hi, 1 - s.Lo}
		}
		text, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		all, n = append(append(all, text...), '\n'), n+1
	}
	return all, nil
}
