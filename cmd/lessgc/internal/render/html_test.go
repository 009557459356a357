package render

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// sampleSession plans five cells, one of which was not built and one of which
// is the baseline again.
func sampleSession(rows ...string) *session.Session {
	s := &session.Session{
		Command: []string{"compare", "-mode", "oldgc,greentea,arenas", "-mode", "big heap: GOGC=400", "./..."},
		Created: time.Date(2026, 11, 21, 6, 12, 0, 0, time.UTC),
		Host:    session.Host{OS: "linux", Arch: "amd64", Kernel: "6.1.0", CPU: "Example Xeon 8370C", NumCPU: 2, Memory: 8 << 30, Load: 0.31},
		Config:  session.Config{Rounds: 10, MinTrial: time.Second, Seed: 42, Procs: 2, Margin: 0.03},
		Problems: []session.Problem{{Cell: "arenas", Text: "arenas could not be built; does the toolchain know GOEXPERIMENT=arenas?",
			Detail: "go: unknown GOEXPERIMENT arenas\nexit status 2"}},
		Notes: []string{"the budget of 5m0s ended after 10 of 20 planned rounds"},
	}
	add := func(name, settings string, ref int, aa bool, failure string) {
		m := mode.Mode{Name: name, Experiment: settings}
		s.Cells = append(s.Cells, session.Cell{ID: name, Name: name, Mode: m, Ref: ref, AA: aa, Err: failure,
			Build: executable.Info{GoVersion: "go1.26.8", Experiment: settings, SHA256: strings.Repeat("ab12", 16)}})
	}
	add("oldgc", "nogreenteagc", -1, false, "")
	add("greentea", "", 0, false, "")
	add("arenas", "arenas", 0, false, "unknown GOEXPERIMENT arenas")
	add("big heap", "", 0, false, "")
	add("A/A", "nogreenteagc", 0, true, "")
	for _, name := range rows {
		s.Rows = append(s.Rows, session.Row{Package: "example.com/shop/orders", Name: name, Label: name, N: 25000, Bench: []string{"x", "x", "", "x", "x"}})
	}
	return s
}

// sampleTrials runs the plan on a machine made of random numbers.
func sampleTrials(s *session.Session, rounds int) []session.Trial {
	rng := rand.New(rand.NewPCG(7, 7))
	noise := func() float64 { return 1 + 0.012*rng.NormFloat64() }
	var trials []session.Trial
	for round := 0; round <= rounds; round++ {
		for row := range s.Rows {
			drift := noise()
			for c, cell := range s.Cells {
				if cell.Err != "" || s.Rows[row].Bench[c] == "" {
					continue
				}
				speed := []float64{1, 0.93 + 0.05*float64(row%4), 1, 0.62 + 0.1*float64(row%3), 1}[c%5]
				perOp := 420e-9 * float64(row%5+1) * speed * drift * noise()
				trials = append(trials, sampleTrial(round, row, c, s.Rows[row].N, perOp))
			}
		}
	}
	return trials
}

func sampleTrial(round, row, c, n int, perOp float64) session.Trial {
	cpu := time.Duration(perOp * 1.15 * float64(n) * 1e9)
	allocs := float64(10 + row)
	if c == 3 {
		allocs = 3
	}
	cycles := []int{62, 60, 0, 15, 62}[c%5]
	return session.Trial{Round: round, Row: row, Cell: c, N: n, Wall: time.Duration(perOp * float64(n) * 1.05e9), User: cpu * 9 / 10, System: cpu / 10,
		Instructions: int64(perOp * 3.1e9 * float64(n)), RSS: int64(14<<20) + int64(c)<<19 + int64(perOp*1e13),
		GC: gctrace.Summary{Cycles: cycles, CPU: cpu / 9, Stopped: time.Duration(cycles) * 31 * time.Microsecond, MaxPause: 118 * time.Microsecond,
			HeapGoal: int64(4+c*4) << 20},
		Values: []session.Value{{Value: perOp, Unit: "sec/op"}, {Value: allocs, Unit: "allocs/op"}, {Value: allocs * 272, Unit: "B/op"}, {Value: perOp * 9, Unit: "p99-lookup-sec"}}}
}

