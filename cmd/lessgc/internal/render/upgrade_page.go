package render

import (
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
)

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
	Open    bool // else it is folded
	Columns []verdict.UpgradeChange
	Rows    []pageUpgradeRow
}

type pageUpgradeRow struct {
	Name, Package string
	Mean          bool
	Total         pageShare
	Cause         string
	Shares        []pageShare // of each column, and the rest
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
		rows := upgradeRows(p.Report, m, true)
		if len(rows) == 0 {
			continue
		}
		table := pageUpgradeTable{Heading: p.heading(m), Open: !p.Metrics[m].Show().Echo, Noun: strings.ToUpper(p.RowNoun()[:1]) + p.RowNoun()[1:]}
		for _, i := range columns {
			table.Columns = append(table.Columns, u.Changes[i])
		}
		for _, c := range rows {
			row := pageUpgradeRow{Name: causeName(p.Report, c), Mean: c.Row == verdict.Geomean, Total: show(&c.Total), Cause: c.Text}
			if !row.Mean {
				row.Package = p.packageOf(c.Row)
			}
			for _, i := range columns {
				row.Shares = append(row.Shares, show(shareOf(c, i)))
			}
			if len(columns) > 0 {
				row.Shares = append(row.Shares, show(c.Rest))
			}
			table.Rows = append(table.Rows, row)
		}
		out.Tables = append(out.Tables, table)
	}
	return out
}
