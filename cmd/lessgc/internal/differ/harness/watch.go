package harness

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

// The longest that the calls of an input may take, and the most memory.
const (
	longestCalls = time.Second
	mostMemory   = 1 << 30
)

// A watch ends the process when a call takes too long.
type watch struct {
	checker *checker
	mu      sync.Mutex
	since   time.Time
	which   int
	in      input
	stopped chan struct{}
	once    sync.Once
}

func newWatch(c *checker) *watch {
	w := &watch{checker: c, stopped: make(chan struct{})}
	go w.loop()
	return w
}

func (w *watch) stop() { w.once.Do(func() { close(w.stopped) }) }

func (w *watch) begin(which int, in input) {
	w.mu.Lock()
	w.since, w.which, w.in = time.Now(), which, in
	w.mu.Unlock()
}

func (w *watch) end() {
	w.mu.Lock()
	w.since = time.Time{}
	w.mu.Unlock()
}

func (w *watch) loop() {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-w.stopped:
			return
		case <-tick.C:
		}
		w.mu.Lock()
		since, which, in := w.since, w.which, w.in
		w.mu.Unlock()
		if since.IsZero() {
			continue
		}
		took := time.Since(since)
		var stats runtime.MemStats
		if took > 200*time.Millisecond {
			runtime.ReadMemStats(&stats)
		}
		if took > longestCalls || stats.HeapAlloc > mostMemory {
			w.late(which, in)
		}
	}
}

// late ends the process: with a difference, if the other function answers the same input.
func (w *watch) late(which int, in input) {
	c := w.checker
	what := fmt.Sprintf("takes more than %v or %d MiB", longestCalls, mostMemory>>20)
	if which == 1 {
		done := make(chan *outcome, 1)
		go func() { done <- c.run(c.old, c.build(in)) }()
		select {
		case o := <-done:
			c.report.end(func() {
				c.report.Difference = c.sentence(in, fmt.Sprintf("the new function %s, and the old one took %v", what, o.took.Round(time.Microsecond)))
			})
		case <-time.After(longestCalls / 2):
		}
	}
	c.report.end(func() { c.report.Slow = c.sentence(in, what) })
}
