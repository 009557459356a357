package load

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A site is a server of HTTP/1.1 and HTTP/2, with or without TLS, that counts.
type site struct {
	*httptest.Server
	requests, conns atomic.Int64
	now, most       atomic.Int64 // requests on the way
}

func newSite(t *testing.T, encrypted bool, handle http.HandlerFunc) *site {
	t.Helper()
	s := new(site)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		s.requests.Add(1)
		now := s.now.Add(1)
		defer s.now.Add(-1)
		for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
		}
		handle(w, q)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.conns.Add(1)
		}
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that Ready does not do
	if encrypted {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Config.Protocols = new(http.Protocols)
		s.Config.Protocols.SetHTTP1(true)
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// addr returns the address at which the site listens.
func (s *site) addr() string { return s.Listener.Addr().String() }

// overHTTP returns a spec of requests that have been checked.
func overHTTP(t *testing.T, s Spec, requests ...Request) *Spec {
	t.Helper()
	s.Format, s.Server, s.Requests = Format, "./s {addr}", requests
	if err := s.check(); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestHTTP checks what arrives, by each version of HTTP, from both loops: each request
// once, on no more connections than there may be, which are kept.
func TestHTTP(t *testing.T) {
	for _, c := range []struct {
		version string
		tls     bool
		proto   string
		conns   int64
	}{{"", false, "HTTP/1.1", 3}, {"2", false, "HTTP/2.0", 3}, {"1.1", true, "HTTP/1.1", 3}, {"2", true, "HTTP/2.0", 3}} {
		t.Run(fmt.Sprintf("http=%s,tls=%v", c.proto, c.tls), func(t *testing.T) {
			s := newSite(t, c.tls, func(w http.ResponseWriter, q *http.Request) {
				body, err := io.ReadAll(q.Body)
				got := fmt.Sprintln(q.Proto, q.Method, q.RequestURI, q.Host, q.Header["X-A"], q.Header["X-B"], q.Header["Content-Type"], q.Header["Accept-Encoding"], string(body), err)
				if want := c.proto + ` PUT /a%20b?c=d users.example [1] [3] [application/json] [] {"n": 1} <nil>` + "\n"; got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				w.WriteHeader(http.StatusAccepted)
				w.Write(make([]byte, 100_000)) // more than fits into the buffers of a connection that is given up
			})
			spec := overHTTP(t, Spec{HTTP: c.version, TLS: c.tls, Connections: int(c.conns), Metadata: map[string]string{"x-a": "1", "x-b": "2"}},
				Request{Method: "PUT", Path: "/a%20b?c=d", JSON: []byte(`{"n": 1}`), Headers: map[string]string{"X-B": "3", "host": "users.example"}})
			client := dial(t, spec, s.addr())
			send := client.Sender(calls(t, client, spec)[0])
			open := Open(t.Context(), send, 2000, 200)
			if n := s.requests.Load(); open.Sent != 200 || open.Failed > 0 || n != 200 || open.Latency.TotalCount() != 200 {
				t.Errorf("open loop: %d of %d failed, %d arrived, %d latencies: %v", open.Failed, open.Sent, n, open.Latency.TotalCount(), open.Err)
			}
			closed := Closed(t.Context(), send, 8, 50*time.Millisecond)
			if n := s.requests.Load() - 200; closed.Failed > 0 || int64(closed.Sent) != n {
				t.Errorf("closed loop: %d of %d failed, %d arrived: %v", closed.Failed, closed.Sent, n, closed.Err)
			}
			if n := s.conns.Load(); n > c.conns+1 { // Ready has one more
				t.Errorf("%d connections, want at most %d", n, c.conns+1)
			}
			if most := s.most.Load(); c.proto == "HTTP/1.1" && most > c.conns {
				t.Errorf("%d requests at once on %d connections", most, c.conns)
			}
		})
	}
}

// TestHTTPAnswers checks which answers fail.
func TestHTTPAnswers(t *testing.T) {
	const most = 1000
	var followed atomic.Int64
	s := newSite(t, false, func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/redirect":
			http.Redirect(w, q, "/target", http.StatusFound)
		case "/target":
			followed.Add(1)
		case "/none":
			http.NotFound(w, q)
		case "/most", "/more":
			w.Write(make([]byte, most))
			if q.URL.Path == "/more" {
				w.Write([]byte{0})
			}
		case "/half":
			w.Header().Set("Content-Length", "10")
			w.Write(make([]byte, 5))
		case "/header":
			w.Header().Set("X-Large", strings.Repeat("x", 2*maxAnswerHeader))
		case "/odd":
			w.WriteHeader(299)
		}
	})
	for _, version := range []string{"1.1", "2"} {
		for _, c := range []struct {
			path   string
			status int
			err    string
		}{
			{"/", 0, ""},
			{"/odd", 0, ""},
			{"/none", 404, ""},
			{"/redirect", 302, ""},
			{"/most", 0, ""},
			{"/none", 0, "status 404 Not Found, want 2xx"},
			{"/", 201, "status 200 OK, want 201"},
			{"/redirect", 0, "status 302 Found (redirects are not followed), want 2xx"},
			{"/odd", 200, "status 299, want 200"},
			{"/more", 0, "the answer has more than 1000 bytes, which is all that is read"},
			{"/half", 0, "EOF"},
			{"/header", 0, "COMPRESSION_ERROR|server response headers exceeded"},
		} {
			spec := overHTTP(t, Spec{HTTP: version}, Request{Path: c.path, Status: c.status})
			client := dial(t, spec, s.addr())
			client.transport.(*httpConns).answer = most
			err := client.Do(t.Context(), calls(t, client, spec)[0])
			if c.err == "" && err != nil || c.err != "" && (err == nil || !slices.ContainsFunc(strings.Split(c.err, "|"), func(want string) bool { return strings.Contains(err.Error(), want) })) {
				t.Errorf("HTTP/%s %s: got %v, want %q", version, c.path, err, c.err)
			}
		}
	}
	if n := followed.Load(); n > 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// TestHTTPVersion checks what is said of a server that speaks HTTP/1.1 only.
func TestHTTPVersion(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	client, err := overHTTP(t, Spec{HTTP: "2"}, Request{Path: "/"}).Dial(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), `the server answers HTTP/2 in HTTP/1.1; write "http": "1.1"`) {
		t.Error(err)
	}
}

