// Package nukes allocates from arenas of two libraries that keep their memory in bytes.
package nukes

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ortuman/nuke"
	"github.com/wundergraph/go-arena"
)

type value struct {
	kind  int
	text  string
	items []*value
	next  *value
}

func copied(a arena.Arena, s string) string {
	if a == nil || s == "" {
		return s
	}
	b := arena.AllocateSlice[byte](a, len(s), len(s))
	copy(b, s)
	return asString(b)
}

type user struct {
	id   int64
	name string
	tags map[string]string
}

// Text is a JSON string.
func badText(a arena.Arena, s string) *value {
	v := arena.Allocate[value](a)
	v.kind = 1
	v.text = s // want `a string is stored in memory of go-arena.Allocate, which the garbage collector does not scan`
	return v
}

func goodText(a arena.Arena, s string) *value {
	v := arena.Allocate[value](a)
	v.kind = 1
	v.text = copied(a, s)
	return v
}

func badNumber(a arena.Arena, n int) *value {
	v := arena.Allocate[value](a)
	v.text = strconv.Itoa(n) // want `a string is stored in memory of go-arena.Allocate`
	return v
}

func goodNumber(a arena.Arena, n int) *value {
	v := arena.Allocate[value](a)
	v.text = copied(a, strconv.Itoa(n))
	return v
}

// The zero value of a type with pointers is in nobody's way.
func goodTrue(a arena.Arena) *value {
	v := arena.Allocate[value](a)
	v.kind = 3
	return v
}

func goodConstant(a arena.Arena) *value {
	v := arena.Allocate[value](a)
	v.text = "null"
	return v
}

func asString(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

func badBytes(a arena.Arena, b []byte) *value {
	v := arena.Allocate[value](a)
	v.text = asString(b) // want `a string is stored in memory of go-arena.Allocate`
	return v
}

func goodBytes(a arena.Arena, b []byte) *value {
	v := arena.Allocate[value](a)
	c := arena.AllocateSlice[byte](a, len(b), len(b))
	copy(c, b)
	v.text = asString(c)
	return v
}

// A tree whose nodes are all in the arena.
func goodTree(a arena.Arena, depth int) *value {
	v := arena.Allocate[value](a)
	if depth > 0 {
		v.next = goodTree(a, depth-1)
	}
	return v
}

type leaf struct {
	size int
	next *leaf
}

type branch struct {
	first *leaf
}

func badTree(a arena.Arena, size int) *branch {
	b := arena.Allocate[branch](a)
	b.first = &leaf{size: size} // want `a pointer is stored in memory of go-arena.Allocate`
	return b
}

func goodTreeInArena(a arena.Arena, size int) *branch {
	b := arena.Allocate[branch](a)
	b.first = arena.Allocate[leaf](a)
	b.first.size = size
	return b
}

func badItems(a arena.Arena, n int) *value {
	v := arena.Allocate[value](a)
	v.items = make([]*value, n) // want `a slice is stored in memory of go-arena.Allocate`
	return v
}

func goodItems(a arena.Arena, n int) *value {
	v := arena.Allocate[value](a)
	v.items = arena.AllocateSlice[*value](a, n, n)
	return v
}

func badAppended(a nuke.Arena, lines []string) []string {
	all := nuke.MakeSlice[string](a, 0, len(lines))
	for _, l := range lines {
		all = append(all, strings.ToUpper(l)) // want `a string is stored in memory of nuke.MakeSlice`
	}
	return all
}

func goodAppended(a nuke.Arena, lines []string) []int {
	all := nuke.MakeSlice[int](a, 0, len(lines))
	for _, l := range lines {
		all = append(all, len(l))
	}
	return all
}

func badSliceAppend(a nuke.Arena, n int) []string {
	var all []string
	for i := range n {
		all = nuke.SliceAppend(a, all, "n"+strconv.Itoa(i)) // want `a string is stored in memory of nuke.SliceAppend`
	}
	return all
}

func goodSliceAppend(a nuke.Arena, n int) []string {
	var all []string
	for range n {
		all = nuke.SliceAppend(a, all, "n")
	}
	return all
}

func badUnmarshal(a nuke.Arena, data []byte) (int64, error) {
	u := nuke.New[user](a)
	err := json.Unmarshal(data, u) // want `a value of type .* is stored in memory of nuke.New`
	return u.id, err
}

type point struct{ X, Y int }

func goodUnmarshal(a nuke.Arena, data []byte) (int, error) {
	p := nuke.New[point](a)
	err := json.Unmarshal(data, p)
	return p.X, err
}

func badBuffer(a nuke.Arena, s string) int {
	b := nuke.New[bytes.Buffer](a)
	b.WriteString(s) // want `a value of type .* is stored in memory of nuke.New`
	return b.Len()
}

func goodBuffer(a nuke.Arena, s string) int {
	b := new(bytes.Buffer)
	b.WriteString(s)
	n := nuke.New[int](a)
	*n = b.Len()
	return *n
}

func badMap(a nuke.Arena, id int64) *user {
	u := nuke.New[user](a)
	u.id = id
	u.tags = map[string]string{} // want `a map is stored in memory of nuke.New`
	return u
}

func goodNilArena(id int64) *user {
	u := nuke.New[user](nil)
	u.id = id
	u.tags = map[string]string{}
	return u
}

// A Session is filled by other packages.
type Session struct {
	ID   int64
	User string
}

func BadSession(a nuke.Arena) *Session {
	return nuke.New[Session](a) // want `memory for a Session, which has pointers, is taken from memory of nuke.New`
}

// A Counter has nothing that the collector would follow.
type Counter struct{ ID, N int64 }

func GoodCounter(a nuke.Arena) *Counter { return nuke.New[Counter](a) }

// A registry keeps its names itself.
type registry struct {
	names []string
	users []*user
}

func (r *registry) badAdd(a nuke.Arena, name string) {
	u := nuke.New[user](a)
	u.name = name // want `a string is stored in memory of nuke.New`
	r.users = append(r.users, u)
}

func (r *registry) goodAdd(a nuke.Arena, name string) {
	u := nuke.New[user](a)
	u.name = name
	r.names = append(r.names, name)
	r.users = append(r.users, u)
}

// A parser gets text that its callers have copied to the arena.
func GoodParse(a arena.Arena, s string) *value {
	if a != nil {
		return parse(a, copied(a, s))
	}
	return parse(a, s)
}

func parse(a arena.Arena, s string) *value {
	v := arena.Allocate[value](a)
	v.text = s[:len(s)/2]
	return v
}

func Parsed(a arena.Arena, s string) *value { return parseOther(a, s) }

func parseOther(a arena.Arena, s string) *value {
	v := arena.Allocate[value](a)
	set(v, s[:len(s)/2])
	return v
}

func set(v *value, s string) {
	v.text = s // want `a string is stored in memory of go-arena.Allocate`
}

// Values of the package come from arenas, or callers know what they do.
func (v *value) goodLink(next *value) *value {
	other := &value{kind: v.kind}
	v.next = next
	return other
}

func badOwner(a arena.Arena, u *registry) *owned {
	o := arena.Allocate[owned](a)
	o.by = u // want `a pointer is stored in memory of go-arena.Allocate`
	return o
}

type owned struct {
	by   *registry
	next *owned
}

func goodOwner(a arena.Arena, next *owned) *owned {
	o := arena.Allocate[owned](a)
	o.next = next
	return o
}
