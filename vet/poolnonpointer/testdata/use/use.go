// Package use uses the pools of another package.
package use

import (
	"bytes"

	"cases/wrap"
)

var (
	slices   = wrap.New(func() []byte { return make([]byte, 0, 512) })
	pointers = wrap.New(func() *[]byte { return new([]byte) })
	counted  wrap.Counted[[]string]
	buffers  wrap.Counted[*bytes.Buffer]
	typed    wrap.Pointers[[]byte]
)

func badGeneric(s string) int {
	b := append(slices.Get()[:0], s...)
	defer slices.Put(b) // want `a value of type \[\]byte is put into a sync.Pool, through Put: every Put allocates 24 bytes`
	return len(b)
}

func goodGeneric(s string) int {
	b := pointers.Get()
	defer pointers.Put(b)
	*b = append((*b)[:0], s...)
	return len(*b)
}

func badNested(words []string) {
	counted.Put(words) // want `a value of type \[\]string is put into a sync.Pool, through Put`
}

func goodNested(b *bytes.Buffer) {
	buffers.Put(b)
}

func badAny(b []byte) {
	wrap.Give(b) // want `a value of type \[\]byte is put into a sync.Pool, through Give`
}

func goodAny(b []byte) {
	wrap.Give(&b)
}

func badInferred(b []byte) {
	wrap.Return(b) // want `a value of type \[\]byte is put into a sync.Pool, through Return`
}

func goodInferred(b []byte) {
	wrap.Return(&b)
}

func badBound(b []byte) func() {
	put := slices.Put
	put(b) // want `a value of type \[\]byte is put into a sync.Pool, through Put`
	return nil
}

func goodBound(b []byte) func() {
	put := typed.Put
	put(&b)
	typed.Keep(b)
	return nil
}
