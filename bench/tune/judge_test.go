package main

import (
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	subjectAt := func(gc, rss float64) subject {
		s := subject{Name: "A", Live: 100 << 20, RSS: rss * (1 << 20), Cycles: 20}
		s.Onset = &struct {
			NonHeap float64 `json:"nonHeap"`
		}{10 << 20}
		s.Advice = &struct {
			Now prediction `json:"now"`
		}{prediction{GC: value{Value: gc}}}
		return s
	}
	base := &report{Subjects: []subject{subjectAt(0.2, 250)}}
	p := prediction{GC: value{0.1, 0.08, 0.12}, RSS: value{300 << 20, 280 << 20, 320 << 20}}
	p.Setting.GOGC = 200
	base.Subjects[0].Curve = []prediction{p}
	if got := base.limits(); len(got) != 2 || got[0] != 202<<20 || got[1] != 362<<20 {
		t.Errorf("limits %v", got)
	}
	inside := compare("x", setting{gogc: 200}, base, &report{Subjects: []subject{subjectAt(0.11, 310)}})
	outside := compare("x", setting{gogc: 200}, base, &report{Subjects: []subject{subjectAt(0.13, 330)}})
	if len(inside) != 1 || len(outside) != 1 || len(compare("x", setting{gogc: 400}, base, base)) != 0 {
		t.Fatalf("%v %v", inside, outside)
	}
	text := table(append(inside, outside...))
	for _, want := range []string{"2 points: GC CPU inside 1, peak RSS inside 1; narrow enough to choose by: GC CPU 2, peak RSS 2.", "| x | GOGC=200 | 10.0 % (8.0 to 12.0) | 13.0 % | 300 (280 to 320) | 330 | GC CPU outside, RSS outside |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := parse("a|b"); err == nil {
		t.Error("a program without flags is taken")
	}
	p1 := program{args: []string{"-bench", ".", "-time", "4s"}}
	if got := p1.longer(800).args[3]; got != "16s" || p1.longer(100).args[3] != "4s" || p1.args[3] != "4s" {
		t.Errorf("at 800 it runs for %s", got)
	}
	if s := (setting{gogc: -1, limit: 64 << 20}); s.file() != "GOGCoffGOMEMLIMIT67108864" || s.String() != "limit 64 MiB" {
		t.Errorf("%s %s", s.file(), s)
	}
}
