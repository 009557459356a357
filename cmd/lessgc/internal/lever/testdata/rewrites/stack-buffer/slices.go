package stackbuffer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
)

func grouped(n, digits int) string {
	// refused: the size may be negative
	parts := make([]string, digits+1)
	j := len(parts) - 1
	for ; j >= 0; j-- {
		parts[j] = strconv.Itoa(n % 1000)
		n /= 1000
	}
	return strings.Join(parts, ",")
}

func appendedTwice(s string) string {
	// refused: both would have the same memory
	b := make([]byte, len(s))
	copy(b, s)
	x, y := append(b, '1'), append(b, '2')
	return string(x) + string(y)
}

func reversed(s string) string {
	// rewritten
	b := make([]byte, len(s))
	for i := range len(s) {
		b[len(s)-1-i] = s[i]
	}
	return string(b)
}

func lowered(s string) string {
	// refused: somebody may see how much room it has
	b := make([]byte, len(s)+8)
	n := 0
	for _, c := range []byte(s) {
		if c != ' ' {
			b[n] = c | 0x20
			n++
		}
	}
	return string(b[:n])
}

func quoted(name, value string) string {
	// refused: a strings.Builder saves the copy, however long the text is
	b := make([]byte, 0, len(name)+len(value)+3)
	b = append(b, name...)
	b = append(b, '=', '"')
	b = append(b, value...)
	b = append(b, '"')
	return string(b)
}

func counted(names []string) string {
	// rewritten
	b := make([]byte, 0, 12*len(names))
	for i, name := range names {
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, ' ')
		b = append(b, name...)
	}
	return string(b)
}

func countedRoom(names []string) (string, int) {
	// refused: somebody may see how much room it has
	b := make([]byte, 0, 12*len(names))
	for i, name := range names {
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, ' ')
		b = append(b, name...)
	}
	return string(b), cap(b)
}

func copiedWhole(s string) (string, int) {
	// refused: somebody may see how much room it has
	b := make([]byte, len(s))
	copy(b, s)
	return string(b), cap(b)
}

func beyond(s string) string {
	// refused: somebody may see how much room it has
	b := make([]byte, 0, len(s))
	b = append(b, s...)
	first := b[:2]
	b = append(b, s...)
	b[0] = '!'
	return string(first) + string(b)
}

func both(s string) int {
	size := len(s) + 40
	// rewritten
	b := make([]byte, size, size)
	copy(b, s)
	sum := 0
	for i := range b {
		sum += int(b[i])
	}
	return sum
}

func inEach(names []string) (sum int) {
	for _, name := range names {
		// rewritten
		var seen = make([]bool, 2*len(name)+30)
		for _, c := range []byte(name) {
			if !seen[int(c)%len(seen)] {
				seen[int(c)%len(seen)] = true
				sum++
			}
		}
	}
	return sum
}

type span struct {
	from, to int
	name     *string
}

func largest(names []string) string {
	// rewritten
	all := make([]span, len(names))
	for i := range names {
		all[i] = span{i, len(names[i]), &names[i]}
	}
	best := all[0]
	for _, s := range all {
		if s.to > best.to {
			best = s
		}
	}
	return *best.name
}

func sortedNames(names []string) string {
	// rewritten
	all := make([]string, len(names))
	copy(all, names)
	sort.Strings(all)
	return all[0]
}

func filled(s string) int {
	n, size := 3, next
	// refused: the size may be negative
	b := make([]byte, size(len(s))+n)
	fill(b, s)
	return bytes.Count(b, []byte("e"))
}

func fill(b []byte, s string) {
	for i := range b {
		b[i] = s[i%len(s)]
	}
}

var steps int

func next(n int) int {
	steps++
	return 8 * n
}

// zeros are what summed is given.
var zeros [1000]int

func summed(n int) (sum int) {
	numbers := zeros[:n]
	// rewritten
	b := make([]int, len(numbers))
	for i := range b {
		b[i] = i
	}
	for _, x := range b {
		sum += x
	}
	return sum
}

