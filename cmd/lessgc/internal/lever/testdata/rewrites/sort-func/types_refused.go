package sorts

import (
	"cmp"
	"slices"
	"sort"
	"sync"
)

var (
	_ = cmp.Less[int]
	_ = slices.IsSorted[[]int]
)

type byPoints []user

func (s byPoints) Len() int           { return len(s) }
func (s byPoints) Less(i, j int) bool { return s[i].score < s[j].score }
func (s byPoints) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByPoints(users []user) {
	sort.Sort(byPoints(users)) // refused: floats have NaN
}

type byMethod []user

func (s byMethod) Len() int           { return len(s) }
func (s byMethod) Less(i, j int) bool { return s[i].key() < s[j].key() }
func (s byMethod) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByMethod(users []user) {
	sort.Sort(byMethod(users)) // refused: a method is called
}

type byCount []user

func (s byCount) Len() int           { return len(s) }
func (s byCount) Less(i, j int) bool { uses++; return s[i].id < s[j].id }
func (s byCount) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByCount(users []user) {
	sort.Sort(byCount(users)) // refused: it counts, too
}

type byTwo []user

func (s byTwo) Len() int           { return len(s) }
func (s byTwo) Less(i, j int) bool { return s[i].id < s[j].id && s[i].name < s[j].name }
func (s byTwo) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByTwo(users []user) {
	sort.Sort(byTwo(users)) // refused: two fields are compared
}

type byOther []user

func (s byOther) Len() int           { return len(s) }
func (s byOther) Less(i, j int) bool { return s[i].name < s[j].meta.tags[0] }
func (s byOther) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByOther(users []user) {
	sort.Sort(byOther(users)) // refused: two different fields are compared
}

type byEqual []user

func (s byEqual) Len() int           { return len(s) }
func (s byEqual) Less(i, j int) bool { return s[i].id <= s[j].id }
func (s byEqual) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByEqual(users []user) {
	sort.Sort(byEqual(users)) // refused: it is no order
}

type byItself []user

func (s byItself) Len() int           { return len(s) }
func (s byItself) Less(i, j int) bool { return s[i].id < s[i].id }
func (s byItself) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByItself(users []user) {
	sort.Sort(byItself(users)) // refused: an element is compared with itself
}

// order is what byOrder compares.
var order = make([]user, 4)

type byOrder []user

func (s byOrder) Len() int           { return len(s) }
func (s byOrder) Less(i, j int) bool { return order[i].id < order[j].id }
func (s byOrder) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByOrder(users []user) {
	sort.Sort(byOrder(users)) // refused: another slice is compared
}

type byPlace []user

func (s byPlace) Len() int           { return len(s) }
func (s byPlace) Less(i, j int) bool { return i < j }
func (s byPlace) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByPlace(users []user) {
	sort.Sort(byPlace(users)) // refused: positions are compared
}

type byTag []user

func (s byTag) Len() int           { return len(s) }
func (s byTag) Less(i, j int) bool { return s[i].meta.tags[0] < s[j].meta.tags[0] }
func (s byTag) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryByTag(users []user) {
	sort.Sort(byTag(users)) // refused: an element of a slice in the element is compared
}

type swapsCounting []user

func (s swapsCounting) Len() int           { return len(s) }
func (s swapsCounting) Less(i, j int) bool { return s[i].id < s[j].id }
func (s swapsCounting) Swap(i, j int)      { s[i], s[j] = s[j], s[i]; uses++ }

func trySwapsCounting(users []user) {
	sort.Sort(swapsCounting(users)) // refused: Swap counts, too
}

type swapsNothing []user

func (s swapsNothing) Len() int           { return len(s) }
func (s swapsNothing) Less(i, j int) bool { return s[i].id < s[j].id }
func (s swapsNothing) Swap(i, j int)      { s[i], s[j] = s[i], s[j] }

func trySwapsNothing(users []user) {
	sort.Sort(swapsNothing(users)) // refused: Swap exchanges nothing
}

type swapsPart []user

func (s swapsPart) Len() int           { return len(s) }
func (s swapsPart) Less(i, j int) bool { return s[i].id < s[j].id }
func (s swapsPart) Swap(i, j int)      { s[i].id, s[j].id = s[j].id, s[i].id }

func trySwapsPart(users []user) {
	sort.Sort(swapsPart(users)) // refused: Swap exchanges part of the elements
}

type swapsOther []user

func (s swapsOther) Len() int           { return len(s) }
func (s swapsOther) Less(i, j int) bool { return s[i].id < s[j].id }
func (s swapsOther) Swap(i, j int)      { order[i], order[j] = order[j], order[i] }

func trySwapsOther(users []user) {
	sort.Sort(swapsOther(users)) // refused: Swap exchanges elements of another slice
}

