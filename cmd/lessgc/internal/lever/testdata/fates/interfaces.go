package fates

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unsafe"
)

type visitor interface{ visit(r *result) int }

type counter struct{ n int }

func (c *counter) visit(r *result) int { c.n++; return r.n }

type reader struct{}

func (reader) visit(r *result) int { return len(r.buf) }

func staysUnexported(v visitor) int {
	r := &result{n: 1}
	return v.visit(r)
}

type taker interface{ keep(r *result) int }

type harmless struct{}

func (harmless) keep(r *result) int { return r.n }

// Collector is never made an interface here; who imports the package may.
type Collector struct{ all []*result }

func (c *Collector) keep(r *result) int { c.all = append(c.all, r); return 0 }

var _ = taker(harmless{})

func leavesUnexported(v taker) int {
	r := &result{n: 1}
	return v.keep(r)
}

type Shower interface{ Show() int }

type shown struct {
	n    int
	part shownPart
}

type shownPart struct{ n int }

var lastShown any

func (s *shown) Show() int { return s.n }

func (s *shownPart) Show() int { lastShown = s; return s.n }

func show(s Shower) int { return s.Show() }

func staysOwnMethod() int {
	s := &shown{n: 2}
	return show(s)
}

func leavesPartMethod() int {
	s := &shown{n: 2}
	return show(s) + show(&s.part)
}

type registered struct{ n int }

func (r *registered) Show() int { lastShown = r; return r.n }

func leavesOwnMethod() int {
	r := &registered{1}
	return show(r)
}

// The call comes before the conversion that it is about.
func leavesOwnMethodLate(n int) (sum int) {
	var s Shower = shownValue(1)
	r := &registered{1}
	for range n {
		sum += s.Show()
		s = r
	}
	return sum
}

type shownValue int

func (v shownValue) Show() int { return int(v) }

type holder struct{ r *registered }

func (h *holder) Show() int { lastShown = h.r; return 0 }

func leavesByHolder() int {
	r := &registered{1}
	var s Shower = &holder{r}
	return s.Show()
}

type returning struct{ n int }

func (r *returning) Show() int { return r.n }

func (r *returning) Self() *returning { return r }

type selfer interface{ Self() *returning }

func leavesBySelf() *returning {
	r := &returning{1}
	var s selfer = r
	return s.Self()
}

func staysBySelf() int {
	r := &returning{1}
	var s selfer = r
	return s.Self().n
}

func staysMap(words []string) string {
	m := make(map[string]string)
	for _, w := range words {
		m[w] = w
	}
	longest := ""
	for k, v := range m {
		if len(k) > len(longest) {
			longest = v
		}
	}
	delete(m, "x")
	return longest + m["y"]
}

var maps []map[string]int

func leavesMapStored(words []string) {
	m := make(map[string]int, len(words))
	maps = append(maps, m)
}

func leavesMapInStruct(words []string) any {
	m := make(map[string]int, len(words))
	return struct{ m map[string]int }{m}
}

func leavesIntoMapOf(m map[string]*registered) {
	r := &registered{1}
	m["x"] = r
}

func leavesOfLocalMap() *registered {
	r := &registered{1}
	m := map[string]*registered{}
	m["x"] = r
	return m["x"]
}

type genericTaker interface{ hold(r *result) int }

type generic[T any] struct{ all []*result }

func (g *generic[T]) hold(r *result) int { g.all = append(g.all, r); return 0 }

type plainTaker struct{}

func (plainTaker) hold(r *result) int { return r.n }

var _ genericTaker = plainTaker{}

func leavesGenericTaker(v genericTaker) int {
	r := &result{n: 1}
	return v.hold(r)
}

func staysAppendedBytes(r io.Reader, to []byte) []byte {
	in := make([]byte, 512)
	b := bufio.NewReader(bytes.NewReader(in))
	line, _ := b.ReadSlice('\n')
	return append(to, line...)
}

func leavesAppendedPointers(to []*result) []*result {
	r := &result{n: 1}
	all := []*result{r}
	return append(to, all...)
}

func leavesCut() []byte {
	b := make([]byte, 512)
	head, _, _ := bytes.Cut(b, []byte("x"))
	return head
}

func leavesTrim() string {
	b := make([]byte, 512)
	return strings.TrimSpace(unsafe.String(&b[0], len(b)))
}

func staysCut() int {
	b := make([]byte, 512)
	head, _, _ := bytes.Cut(b, []byte("x"))
	return len(bytes.ToUpper(head))
}

func leavesSplitSeq() (last []byte) {
	b := make([]byte, 512)
	for part := range bytes.SplitSeq(b, []byte(",")) {
		last = part
	}
	return last
}

func leavesLines() (last []byte) {
	b := make([]byte, 512)
	for part := range bytes.Lines(b) {
		last = part
	}
	return last
}

func staysWritten(out *bytes.Buffer) {
	b := make([]byte, 512)
	out.Write(b)
}

func leavesNewBuffer() *bytes.Buffer {
	b := make([]byte, 512)
	return bytes.NewBuffer(b)
}

type chain interface {
	Show() int
	Next() chain
}

type chained struct {
	part chainedPart
	n    int
}

func (c *chained) Show() int   { return c.n }
func (c *chained) Next() chain { return &c.part }

type chainedPart struct{ n int }

func (c *chainedPart) Show() int   { lastShown = c; return c.n }
func (c *chainedPart) Next() chain { return nil }

// The conversion is in a method, which is called after the one that is about it.
func leavesChained(n int) (sum int) {
	c := &chained{n: 2}
	var s chain = c
	for range n {
		sum += s.Show()
		s = s.Next()
	}
	return sum
}

type ExportedTaker interface{ Take(r *result) int }

func (harmless) Take(r *result) int { return r.n }

var _ ExportedTaker = harmless{}

func leavesExported(t ExportedTaker) int {
	r := &result{n: 1}
	return t.Take(r)
}
