// Package ours lets memory of lessgc's arenas out.
package ours

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"strings"

	"lessgc/arena"
	"lessgc/arena/deep"
)

// Each pool has arenas of another policy.
var (
	arenas   = arena.Pool{Policy: arena.RecycleTyped}
	recycled = arena.Pool{Policy: arena.RecycleAll}
	texts    = &arena.Pool{MaxKept: 1 << 20, Policy: arena.RecycleAll}
	typed    = arena.Pool{Policy: arena.RecycleTyped}
	safe     = arena.Pool{Policy: arena.Safe}
)

type account struct{ owner string }

type user struct {
	id      int
	name    string
	tags    []string
	account *account
	friend  *user
}

// build makes a user in a.
func build(a *arena.Arena, name string) *user {
	u := arena.New[user](a)
	u.id, u.name = len(name), a.String(name)
	return u
}

func badReturn(name string) *user {
	a := arenas.Get()
	defer a.Free()
	u := arena.New[user](a)
	u.name = name
	return u // want "outlives"
}

func goodReturn(name string) *user {
	a := arenas.Get()
	defer a.Free()
	u := arena.New[user](a)
	u.name = name
	return deep.Clone(u)
}

func goodReturnSafe(name string) *user {
	a := safe.Get()
	defer a.Free()
	u := arena.New[user](a)
	u.name = name
	return u
}

func goodReturnNewArena(name string) *user {
	a := arena.NewArena()
	defer a.Free()
	u := arena.New[user](a)
	u.name = name
	return u
}

func badReturnTyped(name string) *user {
	a := typed.Get()
	defer a.Free()
	return build(a, name) // want "outlives"
}

func goodReturnClone(name string) *user {
	a := typed.Get()
	defer a.Free()
	return arena.Clone(build(a, name))
}

func badFreedBefore(name string) *user {
	a := arenas.Get()
	u := build(a, name)
	a.Free()
	return u // want "outlives"
}

func goodFreedBefore(name string) *user {
	a := arenas.Get()
	u := build(a, name)
	u = deep.Detach(a, u)
	a.Free()
	return u
}

func badNamedResult(name string) (u *user, err error) {
	a := arenas.Get()
	defer func() { a.Free() }()
	if name == "" {
		return nil, errors.New("no name")
	}
	u = build(a, name)
	return u, nil // want "outlives"
}

func goodNamedResult(name string) (u *user, err error) {
	a := arenas.Get()
	defer func() { a.Free() }()
	if name == "" {
		return nil, errors.New("no name")
	}
	u = arena.Clone(build(a, name))
	return u, nil
}

func badSlice(names []string) []string {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	slices.Sort(all)
	return all // want "outlives"
}

func goodSlice(names []string) []string {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	slices.Sort(all)
	return slices.Clone(all)
}

func badSubslice(names []string, n int) []string {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	return all[:n] // want "outlives"
}

func goodSubslice(names []string, n int) []string {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	return append([]string(nil), all[:n]...)
}

func badGrown(n int) []int {
	a := arenas.Get()
	defer a.Free()
	s := arena.MakeSlice[int](a, 0, 8)
	s = append(s, n, n+1)
	return s // want "outlives"
}

func goodGrown(n int) []int {
	a := arenas.Get()
	defer a.Free()
	s := arena.MakeSlice[int](a, 0, 8)
	s = append(s, n, n+1)
	to := make([]int, len(s))
	copy(to, s)
	return to
}

func badElement(names []string) *string {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	return &all[0] // want "outlives"
}

func goodElement(names []string) string {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	return all[0]
}

func badFieldAddress(name string) *int {
	a := arenas.Get()
	defer a.Free()
	return &build(a, name).id // want "outlives"
}

func goodFieldValue(name string) int {
	a := arenas.Get()
	defer a.Free()
	return build(a, name).id
}

func badBytes(b []byte) []byte {
	a := arenas.Get()
	defer a.Free()
	return a.Bytes(b) // want "outlives"
}

func goodBytes(b []byte) string {
	a := arenas.Get()
	defer a.Free()
	return string(a.Bytes(b))
}

func badTrimmed(line []byte) []byte {
	a := arenas.Get()
	defer a.Free()
	b := a.Bytes(line)
	return b[:len(b)-1] // want "outlives"
}

func goodTrimmed(line []byte) []byte {
	a := arenas.Get()
	defer a.Free()
	b := a.Bytes(line)
	return bytes.Clone(b[:len(b)-1])
}

func badString(name string) string {
	a := recycled.Get()
	defer a.Free()
	return a.String("user " + name) // want "outlives"
}

func goodString(name string) string {
	a := arenas.Get()
	defer a.Free()
	return a.String("user " + name)
}

func goodStringCloned(name string) string {
	a := recycled.Get()
	defer a.Free()
	return strings.Clone(a.String("user " + name))
}

