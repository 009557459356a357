package watch

import (
	"context"
	"sync"
	"time"
)

// A Window is what was learned at one tick: a snapshot, or why there is none.
type Window struct {
	N         int       `json:"n"` // counts the ticks
	Time      time.Time `json:"time"`
	Snapshot  *Snapshot `json:"-"`
	Rates     *Rates    `json:"rates,omitempty"`     // since the last snapshot; nil after the first of a segment
	Restarted bool      `json:"restarted,omitempty"` // the service was, since then
	Err       string    `json:"error,omitempty"`
}

// Watch reads the service now and then once per interval, and hands over each
// window, until ctx ends or do fails. A service that does not answer is asked again.
func (s *Service) Watch(ctx context.Context, interval time.Duration, do func(Window) error) error {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	var last *Snapshot
	for n := 0; ctx.Err() == nil; n++ {
		w := Window{N: n}
		now, err := s.Read(ctx)
		w.Time = time.Now()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			w.Err = err.Error()
		default:
			w.Snapshot = now
			if last != nil {
				w.Rates, w.Restarted = Between(last, now), last.Segment != now.Segment
			}
			last = now
		}
		if err := do(w); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
	return nil
}

// A History keeps the last windows for whoever comes later. Any number of goroutines
// may use it.
type History struct {
	mu      sync.Mutex
	windows []Window
}

// maxWindows is half an hour at the usual interval.
const maxWindows = 1800

// Add adds a window, and forgets the oldest when there are too many.
func (h *History) Add(w Window) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.windows) == maxWindows {
		h.windows = append(h.windows[:0:0], h.windows[maxWindows/10:]...)
	}
	h.windows = append(h.windows, w)
}

// After returns the windows with a higher number than n. They must not be changed.
func (h *History) After(n int) []Window {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := len(h.windows)
	for i > 0 && h.windows[i-1].N > n {
		i--
	}
	return h.windows[i:len(h.windows):len(h.windows)]
}
