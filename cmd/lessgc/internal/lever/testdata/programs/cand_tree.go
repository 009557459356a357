package programs

import (
	"bufio"
	"io"
	"strings"
)

// treeStack has a frame for each call.
type treeStack struct {
	frames []*treeFrame
	kept   []*treeFrame
	depth  int
}

type treeFrame struct {
	name   string
	values [4]int
}

//go:noinline
func (s *treeStack) push(name string) {
	s.frames = append(s.frames, &treeFrame{name: name}) // want stack-values
	s.depth = max(s.depth, len(s.frames))
}

func (s *treeStack) pop() int {
	last := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	return len(last.name)
}

// What is kept is not popped, but dropped all at once.
//
//go:noinline
func (s *treeStack) keep(name string) {
	s.kept = append(s.kept, &treeFrame{name: name}) // no stack-values
}

func (s *treeStack) run(names []string) (n int) {
	s.kept = s.kept[:0]
	for _, name := range names {
		s.push(name)
		s.keep(name)
	}
	for range names {
		n += s.pop()
	}
	return n + len(s.kept)
}

// treeSpans are what a match has seen.
type treeSpans struct{ at []int }

var treeSeen []*treeSpans

// A slice is made for each call, as the function gives its spans to itself.
func treeMatch(text string, at int, spans ...*treeSpans) bool {
	var s *treeSpans
	if len(spans) == 0 {
		s = &treeSpans{}
	} else {
		s = spans[0]
	}
	treeSeen = spans
	if at == len(text) {
		return true
	}
	return treeMatch(text, at+1, s) // want plain-arguments
}

// It passes on the slice that is there.
func treeMatchAll(text string, at int, spans ...*treeSpans) bool {
	treeSeen = spans
	if at == len(text) {
		return len(spans) > 0
	}
	return treeMatchAll(text, at+1, spans...)
}

// The slice is what the caller wants to be kept.
func treeNames(text string) bool {
	return treeKeep(text[:1], text[1:2], text[2:3], text[3:4]) // no plain-arguments
}

var treeKept [][]string

//go:noinline
func treeKeep(names ...string) bool {
	treeKept = append(treeKept[:0], names)
	return len(names) > 2
}

// treeResolve builds a tree anew, of which seldom a part changes.
func treeResolve(v any, values map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["var"].(string); ok {
			return values[name]
		}
		out := map[string]any{} // want unchanged-tree
		for key, e := range v {
			out[key] = treeResolve(e, values) // want presize-map
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, treeResolve(e, values)) // want preallocate
		}
		return out // want unchanged-tree
	}
	return v
}

// treeLengths makes something else of a tree.
func treeLengths(v any) any {
	all, ok := v.([]any)
	if !ok {
		return 1
	}
	var out []int
	for _, e := range all {
		n, _ := treeLengths(e).(int)
		out = append(out, n) // no unchanged-tree
	}
	return out
}

// treeWriter is written to by its interface.
type treeWriter interface {
	io.Writer
	io.StringWriter
}

//go:noinline
func treeWrite(w treeWriter, text string) {
	w.Write([]byte{60, 47, 60, 47, 60, 47, 60, 47, 60, 47, 60, 47, 60, 47, 60, 47}) // want constant-bytes
	w.WriteString(text)
	w.Write([]byte{'<', text[0]}) // no constant-bytes
	for _, c := range text {
		var escaped []byte
		switch c {
		case 'a':
			escaped = []byte("&LatinSmallLetterAWithoutAnything;") // want constant-bytes
		case 'b':
			escaped = []byte("&LatinSmallLetterBWithoutAnything;") // no constant-bytes
			escaped[3]++
		default:
			continue
		}
		w.Write(escaped)
	}
	treeLast = []byte("kept for longer than the call, and by somebody else") // no constant-bytes
}

var treeLast []byte

// treeElement has a name that is only written.
type treeElement struct{ space, tag string }

//go:noinline
func (e *treeElement) fullTag() string {
	if e.space == "" {
		return e.tag
	}
	return e.space + ":" + e.tag // want write-parts
}

func (e *treeElement) write(w treeWriter) {
	w.WriteString(e.fullTag())
}

// Its name is kept.
//
//go:noinline
func (e *treeElement) key() string {
	return e.space + "/" + e.tag // no write-parts
}

func treeElements(w treeWriter, all []treeElement) map[string]bool {
	keys := make(map[string]bool, len(all))
	for i := range all {
		all[i].write(w)
		keys[all[i].key()] = true
	}
	return keys
}

// treeExpand adds to names that its caller begins.
func treeExpand(text string, names []string, values map[string]string) (string, bool) {
	start := strings.IndexByte(text, '$')
	if start < 0 {
		return text, true
	}
	name := text[start+1:]
	for _, other := range names {
		if other == name {
			return "", false
		}
	}
	return treeExpand(values[name], append(names, name), values) // want stack-buffer
}

func treeExpanded(name string, values map[string]string) string {
	text, ok := treeExpand(values[name], []string{name}, values)
	if !ok {
		return name
	}
	return text
}

// treeReport makes a text in a buffer that grows, and copies it for the caller.
//
//go:noinline
func treeReport(all []treeElement) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].tag) // want estimate-size exact-size
	}
	return b.String()
}

// treeNode writes itself to a buffered writer, which the caller flushes.
type treeNode interface{ writeTo(w treeWriter) }

func (e *treeElement) writeTo(w treeWriter) { w.WriteString(e.tag) }

func treeFlush(w io.Writer, all []treeNode) (err error) {
	b := bufio.NewWriter(w) // want typed-pool
	for _, n := range all {
		n.writeTo(b)
	}
	err = b.Flush()
	return
}
