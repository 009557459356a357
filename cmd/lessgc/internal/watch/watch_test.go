package watch

import (
	"context"
	"encoding/json"
	"expvar"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lessgc/live"
)

// served is this very process, by whichever ways are asked for.
func served(t *testing.T, sources ...Source) string {
	mux := http.NewServeMux()
	for _, s := range sources {
		switch s {
		case Live:
			mux.Handle("/debug/lessgc", live.Handler())
		case Expvar:
			mux.Handle("/debug/vars", expvar.Handler())
		case Pprof:
			mux.HandleFunc("/debug/pprof/", pprof.Index)
		}
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func find(t *testing.T, address string) *Service {
	t.Helper()
	s, err := Find(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, s *Service) *Snapshot {
	t.Helper()
	x, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFind checks which source is taken, by what is served and what is asked for.
func TestFind(t *testing.T) {
	all := served(t, Live, Expvar, Pprof)
	own := httptest.NewServer(live.Handler()) // at any path
	defer own.Close()
	for _, c := range []struct {
		address, want string
		source        Source
	}{
		{all + "/debug/pprof/heap?debug=1", all + "/debug/lessgc", Live},
		{all + "/debug/lessgc?token=secret", all + "/debug/lessgc", Live},
		{own.URL + "/a/b", own.URL + "/a/b", Live},
		{strings.Replace(all, "//", "//me:secret@", 1), all + "/debug/lessgc", Live},
	} {
		s := find(t, c.address)
		if s.Source != c.source || s.Address != c.want || (s.Go != "") != (c.source == Live) {
			t.Errorf("%s: %s at %s, %q", c.address, s.Source, s.Address, s.Go)
		}
	}
}

// TestForms checks that a service is read in the same way, whichever of its addresses is
// given: the figures do not depend on which of them was at hand.
func TestForms(t *testing.T) {
	known := func(s *Snapshot) (all []bool) {
		for _, p := range slices.Concat(s.Totals.fields(), s.Gauges.fields()) {
			all = append(all, *p != nil)
		}
		return append(all, s.CPU != nil, s.Pauses != nil)
	}
	runtime.GC() // before the first one, some figures are not known
	for _, sources := range [][]Source{{Live, Expvar, Pprof}, {Expvar, Pprof}, {Live}, {Expvar}, {Pprof}} {
		base := served(t, sources...)
		best := sources[0]
		first := find(t, base)
		want := known(read(t, first))
		for _, form := range []string{"", "/", "/debug", "/debug/pprof", "/debug/pprof/", "/debug/pprof/heap?debug=1&seconds=5", "/debug/vars", "/debug/lessgc"} {
			for _, address := range []string{base + form, strings.TrimPrefix(base, "http://") + form} {
				if strings.Contains(form, "?") && !strings.Contains(address, "://") {
					continue
				}
				s := find(t, address)
				if s.Source != best || s.Address != first.Address {
					t.Errorf("%v: %s is read by %s at %s, want %s at %s", sources, address, s.Source, s.Address, best, first.Address)
				}
				if got := known(read(t, s)); !slices.Equal(got, want) {
					t.Errorf("%v: %s tells %v, want %v", sources, address, got, want)
				}
			}
		}
	}
}

func TestFindWrong(t *testing.T) {
	empty := served(t)
	gone := httptest.NewServer(nil)
	gone.Close()
	check := func(address, want string) {
		t.Helper()
		_, err := Find(t.Context(), address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	check("localhost", `invalid address "localhost"; want host:port, or a URL such as http://localhost:6060`)
	check("ftp://host", "invalid address")
	check(empty, "/debug/pprof/heap: 404 Not Found); the service has to serve lessgc/live, expvar or net/http/pprof")
	check(gone.URL, "connection refused")
}

var sink []byte

// TestSources checks what each source reports of the same work, and that it does
// not report the rest.
func TestSources(t *testing.T) {
	for _, source := range []Source{Live, Expvar, Pprof} {
		s := find(t, served(t, source))
		a := read(t, s)
		for range 20 {
			sink = make([]byte, 1<<20)
		}
		runtime.GC()
		b := read(t, s)
		r := Between(a, b)
		if r == nil {
			t.Fatalf("%s: no rates between\n%+v\n%+v", source, a, b)
		}
		in := func(name string, v *float64, least float64) {
			t.Helper()
			if v == nil || *v*r.Seconds < least*0.999 {
				t.Errorf("%s: %s is %v in %v s, want at least %v", source, name, v, r.Seconds, least)
			}
		}
		in("bytes", r.PerSecond.AllocBytes, 20<<20)
		in("objects", r.PerSecond.AllocObjects, 20)
		in("collections", r.PerSecond.GCs, 0)
		in("forced collections", r.PerSecond.ForcedGCs, 1)
		in("stopped", r.PerSecond.PauseSeconds, 1e-9)
		for name, v := range map[string]*float64{"heap": b.Gauges.Heap, "goal": b.Gauges.Goal, "memory": b.Gauges.Memory} {
			if v == nil || *v < 1<<20 {
				t.Errorf("%s: %s is %v", source, name, v)
			}
		}
		if p := r.Pauses; p == nil || p.Count < 1 || p.P50 <= 0 || p.P50 > p.P99 || p.P99 > p.Max {
			t.Errorf("%s: pauses %+v", source, p)
		}
		known := []bool{r.CPU != nil, b.Gauges.Live != nil, b.Gauges.Limit != nil, b.Gauges.GOGC != nil, b.Gauges.GOMAXPROCS != nil}
		if want := source == Live; slices.Contains(known, !want) || (source.Lacks() == "") != want {
			t.Errorf("%s knows %v of CPU, live heap, limit, GOGC, GOMAXPROCS", source, known)
		}
		if got, want := b.Gauges.Goroutines != nil, source != Expvar; got != want {
			t.Errorf("%s knows of goroutines: %v", source, got)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	}
}

// fakeMem are memstats after n collections, each with a pause of its number in
// milliseconds.
func fakeMem(n uint32, alloc uint64) *memStats {
	m := &memStats{TotalAlloc: alloc, Mallocs: alloc / 10, HeapAlloc: 1 << 20, Sys: 8 << 20, NextGC: 4 << 20, NumGC: n, PauseNs: make([]uint64, ringSize), PauseEnd: make([]uint64, ringSize)}
	for i := n - min(n, ringSize); i < n; i++ {
		m.PauseNs[i%ringSize], m.PauseEnd[i%ringSize] = uint64(i+1)*1e6, 1e18+uint64(i)
	}
	return m
}

// scripted serves one answer after the other at a path and below, and the last again and
// again.
func scripted(t *testing.T, path string, answers ...any) string {
	var n atomic.Int64 // an abandoned request and the next one may overlap
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.HasPrefix(q.URL.Path, path) {
			http.NotFound(w, q)
			return
		}
		a := answers[min(int(n.Add(1))-1, len(answers)-1)]
		if a == nil {
			panic(http.ErrAbortHandler) // the connection is lost
		}
		if text, ok := a.(string); ok {
			io.WriteString(w, text)
			return
		}
		json.NewEncoder(w).Encode(a)
	}))
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	return server.URL + path
}

func vars(m *memStats) any { return map[string]any{"cmdline": []string{"x"}, "memstats": m} }

// TestPauses checks what becomes of the ring of pauses, the loss of some included.
func TestPauses(t *testing.T) {
	a := fakeMem(10, 1000)
	address := scripted(t, "/debug/vars", vars(a), vars(a), vars(fakeMem(14, 2000)), vars(fakeMem(614, 3000)))
	s := find(t, address)
	x, y, z := read(t, s), read(t, s), read(t, s)
	if len(x.Pauses) != 0 {
		t.Errorf("pauses before the watch: %v", x.Pauses)
	}
	p := Between(x, y).Pauses
	if p.Count != 4 || p.P50 < 0.012 || p.P50 > 0.0132 || p.Max < 0.014 || p.Max > 0.0154 {
		t.Errorf("%+v", p)
	}
	if y.Totals.PauseSeconds == nil || math.Abs(*y.Totals.PauseSeconds-0.05) > 1e-9 { // 11 + 12 + 13 + 14
		t.Errorf("stopped %v", y.Totals.PauseSeconds)
	}
	if p := Between(y, z).Pauses; p.Count != 256 || *z.Totals.MissedPauses != 344 || z.Totals.PauseSeconds != nil {
		t.Errorf("%+v, missed %v, stopped %v", p, *z.Totals.MissedPauses, z.Totals.PauseSeconds)
	}
}

// TestRestart checks that another process is noticed, also if its counters are higher.
func TestRestart(t *testing.T) {
	other := fakeMem(20, 9000)
	for i := range other.PauseEnd {
		other.PauseEnd[i]++
	}
	start := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	at := func(start time.Time, second int, alloc uint64) live.Snapshot {
		return live.Snapshot{Format: live.Format, Start: start, Time: start.Add(time.Duration(second) * time.Second), AllocBytes: alloc}
	}
	for name, c := range map[string]struct {
		a, b, other any
	}{
		"live":          {at(start, 1, 100), at(start, 2, 200), at(start.Add(time.Hour), 1, 300)},
		"fallen":        {vars(fakeMem(10, 1000)), vars(fakeMem(11, 2000)), vars(fakeMem(12, 500))},
		"higher":        {vars(fakeMem(10, 1000)), vars(fakeMem(11, 2000)), vars(other)},
		"fewer cycles":  {vars(fakeMem(10, 1000)), vars(fakeMem(11, 2000)), vars(fakeMem(3, 8000))},
		"no collection": {vars(fakeMem(0, 1000)), vars(fakeMem(0, 2000)), vars(fakeMem(0, 500))},
	} {
		path := "/debug/vars"
		if name == "live" {
			path = "/debug/lessgc"
		}
		s := find(t, scripted(t, path, c.a, c.a, c.b, c.other))
		x, y, z := read(t, s), read(t, s), read(t, s)
		if x.Segment != 0 || y.Segment != 0 || z.Segment != 1 || Between(x, y) == nil || Between(y, z) != nil {
			t.Errorf("%s: segments %d %d %d", name, x.Segment, y.Segment, z.Segment)
		}
	}
	a := at(start, 1, 100)
	s := find(t, scripted(t, "/debug/lessgc", a))
	read(t, s)
	if _, err := s.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "is there a cache in between?") {
		t.Errorf("the same answer twice: %v", err)
	}
}

// TestWatch checks the windows of a service that goes away, and comes back.
func TestWatch(t *testing.T) {
	a, b, c := vars(fakeMem(1, 100)), vars(fakeMem(2, 200)), vars(fakeMem(3, 300))
	s := find(t, scripted(t, "/debug/vars", a, a, b, "cut o", nil, nil, c, vars(fakeMem(1, 5))))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var got []string
	err := s.Watch(ctx, time.Millisecond, func(w Window) error {
		word := "first"
		switch {
		case w.Err != "":
			word = "lost"
		case w.Restarted:
			word = "restarted"
		case w.Rates != nil:
			word = "rates"
		}
		if w.N != len(got) {
			t.Errorf("window %d has number %d", len(got), w.N)
		}
		if got = append(got, word); word == "restarted" {
			stop()
		}
		return nil
	})
	if text := strings.Join(slices.Compact(got), " "); err != nil || text != "first rates lost rates restarted" {
		t.Errorf("%s, %v", text, err)
	}
	if err := s.Watch(t.Context(), time.Millisecond, func(Window) error { return io.ErrShortWrite }); err != io.ErrShortWrite {
		t.Error(err)
	}
}

// TestHostile checks answers that are none.
func TestHostile(t *testing.T) {
	heap := func(change func(*memStats)) any {
		m := fakeMem(3, 100)
		change(m)
		return vars(m)
	}
	huge := strings.Repeat("x", maxLive+2)
	for name, c := range map[string]struct {
		path   string
		answer any
		want   string
	}{
		"no JSON":        {"/debug/lessgc", "<html>", "/debug/lessgc: not an answer of lessgc/live"},
		"cut off":        {"/debug/lessgc", `{"format":"lessgc-live/1","time`, "not an answer of lessgc/live"},
		"null":           {"/debug/lessgc", "null", "not an answer of lessgc/live"},
		"huge":           {"/debug/lessgc", huge, "larger than any of this kind"},
		"newer":          {"/debug/lessgc", `{"format":"lessgc-live/2"}`, "use the lessgc that the service was built with"},
		"negative":       {"/debug/lessgc", live.Snapshot{Format: live.Format, Start: time.Unix(1, 0), Time: time.Unix(2, 0), PauseSeconds: -1}, "invalid counter value -1"},
		"CPU time":       {"/debug/lessgc", live.Snapshot{Format: live.Format, Start: time.Unix(1, 0), Time: time.Unix(2, 0), CPU: live.CPU{Total: 1e300}}, "invalid CPU time 1e+300 s"},
		"buckets":        {"/debug/lessgc", live.Snapshot{Format: live.Format, Start: time.Unix(1, 0), Time: time.Unix(2, 0), Pauses: []live.Bucket{{Lo: 2, Hi: 3}, {Lo: 1, Hi: 2}}}, "not in order"},
		"many buckets":   {"/debug/lessgc", live.Snapshot{Format: live.Format, Start: time.Unix(1, 0), Time: time.Unix(2, 0), Pauses: make([]live.Bucket, maxBuckets+1)}, "more than the runtime has"},
		"no memstats":    {"/debug/vars", `{"cmdline":[]}`, "/debug/vars: it holds no memstats of expvar"},
		"short ring":     {"/debug/vars", heap(func(m *memStats) { m.PauseNs = m.PauseNs[:3] }), "its memstats are not those of a Go program"},
		"too many":       {"/debug/vars", heap(func(m *memStats) { m.NumForcedGC = 9 }), "its memstats are not those of a Go program"},
		"deep":           {"/debug/vars", strings.Repeat("[", 100000), "it holds no memstats of expvar"},
		"no heap":        {"/debug/pprof", "hello\n", "/debug/pprof/heap: not a text heap profile"},
		"trailer cut":    {"/debug/pprof", "heap profile\n# runtime.MemStats\n# Sys = 1\n", "truncated before its memstats"},
		"trailer wrong":  {"/debug/pprof", "# runtime.MemStats\n# Sys = many\n", `its memstats have Sys = "many"`},
		"trailer empty":  {"/debug/pprof", "# runtime.MemStats\n# GCCPUFraction = 0.1\n", "not those of a Go program"},
		"trailer no end": {"/debug/pprof", "# runtime.MemStats\n# " + strings.Repeat("x", maxLine+1), "larger than any of this kind"},
	} {
		_, err := Find(t.Context(), scripted(t, c.path, c.answer))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
			t.Errorf("%s: %.700v, want %s", name, err, c.want)
		}
	}
}

// TestSlow checks that an answer without an end does not hold up its reader for ever.
func TestSlow(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.(http.Flusher).Flush()
		<-q.Context().Done()
	}))
	defer server.Close()
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := Find(ctx, server.URL); err == nil {
		t.Error("an answer without an end was read")
	}
}

