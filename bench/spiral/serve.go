package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/guards"
	"lessgc/bench/internal/service"
	"lessgc/live"
)

const (
	beside      = 16 << 20 // of the hard limit, left for all that is not the service's own
	baseHeap    = 35 << 20 // live heap in the calm
	inFlight    = 64       // requests
	sampleEvery = 250 * time.Millisecond
	stressEvery = 50 * time.Millisecond
	drain       = time.Second // after the end, for answers
)

// base is the live heap in the calm: that of the case lowered does not grow, and that of the case outside is larger,
// so that its garbage counts.
func (c config) base() int64 {
	whole := int64(c.Fill * float64(c.Hard-beside))
	switch c.Case {
	case "lowered":
		return int64(c.Fill * float64(c.Hard/2-beside))
	case "outside":
		return min(2*baseHeap, whole/2)
	}
	return min(baseHeap, whole/2)
}

// stressed is the share of the whole stress at a time, from 0 to 1.
func (c config) stressed(t float64) float64 {
	if c.Calm {
		return 0
	}
	quarter := c.Time.Seconds() / 4
	return min(max(0, (t-quarter)/(2*quarter)), 1)
}

// hard is the hard limit at a time.
func (c config) hard(t float64) int64 {
	if c.Case != "lowered" {
		return c.Hard
	}
	return c.Hard - int64(c.stressed(t)*float64(c.Hard/2))
}

func (c config) schedule() []time.Duration {
	return service.Schedule(c.Time, func(time.Duration) float64 { return c.Rate })
}

// A reporter writes messages. Any number of goroutines may use it.
type reporter struct {
	mu  sync.Mutex
	out *json.Encoder
}

func (r *reporter) say(m box.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.Encode(m) // who started the service may have gone
}

// serve is the service.
func serve(ctx context.Context, c config) error {
	r := &reporter{out: json.NewEncoder(os.Stdout)}
	var begin atomic.Pointer[time.Time]
	now := func() float64 {
		if t := begin.Load(); t != nil {
			return time.Since(*t).Seconds()
		}
		return 0
	}
	sv := service.New(0, service.Work)
	pacer, err := guards.Start(ctx, c.Guard, guards.Environment{Contained: c.Contained, Hard: func() int64 { return c.hard(now()) }, Shed: sv.Halve})
	if err != nil {
		return err
	}
	defer pacer.Stop()
	if c.Listen != "" {
		if err := c.listen(r); err != nil {
			return err
		}
	}
	sv.Add(int(c.base() / service.SessionBytes))
	start := time.Now()
	begin.Store(&start)
	end, cancel := context.WithDeadline(ctx, start.Add(c.Time+drain))
	defer cancel()
	var recorder service.Recorder
	var all sync.WaitGroup
	all.Go(func() { c.stress(end, sv, now) })
	if !c.Contained {
		all.Go(func() { c.limit(end, r, now) })
	}
	point := func(p service.Point) {
		if p.Answers = recorder.Take(); pacer != nil {
			p.State = pacer.Stats().State
		}
		r.say(box.Message{Point: &p})
	}
	sampler := service.NewSampler(start)
	all.Go(func() { sampler.Each(end, sampleEvery, point) })
	service.Load(end, start, c.schedule(), inFlight, sv.Serve, &recorder)
	all.Wait()
	point(sampler.Point())
	r.say(box.Message{Done: true})
	return nil
}

func (c config) listen(r *reporter) error {
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/debug/lessgc", live.Handler())
	go http.Serve(l, mux) // until the process ends
	r.say(box.Message{Listen: "http://" + l.Addr().String() + "/debug/lessgc"})
	return nil
}

// stress takes memory as the time goes.
func (c config) stress(ctx context.Context, sv *service.Service, now func() float64) {
	s := &stress{service: sv}
	whole := c.Fill*float64(c.Hard-beside) - float64(c.base())
	ticks := time.NewTicker(stressEvery)
	defer ticks.Stop()
	for ctx.Err() == nil {
		s.to(int64(c.stressed(now())*whole), stresses[c.Case])
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
}

// limit does what the kernel would do.
func (c config) limit(ctx context.Context, r *reporter, now func() float64) {
	ticks := time.NewTicker(stressEvery)
	defer ticks.Stop()
	for ctx.Err() == nil {
		if rss, hard := service.RSS(), c.hard(now()); rss > hard {
			text := fmt.Sprintf("killed: RSS %.1f MiB over the hard limit %.1f MiB", service.MiB(rss), service.MiB(hard))
			r.say(box.Message{Error: text})
			os.Exit(1)
		}
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
}
