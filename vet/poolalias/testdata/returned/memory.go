package returned

import (
	"bufio"
	"encoding/hex"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

func badSlice(r io.Reader) ([]byte, error) {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	return (*bp)[:n], err // want "which is put back"
}

func goodSlice(r io.Reader) ([]byte, error) {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	return append([]byte{}, (*bp)[:n]...), err
}

func badAppended(key string, n int) []byte {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	b := append((*bp)[:0], key...)
	b = append(b, '=')
	b = strconv.AppendInt(b, int64(n), 10)
	return b // want "which is put back"
}

func goodAppended(key string, n int) string {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	b := append((*bp)[:0], key...)
	b = append(b, '=')
	b = strconv.AppendInt(b, int64(n), 10)
	return string(b)
}

// The grown block goes back, whatever became of it.
func badCopiedBack(key string, n int) []byte {
	bp := blocks.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		*bp = b
		blocks.Put(bp)
	}()
	b = append(b, key...)
	b = strconv.AppendInt(b, int64(n), 10)
	return b // want "which is put back"
}

func goodCopiedBack(key string, n int) []byte {
	bp := blocks.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		*bp = b
		blocks.Put(bp)
	}()
	b = append(b, key...)
	b = strconv.AppendInt(b, int64(n), 10)
	return slices.Clone(b)
}

// The block is taken out of its pointer before that goes back.
func goodDetachedBlock(r io.Reader) ([]byte, error) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	b := (*bp)[:n]
	*bp = make([]byte, 4096)
	blocks.Put(bp)
	return b, err
}

func badArray(r io.Reader) ([]byte, error) {
	page := pages.Get().(*[4096]byte)
	defer pages.Put(page)
	n, err := r.Read(page[:])
	return page[:n], err // want "which is put back"
}

func goodArray(r io.Reader) ([4096]byte, error) {
	page := pages.Get().(*[4096]byte)
	defer pages.Put(page)
	_, err := r.Read(page[:])
	return *page, err
}

func badHex(data []byte) []byte {
	page := pages.Get().(*[4096]byte)
	defer pages.Put(page)
	return hex.AppendEncode(page[:0], data) // want "which is put back"
}

func goodHex(data []byte) string {
	page := pages.Get().(*[4096]byte)
	defer pages.Put(page)
	return string(hex.AppendEncode(page[:0], data))
}

func badUnsafeString(n int64) string {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	b := strconv.AppendInt((*bp)[:0], n, 36)
	return unsafe.String(unsafe.SliceData(b), len(b)) // want "which is put back"
}

func goodUnsafeStringCloned(n int64) string {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	b := strconv.AppendInt((*bp)[:0], n, 36)
	return strings.Clone(unsafe.String(unsafe.SliceData(b), len(b)))
}

func badCastString(n int64) string {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	b := strconv.AppendInt((*bp)[:0], n, 36)
	return *(*string)(unsafe.Pointer(&b)) // want "which is put back"
}

func goodCastLookup(names map[string]string, n int64) string {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	b := strconv.AppendInt((*bp)[:0], n, 36)
	return names[*(*string)(unsafe.Pointer(&b))]
}

func badReadSlice(r io.Reader) ([]byte, error) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	return br.ReadSlice('\n') // want "which is put back"
}

func goodReadBytes(r io.Reader) ([]byte, error) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	return br.ReadBytes('\n')
}

func badPeek(r io.Reader) []byte {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	head, err := br.Peek(16)
	if err != nil {
		return nil
	}
	return head // want "which is put back"
}

func goodPeek(r io.Reader) (head [16]byte) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	b, err := br.Peek(16)
	if err == nil {
		copy(head[:], b)
	}
	return head
}

func badItem(name string) *scratch {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.name = name
	return s // want "which is put back"
}

func goodItem(name string) *scratch {
	s := scratches.Get().(*scratch)
	s.name = name
	return s
}

func badFieldAddress(id int) *header {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.header = header{id: id}
	return &s.header // want "which is put back"
}

func goodFieldValue(id int) header {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.header = header{id: id}
	return s.header
}

func goodFieldCopied(id int) *header {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.header = header{id: id}
	h := s.header
	return &h
}

func badArrayField(text string) []byte {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	n := copy(s.fixed[:], text)
	return s.fixed[:n] // want "which is put back"
}

func goodArrayField(text string) [64]byte {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	copy(s.fixed[:], text)
	return s.fixed
}

func badContent(text string) []string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.words = append(s.words[:0], strings.Split(text, ",")...)
	return s.words // want "which is put back"
}

func goodContent(text string) []string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.words = append(s.words[:0], strings.Split(text, ",")...)
	return slices.Clone(s.words)
}

func goodContentDetached(text string) []string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.words = append(s.words[:0], strings.Split(text, ",")...)
	words := s.words
	s.words = nil
	return words
}

// A new slice takes the place of the old one before the item goes back.
func goodContentReplaced(text string) []byte {
	s := scratches.Get().(*scratch)
	s.raw = append(s.raw[:0], text...)
	raw := s.raw
	s.raw = make([]byte, 0, 64)
	scratches.Put(s)
	return raw
}

func badContentPart(text string, n int) []byte {
	s := scratches.Get().(*scratch)
	s.raw = append(s.raw[:0], text...)
	part := s.raw[:n]
	s.reset()
	scratches.Put(s)
	return part // want "which is put back"
}

// Strings, elements, objects of others and errors do not go back.
func goodName(text string) string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.name = strings.ToLower(text)
	return s.name
}

func goodElement(text string) string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.words = append(s.words[:0], strings.Split(text, ",")...)
	return s.words[0]
}

func goodPointer(u *user) *user {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.author = u
	return s.author
}

func goodErrorOfItem(r io.Reader) error {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	_, s.err = io.ReadFull(r, s.fixed[:])
	return s.err
}

func goodErrorOfMethod(data []byte) error {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.raw = append(s.raw[:0], data...)
	return s.check()
}

func goodKeys(words []string) []string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.reset()
	for i, w := range words {
		s.index[w] = i
	}
	return slices.Sorted(maps.Keys(s.index))
}

// The iterator lends its block to the body of the loop, and puts it when that is done.
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

// A block of the stack unless that is too small; what is returned is neither.
func goodFallback(r io.Reader, n int) (string, error) {
	var small [64]byte
	b := small[:]
	if n > len(b) {
		bp := blocks.Get().(*[]byte)
		defer blocks.Put(bp)
		b = *bp
	}
	n, err := r.Read(b)
	return string(b[:n]), err
}
