package render

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/flame"
)

// sampleAdvice has three lines; name is part of all that comes out of profiles.
func sampleAdvice(name string) *advice.Report {
	half := func(share float64) ceiling.Share { return ceiling.Share{Share: share, Error: 0.021} }
	costs := &advice.Costs{Samples: 2400, CPU: 24 * time.Second, Throughput: half(0.25), Bill: half(0.31), Enough: true}
	for _, c := range ceiling.Costs() {
		costs.Classes = append(costs.Classes, advice.Class{Name: c.String(), Share: half(0.31 / float64(len(ceiling.Costs())))})
	}
	lever := advice.Lever{Name: "presize", Title: "make the slice with its size" + name, Gain: &advice.Range{Lo: 0.012, Hi: 0.034},
		Evidence: []advice.Evidence{{Text: "append in a loop over rows" + name, File: "/src/shop/parse/parse.go", Line: 41}}, Risk: "aliasing" + name,
		Change: []advice.ChangedLine{{File: "/src/shop/parse/parse.go", Line: 40, Text: "var rows []row" + name}, {File: "/src/shop/parse/parse.go", Line: 40, New: true, Text: "rows := make([]row, 0, len(all))"}}}
	sites := []advice.Site{
		{Func: "example.com/shop/parse.Rows" + name, File: "/src/shop/parse/parse.go", Line: 42, Bytes: 300 << 20, Objects: 4_500_000, Live: 12 << 20, Share: 0.6, Error: 0.01,
			Alloc: half(0.08), Mark: advice.Range{Lo: 0.01, Hi: 0.02}, Levers: []advice.Lever{lever}, Together: lever.Gain,
			Reasons: []advice.Reason{{Text: "append(rows, r): a slice grows" + name, Share: 0.97, File: "/mod/dep@v1/dep/grow.go", Line: 3}},
			Leaves:  []advice.Leaf{{Share: 0.9, Calls: []string{"strings.Clone" + name + ":7"}}, {Share: 0.1}}},
		{Func: "example.com/shop.render", File: "/src/shop/render.go", Line: 9, Bytes: 150 << 20, Objects: 90_000, Share: 0.3, Alloc: half(0.02)},
		{Func: "(outside of the module)", Bytes: 50 << 20, Objects: 12, Share: 0.1},
	}
	return &advice.Report{Format: advice.Format, Costs: costs, Sites: &advice.Sites{Bytes: 500 << 20, Objects: 4_590_012, Live: 12 << 20, Sites: sites, Explained: 0.58},
		Levers: []advice.Lever{{Name: "gc", Title: "let the heap grow" + name, Gain: &advice.Range{Lo: 0.03, Hi: 0.08}, Evidence: []advice.Evidence{{Text: "little is live"}}}},
		Gain:   &advice.Range{Lo: 0.012, Hi: 0.034}, Regime: "12.0 MiB are live", Frontier: &advice.Frontier{Points: []advice.Point{{GOGC: 100, RSS: advice.Range{Lo: 3 << 20, Hi: 3 << 20}}, {GOGC: 200, Saved: advice.Range{Lo: 0.01, Hi: 0.02}}}}, Notes: []string{"a note" + name}}
}

// samplePage has two graphs, and source for one file.
func samplePage(name string) AdvicePage {
	return AdvicePage{Title: "shop" + name, Command: []string{"advise", "-module", "example.com/shop" + name},
		Graphs: []*flame.Graph{sampleGraph("Allocated bytes", "Rows"+name), sampleGraph("Others", "rest"+name)},
		Source: func(file string, line int) []advice.SourceLine {
			if file != "/src/shop/parse/parse.go" {
				return nil
			}
			return []advice.SourceLine{{Line: line - 1, Text: "for r := range all {" + name}, {Line: line, Text: "\trows = append(rows, r)"}}
		}}
}

