package moved

import (
	"compress/gzip"
	"fmt"
	"io"
	"sync"
)

type result struct{ errs []error }

var results = sync.Pool{New: func() any { return new(result) }}

// merge puts what it has merged.
func (r *result) merge(others ...*result) {
	for _, o := range others {
		r.errs = append(r.errs, o.errs...)
		results.Put(o)
	}
}

func goodMerge(r *result, err error) {
	a := results.Get().(*result)
	a.errs = append(a.errs[:0], err)
	r.merge(a)
}

func badMerge(r *result, err error) {
	a := results.Get().(*result) // want "a is never put back"
	a.errs = append(a.errs[:0], err)
	r.errs = append(r.errs, a.errs...)
	fmt.Println(a)
}

type zipper struct {
	writer *gzip.Writer
	err    error
}

type compressor struct{ pool *sync.Pool }

// A zipper that could not be made is of no use.
func (c *compressor) goodCompress(dst io.Writer, r io.Reader) error {
	w := c.pool.Get().(*zipper)
	if w.err != nil {
		return fmt.Errorf("setting up: %w", w.err)
	}
	defer c.pool.Put(w)
	w.writer.Reset(dst)
	if _, err := io.Copy(w.writer, r); err != nil {
		return err
	}
	return w.writer.Close()
}

func (c *compressor) badCompress(dst io.Writer, r io.Reader) error {
	w := c.pool.Get().(*zipper) // want "w is not put back on the path to line"
	if r == nil {
		return errTooLong
	}
	defer c.pool.Put(w)
	w.writer.Reset(dst)
	if _, err := io.Copy(w.writer, r); err != nil {
		return err
	}
	return w.writer.Close()
}

type redeemable struct {
	inner    *[]byte
	redeemer func()
}

type lender struct{ pool sync.Pool }

// What puts it back is handed out too.
func (l *lender) goodLend() (*[]byte, func()) {
	c := l.pool.Get().(*redeemable)
	return c.inner, c.redeemer
}

func (l *lender) badLend() int {
	c := l.pool.Get().(*redeemable) // want "c is never put back"
	return len(*c.inner)
}
