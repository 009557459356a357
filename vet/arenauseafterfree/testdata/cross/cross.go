// Package cross uses arenas of another package.
package cross

import (
	"cases/lib"

	"lessgc/arena"
	"lessgc/arena/deep"
)

func badClose(text string) int {
	a := lib.Open()
	o := lib.Parse(a, text)
	lib.Close(a)
	return o.ID // want "is used after"
}

func goodClose(text string) int {
	a := lib.Open()
	o := lib.Parse(a, text)
	id := o.ID
	lib.Close(a)
	return id
}

func badTotal(text string) int {
	a := lib.Open()
	o := lib.Parse(a, text)
	lib.Close(a)
	return lib.Total(o) // want "is used after"
}

func goodTotal(text string) int {
	a := lib.Open()
	o := lib.Parse(a, text)
	sum := lib.Total(o)
	lib.Close(a)
	return sum
}

func badParse(text string) int {
	a := arena.NewArena()
	a.Free()
	return lib.Total(lib.Parse(a, text)) // want "is used after"
}

func goodParse(text string) int {
	a := arena.NewArena()
	defer lib.Close(a)
	return lib.Total(lib.Parse(a, text))
}

func goodSafe(text string) int {
	a := arena.NewArena()
	o := lib.Parse(a, text)
	lib.Close(a)
	return lib.Total(o)
}

func goodCloned(text string) int {
	a := lib.Open()
	o := deep.Clone(lib.Parse(a, text))
	lib.Close(a)
	return lib.Total(o)
}
