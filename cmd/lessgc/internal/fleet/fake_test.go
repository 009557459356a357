package fleet

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

var (
	from = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	to   = from.Add(time.Hour)
)

// counts are the values of stacks, each with one name of a function.
type counts map[string]int64

// profileOf makes a profile of one value, as the stores send it.
func profileOf(value, unit string, all counts) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: value, Unit: unit}}, TimeNanos: -7538000000000000000,
		Mapping: []*profile.Mapping{{ID: 1, Start: 0x400000, Limit: 0x500000, File: "server"}}}
	for name, v := range all {
		id := uint64(len(p.Function) + 1)
		f := &profile.Function{ID: id, Name: name, Filename: "server.go"}
		l := &profile.Location{ID: id, Mapping: p.Mapping[0], Address: 0x400000 + id, Line: []profile.Line{{Function: f, Line: 7}}}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{v}, Label: map[string][]string{"handler": {name}}})
	}
	return p
}

func packed(t testing.TB, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(t testing.TB, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// of sums up a value of a profile, by function.
func of(p *prof.Profile, value string) counts {
	out := counts{}
	if i := p.Value(value); i >= 0 {
		for _, s := range p.Sample {
			if s.Value[i] != 0 {
				out[prof.Stack(s)[0].Func] += s.Value[i]
			}
		}
	}
	return out
}

// same checks what a profile says of a value.
func same(t testing.TB, p *prof.Profile, value string, want counts) {
	t.Helper()
	if p == nil {
		t.Fatalf("there is no profile with %s", value)
	}
	if got := of(p, value); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", value, got, want)
	}
}

// serve starts a server, and returns a store that is there.
func serve(t testing.TB, kind, query string, h http.Handler) *Store {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s, err := Parse(kind, server.URL, query)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wrong checks that an error is there, and one line.
func wrong(t testing.TB, name string, err error, want ...string) {
	t.Helper()
	for _, text := range want {
		if err == nil || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s", name, err, text)
		}
	}
}

// note checks that the notes say something.
func note(t testing.TB, notes []string, want string) {
	t.Helper()
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, want) }) {
		t.Errorf("no note says %q: %q", want, notes)
	}
}
