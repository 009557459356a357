package fleet

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// parca is a server that speaks as Parca 0.28 does.
type parca struct {
	t    *testing.T
	kept []kept
	asks []string // the modes of queries
}

// kept is one profile that it keeps.
type kept struct {
	id     string // of its type
	labels string // job="shop",instance="a"
	at     time.Time
	values counts
}

// takes keeps a profile of all values of memory, as one scrape does. An object has
// ten bytes.
func (p *parca) takes(labels string, after time.Duration, allocated, live counts) {
	for _, t := range memory {
		values := maps.Clone(allocated)
		if strings.HasPrefix(t.Type, "inuse") {
			values = maps.Clone(live)
		}
		if t.Unit == "count" {
			for name := range values {
				values[name] /= 10
			}
		}
		p.kept = append(p.kept, kept{"memory:" + t.Type + ":" + t.Unit + ":space:bytes", labels, from.Add(after), values})
	}
}

func (p *parca) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if r.Method != http.MethodGet || r.Header.Get("Content-Type") != "" {
		p.t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/api/profiles/")
	if !ok {
		p.t.Errorf("there is no %s", r.URL)
	}
	var answer any
	switch {
	case path == "types":
		answer = map[string]any{"types": p.types()}
	case path == "query_range":
		p.asks = append(p.asks, path+" "+q.Get("step"))
		step, err := time.ParseDuration(q.Get("step"))
		if err != nil || step <= 0 {
			p.t.Errorf("step %q", q.Get("step"))
		}
		answer = p.queryRange(q.Get("query"), p.when(q.Get("start")), p.when(q.Get("end")), step)
	case path == "query" && q.Get("reportType") == "REPORT_TYPE_PPROF":
		p.asks = append(p.asks, q.Get("mode")+" "+q.Get("merge.query")+q.Get("single.query"))
		answer = p.query(q.Get)
	case path == "labels":
		answer = map[string]any{"labelNames": []string{"instance", "job"}, "warnings": []string{}}
	case path == "labels/job/values":
		answer = map[string]any{"labelValues": []string{"cart", "shop"}, "warnings": []string{}}
	case strings.HasPrefix(path, "labels/"):
		answer = map[string]any{"labelValues": []string{}, "warnings": []string{}}
	}
	if answer == nil { // what is not found is the web page
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

func (p *parca) when(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		p.t.Error(err)
	}
	return at
}

func (p *parca) types() []map[string]any {
	var all []map[string]any
	seen := map[string]bool{}
	for _, k := range p.kept {
		if f := strings.Split(k.id, ":"); !seen[k.id] {
			seen[k.id] = true
			all = append(all, map[string]any{"name": f[0], "sampleType": f[1], "sampleUnit": f[2], "periodType": f[3], "periodUnit": f[4], "delta": len(f) == 6})
		}
	}
	return all
}

var matcher = regexp.MustCompile(`(\w+)="([^"]*)"`)

// matching are the profiles that a query selects.
func (p *parca) matching(query string, start, end time.Time) []kept {
	id, labels, ok := strings.Cut(query, "{")
	if !ok || !strings.HasSuffix(labels, "}") {
		p.t.Errorf("%s is not a query", query)
	}
	var all []kept
	for _, k := range p.kept {
		fits := k.id == id && !k.at.Before(start) && !k.at.After(end)
		for _, m := range matcher.FindAllString(labels, -1) {
			fits = fits && slices.Contains(strings.Split(k.labels, ","), m)
		}
		if fits {
			all = append(all, k)
		}
	}
	return all
}

func (p *parca) queryRange(query string, start, end time.Time, step time.Duration) any {
	series := map[string]any{}
	samples := map[string][]any{}
	seen := map[string]bool{}
	for _, k := range slices.Backward(p.matching(query, start, end)) { // in no order
		bucket := fmt.Sprint(k.labels, k.at.UnixNano()/int64(step))
		if seen[bucket] {
			continue
		}
		seen[bucket] = true
		var labels []any
		for _, m := range matcher.FindAllStringSubmatch(k.labels, -1) {
			labels = append(labels, map[string]any{"name": m[1], "value": m[2]})
		}
		sum := int64(0)
		for _, v := range k.values {
			sum += v
		}
		samples[k.labels] = append(samples[k.labels], map[string]any{"timestamp": k.at, "value": strconv.FormatInt(sum, 10), "valuePerSecond": 0, "duration": "0", "count": 1})
		series[k.labels] = map[string]any{"labelset": map[string]any{"labels": labels}, "samples": samples[k.labels], "periodType": nil}
	}
	if len(series) == 0 {
		return nil
	}
	return map[string]any{"series": slices.Collect(maps.Values(series))}
}

func (p *parca) query(get func(string) string) any {
	var found []kept
	switch get("mode") {
	case "MODE_MERGE":
		found = p.matching(get("merge.query"), p.when(get("merge.start")), p.when(get("merge.end")))
	case "MODE_SINGLE_UNSPECIFIED":
		at := p.when(get("single.time"))
		if found = p.matching(get("single.query"), at, at); len(found) == 0 {
			return nil
		}
	default:
		p.t.Errorf("mode %q", get("mode"))
	}
	sum := counts{}
	value, unit := "", ""
	for _, k := range found {
		f := strings.Split(k.id, ":")
		for name, v := range k.values {
			if value, unit = f[1], f[2]; value == "samples" { // the API makes time of them
				v *= 52_631_578
			}
			sum[name] += v
		}
		if value == "samples" {
			value, unit = "cpu", "nanoseconds"
		}
	}
	out := profileOf(value, unit, sum)
	out.PeriodType = &profile.ValueType{Type: "space", Unit: "bytes"}
	return map[string]any{"pprof": packed(p.t, out), "total": "0", "filtered": "0"}
}

// TestParca checks a fleet of which profiles count from the start of each process.
func TestParca(t *testing.T) {
	p := &parca{t: t}
	const a, b, other = `job="shop",instance="a"`, `job="shop",instance="b"`, `job="cart",instance="a"`
	p.takes(a, 1*time.Minute, counts{"main.f": 1000, "main.g": 500}, counts{"main.f": 100})
	p.takes(a, 2*time.Minute, counts{"main.f": 4000, "main.g": 500}, counts{"main.f": 900})
	p.takes(a, 3*time.Minute, counts{"main.f": 9000, "main.g": 500}, counts{"main.f": 300})
	p.takes(b, 1*time.Minute, counts{"main.f": 2000}, counts{"main.f": 100})
	p.takes(b, 2*time.Minute, counts{"main.f": 2500, "main.g": 70}, counts{"main.f": 100})
	p.takes(b, 3*time.Minute, counts{"main.f": 10}, counts{"main.f": 100}) // was restarted
	p.takes(b, 4*time.Minute, counts{"main.f": 30, "main.h": 40}, counts{"main.f": 100, "main.h": 40})
	p.takes(other, 3*time.Minute, counts{"main.f": 1e6}, nil)
	for _, labels := range []string{a, b, other} {
		p.kept = append(p.kept, kept{"process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta", labels, from.Add(time.Minute), counts{"main.f": 30e6, "main.g": 10e6}},
			kept{"process_cpu:samples:count:cpu:nanoseconds:delta", labels, from.Add(time.Minute), counts{"main.f": 3, "main.g": 1}})
	}
	s := serve(t, Parca, `{job="shop"}`, p)
	got, err := s.Profiles(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Allocs, "alloc_space", counts{"main.f": 8000 + 500 + 30, "main.g": 70, "main.h": 40})
	same(t, got.Allocs, "alloc_objects", counts{"main.f": 800 + 50 + 3, "main.g": 7, "main.h": 4})
	same(t, got.Allocs, "inuse_space", counts{"main.f": (300 + 100) / 2, "main.h": 20})
	same(t, got.Allocs, "inuse_objects", counts{"main.f": (30 + 10) / 2, "main.h": 2})
	same(t, got.CPU, "cpu", counts{"main.f": 60e6, "main.g": 20e6})
	same(t, got.CPU, "samples", counts{"main.f": 6, "main.g": 2})
	if a := got.Allocs; a.Period != defaultRate || a.DurationNanos != time.Hour.Nanoseconds() || a.TimeNanos != from.UnixNano() || len(a.Sample) != 3 {
		t.Errorf("%v", a)
	}
	note(t, got.Notes, `profiles are of {job="shop"} from 2026-11-22T10:00:00Z to 2026-11-22T11:00:00Z`)
	note(t, got.Notes, "allocations are those of 2 of 2 processes, the last profile of each less its first; restarts in between: 1")
	note(t, got.Notes, "the mean of 2 at the end")
	note(t, got.Notes, "a sample is taken to be 10ms, as Go's are")
	if want := []string{"query_range 18s", "query_range 1s", "MODE_SINGLE_UNSPECIFIED memory:alloc_objects:count:space:bytes{" + a + "}"}; !slices.Equal(p.asks[1:4], want) {
		t.Errorf("%q, want %q", p.asks[1:4], want)
	}
	for _, ask := range p.asks {
		if strings.HasPrefix(ask, "MODE_MERGE memory") {
			t.Errorf("%s adds up what is cumulative", ask)
		}
	}
}

// TestParcaDelta checks profiles that are of some time each.
func TestParcaDelta(t *testing.T) {
	p := &parca{t: t}
	const a, b = `job="shop",instance="a"`, `job="shop",instance="b"`
	for i, labels := range []string{a, b, a, b} {
		p.takes(labels, time.Duration(i)*time.Minute, counts{"main.f": 1000}, counts{"main.f": 500})
	}
	for i := range p.kept {
		p.kept[i].id += ":delta"
	}
	p.kept = append(p.kept, kept{"parca_agent:samples:count:cpu:nanoseconds:delta", a, from, counts{"main.f": 7, "main.g": 3}})
	got, err := serve(t, Parca, `job="shop"`, p).Profiles(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Allocs, "alloc_space", counts{"main.f": 4000})
	same(t, got.Allocs, "alloc_objects", counts{"main.f": 400})
	if got.Allocs.Value("inuse_space") >= 0 {
		t.Error("a difference is taken for the live heap")
	}
	same(t, got.CPU, "samples", counts{"main.f": 7, "main.g": 3}) // of 19 samples a second
	note(t, got.Notes, "a sample is taken to be 52.631578ms")
}

// TestParcaHiddenRestart checks a process that has allocated more since it was started
// again than before, so that its total does not fall.
func TestParcaHiddenRestart(t *testing.T) {
	p := &parca{t: t}
	p.takes(`job="shop"`, 0, counts{"main.f": 1000, "main.g": 100}, nil)
	p.takes(`job="shop"`, time.Minute, counts{"main.f": 9000, "main.g": 40}, nil)
	got, err := serve(t, Parca, `{job="shop"}`, p).Profiles(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Allocs, "alloc_space", counts{"main.f": 9000, "main.g": 40})
	note(t, got.Notes, "1 of 1 processes, the last profile of each less its first; restarts in between: 1")
	if got.CPU != nil || got.Allocs.Value("inuse_space") >= 0 {
		t.Error("there is more than was kept")
	}
}

// TestParcaLong checks a time that is much longer than the processes run: profiles are
// listed one by one then, of each.
func TestParcaLong(t *testing.T) {
	p := &parca{t: t}
	p.takes(`job="shop"`, 1*time.Second, counts{"main.f": 1000}, counts{"main.f": 50})
	p.takes(`job="shop"`, 2*time.Second, counts{"main.f": 1500}, counts{"main.f": 50})
	p.takes(`job="shop"`, 3*time.Second, counts{"main.f": 20}, counts{"main.f": 50})
	p.takes(`job="shop",shard="2"`, 4*time.Second, counts{"main.f": 1e6}, counts{"main.f": 50}) // the query of the first selects it too
	got, err := serve(t, Parca, `{job="shop"}`, p).Profiles(t.Context(), from.Add(-1000*time.Hour), to)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Allocs, "alloc_space", counts{"main.f": 500 + 20})
	note(t, got.Notes, "allocations are those of 1 of 2 processes")
	if p.asks[0] != "query_range 18018s" || p.asks[1] != "query_range 1s" {
		t.Errorf("%q", p.asks)
	}
}

