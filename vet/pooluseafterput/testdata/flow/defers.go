package flow

import (
	"bytes"
	"compress/gzip"
	"io"
	"log"
)

// Deferred calls run in reverse order: the writer goes back before it is closed.
func badCloseDeferredBeforePut(w io.Writer, data []byte) error {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer zw.Close() // want "is used after it was put back"
	defer gzips.Put(zw)
	_, err := zw.Write(data)
	return err
}

func goodCloseDeferredAfterPut(w io.Writer, data []byte) error {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer gzips.Put(zw)
	defer zw.Close()
	_, err := zw.Write(data)
	return err
}

func goodCloseAndPutInClosure(w io.Writer, data []byte) (err error) {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer func() {
		if e := zw.Close(); err == nil {
			err = e
		}
		gzips.Put(zw)
	}()
	_, err = zw.Write(data)
	return err
}

func badPutAndResetInClosure(w io.Writer, data []byte) error {
	zw := gzips.Get().(*gzip.Writer)
	zw.Reset(w)
	defer func() {
		gzips.Put(zw)
		zw.Reset(io.Discard) // want "is used after it was put back"
	}()
	if _, err := zw.Write(data); err != nil {
		return err
	}
	return zw.Close()
}

func goodResetAndPutInClosure(w io.Writer, data []byte) error {
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

func badMeasureDeferredBeforePut(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() { observe(buf.Len()) }() // want "is used after it was put back"
	defer buffers.Put(buf)
	buf.Write(data)
	w.Write(buf.Bytes())
}

func goodMeasureDeferredAfterPut(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer buffers.Put(buf)
	defer func() { observe(buf.Len()) }()
	buf.Write(data)
	w.Write(buf.Bytes())
}

// The arguments of a deferred call are computed when it is deferred.
func goodArgumentDeferredBeforePut(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	defer observe(buf.Len())
	defer buffers.Put(buf)
	w.Write(buf.Bytes())
}

func badPointerDeferredBeforePut(id int) {
	j := jobs.Get().(*job)
	j.id = id
	defer finish(j) // want "is used after it was put back"
	defer jobs.Put(j)
	j.grow(10)
}

func goodPointerDeferredAfterPut(id int) {
	j := jobs.Get().(*job)
	j.id = id
	defer jobs.Put(j)
	defer finish(j)
	j.grow(10)
}

func finish(j *job) { log.Print("finished ", j.id) }

func badPutNowMeasureDeferred(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() {
		observe(buf.Len()) // want "is used after it was put back"
	}()
	buf.Write(data)
	w.Write(buf.Bytes())
	buffers.Put(buf)
}

func goodMeasureNowPutDeferred(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() {
		buffers.Put(buf)
	}()
	buf.Write(data)
	w.Write(buf.Bytes())
	observe(buf.Len())
}

// The closure looks at the variable when it runs, and that is empty by then.
func goodDeferredLooksAtVariable(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() {
		if buf != nil {
			log.Print("not written: ", buf.Len())
			buffers.Put(buf)
		}
	}()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return
	}
	buffers.Put(buf)
	buf = nil
}

// The block may have been replaced by a larger one, which goes back instead.
func goodCopyBack(w io.Writer, chunks [][]byte) {
	bp := blocks.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		*bp = b
		blocks.Put(bp)
	}()
	for _, c := range chunks {
		b = append(b, c...)
	}
	w.Write(b)
}

func badCopyBackAfterPut(w io.Writer, chunks [][]byte) {
	bp := blocks.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		blocks.Put(bp)
		*bp = b // want "is used after it was put back"
	}()
	for _, c := range chunks {
		b = append(b, c...)
	}
	w.Write(b)
}

// Only a panic leads into the closure's branch, and then nothing was put.
func goodPutOfPanic(id int) (err error) {
	j := jobs.Get().(*job)
	j.id = id
	defer func() {
		if r := recover(); r != nil {
			log.Print("job ", j.id, ": ", r)
			jobs.Put(j)
		}
	}()
	err = j.run()
	jobs.Put(j)
	return err
}

// The defer is registered only if there is something to put.
func goodDeferInBranch(w io.Writer, data []byte) {
	var small [64]byte
	b := small[:]
	if len(data) > len(b) {
		bp := blocks.Get().(*[]byte)
		defer blocks.Put(bp)
		b = *bp
	}
	n := copy(b, data)
	w.Write(b[:n])
}