// tally counts what is in texts; one goroutine has it.
type tally struct{ texts, sum int }

func (t *tally) add(s string) {
	t.texts++
	// refused: somebody may see how much room it has
	b := make([]byte, 0, len(s)+300)
	b = append(b, s...)
	t.sum += bytes.Count(b, []byte("e"))
}

func (t *tally) addLong(s string) {
	t.texts++
	// refused: most are longer than 512 bytes
	b := make([]byte, 0, len(s)+600)
	b = append(b, s...)
	t.sum += bytes.Count(b, []byte("e"))
}

func tallied(s string) int {
	t := new(tally)
	for range 2 {
		t.add(s)
		t.addLong(s)
	}
	return t.sum * t.texts
}

func sliceReturned(s string) []byte {
	// refused: it is returned
	b := make([]byte, len(s)+40)
	copy(b, s)
	return b
}

func partReturned(s string) []byte {
	// refused: part of it is returned
	b := make([]byte, len(s)+40)
	copy(b, s)
	return bytes.TrimSpace(b)
}

var storedSlice []byte

func sliceStored(s string) int {
	// refused: a variable of the package has it
	b := make([]byte, len(s)+40)
	copy(b, s)
	storedSlice = b
	return len(b)
}

type holder struct{ b []byte }

func sliceHeld(h *holder, s string) int {
	// refused: a field has it
	b := make([]byte, len(s)+40)
	copy(b, s)
	h.b = b
	return len(b)
}

func sliceCaptured(s string) string {
	// refused: a function literal has it
	b := make([]byte, len(s)+40)
	fill := func() { copy(b, s) }
	fill()
	return string(b)
}

func elementTaken(s string) byte {
	// refused: an element has its address taken
	b := make([]byte, len(s)+40)
	copy(b, s)
	first := &b[0]
	return *first
}

func sliceWritten(w io.Writer, s string) {
	// refused: a method of an interface gets it
	b := make([]byte, len(s)+40)
	copy(b, s)
	w.Write(b)
}

func sliceBuffered(w *bufio.Writer, s string) {
	// refused: the bufio.Writer hands it to a writer that the compiler does not know
	b := make([]byte, len(s)+40)
	copy(b, s)
	w.Write(b)
}

func sliceRead(r *strings.Reader, n int) string {
	// refused: io hands it to a reader
	b := make([]byte, n+40)
	io.ReadFull(r, b)
	return string(b)
}

func sliceDecoded(s string) (n int) {
	// refused: the decoder keeps it for a while
	b := make([]byte, len(s)+40)
	copy(b, s)
	json.Unmarshal(bytes.TrimRight(b, "\x00"), &n)
	return n
}

func sliceVisited(s string, visit func([]byte) int) int {
	// refused: a function value gets it
	b := make([]byte, len(s)+40)
	copy(b, s)
	return visit(b)
}

func slicePrinted(s string) string {
	// refused: it becomes an interface
	b := make([]byte, len(s)+40)
	copy(b, s)
	return fmt.Sprint(b)
}

func sliceSummed(s string) uint32 {
	// refused: crc32 gives it to a function value
	b := make([]byte, len(s)+40)
	copy(b, s)
	return crc32.ChecksumIEEE(b)
}

func sliceSplit(s string) int {
	// refused: a slice on the heap has its parts
	b := make([]byte, len(s)+40)
	copy(b, s)
	return len(bytes.Fields(b))
}

func sliceLate(s string) (n int) {
	// refused: a deferred call has it
	b := make([]byte, len(s)+40)
	defer clear(b)
	copy(b, s)
	return bytes.IndexByte(b, 'e')
}

func sliceSent(s string) byte {
	// refused: a goroutine has it
	b := make([]byte, len(s)+40)
	done := make(chan byte)
	go func(b []byte) { done <- b[0] }(b)
	return <-done
}

func sliceKeptBy(s string) int {
	// refused: the function that gets it keeps it
	b := make([]byte, len(s)+40)
	keepSlice(b)
	return len(b)
}

