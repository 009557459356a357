package limits

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

type device interface {
	WriteAt(p []byte, off int64) (int, error)
}

type disk struct {
	dev device
	wg  sync.WaitGroup
}

// perform leaves its goroutine when the context is done.
//
// summary: d: escapes, left running; ctx: escapes, used; p: escapes, left running
func (d *disk) perform(ctx context.Context, p []byte) error {
	done := make(chan error, 1)
	go func() {
		_, err := d.dev.WriteAt(p, 0)
		done <- err
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-done:
		return err
	}
}

// performAll waits for its goroutine.
func (d *disk) performAll(ctx context.Context, p []byte) error {
	done := make(chan error, 1)
	go func() {
		_, err := d.dev.WriteAt(p, 0)
		done <- err
	}()
	select {
	case <-ctx.Done():
		<-done
		return ctx.Err()
	case err := <-done:
		return err
	}
}

// performCopy gives its goroutine a copy.
func (d *disk) performCopy(ctx context.Context, p []byte) error {
	done := make(chan error, 1)
	q := bytes.Clone(p)
	go func() {
		_, err := d.dev.WriteAt(q, 0)
		done <- err
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-done:
		return err
	}
}

func (d *disk) badDeferred(ctx context.Context) error {
	b := get()
	defer buffers.Put(b)
	b.WriteString("x")
	return d.perform(ctx, b.Bytes()) // want "the value used by a goroutine aliases b"
}

func (d *disk) goodAll(ctx context.Context) error {
	b := get()
	defer buffers.Put(b)
	b.WriteString("x")
	return d.performAll(ctx, b.Bytes())
}

func (d *disk) goodCopy(ctx context.Context) error {
	b := get()
	defer buffers.Put(b)
	b.WriteString("x")
	return d.performCopy(ctx, b.Bytes())
}

func (d *disk) goodNeverDone() error {
	b := get()
	defer buffers.Put(b)
	b.WriteString("x")
	return d.perform(context.Background(), b.Bytes())
}

func (d *disk) performNow(p []byte) error {
	ctx := context.WithoutCancel(context.TODO())
	return d.perform(ctx, p)
}

func (d *disk) goodNow() error {
	b := get()
	defer buffers.Put(b)
	b.WriteString("x")
	return d.performNow(b.Bytes())
}

func (d *disk) badGroup(ctx context.Context, b *bytes.Buffer) {
	d.wg.Go(func() {
		defer buffers.Put(b)
		if err := d.perform(ctx, b.Bytes()); err != nil { // want "the value used by a goroutine aliases b"
			b.Reset()
		}
	})
}

func (d *disk) goodGroup(ctx context.Context, b *bytes.Buffer) {
	d.wg.Go(func() {
		owned := bytes.Clone(b.Bytes())
		buffers.Put(b)
		if err := d.perform(ctx, owned); err != nil {
			owned = nil
		}
	})
}

func (d *disk) badBoth(ctx context.Context) error {
	b := get()
	b.WriteString("x")
	if err := d.perform(ctx, b.Bytes()); err != nil { // want "the value used by a goroutine aliases b"
		buffers.Put(b)
		return err
	}
	buffers.Put(b)
	return nil
}

// What has failed is left to the goroutine.
func (d *disk) goodUnlessFailed(ctx context.Context) error {
	b := get()
	b.WriteString("x")
	if err := d.perform(ctx, b.Bytes()); err != nil {
		return err
	}
	buffers.Put(b)
	return nil
}

func (d *disk) goodUnlessDone(ctx context.Context) error {
	b := get()
	defer func() {
		if ctx.Err() == nil {
			buffers.Put(b)
		}
	}()
	b.WriteString("x")
	return d.perform(ctx, b.Bytes())
}

// The second wait is for something else.
func (d *disk) goodSecondLimit(ctx context.Context, news <-chan int) error {
	b := get()
	b.WriteString("x")
	if err := d.perform(ctx, b.Bytes()); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		buffers.Put(b)
		return ctx.Err()
	case <-news:
		buffers.Put(b)
		return nil
	}
}

type exchange struct {
	uri  string
	body []byte
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func putExchange(x *exchange) {
	if cap(x.body) < 1<<16 {
		*x = exchange{body: x.body[:0]}
		exchanges.Put(x)
	}
}

type client struct{ conn io.ReadWriter }

func (c *client) do(x *exchange) error {
	if _, err := io.WriteString(c.conn, x.uri); err != nil {
		return err
	}
	_, err := c.conn.Read(x.body)
	return err
}

func (c *client) doWithin(x *exchange, limit time.Duration) error {
	errs := make(chan error, 1)
	go func() { errs <- c.do(x) }()
	select {
	case <-time.After(limit):
		return errTime
	case err := <-errs:
		return err
	}
}

// A wrapper leaves it, too.
func (c *client) doSoon(x *exchange) error { return c.doWithin(x, time.Second) }

func (c *client) badSoon(uri string) (int, error) {
	x := exchanges.Get().(*exchange)
	defer putExchange(x)
	x.uri = uri
	err := c.doSoon(x) // want "the value used by a goroutine aliases x"
	return len(x.body), err
}

func (c *client) goodSoon(uri string) (int, error) {
	x := exchanges.Get().(*exchange)
	x.uri = uri
	err := c.doSoon(x)
	if errors.Is(err, errTime) {
		return 0, err
	}
	n := len(x.body)
	putExchange(x)
	return n, err
}

func (c *client) goodDo(uri string) (int, error) {
	x := exchanges.Get().(*exchange)
	defer putExchange(x)
	x.uri = uri
	err := c.do(x)
	return len(x.body), err
}

// The goroutine puts what it was given.
func (c *client) doOwned(x *exchange, limit time.Duration) error {
	errs := make(chan error, 1)
	go func() {
		errs <- c.do(x)
		putExchange(x)
	}()
	select {
	case <-time.After(limit):
		return errTime
	case err := <-errs:
		return err
	}
}

func (c *client) goodOwned(uri string) error {
	x := exchanges.Get().(*exchange)
	x.uri = uri
	return c.doOwned(x, time.Second)
}
