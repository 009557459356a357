// Package reused has variables of loops whose memory all iterations can have.
package reused

import (
	"bytes"
	"fmt"
	"io"
)

type action func(out *bytes.Buffer, text []byte) int

// A Renderer has actions for some bytes, which only this package sets.
type Renderer struct {
	actions [256]action
	last    action
}

// NewRenderer sets the actions.
func NewRenderer(double bool) *Renderer {
	r := &Renderer{}
	r.actions['"'] = r.quote
	r.actions['-'] = r.dash(double)
	r.last = end
	return r
}

func (r *Renderer) quote(out *bytes.Buffer, text []byte) int {
	out.WriteString("&quot;")
	return 0
}

func (r *Renderer) dash(double bool) action {
	if double {
		return func(out *bytes.Buffer, text []byte) int {
			if len(text) > 1 && text[1] == '-' {
				out.WriteString("&mdash;")
				return 1
			}
			out.WriteByte(text[0])
			return 0
		}
	}
	return r.quote
}

func end(out *bytes.Buffer, text []byte) int {
	out.WriteByte('.')
	return 0
}

// Process calls actions, which are functions of the package.
func (r *Renderer) Process(w io.Writer, text []byte) {
	for i := 0; i < len(text); i++ {
		action := r.actions[text[i]]
		if action == nil {
			w.Write(text[i : i+1])
			continue
		}
		var tmp bytes.Buffer // rewritten
		i += action(&tmp, text[i:])
		w.Write(tmp.Bytes())
	}
	var tail bytes.Buffer
	r.last(&tail, text)
	w.Write(tail.Bytes())
}

// Lines ends iterations early, and returns from one.
func Lines(w io.Writer, words []string) (n int) {
	for _, word := range words {
		line := new(bytes.Buffer) // rewritten
		fmt.Fprintf(line, "<%s>", word)
		if word == "" {
			continue
		}
		if word == "end" {
			return n
		}
		k, _ := w.Write(line.Bytes())
		n += k
	}
	return n
}

// Sized has room for the first one.
func Sized(w io.Writer, words []string) {
	for _, word := range words {
		buf := bytes.NewBuffer(make([]byte, 0, 16)) // rewritten
		buf.WriteString(word)
		buf.WriteTo(w)
	}
}

// Texts has a text of each.
func Texts(w io.Writer, words []string) (all []string) {
	for _, word := range words {
		var part bytes.Buffer // rewritten
		put(&part, word)
		all = append(all, part.String())
	}
	return all
}

func put(w io.Writer, word string) { io.WriteString(w, word+"!") }

// Blocks reads blocks of different sizes, and panics for negative ones.
func Blocks(r io.Reader, sizes []int) (sums []int) {
	for _, size := range sizes {
		block := make([]byte, size) // rewritten
		n, _ := io.ReadFull(r, block)
		if n == 0 {
			continue
		}
		sum := 0
		for _, b := range block {
			sum += int(b)
		}
		sums = append(sums, sum*1000+cap(block)-len(block))
	}
	return sums
}

// Nested calls itself in an iteration.
func Nested(w io.Writer, depth int) {
	for i := range depth {
		buf := &bytes.Buffer{} // rewritten
		fmt.Fprintf(buf, "%d.%d ", depth, i)
		Nested(w, depth-1)
		w.Write(buf.Bytes())
	}
}

// Rows has one row at a time, whose elements begin with zero.
func Rows(w io.Writer, counts [][]int) {
	for i := range counts {
		row := make([]int64, len(counts[i])+1) // rewritten
		for _, k := range counts[i] {
			row[k%len(row)]++
		}
		fmt.Fprintln(w, row)
	}
}

// Nothing of it is nil, also if it is empty.
func cloned(parts [][]byte) (n int) {
	for _, part := range parts {
		buf := make([]byte, len(part)) // rewritten
		copy(buf, part)
		if bytes.Clone(buf) == nil {
			n++
		}
	}
	return n
}
