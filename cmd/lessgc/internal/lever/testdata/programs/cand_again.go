package programs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"reflect"
	"strings"
)

// No case uses the text.
func againMarks(runes []rune, marks [][2]int) (n int) {
	text := ""
	for _, m := range marks {
		text = string(runes[m[0]:m[1]]) // want unused-value
		n += m[1] - m[0]
	}
	_ = text
	return n
}

// It is appended to, and nothing reads it.
func againAppended(words []string) (n int) {
	var seen []string
	for _, w := range words {
		seen = append(seen, w) // want unused-value
		n += len(w)
	}
	return n
}

// Elements are set, and never looked up.
func againSet(words []string) (n int) {
	seen := map[string]int{}
	for i, w := range words {
		seen[w] = i // want unused-value
		n += len(w)
	}
	return n
}

// One case uses the text.
func againCase(runes []rune, marks [][2]int) (n int) {
	text := ""
	for _, m := range marks {
		text = string(runes[m[0]:m[1]]) // no unused-value
		if m[0] == 1 {
			n += len(text)
		}
	}
	return n
}

// The last text is returned, though seldom.
func againLast(runes []rune, marks [][2]int) (text string) {
	for _, m := range marks {
		text = string(runes[m[0]:m[1]]) // no unused-value
	}
	if len(marks) > 1000 {
		return text
	}
	return ""
}

// The slice of a caller may have room: it would see the elements.
func againInto(to []string, words []string) (n int) {
	for _, w := range words {
		to = append(to, w) // no unused-value
		n += len(w)
	}
	return n
}

// The length is read.
func againLength(words []string) int {
	var long []string
	for _, w := range words {
		if len(w) > 1 {
			long = append(long, w) // no unused-value
		}
	}
	return len(long)
}

// Entries are looked up.
func againLookedUp(words []string) (n int) {
	seen := map[string]int{}
	for i, w := range words {
		if _, ok := seen[w]; ok {
			n++
		}
		seen[w] = i // no unused-value
	}
	return n
}

// An element's address is kept.
func againAddress(n int) *int {
	all := make([]int, n) // no unused-value
	return &all[0]
}

type againError struct {
	text string
	at   int
}

func (e *againError) Error() string { return e.text }

// The callers drop the error.
//
//go:noinline
func againNumber(s string) (n int, err error) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, &againError{s, i} // want dropped-error
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, nil
}

func againSum(words []string) (sum int) {
	for _, w := range words {
		if n, err := againNumber(w); err == nil {
			sum += n
		}
	}
	return sum
}

//go:noinline
func againDigit(s string) (int, error) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, fmt.Errorf("%q is no digit", s) // want dropped-error
	}
	return int(s[0] - '0'), nil
}

// The error is handed up.
//
//go:noinline
func againSecond(s string) (int, error) {
	return againDigit(s[1:])
}

func againDigits(words []string) (sum int) {
	for _, w := range words {
		n, err := againSecond(w)
		if err != nil {
			continue
		}
		sum += n
	}
	return sum
}

func againAddresses(words []string) (n int) {
	for _, w := range words {
		if _, err := url.Parse(w); err != nil { // want dropped-error
			n++
		}
	}
	return n
}

func againURLs(words []string) (all []error) {
	for _, w := range words {
		_, err := url.Parse(w) // no dropped-error
		all = append(all, err)
	}
	return all
}

// The text of the error is read.
//
//go:noinline
func againRead(s string) (int, error) {
	if s != "" {
		return 0, &againError{s, 0} // no dropped-error
	}
	return 1, nil
}

func againTexts(words []string) (n int) {
	for _, w := range words {
		if _, err := againRead(w); err != nil {
			n += len(err.Error())
		}
	}
	return n
}

// The error is kept.
//
//go:noinline
func againKeeps(s string) error {
	return &againError{s, 0} // no dropped-error
}

func againAll(words []string) (all []error) {
	for _, w := range words {
		all = append(all, againKeeps(w))
	}
	return all
}

// It is compared with another error.
//
//go:noinline
func againOther(s string) error {
	return &againError{s, 0} // no dropped-error
}

var errAgain = errors.New("again")

func againCompared(words []string) (n int) {
	for _, w := range words {
		if againOther(w) == errAgain {
			n++
		}
	}
	return n
}

// What is made is the result.
//
//go:noinline
func againResult(s string) (*againError, error) {
	if s == "" {
		return nil, errAgain
	}
	return &againError{s, 0}, nil // no dropped-error
}