// TestParcaMany checks that a large fleet is asked in part, from everywhere in it.
func TestParcaMany(t *testing.T) {
	p := &parca{t: t}
	for i := range 3 * processes {
		labels := fmt.Sprintf(`job="shop",instance="%d"`, i)
		p.takes(labels, 0, counts{"main.f": 1000}, counts{"main.f": 70})
		p.takes(labels, time.Minute, counts{"main.f": 1500}, counts{"main.f": 70})
	}
	got, err := serve(t, Parca, `{job="shop"}`, p).Profiles(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Allocs, "alloc_space", counts{"main.f": 500 * processes})
	same(t, got.Allocs, "inuse_space", counts{"main.f": 70})
	note(t, got.Notes, "allocations are those of 24 of 72 processes")
	if len(p.asks) != 1+7*processes {
		t.Errorf("%d requests", len(p.asks))
	}
	if got := fmt.Sprint(some([]int{0, 1, 2, 3, 4, 5, 6}, 3)); got != "[0 2 4]" {
		t.Error(got)
	}
}

// TestParcaNothing checks what is said when there is nothing, or not enough.
func TestParcaNothing(t *testing.T) {
	p := &parca{t: t}
	p.takes(`job="shop"`, 0, counts{"main.f": 1000}, nil)
	for query, want := range map[string]string{
		`{job="shop"}`:     "one profile of allocations of each process, and two tell",
		`{job="nobody"}`:   `the store has no Go profiles of {job="nobody"} from 2026-11-22T10:00:00Z to 2026-11-22T11:00:00Z; at that time job is one of cart, shop`,
		`{service="shop"}`: "at that time there are the labels instance, job",
	} {
		_, err := serve(t, Parca, query, p).Profiles(t.Context(), from, to)
		wrong(t, query, err, want)
	}
}