// snapshot is one of a service that allocates 1000 bytes and collects twice a second.
func snapshot(segment, second int) *Snapshot {
	f := func(v int) *float64 { return new(float64(v)) }
	return &Snapshot{Time: time.Date(2026, 11, 22, 10, 0, second, 0, time.UTC), Segment: segment,
		Totals: Totals{AllocBytes: f(1000 * second), GCs: f(2 * second), PauseSeconds: new(0.001 * float64(second))},
		CPU:    &live.CPU{Total: 4 * float64(second), Idle: 2 * float64(second), GCAssist: 0.1 * float64(second), GCDedicated: 0.3 * float64(second)},
		Pauses: []live.Bucket{{Lo: 0.0001, Hi: 0.0002, Count: uint64(4 * second)}}, Gauges: Gauges{Live: f(100 + second), Goroutines: f(7)}}
}

func TestBetween(t *testing.T) {
	r := Between(snapshot(0, 1), snapshot(0, 3))
	if *r.PerSecond.AllocBytes != 1000 || *r.PerSecond.GCs != 2 || r.PerSecond.AllocObjects != nil || r.Seconds != 2 || *r.Gauges.Live != 103 || r.Pauses.Count != 8 {
		t.Errorf("%+v", r)
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	near("used", r.CPU.Used, 0.5)
	near("GC of available", r.CPU.Available.GC, 0.1)
	near("GC of busy", r.CPU.Busy.GC, 0.2)
	near("assists of busy", r.CPU.Busy.Assist, 0.05)
	near("dedicated of available", r.CPU.Available.Dedicated, 0.075)
	same := snapshot(0, 3)
	same.CPU = snapshot(0, 1).CPU
	if r := Between(snapshot(0, 1), same); r.CPU != nil {
		t.Errorf("no collection ended, and yet CPU is %+v", r.CPU)
	}
	if Between(snapshot(0, 3), snapshot(0, 1)) != nil || Between(snapshot(0, 1), snapshot(0, 1)) != nil {
		t.Error("there are rates backwards")
	}
}

// cycling is a window of second n of a service with 4 processors that collects at the end
// of every fourth second, and whose collector takes a tenth of the CPU time until second
// 8, and a fifth from then on. Its live heap grows.
func cycling(n int) *Snapshot {
	ended := 4 * (n / 4) // when the last collection did, in seconds
	gc := 0.1*4*float64(min(ended, 8)) + 0.2*4*float64(max(ended-8, 0))
	return &Snapshot{Time: time.Date(2026, 11, 22, 10, 0, n, 0, time.UTC),
		Totals: Totals{AllocBytes: new(float64(1000 * n)), GCs: new(float64(n / 4)), ForcedGCs: new(0.0)},
		CPU:    &live.CPU{Total: 4 * float64(ended), GCDedicated: gc},
		Pauses: []live.Bucket{{Lo: 0.0001, Hi: 0.0002, Count: uint64(2 * (n / 4))}},
		Gauges: Gauges{Live: new(float64(100 + ended)), Goal: new(float64(200 + 2*ended)), GOMAXPROCS: new(4.0), GCShare: new(gc / 4 / float64(max(ended, 1)))}}
}

// windows returns the windows of the snapshots of a service, one a second.
func windows(all ...*Snapshot) []Window {
	var out []Window
	for i, s := range all {
		w := Window{N: i, Time: s.Time, Snapshot: s}
		if i > 0 {
			w.Rates, w.Restarted = Between(all[i-1], s), all[i-1].Segment != s.Segment
		}
		out = append(out, w)
	}
	return out
}

// TestSpread checks what is said of seconds without a collection: the rates say that there
// was none, and the collector's CPU time is that of the time from one collection to the
// next, neither a spike in the second of the end nor what was said before.
func TestSpread(t *testing.T) {
	var all []*Snapshot
	for n := range 15 {
		all = append(all, cycling(n))
	}
	ws := windows(all...)
	for n, w := range ws[1:] {
		n++
		r, ends := w.Rates, n%4 == 0
		if r.Collected != ends || (r.CPU != nil) != ends || (r.Pauses != nil) != ends {
			t.Errorf("second %d: collected %v, CPU %v, pauses %v; want a collection: %v", n, r.Collected, r.CPU, r.Pauses, ends)
		}
		if ends && r.CPU.Seconds != 4 {
			t.Errorf("second %d: the shares are those of %v s, want 4", n, r.CPU.Seconds)
		}
		if (r.AtEnd(r.Gauges.Live) != nil) != ends || (r.AtEnd(nil) != nil) {
			t.Errorf("second %d: a live heap of %v", n, r.AtEnd(r.Gauges.Live))
		}
	}
	text := func(ws []Window) string {
		var words []string
		for _, s := range Spread(ws) {
			word := "-"
			if s != nil {
				word = fmt.Sprintf("%.0f", 100*s.Available.GC)
			}
			words = append(words, word)
		}
		return strings.Join(words, " ")
	}
	check := func(name string, ws []Window, want string) {
		t.Helper()
		if got := text(ws); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("all", ws, "- 10 10 10 10 10 10 10 10 20 20 20 20 - -")
	check("until second 7", ws[:8], "- 10 10 10 10 - - -")
	check("none", nil, "")
	lost := slices.Clone(ws)
	lost[6] = Window{N: 6, Err: "connection refused"}
	lost[7].Rates = Between(all[5], all[7])
	check("an answer is missing", lost, "- 10 10 10 10 10 - 10 10 20 20 20 20 - -")
	for n := 6; n < 15; n++ {
		all[n].Segment = 1
	}
	check("another process", windows(all...), "- 10 10 10 10 - - 10 10 20 20 20 20 - -")
}

func TestQuantiles(t *testing.T) {
	all := []live.Bucket{{Lo: 1, Hi: 2, Count: 50}, {Lo: 2, Hi: 3, Count: 48}, {Lo: 4, Hi: 5, Count: 2}}
	if p := quantiles(all); *p != (Pauses{100, 2, 5, 5}) {
		t.Errorf("%+v", p)
	}
	if p := quantiles(all[:1]); *p != (Pauses{50, 2, 2, 2}) {
		t.Errorf("%+v", p)
	}
	if quantiles(nil) != nil {
		t.Error("there are quantiles of nothing")
	}
}

// TestRecording writes a recording, one with a restart, and reads it, whole and cut
// off.
func TestRecording(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jsonl")
	h := (&Service{Address: "http://x/debug/vars", Source: Expvar}).Header(time.Second)
	w, err := Record(name, h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Record(name, h); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Error(err)
	}
	for _, s := range []*Snapshot{snapshot(0, 1), snapshot(0, 2), snapshot(0, 5), snapshot(1, 20), snapshot(1, 22), snapshot(2, 40)} {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	check := func(notes, samples int) {
		t.Helper()
		r, err := ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Summary
		if s.Seconds != 6 || math.Abs(*s.PerSecond.AllocBytes-1000) > 1e-9 || math.Abs(*s.PerSecond.PauseSeconds-0.001) > 1e-9 || s.Pauses.Count != 24 || s.Samples != samples || s.Restarts != 2 {
			t.Errorf("%+v", s)
		}
		if s.CPU == nil || math.Abs(s.CPU.Available.GC-0.1) > 1e-9 || *s.Gauges.Goroutines != 7 || s.PerSecond.AllocObjects != nil {
			t.Errorf("%+v", s)
		}
		if len(r.Notes) != notes || !reflect.DeepEqual(r.Header, h) && !r.Created.Equal(h.Created) {
			t.Errorf("%q %+v, want %d notes and %+v", r.Notes, r.Header, notes, h)
		}
	}
	check(2, 6)
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"time":"2026-`)
	f.Close()
	check(3, 6)
}

// TestMissed checks that pauses between two reads are reported.
func TestMissed(t *testing.T) {
	a, b := snapshot(0, 1), snapshot(0, 3)
	a.Totals.MissedPauses, b.Totals.MissedPauses = new(5.0), new(12.0)
	var text strings.Builder
	for _, v := range []any{Header{Format: Format, Source: Live}, a, b} {
		json.NewEncoder(&text).Encode(v)
	}
	r, err := Read(strings.NewReader(text.String()))
	if err != nil || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "7 pauses are missing") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReadWrong(t *testing.T) {
	const header = `{"format":"lessgc-watch/1","url":"u","source":"lessgc/live","interval":1}` + "\n"
	line := func(s *Snapshot) string {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(data) + "\n"
	}
	check := func(text, want string) {
		t.Helper()
		_, err := Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %.300v, want %s", text, err, want)
		}
	}
	check("", "not a recording of lessgc watch")
	check("{}\n", "not a recording of lessgc watch")
	check(`{"format":"lessgc-watch/9"}`+"\n", "it is a recording of format")
	check(header, "it holds 0 snapshots, and two of one process are needed")
	check(header+line(snapshot(0, 1))+line(snapshot(1, 2)), "it holds 2 snapshots")
	check(header+"x\n", "line 2: not a snapshot")
	check(header+line(snapshot(0, 2))+line(snapshot(0, 1)), "line 3: it is not later")
	check(header+`{"totals":{"gcs":-4}}`+"\n", "line 2: invalid counter value -4")
	check(header+strings.Repeat("x", maxLine+65<<10), "line 2: it is longer than a snapshot can be")
	if _, err := ReadFile("none"); err == nil {
		t.Error("no error without a file")
	}
}

// TestSumIsBounded checks that a long watch keeps no more values than a median needs.
func TestSumIsBounded(t *testing.T) {
	var s Sum
	if s.Summary() != nil {
		t.Error("there is a summary of nothing")
	}
	const n = 5 * maxKept
	for i := range n {
		s.Add(snapshot(0, i))
	}
	if kept := len(s.gauges[0]); kept > maxKept {
		t.Errorf("%d values are kept", kept)
	}
	sum := s.Summary()
	if live := *sum.Gauges.Live; math.Abs(live-100-n/2) > n/50 || sum.Samples != n {
		t.Errorf("the median is %v of %d", live, sum.Samples)
	}
}

func TestHistory(t *testing.T) {
	var h History
	if h.After(-1) != nil {
		t.Error("there are windows before the first")
	}
	for n := range 3 * maxWindows {
		h.Add(Window{N: n})
	}
	all := h.After(-1)
	if last := all[len(all)-1].N; len(all) > maxWindows || len(all) < maxWindows*8/10 || last != 3*maxWindows-1 {
		t.Errorf("%d windows up to %d", len(all), last)
	}
	if some := h.After(3*maxWindows - 3); len(some) != 2 || some[0].N != 3*maxWindows-2 {
		t.Errorf("%+v", some)
	}
}

// FuzzAnswer checks that whatever a service says becomes an error, or figures that can
// be computed with and written.
func FuzzAnswer(f *testing.F) {
	data, err := json.Marshal(live.Read())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	data, err = json.Marshal(vars(fakeMem(300, 1e6)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("# runtime.MemStats\n# Sys = 1\n# PauseNs = [" + strings.Repeat("1 ", 256) + "]\n# PauseEnd = [" + strings.Repeat("2 ", 256) + "]\n# GCCPUFraction = 0.5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, parse := range []func(io.Reader) (*answer, error){readLive, readExpvar, readPprof} {
			a, err := parse(strings.NewReader(string(data)))
			if err != nil || a.check() != nil {
				continue
			}
			s := &Service{}
			if a.mem != nil {
				s.addPauses(a)
				s.last = a
			}
			before := &Snapshot{Time: a.Time.Add(-time.Second), CPU: &live.CPU{}}
			before.Totals = a.Totals
			if _, err := json.Marshal(a.Snapshot); err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(Between(before, &a.Snapshot)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestReadTraceBounds checks that neither many collections nor long lines take memory.
func TestReadTraceBounds(t *testing.T) {
	const text = "gc 1 @1.000s 0%: 0.1+1+0.1 ms clock, 1+1/1/1+1 ms cpu, 4->4->2 MB, 5 MB goal, 2 P\n"
	long := strings.Repeat("x", 1<<20) + "\n"
	if s, err := readTrace(strings.NewReader(text+long+strings.Replace(text, "@1", "@2", 1)), 2); err != nil || s.Samples != 2 {
		t.Error(s, err)
	}
	if _, err := readTrace(strings.NewReader(strings.Repeat(text, 5)), 2); err == nil || err.Error() != "it has 5 collections, and 2 are read at most; cut the file" {
		t.Error(err)
	}
}

// TestReadTrace checks the summary of four collections, one of them forced, over two seconds.
func TestReadTrace(t *testing.T) {
	const text = `service: listening
gc 1 @1.000s 1%: 1+2+1 ms clock, 1+1/1/1+1 ms cpu, 4->4->2 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P
gc 2 @2.000s 1%: 10+2+10 ms clock, 1+1/1/1+1 ms cpu, 4->4->4 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 2 P
gc 3 @2.500s 1%: 1+2+1 ms clock, 1+1/1/1+1 ms cpu, 4->4->2 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)
gc 4 @3.000s 1%: 5+2+5 ms clock, 1+1/1/1+1 ms cpu, 4->4->8 MB, 16 MB goal, 0 MB stacks, 0 MB globals, 2 P
`
	s, err := ReadTrace(strings.NewReader(text))
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	if s.Seconds != 2 || *s.PerSecond.GCs != 1 || *s.PerSecond.ForcedGCs != 0.5 || math.Abs(*s.PerSecond.PauseSeconds-0.015) > 1e-9 || *s.Gauges.Live != 6<<20 || *s.Gauges.Goal != 12<<20 {
		t.Errorf("%+v", s)
	}
	for _, text := range []string{"", text[:200], strings.Repeat(text[19:125]+"\n", 2)} {
		if s, err := ReadTrace(strings.NewReader(text)); s != nil || err != nil {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}
