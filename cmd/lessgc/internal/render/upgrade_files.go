package render

import (
	"fmt"
	"io"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// markdownUpgrade adds an upgrade to a comment: what to do, and a table for each metric.
func markdownUpgrade(d *markdownDoc, r *verdict.Report) {
	if r.Upgrade == nil || len(r.Upgrade.Causes) == 0 {
		return
	}
	list := markdownBlock{noun: "sentence", tail: "\n"}
	for _, s := range append(upgradeSentences(r), unmeasured(r)...) {
		list.line(rankCause, "", "- %s\n", plain(s))
	}
	d.add(list)
	columns := upgradeColumns(r)
	for m := range r.Metrics {
		rows := upgradeRows(r, m, false)
		block := markdownBlock{name: plain(visible.Short(upgradeHeading(r, m), fixedText)), tail: "\n"}
		head, rule := "| "+block.name+" | in all |", "|---|---|"
		for _, i := range columns {
			head, rule = head+" "+code(r.Upgrade.Changes[i].Name)+" |", rule+"---|"
		}
		if len(columns) > 0 {
			head, rule = head+" rest |", rule+"---|"
		}
		block.head = fmt.Sprintf("%s cause |\n%s---|\n", head, rule)
		for _, c := range rows {
			name := "geometric mean"
			if c.Row != verdict.Geomean {
				name = code(r.Rows[c.Row].Name)
			}
			line := fmt.Sprintf("| %s | %s |", name, plain(Text{}.share(&c.Total)))
			for _, i := range columns {
				line += fmt.Sprintf(" %s |", plain(Text{}.share(shareOf(c, i))))
			}
			if len(columns) > 0 {
				line += fmt.Sprintf(" %s |", plain(Text{}.share(c.Rest)))
			}
			block.line(causeRank(c), c.Total.Word, "%s %s |\n", line, plain(c.Text))
		}
		d.table(block)
	}
}

// causeRank is how decisive a line about causes is.
func causeRank(c verdict.Cause) int {
	if c.Total.Word == verdict.Worse {
		return rankDiffers
	}
	return rankCause
}

// UpgradeCSV writes one row per benchmark, metric and share of an upgrade: "in all", each
// change, and "rest". The cause in words stands behind the first of them.
func UpgradeCSV(w io.Writer, r *verdict.Report) error {
	r = tabular(r)
	var lines []upgradeLine
	for _, c := range r.Upgrade.Causes {
		lines = append(lines, upgradeLine{r, c, "in all", "", &c.Total, c.Text})
		for i, s := range c.Shares {
			change := r.Upgrade.Changes[s.Change]
			lines = append(lines, upgradeLine{r, c, change.Name, change.Setting, &c.Shares[i], ""})
		}
		if c.Rest != nil {
			lines = append(lines, upgradeLine{r, c, "rest", "", c.Rest, ""})
		}
	}
	return writeCSV(w, upgradeCSVColumns, lines)
}

// An upgradeLine is one share of an upgrade's effect on a row and a metric.
type upgradeLine struct {
	r               *verdict.Report
	of              verdict.Cause
	change, setting string
	share           *verdict.Share
	cause           string // "" but for the first of a cause
}

var upgradeCSVColumns = []csvColumn[upgradeLine]{
	{"package", func(l upgradeLine) string { return csvPackage(l.r, l.of.Row) }},
	{"benchmark", func(l upgradeLine) string { return csvName(l.r, l.of.Row) }},
	{"metric", func(l upgradeLine) string { return l.r.Metrics[l.of.Metric].Name }},
	{"unit", func(l upgradeLine) string { return l.r.Metrics[l.of.Metric].Unit }},
	{"from", func(l upgradeLine) string { return quoted(l.r.Upgrade.From) }},
	{"to", func(l upgradeLine) string { return quoted(l.r.Upgrade.To) }},
	{"change", func(l upgradeLine) string { return quoted(l.change) }},
	{"GOEXPERIMENT without it", func(l upgradeLine) string { return quoted(l.setting) }},
	{"ratio", func(l upgradeLine) string { return exact(l.share.Ratio) }},
	{"low", func(l upgradeLine) string { return l.bound(l.share.Lo) }},
	{"high", func(l upgradeLine) string { return l.bound(l.share.Hi) }},
	{"verdict", func(l upgradeLine) string { return string(shareWord(l.share)) }},
	{"ratio without it", func(l upgradeLine) string {
		if l.share.Without == nil {
			return ""
		}
		return exact(l.share.Without.Ratio)
	}},
	{"cause", func(l upgradeLine) string { return quoted(l.cause) }},
	{"tool", func(l upgradeLine) string { return l.r.Tool }},
}

// bound is a bound of the share's interval; "" if it has none.
func (l upgradeLine) bound(v float64) string {
	if !l.share.Bounded {
		return ""
	}
	return exact(v)
}
