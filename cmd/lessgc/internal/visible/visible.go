// Package visible makes text from outside fit to be shown: names of functions, files and
// benchmarks, what a server or a compiler says, what a program panics with. Control
// characters (a terminal obeys escape sequences), characters that turn text around or
// take no room, and bytes that are not UTF-8 are written as Go's source would.
//
// It is used in two ways. A renderer takes a copy of its whole report by All before
// it writes a word, so that no field is forgotten and colours are added afterwards; what
// is printed elsewhere goes through Text. Below both, standard output and standard error
// are a Writer, so that a new call of Fprintf is covered too.
package visible

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of All for a terminal, where the path of a file has to fit, and for a page.
const (
	Terminal = 400
	Page     = 1000
)

// Text returns s fit for one line. Line ends and tabs are made visible too; what is fit
// already is returned as it is.
func Text(s string) string { return show(s, "") }

// Lines is Text for several lines, or for source: line ends and tabs stay.
func Lines(s string) string { return show(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t") }

// Plain reports whether r can be shown as it is. Spaces of any width can.
func Plain(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r < 0x7f
	}
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && r != '\u034f'
}

func show(s, kept string) string {
	fit := func(r rune, size int) bool {
		return Plain(r) && (r != utf8.RuneError || size > 1) || strings.ContainsRune(kept, r)
	}
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !fit(r, size) {
			b.WriteString(s[start:i])
			b.WriteString(escape(r, s[i:i+size]))
			start = i + size
		}
		i += size
	}
	if start == 0 {
		return s
	}
	b.WriteString(s[start:])
	return b.String()
}

// escape writes a character as Go's source would.
func escape(r rune, encoded string) string {
	switch {
	case r == utf8.RuneError && len(encoded) == 1:
		return fmt.Sprintf(`\x%02x`, encoded[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < ' ':
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Short returns Text of s with no more than most characters: the middle is left out,
// because names differ at their ends.
func Short(s string, most int) string { return cut(Text(bound(s, most)), most) }

// bound drops what cannot be in the result of cut, so that the work does not depend on
// the length of s.
func bound(s string, most int) string {
	room := utf8.UTFMax * most
	if len(s) <= 2*room {
		return s
	}
	head, tail := room, len(s)-room
	for !utf8.RuneStart(s[head]) && head > room-utf8.UTFMax {
		head--
	}
	for !utf8.RuneStart(s[tail]) && tail < len(s)-room+utf8.UTFMax {
		tail++
	}
	return s[:head] + s[tail:]
}

func cut(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	runes := []rune(s)
	tail := (most - 1) / 3
	return string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
}

// stringsPerName limits the length of a text of All, in names of full length.
const stringsPerName = 10

// shown is a string of a report: a word has at most most characters, and the whole at
// most stringsPerName times as many. 0 is for no limit.
func shown(s string, most int) string {
	if most <= 0 || len(s) <= most {
		return Text(s)
	}
	s = Short(s, stringsPerName*most)
	words := strings.Split(s, " ")
	for i, w := range words {
		words[i] = cut(w, most)
	}
	return strings.Join(words, " ")
}

// mostLines bounds a field of several lines, in bytes.
const mostLines = 64 << 10

// All returns a copy of v in which every string is fit to be shown, exported fields of
// structs, elements and keys included. A name has at most most characters; 0 is for no
// limit. A field with the tag `visible:"lines"` keeps its line ends and tabs. v must not
// hold itself, as nothing does that can be written as JSON.
func All[T any](v T, most int) T {
	p := reflect.New(reflect.TypeFor[T]())
	p.Elem().Set(reflect.ValueOf(&v).Elem())
	all(p.Elem(), most, false)
	return p.Elem().Interface().(T)
}

// all replaces what v holds. Memory that v shares with others is not written to.
func all(v reflect.Value, most int, lines bool) {
	fresh := func(old reflect.Value) reflect.Value {
		p := reflect.New(old.Type()).Elem()
		p.Set(old)
		all(p, most, lines)
		return p
	}
	switch v.Kind() {
	case reflect.String:
		if lines {
			v.SetString(Lines(v.String()[:min(v.Len(), mostLines)]))
		} else {
			v.SetString(shown(v.String(), most))
		}
	case reflect.Pointer:
		if !v.IsNil() && holdsText(v.Type().Elem()) {
			v.Set(fresh(v.Elem()).Addr())
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(fresh(v.Elem()))
		}
	case reflect.Slice:
		if v.IsNil() || !holdsText(v.Type().Elem()) {
			return
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(v.Index(i))
			all(s.Index(i), most, lines)
		}
		v.Set(s)
	case reflect.Array:
		for i := range v.Len() {
			all(v.Index(i), most, lines)
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		m := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			m.SetMapIndex(fresh(k), fresh(v.MapIndex(k)))
		}
		v.Set(m)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				all(f, most, v.Type().Field(i).Tag.Get("visible") == "lines")
			}
		}
	}
}

// holdsText reports whether values of t may hold strings: the trials of a report, numbers
// without end, need no copy.
func holdsText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Interface, reflect.Struct, reflect.Map:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsText(t.Elem())
	}
	return false
}

// JSON returns a JSON text that means the same, in which what a terminal might obey is
// written by escapes: encoding/json does so with some control characters only.
func JSON(data []byte) []byte {
	var b []byte
	start := 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if !Plain(r) && r >= ' ' { // inside of a string: nothing else holds such
			b = append(b, data[start:i]...)
			if r > 0xffff {
				r -= 0x10000
				b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			} else {
				b = fmt.Appendf(b, `\u%04x`, r)
			}
			start = i + size
		}
		i += size
	}
	if start == 0 {
		return data
	}
	return append(b, data[start:]...)
}

// A Writer passes on text, line ends and tabs, and makes everything else visible.
type Writer struct {
	w     io.Writer
	codes bool
	rest  []byte // the beginning of a character
}

// NewWriter returns a Writer to w. With codes, which is for terminals, what this program
// sends there by itself passes: colours, the moves of a screen that is drawn again, and
// carriage returns.
func NewWriter(w io.Writer, codes bool) *Writer { return &Writer{w: w, codes: codes} }

// Unwrap returns the underlying writer.
func (w *Writer) Unwrap() io.Writer { return w.w }

// Write writes p. What it returns counts the bytes of p.
func (w *Writer) Write(p []byte) (int, error) {
	text := string(w.rest) + string(p)
	whole := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				whole -= n
			}
			break
		}
	}
	w.rest = []byte(text[whole:])
	text = text[:whole]
	if _, err := io.WriteString(w.w, w.shown(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *Writer) shown(text string) string {
	if !w.codes {
		return show(text, "\n\t")
	}
	var b strings.Builder
	for text != "" {
		i := strings.IndexByte(text, '\x1b')
		if i < 0 {
			i = len(text)
		}
		b.WriteString(show(text[:i], "\n\t\r"))
		text = text[i:]
		if n := code(text); n > 0 {
			b.WriteString(text[:n])
			text = text[n:]
		} else if text != "" {
			b.WriteString(`\x1b`)
			text = text[1:]
		}
	}
	return b.String()
}

// code is the length of a sequence that this program writes: colours, cursor up, erase.
func code(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s) && i < 8; i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
		case strings.IndexByte("mAJK", c) >= 0:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}
