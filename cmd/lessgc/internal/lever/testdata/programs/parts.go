package programs

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
)

type partsCounter struct {
	n int
	b []byte
}

func (c *partsCounter) Write(p []byte) (int, error) {
	c.n += len(p)
	c.b = append(c.b[:0], p...)
	return len(p), nil
}

type partsEmbedding struct {
	io.Writer
	status int
}

func partsCounted(c *partsCounter, text string) {
	io.WriteString(c, text) // want string-writer
}

func partsThrough(w io.Writer, text string) {
	io.WriteString(w, text) // want string-writer
}

func partsStatus(w io.Writer, text string) {
	partsThrough(&partsEmbedding{Writer: w}, text)
}

type partsHash struct{ hash.Hash }

func (h partsHash) Write(p []byte) (int, error) { return h.Hash.Write(p) }

// A hash takes no strings.
func partsSum(h partsHash, text string) {
	io.WriteString(h, text) // no string-writer
}

type partsBytes struct{ last []byte }

func (b *partsBytes) Write(p []byte) (int, error) {
	b.last = bytes.ToUpper(p)
	return len(p), nil
}

// Its Write needs the bytes.
func partsUpper(b *partsBytes, text string) {
	io.WriteString(b, text) // no string-writer
}

// The writer is not of the program.
func partsDigest(text string) {
	io.WriteString(sha256.New(), text) // no string-writer
}

// What is allocated is the text.
func partsJoined(buf *bytes.Buffer, a, b string) {
	buf.Reset()
	io.WriteString(buf, a+b) // no string-writer
}

func partsFromRight(host string, known map[string]bool) (n int) {
	labels := strings.Split(host, ".") // want split-local
	for i := len(labels) - 1; i >= 0; i-- {
		if known[labels[i]] {
			n++
		}
	}
	return n
}

func partsByNumber(line string) (string, string) {
	fields := strings.Split(line, " ") // want split-local
	if len(fields) < 3 {
		return "", ""
	}
	return fields[0], fields[2]
}

func partsLast(line []byte) int {
	all := bytes.Split(line, []byte(" ")) // no split-local
	return len(all[len(all)-1])
}

// The slice is returned.
func partsAll(line string) []string {
	all := strings.Split(line, " ") // no split-local
	if len(all[0]) > 100 {
		return nil
	}
	return all
}

type partsKeeper struct{ fields []string }

// It is stored.
func (k *partsKeeper) keep(line string) string {
	k.fields = strings.Fields(line) // no split-local
	return k.fields[0]
}

// It is sorted.
func partsSorted(line string) string {
	words := strings.Fields(line) // no split-local
	slices.Sort(words)
	return words[0]
}

// It is appended to.
func partsMore(line string) int {
	words := strings.Split(line, " ") // no split-local
	words = append(words, "more")
	return len(words)
}

// Another module gets it.
func partsJoinedAgain(line string) string {
	words := strings.Split(line, " ") // no split-local
	return words[0] + strings.Join(words, "-")
}

// It would panic without a third part.
func partsThird(line string) string {
	words := strings.Split(line, " ") // no split-local
	return words[2]
}

// Each part is read many times.
func partsPairs(line string) (n int) {
	words := strings.Split(line, " ") // no split-local
	for i := range words {
		for j := range words {
			n += len(words[i]) - len(words[j])
		}
	}
	return n
}

func partsMapSize(v reflect.Value) (n int64) {
	for all := v.MapRange(); all.Next(); {
		key := all.Key()                 // want library-setting
		n += partsSize(all.Value(), key) // want library-setting
	}
	return n
}

func partsSize(v, key reflect.Value) int64 {
	if v.Kind() == reflect.String {
		return int64(v.Len() + key.Len())
	}
	return v.Int()
}

// The values are kept.
func partsMapValues(v reflect.Value) (values []reflect.Value) {
	for all := v.MapRange(); all.Next(); {
		value := all.Value() // no library-setting
		values = append(values, value)
	}
	return values
}

// What can be set is another matter.
func partsMapSet(v reflect.Value) (n int) {
	for all := v.MapRange(); all.Next(); {
		value := all.Value() // no library-setting
		if value.CanSet() {
			n++
		}
	}
	return n
}

func partsAppend(v reflect.Value, n int) {
	for i := range n {
		v.Set(reflect.Append(v, reflect.ValueOf(i))) // want library-setting
	}
}

// It is a slice of its own.
func partsAppended(v reflect.Value) any {
	return reflect.Append(v, reflect.ValueOf(1)).Interface() // no library-setting
}

func partsMake(v reflect.Value, n int) {
	v.Set(reflect.MakeSlice(v.Type(), n, n)) // want library-setting
}

// It may be of another type.
func partsMakeOf(v reflect.Value, t reflect.Type, n int) {
	v.Set(reflect.MakeSlice(t, n, n)) // no library-setting
}

func partsHas(t reflect.Type, names []string) (n int) {
	for _, name := range names {
		if f, ok := t.FieldByName(name); ok { // want library-setting
			n += len(f.Index)
		}
	}
	return n
}

var partsKnown sync.Map

// It is kept by type.
func partsHasKept(t reflect.Type) int {
	if n, ok := partsKnown.Load(t); ok {
		return n.(int)
	}
	f, _ := t.FieldByName("n") // no library-setting
	partsKnown.Store(t, len(f.Index))
	return 0
}

func partsNamed(v reflect.Value) int64 {
	return v.FieldByName("n").Int() // want library-setting
}

func partsCalled(v reflect.Value) int {
	return v.MethodByName("String").Type().NumIn() // want library-setting
}
