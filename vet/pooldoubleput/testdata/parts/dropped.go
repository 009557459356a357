package parts

import "bytes"

// enabled and limit are set by flags.
var (
	enabled = true
	limit   = 64 << 10
)

// Release puts the buffer back, or leaves it to the collector.
func (r *reader) Release() {
	if enabled {
		buffers.Put(r.inner)
	}
}

// ReleaseOnce is safe to be called again.
func (r *reader) ReleaseOnce() {
	if enabled && r.inner != nil {
		buffers.Put(r.inner)
	}
	r.inner = nil
}

// TryRelease tells what it has done.
func (r *reader) TryRelease() bool {
	if enabled {
		buffers.Put(r.inner)
		return true
	}
	return false
}

func badReleasedTwice(r *reader) {
	r.Release()
	buffers.Put(r.inner) // want "r.inner is put back twice"
}

func badReleasedLater(r *reader, f func() error) error {
	defer r.Release() // want "r.inner is put back twice when the function ends"
	if err := f(); err != nil {
		r.Release()
		return err
	}
	return nil
}

func goodReleasedOnce(r *reader, f func() error) error {
	defer r.ReleaseOnce()
	if err := f(); err != nil {
		r.ReleaseOnce()
		return err
	}
	return nil
}

func goodTryRelease(r *reader) {
	if !r.TryRelease() {
		buffers.Put(r.inner)
	}
}

// The first call leaves the field as it is.
func badPutThenClear(r *reader) {
	buffers.Put(r.inner)
	r.Clear() // want "r.inner is put back twice"
}

func badPutThenClearLater(r *reader, f func() error) error {
	defer r.Clear() // want "r.inner is put back twice when the function ends"
	if err := f(); err != nil {
		r.Close()
		return err
	}
	return nil
}

func goodPutThenCleared(r *reader) {
	buffers.Put(r.inner)
	r.inner = nil
	r.Clear()
}

func goodClearInLoop(rs []*reader) {
	for _, r := range rs {
		r.Clear()
	}
	r := rs[0]
	for range rs {
		r.Clear()
	}
}

// leave knows by the mark of the reader.
func (r *reader) leave(b *bytes.Buffer) {
	if !r.closed {
		buffers.Put(r.inner)
	}
}

func goodMarked(r *reader, b *bytes.Buffer) {
	r.leave(b)
	r.closed = true
	r.leave(b)
}
