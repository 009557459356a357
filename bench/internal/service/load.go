package service

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// An Answer is a request that was answered.
type Answer struct {
	At   float64 // seconds from the beginning at which it was scheduled
	Took float64 // seconds from then to the answer
}

// A Recorder collects answers.
type Recorder struct {
	mu      sync.Mutex
	answers []Answer
}

func (r *Recorder) add(a Answer) {
	r.mu.Lock()
	r.answers = append(r.answers, a)
	r.mu.Unlock()
}

// Take returns the answers since the last call.
func (r *Recorder) Take() []Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.answers
	r.answers = nil
	return taken
}

// Load makes requests at the times of a schedule after a beginning, whether or not earlier ones have been
// answered, with at most inFlight at a time: later ones wait, and the time counts. It returns when all are
// answered or ctx ends.
func Load(ctx context.Context, begin time.Time, schedule []time.Duration, inFlight int, serve func(int) uint64, r *Recorder) {
	var next, sum atomic.Int64
	var all sync.WaitGroup
	for range inFlight {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(schedule) || !until(ctx, begin.Add(schedule[i])) {
					return
				}
				sum.Add(int64(serve(i)))
				r.add(Answer{schedule[i].Seconds(), time.Since(begin.Add(schedule[i])).Seconds()})
			}
		})
	}
	all.Wait()
}

// until reports whether ctx has not ended before a time.
func until(ctx context.Context, t time.Time) bool {
	wait := time.Until(t)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Schedule returns when requests are due if the rate per second is that of a function of the time.
func Schedule(lasting time.Duration, rate func(time.Duration) float64) (due []time.Duration) {
	const tick = time.Millisecond
	sum := 0.0
	for t := time.Duration(0); t < lasting; t += tick {
		for sum += rate(t) * tick.Seconds(); sum >= 1; sum-- {
			due = append(due, t)
		}
	}
	return due
}
