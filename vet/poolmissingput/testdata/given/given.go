// Package given starts goroutines that own what they are given.
package given

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

type message struct {
	ping, oneway bool
	payload      []byte
}

var (
	messages = sync.Pool{New: func() any { return new(message) }}
	arrays   = sync.Pool{New: func() any { return new([512]byte) }}
	errBusy  = errors.New("busy")
)

func getMessage() *message  { return messages.Get().(*message) }
func putMessage(m *message) { messages.Put(m) }

func (m *message) read(r io.Reader) error {
	_, err := io.ReadFull(r, m.payload)
	return err
}

func badCaptured(conn net.Conn) {
	for {
		req := getMessage() // want "req is not put back on the path to line 41"
		if err := req.read(conn); err != nil {
			putMessage(req)
			return
		}
		go func() {
			if req.ping {
				conn.Write(req.payload)
				return
			}
			conn.Write(req.payload[1:])
			putMessage(req)
		}()
	}
}

func goodCaptured(conn net.Conn) {
	for {
		req := getMessage()
		if err := req.read(conn); err != nil {
			putMessage(req)
			return
		}
		go func() {
			defer putMessage(req)
			if req.ping {
				conn.Write(req.payload)
				return
			}
			conn.Write(req.payload[1:])
		}()
	}
}

func badPassed(conn net.Conn) {
	m := getMessage()
	go func(m *message, w io.Writer) { // want "m is not put back on the path to line 72"
		if _, err := w.Write(m.payload); err != nil {
			print("write: ", err.Error())
			return
		}
		putMessage(m)
	}(m, conn)
}

type server struct {
	accept func(b byte) int
	out    io.Writer
}

func (s *server) serveUDP(conn *net.UDPConn) error {
	for {
		b := arrays.Get().(*[512]byte)
		n, _, err := conn.ReadFromUDP(b[:])
		if err != nil {
			arrays.Put(b)
			return err
		}
		if n%2 == 0 {
			go s.badServe(b[:n], n)
		} else {
			go s.goodServe(b[:n], n)
		}
	}
}

func (s *server) badServe(b []byte, n int) { // want "b is not put back on the path to line 106"
	switch s.accept(b[0]) {
	case 0:
		arrays.Put((*[512]byte)(b[:512]))
		return
	case 1:
		s.out.Write(b)
		return
	}
	arrays.Put((*[512]byte)(b[:512]))
}

func (s *server) goodServe(b []byte, n int) {
	switch s.accept(b[0]) {
	case 1:
		s.out.Write(b)
	case 2:
		s.out.Write(b[n/2:])
	}
	arrays.Put((*[512]byte)(b[:512]))
}

// The function waits, and puts back what the goroutine has not.
func goodWaits(w io.Writer) error {
	m := getMessage()
	done := make(chan bool)
	go func() {
		if m.ping {
			done <- false
			return
		}
		w.Write(m.payload)
		putMessage(m)
		done <- true
	}()
	if !<-done {
		putMessage(m)
		return errBusy
	}
	return nil
}

// Others have the message, and may put it back.
type list struct{ all []*message }

func (l *list) goodListed(w io.Writer) {
	m := getMessage()
	l.all = append(l.all, m)
	go func() {
		if m.oneway {
			return
		}
		w.Write(m.payload)
		putMessage(m)
	}()
}

// One of two goroutines puts it back.
func goodShared(w io.Writer, n int) {
	m := getMessage()
	var once atomic.Bool
	for i := range 2 {
		go func() {
			if i == n {
				return
			}
			w.Write(m.payload)
			if once.CompareAndSwap(false, true) {
				putMessage(m)
			}
		}()
	}
}

// Not every caller has a message of a pool.
func send(w io.Writer, m *message) {
	if m.oneway {
		return
	}
	w.Write(m.payload)
	putMessage(m)
}

func goodSend(w io.Writer) {
	go send(w, getMessage())
	go send(w, &message{oneway: true})
}

// It is called, too.
func answer(w io.Writer, m *message) {
	if m.oneway {
		return
	}
	w.Write(m.payload)
	putMessage(m)
}

func goodAnswer(w io.Writer) {
	m := getMessage()
	go answer(w, m)
	other := getMessage()
	answer(w, other)
	if other.oneway {
		putMessage(other)
	}
}

// Something else than go statements starts it.
func run(w io.Writer, m *message) {
	if m.oneway {
		return
	}
	w.Write(m.payload)
	putMessage(m)
}

var runners = map[string]func(io.Writer, *message){"run": run}

func goodRun(w io.Writer) { go run(w, getMessage()) }

// The goroutine hands it on.
func goodQueued(w io.Writer, queue chan *message) {
	m := getMessage()
	go func() {
		if m.oneway {
			queue <- m
			return
		}
		w.Write(m.payload)
		putMessage(m)
	}()
}

// The function returns it as well.
func goodReturned(w io.Writer) *message {
	m := getMessage()
	go func() {
		if m.oneway {
			return
		}
		w.Write(m.payload)
		putMessage(m)
	}()
	return m
}

// What is too large is dropped.
func goodLarge(w io.Writer) {
	m := getMessage()
	go func() {
		w.Write(m.payload)
		if cap(m.payload) > 1<<16 {
			return
		}
		putMessage(m)
	}()
}
