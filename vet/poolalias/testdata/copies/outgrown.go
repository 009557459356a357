package copies

import "sync"

// A table has room for the usual number of names.
type table struct{ room [64]byte }

var usual = sync.Pool{New: func() any { return new(table) }}

type names struct{ all []byte }

// What is returned shares the room only if append has left it, as in github.com/hashicorp/go-msgpack.
func resolve(in []string, t *table) (out []byte) {
	list := t.room[:0]
	for _, n := range in {
		list = append(list, n...)
	}
	if len(list) <= len(t.room) {
		out = make([]byte, 0, len(list))
	} else {
		out = list[:0]
	}
	return append(out, "x"...)
}

func goodOutgrown(in []string, kind int) *names {
	all := names{}
	switch kind {
	case 1:
		t := usual.Get()
		all.all = resolve(in, t.(*table))
		usual.Put(t)
	}
	return &all
}

func goodOutgrownHere(in []string) []byte {
	t := usual.Get().(*table)
	defer usual.Put(t)
	list := t.room[:0]
	for _, n := range in {
		list = append(list, n...)
	}
	var out []byte
	if len(list) > len(t.room) {
		out = list[:0]
	}
	return append(out, "x"...)
}

func badInRoom(in []string) *names {
	t := usual.Get().(*table)
	defer usual.Put(t)
	list := t.room[:0]
	for _, n := range in {
		list = append(list, n[0])
	}
	return &names{all: list} // want "the value returned aliases t"
}

// The new memory is the pool's too.
var raw = sync.Pool{New: func() any { return new([]byte) }}

func badRaw(in []string) []byte {
	p := raw.Get().(*[]byte)
	defer raw.Put(p)
	b := (*p)[:0]
	if cap(b) < 1000 {
		b = make([]byte, 0, 1000)
	}
	for _, n := range in {
		b = append(b, n...)
	}
	*p = b
	return b // want "the value returned aliases p"
}
