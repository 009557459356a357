package sent

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

var (
	messages = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errLate  = errors.New("late")
)

type message struct{ data *bytes.Buffer }

type producer struct {
	requests chan *message
	pending  []*bytes.Buffer
	plain    chan *bytes.Buffer
	first    time.Time
	limit    time.Duration
	fail     func(error)
	mu       sync.Mutex
}

func badSentThenLate(p *producer, now time.Time) error {
	b := messages.Get().(*bytes.Buffer)
	p.requests <- &message{b} // want "the value sent to a channel aliases b, which is put back .line 33."
	if now.Sub(p.first) > p.limit {
		p.fail(errLate)
		messages.Put(b)
		return errLate
	}
	p.pending = append(p.pending, b)
	return nil
}

func goodLateThenSent(p *producer, now time.Time) error {
	b := messages.Get().(*bytes.Buffer)
	if now.Sub(p.first) > p.limit {
		p.fail(errLate)
		messages.Put(b)
		return errLate
	}
	p.pending = append(p.pending, b)
	p.requests <- &message{b}
	return nil
}

func badSentThenFailed(p *producer, w io.Writer) error {
	b := messages.Get().(*bytes.Buffer)
	p.plain <- b // want "the value sent to a channel aliases b"
	if _, err := io.WriteString(w, "sent"); err != nil {
		messages.Put(b)
		return err
	}
	return nil
}

func goodAnswered(p *producer, w io.Writer, done chan struct{}) error {
	b := messages.Get().(*bytes.Buffer)
	p.plain <- b
	if _, err := io.WriteString(w, "sent"); err != nil {
		<-done
		messages.Put(b)
		return err
	}
	return nil
}

func goodSentOrPut(p *producer, late bool) {
	b := messages.Get().(*bytes.Buffer)
	if late {
		p.plain <- b
	}
	if !late {
		messages.Put(b)
	}
}

func badSentAndPut(p *producer, late, idle bool) {
	b := messages.Get().(*bytes.Buffer)
	if late {
		p.plain <- b // want "the value sent to a channel aliases b"
	}
	if idle {
		messages.Put(b)
	}
}

func goodFlagged(p *producer, late bool) {
	b, sent := messages.Get().(*bytes.Buffer), false
	if late {
		p.plain <- b
		sent = true
	}
	if !sent {
		messages.Put(b)
	}
}

func goodSentOrDropped(p *producer) {
	b := messages.Get().(*bytes.Buffer)
	select {
	case p.plain <- b:
	default:
		messages.Put(b)
	}
}

// Whoever has received it lets go of it under the lock.
func goodLocked(p *producer, late bool) {
	b := messages.Get().(*bytes.Buffer)
	p.plain <- b
	if late {
		p.mu.Lock()
		messages.Put(b)
		p.mu.Unlock()
	}
}

func goodNextInLoop(p *producer, r io.Reader) {
	for {
		b := messages.Get().(*bytes.Buffer)
		if _, err := b.ReadFrom(r); err != nil {
			messages.Put(b)
			return
		}
		p.plain <- b
	}
}

func badStartedThenLate(w io.Writer, late bool) error {
	b := messages.Get().(*bytes.Buffer)
	go w.Write(b.Bytes()) // want "the value used by a goroutine aliases b"
	if late {
		messages.Put(b)
		return errLate
	}
	return nil
}

func goodStartedThenLate(w io.Writer, late bool) error {
	b := messages.Get().(*bytes.Buffer)
	go func() {
		w.Write(b.Bytes())
		messages.Put(b)
	}()
	if late {
		return errLate
	}
	return nil
}

func goodJoined(w io.Writer, late bool) error {
	b := messages.Get().(*bytes.Buffer)
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		w.Write(b.Bytes())
	}()
	all.Wait()
	if late {
		messages.Put(b)
		return errLate
	}
	return nil
}
