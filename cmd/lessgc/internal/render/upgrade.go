package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
)

// upgradeColumns are the changes that have a column in the tables of an upgrade.
func upgradeColumns(r *verdict.Report) []int {
	var columns []int
	for i, c := range r.Upgrade.Changes {
		if c.Cell >= 0 {
			columns = append(columns, i)
		}
	}
	return columns
}

// upgradeRows are the causes of a metric that are shown: of CPU time all, of other metrics
// those of rows that differ.
func upgradeRows(r *verdict.Report, m int) []verdict.Cause {
	metric := r.Metrics[m]
	if !metric.Decides && !slices.Contains(alsoShown, metric.Name) {
		return nil
	}
	var rows []verdict.Cause
	for _, c := range r.Upgrade.Causes {
		differs := c.Total.Word == verdict.Better || c.Total.Word == verdict.Worse
		if c.Metric == m && (metric.Name == "cpu" || differs && c.Row != verdict.Geomean) {
			rows = append(rows, c)
		}
	}
	return rows
}

func upgradeHeading(r *verdict.Report, m int) string {
	return fmt.Sprintf("%s, from %s to %s by change", heading(r, r.Metrics[m]), r.Upgrade.From, r.Upgrade.To)
}

func causeName(r *verdict.Report, c verdict.Cause) string {
	if c.Row == verdict.Geomean {
		return "geometric mean"
	}
	return r.Rows[c.Row].Name
}

// shareOf is the share of a change in a row, or nil.
func shareOf(c verdict.Cause, change int) *verdict.Share {
	i := slices.IndexFunc(c.Shares, func(s verdict.Share) bool { return s.Change == change })
	if i < 0 {
		return nil
	}
	return &c.Shares[i]
}

// upgradeSentences say what got worse and what to set.
func upgradeSentences(r *verdict.Report) []string {
	u := r.Upgrade
	if len(u.Causes) == 0 {
		return nil
	}
	if len(u.Worse) == 0 {
		return []string{"Got worse: nothing that can be told from noise."}
	}
	var worse []string
	for _, i := range u.Worse {
		worse = append(worse, causeEffect(r, u.Causes[i]))
	}
	all := []string{"Got worse: " + strings.Join(worse, "; ") + "."}
	for _, remedy := range u.Remedies {
		text := fmt.Sprintf("Until that is fixed, set GOEXPERIMENT=%s: ", remedy.Setting) + remedied(r, remedy.Change, remedy.Helps)
		if len(remedy.Harms) > 0 {
			text += "; what it loses: " + remedied(r, remedy.Change, remedy.Harms)
		}
		all = append(all, text+".")
	}
	if len(u.Remedies) > 1 {
		all = append(all, "Each of these settings was measured alone.")
	}
	if len(u.Remedies) == 0 {
		all = append(all, "No setting of GOEXPERIMENT is known to help.")
	}
	return all
}

// causeEffect is one row and metric that differs, with its cause.
func causeEffect(r *verdict.Report, c verdict.Cause) string {
	text := fmt.Sprintf("%s, %s %s", causeName(r, c), r.Metrics[c.Metric].Title, verdict.Percent(c.Total.Ratio))
	if c.Short != "" {
		text += " (" + c.Short + ")"
	}
	return text
}

