package meant

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"sync"
)

const maxRecord = 1 << 10

// badTooLong puts the buffer in the loop for a record that is too long, and loses it after the loop.
func badTooLong(w io.Writer, records []string) bool {
	b := buffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 33"
	b.Reset()
	for _, r := range records {
		before := b.Len()
		b.WriteString(r)
		if b.Len()-before > maxRecord {
			buffers.Put(b)
			return false
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		buffers.Put(b)
		return false
	}
	if len(records) > 1 {
		io.WriteString(w, "\n")
	}
	// The error has put it back, and nobody else has.
	return true
}

func goodTooLong(w io.Writer, records []string) bool {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	for _, r := range records {
		before := b.Len()
		b.WriteString(r)
		if b.Len()-before > maxRecord {
			buffers.Put(b)
			return false
		}
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err == nil
}

// badFull fills a block, by a store to its memory.
func badFull(from chan byte) int {
	b := blocks.Get().(*[]byte) // want "b is not put back on the path"
	n := 0
	for c := range from {
		if n == len(*b) {
			blocks.Put(b)
			return n
		}
		(*b)[n] = c
		n++
	}
	use((*b)[:n])
	return n
}

// badRows writes through a writer that holds the buffer.
func badRows(w io.Writer, rows [][]string) error {
	b := buffers.Get().(*bytes.Buffer) // want "b is not put back on the path"
	b.Reset()
	c := csv.NewWriter(b)
	for _, row := range rows {
		if err := c.Write(row); err != nil {
			buffers.Put(b)
			return err
		}
	}
	c.Flush()
	_, err := b.WriteTo(w)
	return err
}

func goodRows(w io.Writer, rows [][]string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	c := csv.NewWriter(b)
	for _, row := range rows {
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	_, err := b.WriteTo(w)
	return err
}

// A rack has blocks of one size.
type rack struct {
	size int
	pool sync.Pool
}

func (s *rack) fits(b *[]byte) bool { return cap(*b) == s.size }

var racks = []*rack{{size: 1 << 10}, {size: 1 << 14}}

func getBlock(n int) *[]byte {
	for _, s := range racks {
		if n <= s.size {
			if b, ok := s.pool.Get().(*[]byte); ok {
				return b
			}
			break
		}
	}
	b := make([]byte, n)
	return &b
}

var errNoBlock = errors.New("no block")

// goodNoneFits drops a block that no rack takes.
func goodNoneFits(n int) error {
	b := getBlock(n)
	if b == nil {
		return errNoBlock
	}
	use(*b)
	for _, s := range racks {
		if cap(*b) == s.size {
			s.pool.Put(b)
			return nil
		}
	}
	return nil
}

// goodNoneTakes asks the racks.
func goodNoneTakes(n int) error {
	b := getBlock(n)
	use(*b)
	for _, s := range racks {
		if s.fits(b) {
			s.pool.Put(b)
			return nil
		}
	}
	return nil
}

// goodShrunk makes the block fit while it looks.
func goodShrunk(n int) {
	b := getBlock(n)
	use(*b)
	for _, s := range racks {
		if len(*b) >= s.size {
			*b = (*b)[:s.size]
			if len(*b) == s.size {
				s.pool.Put(b)
				return
			}
		}
	}
}
