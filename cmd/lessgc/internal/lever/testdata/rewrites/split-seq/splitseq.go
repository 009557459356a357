// Package splitseq has loops over the parts of a text.
package splitseq

import (
	"bytes"
	"strings"
	"unicode"
)

func longest(line string) (n int) {
	for _, field := range strings.Split(line, ",") { // rewritten
		if field == "" {
			continue
		}
		n = max(n, len(field))
	}
	return n
}

func number(text string) (n int) {
	words := strings.Fields(text) // rewritten
	for range words {
		n++
	}
	return n
}

func find(text, word string) bool {
	for _, w := range strings.FieldsFunc(text, unicode.IsSpace) { // rewritten
		if w == word {
			return true
		}
	}
	return false
}

func positions(line string) (at []int) {
	for i, field := range strings.Split(line, ",") { // refused: it counts, too
		at = append(at, i+len(field))
	}
	return at
}

func twice(line string) (n int) {
	fields := strings.Split(line, ",") // refused: the parts are counted, too
	for _, f := range fields {
		n += len(f) * len(fields)
	}
	return n
}

func words(text string) (all []string, asked int) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { asked++; return r == ' ' }) { // refused: the function is called before the loop
		all = append(all, w)
		asked = 0
	}
	return all, asked
}

func marked(line []byte) (n int) {
	for _, field := range bytes.Split(line, []byte(",")) { // refused: the loop writes a separator
		for i := range field {
			field[i] = ','
		}
		n++
	}
	return n
}

func extended(line []byte) []byte {
	for _, field := range bytes.Split(line, []byte(",")) { // refused: the last part has room, as the text has
		_ = append(field, '!')
	}
	return line[:cap(line)]
}

func nested(lines int, text string) (n int) {
	parts := strings.Split(text, ",") // refused: a loop goes over them more than once
	for range lines {
		for range parts {
			n++
		}
	}
	return n
}

func kept(text string) (n int, all []string) {
	parts := strings.Split(text, ",") // refused: they are returned
	for range parts {
		n++
	}
	return n, parts
}

func limited(text string) (all string) {
	for _, part := range strings.SplitN(text, ",", 2) { // refused: there is no such iterator
		all = part
	}
	return all
}

func noted(text string) (n int) {
	for _ /* the number */, part := range strings.Split(text, ",") { // refused: a comment would go
		n += len(part)
	}
	return n
}

func recovered(text string) (failed any) {
	defer func() {
		for range strings.Split(text, ",") { // refused: recover would be called by the iterator's function
			failed = recover()
		}
	}()
	panic(text)
}

func closed(text string, done func(string)) {
	for _, part := range strings.Split(text, ",") { // refused: deferred calls are made by another function
		defer done(part)
	}
}

func last(text string) (part string) {
	parts := strings.Split(text, ",")
	text = parts[len(parts)-1]
	parts = strings.Split(text, ";") // refused: the variable is a slice
	for _, part = range parts {
	}
	return part
}

func later(text string) func() int {
	parts := strings.Split(text, ",") // refused: a function literal goes over them
	return func() (n int) {
		for range parts {
			n++
		}
		return n
	}
}
