package local

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestIsLocal(t *testing.T) {
	for _, host := range []string{"localhost", "localhost:80", "localhost.", "localhost.:80", "LOCALHOST:80", "LocalHost.", "127.0.0.1", "127.0.0.1:80", "127.9.9.9:1", "[::1]", "[::1]:80", "::1"} {
		if !isLocal(host) {
			t.Errorf("%q is refused", host)
		}
	}
	for _, host := range []string{"", ".", ":80", "evil.example", "evil.example:80", "localhost.evil.example", "localhost..", "evil.localhost.example", "127.0.0.1.evil.example", "127.0.0.1.nip.io",
		"10.0.0.1", "192.0.2.1:80", "0.0.0.0", "[::]", "[::2]:80", "localhost:80:80", "local host", "localhost/", "localhost@evil.example", "0x7f.1", "ſocalhost"} {
		if isLocal(host) {
			t.Errorf("%q is taken for this machine", host)
		}
	}
}

// pipes is a listener without a network, for the clock of synctest.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, errors.New("closed")
	}
}

func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// serve runs a server of h until the end of the test. What it returns connects to it.
func serve(t *testing.T, h http.Handler) func() net.Conn {
	p := &pipes{make(chan net.Conn), make(chan struct{})}
	s := Server(h)
	go s.Serve(p)
	t.Cleanup(func() { s.Close() })
	return func() net.Conn {
		client, server := net.Pipe()
		p.conns <- server
		t.Cleanup(func() { client.Close() })
		return client
	}
}

// TestTimeouts checks, with a simulated clock, when connections are closed that send
// nothing, too little, or nothing more.
func TestTimeouts(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })
	const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, c := range map[string]struct {
		send string
		want time.Duration
	}{
		"nothing":       {"", headerTimeout},
		"half a header": {"GET / HTTP/1.1\r\nHost: ", headerTimeout},
		"half a body":   {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf", readTimeout},
		"nothing more":  {request, idleTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := serve(t, hello)()
				start := time.Now()
				go io.WriteString(client, c.send)
				io.Copy(io.Discard, client)
				if d := time.Since(start); d < c.want || d > c.want+time.Second {
					t.Errorf("the connection ended after %v, want %v", d, c.want)
				}
			})
		})
	}
}

// TestSlowReader checks that a long answer arrives however slowly it is taken in, and
// that one which is not taken in ends.
func TestSlowReader(t *testing.T) {
	const size = 1 << 20
	failed := make(chan error, 1)
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write(make([]byte, size))
		failed <- err
	})
	ask := func(client net.Conn) *http.Response {
		t.Helper()
		go io.WriteString(client, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		w, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	synctest.Test(t, func(t *testing.T) {
		failed = make(chan error, 1)
		start := time.Now()
		body, n := ask(serve(t, answer)()).Body, 0
		for buffer := make([]byte, 16<<10); ; time.Sleep(writeTimeout / 4) {
			m, err := io.ReadFull(body, buffer)
			n += m
			if err != nil {
				break
			}
		}
		if err := <-failed; err != nil || n != size || time.Since(start) < 10*writeTimeout {
			t.Errorf("%d of %d bytes in %v: %v", n, size, time.Since(start), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		failed = make(chan error, 1)
		start := time.Now()
		ask(serve(t, answer)())
		if err := <-failed; err == nil || time.Since(start) > 2*writeTimeout {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

// TestCrowd checks whom a new connection replaces.
func TestCrowd(t *testing.T) {
	c := &crowd{most: 3}
	conns := map[string]net.Conn{}
	var closed []string
	arrive := func(name string) {
		conns[name] = &closer{close: func() { closed = append(closed, name) }}
		c.state(conns[name], http.StateNew)
	}
	check := func(name string) {
		t.Helper()
		if len(closed) != 1 || closed[0] != name {
			t.Errorf("%v were closed, want %s", closed, name)
		}
		closed = nil
		c.state(conns[name], http.StateClosed) // as the server says then
	}
	arrive("page")
	arrive("silent 1")
	arrive("silent 2")
	c.state(conns["page"], http.StateActive)
	c.state(conns["page"], http.StateIdle)
	arrive("silent 3")
	check("silent 1") // not the page, which came before, and has been answered since
	c.state(conns["silent 2"], http.StateActive)
	arrive("silent 4")
	check("page") // it will be back
	arrive("page")
	check("silent 3")
	c.state(conns["page"], http.StateActive)
	arrive("silent 5")
	check("silent 2") // whose request does not end
	c.state(conns["silent 4"], http.StateClosed)
	arrive("with room")
	if len(closed) > 0 || len(c.since) != 3 {
		t.Errorf("%v were closed of %d", closed, len(c.since))
	}
}

type closer struct {
	net.Conn
	close func()
}

func (c *closer) Close() error { c.close(); return nil }

// TestFlood opens more connections than there may be, over the loopback device, and
// checks that the page is still served and that their number is bounded.
func TestFlood(t *testing.T) {
	s := Server(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	defer s.Close()
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	page := &http.Client{Transport: &http.Transport{}}
	defer page.CloseIdleConnections()
	for i := range 3 * maxConns {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
		if i%2 == 0 {
			fmt.Fprint(c, "GET / HTTP") // and nothing more
		}
		if i%maxConns != 0 {
			continue
		}
		w, err := page.Get("http://" + l.Addr().String())
		if err != nil {
			t.Fatalf("with %d connections: %v", len(conns), err)
		}
		body, err := io.ReadAll(w.Body)
		w.Body.Close()
		if err != nil || string(body) != "hello" {
			t.Errorf("%v: %q", err, body)
		}
	}
	// The first ones were closed to make room: reading ends without a timeout.
	for _, c := range conns[:maxConns] {
		if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "abort") {
			t.Error(err)
		}
	}
}
