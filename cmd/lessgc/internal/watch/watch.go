package watch

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Window is the result of one tick: a snapshot, or why there is none.
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
	var spiral spiralWatch
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
			if spiral := spiral.look(now, w.Rates); w.Rates != nil {
				w.Rates.Spiral = spiral
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

// Spread returns where CPU time went in each window. What the runtime says at the end of a
// collection is an average since the end of the one before, so all windows in between have
// it. Windows since the last collection have nil, because it is not known before the next; so have those
// without an answer, and those between the last collection of a process and the first
// answer of the next.
func Spread(windows []Window) []*Shares {
	out := make([]*Shares, len(windows))
	var next *Shares
	for i, w := range slices.Backward(windows) {
		switch {
		case w.Rates != nil:
			if w.Rates.CPU != nil {
				next = w.Rates.CPU
			}
			out[i] = next
		case w.Err == "": // the first of a process
			next = nil
		}
	}
	return out
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
