package programs

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Programs in which a lever was named and would have been wrong.

type crawler struct {
	r       io.ReaderAt
	started time.Time
	done    sync.WaitGroup
}

func (c *crawler) run(n int, out chan<- int) {
	c.started = time.Now()
	for i := range n {
		c.done.Add(1)
		go c.fetch(i, out)
	}
	c.done.Wait()
}

func (c *crawler) fetch(i int, out chan<- int) {
	defer c.done.Done()
	buf := make([]byte, 4096) // no receiver-buffer
	n, _ := c.r.ReadAt(buf, int64(i)*16)
	out <- bytes.Count(buf[:n], []byte("x"))
}

type heading struct {
	r    io.Reader
	name []byte
	n    int
}

func (h *heading) readAll(times int) {
	for range times {
		h.read()
	}
}

func (h *heading) read() {
	h.n++
	buf := make([]byte, 512) // no receiver-buffer
	n, _ := h.r.Read(buf)
	h.name = bytes.Fields(buf[:n])[0]
}

type generator struct{ rand io.Reader }

func (g *generator) token() string {
	b := make([]byte, 512) // no receiver-buffer
	io.ReadFull(g.rand, b)
	return hex.EncodeToString(b[:8])
}

type tokens struct{ gen *generator }

func (s *tokens) handle() string { return s.gen.token() }

type hub struct{ mu sync.Mutex }

type session struct {
	hub *hub
	w   io.Writer
	seq int
}

func (s *session) sendAll(all []string) {
	for _, v := range all {
		s.send(v)
	}
}

func (s *session) send(v string) {
	buf := append(make([]byte, 0, 4096), v...) // no receiver-buffer
	s.w.Write(buf)
	s.hub.mu.Lock()
	s.seq++
	s.hub.mu.Unlock()
}

//go:noinline
func asReader(r io.Reader) *bufio.Reader {
	if b, ok := r.(*bufio.Reader); ok {
		return b
	}
	return bufio.NewReader(r) // no typed-pool
}

func firstByte(r io.Reader) byte {
	b, _ := asReader(r).ReadByte()
	return b
}

type tab struct {
	n    int
	rows []int
}

func (t *tab) eachTimes(times int, f func(int)) {
	for range times {
		t.each(f)
	}
}

func (t *tab) each(f func(int)) (sum int) {
	t.n++
	buf := make([]int, 100*len(t.rows)) // no receiver-buffer
	copy(buf, t.rows)
	for _, r := range buf {
		f(r)
		sum += r
	}
	return sum
}

//go:noinline
func copiedText(r io.Reader) string {
	var b bytes.Buffer
	io.Copy(&b, r)
	return b.String() // no strings-builder
}

//go:noinline
func renderedText(text string) string {
	var b bytes.Buffer
	b.WriteString(text)
	trimmedInto(&b)
	return b.String() // no strings-builder
}

//go:noinline
func trimmedInto(w io.Writer) { w.(*bytes.Buffer).Truncate(100) }

type conf struct{ level int }

func (c conf) visit(i int) bool { return i > c.level }

var lastVisit func(int) bool

//go:noinline
func countOf(xs []int, f func(int) bool) (n int) {
	lastVisit = f
	for _, x := range xs {
		if f(x) {
			n++
		}
	}
	return n
}

func (c *conf) levels(xs []int) (n int) {
	for i := range xs {
		c.level = i
		n += countOf(xs, c.visit) // no hoist-closure
	}
	return n
}

type counting struct {
	w io.Writer
	n int
}

func (c *counting) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.w.Write(p)
}

type upperWriter struct{ *counting }

func (u upperWriter) Write(p []byte) (int, error) { return u.counting.Write(bytes.ToUpper(p)) }

//go:noinline
func writeText(w io.Writer, text string) {
	io.WriteString(w, text) // no string-writer
}

func withPayload(n int, payload []byte) []byte {
	return append([]byte(fmt.Sprintf("%d:", n)), payload...) // no append-text
}

func csvRows(text string) (rows []map[string]string) {
	r := csv.NewReader(strings.NewReader(text))
	header, _ := r.Read()
	for {
		rec, err := r.Read() // no library-setting
		if err != nil {
			return rows
		}
		row := map[string]string{}
		for i, v := range rec {
			row[header[i]] = v
		}
		rows = append(rows, row)
	}
}

func deferred(buf *bytes.Buffer, n int) {
	defer buf.WriteString(strconv.Itoa(n)) // no append-text
	buf.WriteString("hello ")
}

type stoppable struct{ stop error }

//go:noinline
func walkUntil(stop error, n int) error {
	if n > 3 {
		return stop
	}
	return nil
}

func stopsAt(n int) error {
	var stop = errors.New("stop") // no sentinel-error
	if err := walkUntil(stop, n); err != stop {
		return err
	}
	return nil
}

func (s *stoppable) begin() {
	s.stop = errors.New("halt") // no sentinel-error
}

type batcher struct {
	pending map[string]int
	sink    func(map[string]int)
}

func (b *batcher) add(words []string) {
	for i, w := range words {
		b.pending[w] = i // no presize-map
	}
}

func (b *batcher) flush() {
	b.sink(b.pending)
	b.pending = make(map[string]int)
}

func deadlines(ds []time.Duration) (waits []<-chan time.Time) {
	for _, d := range ds {
		t := time.NewTimer(d) // no reuse-timer
		waits = append(waits, t.C)
	}
	return waits
}

func bodyInto(buf *bytes.Buffer, text []byte) {
	fmt.Fprintf(buf, "body=%s\n", text) // no plain-format
}

func quotedKey(s string) string {
	return fmt.Sprintf("key=%q", s) // no plain-format
}

func digits(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsDigit(r) {
			b.WriteRune(r) // no grow-once
		}
	}
	return b.String()
}

type records struct{ data []byte }

func (d *records) u8() int {
	if len(d.data) == 0 {
		panic("end")
	}
	v := d.data[0]
	d.data = d.data[1:]
	return int(v)
}

func (d *records) list() (all []int) {
	n := d.u8()
	for i := 0; i < n; i++ {
		all = append(all, d.u8()) // no preallocate
	}
	return all
}
