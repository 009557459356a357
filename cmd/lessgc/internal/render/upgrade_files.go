package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
)

// markdownUpgrade writes an upgrade for a comment: what to do, and a table for each metric.
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
		rows := upgradeRows(r, m, false)
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
