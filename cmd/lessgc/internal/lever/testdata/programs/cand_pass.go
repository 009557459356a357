package programs

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// The target is only read, by a function that calls itself.
func passConvert(x any, target *reflect.Value) any {
	if target != nil {
		value := passIndirect(*target)
		target = &value
	}
	m, ok := x.(map[string]any)
	if !ok {
		return x
	}
	all := make(map[string]any, len(m))
	for name, inner := range m {
		if target != nil && target.Kind() == reflect.Struct {
			field := target.FieldByName(name) // want pass-value
			all[name] = passConvert(inner, &field)
			continue
		}
		all[name] = passConvert(inner, nil)
	}
	return all
}

func passIndirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

type passCounts struct{ n, m int }

// What is given the address counts there.
func passCount(names []string, to *passCounts, depth int, keep func(*passCounts)) int {
	for range names {
		inner := passCounts{} // no pass-value
		keep(&inner)
		if depth > 0 {
			to.n += passCount(names, &inner, depth-1, keep)
		}
		to.m++
	}
	return to.n
}

type passForm struct {
	Name  string
	Parts map[string]int
}

// It is read back only for other types.
func passTree(f *passForm) (tree any, err error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return passReadBack(text)
}

func passReadBack(text []byte) (tree any, err error) {
	err = json.Unmarshal(text, &tree) // want round-trip
	return tree, err
}

func passRead(text []byte) (f passForm, err error) {
	err = json.Unmarshal(text, &f) // no round-trip
	return f, err
}

type passMember struct {
	name  string
	score int
}

type passBoard struct{ members map[string]int }

func (b *passBoard) sorted() []passMember {
	all := make([]passMember, 0, len(b.members)) // want sorted-copy
	for name, score := range b.members {
		all = append(all, passMember{name, score})
	}
	return all
}

func (b *passBoard) rank(name string) int {
	all := b.sorted()
	sort.Slice(all, func(i, j int) bool { return all[i].score < all[j].score })
	return slices.IndexFunc(all, func(m passMember) bool { return m.name == name })
}

// Nobody sorts them.
func (b *passBoard) names() []string {
	all := make([]string, 0, len(b.members)) // no sorted-copy
	for name := range b.members {
		all = append(all, name)
	}
	return all
}

func passRoom[T any](s []T, length, room int) []T {
	if cap(s) < room {
		return make([]T, length, room) // want exact-size
	}
	return s[:length]
}

func passText(name string) string {
	var b strings.Builder
	b.Grow(2048) // want exact-size
	b.WriteString("name: ")
	b.WriteString(name)
	return b.String()
}

func passSized(name string) string {
	var b strings.Builder
	b.Grow(len("name: ") + len(name)) // no exact-size
	b.WriteString("name: ")
	b.WriteString(name)
	return b.String()
}

// The callers put what they are returned into their own maps.
func passCollect(depth int, name string) map[string]int {
	all := map[string]int{name: depth} // want map-result
	if depth > 0 {
		for _, part := range []string{"a", "b", "c"} {
			for inner, n := range passCollect(depth-1, name+part) {
				all[inner] = n
			}
		}
	}
	return all
}

func passAll() any { return passCollect(3, "") }

// Nothing is set before all are known to be right.
func passChecked(names []string, to map[string]int) error {
	var all []passMember
	for i, name := range names {
		if name == "" {
			return errPass
		}
		all = append(all, passMember{name, i}) // no lazy-pipeline
	}
	for _, m := range all {
		to[m.name] = m.score
	}
	return nil
}

var errPass = errors.New("no name")

// A pattern is a sequence of characters, of which a star stands for any text.
type passPattern struct{ parts []string }

func parsePass(pattern string) *passPattern {
	p := &passPattern{} // want keep-parsed
	for _, part := range strings.Split(pattern, "*") {
		p.parts = append(p.parts, part) // want keep-parsed
	}
	passLast = p
	return p
}

var passLast *passPattern

func matchPass(pattern, text string) bool {
	p := parsePass(pattern)
	for _, part := range p.parts {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}

// What is decoded is no program.
type passRecord struct{ fields []string }

func parsePassRecord(line string) *passRecord {
	r := &passRecord{} // no keep-parsed
	r.fields = append(r.fields, line)
	passRecordLast = r
	return r
}

var passRecordLast *passRecord

func decodePass(line string, into map[string]string) {
	for _, name := range parsePassRecord(line).fields {
		into[name] = name
	}
}