// TestHTTPFailures checks how failed and slow answers are counted.
func TestHTTPFailures(t *testing.T) {
	end := make(chan struct{})
	var n atomic.Int64
	s := newSite(t, false, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/slow" {
			w.(http.Flusher).Flush() // the headers are not answer yet
			<-end
		} else if n.Add(1)%2 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	t.Cleanup(func() { close(end) })
	for _, version := range []string{"1.1", "2"} {
		spec := overHTTP(t, Spec{HTTP: version}, Request{Path: "/mixed"}, Request{Path: "/slow"})
		client := dial(t, spec, s.addr())
		all := calls(t, client, spec)
		mixed := Open(t.Context(), client.Sender(all[0]), 1000, 100)
		if mixed.Sent != 100 || mixed.Failed != 50 || mixed.Latency.TotalCount() != 50 || mixed.Err.Error() != "status 503 Service Unavailable, want 2xx" {
			t.Errorf("HTTP/%s: %d of %d failed, %v, %d latencies", version, mixed.Failed, mixed.Sent, mixed.Err, mixed.Latency.TotalCount())
		}
		const timeout = 100 * time.Millisecond
		client.timeout = timeout
		slow := Open(t.Context(), client.Sender(all[1]), 1000, 2)
		if slow.Sent != 2 || slow.Failed != 2 || slow.Latency.TotalCount() != 2 || slow.Latency.Min() < int64(timeout)*999/1000 { // three digits
			t.Errorf("HTTP/%s: %d of %d timed out, %d latencies, the fastest after %v", version, slow.Failed, slow.Sent, slow.Latency.TotalCount(), time.Duration(slow.Latency.Min()))
		}
	}
}

