package programs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
)

// Nothing in most texts has to be unquoted.
func seenUnquoted(s string) string {
	u, escaped := make([]rune, 0, len(s)), false // want unchanged-text
	for _, c := range s {
		if escaped {
			u, escaped = append(u, c), false
			continue
		}
		switch c {
		case '"':
		case '\\':
			escaped = true
		default:
			u = append(u, c)
		}
	}
	return string(u)
}

func seenFiltered(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0 {
			b.WriteString("<nul>")
			continue
		}
		c := s[i]
		b.WriteByte(c) // want unchanged-text
	}
	return b.String()
}

// Each character becomes another.
func seenShifted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i] + 1) // no unchanged-text
	}
	return b.String()
}

// One of four goes.
func seenThinned(s string) string {
	b := make([]byte, 0, len(s)) // no unchanged-text
	for i := 0; i < len(s); i++ {
		if s[i] != 'e' && s[i] != ' ' {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// It is no text that is given.
func seenNumbers(all []int) string {
	b := make([]byte, 0, 4*len(all)) // no unchanged-text
	for i := 0; i < len(all); i++ {
		b = append(b, byte('0'+all[i]))
	}
	return string(b)
}

// The text is measured, and a rule is drawn below.
func seenRule(s string) string {
	b := make([]byte, 0, len(s)+1) // no unchanged-text
	for range s {
		b = append(b, '-')
	}
	return string(b)
}

type seenLogger interface {
	Printf(format string, args ...any)
}

type seenDiscard struct{ n int }

func (d *seenDiscard) Printf(string, ...any) { d.n++ }

func seenAnswer(l seenLogger, u *url.URL) {
	l.Printf("reply %v", u.String()) // want guard-log
}

// It is formatted in any case.
func seenFormatted(w io.Writer, u *url.URL) {
	fmt.Fprintf(w, "reply %v", u.String()) // no guard-log
}

func seenFilled(d *seenDiscard, u *url.URL) {
	d.fill("reply", u.String()) // no guard-log
}

func (d *seenDiscard) fill(format string, args ...any) { d.n += len(args) }

type seenConfig struct {
	Name, Path string
	Size       int
}

func seenField(v reflect.Value, name string) (reflect.StructField, bool) {
	return v.Type().FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) }) // want costly-call
}

// The API of a codec that may be another one.
type seenCodec interface {
	marshal(v any) ([]byte, error)
}

var seenCodecs = []seenCodec{seenJSON{}, seenKeeps{}}

type seenJSON struct{}

func (seenJSON) marshal(v any) ([]byte, error) {
	return json.Marshal(v) // want costly-call
}

