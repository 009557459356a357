package reached

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net"
	"time"
)

var deadline = time.Now().Add(time.Minute)

type socket struct {
	c      net.Conn
	closed bool
	queue  chan *bytes.Buffer
}

func (s *socket) temporary(err error) bool { return !s.closed && errors.Is(err, errShort) }

func badEndOnly(c net.Conn, handle func(string)) {
	for {
		b := get()
		if _, err := b.ReadFrom(c); err != nil {
			put(b)
			if errors.Is(err, net.ErrClosed) {
				log.Print("end")
				return
			}
		}
		handle(b.String()) // want "b is used when perhaps released"
	}
}

func goodEndOnly(c net.Conn, handle func(string)) {
	for {
		b := get()
		if _, err := b.ReadFrom(c); err != nil {
			if errors.Is(err, net.ErrClosed) {
				put(b)
				return
			}
			log.Print(err)
		}
		handle(b.String())
		put(b)
	}
}

func badEOF(r io.Reader) int {
	b := get()
	_, err := io.Copy(b, r)
	if err != nil {
		put(b)
		if err == io.ErrUnexpectedEOF {
			return 0
		}
	}
	return b.Len() // want "b is used when perhaps released"
}

func badTimeout(c net.Conn, handle func(string)) {
	b := get()
	if _, err := b.ReadFrom(c); err != nil {
		put(b)
		if ne, ok := err.(net.Error); !ok || !ne.Timeout() {
			return
		}
	}
	handle(b.String()) // want "b is used when perhaps released"
}

func badTemporary(s *socket, handle func(string)) {
	b := get()
	if _, err := b.ReadFrom(s.c); err != nil {
		log.Print(err)
		put(b)
		if !s.temporary(err) {
			return
		}
	}
	handle(b.String()) // want "b is used when perhaps released"
}

func goodTemporary(s *socket, handle func(string)) {
	b := get()
	if _, err := b.ReadFrom(s.c); err != nil {
		put(b)
		if !s.temporary(err) {
			return
		}
		b = get()
	}
	handle(b.String())
	put(b)
}

// The second check is one that the first has answered.
func goodAskedTwice(r io.Reader) error {
	b := get()
	_, err := b.ReadFrom(r)
	if err != nil {
		put(b)
		log.Print(err)
		if err != nil {
			return err
		}
	}
	log.Print(b.Len())
	put(b)
	return nil
}

func (s *socket) isClosed() bool { return s.closed }

func goodCalledTwice(s *socket) {
	b := get()
	if s.isClosed() {
		put(b)
		if s.isClosed() {
			return
		}
	}
	log.Print(b.Len())
	put(b)
}

const (
	modeShort = iota
	modeLong
)

// One of the two cases always matches.
func goodAllModes(mode int) int {
	b := get()
	if mode != -1 {
		put(b)
		switch mode {
		case modeShort:
			return 1
		case modeLong:
			return 2
		}
	}
	n := b.Len()
	put(b)
	return n
}

// What is behind the branch for errors is decided by the same question.
func goodDecidedAgain(r io.Reader) error {
	b := get()
	_, err := b.ReadFrom(r)
	if err != nil {
		put(b)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		log.Print(b.Len())
		put(b)
	}
	return nil
}

func goodFatal(r io.Reader) {
	b := get()
	if _, err := b.ReadFrom(r); err != nil {
		put(b)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return
		}
		log.Fatal(err)
	}
	log.Print(b.Len())
	put(b)
}

func badCapturedConn(c net.Conn, handle func(string)) {
	c.SetDeadline(deadline)
	go func() {
		for {
			b := get()
			if _, err := b.ReadFrom(c); err != nil {
				put(b)
				if errors.Is(err, net.ErrClosed) {
					return
				}
			}
			handle(b.String()) // want "b is used when perhaps released"
		}
	}()
}

func goodCapturedSet(late, early bool, each func(func())) {
	each(func() {
		b := get()
		if late {
			put(b)
		}
		if early {
			b.Reset()
			put(b)
		}
	})
	late = false
	each(func() { early = !late })
}