// sampleReport is the judged plan, with ten rounds.
func sampleReport(rows ...string) *verdict.Report {
	s := sampleSession(rows...)
	r := verdict.New(s, sampleTrials(s, 10))
	r.Tool, r.Measured = "lessgc v0.2.0 go1.27.3 linux/arm64", "lessgc v0.1.0 go1.26.8 linux/amd64"
	return r
}

var fourRows = []string{"decode/impl=std/msg=users", "decode/impl=std/msg=orders", "clone/size=4096/clones=32", "profile/InsertStack/depth=64/symbols=many/encoding=collapsed/with-a-very-long-name"}

func htmlOf(t *testing.T, r *verdict.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHTMLSaysIt(t *testing.T) {
	r := sampleReport(fourRows...)
	page := htmlOf(t, r)
	for _, want := range []string{"Should I turn it on?", "GOEXPERIMENT=nogreenteagc", "not measured", "go: unknown GOEXPERIMENT arenas",
		"lessgc compare -mode oldgc,greentea,arenas -mode &#39;big heap: GOGC=400&#39; ./...", "geometric mean", "Example Xeon 8370C × 2", "8.00\u00a0GiB", "0.31"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if len(r.Answers) == 0 {
		t.Fatal("the sample has no answers")
	}
}

// TestHTMLHidesNothing checks what a reader must not have to open or scroll to: verdicts
// first, whatever is worse, and the notes, however many; and what tells tabs apart.
func TestHTMLHidesNothing(t *testing.T) {
	r := sampleReport(fourRows...)
	r.Notes = []string{"one", "two", "three", "four", "five", "six"}
	r.Cells[0].Name = "base 1234567"
	rss := slices.IndexFunc(r.Metrics, func(m verdict.Metric) bool { return m.Name == "rss" })
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Metric == rss && c.Word != "" {
			c.Word = verdict.Same
		}
	}
	if page := htmlOf(t, r); !strings.Contains(page, "<details><summary>Peak memory (RSS)") {
		t.Error("the table of peak memory is open though nothing is worse")
	}
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Metric == rss && c.Word != "" {
			c.Word = verdict.Worse
		}
	}
	page := htmlOf(t, r)
	for _, want := range []string{
		"<title>Should I turn it on? – example.com/shop/orders – against base 1234567 – lessgc compare -mode oldgc,greentea,arenas ",
		"<details open><summary>Peak memory (RSS)",
		"<h2>To be kept in mind</h2>\n<ul><li>one</li><li>two</li>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	word, change, base := strings.Index(page, `<span class="word`), strings.Index(page, `<span class="change`), strings.Index(page, "<small>baseline</small>")
	if head := strings.Index(page, `<th scope="col">greentea`); word < 0 || word > change || head < 0 || head > base {
		t.Errorf("word at %d, change at %d; column of a mode at %d, that of the baseline at %d", word, change, head, base)
	}
}

func TestHTMLIsSelfContained(t *testing.T) {
	page := htmlOf(t, sampleReport(fourRows...))
	fetching := regexp.MustCompile(`(?i)https?://|//[a-z]|<script|<iframe|<img|@import|@font-face|rel="?stylesheet|url\([^#]|(src|href)="[^#d]`)
	if found := fetching.FindAllString(page, -1); found != nil {
		t.Errorf("the page would fetch: %q", found)
	}
	if !strings.Contains(page, `default-src 'none'`) {
		t.Error("the page has no content security policy")
	}
}

func TestHTMLEscapes(t *testing.T) {
	const hostile = `<script>alert(1)</script>"'&lt;</title></style>` + "\u202e{{.}}"
	s := sampleSession(hostile, "b")
	s.Cells[1].Name, s.Cells[2].Err = hostile, hostile
	s.Cells[3].Mode.RunEnv = []string{"X=" + hostile}
	s.Command, s.Host.CPU = []string{hostile}, hostile
	s.Notes, s.Problems = []string{hostile}, []session.Problem{{Text: hostile, Detail: hostile}}
	trials := sampleTrials(s, 10)
	for i := range trials {
		trials[i].Values = append(trials[i].Values, session.Value{Value: 1, Unit: hostile})
	}
	page := htmlOf(t, verdict.New(s, trials))
	if strings.Contains(page, "<script") || strings.Contains(page, `"'`) {
		t.Error("a hostile name is not escaped")
	}
	if n := strings.Count(page, "</title></style>"); n > 0 {
		t.Errorf("%d names close an element", n)
	}
	if n := strings.Count(page, "</style>"); n != 1 {
		t.Errorf("there are %d ends of style elements, want 1", n)
	}
}

func TestHTMLOddReports(t *testing.T) {
	check := func(name string, r *verdict.Report, want ...string) {
		t.Helper()
		page := htmlOf(t, r)
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
	}
	judged := func(rounds int, change func(*session.Session), rows ...string) *verdict.Report {
		s := sampleSession(rows...)
		change(s)
		return verdict.New(s, sampleTrials(s, rounds))
	}
	check("zero", new(verdict.Report), "Nothing was compared")
	check("no rows", sampleReport(), "not measured")
	check("no comparisons", judged(10, func(s *session.Session) {
		for i := range s.Rows {
			s.Rows[i].Bench = []string{"x", "", "", "", ""}
		}
	}, fourRows...), "No benchmark ran both")
	check("one row", sampleReport("only"), "only")
	many := make([]string, 120)
	for i := range many {
		many[i] = fmt.Sprintf("group=%d/case=%d", i/10, i)
	}
	check("120 rows", sampleReport(many...), "group=11/case=119", "120 benchmarks")
	check("program", judged(8, func(s *session.Session) { s.Config.Exec, s.Rows[0].N = "./cmd/x", 1 }, "./cmd/x"), "per run", "one run of the program")
	check("duet", judged(8, func(s *session.Session) {
		s.Config.Duet = true
		partner := s.Cells[4]
		partner.ID, partner.Name, partner.Ref = "aa-partner", "A/A partner", -1
		s.Cells = append(s.Cells[:4], partner, s.Cells[4])
		s.Cells[5].Ref = 4
		for i := range s.Rows {
			s.Rows[i].Bench = []string{"x", "x", "", "x", "x", "x"}
		}
	}, fourRows...), "duet", "A/A partner")
	check("no intervals", judged(3, func(*session.Session) {}, fourRows...), "no interval")
	check("two baselines", judged(10, func(s *session.Session) {
		s.Cells[1].Ref, s.Cells[2].Err, s.Cells[3].Ref = -1, "", 1
		for i := range s.Rows {
			s.Rows[i].Bench[2] = "x"
		}
	}, fourRows...), "against greentea", " → ")
	groups := judged(10, func(s *session.Session) {
		for _, c := range slices.Clone(s.Cells) {
			c.ID, c.Group = "plain."+c.ID, "plain"
			if c.Ref >= 0 {
				c.Ref += 5
			} else {
				c.Name = "plain"
			}
			s.Cells = append(s.Cells, c)
		}
		for i := range 5 {
			s.Cells[i].Group = "oldgc"
		}
		for i := range s.Rows {
			s.Rows[i].Bench = []string{"x", "x", "", "x", "x", "", "", "", "", ""}
			if i > 1 {
				s.Rows[i].Bench = append(s.Rows[i].Bench[5:], s.Rows[i].Bench[:5]...)
			}
		}
	}, fourRows...)
	check("groups", groups, "against plain", "geometric mean, against plain", "geometric mean, against oldgc", "CPU time per operation, against oldgc")
	for group, rows := range map[string][]string{"oldgc": fourRows[:2], "plain": fourRows[2:]} {
		for _, table := range newPage(groups).Tables() {
			if !strings.HasSuffix(table.Heading, "against "+group) {
				continue
			}
			var names []string
			for _, row := range table.Rows {
				if !row.Mean {
					names = append(names, row.Name)
				}
			}
			if !slices.Equal(names, rows) || table.Baseline != group {
				t.Errorf("%s has the rows %q and the baseline %s", table.Heading, names, table.Baseline)
			}
		}
	}
	check("some benchmarks in some modes", judged(10, func(s *session.Session) {
		s.Rows[1].Bench = []string{"x", "", "", "x", "x"}
		s.Rows[2].Bench = []string{"", "x", "", "", ""}
	}, fourRows...), "–")
}

func TestAmount(t *testing.T) {
	check := func(v float64, unit, want string) {
		t.Helper()
		if got := strings.ReplaceAll(amount(v, unit), "\u00a0", " "); got != want {
			t.Errorf("amount(%g, %q) = %q, want %q", v, unit, got, want)
		}
	}
	check(4.2e-7, "sec/op", "420 ns")
	check(4.2e-7, "cpu-sec/op", "420 ns")
	check(0.0192466, "sec/op", "19.2 ms")
	check(1.5*(1<<20), "B/op", "1.50 MiB")
	check(512, "peak-RSS-bytes", "512 B")
	check(3<<30, "B/s", "3.00 GiB/s")
	check(0, "sec/op", "0")
	check(1234567, "allocs/op", "1,234,567")
	check(10.5, "gc-cycles", "10.5")
	check(0.125, "gc-cpu-fraction", "12.5 %")
	check(12345, "requests", "12.3 k")
}

func TestRatioAxis(t *testing.T) {
	r := sampleReport(fourRows...)
	axis := newPage(r).ratioAxis(0)
	for _, x := range r.Comparisons {
		if _, cut := axis.at(x.Ratio); x.Metric == 0 && cut {
			t.Errorf("the ratio %v has no position", x.Ratio)
		}
	}
	labels := axis.ticks()
	if len(labels) < 3 || labels[0].Label != "0" {
		t.Errorf("the axis names only %v", labels)
	}
	if at, cut := axis.at(1000); !cut || at != plotWidth-4 {
		t.Errorf("a ratio of 1000 is at %v, cut %v", at, cut)
	}
}

// TestHTMLInChromium opens the page in a browser: it must render without a
// message on the console, ask for nothing, and never scroll sideways.
func TestHTMLInChromium(t *testing.T) {
	ctx := startChromium(t)
	page := htmlOf(t, sampleReport(fourRows...))
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	defer server.Close()
	complaints := watch(ctx, t, server.URL+"/report.html")
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/report.html")); err != nil {
		t.Fatal(err)
	}
	checkPage(ctx, t)
	for _, width := range []int64{1280, 390} {
		checkWidth(ctx, t, width)
		if !evaluate[bool](ctx, t, `[...document.querySelectorAll("#tables details[open] tbody tr")].every(r => r.querySelector(".word").getBoundingClientRect().right <= innerWidth)`) {
			t.Errorf("at %d px a verdict is outside of the window", width)
		}
	}
	for _, c := range complaints() {
		t.Error(c)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times, want once", n)
	}
}

