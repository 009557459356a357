package pace

import (
	"strings"
	"testing"
)

// service is a plant as services are: four processors, half of them busy, a live heap of 300 MiB in a container of
// 1 GiB, and 300 MiB allocated each second. Nothing moves.
func service() *plant {
	return &plant{seed: 1, seconds: 60, procs: 4, load: path{{0, 0.5}}, alloc: 150 * mib, mark: 1.5 * gib, perCycle: 1e-4, scan: 2 * mib, fragments: 0.03,
		live: path{{0, 300 * mib}}, nonHeap: path{{0, 20 * mib}}, outside: path{{0, 10 * mib}}, hard: path{{0, gib}},
		delay: 0.01, jitter: 0.03, settings: settings{plan: Options{}.plan(), gogc: 100, limit: noLimit}}
}

// TestCases runs the law on services that things happen to.
func TestCases(t *testing.T) {
	check := func(name string, change func(p *plant), want func(o outcome) bool) {
		t.Run(name, func(t *testing.T) {
			p := service()
			change(p)
			if o := p.simulate(true); !want(o) {
				trace := strings.Join(o.trace, "\n")
				o.trace = nil
				t.Errorf("%+v\n%s", o, trace)
			}
		})
	}
	held := func(o outcome) bool { return o.excess <= 0 && o.beyondAt == 0 && o.crashedAt == 0 }
	ramp := func(from, to float64) path { return path{{0, from}, {20, from}, {40, to}} }

	check("nothing happens", func(p *plant) {}, func(o outcome) bool { return held(o) && o.share < 0.2 && o.peak > 0.75*gib })
	check("a small heap takes what saves something", func(p *plant) { p.live = path{{0, 2 * mib}} },
		func(o outcome) bool { return held(o) && o.share < 0.05 && o.peak < gib/2 })
	check("an idle service takes nothing", func(p *plant) { p.live, p.alloc = path{{0, 30 * mib}}, mib },
		func(o outcome) bool { return held(o) && o.peak < 120*mib })
	check("live heap creeps up to the limit", func(p *plant) {
		p.live = ramp(300*mib, 870*mib)
		p.seconds = 80
	}, func(o outcome) bool { return o.beyondAt > 20 && o.last < 0.28 && o.share < 0.6 })
	check("the same, to crash", func(p *plant) {
		p.live = ramp(300*mib, 870*mib)
		p.crash = true
	}, func(o outcome) bool { return o.crashedAt > 25 && o.excess < gib/32 })
	check("the same, with hooks that do not help", func(p *plant) {
		p.live = ramp(300*mib, 870*mib)
		p.hooks, p.seconds = true, 80
	}, func(o outcome) bool { return o.sheds > 0 && o.sheds < 5 && o.beyondAt > 20 && o.last < 0.28 })
	check("it creeps as far as it may", func(p *plant) { p.live = ramp(300*mib, 560*mib) },
		func(o outcome) bool { return held(o) && o.last < 0.25 })
	check("goroutines by the thousand", func(p *plant) {
		p.nonHeap, p.scan = ramp(20*mib, 300*mib), 60*mib
	}, func(o outcome) bool { return held(o) && o.last < 0.25 })
	check("a burst", func(p *plant) {
		p.live = path{{0, 200 * mib}, {30, 200 * mib}, {31, 600 * mib}, {33, 600 * mib}, {34, 200 * mib}}
	}, func(o outcome) bool { return held(o) && o.last < 0.15 })
	check("seconds in which nearly all there is is taken", func(p *plant) {
		p.live = path{{0, 200 * mib}, {30, 200 * mib}, {31, 820 * mib}, {36, 820 * mib}, {37, 200 * mib}}
	}, func(o outcome) bool { return held(o) && o.last < 0.15 })
	check("cgo allocates", func(p *plant) { p.outside = ramp(10*mib, 300*mib) },
		func(o outcome) bool { return held(o) && o.last < 0.25 })
	check("the limit is lowered", func(p *plant) {
		p.live, p.alloc = path{{0, 200 * mib}}, 100*mib
		p.hard = path{{0, 4 * gib}, {30, 4 * gib}, {30, gib}}
	}, held)
	check("the limit is raised when the guard has begun", func(p *plant) {
		p.live = path{{0, 870 * mib}}
		p.hard = path{{0, gib}, {30, gib}, {30, 4 * gib}}
	}, func(o outcome) bool { return o.beyondAt > 0 && o.last < 0.1 })
	check("collections that the program asks for", func(p *plant) {
		p.force, p.alloc = true, 10*mib
		p.load = path{{0, 0.1}}
	}, func(o outcome) bool { return held(o) && o.peak < 700*mib })
	check("one processor", func(p *plant) { p.procs = 1 }, func(o outcome) bool { return held(o) && o.share < 0.2 })
}