type swapsAdding []int

func (s swapsAdding) Len() int           { return len(s) }
func (s swapsAdding) Less(i, j int) bool { return s[i] < s[j] }
func (s swapsAdding) Swap(i, j int)      { s[i], s[j] = s[j]+0, s[i] }

func trySwapsAdding(all []int) {
	sort.Sort(swapsAdding(all)) // refused: Swap does more
}

type shorter []user

func (s shorter) Len() int           { return max(len(s), 1) - 1 }
func (s shorter) Less(i, j int) bool { return s[i].id < s[j].id }
func (s shorter) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryShorter(users []user) {
	sort.Sort(shorter(users)) // refused: Len leaves one out
}

type longer []user

func (s longer) Len() int           { return min(cap(s), len(s)) }
func (s longer) Less(i, j int) bool { return s[i].id < s[j].id }
func (s longer) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryLonger(users []user) {
	sort.Sort(longer(users)) // refused: Len is something else
}

type lenOfOther []user

func (s lenOfOther) Len() int           { return len(order[:0]) }
func (s lenOfOther) Less(i, j int) bool { return s[i].id < s[j].id }
func (s lenOfOther) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryLenOfOther(users []user) {
	sort.Sort(lenOfOther(users)) // refused: Len is that of another slice
}

type reversed []user

func (s reversed) Len() int           { return len(s) }
func (s reversed) Less(i, j int) bool { return s[i].id < s[j].id }
func (s reversed) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryReversed(users []user) {
	sort.Sort(sort.Reverse(reversed(users))) // refused: it is reversed
}

type ofNil []user

func (s ofNil) Len() int           { return len(s) }
func (s ofNil) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ofNil) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryOfNil(users []user) {
	sort.Sort(ofNil(nil)) // refused: there is no slice
}

type ofText []byte

func (s ofText) Len() int           { return len(s) }
func (s ofText) Less(i, j int) bool { return s[i] < s[j] }
func (s ofText) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryOfText(text string) {
	sort.Sort(ofText(text)) // refused: a copy is sorted
}

type ofCall []user

func (s ofCall) Len() int           { return len(s) }
func (s ofCall) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ofCall) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func clone(users []user) []user { return append([]user(nil), users...) }

func tryOfCall(users []user) {
	sort.Sort(ofCall(clone(users))) // refused: a function is called
}

type ofPart []user

func (s ofPart) Len() int           { return len(s) }
func (s ofPart) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ofPart) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryOfPart(users []user) {
	sort.Sort(ofPart(users[1:])) // refused: part of a slice is sorted
}

type ofResult []user

func (s ofResult) Len() int           { return len(s) }
func (s ofResult) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ofResult) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func made(users []user) ofResult { return users }

func tryOfResult(users []user) {
	sort.Sort(made(users)) // refused: a function makes the slice
}

type ofTypes []user

func (s ofTypes) Len() int           { return len(s) }
func (s ofTypes) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ofTypes) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryOfTypes[S ~[]user](users S) {
	sort.Sort(ofTypes(users)) // refused: the type of the slice is a parameter
}

type inGo []user

func (s inGo) Len() int           { return len(s) }
func (s inGo) Less(i, j int) bool { return s[i].id < s[j].id }
func (s inGo) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryInGo(users []user) {
	defer sort.Sort(inGo(users)) // refused: it runs later
}

type inGoroutine []user

func (s inGoroutine) Len() int           { return len(s) }
func (s inGoroutine) Less(i, j int) bool { return s[i].id < s[j].id }
func (s inGoroutine) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryInGoroutine(users []user) {
	go sort.Sort(inGoroutine(users)) // refused: it runs later
}

type hidden []user

func (s hidden) Len() int           { return len(s) }
func (s hidden) Less(i, j int) bool { return s[i].id < s[j].id }
func (s hidden) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryHidden(user []user) {
	sort.Sort(hidden(user)) // refused: the name of the type means something else here
}

type noCmp []user

func (s noCmp) Len() int           { return len(s) }
func (s noCmp) Less(i, j int) bool { return s[i].id < s[j].id }
func (s noCmp) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryNoCmp(users []user, cmp int) {
	sort.Sort(noCmp(users)) // refused: the name of the package means something else here
}

type noSlices []int

func (s noSlices) Len() int           { return len(s) }
func (s noSlices) Less(i, j int) bool { return s[i] < s[j] }
func (s noSlices) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryNoSlices(slices []int) {
	sort.Sort(noSlices(slices)) // refused: the name of the package means something else here
}

type noted []user

func (s noted) Len() int           { return len(s) }
func (s noted) Less(i, j int) bool { return s[i].id < s[j].id }
func (s noted) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryNoted(users []user) {
	sort.Sort(noted(users /* all of them */)) // refused: a comment would go
}

