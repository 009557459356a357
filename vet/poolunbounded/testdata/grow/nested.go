package grow

import (
	"bytes"
	"sync"
)

// The growth stands in methods of the type of a field, and the test of the capacity there only makes
// room.
type inner struct {
	words []string
	raw   []byte
}

func (i *inner) add(words ...string) {
	if cap(i.words)-len(i.words) < len(words) {
		next := make([]string, len(i.words), 2*cap(i.words)+len(words))
		copy(next, i.words)
		i.words = next
	}
	i.words = append(i.words, words...)
}

func (i *inner) reset() { i.words = i.words[:0] }

type outer struct {
	name string
	in   *inner
}

var outers = sync.Pool{New: func() any { return &outer{in: new(inner)} }}

func (o *outer) add(s string) { o.in.add(s) }

func (o *outer) badClose() {
	o.in.reset()
	outers.Put(o) // want `a \*outer is put into outers`
}

func useOuter(list []string) {
	o := outers.Get().(*outer)
	defer o.badClose()
	for _, s := range list {
		o.add(s)
	}
}

type boundInner struct{ words []string }

func (i *boundInner) add(words ...string) { i.words = append(i.words, words...) }

func (i *boundInner) large() bool { return cap(i.words) > 1000 }

type boundOuter struct{ in *boundInner }

var boundOuters = sync.Pool{New: func() any { return &boundOuter{in: new(boundInner)} }}

func (o *boundOuter) goodClose() {
	if o.in.large() {
		return
	}
	boundOuters.Put(o)
}

func useBoundOuter(list []string) {
	o := boundOuters.Get().(*boundOuter)
	defer o.goodClose()
	for _, s := range list {
		o.in.add(s)
	}
}

// Whether there is anything is not whether it is large.
type joined struct{ buf bytes.Buffer }

var joins = sync.Pool{New: func() any { return new(joined) }}

func (j *joined) add(s string) {
	if j.buf.Len() > 0 {
		j.buf.WriteByte(',')
	}
	j.buf.WriteString(s)
}

func badJoined(list []string) string {
	j := joins.Get().(*joined)
	j.buf.Reset()
	for _, s := range list {
		j.add(s)
	}
	s := j.buf.String()
	joins.Put(j) // want `a \*joined is put into joins`
	return s
}

type goodJoin struct{ buf bytes.Buffer }

var goodJoins = sync.Pool{New: func() any { return new(goodJoin) }}

func (j *goodJoin) add(s string) {
	if j.buf.Len() > 0 {
		j.buf.WriteByte(',')
	}
	j.buf.WriteString(s)
}

func putJoin(j *goodJoin, most int) {
	if j.buf.Len() < most {
		goodJoins.Put(j)
	}
}

func goodJoined(list []string) string {
	j := goodJoins.Get().(*goodJoin)
	j.buf.Reset()
	for _, s := range list {
		j.add(s)
	}
	s := j.buf.String()
	putJoin(j, len(list))
	return s
}

// A decoder stops at the most that it is given.
var decoded = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func decodeTo(b *bytes.Buffer, most int, in []byte) bool {
	for _, c := range in {
		if b.Len() == most {
			return false
		}
		b.WriteByte(c ^ 1)
	}
	return true
}

func goodDecoded(in []byte) string {
	b := decoded.Get().(*bytes.Buffer)
	b.Reset()
	defer decoded.Put(b)
	decodeTo(b, 100, in)
	return b.String()
}

// What a field points to may belong to others.
type registry struct {
	mu   sync.Mutex
	conn sync.Pool
	seen map[string]int
}

func (r *registry) add(s string) { r.seen[s]++ }

type conn struct {
	of   *registry
	name string
}

func (r *registry) get(name string) *conn {
	c, ok := r.conn.Get().(*conn)
	if !ok {
		return &conn{of: r, name: name}
	}
	c.name = name
	return c
}

func (c *conn) goodClose() {
	c.of.add(c.name)
	c.name = ""
	c.of.conn.Put(c)
}

// A size that is set for the program.
var settings struct{ depth int }

var stacks = sync.Pool{New: func() any { return make([]uintptr, 0, settings.depth) }}

func goodStack(f func([]uintptr) int) int {
	s := stacks.Get().([]uintptr)
	if cap(s) < settings.depth {
		s = make([]uintptr, settings.depth)
	}
	n := f(s[:cap(s)])
	stacks.Put(s)
	return n
}