func againResults(words []string) (n int) {
	for _, w := range words {
		if _, err := againResult(w); err == nil {
			n++
		}
	}
	return n
}

type againMessage struct{ parts [][]byte }

// The bytes are there.
//
//go:noinline
func (m *againMessage) attach(r io.Reader) error {
	var b bytes.Buffer
	if _, err := io.Copy(&b, r); err != nil { // want read-again
		return err
	}
	m.parts = append(m.parts, b.Bytes())
	return nil
}

func againParts(bodies [][]byte) *againMessage {
	m := new(againMessage)
	for _, b := range bodies {
		if m.attach(bytes.NewReader(b)) != nil {
			return nil
		}
	}
	return m
}

//go:noinline
func againWords(r io.Reader) (n int) {
	var b strings.Builder
	if _, err := io.CopyBuffer(&b, r, nil); err != nil { // want read-again
		return 0
	}
	return strings.Count(b.String(), " ")
}

func againWordsOf(s string) int { return againWords(strings.NewReader(s)) }

// A test makes the reader.
//
//go:noinline
func (m *againMessage) load(r io.Reader) error {
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil { // no read-again
		return err
	}
	m.parts = append(m.parts, b.Bytes())
	return nil
}

// It is another reader.
//
//go:noinline
func (m *againMessage) limited(r io.Reader) error {
	var b bytes.Buffer
	if _, err := io.Copy(&b, r); err != nil { // no read-again
		return err
	}
	m.parts = append(m.parts, b.Bytes())
	return nil
}

func againLimited(body []byte) *againMessage {
	m := new(againMessage)
	if m.limited(io.LimitReader(bytes.NewReader(body), 1000)) != nil {
		return nil
	}
	return m
}

// The reader is kept.
type againSource struct{ r io.Reader }

func (s *againSource) all() []byte {
	var b bytes.Buffer
	io.Copy(&b, s.r) // no read-again
	return b.Bytes()
}

func againStored(body []byte) []byte {
	s := &againSource{bytes.NewReader(body)}
	return s.all()
}

// It is a writer.
func againWriter(w io.Writer, body []byte) int {
	b := bufio.NewWriter(w) // no read-again
	b.Write(body)
	b.Flush()
	return len(body)
}

// The settings are the same for all.
type againConfig struct {
	Lower bool
	Name  func(string) string
}

type againField struct {
	name  string
	index int
}

//go:noinline
func againFields(c *againConfig, t reflect.Type) map[string]againField {
	all := make(map[string]againField)
	for i := range t.NumField() {
		name := c.Name(t.Field(i).Name)
		name = strings.Repeat(name, 2) // want cache-by-type
		all[name] = againField{name, i}
	}
	return all
}

// What is pointed to is data.
type againRow struct {
	Cells []string
	Upper bool
}

//go:noinline
func againRows(row *againRow, t reflect.Type) (all []string) {
	for i := range t.NumField() {
		all = append(all, t.Field(i).Name+row.Cells[i]) // no cache-by-type
	}
	return all
}

// It is changed.
type againCount struct {
	On bool
	N  int
}

//go:noinline
func againCounted(c *againCount, t reflect.Type) (all []string) {
	for i := range t.NumField() {
		c.N++
		all = append(all, strings.Repeat(t.Field(i).Name, c.N)) // no cache-by-type
	}
	return all
}

type againContext map[string]any

// The callers make the map.
//
//go:noinline
func (c againContext) update(other againContext) {
	for k, v := range other {
		c[k] = v // want map-again
	}
}

func againExecute(globals againContext) (n int) {
	for range 4 {
		c := make(againContext)
		c.update(globals)
		n += len(c)
	}
	return n
}

func againText(v any) string {
	return fmt.Sprintf("%v", v) // want costly-call
}

type loopParts interface{ parts() iter.Seq[*loopPart] }

type loopPart struct {
	name string
	more loopParts
}

type loopList []loopPart

func (l loopList) parts() iter.Seq[*loopPart] {
	return func(yield func(*loopPart) bool) { // want plain-loop
		for i := range l {
			if !yield(&l[i]) {
				return
			}
		}
	}
}

// The iterator is that of some type: it is called, and so is the body.
func (p *loopPart) longest() (n int) {
	n = len(p.name)
	if p.more != nil {
		for part := range p.more.parts() { // want plain-loop
			n = max(n, part.longest())
		}
	}
	return n
}

// It is no iterator.
func (p *loopPart) isLonger(than int) func(*loopPart) bool {
	return func(other *loopPart) bool { return len(other.name)+len(p.name) > than } // no plain-loop
}
