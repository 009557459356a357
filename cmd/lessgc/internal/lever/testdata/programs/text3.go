package programs

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func text3Truncated(s string, n int) string {
	return regexp.MustCompile("^.{" + strconv.Itoa(n) + "}").FindString(s) // want compile-cache
}

func text3Matches(pattern, s string) bool {
	ok, _ := regexp.MatchString(pattern, s) // want compile-cache
	return ok
}

func text3Named(names []string, s string) (n int) {
	for _, name := range names {
		re, err := regexp.Compile(`\b` + name + `\b`) // want compile-cache
		if err == nil && re.MatchString(s) {
			n++
		}
	}
	return n
}

func text3In(zone string, t time.Time) (time.Time, error) {
	loc, err := time.LoadLocation(zone) // want compile-cache
	if err != nil {
		return t, err
	}
	return t.In(loc), nil
}

type text3Route struct{ re *regexp.Regexp }

// It is made once for what lives on.
func text3NewRoute(pattern string) *text3Route {
	return &text3Route{regexp.MustCompile(pattern)} // no compile-cache
}

var text3Cache sync.Map

// It is a cache already.
func text3Cached(pattern string) *regexp.Regexp {
	if re, ok := text3Cache.Load(pattern); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(pattern) // no compile-cache
	if len(pattern) > 1000 {
		text3Cache.Store(pattern, re)
	}
	return re
}

// It is compiled once, and many calls of the literal use it.
func text3Matcher(pattern string) func(string) bool {
	re := regexp.MustCompile(pattern) // no compile-cache
	return func(s string) bool { return re.MatchString(s) }
}

// The constant is for compile-once.
func text3Constant(s string) bool {
	return regexp.MustCompile(`^a+b`).MatchString(s) // no compile-cache
}

// It is changed after it is made.
func text3Strict(pattern, s string) bool {
	re := regexp.MustCompile(pattern) // no compile-cache
	text3Same(re)
	return re.MatchString(s)
}

func text3Same(re *regexp.Regexp) { fmt.Sprint(re.NumSubexp()) }

func text3Sum(b []byte) uint32 {
	return crc32.Checksum(b, crc32.MakeTable(0xd5828281)) // want compile-once
}

func text3Parents(name string) (n int) {
	parent := ""
	for _, part := range strings.Split(name, "/") {
		parent = path.Join(parent, part) // want substring
		n += text3Visit(parent)
	}
	return n
}

func text3Domains(name string) (n int) {
	labels := strings.Split(name, ".")
	for i := range labels {
		n += text3Visit(strings.Join(labels[i:], ".")) // want substring
	}
	return n
}

func text3Added(name string) (n int) {
	var at string
	for i, part := range strings.Split(name, ".") {
		if i > 0 {
			at += "."
		}
		at += part // want substring
		n += text3Visit(at)
	}
	return n
}

// The separator is another one.
func text3Slashes(name string) (n int) {
	labels := strings.Split(name, ".")
	for i := range labels {
		n += text3Visit(strings.Join(labels[i:], "/")) // no substring
	}
	return n
}

// A part is changed before.
func text3Lowered(name string) (n int) {
	labels := strings.Split(name, ".")
	labels[0] = strings.ToLower(labels[0])
	for i := range labels {
		n += text3Visit(strings.Join(labels[i:], ".")) // no substring
	}
	return n
}

// They are sorted in between.
func text3Sorted(name string) string {
	labels := strings.Split(name, ".")
	slices.Sort(labels)
	return strings.Join(labels, ".") // no substring
}

// A separator stands before the first, which the text does not have.
func text3Rooted(name string) (n int) {
	at := ""
	for _, part := range strings.Split(name, "/") {
		at += "/" + part // no substring
		n += text3Visit(at)
	}
	return n
}

// Some parts are left out.
func text3Cleaned(name string) string {
	at := "/"
	for _, part := range strings.Split(name, "/") {
		if part != "skipped" {
			at = path.Join(at, part) // no substring
		}
	}
	return at
}

//go:noinline
func text3Visit(s string) int { return len(s) }

