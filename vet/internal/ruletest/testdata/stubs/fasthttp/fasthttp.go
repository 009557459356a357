// Package fasthttp has the part of github.com/valyala/fasthttp that the cases use. Its
// client echoes.
package fasthttp

import (
	"errors"
	"io"
	"sync"
	"time"
)

type buffer struct{ B []byte }

func (b *buffer) set(p []byte) { b.B = append(b.B[:0], p...) }

var bodies = sync.Pool{New: func() any { return new(buffer) }}

// A RequestHeader is the header of a request.
type RequestHeader struct {
	method, contentType []byte
	h                   map[string][]byte
}

// SetMethod sets the method.
func (h *RequestHeader) SetMethod(method string) { h.method = append(h.method[:0], method...) }

// SetContentType sets the content type.
func (h *RequestHeader) SetContentType(t string) { h.contentType = append(h.contentType[:0], t...) }

// Peek returns the value of a field, in the header's memory.
func (h *RequestHeader) Peek(key string) []byte { return h.h[key] }

// A Request is a request.
type Request struct {
	Header RequestHeader
	uri    []byte
	body   *buffer
}

// SetRequestURI sets the address.
func (r *Request) SetRequestURI(uri string) { r.uri = append(r.uri[:0], uri...) }

// SetBody sets the body to a copy of p.
func (r *Request) SetBody(p []byte) {
	if r.body == nil {
		r.body = bodies.Get().(*buffer)
	}
	r.body.set(p)
}

// Body returns the body, in the request's memory.
func (r *Request) Body() []byte {
	if r.body == nil {
		return nil
	}
	return r.body.B
}

// Reset empties the request.
func (r *Request) Reset() {
	r.uri = r.uri[:0]
	if r.body != nil {
		bodies.Put(r.body)
		r.body = nil
	}
}

// A ResponseHeader is the header of a response.
type ResponseHeader struct {
	contentType []byte
	h           map[string][]byte
}

// Peek returns the value of a field, in the header's memory.
func (h *ResponseHeader) Peek(key string) []byte { return h.h[key] }

// ContentType returns the content type, in the header's memory.
func (h *ResponseHeader) ContentType() []byte { return h.contentType }

// A Response is a response.
type Response struct {
	Header ResponseHeader
	code   int
	body   *buffer
}

// StatusCode returns the status.
func (r *Response) StatusCode() int { return r.code }

// Body returns the body, in the response's memory.
func (r *Response) Body() []byte {
	if r.body == nil {
		return nil
	}
	return r.body.B
}

// BodyWriteTo writes the body to w.
func (r *Response) BodyWriteTo(w io.Writer) error {
	_, err := w.Write(r.Body())
	return err
}

// SwapBody puts body in the place of the response's, which then belongs to the caller.
func (r *Response) SwapBody(body []byte) []byte {
	if r.body == nil {
		r.body = bodies.Get().(*buffer)
	}
	old := r.body.B
	r.body.B = body
	return old
}

// Reset empties the response.
func (r *Response) Reset() {
	r.code = 0
	if r.body != nil {
		bodies.Put(r.body)
		r.body = nil
	}
}

var (
	requests  sync.Pool
	responses sync.Pool
	argses    sync.Pool
)

// AcquireRequest returns an empty request.
func AcquireRequest() *Request {
	if v := requests.Get(); v != nil {
		return v.(*Request)
	}
	return &Request{}
}

// ReleaseRequest gives r back.
func ReleaseRequest(r *Request) {
	r.Reset()
	requests.Put(r)
}

// AcquireResponse returns an empty response.
func AcquireResponse() *Response {
	if v := responses.Get(); v != nil {
		return v.(*Response)
	}
	return &Response{}
}

// ReleaseResponse gives r back.
func ReleaseResponse(r *Response) {
	r.Reset()
	responses.Put(r)
}

// Args are the arguments of a query.
type Args struct {
	h map[string][]byte
}

// Parse reads a query.
func (a *Args) Parse(s string) { a.h = map[string][]byte{"q": []byte(s)} }

// Peek returns an argument, in the memory of a.
func (a *Args) Peek(key string) []byte { return a.h[key] }

// Len returns the number of arguments.
func (a *Args) Len() int { return len(a.h) }

// AcquireArgs returns empty arguments.
func AcquireArgs() *Args {
	if v := argses.Get(); v != nil {
		return v.(*Args)
	}
	return &Args{}
}

// ReleaseArgs gives a back.
func ReleaseArgs(a *Args) {
	clear(a.h)
	argses.Put(a)
}

// Do sends a request and waits for the response.
func Do(req *Request, resp *Response) error {
	if len(req.uri) == 0 {
		return errors.New("no address")
	}
	resp.code = 200
	resp.SwapBody(append([]byte(nil), req.Body()...))
	return nil
}

// DoTimeout is Do with a limit.
func DoTimeout(req *Request, resp *Response, _ time.Duration) error { return Do(req, resp) }
