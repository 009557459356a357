package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/watch"
)

// TestServeWatch checks who gets what of the page's server.
func TestServeWatch(t *testing.T) {
	var history watch.History
	for n := range 3 {
		history.Add(watch.Window{N: n})
	}
	address, stop, err := serveWatch(":0", watch.Header{URL: "http://service"}, &history)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("%s is not for this machine only", address)
	}
	for _, c := range []struct {
		path, host string
		status     int
		want       string
	}{
		{"", "", 200, "<h1>http://service</h1>"},
		{"", "localhost:1", 200, "<h1>"},
		{"", "[::1]:1", 200, "<h1>"},
		{"", "LOCALHOST.:1", 200, "<h1>"},
		{"", "127.0.0.1", 200, "<h1>"},
		{"", "localhost.evil.example", 403, "this page is for localhost"},
		{"", "evil.example", 403, "this page is for localhost"},
		{"windows?after=1", "", 200, `[{"n":2,`},
		{"windows?after=2", "", 200, `[]`},
		{"windows", "", 400, "after=N is missing"},
		{"else", "", 404, ""},
	} {
		q, err := http.NewRequest("GET", address+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = c.host
		w, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(w.Body)
		w.Body.Close()
		if err != nil || w.StatusCode != c.status || !strings.Contains(string(body), c.want) || w.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s of %s: %s %v %.100s", c.path, c.host, w.Status, err, body)
		}
	}
	stop()
	if _, err := http.Get(address); err == nil {
		t.Error("the page is still served")
	}
	other := httptest.NewServer(watchHandler(watch.Header{}, &history, "192.0.2.1:80")) // not for this machine only
	defer other.Close()
	q, _ := http.NewRequest("GET", other.URL, nil)
	q.Host = "watch.example"
	if w, err := http.DefaultClient.Do(q); err != nil || w.StatusCode != 200 {
		t.Errorf("%v, %v", w, err)
	}
}

// TestRedraw checks that a screen is written over the one before.
func TestRedraw(t *testing.T) {
	var out, errs bytes.Buffer
	o := &watchOutput{e: &env{&out, &errs}, terminal: true, header: watch.Header{URL: "http://service", Source: watch.Live, Interval: 1}}
	snapshot := func(n int) *watch.Snapshot {
		return &watch.Snapshot{Time: time.Unix(int64(n), 0), Totals: watch.Totals{AllocBytes: new(float64(n << 20))}}
	}
	last := 0
	for n := range 3 {
		out.Reset()
		w := watch.Window{N: n, Snapshot: snapshot(n)}
		if n > 0 {
			w.Rates = watch.Between(snapshot(n-1), snapshot(n))
		}
		if n == 2 {
			w = watch.Window{N: n, Err: "connection refused"}
		}
		if err := o.window(w); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if up := fmt.Sprintf("\x1b[%dA", last); strings.HasPrefix(text, up) != (n > 0) {
			t.Errorf("after %d lines: %q", last, text)
		}
		if strings.Contains(text, "1.00 MiB/s") != (n > 0) || strings.Contains(text, "connection refused; trying again") != (n == 2) {
			t.Errorf("screen %d: %s", n, text)
		}
		last = strings.Count(text, "\n")
	}
	if err := o.end(); err != nil || !strings.Contains(out.String(), "1s: 1.00 MiB/s allocated") || errs.Len() > 0 {
		t.Errorf("%v: %s%s", err, &out, &errs)
	}
}
