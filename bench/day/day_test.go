package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/service"
	"lessgc/internal/longtest"
)

// TestMain lets the test binary be the service, as the program itself is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-child" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestLoad checks that the day has two peaks and its valleys, and that a seed makes the same again.
func TestLoad(t *testing.T) {
	d := newDay(100*time.Second, 1)
	check := func(second, want float64) {
		t.Helper()
		if got := d.load(time.Duration(second * float64(time.Second))); math.Abs(got-want) > noise+1e-9 {
			t.Errorf("at %g s the load is %g, want %g and noise", second, got, want)
		}
	}
	check(12.5, valley)
	check(37.5, 0.75)
	check(62.5, valley)
	check(87.5, 1)
	for at := time.Duration(0); at <= 101*time.Second; at += time.Second / 10 {
		if l := d.load(at); l < 0.8*valley || l > 1 || math.Abs(l-d.load(at+time.Second/10)) > 0.06 {
			t.Errorf("at %v the load is %g, then %g", at, l, d.load(at+time.Second/10))
		}
	}
	if d.batching(61*time.Second) || !d.batching(63*time.Second) || d.batching(66*time.Second) {
		t.Error("the batch job is not in the second valley")
	}
	c := config{Time: 10 * time.Second, Rate: 100, Seed: 7}
	if a, b := c.schedule(), c.schedule(); !slices.Equal(a, b) || len(a) < 300 || len(a) > 700 {
		t.Errorf("%d requests, then %d", len(a), len(b))
	}
}

// made returns a result with some GOGC at each second.
func made(gogc []int64, cpu float64) *result {
	r := &result{config: config{Guard: "pace", Hard: 100 << 20, Time: time.Duration(len(gogc)-1) * time.Second, Rate: 10, Seed: 1}, Ended: box.End{How: "done"}}
	for i, g := range gogc {
		t := float64(i)
		r.Points = append(r.Points, service.Point{T: t, GC: t * 0.1, Busy: t, CPU: 3 + t*cpu, Cycles: uint64(i), RSS: int64(80+10*i) << 20, Files: 5 << 20, GOGC: g})
	}
	for _, d := range r.schedule() {
		r.Points[1].Answers = append(r.Points[1].Answers, service.Answer{At: d.Seconds(), Took: 0.002})
	}
	r.figures()
	return r
}

func TestFigures(t *testing.T) {
	r := made([]int64{100, 100, 125, 150, 120, 150}, 1)
	if r.GOGCChanges != 4 || r.Turns != 2 || r.CPU != 5 || r.PeakRSS != 125<<20 || r.Exceeded != 3 || math.Abs(float64(r.Share)-0.1) > 1e-9 {
		t.Errorf("%d changes, %d turns, CPU %g, RSS %d, %d over, share %g", r.GOGCChanges, r.Turns, r.CPU, r.PeakRSS, r.Exceeded, r.Share)
	}
	if r.Day.Answered == 0 || r.Day.Answered != r.Day.Scheduled || r.Day.P99 != 0.002 {
		t.Errorf("%+v", r.Day)
	}
	var b strings.Builder
	one := map[string]*result{"pace": r, basis: made([]int64{100, 100, 100, 100, 100, 100}, 2)}
	table(&b, []map[string]*result{one, {"pace": r}}, []string{"pace", basis, "missing"})
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 5 || !strings.Contains(lines[2], "| -50.0 % |") || !strings.Contains(lines[3], "| – |") || !strings.Contains(lines[4], "| +0.0 % |") {
		t.Errorf("table:\n%s", b.String())
	}
	for _, line := range lines {
		if n := strings.Count(line, "|"); n != 18 {
			t.Errorf("%d bars in %s", n, line)
		}
	}
}

// TestAll runs a day of two seconds with two guards.
func TestAll(t *testing.T) {
	longtest.Skip(t, "runs services for 12 s")
	out := t.TempDir()
	c := config{Guard: "pace", Hard: 300 << 20, Time: 2 * time.Second, Rate: 50, Sessions: 10000, Seed: 1}
	if err := runAll(context.Background(), c, []string{"pace", basis}, 2, out); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "2.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(out, "day.md"))
	if err != nil || !bytes.Contains(text, []byte("| pace | 2 | done |")) || !bytes.Contains(text, []byte("of 300 MiB")) {
		t.Errorf("%v:\n%s", err, text)
	}
}
