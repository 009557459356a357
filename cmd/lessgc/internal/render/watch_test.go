package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	watched "lessgc/cmd/lessgc/internal/watch"
)

var watchedHeader = watched.Header{URL: "http://host:6060/debug/lessgc", Source: watched.Live, Interval: 0.1, Go: "go1.26.8"}

// watchedWindow is one of a service that allocates n MiB a second.
func watchedWindow(n int) watched.Window {
	f := func(v float64) *float64 { return &v }
	at := time.Date(2026, 11, 22, 10, 0, n, 0, time.UTC)
	kinds := watched.Kinds{GC: 0.18, Assist: 0.01, Dedicated: 0.15, Idle: 0.02}
	return watched.Window{N: n, Time: at, Rates: &watched.Rates{Time: at, Seconds: 1,
		PerSecond: watched.Totals{AllocBytes: f(float64(n) * (1 << 20)), AllocObjects: f(12345), GCs: f(4.25), ForcedGCs: f(0), CPUSeconds: f(1.5)},
		Collected: true,
		CPU:       &watched.Shares{Seconds: 0.25, Used: 0.5, Available: kinds, Busy: watched.Kinds{GC: 0.36}},
		Pauses:    &watched.Pauses{Count: 8, P50: 61e-6, P99: 213e-6, Max: 301e-6},
		Gauges:    watched.Gauges{Live: f(412 << 20), Heap: f(600 << 20), Goal: f(824 << 20), Limit: f(watched.NoLimit), RSS: f(1 << 30), Goroutines: f(1234), GOMAXPROCS: f(4), GCShare: f(0.021)}}}
}

// TestWatchRow checks a line of the table, and one of a source that tells nothing.
func TestWatchRow(t *testing.T) {
	var titles, row, none bytes.Buffer
	r := watchedWindow(80).Rates
	if err := (Text{}).WatchTitles(&titles); err != nil {
		t.Fatal(err)
	}
	(Text{}).WatchRow(&row, r)
	(Text{}).WatchRow(&none, &watched.Rates{Time: r.Time})
	clock := r.Time.Local().Format("15:04:05")
	if got, want := strings.Join(strings.Fields(row.String()), " "),
		clock+" 80.0 MiB/s 12.3 k 4.25 0 18.0 % 36.0 % 2.1 % 61.0 µs 213 µs 301 µs 412 MiB 600 MiB 824 MiB none 1.00 GiB 1.23 k"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got, want := strings.Fields(none.String()), 1+16; len(got) != want || strings.Count(none.String(), "–") != 16 {
		t.Errorf("%q", got)
	}
	between := *r
	between.Collected, between.CPU, between.Pauses = false, nil, nil
	var quiet bytes.Buffer
	(Text{}).WatchRow(&quiet, &between)
	if got, want := strings.Join(strings.Fields(quiet.String()), " "), clock+" 80.0 MiB/s 12.3 k 4.25 0 – – – – – – – 600 MiB – none 1.00 GiB 1.23 k"; got != want {
		t.Errorf("without a collection: %s\nwant %s", got, want)
	}
	if a, b, c := width(titles.String()), width(row.String()), width(none.String()); a != b || b != c {
		t.Errorf("the lines are %d, %d and %d wide", a, b, c)
	}
}

func TestReading(t *testing.T) {
	check := func(v float64, unit, want string) {
		t.Helper()
		if got := reading(&v, unit); got != want {
			t.Errorf("reading(%g, %q) = %q, want %q", v, unit, got, want)
		}
	}
	check(0, "", "0")
	check(0.333, "", "0.33")
	check(12.34, "", "12.3")
	check(999.6, "", "1000")
	check(13, "", "13")
	check(12345, "", "12.3 k")
	check(1<<20, "B/s", "1.00 MiB/s")
	check(0.000213, "sec", "213 µs")
	for share, want := range map[float64]string{0: "0.0 %", 0.00021: "0.021 %", 0.001: "0.1 %", 1: "100.0 %"} {
		if got := percent(share); got != want {
			t.Errorf("percent(%g) = %q, want %q", share, got, want)
		}
	}
	if got := reading(nil, "B"); got != "–" {
		t.Error(got)
	}
}

