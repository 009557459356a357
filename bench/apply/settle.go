package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"lessgc/bench/internal/vetting"
)

// A share is an interval of shares of CPU time.
type share struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

func (s share) width() float64 { return s.Hi - s.Lo }

// A row is what was measured of a benchmark.
type row struct {
	Package, Name string
	Predicted     *share
	CPU, Bytes    effect
}

// An attempt is a change that was tried.
type attempt struct {
	Lever, File, Outcome, Why, Commit, Diff string
	Line                                    int
	Rows                                    []row
}

// most is the row with the largest prediction, which the scoreboard is about; nil if nothing was predicted.
func (a *attempt) most() (most *row) {
	for i := range a.Rows {
		if x := &a.Rows[i]; x.Predicted != nil && x.CPU.Hi > 0 && (most == nil || x.Predicted.Hi > most.Predicted.Hi) {
			most = x
		}
	}
	return most
}

// settledFile holds, by place among the attempts, what was measured once more: of those that lessgc apply measured less
// precisely than it predicted, alone and for longer. What is kept does not rest on it.
const settledFile = "settled.json"

// A comparer compares a change with the commit that it was made of, in one benchmark, for a duration.
type comparer func(ctx context.Context, tool, source, before string, a attempt, x *row, each time.Duration) (effect, error)

// settle measures the predictions of a module that are narrower than their measurements, each for a duration.
func settle(ctx context.Context, tool, dir string, each time.Duration, again comparer) error {
	r, err := readReport(dir)
	if err != nil || r == nil {
		return err
	}
	file := filepath.Join(dir, settledFile)
	settled := map[int]effect{}
	if data, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(data, &settled); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	parent := r.Base
	for i, a := range r.Attempts {
		before := parent
		parent = cmp.Or(a.Commit, parent)
		x := a.most()
		if x == nil || settled[i].Ratio > 0 || x.CPU.Hi-x.CPU.Lo <= x.Predicted.width() {
			continue
		}
		start := time.Now()
		e, err := again(ctx, tool, filepath.Join(dir, "source"), before, a, x, each)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			log.Printf("%s at %s:%d: %v", a.Lever, a.File, a.Line, err)
			continue
		}
		log.Printf("%s at %s:%d in %s: %v was %v, predicted to save %.1f to %.1f %%; %.0f s", a.Lever, a.File, a.Line, x.Name, e, x.CPU, 100*x.Predicted.Lo, 100*x.Predicted.Hi, time.Since(start).Seconds())
		settled[i] = e
		data, err := json.Marshal(settled)
		if err == nil {
			err = os.WriteFile(file, data, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare is the comparer that measures.
func compare(ctx context.Context, tool, source, before string, a attempt, x *row, each time.Duration) (e effect, err error) {
	tree, remove, err := checkout(ctx, source, cmp.Or(a.Commit, before))
	if err != nil {
		return e, err
	}
	defer remove()
	beside := filepath.Dir(tree)
	if a.Commit == "" {
		patch := filepath.Join(beside, "patch")
		if err := os.WriteFile(patch, []byte(strings.TrimSuffix(a.Diff, "\n")+"\n"), 0o666); err != nil {
			return e, err
		}
		if _, err := vetting.Output(ctx, tree, nil, "git", "apply", patch); err != nil {
			return e, err
		}
	}
	parts := strings.Split("Benchmark"+x.Name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	out, err := vetting.Output(ctx, tree, environ, tool, "compare", "-base", before, "-bench", strings.Join(parts, "/"),
		"-rounds", "1000", "-time", each.String(), "-o", filepath.Join(beside, "results"), "-json", x.Package)
	if err != nil {
		return e, err
	}
	return cpu(out, x.Name)
}

// cpu is the CPU time of a row in the report of a comparison.
func cpu(report []byte, name string) (e effect, err error) {
	var r struct {
		Cells       []struct{ AA bool }
		Rows        []struct{ Name string }
		Metrics     []struct{ Name string }
		Comparisons []struct {
			Row, Cell, Metric int
			Bounded           bool
			Word              string
			Ratio, Lo, Hi     float64
		}
	}
	if err := json.Unmarshal(report, &r); err != nil {
		return e, err
	}
	for _, c := range r.Comparisons {
		if c.Row >= 0 && r.Rows[c.Row].Name == name && !r.Cells[c.Cell].AA && r.Metrics[c.Metric].Name == "cpu" && c.Bounded {
			return effect{c.Word, c.Ratio, c.Lo, c.Hi}, nil
		}
	}
	return e, errors.New("the comparison has no interval")
}

// readReport reads the report of lessgc apply; nil if there is none.
func readReport(dir string) (*report, error) {
	file := filepath.Join(dir, "results", "report.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}
