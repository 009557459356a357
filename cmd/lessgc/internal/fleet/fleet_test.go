package fleet

import (
	"bytes"
	"compress/gzip"
	"context"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

// TestParse checks what users write.
func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		`{job="shop"}`: `{job="shop"} job`, ` job="shop",env=~"a|b", `: `{job="shop",env=~"a|b"} job`, `{ job != "x" }`: `{ job != "x"} job`,
		`{job!~"x"}`: `{job!~"x"} job`, `{"service.name"="shop"}`: `{"service.name"="shop"} service.name`,
	} {
		if s, err := Parse(Parca, "http://host:7070/parca/", query); err != nil || s.Query+" "+s.label() != want {
			t.Errorf("%s: %+v, %v, want %s", query, s, err, want)
		}
	}
	for _, c := range []struct{ kind, address, query, err string }{
		{"jaeger", "http://host", `a="b"`, `unknown store "jaeger"; want parca or pyroscope`},
		{Parca, "localhost:7070", `a="b"`, "localhost:7070: invalid address of parca; want one such as http://localhost:7070"},
		{Pyroscope, "ftp://me:secret@host", `a="b"`, "ftp://xxxxx@host: invalid address of pyroscope; want one such as http://localhost:4040"},
		{Parca, "http://me:secret@ho st", `a="b"`, "invalid address of parca"},
		{Parca, "http://host", "", "an empty query does not say which service: name its labels"},
		{Parca, "http://host", "{}", "{} does not say which service"},
		{Parca, "http://host", "shop", `shop does not say which service: name its labels, such as {service_name="checkout"}`},
		{Parca, "http://host", `memory:alloc_space:bytes:space:bytes{job="a"}`, "does not say which service"},
	} {
		_, err := Parse(c.kind, c.address, c.query)
		wrong(t, c.query, err, c.err)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v tells a password", err)
		}
	}
}

// TestParseRange checks ranges of time.
func TestParseRange(t *testing.T) {
	now := to
	for text, want := range map[string][2]time.Duration{
		"-1h": {-time.Hour, 0}, "-2h..-1h": {-2 * time.Hour, -time.Hour}, " -90m .. -0s": {-90 * time.Minute, 0},
		"2026-11-22T10:00:00Z..2026-11-22T11:00:00Z": {-time.Hour, 0}, "2026-11-22T10:00:00+01:00..-1h30m": {-2 * time.Hour, -90 * time.Minute},
	} {
		from, to, err := ParseRange(text, now)
		if err != nil || from.Sub(now) != want[0] || to.Sub(now) != want[1] {
			t.Errorf("%s: %v, %v, %v", text, from, to, err)
		}
	}
	for text, want := range map[string]string{
		"": `invalid time range ""; want one such as -1h`, "1h": "invalid time range", "-1h..": "invalid time range", "-1d": "invalid time range", "10:00..11:00": "invalid time range", "-2h..-1h..-0s": "invalid time range",
		"-1h..-2h": "ends before it starts", "-0s": "ends before", "2026-11-23T10:00:00Z": "ends before",
	} {
		_, _, err := ParseRange(text, now)
		wrong(t, text, err, want)
	}
}

// TestAuth checks how requests identify the user to a store.
func TestAuth(t *testing.T) {
	for _, c := range []struct{ user, token, tenant, want string }{
		{"", "", "", ""}, {"me:secret@", "", "", "Basic bWU6c2VjcmV0"}, {"me@", "", "", "Basic bWU6"}, {"", "abc", "team", "Bearer abc"},
	} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			if r.Header.Get("Authorization") != c.want || r.Header.Get("X-Scope-OrgID") != c.tenant || !strings.HasPrefix(r.URL.Path, "/some/path/api/profiles/") {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			http.Error(w, "who?", http.StatusForbidden)
		}))
		s, err := Parse(Parca, strings.Replace(server.URL, "://", "://"+c.user, 1)+"/some/path/", `a="b"`)
		if err != nil {
			t.Fatal(err)
		}
		s.Token, s.Tenant = c.token, c.tenant
		_, err = s.Profiles(t.Context(), from, to)
		wrong(t, c.want, err, "/some/path/api/profiles/types: 403 Forbidden: who?; it wants a user and a password")
		if asked != 1 || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "abc") {
			t.Errorf("%d requests, %v", asked, err)
		}
		server.Close()
		_, err = s.Profiles(t.Context(), from, to)
		wrong(t, "closed", err, "connection refused")
	}
}

// TestProfilesWrong checks times that are wrong, and a user who does not wait.
func TestProfilesWrong(t *testing.T) {
	s := serve(t, Pyroscope, `a="b"`, http.NotFoundHandler())
	_, err := s.Profiles(t.Context(), to, from)
	wrong(t, "range", err, "ends before it starts")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Profiles(ctx, from, to)
	wrong(t, "interrupted", err, "context canceled")
}

// TestStripped checks that what has no names of functions is judged as any profile is.
func TestStripped(t *testing.T) {
	p := shop(t)
	for _, one := range p.profiles {
		one.Function = nil
		for _, l := range one.Location {
			l.Line = nil
		}
	}
	_, err := serve(t, Pyroscope, `service_name="shop"`, p).Profiles(t.Context(), from, to)
	wrong(t, "stripped", err, `the CPU profile of {service_name="shop"}: it has addresses and no names of functions`)
}