// TestWatchScreen checks what a terminal shows, line by line: what is known, what
// was known last, what went wrong, and nothing wider than the terminal.
func TestWatchScreen(t *testing.T) {
	var windows []watched.Window
	for n := range 30 {
		windows = append(windows, watchedWindow(n))
	}
	last := watchedWindow(30)
	last.Rates.Collected, last.Rates.CPU, last.Rates.Pauses = false, nil, nil
	windows = append(windows, last)
	check := func(name string, windows []watched.Window, width_ int, want ...string) {
		t.Helper()
		lines := Text{Color: true, Width: width_}.WatchScreen(watchedHeader, windows, []string{"recording: a.jsonl"})
		text := strings.Join(lines, "\n")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the screen lacks %q:\n%s", name, w, text)
			}
		}
		for _, line := range lines {
			if width(line) >= width_ {
				t.Errorf("%s: a line is %d wide: %s", name, width(line), line)
			}
		}
	}
	check("all", windows, 120, "watching http://host:6060", "30.0 MiB/s", "▁▁▁▁▁▂", "▇█", "18.0 %", "of available, 36.0 % of busy, over 0.25 s", "  since the start", "2.1 %", "0/s forced, the last one 1s ago", "301 µs", "live heap            412 MiB", "50 %: 61.0 µs", "limit none", "recording: a.jsonl")
	check("80 columns", windows, 80, "18.0 %", "of available, 36.0 % of busy, over 0.25 s", "50 %: 61.0 µs, 99 %: 213 µs")
	check("narrow", windows, 40, "30.0 MiB/s", "\x1b[0m")
	long := windows[:1:1]
	for n := range 200 {
		w := watchedWindow(n + 1)
		w.Rates.Collected, w.Rates.CPU, w.Rates.Pauses = n == 0, nil, nil
		if n == 0 {
			w.Rates.CPU = watchedWindow(1).Rates.CPU
		}
		long = append(long, w)
	}
	check("long ago", long, 120, "18.0 %", "the last one 3m19s ago", "412 MiB")
	check("nothing", nil, 80, "allocation", "–")
	lost := watched.Window{N: 31, Time: last.Time.Add(time.Second), Err: "connection refused"}
	check("lost", append(windows, lost, lost), 120, "no answer since "+lost.Time.Local().Format("15:04:05")+": connection refused; trying again", "30.0 MiB/s")
	restarted := watched.Window{N: 32, Time: lost.Time, Restarted: true}
	check("restarted", append(windows, lost, restarted), 120, "the service was started again at about "+lost.Time.Local().Format("15:04:05"))
}

// watchedMethods are more than are shown, the first with a name that is not fit to be.
func watchedMethods() []watched.Method {
	all := []watched.Method{
		{Method: "/users.Users/Get\x1b[31m<b>", PerSecond: 1234, Memory: 2048, Objects: 12.5, Live: 3, Kept: 1, Audited: 40, Escapes: 2},
		{Method: "/users.Users/Put", PerSecond: 0.5, Fallback: "it is a MessageSet"},
	}
	for i := range 20 {
		all = append(all, watched.Method{Method: fmt.Sprintf("/users.Users/Call%d", i), PerSecond: 0.1})
	}
	return all
}

