package flow

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"log"
	"os"
)

var errEmpty = errors.New("empty")

func badPutInBothBranches(w io.Writer, data []byte) int {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	if len(data) > 100 {
		w.Write(buf.Bytes())
		buffers.Put(buf)
	} else {
		buffers.Put(buf)
	}
	return buf.Len() // want "is used after it was put back"
}

func goodPutInOneBranch(w io.Writer, data []byte) int {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	if len(data) > 100 {
		w.Write(buf.Bytes())
		buffers.Put(buf)
		return len(data)
	}
	n := buf.Len()
	buffers.Put(buf)
	return n
}

// The error branch lacks its return.
func badBranchWithoutReturn(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		blocks.Put(bp)
	}
	w.Write((*bp)[:n]) // want "is used after it was put back"
}

func goodBranchWithReturn(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		blocks.Put(bp)
		return
	}
	w.Write((*bp)[:n])
	blocks.Put(bp)
}

func goodBranchThatExits(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		log.Fatal(err)
	}
	w.Write((*bp)[:n])
	blocks.Put(bp)
}

func goodBranchThatPanics(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		panic(err)
	}
	w.Write((*bp)[:n])
	blocks.Put(bp)
}

func goodBranchThatEndsTheProgram(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	switch {
	case err == io.EOF:
		blocks.Put(bp)
		os.Exit(0)
	case err != nil:
		blocks.Put(bp)
		return
	}
	w.Write((*bp)[:n])
	blocks.Put(bp)
}

func badInErrorBranch(id int) error {
	j := jobs.Get().(*job)
	j.id = id
	err := j.run()
	jobs.Put(j)
	if err != nil {
		log.Printf("job %d: %v", j.id, err) // want "is used after it was put back"
		return err
	}
	return nil
}

func goodInErrorBranch(id int) error {
	j := jobs.Get().(*job)
	j.id = id
	err := j.run()
	jobs.Put(j)
	if err != nil {
		log.Printf("job %d: %v", id, err)
		return err
	}
	return nil
}

func badAfterSwitch(kind string) int {
	j := jobs.Get().(*job)
	switch kind {
	case "small":
		j.grow(16)
		jobs.Put(j)
	case "large":
		j.grow(1 << 20)
		jobs.Put(j)
	default:
		jobs.Put(j)
	}
	return j.id // want "is used after it was put back"
}

func goodAfterSwitch(kind string) int {
	j := jobs.Get().(*job)
	switch kind {
	case "small":
		j.grow(16)
	case "large":
		j.grow(1 << 20)
	default:
		jobs.Put(j)
		return 0
	}
	id := j.id
	jobs.Put(j)
	return id
}

// Whether it was put is known to the second branch.
func goodSameCondition(w io.Writer, data []byte, later bool) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	if !later {
		w.Write(buf.Bytes())
		buffers.Put(buf)
	}
	observe(len(data))
	if later {
		w.Write(buf.Bytes())
		buffers.Put(buf)
	}
}

// The put branch takes another buffer in the place of the first.
func goodReplacedInBranch(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if buf.Cap() < len(data) {
		buffers.Put(buf)
		buf = bytes.NewBuffer(make([]byte, 0, len(data)))
	}
	buf.Write(data)
	w.Write(buf.Bytes())
	buffers.Put(buf)
}

func badNotReplacedInBranch(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if buf.Cap() < len(data) {
		buffers.Put(buf)
		buf.Grow(len(data)) // want "is used after it was put back"
	}
	buf.Write(data)
	w.Write(buf.Bytes())
}

// The compressed form is used only if it is smaller; what is written is a copy then.
func goodChoiceOfResult(w io.Writer, data []byte) {
	out := data
	if len(data) > 512 {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		zw := gzips.Get().(*gzip.Writer)
		zw.Reset(buf)
		zw.Write(data)
		zw.Close()
		if buf.Len() < len(data) {
			out = bytes.Clone(buf.Bytes())
		}
		gzips.Put(zw)
		buffers.Put(buf)
	}
	w.Write(out)
}

func badChoiceOfResult(w io.Writer, data []byte) {
	if len(data) > 512 {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.Write(data)
		out := buf.Bytes()
		buffers.Put(buf)
		if len(out) < len(data) {
			data = bytes.TrimSpace(out) // want "is used after it was put back"
		}
	}
	observe(len(data))
}

// A large block is left to the collector; only a small one is another's.
func goodConditionalPutAtTheEnd(r io.Reader) (n int, err error) {
	bp := blocks.Get().(*[]byte)
	n, err = r.Read(*bp)
	if n == 0 {
		err = errEmpty
	}
	if cap(*bp) <= 64<<10 {
		blocks.Put(bp)
	}
	return n, err
}

func badConditionalPutBeforeUse(r io.Reader) (first byte, err error) {
	bp := blocks.Get().(*[]byte)
	_, err = r.Read(*bp)
	if cap(*bp) <= 64<<10 {
		blocks.Put(bp)
	}
	return (*bp)[0], err // want "is used after it was put back"
}

func badUsedBehind(w io.Writer, data []byte, plain bool) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	var out []byte
	if plain {
		out = buf.Bytes()
	} else {
		out = bytes.ToUpper(buf.Bytes())
	}
	buffers.Put(buf)
	_, err := w.Write(out) // want "is used after it was put back"
	return err
}

func goodUsedBehind(w io.Writer, data []byte, plain bool) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	var out []byte
	if plain {
		out = buf.Bytes()
	} else {
		out = bytes.ToUpper(buf.Bytes())
	}
	_, err := w.Write(out)
	buffers.Put(buf)
	return err
}

// It is put in the branch that does not use it any longer.
func goodPutInBranch(w io.Writer, data []byte, plain bool) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	var out []byte
	if plain {
		out = buf.Bytes()
	} else {
		out = bytes.ToUpper(buf.Bytes())
		buffers.Put(buf)
	}
	_, err := w.Write(out)
	if plain {
		buffers.Put(buf)
	}
	return err
}
