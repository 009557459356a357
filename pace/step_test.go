package pace

import (
	"math"
	"testing"
	"time"
)

// A bench feeds the law with observations of a program that the test describes.
type bench struct {
	*testing.T
	s state
	p plan
	o observation
}

// newBench is a program with a live heap of 100 MiB, in a container of 1 GiB, whose collector takes a share.
func newBench(t *testing.T) *bench {
	return &bench{T: t, p: Options{}.plan(), o: observation{hard: gib, live: 100 * mib, goal: 200 * mib, mapped: 200 * mib, gogc: 100, limit: noLimit, ownGOGC: true, ownLimit: true}}
}

// collect lets a collection end after a second in which the collector took a share of one processor.
func (b *bench) collect(share float64) action {
	b.o.now += time.Second
	b.o.cycles++
	b.o.gcCPU += share
	b.o.busyCPU++
	b.o.allocated += uint64(max(0, b.o.goal-b.o.live))
	return b.step()
}

// step looks, and does what is said.
func (b *bench) step() action {
	a := step(&b.s, &b.p, &b.o)
	if a.gogc != 0 {
		b.o.gogc = a.gogc
	}
	if a.limit != 0 {
		b.o.limit = a.limit
	}
	return a
}

func (b *bench) near(what string, got, want int64) {
	b.Helper()
	if math.Abs(float64(got-want)) > 0.01*math.Abs(float64(want))+1 {
		b.Errorf("%s: %d, want %d", what, got, want)
	}
}

// TestGOGC checks the equations of GOGC.
func TestGOGC(t *testing.T) {
	b := newBench(t)
	b.o.scan, b.o.nonHeap = 10*mib, 20*mib
	b.collect(0.2)
	for last := b.o.gogc; b.o.now < 40*time.Second; last = b.o.gogc {
		if b.collect(0.2); float64(b.o.gogc) > 1.25*float64(last) || b.o.gogc < last {
			t.Errorf("from %d to %d", last, b.o.gogc)
		}
	}
	u := gib / 16 * 15
	b.near("target", b.s.target, int64(0.8*float64(u))-20*mib)
	if g := float64(b.o.gogc); g < 100*float64(b.s.target-100*mib)/(110*mib)/1.25 || g > 100*float64(b.s.target-100*mib)/(110*mib) {
		t.Errorf("GOGC %d for a target of %d MiB", b.o.gogc, b.s.target/mib)
	}

	b.o.live = 330 * mib
	b.collect(0.2)
	b.near("at once, with twice the heap near the target", b.o.gogc, 100*(b.s.target-330*mib)/(340*mib))
	b.o.live = 390 * mib
	b.collect(0.05)
	b.near("with less than twice the heap, but not near the limit", b.o.gogc, 100)
	b.o.live = 500 * mib
	b.collect(0.05)
	b.near("near the limit", b.o.gogc, 100*(int64(runtimeShare*float64(u-20*mib))-500*mib)/(510*mib))
	b.o.live = 400 * mib
	for range 5 {
		b.collect(0.05)
	}
	b.near("not near it any more", b.o.gogc, 100)
	b.o.live = 800 * mib
	if b.collect(0.05); b.o.gogc != lowestGOGC {
		t.Errorf("GOGC %d near the limit", b.o.gogc)
	}
	b.o.live = 100 * mib
	for range 15 {
		if b.collect(0.05); b.o.gogc > 100 {
			t.Errorf("GOGC %d: forgets what was live", b.o.gogc)
		}
	}
	if b.o.gogc != 100 {
		t.Errorf("GOGC %d: 100 needs no more than what was live lately", b.o.gogc)
	}
}