// TestParcaWrong checks servers that are something else, or lie.
func TestParcaWrong(t *testing.T) {
	const types = `{"types":[{"name":"process_cpu","sampleType":"cpu","sampleUnit":"nanoseconds","periodType":"cpu","periodUnit":"nanoseconds","delta":true}]}`
	const both = `{"types":[{"name":"memory","sampleType":"alloc_space","sampleUnit":"bytes"},{"name":"memory","sampleType":"alloc_objects","sampleUnit":"count"}]}`
	answer := func(p *profile.Profile) string {
		text, err := json.Marshal(map[string]any{"pprof": packed(t, p)})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, c := range map[string]struct{ types, query, err string }{
		"text":      {"hello", "", "types of Parca answers something that is not of its API"},
		"page":      {"<html></html>", "", "is a page for people, not of an API; is it the right address, and path, of parca?"},
		"wrong":     {types, answer(profileOf("goroutine", "count", counts{"main.f": 1})), "cpu:nanoseconds:delta of Parca: the answer is a profile of [goroutine], and should be of cpu or samples"},
		"cut off":   {types, `{"pprof":"H4sI"}`, "it is cut off or damaged"},
		"no pprof":  {types, `{"pprof":"aGVsbG8="}`, "the answer is not a pprof profile"},
		"no number": {both, `{"series":[{"samples":[{"timestamp":"2026-11-22T10:00:00Z","value":"1.5"}]}]}`, "a value is not an integer"},
		"below 0":   {both, `{"series":[{"samples":[{"timestamp":"2026-11-22T10:00:00Z","value":"-5"}]}]}`, "two tell what was allocated"},
		"nobody":    {both, `{"series":[{"labelset":null,"samples":[]}]}`, "it has none at all"},
	} {
		s := serve(t, Parca, `{job="shop"}`, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/types"):
				fmt.Fprint(w, c.types)
			case strings.Contains(r.URL.Path, "/query"):
				fmt.Fprint(w, c.query)
			default:
				fmt.Fprint(w, "{}")
			}
		}))
		_, err := s.Profiles(t.Context(), from, to)
		wrong(t, name, err, c.err)
	}
}
