package appendtext

import (
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