// TestWorth checks that memory is spent only where it saves something.
func TestWorth(t *testing.T) {
	check := func(name string, gogc int64, change func(b *bench) (share float64)) {
		t.Helper()
		b := newBench(t)
		share := change(b)
		for range 30 {
			b.collect(share)
		}
		if b.o.gogc != gogc {
			t.Errorf("%s: GOGC %d, want %d", name, b.o.gogc, gogc)
		}
	}
	check("a collector that takes nothing", 100, func(b *bench) float64 { return 0.005 })
	check("a small heap", 400, func(b *bench) float64 { b.o.live, b.o.goal = mib, 4*mib; return 0.005 })
	check("a ballast, an eighth of the limit at most", 3000, func(b *bench) float64 { b.o.live, b.o.goal, b.p.minHeap = mib, 4*mib, 160*mib; return 0.005 })
	check("half of what is forced", 100, func(b *bench) float64 {
		b.o.hard, b.o.limit, b.p.minHeap = 0, noLimit, 100*mib
		return 0.3
	})
	b := newBench(t)
	for range 30 {
		b.o.forced++
		b.collect(0.3)
	}
	if b.o.gogc != 100 {
		t.Errorf("collections that the program asks for: GOGC %d", b.o.gogc)
	}
}

// TestLimit checks the equations of the memory limit.
func TestLimit(t *testing.T) {
	b := newBench(t)
	b.step()
	b.near("at first", b.o.limit, gib/16*15)
	b.o.outside = 100 * mib
	b.o.now += time.Second
	b.step()
	b.near("at once", b.o.limit, gib/16*15-100*mib)
	b.o.outside = 0
	b.o.now += time.Second
	b.step()
	b.near("not forgotten", b.o.limit, gib/16*15-100*mib)
	b.o.now += marginHalf
	b.step()
	b.near("half forgotten", b.o.limit, gib/16*15-50*mib)
	b.o.hard = gib / 2
	b.step()
	b.near("lowered", b.o.limit, gib/32*15-50*mib)
	b.o.outside = gib
	b.step()
	b.near("the lowest", b.o.limit, gib/32)
	b.o.outside, b.o.hard = 0, 0
	if a := b.step(); a.limit != noLimit {
		t.Errorf("limit %d without a hard limit", a.limit)
	}

	b = newBench(t)
	b.o.ownLimit, b.o.limit = false, gib/2
	if a := b.collect(0.2); a.limit != 0 {
		t.Errorf("a limit that is not pace's was set to %d", a.limit)
	}
	b.near("target by a limit that is not pace's", b.s.target, gib/2*8/10)
}

// TestRelease checks when free memory is given back.
func TestRelease(t *testing.T) {
	b := newBench(t)
	b.o.now = time.Second
	b.step()
	b.o.mapped = 900 * mib
	if b.step().release {
		t.Error("released below the limit")
	}
	b.o.hard = 512 * mib
	if !b.step().release {
		t.Error("not released above the limit")
	}
	if b.step().release {
		t.Error("released again at once")
	}
	b.o.now += releasePause
	if !b.step().release {
		t.Error("not released again")
	}
	b.o.now += releasePause
	b.o.live = 890 * mib
	if b.collect(0.01); b.step().release {
		t.Error("released though nothing is free")
	}
}

// spiral brings the collector to a share, for lack of memory.
func (b *bench) spiral(share float64) action {
	b.o.live, b.o.mapped, b.o.goal = 850*mib, 950*mib, 900*mib
	return b.collect(share)
}

// TestGuard checks what is done, and in which order.
func TestGuard(t *testing.T) {
	b := newBench(t)
	b.p.hooks, b.p.crash = true, true
	b.collect(0.05)
	last := int64(gib / 64 * 63)
	var order []string
	see := func(a action) {
		before := len(order)
		switch {
		case a.crash:
			order = append(order, "crash")
		case a.shed:
			order = append(order, "shed")
		case b.s.guard.now == raised && (before == 0 || order[before-1] != "raise"):
			order = append(order, "raise")
		}
	}
	for b.o.now < 9*time.Second {
		see(b.spiral(0.4))
		if b.o.limit > last {
			t.Errorf("limit %d, more than %d", b.o.limit, last)
		}
	}
	for b.o.now < 30*time.Second && !(len(order) > 0 && order[len(order)-1] == "crash") {
		see(b.spiral(0.4))
	}
	want := []string{"shed", "raise", "crash"}
	if len(order) < 3 || order[0] != want[0] || order[1] != want[1] || order[len(order)-1] != "crash" {
		t.Errorf("%v, want %v", order, want)
	}
	if b.o.now < 8*time.Second {
		t.Errorf("crashed after %v", b.o.now)
	}
}

