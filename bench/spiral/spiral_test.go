package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/guards"
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

// made returns a result whose collector takes a share from some time on. A collection ends every quarter of a second.
func made(c, guard string, share, from float64) *result {
	r := &result{config: config{Case: c, Guard: guard, Hard: 256 << 20, Time: 20 * time.Second, Rate: 10}, Ended: box.End{How: "done"}}
	p := service.Point{}
	for p.T <= 20 {
		r.Points = append(r.Points, p)
		p.T += 0.25
		p.Cycles++
		p.Busy += 0.5
		p.GC += 0.5 * 0.05
		if p.T > from {
			p.GC += 0.5 * (share - 0.05)
		}
		p.RSS = int64(p.T) << 20
	}
	for _, d := range r.schedule() {
		r.Points[len(r.Points)-1].Answers = append(r.Points[len(r.Points)-1].Answers, service.Answer{At: d.Seconds(), Took: 0.01})
	}
	r.Near, r.In = 11, service.Number(math.NaN())
	r.Watched = true
	r.figures()
	return r
}

func TestFigures(t *testing.T) {
	near := func(n service.Number, want float64) bool { return math.Abs(float64(n)-want) < 1e-6 }
	r := made("creep", "none", 0.4, 12)
	if !near(r.Largest, 0.4) || !near(r.Mean, 0.4) || r.Windows != 3 || r.verdict() != "above 30 %" || r.PeakRSS != 20<<20 {
		t.Errorf("%v: %s", r, r.verdict())
	}
	if !near(r.Onset, 12.75) || r.warned() != "near 1.8 s before, in never" { // 3 of 4 quarters with 0.4
		t.Errorf("onset at %g: %s", r.Onset, r.warned())
	}
	if r.Hold.PerSecond != 10 || !near(r.Hold.P99, 0.01) {
		t.Errorf("%+v", r.Hold)
	}
	r = made("creep", "pace", 0.2, 12)
	if r.verdict() != "below 30 %" || !math.IsNaN(float64(r.Onset)) || r.warned() != "near at 11.0 s, no onset, in never" {
		t.Errorf("%v", r)
	}
	r.Ended = box.End{How: "crashed", Text: "pace: the collector takes"}
	if r.verdict() != "crashed" {
		t.Errorf("an error that was not chosen is a %s", r.verdict())
	}
	if r.Guard = "pace-crash"; r.verdict() != "clear error" {
		t.Errorf("the chosen error is %s", r.verdict())
	}
}

func TestTable(t *testing.T) {
	all := []*result{made("creep", "none", 0.4, 12), made("creep", "none", 0.5, 12), made("creep", "pace", 0.2, 12), made("creep", "none", 0.1, 12)}
	all[1].Ended = box.End{How: "killed", Text: "by the kernel"}
	var b strings.Builder
	table(&b, all, []string{"creep", "stacks"}, []string{"none", "pace"})
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	for _, line := range lines {
		if n := strings.Count(line, "|"); n != 17 {
			t.Errorf("%d bars in %s", n, line)
		}
	}
	for _, want := range []string{"1× above 30 %, 1× below 30 %, 1× killed (killed at 20.0 s: by the kernel)", "| 40.0 % |", "20 of 256 MiB"} {
		if !strings.Contains(lines[2], want) {
			t.Errorf("no %s in %s", want, lines[2])
		}
	}
	if charts := picture(all, "creep", []string{"none", "pace"}); len(charts) != 2 || len(charts[0].Lines) != 3 {
		t.Errorf("%d charts", len(charts))
	}
}

