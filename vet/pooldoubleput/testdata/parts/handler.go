package parts

import (
	"compress/gzip"
	"crypto/sha256"
	"hash"
	"io"
	"net/http"
	"sync"
)

var (
	zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}
	digests = sync.Pool{New: func() any { return sha256.New() }}
)

// response takes its writer at the first Write.
type response struct {
	http.ResponseWriter
	zw *gzip.Writer
}

func (w *response) Write(p []byte) (int, error) {
	if w.zw == nil {
		w.zw = zippers.Get().(*gzip.Writer)
		w.zw.Reset(w.ResponseWriter)
	}
	return w.zw.Write(p)
}

// Close puts the writer, and leaves it where it was.
func (w *response) Close() error {
	if w.zw == nil {
		return nil
	}
	err := w.zw.Close()
	zippers.Put(w.zw)
	return err
}

// finish puts the writer once.
func (w *response) finish() error {
	if w.zw == nil {
		return nil
	}
	err := w.zw.Close()
	zippers.Put(w.zw)
	w.zw = nil
	return err
}

func badHandler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zw := &response{ResponseWriter: w}
		defer zw.Close() // want "zw.zw is put back twice when the function ends, after line 58"
		h.ServeHTTP(zw, r)
		if r.Header.Get("Connection") == "close" {
			zw.Close()
		}
	})
}

func goodHandler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zw := &response{ResponseWriter: w}
		defer zw.finish()
		h.ServeHTTP(zw, r)
		if r.Header.Get("Connection") == "close" {
			zw.finish()
		}
	})
}

func badServed(zw *response, serve func(io.Writer) error) error {
	if err := serve(zw); err != nil {
		zw.Close()
	}
	return zw.Close() // want "zw.zw is put back twice, after line 76"
}

func goodServed(zw *response, serve func(io.Writer) error) error {
	if err := serve(zw); err != nil {
		zw.Close()
		return err
	}
	return zw.Close()
}

// Whoever has got the response writes on, which takes another writer.
func goodWritten(zw *response, serve func(io.Writer) func() error) error {
	flush := serve(zw)
	zw.Close()
	if err := flush(); err != nil {
		return err
	}
	return zw.Close()
}

// outer has the response in a field of its own.
type outer struct {
	response
	code int
}

func (o *outer) Close() error {
	if o.zw == nil {
		return nil
	}
	zippers.Put(o.zw)
	return nil
}

func (o *outer) finish() {
	if o.zw != nil {
		zippers.Put(o.zw)
		o.zw = nil
	}
}

func badOuter(w http.ResponseWriter, r *http.Request, h http.Handler) {
	o := &outer{response{ResponseWriter: w}, http.StatusOK}
	defer o.Close() // want "is put back twice when the function ends"
	h.ServeHTTP(o, r)
	o.Close()
}

func goodOuter(w http.ResponseWriter, r *http.Request, h http.Handler) {
	o := &outer{response{ResponseWriter: w}, http.StatusOK}
	defer o.finish()
	h.ServeHTTP(o, r)
	o.finish()
}

// A digest has something from a pool of which only an interface is known.
type digest struct{ h hash.Hash }

func newDigest() *digest { return &digest{digests.Get().(hash.Hash)} }

// summary: d: used, .h released
func (d *digest) Close() { digests.Put(d.h) }

func (d *digest) release() {
	digests.Put(d.h)
	d.h = nil
}

func badDigest(p []byte) {
	d := newDigest()
	defer d.Close() // want "d.h is put back twice when the function ends"
	if d.h.Write(p); len(p) == 0 {
		d.Close()
	}
}

func goodDigest(p []byte) {
	d := newDigest()
	if d.h.Write(p); len(p) == 0 {
		d.Close()
		return
	}
	d.Close()
}
