// Package cross frees arenas through another package.
package cross

import "cases/lib"

func badClose(text string) int {
	a := lib.Open()
	n := lib.Len(a, text)
	lib.Close(a)
	lib.Close(a) // want "is freed twice"
	return n
}

func goodClose(text string) int {
	a := lib.Open()
	n := lib.Len(a, text)
	lib.Close(a)
	a = nil
	lib.Close(a)
	return n
}

func badFinish(text string) int {
	a := lib.Open()
	n := lib.Finish(a, text)
	a.Free() // want "is freed twice"
	return n
}

func goodFinish(text string) int {
	a := lib.Open()
	n := lib.Len(a, text)
	a.Free()
	return n
}

func badDeferClose(text string) int {
	a := lib.Open()
	defer lib.Close(a) // want "is freed twice"
	return lib.Finish(a, text)
}

func goodDeferClose(text string) int {
	a := lib.Open()
	defer lib.Close(a)
	return lib.Len(a, text)
}