func seenSend(w io.Writer, codec seenCodec, v any) error {
	b, err := codec.marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

type seenKeeps struct{}

func (seenKeeps) marshal(v any) ([]byte, error) {
	return json.Marshal(v) // no costly-call
}

func seenKept(codec seenCodec, v any) {
	b, _ := codec.marshal(v)
	sink = b
}

// A parser has a map for each line, which nothing keeps.
type seenParser struct {
	labels map[string]string
	names  map[string]string
	all    []map[string]string
}

func newSeenParser() *seenParser {
	return &seenParser{all: make([]map[string]string, 0, 16)}
}

func seenLines(p *seenParser, name, value string) (n int) {
	for range 6 {
		n += p.line(name, value)
	}
	return n
}

func (p *seenParser) line(name, value string) int {
	p.labels = map[string]string{} // want map-again
	p.labels["name"] = name
	p.labels[name] = value
	p.names = map[string]string{} // no map-again
	p.names[value] = name
	p.keep()
	return seenSum(p.labels)
}

func (p *seenParser) keep() {
	if len(p.all) == cap(p.all) {
		p.all = p.all[:0]
	}
	p.all = append(p.all, p.names)
}

//go:noinline
func seenSum(m map[string]string) (n int) {
	for k, v := range m {
		n += len(k) + len(v)
	}
	return n
}

// The text is handed down to be written.
func seenSample(w io.StringWriter, name, suffix string) {
	seenName(w, name+suffix) // want write-parts
}

//go:noinline
func seenName(w io.StringWriter, name string) {
	if name == "" || strings.IndexByte(name, ' ') >= 0 {
		return
	}
	w.WriteString(name)
}

func seenLong(w io.StringWriter, name, suffix string) {
	seenNoted(w, name+suffix) // no write-parts
}

//go:noinline
func seenNoted(w io.StringWriter, name string) {
	w.WriteString(name)
	sink = name
}

// The error is looked at where there is one.
type seenFailure struct{ text string }

func (f *seenFailure) Error() string { return f.text }

func seenToken(err error, n int) int {
	var f *seenFailure // want rare-address
	switch {
	case err == nil:
		return n
	case errors.As(err, &f):
		return len(f.text)
	}
	return -1
}

func seenOften(err error, n int) int {
	var f *seenFailure // no rare-address
	switch {
	case n < 0:
		return n
	case errors.As(err, &f):
		return len(f.text)
	}
	return -1
}

// A machine is made for each run, with its stack.
type seenMachine struct {
	stack []int
	list  []int
}

func seenRun(program []int) int {
	var m seenMachine
	for _, n := range program {
		m.push(n)
	}
	return len(m.stack)
}

//go:noinline
func (m *seenMachine) push(n int) {
	m.stack = append(m.stack, n) // want owner-pool
}

// What it has is returned.
func seenCollected(program []int) []int {
	var m seenMachine
	for _, n := range program {
		m.collect(n)
	}
	return m.list
}

//go:noinline
func (m *seenMachine) collect(n int) {
	m.list = append(m.list, n) // no owner-pool
}

// What it has is a part of what is returned.
type seenCode struct{ places []int }

type seenCompiler struct{ places []int }

func seenCompile(program []int) *seenCode {
	c := &seenCompiler{}
	for _, n := range program {
		c.emit(n)
	}
	return newSeenCode(c.places)
}

func newSeenCode(places []int) *seenCode { return &seenCode{places} }

//go:noinline
func (c *seenCompiler) emit(n int) {
	c.places = append(c.places, n) // no owner-pool
}

// A token takes less than the first 64 bytes of a buffer.
func seenWord(r *strings.Reader) string {
	var buf bytes.Buffer
	for {
		c, _, err := r.ReadRune()
		if err != nil || c == ' ' {
			return buf.String()
		}
		buf.WriteRune(c) // want stack-buffer
	}
}

func seenLine(w io.Writer, n int) {
	var buf bytes.Buffer
	for range n {
		buf.WriteByte('x') // no stack-buffer
	}
	buf.WriteTo(w)
}

func seenSlashed(b []byte) []byte {
	return bytes.Replace(b, []byte("\\"), nil, -1) // want costly-call
}

type seenRecord struct {
	host string
	rank int
}

// The copies are handed on in another slice.
func seenLookup(all []seenRecord) []*seenRecord {
	found := seenFound(all)
	out := make([]*seenRecord, len(found))
	copy(out, found)
	return out
}

//go:noinline
func seenFound(all []seenRecord) []*seenRecord {
	found := make([]*seenRecord, 0, len(all))
	for _, r := range all {
		c := r // no call-object
		found = append(found, &c)
	}
	return found
}

// The front is cut off, with its memory, and the rest emptied.
type seenTokens struct{ buf, all []seenRecord }

func seenParsed(t *seenTokens, n int) int {
	t.buf = t.buf[:0]
	t.all = t.all[:0]
	for range n {
		t.add()
	}
	t.buf = t.buf[1:]
	t.all = t.all[:copy(t.all, t.all[1:])]
	if cap(t.all) > 8 {
		t.all = nil
	}
	return len(t.buf)
}

//go:noinline
func (t *seenTokens) add() {
	t.buf = append(t.buf, seenRecord{rank: 1}) // want slide-queue
	t.all = append(t.all, seenRecord{rank: 2}) // no slide-queue
}

// What is written by way of fmt becomes interfaces first.
func seenColored(w io.Writer, color bool, format string, args ...any) {
	if color {
		io.WriteString(w, "\x1b[1m")
	}
	fmt.Fprintf(w, format, args...)
}

func seenStatus(w io.Writer, method string, n int) {
	seenColored(w, n > 1<<20, "%s %d", method, n+1000) // want costly-call
}

//go:noinline
func seenCounted(args ...any) int {
	sink = args
	return len(args)
}

func seenNumbered(method string, n int) int {
	return seenCounted(method, n+1000) // no costly-call
}

// Runs of the same are gathered in a slice that begins again.
func seenRuns(all []int) (longest int) {
	run := []int{all[0]}
	for _, n := range all[1:] {
		if n == run[0] {
			run = append(run, n)
			continue
		}
		longest = max(longest, len(run))
		run = []int{n} // want stack-buffer
	}
	return longest
}

func seenRunOf(n int) []int {
	run := []int{n} // no stack-buffer
	for i := range n % 4 {
		run = append(run, i)
	}
	return run
}