func badSprintf(id int) string {
	a := texts.Get()
	defer a.Free()
	return a.String(fmt.Sprintf("user %d", id)) // want "outlives"
}

func goodSprintf(id int) string {
	a := texts.Get()
	defer a.Free()
	return "user " + a.String(fmt.Sprintf("%d", id))
}

func badSubstring(name string) string {
	a := recycled.Get()
	defer a.Free()
	text := a.String("user " + name)
	return text[5:] // want "outlives"
}

func goodSubstring(name string) string {
	a := typed.Get()
	defer a.Free()
	text := a.String("user " + name)
	return text[5:]
}

func badStruct(names []string) user {
	a := arenas.Get()
	defer a.Free()
	tags := arena.Append(a, nil, names...)
	return user{name: names[0], tags: tags} // want "outlives"
}

func goodStruct(names []string) user {
	a := arenas.Get()
	defer a.Free()
	tags := arena.Append(a, nil, names...)
	return user{name: names[0], tags: slices.Clone(tags)}
}

func badHeapStruct(name string) *user {
	a := arenas.Get()
	defer a.Free()
	u := &user{name: name}
	u.friend = build(a, name)
	return u // want "outlives"
}

func goodHeapStruct(name string) *user {
	a := arenas.Get()
	defer a.Free()
	u := &user{name: name}
	u.id = build(a, name).id
	return u
}

func badInterface(name string) any {
	a := arenas.Get()
	defer a.Free()
	return build(a, name) // want "outlives"
}

func goodInterface(name string) any {
	a := arenas.Get()
	defer a.Free()
	return *build(a, name)
}

func badHeapSlice(name string) []*user {
	a := arenas.Get()
	defer a.Free()
	return []*user{build(a, name)} // want "outlives"
}

func goodHeapSlice(name string) int {
	a := arenas.Get()
	defer a.Free()
	all := []*user{build(a, name)}
	return all[0].id
}

func badHeapMap(names []string) map[string]*user {
	a := arenas.Get()
	defer a.Free()
	byName := map[string]*user{}
	for _, name := range names {
		byName[name] = build(a, name)
	}
	return byName // want "outlives"
}

func goodHeapMap(names []string) map[string]int {
	a := arenas.Get()
	defer a.Free()
	byName := map[string]int{}
	for _, name := range names {
		byName[name] = build(a, name).id
	}
	return byName
}

func goodValues(names []string) []int {
	a := arenas.Get()
	defer a.Free()
	var all []int
	for _, name := range names {
		all = arena.Append(a, all, build(a, name).id)
	}
	return append([]int(nil), all...)
}

func goodDeep(names []string) []*user {
	a := arenas.Get()
	defer a.Free()
	all := arena.MakeSlice[*user](a, len(names), len(names))
	for i, name := range names {
		all[i] = build(a, name)
	}
	return deep.Clone(all)
}

func badClosure(name string) func() int {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	return func() int { return u.id } // want "outlives"
}

func goodClosure(name string) func() int {
	a := arenas.Get()
	defer a.Free()
	id := build(a, name).id
	return func() int { return id }
}

func (u *user) greeting() string { return "hello " + u.name }

func badMethodValue(name string) func() string {
	a := arenas.Get()
	defer a.Free()
	return build(a, name).greeting // want "outlives"
}

func goodMethodValue(name string) string {
	a := arenas.Get()
	defer a.Free()
	return build(a, name).greeting()
}

func badReader(b []byte) io.Reader {
	a := arenas.Get()
	defer a.Free()
	return bytes.NewReader(a.Bytes(b)) // want "outlives"
}

func goodReader(b []byte) io.Reader {
	a := arenas.Get()
	defer a.Free()
	return strings.NewReader(string(a.Bytes(b)))
}

func badEither(large bool, name string) *user {
	var a *arena.Arena
	if large {
		a = recycled.Get()
	} else {
		a = arenas.Get()
	}
	defer a.Free()
	return build(a, name) // want "outlives"
}

func goodEither(large bool, name string) *user {
	var a *arena.Arena
	if large {
		a = safe.Get()
	} else {
		a = arena.NewArena()
	}
	defer a.Free()
	return build(a, name)
}

func badCloneIn(u *user) *user {
	a := arenas.Get()
	defer a.Free()
	return arena.CloneIn(a, u) // want "outlives"
}

func goodCloneIn(u *user) *user {
	a := arenas.Get()
	defer a.Free()
	return arena.CloneIn(nil, arena.CloneIn(a, u))
}

func goodCloneInCallers(to *arena.Arena, u *user) *user {
	a := arenas.Get()
	defer a.Free()
	return arena.CloneIn(to, arena.CloneIn(a, u))
}

