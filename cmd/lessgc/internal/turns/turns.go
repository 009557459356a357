// Package turns has processes take turns: one runs for a slice of time while the others
// are stopped. What makes a machine slow for longer than a slice makes all of them slow.
//
// A process takes part from a point on that it chooses: it writes its number into a file
// and stops. The test binaries that lessgc builds do so where the iterations begin, see
// package timed. What they did before, one did after the other.
package turns

import (
	"encoding/binary"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"
)

// Slice is the time for which a process runs in one turn.
const Slice = 10 * time.Millisecond

// A Process takes turns with others.
type Process struct {
	// File is the name of a file for the process. It holds for how long the process was
	// stopped, in ns, as an int64 in the order of bytes of this machine, and is written
	// to while the process is stopped; the process writes its number, followed by a
	// newline, into the file of this name with .pid after it, and stops itself.
	File string

	stops   *os.File
	stopped time.Duration
	since   time.Time // the time at which it was stopped
	pid     int       // 0 before it takes turns, and after
	over    bool      // it does not any more
	done    chan struct{}
}

// New prepares a process. Its files are in dir, until Close.
func New(dir string) (*Process, error) {
	f, err := os.CreateTemp(dir, "turns-")
	if err != nil {
		return nil, err
	}
	p := &Process{File: f.Name(), stops: f, done: make(chan struct{})}
	return p, p.tell()
}

// Close removes the files of a process.
func (p *Process) Close() {
	p.stops.Close()
	os.Remove(p.File)
	os.Remove(p.File + ".pid")
}

// Stopped is for how long the process was stopped.
func (p *Process) Stopped() time.Duration { return p.stopped }

func (p *Process) tell() error {
	_, err := p.stops.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(p.stopped)), 0)
	return err
}

// Run starts processes, one after the other, and has them take turns until all have
// ended. One that does not take part within a time, because it waits for what another has, takes
// part when it can. Function run is to start one and to return when it has ended; it is called in
// goroutines of their own. If a process cannot be stopped or continued, all run on, and
// the error says why.
func Run(all []*Process, patience time.Duration, run func(i int)) error {
	for i, p := range all {
		go func() {
			defer close(p.done)
			run(i)
		}()
		for began := time.Now(); !p.joined() && !p.ended(time.Millisecond) && time.Since(began) < patience; {
		}
	}
	var failed error
	for left := true; left; {
		left = false
		idle := true
		for _, p := range all {
			if p.ended(0) {
				continue
			}
			left = true
			if !p.joined() {
				continue
			}
			idle = false
			if err := p.turn(failed != nil); err != nil && failed == nil {
				failed = err
			}
		}
		if idle { // all that are left come later, or are about to end
			time.Sleep(time.Millisecond)
		}
	}
	return failed
}

// joined reports whether the process takes turns.
func (p *Process) joined() bool {
	if p.pid != 0 || p.over {
		return p.pid != 0
	}
	text, err := os.ReadFile(p.File + ".pid")
	number, whole := strings.CutSuffix(string(text), "\n")
	if err != nil || !whole {
		return false
	}
	if n, err := strconv.Atoi(number); err == nil && n > 1 {
		p.pid, p.since = n, time.Now()
	}
	return p.pid != 0
}

// ended reports whether the process has ended, after a time at most.
func (p *Process) ended(most time.Duration) bool {
	select {
	case <-p.done:
		return true
	default:
	}
	if most == 0 {
		return false
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// turn continues the process for a slice of time; afterwards it is stopped unless it is to
// go on.
func (p *Process) turn(goOn bool) error {
	p.stopped += time.Since(p.since)
	defer func() { p.since = time.Now() }()
	err := errors.Join(p.tell(), resume(p.pid))
	if err == nil && !p.ended(Slice) && !goOn {
		err = pause(p.pid)
	}
	if gone(err) { // run has not returned yet
		p.pid, p.over, err = 0, true, nil
	}
	return err
}
