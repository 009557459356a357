package flow

import (
	"bytes"
	"io"
	"sync"
)

func badClosureAfterPut(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	buffers.Put(buf)
	func() { w.Write(buf.Bytes()) }() // want "is used after it was put back"
}

func goodClosureBeforePut(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	func() { w.Write(buf.Bytes()) }()
	buffers.Put(buf)
}

func badAfterClosureThatPuts(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	release := func() {
		buf.Reset()
		buffers.Put(buf)
	}
	buf.Write(data)
	release()
	w.Write(buf.Bytes()) // want "is used after it was put back"
}

func goodBeforeClosureThatPuts(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	release := func() {
		buf.Reset()
		buffers.Put(buf)
	}
	buf.Write(data)
	w.Write(buf.Bytes())
	release()
}

func badAfterMethodValue(w io.Writer, data []byte) {
	put := buffers.Put
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	put(buf)
	w.Write(buf.Bytes()) // want "is used after it was put back"
}

func goodBeforeMethodValue(w io.Writer, data []byte) {
	put := buffers.Put
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	w.Write(buf.Bytes())
	put(buf)
}

func badAfterOnceFunc(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	release := sync.OnceFunc(func() { buffers.Put(buf) })
	defer release()
	buf.Reset()
	buf.Write(data)
	if len(data) == 0 {
		release()
		buf.WriteString("empty") // want "is used after it was put back"
		return
	}
	w.Write(buf.Bytes())
}

func goodBeforeOnceFunc(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	release := sync.OnceFunc(func() { buffers.Put(buf) })
	defer release()
	buf.Reset()
	buf.Write(data)
	if len(data) == 0 {
		release()
		return
	}
	w.Write(buf.Bytes())
}

func badInGoroutine(work <-chan int) {
	go func() {
		for id := range work {
			j := jobs.Get().(*job)
			j.id = id
			jobs.Put(j)
			observe(j.id) // want "is used after it was put back"
		}
	}()
}

func goodInGoroutine(work <-chan int) {
	go func() {
		for id := range work {
			j := jobs.Get().(*job)
			j.id = id
			observe(j.id)
			jobs.Put(j)
		}
	}()
}

// A function of a package-level variable is one like any other.
var badVariable = func(id int) int {
	j := jobs.Get().(*job)
	j.grow(id)
	jobs.Put(j)
	return len(j.input) // want "is used after it was put back"
}

var goodVariable = func(id int) int {
	j := jobs.Get().(*job)
	j.grow(id)
	n := len(j.input)
	jobs.Put(j)
	return n
}

// A closure that is never called after the put.
func goodClosureForErrors(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	fail := func(err error) error {
		buf.Reset()
		buffers.Put(buf)
		return err
	}
	buf.Write(data)
	if buf.Len() == 0 {
		return fail(errEmpty)
	}
	if _, err := buf.WriteTo(w); err != nil {
		return fail(err)
	}
	return fail(nil)
}

// The goroutine gets the job, and is done with it before it is put.
func goodPutAfterJoin(id int) error {
	j := jobs.Get().(*job)
	j.id = id
	errs := make(chan error)
	go func() { errs <- j.run() }()
	err := <-errs
	jobs.Put(j)
	return err
}

// A job that was sent is the receiver's, and so is its put.
func goodSent(queue chan<- *job, id int) {
	j := jobs.Get().(*job)
	j.id = id
	select {
	case queue <- j:
	default:
		jobs.Put(j)
	}
}
