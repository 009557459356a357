package flow

import (
	"bytes"
	"io"
	"sync"
)

var loopBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Loops that count, so that ways through an iteration meet before the next one.

func badCounted(r io.Reader, n int) (total int64) {
	for i := 0; i < n; i++ {
		b := loopBuffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 18"
		m, err := b.ReadFrom(io.LimitReader(r, 100))
		if m == 0 {
			print(i)
			continue
		}
		if err == nil {
			total += m
		}
		b.Reset()
		loopBuffers.Put(b)
	}
	return total
}

func badCase(kinds []byte) (total int) {
	for i := 0; i < len(kinds); i += 2 {
		b := loopBuffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 39"
		b.WriteByte(kinds[i])
		switch kinds[i] {
		case 'a':
			total += b.Len()
			loopBuffers.Put(b)
		case 'b':
			total++
		default:
			loopBuffers.Put(b)
		}
	}
	return total
}

func goodCounted(r io.Reader, n int) (total int64) {
	for i := 0; i < n; i++ {
		b := loopBuffers.Get().(*bytes.Buffer)
		m, _ := b.ReadFrom(io.LimitReader(r, 100))
		b.Reset()
		loopBuffers.Put(b)
		if m == 0 {
			continue
		}
		total += m
	}
	return total
}

// What is too large is dropped.
func goodSize(r io.Reader, n int) (total int) {
	for i := 0; i < n; i++ {
		b := loopBuffers.Get().(*bytes.Buffer)
		b.ReadFrom(io.LimitReader(r, 100))
		total += b.Len()
		b.Reset()
		if b.Cap() < 1<<16 {
			loopBuffers.Put(b)
		}
	}
	return total
}

// The last one is used after the loop.
func goodLastOf(r io.Reader, n int) string {
	var last *bytes.Buffer
	for i := 0; i < n; i++ {
		b := loopBuffers.Get().(*bytes.Buffer)
		m, _ := b.ReadFrom(io.LimitReader(r, 100))
		if m > 0 && last == nil {
			last = b
		} else {
			loopBuffers.Put(b)
		}
	}
	if last == nil {
		return ""
	}
	s := last.String()
	loopBuffers.Put(last)
	return s
}

// Not every iteration has one.
func goodSome(r io.Reader, n int) (total int64) {
	for i := 0; i < n; i++ {
		if i%2 == 0 {
			continue
		}
		b := loopBuffers.Get().(*bytes.Buffer)
		m, err := b.ReadFrom(io.LimitReader(r, 100))
		if err == nil {
			total += m
		}
		loopBuffers.Put(b)
	}
	return total
}

func goodSizeOf(r io.Reader, kinds []byte) (total int) {
	for range kinds {
		b := loopBuffers.Get().(*bytes.Buffer)
		b.ReadFrom(io.LimitReader(r, 100))
		total += b.Len()
		b.Reset()
		if b.Cap() < 1<<16 {
			loopBuffers.Put(b)
		}
	}
	return total
}

func goodTooLarge(r io.Reader, kinds []byte) (total int) {
	for range kinds {
		b := loopBuffers.Get().(*bytes.Buffer)
		if b.Cap() > 1<<16 {
			continue
		}
		b.ReadFrom(io.LimitReader(r, 100))
		total += b.Len()
		b.Reset()
		loopBuffers.Put(b)
	}
	return total
}

// The buffer of the iteration before is put back in the next one.
func goodBefore(r io.Reader, kinds []byte) (total int) {
	var b *bytes.Buffer
	for range kinds {
		if b != nil {
			loopBuffers.Put(b)
		}
		b = loopBuffers.Get().(*bytes.Buffer)
		b.ReadFrom(io.LimitReader(r, 100))
		if b.Len() > 10 {
			total++
		}
	}
	if b != nil {
		loopBuffers.Put(b)
	}
	return total
}
