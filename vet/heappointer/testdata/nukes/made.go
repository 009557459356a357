package nukes

import "github.com/ortuman/nuke"

type record struct {
	numbers []int
	counts  map[string]int
	next    *record
}

func badMakeSlice(a nuke.Arena, n int) *record {
	r := nuke.New[record](a)
	r.numbers = make([]int, n) // want `a slice is stored in memory of nuke.New`
	return r
}

func goodMakeSlice(a nuke.Arena, n int) *record {
	r := nuke.New[record](a)
	r.numbers = nuke.MakeSlice[int](a, n, n)
	return r
}

func badMapLiteral(a nuke.Arena, n int) *record {
	r := nuke.New[record](a)
	r.counts = map[string]int{"n": n} // want `a map is stored in memory of nuke.New`
	return r
}

var allCounts []map[string]int

func goodMapLiteral(a nuke.Arena, n int) *record {
	r := nuke.New[record](a)
	counts := map[string]int{"n": n}
	allCounts = append(allCounts, counts)
	r.counts = counts
	return r
}

func newRecord() *record { return &record{next: &record{}} }

func badWhole(a nuke.Arena) *record {
	r := nuke.New[record](a)
	*r = *newRecord() // want `a value of type record, which has pointers, is stored in memory of nuke.New`
	return r
}

var last = &record{}

func lastRecord() *record { return &record{next: last} }

func goodWhole(a nuke.Arena) *record {
	r := nuke.New[record](a)
	*r = *lastRecord()
	return r
}
