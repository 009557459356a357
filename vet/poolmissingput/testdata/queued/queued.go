// Package queued has channels that take pooled values to those who put them back.
package queued

import (
	"context"
	"errors"
	"io"
	"sync"
)

type job struct {
	id    int
	data  []byte
	ready chan struct{}
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func getJob() *job { return jobs.Get().(*job) }

func putJob(j *job) {
	*j = job{}
	jobs.Put(j)
}

type node struct {
	queue chan *job
	stop  chan struct{}
	last  int
	apply func(id int)
}

func (n *node) propose(id int) {
	j := getJob()
	j.id = id
	select {
	case n.queue <- j:
	case <-n.stop:
		putJob(j)
	}
}

func (n *node) badSelect() {
	for {
		select {
		case <-n.stop:
			return
		case j := <-n.queue: // want "j is not put back on the path to line 49: the pool loses it"
			if j.id <= n.last {
				continue
			}
			n.last = j.id
			n.apply(j.id)
			putJob(j)
		}
	}
}

func (n *node) goodSelect() {
	for {
		select {
		case <-n.stop:
			return
		case j := <-n.queue:
			if j.id > n.last {
				n.last = j.id
				n.apply(j.id)
			}
			putJob(j)
		}
	}
}

func (n *node) badRange() (sum int) {
	for j := range n.queue { // want "j is not put back on the path to line 77"
		if j.id < 0 {
			return -1
		}
		sum += j.id
		putJob(j)
	}
	return sum
}

func (n *node) goodRange() (sum int) {
	for j := range n.queue {
		id := j.id
		putJob(j)
		if id < 0 {
			return -1
		}
		sum += id
	}
	return sum
}

// badNever is one of two receivers.
func (n *node) badNever() int {
	j, ok := <-n.queue // want "j is never put back"
	if !ok {
		return 0
	}
	return j.id
}

// goodKept hands it on.
func (n *node) goodKept(all map[int]*job) {
	j := <-n.queue
	if j.id == 0 {
		putJob(j)
		return
	}
	all[j.id] = j
}

func (n *node) goodClosed() bool {
	j, ok := <-n.queue
	if !ok {
		return false
	}
	putJob(j)
	return true
}

// A chunk has what is pooled in a field, and an error.
type chunk struct {
	data []byte
	err  error
}

var chunks = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func getChunk() []byte { return (*chunks.Get().(*[]byte))[:1024] }

func putChunk(b []byte) { chunks.Put(&b) }

type stream struct {
	c    chan chunk
	stop chan struct{}
}

func (s *stream) fill(r io.Reader) {
	defer close(s.c)
	for {
		b := getChunk()
		n, err := r.Read(b)
		c := chunk{data: b[:n]}
		if err != nil && err != io.EOF {
			c.err = err
		}
		select {
		case s.c <- c:
		case <-s.stop:
			putChunk(b)
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) badServe(ctx context.Context, w io.Writer) error {
	for {
		select {
		case c, ok := <-s.c: // want "c.data is not put back on the path to line 171"
			if !ok {
				return nil
			}
			if c.err != nil {
				return c.err
			}
			if _, err := w.Write(c.data); err != nil {
				return err
			}
			putChunk(c.data)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *stream) goodServe(ctx context.Context, w io.Writer) error {
	for {
		select {
		case c, ok := <-s.c:
			if !ok {
				return nil
			}
			if c.err != nil {
				putChunk(c.data)
				return c.err
			}
			_, err := w.Write(c.data)
			putChunk(c.data)
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

var errForeign = errors.New("foreign")

// A packet is new, and has what is pooled in a field.
type packet struct {
	from string
	raw  []byte
}

type session struct {
	received chan *packet
	later    []*packet
	ticks    chan int
	n        int
}

func (s *session) serve(r io.Reader) error {
	for {
		b := getChunk()
		n, err := r.Read(b)
		if err != nil {
			putChunk(b)
			return err
		}
		s.received <- &packet{raw: b[:n]}
	}
}

func (s *session) handle(p *packet) error {
	s.n += len(p.raw)
	if p.from == "" {
		return errForeign
	}
	return nil
}

func (s *session) badJoined() {
	for {
		var n int
		select {
		case n = <-s.ticks:
		case p := <-s.received: // want "p.raw is not put back on the path to line 250"
			if s.handle(p) == errForeign {
				s.later = append(s.later, p)
				continue
			}
			n++
		}
		s.n += n
	}
}

func (s *session) goodJoined() {
	for {
		var n int
		select {
		case n = <-s.ticks:
		case p := <-s.received:
			if s.handle(p) == errForeign {
				s.later = append(s.later, p)
				continue
			}
			putChunk(p.raw)
			n++
		}
		s.n += n
	}
}

// badLocal has a channel of its own.
func badLocal(ids []int, w io.Writer) (err error) {
	queue := make(chan *job, len(ids))
	go func() {
		for _, id := range ids {
			j := getJob()
			j.id = id
			queue <- j
		}
		close(queue)
	}()
	for j := range queue { // want "j is not put back on the path to line 286"
		if _, err = w.Write(j.data); err != nil {
			return err
		}
		putJob(j)
	}
	return nil
}

func goodLocal(ids []int, w io.Writer) (err error) {
	queue := make(chan *job, len(ids))
	go func() {
		for _, id := range ids {
			j := getJob()
			j.id = id
			queue <- j
		}
		close(queue)
	}()
	for j := range queue {
		if err == nil {
			_, err = w.Write(j.data)
		}
		putJob(j)
	}
	return err
}

// A mailbox is sent to by a helper.
type mailbox struct{ in chan *job }

func (m *mailbox) push(j *job) bool {
	select {
	case m.in <- j:
		return true
	default:
		return false
	}
}

func deliver(m *mailbox, id int) {
	j := getJob()
	j.id = id
	if !m.push(j) {
		putJob(j)
	}
}

func (m *mailbox) drain() {
	for j := range m.in {
		putJob(j)
	}
}

func (m *mailbox) badPop(buf []byte) int {
	j := <-m.in // want "j is never put back"
	return copy(buf, j.data)
}

func (m *mailbox) goodPop(buf []byte) int {
	j := <-m.in
	n := copy(buf, j.data)
	putJob(j)
	return n
}
