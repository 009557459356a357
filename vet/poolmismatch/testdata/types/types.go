// Package types has pools that get one type and are asserted to hold another.
package types

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

type request struct {
	path string
	body []byte
}

type response struct {
	code int
	body []byte
}

var requests = sync.Pool{New: func() any { return new(request) }}

func badPutValue(path string) int {
	r := requests.Get().(*request)
	r.path = path
	n := len(r.path)
	requests.Put(*r) // want `request is put into requests, from which \*request is asserted`
	return n
}

func goodPutPointer(path string) int {
	r := requests.Get().(*request)
	r.path = path
	n := len(r.path)
	requests.Put(r)
	return n
}

var responses = sync.Pool{New: func() any { return new(response) }}

func badPutPointerToPointer(code int) {
	r := responses.Get().(*response)
	defer responses.Put(&r) // want `\*\*response is put into responses, from which \*response is asserted`
	r.code = code
}

func goodDeferPut(code int) {
	r := responses.Get().(*response)
	defer responses.Put(r)
	r.code = code
}

var chunks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func badPutSlice(r io.Reader, w io.Writer) error {
	p := chunks.Get().(*[]byte)
	b := *p
	n, err := r.Read(b)
	if err == nil {
		_, err = w.Write(b[:n])
	}
	chunks.Put(b) // want `\[\]byte is put into chunks, from which \*\[\]byte is asserted`
	return err
}

func goodPutHeader(r io.Reader, w io.Writer) error {
	p := chunks.Get().(*[]byte)
	b := *p
	n, err := r.Read(b)
	if err == nil {
		_, err = w.Write(b[:n])
	}
	chunks.Put(p)
	return err
}

// A conn keeps its pools in fields.
type conn struct {
	reqs sync.Pool
	outs sync.Pool
	logs sync.Pool
	ins  *sync.Pool
}

func newConn() *conn {
	return &conn{
		reqs: sync.Pool{New: func() any { return new(request) }},
		outs: sync.Pool{New: func() any { return new(response) }},
		logs: sync.Pool{New: func() any { return new(response) }},
		ins:  &sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}
}

func (c *conn) badField() string {
	r := c.logs.Get().(*request) // want `Get asserts \*request, but New of c.logs makes \*response`
	return r.path
}

func (c *conn) goodField() string {
	r := c.reqs.Get().(*request)
	defer c.reqs.Put(r)
	return r.path
}

func (c *conn) response() *response { return c.outs.Get().(*response) }

func (c *conn) badPutInAnotherMethod(r request) {
	c.outs.Put(&r) // want `\*request is put into c.outs, from which \*response is asserted`
}

func (c *conn) goodPutInAnotherMethod(r *response) {
	c.outs.Put(r)
}

func (c *conn) badPointerField(s string) string {
	b := c.ins.Get().(*strings.Builder) // want `Get asserts \*strings.Builder, but New of c.ins makes \*bytes.Buffer`
	b.WriteString(s)
	return b.String()
}

func (c *conn) goodPointerField(s string) string {
	b := c.ins.Get().(*bytes.Buffer)
	b.WriteString(s)
	return b.String()
}

var plain, asked, guarded, unguarded sync.Pool

func badNoNew() int {
	b := plain.Get().(*bytes.Buffer) // want `has no New that makes one: the assertion panics when the pool is empty`
	defer plain.Put(b)
	return b.Len()
}

func goodNoNewCommaOk() int {
	b, ok := asked.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	defer asked.Put(b)
	return b.Len()
}

func goodNoNewNilTest() int {
	v := guarded.Get()
	if v == nil {
		v = new(bytes.Buffer)
	}
	b := v.(*bytes.Buffer)
	defer guarded.Put(b)
	return b.Len()
}

func badNilNew() int {
	local := sync.Pool{New: func() any { return nil }}
	b := local.Get().(*bytes.Buffer) // want `Get asserts \*bytes.Buffer, but local has no New that makes one`
	defer local.Put(b)
	return b.Len()
}

func goodNewOfNamedFunction() int {
	local := sync.Pool{New: newBuffer}
	b := local.Get().(*bytes.Buffer)
	defer local.Put(b)
	return b.Len()
}

func newBuffer() any { return new(bytes.Buffer) }

func badNewOfNamedFunction() int {
	local := sync.Pool{New: newBuffer}
	b := local.Get().(bytes.Buffer) // want `Get asserts bytes.Buffer, but New of local makes \*bytes.Buffer`
	return b.Len()
}

// The type switch looks first.
var mixed sync.Pool

func goodMixed(r *request, s *response) int {
	mixed.Put(r)
	mixed.Put(s)
	switch v := mixed.Get().(type) {
	case *request:
		return len(v.path)
	case *response:
		return v.code
	}
	return 0
}

var unmixed = sync.Pool{New: func() any { return new(response) }}

func badMixed(s response) int {
	unmixed.Put(s) // want `response is put into unmixed, from which \*response is asserted`
	v := unmixed.Get()
	if s.code > 0 {
		return v.(*response).code
	}
	return 0
}

// An interface is asserted: whatever has the methods will do.
var writers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodInterface(s string) {
	w := writers.Get().(io.Writer)
	io.WriteString(w, s)
	writers.Put(new(strings.Builder))
}

var exact = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badNotTheInterface(s string) {
	w := exact.Get().(*bytes.Buffer)
	io.WriteString(w, s)
	exact.Put(new(strings.Builder)) // want `\*strings.Builder is put into exact, from which \*bytes.Buffer is asserted`
}

