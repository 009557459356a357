// Package flow has values that are got in loops and put in closures.
package flow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"sync"
	"testing"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

type task struct {
	id  int
	out []byte
}

func (t *task) run() error {
	if t.id < 0 {
		return errors.New("no such task")
	}
	return nil
}

var tasks = sync.Pool{New: func() any { return new(task) }}

func badContinue(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
		buf.Reset()
		buf.WriteString(l)
		if l == "" {
			continue
		}
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodContinue(w io.Writer, lines []string) {
	for _, l := range lines {
		if l == "" {
			continue
		}
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func badReturnFromLoop(w io.Writer, lines []string) error {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	for _, l := range lines {
		buf.Reset()
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			return fmt.Errorf("writing %q: %w", l, err)
		}
		if n, err := io.WriteString(w, "\n"); n == 0 {
			return err
		}
	}
	buffers.Put(buf)
	return nil
}

func goodReturnFromLoop(w io.Writer, lines []string) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	for _, l := range lines {
		buf.Reset()
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			return fmt.Errorf("writing %q: %w", l, err)
		}
		if n, err := io.WriteString(w, "\n"); n == 0 {
			return err
		}
	}
	return nil
}

func badBreak(r io.Reader) (total int) {
	for {
		bp := blocks.Get().(*[]byte) // want "is not put back"
		n, err := r.Read(*bp)
		if err != nil {
			break
		}
		total += n
		blocks.Put(bp)
	}
	return total
}

func goodBreak(r io.Reader) (total int) {
	for {
		bp := blocks.Get().(*[]byte)
		n, err := r.Read(*bp)
		blocks.Put(bp)
		if err != nil {
			break
		}
		total += n
	}
	return total
}

// Only the buffer of the last round goes back.
func badPutAfterLoop(w io.Writer, lines []string) {
	var buf *bytes.Buffer
	for _, l := range lines {
		buf = buffers.Get().(*bytes.Buffer) // want "is not put back"
		buf.Reset()
		buf.WriteString(l)
		buf.WriteTo(w)
	}
	if buf != nil {
		buffers.Put(buf)
	}
}

func goodPutInLoop(w io.Writer, lines []string) {
	var buf *bytes.Buffer
	for _, l := range lines {
		buf = buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodGetBeforeLoop(w io.Writer, lines []string) {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		buf.Reset()
		buf.WriteString(l)
		buf.WriteTo(w)
	}
	buffers.Put(buf)
}

// They all go back when the function returns.
func goodDeferInLoop(ids []int) (err error) {
	for _, id := range ids {
		t := tasks.Get().(*task)
		defer tasks.Put(t)
		t.id = id
		err = errors.Join(err, t.run())
	}
	return err
}

func goodDeferInFunctionInLoop(ids []int) (err error) {
	for _, id := range ids {
		func() {
			t := tasks.Get().(*task)
			defer tasks.Put(t)
			t.id = id
			err = errors.Join(err, t.run())
		}()
	}
	return err
}

func goodCollectedAndPut(ids []int) (err error) {
	var list []*task
	for _, id := range ids {
		t := tasks.Get().(*task)
		t.id = id
		list = append(list, t)
	}
	for _, t := range list {
		err = errors.Join(err, t.run())
		tasks.Put(t)
	}
	return err
}

func goodTurnOver(w io.Writer, lines []string) {
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

func badTurnOver(w io.Writer, lines []string) {
	buf := new(bytes.Buffer)
	for _, l := range lines {
		buf.WriteString(l)
		if buf.Len() > 1<<10 {
			buf.WriteTo(w)
			buf = buffers.Get().(*bytes.Buffer) // want "is never put back"
		}
	}
	buf.WriteTo(w)
}

func goodInRangeOverFunc(w io.Writer, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		if l == "" {
			buffers.Put(buf)
			continue
		}
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func badInGoroutine(w io.Writer, ids <-chan int) {
	go func() {
		for id := range ids {
			t := tasks.Get().(*task) // want "is not put back"
			t.id = id
			if n, err := w.Write(t.out); n == 0 {
				log.Print(err)
				return
			}
			tasks.Put(t)
		}
	}()
}

func goodInGoroutine(w io.Writer, ids <-chan int) {
	go func() {
		for id := range ids {
			t := tasks.Get().(*task)
			t.id = id
			if n, err := w.Write(t.out); n == 0 {
				log.Print(err)
				tasks.Put(t)
				return
			}
			tasks.Put(t)
		}
	}()
}

// The closure is called on one way only.
func badClosureOnOneWay(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	release := func() {
		buf.Reset()
		buffers.Put(buf)
	}
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	release()
	return nil
}

func goodClosureOnAllWays(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	release := func() {
		buf.Reset()
		buffers.Put(buf)
	}
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		release()
		return err
	}
	release()
	return nil
}

func goodDeferredClosure(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		buffers.Put(buf)
	}()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	return nil
}

func goodDeferredClosureWithArgument(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer func(b *bytes.Buffer) {
		b.Reset()
		buffers.Put(b)
	}(buf)
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	return nil
}

// The block may have been replaced by a larger one, which goes back instead.
func goodCopyBack(w io.Writer, chunks [][]byte) error {
	bp := blocks.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		*bp = b
		blocks.Put(bp)
	}()
	for _, c := range chunks {
		if b = append(b, c...); len(b) > 1<<20 {
			return io.ErrShortBuffer
		}
	}
	_, err := w.Write(b)
	return err
}

