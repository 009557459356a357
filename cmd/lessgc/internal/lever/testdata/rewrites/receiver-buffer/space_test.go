package space

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRewritten(t *testing.T) {
	is := func(name string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	sum, read := Sum(strings.NewReader("\x00\x00\x01\x01\x00\x00\x00\x02\x00"))
	is("Sum", []int{int(sum), read}, []int{0x103, 9})
	is("Lenient", Lenient(iotest.OneByteReader(strings.NewReader("\x01\x02\x03\x04\x05")), 3), []uint32{0x01020304, 0x05000000, 0})
	var w bytes.Buffer
	is("Uvarints", Uvarints(&w, 1<<63, 1, 300), nil)
	is("Uvarints", w.String(), "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x01\xac\x02")
	w.Reset()
	text := strings.Repeat("0123456789", 1000)
	is("Copy", Copy(&w, iotest.HalfReader(strings.NewReader(text))), len(text))
	is("Copy", w.String(), text)
	w.Reset()
	Numbers(&w, []int{1, 2}, nil, []int{34})
	is("Numbers", w.String(), "1,234")
	w.Reset()
	is("Upper", Upper(&w, "abc", "", "defg", strings.Repeat("x", 70<<10), "y"), 8+70<<10+5-8<<10+8<<10)
	is("Upper", strings.TrimRight(w.String(), "XY"), "ABCDEFG")
	is("Joined", Joined("-", "a b c", "", "d", strings.Repeat("e ", 5000)), []string{"a-b-c", "", "d", strings.Repeat("-e", 5000)[1:]})
	many := make([]byte, 256)
	for i := range many {
		many[i] = byte(i)
	}
	is("Counts", Counts("a b a", "a", "", "c c", string(many)), []string{"3", "1", "a", "1", "1", "", "0", "0", "", "2", "1", "c", "256", "3", "", "257"})
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprint(i))
	}
	is("Counts", Counts(strings.Join(words, " "), "299", "299 299")[5:], []string{"", "3", "1", "299", "14"})
}

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		Numbers(new(bytes.Buffer), []int{1, 2}, []int{3})
	}
}

func TestRefused(t *testing.T) {
	var w bytes.Buffer
	Refused(&w, "a text.")
	held, sharing := NewHeld(&w), NewSharing(&w)
	for range 2 {
		held.Next("held")
		sharing.Texts("shared", "text")
	}
	if got := w.String(); !strings.HasSuffix(got, strings.Repeat("heldsharedtext", 2)) {
		t.Error(got)
	}
}
