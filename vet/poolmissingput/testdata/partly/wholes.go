package partly

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

var memories = sync.Pool{New: func() any { return new([4096]byte) }}

var errShort = errors.New("short")

// A chunk has pooled memory until release.
type chunk struct {
	mem  *[4096]byte
	n    int
	next *chunk
}

func newChunk() *chunk { return &chunk{mem: memories.Get().(*[4096]byte)} }

func (f *chunk) fill(r io.Reader, n int) error {
	k, err := io.ReadFull(r, f.mem[f.n:f.n+n])
	f.n += k
	return err
}

func (f *chunk) sum() (sum int) {
	for _, b := range f.mem[:f.n] {
		sum += int(b)
	}
	return sum
}

func (f *chunk) release() {
	if f == nil || f.mem == nil {
		return
	}
	c := f.mem
	f.mem, f.n = nil, 0
	memories.Put(c)
}

// badFrameRead loses the frame if there is too little to read.
func badFrameRead(r io.Reader, n int) (*chunk, error) {
	f := newChunk() // want "is not put back"
	if err := f.fill(r, n); err != nil {
		return nil, err
	}
	return f, nil
}

func goodFrameRead(r io.Reader, n int) (*chunk, error) {
	f := newChunk()
	if err := f.fill(r, n); err != nil {
		f.release()
		return nil, err
	}
	return f, nil
}

// badFrames loses the frame that it does not append.
func badFrames(r io.Reader, sizes []int) ([]*chunk, error) {
	var all []*chunk
	for _, n := range sizes {
		f := newChunk() // want "is not put back"
		if err := f.fill(r, n); err != nil {
			return nil, fmt.Errorf("frame of %d: %w", n, err)
		}
		all = append(all, f)
	}
	return all, nil
}

func goodFrames(r io.Reader, sizes []int) ([]*chunk, error) {
	var all []*chunk
	for _, n := range sizes {
		f := newChunk()
		if err := f.fill(r, n); err != nil {
			f.release()
			return all, fmt.Errorf("frame of %d: %w", n, err)
		}
		all = append(all, f)
	}
	return all, nil
}

// badFrameSent sends whole frames only, and loses others.
func badFrameSent(r io.Reader, n int, out chan<- *chunk) error {
	f := newChunk() // want "is not put back"
	if err := f.fill(r, n); err != nil {
		return err
	}
	if f.sum() == 0 {
		f.release()
		return errShort
	}
	out <- f
	return nil
}

func goodFrameSent(r io.Reader, n int, out chan<- *chunk) error {
	f := newChunk()
	err := f.fill(r, n)
	if err != nil || f.sum() == 0 {
		f.release()
		return errShort
	}
	out <- f
	return nil
}

// badFrameGo starts a goroutine for what was read, and loses what was not.
func badFrameGo(r io.Reader, sums chan<- int) error {
	for {
		f := newChunk() // want "is not put back"
		if err := f.fill(r, 100); err != nil {
			return err
		}
		go func() {
			defer f.release()
			sums <- f.sum()
		}()
	}
}

func goodFrameGo(r io.Reader, sums chan<- int) error {
	for {
		f := newChunk()
		if err := f.fill(r, 100); err != nil {
			f.release()
			return err
		}
		go func() {
			defer f.release()
			sums <- f.sum()
		}()
	}
}

// goodFrameDeferred leaves it to a function that decides at the end.
func goodFrameDeferred(r io.Reader, n int) (f *chunk, err error) {
	f = newChunk()
	defer func() {
		if err != nil {
			f.release()
			f = nil
		}
	}()
	if err = f.fill(r, n); err != nil {
		return f, err
	}
	return f, nil
}

// goodFrameChunk puts back the chunk itself.
func goodFrameChunk(r io.Reader, n int) (*chunk, error) {
	f := newChunk()
	if err := f.fill(r, n); err != nil {
		memories.Put(f.mem)
		return nil, err
	}
	return f, nil
}

// goodFrameTaken takes the chunk out.
func goodFrameTaken(r io.Reader, n int) (*[4096]byte, error) {
	f := newChunk()
	if err := f.fill(r, n); err != nil {
		f.release()
		return nil, err
	}
	return f.mem, nil
}

// goodFrameLinked has the frame in another, and releases what is in that.
func goodFrameLinked(r io.Reader, first *chunk) error {
	f := newChunk()
	first.next = f
	if err := f.fill(r, 1); err != nil {
		return err
	}
	return nil
}

// goodFrameMethod returns a method of the frame.
func goodFrameMethod(r io.Reader) (func(), error) {
	f := newChunk()
	end := f.release
	if err := f.fill(r, 1); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// goodFrameRegistered is released by whoever has the list.
func goodFrameRegistered(r io.Reader, all map[int]*chunk) error {
	f := newChunk()
	all[f.n] = f
	if err := f.fill(r, 1); err != nil {
		return err
	}
	return nil
}

// A view has pooled memory too, and is passed by its value.
type view struct {
	mem  *[4096]byte
	name string
}

func newView(name string) view { return view{mem: memories.Get().(*[4096]byte), name: name} }

func (v *view) text() string { return v.name + string(v.mem[:4]) }

func (v *view) free() { memories.Put(v.mem) }

func goodView(name string) string {
	v := newView(name)
	defer v.free()
	v.mem[0] = 'a'
	return v.text()
}
