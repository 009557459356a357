package direct

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"log"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

func badAliasAfterPut(w io.Writer, name string) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	line := buf.Bytes()
	buffers.Put(buf)
	_, err := w.Write(line) // want "is used after it was put back"
	return err
}

func goodCloneAfterPut(w io.Writer, name string) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	line := bytes.Clone(buf.Bytes())
	buffers.Put(buf)
	_, err := w.Write(line)
	return err
}

func goodTextAfterPut(w io.Writer, name string) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	line := buf.String()
	buffers.Put(buf)
	_, err := io.WriteString(w, line)
	return err
}

func badNextAfterPut(r io.Reader) (uint32, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		buffers.Put(buf)
		return 0, err
	}
	head := buf.Next(4)
	buffers.Put(buf)
	return binary.BigEndian.Uint32(head), nil // want "is used after it was put back"
}

func goodNextBeforePut(r io.Reader) (uint32, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		buffers.Put(buf)
		return 0, err
	}
	head := binary.BigEndian.Uint32(buf.Next(4))
	buffers.Put(buf)
	return head, nil
}

func badAvailableBufferAfterPut(w io.Writer, n int64) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Grow(20)
	digits := strconv.AppendInt(buf.AvailableBuffer(), n, 10)
	buffers.Put(buf)
	_, err := w.Write(digits) // want "is used after it was put back"
	return err
}

func goodAppendToOwnBuffer(w io.Writer, n int64) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Grow(20)
	digits := strconv.AppendInt(nil, n, 10)
	buffers.Put(buf)
	_, err := w.Write(digits)
	return err
}

// The slice behind *bp is the pool's memory, and so is every part of it.
func badSubsliceAfterPut(r io.Reader, w io.Writer) error {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		return err
	}
	part := (*bp)[:n]
	blocks.Put(bp)
	_, err = w.Write(part) // want "is used after it was put back"
	return err
}

func goodCopiedPartAfterPut(r io.Reader, w io.Writer) error {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		return err
	}
	part := make([]byte, n)
	copy(part, *bp)
	blocks.Put(bp)
	_, err = w.Write(part)
	return err
}

func badAppendedAfterPut(w io.Writer, name string) error {
	bp := blocks.Get().(*[]byte)
	b := append((*bp)[:0], name...)
	b = append(b, '\n')
	*bp = b
	blocks.Put(bp)
	_, err := w.Write(b) // want "is used after it was put back"
	return err
}

func goodAppendedBeforePut(w io.Writer, name string) error {
	bp := blocks.Get().(*[]byte)
	b := append((*bp)[:0], name...)
	b = append(b, '\n')
	*bp = b
	_, err := w.Write(b)
	blocks.Put(bp)
	return err
}

func goodAppendedCopy(w io.Writer, name string) error {
	bp := blocks.Get().(*[]byte)
	b := append((*bp)[:0], name...)
	line := append([]byte(nil), b...)
	*bp = b
	blocks.Put(bp)
	_, err := w.Write(line)
	return err
}

// A slice header is a copy; what it points to is not.
func goodLengthOfHeader(r io.Reader) int {
	bp := blocks.Get().(*[]byte)
	n, _ := r.Read(*bp)
	part := (*bp)[:n]
	blocks.Put(bp)
	return len(part)
}

func badLengthThroughPointer(r io.Reader) int {
	bp := blocks.Get().(*[]byte)
	n, _ := r.Read(*bp)
	*bp = (*bp)[:n]
	blocks.Put(bp)
	return len(*bp) // want "is used after it was put back"
}

func badIndexAfterPut(r io.Reader) (byte, error) {
	page := pages.Get().(*[4096]byte)
	_, err := io.ReadFull(r, page[:16])
	pages.Put(page)
	return page[0], err // want "is used after it was put back"
}

func goodIndexBeforePut(r io.Reader) (byte, error) {
	page := pages.Get().(*[4096]byte)
	_, err := io.ReadFull(r, page[:16])
	version := page[0]
	pages.Put(page)
	return version, err
}

// The slice goes through several hands and back as the array that it is.
func badSliceOfArrayAfterPut(w io.Writer, r io.Reader) (err error) {
	b := pages.Get().(*[4096]byte)[:]
	n, err := io.ReadFull(r, b)
	pages.Put((*[4096]byte)(b))
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n]) // want "is used after it was put back"
	return err
}

func goodSliceOfArrayBeforePut(w io.Writer, r io.Reader) (err error) {
	b := pages.Get().(*[4096]byte)[:]
	n, err := io.ReadFull(r, b)
	if err == nil {
		_, err = w.Write(b[:n])
	}
	pages.Put((*[4096]byte)(b))
	return err
}

// The array was copied, not only its address.
func goodArrayValue(r io.Reader) (sum int, err error) {
	page := pages.Get().(*[4096]byte)
	_, err = io.ReadFull(r, page[:])
	all := *page
	pages.Put(page)
	for _, b := range all {
		sum += int(b)
	}
	return sum, err
}

func badContentAfterPut(names []string) int {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], names...)
	tags := e.tags
	events.Put(e)
	return sum(tags) // want "is used after it was put back"
}

func goodClonedContentAfterPut(names []string) int {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], names...)
	tags := slices.Clone(e.tags)
	events.Put(e)
	return sum(tags)
}

