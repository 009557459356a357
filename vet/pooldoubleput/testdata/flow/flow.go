// Package flow has values that are put by deferred calls, in loops and in closures.
package flow

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"iter"
	"log"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type task struct {
	id  int
	out []byte
}

func (t *task) run() error {
	if t.id == 0 {
		return errors.New("no task")
	}
	return nil
}

var tasks = sync.Pool{New: func() any { return new(task) }}

// The deferred put comes after the other one.
func badPutAndDeferred(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf) // want "is put back twice"
	buf.Reset()
	buf.Write(data)
	if _, err := buf.WriteTo(w); err != nil {
		buffers.Put(buf)
		return err
	}
	return nil
}

func goodDeferredOnly(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(data)
	if _, err := buf.WriteTo(w); err != nil {
		return err
	}
	return nil
}

func goodPutBeforeDefer(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if len(data) == 0 {
		buffers.Put(buf)
		return nil
	}
	defer buffers.Put(buf)
	buf.Write(data)
	_, err := buf.WriteTo(w)
	return err
}

func badPutAndDeferredClosure(w io.Writer, data []byte) error {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer func() {
		zw.Reset(io.Discard)
		gzips.Put(zw) // want "is put back twice"
	}()
	if _, err := zw.Write(data); err != nil {
		return err
	}
	err := zw.Close()
	gzips.Put(zw)
	return err
}

func goodDeferredClosure(w io.Writer, data []byte) error {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer func() {
		zw.Reset(io.Discard)
		gzips.Put(zw)
	}()
	if _, err := zw.Write(data); err != nil {
		return err
	}
	return zw.Close()
}

// Nothing tells the closure that the value has gone already.
func badClosureKeepsVariable(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buf != nil {
			buffers.Put(buf) // want "is put back twice"
		}
	}()
	buf.Write(data)
	if _, err := buf.WriteTo(w); err != nil {
		log.Print(err)
	}
	buffers.Put(buf)
}

func goodClosureLooksAtVariable(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buf != nil {
			buffers.Put(buf)
		}
	}()
	buf.Write(data)
	if _, err := buf.WriteTo(w); err != nil {
		log.Print(err)
	}
	buffers.Put(buf)
	buf = nil
}

func goodFlag(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	released := false
	release := func() {
		if !released {
			released = true
			buffers.Put(buf)
		}
	}
	defer release()
	buf.Write(data)
	if len(data) == 0 {
		release()
		return
	}
	buf.WriteTo(w)
}

func badWithoutFlag(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Write(data)
	release := func() {
		buf.Reset()
		buffers.Put(buf)
	}
	buf.WriteTo(w)
	release()
	buffers.Put(buf) // want "is put back twice"
}

func goodOnceFunc(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	release := sync.OnceFunc(func() { buffers.Put(buf) })
	defer release()
	buf.Write(data)
	if len(data) == 0 {
		release()
		return
	}
	buf.WriteTo(w)
}

func badOnceFuncAndPut(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	release := sync.OnceFunc(func() { buffers.Put(buf) })
	buf.Write(data)
	release()
	buffers.Put(buf) // want "is put back twice"
}

func badTwoDefers(w io.Writer, data []byte) {
	t := tasks.Get().(*task)
	defer tasks.Put(t) // want "is put back twice"
	t.out = append(t.out[:0], data...)
	defer tasks.Put(t)
	w.Write(t.out)
}

func goodTwoDefers(w io.Writer, data []byte) {
	t := tasks.Get().(*task)
	defer tasks.Put(t)
	t.out = append(t.out[:0], data...)
	u := tasks.Get().(*task)
	defer tasks.Put(u)
	w.Write(t.out)
}

// Only a panic gets the closure to put.
func goodPutOfPanic(id int) (err error) {
	t := tasks.Get().(*task)
	t.id = id
	defer func() {
		if r := recover(); r != nil {
			log.Print(r)
			tasks.Put(t)
		}
	}()
	err = t.run()
	tasks.Put(t)
	return err
}

// Only an error gets the closure to put.
func goodPutOfError(id int) (err error) {
	t := tasks.Get().(*task)
	t.id = id
	defer func() {
		if err != nil {
			tasks.Put(t)
		}
	}()
	if err = t.run(); err != nil {
		return err
	}
	tasks.Put(t)
	return nil
}

func badPutOfErrorTwice(id int) (err error) {
	t := tasks.Get().(*task)
	t.id = id
	defer func() {
		tasks.Put(t) // want "is put back twice"
	}()
	if err = t.run(); err != nil {
		tasks.Put(t)
		return err
	}
	return nil
}

// The second round puts the buffer of the first again.
func badPutInLoop(w io.Writer, lines []string) {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		io.WriteString(w, l)
		buffers.Put(buf) // want "is put back twice"
	}
}

func goodPutInLoop(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		io.WriteString(w, l)
		buffers.Put(buf)
	}
}