// TestHTTPBodies checks where the body of a request may come from.
func TestHTTPBodies(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "body.bin"), []byte("of a file"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, false, func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if want := q.Header.Get("Want"); err != nil || string(body) != want || q.ContentLength != int64(len(want)) {
			t.Errorf("got %q of %d bytes, %v, want %q", body, q.ContentLength, err, want)
		}
	})
	for _, c := range []struct {
		want string
		q    Request
		err  string
	}{
		{"", Request{}, ""},
		{"inline", Request{Body: "inline"}, ""},
		{"[1]", Request{JSON: []byte("[1]")}, ""},
		{"of a file", Request{File: "body.bin"}, ""},
		{"of a file", Request{Command: "cat body.bin"}, ""},
		{"", Request{File: "none"}, "no such file"},
		{"", Request{Command: "head -c 70000000 /dev/zero"}, "prints more than 64 MiB; send less"},
	} {
		c.q.Path, c.q.Method, c.q.Headers = "/", "POST", map[string]string{"Want": c.want}
		spec := overHTTP(t, Spec{dir: dir}, c.q)
		client := dial(t, spec, s.addr())
		all, err := spec.Calls(t.Context(), client)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %v, want %s", err, c.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Do(t.Context(), all[0]); err != nil {
			t.Error(err)
		}
	}
}

// TestHTTPReady checks when a server of HTTP is ready.
func TestHTTPReady(t *testing.T) {
	const tries = 3
	s := newSite(t, false, nil)
	var never atomic.Pointer[context.CancelFunc]
	var second atomic.Bool
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/never" && second.Swap(true) {
			(*never.Load())()
		}
		if n := s.requests.Add(1); q.URL.Path != "/health" || n < tries {
			w.WriteHeader(http.StatusServiceUnavailable)
		} else {
			w.WriteHeader(http.StatusNoContent)
		}
	})
	client := func(r Ready) *Client {
		c, err := overHTTP(t, Spec{Ready: r}, Request{Path: "/"}).Dial(s.addr())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	if err := client(Ready{}).Ready(t.Context()); err != nil || s.requests.Load() > 0 {
		t.Errorf("%v after %d requests, want none of both", err, s.requests.Load())
	}
	if err := client(Ready{Path: "/health"}).Ready(t.Context()); err != nil || s.requests.Load() != tries {
		t.Errorf("%v after %d requests, want %d", err, s.requests.Load(), tries)
	}
	if err := client(Ready{Path: "/", Status: 503}).Ready(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	never.Store(&cancel) // called by the second request; the answer to the first is in the error
	if err := client(Ready{Path: "/never?x=1"}).Ready(ctx); err == nil || !strings.Contains(err.Error(), `GET /never is not answered as "ready" wants: status 503 Service Unavailable, want 2xx`) {
		t.Error(err)
	}
	c := client(Ready{Path: "/health"})
	s.Close()
	ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := c.Ready(ctx); err == nil || !strings.Contains(err.Error(), "does not listen") {
		t.Error(err)
	}
}

// TestServer checks how a server learns where to listen, and what is kept of it.
func TestServer(t *testing.T) {
	fill, err := Placeholders("127.0.0.1:80", "/tmp/x")
	if err != nil {
		t.Fatal(err)
	}
	if got := fill.Replace("{addr} {host} {port} {dir} {} {other} {{port}}"); got != "127.0.0.1:80 127.0.0.1 80 /tmp/x {} {other} {80}" {
		t.Error(got)
	}
	s := &Spec{Env: map[string]string{"PORT": "{port}", "API_KEY": "one", "DB": "pg://u:two@h/"}, Metadata: map[string]string{"cookie": "three", "x": "y"},
		Requests: []Request{{Headers: map[string]string{"Authorization": "four", "Accept": "z"}}}}
	got := s.Secrets()
	slices.Sort(got)
	if want := []string{"four", "one", "pg://u:two@h/", "three"}; !slices.Equal(got, want) {
		t.Errorf("secrets are %q, want %q", got, want)
	}
}