// The parts are reversed and compared one after the other.
func text3Below(name, pattern string) bool {
	labels := strings.Split(name, ".")    // want split-local
	wanted := strings.Split(pattern, ".") // want split-local
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	slices.Reverse(wanted)
	for i, label := range labels {
		if i >= len(wanted) {
			return false
		}
		if wanted[i] == "*" {
			return true
		}
		if wanted[i] != label {
			return false
		}
	}
	return false
}

// The order is changed, and a part is read by its number.
func text3Last(name string) string {
	labels := strings.Split(name, ".") // no split-local
	if len(labels) < 2 {
		return name
	}
	slices.Reverse(labels)
	return labels[0]
}

type text3Node struct {
	name     string
	children int
}

func text3Tree(names []string) int {
	nodes := map[string]*text3Node{"": {}}
	for _, name := range names {
		for i := range len(name) {
			n := &text3Node{name: name[:i+1]}
			nodes[n.name] = n // want presize-map
		}
	}
	return len(nodes)
}

// The keys are few, however many names there are.
func text3Letters(names []string) int {
	letters := map[byte]int{}
	for _, name := range names {
		for i := range len(name) {
			letters[name[i]]++ // no presize-map
		}
	}
	return len(letters)
}

// A function value makes the buffer longer.
type text3Codec struct {
	encode func(buf []byte, v any) ([]byte, error)
}

func (c *text3Codec) Encode(buf []byte, v any) ([]byte, error) {
	out, err := c.encode(buf, v)
	if err != nil {
		return buf, err
	}
	return out, nil
}

func text3Fields(of []*text3Codec) *text3Codec {
	return &text3Codec{func(buf []byte, v any) ([]byte, error) {
		var err error
		for _, c := range of {
			if buf, err = c.encode(buf, v); err != nil {
				return nil, err
			}
		}
		return buf, nil
	}}
}

func text3Text(buf []byte, v any) ([]byte, error) {
	s, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("%T is no text", v)
	}
	buf = append(buf, byte(len(s)))
	return append(buf, s...), nil // want nil-buffer
}

func text3Encoded(c *text3Codec, v any) []byte {
	b, _ := c.Encode(nil, v)
	return b
}

type text3Writer struct{ w io.Writer }

func (w *text3Writer) WriteString(s string) (int, error) {
	return w.w.Write([]byte(s)) // want text-conversion
}

// A hash has no WriteString.
func text3Hashed(h hash.Hash, s string) {
	h.Write([]byte(s)) // no text-conversion
}

func text3Get(names []string, values []int, key string) int {
	index := make(map[string]int, len(names)) // want small-map
	for i, name := range names {
		index[name] = i // want small-map
	}
	params := text3Params{index: index, values: values}
	return text3Evaluate(&params, key)
}

type text3Params struct {
	index  map[string]int
	values []int
	known  map[string]bool
	wider  map[string]int
}

type text3Getter interface{ Get(key string) int }

func (p *text3Params) Get(key string) int {
	if p.known[key] {
		return p.wider[key]
	}
	return p.values[p.index[key]]
}

func (p *text3Params) add(key string) { p.wider[key]++ }

//go:noinline
func text3Evaluate(g text3Getter, key string) int {
	sink = g
	return g.Get(key)
}

func text3Known(names []string, key string) int {
	known := make(map[string]bool, len(names)) // want small-map
	for _, name := range names {
		known[name] = true // want small-map
	}
	return text3Evaluate(&text3Params{known: known, values: []int{1}}, key)
}

// There are many.
func text3KnownMany(names []string, key string) int {
	known := make(map[string]bool, len(names)) // no small-map
	for _, name := range names {
		known[name] = true
	}
	return text3Evaluate(&text3Params{known: known, values: []int{1}}, key)
}

// It is returned.
func text3Set(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true // no small-map
	}
	return set
}

// What has it lives on.
func text3NewParams(names []string, values []int) *text3Params {
	index := make(map[string]int, len(names)) // no small-map
	for i, name := range names {
		index[name] = i // no small-map
	}
	return &text3Params{index: index, values: values}
}

