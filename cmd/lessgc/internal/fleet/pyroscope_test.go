package fleet

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// pyroscope is a server that speaks as Grafana Pyroscope does.
type pyroscope struct {
	t        *testing.T
	profiles map[string]*profile.Profile // by type
	mean     string                      // the points of SelectSeries
}

func (p *pyroscope) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method, ok := strings.CutPrefix(r.URL.Path, "/querier.v1.QuerierService/")
	if !ok || r.Method != http.MethodPost || r.Header.Get("Connect-Protocol-Version") != "1" {
		p.t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		p.t.Error(err)
	}
	if r.Header.Get("Content-Type") == "application/proto" && method == "SelectMergeProfile" {
		id := p.request(body)
		w.Header().Set("Content-Type", "application/proto")
		if found := p.profiles[id]; found != nil {
			w.Write(unpacked(p.t, found))
		}
		return
	}
	var said map[string]any
	if err := json.Unmarshal(body, &said); err != nil || r.Header.Get("Content-Type") != "application/json" || said["start"] != float64(from.UnixMilli()) || said["end"] != float64(to.UnixMilli()) {
		p.t.Errorf("%s: %v, %v", method, said, err)
	}
	w.Header().Set("Content-Type", "application/json")
	switch method {
	case "SelectSeries":
		if said["aggregation"] != "TIME_SERIES_AGGREGATION_TYPE_AVERAGE" || said["step"] != 3600.0 || said["labelSelector"] != `{service_name="shop"}` ||
			said["profileTypeID"] != "memory:inuse_space:bytes:space:bytes" {
			p.t.Errorf("%v", said)
		}
		fmt.Fprintf(w, `{"series":[{"labels":[],"points":%s}]}`, p.mean)
	case "LabelNames":
		fmt.Fprint(w, `{"names":["service_name","pod"]}`)
	case "LabelValues":
		if said["name"] == "service_name" {
			fmt.Fprint(w, `{"names":["cart","shop"]}`)
		} else {
			fmt.Fprint(w, `{}`)
		}
	default:
		p.t.Errorf("there is no %s", method)
	}
}

// request decodes a SelectMergeProfileRequest field by field, and returns the type.
func (p *pyroscope) request(body []byte) string {
	got := map[protowire.Number]any{}
	for b := body; len(b) > 0; {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			p.t.Fatalf("%q is not a message", body)
		}
		b = b[n:]
		switch kind {
		case protowire.BytesType:
			var text []byte
			text, n = protowire.ConsumeBytes(b)
			got[field] = string(text)
		case protowire.VarintType:
			var v uint64
			v, n = protowire.ConsumeVarint(b)
			got[field] = int64(v)
		}
		if n <= 0 {
			p.t.Fatalf("%q is not a message", body)
		}
		b = b[n:]
	}
	if len(got) != 4 || !strings.Contains(got[2].(string), "=") || got[3] != from.UnixMilli() || got[4] != to.UnixMilli() {
		p.t.Errorf("%v", got)
	}
	return got[1].(string)
}

// shop is a Pyroscope with a service.
func shop(t *testing.T) *pyroscope {
	p := &pyroscope{t: t, profiles: map[string]*profile.Profile{}, mean: `[{"value":600,"timestamp":"1795341600000"},{"value":400.0,"timestamp":"1795345200000"}]`}
	for value, all := range map[string]counts{
		"alloc_space": {"main.f": 5000, "main.g": 300}, "alloc_objects": {"main.f": 50, "main.g": 30},
		"inuse_space": {"main.f": 4000, "main.h": 1000}, "inuse_objects": {"main.f": 40, "main.h": 100},
	} {
		unit := map[bool]string{true: "bytes", false: "count"}[strings.HasSuffix(value, "space")]
		one := profileOf(value, unit, all)
		one.PeriodType, one.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, 4096
		p.profiles["memory:"+value+":"+unit+":space:bytes"] = one
	}
	p.profiles[pyroscopeCPU] = profileOf("cpu", "nanoseconds", counts{"main.f": 110e6, "main.g": 30e6})
	return p
}

