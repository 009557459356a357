//go:build !lessgc_short

// Package web has handlers, clients and middleware.
package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var copies = sync.Pool{New: func() any { return new([32 << 10]byte) }}

var tracked = sync.Pool{New: func() any { return new(trackedBody) }}

// badBodyOfRequest reads the body so that it can be read again.
func badBodyOfRequest(r *http.Request) (int, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(r.Body); err != nil {
		return 0, err
	}
	r.Body = io.NopCloser(bytes.NewReader(buf.Bytes())) // want "which is put back"
	return buf.Len(), nil
}

func goodBodyOfRequest(r *http.Request) (int, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(r.Body); err != nil {
		return 0, err
	}
	r.Body = io.NopCloser(strings.NewReader(buf.String()))
	return buf.Len(), nil
}

// The body is the original one again before the buffer goes back.
func goodBodyRestored(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		buf := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(buf)
		buf.Reset()
		if _, err := buf.ReadFrom(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body := r.Body
		r.Body = io.NopCloser(bytes.NewReader(buf.Bytes()))
		next.ServeHTTP(w, r)
		r.Body = body
	})
}

func badBodyOfResponse(resp *http.Response) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(resp.Body); err != nil {
		return err
	}
	resp.Body.Close()
	resp.Body = io.NopCloser(buf) // want "which is put back"
	resp.Header.Set("Content-Length", strconv.Itoa(buf.Len()))
	return nil
}

func goodBodyOfResponse(resp *http.Response) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(resp.Body); err != nil {
		return err
	}
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(bytes.Clone(buf.Bytes())))
	resp.Header.Set("Content-Length", strconv.Itoa(buf.Len()))
	return nil
}

// A pooledBody puts its buffer when it is closed.
type pooledBody struct {
	*bytes.Buffer
}

// Close puts the buffer.
func (b pooledBody) Close() error {
	buffers.Put(b.Buffer)
	return nil
}

func goodBodyThatPuts(resp *http.Response) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if _, err := buf.ReadFrom(resp.Body); err != nil {
		buffers.Put(buf)
		return err
	}
	resp.Body.Close()
	resp.Body = pooledBody{buf}
	return nil
}

func badNewResponse(v any) (*http.Response, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(buf.Bytes()))}, nil // want "which is put back"
}

func goodNewResponse(v any) (*http.Response, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(buf.String()))}, nil
}

func badNewRequest(ctx context.Context, url string, v any) (*http.Request, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return http.NewRequestWithContext(ctx, "POST", url, buf) // want "which is put back"
}

func goodNewRequest(ctx context.Context, url string, v any) (*http.Request, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(buf.String()))
}

func goodHandler(w http.ResponseWriter, r *http.Request) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(r.Header); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(buf.Len()))
	w.Write(buf.Bytes())
}

func goodDecode(r *http.Request, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(http.MaxBytesReader(nil, r.Body, 1<<20)); err != nil {
		return fmt.Errorf("reading the body: %w", err)
	}
	return json.Unmarshal(buf.Bytes(), v)
}

// A buffer to copy with is only lent to io.CopyBuffer.
func goodProxy(w http.ResponseWriter, resp *http.Response) (int64, error) {
	b := copies.Get().(*[32 << 10]byte)
	defer copies.Put(b)
	return io.CopyBuffer(w, resp.Body, b[:])
}

// A compressor wraps the writer that it was given.
type compressor struct {
	http.ResponseWriter
	zw *gzip.Writer
}

// Write compresses p.
func (c *compressor) Write(p []byte) (int, error) { return c.zw.Write(p) }

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// The wrapper is gone when the handler returns.
func goodCompress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zw := gzips.Get().(*gzip.Writer)
		defer gzips.Put(zw)
		zw.Reset(w)
		defer zw.Close()
		next.ServeHTTP(&compressor{w, zw}, r)
	})
}

type session struct {
	user  string
	token []byte
}

type key struct{}

// badContext keeps a session beyond the request that made it.
func badContext(r *http.Request) *http.Request {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.WriteString(r.Header.Get("Authorization"))
	s := &session{user: r.RemoteAddr, token: buf.Bytes()}
	return r.WithContext(context.WithValue(r.Context(), key{}, s)) // want "which is put back"
}

func goodContext(r *http.Request) *http.Request {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.WriteString(r.Header.Get("Authorization"))
	s := &session{user: r.RemoteAddr, token: []byte(buf.String())}
	return r.WithContext(context.WithValue(r.Context(), key{}, s))
}
