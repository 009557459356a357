package programs

import (
	"bufio"
	"encoding/xml"
	"io"
	"net/mail"
	"reflect"
	"strings"
	"unicode"
)

// The bytes are made for the string.
func textEscaped(s string) string {
	b := make([]byte, 0, 2*len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == ';' || s[i] == 'e' || s[i] == ' ' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(b) // want text-twice
}

func textLine(r *bufio.Reader) (string, error) {
	b, err := r.ReadBytes('\n')
	if len(b) > 0 {
		return string(b), nil // want text-twice
	}
	return "", err
}

//go:noinline
func textField(line []byte) []byte { return append([]byte(nil), line...) }

func textOfCopy(line []byte) string {
	return string(textField(line)) // want text-twice
}

// The slice is used for the next text.
type textScratch struct{ b []byte }

func (t *textScratch) upper(s string) string {
	b := t.b[:0]
	for i := 0; i < len(s); i++ {
		b = append(b, s[i]&^0x20)
	}
	t.b = b
	return string(b) // no text-twice
}

// There is room on the stack.
func textSmall(n int) string {
	var b [64]byte
	return string(append(b[:0], "a text that is longer than thirty-two bytes, "[n:]...)) // no text-twice
}

// It is a part of the input.
func textPart(line []byte) string {
	return string(line[1 : len(line)-1]) // no text-twice
}

// The bytes are kept, too.
var textLast []byte

func textBoth(s string) string {
	b := append([]byte(nil), s...)
	textLast = b
	return string(b) // no text-twice
}

type textLexer struct {
	input []rune
	start int
	text  string
}

func textLexed(s string) *textLexer {
	l := new(textLexer)
	l.input = []rune(s) // want rune-text
	return l
}

func (l *textLexer) token(end int) string {
	return string(l.input[l.start:end]) // want rune-text
}

func textRunes(all []rune, s string) []rune {
	return append(all, []rune(s)...) // want rune-text
}

// The runes are gathered here.
func textLower(s string) string {
	var all []rune
	for _, r := range s {
		all = append(all, unicode.ToLower(r))
	}
	return string(all) // no rune-text
}

func textBytes(l *textLexer, b []byte) {
	l.text = string(b) // no rune-text
}

// Each rune is only looked at.
func textCount(s string) (n int) {
	runes := []rune(s) // want rune-text
	for i := 1; i < len(runes); i++ {
		if runes[i] == runes[i-1] {
			n++
		}
	}
	return n
}

func textMade(n int) []rune {
	all := make([]rune, n) // no rune-text
	for i := range all {
		all[i] = 'x'
	}
	return all
}

type textNode struct {
	text  []byte
	mark  []byte
	grows []byte
	both  []byte
}

func textNew(s string) *textNode {
	n := new(textNode)
	n.text = []byte(s) // want keep-text
	return n
}

func textMarked(n *textNode, s string) {
	n.mark = []byte(s) // no keep-text
	n.mark[0] = '*'
}

func textGrows(n *textNode, s string) {
	n.grows = []byte(s) // no keep-text
	n.grows = append(n.grows, '!')
}

func (n *textNode) write(w io.Writer) (int, error) {
	k, _ := w.Write(n.both)
	m, err := w.Write(n.text)
	return k + m, err
}

func textGiven(w io.Writer, s string) error {
	return xml.EscapeText(w, []byte(s)) // want keep-text
}

//go:noinline
func textChanged(b []byte) []byte {
	b[0] = '_'
	return b
}

func textChanges(s string) []byte {
	return textChanged([]byte(s)) // no keep-text
}

// It is what the caller gets.
func textReturned(s string) []byte {
	return []byte(s) // no keep-text
}

// The texts are parts of one.
func textShifted(head, edit, rest string) int {
	best := 0
	for len(edit) > 0 && len(rest) > 0 && edit[0] == rest[0] {
		head += edit[:1]           // want grown-text
		edit = edit[1:] + rest[:1] // want grown-text
		rest = rest[1:]
		best = max(best, textScore(head, edit))
	}
	return best
}

//go:noinline
func textScore(a, b string) int { return len(a) - len(b) }

type textOut struct{ head, name string }

func (o *textOut) add(all []string) {
	for _, s := range all {
		o.head += s // want grown-text
	}
}

// The names are different ones.
func textNames(all []string, suffix string) {
	for i := range all {
		all[i] = all[i] + suffix // no grown-text
	}
}

func textNamed(o *textOut, a, b string) {
	o.name = a + b + "!" // no grown-text
}

func textPrefixed(all []string, prefix string) (out []string) {
	for _, s := range all {
		s = prefix + s // no grown-text
		out = append(out, s)
	}
	return out
}

func textTwoSums(a, b string) string {
	s := a + b
	return s + "!" // no grown-text
}

type textService struct{ name, domain string }

func (s *textService) full() string {
	return s.name + "." + s.domain + "." // want same-text
}

func (s *textService) in(zone string) string {
	return s.name + "." + zone + "." // no same-text
}

type textRequest struct{ url, lower, host string }

//go:noinline
func textRequested(host string) *textRequest {
	r := &textRequest{host: host}
	r.url = "http://" + host   // want same-text
	r.lower = "http://" + host // want same-text
	return r
}

//go:noinline
func textOther(r *textRequest, a, b string) {
	r.url = "http://" + a   // no same-text
	r.lower = "http://" + b // no same-text
}

// One of them is executed.
func textBranch(r *textRequest, a string) {
	if r.host == a {
		r.url = "http://" + a // no same-text
	} else {
		r.lower = "http://" + a
	}
}

// Reflection keeps the strings.
type textDecoder struct{ buf []byte }

func (d *textDecoder) set(v reflect.Value, b []byte) {
	v.SetString(string(b)) // want batch-strings
}

func (d *textDecoder) fill(v reflect.Value, b []byte) {
	for i := range v.Len() {
		d.set(v.Index(i), b[i%8:])
	}
}

// Nearly all addresses are plain.
func textAddress(s string) (*mail.Address, error) {
	return mail.ParseAddress(s) // want costly-call
}

var textReplacer = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

func textUnescaped(s string) string {
	return textReplacer.Replace(s) // want costly-call
}

// Methods that only tests call are not looked at.
func textMethods(t *textScratch, l *textLexer, n *textNode, o *textOut, s *textService, d *textDecoder) {
	t.upper("a")
	l.token(0)
	n.write(nil)
	o.add(nil)
	s.full()
	s.in("a")
	d.fill(reflect.Value{}, nil)
}
