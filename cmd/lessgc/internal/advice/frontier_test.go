package advice

import (
	"math"
	"testing"
)

// settingsOf are measured settings by what they save and take.
func settingsOf(saved map[int]float64, rss func(gogc int) float64) (all []Setting) {
	for _, gogc := range FrontierModes {
		s := Setting{GOGC: gogc, RSS: rss(gogc), Cycles: 100 / float64(gogc)}
		if gogc != FrontierBase {
			s.Saved = Range{saved[gogc] - 0.01, saved[gogc] + 0.01}
		}
		all = append(all, s)
	}
	return all
}

var frontierSaved = map[int]float64{50: -0.2, 75: -0.07, 150: 0.067, 200: 0.1, 300: 0.133, 400: 0.15, 800: 0.175}

// TestFrontier checks that measurements are reported as they are, with the price of collecting.
func TestFrontier(t *testing.T) {
	settings := settingsOf(frontierSaved, func(gogc int) float64 { return 20<<20 + float64(gogc)*(1<<20) })
	r := &Report{Levers: []Lever{{Name: "gc-setting", Gain: &Range{0.01, 0.02}}, {Name: "other"}}}
	r.SetFrontier(settings, 0)
	for i, p := range r.Frontier.Points {
		if s := settings[i]; p != (Point{GOGC: s.GOGC, Saved: s.Saved, RSS: Range{s.RSS, s.RSS}}) {
			t.Errorf("%+v of %+v", p, s)
		}
	}
	if price := r.Frontier.Price; math.Abs(price.mid()-0.2) > 1e-9 { // seven eighths of the cycles go at 800
		t.Errorf("the price is %+v", price)
	}
	if *r.Levers[0].Gain != settings[6].Saved {
		t.Errorf("the lever saves %+v", *r.Levers[0].Gain)
	}
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	if f := NewFrontier(settingsOf(frontierSaved, func(int) float64 { return 0 }), 1<<30); f.Points[len(f.Points)-1].GOGC < 0 {
		t.Errorf("a limit of memory that was not measured: %+v", f.Points)
	}
}

// TestFrontierLimit checks what a memory limit saves with GOGC=off: as the GOGC whose peak is that
// limit, and nothing where there is no room.
func TestFrontierLimit(t *testing.T) {
	settings := settingsOf(frontierSaved, func(gogc int) float64 { return 100<<20 + float64(gogc)*(1<<20) })
	at := func(limit int64) Point {
		points := NewFrontier(settings, limit).Points
		return points[len(points)-1]
	}
	if got := at(500 << 20); got.GOGC != -1 || got.NoRoom || math.Abs(got.Saved.mid()-0.15) > 1e-9 || math.Abs(got.RSS.mid()-(500<<20)) > 1 {
		t.Errorf("the limit that is the peak of GOGC=400: %+v", got)
	}
	if got := at(105 << 20); !got.NoRoom || got.Saved != (Range{}) {
		t.Errorf("a limit below the live heap: %+v", got)
	}
	if got := at(125 << 20); got.NoRoom || got.Saved.Hi > -0.15 {
		t.Errorf("below all that were measured: %+v", got)
	}
	if got := at(16 << 30); got.Saved.mid() < 0.19 || got.Saved.mid() > 0.2 {
		t.Errorf("far above: %+v", got)
	}
}
