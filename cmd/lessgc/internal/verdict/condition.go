package verdict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/mode"
)

// A Condition is a value of -fail-on: "cpu worse", "allocs worse >
// 5%", "geomean cpu worse or unclear", "any worse".
type Condition struct {
	Text    string
	Metric  string  // short name or unit; "any" for all
	Words   []Word  // any of them
	Over    float64 // the least change, as a ratio minus 1
	Geomean bool    // only the geometric mean
}

// ParseCondition reads a condition: [geomean] METRIC WORD [or WORD]... [> N%].
func ParseCondition(s string) (Condition, error) {
	c := Condition{Text: s}
	bad := func(format string, args ...any) (Condition, error) {
		return c, fmt.Errorf("-fail-on %q: %s; write it as 'cpu worse', 'cpu worse or unclear', 'allocs worse > 5%%' or 'geomean cpu worse'", s, fmt.Sprintf(format, args...))
	}
	condition, over, limited := strings.Cut(s, ">")
	if limited {
		percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(over), "%")), 64)
		if err != nil || percent < 0 || math.IsInf(percent, 0) || math.IsNaN(percent) {
			return bad("%q is not a percentage", strings.TrimSpace(over))
		}
		c.Over = percent / 100
	}
	words, err := mode.SplitWords(condition)
	if err != nil {
		return bad("%v", err)
	}
	if len(words) > 0 && words[0] == "geomean" {
		c.Geomean, words = true, words[1:]
	}
	if len(words) < 2 {
		return bad("it needs a metric and a verdict")
	}
	c.Metric = words[0]
	for i, word := range words[1:] {
		switch w := Word(word); {
		case i%2 == 1 && word != "or":
			return bad("it needs a metric and a verdict, or verdicts with \"or\" between them")
		case i%2 == 1:
		case !slices.Contains([]Word{Better, Worse, Same, Unclear, Mixed}, w):
			return bad("invalid verdict %q; want better, worse, same, unclear or mixed", w)
		default:
			c.Words = append(c.Words, w)
		}
	}
	if len(words)%2 == 1 {
		return bad("a verdict is missing after \"or\"")
	}
	return c, nil
}

// Holds returns the comparisons that meet the condition. The error says that
// the metric was not measured.
func (c Condition) Holds(r *Report) ([]Comparison, error) {
	known := c.Metric == "any"
	var met []Comparison
	for _, m := range r.Metrics {
		known = known || c.Metric == m.Name || c.Metric == m.Unit
	}
	if !known {
		var names []string
		for _, m := range r.Metrics {
			names = append(names, m.Name)
		}
		why := ""
		if r.Host.NoCounter != "" && strings.HasPrefix(c.Metric, "instructions") {
			why = ", because this machine does not count instructions for us: " + r.Host.NoCounter
		}
		return nil, fmt.Errorf("-fail-on %q: there is no metric %q%s; there are %s", c.Text, c.Metric, why, strings.Join(names, ", "))
	}
	for _, x := range r.Comparisons {
		m := r.Metrics[x.Metric]
		if r.Cells[x.Cell].AA || r.Cells[x.Cell].Without != "" || !c.wants(&x) || c.Geomean != (x.Row == Geomean) && c.Geomean {
			continue
		}
		if c.Metric != "any" && c.Metric != m.Name && c.Metric != m.Unit {
			continue
		}
		const rounding = 1e-9 // 21/20 - 1 is a little more than 0.05
		if change := max(x.Ratio, 1/x.Ratio) - 1; c.Over == 0 || change > c.Over+rounding {
			met = append(met, x)
		}
	}
	return met, nil
}

// wants reports whether a comparison has one of the words, or is mixed and a class of machines has it.
func (c Condition) wants(x *Comparison) bool {
	return slices.Contains(c.Words, x.Word) || x.Word == Mixed && slices.ContainsFunc(x.ByClass, func(e ClassEffect) bool { return slices.Contains(c.Words, e.Word) })
}
