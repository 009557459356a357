package pooled

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"unsafe"
)

// RefusedBytes is WriteAll that returns the bytes.
func RefusedBytes(words []string) []byte {
	var buf bytes.Buffer // refused: its memory is returned
	for _, word := range words {
		buf.WriteString(word)
	}
	return buf.Bytes()
}

// RefusedPart returns a part of the bytes.
func RefusedPart(words []string) []byte {
	buf := new(bytes.Buffer) // refused: a part of its memory is returned
	for _, word := range words {
		buf.WriteString(word)
	}
	return bytes.TrimSpace(buf.Bytes())
}

// RefusedText returns a string that is the memory.
func RefusedText(words []string) string {
	buf := new(bytes.Buffer) // refused: the string is its memory, by package unsafe
	for _, word := range words {
		buf.WriteString(word)
	}
	b := buf.Bytes()
	return unsafe.String(&b[0], len(b))
}

var lastLine []byte

// RefusedStored stores the bytes in a variable of the package.
func RefusedStored(word string) {
	buf := &bytes.Buffer{} // refused: a variable of the package keeps it
	buf.WriteString(word)
	lastLine = buf.Bytes()
}

// RefusedNil tells no bytes from none at all.
func RefusedNil(words []string) string {
	buf := new(bytes.Buffer) // refused: a new one has nil bytes
	for _, word := range words {
		buf.WriteString(word)
	}
	if buf.Bytes() == nil {
		return "nothing"
	}
	return buf.String()
}

// RefusedJSON gives the bytes to a package that tells nil from empty.
func RefusedJSON(words []string) string {
	buf := new(bytes.Buffer) // refused: nil is null
	for _, word := range words {
		buf.WriteString(word)
	}
	text, _ := json.Marshal(buf.Bytes())
	return string(text)
}

// RefusedRoom returns the capacity.
func RefusedRoom(word string) int {
	buf := new(bytes.Buffer) // refused: its capacity is returned
	buf.WriteString(word)
	return buf.Cap()
}

// RefusedBehind looks behind the end.
func RefusedBehind(word string) string {
	buf := bytes.NewBuffer(make([]byte, 0, 512)) // refused: what is behind the end is zero at first
	buf.WriteString(word)
	return string(buf.Bytes()[:len(word)+3])
}

// RefusedStale reads bytes that were written over.
func RefusedStale(a, b string) string {
	buf := new(bytes.Buffer) // refused: whether the second text is written over the first depends on its capacity
	buf.WriteString(a)
	first := buf.Bytes()
	buf.Reset()
	buf.WriteString(b)
	return string(first)
}

// RefusedChanged writes to the bytes that it has got.
func RefusedChanged(a, b string) string {
	buf := new(bytes.Buffer) // refused: whether the bytes are still its memory depends on its capacity
	buf.WriteString(a)
	first := buf.Bytes()
	buf.WriteString(b)
	first[0] = '-'
	return buf.String()
}

// RefusedLiteral gives it to a function literal that is returned.
func RefusedLiteral(word string) func() string {
	var buf bytes.Buffer // refused: a function literal keeps it
	buf.WriteString(word)
	return func() string { return buf.String() }
}

// RefusedMethod gives one of its methods away.
func RefusedMethod(word string) func() string {
	var buf bytes.Buffer // refused: a method value keeps it
	buf.WriteString(word)
	return buf.String
}

// RefusedLater uses it in a deferred function that was there first.
func RefusedLater(w io.Writer, word string) {
	var late *bytes.Buffer
	defer func() { w.Write(late.Bytes()) }()
	buf := new(bytes.Buffer) // refused: a function deferred before it uses it
	late = buf
	buf.WriteString(word)
}

// RefusedGo gives it to a goroutine.
func RefusedGo(w io.Writer, word string) {
	buf := new(bytes.Buffer) // refused: a goroutine may use it for longer
	buf.WriteString(word)
	go w.Write(buf.Bytes())
}

// RefusedCopied copies the variable.
func RefusedCopied(word string) int {
	var buf bytes.Buffer // refused: a copy has the same memory
	buf.WriteString(word)
	other := buf
	return other.Len()
}

// RefusedRecovered goes on behind a panic.
func RefusedRecovered(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = "nothing"
		}
	}()
	buf := &bytes.Buffer{} // refused: the function recovers
	encodeTo(buf, v)
	return buf.String()
}

var usersPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// RefusedPut puts it into a pool already.
func RefusedPut(word string) int {
	buf := new(bytes.Buffer) // refused: it is put into a pool already
	buf.WriteString(word)
	n := buf.Len()
	usersPool.Put(buf)
	return n
}

// RefusedSecond gives the variable another buffer.
func RefusedSecond(word string, again bool) int {
	buf := new(bytes.Buffer) // refused: the variable may get another buffer
	if again {
		buf = new(bytes.Buffer)
	}
	buf.WriteString(word)
	return buf.Len()
}

// RefusedAgain jumps back.
func RefusedAgain(w io.Writer, words []string) {
	i := 0
next:
	buf := new(bytes.Buffer) // refused: a goto makes many in one call
	buf.WriteString(words[i])
	w.Write(buf.Bytes())
	if i++; i < len(words) {
		goto next
	}
}

// RefusedMany has a buffer for each word at the same time.
func RefusedMany(words []string) (n int) {
	var all []*bytes.Buffer
	for _, word := range words {
		buf := new(bytes.Buffer) // refused: many are in use at the same time
		buf.WriteString(word)
		all = append(all, buf)
	}
	for _, buf := range all {
		n += buf.Len()
	}
	return n
}

// RefusedLast looks at the buffer of the iteration before.
func RefusedLast(w io.Writer, words []string) {
	var last *bytes.Buffer
	for _, word := range words {
		buf := new(bytes.Buffer) // refused: the next iteration uses it
		buf.WriteString(word)
		if last != nil {
			w.Write(last.Bytes())
		}
		last = buf
	}
}

// RefusedBreak may leave an iteration early.
func RefusedBreak(w io.Writer, words []string) {
	for _, word := range words {
		var buf bytes.Buffer // refused: the iteration has two ends
		buf.WriteString(word)
		if buf.Len() == 0 {
			break
		}
		w.Write(buf.Bytes())
	}
}

// RefusedTypeParameter has a method of a type parameter called, which nobody knows.
func RefusedTypeParameter[W io.Writer](w W, word string) {
	var buf bytes.Buffer // refused: an instance elsewhere may have any method
	buf.WriteString(word)
	w.Write(buf.Bytes())
}

// RefusedBoxed prints the buffer itself.
func RefusedBoxed(word string) string {
	buf := new(bytes.Buffer) // refused: it is printed with all its fields
	buf.WriteString(word)
	return fmt.Sprintf("%#v", buf)
}

var users = []func(*bytes.Buffer){func(buf *bytes.Buffer) { buf.WriteByte('x') }}

// RefusedFunction is given the function that uses it.
func RefusedFunction(use func(*bytes.Buffer)) int {
	buf := new(bytes.Buffer) // refused: other packages have other functions
	use(buf)
	return buf.Len()
}

type kept struct{ buf *bytes.Buffer }

func (k *kept) set(buf *bytes.Buffer) { k.buf = buf }

// RefusedHeld has it stored by a method.
func RefusedHeld(k *kept, word string) {
	buf := new(bytes.Buffer) // refused: the receiver of a method keeps it
	buf.WriteString(word)
	k.set(buf)
}

type failure struct{ buf *bytes.Buffer }

func (f *failure) Error() string { return f.buf.String() }

// RefusedError returns an error that has it.
func RefusedError(word string) error {
	buf := new(bytes.Buffer) // refused: the error has it
	buf.WriteString(word)
	if buf.Len() > 0 {
		return &failure{buf}
	}
	return errors.New("no word")
}

// RefusedPanic panics with it.
func RefusedPanic(word string) {
	buf := new(bytes.Buffer) // refused: who recovers the panic has it
	buf.WriteString(word)
	panic(buf)
}

// RefusedSlice returns the slice with something appended.
func RefusedSlice(n int) []byte {
	line := make([]byte, 0, 512) // refused: what append returns is the same memory
	line = strconv.AppendInt(line, int64(n), 10)
	return append(line, '\n')
}

// RefusedElement returns the address of an element.
func RefusedElement(size int) *int {
	counts := make([]int, size) // refused: the address of an element is returned
	counts[0] = size
	return &counts[0]
}

// RefusedSent sends the slice.
func RefusedSent(to chan<- []byte, text string) {
	block := make([]byte, blockSize) // refused: who receives it keeps it
	copy(block, text)
	to <- block
}

