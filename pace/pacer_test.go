package pace

import (
	"encoding/json"
	"expvar"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"lessgc/internal/alloctest"
	"lessgc/internal/pacing"
)

// settings in effect.
func effect() (gogc, limit int64) {
	s := []metrics.Sample{{Name: names[mGOGC]}, {Name: names[mLimit]}}
	metrics.Read(s)
	return int64(int32(s[0].Value.Uint64())), int64(s[1].Value.Uint64())
}

// plain makes the settings those of a program that has none, for a test.
func plain(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	gogc, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		debug.SetGCPercent(gogc)
		debug.SetMemoryLimit(limit)
	})
}

// TestZero calls every method of a nil and a zero Pacer.
func TestZero(t *testing.T) {
	for _, p := range []*Pacer{nil, {}} {
		p.Stop()
		if s := p.Stats(); s != (Stats{State: "off"}) {
			t.Errorf("%+v", s)
		}
		if s := p.String(); !strings.HasPrefix(s, `{"state":"off",`) {
			t.Error(s)
		}
	}
}

// TestStart checks what is set at once, and put back.
func TestStart(t *testing.T) {
	plain(t)
	p := Start(Options{Limit: 8 << 30})
	defer p.Stop()
	s := p.Stats()
	gogc, limit := effect()
	if limit != s.MemoryLimit || limit < 7<<30 || limit > 8<<30 || gogc != s.GOGC || gogc <= 100 {
		t.Errorf("GOGC %d, limit %d; %+v", gogc, limit, s)
	}
	if s.State != "steady" || s.Source != "option" || s.Limit != 8<<30 || s.GOGCBy != "pace" || s.MemoryLimitBy != "pace" || s.Bound != 0.25 {
		t.Errorf("%+v", s)
	}
	p.Stop()
	p.Stop()
	if gogc, limit := effect(); gogc != 100 || limit != math.MaxInt64 {
		t.Errorf("GOGC %d and limit %d after Stop", gogc, limit)
	}
	if s := p.Stats(); s.State != "off" || s.GOGC != 100 || s.MemoryLimit != math.MaxInt64 {
		t.Errorf("%+v after Stop", s)
	}
}

// TestTwo checks that a second pacer does nothing as long as there is one.
func TestTwo(t *testing.T) {
	plain(t)
	a := Start(Options{Limit: 8 << 30})
	defer a.Stop()
	_, limit := effect()
	b := Start(Options{Limit: 1 << 30})
	if s := b.Stats(); s.State != "refused" {
		t.Errorf("%+v", s)
	}
	b.Stop()
	if _, now := effect(); now != limit {
		t.Errorf("limit %d, was %d", now, limit)
	}
	a.Stop()
	c := Start(Options{Limit: 1 << 30})
	defer c.Stop()
	if s := c.Stats(); s.State != "steady" || s.Limit != 1<<30 {
		t.Errorf("%+v after the first was stopped", s)
	}
}

// TestOperator checks that what others set stays as it is.
func TestOperator(t *testing.T) {
	check := func(name string, before func(t *testing.T), gogc, limit int64, gogcBy, limitBy string) {
		t.Run(name, func(t *testing.T) {
			plain(t)
			before(t)
			p := Start(Options{Limit: 8 << 30})
			defer p.Stop()
			for range 3 {
				runtime.GC()
			}
			g, l := effect()
			if gogc != 0 && g != gogc || limit != 0 && l != limit {
				t.Errorf("GOGC %d, limit %d", g, l)
			}
			if s := p.Stats(); s.GOGCBy != gogcBy || s.MemoryLimitBy != limitBy {
				t.Errorf("%+v", s)
			}
			p.Stop()
			if g, l := effect(); gogc != 0 && g != gogc || limit != 0 && l != limit {
				t.Errorf("GOGC %d, limit %d after Stop", g, l)
			}
		})
	}
	check("GOMEMLIMIT", func(t *testing.T) {
		t.Setenv("GOMEMLIMIT", "3GiB")
		debug.SetMemoryLimit(3 << 30)
	}, 0, 3<<30, "pace", "environment")
	check("GOMEMLIMIT=off", func(t *testing.T) { t.Setenv("GOMEMLIMIT", "off") }, 0, math.MaxInt64, "pace", "environment")
	check("GOGC", func(t *testing.T) { t.Setenv("GOGC", "100") }, 100, 0, "environment", "pace")
	check("GOGC=off", func(t *testing.T) { debug.SetGCPercent(-1) }, -1, 0, "program", "pace")
	check("both by code", func(t *testing.T) {
		debug.SetGCPercent(70)
		debug.SetMemoryLimit(5 << 30)
	}, 70, 5<<30, "program", "program")
}

