package pooled

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
)

var words = []string{"one", "two", "three", "two", ""}

// results calls all functions, whose results must not depend on what was called before.
func results() []any {
	var w strings.Builder
	var out []any
	add := func(all ...any) { out = append(out, all...) }
	add(WriteAll(&w, words), JoinWords(words[:3]), JoinWords(words), Encode(words), Encode(1), Sized(words))
	Nested(&w, 3)
	EachLine(&w, words)
	Chunks(&w, words)
	(&page{"title"}).Render(&w)
	n, err := CopyAll(&w, strings.NewReader(strings.Repeat("x", 3*blockSize/2)))
	add(Literals(words), n, err)
	most, room := Histogram([]byte{1, 2, 9, 1}, 8)
	add(most, room)
	most, room = Histogram([]byte{1}, 3)
	add(most, room, Reversed("reversed"), Reversed(""), Reversed("no"))
	Twice(&w, "ab", 3)
	Twice(&w, "c", 0)
	Numbers(&w, []int{1, 22, 333})
	Fields(&w, "a bc  def")
	room, left, right := Branched("stem")
	add(room, left, right, Marked(strings.Repeat("a", 299)), Marked("b"))
	Blocks(&w, words)
	word, most := Most(words)
	add(Distinct(words), Distinct(nil), word, most)
	Print(&w, words)
	Print(&w, nil)
	add(Visit(map[int][]int{1: {2, 3}, 2: {1, 3}}, 1), Groups([][]string{{"a", "b"}, {"a"}, nil}))
	add(PrintedColumns(&w, [][]string{{"a", "b", "a"}, nil, {"c"}}), Limited(words, 2), Limited(words, 9), Limited(nil, 1000), Limited(words, -1))
	add(Split("a,bc,def"), Split(""), Depth(5), Convert("3"))
	Each(&w, []string{"ab", "cdef"})
	return append(out, w.String())
}

var want = []any{
	error(nil), "onetwothree", "", `["one","two","three","two",""]`, "1", 14,
	14, 3 * blockSize / 2, error(nil), 3, 8, 1, 3, "desrever", "", "on", 300, "stemr", "stemr", 0, 0, 4, 0, "two", 2, 3, []int{0, 1, 2},
	3, 2, 4, 0, 4,
	[]string{"a", "bc", "def"}, []string{""}, 6, 3,
	`"one" "two" "three" "two" ""<0></0><1></1><2></2><3></3>` + "one\ntwo\nthree\ntwo\n\nonetwothreetwotitle" + strings.Repeat("x", 3*blockSize/2) +
		"ababab1,22,333\n1:a 2:bc 0: def" + "one.\x00two.\x00three.\x00two.\x00.\x00" +
		"map[] 0 false\nmap[:0 one:3 three:5 two:3]\nmap[] 0 false\nmap[]\nmap[a:2 b:1]\nmap[]\nmap[c:0]\na|0cd|0",
}

func check(t *testing.T) {
	for i, got := range results() {
		if i >= len(want) || !reflect.DeepEqual(got, want[i]) {
			t.Errorf("result %d is %.200q", i, got)
		}
	}
}

func TestResults(t *testing.T) {
	for range 3 {
		check(t)
	}
}

func TestConcurrent(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				check(t)
			}
		})
	}
	all.Wait()
}

// panicOf is what a function panics with.
func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return "it does not panic"
}

type broken struct{ after int }

func (b *broken) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		panic("broken")
	}
	return len(p), nil
}

func (b *broken) Read(p []byte) (int, error) {
	n := copy(p, "some")
	if b.after--; b.after < 0 {
		return n, errors.New("broken")
	}
	return n, nil
}

