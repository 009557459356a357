package render

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/diff"
	"lessgc/cmd/lessgc/internal/flame"
)

// sampleChange has everything, and a function with that name.
func sampleChange(name string) *diff.Report {
	change := func(name, unit string, before, after, lo, hi float64) diff.Change {
		return diff.Change{Name: name, Unit: unit, Before: before, After: after, Lo: lo, Hi: hi}
	}
	part := func(unit string) *diff.Part {
		return &diff.Part{Per: "minute", Total: change("CPU time", unit, 30, 20, 0.6, 0.8), Classes: []diff.Change{change("allocation", unit, 10, 0, 0, 0.1), change("sweep", unit, 0, 1, 0, 0)},
			Functions: []diff.Function{{Name: name, Flat: change(name, unit, 5, 2, 0.3, 0.6), Cum: change(name, unit, 9, 11, 1.1, 1.4)}, {Name: "main.same", Flat: change("main.same", unit, 5, 5, 0.8, 1.2)}}}
	}
	return &diff.Report{
		Format: diff.Format, Before: name, After: "after", CPU: part("sec"), Bytes: part("B"),
		Runtime: []diff.Change{change("collections", "1/sec", 10, 2, 0, 0), change("the world stopped", "sec/sec", 0.001, 0.0005, 0, 0)},
		Score: &diff.Score{Applied: []diff.Applied{{Lever: "arena", Func: name, Bytes: change(name, "B", 100, 10, 0, 0), Gain: advice.Range{Lo: 0.1, Hi: 0.4}}},
			Predicted: advice.Range{Lo: 0.1, Hi: 0.4}, Estimate: 0.3, Measured: advice.Range{Lo: 0.2, Hi: 0.4}, Word: diff.Inside},
		Notes: []string{"a note"},
	}
}

func diffPageOf(t *testing.T, name string) string {
	t.Helper()
	var b bytes.Buffer
	if err := DiffHTML(&b, sampleChange(name), []*flame.Graph{sampleDiff()}, []string{"diff", name, "after"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDiffText checks the words for people.
func TestDiffText(t *testing.T) {
	var b bytes.Buffer
	if err := (Text{Width: 80}).Diff(&b, sampleChange("main.f"), 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CPU time  per minute", "-33.3 %  [-40, -20] %", "allocation  10.0 s  0       gone     [-100, -90] %", "main.f  -3.00 s  5.00 s  2.00 s  -60.0 %  9.00 s → 11.0 s  +22.2 %",
		"and 1 more; -n 2 shows them", "collections        10/s", "together 10.0 to 40.0 % of the CPU time; measured 30.0 % [20.0, 40.0]: inside the prediction", "note: a note"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, b.String())
		}
	}
}

// TestDiffHTML checks that the page says it, fetches nothing and trusts no name.
func TestDiffHTML(t *testing.T) {
	const hostile = `</script><script>alert(1)</script>"'` + "\u202e"
	page := diffPageOf(t, hostile)
	for _, want := range []string{"-33.3 %", "inside", "a note", "With calls, before", "the world stopped", "default-src &#39;none&#39;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "\u202e") {
		t.Error("a name became part of the page")
	}
	if found := regexp.MustCompile(`(?i)https?://|<iframe|<img|@import|@font-face|rel="?stylesheet|(src|href)="[^#d]`).FindAllString(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), -1); found != nil {
		t.Errorf("the page would fetch: %q", found)
	}
}

// TestDiffHTMLInChromium checks that a browser shows it without a word on the console.
func TestDiffHTMLInChromium(t *testing.T) {
	ctx := startChromium(t)
	asked := openPage(ctx, t, diffPageOf(t, "example.com/a/very/long/path/of/a/package.(*Type).Method"))
	wait(ctx, t, `document.querySelectorAll("#flame-host svg, #flame-host rect").length > 0`)
	if color := evaluate[bool](ctx, t, `getComputedStyle(document.querySelector("td.better")).color != getComputedStyle(document.querySelector("td:not([class*=better]):not([class*=worse])")).color`); !color {
		t.Error("a clear change has no colour")
	}
	for _, width := range []int64{1280, 390} {
		checkWidth(ctx, t, width)
	}
	if n := asked(); n != 1 {
		t.Errorf("the page made %d requests", n)
	}
}
