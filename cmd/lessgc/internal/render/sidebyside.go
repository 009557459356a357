package render

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/runs"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// RunsJSON writes several runs, with all names as they are.
func RunsJSON(w io.Writer, r *runs.Report) error { return indented(w, r) }

// sideWords formats a change of one run; without one it is a dash.
func sideWords(m verdict.Metric, c *runs.Change) (change, interval, word string) {
	if c == nil {
		return "–", "", ""
	}
	change, word = verdict.Percent(c.Ratio), string(c.Word)
	if m.Exact && c.Ratio == 1 {
		change = "="
	}
	if c.Bounded && !m.Exact {
		interval = "[" + verdict.Range(c.Lo, c.Hi) + "]"
	}
	if c.Withheld != "" {
		word += " (wall time disagrees)"
	}
	return change, interval, word
}

// sideTables returns the tables for people: the figures of the collector are in JSON.
func sideTables(r *runs.Report) []runs.Table {
	return slices.DeleteFunc(slices.Clone(r.Tables), func(t runs.Table) bool {
		return !t.Metric.Tabled()
	})
}

func sideHeading(t runs.Table) string { return t.Metric.Title + ": " + t.Cell }

// Runs writes several runs side by side: what they are, what differs between them, a table
// for each metric and mode, and what each run says by itself.
func (t Text) Runs(w io.Writer, r *runs.Report) error {
	if t.Width == 0 {
		t.Width = 100
	}
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	b.WriteString(t.bold("runs") + "\n")
	var lines [][]string
	for _, run := range r.Runs {
		lines = append(lines, []string{run.Name, run.Dir, run.Created.Format("2006-01-02 15:04"), plural(run.Rounds, "round")})
	}
	align(&b, lines)
	b.WriteByte('\n')
	if len(r.Differs) > 0 {
		b.WriteString(t.bold("what differs between the runs") + "\n")
	}
	for _, d := range r.Differs {
		fmt.Fprintf(&b, "  %s\n", d.What)
		for i, v := range d.Values {
			t.wrap(&b, "    "+r.Runs[i].Name+"  ", "       ", orNone(v))
		}
	}
	b.WriteByte('\n')
	for _, table := range sideTables(r) {
		t.runsTable(&b, r, table)
	}
	b.WriteString(t.bold("what each run says by itself") + "\n")
	for _, run := range r.Runs {
		for _, a := range run.Answers {
			t.wrap(&b, "  "+run.Name+"  ", "     ", fmt.Sprintf("%s against %s: %s. %s", t.bold(a.Cell), a.Against, t.bold(a.Short), a.Text))
		}
	}
	b.WriteByte('\n')
	for _, run := range r.Runs {
		for _, p := range run.Problems {
			t.wrap(&b, run.Name+", not measured: ", "  ", p.Text)
		}
		for _, n := range run.Notes {
			t.wrap(&b, run.Name+", note: ", "  ", n)
		}
	}
	for _, n := range r.Notes {
		t.wrap(&b, "note: ", "  ", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func orNone(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// runsTable writes a line per benchmark and a column per run or, if that is too wide, a
// line per benchmark and run.
func (t Text) runsTable(b *strings.Builder, r *runs.Report, table runs.Table) {
	header := []string{""}
	for _, run := range r.Runs {
		header = append(header, run.Name)
	}
	lines, long := [][]string{header}, [][]string{}
	for _, row := range table.Rows {
		line := []string{row.Name}
		long = append(long, []string{row.Name})
		for i, c := range row.Changes {
			change, interval, word := sideWords(table.Metric, c)
			if c != nil {
				word = strings.Replace(word, string(c.Word), t.word(c.Word), 1)
			}
			parts := slices.DeleteFunc([]string{change, interval, word}, func(s string) bool { return s == "" })
			line = append(line, strings.Join(parts, " "))
			long = append(long, []string{"  " + r.Runs[i].Name, change, interval, word})
		}
		lines = append(lines, line)
	}
	if tableWidth(lines) > t.Width {
		lines = long
	}
	fmt.Fprintf(b, "%s%s\n", t.bold(sideHeading(table)), t.dim("  each against its own baseline"))
	align(b, lines)
	b.WriteByte('\n')
}

// RunsMarkdown writes several runs side by side for a comment on a pull request, in the way
// of Markdown.
func RunsMarkdown(w io.Writer, r *runs.Report, limit int) error {
	r = visible.All(r, visible.Terminal)
	d := newMarkdownDoc(limit, "the reports of the runs")
	d.add(markdownBlock{head: "### Runs side by side\n\n"})
	head, rule := "|", "|---|"
	for _, run := range r.Runs {
		list := markdownBlock{noun: "line"}
		list.head = fmt.Sprintf("- **%s**: %s, %s, %s\n", plain(visible.Short(run.Name, fixedText)), code(visible.Short(run.Dir, fixedText)), run.Created.Format("2006-01-02 15:04"), plural(run.Rounds, "round"))
		for _, a := range run.Answers {
			list.line(rankAnswer, "", "  - %s against %s: **%s.** %s\n", code(a.Cell), code(a.Against), plain(a.Short), plain(a.Text))
		}
		for _, p := range run.Problems {
			list.line(rankProblem, "", "  - not measured: %s\n", plain(p.Text))
		}
		for _, n := range run.Notes {
			list.line(rankNote, "", "  - note: %s\n", plain(n))
		}
		d.add(list)
		head, rule = head+" "+plain(visible.Short(run.Name, fixedText))+" |", rule+"---|"
	}
	d.add(markdownBlock{head: "\n"})
	table := func(title string) markdownBlock {
		return markdownBlock{name: title, head: fmt.Sprintf("| %s %s\n%s\n", title, head, rule), tail: "\n"}
	}
	row := func(b *markdownBlock, rank int, word verdict.Word, name string, cells []string) {
		b.line(rank, word, "| %s | %s |\n", name, strings.Join(cells, " | "))
	}
	differs := table("what differs")
	for _, x := range r.Differs {
		var cells []string
		for _, v := range x.Values {
			cells = append(cells, code(orNone(v)))
		}
		row(&differs, rankDiffers, "", plain(x.What), cells)
	}
	d.table(differs)
	for _, t := range sideTables(r) {
		block := table(plain(visible.Short(sideHeading(t), fixedText)))
		for _, line := range t.Rows {
			rank := rankOpen + rankSame
			word := verdict.Word("")
			var cells []string
			for _, c := range line.Changes {
				change, interval, text := sideWords(t.Metric, c)
				cells = append(cells, plain(strings.Join(slices.DeleteFunc([]string{change, interval, text}, func(s string) bool { return s == "" }), " ")))
				if c != nil {
					x := verdict.Comparison{Word: c.Word}
					if line.Mean {
						x.Row = verdict.Geomean
					}
					if of := lineRank(&x, t.Metric, false); of < rank || word == "" {
						rank, word = of, c.Word
					}
				}
			}
			row(&block, rank, word, code(line.Name), cells)
		}
		d.table(block)
	}
	notes := markdownBlock{noun: "note"}
	for _, n := range r.Notes {
		notes.line(rankNote, "", "- note: %s\n", plain(n))
	}
	d.add(notes)
	_, err := io.WriteString(w, d.text())
	return err
}

//go:embed sidebyside.html.tmpl
var sidePageSource string

var sidePageTemplate = parsed(func() (*template.Template, error) {
	return template.New("runs").Funcs(template.FuncMap{"parts": nameParts, "class": answerClass}).Parse(sidePageSource)
})

// RunsHTML writes several runs side by side as one page that needs no network, no script
// and no other file. command is the arguments that led to it. An error is that of w.
func RunsHTML(w io.Writer, r *runs.Report, command []string) error {
	return sidePageTemplate().Execute(w, &sidePage{visible.All(r, visible.Page), visible.All(command, visible.Page)})
}

type sidePage struct {
	*runs.Report
	command []string
}

// Style returns the style sheet of all pages.
func (p *sidePage) Style() template.CSS { return template.CSS(pageStyle) }

// CommandLine returns the command that makes the page again.
func (p *sidePage) CommandLine() string { return commandLine(p.command) }

// A sideTable is a table of the page.
type sideTable struct {
	runs.Table
	Heading string
	Lines   []sideLine
}

type sideLine struct {
	runs.Row
	Cells []sideCell
}

// A sideCell holds the formatted change of one run. Without Word it did not compare that.
type sideCell struct{ Change, Interval, Word, Class, Title string }

// Shown are the tables with their words.
func (p *sidePage) Shown() []sideTable {
	var all []sideTable
	for _, t := range sideTables(p.Report) {
		out := sideTable{Table: t, Heading: sideHeading(t)}
		for _, row := range t.Rows {
			line := sideLine{Row: row}
			for _, c := range row.Changes {
				cell := sideCell{}
				cell.Change, cell.Interval, cell.Word = sideWords(t.Metric, c)
				if c != nil {
					cell.Class, cell.Title = string(c.Word), plural(c.Pairs, "pair")+", against "+c.Against
				}
				line.Cells = append(line.Cells, cell)
			}
			out.Lines = append(out.Lines, line)
		}
		all = append(all, out)
	}
	return all
}
