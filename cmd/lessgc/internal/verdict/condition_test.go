package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/session"
)

func TestParseCondition(t *testing.T) {
	check := func(s string, want Condition) {
		t.Helper()
		want.Text = s
		got, err := ParseCondition(s)
		got.Over = round(got.Over)
		if err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", s, diff)
		}
	}
	check("cpu worse", Condition{Metric: "cpu", Words: []Word{Worse}})
	check("any worse", Condition{Metric: "any", Words: []Word{Worse}})
	check("geomean cpu worse", Condition{Metric: "cpu", Words: []Word{Worse}, Geomean: true})
	check("geomean any better", Condition{Metric: "any", Words: []Word{Better}, Geomean: true})
	check("allocs worse > 5%", Condition{Metric: "allocs", Words: []Word{Worse}, Over: 0.05})
	check("allocs worse>5", Condition{Metric: "allocs", Words: []Word{Worse}, Over: 0.05})
	check("  B/op   worse  >  2.5 % ", Condition{Metric: "B/op", Words: []Word{Worse}, Over: 0.025})
	check("cpu unclear", Condition{Metric: "cpu", Words: []Word{Unclear}})
	check("cpu same > 0", Condition{Metric: "cpu", Words: []Word{Same}})
	check("'odd unit' worse", Condition{Metric: "odd unit", Words: []Word{Worse}})

	check("cpu worse or unclear", Condition{Metric: "cpu", Words: []Word{Worse, Unclear}})
	check("geomean rss better or same or unclear > 1%", Condition{Metric: "rss", Words: []Word{Better, Same, Unclear}, Geomean: true, Over: 0.01})

	bad := func(s, part string) {
		t.Helper()
		if got, err := ParseCondition(s); err == nil {
			t.Errorf("%q is read as %+v", s, got)
		} else if !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "cpu worse") {
			t.Errorf("%q: %v", s, err)
		}
	}
	bad("", "needs a metric and a verdict")
	bad("cpu", "needs a metric and a verdict")
	bad("geomean", "needs a metric and a verdict")
	bad("geomean worse", "needs a metric and a verdict")
	bad("cpu geomean", `invalid verdict "geomean"; want better, worse, same, unclear or mixed`)
	bad("cpu worse always", "needs a metric and a verdict")
	bad("cpu worse or", `a verdict is missing after "or"`)
	bad("cpu worse unclear", "needs a metric and a verdict")
	bad("cpu worse or slower", `invalid verdict "slower"`)
	bad("cpu slower", `invalid verdict "slower"`)
	bad("cpu Worse", `invalid verdict "Worse"`)
	bad("cpu worse >", `"" is not a percentage`)
	bad("cpu worse > five", `"five" is not a percentage`)
	bad("cpu worse > 5 % > 3", "is not a percentage")
	bad("cpu worse > -5 %", `"-5 %" is not a percentage`)
	bad("cpu worse > NaN", "is not a percentage")
	bad("cpu worse > Inf", "is not a percentage")
	bad("cpu worse > 1e999 %", "is not a percentage")
	bad("> 5 %", "needs a metric and a verdict")
	bad("'cpu worse", "not closed")
}

func round(f float64) float64 {
	var r float64
	fmt.Sscanf(fmt.Sprintf("%.9f", f), "%f", &r)
	return r
}

func TestHolds(t *testing.T) {
	// Cell 1 is 20 % slower, the second twice as fast; allocations grow from 20
	// to 21 in one row of cell 1 and vanish in the other.
	r := plan(2, 3).run(10, func(round, row, cell int) cost {
		cpu, n := 1e-3*wobble(0.001, round, row, cell), 20.0
		switch cell {
		case 1:
			cpu *= 1.2
			n = []float64{21, 0}[row]
		case 2:
			cpu /= 2
		}
		return cost{cpu: cpu, values: []session.Value{{Value: cpu, Unit: "sec/op"}, {Value: n, Unit: "allocs/op"}}}
	}).report(t)
	check := func(s, want string) {
		t.Helper()
		c, err := ParseCondition(s)
		if err != nil {
			t.Fatal(err)
		}
		met, err := c.Holds(r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range met {
			got = append(got, fmt.Sprintf("%s:%d:%s", r.Metrics[x.Metric].Name, x.Row, r.Cells[x.Cell].Name))
		}
		if diff := cmp.Diff(strings.Fields(want), got, cmp.Transformer("", func(s []string) string { return strings.Join(s, " ") })); diff != "" {
			t.Errorf("%q (-want +got)\n%s", s, diff)
		}
	}
	check("cpu worse", "cpu:0:c1 cpu:1:c1 cpu:-1:c1")
	check("geomean cpu worse", "cpu:-1:c1")
	check("cpu worse > 15%", "cpu:0:c1 cpu:1:c1 cpu:-1:c1")
	check("cpu worse > 25%", "")
	check("cpu better > 90 %", "cpu:0:c2 cpu:1:c2 cpu:-1:c2")
	check("cpu better > 120 %", "")
	check("cpu-sec/op worse > 15%", "cpu:0:c1 cpu:1:c1 cpu:-1:c1")
	check("wall worse", "wall:0:c1 wall:1:c1 wall:-1:c1")
	check("allocs worse", "allocs:0:c1")
	check("allocs/op worse > 4 %", "allocs:0:c1")
	check("allocs worse > 6 %", "")
	check("allocs better", "allocs:1:c1")
	check("allocs better > 1000 %", "allocs:1:c1")
	check("allocs same", "allocs:0:c2 allocs:1:c2")
	check("geomean allocs worse", "")
	check("cpu unclear", "")
	check("rss same", "rss:0:c1 rss:1:c1 rss:-1:c1 rss:0:c2 rss:1:c2 rss:-1:c2")
	check("any worse > 4 %", "cpu:0:c1 cpu:1:c1 cpu:-1:c1 wall:0:c1 wall:1:c1 wall:-1:c1 allocs:0:c1 stw:0:c1 stw:1:c1 stw:-1:c1 pause:0:c1 pause:1:c1 pause:-1:c1")
	check("geomean any worse", "cpu:-1:c1 wall:-1:c1 stw:-1:c1 pause:-1:c1")
	// The change is 5 %, which is not more than that.
	check("allocs worse > 5 %", "")

	c, err := ParseCondition("latency worse")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Holds(r); err == nil || !strings.Contains(err.Error(), `no metric "latency"; there are cpu, wall, allocs, rss`) {
		t.Errorf("an unknown metric: %v", err)
	}
}
