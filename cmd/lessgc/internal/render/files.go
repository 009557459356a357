package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/rooted"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// Files writes every rendering of r into the folder root, and nothing outside of
// it, and replaces older ones:
//
//	report.html    for people
//	report.json    everything, for programs: a verdict.Report
//	results.csv    one row per benchmark, mode and metric
//	summary.txt    every mode against its baseline, as benchstat would show it
//	upgrade.csv    of compare -upgrade: one row per benchmark, metric and change
//	tsv/*.tsv      one table per benchmark and metric: a line per mode
func Files(root *os.Root, r *verdict.Report) error {
	if err := rooted.FreshDir(root, tsvDir); err != nil {
		return err
	}
	type file struct {
		name  string
		write func(io.Writer, *verdict.Report) error
	}
	files := []file{{"report.html", HTML}, {"report.json", JSON}, {"results.csv", CSV}, {"summary.txt", Summary}}
	if r.Upgrade != nil {
		files = append(files, file{"upgrade.csv", UpgradeCSV})
	}
	for _, f := range files {
		var b bytes.Buffer
		if err := f.write(&b, r); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := rooted.WriteFile(root, f.name, b.Bytes()); err != nil {
			return err
		}
	}
	return writeTSVs(root, r)
}

const tsvDir = "tsv"

// JSON writes the whole report, with all names as they are: a program that reads it
// gets back what was measured. Characters that a terminal would obey are written by escapes.
func JSON(w io.Writer, r *verdict.Report) error { return indented(w, r) }

func indented(w io.Writer, r any) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	_, err = w.Write(append(visible.JSON(data), '\n'))
	return err
}

// fileName makes a name for a file of a benchmark's name, as published
// comparisons have it: size=256/clones=8 becomes size256_clones8.
func fileName(s string) string {
	s = strings.ReplaceAll(s, "=", "")
	return strings.Trim(regexp.MustCompile(`[^a-zA-Z0-9.-]+`).ReplaceAllString(s, "_"), "_.")
}

// writeTSVs writes one file per benchmark and metric: a line per cell with its
// median and all its trials in order of rounds.
func writeTSVs(root *os.Root, r *verdict.Report) error {
	names := r // of files
	r = tabular(r)
	for m, metric := range r.Metrics {
		for row := range r.Rows {
			var b strings.Builder
			fmt.Fprintf(&b, "mode\tmedian %s\tratio\tlow\thigh\tverdict\ttrials\n", metric.Unit)
			any := false
			for c, cell := range r.Cells {
				v := value(r, row, c, m)
				if v == nil {
					continue
				}
				any = true
				fmt.Fprintf(&b, "%s\t%g\t%s\t%s\n", cell.Name, v.Median, tsvComparison(find(r, row, c, m)), join(v.Trials))
			}
			if !any {
				continue
			}
			first, last := fileName(names.Rows[row].Name), fileName(names.Metrics[m].Name)
			if len(last) > 40 { // a unit of the benchmark's own
				last = fmt.Sprintf("%s_%d", last[:40], m)
			}
			name := first + "_" + last + ".tsv"
			if len(name) > 200 {
				name = fmt.Sprintf("%s_%d_%s.tsv", first[:150], row, last)
			}
			file := filepath.Join(tsvDir, name)
			if _, err := root.Lstat(file); err == nil { // two packages with the same benchmark
				file = filepath.Join(tsvDir, fmt.Sprintf("%d_%s", row, name))
			}
			if err := rooted.WriteFile(root, file, []byte(b.String())); err != nil {
				return err
			}
		}
	}
	return nil
}

func tsvComparison(x *verdict.Comparison) string {
	switch {
	case x == nil:
		return "\t\t\t"
	case !x.Bounded:
		return fmt.Sprintf("%.4f\t\t\t%s", x.Ratio, x.Word)
	}
	return fmt.Sprintf("%.4f\t%.4f\t%.4f\t%s", x.Ratio, x.Lo, x.Hi, x.Word)
}

func join(values []float64) string {
	var words []string
	for _, v := range values {
		words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(words, " ")
}
