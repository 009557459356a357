package programs

import (
	"bufio"
	"bytes"
	"hash"
	"hash/crc32"
	"io"
	"strings"
	"sync"
)

// ownPack is a writer with a table, whose use ends with Close.
type ownPack struct {
	dst   io.Writer
	table []uint32
	seen  map[string]int
	last  *ownBlock
}

type ownBlock struct{ data []byte }

func newOwnPack(dst io.Writer) *ownPack {
	return &ownPack{
		dst:   dst,
		table: make([]uint32, 4096), // want owner-pool
		seen:  map[string]int{},
	}
}

func (w *ownPack) add(name string) {
	w.seen[name]++
	w.table[len(name)]++
	w.last = &ownBlock{make([]byte, 2048)} // want owner-pool
}

func (w *ownPack) Close() error {
	_, err := w.dst.Write([]byte{byte(w.table[3]), byte(len(w.seen)), w.last.data[0]})
	return err
}

var ownOpened io.Closer

func ownWrite() error {
	w := newOwnPack(io.Discard)
	ownOpened = w
	w.add("one")
	w.add("three")
	return w.Close()
}

// ownReader has a buffer until the end of its input.
type ownReader struct {
	src io.Reader
	buf []byte
}

func newOwnReader(src io.Reader) *ownReader { return &ownReader{src: src} }

func (r *ownReader) Read(p []byte) (int, error) {
	if r.buf == nil {
		r.buf = make([]byte, 8192) // want owner-pool
	}
	n, err := r.src.Read(r.buf[:min(len(p), 8192)])
	if err == io.EOF && n > 0 {
		err = nil
	}
	return copy(p, r.buf[:n]), err
}

func ownCopy(s string) (int64, error) { return io.Copy(io.Discard, newOwnReader(strings.NewReader(s))) }

// ownRun has scopes.
type ownRun struct{ scope *ownScope }

type ownScope struct {
	above *ownScope
	names [40]string
}

func (r *ownRun) newScope() {
	r.scope = &ownScope{above: r.scope} // want owner-pool
}

func (r *ownRun) releaseScope() { r.scope = r.scope.above }

func (r *ownRun) run(n int) int {
	r.newScope()
	defer r.releaseScope()
	r.scope.names[n] = "n"
	if n > 0 {
		return r.run(n-1) + len(r.scope.names[n])
	}
	return 0
}

func ownRuns(n int) int { return new(ownRun).run(n) }

// ownDB is one for all operations: the end of it comes late.
type ownDB struct{ page []byte }

var ownOne = &ownDB{}

func (db *ownDB) load() int {
	db.page = make([]byte, 4096) // no owner-pool
	return len(db.page)
}

func ownLoad() int { return ownOne.load() }

// ownTree is a result: it has no end.
type ownTree struct{ text []byte }

func newOwnTree(s string) *ownTree {
	t := &ownTree{text: make([]byte, 1024+len(s))} // no owner-pool
	copy(t.text, s)
	return t
}

// ownFile gives its memory away.
type ownFile struct{ data []byte }

func newOwnFile(n int) *ownFile {
	f := &ownFile{}
	f.data = make([]byte, n+2000) // no owner-pool
	return f
}

func (f *ownFile) Bytes() []byte { return f.data }

func (f *ownFile) Close() {}

func ownFiles(n int) []byte {
	f := newOwnFile(n)
	defer f.Close()
	return f.Bytes()
}

// ownLog keeps what it was given.
type ownLog struct{ lines [][]byte }

var ownLines [][]byte

func (l *ownLog) line(n int) {
	b := make([]byte, 600+n) // no owner-pool
	ownLines = append(ownLines[:0], b)
	l.lines = ownLines
}

func (l *ownLog) Close() { l.lines = nil }

func ownLog1(n int) {
	var l ownLog
	l.line(n)
	l.Close()
}

// ownKey is small: a pool would cost as much.
type ownKey struct{ id *[4]int }

