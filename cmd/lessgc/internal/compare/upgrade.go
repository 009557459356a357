package compare

import (
	"fmt"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// checkUpgrade refuses an upgrade of which one of the two toolchains builds nothing: the
// cells that are left tell of something else.
func (r *Run) checkUpgrade() error {
	s := r.Dir.Session
	p := s.Config.Upgrade
	if p == nil {
		return nil
	}
	for _, name := range []string{p.From, p.To} {
		i := slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Mode.Name == name && !c.AA })
		if i < 0 || s.Cells[i].Err == "" {
			continue
		}
		var without []string
		for _, c := range s.Cells {
			if change := p.Change(c.Mode.Name); change != nil && c.Err == "" && name == p.To {
				without = append(without, "GOEXPERIMENT="+change.Setting)
			}
		}
		also := ""
		if len(without) > 0 {
			also = "; it can be built with " + strings.Join(without, " or with ")
		}
		return fmt.Errorf("nothing to compare: the code cannot be built with %s: %s%s", name, s.Cells[i].Err, also)
	}
	return nil
}

// upgraded returns the comparison of the whole upgrade in the row and metric of one of a
// single change of it, or nil.
func upgraded(report *verdict.Report, c *verdict.Comparison) *verdict.Comparison {
	if report.Cells[c.Cell].Without == "" {
		return nil
	}
	i := slices.IndexFunc(report.Comparisons, func(x verdict.Comparison) bool {
		return x.Row == c.Row && x.Cell == c.Ref && x.Metric == c.Metric
	})
	if i < 0 {
		return nil
	}
	return &report.Comparisons[i]
}
