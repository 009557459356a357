package programs

import (
	"bytes"
	"io"
	"strings"
	"unicode"
)

func pair(name, value string) string {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('=')
	b.WriteString(value) // want grow-once
	return b.String()
}

func frame(head, body []byte) []byte {
	var out []byte
	out = append(out, head...)
	out = append(out, 0, 1)
	out = append(out, body...) // want grow-once
	return out
}

func lettersOf(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsLetter(r) {
			b.WriteRune(r) // no grow-once
		}
	}
	return b.String()
}

func lineOf(cells []string) int {
	var b bytes.Buffer
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(c) // want grow-once
	}
	return b.Len()
}

type page struct{ ids []int }

func pageOf(users []user) *page {
	p := &page{}
	p.ids = append(p.ids, -1)
	for _, u := range users {
		p.ids = append(p.ids, u.id) // want grow-once
	}
	return p
}

// How much is added to it nobody knows before.
func labelled(users []user) string {
	var b strings.Builder
	for _, u := range users {
		if u.id%2 == 0 {
			b.WriteString(u.name) // no grow-once
		}
	}
	return b.String()
}

// The field is the caller's, and has room.
func (p *page) add(users []user) {
	for _, u := range users {
		p.ids = append(p.ids, u.id) // no grow-once
	}
}

// It takes its first memory here.
func tagged(body []byte) []byte {
	var out []byte
	out = append(out, body...) // no grow-once
	out = append(out, '\n')
	return out
}

// What comes later changes the text.
func twice(text string) string {
	var b strings.Builder
	b.WriteString(text)
	text = strings.TrimSpace(text) + " and so on"
	b.WriteString(text) // no grow-once
	return b.String()
}

// A function adds to it.
func addTo(b *strings.Builder, text string) { b.WriteString(text) }

func around(name string) string {
	var b strings.Builder
	b.WriteString(name)
	addTo(&b, name)
	b.WriteString("(a long text after the name)") // no grow-once
	return b.String()
}

func joined(users []user) string {
	var b strings.Builder
	for _, u := range users {
		b.WriteString(u.name) // want grow-once
		b.WriteByte('\n')
	}
	return b.String()
}

func flattened(groups [][]user) []int {
	var all []int
	for _, g := range groups {
		for _, u := range g {
			all = append(all, u.id) // want grow-once
		}
	}
	return all
}

func grid(xs, ys []int) []int {
	var all []int
	for _, x := range xs {
		for _, y := range ys {
			all = append(all, x*y) // want grow-once
		}
	}
	return all
}

func address(user, host string) string {
	var b strings.Builder
	if user != "" {
		b.WriteString(user)
		b.WriteByte('@')
	}
	b.WriteString(host) // want grow-once
	return b.String()
}

// How much a call returns nobody knows before.
func trimmed(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(strings.TrimSpace(t)) // no grow-once
	}
	return b.String()
}

// A few are enough.
func firstOnes(users []user) []string {
	var all []string
	for _, u := range users {
		all = append(all, u.name) // no preallocate
		if len(all) == 3 {
			break
		}
	}
	return all
}

// An error is the exception.
func checked(users []user) ([]string, error) {
	var all []string
	for _, u := range users {
		if u.id < 0 {
			return nil, io.EOF
		}
		all = append(all, u.name) // want preallocate
	}
	return all, nil
}
