package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// TestMarkdown checks what a comment on a pull request shows, and what names in it
// cannot do.
func TestMarkdown(t *testing.T) {
	r := &verdict.Report{
		Command: []string{"compare", "-base", "main"}, Rounds: 10, Procs: 2, Host: session.Host{OS: "linux", Arch: "amd64", CPU: "a<b"},
		Answers: []verdict.Answer{{Cell: 1, Short: "mostly", Text: "It saves 3 %."}},
		Cells:   []verdict.Cell{{Name: "base 1234", Ref: -1}, {Name: "working tree", Ref: 0}, {Name: "A/A", Ref: 0, AA: true}},
		Rows:    []verdict.Row{{Name: "A|`@all`"}, {Name: "B"}},
		Metrics: []verdict.Metric{
			{Unit: "cpu-sec/op", Name: "cpu", Title: "CPU time", Decides: true},
			{Unit: "sec/op", Name: "wall", Title: "wall time"},
			{Unit: "peak-RSS-bytes", Name: "rss", Title: "peak memory (RSS)"},
			{Unit: "B/op", Name: "bytes", Title: "allocated bytes", Exact: true},
		},
		Problems: []session.Problem{{Text: "x_test.go:1: <script>alert(1)</script> | @everyone\n# a heading"}},
		Notes:    []string{"a note of *stars* & `ticks`"},
	}
	for m := range r.Metrics {
		for row, name := range []verdict.Word{verdict.Same, verdict.Better} {
			x := verdict.Comparison{Row: row, Cell: 1, Metric: m, N: 10, Ratio: 0.9, Bounded: m != 3, Lo: 0.8, Hi: 0.95, Word: name}
			if m == 2 && row == 1 {
				x.Ratio, x.Lo, x.Hi, x.Word = 1.5, 1.2, 1.8, verdict.Worse
			}
			if m == 0 && row == 1 {
				x.Word, x.Withheld = verdict.Unclear, "the clock says otherwise"
			}
			r.Comparisons = append(r.Comparisons, x)
			for cell := range 2 {
				r.Values = append(r.Values, verdict.Value{Row: row, Cell: cell, Metric: m, Median: float64(1 + cell), Trials: []float64{1}})
			}
		}
	}
	var b strings.Builder
	if err := Markdown(&b, r, 0); err != nil {
		t.Fatal(err)
	}
	open, closed, _ := strings.Cut(b.String(), "<details>")
	closed, rest, found := strings.Cut(closed, "</details>")
	for _, test := range []struct {
		in, want string
	}{
		{open, "### Is the working tree better?\n\n- `working tree`: **mostly.** It saves 3 %.\n"},
		{open, "| CPU time per op | verdict | change | `base 1234` | `working tree` |\n|---|---|--:|--:|--:|\n" +
			"| <code>A&#124;&#96;&#64;all&#96;</code> | same | -10.0 % [-20.0, -5.0] | 1.000s | 2.000s |\n| `B` | withheld: wall time disagrees | -10.0 %"},
		{open, "| peak memory (RSS) | verdict | change | `base 1234` | `working tree` |\n|---|---|--:|--:|--:|\n| `B` | **worse** | +50.0 % [+20.0, +80.0] |"}, // worse first, and open
		{closed, "| wall time per op | verdict |"},
		{closed, "| `B` | **better** | -10.0 % | 1.000B | 2.000B |\n"},
		{rest, "- not measured: x\\_test.go:1: &lt;script&gt;alert(1)&lt;/script&gt; &#124; @<!-- -->everyone"},
		{rest, "- note: a note of \\*stars\\* &amp; &#96;ticks&#96;\n"},
		{rest, "<sub>`lessgc compare -base main`: 10 rounds, GOMAXPROCS=2, linux/amd64, a&lt;b</sub>\n"},
	} {
		if !found || !strings.Contains(test.in, test.want) {
			t.Errorf("%q is not in\n%s", test.want, test.in)
		}
	}
	if slices.Contains(strings.Split(rest, "\n"), "# a heading") {
		t.Errorf("a heading of its own:\n%s", rest)
	}

	for i := range 1000 {
		r.Rows = append(r.Rows, verdict.Row{Name: fmt.Sprint("row", i)})
		r.Comparisons = append(r.Comparisons, verdict.Comparison{Row: 2 + i, Cell: 1, Ratio: 1, Word: verdict.Same})
	}
	b.Reset()
	if err := Markdown(&b, r, 0); err != nil || b.Len() > 30_000 || !strings.Contains(b.String(), "962 more lines (962 same) are in report.html.") {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}
