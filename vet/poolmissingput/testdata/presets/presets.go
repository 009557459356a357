// Package presets uses pools of well-known packages.
package presets

import (
	"errors"
	"io"

	"github.com/colega/zeropool"
	"github.com/valyala/bytebufferpool"
	"github.com/valyala/fasthttp"
	"github.com/valyala/fastjson"

	"lessgc/pool"
)

var errStatus = errors.New("unexpected status")

func badRequest(url string) (int, error) {
	req := fasthttp.AcquireRequest() // want "is never put back"
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	err := fasthttp.Do(req, resp)
	return resp.StatusCode(), err
}

func goodRequest(url string) (int, error) {
	req := fasthttp.AcquireRequest()
	defer fasthttp.ReleaseRequest(req)
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(url)
	err := fasthttp.Do(req, resp)
	return resp.StatusCode(), err
}

func badResponse(req *fasthttp.Request) ([]byte, error) {
	resp := fasthttp.AcquireResponse() // want "is not put back"
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseResponse(resp)
		return nil, err
	}
	if resp.StatusCode() != 200 {
		return nil, errStatus
	}
	body := append([]byte(nil), resp.Body()...)
	fasthttp.ReleaseResponse(resp)
	return body, nil
}

func goodResponse(req *fasthttp.Request) ([]byte, error) {
	resp := fasthttp.AcquireResponse()
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseResponse(resp)
		return nil, err
	}
	if resp.StatusCode() != 200 {
		fasthttp.ReleaseResponse(resp)
		return nil, errStatus
	}
	body := append([]byte(nil), resp.Body()...)
	fasthttp.ReleaseResponse(resp)
	return body, nil
}

// The caller releases the response.
func goodResponseReturned(req *fasthttp.Request) (*fasthttp.Response, error) {
	resp := fasthttp.AcquireResponse()
	if err := fasthttp.Do(req, resp); err != nil {
		fasthttp.ReleaseResponse(resp)
		return nil, err
	}
	return resp, nil
}

// After a timeout the client may still use both: they must not be released.
func goodAbandoned(req *fasthttp.Request, errs <-chan error, quit <-chan struct{}, start func(*fasthttp.Request, *fasthttp.Response)) error {
	resp := fasthttp.AcquireResponse()
	start(req, resp)
	select {
	case err := <-errs:
		fasthttp.ReleaseResponse(resp)
		return err
	case <-quit:
		return errStatus
	}
}

func badArgs(query string) int {
	args := fasthttp.AcquireArgs() // want "is never put back"
	args.Parse(query)
	return args.Len()
}

func goodArgs(query string) int {
	args := fasthttp.AcquireArgs()
	defer fasthttp.ReleaseArgs(args)
	args.Parse(query)
	return args.Len()
}

func badByteBuffer(w io.Writer, text string) error {
	bb := bytebufferpool.Get() // want "is not put back"
	bb.WriteString(text)
	if _, err := w.Write(bb.B); err != nil {
		return err
	}
	bytebufferpool.Put(bb)
	return nil
}

func goodByteBuffer(w io.Writer, text string) error {
	bb := bytebufferpool.Get()
	defer bytebufferpool.Put(bb)
	bb.WriteString(text)
	if _, err := w.Write(bb.B); err != nil {
		return err
	}
	return nil
}

var parsers fastjson.ParserPool

func badParser(doc string, limit int) (int, error) {
	p := parsers.Get() // want "is not put back"
	v, err := p.Parse(doc)
	if err != nil {
		return 0, err
	}
	id := v.GetInt("id")
	if id > limit {
		return 0, errStatus
	}
	parsers.Put(p)
	return id, nil
}

func goodParser(doc string, limit int) (int, error) {
	p := parsers.Get()
	v, err := p.Parse(doc)
	if err != nil {
		return 0, err
	}
	defer parsers.Put(p)
	id := v.GetInt("id")
	if id > limit {
		return 0, errStatus
	}
	return id, nil
}

var arenas fastjson.ArenaPool

func badArena(name string) string {
	a := arenas.Get() // want "is never put back"
	return a.NewString(name).String()
}

func goodArena(name string) string {
	a := arenas.Get()
	s := a.NewString(name).String()
	a.Reset()
	arenas.Put(a)
	return s
}

var chunks = zeropool.New(func() []byte { return make([]byte, 1024) })

func badChunk(w io.Writer, r io.Reader) error {
	b := chunks.Get() // want "is not put back"
	n, err := r.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	chunks.Put(b)
	return err
}

func goodChunk(w io.Writer, r io.Reader) error {
	b := chunks.Get()
	defer chunks.Put(b)
	n, err := r.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

type visit struct{ path string }

var (
	visits  pool.Pool[visit]
	buffers pool.Buffers
)

func badVisit(path string) int {
	v := visits.Get() // want "is not put back"
	v.path = path
	if path == "" {
		return 0
	}
	n := len(v.path)
	visits.Put(v)
	return n
}

func goodVisit(path string) int {
	v := visits.Get()
	defer visits.Put(v)
	v.path = path
	if path == "" {
		return 0
	}
	return len(v.path)
}

func badBuffer(name string) string {
	b := buffers.Get(len(name)) // want "is never put back"
	b.WriteString(name)
	return b.String()
}

func goodBuffer(name string) string {
	b := buffers.Get(len(name))
	defer buffers.Put(b)
	b.WriteString(name)
	return b.String()
}

func goodScoped(name string) string {
	return buffers.String(len(name), func(b *pool.Buffer) {
		b.WriteString(name)
	})
}