// RefusedUnknown gives the slice to a function that is not known.
func RefusedUnknown(size int) error {
	block := make([]byte, size) // refused: a function that is not known is given it
	return os.WriteFile("/dev/null", block, 0o600)
}

// RefusedLength has a size of another type, which int may not hold.
func RefusedLength(size uint64) (n int) {
	block := make([]byte, size) // refused: its size is not an int
	for i := range block {
		n += int(block[i])
	}
	return n
}

// RefusedComment has a comment in what would be replaced.
func RefusedComment(size int) (n int) {
	block := make([]byte /* one more */, size+1) // refused: a comment would be lost
	for i := range block {
		n += int(block[i])
	}
	return n
}

// RefusedLocalType has elements of a type of the function.
func RefusedLocalType(size int) (n int) {
	type cell struct{ a, b int }
	cells := make([]cell, size) // refused: the type has no name outside of the function
	for i := range cells {
		n += cells[i].a
	}
	return n
}

// RefusedShadowed has its own make.
func RefusedShadowed(size int) (n int) {
	clear := size
	block := make([]byte, size) // refused: clear is a variable
	for i := range block {
		n += int(block[i]) + clear
	}
	return n
}

// RefusedMap returns the map.
func RefusedMap(words []string) map[string]int {
	lengths := make(map[string]int) // refused: it is returned
	for _, word := range words {
		lengths[word] = len(word)
	}
	return lengths
}

// RefusedOther is an element of another map.
func RefusedOther(all map[string]map[string]bool, words []string) {
	seen := make(map[string]bool) // refused: another map has it
	for _, word := range words {
		seen[word] = true
	}
	all[words[0]] = seen
}

// RefusedDeleted takes elements out: its length does not tell how large it is.
func RefusedDeleted(words []string) int {
	seen := make(map[string]bool) // refused: a large one cannot be told from a small one
	for _, word := range words {
		seen[word] = true
	}
	delete(seen, "")
	return len(seen)
}

// RefusedSmaller makes the map anew.
func RefusedSmaller(words []string) int {
	seen := make(map[string]bool) // refused: the variable may get another map
	for _, word := range words {
		if word == "" {
			seen = map[string]bool{}
		}
		seen[word] = true
	}
	return len(seen)
}

// RefusedField returns the address of a field.
func RefusedField(text string) *int {
	p := &parser{text: text} // refused: the address of a field is returned
	p.push(len(text))
	return &p.depth
}

// RefusedInside returns a slice of an array in it.
func RefusedInside(text string) []int {
	p := &parser{text: text} // refused: a slice of its array is returned
	p.push(len(text))
	return p.stack[:p.depth]
}

// RefusedChild is referred to by what it refers to, which is returned.
func RefusedChild(text string) *parser {
	p := &parser{text: text} // refused: what is returned refers to it
	return &parser{parent: p}
}

type guarded struct {
	sync.Mutex
	cells [64]int
}

// RefusedLock has a lock.
func RefusedLock(n int) int {
	g := new(guarded) // refused: it has a lock
	g.Lock()
	defer g.Unlock()
	g.cells[n%64]++
	return g.cells[n%64]
}

type decoded struct {
	Name  self
	cells [64]int
}

// self keeps itself when it is decoded.
type self struct{ text string }

var lastSelf *self

func (s *self) UnmarshalText(text []byte) error {
	s.text = string(text)
	lastSelf = s
	return nil
}

// RefusedDecoded is decoded by another package, which calls methods of its fields.
func RefusedDecoded(text string) int {
	d := &decoded{} // refused: a method of a field keeps the field
	json.Unmarshal([]byte(text), d)
	return len(d.Name.text) + d.cells[0]
}

// RefusedPointer copies what the variable points to.
func RefusedPointer(word string) int {
	buf := new(bytes.Buffer) // refused: a copy has the same memory
	buf.WriteString(word)
	other := *buf
	return other.Len()
}

// RefusedHidden is made of another parser with the same name.
func RefusedHidden(text string) int {
	p := new(parser)
	p.depth = len(text)
	if text != "" {
		p := &parser{parent: p} // refused: it hides what it is made of
		return p.parent.depth
	}
	return p.depth
}

// RefusedClone returns a copy of the bytes, which is nil for nil.
func RefusedClone(words []string) []byte {
	buf := new(bytes.Buffer) // refused: a clone of nil is nil
	for _, word := range words {
		buf.WriteString(word)
	}
	return bytes.Clone(buf.Bytes())
}
