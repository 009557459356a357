package appendtext

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// A asked notes that it was asked.
type asked struct{ l *log }

func (n asked) String() string { n.l.buf = append(n.l.buf, "asked "...); return "text" }

func TestCalls(t *testing.T) {
	l := new(log)
	l.value(asked{l})
	if string(l.buf) != "asked text" {
		t.Errorf("%q", l.buf)
	}
	if got := string(datedDay(nil, day{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})); got != "2026" {
		t.Error(got)
	}
}

func TestOwnMemory(t *testing.T) {
	check(t, "in itself", inItself(0x0102030405060708), "0102030405060708")
	check(t, "in its buffer", inItsBuffer(0x0102030405060708), "0102030405060708")
	check(t, "of a number", string(ofNumber(nil, 0x0102030405060708)), "02020304")
	var b bytes.Buffer
	b.Grow(64)
	numbers := make(chan int)
	go func() { b.WriteString("n="); numbers <- 7 }()
	received(&b, numbers)
	check(t, "received", b.String(), "n=7")
	var k keeper
	throughBuffer(&k, []int{1, 2})
	check(t, "through a buffer", string(bytes.Join(k.all, nil)), fmt.Sprintf("%40d%40d", 1, 2))
	check(t, "paged", paged(nil, true)+headed(true, 1)+helped(true, 2)+printedTo(3), "0 items.1 items..2 items<33 items")
	check(t, "contains", fmt.Sprint(contains([]byte("a12"), 12), contains([]byte("a12"), 3)), "true false")
}
