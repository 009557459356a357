package load

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A Result holds the figures of a loop.
type Result struct {
	Sent   int
	Failed int           // of those, without an answer or with an error
	Err    error         // the first error
	Wall   time.Duration // until the last answer

	// Latency has the time to the answer of each request that was answered or
	// given up, in nanoseconds: from when it was due in the open loop, from when
	// it was sent in the closed one.
	Latency *hdrhistogram.Histogram

	// Late has how much later than due the open loop sent, in nanoseconds. That is
	// this process's own doing, and part of the latency.
	Late *hdrhistogram.Histogram
}

// Throughput is answers a second.
func (r Result) Throughput() float64 { return float64(r.Sent-r.Failed) / r.Wall.Seconds() }

// NewHistogram is for nanoseconds from a microsecond to ten minutes, in three
// digits.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(int64(time.Microsecond), int64(10*time.Minute), 3)
}

// mostInFlight bounds the requests that the open loop has on the way. Beyond it
// the loop waits, which the latencies show.
const mostInFlight = 10_000

// Open calls send n times at a rate per second, and waits for the answers.
func Open(ctx context.Context, send func(context.Context) error, rate float64, n int) Result {
	c := newCollector()
	var all sync.WaitGroup
	free := make(chan struct{}, mostInFlight)
	timer := time.NewTimer(0)
	defer timer.Stop()
	start := time.Now()
	for i := range n {
		due := start.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		timer.Reset(time.Until(due))
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		free <- struct{}{}
		all.Go(func() {
			late := time.Since(due)
			err := send(ctx)
			c.add(time.Since(due), late, err)
			<-free
		})
	}
	all.Wait()
	return c.result(time.Since(start))
}

// Closed keeps some calls of send on the way until the time is over. Each is made once even if the
// machine is so busy that the time is over before the first is sent.
func Closed(ctx context.Context, send func(context.Context) error, inFlight int, duration time.Duration) Result {
	c := newCollector()
	var all sync.WaitGroup
	var over atomic.Bool
	start := time.Now()
	timer := time.AfterFunc(duration, func() { over.Store(true) })
	defer timer.Stop()
	for range inFlight {
		all.Go(func() {
			for ctx.Err() == nil {
				sent := time.Now()
				err := send(ctx)
				c.add(time.Since(sent), 0, err)
				if over.Load() {
					return
				}
			}
		})
	}
	all.Wait()
	return c.result(time.Since(start))
}

// A collector counts for many goroutines.
type collector struct {
	mu sync.Mutex
	r  Result
}

func newCollector() *collector {
	return &collector{r: Result{Latency: NewHistogram(), Late: NewHistogram()}}
}

func (c *collector) add(took, late time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r.Sent++
	if err != nil {
		c.r.Failed++
		if c.r.Err == nil {
			c.r.Err = err
		}
	}
	// An error may come faster than an answer; what timed out was slow indeed.
	if err == nil || errors.Is(err, context.DeadlineExceeded) || status.Code(err) == codes.DeadlineExceeded {
		c.r.Latency.RecordValue(min(took.Nanoseconds(), c.r.Latency.HighestTrackableValue()))
	}
	c.r.Late.RecordValue(min(late.Nanoseconds(), c.r.Late.HighestTrackableValue()))
}

func (c *collector) result(wall time.Duration) Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r.Wall = wall
	return c.r
}
