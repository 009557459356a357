// Package presets uses pools of well-known packages.
package presets

import (
	"bytes"
	"io"
	"strconv"

	"github.com/colega/zeropool"
	"github.com/valyala/bytebufferpool"
	"github.com/valyala/fasthttp"
	"github.com/valyala/fastjson"

	"lessgc/pool"
)

func badBody(url string) ([]byte, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	return resp.Body(), nil // want "which is put back"
}

func goodBody(url string) ([]byte, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	return append([]byte(nil), resp.Body()...), nil
}

// SwapBody takes the body out of the response.
func goodSwappedBody(url string) ([]byte, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	return resp.SwapBody(nil), nil
}

func goodBodyWritten(w io.Writer, url string) (int, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		return 0, err
	}
	return resp.StatusCode(), resp.BodyWriteTo(w)
}

type reply struct {
	code int
	body []byte
}

func badBodyInStruct(req *fasthttp.Request) (*reply, error) {
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	return &reply{resp.StatusCode(), resp.Body()}, nil // want "which is put back"
}

func goodBodyInStruct(req *fasthttp.Request) (*reply, error) {
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	return &reply{resp.StatusCode(), bytes.Clone(resp.Body())}, nil
}

func badHeader(req *fasthttp.Request) ([]byte, error) {
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	err := fasthttp.Do(req, resp)
	return resp.Header.Peek("Location"), err // want "which is put back"
}

func goodHeader(req *fasthttp.Request) (string, error) {
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	err := fasthttp.Do(req, resp)
	return string(resp.Header.Peek("Location")), err
}

// The response goes to the caller, who releases it.
func goodResponse(req *fasthttp.Request) (*fasthttp.Response, error) {
	resp := fasthttp.AcquireResponse()
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseResponse(resp)
		return nil, err
	}
	return resp, nil
}

func badResponse(req *fasthttp.Request) (*fasthttp.Response, error) {
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	return resp, nil // want "which is put back"
}

func badByteBuffer(n int) []byte {
	bb := bytebufferpool.Get()
	defer bytebufferpool.Put(bb)
	bb.B = strconv.AppendInt(bb.B, int64(n), 10)
	return bb.B // want "which is put back"
}

func goodByteBuffer(n int) string {
	bb := bytebufferpool.Get()
	defer bytebufferpool.Put(bb)
	bb.B = strconv.AppendInt(bb.B, int64(n), 10)
	return bb.String()
}

var own bytebufferpool.Pool

func badByteBufferOfOwnPool(text string) []byte {
	bb := own.Get()
	bb.WriteString(text)
	b := bytes.TrimSpace(bb.Bytes())
	own.Put(bb)
	return b // want "which is put back"
}

func goodByteBufferOfOwnPool(text string) []byte {
	bb := own.Get()
	bb.WriteString(text)
	b := bytes.TrimSpace([]byte(bb.String()))
	own.Put(bb)
	return b
}

// The bytes are taken out of the buffer before that goes back.
func goodByteBufferDetached(text string) []byte {
	bb := bytebufferpool.Get()
	defer bytebufferpool.Put(bb)
	bb.WriteString(text)
	b := bb.B
	bb.B = nil
	return b
}

var (
	parsers fastjson.ParserPool
	arenas  fastjson.ArenaPool
)

func badValue(doc string) (*fastjson.Value, error) {
	p := parsers.Get()
	defer parsers.Put(p)
	return p.Parse(doc) // want "which is put back"
}

func goodValue(doc string) (int, error) {
	p := parsers.Get()
	defer parsers.Put(p)
	v, err := p.Parse(doc)
	if err != nil {
		return 0, err
	}
	return v.GetInt("id"), nil
}

func badStringBytes(doc string) ([]byte, error) {
	p := parsers.Get()
	defer parsers.Put(p)
	v, err := p.Parse(doc)
	if err != nil {
		return nil, err
	}
	return v.GetStringBytes("name"), nil // want "which is put back"
}

func goodStringBytes(doc string) (string, error) {
	p := parsers.Get()
	defer parsers.Put(p)
	v, err := p.Parse(doc)
	if err != nil {
		return "", err
	}
	return string(v.GetStringBytes("name")), nil
}

func goodMarshalled(dst []byte, doc string) ([]byte, error) {
	p := parsers.Get()
	defer parsers.Put(p)
	v, err := p.Parse(doc)
	if err != nil {
		return dst, err
	}
	return v.MarshalTo(dst), nil
}

func badObject(name string) *fastjson.Value {
	a := arenas.Get()
	defer arenas.Put(a)
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	return o // want "which is put back"
}

func goodObject(name string) string {
	a := arenas.Get()
	defer arenas.Put(a)
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	return o.String()
}

var chunks = zeropool.New(func() []byte { return make([]byte, 1024) })

func badChunk(r io.Reader) ([]byte, error) {
	b := chunks.Get()
	defer chunks.Put(b)
	n, err := r.Read(b)
	return b[:n], err // want "which is put back"
}

func goodChunk(r io.Reader) ([]byte, error) {
	b := chunks.Get()
	defer chunks.Put(b)
	n, err := r.Read(b)
	return append([]byte(nil), b[:n]...), err
}

type visit struct {
	path string
	hops []string
}

var (
	visits  pool.Pool[visit]
	buffers pool.Buffers
	last    []byte
)

func badVisit(path string) []string {
	v := visits.Get()
	defer visits.Put(v)
	v.hops = append(v.hops[:0], path, "/")
	return v.hops // want "which is put back"
}

func goodVisit(path string) []string {
	v := visits.Get()
	v.hops = append(v.hops[:0], path, "/")
	hops := v.hops
	v.hops = nil
	visits.Put(v)
	return hops
}

func badBuffer(name string) []byte {
	b := buffers.Get(len(name))
	defer buffers.Put(b)
	b.WriteString(name)
	return b.Bytes() // want "which is put back"
}

func goodBuffer(name string) string {
	b := buffers.Get(len(name))
	defer buffers.Put(b)
	b.WriteString(name)
	return b.String()
}

// The buffer is put when the function that was given it returns.
func badScoped(name string) {
	buffers.With(len(name), func(b *pool.Buffer) {
		b.WriteString(name)
		last = b.Bytes() // want "which is put back"
	})
}

func goodScoped(name string) {
	buffers.With(len(name), func(b *pool.Buffer) {
		b.WriteString(name)
		last = append(last[:0], b.Bytes()...)
	})
}

func badScopedResult(name string) (out []byte) {
	buffers.With(len(name), func(b *pool.Buffer) {
		b.WriteString(name)
		out = b.Bytes() // want "which is put back"
	})
	return out
}

// Bytes returns a copy of what the function wrote.
func goodScopedResult(name string) []byte {
	return buffers.Bytes(len(name), func(b *pool.Buffer) {
		b.WriteString(name)
	})
}

func badScopedValue(path string) (kept *visit) {
	visits.With(func(v *visit) {
		v.path = path
		kept = v // want "which is put back"
	})
	return kept
}

func goodScopedValue(path string) (kept visit) {
	visits.With(func(v *visit) {
		v.path = path
		kept = visit{path: v.path}
	})
	return kept
}
