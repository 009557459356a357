package appendtext

import (
	"fmt"
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
