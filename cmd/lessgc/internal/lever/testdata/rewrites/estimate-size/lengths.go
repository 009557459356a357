package estimatesize

import (
	"bytes"
	"strings"
)

func escaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		default:
			b.WriteByte(text[i]) // rewritten
		}
	}
	return b.String()
}

func quoted(text string) string {
	b := new(bytes.Buffer)
	b.WriteByte('"')
	for _, r := range text {
		if r == '"' {
			b.WriteString("&quot;")
			continue
		}
		b.WriteRune(r) // rewritten
	}
	b.WriteByte('"')
	return b.String()
}

func dotted(text []byte) string {
	var b bytes.Buffer
	for _, c := range text {
		if c >= ' ' {
			b.WriteByte(c) // rewritten
		} else {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func letters(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' {
			continue
		}
		b.WriteByte(text[i]) // refused: it may be that little of the text is written
	}
	return b.String()
}

// nearly drops one byte of the benchmark's.
func nearly(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r > 0xeffff {
			continue
		}
		if r == '#' {
			if len(text) > 1 {
				continue
			}
		}
		b.WriteString(names[r%2]) // rewritten: b.Grow(len(text))
	}
	return b.String()
}

// some drops one byte of ten.
func some(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '.' || r == '#' {
			continue
		}
		b.WriteString(names[r%2]) // refused: the benchmark writes eight of ten
	}
	return b.String()
}

var names = []string{"a", "bc"}

func word(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i]) // refused: it may be that little of the text is written before the loop ends
		if text[i] == '.' {
			break
		}
	}
	return b.String()
}

func trimmedText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	text = strings.TrimSpace(text)
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i]) // refused: the text is another one in between
	}
	return b.String()
}

func without(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	trim := func() { text = strings.TrimSpace(text) }
	trim()
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i]) // refused: a function literal has changed the text
	}
	return b.String()
}

func lengthens(text string) string {
	len := func(s string) int { return strings.Count(s, "") - 1 }
	var b strings.Builder
	for i := range text {
		b.WriteByte(text[i]) // refused: len is another function here
	}
	return b.String()[:len(text)]
}

func otherLength(text string, n int) string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		b.WriteByte(text[i%len(text)]) // refused: it is not known that the number is one of bytes that there are
	}
	return b.String()
}
