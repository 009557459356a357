// Package keeptext reads texts by way of bytes.
package keeptext

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

func query(raw, key string) (string, bool) {
	query := []byte(raw) // rewritten
	for len(query) > 0 {
		found := query
		if i := bytes.IndexAny(found, "&;"); i >= 0 {
			found, query = found[:i], found[i+1:]
		} else {
			query = query[:0]
		}
		var value []byte
		if i := bytes.IndexByte(found, '='); i >= 0 {
			found, value = found[:i], found[i+1:]
		}
		name, err := url.QueryUnescape(string(found))
		if err != nil || name != key {
			continue
		}
		text, err := url.QueryUnescape(string(value))
		return text, err == nil
	}
	return "", false
}

func alphabet(pattern string) map[byte]int {
	all := map[byte]int{}
	chars := []byte(pattern) // rewritten
	for i, c := range chars {
		all[c] |= 1 << uint(len(chars)-i-1)
	}
	return all
}

func words(text string) (all []string) {
	b := []byte(text) // rewritten
	start := 0
	for i := 0; i < len(b); i++ {
		if b[i] == ' ' {
			word := bytes.TrimSpace(b[start:i])
			all = append(all, string(word))
			start = i + 1
		}
	}
	return append(all, string(b[start:]))
}

func encode(dst []byte, text string) []byte {
	b := []byte(text) // rewritten
	var buf bytes.Buffer
	buf.Write(b)
	if bytes.HasPrefix(b, []byte("x")) && !bytes.Equal(b, []byte("xyz")) {
		dst = strconv.AppendInt(dst, int64(utf8.RuneCount(b)), 10)
	}
	return append(append(dst, b...), buf.Bytes()...)
}

func compared(text string) bool {
	b := []byte(text) // refused: bytes are nil or not, a string is not
	return b != nil
}

func roomy(text string) int {
	b := []byte(text) // refused: a string has no room
	return cap(b)
}

func set(text string) string {
	b := []byte(text) // refused: an element is set
	b[0] = '-'
	return string(b)
}

func pointed(text string) string {
	b := []byte(text) // refused: an element has its address taken
	c := &b[0]
	*c = '-'
	return string(b)
}

func grown(text string) string {
	b := []byte(text) // refused: it is appended to
	b = append(b, '!')
	return string(b)
}

func copied(text string) string {
	b := []byte(text) // refused: it is copied to
	copy(b, "-")
	return string(b)
}

func returned(text string) []byte {
	b := []byte(text) // refused: a part leaves the function
	return b[1:]
}

var last []byte

func stored(text string) int {
	b := []byte(text) // refused: it is stored
	last = b
	return len(b)
}

func beyond(text string, n int) string {
	b := []byte(text) // refused: a slice may end beyond the length
	return string(b[:n])
}

func reached(text string) string {
	b := []byte(text) // refused: the number is not within the shorter part
	i := bytes.IndexByte(b, '=')
	if i < 0 {
		return ""
	}
	b = b[:0]
	return string(b[:i])
}

func stale(text string) (n int) {
	b := []byte(text) // refused: the number is found once, and the part is shorter the second time
	for i := bytes.IndexByte(b, '='); i >= 0 && n < 2; n++ {
		n += len(b[:i])
		b = b[:0]
	}
	return n
}

func raised(text string) string {
	b := []byte(text) // refused: the number is larger by then
	i := bytes.IndexByte(b, '=')
	i++
	return string(b[:i])
}

func limited(text string) string {
	b := []byte(text) // refused: the room of a part is limited
	return string(b[0:1:1])
}

func captured(text string) func() int {
	b := []byte(text) // refused: a function literal has it
	return func() int { return len(b) }
}

func joined(text string, other []byte) int {
	b := []byte(text) // refused: another variable's bytes are assigned to it
	if len(b) == 0 {
		b = other
	}
	return len(b)
}

type shouter struct{ bytes.Buffer }

func (s *shouter) WriteString(text string) (int, error) {
	return s.Buffer.WriteString(strings.ToUpper(text))
}

func shouted(text string) string {
	b := []byte(text) // refused: WriteString is another method
	var w shouter
	w.Write(b)
	return w.String()
}

func shadowed(text string) (n int) {
	b := []byte(text) // refused: byte is another type there
	type byte int
	for range b {
		n += int(byte(1))
	}
	return n
}

func noted(text string) int {
	b := []byte( /* as it came */ text) // refused: a comment would go
	return len(b)
}

func shown(text string) any {
	b := []byte(text) // refused: an interface tells bytes from a string
	return any(b)
}

func parted(text string) (n int) {
	b := []byte(text) // refused: the parts are bytes
	for _, part := range bytes.Split(b, []byte(",")) {
		n += len(part)
	}
	return n
}
