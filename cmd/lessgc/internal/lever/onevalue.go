package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var oneValue = &Lever{
	Name:  "one-value",
	Title: "cut the slices of one element out of a common slice",
	way:   together,
	Looks: "an element of a map of slices that gets one value more, or a new slice of one value, when the profile shows that most of these slices have a single element or two.",
	Wrong: "when one of the values is kept long after the others: it keeps the whole common slice. When most keys have many values: then begin each slice with room for more.",
	Before: `for _, f := range fields {
	m[f.key] = append(m[f.key], f.value)
}`,
	After: `all := make([]string, 0, len(fields)) // as net/textproto has it for headers
for _, f := range fields {
	if old := m[f.key]; old != nil || len(all) == cap(all) {
		m[f.key] = append(old, f.value)
		continue
	}
	all = append(all, f.value)
	m[f.key] = all[len(all)-1 : len(all) : len(all)] // append copies it, and leaves the next alone
}`,
	Model: "The slices of all keys with one value become one object.",
	Risk:  Lifetime,
	Asks:  "Have most keys a single value, and are the values dropped at about the same time? Make one slice for the first values of all keys, and give each key part of it with no room behind (s[i:i+1:i+1]); or keep a single value without a slice.",
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0, 0.4}},
	find:  findOneValue,
}

const (
	mostInOne  = 2.2 // elements of a slice, on the average, of which most have a single one
	largestOne = 64  // bytes of an element
)

func findOneValue(p *Line) (f Finding) {
	if n := p.each(); n > 0 && n < 2 {
		return f
	}
	for _, in := range p.allocators() {
		set, ok := in.(*ssa.MapUpdate)
		if !ok || mapType(set.Map) == nil {
			continue
		}
		slice, ok := set.Value.Type().Underlying().(*types.Slice)
		if !ok || hasTypeParameter(slice.Elem()) || p.pkg.TypesSizes == nil || !onlyValueAdded(set) {
			continue
		}
		each := p.pkg.TypesSizes.Sizeof(slice.Elem())
		group := p.groupSize(mapType(set.Map))
		if each > largestOne || p.objectSize() > mostInOne*float64(each) && p.objectSize() > 0.5*float64(group) {
			return f
		}
		text := fmt.Sprintf("the slices of the map's elements are objects of their own: what is allocated here has %.0f bytes on average, and one %s has %d%s", p.objectSize(), short(slice.Elem()), each, p.inEach())
		share := p.direct() * ofSlices(float64(each), p.objectSize(), float64(group))
		return Finding{Share: share, Evidence: []Evidence{p.at(set.Pos(), text)}}
	}
	return f
}

// ofSlices is the share of the slices in what a line allocates, for objects and bytes alike, if the others are a map's: the
// slices are most of the objects, and the map most of the bytes.
func ofSlices(slice, mean, group float64) float64 {
	if mean <= mostInOne*slice || group <= slice {
		return 1
	}
	objects := 1 - (mean-slice)/(group-slice)
	return (objects + objects*slice/mean) / 2
}

// onlyValueAdded reports whether an element of a map gets a value more than it had, or a new slice of one value.
func onlyValueAdded(set *ssa.MapUpdate) bool {
	switch v := set.Value.(type) {
	case *ssa.Call:
		return callsBuiltin(v, "append") && fromEntry(v.Call.Args[0], set.Map, 0) && oneElement(v.Call.Args[1])
	case *ssa.Slice:
		return oneElement(v)
	}
	return false
}

// fromEntry reports whether a value is an element of a map.
func fromEntry(v, m ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Lookup:
		return types.Identical(v.X.Type(), m.Type())
	case *ssa.Extract:
		return fromEntry(v.Tuple, m, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth < 3 && fromEntry(e, m, depth+1) {
				return true
			}
		}
	}
	return false
}

// oneElement reports whether a value is a new slice of one element.
func oneElement(v ssa.Value) bool {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	made, ok := slice.X.(*ssa.Alloc)
	if !ok || slice.Low != nil || slice.High != nil {
		return false
	}
	array, ok := elemOf(made).Underlying().(*types.Array)
	return ok && array.Len() == 1
}
