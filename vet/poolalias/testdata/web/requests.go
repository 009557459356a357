//go:build !lessgc_short

package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// badRequestBody puts the buffer back while the transport may still send it: it reads the body on a
// goroutine, and a server may answer before it has all of it.
func badRequestBody(c *http.Client, url string, v []byte) (*http.Response, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	req, err := http.NewRequest(http.MethodPost, url, buf)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "text/plain")
	return c.Do(req) // want "which is put back"
}

// goodRequestText sends a copy.
func goodRequestText(c *http.Client, url string, v []byte) (*http.Response, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(buf.String()))
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

// badRequestReader sends what a reader reads from the buffer, with a context.
func badRequestReader(ctx context.Context, t http.RoundTripper, url string, v []byte) (int, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(v)
	req, err := http.NewRequest(http.MethodPut, url, bytes.NewReader(buf.Bytes()))
	if err != nil {
		buffers.Put(buf)
		return 0, err
	}
	resp, err := t.RoundTrip(req.WithContext(ctx)) // want "which is put back"
	buffers.Put(buf)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}

// badPost posts from the buffer.
func badPost(url string, v []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	resp, err := http.Post(url, "text/plain", buf) // want "which is put back"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// send sends data, and says nothing about when that is over.
func send(c *http.Client, url string, data []byte) error {
	resp, err := c.Post(url, "text/plain", bytes.NewReader(data))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func badSend(c *http.Client, url string, v []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	return send(c, url, buf.Bytes()) // want "which is put back"
}

func goodSend(c *http.Client, url string, v []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	return send(c, url, bytes.Clone(buf.Bytes()))
}

// A waitingBody tells when the transport is done with it.
type waitingBody struct {
	io.Reader
	closed chan struct{}
}

func (b *waitingBody) Close() error {
	close(b.closed)
	return nil
}

// goodRequestWaits puts the buffer back when the body is closed.
func goodRequestWaits(c *http.Client, url string, v []byte) (*http.Response, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	body := &waitingBody{Reader: buf, closed: make(chan struct{})}
	req, err := http.NewRequest(http.MethodPost, url, body)
	if err != nil {
		return nil, err
	}
	resp, err := c.Do(req)
	<-body.closed
	return resp, err
}

// A lentBody is put back when the transport is done with it.
type lentBody struct{ *bytes.Buffer }

func (b lentBody) Close() error {
	buffers.Put(b.Buffer)
	return nil
}

// goodRequestCloses leaves it to the body.
func goodRequestCloses(c *http.Client, url string, v []byte) (*http.Response, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(v)
	req, err := http.NewRequest(http.MethodPost, url, lentBody{buf})
	if err != nil {
		buffers.Put(buf)
		return nil, err
	}
	return c.Do(req)
}

// A trackedBody remembers what was read of another, for another try.
type trackedBody struct {
	r    io.Reader
	read []byte
}

func (b *trackedBody) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.read = append(b.read, p[:n]...)
	return n, err
}

func (b *trackedBody) Close() error { return nil }

// badForward is a proxy whose body is set in a request that exists.
func badForward(t http.RoundTripper, r *http.Request) (*http.Response, error) {
	tb := tracked.Get().(*trackedBody)
	defer tracked.Put(tb)
	tb.r, tb.read = r.Body, tb.read[:0]
	req := r.Clone(r.Context())
	req.Body = tb
	return t.RoundTrip(req) // want "which is put back"
}

// goodForward is one whose body is its own.
func goodForward(t http.RoundTripper, r *http.Request) (*http.Response, error) {
	req := r.Clone(r.Context())
	req.Body = &trackedBody{r: r.Body}
	return t.RoundTrip(req)
}

var requests = sync.Pool{New: func() any { return new(http.Request) }}

// goodRequestReused has the request again when the body of the response is closed.
func goodRequestReused(c *http.Client, u *url.URL) (int, error) {
	req := requests.Get().(*http.Request)
	defer requests.Put(req)
	*req = http.Request{Method: http.MethodGet, URL: u}
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}

func do(c *http.Client, req *http.Request) (int, error) {
	req.Header.Set("User-Agent", "case")
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}

func badDo(c *http.Client, url string, v []byte) (int, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(v)
	req, err := http.NewRequest(http.MethodPost, url, buf)
	if err != nil {
		return 0, err
	}
	return do(c, req) // want "which is put back"
}
