package flow

import (
	"net"
	"sync"
)

var packets = sync.Pool{New: func() any { return new([]byte) }}

// The loop has no end but the error, and each goroutine puts back what it was given.
func badServe(l net.PacketConn, handle func([]byte)) error {
	for {
		buf := packets.Get().(*[]byte) // want "buf is not put back on the path to line 16"
		n, _, err := l.ReadFrom(*buf)
		if err != nil {
			return err
		}
		go func() {
			defer packets.Put(buf)
			handle((*buf)[:n])
		}()
	}
}

func goodServe(l net.PacketConn, handle func([]byte)) error {
	for {
		buf := packets.Get().(*[]byte)
		n, _, err := l.ReadFrom(*buf)
		if err != nil {
			packets.Put(buf)
			return err
		}
		go func() {
			defer packets.Put(buf)
			handle((*buf)[:n])
		}()
	}
}
