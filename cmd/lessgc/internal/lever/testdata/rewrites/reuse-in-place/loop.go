// Package loop makes buffers and slices in loops.
package loop

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

func lines(names []string) (all []string) {
	for i, name := range names {
		var buf bytes.Buffer
		if i > 0 {
			fmt.Fprintf(&buf, "%d. ", i)
		}
		buf.WriteString(name) // rewritten
		if name == "" {
			continue
		}
		all = append(all, buf.String())
	}
	return all
}

func joined(rows [][]string) (all []string) {
	for _, row := range rows {
		parts := make([]string, 0, 8) // rewritten
		for _, s := range row {
			if s != "" {
				parts = append(parts, strings.ToUpper(s))
			}
		}
		all = append(all, strings.Join(parts, ","))
	}
	return all
}

func sums(rows [][]int) (all []int) {
	for i := 0; i < len(rows); i++ {
		var even []int
		for _, n := range rows[i] {
			if n%2 == 0 {
				even = append(even, n) // rewritten
			}
		}
		sum := len(even)
		for _, n := range even {
			sum += n * even[0]
		}
		all = append(all, sum)
	}
	return all
}

func keys(names []string, table map[string]int) (n int) {
	for _, name := range names {
		key := []byte{}
		key = append(key, "key/"...)
		key = append(key, name...) // rewritten
		n += table[string(key)]
	}
	return n
}

func shared(names []string) (all [][]byte) {
	for _, name := range names {
		var buf bytes.Buffer
		buf.WriteString(name)          // refused: the buffer's memory is returned
		all = append(all, buf.Bytes()) // of each
	}
	return all
}

func kept(rows [][]int) (all [][]int) {
	for _, row := range rows {
		var even []int
		for _, n := range row {
			if n%2 == 0 {
				even = append(even, n) // refused: the slice is returned
			}
		}
		all = append(all, even)
	}
	return all
}

func none(rows [][]int) (n int) {
	for _, row := range rows {
		var even []int
		for _, n := range row {
			if n%2 == 0 {
				even = append(even, n) // refused: it is compared with nil
			}
		}
		if even == nil {
			n++
		}
	}
	return n
}

func room(rows [][]int) (n int) {
	for _, row := range rows {
		var all []int
		all = append(all, row...) // refused: its capacity is seen
		n += cap(all)
	}
	return n
}

func pointers(rows [][]int) (all []*int) {
	for _, row := range rows {
		var copied []int
		copied = append(copied, row...) // refused: something points to an element
		all = append(all, &copied[0])
	}
	return all
}

func cut(rows [][]int) (all [][]int) {
	for _, row := range rows {
		var copied []int
		copied = append(copied, row...) // refused: part of it is returned
		all = append(all, copied[1:])
	}
	return all
}

func zeroed(rows [][]int) (sum int) {
	for _, row := range rows {
		counts := make([]int, 64*len(row)) // refused: it begins with elements, which are 0
		for _, n := range row {
			counts[n]++
			sum += counts[n]
		}
	}
	return sum
}

func later(names []string, w io.Writer) {
	for _, name := range names {
		var buf bytes.Buffer
		buf.WriteString(name) // refused: it is written when the function ends
		defer buf.WriteTo(w)
	}
}

func captured(rows [][]int) (all []func() int) {
	for _, row := range rows {
		var copied []int
		copied = append(copied, row...) // refused: a function literal has it
		all = append(all, func() int { return copied[0] })
	}
	return all
}

func passed(names []string, keep func(*bytes.Buffer)) {
	for _, name := range names {
		var buf bytes.Buffer
		buf.WriteString(name) // refused: a function has its address
		keep(&buf)
	}
}

func again(rows [][]int) (n int) {
	i := 0
next:
	for ; i < len(rows); i++ {
		var copied []int
		copied = append(copied, rows[i]...) // refused: a goto leads into the loop behind where it would be declared
		if n += len(copied); n == 2 {
			i++
			goto next
		}
	}
	return n
}

func outer(rows [][]int) int {
	copied := []int{1}
	for _, row := range rows {
		var copied []int
		copied = append(copied, row...) // refused: another variable has the name
		if len(copied) == 7 {
			return 7
		}
	}
	return len(copied)
}

func length(rows [][]int, n int) (sum int) {
	for _, row := range rows {
		all := make([]int, 0, n) // refused: it panics for a negative number
		all = append(all, row...)
		sum += len(all)
	}
	return sum
}

func typed(rows [][]int) (sum int) {
	for _, row := range rows {
		type number int
		var all []number
		for _, n := range row {
			all = append(all, number(n)) // refused: its type is not known before the loop
		}
		for _, n := range all {
			sum += int(n)
		}
	}
	return sum
}

func other(rows [][]int) (last []int) {
	for _, row := range rows {
		var all []int
		all = append(all, row...)
		last = append(all, 7) // refused: what another variable gets may have its memory
	}
	return last
}

func alive(rows [][]*int, wait func()) (sum int) {
	for _, row := range rows {
		var all []*int
		all = append(all, row...) // refused: what the elements point to would stay alive while the next iteration waits
		sum += *all[0]
		wait()
	}
	return sum
}
