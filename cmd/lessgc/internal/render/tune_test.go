package render

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/curve"
	watched "lessgc/cmd/lessgc/internal/watch"
)

// tuneReport is of a program whose answer is known, proved, with a limit; and of one that nothing is known of.
func tuneReport() *curve.Report {
	v := func(x, lo, hi float64) curve.Value { return curve.Value{Value: x, Lo: lo, Hi: hi} }
	const mib = 1 << 20
	at := func(gogc, gc, cpu, rss, cycles float64) curve.Prediction {
		return curve.Prediction{Setting: curve.Setting{GOGC: gogc, Limit: curve.NoLimit}, GC: v(gc, 0.9*gc, 1.1*gc), CPU: v(cpu, cpu-0.05, cpu+0.05), Heap: v(rss*mib, 0.9*rss*mib, 1.1*rss*mib),
			RSS: v(rss*mib, 0.9*rss*mib, 1.1*rss*mib), Cycles: v(cycles, 0.9*cycles, 1.1*cycles), Assist: v(gc/20, 0, gc/10)}
	}
	now, best := at(100, 0.2, 1, 100, 20), at(400, 0.05, 0.83, 250, 5)
	limited := at(-1, 0.3, 1.2, 110, 40)
	limited.Setting.Limit, limited.Spiral = 110*mib, true
	s := curve.Subject{Name: "Decode", Source: "a probe", Seconds: 3, Procs: 4, Cycles: 60, Live: 40 * mib, RSS: 100 * mib, Of: curve.Busy, Setting: now.Setting,
		Notes: []string{"go1.27.3 is on this machine"}, Curve: []curve.Prediction{at(50, 0.35, 1.2, 70, 40), now, best}, Limits: []curve.Prediction{limited},
		Onset:  &curve.Onset{Of: 400, Doubles: v(150*mib, 140*mib, 160*mib), Limiter: v(60*mib, 55*mib, 65*mib), Least: v(50*mib, 46*mib, 54*mib), NonHeap: 8 * mib},
		Rooms:  []curve.Room{{Setting: curve.Setting{GOGC: 400, Limit: 900 * mib}, Share: 0.25, Live: 40 * mib, NonHeap: 8 * mib, To: v(700*mib, 650*mib, 750*mib), Beside: v(660*mib, 600*mib, 700*mib)}},
		Advice: &curve.Recommendation{Change: true, Now: now, Best: best, Cores: 2, Saved: v(0.34, 0.24, 0.44), More: v(150*mib, 125*mib, 175*mib), Why: curve.Knee}, Limit: 300 * mib}
	s.Outcomes = []curve.Outcome{{Setting: now.Setting, Predicted: now, GC: v(0.21, 0.2, 0.22), RSS: v(101*mib, 99*mib, 103*mib), CPU: v(1, 1, 1)},
		{Setting: best.Setting, Predicted: best, GC: v(0.07, 0.06, 0.08), RSS: v(240*mib, 230*mib, 250*mib), CPU: v(0.8, 0.78, 0.82), Verdict: "better"},
		{Setting: limited.Setting, Predicted: limited, Err: "it was not measured"}}
	small := curve.Subject{Name: "Idle", Source: "gctrace", Seconds: 30, Procs: 4, Cycles: 12, Live: 3 * mib, Of: curve.Available, Setting: now.Setting, Curve: []curve.Prediction{now}, Advice: &curve.Recommendation{Now: at(100, 0.004, 1, 20, 0.4), Best: at(100, 0.004, 1, 20, 0.4), Why: curve.Little}}
	small.Curve[0].RSS = curve.Value{}
	return &curve.Report{Format: curve.Format, Replicas: 30, Weight: curve.DefaultWeight, Memory: 1 << 30, From: "-memory", Subjects: []curve.Subject{s, small,
		{Name: "<b>\x1b[31mBad", Source: "a probe", Err: "nothing can be predicted: too few collections"}}, Record: &curve.Record{GC: curve.Hits{Inside: 47, All: 52}, RSS: curve.Hits{Inside: 50, All: 52}}}
}

func TestTuneText(t *testing.T) {
	var b strings.Builder
	if err := (Text{Width: 100}).Tune(&b, tuneReport()); err != nil {
		t.Fatal(err)
	}
	golden(t, "tune.txt", b.String())
}

// TestTuneReasons checks that each reason has words of its own.
func TestTuneReasons(t *testing.T) {
	seen := map[string]curve.Reason{}
	for _, why := range []curve.Reason{curve.Knee, curve.Fits, curve.Small, curve.Tight, curve.NoFit, curve.Little} {
		r := tuneReport()
		s := &r.Subjects[0]
		s.Advice.Why = why
		s.Advice.Change = why == curve.Knee || why == curve.Fits
		text := strings.Join(adviceTexts(r, s), " ")
		if other, ok := seen[text]; ok || text == "" {
			t.Errorf("%s and %s say %q", why, other, text)
		}
		seen[text] = why
	}
}

func TestTunePage(t *testing.T) {
	var page bytes.Buffer
	if err := TunePage(&page, tuneReport()); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, want := range []string{"GOGC=400", "measured over predicted", "Decode", "value: &#34;400&#34;", "47 of 52", "nothing can be predicted"} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(text, "<b>") || strings.Contains(text, "\x1b") || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("the page has what is not its own, or what is not a number")
	}
	for _, part := range strings.Split(text, "<svg")[1:] { // drawings are well-formed
		svg, _, _ := strings.Cut("<svg"+part, "</svg>")
		d := xml.NewDecoder(strings.NewReader(svg + "</svg>"))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
	}
}

func TestWatchSpiral(t *testing.T) {
	check := func(s watched.Spiral, want string) {
		t.Helper()
		if got := (Text{}).WatchSpiral(&s); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(watched.Spiral{Level: watched.Far, Room: 200 << 20}, "200.0MiB of live heap or other memory more before")
	check(watched.Spiral{Level: watched.Near, Room: -5, Cause: "x"}, "warning: no room is left before the memory limit has the collector take 25 % of the CPU time; x")
	check(watched.Spiral{Level: watched.Near, Room: 5 << 20, Cause: "x"}, "warning: 5.000MiB more and the memory limit has the collector take 25 % of the CPU time; x")
	check(watched.Spiral{Level: watched.In, Share: 0.41, Cause: "the limit is too near"}, "ALARM: the collector takes 41.0 % of the busy CPU time because of the memory limit; the limit is too near")
}
