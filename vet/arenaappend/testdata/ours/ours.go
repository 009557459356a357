// Package ours appends to slices in arenas of lessgc.
package ours

import "lessgc/arena"

type point struct{ x, y int }

func badFull(a *arena.Arena, xs []int) []int {
	out := arena.MakeSlice[int](a, len(xs), len(xs))
	for _, x := range xs {
		out = append(out, x) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return out
}

func goodFull(a *arena.Arena, xs []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs))
	for _, x := range xs {
		out = append(out, x)
	}
	return out
}

func badOneMore(a *arena.Arena, xs []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs))
	for _, x := range xs {
		out = append(out, x)
	}
	out = append(out, -1) // want `append moves the slice from its arena to the heap, because it has no room left`
	return out
}

func goodOneMore(a *arena.Arena, xs []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs)+1)
	for _, x := range xs {
		out = append(out, x)
	}
	out = append(out, -1)
	return out
}

func badThird(a *arena.Arena, p point) []point {
	out := arena.MakeSlice[point](a, 0, 2)
	out = append(out, p)
	out = append(out, p)
	out = append(out, p) // want `append moves the slice from its arena to the heap, because it has no room left`
	return out
}

func goodThird(a *arena.Arena, p point) []point {
	out := arena.MakeSlice[point](a, 0, 3)
	out = append(out, p)
	out = append(out, p)
	out = append(out, p)
	return out
}

func badAll(a *arena.Arena, xs, ys []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs))
	out = append(out, xs...)
	out = append(out, ys...) // want `append moves the slice from its arena to the heap, because it has no room left`
	return out
}

func goodAll(a *arena.Arena, xs, ys []int) []int {
	out := arena.MakeSlice[int](a, 0, len(xs)+len(ys))
	out = append(out, xs...)
	out = append(out, ys...)
	return out
}

