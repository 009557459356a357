package types

import "sync"

type encoder struct{ n int }

type decoder struct{ n int }

var decoders sync.Pool

func getDecoder() *decoder {
	d, ok := decoders.Get().(*decoder)
	if !ok {
		d = new(decoder)
	}
	return d
}

func (d *decoder) goodClose() { decoders.Put(d) }

func (e *encoder) badClose() {
	decoders.Put(e) // want `is put into decoders, from which only \*decoder is taken: its users discard this value`
}

// Values of both types are taken from this one.
var both sync.Pool

func get(n int) any {
	switch v := both.Get(); v := v.(type) {
	case *encoder:
		v.n = n
		return v
	case *decoder:
		return v
	}
	return new(encoder)
}

func (e *encoder) goodBoth() { both.Put(e) }
func (d *decoder) goodBoth() { both.Put(d) }
