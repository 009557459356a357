// Package ours uses arenas of lessgc.
package ours

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"sync"

	"lessgc/arena"
)

var errBad = errors.New("bad line")

// Each pool has arenas of another policy.
var (
	arenas   = arena.Pool{Policy: arena.RecycleTyped}
	recycled = &arena.Pool{Policy: arena.RecycleAll}
	safe     = arena.Pool{Policy: arena.Safe}
)

type user struct {
	id   int
	name string
	tags []string
	next *user
}

// parse makes a user of a line.
func parse(a *arena.Arena, line string) (*user, error) {
	name, tags, ok := strings.Cut(line, ":")
	if !ok {
		return nil, errBad
	}
	u := arena.New[user](a)
	u.name = a.String(name)
	for tag := range strings.SplitSeq(tags, ",") {
		u.tags = arena.Append(a, u.tags, a.String(tag))
	}
	return u, nil
}

func badSafe(names []string) int {
	a := arena.NewArena() // want "is not freed"
	n := 0
	for _, name := range names {
		n += len(a.String("user " + name))
	}
	return n
}

func goodSafe(names []string) int {
	a := arena.NewArena()
	n := 0
	for _, name := range names {
		n += len(a.String("user " + name))
	}
	a.Free()
	return n
}

func badPool(line string) int {
	a := arenas.Get() // want "is not freed"
	u := arena.New[user](a)
	u.name = line
	return len(u.name)
}

func goodPool(line string) int {
	a := arenas.Get()
	defer a.Free()
	u := arena.New[user](a)
	u.name = line
	return len(u.name)
}

func badRecycleAll(line string) int {
	a := recycled.Get() // want "is not freed"
	return len(a.String(line))
}

func goodRecycleAll(line string) int {
	a := recycled.Get()
	n := len(a.String(line))
	a.Free()
	return n
}

func badSafePool(line string) int {
	a := safe.Get() // want "is not freed"
	return len(a.String(line))
}

func goodSafePool(line string) int {
	a := safe.Get()
	defer a.Free()
	return len(a.String(line))
}

func badErrorPath(line string) (int, error) {
	a := arenas.Get() // want "is not freed"
	u, err := parse(a, line)
	if err != nil {
		return 0, err
	}
	n := len(u.tags)
	a.Free()
	return n, nil
}

func goodErrorPath(line string) (int, error) {
	a := arenas.Get()
	u, err := parse(a, line)
	if err != nil {
		a.Free()
		return 0, err
	}
	n := len(u.tags)
	a.Free()
	return n, nil
}

func badContinue(lines []string) int {
	n := 0
	for _, line := range lines {
		a := arenas.Get() // want "is not freed"
		u, err := parse(a, line)
		if err != nil {
			continue
		}
		n += len(u.tags)
		a.Free()
	}
	return n
}

func goodContinue(lines []string) int {
	n := 0
	for _, line := range lines {
		a := arenas.Get()
		u, err := parse(a, line)
		if err != nil {
			a.Free()
			continue
		}
		n += len(u.tags)
		a.Free()
	}
	return n
}

func badBreak(lines <-chan string) (n int) {
	for {
		a := arenas.Get() // want "is not freed"
		u, err := parse(a, <-lines)
		if err != nil {
			break
		}
		n += len(u.tags)
		a.Free()
	}
	return n
}

func goodBreak(lines <-chan string) (n int) {
	for {
		a := arenas.Get()
		u, err := parse(a, <-lines)
		if err != nil {
			a.Free()
			break
		}
		n += len(u.tags)
		a.Free()
	}
	return n
}

func badSwitch(kind, line string) string {
	a := arenas.Get() // want "is not freed"
	u := arena.New[user](a)
	u.name = line
	switch kind {
	case "upper":
		name := strings.ToUpper(u.name)
		a.Free()
		return name
	case "lower":
		return strings.ToLower(u.name)
	}
	a.Free()
	return line
}

func goodSwitch(kind, line string) string {
	a := arenas.Get()
	u := arena.New[user](a)
	u.name = line
	switch kind {
	case "upper":
		name := strings.ToUpper(u.name)
		a.Free()
		return name
	case "lower":
		name := strings.ToLower(u.name)
		a.Free()
		return name
	}
	a.Free()
	return line
}

func badSelect(ctx context.Context, lines <-chan string) (int, error) {
	a := arenas.Get() // want "is not freed"
	var words []string
	for {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case line, ok := <-lines:
			if !ok {
				n := len(words)
				a.Free()
				return n, nil
			}
			words = arena.Append(a, words, line)
		}
	}
}

func goodSelect(ctx context.Context, lines <-chan string) (int, error) {
	a := arenas.Get()
	defer a.Free()
	var words []string
	for {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case line, ok := <-lines:
			if !ok {
				return len(words), nil
			}
			words = arena.Append(a, words, line)
		}
	}
}

func badDeferInBranch(lines []string) int {
	a := arenas.Get() // want "is not freed"
	if len(lines) > 100 {
		defer a.Free()
	}
	words := arena.MakeSlice[string](a, 0, len(lines))
	return len(append(words, lines...))
}

func goodDeferInBranch(lines []string) int {
	var a *arena.Arena
	if len(lines) > 100 {
		a = arenas.Get()
		defer a.Free()
	}
	words := arena.MakeSlice[string](a, 0, len(lines))
	return len(append(words, lines...))
}

func badReplaced(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	n := 0
	for _, line := range lines {
		if a.Stats().Bytes > 1<<20 {
			a = arenas.Get() // want "is not freed"
		}
		n += len(a.String("> " + line))
	}
	return n
}

