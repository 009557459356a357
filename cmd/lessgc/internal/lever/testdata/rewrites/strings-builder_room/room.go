// Package room has buffers that grow by the bytes of a text.
package room

import (
	"bytes"
	"unicode"
)

func upper(s string) string {
	var b bytes.Buffer
	for _, c := range s {
		b.WriteRune(unicode.ToUpper(c)) // rewritten
	}
	return b.String()
}

func quoted(s string) string {
	var b bytes.Buffer
	b.WriteByte('"') // rewritten
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			b.WriteString(`\"`)
		} else {
			b.WriteByte(s[i])
		}
	}
	b.WriteByte('"')
	return b.String()
}

func trimmed(text []byte) int { return len(bytes.TrimSpace(text)) }

func filtered(s string) string {
	var b bytes.Buffer
	for _, c := range s {
		if c != ' ' {
			b.WriteRune(c) // refused: it may write less often
		}
	}
	return b.String()
}

func strip(s string, keep *[256]string) string {
	var b bytes.Buffer
	for i := 0; i < len(s); i++ {
		b.WriteString(keep[s[i]]) // refused: what it writes may be empty
	}
	return b.String()
}

func asBytes(s string) []byte {
	var b bytes.Buffer
	for _, c := range s {
		b.WriteRune(c) // refused: the bytes are wanted
	}
	return b.Bytes()
}

func declaredLater(all []string) string {
	var b bytes.Buffer
	b.WriteByte('>')
	for _, s := range all {
		for _, c := range s {
			b.WriteRune(c) // refused: the text is not known before
		}
	}
	return b.String()
}

func changed(s string) string {
	var b bytes.Buffer
	b.WriteByte('>')
	s += "."
	for _, c := range s {
		b.WriteRune(c) // refused: the text changes after the first write
	}
	return b.String()
}

func grown(s string) string {
	var b bytes.Buffer
	b.Grow(8)
	for _, c := range s {
		b.WriteRune(c) // refused: it has a size
	}
	return b.String()
}

func ended(s string) string {
	var b bytes.Buffer
	for _, c := range s {
		if c == '.' {
			break
		}
		b.WriteRune(c) // refused: the loop may end before the text does
	}
	return b.String()
}

func cut(s string) string {
	var b bytes.Buffer
	for _, c := range s {
		b.WriteRune(c) // refused: a builder cannot be cut
	}
	b.Truncate(1)
	return b.String()
}

func shadowed(s string) string {
	len := 3
	var b bytes.Buffer
	for _, c := range s {
		b.WriteRune(c + rune(len)) // refused: len is a variable here
	}
	return b.String()
}
