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

const message = 1 << 10

// The test keeps the message within a limit of its own, which is more than there is room for.
func badLimit(a *arena.Arena, fields []string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 32)
	for _, f := range fields {
		if len(buf)+len(f) > message {
			return nil
		}
		buf = append(buf, f...) // want `it is compared with more than its capacity, 32`
	}
	return buf
}

func badLimitLeft(a *arena.Arena, fields []string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 32)
	for _, f := range fields {
		if len(f) <= message-len(buf) {
			buf = append(buf, f...) // want `it is compared with more than its capacity, 32`
		}
	}
	return buf
}

func badLimitAndOne(a *arena.Arena, fields []string, n int) []byte {
	buf := arena.MakeSlice[byte](a, 0, n)
	for _, f := range fields {
		size := uint32(len(f) + len(buf) + 1)
		if int(size) >= n+3 {
			break
		}
		buf = append(buf, f...) // want `it is compared with more than its capacity`
		buf = append(buf, ',')
		buf = append(buf, '\n')
	}
	return buf
}

func goodLimit(a *arena.Arena, fields []string) []byte {
	buf := arena.MakeSlice[byte](a, 0, message)
	for _, f := range fields {
		if len(buf)+len(f) > message {
			return nil
		}
		buf = append(buf, f...)
	}
	return buf
}

func goodLimitLess(a *arena.Arena, fields []string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 32)
	for _, f := range fields {
		if len(buf)+len(f) >= 33 {
			return nil
		}
		buf = append(buf, f...)
	}
	return buf
}

func goodLimitLeft(a *arena.Arena, fields []string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 32)
	for _, f := range fields {
		if len(f) > 32-len(buf) {
			return nil
		}
		buf = append(buf, f...)
	}
	return buf
}

// Another test than that of the limit makes room.
func goodLimitAndRoom(a *arena.Arena, fields []string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 32)
	for _, f := range fields {
		if len(buf)+len(f) > message {
			return nil
		}
		if needed := len(buf) + len(f); needed > cap(buf) {
			next := arena.MakeSlice[byte](a, len(buf), max(2*cap(buf), needed))
			copy(next, buf)
			buf = next
		}
		buf = append(buf, f...)
	}
	return buf
}

// The test is for more than is appended.
func goodLimitOfOther(a *arena.Arena, fields, rest []string) []string {
	out := arena.MakeSlice[string](a, 0, 32)
	for range min(len(fields), 32) {
		if len(out)+len(rest) > message {
			return nil
		}
		out = append(out, "")
	}
	return out
}

// Fields that are short are checked elsewhere.
func goodLimitFlush(a *arena.Arena, fields []string, flush func([]string)) {
	out := arena.MakeSlice[string](a, 0, 32)
	for _, f := range fields {
		if len(out)+len(f) > message || len(out) == cap(out) {
			flush(out)
			out = out[:0]
		}
		out = append(out, f)
	}
}
