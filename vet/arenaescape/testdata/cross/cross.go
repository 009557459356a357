// Package cross lets memory out through another package.
package cross

import (
	"cases/lib"

	"lessgc/arena"
)

func badNew(name string) *lib.Order {
	a := lib.Open()
	defer lib.Close(a)
	return lib.New(a, name) // want "outlives"
}

func goodNew(name string) *lib.Order {
	a := lib.Open()
	defer lib.Close(a)
	return lib.Copy(lib.New(a, name))
}

func badRemember(name string) {
	a := lib.Open()
	defer lib.Close(a)
	lib.Remember(lib.New(a, name)) // want "outlives"
}

func goodRemember(name string) {
	a := lib.Open()
	defer lib.Close(a)
	lib.RememberID(lib.New(a, name))
}

func badResult(name string) *lib.Result {
	a := lib.Open()
	defer lib.Close(a)
	return lib.NewResult(lib.New(a, name)) // want "outlives"
}

func goodResult(name string) *lib.Result {
	a := lib.Open()
	defer lib.Close(a)
	return lib.NewResult(lib.Copy(lib.New(a, name)))
}

func badItems(name string) []int {
	a := lib.Open()
	defer lib.Close(a)
	return arena.Append(a, nil, lib.Count(lib.New(a, name))) // want "outlives"
}

func goodItems(name string) []int {
	a := lib.Open()
	defer lib.Close(a)
	return append([]int(nil), lib.Count(lib.New(a, name)))
}

func goodParameter(a *arena.Arena, name string) *lib.Order { return lib.New(a, name) }

func goodSafe(name string) *lib.Order {
	a := arena.NewArena()
	defer lib.Close(a)
	return lib.New(a, name)
}

func goodHandedOver(name string) (*lib.Order, *arena.Arena) {
	a := lib.Open()
	return lib.New(a, name), a
}
