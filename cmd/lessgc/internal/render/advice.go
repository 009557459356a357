package render

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/visible"
)

// Advice writes a report for people: at most n lines of code, with the ways to what
// allocates below them if paths is true.
func (t Text) Advice(w io.Writer, r *advice.Report, n int, paths bool) error {
	if t.Width == 0 {
		t.Width = 100
	}
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	if r.Costs != nil {
		t.costs(&b, r.Costs)
	}
	if r.Sites != nil {
		t.sites(&b, r, n, paths)
		t.levers(&b, r, n)
	}
	if together := r.Together(n); together != nil {
		fmt.Fprintf(&b, "%s %s\n", t.bold("first lever of each of these lines, together: saves"), gainText(*together))
	}
	for _, l := range r.Levers {
		t.wrap(&b, "", "  ", t.lever(l))
		for _, e := range l.Evidence {
			t.wrap(&b, "  - ", "    ", e.Text)
		}
	}
	t.frontier(&b, r.Frontier)
	t.wrap(&b, "", "", r.Regime+".")
	for _, note := range r.Notes {
		t.wrap(&b, "note: ", "  ", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// frontier writes what each GOGC saves and takes.
func (t Text) frontier(b *strings.Builder, f *advice.Frontier) {
	if f == nil {
		return
	}
	fmt.Fprintf(b, "%s%s\n", t.bold("savings at other GOGC values"), t.dim("  CPU time against GOGC=100, and peak resident memory"))
	lines := [][]string{{"GOGC", "CPU time", "peak memory"}}
	for _, p := range f.Points {
		lines = append(lines, []string{settingAt(p), savedAt(p), memoryAt(p)})
	}
	align(b, lines)
	fmt.Fprintf(b, "  garbage collection costs %s of the CPU time by these runs; the ceilings above have the collector's own work only\n\n", savings(f.Price))
}

// settingAt names a setting.
func settingAt(p advice.Point) string {
	if p.GOGC < 0 {
		return "off, limit " + size(p.Limit)
	}
	return strconv.Itoa(p.GOGC)
}

// savedAt formats the saving of a setting: 3.1 to 7.9 %, negative if it costs.
func savedAt(p advice.Point) string {
	switch {
	case p.GOGC == advice.FrontierBase:
		return "–"
	case p.NoRoom:
		return "no room: GC death spiral"
	}
	return fmt.Sprintf("%.1f to %.1f %%", 100*p.Saved.Lo, 100*p.Saved.Hi)
}

func memoryAt(p advice.Point) string {
	switch {
	case p.RSS.Hi == 0:
		return "–"
	case p.RSS.Lo == p.RSS.Hi:
		return size(int64(p.RSS.Lo))
	}
	return fmt.Sprintf("%s to %s", size(int64(p.RSS.Lo)), size(int64(p.RSS.Hi)))
}

// Lever writes the page of a lever.
func (t Text) Lever(w io.Writer, r *lever.Lever) error {
	if t.Width == 0 {
		t.Width = 100
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.bold(r.Name), r.Title)
	for _, part := range [][2]string{{"Looks for", r.Looks}, {"Do not apply", r.Wrong}, {"Rewritten by lessgc apply if", r.Rewrite}, {"Question to answer", r.Asks}, {"Risk", string(r.Risk)}, {"Estimated saving", r.Model}} {
		if part[1] == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", t.bold(part[0]))
		t.wrap(&b, "  ", "  ", part[1])
	}
	for _, part := range [][2]string{{"Instead of", r.Before}, {"write", r.After}} {
		fmt.Fprintf(&b, "\n%s\n", t.bold(part[0]))
		for line := range strings.Lines(part[1] + "\n") {
			b.WriteString("    " + strings.ReplaceAll(line, "\t", "    "))
		}
	}
	if r != lever.GCSetting {
		fmt.Fprintf(&b, "\n%s\n", t.bold(r.Record()))
		for _, c := range r.Cases() {
			t.wrap(&b, "  ", "    ", caseText(c))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// caseText is a measured case of a lever.
func caseText(c lever.Case) string {
	text := fmt.Sprintf("%s, %s: saved %.1f ± %.1f %%", c.Line, c.Benchmark, 100*c.Saved, 100*c.Half)
	if c.Predicted != nil {
		text += fmt.Sprintf(", predicted %.1f to %.1f %%: %s", 100*c.Predicted.Lo, 100*c.Predicted.Hi, c.Score())
	}
	if m := c.Memory(); m != "" {
		text += "; bytes " + m
	}
	return text + fmt.Sprintf("; allocations %s", c.Allocs)
}

// AdviceJSON writes all of a report.
func AdviceJSON(w io.Writer, r *advice.Report) error { return indented(w, r) }

func (t Text) costs(b *strings.Builder, c *advice.Costs) {
	fmt.Fprintf(b, "%s%s\n", t.bold("cost of allocation and garbage collection"), t.dim(fmt.Sprintf("  shares of %s CPU time, %d samples", Number(c.CPU.Seconds(), "sec"), c.Samples)))
	var lines [][]string
	for _, class := range c.Classes {
		lines = append(lines, []string{class.Name, share(class.Share)})
	}
	lines = append(lines, []string{t.bold("ceiling, throughput"), share(c.Throughput), t.dim("upper bound on any saving per operation; without idle workers")},
		[]string{t.bold("ceiling, CPU bill"), share(c.Bill), t.dim("upper bound on any saving in total; with idle workers")})
	align(b, lines)
	b.WriteByte('\n')
}

// share is a share of samples with its error: 12.3 % ±0.4.
func share(s ceiling.Share) string { return fmt.Sprintf("%.1f %% ±%.1f", 100*s.Share, 100*s.Error) }

func (t Text) sites(b *strings.Builder, r *advice.Report, n int, paths bool) {
	s := r.Sites
	title := "allocating lines"
	if r.Costs != nil && r.Costs.Enough {
		title = "lines that cause it"
	}
	scope := fmt.Sprintf("  allocated: %s in %s objects", size(s.Bytes), digits(float64(s.Objects)))
	if s.Ops > 0 {
		scope += "; " + perOp(s)
	}
	if s.Live >= 0 {
		scope += fmt.Sprintf("; live heap: %s", size(s.Live))
	}
	fmt.Fprintf(b, "%s%s\n", t.bold(title), t.dim(scope))
	head := []string{"", "bytes", "share", "objects", "live"}
	cpu := r.Costs != nil && r.Costs.Enough
	if cpu {
		head = append(head, "allocation", "marking")
	}
	lines := [][]string{append(head, "function")}
	shown := s.Sites[:min(n, len(s.Sites))]
	below := map[int][]string{} // by how many lines come before
	for _, x := range shown {
		line := []string{location(x), size(x.Bytes), fmt.Sprintf("%.1f %% ±%.0f %%", 100*x.Share, 100*x.Error), digits(float64(x.Objects)), size(x.Live)}
		if cpu {
			line = append(line, share(x.Alloc), fmt.Sprintf("%.1f to %.1f %%", 100*x.Mark.Lo, 100*x.Mark.Hi))
		}
		lines = append(lines, append(line, shortFunc(x.Func)))
		for i, reason := range x.Reasons {
			if i == 0 || reason.Share >= 0.1 && i < 3 {
				below[len(lines)] = append(below[len(lines)], fmt.Sprintf("%.0f %%: %s", 100*reason.Share, reasonText(reason)))
			}
		}
		if !paths {
			continue
		}
		for _, l := range x.Leaves {
			if len(l.Calls) > 0 {
				below[len(lines)] = append(below[len(lines)], fmt.Sprintf("%.0f %% via %s", 100*l.Share, path(l.Calls)))
			}
		}
	}
	var table strings.Builder
	align(&table, lines)
	for i, line := range strings.SplitAfter(table.String(), "\n") {
		b.WriteString(line)
		for _, text := range below[i+1] {
			t.wrap(b, "      ", "        ", text)
		}
	}
	if more := len(s.Sites) - len(shown); more > 0 {
		rest := 0.0
		for _, x := range s.Sites[len(shown):] {
			rest += x.Share
		}
		fmt.Fprintf(b, "  and %d more lines with %.1f %% of the bytes (-n %d)\n", more, 100*rest, len(s.Sites))
	}
	if s.Explained > 0 {
		fmt.Fprintf(b, "  a reason is known for %.0f %% of the bytes\n", 100*s.Explained)
	}
	b.WriteByte('\n')
}

// perOp returns what an operation of the benchmark allocates, as text.
func perOp(s *advice.Sites) string {
	return fmt.Sprintf("per operation: %s in %s objects", size(s.Bytes/s.Ops), digits(float64(s.Objects)/float64(s.Ops)))
}

// digits writes a number of things with four digits: 13.13k.
func digits(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.4g", n)
	}
	return benchunit.Scale(n, benchunit.Decimal)
}

// lever is a lever in one line.
func (t Text) lever(l advice.Lever) string {
	text := fmt.Sprintf("→ %s: %s", t.bold(l.Name), l.Title)
	if gain := gainOf(l); gain != "" {
		text += ", " + gain
	}
	return text
}

// unsure formats a predicted gain that cannot be distinguished from zero.
func unsure(r advice.Range) string {
	return fmt.Sprintf("at most %.1f %% of the CPU time; too few samples to tell from zero", 100*r.Hi)
}

// gainText is a predicted gain: 3.1 to 7.9 % of the CPU time.
func gainText(r advice.Range) string {
	return savings(r) + " of the CPU time"
}

// path writes calls, the first and the last of a long path, by the last elements of
// their packages.
func path(calls []string) string {
	const first, last = 2, 4
	var words []string
	for i, c := range calls {
		if i >= first && i < len(calls)-last {
			if i == first {
				words = append(words, "…")
			}
			continue
		}
		words = append(words, c[strings.LastIndexByte(c, '/')+1:])
	}
	return strings.Join(words, " → ")
}

// size writes a number of bytes; – for one that is not known.
func size(n int64) string {
	if n < 0 {
		return "–"
	}
	return benchunit.Scale(float64(n), benchunit.Binary) + "B"
}

// reasonText is a reason with the line that allocates, if that is not the site itself.
func reasonText(r advice.Reason) string {
	if r.File == "" {
		return r.Text
	}
	return fmt.Sprintf("%s (%s)", r.Text, shortPlace(r.File, r.Line))
}

// shortPlace is a file by its folder and name, with a line.
func shortPlace(file string, line int) string {
	dir, name := filepath.Split(file)
	return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), name, line)
}

// location is the folder, file and line of a site.
func location(s advice.Site) string {
	if s.File == "" {
		return "–"
	}
	return shortPlace(s.File, s.Line)
}
