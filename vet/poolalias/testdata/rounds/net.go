//go:build !lessgc_short

package rounds

import (
	"net"
	"sync"
)

func (u *conn) badLoop(c net.PacketConn) {
	for {
		buf := u.pool.Get().([]byte)
		n, _, err := c.ReadFrom(buf)
		if err == nil {
			u.queue <- &packet{buf, n} // want "the value sent to a channel aliases buf"
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
	n := fill(addr, b.last) // want "the value kept by fill aliases addr"
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
