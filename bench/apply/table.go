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
)

// A final is what was found after lessgc apply.
type final struct {
	Took   string
	Passed int      // tests, with the race detector and all changes
	Broken []string // those that passed before only
}

// A report is that of lessgc apply, as far as the table needs it.
type report struct {
	Attempts []struct {
		Lever, File, Outcome, Why string
		Line                      int
	}
	Person []struct {
		Lever, File string
		Line        int
	}
	Total []struct {
		Package, Name string
		CPU, Bytes    effect
	}
	Mean effect
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
		data, err := os.ReadFile(filepath.Join(dir, "results", "report.json"))
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(w, "%s | %s | not run\n", m.name(), m.kind)
			continue
		}
		if err != nil {
			return err
		}
		var r report
		if err := json.Unmarshal(data, &r); err != nil {
			return fmt.Errorf("%s: %w", m.name(), err)
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
		entries, err := entries(filepath.Join(dir, "board.jsonl"), m)
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

// entries are the lines of a module's scoreboard, with its version in the place of the commit of the copy.
func entries(file string, m module) (all []byte, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(data)) {
		var e struct{ Module string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		old, err := json.Marshal(e.Module)
		if err != nil {
			return nil, err
		}
		name, err := json.Marshal(m.name())
		if err != nil {
			return nil, err
		}
		all = append(all, strings.Replace(line, `"module":`+string(old), `"module":`+string(name), 1)...)
	}
	return all, nil
}
