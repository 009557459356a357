package render

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/verdict"
)

// sampleCourse has so many runs and rows of CPU time, and a row of allocations. The first row is not in
// the first run.
func sampleCourse(runs, rows int) *history.Course {
	c := &history.Course{Format: history.CourseFormat, Tool: "lessgc v1", Notes: []string{"The runs are not paired."}}
	for i := range runs {
		c.Runs = append(c.Runs, history.Stop{Time: time.Date(2026, 11, 1+i, 6, 12, 0, 0, time.UTC), Commit: fmt.Sprintf("%07x%s+", i+1, strings.Repeat("c", 33)), Base: strings.Repeat("b", 40), Rounds: 10,
			Machines: []history.Machine{{CPU: "a CPU", NumCPU: 2, OS: "linux", Arch: "amd64"}}})
	}
	cpu := history.Table{Metric: "cpu", Unit: "cpu-sec/op", Title: "CPU time", Cell: "working tree"}
	for n := range rows {
		row := history.Row{Package: "example.com/x", Name: fmt.Sprintf("Get/n=%d", n)}
		for i := range runs {
			p := &history.Point{Against: "base bbbb", Ratio: 1, Bounded: true, Lo: 0.99, Hi: 1.01, Word: verdict.Same, Pairs: 10, Median: 1e-6, Baseline: 1e-6}
			if i == runs-1 {
				p.Ratio, p.Lo, p.Hi, p.Word, p.Median = 1.2, 1.19, 1.21, verdict.Worse, 1.2e-6
			}
			if i == 0 && n == 0 {
				p = nil
			}
			row.Points = append(row.Points, p)
		}
		cpu.Rows = append(cpu.Rows, row)
	}
	allocs := history.Table{Metric: "allocs", Unit: "allocs/op", Title: "allocations", Exact: true, Cell: "working tree", Rows: []history.Row{{Name: "Get/n=0"}, {Mean: true}}}
	for range runs {
		allocs.Rows[0].Points = append(allocs.Rows[0].Points, &history.Point{Against: "base bbbb", Ratio: 1, Word: verdict.Same, Pairs: 10, Median: 3, Baseline: 3})
		allocs.Rows[1].Points = append(allocs.Rows[1].Points, &history.Point{Against: "base bbbb", Ratio: 40, Word: verdict.Worse, Pairs: 10})
	}
	c.Tables = []history.Table{cpu, allocs}
	return c
}

