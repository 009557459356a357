package local

import (
	"bytes"
	"sync"
)

// A struct with a pool is copied, and the pool with it.
type bytePool struct {
	size int
	pool sync.Pool
}

func (p *bytePool) get() *bytes.Buffer {
	if b, ok := p.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return bytes.NewBuffer(make([]byte, 0, p.size))
}

func (p *bytePool) put(b *bytes.Buffer) {
	b.Reset()
	p.pool.Put(b)
}

type owner struct {
	pool  bytePool
	other *bytePool
}

func (o owner) badReceiver(s string) int { // want `o.pool.pool is a copy that this call has made`
	b := o.pool.get()
	defer o.pool.put(b)
	b.WriteString(s)
	return b.Len()
}

func (o *owner) goodReceiver(s string) int {
	b := o.pool.get()
	defer o.pool.put(b)
	b.WriteString(s)
	return b.Len()
}

func (o owner) goodPointer(s string) int {
	b := o.other.get()
	defer o.other.put(b)
	b.WriteString(s)
	return b.Len()
}

func (o *owner) badAssigned(s string) int {
	pool := o.pool // want `pool.pool is a copy that this call has made`
	b := pool.get()
	defer pool.put(b)
	b.WriteString(s)
	return b.Len()
}

func (o *owner) goodAddress(s string) int {
	pool := &o.pool
	b := pool.get()
	defer pool.put(b)
	b.WriteString(s)
	return b.Len()
}

func badByValue(o owner, b *bytes.Buffer) { // want `o.pool.pool is a copy that this call has made`
	o.pool.pool.Put(b)
}

func goodByAddress(o *owner, b *bytes.Buffer) {
	o.pool.pool.Put(b)
}

func badRange(owners []owner, s string) (n int) {
	for _, o := range owners { // want `o.pool.pool is a copy that this call has made`
		b := o.pool.get()
		b.WriteString(s)
		n += b.Len()
		o.pool.put(b)
	}
	return n
}

func goodRange(owners []owner, s string) (n int) {
	for i := range owners {
		b := owners[i].pool.get()
		b.WriteString(s)
		n += b.Len()
		owners[i].pool.put(b)
	}
	return n
}

func newOwner(size int) owner { return owner{pool: bytePool{size: size}} }

// A struct of its own may serve the call.
func goodMade(list []string) (n int) {
	o := newOwner(64)
	for _, s := range list {
		b := o.pool.get()
		b.WriteString(s)
		n += b.Len()
		o.pool.put(b)
	}
	return n
}

func (o owner) badTwice(s string) int {
	pool := o.pool // want `pool.pool is a copy that this call has made`
	b := pool.get()
	defer pool.put(b)
	b.WriteString(s)
	return b.Len()
}