func newOwnKey(n int) *ownKey {
	id := new([4]int) // no owner-pool
	id[0] = n
	return &ownKey{id}
}

func (k *ownKey) Close() { k.id[0]++ }

func ownKeys(n int) *ownKey {
	k := newOwnKey(n)
	defer k.Close()
	return k
}

func ownWords(r io.Reader) int {
	return ownTokens.Count(bufio.NewReader(r)) // want reset-reader
}

// ownCounter is an interface: what keeps a reader is not known.
type ownCounter interface{ Count(io.Reader) int }

var ownTokens ownCounter = ownWordCounter{}

type ownWordCounter struct{ next ownCounter }

func (c ownWordCounter) Count(r io.Reader) int {
	if c.next != nil {
		return c.next.Count(r)
	}
	if ownKept == r {
		return 0
	}
	n, _ := io.Copy(io.Discard, r)
	return int(n)
}

// ownSum has a writer until it is closed.
type ownSum struct {
	w *bufio.Writer
	h hash.Hash32
}

func newOwnSum(w io.Writer) *ownSum {
	return &ownSum{
		w: bufio.NewWriter(w), // want reset-reader
		h: crc32.NewIEEE(),    // no reset-reader
	}
}

func (s *ownSum) Close() error { return s.w.Flush() }

func ownSums() error {
	s := newOwnSum(io.Discard)
	ownOpened = s
	return s.Close()
}

// ownOpen gives the reader to the user.
func ownOpen(s string) *bufio.Reader {
	return bufio.NewReader(strings.NewReader(s)) // no reset-reader
}

var ownKept *bufio.Reader

func ownKeep(s string) {
	ownKept = bufio.NewReader(strings.NewReader(s)) // no reset-reader
}

func ownBuffer(s string) int {
	b := bytes.NewBufferString(strings.Repeat(s, 400)) // no reset-reader
	return b.Len()
}

// ownIndex is a package whose code is not known to what calls it.
type ownIndex interface {
	Lookup(key any) bool
	Insert(key any)
	Sum(values []float64) float64
}

type ownItem struct {
	key  string
	size [4]int
}

var ownPlace ownIndex = ownMap{}

type ownMap map[string]bool

func (m ownMap) Lookup(key any) bool { return m[key.(*ownItem).key] }

func (m ownMap) Insert(key any) { m[key.(*ownItem).key] = true }