func advicePageOf(t *testing.T, r *advice.Report, p AdvicePage) string {
	t.Helper()
	var b strings.Builder
	if err := AdviceHTML(&b, r, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAdviceHTML checks reports, whole and in parts.
func TestAdviceHTML(t *testing.T) {
	check := func(name string, r *advice.Report, p AdvicePage, want ...string) string {
		t.Helper()
		page := advicePageOf(t, r, p)
		for _, w := range append(want, "</html>") {
			if !strings.Contains(page, w) {
				t.Errorf("%s: the page lacks %q", name, w)
			}
		}
		for _, bad := range []string{"NaN", "Inf", "%!", "<nil>", "ZgotmplZ"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page has %q", name, bad)
			}
		}
		return page
	}
	const nb = "\u00a0"
	check("whole", sampleAdvice(""), samplePage(""), "<title>shop – lessgc advise</title>", "25.0"+nb+"%", "31.0"+nb+"%", "±2.1", "14 % &#43; 5 % = 19 %", "mark, idle workers",
		"let the heap grow", "saves 3.0 to 8.0"+nb+"%", "little is live", "together would save <b>1.2 to 3.4"+nb+"%", "What each GOGC saves", "1.0 to 2.0 %", `<a href="#site-1">parse.Rows</a>`, "line 41", "risk: aliasing",
		"<del>- var rows []row</del>", "<ins>+ rows := make([]row, 0, len(all))</ins>", `<a href="vscode://file/src/shop/parse/parse.go:42">open in VS Code</a>`,
		`append(rows, r): a slice grows <span class="soft">(dep/grow.go:3)</span>`, `<span class="here"><i>42</i>`+"\trows = append(rows, r)</span>", "parse/parse.go:42", "strings.Clone:7", "the line itself",
		"300"+nb+"MiB, 60.0"+nb+"%", "bytes ±1"+nb+"%", "4.50"+nb+"M", "12.0 MiB are live.", "a note", "A reason is known for 58"+nb+"% of the bytes", "lessgc advise -module example.com/shop", `id="flame-tab-1"`)
	page := check("zero", new(advice.Report), AdvicePage{}, "What does memory cost?")
	for _, bad := range []string{"<table", `class="flames"`, `id="sites"`, `id="levers"`, "flame-host"} {
		if strings.Contains(page, bad) {
			t.Errorf("a report of nothing has %q", bad)
		}
	}
	r := sampleAdvice("")
	r.Sites.Sites[0].Levers[0].Gain = &advice.Range{Lo: 0.0004, Hi: 0.034}
	check("noise", r, samplePage(""), "at most 3.4 % of the CPU time; too few samples to tell from zero")
	r = sampleAdvice("")
	r.Sites.Ops = 1000
	check("operations", r, samplePage(""), "per operation: 512.0KiB in 4.590k objects")
	r = sampleAdvice("")
	r.Costs = nil
	if page := check("no CPU", r, samplePage(""), "Which lines allocate", "300"+nb+"MiB"); strings.Contains(page, "marking</span>") {
		t.Error("without a CPU profile marking has a column")
	}
	r = sampleAdvice("")
	r.Costs.Enough = false
	check("few samples", r, samplePage(""), "Which lines allocate", "Throughput ceiling")
	r = sampleAdvice("")
	r.Sites = nil
	check("no allocations", r, samplePage(""), "Throughput ceiling")
	r = sampleAdvice("")
	for i := range 300 {
		r.Sites.Sites = append(r.Sites.Sites, advice.Site{Func: fmt.Sprintf("main.f%d", i), Share: 0.001})
	}
	page = check("many lines", r, samplePage(""), "80 more lines", "203 more lines have 20.3 % of the bytes", "main.f96<")
	if strings.Contains(page, "main.f97<") {
		t.Error("line 101 is shown")
	}
}

// TestAdviceHTMLIsSelfContained checks that there is nothing to fetch, and that names are
// text wherever they stand.
func TestAdviceHTMLIsSelfContained(t *testing.T) {
	const hostile = `</script><script>alert(1)</script>"'&lt;</title></style>` + "\u2028\u202e{{.}}`${1}"
	page := advicePageOf(t, sampleAdvice(hostile), samplePage(hostile))
	page = strings.ReplaceAll(page, `href="vscode://file/src/shop/parse/parse.go:42"`, "") // a link to the editor
	fetching := regexp.MustCompile(`(?i)https?://|//[a-z]|<iframe|<img|@import|@font-face|rel="?stylesheet|url\([^#]|(src|href)="[^#d]`)
	if found := fetching.FindAllString(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), -1); found != nil {
		t.Errorf("the page would fetch: %q", found)
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") && !strings.Contains(page, "default-src 'none'") {
		t.Error("the page has no content security policy")
	}
	for what, want := range map[string]int{"</script>": 3, "<script": 3, "</style>": 1, "</title>": strings.Count(page, "<title>"), "\u202e": 0, "\u2028": 0, "<script>alert": 0} {
		if n := strings.Count(page, what); n != want {
			t.Errorf("%q is there %d times, want %d", what, n, want)
		}
	}
}