// TestTuned checks that the room that tune predicts is compared with that at the onset.
func TestTuned(t *testing.T) {
	const mib = 1 << 20
	report := fmt.Sprintf(`{"subjects":[{"rooms":[{"setting":{"gogc":100,"limit":%d},"live":%d,"nonHeap":%d,"to":{"value":%d,"lo":%d,"hi":%d},"beside":{"value":%d,"lo":%d,"hi":%d}}]}]}`,
		200*mib, 30*mib, 10*mib, 160*mib, 150*mib, 190*mib, 140*mib, 130*mib, 145*mib)
	got, err := readTuned([]byte(report))
	if err != nil {
		t.Fatal(err)
	}
	// 0.97 x 190 - 160 = 24.3 MiB and 0.97 x 60 - 30 = 28.2 MiB; 34.3 and 37.9 MiB at the lower ends.
	if near := func(a, b float64) bool { return math.Abs(a-b*mib) < 0.01*mib }; !near(got.Value, 26.25) || got.Lo != 0 || !near(got.Hi, 37.9) {
		t.Errorf("%+v", got)
	}
	r := made("creep", "automemlimit", 0.4, 12)
	r.Tuned = got
	for i := range r.Points {
		r.Points[i].Live, r.Points[i].Goal, r.Points[i].Limit = 100*mib, 125*mib, 200*mib
	}
	if cells := tunedCells([]*result{r}); cells != "26.2 MiB (0.0 to 37.9) | 25.0" {
		t.Error(cells)
	}
	for _, bad := range []string{"", "{}", `{"subjects":[{"error":"too few"}]}`} {
		if _, err := readTuned([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestHear(t *testing.T) {
	var w watcher
	begin := time.Now()
	for i, line := range []string{"12 MiB of live heap or other memory more before", "warning: 3 MiB more", "ALARM: the collector takes", "warning: 3 MiB more"} {
		w.hear(line, begin.Add(time.Duration(i)*time.Second))
	}
	if since(begin, w.near) != 1 || since(begin, w.in) != 2 || len(w.said) != 4 {
		t.Errorf("near at %v, in at %v", since(begin, w.near), since(begin, w.in))
	}
}

// TestStress checks that the stress and the limit follow the phases.
func TestStress(t *testing.T) {
	c := config{Case: "lowered", Hard: 256 << 20, Time: 20 * time.Second, Fill: 0.88}
	check := func(at, stress float64, hard int64) {
		t.Helper()
		if got := c.stressed(at); got != stress || c.hard(at) != hard<<20 {
			t.Errorf("at %g: stress %g, hard limit %d", at, got, c.hard(at)>>20)
		}
	}
	check(0, 0, 256)
	check(5, 0, 256)
	check(10, 0.5, 192)
	check(15, 1, 128)
	check(20, 1, 128)
	for _, name := range caseNames {
		if stresses[name] == nil {
			t.Errorf("case %s has no stress", name)
		}
	}
}

// TestRun runs each case for a second, and a simulated limit that is exceeded.
func TestRun(t *testing.T) {
	longtest.Skip(t, "runs services for 16 s")
	for _, name := range caseNames {
		c := config{Case: name, Guard: guards.Names[1], Hard: 512 << 20, Time: time.Second, Rate: 50, Fill: 0.5}
		r, err := c.run(context.Background(), "", "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Ended.How != "done" || r.Calm.Answered == 0 || r.PeakLimit != 483183820 || r.PeakRSS < 100<<20 {
			t.Errorf("%v", r)
		}
	}
	c := config{Case: "creep", Guard: "none", Hard: 128 << 20, Time: 2 * time.Second, Rate: 50, Fill: 1.4}
	r, err := c.run(context.Background(), "", "")
	if err != nil || r.Ended.How != "killed" || !strings.Contains(r.Ended.Text, "over the hard limit 128.0 MiB") {
		t.Errorf("%v, %v", r, err)
	}
	c = config{Case: "lowered", Guard: "pace", Hard: 128 << 20, Time: time.Second, Rate: 50, Fill: 0.5}
	if _, err := c.run(context.Background(), "", ""); err == nil || !strings.Contains(err.Error(), "needs -cgroup") {
		t.Errorf("pace with a simulated limit that is lowered: %v", err)
	}
}
