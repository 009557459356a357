// Package fields has pools of structs that are reset in part.
package fields

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// The reset stands in another method, and misses a field.
type encoder struct {
	buf    []byte
	indent string
	errs   []error
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func badNewEncoder() *encoder {
	e := encoders.Get().(*encoder) // want `errs, indent of the \*encoder of encoders`
	e.reset()
	return e
}

func (e *encoder) reset() { e.buf = e.buf[:0] }

func (e *encoder) setIndent(s string) { e.indent = s }

func (e *encoder) fail(err error) { e.errs = append(e.errs, err) }

func (e *encoder) encode(s string) {
	e.buf = append(append(e.buf, e.indent...), s...)
	if s == "" {
		e.fail(errors.New("empty"))
	}
}

func encode(w io.Writer, indent string, list []string) error {
	e := badNewEncoder()
	defer encoders.Put(e)
	if indent != "" {
		e.setIndent(indent)
	}
	for _, s := range list {
		e.encode(s)
	}
	w.Write(e.buf)
	return errors.Join(e.errs...)
}

// The same, and the rest is reset before Put.
type goodEncoder struct {
	buf    []byte
	indent string
	errs   []error
}

var goodEncoders = sync.Pool{New: func() any { return new(goodEncoder) }}

func goodNewEncoder() *goodEncoder {
	e := goodEncoders.Get().(*goodEncoder)
	e.reset()
	return e
}

func (e *goodEncoder) reset() { e.buf = e.buf[:0] }

func (e *goodEncoder) setIndent(s string) { e.indent = s }

func (e *goodEncoder) fail(err error) { e.errs = append(e.errs, err) }

func (e *goodEncoder) release() {
	e.indent = ""
	clear(e.errs)
	e.errs = e.errs[:0]
	goodEncoders.Put(e)
}

func (e *goodEncoder) encode(s string) {
	e.buf = append(append(e.buf, e.indent...), s...)
	if s == "" {
		e.fail(errors.New("empty"))
	}
}

func encodeGood(w io.Writer, indent string, list []string) error {
	e := goodNewEncoder()
	defer e.release()
	if indent != "" {
		e.setIndent(indent)
	}
	for _, s := range list {
		e.encode(s)
	}
	w.Write(e.buf)
	return errors.Join(e.errs...)
}

// A field that is always overwritten after Get needs no reset.
type writer struct {
	out  io.Writer
	name string
	buf  []byte
}

var writers = sync.Pool{New: func() any { return new(writer) }}

func goodNewWriter(out io.Writer, name string) *writer {
	w := writers.Get().(*writer)
	w.setOut(out)
	w.setName(name)
	w.buf = w.buf[:0]
	return w
}

func (w *writer) setOut(out io.Writer) { w.out = out }
func (w *writer) setName(name string)  { w.name = name }

func (w *writer) flush() {
	fmt.Fprint(w.out, w.name, w.buf)
	writers.Put(w)
}

func useWriter(out io.Writer, s string) {
	w := goodNewWriter(out, s)
	w.buf = append(w.buf, s...)
	w.flush()
}

// On one path only.
type optional struct {
	out    io.Writer
	prefix string
	buf    []byte
}

var optionals = sync.Pool{New: func() any { return new(optional) }}

func badNewOptional(out io.Writer, prefix string) *optional {
	w := optionals.Get().(*optional) // want `prefix of the \*optional of optionals`
	w.out = out
	if prefix != "" {
		w.setPrefix(prefix)
	}
	w.buf = w.buf[:0]
	return w
}

func (w *optional) setPrefix(s string) { w.prefix = s }

func (w *optional) flush() {
	fmt.Fprint(w.out, w.prefix, w.buf)
	optionals.Put(w)
}

func useOptional(out io.Writer, s string) {
	w := badNewOptional(out, s)
	w.buf = append(w.buf, s...)
	w.flush()
}

// A buffer in a field.
type response struct {
	status int
	body   bytes.Buffer
}

var responses = sync.Pool{New: func() any { return new(response) }}

func (r *response) text(s string) { r.body.WriteString(s) }

func (r *response) close(w io.Writer) {
	w.Write(r.body.Bytes())
	r.status = 0
	responses.Put(r)
}

func badRespond(w io.Writer, s string) {
	r := responses.Get().(*response) // want `body of the \*response of responses`
	r.status = 200
	r.text(s)
	r.close(w)
}

type goodResponse struct {
	status int
	body   bytes.Buffer
}

var goodResponses = sync.Pool{New: func() any { return new(goodResponse) }}

func (r *goodResponse) text(s string) { r.body.WriteString(s) }

func (r *goodResponse) close(w io.Writer) {
	r.body.WriteTo(w)
	r.status = 0
	goodResponses.Put(r)
}

func goodRespond(w io.Writer, s string) {
	r := goodResponses.Get().(*goodResponse)
	r.status = 200
	r.text(s)
	r.close(w)
}

// An error that sticks.
type scanner struct {
	in  []byte
	err error
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func (s *scanner) next() bool {
	if s.err != nil {
		return false
	}
	if len(s.in) == 0 {
		s.err = io.EOF
		return false
	}
	s.in = s.in[1:]
	return true
}

func badScan(in []byte) (n int) {
	s := scanners.Get().(*scanner) // want `err of the \*scanner of scanners`
	defer scanners.Put(s)
	s.in = in
	for s.next() {
		n++
	}
	return n
}

type goodScanner struct {
	in  []byte
	err error
}

var goodScanners = sync.Pool{New: func() any { return new(goodScanner) }}

func (s *goodScanner) next() bool {
	if s.err != nil {
		return false
	}
	if len(s.in) == 0 {
		s.err = io.EOF
		return false
	}
	s.in = s.in[1:]
	return true
}

func goodScan(in []byte) (n int) {
	s := goodScanners.Get().(*goodScanner)
	defer goodScanners.Put(s)
	s.in, s.err = in, nil
	for s.next() {
		n++
	}
	return n
}

// A map that is listed, and one that is a cache.
type counter struct {
	seen  map[string]int
	cache map[string]string
	n     int
}

var counters = sync.Pool{New: func() any { return &counter{seen: map[string]int{}, cache: map[string]string{}} }}

func (c *counter) count(s string) {
	c.seen[s]++
	if _, ok := c.cache[s]; !ok {
		c.cache[s] = s + s
	}
	c.n++
}

func badCount(list []string) int {
	c := counters.Get().(*counter) // want `seen of the \*counter of counters`
	defer counters.Put(c)
	for _, s := range list {
		c.count(s)
	}
	return len(c.seen)
}

// A stack that is taken down, room that is used by index, and what a whole assignment keeps.
type machine struct {
	stack []int
	regs  []int
	log   []string
}

var machines = sync.Pool{New: func() any { return new(machine) }}

func (m *machine) push(n int) { m.stack = append(m.stack, n) }

func (m *machine) pop() int {
	n := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return n
}

func (m *machine) set(reg, n int) {
	for len(m.regs) <= reg {
		m.regs = append(m.regs, n)
	}
	m.regs[reg] = n
}

func goodMachine(n int) int {
	m := machines.Get().(*machine)
	defer machines.Put(m)
	m.push(n)
	m.set(n, n)
	return m.pop() + m.regs[n]
}

type kept struct {
	words []string
	out   io.Writer
}

var keeps = sync.Pool{New: func() any { return new(kept) }}

func (k *kept) add(s string) { k.words = append(k.words, s) }

func badKept(out io.Writer, list []string) {
	k := keeps.Get().(*kept) // want `words of the \*kept of keeps`
	*k = kept{words: k.words, out: out}
	for _, s := range list {
		k.add(s)
	}
	fmt.Fprintln(k.out, k.words)
	keeps.Put(k)
}

type emptied struct {
	words []string
	out   io.Writer
}

var empties = sync.Pool{New: func() any { return new(emptied) }}

func (k *emptied) add(s string) { k.words = append(k.words, s) }

func goodEmptied(out io.Writer, list []string) {
	k := empties.Get().(*emptied)
	*k = emptied{words: k.words[:0], out: out}
	for _, s := range list {
		k.add(s)
	}
	fmt.Fprintln(k.out, k.words)
	empties.Put(k)
}

// Times and flags of the last use, which is read although this one did not get as far.
type trace struct {
	dns  time.Duration
	done bool
	step string
	n    int
}

var traces = sync.Pool{New: func() any { return new(trace) }}

func (t *trace) lookedUp(start time.Time) { t.dns = time.Since(start) }
func (t *trace) finish()                  { t.done = true }

func (t *trace) report() {
	fmt.Println(t.dns)
	if t.done {
		fmt.Println("done")
	}
}

func badTrace(do func() error) {
	t := traces.Get().(*trace) // want `dns, done of the \*trace of traces`
	defer traces.Put(t)
	start := time.Now()
	if do() == nil {
		t.lookedUp(start)
		t.finish()
	}
	t.report()
}

type goodTraced struct {
	dns  time.Duration
	once bool
	step string
}

var goodTraces = sync.Pool{New: func() any { return new(goodTraced) }}

func (t *goodTraced) lookedUp(start time.Time) { t.dns = time.Since(start) }

func (t *goodTraced) start() {
	if !t.once {
		t.once = true
		fmt.Println("first")
	}
}

func (t *goodTraced) next(s string) bool {
	if s == "" {
		return false
	}
	t.step = s + "."
	return true
}

func goodTrace(do func() error, s string) {
	t := goodTraces.Get().(*goodTraced)
	defer goodTraces.Put(t)
	t.start()
	begin := time.Now()
	err := do()
	t.lookedUp(begin)
	if err == nil && t.next(s) {
		fmt.Println(t.step)
	}
	fmt.Println(t.dns)
}