// TestAdviceHTMLInChromium drives the page as somebody would, by keyboard and by mouse.
func TestAdviceHTMLInChromium(t *testing.T) {
	ctx := startChromium(t)
	const hostile = `</script><b>"'`
	p := samplePage(hostile)
	p.Graphs = append(p.Graphs, sampleDiff())
	p.Graphs[2].Diff = true
	asked := openPage(ctx, t, advicePageOf(t, sampleAdvice(hostile), p))
	checkFlameKeys(ctx, t)
	checkFlameMouse(ctx, t)
	checkSites(ctx, t)
	for _, width := range []int64{1280, 390} {
		checkWidth(ctx, t, width)
		wait(ctx, t, `document.querySelector("#flame-host svg").viewBox.baseVal.width === document.querySelector("#flame-host").clientWidth`)
	}
	if n := asked(); n != 1 {
		t.Errorf("the server was asked %d times, want once", n)
	}
}

// openPage serves a page, opens it, and fails the test at its end for what the page
// complained about. asked counts the requests.
func openPage(ctx context.Context, t *testing.T, page string) (asked func() int32) {
	t.Helper()
	var n atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	complaints := watch(ctx, t, server.URL+"/advice.html")
	t.Cleanup(func() {
		for _, c := range complaints() {
			t.Error(c)
		}
	})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL+"/advice.html")); err != nil {
		t.Fatal(err)
	}
	return n.Load
}

// wait waits until something is true in the page.
func wait(ctx context.Context, t *testing.T, condition string) {
	t.Helper()
	for range 100 {
		if evaluate[bool](ctx, t, condition) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("it never holds that %s", condition)
}

// press presses keys as a keyboard does: what the page does not let a key do, it does
// not type either.
func press(ctx context.Context, t *testing.T, keys string) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			down, up := *events[0], *events[len(events)-1]
			if len(events) == 3 {
				down.Type, down.Text = input.DispatchKeyEventTypeKeyDown, events[1].Text
			}
			for _, e := range []input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, e); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// shownText returns the text that an element shows, with plain spaces.
func shownText(ctx context.Context, t *testing.T, selector string) string {
	t.Helper()
	return evaluate[string](ctx, t, fmt.Sprintf(`document.querySelector(%q).innerText.replaceAll("\u00a0", " ")`, selector))
}

