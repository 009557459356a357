// Package presets uses pools of well-known packages.
package presets

import (
	"io"
	"log"

	"github.com/colega/zeropool"
	"github.com/valyala/bytebufferpool"
	"github.com/valyala/fasthttp"
	"github.com/valyala/fastjson"

	"lessgc/pool"
)

func badBodyAfterRelease(w io.Writer, url string) error {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	req.SetRequestURI(url)
	err := fasthttp.Do(req, resp)
	body := resp.Body()
	fasthttp.ReleaseRequest(req)
	fasthttp.ReleaseResponse(resp)
	if err != nil {
		return err
	}
	_, err = w.Write(body) // want "is used after it was put back"
	return err
}

func goodBodyBeforeRelease(w io.Writer, url string) error {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	req.SetRequestURI(url)
	err := fasthttp.Do(req, resp)
	body := resp.Body()
	if err == nil {
		_, err = w.Write(body)
	}
	fasthttp.ReleaseRequest(req)
	fasthttp.ReleaseResponse(resp)
	return err
}

func goodSwappedBodyAfterRelease(w io.Writer, url string) error {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	req.SetRequestURI(url)
	err := fasthttp.Do(req, resp)
	body := resp.SwapBody(nil)
	fasthttp.ReleaseRequest(req)
	fasthttp.ReleaseResponse(resp)
	if err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

func badStatusAfterRelease(url string) int {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseResponse(resp)
		return 0
	}
	fasthttp.ReleaseResponse(resp)
	return resp.StatusCode() // want "is used after it was put back"
}

func goodStatusBeforeRelease(url string) int {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseResponse(resp)
		return 0
	}
	code := resp.StatusCode()
	fasthttp.ReleaseResponse(resp)
	return code
}

func badPeekAfterRelease(query string) bool {
	args := fasthttp.AcquireArgs()
	args.Parse(query)
	q := args.Peek("q")
	fasthttp.ReleaseArgs(args)
	return len(q) > 0 && q[0] == '-' // want "is used after it was put back"
}

func goodPeekBeforeRelease(query string) bool {
	args := fasthttp.AcquireArgs()
	args.Parse(query)
	q := args.Peek("q")
	negative := len(q) > 0 && q[0] == '-'
	fasthttp.ReleaseArgs(args)
	return negative
}

func badByteBuffer(w io.Writer, name string) {
	bb := bytebufferpool.Get()
	bb.WriteString(name)
	bytebufferpool.Put(bb)
	w.Write(bb.B) // want "is used after it was put back"
}

func goodByteBuffer(w io.Writer, name string) {
	bb := bytebufferpool.Get()
	bb.WriteString(name)
	w.Write(bb.B)
	bytebufferpool.Put(bb)
}

var own bytebufferpool.Pool

func badByteBufferOfOwnPool(w io.Writer, name string) {
	bb := own.Get()
	bb.WriteString(name)
	b := bb.Bytes()
	own.Put(bb)
	w.Write(b) // want "is used after it was put back"
}

func goodByteBufferOfOwnPool(w io.Writer, name string) {
	bb := own.Get()
	bb.WriteString(name)
	s := bb.String()
	own.Put(bb)
	io.WriteString(w, s)
}

var (
	parsers fastjson.ParserPool
	arenas  fastjson.ArenaPool
)

func badValueAfterPut(doc string) int {
	p := parsers.Get()
	v, err := p.Parse(doc)
	parsers.Put(p)
	if err != nil {
		return 0
	}
	return v.GetInt("id") // want "is used after it was put back"
}

func goodValueBeforePut(doc string) int {
	p := parsers.Get()
	v, err := p.Parse(doc)
	if err != nil {
		parsers.Put(p)
		return 0
	}
	id := v.GetInt("id")
	parsers.Put(p)
	return id
}

func badStringBytesAfterPut(hosts map[string]int, doc string) int {
	p := parsers.Get()
	v, err := p.Parse(doc)
	if err != nil {
		parsers.Put(p)
		return 0
	}
	host := v.GetStringBytes("host")
	parsers.Put(p)
	return hosts[string(host)] // want "is used after it was put back"
}

func goodStringBeforePut(hosts map[string]int, doc string) int {
	p := parsers.Get()
	v, err := p.Parse(doc)
	if err != nil {
		parsers.Put(p)
		return 0
	}
	host := string(v.GetStringBytes("host"))
	parsers.Put(p)
	return hosts[host]
}

func badObjectAfterPut(name string) string {
	a := arenas.Get()
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	arenas.Put(a)
	return o.String() // want "is used after it was put back"
}

func goodObjectBeforePut(name string) string {
	a := arenas.Get()
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	s := o.String()
	a.Reset()
	arenas.Put(a)
	return s
}

var chunks = zeropool.New(func() []byte { return make([]byte, 1024) })

func badChunk(r io.Reader) (byte, error) {
	b := chunks.Get()
	_, err := r.Read(b)
	chunks.Put(b)
	return b[0], err // want "is used after it was put back"
}

func goodChunk(r io.Reader) (byte, error) {
	b := chunks.Get()
	_, err := r.Read(b)
	first := b[0]
	chunks.Put(b)
	return first, err
}

type visit struct {
	path string
	hits int
}

var (
	visits  = pool.Pool[visit]{Reset: func(v *visit) { *v = visit{} }}
	buffers pool.Buffers
)

func badVisit(path string) string {
	v := visits.Get()
	v.path = path
	v.hits++
	visits.Put(v)
	return v.path // want "is used after it was put back"
}

func goodVisit(path string) string {
	v := visits.Get()
	v.path = path
	v.hits++
	p := v.path
	visits.Put(v)
	return p
}

func badBuffer(w io.Writer, name string) {
	b := buffers.Get(len(name))
	b.WriteString(name)
	buffers.Put(b)
	log.Print("wrote ", b.Len()) // want "is used after it was put back"
}

func goodBuffer(w io.Writer, name string) {
	b := buffers.Get(len(name))
	b.WriteString(name)
	log.Print("wrote ", b.Len())
	buffers.Put(b)
}

func badBytesOfBuffer(w io.Writer, name string) {
	b := buffers.Get(len(name))
	b.WriteString(name)
	text := b.Bytes()
	buffers.Put(b)
	w.Write(text) // want "is used after it was put back"
}

func goodStringOfBuffer(w io.Writer, name string) {
	b := buffers.Get(len(name))
	b.WriteString(name)
	text := b.String()
	buffers.Put(b)
	io.WriteString(w, text)
}

func goodScoped(name string) (n int) {
	buffers.With(len(name), func(b *pool.Buffer) {
		b.WriteString(name)
		n = b.Len()
	})
	visits.With(func(v *visit) { v.hits += n })
	return n
}
