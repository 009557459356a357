// Package pooled has variables whose memory may come out of a pool, and others of which one detail forbids that.
package pooled

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
)

// WriteAll writes some words by way of a buffer, which nothing keeps.
func WriteAll(w io.Writer, words []string) error {
	var buf bytes.Buffer // rewritten
	for i, word := range words {
		if i > 0 {
			buf.WriteByte(' ')
		}
		fmt.Fprintf(&buf, "%q", word)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// JoinWords returns a copy of the text in the buffer.
func JoinWords(words []string) string {
	buf := new(bytes.Buffer) // rewritten
	for _, word := range words {
		if word == "" {
			return ""
		}
		buf.WriteString(word)
	}
	return buf.String()
}

// Encode has a part of itself encoded by another function, which may panic.
func Encode(v any) string {
	buf := &bytes.Buffer{} // rewritten
	encodeTo(buf, v)
	return strings.TrimSpace(buf.String())
}

func encodeTo(w io.Writer, v any) {
	if v == nil {
		panic("nothing to encode")
	}
	json.NewEncoder(w).Encode(v)
}

// Sized has a buffer with some room.
func Sized(words []string) (n int) {
	buf := bytes.NewBuffer(make([]byte, 0, 512)) // rewritten
	for _, word := range words {
		buf.WriteString(word)
	}
	return buf.Len()
}

// Nested calls itself while it has a buffer.
func Nested(w io.Writer, depth int) {
	var buf bytes.Buffer // rewritten
	fmt.Fprintf(&buf, "<%d>", depth)
	if depth > 0 {
		Nested(w, depth-1)
	}
	fmt.Fprintf(&buf, "</%d>", depth)
	buf.WriteTo(w)
}

// EachLine has a buffer for each line.
func EachLine(w io.Writer, lines []string) {
	for _, line := range lines {
		var buf bytes.Buffer // rewritten
		buf.WriteString(line)
		buf.WriteByte('\n')
		w.Write(buf.Bytes()) // the last use
	}
}

// Chunks writes over what it has read out of the buffer, but not before it is used.
func Chunks(w io.Writer, words []string) {
	var buf bytes.Buffer // rewritten
	for _, word := range words {
		buf.WriteString(word)
		if buf.Len() > 8 {
			w.Write(buf.Bytes())
			buf.Reset()
		}
	}
	w.Write(buf.Bytes())
}

type page struct{ title string }

// Render is a method, which already knows a pool of that name.
func (p *page) Render(w io.Writer) {
	buf := bytes.NewBuffer(nil)
	buf.WriteString(p.title) // rewritten
	w.Write(buf.Bytes())
}

var pageRenderBufPool sync.Pool

// Literals runs a literal with a buffer of its own.
func Literals(words []string) (n int) {
	count := func(word string) int {
		var buf bytes.Buffer // rewritten
		buf.WriteString(word)
		return buf.Len()
	}
	for _, word := range words {
		n += count(word)
	}
	return n
}
