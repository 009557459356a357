package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// maxAnswer bounds the body of an answer, in bytes, and maxAnswerHeader its headers. The
// body is read and kept nowhere; the bound ends answers that have no end of their own.
const (
	maxAnswer       = 1 << 30
	maxAnswerHeader = 1 << 20
)

// An httpCall is a request without the server's address.
type httpCall struct {
	request *http.Request
	body    []byte
	status  int // wanted; 0 is for all of 200 to 299
}

// httpConns is the transport of HTTP. A round trip is the transport's own: redirects are
// not followed, cookies not kept, and bodies not decompressed.
type httpConns struct {
	addr, scheme string
	h2c          bool              // HTTP/2 without TLS
	transports   []*http.Transport // taken in turn; all connections of HTTP/1.1 are of one
	next         atomic.Uint64
	readiness    *Call // nil if it is enough that the server listens
	answer       int64 // bytes of a body that are read at most
}

func (s *Spec) dialHTTP(addr string) (*httpConns, error) {
	h := &httpConns{addr: addr, scheme: "http", answer: maxAnswer}
	var protocols http.Protocols
	transports, each := 1, s.connections()
	switch {
	case s.HTTP != "2":
		protocols.SetHTTP1(true)
	case s.TLS:
		protocols.SetHTTP2(true)
	default:
		h.h2c = true
		protocols.SetUnencryptedHTTP2(true)
	}
	if s.HTTP == "2" { // a transport would share one connection as long as it can
		transports, each = each, 1
	}
	if s.TLS {
		h.scheme = "https"
	}
	for range transports {
		h.transports = append(h.transports, &http.Transport{
			Protocols:              &protocols,
			HTTP2:                  &http.HTTP2Config{StrictMaxConcurrentRequests: true},
			TLSClientConfig:        &tls.Config{InsecureSkipVerify: true},
			DisableCompression:     true,
			MaxConnsPerHost:        each,
			MaxIdleConnsPerHost:    each,
			MaxResponseHeaderBytes: maxAnswerHeader,
		})
	}
	if s.Ready.Path == "" {
		return h, nil
	}
	request, err := s.request(s.Ready.request())
	h.readiness = &Call{http: &httpCall{request: request, status: s.Ready.Status}}
	return h, err
}

func (h *httpConns) close() {
	for _, t := range h.transports {
		t.CloseIdleConnections()
	}
}

func (h *httpConns) ready(ctx context.Context) error {
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", h.addr)
		if err == nil {
			old := h.h2c && answersOld(conn)
			conn.Close()
			if old {
				return errors.New(`the server answers HTTP/2 in HTTP/1.1; write "http": "1.1", or "tls": true if it speaks HTTP/2 by TLS only`)
			}
			break
		}
		if !wait(ctx) {
			return errSilent
		}
	}
	if h.readiness == nil {
		return nil
	}
	var last error
	for {
		try, cancel := context.WithTimeout(ctx, readyTry)
		err := h.do(try, h.readiness)
		cancel()
		if err == nil {
			return nil
		}
		if last == nil || ctx.Err() == nil { // the end of ctx says less
			last = err
		}
		if !wait(ctx) {
			return fmt.Errorf("GET %s is not answered as \"ready\" wants: %w", h.readiness.http.request.URL.EscapedPath(), last)
		}
	}
}

// answersOld reports whether a server takes the first bytes of an HTTP/2 connection, which
// are its preface and an empty frame of settings, for a request of HTTP/1.
func answersOld(conn net.Conn) bool {
	conn.SetDeadline(time.Now().Add(readyTry))
	io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00") // the answer tells
	first := make([]byte, len("HTTP/1"))
	io.ReadFull(conn, first)
	return string(first) == "HTTP/1"
}

func (h *httpConns) resolver(s *Spec) (func(context.Context, Request) (*Call, error), error) {
	return func(ctx context.Context, q Request) (*Call, error) {
		request, err := s.request(q)
		if err != nil {
			return nil, err
		}
		body, _, err := s.payload(ctx, q)
		return &Call{http: &httpCall{request, body, q.Status}}, err
	}, nil
}

func (h *httpConns) do(ctx context.Context, c *Call) error {
	call := c.http
	q := call.request.WithContext(ctx)
	address := *q.URL
	address.Scheme, address.Host = h.scheme, h.addr
	q.URL = &address
	if len(call.body) > 0 {
		q.ContentLength = int64(len(call.body))
		q.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(call.body)), nil }
		q.Body, _ = q.GetBody()
	}
	answer, err := h.transports[h.next.Add(1)%uint64(len(h.transports))].RoundTrip(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(answer.Body, h.answer+1))
	if err != nil {
		return err
	}
	if n > h.answer {
		return fmt.Errorf("the answer has more than %d bytes, which is all that is read", h.answer)
	}
	return call.checkStatus(answer.StatusCode)
}

// checkStatus fails for an answer that has another status than the one that is wanted. It
// does not say what the server calls it.
func (c *httpCall) checkStatus(status int) error {
	wanted := "2xx"
	if c.status != 0 {
		wanted = fmt.Sprint(c.status)
	}
	if status == c.status || c.status == 0 && status/100 == 2 {
		return nil
	}
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", status, http.StatusText(status)))
	if status/100 == 3 {
		text += " (redirects are not followed)"
	}
	return fmt.Errorf("%s, want %s", text, wanted)
}

// newRequest makes a request without the server's address.
func newRequest(method, path string) (*http.Request, error) {
	if len(path) > maxPath || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "# ") {
		return nil, fmt.Errorf(`"path": %.40q is not the path of an address, such as "/users?page=2", of at most %d bytes`, path, maxPath)
	}
	if method == http.MethodConnect {
		return nil, errors.New(`"method": CONNECT makes tunnels; use another`)
	}
	q, err := http.NewRequest(method, "http://server"+path, nil)
	if e := new(url.Error); errors.As(err, &e) {
		return nil, fmt.Errorf(`"path": %.40q: %w`, path, e.Err)
	}
	if err != nil {
		return nil, fmt.Errorf(`"method": %.40q is not a method of HTTP, such as "POST"`, method)
	}
	q.Host = "" // the address that it goes to
	return q, nil
}

// request makes what q sends, but for the body.
func (s *Spec) request(q Request) (*http.Request, error) {
	r, err := newRequest(q.Method, q.Path)
	if err != nil {
		return nil, err
	}
	if q.JSON != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, headers := range []map[string]string{s.Metadata, q.Headers} {
		for _, name := range slices.Sorted(maps.Keys(headers)) { // names may differ in case only
			if strings.EqualFold(name, "Host") {
				r.Host = headers[name]
			} else {
				r.Header.Set(name, headers[name])
			}
		}
	}
	return r, nil
}

// errSilent is of a server that refuses connections or does not answer.
var errSilent = errors.New("it does not listen on the address it was given")

// A server that is not ready is asked again after a pause. One that does not answer is
// given up and asked again, too: it may have accepted the connection too early.
const (
	readyPause = 5 * time.Millisecond
	readyTry   = 5 * time.Second
)

// wait pauses, and reports whether ctx allows another try.
func wait(ctx context.Context) bool {
	select {
	case <-time.After(readyPause):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}
