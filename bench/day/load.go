package main

import (
	"math"
	"math/rand/v2"
	"time"

	"lessgc/bench/internal/service"
)

const (
	valley  = 0.25 // of the peak
	noise   = 0.08 // of the peak, more or less
	slots   = 120  // of the day, for noise
	batchAt = 0.62 // of the day, in the second valley
	batch   = 1.0 / 30
	scaled  = 40 // times a day that the sessions change
)

// A day is a load.
type day struct {
	lasting time.Duration
	jitter  [slots + 1]float64
}

func newDay(lasting time.Duration, seed uint64) *day {
	d := &day{lasting: lasting}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range d.jitter {
		d.jitter[i] = noise * (2*random.Float64() - 1)
	}
	return d
}

// load is the share of the peak at a time, from about 0.2 to 1: a sine with peaks at 3/8 and 7/8 of the day, the
// first at three quarters of the second's height, and noise.
func (d *day) load(at time.Duration) float64 {
	t := min(max(at.Seconds()/d.lasting.Seconds(), 0), 1)
	wave := (1 - math.Cos(2*math.Pi*(2*t-0.25))) / 2
	height := 0.75
	if t > 0.625 || t < 0.125 {
		height = 1
	}
	slot := t * slots
	i := min(int(slot), slots-1)
	part := slot - float64(i)
	rough := d.jitter[i]*(1-part) + d.jitter[i+1]*part
	return min(max(valley*0.8, valley+(height-valley)*wave+rough), 1)
}

// schedule returns the times at which requests are due.
func (c config) schedule() []time.Duration {
	d := newDay(c.Time, c.Seed)
	return service.Schedule(c.Time, func(at time.Duration) float64 { return c.Rate * d.load(at) })
}

// batching reports whether the batch job runs.
func (d *day) batching(at time.Duration) bool {
	t := at.Seconds() / d.lasting.Seconds()
	return t >= batchAt && t < batchAt+batch
}