// TestWatchMethods checks the table of methods, and that it is part of the screen.
func TestWatchMethods(t *testing.T) {
	var b, none bytes.Buffer
	(Text{}).WatchMethods(&b, watchedMethods())
	(Text{}).WatchMethods(&none, nil)
	lines := strings.Split(b.String(), "\n")
	for i, want := range []string{
		"method with arenas messages/s memory each objects open kept audits",
		`/users.Users/Get\x1b[31m<b> 1.23 k 2.00 KiB 12.5 3 1 2 kept, of 40 arenas`,
		"/users.Users/Put 0.50 0 0 0 0 – decoded by package proto: it is a MessageSet",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if len(lines) != 1+12+1+1 || strings.TrimSpace(lines[13]) != "and 10 more" || none.Len() != 0 {
		t.Errorf("%d lines: %q; %q", len(lines), lines, none.String())
	}
	w := watchedWindow(1)
	w.Rates.Methods = watchedMethods()
	if text := strings.Join(Text{Width: 100}.WatchScreen(watchedHeader, []watched.Window{w}, nil), "\n"); !strings.Contains(text, "/users.Users/Put") {
		t.Error(text)
	}
}

// TestWatchSpark checks that seconds without a collection are gaps in what only a
// collection tells, and that its CPU time is that of the seconds before it.
func TestWatchSpark(t *testing.T) {
	var windows []watched.Window
	for n := range 12 {
		w := watchedWindow(n)
		if n%4 != 0 {
			w.Rates.Collected, w.Rates.CPU, w.Rates.Pauses = false, nil, nil
		}
		if n > 4 {
			w.Rates.Gauges.Live = new(206.0 * (1 << 20))
		}
		windows = append(windows, w)
	}
	rows := map[string]string{}
	for _, line := range (Text{Width: 200}).WatchScreen(watchedHeader, windows, nil) {
		if i := strings.IndexAny(line, "▁▂▃▄▅▆▇█"); i >= 0 {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
			rows[name] = string([]rune(line[i:] + "  ")[:12])
		}
	}
	for name, want := range map[string]string{"GC CPU": "█████████   ", "longest pause": "█   █   █   ", "live heap": "█   █   ▄   ", "RSS": "████████████"} {
		if rows[name] != want {
			t.Errorf("%s: %q, want %q", name, rows[name], want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"abc", "abc"}, {"äöüß", "äöü"}, {"\x1b[1mabcd\x1b[0m", "\x1b[1mabc\x1b[0m"}, {"", ""},
	} {
		if got := clip(c.in, 3); got != c.want {
			t.Errorf("clip(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWatchSummary(t *testing.T) {
	var b bytes.Buffer
	s := &watched.Summary{Rates: *watchedWindow(80).Rates, Samples: 10, Restarts: 2}
	s.Seconds = 83.44
	if err := (Text{}).WatchSummary(&b, s); err != nil {
		t.Fatal(err)
	}
	want := "1m23.4s: 80.0 MiB/s allocated, 12.3 k objects/s, 4.25 collections/s, GC 18.0 % of the available CPU and 36.0 % of the busy, " +
		"99 % of pauses at most 213 µs, live heap 412 MiB, RSS 1.00 GiB, 2 restarts\n"
	if b.String() != want {
		t.Errorf("%s\nwant %s", &b, want)
	}
}

// TestWatchPage checks that nothing that a service says can leave its place, and that
// the page asks nobody else.
func TestWatchPage(t *testing.T) {
	const hostile = `</script><script>alert(1)</script>"'` + "\u202e"
	var b bytes.Buffer
	if err := WatchPage(&b, watched.Header{Tool: "lessgc v0.2.0", URL: "http://h/" + hostile, Source: hostile, Go: hostile, Interval: 1}, "abc"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if n := strings.Count(page, "<script"); n != 1 || strings.Count(page, "</script>") != 1 {
		t.Errorf("there are %d scripts, want 1", n)
	}
	fetching := regexp.MustCompile(`(?i)(src|href)="[^#d]|@import|url\(|rel="?stylesheet|innerHTML|eval\(`)
	if found := fetching.FindAllString(page, -1); found != nil {
		t.Errorf("the page would fetch, or trust: %q", found)
	}
	if !strings.Contains(page, "Made by lessgc v0.2.0.") {
		t.Error("the page does not say which lessgc made it")
	}
	if !strings.Contains(page, "script-src 'nonce-abc'") || strings.Contains(page, "unsafe") || strings.Contains(page, "ZgotmplZ") {
		t.Error("the content security policy is not what it should be")
	}
}

// watchServer serves the page of a history.
func watchServer(t *testing.T, history *watched.History) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		WatchPage(w, watchedHeader, "abc")
	})
	mux.HandleFunc("GET /windows", func(w http.ResponseWriter, q *http.Request) {
		var after int
		json.Unmarshal([]byte(q.FormValue("after")), &after)
		json.NewEncoder(w).Encode(append([]watched.Window{}, history.After(after)...))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// TestWatchGapsInChromium checks that the charts do not draw what only a collection tells in
// seconds without one, and what the legends say of those.
func TestWatchGapsInChromium(t *testing.T) {
	ctx := startChromium(t)
	var history watched.History
	for n := range 12 {
		w := watchedWindow(n)
		if n%4 != 0 {
			w.Rates.Collected, w.Rates.CPU, w.Rates.Pauses = false, nil, nil
		}
		history.Add(w)
	}
	server := watchServer(t, &history)
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/")); err != nil {
		t.Fatal(err)
	}
	for ctx.Err() == nil && !evaluate[bool](ctx, t, `windows.length === 12`) {
		time.Sleep(20 * time.Millisecond)
	}
	check := func(name, script string, want string) {
		t.Helper()
		if got := evaluate[string](ctx, t, "String("+script+")"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	chart := func(name string) string { return `charts.find(c => c.title.startsWith("` + name + `"))` }
	check("points of live heap", `document.querySelectorAll("figure")[4].querySelector(".point.c2").getAttribute("d").split("M").length - 1`, "3")
	check("dots between them", `document.querySelectorAll("figure")[4].querySelector(".between.c2").getAttribute("d").split("M").length - 1`, "2")
	check("the heap with garbage", `document.querySelectorAll("figure")[4].querySelector(".curve.c1").getAttribute("d").split("L").length`, "12")
	check("points of pauses", `document.querySelectorAll("figure")[3].querySelector(".point.c0").getAttribute("d").split("M").length - 1`, "3")
	check("the spread CPU time", `values(`+chart("CPU time")+`, windows, "all", r => r.cpu?.available.gc).map(v => v ?? "-").join(" ")`, strings.TrimSpace(strings.Repeat("0.18 ", 9)+"- - -"))
	check("the legend of CPU time", chart("CPU time")+`.age.innerText`, "last collection 3\u00a0s before")
	check("the legend of the heap", chart("Heap")+`.svg.getAttribute("aria-label").includes("live 412\u00a0MiB")`, "true")
	check("the cursor", `(cursor = windows[6].n, draw(), `+chart("CPU time")+`.age.hidden + " " + `+chart("Pauses")+`.age.innerText)`, "true last collection 2\u00a0s before")
}

// TestWatchPageInChromium checks that the charts move, what a keyboard can do, and what
// is said when the command has ended.
func TestWatchPageInChromium(t *testing.T) {
	ctx := startChromium(t)
	var history watched.History
	for n := range 5 {
		history.Add(watchedWindow(n + 1))
	}
	server := watchServer(t, &history)
	complaints := watch(ctx, t, server.URL+"/")
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/")); err != nil {
		t.Fatal(err)
	}
	wait := func(what, script string) {
		t.Helper()
		for ctx.Err() == nil {
			if evaluate[bool](ctx, t, script) {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("the page never shows %s", what)
	}
	const path = `document.querySelector("figure .curve").getAttribute("d")`
	wait("the first figures", `document.querySelector("figure .legend").innerText.includes("5\u00a0MiB/s")`)
	before := evaluate[string](ctx, t, path)
	with := watchedWindow(77)
	with.Rates.Methods = watchedMethods()
	history.Add(with)
	wait("what is new", `document.querySelector("figure .legend").innerText.includes("77\u00a0MiB/s")`)
	if after := evaluate[string](ctx, t, path); after == before || strings.Count(after, "L") != strings.Count(before, "L")+1 {
		t.Errorf("the curve did not move: %s, then %s", before, after)
	}
	wait("the methods", `document.querySelectorAll("#methods tbody tr").length === 22 && document.querySelector("#methods td").innerText.includes("<b>")`)
	if n := evaluate[int](ctx, t, `[...document.querySelectorAll("figure")].filter(f => f.querySelector(".curve, .area")).length`); n != 8 {
		t.Errorf("%d charts are drawn, want 8", n)
	}

	// The keyboard: a chart has the focus, and its values are read one by one.
	key := func(name string) string {
		return evaluate[string](ctx, t, `document.querySelector("figure svg").focus();
			document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "`+name+`", bubbles: true, cancelable: true}));
			document.getElementById("said").textContent`)
	}
	if said := key("Home"); !strings.Contains(said, "1\u00a0MiB/s") {
		t.Errorf("Home says %q", said)
	}
	if said := key("ArrowRight"); !strings.Contains(said, "2\u00a0MiB/s") {
		t.Errorf("the right arrow says %q", said)
	}
	key("Escape")
	wait("now", `document.querySelector("figure .legend").innerText.includes("77\u00a0MiB/s")`)

	// It can stand still, and goes on with what it missed.
	evaluate[int](ctx, t, `document.getElementById("pause").click(); 0`)
	history.Add(watchedWindow(78))
	history.Add(watched.Window{N: 79, Err: "connection refused"})
	wait("that it has heard more", `waiting.length === 2`)
	if text := evaluate[string](ctx, t, `document.querySelector("figure .legend").innerText`); !strings.Contains(text, "77") {
		t.Errorf("the chart does not stand still: %s", text)
	}
	evaluate[int](ctx, t, `document.getElementById("pause").click(); 0`)
	wait("that the service is gone", `document.getElementById("state").innerText === "no answer: connection refused" && document.querySelectorAll(".lost").length > 0`)

	for _, width := range []int64{1280, 390} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		if size := evaluate[[]int](ctx, t, `[document.documentElement.scrollWidth, window.innerWidth]`); size[0] > size[1] {
			t.Errorf("the page is %d wide in a window of %d", size[0], size[1])
		}
	}
	for _, c := range complaints() {
		if !strings.HasPrefix(c, "the page asked for "+server.URL+"/windows?after=") {
			t.Error(c)
		}
	}
	server.Close()
	wait("that the command has ended", `document.getElementById("state").innerText.includes("does not answer")`)
}