// TestBound checks that nothing is done where the limit is not the cause, or the share is not above the bound.
func TestBound(t *testing.T) {
	check := func(name string, share float64, change func(b *bench)) {
		t.Helper()
		b := newBench(t)
		b.p.hooks, b.p.crash = true, true
		for range 40 {
			b.o.live, b.o.mapped, b.o.goal = 850*mib, 950*mib, 900*mib
			change(b)
			if a := b.collect(share); a.shed || a.crash || b.s.guard.lent > 0 || b.s.guard.now != steady {
				t.Errorf("%s: %+v in state %s", name, a, b.s.guard.now)
				return
			}
		}
	}
	check("share below the bound", 0.24, func(b *bench) {})
	check("GOGC makes the goal", 0.4, func(b *bench) { b.o.gogc, b.o.ownGOGC, b.o.goal = 5, false, 893*mib })
	check("the program asks for collections", 0.4, func(b *bench) { b.o.forced++ })
	check("no memory limit", 0.4, func(b *bench) { b.o.hard, b.o.limit = 0, noLimit })
	check("hardly any CPU time", 0.4, func(b *bench) { b.o.busyCPU -= 0.97; b.o.gcCPU -= 0.388 })
}

// TestSheds checks how often hooks are called, if the memory limit is not pace's, so that nothing else is done.
func TestSheds(t *testing.T) {
	calls := func(blocked bool) (at []time.Duration) {
		b := newBench(t)
		b.p.hooks = true
		b.o.ownLimit, b.o.limit = false, 940*mib
		for b.o.now < 200*time.Second {
			if b.spiral(0.4).shed {
				at = append(at, b.o.now)
				b.o.shedding = blocked
			}
		}
		return at
	}
	check := func(name string, at []time.Duration, pauses ...time.Duration) {
		t.Helper()
		if len(at) != len(pauses)+1 {
			t.Errorf("%s: called after %v", name, at)
			return
		}
		for i, p := range pauses {
			if d := at[i+1] - at[i]; d < p || d > p+4*time.Second {
				t.Errorf("%s: called after %v, want pauses of %v", name, at, pauses)
			}
		}
	}
	s := time.Second
	check("a limit that is not pace's", calls(false), 10*s, 20*s, 40*s, 80*s)
	check("hooks that do not return", calls(true))
}

// TestTakeBack checks that what the guard lent is taken back when it is not needed.
func TestTakeBack(t *testing.T) {
	b := newBench(t)
	for b.o.now < 20*time.Second {
		b.spiral(0.4)
	}
	if b.s.guard.now != beyond || b.o.limit <= gib {
		t.Fatalf("%s, limit %d", b.s.guard.now, b.o.limit)
	}
	b.o.live, b.o.goal = 300*mib, 600*mib
	for b.o.now < 60*time.Second {
		b.collect(0.02)
	}
	if b.s.guard.now != steady || b.s.guard.lent != 0 {
		t.Errorf("%s, lent %d", b.s.guard.now, b.s.guard.lent)
	}
	b.near("limit", b.o.limit, gib/16*15)
}

