package lever

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Case is a line of a third-party module where a lever's change was made, tested and measured.
type Case struct {
	Lever     string
	Line      string // module@version, file and line
	Benchmark string
	Predicted *Range  // share of the CPU time; nil if nothing was predicted
	Saved     float64 // share of the CPU time
	Half      float64 // of the 95 % interval of Saved
	Allocs    string  // per operation, before and after
}

// A Score is the outcome of a prediction.
type Score string

const (
	Inside      Score = "inside"
	Outside     Score = "outside"
	Noisy       Score = "too noisy" // the measurement knows less than the prediction
	Unpredicted Score = "not predicted"
)

// Score compares a prediction with its measurement.
func (c Case) Score() Score {
	switch p := c.Predicted; {
	case p == nil:
		return Unpredicted
	case 2*c.Half > p.Hi-p.Lo:
		return Noisy
	case p.Lo <= c.Saved && c.Saved <= p.Hi:
		return Inside
	}
	return Outside
}

// The columns of a file of cases are lever, line, benchmark, predicted percentages as lo..hi, measured
// percentage ± half of its interval, allocations as before -> after, and whether the
// module's tests pass.
//
//go:embed cases-*.tsv
var caseFiles embed.FS

// Cases are all cases, by lever and line.
var Cases = sync.OnceValue(func() []Case {
	var all []Case
	names, _ := fs.Glob(caseFiles, "*.tsv") // the pattern is right
	for _, name := range names {
		data, _ := caseFiles.ReadFile(name) // it is there
		for line := range strings.Lines(string(data)) {
			c, err := parseCase(strings.TrimSuffix(line, "\n"))
			if err != nil {
				panic(fmt.Sprintf("%s: %v", name, err))
			}
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Case) int { return strings.Compare(a.Lever+"\t"+a.Line, b.Lever+"\t"+b.Line) })
	return all
})

var (
	predictedCase = regexp.MustCompile(`^([0-9.]+)\.\.([0-9.]+)$`)
	measuredCase  = regexp.MustCompile(`^(-?[0-9.]+) ± ([0-9.]+)$`)
)

func parseCase(line string) (c Case, err error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 7 || fields[6] != "pass" {
		return c, fmt.Errorf("%q: want seven columns, the last of them pass", line)
	}
	c = Case{Lever: fields[0], Line: fields[1], Benchmark: fields[2], Allocs: fields[5]}
	if m := predictedCase.FindStringSubmatch(fields[3]); m != nil {
		c.Predicted = &Range{percentage(m[1]), percentage(m[2])}
	} else if fields[3] != "-" {
		return c, fmt.Errorf("invalid prediction %q; want one such as 1.5..3.2, or -", fields[3])
	}
	m := measuredCase.FindStringSubmatch(fields[4])
	if m == nil {
		return c, fmt.Errorf("invalid measurement %q; want one such as 2.1 ± 0.4", fields[4])
	}
	c.Saved, c.Half = percentage(m[1]), percentage(m[2])
	return c, nil
}

func percentage(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64) // the pattern has looked
	return x / 100
}

// Cases returns the cases of the lever.
func (r *Lever) Cases() []Case {
	var all []Case
	for _, c := range Cases() {
		if c.Lever == r.Name {
			all = append(all, c)
		}
	}
	return all
}

// Record sums up the cases of the lever: how often it was right.
func (r *Lever) Record() string {
	cases := r.Cases()
	if len(cases) == 0 {
		return "not measured in modules of others yet"
	}
	counts := map[Score]int{}
	for _, c := range cases {
		counts[c.Score()]++
	}
	var parts []string
	for _, s := range []Score{Inside, Outside, Noisy, Unpredicted} {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	lines := "lines"
	if len(cases) == 1 {
		lines = "line"
	}
	return fmt.Sprintf("measured on %d %s in modules of others: %s", len(cases), lines, strings.Join(parts, ", "))
}

// Row is the case in a table of Markdown.
func (c Case) Row() string {
	predicted := "–"
	if c.Predicted != nil {
		predicted = fmt.Sprintf("%.1f to %.1f %%", 100*c.Predicted.Lo, 100*c.Predicted.Hi)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %.1f ± %.1f %% | %s | %s |", c.Lever, c.Line, c.Benchmark, predicted, 100*c.Saved, 100*c.Half, c.Allocs, c.Score())
}
