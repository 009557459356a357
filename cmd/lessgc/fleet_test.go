package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// pyroscope answers as Grafana Pyroscope does, and doubles all values of what starts before
// noon of the first day of 2026. Package store tests what is asked.
func pyroscope(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if !strings.HasSuffix(r.URL.Path, "/SelectMergeProfile") {
		fmt.Fprint(w, `{"series":[]}`)
		return
	}
	var id string
	var start uint64
	for len(body) > 0 {
		number, kind, n := protowire.ConsumeTag(body)
		body = body[n:]
		switch {
		case number == 1:
			id, _ = protowire.ConsumeString(body)
		case number == 3:
			start, _ = protowire.ConsumeVarint(body)
		}
		body = body[protowire.ConsumeFieldValue(number, kind, body):]
	}
	factor := int64(1)
	if start < 1767268800000 {
		factor = 2
	}
	p := &profile.Profile{DurationNanos: 3600e9}
	add := func(value int64, calls ...string) {
		s := &profile.Sample{Value: []int64{value * factor}}
		for _, name := range calls {
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: 1}}}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	switch {
	case strings.HasPrefix(id, "process_cpu:cpu:"):
		p.SampleType = []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}
		p.PeriodType, p.Period = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, 1e7
		add(30e9, "runtime.mallocgc", "example.com/shop.Parse", "main.main")
		add(70e9, "example.com/shop.Work", "main.main")
	case strings.HasPrefix(id, "memory:alloc_space:"):
		p.SampleType = []*profile.ValueType{{Type: "alloc_space", Unit: "bytes"}}
		add(1<<30, "example.com/shop.Parse", "main.main")
	case strings.HasPrefix(id, "memory:alloc_objects:"):
		p.SampleType = []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}}
		add(1<<20, "example.com/shop.Parse", "main.main")
	default:
		return
	}
	var packed bytes.Buffer
	p.WriteUncompressed(&packed)
	w.Header().Set("Content-Type", "application/proto")
	w.Write(packed.Bytes())
}

// TestFleet takes profiles of a fleet: advice for a time, and what has changed between two.
func TestFleet(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(pyroscope))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://me:secret@", 1)
	store := []string{"-pyroscope", address, "-query", `{service_name="shop"}`, "-module", "example.com/shop"}
	call := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), &stdout, &stderr, args); status != exitClean {
			t.Fatalf("%v: %d: %s", args, status, stderr.String())
		}
		page, err := os.ReadFile(filepath.Join(args[2], pageFile))
		if all := string(page) + stdout.String() + stderr.String(); err != nil || strings.Contains(all, "secret") {
			t.Errorf("%v, or the password is shown: %s", err, stderr.String())
		}
		return stdout.String()
	}
	const before, after = "2026-01-01T10:00:00Z..2026-01-01T11:00:00Z", "2026-01-01T13:00:00Z..2026-01-01T14:00:00Z"
	out := call(append([]string{"advise", "-o", filepath.Join(t.TempDir(), "a"), "-range", after}, store...)...)
	for _, want := range []string{"allocation           30.0 %", "shop.Parse", "allocated: 1.000GiB in 1.049M objects\n", "cannot tell what starts collections"} {
		if !strings.Contains(out, want) {
			t.Errorf("the advice lacks %q:\n%s", want, out)
		}
	}
	out = call(append(append([]string{"diff", "-o", filepath.Join(t.TempDir(), "d")}, store...), before, after)...)
	for _, want := range []string{"CPU time  per minute", "3.33 s  1.67 s  -50.0 %", "allocated bytes", "example.com/shop.Work", "34.1 MiB  17.1 MiB  -50.0 %"} {
		if !strings.Contains(out, want) {
			t.Errorf("the change lacks %q:\n%s", want, out)
		}
	}
}