// The slice is taken out of the item before that goes back.
func goodDetachedContentAfterPut(names []string) int {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], names...)
	tags := e.tags
	e.tags = nil
	events.Put(e)
	return sum(tags)
}

func badRangeAfterPut(names []string) (longest int) {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], names...)
	tags := e.tags
	events.Put(e)
	for _, t := range tags { // want "is used after it was put back"
		longest = max(longest, len(t))
	}
	return longest
}

func goodRangeBeforePut(names []string) (longest int) {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], names...)
	tags := e.tags
	for _, t := range tags {
		longest = max(longest, len(t))
	}
	events.Put(e)
	return longest
}

// An element is a string, and strings never change.
func goodElementAfterPut(names []string) string {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], names...)
	first := e.tags[0]
	events.Put(e)
	return strings.ToUpper(first)
}

func badFieldAddressAfterPut(id int) int {
	e := events.Get().(*event)
	h := &e.header
	h.id = id
	events.Put(e)
	return h.id // want "is used after it was put back"
}

func goodFieldAddressBeforePut(id int) int {
	e := events.Get().(*event)
	h := &e.header
	h.id = id
	got := h.id
	events.Put(e)
	return got
}

func badArrayFieldAfterPut(n int) {
	e := events.Get().(*event)
	sizes := e.sizes[:]
	sizes[0] = n
	events.Put(e)
	sizes[1] = n // want "is used after it was put back"
}

func goodArrayFieldBeforePut(n int) {
	e := events.Get().(*event)
	sizes := e.sizes[:]
	sizes[0] = n
	sizes[1] = n
	events.Put(e)
}

// A string that was made without a copy changes with the memory.
func badUnsafeStringAfterPut(w io.Writer, id int64) {
	bp := blocks.Get().(*[]byte)
	b := strconv.AppendInt((*bp)[:0], id, 10)
	key := unsafe.String(unsafe.SliceData(b), len(b))
	blocks.Put(bp)
	io.WriteString(w, key) // want "is used after it was put back"
}

func goodStringAfterPut(w io.Writer, id int64) {
	bp := blocks.Get().(*[]byte)
	b := strconv.AppendInt((*bp)[:0], id, 10)
	key := string(b)
	blocks.Put(bp)
	io.WriteString(w, key)
}

func badCastStringAfterPut(hosts map[string]int, name []byte) int {
	bp := blocks.Get().(*[]byte)
	b := append((*bp)[:0], name...)
	key := *(*string)(unsafe.Pointer(&b))
	blocks.Put(bp)
	return hosts[key] // want "is used after it was put back"
}

func goodCastStringBeforePut(hosts map[string]int, name []byte) int {
	bp := blocks.Get().(*[]byte)
	b := append((*bp)[:0], name...)
	n := hosts[*(*string)(unsafe.Pointer(&b))]
	blocks.Put(bp)
	return n
}

func goodClonedUnsafeString(w io.Writer, id int64) {
	bp := blocks.Get().(*[]byte)
	b := strconv.AppendInt((*bp)[:0], id, 10)
	key := strings.Clone(unsafe.String(unsafe.SliceData(b), len(b)))
	blocks.Put(bp)
	io.WriteString(w, key)
}

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func badReadSliceAfterPut(r io.Reader) bool {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadSlice('\n')
	br.Reset(nil)
	readers.Put(br)
	return err == nil && bytes.HasPrefix(line, []byte("HELO ")) // want "is used after it was put back"
}

// ReadBytes returns a slice of its own.
func goodReadBytesAfterPut(r io.Reader) bool {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadBytes('\n')
	br.Reset(nil)
	readers.Put(br)
	return err == nil && bytes.HasPrefix(line, []byte("HELO "))
}

func badPeekAfterPut(r io.Reader) bool {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	magic, err := br.Peek(2)
	readers.Put(br)
	return err == nil && magic[0] == 0x1f // want "is used after it was put back"
}

func goodPeekBeforePut(r io.Reader) bool {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	magic, err := br.Peek(2)
	zipped := err == nil && magic[0] == 0x1f
	readers.Put(br)
	return zipped
}

func goodReadStringAfterPut(r io.Reader) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadString('\n')
	br.Reset(nil)
	readers.Put(br)
	log.Print(line, err)
}

// A value of a local struct carries the memory along.
type span struct {
	from, to int
	text     []byte
}

func badInLocalStructAfterPut(w io.Writer, name string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	s := span{0, buf.Len(), buf.Bytes()}
	buffers.Put(buf)
	w.Write(s.text) // want "is used after it was put back"
}

func goodOtherFieldOfLocalStruct(w io.Writer, name string) int {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	s := span{0, buf.Len(), buf.Bytes()}
	w.Write(s.text)
	buffers.Put(buf)
	return s.to - s.from
}

// The list is a field of the item, whoever has its elements.
func badFieldAfter(n int) int {
	it := listItems.Get().(*listItem)
	it.list = make([]int, n)
	listItems.Put(it)
	return len(it.list) // want "is used after"
}

func goodFieldBefore(n int) int {
	it := listItems.Get().(*listItem)
	it.list = make([]int, n)
	list := it.list
	it.list = nil
	listItems.Put(it)
	return len(list) + list[0]
}

type listItem struct{ list []int }

var listItems = sync.Pool{New: func() any { return new(listItem) }}