func goodReset(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	n := 0
	for _, line := range lines {
		if a.Stats().Bytes > 1<<20 {
			a.Reset()
		}
		n += len(a.String("> " + line))
	}
	return n
}

func goodReplaced(lines []string) int {
	a := arenas.Get()
	defer func() { a.Free() }()
	n := 0
	for _, line := range lines {
		if a.Stats().Bytes > 1<<20 {
			a.Free()
			a = arenas.Get()
		}
		n += len(a.String("> " + line))
	}
	return n
}

func badOverwritten(head, body string) int {
	a := arenas.Get() // want "is not freed"
	n := len(a.String(head))
	a = arenas.Get()
	n += len(a.String(body))
	a.Free()
	return n
}

func goodOverwritten(head, body string) int {
	a := arenas.Get()
	n := len(a.String(head))
	a.Free()
	a = arenas.Get()
	n += len(a.String(body))
	a.Free()
	return n
}

func badOnlyReset(lines []string) int {
	a := arenas.Get() // want "is not freed"
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
		a.Reset()
	}
	return n
}

func goodResetAndFree(lines []string) int {
	a := arenas.Get()
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
		a.Reset()
	}
	a.Free()
	return n
}

func badOnlyChild(head, body string) int {
	a := arenas.Get() // want "is not freed"
	c := a.Child()
	defer c.Free()
	return len(a.String(head)) + len(c.String(body))
}

func goodOnlyParent(head, body string) int {
	a := arenas.Get()
	c := a.Child()
	defer a.Free()
	return len(a.String(head)) + len(c.String(body))
}

func badOnlyRelease(lines []string) int {
	a := arenas.Get() // want "is not freed"
	m := a.Mark()
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
		a.Release(m)
	}
	return n
}

func goodReleaseAndFree(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	m := a.Mark()
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
		a.Release(m)
	}
	return n
}

func badWrongOne(head, body string) int {
	a := arenas.Get()
	b := arenas.Get() // want "is not freed"
	n := len(a.String(head)) + len(b.String(body))
	a.Free()
	return n
}

func goodBoth(head, body string) int {
	a := arenas.Get()
	b := arenas.Get()
	n := len(a.String(head)) + len(b.String(body))
	a.Free()
	b.Free()
	return n
}

func badGoroutine(lines []string, out chan<- int) {
	go func() {
		a := arenas.Get() // want "is not freed"
		n := 0
		for _, line := range lines {
			n += len(a.String("> " + line))
		}
		out <- n
	}()
}

func goodGoroutine(lines []string, out chan<- int) {
	go func() {
		a := arenas.Get()
		defer a.Free()
		n := 0
		for _, line := range lines {
			n += len(a.String("> " + line))
		}
		out <- n
	}()
}

func badRangeFunc(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		a := arenas.Get() // want "is not freed"
		n += len(a.String("> " + word))
	}
	return n
}

func goodRangeFunc(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		a := arenas.Get()
		n += len(a.String("> " + word))
		a.Free()
	}
	return n
}

func goodContext(ctx context.Context, line string) int {
	a := arenas.Get()
	defer a.Free()
	ctx = arena.NewContext(ctx, a)
	return len(greet(ctx, line))
}

func greet(ctx context.Context, name string) string {
	return arena.FromContext(ctx).String("hello " + name)
}

func badClone(line string) *user {
	a := arenas.Get() // want "is not freed"
	u := arena.New[user](a)
	u.name = line
	return arena.Clone(u)
}

func goodClone(line string) *user {
	a := arenas.Get()
	defer a.Free()
	u := arena.New[user](a)
	u.name = line
	return arena.Clone(u)
}

func goodKeepAll(line string) *user {
	a := arenas.Get()
	u := arena.New[user](a)
	u.name = line
	a.Keep()
	a.Free()
	return u
}

func goodFatal(line string) int {
	a := arenas.Get()
	u, err := parse(a, line)
	if err != nil {
		log.Fatal(err)
	}
	n := len(u.tags)
	a.Free()
	return n
}

func goodExit(line string) int {
	a := arenas.Get()
	u, err := parse(a, line)
	if err != nil {
		os.Exit(1)
	}
	n := len(u.tags)
	a.Free()
	return n
}

func goodPanic(line string) int {
	a := arenas.Get()
	u, err := parse(a, line)
	if err != nil {
		panic(err)
	}
	n := len(u.tags)
	a.Free()
	return n
}

func goodNilCheck(lines []string, useHeap bool) int {
	var a *arena.Arena
	if !useHeap {
		a = arenas.Get()
	}
	n := 0
	for _, line := range lines {
		n += len(a.String("> " + line))
	}
	if a != nil {
		a.Free()
	}
	return n
}

func goodChosen(lines []string) int {
	var a *arena.Arena
	if len(lines) > 1000 {
		a = recycled.Get()
	} else {
		a = arenas.Get()
	}
	defer a.Free()
	words := arena.MakeSlice[string](a, 0, len(lines))
	return len(append(words, lines...))
}

func goodFlag(w io.Writer, line string) (err error) {
	a := arenas.Get()
	freed := false
	defer func() {
		if !freed {
			a.Free()
		}
	}()
	text := strings.Clone(a.String("> " + line))
	a.Free()
	freed = true
	_, err = io.WriteString(w, text)
	return err
}

func goodJoined(parts [][]string) int {
	sums := make([]int, len(parts))
	var wg sync.WaitGroup
	for i, part := range parts {
		a := arenas.Get()
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.Adopt()
			defer a.Free()
			for _, line := range part {
				sums[i] += len(a.String("> " + line))
			}
		}()
	}
	wg.Wait()
	n := 0
	for _, sum := range sums {
		n += sum
	}
	return n
}
