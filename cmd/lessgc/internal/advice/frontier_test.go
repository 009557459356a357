package advice

import (
	"math"
	"testing"
)

// TestFrontier checks that what was measured is told as it was, and that what lies between goes with
// collections and heap goals.
func TestFrontier(t *testing.T) {
	for _, live := range []int64{0, 3 << 20, 1 << 30} {
		m := Collected{Saved: Range{0.18, 0.22}, From: 2*float64(live) + 20<<20, To: 9*float64(live) + 60<<20}
		r := &Report{Sites: &Sites{Live: live}, Levers: []Lever{{Rule: "gc-setting", Gain: &Range{0.01, 0.02}}, {Rule: "other"}}}
		r.SetFrontier(m, 0)
		var last Point
		for i, p := range r.Frontier.Points {
			mid := (p.Saved.Lo + p.Saved.Hi) / 2
			switch p.GOGC {
			case 100:
				if p.Saved != (Range{}) || p.RSS != (Range{m.From, m.From}) || !p.Measured {
					t.Errorf("%d live: %+v", live, p)
				}
			case 800:
				if math.Abs(p.Saved.Lo-m.Saved.Lo) > 1e-9 || math.Abs(p.Saved.Hi-m.Saved.Hi) > 1e-9 || p.RSS != (Range{m.To, m.To}) || !p.Measured {
					t.Errorf("%d live: %+v", live, p)
				}
			case 200: // a half of the collections, of which an eighth is left at 800
				if live != 3<<20 && math.Abs(mid-0.2*0.5/0.875) > 1e-9 || *r.Levers[0].Gain == (Range{0.01, 0.02}) {
					t.Errorf("%d live: %+v, the lever %+v", live, p, r.Levers[0].Gain)
				}
			case 50: // twice as many
				if live != 3<<20 && math.Abs(mid+0.2/0.875) > 1e-9 {
					t.Errorf("%d live: %+v", live, p)
				}
			}
			if i > 0 && (mid <= (last.Saved.Lo+last.Saved.Hi)/2 || p.RSS.Lo+p.RSS.Hi <= last.RSS.Lo+last.RSS.Hi) || p.RSS.Lo < float64(live)*0.9 {
				t.Errorf("%d live: %+v after %+v", live, p, last)
			}
			last = p
		}
		if price := r.Frontier.Price; live == 0 && (math.Abs(price.Lo-0.18/0.875) > 1e-9 || math.Abs(price.Hi-0.22/0.875) > 1e-9) {
			t.Errorf("the price is %+v", price)
		}
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	if f := NewFrontier(0, Collected{Saved: Range{-0.02, 0.01}}, 0); f.Points[0].RSS != (Range{}) {
		t.Errorf("memory that was not measured: %+v", f.Points[0])
	}
}

// TestFrontierCounted checks that collections that were counted count, as those of a heap that grows
// while the program runs.
func TestFrontierCounted(t *testing.T) {
	const live = 64 << 20
	saved := func(counted float64, gogc int) float64 {
		for _, p := range NewFrontier(live, Collected{Saved: Range{0.2, 0.2}, Cycles: counted}, 0).Points {
			if p.GOGC == gogc {
				return (p.Saved.Lo + p.Saved.Hi) / 2
			}
		}
		t.Fatalf("GOGC=%d is not told", gogc)
		return 0
	}
	for _, test := range []struct {
		counted float64
		gogc    int
		want    float64
	}{
		{0.125, 200, 0.2 * 0.5 / 0.875}, // as by the live heap
		{0, 200, 0.2 * 0.5 / 0.875},
		{math.Log(2) / math.Log(9), 200, 0.2 * (1 - math.Log(2)/math.Log(3)) / (1 - math.Log(2)/math.Log(9))}, // it grows from little
		{math.Log(2) / math.Log(9), 50, 0.2 * (1 - math.Log(2)/math.Log(1.5)) / (1 - math.Log(2)/math.Log(9))},
	} {
		if got := saved(test.counted, test.gogc); math.Abs(got-test.want) > 0.001 {
			t.Errorf("%.3f of the collections at 800: GOGC=%d saves %.3f, want %.3f", test.counted, test.gogc, got, test.want)
		}
	}
}

// TestFrontierLimit checks what a memory limit saves with GOGC=off: as the GOGC whose peak is that
// limit, and nothing where what is live leaves no room.
func TestFrontierLimit(t *testing.T) {
	const live = 100 << 20
	m := Collected{Saved: Range{0.2, 0.2}, From: 250 << 20, To: 1000 << 20}
	at := func(limit int64) Point {
		points := NewFrontier(live, m, limit).Points
		return points[len(points)-1]
	}
	same := Point{}
	for _, p := range NewFrontier(live, m, 0).Points {
		if p.GOGC == 300 {
			same = p
		}
	}
	got := at(int64((same.RSS.Lo + same.RSS.Hi) / 2))
	if got.GOGC != -1 || got.NoRoom || math.Abs(got.Saved.Lo-same.Saved.Lo) > 0.001 || math.Abs(got.RSS.Hi-same.RSS.Hi) > 1<<20 {
		t.Errorf("the limit %+v, GOGC=300 %+v", got, same)
	}
	if got := at(140 << 20); !got.NoRoom || got.Saved != (Range{}) {
		t.Errorf("below what is live: %+v", got)
	}
	if got := at(4 << 30); got.Saved.Hi <= same.Saved.Hi || got.Saved.Hi > 0.3 {
		t.Errorf("far above: %+v", got)
	}
}
