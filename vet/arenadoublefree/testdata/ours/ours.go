// Package ours frees arenas of lessgc.
package ours

import (
	"errors"
	"log"
	"strings"
	"sync"
	"testing"

	"lessgc/arena"
)

var errEmpty = errors.New("empty")

var (
	arenas   = arena.Pool{Policy: arena.RecycleTyped}
	recycled = arena.Pool{Policy: arena.RecycleAll}
)

func badSafe(name string) string {
	a := arena.NewArena()
	text := a.String("user " + name)
	a.Free()
	a.Free() // want "is freed twice"
	return text
}

func goodSafe(name string) string {
	a := arena.NewArena()
	text := a.String("user " + name)
	a.Reset()
	a.Free()
	return text
}

func badPool(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	a.Free()
	a.Free() // want "is freed twice"
	return n
}

func goodPool(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	a.Free()
	a = arenas.Get()
	a.Free()
	return n
}

func badDefer(name string) string {
	a := arenas.Get()
	defer a.Free() // want "is freed twice"
	text := a.String("user " + name)
	a.Free()
	return text
}

func goodDefer(name string) string {
	a := arenas.Get()
	defer a.Free()
	text := a.String("user " + name)
	a.Reset()
	return text
}

func badErrorPath(name string) (int, error) {
	a := arenas.Get()
	defer a.Free() // want "is freed twice"
	text := a.String("user " + name)
	if text == "user " {
		a.Free()
		return 0, errEmpty
	}
	return len(text), nil
}

func goodErrorPath(name string) (int, error) {
	a := arenas.Get()
	defer a.Free()
	text := a.String("user " + name)
	if text == "user " {
		return 0, errEmpty
	}
	return len(text), nil
}

func badBothDeferred(name string) int {
	a := arenas.Get()
	defer a.Free() // want "is freed twice"
	defer a.Free()
	return len(a.String(name))
}

func goodBothDeferred(head, body string) int {
	a := arenas.Get()
	defer a.Free()
	b := arenas.Get()
	defer b.Free()
	return len(a.String(head)) + len(b.String(body))
}

func badDeferredClosure(name string) int {
	a := arenas.Get()
	defer func() { a.Free() }() // want "is freed twice"
	n := len(a.String(name))
	a.Free()
	return n
}

func goodDeferredClosure(name string) int {
	a := arenas.Get()
	defer func() { a.Free() }()
	n := len(a.String(name))
	a.Free()
	a = arenas.Get()
	return n + len(a.String(name))
}

func badReplaced(lines []string) (n int) {
	a := arenas.Get()
	defer a.Free() // want "is freed twice"
	for _, line := range lines {
		n += len(a.String("> " + line))
	}
	a.Free()
	a = arenas.Get()
	n += len(a.String("."))
	a.Free()
	return n
}

func goodReplaced(lines []string) (n int) {
	a := arenas.Get()
	defer func() { a.Free() }()
	for _, line := range lines {
		n += len(a.String("> " + line))
	}
	a.Free()
	a = arenas.Get()
	n += len(a.String("."))
	return n
}

func badAfterBranches(verbose bool, name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	if verbose {
		log.Print(a.Stats().Bytes)
		a.Free()
	} else {
		a.Free()
	}
	a.Free() // want "is freed twice"
	return n
}

func goodAfterBranches(verbose bool, name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	if verbose {
		log.Print(a.Stats().Bytes)
		a.Free()
		return n
	}
	a.Free()
	return n
}

func badInBranch(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	a.Free()
	if n == 0 {
		a.Free() // want "is freed twice"
		return -1
	}
	return n
}

func goodInBranch(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	if n == 0 {
		a.Free()
		return -1
	}
	a.Free()
	return n
}

func badSwitch(kind, name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	switch kind {
	case "short":
		n = min(n, 8)
		a.Free()
	default:
		a.Free()
	}
	a.Free() // want "is freed twice"
	return n
}

func goodSwitch(kind, name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	switch kind {
	case "short":
		n = min(n, 8)
		a.Free()
	default:
		a.Free()
	}
	return n
}

func badLoop(lines []string) (n int) {
	a := recycled.Get()
	for _, line := range lines {
		n += len(line)
		a.Free() // want "is freed twice"
	}
	return n
}

func goodLoop(lines []string) (n int) {
	a := recycled.Get()
	for _, line := range lines {
		n += len(a.String("> " + line))
		a.Reset()
	}
	a.Free()
	return n
}

func goodBreak(lines []string) (n int) {
	a := recycled.Get()
	for _, line := range lines {
		if n += len(a.String("> " + line)); n > 100 {
			a.Free()
			return n
		}
	}
	a.Free()
	return n
}

