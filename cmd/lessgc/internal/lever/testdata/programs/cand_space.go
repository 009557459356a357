package programs

import (
	"errors"
	"io/fs"
	"reflect"
	"strconv"
	"sync"
)

// Most tables have few entries.
type spaceTable struct {
	first [1]spaceBucket
	rest  []spaceEntry
	n     int
}

type spaceBucket struct {
	entries [8]spaceEntry
	next    *spaceBucket
}

type spaceEntry struct {
	key   string
	value int
}

func newSpaceTable(key string) *spaceTable {
	t := &spaceTable{} // want inline-array
	t.first[0].entries[0].key = key
	t.n = 1
	return t
}

// A part of it only is the array.
type spaceNamed struct {
	names [4]string
	kinds [20]int
}

type spaceList struct {
	a, b, c, d, e, f string
	ends             [4]int
}

func newSpaceList(key string) *spaceList {
	return &spaceList{a: key} // no inline-array
}

type spaceFile struct {
	data []byte
	at   int
}

func (f *spaceFile) write(p []byte) {
	f.data = append(f.data[:f.at], p...) // want chunked-buffer
	f.at += len(p)
}

type spaceSmall struct{ data []byte }

func (f *spaceSmall) write(p []byte) {
	f.data = append(f.data, p...) // no chunked-buffer
}

var spaceBlocks = sync.Pool{New: func() any {
	return new([1024]byte) // want pool-empty
}}

// It is never put back.
func spaceTaken() *[1024]byte { return spaceBlocks.Get().(*[1024]byte) }

var spacePut = sync.Pool{New: func() any {
	return new([1024]byte) // no pool-empty
}}

func spaceBack() {
	b := spacePut.Get().(*[1024]byte)
	b[0]++
	spacePut.Put(b)
}

// The outermost map is kept.
func spaceTree(depth int) any { return spaceParse(depth) }

func spaceParse(depth int) map[string]any {
	m := make(map[string]any) // want map-result
	if depth == 0 {
		m["leaf"] = "text"
		return m
	}
	inner := map[string]any{} // no map-result
	for range 2 {
		for name, value := range spaceParse(depth - 1) {
			inner[name] = value
		}
	}
	m["inner"] = inner
	return m
}

func spaceKept(names []string) []map[string]bool {
	var all []map[string]bool
	for _, name := range names {
		all = append(all, spaceOne(name))
	}
	return all
}

func spaceOne(name string) map[string]bool {
	return map[string]bool{name: true} // no map-result
}

type spaceCache struct{ of map[any]int }

func (c *spaceCache) Get(key any) (int, bool) {
	n, ok := c.of[key]
	return n, ok
}

func spaceKey(kind, name string) string {
	return kind + "." + name // want lookup-text
}

func spaceLookUp(c *spaceCache, kind, name string) int {
	n, _ := c.Get(spaceKey(kind, name))
	return n
}

func spaceFound(m map[string]int, kind string, n int) int {
	key := kind + strconv.Itoa(n) // want lookup-text
	return m[key]
}

// What is not there is put in.
func spaceAdded(m map[string]int, kind, name string) {
	m[kind+name] = 1 // no lookup-text
}

func spacePrinted(m map[string]int, kind, name string) string {
	key := kind + "/" + name // no lookup-text
	if m[key] > 0 {
		return key
	}
	return ""
}

func spaceFirst(all []error) int {
	for i, err := range all {
		var failed *fs.PathError // want reuse-variable
		if errors.As(err, &failed) {
			return i
		}
	}
	return -1
}

func spaceParams(of map[string][]string, name string) {
	values := spaceValues(name)
	of[name] = append(of[name], values...) // want copy-once
}

func spaceValues(name string) []string { return []string{name, "two", "three"} }

// They may be a part of what is read next.
func spaceGiven(of map[string][]string, name string, values []string) {
	of[name] = append(of[name], values...) // no copy-once
}

func spaceParam(of map[string][]string, name, value string) {
	of[name] = append(of[name], value) // no copy-once
}

// The last line is added to.
func spaceFolded(lines []string) []string {
	h := make([]string, 0, len(lines))
	for _, line := range lines {
		if len(h) > 0 && line[0] == ' ' {
			h[len(h)-1] += line // want grown-text
			continue
		}
		h = append(h, line)
	}
	return h
}

func spaceJoined(h, lines []string) {
	for i, line := range lines {
		h[i] = "a prefix of each line: " + line // no grown-text
	}
}

type spaceField struct {
	field reflect.StructField
	tag   string
}

func spaceFields(v any) (n int) {
	t := reflect.TypeOf(v)
	var fields []spaceField
	for i := range t.NumField() {
		fields = append(fields, spaceField{t.Field(i), t.Field(i).Tag.Get("text")}) // want cache-by-type
	}
	for _, f := range fields {
		n += len(f.tag) + len(f.field.Name)
	}
	return n
}