func keepSlice(b []byte) { storedSlice = b }

func sliceNested(names []string) int {
	// refused: each depth would have the memory in its frame
	b := make([]byte, len(names[0])+40)
	copy(b, names[0])
	if len(names) > 1 {
		return sliceNested(names[1:]) + len(b)
	}
	return len(b)
}

func sliceGrouped(names []string) int {
	// refused: the compiler does not tell the calls of a function apart that calls itself
	all := make([]any, 0, len(names))
	return len(addGrouped(all, names))
}

func addGrouped(all []any, names []string) []any {
	if len(names) > 2 {
		var inner []any
		inner = addGrouped(inner, names[2:])
		return append(all, names[0], inner)
	}
	return append(all, names[0])
}

type sized interface{ size(string) int }

type bySelf struct{ left int }

func (x *bySelf) size(s string) int {
	// refused: the interface leads back
	b := make([]byte, len(s)+40)
	copy(b, s)
	if x.left--; x.left > 0 {
		return sizeOf(x, s) + len(b)
	}
	return len(b)
}

func sizeOf(x sized, s string) int { return x.size(s) }

func sliceLong(s string) int {
	// refused: most are longer than 512 bytes
	b := make([]byte, len(s)+600)
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func sliceMixed(n int) int {
	// refused: a third fits
	b := make([]byte, 40+1000*(n%3))
	b[n] = 1
	return bytes.IndexByte(b, 1)
}

func sliceUneven(n int) int {
	size := 40
	if n%8 == 0 {
		size = 500
	}
	// refused: most would have more zeroed than they take
	b := make([]byte, size)
	b[n] = 1
	return bytes.IndexByte(b, 1)
}

func sliceSmall(n int) int {
	// refused: the compiler has it on the stack
	b := make([]byte, 20+n%10)
	b[n%20] = 1
	return bytes.IndexByte(b, 1)
}

func sliceWide(n int64) int {
	// refused: the size is not an int
	b := make([]byte, n+40)
	b[n] = 1
	return bytes.IndexByte(b, 1)
}

func sliceRoom(n int) string {
	// refused: make panics for a negative capacity
	b := make([]byte, 0, n+40)
	b = append(b, "some"...)
	return string(b)
}

func sliceBegun(s string, n int) string {
	// refused: it has a length and a capacity
	b := make([]byte, n, len(s)+40)
	b = append(b, s...)
	return string(b)
}

func slicePair(s string) int {
	// refused: the statement declares another one
	b, c := make([]byte, len(s)+40), s
	copy(b, c)
	return bytes.Count(b, []byte("e"))
}

func sliceInHeader(s string) int {
	// refused: it is declared by an if statement
	if b := make([]byte, len(s)+40); len(b) > 0 {
		copy(b, s)
		return bytes.Count(b, []byte("e"))
	}
	return 0
}

func sliceNoted(s string) int {
	// refused: the comment would stand behind a brace
	b := make([]byte, len(s)+40) // of the name
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func sliceNotedInside(s string) int {
	// refused: the comment would be lost
	b := make([]byte /* of the name */, len(s)+40)
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func sliceHiding(b string) int {
	n := 0
	{
		// refused: it hides what it is made of
		b := make([]byte, len(b)+40)
		n = len(b)
	}
	return n + len(b)
}

func sliceOfLiteral(s string) int {
	// refused: the header of an if statement has no literals
	b := make([]byte, span{to: 40}.to+len(s))
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func sliceGeneric[T comparable](all []T, x T) int {
	// refused: the size of an element is not known
	b := make([]T, len(all))
	copy(b, all)
	return slices.Index(b, x)
}

func sliceShared(names []string) (n int) {
	var last []byte
	for _, name := range names {
		// refused: the next iteration has it
		b := make([]byte, len(name)+40)
		copy(b, name)
		if !bytes.Equal(last, b) {
			n++
		}
		last = b
	}
	return n
}

func sliceAgain(n int) int {
	i := 0
again:
	// refused: a goto leads back
	b := make([]byte, n+40)
	if b[i]++; i < 2 {
		i++
		goto again
	}
	return len(b)
}

func sliceRecovered(n int) (size int) {
	defer func() { recover() }()
	// refused: a panic is recovered
	b := make([]byte, n+40)
	size = len(b)
	b[size]++
	return size
}

func sliceInSlice(s string) int {
	// refused: an element of another slice has it
	b := make([]byte, len(s)+40)
	copy(b, s)
	return len(bytes.Join([][]byte{b, b}, nil))
}

func sliceShadowed(s string) string {
	cap := len(s)
	// refused: cap means something else
	b := make([]byte, 0, len(s)+40)
	b = append(b, s[:cap]...)
	return string(b)
}

func setBack(s string) string {
	// refused: somebody may see how much room it has
	b := make([]byte, 0, len(s))
	b = append(b, s...)
	prefix := b
	b = append(b, 'x')
	first := b
	b = prefix
	b = append(b, 'y')
	return string(first) + string(b)
}

func capNamed(s string) string {
	// refused: the form asks for the capacity of what has the name cap
	cap := make([]byte, 0, len(s)+40)
	cap = append(cap, s...)
	return string(cap)
}

func makeNamed(s string) int {
	// refused: the larger one is made by what has the name make
	make := make([]byte, len(s)+40)
	copy(make, s)
	return bytes.Count(make, []byte("e"))
}

func minNamed(s string) int {
	// refused: a slice has the name min
	min := make([]byte, len(s)+40)
	copy(min, s)
	return bytes.Count(min, []byte("e"))
}

func lenNamed(s string) int {
	// refused: a slice has the name len
	len := make([]byte, 40+strings.Count(s, ""))
	copy(len, s)
	return bytes.Count(len, []byte("e"))
}

func lenShadowed(s string) int {
	len := func(s string) int { return 2*strings.Count(s, "") + 40 }
	// refused: len means something else
	b := make([]byte, len(s))
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func minShadowed(s string) int {
	min := 40
	// refused: the size may be negative
	b := make([]byte, 2*len(s)+min)
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

// room is added to sizes.
var room = 40

func byPackage(s string) int {
	// refused: the size may be negative
	b := make([]byte, len(s)+room)
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func byField(x *bySelf, s string) int {
	// refused: the size may be negative
	b := make([]byte, x.left+40)
	copy(b, s)
	return bytes.Count(b, []byte("e"))
}

func byChannel(texts chan string) int {
	// refused: somebody may see how much room it has
	b := make([]byte, len(texts)+40)
	copy(b, <-texts)
	return bytes.Count(b, []byte("e"))
}

func byCaptured(s string) int {
	n := len(s)
	grow := func() int { n += 20; return n }
	grow()
	// refused: the size may be negative
	b := make([]byte, n+20)
	copy(b, s)
	return bytes.Count(b, []byte("e")) + grow()
}

func bySum(s, t string) int {
	// refused: somebody may see how much room it has
	b := make([]byte, (len(s) + len(t) + 2))
	copy(b, s+t)
	return bytes.Count(b, []byte("e"))
}

func byParenthesised(s string, n int) int {
	switch {
	case n > 0:
	again:
		for range 2 {
			// refused: the size may be negative
			b := make([]byte, (len(s) - (n)))
			if copy(b, s) > 1000 {
				break again
			}
			n += bytes.Count(b, []byte("e"))
		}
	}
	return n
}

func reread(s string) (sum int) {
	size := len(s) + 40
	// refused: somebody may see how much room it has
	b := make([]byte, size)
	size = 0
	for i := range b {
		b[i]++
		size++
	}
	return size + len(b)
}

func shifted(k int) byte {
	// refused: the constant is a rune where make does not say that it is an int
	b := make([]byte, ' '<<k)
	b[0] = 1
	return b[len(b)-1] + b[0]
}

func product(x, y string) string {
	// refused: a product may be negative, and make panics
	b := make([]byte, 0, len(x)*len(y))
	b = append(b, x...)
	return string(b)
}
