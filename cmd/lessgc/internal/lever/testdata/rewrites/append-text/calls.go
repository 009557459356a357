package appendtext

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

func (l *log) value(x fmt.Stringer) {
	l.buf = append(l.buf, fmt.Sprintf("%v", x)...) // refused: String may append to it, too
}

// A day is written in brackets.
type day struct{ time.Time }

func (d day) AppendFormat(b []byte, layout string) []byte {
	return append(d.Time.AppendFormat(append(b, '['), layout), ']')
}

func datedDay(b []byte, d day) []byte {
	return append(b, d.Format("2006")...) // refused: the type has an append of its own
}

func inItself(n uint64) string {
	var scratch [16]byte
	binary.BigEndian.PutUint64(scratch[:8], n)
	return string(append(scratch[:0], hex.EncodeToString(scratch[:8])...)) // refused: the digits would be written over the bytes
}

func inItsBuffer(n uint64) string {
	var scratch [16]byte
	binary.BigEndian.PutUint64(scratch[:8], n)
	b := scratch[:0]
	b = append(b, hex.EncodeToString(scratch[:8])...) // refused: so they would here
	return string(b)
}

func ofNumber(b []byte, n uint64) []byte {
	var scratch [8]byte
	binary.BigEndian.PutUint64(scratch[:], n)
	scratch[0]++
	return append(b, hex.EncodeToString(scratch[:4])...) // rewritten
}

func received(b *bytes.Buffer, numbers chan int) {
	b.WriteString(strconv.Itoa(<-numbers)) // refused: who sends it may write to the buffer first
}

func throughBuffer(k *keeper, all []int) {
	w := bufio.NewWriterSize(k, 16)
	for _, n := range all {
		w.Write([]byte(fmt.Sprintf("%40d", n))) // refused: a type of the program gets the bytes themselves
	}
}

// A page has more than a text.
type page struct {
	out   strings.Builder
	marks [4096]byte
}

func paged(all []int, head bool) string {
	var p page
	for i := range all {
		p.marks[i%len(p.marks)]++
	}
	if head {
		p.out.WriteString(fmt.Sprintf("%d items", len(all))) // refused: all of the page would be on the heap
	}
	p.out.WriteByte('.')
	return p.out.String()
}

func headed(head bool, x int) string {
	b := &strings.Builder{}
	if head {
		b.WriteString(fmt.Sprintf("%d items", x)) // refused: so would the builder, in each call
	}
	b.WriteByte('.')
	return b.String()
}

func helped(head bool, x int) string {
	var b strings.Builder
	dot(&b)
	if head {
		b.WriteString(fmt.Sprintf("%d items", x)) // refused: a function that does not keep it has its address
	}
	return b.String()
}

func dot(b *strings.Builder) { b.WriteByte('.') }

func printedTo(x int) string {
	var b strings.Builder
	fmt.Fprint(&b, "<", x)
	b.WriteString(fmt.Sprintf("%d items", x)) // rewritten
	return b.String()
}

func contains(data []byte, n int) bool {
	return bytes.Contains(data, []byte(strconv.Itoa(n))) // refused: a short number is on the stack
}
