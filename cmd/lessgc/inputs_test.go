package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// heapOf is a profile of allocations with samples of a function in a file.
func heapOf(t *testing.T, file string, values ...[]int64) []byte {
	t.Helper()
	f := &profile.Function{ID: 1, Name: "example.com/x.F", Filename: file}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 1}}}
	p := &profile.Profile{Function: []*profile.Function{f}, Location: []*profile.Location{l}, Period: 1, PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"},
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}, {Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}}}
	for _, v := range values {
		p.Sample = append(p.Sample, &profile.Sample{Location: p.Location, Value: v})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestHostileProfiles checks what the user sees of profiles that no program writes: one
// sentence, whatever they come from.
func TestHostileProfiles(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(bytes.Repeat([]byte{2<<3 | 2, 0}, 16<<20)); err != nil { // empty samples
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(bomb.Bytes()) }))
	defer server.Close()
	file := write("bomb.pprof", bomb.Bytes())
	good := write("good.pprof", heapOf(t, "", []int64{1, 1, 1, 1}))
	base := write("base.pprof", heapOf(t, "", []int64{1, 100, 0, 0}, []int64{-1, -90, 0, 0}))
	huge := write("huge.pprof", heapOf(t, "", []int64{1, math.MaxInt64, 0, 0}, []int64{1, math.MaxInt64, 0, 0}))
	const need = ": decoding it takes 2.9 GiB of memory, and the budget is 1.0 GiB; take a profile of a shorter time"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"advise", file}, file + need},
		{[]string{"diff", good, file}, file + need},
		{[]string{"advise", "-for", "1s", server.URL}, need},
		{[]string{"advise", "-pyroscope", server.URL, "-query", `{service_name="x"}`}, "decoding it takes 2.9 GiB of memory"},
		{[]string{"diff", base, good}, base + ": its values of alloc_space add up to 100 above zero and 90 below: it is the difference of two profiles"},
		{[]string{"diff", good, huge}, huge + `: its values of "alloc_space" add up to more than 64 bits hold`},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), &stdout, &stderr, c.args)
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		if last := lines[len(lines)-1]; status != exitFailure || stdout.Len() > 0 || !strings.HasPrefix(last, "lessgc: ") || !strings.Contains(last, c.want) {
			t.Errorf("%v: %d: %s", c.args, status, stderr.String())
		}
	}
}

// TestForeignSource checks that the page of advise holds the source of the module, and
// nothing that a profile names elsewhere.
func TestForeignSource(t *testing.T) {
	module, elsewhere := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write(module, "go.mod", "module example.com/x\n")
	t.Setenv("GOWORK", "off")
	t.Chdir(module)
	for i, file := range []string{write(module, "x.go", "package x // canary"), write(elsewhere, "x.go", "package x // canary")} {
		name := write(elsewhere, "heap.pprof", string(heapOf(t, file, []int64{1, 1, 1, 1})))
		out := filepath.Join(elsewhere, fmt.Sprint(i))
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), &stdout, &stderr, []string{"advise", "-reasons=false", "-levers=false", "-o", out, name}); status != exitClean {
			t.Fatal(stderr.String())
		}
		page, err := os.ReadFile(filepath.Join(out, pageFile))
		if own := i == 0; err != nil || strings.Contains(string(page), "canary") != own {
			t.Errorf("%s: %v, or the page holds what it should not, or lacks what it should hold", file, err)
		}
	}
}

// TestReadAdvice checks advice that no program writes.
func TestReadAdvice(t *testing.T) {
	name := filepath.Join(t.TempDir(), adviceFile)
	for text, want := range map[string]string{
		`{"format": "lessgc-advice/1", "gain": {"lo": 0.1, "hi": 0.2}}`:                           "",
		`{"format": "lessgc-advice/1", "gain": {"lo": 0, "hi": 1e300}}`:                           "invalid share of CPU time 1e+300; run lessgc advise again",
		`{"format": "lessgc-advice/1", "costs": {"bill": {"share": -1}}}`:                         "invalid share of CPU time -1",
		`{"format": "lessgc-advice/1", "sites": {"sites": [{"levers": [{"gain": {"lo": -5}}]}]}}`: "invalid share of CPU time -5",
		strings.Repeat(" ", maxAdvice+1):                                                          "has more than 64 MiB",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := readAdvice(name)
		if want == "" && (err != nil || r == nil) || want != "" && (err == nil || !strings.HasPrefix(err.Error(), name) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.80s: %v, want %s", text, err, want)
		}
	}
}
