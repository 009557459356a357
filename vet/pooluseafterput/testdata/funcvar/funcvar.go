// Package funcvar calls functions by variables, and functions without a body.
package funcvar

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func recycle(b *bytes.Buffer) { buffers.Put(b) }

// A test replaces it.
var release = recycle

func badReleased() {
	b := buffers.Get().(*bytes.Buffer)
	release(b)
	b.WriteByte('\n') // want "b is used after it was put back"
}

func goodReleased() {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteByte('\n')
	release(b)
}

var finish func(*bytes.Buffer)

func init() {
	finish = recycle
	if testing {
		finish = func(b *bytes.Buffer) { buffers.Put(b) }
	}
}

var testing = len(names) > 0
var names []string

func badOneOfTwo() {
	b := buffers.Get().(*bytes.Buffer)
	finish(b)
	b.WriteByte('\n') // want "b is used after it was put back"
}

func goodOneOfTwo() {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteByte('\n')
	finish(b)
}

// Perhaps keeps what it gets, perhaps not.
var perhaps = recycle

func init() {
	if testing {
		perhaps = func(*bytes.Buffer) {}
	}
}

func goodPerhaps() {
	b := buffers.Get().(*bytes.Buffer)
	perhaps(b)
	b.WriteByte('\n')
}

// Others can set Release, or by its address.
var Release = recycle

var hidden = recycle

// Hidden returns the address of a variable.
func Hidden() *func(*bytes.Buffer) { return &hidden }

func goodOthers() {
	b := buffers.Get().(*bytes.Buffer)
	Release(b)
	b.WriteByte('\n')
	hidden(b)
	b.WriteByte('\n')
}

func badChosen(quiet bool) {
	put := recycle
	if quiet {
		put = func(b *bytes.Buffer) { buffers.Put(b) }
	}
	b := buffers.Get().(*bytes.Buffer)
	put(b)
	b.WriteByte('\n') // want "b is used after it was put back"
}

func goodChosen(keep bool) {
	put := recycle
	if keep {
		put = func(b *bytes.Buffer) {}
	}
	b := buffers.Get().(*bytes.Buffer)
	put(b)
	b.WriteByte('\n')
}