// TestPanics checks that panics are the same, and leave nothing for the next call.
func TestPanics(t *testing.T) {
	for text, f := range map[string]func(){
		"broken":            func() { WriteAll(&broken{}, words) },
		"nothing to encode": func() { Encode(nil) },
		"runtime error: makeslice: len out of range": func() { Histogram(nil, -1) },
		"runtime error: index out of range [1024] with length 1024": func() {
			Blocks(io.Discard, []string{strings.Repeat("x", 2000)})
		},
		`strconv.Atoi: parsing "x": invalid syntax`:             func() { Convert("x") },
		"runtime error: index out of range [64] with length 64": func() { Split(strings.Repeat(",", 100)) },
		"runtime error: slice bounds out of range [:1025] with capacity 1024": func() {
			Blocks(io.Discard, []string{strings.Repeat("x", 1023)})
		},
	} {
		if got := panicOf(f); got != text {
			t.Errorf("it panics with %q, not %q", got, text)
		}
		check(t)
	}
	if got := panicOf(func() { Twice(io.Discard, "ab", math.MaxInt/2+1) }); got != "runtime error: makeslice: len out of range" {
		t.Error(got)
	}
	if _, err := CopyAll(io.Discard, &broken{2}); err == nil || err.Error() != "broken" {
		t.Error(err)
	}
	check(t)
}

// TestLarge checks the results after large calls.
func TestLarge(t *testing.T) {
	many := make([]string, 5000)
	for i := range many {
		many[i] = strings.Repeat("y", 20) + fmt.Sprint(i)
	}
	if n := len(JoinWords(many)); n != 118890 || Distinct(many) != len(many) {
		t.Error(n)
	}
	Numbers(io.Discard, make([]int, 1<<17))
	if most, room := Histogram(make([]byte, 10), 1<<20); most != 10 || room != 1<<20 {
		t.Error(most, room)
	}
	Branched(strings.Repeat("z", 400))
	check(t)
}

// TestRefused checks what a rewrite of the refused functions would change.
func TestRefused(t *testing.T) {
	check := func(name string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	bytes, part, text := RefusedBytes(words), RefusedPart(words), RefusedText(words)
	slice, element := RefusedSlice(12), RefusedElement(7)
	RefusedStored("stored")
	method, literal := RefusedMethod("method"), RefusedLiteral("literal")
	var k kept
	RefusedHeld(&k, "held")
	err := RefusedError("error")
	sent := make(chan []byte, 1)
	RefusedSent(sent, "sent")
	lengths, field, inside := RefusedMap(words), RefusedField("field"), RefusedInside("in")
	child := RefusedChild("child")
	for range 3 {
		RefusedBytes([]string{"other"})
		RefusedStale("longer than the other", "x")
		check("nil", RefusedNil(nil), "nothing")
		check("JSON", RefusedJSON(nil), "null")
		check("room", RefusedRoom("x"), 64)
		check("behind", RefusedBehind("x"), "x\x00\x00\x00")
		RefusedBehind("longer")
		check("clone", RefusedClone(nil), []byte(nil))
		check("hidden", RefusedHidden("hidden"), 6)
		RefusedFunction(users[0])
		check("recovered", RefusedRecovered(nil), "nothing")
		check("many", RefusedMany(words), 14)
		RefusedRoom(strings.Repeat("x", 1000))
	}
	check("bytes", string(bytes)+string(part)+text, strings.Repeat("onetwothreetwo", 3))
	check("slice", string(slice), "12\n")
	check("element", *element, 7)
	check("stored", string(lastLine)+method()+literal()+k.buf.String()+err.Error(), "storedmethodliteralhelderror")
	check("sent", string((<-sent)[:5]), "sent\x00")
	check("map", len(lengths), 4)
	check("struct", []int{*field, inside[0], len(child.parent.text)}, []int{1, 2, 5})
	var w strings.Builder
	RefusedLater(&w, "later")
	RefusedLast(&w, words)
	RefusedBreak(&w, words)
	RefusedAgain(&w, words)
	check("loops", w.String(), "lateronetwothreetwoonetwothreetwoonetwothreetwo")
}

// TestLargeMap checks a map that is larger than what a pool keeps, between small ones.
func TestLargeMap(t *testing.T) {
	large := map[int][]int{}
	for i := range 3000 {
		large[i] = []int{(i + 1) % 3000}
	}
	for range 3 {
		if n := Visit(large, 0); n != 3000 {
			t.Errorf("%d of 3000", n)
		}
		if n := Visit(map[int][]int{1: {1}}, 1); n != 1 {
			t.Errorf("%d of 1", n)
		}
	}
}
