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
		r.SetFrontier(m)
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
	if f := NewFrontier(0, Collected{Saved: Range{-0.02, 0.01}}); f.Points[0].RSS != (Range{}) {
		t.Errorf("memory that was not measured: %+v", f.Points[0])
	}
}