// remedied lists what rows are without a change.
func remedied(r *verdict.Report, change int, causes []int) string {
	var parts []string
	for _, i := range causes {
		c := r.Upgrade.Causes[i]
		part := causeName(r, c) + ", " + r.Metrics[c.Metric].Title
		if s := shareOf(c, change); s != nil && s.Without != nil {
			part += fmt.Sprintf(" %s instead of %s", verdict.Percent(s.Without.Ratio), verdict.Percent(c.Total.Ratio))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// unmeasured says which changes have no column, and why.
func unmeasured(r *verdict.Report) []string {
	var all []string
	for _, c := range r.Upgrade.Changes {
		if c.Cell < 0 {
			all = append(all, fmt.Sprintf("%s is not told apart: %s", c.Name, c.Why))
		}
	}
	return all
}

// upgrade writes the tables and the words of an upgrade.
func (t Text) upgrade(b *strings.Builder, r *verdict.Report) {
	if r.Upgrade == nil || len(r.Upgrade.Causes) == 0 {
		return
	}
	columns := upgradeColumns(r)
	for m := range r.Metrics {
		rows := upgradeRows(r, m)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintln(b, t.bold(upgradeHeading(r, m))+t.dim("  what goes away without a change is its share"))
		lines := t.upgradeTable(r, columns, rows)
		if tableWidth(lines) <= t.Width {
			align(b, lines)
		} else {
			t.upgradeLong(b, r, columns, rows)
		}
		b.WriteByte('\n')
	}
	for _, s := range append(upgradeSentences(r), unmeasured(r)...) {
		t.wrap(b, "", "  ", s)
	}
	b.WriteByte('\n')
}

func (t Text) upgradeTable(r *verdict.Report, columns []int, rows []verdict.Cause) [][]string {
	head := []string{"", "in all"}
	for _, i := range columns {
		head = append(head, r.Upgrade.Changes[i].Name)
	}
	if len(columns) > 0 {
		head = append(head, "rest")
	}
	lines := [][]string{append(head, "cause")}
	for _, c := range rows {
		line := []string{causeName(r, c), t.share(&c.Total)}
		for _, i := range columns {
			line = append(line, t.share(shareOf(c, i)))
		}
		if len(columns) > 0 {
			line = append(line, t.share(c.Rest))
		}
		lines = append(lines, append(line, c.Text))
	}
	return lines
}

// upgradeLong has a line for each share, and the cause below them.
func (t Text) upgradeLong(b *strings.Builder, r *verdict.Report, columns []int, rows []verdict.Cause) {
	var lines [][]string
	var causes []string
	for _, c := range rows {
		lines = append(lines, []string{causeName(r, c), t.share(&c.Total)})
		for _, i := range columns {
			lines = append(lines, []string{"  " + r.Upgrade.Changes[i].Name, t.share(shareOf(c, i))})
		}
		if len(columns) > 0 {
			lines = append(lines, []string{"  rest", t.share(c.Rest)})
		}
		causes = append(causes, c.Text)
	}
	var table strings.Builder
	align(&table, lines)
	per := 1
	if len(columns) > 0 {
		per += len(columns) + 1
	}
	n := 0
	for line := range strings.Lines(table.String()) {
		b.WriteString(line)
		if n++; n%per == 0 {
			t.wrap(b, "    cause: ", "      ", causes[n/per-1])
		}
	}
}

// share is one share in words.
func (t Text) share(s *verdict.Share) string {
	return strings.Join(slices.DeleteFunc([]string{t.word(shareWord(s)), shareChange(s), shareInterval(s)}, func(s string) bool { return s == "" }), " ")
}

func shareWord(s *verdict.Share) verdict.Word {
	switch {
	case s == nil:
		return "–"
	case s.Untouched:
		return "same binary"
	}
	return s.Word
}

func shareChange(s *verdict.Share) string {
	if s == nil || s.Untouched {
		return ""
	}
	return verdict.Percent(s.Ratio)
}

func shareInterval(s *verdict.Share) string {
	if s == nil || !s.Bounded {
		return ""
	}
	return "[" + verdict.Range(s.Lo, s.Hi) + "]"
}

// markdownUpgrade writes the same for a comment.
func markdownUpgrade(b *strings.Builder, r *verdict.Report) {
	if r.Upgrade == nil || len(r.Upgrade.Causes) == 0 {
		return
	}
	for _, s := range append(upgradeSentences(r), unmeasured(r)...) {
		fmt.Fprintf(b, "- %s\n", plain(s))
	}
	b.WriteByte('\n')
	columns := upgradeColumns(r)
	for m := range r.Metrics {
		rows := upgradeRows(r, m)
		if len(rows) == 0 {
			continue
		}
		head, rule := "| "+plain(upgradeHeading(r, m))+" | in all |", "|---|---|"
		for _, i := range columns {
			head, rule = head+" "+code(r.Upgrade.Changes[i].Name)+" |", rule+"---|"
		}
		if len(columns) > 0 {
			head, rule = head+" rest |", rule+"---|"
		}
		fmt.Fprintf(b, "%s cause |\n%s---|\n", head, rule)
		for _, c := range rows[:min(len(rows), mostLines)] {
			name := "geometric mean"
			if c.Row != verdict.Geomean {
				name = code(r.Rows[c.Row].Name)
			}
			fmt.Fprintf(b, "| %s | %s |", name, plain(Text{}.share(&c.Total)))
			for _, i := range columns {
				fmt.Fprintf(b, " %s |", plain(Text{}.share(shareOf(c, i))))
			}
			if len(columns) > 0 {
				fmt.Fprintf(b, " %s |", plain(Text{}.share(c.Rest)))
			}
			fmt.Fprintf(b, " %s |\n", plain(c.Text))
		}
		b.WriteByte('\n')
		if more := len(rows) - mostLines; more > 0 {
			fmt.Fprintf(b, "%d more lines are in report.html.\n\n", more)
		}
	}
}

// UpgradeCSV writes one row per benchmark, metric and share of an upgrade: "in all", each
// change, and "rest". The cause in words stands behind the first of them.
func UpgradeCSV(w io.Writer, r *verdict.Report) error {
	r = tabular(r)
	out := csv.NewWriter(w)
	out.Write([]string{"package", "benchmark", "metric", "unit", "from", "to", "change", "GOEXPERIMENT without it", "ratio", "low", "high", "verdict",
		"ratio without it", "cause", "tool"})
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	for _, c := range r.Upgrade.Causes {
		pkg, name := "", "geomean"
		if c.Row != verdict.Geomean {
			pkg, name = r.Rows[c.Row].Package, r.Rows[c.Row].Name
		}
		write := func(change, setting string, s *verdict.Share, cause string) {
			line := []string{pkg, name, r.Metrics[c.Metric].Name, r.Metrics[c.Metric].Unit, quoted(r.Upgrade.From), quoted(r.Upgrade.To), quoted(change), quoted(setting),
				number(s.Ratio), "", "", string(shareWord(s)), "", quoted(cause), r.Tool}
			if s.Bounded {
				line[9], line[10] = number(s.Lo), number(s.Hi)
			}
			if s.Without != nil {
				line[12] = number(s.Without.Ratio)
			}
			out.Write(line)
		}
		write("in all", "", &c.Total, c.Text)
		for _, s := range c.Shares {
			change := r.Upgrade.Changes[s.Change]
			write(change.Name, change.Setting, &s, "")
		}
		if c.Rest != nil {
			write("rest", "", c.Rest, "")
		}
	}
	out.Flush()
	return out.Error()
}

// A pageUpgrade is the section of a page about an upgrade.
type pageUpgrade struct {
	From, To   string
	Sentences  []string
	Unmeasured []string
	Tables     []pageUpgradeTable
}

type pageUpgradeTable struct {
	Heading string
	Noun    string
	Columns []verdict.UpgradeChange
	Rows    []pageUpgradeRow
}

type pageUpgradeRow struct {
	Name, Package string
	Mean          bool
	Cells         []pageShare
	Cause         string
}

type pageShare struct{ Word, Change, Interval string }

// Upgraded is the section about an upgrade, or nil.
func (p *page) Upgraded() *pageUpgrade {
	u := p.Upgrade
	if u == nil || len(u.Causes) == 0 {
		return nil
	}
	out := &pageUpgrade{From: u.From, To: u.To, Sentences: upgradeSentences(p.Report), Unmeasured: unmeasured(p.Report)}
	columns := upgradeColumns(p.Report)
	show := func(s *verdict.Share) pageShare {
		return pageShare{string(shareWord(s)), shareChange(s), shareInterval(s)}
	}
	for m := range p.Metrics {
		rows := upgradeRows(p.Report, m)
		if len(rows) == 0 {
			continue
		}
		table := pageUpgradeTable{Heading: p.heading(m), Noun: strings.ToUpper(p.RowNoun()[:1]) + p.RowNoun()[1:]}
		for _, i := range columns {
			table.Columns = append(table.Columns, u.Changes[i])
		}
		for _, c := range rows {
			row := pageUpgradeRow{Name: causeName(p.Report, c), Mean: c.Row == verdict.Geomean, Cells: []pageShare{show(&c.Total)}, Cause: c.Text}
			if !row.Mean {
				row.Package = p.packageOf(c.Row)
			}
			for _, i := range columns {
				row.Cells = append(row.Cells, show(shareOf(c, i)))
			}
			if len(columns) > 0 {
				row.Cells = append(row.Cells, show(c.Rest))
			}
			table.Rows = append(table.Rows, row)
		}
		out.Tables = append(out.Tables, table)
	}
	return out
}
