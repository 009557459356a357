package partly

import (
	"io"
	"sync"
	"sync/atomic"
)

type parcel struct{ data []byte }

type crate struct {
	parcels []*parcel
	label   string
}

var (
	parcelPool = sync.Pool{New: func() any { return new(parcel) }}
	cratePool  = sync.Pool{New: func() any { return new(crate) }}
)

type sender struct {
	queue  chan *crate
	closed atomic.Bool
}

func putCrate(c *crate) {
	c.parcels = c.parcels[:0]
	cratePool.Put(c)
}

func (s *sender) badStopped(w io.Writer) {
	for c := range s.queue {
		if s.closed.Load() {
			for _, p := range c.parcels { // want "is not put back on the path"
				parcelPool.Put(p)
			}
			continue
		}
		for _, p := range c.parcels {
			w.Write(p.data)
			parcelPool.Put(p)
		}
		putCrate(c)
	}
}

func (s *sender) goodStopped(w io.Writer) {
	for c := range s.queue {
		if !s.closed.Load() {
			for _, p := range c.parcels {
				w.Write(p.data)
			}
		}
		for _, p := range c.parcels {
			parcelPool.Put(p)
		}
		putCrate(c)
	}
}

// The crates that are kept have their parcels.
func (s *sender) goodSkipped(w io.Writer) {
	for c := range s.queue {
		if c.label == "" {
			continue
		}
		for _, p := range c.parcels {
			w.Write(p.data)
			parcelPool.Put(p)
		}
		putCrate(c)
	}
}

// An empty crate goes on to the next.
func (s *sender) goodPassedOn(w io.Writer, empty chan<- *crate) {
	for c := range s.queue {
		for _, p := range c.parcels {
			w.Write(p.data)
			parcelPool.Put(p)
		}
		if c.label != "" {
			empty <- c
			continue
		}
		putCrate(c)
	}
}
