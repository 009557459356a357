package service

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	check := func(p, want float64, sorted ...float64) {
		t.Helper()
		if got := Percentile(sorted, p); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("Percentile(%v, %g) is %g, want %g", sorted, p, got, want)
		}
	}
	check(0.5, 2, 1, 2, 3)
	check(0.5, 2, 1, 2, 3, 4)
	check(0.99, 4, 1, 2, 3, 4)
	check(0, 1, 1, 2)
	check(0.5, math.NaN())
	if got := Median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("median %g, want 2", got)
	}
}

// TestLatency checks that requests without an answer count.
func TestLatency(t *testing.T) {
	var due []float64
	var answers []Answer
	for i := range 200 {
		due = append(due, float64(i)/100)
		if i < 198 {
			answers = append(answers, Answer{float64(i) / 100, 0.001 * float64(i%100)})
		}
	}
	if s := Latency(answers, due, 0, 1); s.Scheduled != 100 || s.Answered != 100 || s.PerSecond != 100 || s.P50 != 0.049 || s.P99 != 0.098 {
		t.Errorf("all answered: %+v", s)
	}
	if s := Latency(answers, due, 1, 2); s.Scheduled != 100 || s.Answered != 98 || s.P50 != 0.049 || !math.IsInf(float64(s.P99), 1) {
		t.Errorf("two not answered: %+v", s)
	}
}

// TestShares has a collector that takes a tenth, and four tenths from second 5 to 7.
func TestShares(t *testing.T) {
	var points []Point
	p := Point{}
	for i := range 41 {
		points = append(points, p)
		share := 0.1
		if p.T >= 5 && p.T < 7 {
			share = 0.4
		}
		if i%2 == 1 { // collections end at every other point
			p.Busy += 1
			p.GC += share
			p.Cycles++
		}
		p.T += 0.25
	}
	check := func(from, to, largest, mean float64, windows int) {
		t.Helper()
		l, m, n := Shares(points, from, to, 2)
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }
		if !near(l, largest) || !near(m, mean) || n != windows {
			t.Errorf("from %g to %g: %g, %g, %d windows; want %g, %g, %d", from, to, l, m, n, largest, mean, windows)
		}
	}
	check(0, 4, 0.1, 0.1, 9)
	check(4, 8, 0.4, 0.25, 9)
	check(5, 6, math.NaN(), math.NaN(), 0)
	if s := Share(points, 3, 2); !math.IsNaN(s) {
		t.Errorf("a window before the first point has share %g", s)
	}
	if s := Between(points[0], points[1]); s != 0 {
		t.Errorf("share %g without a collection", s)
	}
}

func TestSchedule(t *testing.T) {
	due := Schedule(2*time.Second, func(d time.Duration) float64 {
		if d < time.Second {
			return 100
		}
		return 300
	})
	early := 0
	for _, d := range due {
		if d < time.Second {
			early++
		}
	}
	if early < 99 || early > 100 || len(due) < 398 || len(due) > 400 {
		t.Errorf("%d requests, %d in the first second", len(due), early)
	}
}

// TestLoad checks that a request which had to wait took that time, too.
func TestLoad(t *testing.T) {
	var r Recorder
	serve := func(int) uint64 { time.Sleep(20 * time.Millisecond); return 0 }
	Load(context.Background(), time.Now(), make([]time.Duration, 4), 1, serve, &r)
	answers := r.Take()
	if len(answers) != 4 || answers[3].Took < 0.08 || len(r.Take()) != 0 {
		t.Errorf("answers %v", answers)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if Load(ctx, time.Now(), make([]time.Duration, 4), 2, serve, &r); len(r.Take()) != 0 {
		t.Error("requests after the end")
	}
}

// TestSessionBytes measures what a session occupies.
func TestSessionBytes(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := NewStore(20000)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := float64(after.HeapAlloc-before.HeapAlloc) / 20000; got < 0.85*SessionBytes || got > 1.15*SessionBytes {
		t.Errorf("a session is %.0f bytes, want about %d", got, SessionBytes)
	}
	s.Resize(15000)
	if s.Len() != 15000 {
		t.Errorf("%d sessions after Resize", s.Len())
	}
	if s.Halve(); s.Len() < 7000 || s.Len() > 8000 {
		t.Errorf("%d sessions after Halve", s.Len())
	}
}

// TestServe checks what a request costs in garbage.
func TestServe(t *testing.T) {
	s := New(1000, Work)
	want := s.Serve(7)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got := s.Serve(7); got != want {
		t.Errorf("the same request is %d, then %d", want, got)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got < 100<<10 || got > 200<<10 {
		t.Errorf("%d bytes of garbage, want 100 to 200 KiB", got)
	}
	t.Logf("a request takes %v", s.Cost(100*time.Millisecond))
}

func TestPoint(t *testing.T) {
	runtime.GC()
	p := NewSampler(time.Now()).Point()
	if p.Cycles == 0 || p.Busy <= 0 || p.Live <= 0 || p.Memory <= p.Live || p.GOGC != 100 || p.CPU <= 0 || runtime.GOOS == "linux" && p.RSS <= 0 {
		t.Errorf("%+v", p)
	}
}