// evaluate runs a script in the page.
func evaluate[T any](ctx context.Context, t *testing.T, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// checkPage looks for what must be seen at once.
func checkPage(ctx context.Context, t *testing.T) {
	t.Helper()
	if h := evaluate[string](ctx, t, `document.querySelector("h1").innerText`); h != "Should I turn it on?" {
		t.Errorf("the heading is %q", h)
	}
	if n := evaluate[int](ctx, t, `document.querySelector("#tables table").tBodies[0].rows.length`); n != len(fourRows)+1 {
		t.Errorf("the first table has %d rows, want %d", n, len(fourRows)+1)
	}
	const area = `(s => { const b = s.getBoundingClientRect(); return b.width * b.height })`
	if n := evaluate[int](ctx, t, `[...document.querySelectorAll("#intervals figure svg")].filter(s => `+area+`(s) > 0).length`); n < len(fourRows) {
		t.Errorf("%d interval plots are visible, want one for each of %d benchmarks", n, len(fourRows))
	}
	if marker := evaluate[string](ctx, t, `getComputedStyle(document.querySelector("#trials path.s1")).markerMid`); !strings.Contains(marker, "#m-s1") {
		t.Errorf("the dots of the trials have the marker %q", marker)
	}
}

// checkWidth opens all that is folded in a window of this width.
func checkWidth(ctx context.Context, t *testing.T, width int64) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)); err != nil {
		t.Fatal(err)
	}
	size := evaluate[[]int](ctx, t, `document.querySelectorAll("details").forEach(d => d.open = true);
		[document.documentElement.scrollWidth, window.innerWidth]`)
	if size[1] != int(width) || size[0] > size[1] {
		t.Errorf("the page is %d wide in a window of %d, want at most %d", size[0], size[1], width)
	}
	empty := evaluate[int](ctx, t, `[...document.querySelectorAll("figure svg")].filter(s => { const b = s.getBBox(); return !(b.width > 0 && b.height > 0) }).length`)
	if empty > 0 {
		t.Errorf("%d drawings are empty at a width of %d", empty, width)
	}
}

