package render

import (
	"cmp"
	"fmt"
	"slices"
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
// those of rows that differ. The page has those of metrics that echo others, too.
func upgradeRows(r *verdict.Report, m int, page bool) []verdict.Cause {
	metric := r.Metrics[m]
	if !metric.Decides && !metric.Show().Table || !page && metric.Show().Echo {
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
	return fmt.Sprintf("%s, %s %s (%s)", causeName(r, c), r.Metrics[c.Metric].Title, verdict.Percent(c.Total.Ratio), cmp.Or(c.Short, "the cause is not clear"))
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

// unmeasured names the changes that have no column, and why.
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
		rows := upgradeRows(r, m, false)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintln(b, t.bold(upgradeHeading(r, m))+t.dim("  what goes away without one is its share"))
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
		lines = append(lines, append(line, cmp.Or(c.Short, c.Text)))
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
