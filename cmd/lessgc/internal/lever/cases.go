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

	"lessgc/cmd/lessgc/internal/board"
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

	entry board.Entry // of lessgc apply
}

// Score compares a prediction with its measurement.
func (c Case) Score() board.Score {
	e := board.Entry{Measured: &board.Range{Lo: c.Saved - c.Half, Hi: c.Saved + c.Half}, Saved: c.Saved}
	if c.Predicted != nil {
		e.Predicted = &board.Range{Lo: c.Predicted.Lo, Hi: c.Predicted.Hi}
	}
	return e.Score()
}

// The columns of a file of cases are lever, line, benchmark, predicted percentages as lo..hi, measured
// percentage ± half of its interval, allocations as before -> after, and whether the
// module's tests pass.
//
//go:embed cases-*.tsv
var caseFiles embed.FS

// Cases are all cases, by lever and line: those of changes made by hand, and those of lessgc apply in public modules.
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
	for _, e := range board.Public() {
		if e.Measured != nil {
			all = append(all, applied(e))
		}
	}
	slices.SortStableFunc(all, func(a, b Case) int { return strings.Compare(a.Lever+"\t"+a.Line, b.Lever+"\t"+b.Line) })
	return all
})

// applied is an entry of a board as a case.
func applied(e board.Entry) Case {
	c := Case{Lever: e.Lever, Line: e.Module + " " + e.Line, Benchmark: e.Benchmark, Saved: e.Saved, Half: (e.Measured.Hi - e.Measured.Lo) / 2, Allocs: e.Allocs, entry: e}
	if e.Predicted != nil {
		c.Predicted = &Range{e.Predicted.Lo, e.Predicted.Hi}
	}
	return c
}

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
	counts, memory := map[board.Score]int{}, map[board.Score]int{}
	for _, c := range cases {
		counts[c.Score()]++
		memory[c.entry.MemoryScore()]++
	}
	var parts []string
	for _, s := range []board.Score{board.Inside, board.Outside, board.Noisy, board.Unpredicted} {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	lines := "lines"
	if len(cases) == 1 {
		lines = "line"
	}
	text := fmt.Sprintf("measured on %d %s in modules of others: CPU time %s", len(cases), lines, strings.Join(parts, ", "))
	if inside, scored := board.Scored(memory); scored > 0 {
		text += fmt.Sprintf("; bytes inside %d of %d", inside, scored)
	}
	return text
}

// Memory is what became of the bytes, in words; "" if nothing was predicted of them.
func (c Case) Memory() string {
	m := c.entry.Memory
	if m == nil || c.entry.Freed == nil {
		return ""
	}
	if *c.entry.Freed < 0 {
		return fmt.Sprintf("%.1f %% more, predicted %.1f to %.1f %% less: %s", -100**c.entry.Freed, 100*m.Lo, 100*m.Hi, c.entry.MemoryScore())
	}
	return fmt.Sprintf("%.1f %% less, predicted %.1f to %.1f %%: %s", 100**c.entry.Freed, 100*m.Lo, 100*m.Hi, c.entry.MemoryScore())
}

// Row is the case in a table of Markdown.
func (c Case) Row() string {
	predicted := "–"
	if c.Predicted != nil {
		predicted = fmt.Sprintf("%.1f to %.1f %%", 100*c.Predicted.Lo, 100*c.Predicted.Hi)
	}
	row := fmt.Sprintf("| %s | %s | %s | %s | %.1f ± %.1f %% | %s | %s |", c.Lever, c.Line, c.Benchmark, predicted, 100*c.Saved, 100*c.Half, c.Allocs, c.Score())
	if m := c.Memory(); m != "" {
		row += " " + m + " |"
	}
	return row
}