// Method values and go statements.
var later = sync.Pool{New: func() any { return new(request) }}

func badMethodValue() string {
	r := later.Get().(*request)
	put := later.Put
	defer func() {
		put(*r) // want `request is put into later, from which \*request is asserted`
	}()
	return r.path
}

func goodMethodValue() string {
	r := later.Get().(*request)
	put := later.Put
	defer func() {
		put(r)
	}()
	return r.path
}

func badGo(r *request) {
	go later.Put(*r) // want `request is put into later`
}

func goodGo(r *request) {
	go later.Put(r)
}

// Functions of the package that get and put for others.
var shared = sync.Pool{New: func() any { return new(request) }}

func take() any  { return shared.Get() }
func give(x any) { shared.Put(x) }

func badThroughWrapper() string {
	r := take().(*request)
	s := r.path
	give(*r) // want `request is put into shared, from which \*request is asserted`
	return s
}

func goodThroughWrapper() string {
	r := take().(*request)
	s := r.path
	give(r)
	return s
}

// Function literals of variables.
var badLiteral = func() string {
	r := requests.Get().(*request)
	defer requests.Put(*r) // want `request is put into requests`
	return r.path
}

var goodLiteral = func() string {
	r := requests.Get().(*request)
	defer requests.Put(r)
	return r.path
}

// Nil.
func badNilPointer(done bool) string {
	r := requests.Get().(*request)
	s := r.path
	r = nil
	if done {
		requests.Put(r) // want `a nil \*request is put into requests`
	}
	return s
}

func goodClearedAfterPut(done bool) string {
	r := requests.Get().(*request)
	s := r.path
	if done {
		requests.Put(r)
	}
	r = nil
	_ = r
	return s
}

func badNil() {
	requests.Put(nil) // want `nil is put into requests: Put does nothing`
}

// One type of struct, two pools of different types: each is used as what it is.
type named struct {
	name string
	sync.Pool
}

var (
	gets  = named{name: "gets", Pool: sync.Pool{New: func() any { return new(request) }}}
	sends = named{name: "sends", Pool: sync.Pool{New: func() any { return new(response) }}}
)

func goodTwoPoolsOfOneType() int {
	r := gets.Get().(*request)
	defer gets.Put(r)
	s := sends.Get().(*response)
	defer sends.Put(s)
	return len(r.path) + s.code
}

func badTwoPoolsOfOneType() int {
	r := gets.Get().(*request)
	s := sends.Get().(*response)
	defer gets.Put(s) // want `\*response is put into gets.Pool, from which \*request is asserted`
	return len(r.path) + s.code
}

func (n *named) goodEitherType(r *request, s *response) {
	if r != nil {
		n.Put(r)
	} else {
		n.Put(s)
	}
}

// An array, used as a slice in between.
var arrays = sync.Pool{New: func() any { return new([512]byte) }}

func goodArray(r io.Reader) (int, error) {
	b := arrays.Get().(*[512]byte)[:]
	defer func() { arrays.Put((*[512]byte)(b)) }()
	return r.Read(b)
}

func badArray(r io.Reader) (int, error) {
	b := arrays.Get().(*[512]byte)[:]
	defer func() { arrays.Put((*[256]byte)(b)) }() // want `\*\[256\]byte is put into arrays, from which \*\[512\]byte is asserted`
	return r.Read(b)
}

// Put back by whoever calls what is returned.
func goodRelease() (*request, func()) {
	r := requests.Get().(*request)
	return r, sync.OnceFunc(func() { requests.Put(r) })
}

func badRelease() (*request, func()) {
	r := requests.Get().(*request)
	return r, sync.OnceFunc(func() { requests.Put(&r) }) // want `\*\*request is put into requests`
}

// The pool is a parameter.
func badParameter(p *sync.Pool) int {
	r := p.Get().(*response)
	defer p.Put(*r) // want `response is put into p, from which \*response is asserted`
	return r.code
}

func goodParameter(p *sync.Pool) int {
	r := p.Get().(*response)
	defer p.Put(r)
	return r.code
}

func goodParameterOfTwoKinds(p *sync.Pool, requests bool) int {
	if requests {
		r := p.Get().(*request)
		defer p.Put(r)
		return len(r.path)
	}
	s := p.Get().(*response)
	defer p.Put(s)
	return s.code
}

func badParameterInClosure(p *sync.Pool) int {
	s := p.Get().(*response)
	defer func() {
		p.Put(*s) // want `response is put into p, from which \*response is asserted`
	}()
	return s.code
}

// A table of pools, chosen at run time.
var table = [2]sync.Pool{{New: func() any { return new(request) }}, {New: func() any { return new(response) }}}

func goodTable(kind int, r *request) int {
	if kind == 0 {
		table[kind].Put(r)
		return 0
	}
	return table[kind].Get().(*response).code
}

func badTable(r request) int {
	table[0].Put(r) // want `request is put into table\[0\], from which \*request is asserted`
	return len(table[0].Get().(*request).path)
}

// Reassigned in tests, with another type.
var swapped = &sync.Pool{New: func() any { return new(request) }}

func goodSwapped() int {
	swapped = &sync.Pool{New: func() any { return new(response) }}
	defer swapped.Put(new(response))
	return swapped.Get().(*response).code
}

func goodBeforeSwap() string {
	defer swapped.Put(new(request))
	return swapped.Get().(*request).path
}

var settled = &sync.Pool{New: func() any { return new(request) }}

func badSettled() string {
	defer settled.Put(new(response)) // want `\*response is put into settled, from which \*request is asserted`
	return settled.Get().(*request).path
}