// TestPyroscope checks a fleet.
func TestPyroscope(t *testing.T) {
	got, err := serve(t, Pyroscope, `{service_name="shop"}`, shop(t)).Profiles(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Allocs, "alloc_space", counts{"main.f": 5000, "main.g": 300})
	same(t, got.Allocs, "alloc_objects", counts{"main.f": 50, "main.g": 30})
	same(t, got.Allocs, "inuse_space", counts{"main.f": 400, "main.h": 100}) // of ten profiles
	same(t, got.Allocs, "inuse_objects", counts{"main.f": 4, "main.h": 10})
	same(t, got.CPU, "samples", counts{"main.f": 11, "main.g": 3})
	same(t, got.CPU, "cpu", counts{"main.f": 110e6, "main.g": 30e6})
	if got.Allocs.Period != 4096 || got.Allocs.DurationNanos != time.Hour.Nanoseconds() || len(got.Allocs.Sample) != 3 {
		t.Errorf("%v", got.Allocs)
	}
	note(t, got.Notes, "the live heap is that of one process")
}

// TestPyroscopePart checks services of which a part is kept.
func TestPyroscopePart(t *testing.T) {
	check := func(name string, change func(*pyroscope), cpu, allocs, live bool) {
		p := shop(t)
		change(p)
		got, err := serve(t, Pyroscope, `service_name="shop"`, p).Profiles(t.Context(), from, to)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (got.CPU != nil) != cpu || (got.Allocs != nil) != allocs || allocs && (got.Allocs.Value("inuse_space") >= 0) != live {
			t.Errorf("%s: %+v", name, got)
		}
	}
	without := func(id string) func(*pyroscope) {
		return func(p *pyroscope) { delete(p.profiles, id) }
	}
	check("no CPU", without(pyroscopeCPU), false, true, true)
	check("no bytes", without("memory:alloc_space:bytes:space:bytes"), true, false, false)
	check("no number", without("memory:alloc_objects:count:space:bytes"), true, false, false)
	check("not live", without("memory:inuse_space:bytes:space:bytes"), true, true, false)
	check("no mean", func(p *pyroscope) { p.mean = "[]" }, true, true, false)
	check("no numbers", func(p *pyroscope) { p.mean = `[{"value":"NaN"}]` }, true, true, false)
	check("a mean above the sum", func(p *pyroscope) { p.mean = `[{"value":1e9}]` }, true, true, false)
}

// TestPyroscopeWrong checks what is said of servers that have nothing, or refuse.
func TestPyroscopeWrong(t *testing.T) {
	none := &pyroscope{t: t}
	_, err := serve(t, Pyroscope, `{service_name="nobody"}`, none).Profiles(t.Context(), from, to)
	wrong(t, "nobody", err, `the store has no Go profiles of {service_name="nobody"}`, "at that time service_name is one of cart, shop")
	_, err = serve(t, Pyroscope, `{job="shop"}`, none).Profiles(t.Context(), from, to)
	wrong(t, "no label", err, "at that time there are the labels service_name, pod")
	for name, c := range map[string]struct {
		status    int
		body, err string
	}{
		"tenant": {401, `{"code":"unauthenticated","message":"no org id"}`, "401 Unauthorized: no org id; it wants a user and a password in the address"},
		"query":  {400, `{"code":"invalid_argument","message":"parse error:\nunexpected }"}`, "400 Bad Request: parse error: unexpected }"},
		"large":  {429, `{"code":"resource_exhausted","message":"too large"}`, "too large; ask for less, by a shorter -range or with more labels"},
		"path":   {404, "404 page not found\n", "404 Not Found: 404 page not found; is it the right address, and path?"},
		"text":   {200, "hello", "process_cpu:cpu:nanoseconds:cpu:nanoseconds of Pyroscope: the answer is not a pprof profile"},
	} {
		s := serve(t, Pyroscope, `{service_name="shop"}`, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		_, err := s.Profiles(t.Context(), from, to)
		wrong(t, name, err, c.err)
	}
}