func badChild(name string) *user {
	a := arenas.Get()
	defer a.Free()
	return build(a.Child(), name) // want "outlives"
}

func goodChild(a *arena.Arena, name string) *user {
	c := a.Child()
	return build(c, name)
}

func badChildFreed(name string) *user {
	a := arenas.Get()
	defer a.Free()
	c := a.Child()
	defer c.Free()
	return build(c, name) // want "outlives"
}

func goodChildFreed(a *arena.Arena, name string) *user {
	c := a.Child()
	defer c.Free()
	build(c, name)
	return build(a, name)
}

func badReleased(name string) (*user, *arena.Arena) {
	a := arenas.Get()
	m := a.Mark()
	u := build(a, name)
	a.Release(m)
	return u, a // want "outlives"
}

func goodReleased(name string) (*user, *arena.Arena) {
	a := arenas.Get()
	u := build(a, name)
	m := a.Mark()
	build(a, name)
	a.Release(m)
	return u, a
}

func badDeferredRelease(name string) (*user, *arena.Arena) {
	a := arenas.Get()
	defer a.Release(a.Mark())
	return build(a, name), a // want "outlives"
}

func goodDeferredRelease(name string) (int, *arena.Arena) {
	a := arenas.Get()
	defer a.Release(a.Mark())
	return build(a, name).id, a
}

func badGeneric[T any](v T) *T {
	a := arenas.Get()
	defer a.Free()
	p := arena.New[T](a)
	*p = v
	return p // want "outlives"
}

func goodGeneric[T any](v T) T {
	a := arenas.Get()
	defer a.Free()
	p := arena.New[T](a)
	*p = v
	return *p
}

func goodKeepAll(name string) *user {
	a := arenas.Get()
	defer a.Free()
	a.Keep()
	return build(a, name)
}

func badFreedOwner(name string) *session {
	a := arenas.Get()
	defer a.Free()
	return &session{arena: a, user: build(a, name)} // want "outlives"
}

func goodOwner(name string) *session {
	a := arenas.Get()
	return &session{arena: a, user: build(a, name)}
}

func goodOwnerOrError(name string) (*session, error) {
	a := arenas.Get()
	u := build(a, name)
	if u.id == 0 {
		a.Free()
		return nil, errors.New("no name")
	}
	return &session{arena: a, user: u}, nil
}

// A session owns its arena until Close.
type session struct {
	arena *arena.Arena
	user  *user
}

func (s *session) Close() { s.arena.Free() }

func goodParameter(a *arena.Arena, name string) *user { return build(a, name) }

func goodWithFree(name string) (*user, func()) {
	a := arenas.Get()
	return build(a, name), a.Free
}

func goodAccount(name string, acc *account) *account {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	u.account = acc
	return u.account
}

func goodNil(name string) *user {
	a := arenas.Get()
	defer a.Free()
	build(a, name)
	return build(nil, name)
}

func goodError(name string) error {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	if len(u.tags) == 0 {
		return fmt.Errorf("user %v has no tags", *u)
	}
	return nil
}

type nameError struct{ name string }

func (e *nameError) Error() string { return "no user " + e.name }

func goodErrorValue(name string) error {
	a := arenas.Get()
	defer a.Free()
	return &nameError{a.String("user " + name)}
}

func goodEncoded(w io.Writer, name string) error {
	a := arenas.Get()
	defer a.Free()
	return json.NewEncoder(w).Encode(build(a, name))
}

func goodMarshaled(name string) ([]byte, error) {
	a := arenas.Get()
	defer a.Free()
	return json.Marshal(build(a, name))
}

func goodWritten(w io.Writer, line []byte) (int, error) {
	a := arenas.Get()
	defer a.Free()
	return w.Write(a.Bytes(line))
}

func goodCallback(name string, visit func(*user) bool) bool {
	a := arenas.Get()
	defer a.Free()
	return visit(build(a, name))
}

func goodSorted(names []string) int {
	a := arenas.Get()
	defer a.Free()
	var all []*user
	for _, name := range names {
		all = append(all, build(a, name))
	}
	slices.SortFunc(all, func(x, y *user) int { return x.id - y.id })
	return all[0].id
}

func goodLogged(name string) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	log.Printf("user %d: %v", u.id, u)
}

func goodPerRound(lines []string) (longest string) {
	for _, line := range lines {
		a := arenas.Get()
		if u := build(a, line); len(u.name) > len(longest) {
			longest = u.name
		}
		a.Free()
	}
	return longest
}

func goodLen(names []string) (int, bool) {
	a := arenas.Get()
	defer a.Free()
	all := arena.Append(a, nil, names...)
	return len(all), cap(all) > len(all)
}

func goodIgnored(name string) *user {
	a := arenas.Get()
	defer a.Free()
	return build(a, name) //lessgc:ignore arenaescape the test looks at zeroed memory
}
