// Package sent has functions that give something to other goroutines.
package sent

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

type packet struct {
	to   string
	data []byte
}

type job struct {
	id   int
	done chan error
}

func (j *job) run() error {
	_, err := fmt.Println("job", j.id)
	return err
}

var jobs = sync.Pool{New: func() any { return &job{done: make(chan error, 1)} }}

func badSend(ch chan<- []byte, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	ch <- buf.Bytes() // want "which is put back"
}

func goodSend(ch chan<- []byte, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	ch <- bytes.Clone(buf.Bytes())
}

func goodSendString(ch chan<- string, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	ch <- buf.String()
}

func badSendPacket(ch chan<- packet, to string, r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	if err != nil {
		return err
	}
	ch <- packet{to, (*bp)[:n]} // want "which is put back"
	return nil
}

func goodSendPacket(ch chan<- packet, to string, r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	if err != nil {
		return err
	}
	ch <- packet{to, append([]byte(nil), (*bp)[:n]...)}
	return nil
}

func badSelect(ch chan<- []byte, quit <-chan struct{}, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	select {
	case ch <- buf.Bytes(): // want "which is put back"
	case <-quit:
	}
}

func goodSelect(ch chan<- []byte, quit <-chan struct{}, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	select {
	case ch <- []byte(buf.String()):
	case <-quit:
	}
}

func badSendItem(ch chan<- *bytes.Buffer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	ch <- buf // want "which is put back"
	buffers.Put(buf)
}

// The receiver puts what it received.
func goodSendItem(ch chan<- *bytes.Buffer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	ch <- buf
}

func goodReceive(w io.Writer, ch <-chan *bytes.Buffer) {
	for buf := range ch {
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodSendOrPut(ch chan<- *bytes.Buffer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	select {
	case ch <- buf:
	default:
		buffers.Put(buf)
	}
}

// The worker says when it is done with the job.
func goodSendAndWait(queue chan<- *job, id int) error {
	j := jobs.Get().(*job)
	j.id = id
	queue <- j
	err := <-j.done
	jobs.Put(j)
	return err
}

func badGo(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	go func() { // want "which is put back"
		w.Write(buf.Bytes())
	}()
}

// The goroutine puts what it was given.
func goodGo(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	go func() {
		defer buffers.Put(buf)
		w.Write(buf.Bytes())
	}()
}

func goodGoCopy(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	text := bytes.Clone(buf.Bytes())
	go func() {
		w.Write(text)
	}()
}

func write(w io.Writer, p []byte) { w.Write(p) }

func badGoArgument(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	go write(w, buf.Bytes()) // want "which is put back"
}

func goodGoArgument(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	go write(w, []byte(buf.String()))
}

func badGoMethod(id int) {
	j := jobs.Get().(*job)
	j.id = id
	go j.run() // want "which is put back"
	jobs.Put(j)
}

func goodGoMethod(id int) {
	j := jobs.Get().(*job)
	j.id = id
	go func() {
		j.run()
		jobs.Put(j)
	}()
}

func goodGoAndWaitGroup(ws []io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.Write(buf.Bytes())
		}()
	}
	wg.Wait()
}

func goodWaitGroupGo(ws []io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(func() { w.Write(buf.Bytes()) })
	}
	wg.Wait()
}

// Nobody waits for the writers.
func badGoInLoop(ws []io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	for _, w := range ws {
		go write(w, buf.Bytes()) // want "which is put back"
	}
}

func goodGoAndChannel(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Write(buf.Bytes())
	}()
	<-done
}

func goodGoAndError(w io.Writer, r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	errs := make(chan error, 1)
	go func() {
		_, err := io.CopyBuffer(w, r, *bp)
		errs <- err
	}()
	return <-errs
}

func badGoAfterPut(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	text := buf.Bytes()
	buffers.Put(buf)
	go write(w, text) // want "which is put back"
}

func goodGoAfterPut(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	text := []byte(buf.String())
	buffers.Put(buf)
	go write(w, text)
}

// A goroutine inside, with a value of its own.
func goodGoWithOwn(w io.Writer, ids []int) {
	for _, id := range ids {
		go func() {
			buf := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(buf)
			buf.Reset()
			fmt.Fprint(buf, id)
			w.Write(buf.Bytes())
		}()
	}
}

func badSendFromGoroutine(ch chan<- []byte, ids []int) {
	for _, id := range ids {
		go func() {
			buf := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(buf)
			buf.Reset()
			fmt.Fprint(buf, id)
			ch <- buf.Bytes() // want "which is put back"
		}()
	}
}