// TestCourseText checks bars, intervals, runs without a row, and what is left out.
func TestCourseText(t *testing.T) {
	text := func(c *history.Course) string {
		var b bytes.Buffer
		if err := (Text{Width: 100}).Course(&b, c); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := text(sampleCourse(3, 2))
	for _, want := range []string{
		"3 runs  the newest last\n  1  2026-11-01 06:12  0000001ccccc+  against bbbbbbbbbbbb  10 rounds  a CPU (linux/amd64, 2 CPUs)\n",
		"CPU time: working tree  each run against its own baseline",
		"  Get/n=0  ·▅█\n    1  0000001ccccc+    ", "  –\n    2  0000002ccccc+  ",
		"  Get/n=1  ▅▅█\n",
		"   ─┼─  ", "  ●  ", "+20.0 %  [+19.0, +21.0]  worse  1.200µs\n", "+0.0 %   [-1.0, +1.0]    same   1.000µs\n",
		"  Get/n=0  ▅▅▅\n", "=  ", "  geometric mean  ███\n", "+3900.0 %", "note: The runs are not paired.\n",
	} {
		if !strings.Contains(got, want) && !strings.Contains(strings.ReplaceAll(got, "●", "┼"), want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for line := range strings.SplitSeq(got, "\n") {
		if width(line) > 100 {
			t.Errorf("%d columns: %s", width(line), line)
		}
	}
	long := text(sampleCourse(100, 1))
	if !strings.Contains(long, "  88 earlier runs; -html and -json have more of them\n") || strings.Contains(long, "    88   0") || !strings.Contains(long, "    89   0") {
		t.Errorf("%s", long)
	}
	if text(&history.Course{}) == "" {
		t.Error("a course of nothing is not shown")
	}
}

// TestBracket checks an interval that is cut at both ends.
func TestBracket(t *testing.T) {
	axis := svgAxis{reach: 1, from: 0, to: 10}
	for want, p := range map[string]*history.Point{
		"     ●     ": {Ratio: 1},
		"    ─●─    ": {Ratio: 1, Bounded: true, Lo: 0.85, Hi: 1.2},
		"     │    ●": {Ratio: 1000},
		"←────●────→": {Ratio: 1, Bounded: true, Lo: 0, Hi: 1000},
		" ●───┼─    ": {Ratio: 0.45, Bounded: true, Lo: 0.45, Hi: 1.2},
	} {
		if got := bracket(p, axis, 11); got != want {
			t.Errorf("%+v: %q, want %q", *p, got, want)
		}
	}
}

func courseHTML(t *testing.T, c *history.Course) string {
	t.Helper()
	var b bytes.Buffer
	if err := CourseHTML(&b, c, []string{"report", "-history", "a b"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCourseHTML checks what the page says, and that a large history makes no page that a browser cannot draw.
func TestCourseHTML(t *testing.T) {
	page := courseHTML(t, sampleCourse(3, 2))
	for _, want := range []string{"<h1>Course of 3 runs</h1>", "CPU time: working tree", `<span class="word worse">worse</span> <span class="change">&#43;20.0 %</span><small>[&#43;19.0, &#43;21.0]</small>`,
		`<g class="worse"><title>0000003ccccc&#43;, 2026-11-03 06:12: &#43;20.0 % [&#43;19.0, &#43;21.0] worse; 10 pairs, against base bbbb</title><path class="ci"`, `<td class="soft">–</td>`,
		"<code>lessgc report -history &#39;a b&#39;</code>, lessgc v1", "1.20\u00a0µs", "0000003ccccccccccccccccccccccccccccccccc&#43;", "geometric mean", "a CPU (linux/amd64, 2 CPUs)"} {
		if !strings.Contains(page, want) && !strings.Contains(strings.ReplaceAll(page, "+", "&#43;"), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, `<circle class="dot"`); n != 5+6 {
		t.Errorf("%d points are drawn, want 11", n)
	}
	for _, bad := range []string{"ZgotmplZ", "NaN", "Inf", "http:", "https:", "<script"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	large := courseHTML(t, sampleCourse(300, 3000))
	if n := strings.Count(large, `<circle class="dot"`); n > pagePoints || n < pagePoints/2 || !strings.Contains(large, "290 earlier runs not drawn") || !strings.Contains(large, "1000 more rows are in -json") {
		t.Errorf("%d points are drawn", n)
	}
	if page := courseHTML(t, new(history.Course)); !strings.Contains(page, "Course of 0 runs") {
		t.Error("a course of nothing is not shown")
	}
}

// TestCourseInChromium opens the page in a browser, as TestHTMLInChromium does.
func TestCourseInChromium(t *testing.T) {
	ctx := startChromium(t)
	page := courseHTML(t, sampleCourse(20, 20))
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	defer server.Close()
	complaints := watch(ctx, t, server.URL+"/course.html")
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/course.html")); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1280, 390} {
		checkWidth(ctx, t, width)
	}
	for _, c := range complaints() {
		t.Error(c)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times, want once", n)
	}
}

// TestOtavaCSV checks what the CSV importer of Apache Otava takes: a time, attributes, and a number in
// each other field; names once, and none that it reads as a branch.
func TestOtavaCSV(t *testing.T) {
	c := sampleCourse(3, 2)
	c.Tables[0].Rows[1].Points[1] = nil
	again := c.Tables[0].Rows[1]
	again.Package = "example.com/y"
	c.Tables[0].Rows = append(c.Tables[0].Rows, again)
	var b bytes.Buffer
	if err := OtavaCSV(&b, c); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%v, %d lines", err, len(rows))
	}
	want := []string{"time", "commit", "Get/n=0 cpu working tree", "Get/n=0 cpu working tree median", "Get/n=1 cpu working tree", "Get/n=1 cpu working tree median",
		"Get/n=1 cpu working tree #2", "Get/n=1 cpu working tree median #2", "Get/n=0 allocs working tree", "Get/n=0 allocs working tree median", "geometric mean allocs working tree"}
	if got := strings.Join(rows[0], "|"); got != strings.Join(want, "|") {
		t.Errorf("%s", got)
	}
	for i, row := range rows[1:] {
		if _, err := time.Parse(time.RFC3339, row[0]); err != nil {
			t.Error(err)
		}
		for j, field := range row[2:] {
			var f float64
			if n, err := fmt.Sscanf(field, "%g", &f); n != 1 || err != nil || field == "NaN" {
				t.Errorf("line %d, %s: %q is not a number", i, rows[0][2+j], field)
			}
		}
	}
	if rows[1][2] != "1" || rows[2][4] != "1" || rows[3][4] != "1.2" || rows[3][8] != "1" { // gaps have the value of the run before, or after
		t.Errorf("%q", rows)
	}
}