func badPutInAndAfterLoop(r io.Reader) (total int) {
	t := tasks.Get().(*task)
	t.out = make([]byte, 512)
	for {
		n, err := r.Read(t.out)
		total += n
		if err != nil {
			tasks.Put(t)
			break
		}
	}
	tasks.Put(t) // want "is put back twice"
	return total
}

func goodPutAfterLoop(r io.Reader) (total int) {
	t := tasks.Get().(*task)
	t.out = make([]byte, 512)
	for {
		n, err := r.Read(t.out)
		total += n
		if err != nil {
			break
		}
	}
	tasks.Put(t)
	return total
}

func badContinue(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			buffers.Put(buf)
		}
		buf.Reset()
		buffers.Put(buf) // want "is put back twice"
	}
}

func goodContinue(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			buffers.Put(buf)
			continue
		}
		buf.Reset()
		buffers.Put(buf)
	}
}

// After the put there is another buffer in the variable.
func goodNextInLoop(w io.Writer, lines []string) {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		buf.WriteString(l)
		if buf.Len() > 1<<10 {
			buf.WriteTo(w)
			buffers.Put(buf)
			buf = buffers.Get().(*bytes.Buffer)
		}
	}
	buf.WriteTo(w)
	buffers.Put(buf)
}

func goodPutAll(list []*task) {
	for _, t := range list {
		tasks.Put(t)
	}
}

func badPutAll(list []*task) {
	for _, t := range list {
		if t.id == 0 {
			tasks.Put(t)
		}
		tasks.Put(t) // want "is put back twice"
	}
}

func goodDeferInLoop(ids []int) (err error) {
	for _, id := range ids {
		t := tasks.Get().(*task)
		defer tasks.Put(t)
		t.id = id
		err = errors.Join(err, t.run())
	}
	return err
}

func badDeferInLoop(ids []int) (err error) {
	for _, id := range ids {
		t := tasks.Get().(*task)
		defer tasks.Put(t) // want "is put back twice"
		t.id = id
		err = errors.Join(err, t.run())
		tasks.Put(t)
	}
	return err
}

func badInRangeOverFunc(w io.Writer, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			buffers.Put(buf)
		}
		buffers.Put(buf) // want "is put back twice"
	}
}

func goodInRangeOverFunc(w io.Writer, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			buffers.Put(buf)
			continue
		}
		buffers.Put(buf)
	}
}

func badMethodValue(w io.Writer, data []byte) {
	put := buffers.Put
	buf := buffers.Get().(*bytes.Buffer)
	buf.Write(data)
	buf.WriteTo(w)
	put(buf)
	buffers.Put(buf) // want "is put back twice"
}

func goodMethodValue(w io.Writer, data []byte) {
	put := buffers.Put
	buf := buffers.Get().(*bytes.Buffer)
	buf.Write(data)
	buf.WriteTo(w)
	put(buf)
}

// deliver is the end of a task.
func deliver(w io.Writer, t *task) {
	w.Write(t.out)
	tasks.Put(t)
}

func badGoroutineAndPut(w io.Writer, id int) {
	t := tasks.Get().(*task)
	t.id = id
	go deliver(w, t)
	tasks.Put(t) // want "is put back twice"
}

func goodGoroutinePuts(w io.Writer, id int) {
	t := tasks.Get().(*task)
	t.id = id
	go deliver(w, t)
}

func goodGoroutineOrPut(w io.Writer, id int) {
	t := tasks.Get().(*task)
	t.id = id
	if id > 0 {
		go deliver(w, t)
	} else {
		tasks.Put(t)
	}
}

func badInGoroutine(ids <-chan int) {
	go func() {
		for id := range ids {
			t := tasks.Get().(*task)
			t.id = id
			if t.run() != nil {
				tasks.Put(t)
			}
			tasks.Put(t) // want "is put back twice"
		}
	}()
}

func goodInGoroutine(ids <-chan int) {
	go func() {
		for id := range ids {
			t := tasks.Get().(*task)
			t.id = id
			if t.run() != nil {
				tasks.Put(t)
				continue
			}
			tasks.Put(t)
		}
	}()
}

// Whoever cannot be reached leaves the task to its maker.
func goodSendOrPut(queue chan<- *task, id int) {
	t := tasks.Get().(*task)
	t.id = id
	select {
	case queue <- t:
	default:
		tasks.Put(t)
	}
}

var idle atomic.Pointer[task]

func goodParkOrPut(t *task) {
	if !idle.CompareAndSwap(nil, t) {
		tasks.Put(t)
	}
}

func goodPutFormer(t *task) {
	if old := idle.Swap(t); old != nil {
		tasks.Put(old)
	}
}

// A function of a package-level variable is one like any other.
var badVariable = func(id int) error {
	t := tasks.Get().(*task)
	defer tasks.Put(t) // want "is put back twice"
	t.id = id
	err := t.run()
	tasks.Put(t)
	return err
}

var goodVariable = func(id int) error {
	t := tasks.Get().(*task)
	defer tasks.Put(t)
	t.id = id
	return t.run()
}
