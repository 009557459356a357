// Package pools keeps slices in pools.
package pools

import (
	"errors"
	"strconv"
	"sync"
)

var errShort = errors.New("short")

var buffers = sync.Pool{New: func() any { return make([]byte, 0, 1024) }}

// render takes a buffer, and keeps what it has grown to.
func render(n int) string {
	buf := buffers.Get().([]byte)
	for i := range n {
		buf = strconv.AppendInt(buf, int64(i), 10)
	}
	s := string(buf)
	buffers.Put(buf[:0]) // rewritten: pooled := buffers.Get().(*[]byte)
	return s
}

// early puts it back on each way.
func early(n int) (string, error) {
	buf := buffers.Get().([]byte)[:0]
	if n < 0 {
		buffers.Put(buf) // rewritten
		return "", errShort
	}
	// The number.
	buf = strconv.AppendInt(buf, int64(n), 10)
	s := string(buf)
	// It is used again.
	buffers.Put(buf[:0]) // rewritten
	return s, nil
}

// onSome puts it back if it is not large.
func onSome(n int) int {
	var buf []byte
	buf = append(buffers.Get().([]byte)[:0], "number "...)
	for range n {
		buf = append(buf, '.')
	}
	if len(buf) < 100 {
		buffers.Put(buf[:0]) // rewritten
	}
	return len(buf)
}

// inLoop takes one for each number.
func inLoop(all []int) (n int) {
	for _, k := range all {
		if k < 0 {
			continue
		}
		buf := buffers.Get().([]byte)
		buf = strconv.AppendInt(buf, int64(k), 10)
		n += len(buf)
		buffers.Put(buf[:0]) // rewritten
	}
	return n
}

// afterPut reads what it has put back, where no other goroutine takes it.
func afterPut(n int) int {
	buf := strconv.AppendInt(taken(), int64(n), 10)
	buf = append(plain.Get().([]byte)[:0], buf...)
	plain.Put(buf) // rewritten
	return len(buf)
}

// outgrown has a slice with other memory, and looks in between.
func outgrown(look func(old []byte)) {
	buf := plain.Get().([]byte)
	old := buf[:cap(buf)]
	buf = append(make([]byte, 0, 2*cap(buf)), buf...)
	look(old)
	plain.Put(buf) // rewritten
}

func taken() []byte { return nil }

var plain = sync.Pool{New: func() interface{} { return make([]byte, 0, 4096) }}

// lines are those of a comment.
var lines = &sync.Pool{
	New: func() any {
		all := make([]string, 0, 8)
		return all
	},
}

// deferred puts back the slice as it is taken: what it grows to is not kept.
func deferred(names ...string) int {
	all := lines.Get().([]string)
	defer lines.Put(all) // rewritten: pooled
	all = append(all, names...)
	return len(all)
}

// deferredLater has a slice with other memory.
func deferredLater(names ...string) int {
	all := lines.Get().([]string)
	all = append(all, names...)
	defer lines.Put(all[:0]) // rewritten: *pooled = all[:0]
	all = append(all, "end")
	return len(all)
}

// deferredLiteral puts back what it has grown to, also after a panic.
func deferredLiteral(names ...string) (n int) {
	all := lines.Get().([]string)[:0]
	defer func() {
		clear(all)
		lines.Put(all[:0]) // rewritten
		if r := recover(); r != nil {
			n = -1
		}
	}()
	for _, name := range names {
		if name == "" {
			panic("no name")
		}
		all = append(all, name)
	}
	return len(all)
}

// onOneLine has pooled mean something else.
func onOneLine(pooled string) int {
	all := append(lines.Get().([]string)[:0], pooled)
	defer func() { lines.Put(all[:0]) }()
	return len(all)
}

// deferredTwice defers it in a deferred function.
func deferredTwice(names ...string) int {
	all := append(lines.Get().([]string)[:0], names...)
	defer func() {
		defer lines.Put(all[:0]) // rewritten
		clear(all)
		all = nil
	}()
	return len(all)
}

// deferredArgument gives the slice as it is then.
func deferredArgument(names ...string) int {
	all := append(lines.Get().([]string)[:0], names...)
	defer func(all []string) {
		clear(all)
		lines.Put(all[:0]) // rewritten
	}(all)
	all = nil
	return len(names) - len(all)
}

// another puts back a slice with memory of its own.
func another(names ...string) int {
	all := append(lines.Get().([]string)[:0], names...)
	n := len(all)
	other := make([]string, 0, n)
	lines.Put(other) // rewritten
	return n
}

// literal takes one in a function literal.
func literal(names ...string) int {
	count := func(name string) int {
		all := append(lines.Get().([]string)[:0], name)
		n := len(all)
		lines.Put(all[:0]) // rewritten
		return n
	}
	sum := 0
	for _, name := range names {
		sum += count(name)
	}
	return sum
}

const roomForRunes = 64

var (
	runes sync.Pool
	once  sync.Once
)

// decode has a pool for short texts.
func decode(s string) string {
	once.Do(func() {})
	l := len(s)
	var r []rune
	if l > roomForRunes {
		r = make([]rune, 0, len(s))
	} else {
		if x := runes.Get(); x != nil {
			r = x.([]rune)[:0]
		} else {
			r = make([]rune, 0, roomForRunes)
		}
	}
	for _, c := range s {
		r = append(r, c+1)
	}
	res := string(r)
	if l <= roomForRunes {
		runes.Put(r) // rewritten: pooled = new([]rune)
	}
	return res
}

// always puts back what it has made.
func always(s string) int {
	var r []rune
	// A slice of an earlier call.
	if x := runes.Get(); x != nil {
		r = x.([]rune)
	} else {
		r = make([]rune, 0, roomForRunes)
	}
	r = append(r[:0], []rune(s)...)
	n := len(r)
	runes.Put(r) // rewritten: var pooled *[]rune
	return n
}