// watch collects what a page must not do: requests other than for itself, and
// messages.
func watch(ctx context.Context, t *testing.T, url string) (complaints func() []string) {
	var mu sync.Mutex
	var all []string
	complain := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != url {
				complain("the page asked for %s", e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			complain("exception: %s", e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
				complain("console: %s", e.Type)
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				complain("log: %s: %s", e.Entry.Level, e.Entry.Text)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// findChromium skips the test where there is no browser, unless the
// environment says that there must be one.
func findChromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("LESSGC_CHROMIUM") == "required" {
		t.Fatal("LESSGC_CHROMIUM=required, but neither chromium nor google-chrome is in PATH")
	}
	t.Skip("neither chromium nor google-chrome is in PATH; LESSGC_CHROMIUM=required makes that a failure")
	return ""
}

// startChromium returns the context of a tab. The browser ends with the test.
func startChromium(t *testing.T) context.Context {
	path := findChromium(t)
	limit, stop := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(stop)
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck, chromedp.UserDataDir(t.TempDir())}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-breakpad",
		"disable-default-apps", "disable-extensions", "disable-dev-shm-usage"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	browser, stopBrowser := chromedp.NewExecAllocator(limit, options...)
	t.Cleanup(stopBrowser)
	tab, _ := chromedp.NewContext(browser)
	t.Cleanup(func() {
		if err := chromedp.Cancel(tab); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
	})
	if err := chromedp.Do(tab); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return tab
}

// TestHTMLOfLoad checks the words and the table that servers under load have.
func TestHTMLOfLoad(t *testing.T) {
	r := sampleReport(fourRows...)
	if page := htmlOf(t, r); strings.Contains(page, `id="latency"`) {
		t.Error("benchmarks have latencies")
	}
	r.Load = true
	r.Latencies = []verdict.Latency{{Row: 1, Cell: 0, Requests: 12345, P50: 0.001, P90: 0.002, P99: 0.003, P999: 0.004, Max: 1.5}}
	page := htmlOf(t, r)
	for _, want := range []string{`<a href="#latency">`, `id="latency"`, "12,345", "3.00\u00a0ms", "1.50\u00a0s", "CPU time per request",
		`<th scope="col">Request</th>`, "Requests at a constant rate per trial", "4 requests"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	var text strings.Builder
	if err := (Text{}).Write(&text, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CPU time per request", "latency at a constant rate", "12345", "at a constant rate, per trial"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q", want)
		}
	}
}