// checkFlameKeys walks, zooms and searches by keyboard.
func checkFlameKeys(ctx context.Context, t *testing.T) {
	t.Helper()
	check := func(keys, status string) {
		t.Helper()
		press(ctx, t, keys)
		if got := shownText(ctx, t, "#flame-status"); got != status {
			t.Errorf("%q: the status is %q, want %q", keys, got, status)
		}
	}
	evaluate[any](ctx, t, `document.querySelector("#flame-host").focus()`)
	const rows = `example.com/shop/parse.Rows</script><b>"'`
	check("", "all: 1000 B")
	check(kb.ArrowDown, "net/http.(*conn).serve: 750 B, 75.0 % of the graph")
	check(kb.ArrowRight, "main.main: 250 B, 25.0 % of the graph")
	check(kb.ArrowRight, "main.main: 250 B, 25.0 % of the graph")
	check(kb.Home+kb.ArrowDown, rows+": 400 B, 40.0 % of the graph")
	check(kb.Enter, rows+": 400 B, 40.0 % of the graph")
	check(kb.ArrowDown, "strings.(*Builder).Grow: 200 B, 20.0 % of the graph, 50.0 % of the zoomed")
	check(kb.End, "runtime.growslice: 100 B, 10.0 % of the graph, 25.0 % of the zoomed")
	if n := evaluate[int](ctx, t, `document.querySelectorAll("#flame-host g").length`); n != 3 {
		t.Errorf("%d frames are drawn of what is zoomed, want 3", n)
	}
	if got := strings.ReplaceAll(shownText(ctx, t, "#flame-crumbs"), "\n", " "); !strings.HasPrefix(got, "all › http.(*conn).serve › ") {
		t.Errorf("the way is %q", got)
	}
	check(kb.Escape, rows+": 400 B, 40.0 % of the graph")
	check(kb.Backspace+kb.ArrowUp, "net/http.(*conn).serve: 750 B, 75.0 % of the graph")
	if n := evaluate[int](ctx, t, `document.querySelectorAll("#flame-host g").length`); n != 8 {
		t.Errorf("%d frames are drawn of all, want 8", n)
	}
	for query, want := range map[string]string{"SHOP": "matched: 70.0 %", "^main|grow": "matched: 55.0 %", "(*builder)": "matched: 20.0 %", "(*conn": "matched: 75.0 %", "[": "matched: 0.0 %", "none": "matched: 0.0 %"} {
		press(ctx, t, "/"+query)
		if got := shownText(ctx, t, "#flame-matched"); got != want {
			t.Errorf("search for %s: %q, want %q", query, got, want)
		}
		press(ctx, t, kb.Escape)
	}
	press(ctx, t, "/shop")
	if n := evaluate[int](ctx, t, `document.querySelectorAll("#flame-host .searching .hit").length`); n != 2 {
		t.Errorf("%d frames are marked, want 2", n)
	}
	check(kb.Enter, rows+": 400 B, 40.0 % of the graph")
	if got := evaluate[string](ctx, t, `document.activeElement.id`); got != "flame-host" {
		t.Errorf("after a search %q has the focus", got)
	}
	press(ctx, t, "/"+kb.Escape)
	if got := shownText(ctx, t, "#flame-matched"); got != "" {
		t.Errorf("without a search it says %q", got)
	}
}

// clickOn clicks into the middle of an element, or moves there.
func clickOn(ctx context.Context, t *testing.T, element string, click bool) {
	t.Helper()
	// The mouse hits what was drawn last: the scrolled page has to be drawn first.
	evaluate[bool](ctx, t, `(e => { e.scrollIntoView({block: "center", behavior: "instant"}); window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true })); return true })(`+element+`)`)
	wait(ctx, t, "window.drawn")
	at := evaluate[[]float64](ctx, t, `(e => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })(`+element+`)`)
	action := chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1])
	if click {
		action = chromedp.MouseClickXY(at[0], at[1])
	}
	if err := chromedp.Do(ctx, action); err != nil {
		t.Fatal(err)
	}
}

