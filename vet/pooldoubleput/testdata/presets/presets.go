// Package presets uses pools of well-known packages.
package presets

import (
	"io"

	"github.com/colega/zeropool"
	"github.com/valyala/bytebufferpool"
	"github.com/valyala/fasthttp"
	"github.com/valyala/fastjson"

	"lessgc/pool"
)

func badRequest(url string) (int, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req) // want "is put back twice"
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseRequest(req)
		return 0, err
	}
	return resp.StatusCode(), nil
}

func goodRequest(url string) (int, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	if err := fasthttp.Do(req, resp); err != nil {
		return 0, err
	}
	return resp.StatusCode(), nil
}

func badResponse(w io.Writer, req *fasthttp.Request) error {
	resp := fasthttp.AcquireResponse()
	err := fasthttp.Do(req, resp)
	if err == nil {
		err = resp.BodyWriteTo(w)
		fasthttp.ReleaseResponse(resp)
	}
	fasthttp.ReleaseResponse(resp) // want "is put back twice"
	return err
}

func goodResponse(w io.Writer, req *fasthttp.Request) error {
	resp := fasthttp.AcquireResponse()
	err := fasthttp.Do(req, resp)
	if err == nil {
		err = resp.BodyWriteTo(w)
	}
	fasthttp.ReleaseResponse(resp)
	return err
}

// Every attempt has a response of its own.
func goodRetry(req *fasthttp.Request, attempts int) (err error) {
	for range attempts {
		resp := fasthttp.AcquireResponse()
		err = fasthttp.Do(req, resp)
		fasthttp.ReleaseResponse(resp)
		if err == nil {
			return nil
		}
	}
	return err
}

func badByteBuffer(w io.Writer, text string) error {
	bb := bytebufferpool.Get()
	defer bytebufferpool.Put(bb) // want "is put back twice"
	bb.WriteString(text)
	_, err := bb.WriteTo(w)
	bytebufferpool.Put(bb)
	return err
}

func goodByteBuffer(w io.Writer, text string) error {
	bb := bytebufferpool.Get()
	defer bytebufferpool.Put(bb)
	bb.WriteString(text)
	_, err := bb.WriteTo(w)
	return err
}

var parsers fastjson.ParserPool

func badParser(doc string) (int, error) {
	p := parsers.Get()
	v, err := p.Parse(doc)
	if err != nil {
		parsers.Put(p)
	}
	id := 0
	if v != nil {
		id = v.GetInt("id")
	}
	parsers.Put(p) // want "is put back twice"
	return id, err
}

func goodParser(doc string) (int, error) {
	p := parsers.Get()
	v, err := p.Parse(doc)
	if err != nil {
		parsers.Put(p)
		return 0, err
	}
	id := v.GetInt("id")
	parsers.Put(p)
	return id, nil
}

var arenas fastjson.ArenaPool

func badArena(name string) string {
	a := arenas.Get()
	defer arenas.Put(a) // want "is put back twice"
	s := a.NewString(name).String()
	a.Reset()
	arenas.Put(a)
	return s
}

func goodArena(name string) string {
	a := arenas.Get()
	defer arenas.Put(a)
	s := a.NewString(name).String()
	a.Reset()
	return s
}

var chunks = zeropool.New(func() []byte { return make([]byte, 1024) })

// A part of the chunk is the chunk's memory.
func badChunk(r io.Reader) (int, error) {
	b := chunks.Get()
	n, err := r.Read(b)
	if err != nil {
		chunks.Put(b[:0])
	}
	chunks.Put(b) // want "is put back twice"
	return n, err
}

func goodChunk(r io.Reader) (int, error) {
	b := chunks.Get()
	n, err := r.Read(b)
	if err != nil {
		clear(b[:n])
	}
	chunks.Put(b)
	return n, err
}

type visit struct{ path string }

var (
	visits  pool.Pool[visit]
	buffers pool.Buffers
)

func badVisit(path string) {
	v := visits.Get()
	defer visits.Put(v) // want "is put back twice"
	v.path = path
	if path == "/" {
		visits.Put(v)
	}
}

func goodVisit(path string) {
	v := visits.Get()
	defer visits.Put(v)
	v.path = path
	if path == "/" {
		v.path = "/index"
	}
}

func badBuffer(w io.Writer, text string) error {
	b := buffers.Get(len(text))
	b.WriteString(text)
	_, err := b.WriteTo(w)
	if err != nil {
		buffers.Put(b)
	}
	buffers.Put(b) // want "is put back twice"
	return err
}

func goodBuffer(w io.Writer, text string) error {
	b := buffers.Get(len(text))
	b.WriteString(text)
	_, err := b.WriteTo(w)
	if err != nil {
		b.Reset()
	}
	buffers.Put(b)
	return err
}

// With puts the buffer itself.
func badScoped(text string) {
	buffers.With(len(text), func(b *pool.Buffer) {
		b.WriteString(text)
		buffers.Put(b)
		buffers.Put(b) // want "is put back twice"
	})
}

func goodScoped(text string) (n int) {
	buffers.With(len(text), func(b *pool.Buffer) {
		b.WriteString(text)
		n = b.Len()
	})
	return n
}
