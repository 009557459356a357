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