// bomb packs zeros, in pieces that are made once.
func bomb(t testing.TB, size int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	z.Close()
	return bytes.Repeat(b.Bytes(), size>>20+1)
}

// TestBombs checks answers that are small on the wire and large when unpacked.
func TestBombs(t *testing.T) {
	if _, err := new(Store).read(bomb(t, 256<<20), "cpu"); err != errTooLarge {
		t.Error(err)
	}
	data := bomb(t, maxAnswer)
	s := serve(t, Pyroscope, `a="b"`, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(data)
	}))
	_, err := s.Profiles(t.Context(), from, to)
	wrong(t, "answer", err, "the answer is larger than any profile; ask for less")
}

// TestCounts checks samples that are more time than 64 bits hold.
func TestCounts(t *testing.T) {
	for _, v := range []int64{math.MaxInt64, math.MinInt64 + 1, math.MaxInt64/int64(defaultPeriod) + 1} {
		_, err := count(profileOf("cpu", "count", counts{"a": v}))
		wrong(t, "count", err, "are more CPU time than 64 bits hold")
	}
	p := profileOf("cpu", "nanoseconds", counts{"a": math.MaxInt64})
	if _, err := count(p); err != nil || p.Sample[0].Value[0] != 922337203685 {
		t.Error(p.Sample[0].Value, err)
	}
	all := []*profile.Profile{spread(profileOf("alloc_space", "bytes", counts{"a": math.MaxInt64}), 1), spread(profileOf("alloc_space", "bytes", counts{"a": 1}), 1)}
	_, err := join(all)
	wrong(t, "sum", err, "their values add up to more than 64 bits hold")
}

// TestRestarts checks a process that is said to be restarted all the time: nothing is asked
// for then.
func TestRestarts(t *testing.T) {
	_, _, err := new(Store).growth(t.Context(), &process{ends: make([]int, maxRestarts+2)}, parcaType{}, parcaType{})
	wrong(t, "restarts", err, "the store lists 501 restarts of one process, and the profiles of 500 are added up at most; ask for a shorter -range")
}

// TestPeriod checks what a sample of a CPU profile is taken to be.
func TestPeriod(t *testing.T) {
	for _, c := range []struct {
		unit   string
		values counts
		said   int64
		want   time.Duration
	}{
		{"nanoseconds", counts{"a": 30e6, "b": 70e6}, 0, 10 * time.Millisecond},
		{"nanoseconds", counts{"a": 20e6, "b": 40e6}, 5e6, 5 * time.Millisecond},
		{"nanoseconds", counts{"a": 20e6, "b": 40e6}, 0, 10 * time.Millisecond}, // both even by chance
		{"nanoseconds", counts{"a": 52_631_578, "b": 105_263_156}, 0, 52_631_578},
		{"nanoseconds", counts{"a": 30e6, "b": 52_631_578}, 0, defaultPeriod}, // of two rates
		{"nanoseconds", counts{"a": 7e9}, 1, defaultPeriod},
		{"count", counts{"a": 20e6}, 0, defaultPeriod},
	} {
		p := profileOf("cpu", c.unit, c.values)
		p.PeriodType, p.Period = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, c.said
		if got, _ := period(p); got != c.want {
			t.Errorf("%v: %v, want %v", c, got, c.want)
		}
		note, err := count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sample {
			name := s.Location[0].Line[0].Function.Name
			if v := c.values[name]; s.Value[0] != v && s.Value[1] != v || s.Value[0] != (s.Value[1]+int64(c.want)/2)/int64(c.want) || !strings.Contains(note, c.want.String()) {
				t.Errorf("%v: %v, %s", c, s.Value, note)
			}
		}
	}
}

// fitsTwice reports whether 64 bits hold the values of a profile and their opposites, signs left out.
func fitsTwice(p *profile.Profile) bool {
	sum := new(big.Int)
	for _, s := range p.Sample {
		v := big.NewInt(s.Value[0])
		sum.Add(sum, v.Abs(v))
	}
	return sum.Lsh(sum, 1).IsInt64()
}

// FuzzRead checks that no answer makes the reader, or what is done with a profile,
// crash.
func FuzzRead(f *testing.F) {
	for _, value := range []string{"cpu", "alloc_space", "inuse_objects"} {
		p := profileOf(value, "nanoseconds", counts{"main.f": 20e6, "main.g": -1, "main.h": 1<<60 + 1})
		f.Add(packed(f, p))
		f.Add(unpacked(f, p))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := new(Store).read(data, "cpu", "samples"); err == nil && p != nil {
			if _, err := count(p); err != nil {
				return
			}
			if got, err := finish(p, from, to); err == nil && got.Kind != prof.CPU {
				t.Error(got.Kind)
			}
		}
		if p, err := new(Store).read(data, "alloc_objects", "alloc_space", "inuse_objects", "inuse_space"); err == nil && p != nil {
			other, fits := p.Copy(), fitsTwice(p)
			all, err := join([]*profile.Profile{spread(p, 1), spread(other, -1)})
			if (err == nil) != fits || all != nil {
				t.Errorf("a profile less itself: %v, %v; that its values fit is %t", all, err, fits)
			}
		}
	})
}
