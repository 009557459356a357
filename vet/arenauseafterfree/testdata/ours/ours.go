// Package ours uses arenas of lessgc.
package ours

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"strings"

	"lessgc/arena"
	"lessgc/arena/deep"
)

// Each pool has arenas of another policy.
var (
	arenas   = arena.Pool{Policy: arena.RecycleTyped}
	recycled = arena.Pool{Policy: arena.RecycleAll}
	safe     = arena.Pool{Policy: arena.Safe}
)

type account struct{ owner string }

type user struct {
	id      int
	name    string
	tags    []string
	account *account
	next    *user
}

func parse(a *arena.Arena, line string) *user {
	name, tags, _ := strings.Cut(line, ":")
	u := arena.New[user](a)
	u.id, u.name = len(line), a.String(name)
	for tag := range strings.SplitSeq(tags, ",") {
		u.tags = arena.Append(a, u.tags, tag)
	}
	return u
}

func badString(name string) string {
	a := arena.NewArena()
	first := a.String(name)
	a.Free()
	return first + a.String("!") // want "is used after"
}

func goodString(name string) string {
	a := arena.NewArena()
	first := a.String(name)
	defer a.Free()
	return first + a.String("!")
}

func badNew(id int) int {
	a := arena.NewArena()
	a.Free()
	u := arena.New[user](a) // want "is used after"
	u.id = id
	return id
}

func goodNew(id int) int {
	a := arena.NewArena()
	u := arena.New[user](a)
	a.Free()
	u.id = id
	return u.id
}

func badMakeSlice(n int) int {
	a := arenas.Get()
	a.Free()
	return len(arena.MakeSlice[int](a, n, n)) // want "is used after"
}

func goodMakeSlice(n int) int {
	a := arenas.Get()
	s := arena.MakeSlice[int](a, n, n)
	a.Free()
	return len(s)
}

func badAppend(names []string) int {
	a := arena.NewArena()
	all := arena.Append(a, nil, names...)
	a.Free()
	all = arena.Append(a, all, "last") // want "is used after"
	return len(all)
}

func goodAppend(names []string) int {
	a := arena.NewArena()
	all := arena.Append(a, nil, names...)
	a.Free()
	all = append(all, "last")
	return len(all)
}

func badStats(lines []string) int {
	a := arenas.Get()
	n := len(parse(a, lines[0]).tags)
	a.Free()
	log.Printf("%d bytes", a.Stats().Bytes) // want "is used after"
	return n
}

func goodStats(lines []string) int {
	a := arenas.Get()
	n := len(parse(a, lines[0]).tags)
	log.Printf("%d bytes", a.Stats().Bytes)
	a.Free()
	return n
}

func badChild(line string) int {
	a := arenas.Get()
	a.Free()
	c := a.Child() // want "is used after"
	return len(c.String(line))
}

func goodChild(line string) int {
	a := arenas.Get()
	c := a.Child()
	n := len(c.String(line))
	a.Free()
	return n
}

func badChildOutlives(line string) int {
	a := arena.NewArena()
	c := a.Child()
	a.Free()
	return len(c.String(line)) // want "is used after"
}

func goodParentOutlives(line string) int {
	a := arena.NewArena()
	c := a.Child()
	c.Free()
	n := len(a.String(line))
	a.Free()
	return n
}

func badReset(lines []string) {
	a := arena.NewArena()
	for _, line := range lines {
		a.String(line)
	}
	a.Free()
	a.Reset() // want "is used after"
}

func goodReset(lines []string) {
	a := arena.NewArena()
	for _, line := range lines {
		a.String(line)
	}
	a.Reset()
	a.Free()
}

func badField(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	return u.id // want "is used after"
}

func goodField(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	id := u.id
	a.Free()
	return id
}

func goodFieldSafe(line string) int {
	a := safe.Get()
	u := parse(a, line)
	a.Free()
	return u.id
}

func goodFieldNewArena(line string) int {
	a := arena.NewArena()
	u := parse(a, line)
	a.Free()
	return u.id
}

func badStringRecycled(name string) string {
	a := recycled.Get()
	text := a.String("user " + name)
	a.Free()
	return strings.ToUpper(text) // want "is used after"
}