type explains []user

func (s explains) Len() int           { return len(s) }
func (s explains) Less(i, j int) bool { return s[i].id < s[j].id /* the youngest first */ }
func (s explains) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryExplains(users []user) {
	sort.Sort(explains(users)) // refused: the type has no other use, and a comment in its method would go
}

// mentioned is the type below, as mentionedToo says.
type mentioned []user

func (s mentioned) Len() int           { return len(s) }
func (s mentioned) Less(i, j int) bool { return s[i].id < s[j].id }
func (s mentioned) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// mentionedToo is like mentioned.
var mentionedToo int

func tryMentioned(users []user) {
	sort.Sort(mentioned(users)) // refused: the type has no other use, and a comment names it
}

// A heading.

type headed []user

func (s headed) Len() int           { return len(s) }
func (s headed) Less(i, j int) bool { return s[i].id < s[j].id }
func (s headed) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryHeaded(users []user) {
	sort.Sort(headed(users)) // refused: the type has no other use, and a heading would stay
}

type marked []user

func (s marked) Len() int           { return len(s) }
func (s marked) Less(i, j int) bool { return s[i].id < s[j].id }

//go:noinline
func (s marked) Swap(i, j int) { s[i], s[j] = s[j], s[i] }

func tryMarked(users []user) {
	sort.Sort(marked(users)) // refused: the type has no other use, and a method has a directive
}

type (
	grouped []user
	beside  []user
)

func (s grouped) Len() int           { return len(s) }
func (s grouped) Less(i, j int) bool { return s[i].id < s[j].id }
func (s grouped) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryGrouped(users []user) {
	sort.Sort(grouped(users)) // refused: the type has no other use, and is declared with another one
}

type ofOtherBuild []user

func (s ofOtherBuild) Len() int           { return len(s) }
func (s ofOtherBuild) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ofOtherBuild) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryOfOtherBuild(users []user) {
	sort.Sort(ofOtherBuild(users)) // refused: a file for another build uses the type
}

type generic[T any] []user

func (s generic[T]) Len() int           { return len(s) }
func (s generic[T]) Less(i, j int) bool { return s[i].id < s[j].id }
func (s generic[T]) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func tryGeneric(users []user) {
	sort.Sort(generic[int](users)) // refused: the type is generic
}

type promoting struct{ ByID }

func tryPromoting(users []user) {
	sort.Sort(promoting{ByID(users)}) // refused: the methods are promoted
}

type ofPointer []user

func (s *ofPointer) Len() int           { return len(*s) }
func (s *ofPointer) Less(i, j int) bool { return (*s)[i].id < (*s)[j].id }
func (s *ofPointer) Swap(i, j int)      { (*s)[i], (*s)[j] = (*s)[j], (*s)[i] }

func tryPointer(s ofPointer) {
	sort.Sort(&s) // refused: the methods are those of a pointer
}

func tryLibrary(all []int) {
	sort.Sort(sort.IntSlice(all)) // refused: the methods are of another package
}

func tryInterface(s sort.Interface) {
	sort.Sort(s) // refused: what is sorted is not known
}

// A locked value has a lock.
type locked struct {
	mu sync.Mutex
	id int
}

func sortLocked(all []locked) {
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id }) // refused: the comparison would copy a lock
}

// A wide value is larger than a comparison should copy.
type wide struct {
	id   uint64
	rest [24]byte
}

func sortWide(all []wide) {
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id }) // refused: an array is copied in memory
}

type byWideName []named

type named struct {
	name    string
	a, b, c uint64
}

func (s byWideName) Len() int           { return len(s) }
func (s byWideName) Less(i, j int) bool { return s[i].name < s[j].name }
func (s byWideName) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortNamed(all []named) {
	sort.Sort(byWideName(all)) // refused: five words are copied in memory
}

func sortWithInt(users []user, int bool) bool {
	sort.Slice(users, func(i, j int2) bool { return users[i].id < users[j].id }) // refused: int is a variable here
	return int
}

type int2 = int

func sortLocal[T any](in []T, id func(T) int) (out []T) {
	type item struct {
		id int
		v  T
	}
	var s []item
	for _, v := range in {
		s = append(s, item{id(v), v})
	}
	sort.Slice(s, func(i, j int) bool { return s[i].id < s[j].id }) // refused: its size depends on a type parameter
	for _, x := range s {
		out = append(out, x.v)
	}
	return out
}

type pids []int32

func sortPids(all pids) {
	sort.Slice(all, func(i, j int) bool { return all[i] > all[j] }) // refused: another build has other elements
}

type mark int64

type markedWith struct{ v mark }

func sortMarked(all []markedWith) {
	sort.Slice(all, func(i, j int) bool { return all[i].v < all[j].v }) // refused: in another build they may be NaN
}