func badChild(head, body string) int {
	a := arenas.Get()
	c := a.Child()
	n := len(a.String(head)) + len(c.String(body))
	a.Free()
	c.Free() // want "is freed twice"
	return n
}

func goodChild(head, body string) int {
	a := arenas.Get()
	c := a.Child()
	n := len(a.String(head)) + len(c.String(body))
	c.Free()
	a.Free()
	return n
}

func badChildDeferred(head, body string) int {
	a := arenas.Get()
	c := a.Child()
	defer c.Free() // want "is freed twice"
	defer a.Free()
	return len(a.String(head)) + len(c.String(body))
}

func goodChildDeferred(head, body string) int {
	a := arenas.Get()
	defer a.Free()
	c := a.Child()
	defer c.Free()
	return len(a.String(head)) + len(c.String(body))
}

func badEither(large bool, name string) int {
	var a *arena.Arena
	if large {
		a = recycled.Get()
	} else {
		a = arenas.Get()
	}
	n := len(a.String(name))
	a.Free()
	a.Free() // want "is freed twice"
	return n
}

func goodEither(large bool, name string) int {
	a, b := recycled.Get(), arenas.Get()
	n := 0
	if large {
		n = len(a.String(name))
	} else {
		n = len(b.String(name))
	}
	a.Free()
	b.Free()
	return n
}

func badAlias(name string) int {
	a := arenas.Get()
	b := a
	n := len(b.String(name))
	b.Free()
	a.Free() // want "is freed twice"
	return n
}

func goodAlias(name string) int {
	a := arenas.Get()
	b := a.Child()
	n := len(b.String(name))
	b.Free()
	a.Free()
	return n
}

func badRangeFunc(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		a := arenas.Get()
		n += len(a.String("> " + word))
		a.Free()
		a.Free() // want "is freed twice"
	}
	return n
}

func goodRangeFunc(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		a := arenas.Get()
		n += len(a.String("> " + word))
		a.Free()
	}
	return n
}

func badJoined(lines []string) (n int) {
	a := arenas.Get()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a.Adopt()
		defer a.Free()
		for _, line := range lines {
			n += len(a.String("> " + line))
		}
	}()
	wg.Wait()
	a.Free() // want "is freed twice"
	return n
}

func goodJoined(lines []string) (n int) {
	a := arenas.Get()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a.Adopt()
		for _, line := range lines {
			n += len(a.String("> " + line))
		}
	}()
	wg.Wait()
	a.Adopt()
	a.Free()
	return n
}

func goodTest(t *testing.T) {
	a := arenas.Get()
	t.Cleanup(a.Free)
	if len(a.String("x")) != 1 {
		t.Error("no text")
	}
	a.Reset()
}

func goodNil(name string) string {
	var a *arena.Arena
	text := a.String(name)
	a.Free()
	a.Free()
	return text
}

func goodSetToNil(name string) string {
	a := arena.NewArena()
	defer func() { a.Free() }()
	text := a.String(name)
	a.Free()
	a = nil
	return text + a.String("!")
}

func goodFlag(name string) (n int) {
	a := arenas.Get()
	freed := false
	defer func() {
		if !freed {
			a.Free()
		}
	}()
	if n = len(a.String(name)); n > 100 {
		a.Free()
		freed = true
		n = longest()
	}
	return n
}

func longest() int { return len(strings.Repeat("x", 1<<10)) }

func goodSameCondition(keep bool, name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	if !keep {
		a.Free()
	}
	n *= 2
	if keep {
		a.Free()
	}
	return n
}

func goodNilInLoop(lines []string) (n int) {
	var a *arena.Arena
	for _, line := range lines {
		if a == nil {
			a = arenas.Get()
		}
		n += len(a.String("> " + line))
		if n > 100 {
			a.Free()
			a = nil
		}
	}
	a.Free()
	return n
}

func goodFatal(name string) int {
	a := arenas.Get()
	defer a.Free()
	n := len(a.String(name))
	if n == 0 {
		a.Free()
		log.Fatal("no name")
	}
	return n
}

func badMissingReturn(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	if n == 0 {
		a.Free()
		log.Print("no name")
	}
	a.Free() // want "is freed twice"
	return n
}

func goodReturn(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	if n == 0 {
		a.Free()
		log.Print("no name")
		return -1
	}
	a.Free()
	return n
}

func goodTwoMarks(lines []string) (n int) {
	a := arenas.Get()
	defer a.Free()
	m := a.Mark()
	n += len(a.String(lines[0]))
	a.Release(m)
	n += len(a.String(lines[1]))
	a.Release(m)
	return n
}

func goodIgnored(name string) int {
	a := arenas.Get()
	n := len(a.String(name))
	a.Free()
	//lessgc:ignore arenadoublefree the test looks at the panic
	a.Free()
	return n
}