func (m ownMap) Sum(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

func ownHas(name string) bool {
	return ownPlace.Lookup(&ownItem{key: name}) // want scratch
}

func ownInsert(name string) {
	ownPlace.Insert(&ownItem{key: name}) // no scratch
}

func ownMean(n int) float64 {
	values := make([]float64, n) // want scratch
	for i := range values {
		values[i] = float64(i)
	}
	return ownPlace.Sum(values) / float64(n)
}

// ownGrown is returned, and given away by those who call it.
func ownGrown(n int) (all []float64) {
	for x := 2.0; x < float64(n); x *= 1.1 {
		all = append(all, x) // want scratch
	}
	return all
}

func ownTotal(n int) float64 { return ownPlace.Sum(ownGrown(n)) }

// OwnResult is for users, who may keep what it returns.
func OwnResult(n int) []int {
	all := make([]int, n) // no scratch
	return all
}

func ownResults(n int) int { return len(OwnResult(n)) }

var ownHistory [][]float64

func ownRecord(n int) float64 {
	values := make([]float64, n) // no scratch
	ownHistory = append(ownHistory[:0], values)
	return ownPlace.Sum(values)
}

// ownSample keeps what was measured.
type ownSample struct{ values []float64 }

func newOwnSample(n int) *ownSample {
	values := make([]float64, n) // no scratch
	ownPlace.Sum(values)
	return &ownSample{values}
}

func ownAside(n int, done chan float64) {
	values := make([]float64, n) // no scratch
	go func() { done <- ownPlace.Sum(values) }()
}

// ownDecoder has a table that few inputs need.
type ownDecoder struct {
	text   string
	table  *[64]int
	common []int
	Shown  []int
	names  []string
}

func newOwnDecoder(s string) *ownDecoder {
	return &ownDecoder{
		text:   s,
		table:  &[64]int{len(s)},   // want on-demand
		common: make([]int, 4, 12), // no on-demand
		Shown:  make([]int, 5, 10), // no on-demand
		names:  strings.Fields(s),  // want on-demand
	}
}

func (d *ownDecoder) decode() (n int) {
	for _, c := range d.text {
		if c > 'z' {
			n += d.table[c%64]
			n += len(d.names)
		}
	}
	return n + d.common[0]
}

var ownDecoding *ownDecoder

func ownDecode(s string) int {
	ownDecoding = newOwnDecoder(s)
	return ownDecoding.decode()
}

// ownShown is for those who want to see.
func ownShown(d *ownDecoder) []int { return d.Shown }

func ownOften(n int, d *ownDecoder) int {
	names := strings.Fields(d.text) // no on-demand
	d.text = "y"
	return len(names) + ownCount(names)
}

func ownCount(names []string) (n int) {
	for _, name := range names {
		n += len(name)
	}
	return n
}

func ownAccumulate(n int) int {
	var all []string
	for range n {
		all = ownMore(all)
	}
	if n < 0 {
		return len(all[0])
	}
	return n
}

func ownMore(all []string) []string {
	return append(all, "more") // no on-demand
}

// ownVM enters frames, and leaves them; what a frame has may be kept.
type ownVM struct{ frame *ownFrame }

type ownFrame struct {
	above *ownFrame
	vars  *ownVars
}

type ownVars struct{ all [20]int }

var ownClosed []*ownVars

func newOwnFrame(vars *ownVars) *ownFrame {
	return &ownFrame{vars: vars} // want owner-pool
}

func (vm *ownVM) enterFrame(f *ownFrame) {
	f.above = vm.frame
	vm.frame = f
}

func (vm *ownVM) leaveFrame() { vm.frame = vm.frame.above }

func (vm *ownVM) call(n int) {
	vars := &ownVars{} // no owner-pool
	vm.enterFrame(newOwnFrame(vars))
	defer vm.leaveFrame()
	ownClosed = append(ownClosed[:0], vm.frame.vars)
}

func ownCalls(n int) { new(ownVM).call(n) }

// ownVarint writes to a field that is an interface.
type ownVarint struct{ w *bufio.Writer }

func (o *ownVarint) write(n int) error {
	b := make([]byte, 10) // want scratch
	b[0] = byte(n)
	_, err := o.w.Write(b)
	return err
}

var ownVarints = &ownVarint{bufio.NewWriter(io.Discard)}

func ownWriteInt(n int) error { return ownVarints.write(n) }

type ownPooled struct {
	data  []byte
	close func()
}

var (
	ownSlices = sync.Pool{New: func() any { return make([]byte, 4096) }}
	ownKinds  = map[string]*sync.Pool{"a": {New: func() any { return new(bytes.Buffer) }}}
	ownSmall  = sync.Pool{New: func() any { return new([64]byte) }}
	ownCounts int
)

// The object and its function could be in the pool.
func ownTake() *ownPooled {
	data := ownSlices.Get().([]byte)
	return &ownPooled{ // want pool-function
		data: data,
		close: func() { // want pool-function
			ownSlices.Put(data)
		},
	}
}

func ownSelect(name string) (io.Writer, func()) {
	pool := ownKinds[name]
	w := pool.Get().(*bytes.Buffer)
	w.Reset()
	return w, func() { pool.Put(w) } // want pool-function
}

// It does something else, too.
func ownCounted(by int) (*[64]byte, func()) {
	small := ownSmall.Get().(*[64]byte)
	return small, func() { // no pool-function
		ownCounts += by
		ownCounting()
		ownSmall.Put(small)
	}
}

func ownCounting() { ownCounts++ }

// What is put back was not in the pool.
func ownGiven(data *[64]byte) func() {
	return func() { ownSmall.Put(data) } // no pool-function
}
