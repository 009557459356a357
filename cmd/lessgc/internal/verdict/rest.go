package verdict

import (
	"maps"
	"math"

	"lessgc/cmd/lessgc/internal/session"
)

// rests returns the rest of each row of a metric, and of the mean, that the changes do
// not explain: each is a claim like the others of its table. logs are log ratios by cell,
// row and round.
func (j *judge) rests(m int, logs map[int]map[int]map[int]float64, floors map[floorPlace]float64) []claim {
	cells := j.r.Upgrade.cells()
	if len(cells) == 0 || j.r.Metrics[m].Exact {
		return nil
	}
	now := j.r.Cells[cells[0]].Ref
	rests := map[int]map[int]float64{}
	var claims []claim
	add := func(c Comparison, student float64, row, rounds int) {
		claims = append(claims, claim{Comparison: j.add(c, row, now, m, floors), student: student, rounds: rounds, rest: true})
	}
	for row := range j.r.Rows {
		rest := rest(row, logs[now][row], cells, logs)
		if rest == nil {
			continue
		}
		rests[row] = rest
		c, student := j.paired(rest, j.looks(now, m, rest)...)
		add(c, student, row, len(rest))
	}
	trim(rests)
	if len(rests) > 1 {
		c, student := j.mean(now, m, rests)
		add(c, student, Geomean, longest(rests))
	}
	return claims
}

// rest takes the changes of a row off its total, round by round; nil if there is nothing to
// take off.
func rest(row int, total map[int]float64, cells []int, logs map[int]map[int]map[int]float64) map[int]float64 {
	left := maps.Clone(total)
	taken := false
	for _, c := range cells {
		without := logs[c][row]
		if len(without) == 0 {
			continue
		}
		taken = true
		for round := range left {
			d, ok := without[round]
			if !ok || math.Abs(left[round]+d) > maxLogRatio {
				delete(left, round)
				continue
			}
			left[round] += d // the share of a change is one over what it is without it
		}
	}
	if !taken || len(left) == 0 {
		return nil
	}
	return left
}

// restClaims counts the claims about the rest of an upgrade in one metric's table.
func restClaims(s *session.Session) int {
	p := s.Config.Upgrade
	if p == nil {
		return 0
	}
	old, now, ok := upgradeCells(s, p)
	if !ok {
		return 0
	}
	rows := 0
	for _, row := range s.Rows {
		taken := false
		for i, c := range s.Cells {
			taken = taken || !c.AA && p.Change(c.Mode.Name) != nil && c.Ref == now && row.Bench[i] != ""
		}
		if taken && row.Bench[old] != "" && row.Bench[now] != "" {
			rows++
		}
	}
	if rows > 1 {
		return rows + 1
	}
	return rows
}
