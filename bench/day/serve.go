package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"sync"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/guards"
	"lessgc/bench/internal/service"
)

const (
	inFlight    = 64 // requests
	sampleEvery = 250 * time.Millisecond
	jobEvery    = 2 * time.Millisecond // a request's work by the batch job, which so has a fixed number of them
	drain       = time.Second          // after the end, for answers
)

// serve is the service.
func serve(ctx context.Context, c config) error {
	out := json.NewEncoder(os.Stdout) // of one goroutine at a time
	sv := service.New(0, c.Work)
	hard := c.Hard
	if hard == 0 {
		hard = math.MaxInt64
	}
	pacer, err := guards.Start(ctx, c.Guard, guards.Environment{Contained: c.Contained, Hard: func() int64 { return hard }, Shed: sv.Halve})
	if err != nil {
		return err
	}
	defer pacer.Stop()
	d := newDay(c.Time, c.Seed)
	sv.Resize(int(d.load(0) * float64(c.Sessions)))
	begin := time.Now()
	end, cancel := context.WithDeadline(ctx, begin.Add(c.Time+drain))
	defer cancel()
	var recorder service.Recorder
	var all sync.WaitGroup
	all.Go(func() { c.scale(end, sv, d, begin) })
	all.Go(func() { c.job(end, sv, d, begin) })
	point := func(p service.Point) {
		if p.Answers = recorder.Take(); pacer != nil {
			p.State = pacer.Stats().State
		}
		out.Encode(box.Message{Point: &p}) // who started the service may have gone
	}
	sampler := service.NewSampler(begin)
	all.Go(func() { sampler.Each(end, min(sampleEvery, c.Time/scaled), point) })
	service.Load(end, begin, c.schedule(), inFlight, sv.Serve, &recorder)
	all.Wait()
	point(sampler.Point())
	return out.Encode(box.Message{Done: true})
}

// scale lets the number of sessions follow the load.
func (c config) scale(ctx context.Context, sv *service.Service, d *day, begin time.Time) {
	ticks := time.NewTicker(min(250*time.Millisecond, c.Time/scaled))
	defer ticks.Stop()
	for ctx.Err() == nil {
		sv.Resize(int(d.load(time.Since(begin)) * float64(c.Sessions)))
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
}

// job is the batch job. It does the work of as many requests with every guard, and takes longer if it has to.
func (c config) job(ctx context.Context, sv *service.Service, d *day, begin time.Time) {
	var due []time.Duration
	for at := time.Duration(0); at < c.Time; at += jobEvery {
		if d.batching(at) {
			due = append(due, at)
		}
	}
	var unseen service.Recorder
	service.Load(ctx, begin, due, 1, sv.Serve, &unseen)
}
