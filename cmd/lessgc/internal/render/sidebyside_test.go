package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/runs"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// twoRuns returns a report of the runs of two commits, with so many benchmarks.
func twoRuns(rows int) *runs.Report {
	r := &runs.Report{Format: runs.Format, Tool: "lessgc v1", Notes: []string{"The runs are not paired."},
		Differs: []runs.Difference{{What: "commit", Values: []string{"aaaa", ""}}}}
	for i, name := range []string{"A", "B"} {
		r.Runs = append(r.Runs, runs.Run{Name: name, Dir: "results/" + name, Created: time.Date(2026, 11, 21+i, 6, 12, 0, 0, time.UTC), Rounds: 10,
			Answers: []runs.Answer{{Cell: "new", Against: "old", Short: "yes", Text: "CPU time is less."}}, Notes: []string{"the machine was busy"}})
	}
	r.Runs[1].Problems = []session.Problem{{Text: "arenas could not be built"}}
	cpu := runs.Table{Metric: verdict.Metric{Unit: "cpu-sec/op", Name: "cpu", Title: "CPU time", Decides: true}, Cell: "new"}
	for n := range rows {
		cpu.Rows = append(cpu.Rows, runs.Row{Name: fmt.Sprintf("Get/n=%d", n), Changes: []*runs.Change{
			{Against: "old", Pairs: 10, Ratio: 0.8, Bounded: true, Lo: 0.79, Hi: 0.81, Word: verdict.Better}, nil}})
	}
	cpu.Rows = append(cpu.Rows, runs.Row{Name: "geometric mean", Mean: true, Changes: []*runs.Change{
		{Against: "old", Pairs: 10, Ratio: 0.8, Bounded: true, Lo: 0.79, Hi: 0.81, Word: verdict.Better},
		{Against: "base", Pairs: 10, Ratio: 0.9, Bounded: true, Lo: 0.85, Hi: 0.95, Word: verdict.Unclear, Withheld: "wall time"}}})
	allocs := runs.Table{Metric: verdict.Metric{Unit: "allocs/op", Name: "allocs", Title: "allocations", Exact: true, Decides: true}, Cell: "new",
		Rows: []runs.Row{{Name: "Get/n=0", Changes: []*runs.Change{{Against: "old", Pairs: 10, Ratio: 1, Word: verdict.Same}, {Against: "old", Pairs: 10, Ratio: 2, Word: verdict.Worse}}}}}
	gc := allocs
	gc.Metric = verdict.Metric{Unit: "gc-cycles", Name: "gc", Title: "collections"}
	r.Tables = []runs.Table{cpu, allocs, gc}
	return r
}

// TestRuns checks the text at two widths, Markdown and the page: what each run says, dashes
// where it says nothing, and no figures of the collector.
func TestRuns(t *testing.T) {
	check := func(name, text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", name, w, text)
			}
		}
		if strings.Contains(text, "collections") {
			t.Errorf("%s has figures of the collector", name)
		}
	}
	text := func(width int) string {
		var b bytes.Buffer
		if err := (Text{Width: width}).Runs(&b, twoRuns(1)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	check("text", text(100), "  A  results/A  2026-11-21 06:12  10 rounds\n", "  commit\n    A  aaaa\n    B  –\n",
		"CPU time: new  each against its own baseline\n", "  Get/n=0         -20.0 % [-21.0, -19.0] better  –\n",
		"  geometric mean  -20.0 % [-21.0, -19.0] better  -10.0 % [-15.0, -5.0] unclear (wall time disagrees)\n",
		"  Get/n=0  = same  +100.0 % worse\n", "  B  new against old: yes. CPU time is less.\n", "B, not measured: arenas could not be built\n", "A, note: the machine was busy\n", "note: The runs are not paired.\n")
	narrow := text(60)
	check("narrow text", narrow, "  Get/n=0\n    A             -20.0 %  [-21.0, -19.0]  better\n    B             –\n")
	for line := range strings.SplitSeq(narrow, "\n") {
		if width(line) > 75 {
			t.Errorf("a line is %d wide: %s", width(line), line)
		}
	}

	var markdown bytes.Buffer
	if err := RunsMarkdown(&markdown, twoRuns(mostLines), 0); err != nil {
		t.Fatal(err)
	}
	check("Markdown", markdown.String(), "- **A**: `results/A`, 2026-11-21 06:12, 10 rounds\n", "| what differs | A | B |\n|---|---|---|\n| commit | `aaaa` | `–` |\n",
		"| CPU time: new | A | B |\n|---|---|---|\n| `Get/n=0` | -20.0 % \\[-21.0, -19.0\\] better | – |\n", "\n\n1 more line (1 better) is in the reports of the runs.\n\n", "- note: The runs are not paired.\n")

	var page bytes.Buffer
	if err := RunsHTML(&page, twoRuns(1), []string{"report", "a", "b c"}); err != nil {
		t.Fatal(err)
	}
	check("the page", page.String(), `<td title="10 pairs, against old"><span class="word better">better</span> <span class="change">-20.0 %</span><small>[-21.0, -19.0]</small></td>`,
		`<div class="short better">A: yes</div>`, `<tr class="mean">`, `<td class="soft">–</td>`, "<code>lessgc report a &#39;b c&#39;</code>, lessgc v1", "<li>B: the machine was busy</li>", "arenas could not be built")
	if strings.Contains(page.String(), "ZgotmplZ") {
		t.Error("the template refused something")
	}
}
