package flow

import (
	"bytes"
	"fmt"
	"io"
	"iter"
)

// Every way out of the loop has put the block.
func badAfterLoop(r io.Reader) (total int, last byte) {
	bp := blocks.Get().(*[]byte)
	for {
		n, err := r.Read(*bp)
		total += n
		if err != nil {
			blocks.Put(bp)
			break
		}
	}
	return total, (*bp)[0] // want "is used after it was put back"
}

func goodAfterLoop(r io.Reader) (total int, last byte) {
	bp := blocks.Get().(*[]byte)
	for {
		n, err := r.Read(*bp)
		total += n
		if err != nil {
			last = (*bp)[0]
			blocks.Put(bp)
			break
		}
	}
	return total, last
}

// The second round writes into a buffer that the first has put.
func badGetBeforeLoop(w io.Writer, lines []string) {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		fmt.Fprintln(buf, l) // want "is used after it was put back"
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodGetInLoop(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		fmt.Fprintln(buf, l)
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodPutAfterLoop(w io.Writer, lines []string) {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		fmt.Fprintln(buf, l)
		buf.WriteTo(w)
	}
	buffers.Put(buf)
}

// The loop gets the next buffer as soon as it has put the last.
func goodGetAtEndOfLoop(w io.Writer, lines []string) {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		fmt.Fprintln(buf, l)
		if buf.Len() > 1<<10 {
			buf.WriteTo(w)
			buffers.Put(buf)
			buf = buffers.Get().(*bytes.Buffer)
		}
	}
	buf.WriteTo(w)
	buffers.Put(buf)
}

func badPutWithoutBreak(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(l)
		if l == "" {
			buffers.Put(buf)
			buf.Reset() // want "is used after it was put back"
			continue
		}
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodPutWithContinue(w io.Writer, lines []string) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(l)
		if l == "" {
			buf.Reset()
			buffers.Put(buf)
			continue
		}
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func goodPutAndReturnInLoop(w io.Writer, lines []string) error {
	buf := buffers.Get().(*bytes.Buffer)
	for _, l := range lines {
		buf.WriteString(l)
		if _, err := buf.WriteTo(w); err != nil {
			buffers.Put(buf)
			return err
		}
	}
	buffers.Put(buf)
	return nil
}

// A retry needs a job of its own.
func goodRetry(n int) (err error) {
	for range n {
		j := jobs.Get().(*job)
		j.grow(n)
		if err = j.run(); err == nil {
			jobs.Put(j)
			break
		}
		jobs.Put(j)
	}
	return err
}

// Blocks of a list are put one by one.
func goodPutAll(w io.Writer, list []*job) {
	for _, j := range list {
		w.Write(j.input)
		jobs.Put(j)
	}
}

func badPutAll(w io.Writer, list []*job) {
	for _, j := range list {
		jobs.Put(j)
		w.Write(j.input) // want "is used after it was put back"
	}
}

func badInRangeOverFunc(w io.Writer, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		buffers.Put(buf)
		w.Write(buf.Bytes()) // want "is used after it was put back"
	}
}

func goodInRangeOverFunc(w io.Writer, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		w.Write(buf.Bytes())
		buffers.Put(buf)
	}
}

// An iterator that lends its block to the loop body and has it back when that is done.
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

func badIterator(r io.Reader) iter.Seq[byte] {
	return func(yield func(byte) bool) {
		bp := blocks.Get().(*[]byte)
		n, _ := r.Read(*bp)
		b := (*bp)[:n]
		blocks.Put(bp)
		for i := range b {
			if !yield(b[i]) { // want "is used after it was put back"
				return
			}
		}
	}
}