// isNil asks the other way.
func isNil(s string) int {
	var r []rune
	if x := runes.Get(); x == nil {
		r = make([]rune, 0, roomForRunes)
	} else {
		r = x.([]rune)[:0]
	}
	for _, c := range s {
		r = append(r, c)
	}
	defer runes.Put(r[:0]) // rewritten: *pooled = r[:0]
	return len(r)
}

// fromPool has the pool's own only.
func fromPool(s string) int {
	if x := runes.Get(); x != nil {
		r := x.([]rune)[:0]
		for _, c := range s {
			r = append(r, c)
		}
		n := len(r)
		runes.Put(r) // rewritten: pooled := x.(*[]rune)
		return n
	}
	return len([]rune(s))
}

// table is a type of the package.
type table []int

var tables = sync.Pool{New: func() any {
	b := 8
	return make(table, 0, b)
}}

// sometimes has a table of its own for many.
func sometimes(n int) int {
	var t table
	if n < 100 {
		t = tables.Get().(table)
	} else {
		t = make(table, 0, n)
	}
	for i := range n {
		t = append(t, i)
	}
	sum := 0
	for _, i := range t {
		sum += i
	}
	switch {
	case n < 100:
		tables.Put(t[:0]) // rewritten: pooled = new(table)
	}
	return sum
}

// recursive takes one for each call.
func recursive(n int) int {
	if n == 0 {
		return 0
	}
	t := append(tables.Get().(table)[:0], n)
	sum := recursive(n-1) + t[0]
	tables.Put(t[:0]) // rewritten
	return sum
}

var ints sync.Pool

// nestedAssert takes what the pool has only for some.
func nestedAssert(n int) int {
	var t []int
	if x := ints.Get(); x != nil {
		if n > 3 {
			t = x.([]int)[:0]
		}
	} else {
		t = make([]int, 0, 8)
	}
	t = append(t, n)
	ints.Put(t) // rewritten: if pooled == nil {
	return len(t)
}

// emptyElse has nothing to do if the pool is empty.
func emptyElse(n int) int {
	var t []int
	if x := ints.Get(); x != nil {
		t = x.([]int)[:0]
	} else {
	}
	t = append(t, n)
	ints.Put(t) // rewritten
	return len(t)
}

// elseIf does not ask the pool for many.
func elseIf(n int) int {
	var t []int
	if n > 8 {
		t = make([]int, 0, n)
	} else if x := ints.Get(); x != nil {
		t = x.([]int)[:0]
	} else {
		t = make([]int, 0, 8)
	}
	t = append(t, n)
	ints.Put(t) // rewritten
	return len(t)
}

// innerPut has a pointer in the branch only.
func innerPut(n int) int {
	if x := ints.Get(); x != nil {
		t := []int{}
		if n > 3 {
			t = x.([]int)[:0]
		}
		t = append(t, n)
		ints.Put(t) // rewritten
		return len(t)
	}
	return n
}

var grown = sync.Pool{New: func() any { return make([]int, 0, 8) }}

// deferredGrown returns the length of the slice that was put back before.
func deferredGrown(n int) int {
	t := grown.Get().([]int)
	had := len(t)
	t = append(t, n)
	defer grown.Put(t) // rewritten
	t = nil
	return had
}

var emptied = sync.Pool{New: func() any { return make([]int, 3) }}

// deferredEmptied puts back none.
func deferredEmptied() int {
	t := emptied.Get().([]int)[:0]
	defer emptied.Put(t) // rewritten
	return len(append(t, 1)[:cap(t)])
}

// emptiedLength is the length of the slice that was put back before.
func emptiedLength() int {
	t := emptied.Get().([]int)
	n := len(t)
	emptied.Put(t) // rewritten
	return n
}

var swapped = sync.Pool{New: func() any { return make([]int, 0, 8) }}

// deferredOther returns the length of the slice that was put back before.
func deferredOther(other []int) int {
	t := swapped.Get().([]int)
	defer swapped.Put(other) // rewritten
	return len(t)
}

var none []byte

var constantNew = sync.Pool{New: func() any { return none }}

// twoOfNone takes two at a time, which New makes of one variable.
func twoOfNone(n int) (sum int) {
	b := append(constantNew.Get().([]byte)[:0], byte(n))
	if n > 0 {
		sum = twoOfNone(n - 1)
	}
	sum += int(b[0])
	constantNew.Put(b) // rewritten: b := none
	return sum
}

var latest *[]byte

var marked = sync.Pool{New: func() any {
	b := make([]byte, 0, 8)
	latest = &b
	return b
}}

// useMarked leaves the slice that New has noted as it is.
func useMarked(n int) int {
	b := append(marked.Get().([]byte)[:0], byte(n))
	marked.Put(b) // rewritten: b2 := b
	return len(*latest)
}

var hasty sync.Pool

// putUnlessEarly leaves before the Put, so that a pointer is made for it only.
func putUnlessEarly(n int) int {
	var b []byte
	if x := hasty.Get(); x != nil {
		b = x.([]byte)[:0]
	} else {
		b = make([]byte, 0, 64)
	}
	if n < 0 {
		return -1
	}
	b = append(b, byte(n))
	hasty.Put(b) // rewritten: if pooled == nil {
	return len(b)
}

var commented = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putBelowComment(n int) int {
	var b []byte
	n++ /* one more,
	for the end */
	if n > 64 {
		b = commented.Get().([]byte)[:0]
	}
	b = append(b, byte(n))
	n = len(b)
	commented.Put(b) // rewritten: if pooled == nil {
	return n
}