// TestHuge checks that no observation makes nonsense of the settings.
func TestHuge(t *testing.T) {
	values := []int64{0, 1, mib, gib, 1 << 50, math.MaxInt64 / 4}
	for _, hard := range values {
		for _, live := range values {
			for _, outside := range values {
				b := newBench(t)
				b.o.hard, b.o.live, b.o.goal, b.o.mapped, b.o.nonHeap, b.o.scan, b.o.outside = hard, live, live, live, live/2, live/2, outside
				for range 5 {
					a := b.collect(0.9)
					if a.gogc < lowestGOGC || a.gogc > 1<<31-1 || hard > 0 && a.limit < 0 || a.wait < shortestCheck || a.wait > longestCheck {
						t.Fatalf("hard %d, live %d, outside %d: %+v", hard, live, outside, a)
					}
				}
			}
		}
	}
}

// TestEnd checks when the guard uses the last of its means.
func TestEnd(t *testing.T) {
	run := func(share float64, crash bool) (b *bench, atEnd, over time.Duration) {
		b = newBench(t)
		b.p.crash, b.o.outside = crash, 50*mib
		end := int64(gib/64*63) - b.o.outside
		for b.o.now < 60*time.Second && over == 0 {
			a := b.spiral(share)
			if atEnd == 0 && b.o.limit > end-gib/64 {
				atEnd = b.o.now
			}
			if a.crash || b.o.limit > end {
				over = b.o.now
			}
		}
		return b, atEnd, over
	}
	if b, atEnd, over := run(0.26, false); b.s.guard.now != raised || atEnd == 0 || over != 0 {
		t.Errorf("a little above the bound: %s, at the end after %v, over it after %v", b.s.guard.now, atEnd, over)
	}
	if b, atEnd, over := run(0.4, false); b.s.guard.now != beyond || atEnd == 0 || over < atEnd+patience || over > atEnd+patience+5*time.Second {
		t.Errorf("continue: %s, at the end after %v, over it after %v", b.s.guard.now, atEnd, over)
	}
	if b, atEnd, over := run(0.4, true); b.s.guard.now != crashed || atEnd == 0 || over < atEnd+patience || over > atEnd+patience+5*time.Second {
		t.Errorf("crash: %s, at the end after %v, crashed after %v", b.s.guard.now, atEnd, over)
	}
}

// TestEndMoves checks that the guard waits anew when there is room again to raise the limit within, as after memory outside the
// runtime was given back.
func TestEndMoves(t *testing.T) {
	for _, crash := range []bool{false, true} {
		b := newBench(t)
		b.p.crash, b.o.outside = crash, 100*mib
		end := func() int64 { return int64(gib/64*63) - b.o.outside }
		raised := time.Duration(0)
		for b.o.now < 60*time.Second {
			before := b.o.limit
			a := b.spiral(0.4)
			if a.crash || b.o.limit > end() {
				break
			}
			if b.o.limit > before {
				raised = b.o.now
			}
			if b.s.guard.atEnd > 0 && b.o.now-b.s.guard.atEnd >= patience-2*time.Second && b.o.outside > 50*mib {
				b.o.outside = 50 * mib
			}
		}
		if b.o.outside != 50*mib || b.o.now < raised+patience || b.o.now > raised+2*patience {
			t.Errorf("crash %v: %s after %v, raised after %v", crash, b.s.guard.now, b.o.now, raised)
		}
	}
}

// TestNeeded checks that GOGC is not what makes the collector work when the guard has made room.
func TestNeeded(t *testing.T) {
	b := newBench(t)
	for b.o.now < 20*time.Second {
		b.spiral(0.4)
		b.o.allocated += 350 * mib
	}
	need := 100 * int64(b.s.sums.headroom(aim*b.p.maxGC)) / (850 * mib)
	if b.o.gogc < need*8/10 || need < 60 {
		t.Errorf("GOGC %d, %d needed", b.o.gogc, need)
	}
	b.s.gogc, b.o.gogc = lowestGOGC, lowestGOGC
	if b.spiral(0.4); b.o.gogc < need*8/10 {
		t.Errorf("GOGC %d after one collection, %d needed", b.o.gogc, need)
	}
}