func goodStringTyped(name string) string {
	a := arenas.Get()
	text := a.String("user " + name)
	a.Free()
	return strings.ToUpper(text)
}

func goodStringCloned(name string) string {
	a := recycled.Get()
	text := strings.Clone(a.String("user " + name))
	a.Free()
	return strings.ToUpper(text)
}

func badNameOfFreed(line string) string {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	return strings.ToUpper(u.name) // want "is used after"
}

func goodNameOfFreed(line string) string {
	a := arenas.Get()
	u := parse(a, line)
	name := u.name
	a.Free()
	return strings.ToUpper(name)
}

func badMapKey(counts map[string]int, name string) {
	a := recycled.Get()
	key := a.String("user/" + name)
	a.Free()
	counts[key]++ // want "is used after"
}

func goodMapKey(counts map[string]int, name string) {
	a := arenas.Get()
	key := a.String("user/" + name)
	a.Free()
	counts[key]++
}

func badBytes(line []byte) byte {
	a := arenas.Get()
	b := a.Bytes(line)
	a.Free()
	return b[0] // want "is used after"
}

func goodBytes(line []byte) byte {
	a := arenas.Get()
	b := string(a.Bytes(line))
	a.Free()
	return b[0]
}

func badWrittenBytes(w *bytes.Buffer, line []byte) {
	a := arenas.Get()
	b := a.Bytes(line)
	a.Free()
	w.Write(b) // want "is used after"
}

func goodWrittenBytes(w *bytes.Buffer, line []byte) {
	a := arenas.Get()
	b := a.Bytes(line)
	w.Write(b)
	a.Free()
}

func badEncoded(line string) ([]byte, error) {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	return json.Marshal(u) // want "is used after"
}

func goodEncoded(line string) ([]byte, error) {
	a := arenas.Get()
	u := parse(a, line)
	data, err := json.Marshal(u)
	a.Free()
	return data, err
}

func badStored(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	u.id++ // want "is used after"
	return 0
}

func goodStored(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	u.id++
	a.Free()
	return 0
}

func badAccount(line string, acc *account) string {
	a := arenas.Get()
	u := parse(a, line)
	u.account = acc
	a.Free()
	return u.account.owner // want "is used after"
}

func goodAccount(line string, acc *account) string {
	a := arenas.Get()
	u := parse(a, line)
	u.account = acc
	acc = u.account
	a.Free()
	return acc.owner
}

func badResetObject(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	u := parse(a, lines[0])
	a.Reset()
	return u.id // want "is used after"
}

func goodResetArena(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	u := parse(a, lines[0])
	a.Reset()
	u = parse(a, lines[1])
	return u.id
}

func goodResetSafe(lines []string) int {
	a := safe.Get()
	defer a.Free()
	u := parse(a, lines[0])
	a.Reset()
	return u.id
}

func badReleased(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	m := a.Mark()
	u := parse(a, lines[0])
	a.Release(m)
	return u.id // want "is used after"
}

func goodMarked(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	u := parse(a, lines[0])
	m := a.Mark()
	n := len(parse(a, lines[1]).tags)
	a.Release(m)
	return u.id + n
}

func badKeptArena(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	a.Keep()
	a.Free()
	return u.id + len(a.String(line)) // want "is used after"
}

func goodKeptMemory(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	a.Keep()
	a.Free()
	return u.id
}

func badDetach(line string) *user {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	return deep.Detach(a, u) // want "is used after"
}

func goodDetach(line string) *user {
	a := arenas.Get()
	u := parse(a, line)
	u = deep.Detach(a, u)
	a.Free()
	return u
}

func badDeepClone(line string) *user {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	return deep.Clone(u) // want "is used after"
}

func goodDeepClone(line string) *user {
	a := arenas.Get()
	u := parse(a, line)
	defer a.Free()
	return deep.Clone(u)
}

func badCloneIn(to *arena.Arena, line string) int {
	a := arenas.Get()
	b := a.Bytes([]byte(line))
	a.Free()
	return len(arena.CloneIn(to, b)) // want "is used after"
}

func goodCloneIn(to *arena.Arena, line string) byte {
	a := arenas.Get()
	b := arena.CloneIn(to, a.Bytes([]byte(line)))
	a.Free()
	return b[0]
}