func badBound(a *arena.Arena, from int) []int {
	out := arena.MakeSlice[int](a, 0, 64)
	for i := range 100 {
		out = append(out, from+i) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return out
}

func goodBound(a *arena.Arena, from int) []int {
	out := arena.MakeSlice[int](a, 0, 100)
	for i := range 100 {
		out = append(out, from+i)
	}
	return out
}

func badPairs(a *arena.Arena, m map[string]string) []string {
	out := arena.MakeSlice[string](a, 0, len(m))
	for k, v := range m {
		out = append(out, k, v) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return out
}

func goodPairs(a *arena.Arena, m map[string]string) []string {
	out := arena.MakeSlice[string](a, 0, 2*len(m))
	for k, v := range m {
		out = append(out, k, v)
	}
	return out
}

func badSlab(a *arena.Arena, n int) []point {
	points := arena.Of[point](a)
	out := points.Make(n, n)
	out = append(out, point{n, n}) // want `append moves the slice from its arena to the heap, because it has no room left`
	return out
}

func goodSlab(a *arena.Arena, n int) []point {
	points := arena.Of[point](a)
	out := points.Make(n, n+1)
	out = append(out, point{n, n})
	return out
}

func badBytes(a *arena.Arena, line []byte) []byte {
	b := a.Bytes(line)
	return append(b, '\n') // want `append moves the slice from its arena to the heap, because it has no room left`
}

func goodBytes(a *arena.Arena, line []byte) []byte {
	b := a.Bytes(line)
	return arena.Append(a, b, '\n')
}

// Room that is used again.
func goodReused(a *arena.Arena, rows [][3]int) (sum int) {
	row := arena.MakeSlice[int](a, 0, 3)
	for _, r := range rows {
		row = row[:0]
		row = append(row, r[0])
		row = append(row, r[1], r[2])
		sum += len(row)
	}
	return sum
}

func badReused(a *arena.Arena, rows [][3]int) (sum int) {
	row := arena.MakeSlice[int](a, 0, 2)
	for _, r := range rows {
		row = row[:0]
		row = append(row, r[0])
		row = append(row, r[1], r[2]) // want `append moves the slice from its arena to the heap, because it has no room left`
		sum += len(row)
	}
	return sum
}

// Copies to the heap, on purpose.
func goodCopied(a *arena.Arena, n int) []int {
	s := arena.MakeSlice[int](a, n, n)
	return append([]int(nil), s...)
}

func goodClipped(a *arena.Arena, n int) []int {
	s := arena.MakeSlice[int](a, n, n)
	return append(s[:n:n], 1)
}

func goodHeap(n int) []int {
	s := arena.MakeSlice[int](nil, n, n)
	return append(s, 1)
}

func goodUnknown(s []int) []int { return append(s, 1) }

type reader struct {
	a *arena.Arena
}

func (r *reader) badNested(rows [][]int) []int {
	out := arena.MakeSlice[int](r.a, 0, 0)
	for _, row := range rows {
		for _, x := range row {
			out = append(out, x) // want `append moves the slice from its arena to the heap, because it has no room left`
		}
	}
	return out
}

func (r *reader) goodNested(rows [][]int) []int {
	var out []int
	for _, row := range rows {
		for _, x := range row {
			out = arena.Append(r.a, out, x)
		}
	}
	return out
}

func badMerged(a *arena.Arena, x int, both bool) []any {
	out := arena.MakeSlice[any](a, 0, 1)
	if both {
		out = append(out, x)
	} else {
		out = append(out, -x)
	}
	return append(out, both) // want `append moves the slice from its arena to the heap, because it has no room left`
}

func goodMerged(a *arena.Arena, x int, both bool) []any {
	out := arena.MakeSlice[any](a, 0, 1)
	if both {
		return append(out, x)
	}
	return append(out, both)
}

// Room that is made empty at the end of each turn.
func goodEmptied(a *arena.Arena, rows [][3]int) (sum int) {
	row := arena.MakeSlice[int](a, 0, 3)
	for _, r := range rows {
		row = append(row, r[0])
		row = append(row, r[1], r[2])
		sum += len(row)
		row = row[:0]
	}
	return sum
}

func badEmptied(a *arena.Arena, rows [][3]int) (sum int) {
	row := arena.MakeSlice[int](a, 0, 2)
	for _, r := range rows {
		row = append(row, r[0])
		row = append(row, r[1], r[2]) // want `append moves the slice from its arena to the heap, because it has no room left`
		sum += len(row)
		row = row[:0]
	}
	return sum
}

// A batch has its points once it is made.
type batch struct {
	points []point
	extra  int
}

func newBatch(points []point) *batch { return &batch{points: points} }

func (b *batch) badSorted(a *arena.Arena) []point {
	out := arena.MakeSlice[point](a, len(b.points), len(b.points))
	for _, p := range b.points {
		out = append(out, p) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return out
}

func (b *batch) goodSorted(a *arena.Arena) []point {
	out := arena.MakeSlice[point](a, 0, len(b.points))
	for _, p := range b.points {
		out = append(out, p)
	}
	return out
}

// The number may have changed meanwhile.
func (b *batch) goodExtra(a *arena.Arena) []point {
	out := arena.MakeSlice[point](a, 0, b.extra)
	b.shrink()
	for i := 0; i <= b.extra; i++ {
		out = append(out, point{})
	}
	return out
}

func (b *batch) shrink() { b.extra /= 2 }

func badShared(a *arena.Arena, n int, each func(func(int))) []int {
	all := arena.MakeSlice[int](a, n, n)
	each(func(x int) {
		all = append(all, x) // want `append moves the slice from its arena to the heap, because it has no room left`
	})
	return all
}

func goodShared(a *arena.Arena, n int, each func(func(int))) []int {
	all := arena.MakeSlice[int](a, n, n)
	each(func(x int) {
		all = arena.Append(a, all, x)
	})
	return all
}
