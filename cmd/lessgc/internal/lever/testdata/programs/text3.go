package programs

import (
	"fmt"
	"hash/crc32"
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