func badDeferOrder(w io.Writer, line string) {
	a := arenas.Get()
	u := parse(a, line)
	defer func() { fmt.Fprintln(w, u.id) }() // want "is used after"
	defer a.Free()
	u.id++
}

func goodDeferOrder(w io.Writer, line string) {
	a := arenas.Get()
	u := parse(a, line)
	defer a.Free()
	defer func() { fmt.Fprintln(w, u.id) }()
	u.id++
}

func goodDeferArgument(w io.Writer, line string) {
	a := arenas.Get()
	u := parse(a, line)
	defer fmt.Fprintln(w, u.id)
	defer a.Free()
	u.id++
}

func badEither(large bool, line string) int {
	var a *arena.Arena
	if large {
		a = recycled.Get()
	} else {
		a = arenas.Get()
	}
	u := parse(a, line)
	a.Free()
	return len(u.tags) // want "is used after"
}

func goodEither(large bool, line string) int {
	var a *arena.Arena
	if large {
		a = recycled.Get()
	} else {
		a = arenas.Get()
	}
	u := parse(a, line)
	n := len(u.tags)
	a.Free()
	return n
}

func badBothBranches(verbose bool, line string) int {
	a := arenas.Get()
	u := parse(a, line)
	if verbose {
		log.Print(line)
		a.Free()
	} else {
		a.Free()
	}
	return u.id // want "is used after"
}

func goodReturnInBranch(verbose bool, line string) int {
	a := arenas.Get()
	u := parse(a, line)
	if !verbose {
		a.Free()
		return 0
	}
	log.Print(u.id)
	a.Free()
	return 0
}

func badMissingReturn(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	if len(u.tags) == 0 {
		log.Print("no tags")
		a.Free()
	}
	return u.id // want "is used after"
}

func goodReturn(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	if len(u.tags) == 0 {
		log.Print("no tags")
		a.Free()
		return 0
	}
	id := u.id
	a.Free()
	return id
}

func badNextLine(lines []string) int {
	a := arenas.Get()
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line)) // want "is used after"
		a.Free()
	}
	return n
}

func goodNextLine(lines []string) int {
	a := arenas.Get()
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
		a.Reset()
	}
	a.Free()
	return n
}

func goodContext(ctx context.Context, line string) int {
	a := arenas.Get()
	ctx = arena.NewContext(ctx, a)
	defer a.Free()
	return len(arena.FromContext(ctx).String(line))
}

func badRangeFunc(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		a := arenas.Get()
		u := parse(a, word)
		a.Free()
		n += u.id // want "is used after"
	}
	return n
}

func goodRangeFunc(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		a := arenas.Get()
		u := parse(a, word)
		n += u.id
		a.Free()
	}
	return n
}

func goodNil(line string) string {
	var a *arena.Arena
	a.Free()
	return a.String(line)
}

func goodSetToNil(done bool, line string) string {
	a := arena.NewArena()
	if done {
		a.Free()
		a = nil
	}
	text := a.String(line)
	a.Free()
	return text
}

func goodSameCondition(done bool, line string) int {
	a := arenas.Get()
	u := parse(a, line)
	if done {
		a.Free()
	}
	n := 0
	if !done {
		n = u.id
		a.Free()
	}
	return n
}

func goodReplaced(lines []string) int {
	a := arenas.Get()
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
		if n > 1<<20 {
			a.Free()
			a = arenas.Get()
		}
	}
	a.Free()
	return n
}

func goodNilCheck(line string) bool {
	a := arena.NewArena()
	a.String(line)
	a.Free()
	return a != nil
}

func goodCopiedStruct(line string) string {
	a := arenas.Get()
	u := *parse(a, line)
	a.Free()
	return u.name
}

func goodError(line string) error {
	a := arenas.Get()
	u := parse(a, line)
	err := fmt.Errorf("user %s has no tags", u.name)
	a.Free()
	return fmt.Errorf("parse: %w", err)
}

func goodIgnored(line string) int {
	a := arenas.Get()
	u := parse(a, line)
	a.Free()
	return u.id //lessgc:ignore arenauseafterfree the test looks at zeroed memory
}
