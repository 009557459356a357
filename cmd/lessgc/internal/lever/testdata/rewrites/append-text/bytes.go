package appendtext

import (
	"bytes"
	"encoding/base32"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"
	"time"
)

func message(name string, n int) []byte {
	return []byte(fmt.Sprintf("%s has %d items\n", name, n)) // rewritten
}

func numeral(n int) []byte {
	b := []byte(strconv.Itoa(n)) // rewritten
	return b
}

func room(n int) (int, bool) {
	b := []byte(strconv.Itoa(n)) // refused: 32 bytes are on the stack
	b = append(b, '!')
	return len(b), cap(b) < 32
}

type entry struct{ key, value []byte }

func entries(n uint64) []entry {
	key := fmt.Sprint(n)
	return []entry{
		{key: []byte(fmt.Sprint("key", n)), value: []byte(key)},             // rewritten
		{key: []byte(strconv.FormatUint(n, 16)), value: []byte("0x" + key)}, // rewritten
	}
}

func nameBytes(name string) []byte {
	return []byte(fmt.Sprintf("%s", name)) // refused: bytes of an empty text are not nil
}

func printed(name string) []byte {
	return []byte(fmt.Sprint(name)) // refused: it may be empty
}

func verbs(a, b string) []byte {
	return []byte(fmt.Sprintf("%s%-s", a, b)) // refused: there is nothing but verbs
}

func format(layout string, n int) []byte {
	return []byte(fmt.Sprintf(layout, n)) // refused: the format may be empty
}

type raw []byte

func ofType(n int) any {
	return raw(fmt.Sprintf("n=%d", n)) // refused: bytes of another type
}

func hidden(n int) []byte {
	nil := []byte("prefix ")
	_ = nil
	return []byte(fmt.Sprintf("n=%d", n)) // refused: nil is a variable
}

func compared(b []byte, n int) bool {
	return string([]byte(fmt.Sprintf("n=%d", n))) == string(b) // refused: no bytes are made
}

func quotedList(names []string) string {
	var b []byte
	for i, name := range names {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, strconv.Quote(name)...) // rewritten
	}
	return string(b)
}

func table(times []time.Time, out *bytes.Buffer) {
	line := make([]byte, 0, 64)
	for _, t := range times {
		line = line[:0]
		line = append(line, t.Format(time.RFC3339)...) // rewritten
		line = append(line, '\n')
		out.Write(line)
	}
}

func sums(x *big.Int, f *big.Float, b []byte) []byte {
	var out bytes.Buffer
	out.WriteString(x.String())                             // rewritten
	out.WriteString(x.Text(16))                             // rewritten
	out.WriteString(f.Text('g', 10))                        // rewritten
	out.WriteString(strconv.QuoteRune('x'))                 // rewritten
	return append(append(b, out.Bytes()...), x.String()...) // rewritten
}

func encoded(b []byte, id [10]byte) []byte {
	return append(b, base32.StdEncoding.EncodeToString(id[:])...) // rewritten
}

func returned(name string) []byte {
	var b []byte
	b = append(b, strconv.Quote(name)...) // refused: the caller sees another capacity
	return b
}

func given(b []byte, name string) string {
	b = append(b, strconv.Quote(name)...) // refused: the caller has the memory behind it, too
	return string(b)
}

func twice(name string) (string, string) {
	b := make([]byte, 16)
	c := b[:0]
	b = b[:0]
	b = append(b, strconv.Quote(name)...) // refused: c has the same memory
	return string(b), string(c[:16])
}

func closed(name string) (text string) {
	b := make([]byte, 0, 8)
	func() { text = string(b[:8]) }()
	b = append(b, strconv.QuoteToASCII(name)...) // refused: a function literal has it
	return text + string(b)
}

func result(name string) (b []byte) {
	b = append(b, strconv.FormatFloat(1.5, 'g', -1, 64)...) // refused: it is the result
	return
}

func filed(f *os.File, name string) error {
	b := []byte("name: ")
	b = append(b, strconv.Quote(name)...) // rewritten
	_, err := f.Write(b)
	return err
}

func pointed(name string) string {
	b := make([]byte, 4, 8)
	first := &b[0]
	b = b[:0]
	b = append(b, strconv.Quote(name)...) // refused: an element has its address taken
	return string(b) + strings.Repeat("x", int(*first))
}

func indexed(out *bytes.Buffer, times []time.Time) (err any) {
	defer func() { err = recover() }()
	out.WriteString(times[3].Format("15:04")) // refused: the index fails before the buffer, which may be nil
	return nil
}

func aliased(at time.Time) string {
	b := make([]byte, 1, 22)
	x := b
	b = append(b, at.Format("15:04:05.999999999")...) // refused: x has the same memory until the text does not fit
	b[0] = '>'
	return string(b) + string(x)
}

func ranged(at time.Time) (text string) {
	b := make([]byte, 0, 22)
	b = append(b, "ab"...)
	for i, c := range b {
		b = b[:0]
		b = append(b, 'a')
		b = append(b, at.Format("15:04:05.999999999")...) // refused: the range goes over the memory that there was
		text += string(c + byte(i))
	}
	return text + string(b)
}

func extendedTo(at time.Time) string {
	b := make([]byte, 0, 32)
	b = append(b, at.Format(".999999999")...) // refused: zeros at the end stand behind it
	b = b[:10]
	return string(b)
}

func shortened(names []string) string {
	b := []byte{}
	for _, name := range names {
		b = append(b, strconv.Quote(name)...) // rewritten
		b = append(b, ',')
	}
	b = b[:len(b)-1]
	b[0] = '\''
	return string(b[1:])
}

func expressions(out *bytes.Buffer, at time.Time, x *big.Int) {
	out.WriteString(time.Time.Format(at, "15:04")) // refused: a method expression has its receiver among the arguments
	out.WriteString((*big.Int).String(x))          // refused: a method expression has its receiver among the arguments
}

func pair() (int, error) { return 1, nil }

func ofPair() []byte {
	return []byte(fmt.Sprintln(pair())) // refused: a call has several results
}

func withPair(b []byte) []byte {
	return append(b, fmt.Sprintln(pair())...) // refused: a call has several results
}

func bit(n uint) []byte {
	return []byte(strconv.Itoa(1 << n)) // refused: where an int has 32 bits, an int64 shifts farther
}

func deferred(out *bytes.Buffer, name string) {
	b := make([]byte, 0, 4)
	b = append(b, "ab"...)
	defer out.Write(b)
	b = b[:0]
	b = append(b, strconv.Quote(name)...) // refused: a deferred call has its memory
	os.Stdout.Write(b[:0])
}

func signed(b []byte, n int) []byte {
	return append(b, strconv.Itoa(n)...) // refused: the sign is written to memory that has no room for the digits
}

func size(b []byte, s string) []byte {
	return append(b, strconv.Itoa(len(s))...) // rewritten
}

func unsigned(b []byte, n uint16) []byte {
	return append(b, strconv.FormatInt(int64(n), 10)...) // rewritten
}

func narrowed(b []byte, n uint32) []byte {
	return append(b, strconv.Itoa(int(n))...) // refused: where an int has 32 bits, it may be negative
}

func list(numbers []int) []byte {
	var b []byte
	for _, n := range numbers {
		b = append(b, strconv.Itoa(n)...) // refused: the caller sees the room that a sign of its own makes
		b = append(b, ',')
	}
	return b
}

func numbersOut(numbers []int) {
	var b []byte
	for _, n := range numbers {
		b = append(b, strconv.Itoa(n)...) // rewritten
		b = append(b, ',')
	}
	os.Stdout.Write(b)
}