// TestHandOver checks that a setting which somebody changes later is left to them.
func TestHandOver(t *testing.T) {
	plain(t)
	p := Start(Options{Limit: 8 << 30})
	defer p.Stop()
	debug.SetMemoryLimit(2 << 30)
	until(t, p, func(s Stats) bool { return s.MemoryLimitBy == "program" && s.GOGCBy == "pace" })
	debug.SetGCPercent(60)
	until(t, p, func(s Stats) bool { return s.GOGCBy == "program" })
	p.Stop()
	if gogc, limit := effect(); gogc != 60 || limit != 2<<30 {
		t.Errorf("GOGC %d, limit %d", gogc, limit)
	}
}

// hopeless is the time that a test waits before it fails and names what it waited for. It is far
// more than any machine needs: no test passes or fails by the speed of the machine.
const hopeless = 2 * time.Minute

// until collects until the stats are as wanted.
func until(t *testing.T, p *Pacer, want func(Stats) bool) {
	t.Helper()
	for begun := time.Now(); !want(p.Stats()); {
		if time.Since(begun) > hopeless {
			t.Fatalf("never: %+v", p.Stats())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// TestSetting checks a change by another party at the worst moment: between the look and the change.
func TestSetting(t *testing.T) {
	value := int64(100)
	set := func(to int64) int64 {
		before := value
		value = to
		return before
	}
	s := newSetting("LESSGC_NOT_SET", 100, 100, set)
	s.to(200)
	if value != 200 || s.changes != 1 || !s.own() {
		t.Errorf("%d, %+v", value, s)
	}
	value = 50
	s.to(300)
	if value != 50 || s.changes != 1 || s.own() || s.value != 50 {
		t.Errorf("%d, %+v", value, s)
	}
	s.to(300)
	if value != 50 {
		t.Errorf("%d", value)
	}
}

// TestNoLimit checks that without any limit nothing changes but for small heaps.
func TestNoLimit(t *testing.T) {
	plain(t)
	p := &Pacer{plan: Options{}.plan()}
	o := observation{live: 200 << 20, scan: 1 << 20, goal: 400 << 20, mapped: 420 << 20, nonHeap: 20 << 20, gogc: 100, limit: noLimit, ownGOGC: true, ownLimit: true}
	for range 100 {
		o.cycles++
		o.now += time.Second
		o.busyCPU++
		o.gcCPU += 0.4
		o.allocated += 200 << 20
		if a := step(&p.law, &p.plan, &o); a.gogc != 100 || a.limit != 0 || a.crash || a.release {
			t.Fatalf("%+v", a)
		}
	}
	o.live, o.goal = 1<<20, 4<<20
	for range 40 {
		o.cycles++
		o.now += time.Second
		o.gogc = step(&p.law, &p.plan, &o).gogc
	}
	if o.gogc != 400 {
		t.Errorf("GOGC %d for a live heap of 1 MiB", o.gogc)
	}
}

// TestAllocations checks that looking allocates nothing, nor does a collection that is looked after.
func TestAllocations(t *testing.T) {
	plain(t)
	p := Start(Options{Limit: 8 << 30})
	defer p.Stop()
	check := func(name string, f func()) {
		t.Helper()
		if n := alloctest.PerRun(t, f); n != 0 {
			t.Errorf("%s: %d allocations", name, n)
		}
	}
	check("Stats", func() { p.Stats() })
	q := newProbe(0, "")
	defer q.close()
	var o observation
	check("observe", func() {
		q.looked = -time.Hour
		q.observe(&o)
	})
	var before, after runtime.MemStats
	rounds := 0
	for least := uint64(1); least > 0; rounds++ {
		if rounds == 20 {
			t.Fatalf("%d allocations in 50 collections, at least", least)
		}
		runtime.ReadMemStats(&before)
		for range 50 {
			runtime.GC()
		}
		runtime.ReadMemStats(&after)
		least = after.Mallocs - before.Mallocs
	}
}

// TestWakes checks that pace looks after each collection, and not more often.
func TestWakes(t *testing.T) {
	plain(t)
	p := Start(Options{Limit: 8 << 30})
	defer p.Stop()
	begun := time.Now()
	cycles := func() uint64 { return p.Stats().Cycles }
	var m runtime.MemStats
	for range 20 {
		runtime.GC()
		runtime.ReadMemStats(&m)
		for begun := time.Now(); cycles() < uint64(m.NumGC); {
			if time.Since(begun) > hopeless {
				t.Fatalf("looked after collection %d, not %d", cycles(), m.NumGC)
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	if s := p.Stats(); s.Looks > uint64(m.NumGC)+uint64(time.Since(begun)/time.Second)+2 {
		t.Errorf("looked %d times for %d collections", s.Looks, m.NumGC)
	}
}

// TestConcurrent starts, stops and asks at the same time.
func TestConcurrent(t *testing.T) {
	plain(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				p := Start(Options{Limit: 8 << 30})
				p.Stats()
				var both sync.WaitGroup
				both.Go(p.Stop)
				both.Go(func() { _ = p.String() })
				p.Stop()
				both.Wait()
			}
		})
	}
	all.Wait()
	if gogc, limit := effect(); gogc != 100 || limit != math.MaxInt64 {
		t.Errorf("GOGC %d, limit %d", gogc, limit)
	}
}

// TestStopInHook stops a pacer in a hook.
func TestStopInHook(t *testing.T) {
	plain(t)
	var p *Pacer
	stopped := make(chan bool)
	p = Start(Options{Limit: 8 << 30, OnPressure: []func(Pressure){func(Pressure) {
		p.Stop()
		close(stopped)
	}}})
	p.shed <- Pressure{}
	<-stopped
	if s := p.Stats(); s.State != "off" {
		t.Errorf("%+v", s)
	}
}

// TestFigures checks that package live gets the figures, and expvar can.
func TestFigures(t *testing.T) {
	plain(t)
	if _, ok := pacing.Get(); ok {
		t.Error("told before Start")
	}
	p := Start(Options{Limit: 8 << 30})
	defer p.Stop()
	if f, ok := pacing.Get(); !ok || f.Limit != 8<<30 || f.State != "steady" {
		t.Errorf("%+v, %t", f, ok)
	}
	var v expvar.Var = p
	var s Stats
	if err := json.Unmarshal([]byte(v.String()), &s); err != nil || s.Limit != 8<<30 || s.MemoryLimit == 0 {
		t.Errorf("%v: %s", err, v)
	}
	p.Stop()
	if _, ok := pacing.Get(); ok {
		t.Error("told after Stop")
	}
}

// TestPlan checks defaults and ranges.
func TestPlan(t *testing.T) {
	check := func(o Options, want plan) {
		t.Helper()
		if got := o.plan(); got != want {
			t.Errorf("%+v: %+v, want %+v", o, got, want)
		}
	}
	check(Options{}, plan{minHeap: 16 << 20, target: 0.8, maxGC: 0.25})
	check(Options{MinHeap: 1, Target: 2, MaxGC: 2, AtLimit: Crash}, plan{minHeap: 1, target: 1, maxGC: 0.5, crash: true})
	check(Options{MinHeap: -1, Target: -1, MaxGC: math.NaN(), OnPressure: []func(Pressure){nil}}, plan{minHeap: 16 << 20, target: 0.8, maxGC: 0.25, hooks: true})
	check(Options{Target: 1e-9, MaxGC: 1e-9, MinHeap: math.MaxInt64}, plan{minHeap: 1 << 50, target: 0.1, maxGC: 0.05})
}

// TestMetrics checks that this release has what is read, and as the kinds that are read.
func TestMetrics(t *testing.T) {
	have := map[string]metrics.ValueKind{}
	for _, d := range metrics.All() {
		have[d.Name] = d.Kind
	}
	for i, name := range names {
		want := metrics.KindUint64
		if i >= mCPU {
			want = metrics.KindFloat64
		}
		if have[name] != want {
			t.Errorf("%s has %s of kind %d", runtime.Version(), name, have[name])
		}
	}
}