// A method sets elements.
func text3Wider(names []string, key string) int {
	wider := make(map[string]int, len(names)) // no small-map
	for i, name := range names {
		wider[name] = i // no small-map
	}
	return text3Evaluate(&text3Params{wider: wider, values: []int{1}}, key)
}

// The keys are not the elements.
func text3Counts(names []string, key string) int {
	counts := make(map[string]int, len(names)) // no small-map
	for _, name := range names {
		counts[text3Key(name)] = 0 // no small-map
	}
	return text3Evaluate(&text3Params{index: counts, values: []int{1}}, key)
}

//go:noinline
func text3Key(name string) string { return name[1:] }

type text3Field struct{ n int }

func text3Lookup(fields map[string]*text3Field, b []byte) error {
	name := string(b) // want known-key
	f, ok := fields[name]
	if !ok {
		return fmt.Errorf("there is no field %s", name)
	}
	f.n++
	return nil
}

func text3Count(fields map[string]*text3Field, b []byte) {
	name := string(b) // want known-key
	if f := fields[name]; f != nil {
		f.n++
		return
	}
	fields[name] = &text3Field{1}
}

func text3Decode(fields map[string]int, b []byte) (values map[string]int) {
	values = make(map[string]int, 100)
	for len(b) > 0 {
		key, rest := text3Next(b)
		b = rest
		if n, ok := fields[key]; ok {
			values[key] = n
		}
	}
	return values
}

//go:noinline
func text3Next(b []byte) (string, []byte) {
	i := bytes.IndexByte(b, ' ')
	if i < 0 {
		i = len(b) - 1
	}
	return string(b[:i]), b[i+1:] // want known-key
}

// The map is as new as the string, and keeps it.
func text3Words(b []byte) (names []string) {
	names = make([]string, 0, 100)
	seen := make(map[string]bool, 100)
	for _, word := range bytes.Fields(b) {
		name := string(word) // no known-key
		if !seen[name] {
			seen[name] = true
		}
		names = append(names, name)
	}
	return names
}

// It is only kept.
//
//go:noinline
func text3Kept(fields map[string]*text3Field, b []byte) {
	name := string(b) // no known-key
	fields[name] = &text3Field{2}
	sink = name
}

// It is kept before anybody asks.
//
//go:noinline
func text3KeptFirst(fields map[string]*text3Field, b []byte) bool {
	seen := map[string]*text3Field{}
	name := string(b) // no known-key
	sink = name
	f, ok := seen[name]
	return ok && f != nil
}

// What it returns is not looked up.
//
//go:noinline
func text3Tail(b []byte) string {
	return string(b[1:]) // no known-key
}

func text3Tails(b []byte) string {
	tail := text3Tail(b)
	return tail
}

func text3Decoded(s string) ([]byte, error) {
	return text3All(base64.NewDecoder(base64.StdEncoding, strings.NewReader(s))) // want whole-text
}

//go:noinline
func text3All(r io.Reader) ([]byte, error) {
	return io.ReadAll(r) // no whole-text
}

func text3Copied(b []byte) ([]byte, error) {
	return text3Whole(bytes.NewReader(b))
}

//go:noinline
func text3Whole(r io.Reader) ([]byte, error) {
	return io.ReadAll(r) // want whole-text
}

func text3Body(r *http.Request) ([]byte, error) {
	return io.ReadAll(r.Body) // want whole-text
}

// What is behind the limit is not known.
func text3Limited(r io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, 1000)) // no whole-text
}

// It may be any reader.
func text3Either(r io.Reader, b []byte) ([]byte, error) {
	if b != nil {
		r = bytes.NewReader(b)
	}
	return io.ReadAll(r) // no whole-text
}

// It is read line by line.
func text3Lines(b []byte) (n int) {
	scanner := bufio.NewScanner(text3Wrapped(bytes.NewReader(b)))
	for scanner.Scan() { // no whole-text
		n++
	}
	return n
}

//go:noinline
func text3Wrapped(r io.Reader) io.Reader { return r }

