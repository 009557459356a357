// Package grow has pools of values that grow.
package grow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"

	"lessgc/pool"
)

var answers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badReadFrom(r io.Reader) (string, error) {
	b := answers.Get().(*bytes.Buffer)
	b.Reset()
	_, err := b.ReadFrom(r)
	s := b.String()
	answers.Put(b) // want `a \*bytes.Buffer is put into answers whatever its capacity`
	return s, err
}

var guarded = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodGuarded(r io.Reader) (string, error) {
	b := guarded.Get().(*bytes.Buffer)
	b.Reset()
	_, err := b.ReadFrom(r)
	s := b.String()
	if b.Cap() <= 1<<16 {
		guarded.Put(b)
	}
	return s, err
}

var limited = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodLimited(r io.Reader) (string, error) {
	b := limited.Get().(*bytes.Buffer)
	defer limited.Put(b)
	b.Reset()
	_, err := b.ReadFrom(io.LimitReader(r, 4096))
	return b.String(), err
}

// Passed as a writer.
var encoded = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badEncoder(w io.Writer, v any) error {
	b := encoded.Get().(*bytes.Buffer)
	defer encoded.Put(b) // want `a \*bytes.Buffer is put into encoded`
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A few numbers.
var numbers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodNumbers(w io.Writer, x, y int) {
	b := numbers.Get().(*bytes.Buffer)
	defer numbers.Put(b)
	b.Reset()
	fmt.Fprintf(b, "%d,%d", x, y)
	b.WriteString("\n")
	b.WriteByte(0)
	w.Write(b.Bytes())
}

var names = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badNames(w io.Writer, first, last string) {
	b := names.Get().(*bytes.Buffer)
	defer names.Put(b) // want `a \*bytes.Buffer is put into names`
	b.Reset()
	fmt.Fprintf(b, "%s,%s", first, last)
	w.Write(b.Bytes())
}

// Single bytes, in a loop.
var dots = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badLoop(w io.Writer, n int) {
	b := dots.Get().(*bytes.Buffer)
	defer dots.Put(b) // want `a \*bytes.Buffer is put into dots`
	b.Reset()
	for range n {
		b.WriteByte('.')
	}
	w.Write(b.Bytes())
}

// Wrappers.
var wrapped = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer { return wrapped.Get().(*bytes.Buffer) }

func badPut(b *bytes.Buffer) {
	b.Reset()
	wrapped.Put(b) // want `a \*bytes.Buffer is put into wrapped`
}

func use(s string) int {
	b := get()
	defer badPut(b)
	b.WriteString(s)
	return b.Len()
}

var wrappedGuarded = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getGuarded() *bytes.Buffer { return wrappedGuarded.Get().(*bytes.Buffer) }

func goodPut(b *bytes.Buffer) {
	if !small(b) {
		return
	}
	b.Reset()
	wrappedGuarded.Put(b)
}

func small(b *bytes.Buffer) bool { return b.Cap() < 1<<16 }

func useGuarded(s string) int {
	b := getGuarded()
	defer goodPut(b)
	b.WriteString(s)
	return b.Len()
}

// The caller of the wrapper looks.
var callers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putCaller(b *bytes.Buffer) { callers.Put(b) }

func goodCaller(s string) int {
	b := callers.Get().(*bytes.Buffer)
	b.Reset()
	n, _ := b.WriteString(s)
	if cap(b.Bytes()) < 4096 {
		putCaller(b)
	}
	return n
}

// Slices.
var lines = sync.Pool{New: func() any { return new([]byte) }}

func badAppend(w io.Writer, s string) {
	p := lines.Get().(*[]byte)
	*p = append((*p)[:0], s...)
	w.Write(*p)
	lines.Put(p) // want `a \*\[\]byte is put into lines`
}

var shortLines = sync.Pool{New: func() any { return new([]byte) }}

func goodAppend(w io.Writer, n int64) {
	p := shortLines.Get().(*[]byte)
	*p = append(strconv.AppendInt((*p)[:0], n, 10), "\r\n"...)
	w.Write(*p)
	shortLines.Put(p)
}

var copies = sync.Pool{New: func() any { return new([]byte) }}

func badCopiedBack(w io.Writer, words []string) {
	p := copies.Get().(*[]byte)
	b := (*p)[:0]
	defer func() {
		*p = b
		copies.Put(p) // want `a \*\[\]byte is put into copies`
	}()
	for _, s := range words {
		b = append(b, s...)
	}
	w.Write(b)
}

var copiesGuarded = sync.Pool{New: func() any { return new([]byte) }}

func goodCopiedBack(w io.Writer, words []string) {
	p := copiesGuarded.Get().(*[]byte)
	b := (*p)[:0]
	defer func() {
		if cap(b) > 1<<14 {
			return
		}
		*p = b
		copiesGuarded.Put(p)
	}()
	for _, s := range words {
		b = append(b, s...)
	}
	w.Write(b)
}

var chunks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func goodFixed(w io.Writer, r io.Reader) error {
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	_, err := io.CopyBuffer(w, r, *p)
	return err
}

var sized = sync.Pool{New: func() any { return new([]byte) }}

func badMade(w io.Writer, n int) {
	p := sized.Get().(*[]byte)
	*p = make([]byte, n)
	w.Write(*p)
	sized.Put(p) // want `a \*\[\]byte is put into sized`
}

var direct = sync.Pool{New: func() any { return []byte(nil) }}

func badDirect(w io.Writer, s string) {
	b := direct.Get().([]byte)
	b = append(b[:0], s...)
	w.Write(b)
	direct.Put(b) // want `a \[\]byte is put into direct`
}

var directFixed = sync.Pool{New: func() any { return make([]byte, 512) }}

func goodDirect(w io.Writer, s string) {
	b := directFixed.Get().([]byte)
	n := copy(b, s)
	w.Write(b[:n])
	directFixed.Put(b)
}

// The length is looked at before Put.
var ints = sync.Pool{New: func() any { return new([]int) }}

func badInts(list []int) (sum int) {
	p := ints.Get().(*[]int)
	*p = append((*p)[:0], list...)
	for i := range *p {
		sum += (*p)[i]
	}
	ints.Put(p) // want `a \*\[\]int is put into ints`
	return sum
}

var shortInts = sync.Pool{New: func() any { return new([]int) }}

func goodInts(list []int) (sum int) {
	p := shortInts.Get().(*[]int)
	*p = append((*p)[:0], list...)
	for i := range *p {
		sum += (*p)[i]
	}
	if len(*p) < 100 {
		shortInts.Put(p)
	}
	return sum
}

// Maps.
var sets = sync.Pool{New: func() any { return map[string]bool{} }}

func badSet(words []string) int {
	m := sets.Get().(map[string]bool)
	for _, w := range words {
		m[w] = true
	}
	n := len(m)
	clear(m)
	sets.Put(m) // want `a map\[string\]bool is put into sets`
	return n
}

var smallSets = sync.Pool{New: func() any { return map[string]bool{} }}

func goodSet(words []string) int {
	m := smallSets.Get().(map[string]bool)
	for _, w := range words {
		m[w] = true
	}
	n := len(m)
	if len(m) < 1000 {
		clear(m)
		smallSets.Put(m)
	}
	return n
}

// Structs.
type state struct {
	name  string
	stack []int
}

var states = sync.Pool{New: func() any { return new(state) }}

func (s *state) push(n int) {
	for i := range n {
		s.stack = append(s.stack, i)
	}
}

func badStruct(n int) int {
	s := states.Get().(*state)
	s.stack = s.stack[:0]
	s.push(n)
	n = len(s.stack)
	states.Put(s) // want `a \*state is put into states`
	return n
}

type bounded struct {
	name  string
	stack []int
}

var boundeds = sync.Pool{New: func() any { return new(bounded) }}

func (s *bounded) push(n int) {
	for i := range n {
		s.stack = append(s.stack, i)
	}
}

func goodStruct(n int) int {
	s := boundeds.Get().(*bounded)
	s.push(n)
	n = len(s.stack)
	s.stack = nil
	boundeds.Put(s)
	return n
}

type fresh struct {
	attrs map[string]string
	buf   bytes.Buffer
}

var freshes = sync.Pool{New: func() any { return new(fresh) }}

func goodZeroed(k, v string) int {
	f := freshes.Get().(*fresh)
	if f.attrs == nil {
		f.attrs = map[string]string{}
	}
	f.attrs[k] = v
	n := len(f.attrs)
	*f = fresh{}
	freshes.Put(f)
	return n
}

type lazy struct {
	attrs map[string]string
	buf   bytes.Buffer
}

var lazies = sync.Pool{New: func() any { return new(lazy) }}

func badLazy(k, v string) int {
	f := lazies.Get().(*lazy)
	if f.attrs == nil {
		f.attrs = map[string]string{}
	}
	clear(f.attrs)
	f.attrs[k] = v
	lazies.Put(f) // want `a \*lazy is put into lazies`
	return len(k)
}

type page struct {
	bytes.Buffer
	title string
}

var pages = sync.Pool{New: func() any { return new(page) }}

func badEmbedded(s string) int {
	p := pages.Get().(*page)
	p.Reset()
	n, _ := p.WriteString(s)
	pages.Put(p) // want `a \*page is put into pages`
	return n
}

// Pools of this project.
var typed pool.Pool[bytes.Buffer]

func badTyped(s string) int {
	b := typed.Get()
	b.Reset()
	n, _ := b.WriteString(s)
	typed.Put(b) // want `a \*bytes.Buffer is put into typed`
	return n
}

var buffers pool.Buffers

func goodBuffers(s string) int {
	b := buffers.Get(0)
	n, _ := b.WriteString(s)
	buffers.Put(b)
	return n
}

// An exported pool is not seen whole.
var Shared = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodExported(s string) int {
	b := Shared.Get().(*bytes.Buffer)
	b.Reset()
	n, _ := b.WriteString(s)
	Shared.Put(b)
	return n
}

// A writer that only counts what it is given, and one that keeps it.
type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

var counters = sync.Pool{New: func() any { return new(counter) }}

func goodCounter(r io.Reader) int {
	c := counters.Get().(*counter)
	defer counters.Put(c)
	c.n = 0
	io.Copy(c, r)
	return c.n
}

type keeper struct{ kept []byte }

func (k *keeper) Write(p []byte) (int, error) {
	k.kept = append(k.kept, p...)
	return len(p), nil
}

var keepers = sync.Pool{New: func() any { return new(keeper) }}

func badKeeper(r io.Reader) string {
	k := keepers.Get().(*keeper)
	defer keepers.Put(k) // want `a \*keeper is put into keepers`
	k.kept = k.kept[:0]
	io.Copy(k, r)
	return string(k.kept)
}

// A header of a fixed size.
var headers = sync.Pool{New: func() any { return new([]byte) }}

func goodHeader(w io.Writer, kind byte) {
	p := headers.Get().(*[]byte)
	defer headers.Put(p)
	*p = header(*p, 12)
	(*p)[0] = kind
	w.Write(*p)
}

func header(b []byte, size int) []byte { return append(b[:0], make([]byte, size)...) }

// Taken out by another method.
type capture struct{ taken []byte }

func (c *capture) add(p []byte) { c.taken = append(c.taken, p...) }

func (c *capture) take() []byte {
	if c.taken == nil {
		panic("nothing taken")
	}
	b := c.taken
	c.taken = nil
	return b
}

var captures = sync.Pool{New: func() any { return new(capture) }}

func goodTaken(p []byte, f func(*capture)) {
	c := captures.Get().(*capture)
	c.add(p)
	f(c)
	captures.Put(c)
}
