package pooled

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A note has a text.
type note struct {
	text  string
	notes []*note
}

// References has elements with pointers, as many as a variable tells that is set later.
func References(size int) (n int) {
	all := make([]*int, size) // rewritten
	for i := range all {
		all[i] = &i
		n += *all[i]
	}
	size = 0
	return n + cap(all)
}

// Rehydrated joins what it has.
func Rehydrated(lines []string, indexes []int) string {
	text := make([]string, len(indexes)) // rewritten
	for i, k := range indexes {
		text[i] = lines[k]
	}
	return strings.Join(text, "")
}

// First returns an element, which is no memory of the slice.
func First(notes []*note) *note {
	stack := make([]*note, 0, 8) // rewritten
	stack = append(stack, notes...)
	for len(stack) > 0 {
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(last.notes) == 0 {
			return last
		}
		stack = append(stack, last.notes...)
	}
	return nil
}

// Listed gives its elements to a function of many.
func Listed(w io.Writer, notes []*note) {
	args := make([]any, 0, len(notes)) // rewritten
	for _, n := range notes {
		args = append(args, n.text)
	}
	fmt.Fprintln(w, args...)
}

// Slots has an array of a constant size for each row.
func Slots(w io.Writer, rows [][]string) {
	for _, row := range rows {
		slots := make([]string, 16) // rewritten
		for _, s := range row {
			slots[len(s)] = s
		}
		fmt.Fprint(w, strings.Join(slots, "."), len(slots))
	}
}

// Roomy sees the room of a slice that is empty at first.
func Roomy(names []string) (n int) {
	all := make([]string, 0, 2*len(names)) // rewritten
	for _, s := range all[:cap(all)] {
		n += len(s)
	}
	copy(all[:cap(all)], names)
	return n*100 + cap(all)
}

// RefusedKeptElement keeps the address of an element.
func RefusedKeptElement(names []string) *string {
	all := make([]string, len(names)) // refused: the address of an element is returned
	copy(all, names)
	return &all[0]
}

// RefusedRow keeps the slice in another one.
func RefusedRow(names []string) (rows [][]string) {
	all := make([]string, len(names)) // refused: another slice has it
	copy(all, names)
	return append(rows, all)
}

// RefusedOwner stores the slice in an object that is returned.
func RefusedOwner(notes []*note) *note {
	all := make([]*note, len(notes)) // refused: an object has it
	copy(all, notes)
	return &note{notes: all}
}

// RefusedLess captures the slice.
func RefusedLess(notes []*note) string {
	all := make([]*note, len(notes)) // refused: a function literal captures it
	copy(all, notes)
	sort.Slice(all, func(i, j int) bool { return all[i].text < all[j].text })
	return all[0].text
}

// RefusedTail returns part of it.
func RefusedTail(names []string) []string {
	all := make([]string, 0, len(names)) // refused: part of it is returned
	all = append(all, names...)
	return all[1:]
}

// RefusedArgs gives it to a function that returns it.
func RefusedArgs(names []string) []any {
	all := make([]any, len(names)) // refused: a function returns what it is given
	for i, s := range names {
		all[i] = s
	}
	return gathered(all...)
}

func gathered(all ...any) []any { return all }

// RefusedChunks keeps iterators of it.
func RefusedChunks(names []string) (n int) {
	all := make([]string, len(names)) // refused: a function that is not known has it
	copy(all, names)
	for part := range slices.Chunk(all, 2) {
		n += len(part)
	}
	return n
}

// RefusedItself has a slice that an element refers to.
func RefusedItself(depth int) any {
	all := make([]any, depth) // refused: an element refers to it, and is returned
	all[0] = all
	return all[0]
}

// RefusedInterface makes it an interface, whose methods others may call.
func RefusedInterface(notes named) int {
	all := make(named, len(notes)) // refused: it is sorted by its methods, by code that is not known
	copy(all, notes)
	sort.Sort(all)
	return len(all)
}

type named []*note

func (n named) Len() int           { return len(n) }
func (n named) Less(i, j int) bool { return n[i].text < n[j].text }
func (n named) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }

// RefusedDeferred is used after the function has put it back.
func RefusedDeferred(w io.Writer, names []string) {
	all := make([]string, len(names)) // refused: a deferred call has it
	defer fmt.Fprint(w, len(all))
	copy(all, names)
}

// keptNotes keeps the import in use where nothing is rewritten.
var keptNotes sync.Map