func text3Filter(children []string) string {
	buf := bytes.NewBuffer(nil)
	buf.WriteByte('(')
	for _, child := range children {
		buf.WriteString(child)
	}
	buf.WriteByte(')')
	return buf.String() // want strings-builder
}

// It has bytes of somebody else.
func text3Behind(b []byte, s string) string {
	buf := bytes.NewBuffer(b)
	buf.WriteString(s)
	return buf.String() // no strings-builder
}

type text3Conns struct {
	byAddress map[string]int
	byName    map[string]int
	byBoth    map[string]int
	byEither  map[string]int
}

func (c *text3Conns) address(host string, port int) int {
	return c.byAddress[fmt.Sprintf("%s:%d", host, port)] // want struct-key
}

func (c *text3Conns) add(host string, port int) {
	c.byAddress[fmt.Sprintf("%s:%d", host, port)]++
}

func (c *text3Conns) named(first, last string) int {
	key := first + "/" + last // want struct-key
	if n, ok := c.byName[key]; ok {
		return n
	}
	c.byName[key] = len(first)
	return 0
}

// The keys are read.
func (c *text3Conns) both(first, last string) (n int) {
	c.byBoth[first+"/"+last] = 1 // no struct-key
	for key := range c.byBoth {
		n += len(key)
	}
	return n
}

// Other keys are no such text.
func (c *text3Conns) either(first, last string) int {
	return c.byEither[first+"/"+last] + c.byEither[first] // no struct-key
}

// The map is given to others.
func text3Shared(first, last string) map[string]int {
	m := map[string]int{}
	m[first+"/"+last] = 1 // no struct-key
	return m
}

// The key is used for more.
func text3Printed(m *text3Conns, first, last string) int {
	key := first + "/" + last // no struct-key
	text3Names = append(text3Names[:0], key)
	return m.byName[key]
}

var text3Names []string

func text3Terminated(key string) []byte {
	key += "\x00" // want concat-bytes
	return []byte(key)
}

func text3Source(text string) []byte {
	return []byte(text + ";") // want concat-bytes
}

// The text is used, too.
func text3Both(key string) []byte {
	key += "\x00" // no concat-bytes
	text3Names = append(text3Names[:0], key)
	return []byte(key)
}

// It is one text.
func text3Plain(key string) []byte {
	return []byte(key) // no concat-bytes
}

// Only some are longer.
func text3Some(key string) []byte {
	if len(key) > 3 {
		key += "\x00" // no concat-bytes
	}
	return []byte(key)
}

// It is added to many times.
func text3Repeated(keys []string) []byte {
	all := ""
	for _, key := range keys {
		all += key // no concat-bytes
	}
	return []byte(all)
}

// The result is as new as its keys.
func text3Split(b []byte) (all map[string]int, names []string) {
	all = make(map[string]int, 100)
	names = make([]string, 0, 100)
	for _, word := range bytes.Fields(b) {
		name := string(word) // no known-key
		if all[name] == 0 {
			all[name]++
		}
		names = append(names, name)
	}
	return all, names
}

// A text3Formatter keeps the first error.
type text3Formatter struct {
	w   io.Writer
	err error
	n   int
}

func (f *text3Formatter) Write(p []byte) (int, error) {
	if f.err == nil {
		_, f.err = f.w.Write(p)
	}
	return len(p), nil
}

func (f *text3Formatter) WriteString(s string) {
	f.Write([]byte(s)) // want text-conversion
}

// A text3Summer looks at what it is given.
type text3Summer struct {
	w   io.Writer
	sum byte
}

func (f *text3Summer) Write(p []byte) (int, error) {
	for _, c := range p {
		f.sum += c
	}
	return f.w.Write(p)
}

func (f *text3Summer) WriteString(s string) (int, error) {
	return f.Write([]byte(s)) // no text-conversion
}

func text3Format(s string) string {
	var b strings.Builder
	f, sum := &text3Formatter{w: &b}, &text3Summer{w: &b}
	f.WriteString(s)
	sum.WriteString(s)
	return b.String()
}
