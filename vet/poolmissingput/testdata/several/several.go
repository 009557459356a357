// Package several gets values from one of several pools.
package several

import (
	"io"
	"sync"
)

// Pools for slices of three sizes, behind one pair of functions.
var large, medium, small sync.Pool

func getSized(n int) []byte {
	var x any
	switch {
	case n >= 1<<14:
		x = large.Get()
	case n >= 1<<12:
		x = medium.Get()
	default:
		x = small.Get()
	}
	if x == nil {
		return make([]byte, n)
	}
	b := *x.(*[]byte)
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func putSized(b []byte) {
	switch n := cap(b); {
	case n >= 1<<14:
		large.Put(&b)
	case n >= 1<<12:
		medium.Put(&b)
	default:
		small.Put(&b)
	}
}

func badSeveral(r io.Reader) error {
	for {
		b := getSized(1024) // want "b is not put back on the path to line 48"
		n, err := r.Read(b)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		putSized(b)
	}
}

func badSeveralNext(r io.Reader, times int) (total int) {
	for i := 0; i < times; i++ {
		b := getSized(4096) // want "b is not put back on the path to line 61"
		n, _ := r.Read(b)
		if n == 0 {
			continue
		}
		total += n
		putSized(b)
	}
	return total
}

func goodSeveralNext(r io.Reader, times int) (total int) {
	for i := 0; i < times; i++ {
		b := getSized(4096)
		if n, _ := r.Read(b); n != 0 {
			total += n
		}
		putSized(b)
	}
	return total
}

func goodSeveral(r io.Reader) error {
	for {
		b := getSized(1024)
		n, err := r.Read(b)
		if err != nil {
			putSized(b)
			return err
		}
		putSized(b)
		if n == 0 {
			continue
		}
	}
}

type session struct{ names map[string]string }

// Structs from one of two pools, as what they are.
var busy, calm = sync.Pool{New: func() any { return new(session) }}, sync.Pool{New: func() any { return new(session) }}

func getEither(isBusy bool) *session {
	pool := &calm
	if isBusy {
		pool = &busy
	}
	return pool.Get().(*session)
}

func getSwitched(isBusy bool) *session {
	var v any
	if isBusy {
		v = busy.Get()
	} else {
		v = calm.Get()
	}
	return v.(*session)
}

func putEither(isBusy bool, s *session) {
	if isBusy {
		busy.Put(s)
		return
	}
	calm.Put(s)
}

func badEither(key string, isBusy bool) string {
	s := getEither(isBusy) // want "s is not put back on the path to line"
	if s.names[key] == "" {
		return ""
	}
	name := s.names[key]
	putEither(isBusy, s)
	return name
}

func badSwitched(key string, isBusy bool) string {
	s := getSwitched(isBusy) // want "s is not put back on the path to line"
	if s.names[key] == "" {
		return ""
	}
	name := s.names[key]
	putEither(isBusy, s)
	return name
}

func goodSwitched(key string, isBusy bool) string {
	s := getSwitched(isBusy)
	name := s.names[key]
	putEither(isBusy, s)
	return name
}

// fixed is a slice that all share.
var fixed = make([]byte, 64)

// getOrFixed returns what nobody has to put back if n is small.
func getOrFixed(n int) []byte {
	x := any(&fixed)
	if n > len(fixed) {
		x = large.Get()
	}
	return *x.(*[]byte)
}

func goodOrFixed(r io.Reader, n int) error {
	b := getOrFixed(n)
	if _, err := r.Read(b); err != nil {
		return err
	}
	if n > len(fixed) {
		large.Put(&b)
	}
	return nil
}

// badCopies never puts back what others do.
func badCopies(w io.Writer, r io.Reader) {
	b := getSized(1 << 12) // want "b is never put back"
	for {
		n, err := r.Read(b)
		if err != nil {
			return
		}
		w.Write(b[:n])
	}
}

func badText(r io.Reader) string {
	b := getSized(64) // want "b is never put back"
	n, _ := r.Read(b)
	return string(b[:n])
}

// The slice itself is handed out, or kept.
func goodBytes(r io.Reader) []byte {
	b := getSized(64)
	n, _ := r.Read(b)
	return b[:n]
}

type kept struct{ all [][]byte }

func (k *kept) goodKept(r io.Reader) {
	b := getSized(64)
	n, _ := r.Read(b)
	k.all = append(k.all, b[:n])
}

func goodSent(r io.Reader, out chan<- []byte) {
	b := getSized(64)
	r.Read(b)
	out <- b
}

// ownSlice is one that nobody puts back.
func ownSlice() []byte { return *large.Get().(*[]byte) }

func goodOwn(r io.Reader) string {
	b := ownSlice()
	n, _ := r.Read(b)
	return string(b[:n])
}
