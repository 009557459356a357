package fleet

import (
	"fmt"
	"strings"
	"time"
)

// ParseRange reads a range of time: from a time or a duration before now to another,
// or until now.
func ParseRange(text string, now time.Time) (from, to time.Time, err error) {
	start, end, both := strings.Cut(text, "..")
	from, ok := moment(start, now)
	to = now
	if ok && both {
		to, ok = moment(end, now)
	}
	if !ok {
		return from, to, fmt.Errorf("invalid time range %q; want one such as -1h, -2h..-1h or 2026-11-22T10:00:00Z..2026-11-22T11:00:00Z", text)
	}
	if !from.Before(to) {
		return from, to, fmt.Errorf("%q ends before it starts: put the earlier time first, such as -2h..-1h", text)
	}
	return from, to, nil
}

// moment is one end of a range.
func moment(text string, now time.Time) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if d, err := time.ParseDuration(text); err == nil && strings.HasPrefix(text, "-") {
		return now.Add(d), true
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}
