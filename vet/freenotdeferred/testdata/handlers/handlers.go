// Package handlers serves requests with arenas of lessgc.
package handlers

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strconv"
	"time"

	"lessgc/arena"
)

var pool = arena.Pool{Policy: arena.RecycleTyped}

type order struct {
	ID    int
	Items []string
}

func parse(a *arena.Arena, r io.Reader) (*order, error) {
	o := arena.New[order](a)
	return o, json.NewDecoder(r).Decode(o)
}

func badCount(r io.Reader) int {
	a := pool.Get()
	o, _ := parse(a, r)
	n := len(o.Items)
	a.Free() // want `a is not freed if parse panics`
	return n
}

func goodCount(ids []int) int {
	a := pool.Get()
	o := arena.New[order](a)
	for _, id := range ids {
		o.Items = arena.Append(a, o.Items, strconv.Itoa(id))
	}
	n := len(o.Items)
	a.Free()
	return n
}

func badEarly(r io.Reader) (int, error) {
	a := pool.Get()
	o, err := parse(a, r)
	if err != nil {
		return 0, err
	}
	n := o.ID
	a.Free() // want `a is not freed if the function returns before this`
	return n, nil
}

func goodEarly(r io.Reader) (int, error) {
	a := pool.Get()
	defer func() { a.Free() }()
	o, err := parse(a, r)
	if err != nil {
		return 0, err
	}
	return o.ID, nil
}

func badTwice(r io.Reader) (int, error) {
	a := pool.Get()
	o, err := parse(a, r)
	if err != nil {
		a.Free()
		return 0, err
	}
	n := o.ID
	a.Free() // want `a is not freed if parse panics`
	return n, nil
}

// The arena goes on without a defer: it is freed before the slow part.
func goodBefore(w io.Writer, r io.Reader) error {
	a := pool.Get()
	o, err := parse(a, r)
	n := 0
	if err == nil {
		n = o.ID
	}
	a.Free()
	time.Sleep(time.Second)
	_, err = io.WriteString(w, strconv.Itoa(n))
	return err
}

func goodBeforeReturn(w io.Writer, r io.Reader) (int, error) {
	a := pool.Get()
	o, err := parse(a, r)
	n := 0
	if err == nil {
		n = o.ID
	}
	a.Free()
	return io.WriteString(w, strconv.Itoa(n))
}

// Each turn has its own.
func goodLoop(all []io.Reader) (sum int) {
	for _, r := range all {
		a := pool.Get()
		if o, err := parse(a, r); err == nil {
			sum += o.ID
		}
		a.Free()
	}
	return sum
}

func badTurn(all []io.Reader) (sum int) {
	each := func(r io.Reader) {
		a := pool.Get()
		if o, err := parse(a, r); err == nil {
			sum += o.ID
		}
		a.Free() // want `a is not freed if parse panics`
	}
	for _, r := range all {
		each(r)
	}
	return sum
}

type session struct {
	a    *arena.Arena
	last *order
}

func goodHandedOver(r io.Reader) (*session, error) {
	a := pool.Get()
	s := &session{a: a}
	var err error
	if s.last, err = parse(a, r); err == nil {
		return s, nil
	}
	a.Free()
	return nil, err
}

func badKept(r io.Reader) error {
	a := pool.Get()
	s := &session{}
	var err error
	if s.last, err = parse(a, r); err == nil {
		s.last = nil
	}
	a.Free() // want `a is not freed if parse panics`
	return err
}

func badText(r io.Reader) string {
	a := pool.Get()
	o, _ := parse(a, r)
	s := strconv.Itoa(o.ID)
	a.Free() // want `a is not freed if parse panics`
	return s
}

func badNil(r io.Reader, on bool) (int, error) {
	a := pool.Get()
	if a == nil {
		return 0, errors.New("off")
	}
	o, err := parse(a, r)
	n := o.ID
	a.Free() // want `a is not freed if parse panics`
	return n, err
}

func goodCalm(r io.Reader) (int, error) {
	a := pool.Get()
	if a == nil {
		return 0, errors.New("off")
	}
	o := arena.New[order](a)
	n := o.ID
	a.Free()
	return n, nil
}

func badPanic(n int) int {
	a := pool.Get()
	s := arena.MakeSlice[int](a, n, n)
	if len(s) == 0 {
		panic("no numbers")
	}
	n = s[0]
	a.Free() // want `a is not freed if the function panics`
	return n
}

func badFunction(n int, f func([]int)) {
	var a = arena.NewArena()
	f(arena.MakeSlice[int](a, n, n))
	a.Free() // want `a is not freed if f panics`
}

func goodFunction(n int, f func([]int)) {
	var a = arena.NewArena()
	runtime.AddCleanup(&n, func(a *arena.Arena) { a.Free() }, a)
	f(arena.MakeSlice[int](a, n, n))
	a.Free()
}

func badMiddle(n int, f func([]int) error) error {
	a := arena.NewArena()
	if err := f(arena.MakeSlice[int](a, n, n)); err != nil {
		return err
	}
	for range n {
		if err := f(nil); err != nil {
			a.Free()
			return err
		}
	}
	a.Free() // want `a is not freed if the function returns before this`
	return nil
}

func goodGoroutine(n int, f func([]int)) {
	a := arena.NewArena()
	done := make(chan bool)
	go func() {
		f(arena.MakeSlice[int](a, n, n))
		a.Free()
		close(done)
	}()
	<-done
}

func badReturn(n int) (int, error) {
	a := pool.Get()
	s := arena.MakeSlice[int](a, n, n)
	if len(s) == 0 {
		return 0, errors.New("no numbers")
	}
	n = s[0]
	a.Free() // want `a is not freed if the function returns before this`
	return n, nil
}

func goodReturn(n int) (int, error) {
	a := pool.Get()
	s := arena.MakeSlice[int](a, n, n)
	if len(s) == 0 {
		a.Free()
		return 0, errors.New("no numbers")
	}
	n = s[0]
	a.Free()
	return n, nil
}