// checkFlameMouse zooms by mouse, and changes the graph.
func checkFlameMouse(ctx context.Context, t *testing.T) {
	t.Helper()
	frame := func(name string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#flame-host g")].find(g => g.textContent.startsWith(%q))`, name)
	}
	clickOn(ctx, t, frame("strings."), false)
	wait(ctx, t, `!document.querySelector("#flame-tip").hidden`)
	if got := shownText(ctx, t, "#flame-tip"); got != "strings.(*Builder).Grow\n200 B, 20.0 % of the graph" {
		t.Errorf("the tip is %q", got)
	}
	clickOn(ctx, t, frame("shop.render"), true)
	if got := shownText(ctx, t, "#flame-status"); got != "example.com/shop.render: 300 B, 30.0 % of the graph" {
		t.Errorf("a click says %q", got)
	}
	if n := evaluate[int](ctx, t, `document.querySelectorAll("#flame-host g").length`); n != 1 {
		t.Errorf("%d frames are drawn below a leaf", n)
	}
	clickOn(ctx, t, `document.querySelector("#flame-crumbs button")`, true)
	if got := shownText(ctx, t, "#flame-status"); got != "all: 1000 B" {
		t.Errorf("the way back says %q", got)
	}
	clickOn(ctx, t, `document.querySelector("#flame-tab-1")`, true)
	press(ctx, t, kb.ArrowRight)
	if got := evaluate[string](ctx, t, `document.querySelector("#flames [aria-selected=true]").id`); got != "flame-tab-2" {
		t.Errorf("the tab is %s", got)
	}
	if got := shownText(ctx, t, "#flame-status"); got != "all: 400 B/s; before 500 B/s, −20.0 %" {
		t.Errorf("a diff says %q", got)
	}
	classes := `[...document.querySelectorAll("#flame-host g")].map(g => g.textContent + " " + g.getAttribute("class")).join("|")`
	if got := evaluate[string](ctx, t, classes); got != "all sum down1 current|main.stays own same|main.comes own up3" {
		t.Errorf("a diff draws %q", got)
	}
}

// TestFlameDiffInChromium checks that what is gone can be seen, too.
func TestFlameDiffInChromium(t *testing.T) {
	ctx := startChromium(t)
	openPage(ctx, t, advicePageOf(t, new(advice.Report), AdvicePage{Graphs: []*flame.Graph{sampleDiff()}}))
	frames := `[...document.querySelectorAll("#flame-host g")].map(g => g.textContent + " " + g.getAttribute("class")).join("|")`
	if got := evaluate[string](ctx, t, frames); got != "all sum down1 current|main.stays own same|main.comes own up3" {
		t.Errorf("after: %q", got)
	}
	clickOn(ctx, t, `document.querySelector("#flame-before")`, true)
	if got := evaluate[string](ctx, t, frames); got != "all sum down1 current|main.stays own same|main.goes own down3" {
		t.Errorf("before: %q", got)
	}
	evaluate[any](ctx, t, `document.querySelector("#flame-host").focus()`)
	press(ctx, t, kb.ArrowDown+kb.ArrowRight)
	if got := shownText(ctx, t, "#flame-status"); got != "main.goes: 0 B/s, 0.0 % of the graph; before 400 B/s, gone" {
		t.Errorf("the status is %q", got)
	}
	press(ctx, t, kb.Enter)
	clickOn(ctx, t, `document.querySelector("#flame-before")`, true)
	press(ctx, t, "/goes")
	if got := shownText(ctx, t, "#flame-matched"); got != "matched: 0.0 %" {
		t.Errorf("of nothing it says %q", got)
	}
	if got := shownText(ctx, t, "#flames .legend"); !strings.Contains(got, "gone") {
		t.Errorf("the legend is %q", got)
	}
}

// checkSites filters the lines of code.
func checkSites(ctx context.Context, t *testing.T) {
	t.Helper()
	shown := func(want int) {
		t.Helper()
		if n := evaluate[int](ctx, t, `[...document.querySelectorAll("details.site")].filter(s => s.checkVisibility()).length`); n != want {
			t.Errorf("%d lines are shown, want %d", n, want)
		}
	}
	shown(3)
	evaluate[any](ctx, t, `document.querySelector("#site-search").focus()`)
	press(ctx, t, "Slice GROWS")
	shown(1)
	if got := shownText(ctx, t, "#site-count"); got != "1 of 3 lines" {
		t.Errorf("the count is %q", got)
	}
	press(ctx, t, kb.Escape)
	shown(3)
	press(ctx, t, "/shop/ex")
	shown(0)
	evaluate[any](ctx, t, `document.querySelector("a[href='#site-1']").click()`)
	wait(ctx, t, `document.querySelector("#site-1").checkVisibility() && document.querySelector("#site-1").open`)
	press(ctx, t, kb.Escape)
}

