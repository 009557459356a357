package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
)

// Files writes every rendering of r into the folder dir and replaces older
// ones:
//
//	report.html    for people
//	report.json    everything, for programs: a verdict.Report
//	results.csv    one row per benchmark, mode and metric
//	summary.txt    every mode against its baseline, as benchstat would show it
//	tsv/*.tsv      one table per benchmark and metric: a line per mode
func Files(dir string, r *verdict.Report) error {
	if err := os.RemoveAll(filepath.Join(dir, "tsv")); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "tsv"), 0o777); err != nil {
		return err
	}
	files := []struct {
		name  string
		write func(io.Writer, *verdict.Report) error
	}{{"report.html", HTML}, {"report.json", JSON}, {"results.csv", CSV}, {"summary.txt", Summary}}
	for _, f := range files {
		var b bytes.Buffer
		if err := f.write(&b, r); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, f.name), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return writeTSVs(filepath.Join(dir, "tsv"), r)
}

// JSON writes the whole report.
func JSON(w io.Writer, r *verdict.Report) error { return indented(w, r) }

func indented(w io.Writer, r any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(r)
}

// CSV writes one row per benchmark, cell and metric. Cells without a
// comparison (baselines, and metrics that cannot be compared) have the median
// only. Values are in base units: seconds, bytes.
func CSV(w io.Writer, r *verdict.Report) error {
	c := csv.NewWriter(w)
	c.Write([]string{"package", "benchmark", "mode", "baseline", "metric", "unit", "median", "baseline median", "ratio", "low", "high",
		"p", "p holm", "noise floor", "verdict", "rounds", "rounds needed"})
	for _, v := range r.Values {
		x := find(r, v.Row, v.Cell, v.Metric)
		c.Write(append([]string{r.Rows[v.Row].Package, r.Rows[v.Row].Name}, csvColumns(r, v.Cell, v.Metric, &v, x)...))
	}
	for _, x := range r.Comparisons {
		if x.Row == verdict.Geomean {
			c.Write(append([]string{"", "geomean"}, csvColumns(r, x.Cell, x.Metric, nil, &x)...))
		}
	}
	c.Flush()
	return c.Error()
}

// csvColumns are the columns behind the benchmark's name. v or x may be nil.
func csvColumns(r *verdict.Report, cell, m int, v *verdict.Value, x *verdict.Comparison) []string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	out := []string{r.Cells[cell].Name, "", r.Metrics[m].Name, r.Metrics[m].Unit, "", "", "", "", "", "", "", "", "", "", ""}
	if v != nil {
		out[4], out[13] = number(v.Median), strconv.Itoa(len(v.Trials))
	}
	if x == nil {
		return out
	}
	out[1], out[6], out[12], out[13] = r.Cells[x.Ref].Name, number(x.Ratio), string(x.Word), strconv.Itoa(x.N)
	if ref := value(r, x.Row, x.Ref, m); ref != nil {
		out[5] = number(ref.Median)
	}
	if x.Bounded {
		out[7], out[8], out[9], out[10], out[11] = number(x.Lo), number(x.Hi), number(x.P), number(x.Adjusted), number(x.Floor)
	}
	if x.Need > 0 {
		out[14] = strconv.Itoa(x.Need)
	}
	return out
}

// fileName makes a name for a file of a benchmark's name, as published
// comparisons have it: size=256/clones=8 becomes size256_clones8.
func fileName(s string) string {
	s = strings.ReplaceAll(s, "=", "")
	return strings.Trim(regexp.MustCompile(`[^a-zA-Z0-9.-]+`).ReplaceAllString(s, "_"), "_.")
}

// writeTSVs writes one file per benchmark and metric: a line per cell with its
// median and all its trials in order of rounds.
func writeTSVs(dir string, r *verdict.Report) error {
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
			name := fileName(r.Rows[row].Name) + "_" + fileName(metric.Name) + ".tsv"
			if len(name) > 200 {
				name = fmt.Sprintf("%s_%d_%s.tsv", fileName(r.Rows[row].Name)[:150], row, fileName(metric.Name))
			}
			file := filepath.Join(dir, name)
			if _, err := os.Stat(file); err == nil { // two packages with the same benchmark
				file = filepath.Join(dir, fmt.Sprintf("%d_%s", row, name))
			}
			if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
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