func badCopyBack(w io.Writer, chunks [][]byte) error {
	bp := blocks.Get().(*[]byte) // want "is not put back"
	b := (*bp)[:0]
	for _, c := range chunks {
		if b = append(b, c...); len(b) > 1<<20 {
			return io.ErrShortBuffer
		}
	}
	_, err := w.Write(b)
	*bp = b
	blocks.Put(bp)
	return err
}

func badMethodValue(w io.Writer, data []byte) error {
	put := buffers.Put
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	put(buf)
	return nil
}

func goodMethodValue(w io.Writer, data []byte) error {
	put := buffers.Put
	buf := buffers.Get().(*bytes.Buffer)
	defer put(buf)
	buf.Reset()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	return nil
}

func goodOnceFunc(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	release := sync.OnceFunc(func() { buffers.Put(buf) })
	defer release()
	buf.Reset()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	return nil
}

// The function that puts it is called on one way only.
func badOnceFunc(w io.Writer, data []byte) error {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	release := sync.OnceFunc(func() { buffers.Put(buf) })
	buf.Reset()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	release()
	return nil
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

// The put is the same condition's as the get.
func goodSameCondition(w io.Writer, data []byte, copied bool) error {
	var bp *[]byte
	if copied {
		bp = blocks.Get().(*[]byte)
		data = (*bp)[:copy(*bp, data)]
	}
	_, err := w.Write(data)
	if copied {
		blocks.Put(bp)
	}
	return err
}

// A recovered panic has put nothing yet.
func goodRecover(id int) (err error) {
	t := tasks.Get().(*task)
	t.id = id
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("task %d: %v", id, r)
		}
		tasks.Put(t)
	}()
	return t.run()
}

func goodCleanup(t *testing.T) {
	buf := buffers.Get().(*bytes.Buffer)
	t.Cleanup(func() { buffers.Put(buf) })
	buf.Reset()
	if _, err := fmt.Fprint(buf, t.Name()); err != nil {
		t.Fatal(err)
	}
}

// An iterator that puts its block however the loop ends.
func goodIterator(r io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		bp := blocks.Get().(*[]byte)
		defer blocks.Put(bp)
		for {
			n, err := r.Read(*bp)
			if n > 0 && !yield((*bp)[:n]) || err != nil {
				return
			}
		}
	}
}