// TestAdviceText checks what stands with a lever on a terminal, and in Markdown.
func TestAdviceText(t *testing.T) {
	r := sampleAdvice("")
	r.Sites.Sites[1].Levers = append([]advice.Lever{{Name: "other", Title: "do another thing", Gain: &advice.Range{Lo: 0.0001, Hi: 0.02}}}, r.Sites.Sites[0].Levers...)
	r.Sites.Sites[2].Levers = r.Sites.Sites[0].Levers
	var text, markdown strings.Builder
	if err := (Text{Dir: "/src/shop"}).Advice(&text, r, 15, false); err != nil {
		t.Fatal(err)
	}
	if err := AdviceMarkdown(&markdown, r, 15, "/src/shop"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"→ presize: make the slice with its size; risk: aliasing\n  parse/parse.go:42, saves 1.2 to 3.4 % of the CPU time\n      - append in a loop over rows (parse.go:41)\n" +
			"        - var rows []row\n        + rows := make([]row, 0, len(all))\n  :0, saves",
		"→ other: do another thing\n  render.go:9, at most 2.0 % of the CPU time; too few samples to tell from zero\n      or presize: make the slice with its size, saves 1.2",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks\n%s\n%s", want, &text)
		}
	}
	for _, want := range []string{
		"**presize**: make the slice with its size; risk: aliasing\n\n- `parse/parse.go:42` saves 1.2 to 3.4 % of the CPU time\n  - append in a loop over rows (`parse.go:41`)\n\n" +
			"  ```diff\n  - var rows []row\n  + rows := make([]row, 0, len(all))\n  ```\n",
		"  - or presize: make the slice with its size\n",
		"| `parse/parse.go:42` | 60.0 % | 8.0 % ±2.1 | append(rows, r): a slice grows (dep/grow.go:3) |\n",
	} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("the Markdown lacks\n%s\n%s", want, &markdown)
		}
	}
}

// TestCandidates checks that candidates stand after the levers, with their question, and are not added up.
func TestCandidates(t *testing.T) {
	r := sampleAdvice("")
	sure := r.Sites.Sites[0].Levers
	asked := advice.Lever{Name: "owner", Title: "keep it in the owner", Asks: "Does Close end its use?", Gain: &advice.Range{Lo: 0.2, Hi: 0.3}}
	r.Sites.Sites[0].Levers, r.Sites.Sites[1].Levers = []advice.Lever{asked}, sure
	r.Sites.Sites[2].Levers = append(slices.Clone(sure), asked)
	var text, markdown strings.Builder
	if err := (Text{Dir: "/src/shop"}).Advice(&text, r, 15, false); err != nil {
		t.Fatal(err)
	}
	if err := AdviceMarkdown(&markdown, r, 15, "/src/shop"); err != nil {
		t.Fatal(err)
	}
	page := advicePageOf(t, r, AdvicePage{})
	for _, x := range []struct{ text, first, then string }{
		{text.String(), "levers  savings", "\n\ncandidates  correct only if the answer to the question is yes; not added up\n→ owner: keep it in the owner\n  Does Close end its use?\n  parse/parse.go:42, would save 20.0 to 30.0 %"},
		{text.String(), "→ presize", "      candidate owner: keep it in the owner. Does Close end its use?, would save"},
		{markdown.String(), "**presize**", "**owner**: keep it in the owner\n\nCandidate, correct only if the answer is yes: Does Close end its use?\n\n- `parse/parse.go:42`"},
		{markdown.String(), "**presize**", "  - candidate owner: keep it in the owner. Does Close end its use?\n"},
		{page, `<section id="levers">`, `<section id="candidates">`},
		{page, `<section id="candidates">`, `<p>Does Close end its use?</p>`},
	} {
		if i, j := strings.Index(x.text, x.first), strings.Index(x.text, x.then); i < 0 || j < i {
			t.Errorf("%q is at %d and %q at %d:\n%s", x.first, i, x.then, j, x.text)
		}
	}
}
