package load

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A schedule records when requests were sent and answered, counted from its start.
// Its clock is a synctest bubble's: time only passes while everybody waits, so
// what is recorded does not depend on the machine.
type schedule struct {
	start time.Time
	took  func(sent time.Duration) time.Duration

	mu             sync.Mutex
	sent, answered []time.Duration
}

func (s *schedule) send(context.Context) error {
	sent := time.Since(s.start)
	time.Sleep(s.took(sent))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.answered = append(s.sent, sent), append(s.answered, time.Since(s.start))
	return nil
}

// stall is a server that answers at once, but for half a second after from.
func stall(from time.Duration) func(time.Duration) time.Duration {
	return func(sent time.Duration) time.Duration {
		if to := from + 500*time.Millisecond; sent >= from && sent < to {
			return to - sent
		}
		return 0
	}
}

// near reports whether a histogram of three digits, from a microsecond on, may
// show want as got.
func near(got int64, want time.Duration) bool {
	return float64(got) >= 0.999*float64(want) && float64(got) <= max(1.001*float64(want), float64(time.Microsecond))
}

// TestStall is the reason for this package: a server that stops once for half a
// second at 200 requests a second makes a hundred of them wait, 250 ms on average.
// The open loop charges it for all of them. A loop that waits for answers sends
// nothing meanwhile, and sees a handful of slow ones.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, rate = 800, 200.0
		due := func(i int) time.Duration { return time.Duration(float64(i) / rate * float64(time.Second)) }
		s := &schedule{start: time.Now(), took: stall(2 * time.Second)}
		open := Open(t.Context(), s.send, rate, n)
		var latencies []time.Duration
		for i := range n { // each is sent when it is due, whoever waits
			latencies = append(latencies, s.took(due(i)))
		}
		slices.Sort(s.sent)
		for i, sent := range s.sent {
			if sent != due(i) {
				t.Fatalf("request %d was due at %v and sent at %v", i, due(i), sent)
			}
		}
		if open.Sent != n || open.Failed != 0 || open.Latency.TotalCount() != n || open.Wall != due(n-1) {
			t.Errorf("%+v", open)
		}
		slices.Sort(latencies)
		for _, q := range []float64{50, 90, 95, 99, 99.9} {
			want := latencies[int(n*q/100+0.5)-1] // as the histogram counts
			if !near(open.Latency.ValueAtQuantile(q), want) {
				t.Errorf("percentile %v is %v, of the schedule %v", q, time.Duration(open.Latency.ValueAtQuantile(q)), want)
			}
		}
		if slow := latencies[n-100]; slow == 0 || latencies[n-101] != 0 {
			t.Errorf("the schedule does not make a hundred requests wait: %v", latencies[n-102:])
		}
		if open.Late.Max() > int64(time.Microsecond) {
			t.Errorf("late by %v", time.Duration(open.Late.Max()))
		}

		s = &schedule{start: time.Now()}
		s.took = func(sent time.Duration) time.Duration { return time.Millisecond + stall(time.Second)(sent) }
		closed := Closed(t.Context(), s.send, 4, 2*time.Second-time.Microsecond) // no request is due just then
		slow := int64(0)
		for _, b := range closed.Latency.Distribution() {
			if b.From > int64(200*time.Millisecond) {
				slow += b.Count
			}
		}
		if closed.Failed != 0 || slow != 4 || closed.Sent != len(s.sent) || closed.Sent != 4*1500 {
			t.Errorf("closed loop: %d of %d requests were slow, want the 4 on the way; %d failed: %v", slow, closed.Sent, closed.Failed, closed.Err)
		}
	})
}

// TestBehind checks that a loop which cannot send, because as many requests as it
// may have are on the way, counts from when each was due.
func TestBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = time.Minute
		s := &schedule{start: time.Now(), took: func(sent time.Duration) time.Duration { return held - min(sent, held) }}
		r := Open(t.Context(), s.send, 1000, mostInFlight+500)
		if r.Sent != mostInFlight+500 || !near(r.Latency.Max(), held) || !near(r.Late.Max(), held-mostInFlight*time.Millisecond) || r.Wall != held {
			t.Errorf("%d sent, longest latency %v, latest %v, wall %v", r.Sent, time.Duration(r.Latency.Max()), time.Duration(r.Late.Max()), r.Wall)
		}
	})
}

// TestEnd checks that a loop ends with its context, and does not count what it did
// not send.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1050*time.Millisecond)
		defer cancel()
		s := &schedule{start: time.Now(), took: func(time.Duration) time.Duration { return time.Millisecond }}
		if r := Open(ctx, s.send, 10, 1000); r.Sent != 11 || r.Wall != 1050*time.Millisecond {
			t.Errorf("%d sent in %v", r.Sent, r.Wall)
		}
		if r := Closed(ctx, s.send, 3, time.Hour); r.Sent != 0 {
			t.Errorf("%d sent after the end", r.Sent)
		}
		if r := Closed(t.Context(), s.send, 3, -time.Second); r.Sent < 3 { // the time is over before the first is sent
			t.Errorf("%d sent, want one for each of 3", r.Sent)
		}
	})
}
