package ours

import "lessgc/arena"

func badCountedBeyond(a *arena.Arena, lines []string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for i, line := range lines {
		if i > 16 {
			break
		}
		out = append(out, line) // want `lets more elements through than its capacity, 8`
	}
	return out
}

func goodCountedWithin(a *arena.Arena, lines []string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for i, line := range lines {
		if i > 7 {
			break
		}
		out = append(out, line)
	}
	return out
}

func badCountedOnce(a *arena.Arena, lines []string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for i, line := range lines {
		if i <= 8 {
			out = append(out, line) // want `lets more elements through than its capacity, 8`
		}
	}
	return out
}

// The first lines are left out.
func goodCountedFrom(a *arena.Arena, lines []string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for i, line := range lines {
		if i > 16 {
			continue
		}
		if i > 10 {
			out = append(out, line)
		}
	}
	return out
}

func badInnerCounter(a *arena.Arena, rows [][]string) []string {
	out := arena.MakeSlice[string](a, 0, len(rows))
	for _, row := range rows {
		for i, cell := range row {
			if i < len(rows) {
				out = append(out, cell) // want `lets more elements through than its capacity`
			}
		}
	}
	return out
}

// There are two rows.
func goodTwoRows(a *arena.Arena, rows [2][]string) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	for _, row := range rows {
		for i, cell := range row {
			if i < 4 {
				out = append(out, cell)
			}
		}
	}
	return out
}

// Each row has the slice for itself.
func goodInnerCounter(a *arena.Arena, rows [][]string, flush func([]string)) {
	out := arena.MakeSlice[string](a, 0, 8)
	for _, row := range rows {
		out = out[:0]
		for i, cell := range row {
			if i < 8 {
				out = append(out, cell)
			}
		}
		flush(out)
	}
}

func badLongText(a *arena.Arena, prefix string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 16)
	if len(prefix) < 64 {
		buf = append(buf, prefix...) // want `lets more elements through than its capacity, 16`
	}
	return buf
}

func goodShortText(a *arena.Arena, prefix string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 16)
	if len(prefix) <= 16 {
		buf = append(buf, prefix...)
	}
	return buf
}

func goodNotLongText(a *arena.Arena, prefix string) []byte {
	buf := arena.MakeSlice[byte](a, 0, 16)
	if len(prefix) > 64 {
		return nil
	}
	if len(prefix) > 16 {
		prefix = prefix[:16]
	}
	return append(buf, prefix...)
}

func badHalf(a *arena.Arena, lines []string) []string {
	out := arena.MakeSlice[string](a, 0, len(lines)/2)
	for _, line := range lines {
		if line != "" && len(out) < 1000 {
			out = append(out, line) // want `lets more elements through than its capacity`
		}
	}
	return out
}

func goodHalf(a *arena.Arena, lines []string) []string {
	out := arena.MakeSlice[string](a, 0, len(lines)/2)
	for _, line := range lines {
		if line != "" && len(out) < len(lines)/2 {
			out = append(out, line)
		}
	}
	return out
}

func badEmptyField(a *arena.Arena, names []string) *object {
	o := arena.New[object](a)
	o.names = arena.MakeSlice[string](a, 0, 0)
	for _, n := range names {
		o.names = append(o.names, n) // want `append puts names on the heap`
	}
	return o
}

func goodFilledField(a *arena.Arena, names []string) *object {
	o := arena.New[object](a)
	o.names = arena.MakeSlice[string](a, 0, 0)
	o.names = arena.MakeSlice[string](a, 0, len(names))
	for _, n := range names {
		o.names = append(o.names, n)
	}
	return o
}
