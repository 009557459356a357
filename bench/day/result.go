package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/service"
)

// A result holds the figures of a run. Sizes are in bytes, times in seconds.
type result struct {
	config
	Ended   box.End
	Seconds float64 // from the beginning to the last sample

	Day      service.Served
	CPU      float64
	Share    service.Number // of the collector, over the day
	Largest  service.Number // over ten seconds, or a tenth of the day if that is less
	Cycles   uint64
	PeakRSS  int64 // without files, which the kernel can reclaim
	MeanRSS  int64 // the same
	Exceeded int   // samples with more than the hard limit

	GOGCChanges int // from one sample to another
	Limits      int // changes of the memory limit
	Turns       int // changes of GOGC that go against the last one before: swings

	Points []service.Point
}

// run runs the service.
func (c config) run(ctx context.Context) (*result, error) {
	b, err := box.Maybe(c.Contained, c.Hard)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	args := []string{"-child", "-guard", c.Guard, "-hard", fmt.Sprint(c.Hard), "-time", c.Time.String(), "-rate", fmt.Sprint(c.Rate),
		"-sessions", fmt.Sprint(c.Sessions), "-work", fmt.Sprint(c.Work), "-seed", fmt.Sprint(c.Seed), fmt.Sprintf("-cgroup=%t", c.Contained)}
	r := &result{config: c}
	end, err := b.Run(ctx, args, func(m box.Message, _ *exec.Cmd) {
		if m.Point != nil {
			r.Points = append(r.Points, *m.Point)
		}
	})
	if err != nil {
		return nil, err
	}
	if end.How == "failed" || len(r.Points) == 0 {
		return nil, errors.New(end.String())
	}
	r.Ended = end
	r.figures()
	return r, nil
}

func (r *result) figures() {
	first, last := r.Points[0], r.Points[len(r.Points)-1]
	r.Seconds, r.CPU, r.Cycles = last.T, last.CPU-first.CPU, last.Cycles-first.Cycles
	r.Share = service.Number(service.Between(first, last))
	largest, _, _ := service.Shares(r.Points, 0, r.Time.Seconds(), min(10, r.Time.Seconds()/10))
	r.Largest = service.Number(largest)
	var answers []service.Answer
	var due []float64
	for _, d := range r.schedule() {
		due = append(due, d.Seconds())
	}
	way := int64(0)
	for i, p := range r.Points {
		answers = append(answers, p.Answers...)
		rss := p.RSS - p.Files
		r.PeakRSS = max(r.PeakRSS, rss)
		r.MeanRSS += rss / int64(len(r.Points))
		if r.Hard > 0 && rss > r.Hard {
			r.Exceeded++
		}
		if i == 0 {
			continue
		}
		before := r.Points[i-1]
		if p.Limit != before.Limit {
			r.Limits++
		}
		if change := p.GOGC - before.GOGC; change != 0 {
			r.GOGCChanges++
			if change > 0 != (way > 0) && way != 0 {
				r.Turns++
			}
			way = change
		}
	}
	r.Day = service.Latency(answers, due, 0, r.Time.Seconds())
}

// perRequest is the CPU time of a request that was answered, in milliseconds.
func (r *result) perRequest() float64 {
	if r.Day.Answered == 0 {
		return math.NaN()
	}
	return 1000 * r.CPU / float64(r.Day.Answered)
}
