// Package directives has functions that make arenas, as their directives say.
package directives

import "cases/regions"

type region struct{ mem []byte }

//lessgc:acquire arena
func open(n int) *region { return &region{make([]byte, n)} }

//lessgc:releases r
func shut(r *region) { r.mem = nil }

//lessgc:releases r
func (r *region) close() { r.mem = nil }

func (r *region) fill(f func(int) byte) {
	for i := range r.mem {
		r.mem[i] = f(i)
	}
}

func badFunction(f func(int) byte) int {
	r := open(8)
	r.fill(f)
	n := int(r.mem[0])
	shut(r) // want `r is not freed if fill panics`
	return n
}

func goodFunction(f func(int) byte) int {
	r := open(8)
	defer shut(r)
	r.fill(f)
	return int(r.mem[0])
}

func badMethod(f func(int) byte) int {
	r := open(8)
	r.fill(f)
	n := int(r.mem[0])
	r.close() // want `r is not freed if fill panics`
	return n
}

func goodMethod(f func(int) byte) int {
	r := open(8)
	defer r.close()
	r.fill(f)
	return int(r.mem[0])
}

func badElsewhere(f func() int) int {
	r := regions.Take()
	n := f()
	regions.Give(r) // want `r is not freed if f panics`
	return n
}

func goodElsewhere(f func() int) int {
	r := regions.Take()
	defer regions.Give(r)
	return f()
}

// No directive says that this makes an arena.
func plain(n int) *region { return &region{make([]byte, n)} }

func goodPlain(f func(int) byte) int {
	r := plain(8)
	r.fill(f)
	n := int(r.mem[0])
	shut(r)
	return n
}
