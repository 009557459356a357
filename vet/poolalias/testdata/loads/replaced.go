package loads

import "sync"

// A record holds slices of others, and a line of its own.
type record struct {
	key   []byte
	value []byte
	line  []byte
}

type event struct{ key, value []byte }

type batch struct {
	pool    sync.Pool
	pending []*record
	events  chan *event
}

func (b *batch) add(key, value []byte) {
	r := b.pool.Get().(*record)
	r.key, r.value = key, value
	r.line = append(r.line[:0], key...)
	b.pending = append(b.pending, r)
}

// goodCommit sends on what the records were given: the next Get gives them others.
func (b *batch) goodCommit() {
	for _, r := range b.pending {
		b.events <- &event{r.key, r.value}
		b.pool.Put(r)
	}
	b.pending = b.pending[:0]
}

func (b *batch) goodFirst() []byte {
	r := b.pending[0]
	k := r.key
	b.pool.Put(r)
	return k
}

// badFirst returns what the next Get appends to.
func (b *batch) badFirst() []byte {
	r := b.pending[0]
	k := r.line
	b.pool.Put(r)
	return k // want "the value returned aliases r"
}

// badLines sends it on.
func (b *batch) badLines() {
	for _, r := range b.pending {
		e := &event{key: r.line}
		b.events <- e // want "the value sent to a channel aliases"
		b.pool.Put(r)
	}
	b.pending = b.pending[:0]
}
