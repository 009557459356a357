// Package rounds gets values in the rounds of a loop.
package rounds

import (
	"net"
	"sync"
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func badCollect(m map[int]*[]byte, read func([]byte) error) {
	for i := range 3 {
		b := buffers.Get().(*[]byte)
		m[i] = b // want "what is stored in a map belongs to b"
		err := read(*b)
		buffers.Put(b)
		if err != nil {
			return
		}
	}
}

// The Put is of the last buffer; those in m are still out.
func goodCollect(m map[int]*[]byte, read func([]byte) error) error {
	for i := 0; ; i++ {
		b := buffers.Get().(*[]byte)
		if err := read(*b); err != nil {
			buffers.Put(b)
			return err
		}
		m[i] = b
	}
}

type packet struct {
	buf []byte
	n   int
}

type conn struct {
	queue chan *packet
	pool  sync.Pool
}

func (u *conn) badLoop(c net.PacketConn) {
	for {
		buf := u.pool.Get().([]byte)
		n, _, err := c.ReadFrom(buf)
		if err == nil {
			u.queue <- &packet{buf, n} // want "what is sent to a channel belongs to buf"
		}
		u.pool.Put(buf)
		if err != nil {
			return
		}
	}
}

func (u *conn) goodLoop(c net.PacketConn) {
	for {
		buf := u.pool.Get().([]byte)
		n, _, err := c.ReadFrom(buf)
		if err != nil {
			u.pool.Put(buf)
			return
		}
		select {
		case u.queue <- &packet{buf, n}:
		default:
			u.pool.Put(buf)
		}
	}
}

var arrays = sync.Pool{New: func() any { return new([8]int) }}

func badLast(n int) *[8]int {
	var last *[8]int
	for i := range n {
		last = arrays.Get().(*[8]int)
		last[0] = i
		arrays.Put(last)
	}
	return last // want "what is returned belongs to last"
}

// What is put is the one of the round before.
func goodLast(n int) *[8]int {
	var last *[8]int
	for i := range n {
		next := arrays.Get().(*[8]int)
		next[0] = i
		if last != nil {
			arrays.Put(last)
		}
		last = next
	}
	return last
}

type message struct {
	addr net.Addr
	oob  []byte
}

type bind struct {
	msgs, addrs sync.Pool
	last        []message
}

func (b *bind) put(msgs *[]message) {
	for i := range *msgs {
		(*msgs)[i] = message{oob: (*msgs)[i].oob}
	}
	b.msgs.Put(msgs)
}

func fill(a net.Addr, msgs []message) int {
	for i := range msgs {
		msgs[i].addr = a
	}
	return len(msgs)
}

func (b *bind) badFill(f func([]message) error) error {
	addr := b.addrs.Get().(*net.UDPAddr)
	defer b.addrs.Put(addr)
	n := fill(addr, b.last) // want "what is kept by fill belongs to addr"
	return f(b.last[:n])
}

// The messages go back too, and whoever gets them expects nothing in there.
func (b *bind) goodFill(f func([]message) error) error {
	msgs := b.msgs.Get().(*[]message)
	defer b.put(msgs)
	addr := b.addrs.Get().(*net.UDPAddr)
	defer b.addrs.Put(addr)
	n := fill(addr, *msgs)
	return f((*msgs)[:n])
}
