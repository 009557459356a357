package flow

import (
	"errors"
	"io"
)

// A mailbox has what it was sent; a result tells whether it was.
type mailbox struct {
	queue chan []byte
	done  chan struct{}
}

var errFull = errors.New("full")

func (m *mailbox) post(b []byte) error {
	select {
	case m.queue <- b:
		return nil
	default:
		return errors.New("full")
	}
}

func (m *mailbox) offer(b []byte) bool {
	select {
	case m.queue <- b:
		return true
	case <-m.done:
		return false
	}
}

// A post office asks the mailbox: what it is told it tells.
type office struct{ boxes map[string]*mailbox }

func (o *office) deliver(name string, b []byte) error {
	if m := o.boxes[name]; m != nil {
		return m.post(b)
	}
	return errFull
}

func (o *office) box(name string) *mailbox {
	m, ok := o.boxes[name]
	if !ok {
		m = &mailbox{queue: make(chan []byte, 8)}
		o.boxes[name] = m
	}
	return m
}

func take(m *mailbox, p []byte) int {
	b := <-m.queue
	n := copy(p, b)
	blocks.Put(&b)
	return n
}

func goodPost(o *office, r io.Reader, name string, warn func(error)) {
	b := blocks.Get().(*[]byte)
	n, err := r.Read(*b)
	if err != nil {
		blocks.Put(b)
		return
	}
	if err := o.box(name).post((*b)[:n]); err != nil {
		blocks.Put(b)
		warn(err)
	}
}

func badPost(o *office, r io.Reader, name string, warn func(error)) {
	b := blocks.Get().(*[]byte) // want "is not put back"
	n, err := r.Read(*b)
	if err != nil {
		blocks.Put(b)
		return
	}
	if err := o.box(name).post((*b)[:n]); err != nil {
		warn(err)
		return
	}
	warn(nil)
}

func goodPosts(o *office, r io.Reader, name string, warn func(error)) {
	for {
		b := blocks.Get().(*[]byte)
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return
		}
		if err := o.box(name).post((*b)[:n]); err != nil {
			blocks.Put(b)
			warn(err)
		}
	}
}

func badPosts(o *office, r io.Reader, name string, warn func(error)) {
	for {
		b := blocks.Get().(*[]byte) // want "is not put back"
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return
		}
		if err := o.box(name).post((*b)[:n]); err != nil {
			warn(err)
		}
	}
}

func goodOffer(o *office, r io.Reader, name string) error {
	for {
		b := blocks.Get().(*[]byte)
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return err
		}
		if m := o.box(name); !m.offer((*b)[:n]) {
			blocks.Put(b)
		}
	}
}

func badOffer(o *office, r io.Reader, name string, lost *int) error {
	for {
		b := blocks.Get().(*[]byte) // want "is not put back"
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return err
		}
		if m := o.box(name); !m.offer((*b)[:n]) {
			*lost++
		}
	}
}

func goodDeliver(o *office, r io.Reader, name string) error {
	b := blocks.Get().(*[]byte)
	n, err := r.Read(*b)
	if err == nil {
		err = o.deliver(name, (*b)[:n])
	}
	if err != nil {
		blocks.Put(b)
	}
	return err
}

func badDeliver(o *office, r io.Reader, name string) error {
	b := blocks.Get().(*[]byte) // want "is not put back"
	n, err := r.Read(*b)
	if err != nil {
		blocks.Put(b)
		return err
	}
	if err := o.deliver(name, (*b)[:n]); err != nil {
		return err
	}
	return nil
}

func goodDelivered(o *office, r io.Reader, name string) error {
	b := blocks.Get().(*[]byte)
	n, err := r.Read(*b)
	if err != nil {
		blocks.Put(b)
		return err
	}
	if err := o.deliver(name, (*b)[:n]); err != nil {
		blocks.Put(b)
		return err
	}
	return nil
}

// Who got none may have no pool to give it back to.
func goodOfferedElsewhere(o *office, r io.Reader, name string) bool {
	b := blocks.Get().(*[]byte)
	n, _ := r.Read(*b)
	return o.box(name).offer((*b)[:n])
}

// block returns a value with room for n bytes: it has the memory that it had, if that is large enough.
func block(n int) *[]byte {
	b := blocks.Get().(*[]byte)
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	*b = (*b)[:n]
	return b
}

func goodPostsGrown(o *office, r io.Reader, name string, warn func(error)) {
	for {
		b := block(1 << 16)
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return
		}
		if err := o.box(name).post((*b)[:n]); err != nil {
			blocks.Put(b)
			warn(err)
		}
	}
}

func badPostsGrown(o *office, r io.Reader, name string, warn func(error)) {
	for {
		b := block(1 << 16) // want "is not put back"
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return
		}
		if err := o.box(name).post((*b)[:n]); err != nil {
			warn(err)
		}
	}
}
