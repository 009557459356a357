package ours

import (
	"bufio"

	"lessgc/arena"
)

const (
	batchSize = 20
	pending   = 50
)

func badBatch(a *arena.Arena, in <-chan point, flush func([]point)) {
	batch := arena.MakeSlice[point](a, 0, batchSize)
	for p := range in {
		if len(batch) >= pending {
			flush(batch)
			batch = arena.MakeSlice[point](a, 0, batchSize)
		}
		batch = append(batch, p) // want `when it has no room left: it is compared with more than its capacity, 20`
	}
	flush(batch)
}

func goodBatch(a *arena.Arena, in <-chan point, flush func([]point)) {
	batch := arena.MakeSlice[point](a, 0, pending)
	for p := range in {
		if len(batch) >= pending {
			flush(batch)
			batch = arena.MakeSlice[point](a, 0, pending)
		}
		batch = append(batch, p)
	}
	flush(batch)
}

func badOffByOne(a *arena.Arena, s *bufio.Scanner) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for len(out) <= cap(out) && s.Scan() {
		out = append(out, s.Text()) // want `it is compared with more than its capacity, 16`
	}
	return out
}

func goodLessThan(a *arena.Arena, s *bufio.Scanner) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for cap(out) > len(out) && s.Scan() {
		out = append(out, s.Text())
	}
	return out
}

func badOtherWay(a *arena.Arena, s *bufio.Scanner, n int) []string {
	out := arena.MakeSlice[string](a, 0, n)
	for s.Scan() {
		if n < len(out) {
			break
		}
		out = append(out, s.Text()) // want `it is compared with more than its capacity, or with that itself`
	}
	return out
}

func goodOtherWay(a *arena.Arena, s *bufio.Scanner, n int) []string {
	out := arena.MakeSlice[string](a, 0, n)
	for s.Scan() {
		if n <= len(out) {
			break
		}
		out = append(out, s.Text())
	}
	return out
}

func goodWithRest(a *arena.Arena, s *bufio.Scanner) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for s.Scan() {
		if len(out)+1 > cap(out) {
			break
		}
		out = append(out, s.Text())
	}
	return out
}
