package pace

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"lessgc/internal/pacing"
)

const (
	off     = "off"
	refused = "refused"
)

// A Pacer controls GOGC and the memory limit of this process. Its methods may be called by multiple goroutines
// simultaneously. A nil or zero Pacer does nothing.
type Pacer struct {
	plan        plan
	hooks       []func(Pressure)
	probe       *probe
	law         state
	o           observation
	gogc, limit setting

	wake     chan struct{} // a collection has ended
	quit     chan struct{}
	done     chan struct{} // the goroutine has
	shed     chan Pressure
	stop     sync.Once
	ended    atomic.Bool
	shedding atomic.Bool
	calls    atomic.Uint64

	mu    sync.Mutex
	stats Stats
}

// running is the one pacer of the process.
var running atomic.Pointer[Pacer]

// Start sets the memory limit and GOGC, and adjusts them on a goroutine of its own until [Pacer.Stop]. Only one
// pacer can run in a process: while another one does, Start returns a Pacer that does nothing and whose [Stats]
// have the state "refused".
func Start(o Options) *Pacer {
	p := &Pacer{plan: o.plan(), hooks: o.OnPressure}
	if !running.CompareAndSwap(nil, p) {
		p.stats.State = refused
		return p
	}
	p.start(newProbe(o.Limit, ""))
	return p
}

// start begins to look at the process with a probe.
func (p *Pacer) start(q *probe) {
	p.probe = q
	p.wake = make(chan struct{}, 1)
	p.quit = make(chan struct{})
	p.done = make(chan struct{})
	p.probe.observe(&p.o)
	p.gogc = newSetting("GOGC", p.o.gogc, 100, setGOGC)
	p.limit = newSetting("GOMEMLIMIT", p.o.limit, noLimit, debug.SetMemoryLimit)
	wait := p.look()
	if p.plan.hooks {
		p.shed = make(chan Pressure, 1)
		go p.runHooks()
	}
	runtime.SetFinalizer(&sentinel{p}, (*sentinel).collected)
	pacing.Set(p.figures)
	go p.run(wait)
}

func setGOGC(percent int64) int64 { return int64(debug.SetGCPercent(int(percent))) }

// Stop ends the pacer and restores the settings from before Start, except those that another party has changed.
// It does not wait for hooks. Calls after the first do nothing.
func (p *Pacer) Stop() {
	if p == nil || p.quit == nil {
		return
	}
	p.stop.Do(func() {
		p.ended.Store(true)
		close(p.quit)
		<-p.done
		p.gogc.to(p.gogc.initial)
		p.limit.to(p.limit.initial)
		p.probe.close()
		pacing.Set(nil)
		p.mu.Lock()
		p.stats.State = off
		p.stats.GOGC, p.stats.GOGCBy = p.gogc.value, p.gogc.owner
		p.stats.MemoryLimit, p.stats.MemoryLimitBy = p.limit.value, p.limit.owner
		p.mu.Unlock()
		running.Store(nil)
	})
}

// A sentinel is found unreachable by each collection. It has a pointer, so the tiny allocator does not combine it
// with other objects.
type sentinel struct{ p *Pacer }

// collected runs on the goroutine of all finalizers, so it must not block.
func (s *sentinel) collected() {
	if s.p.ended.Load() {
		return
	}
	select {
	case s.p.wake <- struct{}{}:
	default:
	}
	runtime.SetFinalizer(s, (*sentinel).collected)
}

// run observes after each collection, and when the timer fires.
func (p *Pacer) run(wait time.Duration) {
	defer close(p.done)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-p.wake:
		case <-timer.C:
		}
		p.probe.observe(&p.o)
		timer.Reset(p.look())
	}
}

// look applies the law to the last observation. It returns the time to the next one.
func (p *Pacer) look() time.Duration {
	o := &p.o
	p.gogc.see(o.gogc)
	p.limit.see(o.limit)
	o.ownGOGC, o.ownLimit = p.gogc.own(), p.limit.own()
	o.shedding = p.shedding.Load()
	a := step(&p.law, &p.plan, o)
	if a.gogc != 0 {
		p.gogc.to(a.gogc)
	}
	if a.limit != 0 {
		p.limit.to(a.limit)
	}
	p.note(o)
	if a.shed {
		p.shedding.Store(true)
		p.shed <- p.pressure(o)
	}
	if a.crash {
		panic(p.cause(o))
	}
	if a.release {
		debug.FreeOSMemory()
		p.mu.Lock()
		p.stats.Releases++
		p.mu.Unlock()
	}
	return a.wait
}

// runHooks calls the hooks, on a goroutine of its own so that a hook that blocks does not stop the guard.
func (p *Pacer) runHooks() {
	for {
		select {
		case <-p.quit:
			return
		case now := <-p.shed:
			p.calls.Add(1)
			for _, f := range p.hooks {
				f(now)
			}
			p.shedding.Store(false)
		}
	}
}

func (p *Pacer) pressure(o *observation) Pressure {
	needed := p.law.limitFor(o, p.law.sums.headroom(p.plan.maxGC))
	return Pressure{
		Limit: o.hard, MemoryLimit: p.limit.value, Live: o.live, NonHeap: o.nonHeap, Outside: o.outside,
		Share: p.law.sums.shown, Excess: max(0, needed-p.limit.value),
	}
}

// cause returns the message of a crash.
func (p *Pacer) cause(o *observation) string {
	mib := func(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
	return fmt.Sprintf("pace: the collector takes %.0f%% of the CPU time for lack of memory, more than MaxGC (%.0f%%): "+
		"live heap %s, other memory of the runtime %s, outside it %s, hard limit %s; "+
		"give the process about %s, or have it keep less (AtLimit is Crash)",
		100*p.law.sums.shown, 100*p.plan.maxGC, mib(o.live), mib(o.nonHeap), mib(o.outside), mib(o.hard),
		mib(int64(float64(p.law.limitFor(o, p.law.sums.headroom(aim*p.plan.maxGC))+o.outside)/(1-reserveShare))))
}
