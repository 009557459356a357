// Package maybe appends without a bound. Whether that is too much, nobody sees: functions
// called maybe* are reported in note mode only.
package maybe

import (
	"bufio"
	"strings"

	"lessgc/arena"
)

func maybeLines(a *arena.Arena, s *bufio.Scanner) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for s.Scan() {
		out = append(out, s.Text())
	}
	return out
}

func goodLines(a *arena.Arena, s *bufio.Scanner) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for len(out) < cap(out) && s.Scan() {
		out = append(out, s.Text())
	}
	return out
}

func goodInArena(a *arena.Arena, s *bufio.Scanner) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for s.Scan() {
		out = arena.Append(a, out, s.Text())
	}
	return out
}

func maybeUnrelated(a *arena.Arena, words, stop []string) []string {
	out := arena.MakeSlice[string](a, 0, len(stop))
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

func goodRelated(a *arena.Arena, words, stop []string) []string {
	out := arena.MakeSlice[string](a, 0, len(words))
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

func maybeFields(a *arena.Arena, line string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for _, f := range strings.Fields(line) {
		out = append(out, f)
	}
	return out
}

func goodFields(a *arena.Arena, line string) []string {
	fields := strings.Fields(line)
	out := arena.MakeSlice[string](a, 0, len(fields))
	for _, f := range fields {
		out = append(out, f)
	}
	return out
}

func goodSome(a *arena.Arena, line string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for i, f := range strings.Fields(line) {
		if i == 8 {
			break
		}
		out = append(out, f)
	}
	return out
}

func maybeRows(a *arena.Arena, rows [][]int) []int {
	out := arena.MakeSlice[int](a, 0, len(rows))
	for _, r := range rows {
		out = append(out, r...)
	}
	return out
}

func maybeAll(a *arena.Arena, xs, ys []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs))
	return append(out, ys...)
}

func goodAll(a *arena.Arena, xs, ys []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs))
	if len(ys) > cap(out) {
		ys = ys[:cap(out)]
	}
	return append(out, ys...)
}

// A table does not change.
type table struct{ words []string }

func newTable(words []string) *table { return &table{words} }

func (t *table) goodTable(a *arena.Arena, other int) []string {
	out := arena.MakeSlice[string](a, 0, len(t.words))
	for i, w := range t.words {
		if i != other {
			out = append(out, w)
		}
	}
	return out
}

func goodCaptured(a *arena.Arena, words []string) func() []string {
	return func() []string {
		return append(arena.MakeSlice[string](a, 0, len(words)), words...)
	}
}

func goodPart(a *arena.Arena, s string) []byte {
	b := arena.MakeSlice[byte](a, 0, len(s))
	return append(b, s[:strings.IndexByte(s, ' ')]...)
}

// A registry has entries.
type registry struct {
	keys []string
	old  map[string]bool
}

// Range calls f for every key.
func (r *registry) Range(f func(key string) bool) {
	for _, k := range r.keys {
		if !f(k) {
			return
		}
	}
}

// Len is the number of keys.
func (r *registry) Len() int { return len(r.keys) }

func maybeHalf(a *arena.Arena, r *registry) []string {
	old := arena.MakeSlice[string](a, 0, r.Len()/2)
	r.Range(func(key string) bool {
		if r.old[key] {
			old = append(old, key)
		}
		return true
	})
	return old
}

func goodHalf(a *arena.Arena, r *registry) []string {
	old := arena.MakeSlice[string](a, 0, r.Len())
	r.Range(func(key string) bool {
		if r.old[key] {
			old = append(old, key)
		}
		return true
	})
	return old
}

func goodShared(a *arena.Arena, r *registry) (func() int, []string) {
	all := arena.MakeSlice[string](a, 0, len(r.keys))
	for _, k := range r.keys {
		all = append(all, k)
	}
	return func() int { return len(all) }, all
}

// The number has nothing to do with the capacity.
func maybeKind(a *arena.Arena, words []string, kind int) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for _, w := range words {
		if kind == 8 {
			continue
		}
		out = append(out, w)
	}
	return out
}
