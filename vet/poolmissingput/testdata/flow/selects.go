package flow

import (
	"bufio"
	"bytes"
	"time"
)

// A value that a select statement sends has another owner, in that case only.

func badSelectTimeout(ch chan<- *task, id int) bool {
	t := tasks.Get().(*task) // want "is not put back"
	t.id = id
	select {
	case ch <- t:
		return true
	case <-time.After(time.Second):
		return false
	}
}

func goodSelectTimeout(ch chan<- *task, id int) bool {
	t := tasks.Get().(*task)
	t.id = id
	select {
	case ch <- t:
		return true
	case <-time.After(time.Second):
		tasks.Put(t)
		return false
	}
}

// A log keeps what it is given until it is written, by a function nobody here knows.
type journal struct{ write func([]byte) error }

func (j *journal) append(b []byte) error { return j.write(b) }

func badRefused(j *journal, text string) error {
	bp := blocks.Get().(*[]byte) // want "is not put back"
	*bp = append((*bp)[:0], text...)
	if err := j.append(*bp); err != nil {
		return err
	}
	blocks.Put(bp)
	return nil
}

// Nothing says that it is not the journal's, whether that fails or not.
func goodTaken(j *journal, text string) error {
	bp := blocks.Get().(*[]byte)
	*bp = append((*bp)[:0], text...)
	if err := j.append(*bp); err != nil {
		return err
	}
	return nil
}

func badRefusedText(v interface{ writeTo(*bufio.Writer) error }) string {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	bw := bufio.NewWriter(buf)
	if err := v.writeTo(bw); err != nil {
		return err.Error()
	}
	text := buf.String()
	buffers.Put(buf)
	return text
}

func goodRefusedText(v interface{ writeTo(*bufio.Writer) error }) string {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	bw := bufio.NewWriter(buf)
	if err := v.writeTo(bw); err != nil {
		return err.Error()
	}
	return buf.String()
}
