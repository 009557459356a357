// Package local serves a page to the browser of this machine, beside programs and pages
// that may be anybody's: they cannot read it by a name of theirs, and connections of
// theirs that say nothing, or take in nothing, do not keep the page's own out.
package local

import (
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// How long a connection may take. A page asks once in a while, and for little.
const (
	headerTimeout = 5 * time.Second  // to send a request's header
	readTimeout   = 10 * time.Second // to send a request
	writeTimeout  = 30 * time.Second // to take in a piece of an answer
	idleTimeout   = time.Minute      // between requests
)

// maxConns limits the open connections. A browser has six.
const maxConns = 64

// Server returns a server of h with bounds on time and connections. It logs nothing.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           patient(h),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    64 << 10,
		ConnState:         (&crowd{most: maxConns}).state,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
}

// patient gives each piece of an answer the whole of writeTimeout: an answer of any
// length arrives as long as the client reads.
func patient(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		h.ServeHTTP(&pieces{w, http.NewResponseController(w)}, q)
	})
}

type pieces struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Unwrap is for http.ResponseController.
func (p *pieces) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *pieces) Write(data []byte) (written int, err error) {
	const piece = 32 << 10
	for {
		p.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a writer that has none, as in tests, needs none
		n, err := p.ResponseWriter.Write(data[:min(piece, len(data))])
		written, data = written+n, data[n:]
		if err != nil || len(data) == 0 {
			return written, err
		}
	}
}

// A crowd is all connections of a server. There is always room for one more: it takes
// the slot of the one that has been quiet for longest, whether it waits to be asked or
// is being asked byte by byte. So a client that opens many does not lock the page out: its
// requests are short, and if it loses its connection between two, it opens another.
type crowd struct {
	most int

	mu    sync.Mutex
	turn  uint64
	since map[net.Conn]uint64 // the turn at which it began or ended a request, or came
}

// state is for http.Server.ConnState. The server calls it with each new connection
// before it takes the next.
func (c *crowd) state(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s == http.StateClosed || s == http.StateHijacked {
		delete(c.since, conn)
		return
	}
	if c.since == nil {
		c.since = map[net.Conn]uint64{}
	}
	if s == http.StateNew && len(c.since) >= c.most {
		c.drop()
	}
	c.turn++
	c.since[conn] = c.turn
}

// drop closes the connection that has been quiet for longest.
func (c *crowd) drop() {
	var oldest net.Conn
	for conn, since := range c.since {
		if oldest == nil || since < c.since[oldest] {
			oldest = conn
		}
	}
	delete(c.since, oldest)
	oldest.Close()
}

// OwnName refuses requests for another name if the server, at the address own, is for
// this machine only. Otherwise any page could give its own name this machine's address,
// and read on.
func OwnName(next http.Handler, own string) http.Handler {
	host, _, _ := net.SplitHostPort(own)
	local := net.ParseIP(host).IsLoopback()
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if local && !isLocal(q.Host) {
			http.Error(w, "this page is for localhost", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, q)
	})
}

// isLocal reports whether a Host header names this machine, however it is
// resolved: localhost, in any case and as a whole domain name with its dot, or an address.
func isLocal(header string) bool {
	name, _, err := net.SplitHostPort(header)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(header, "["), "]")
	}
	name = strings.TrimSuffix(name, ".")
	return strings.EqualFold(name, "localhost") || net.ParseIP(name).IsLoopback()
}
