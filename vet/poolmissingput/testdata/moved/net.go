//go:build !lessgc_short

package moved

import (
	"bufio"
	"net"
	"net/http"
	"sync"
)

type client struct {
	net.Conn
	r    *bufio.Reader
	head []byte
}

var clients sync.Pool

// A connection that failed must not go back, whoever read from it.
func goodBroken(req *http.Request) error {
	c, ok := clients.Get().(*client)
	if !ok {
		return nil
	}
	if _, err := http.ReadResponse(c.r, req); err != nil {
		return err
	}
	clients.Put(c)
	return nil
}

func badRefused(p []byte, check func([]byte) error) error {
	c, ok := clients.Get().(*client) // want "c is not put back on the path to line"
	if !ok {
		return nil
	}
	c.head = append(c.head[:0], p...)
	if len(p) > 10 {
		return errTooLong
	}
	clients.Put(c)
	return nil
}
