// Package site finds the allocation sites of a program: for each, what it
// allocates, what of that is live, and its part of the CPU time that allocation and
// collection take.
package site

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/prof"
)

// A Site is a line of the user's own code from which memory is allocated, mostly in
// functions of other packages that it calls.
type Site struct {
	prof.Frame

	Objects, Bytes         int64   // allocated
	LiveObjects, LiveBytes int64   // of those, when the profile was taken
	Samples                float64 // of the profile of allocations, about: the relative error is 1/sqrt of it

	AllocCPU int64 // samples of the CPU profile that allocate, or copy what grows
	NoScan   int64 // of those, in memory without pointers
	Scan     int64 // and in memory with them
	CopyCPU  int64 // of AllocCPU, those that copy what grows

	// Work is samples of the CPU profile below the line that neither allocate nor collect, by each
	// function on their stacks.
	Work map[string]int64

	// Benchmarks has the objects of each function of a benchmark, "" for stacks without one.
	Benchmarks map[string]int64

	Ops int64 // operations of the benchmark that the profile is of; 0 if it is of several, or does not say

	Leaves []Leaf // what it calls that allocates, most bytes first
}

// A Leaf is a way from a site to an allocation.
type Leaf struct {
	Path    []prof.Frame // from the site, which it does not hold, to the call of the runtime
	Callers []prof.Frame // from the call of the site's function to the outermost, of one stack
	Stacks  []Stack      // all of them

	Bytes, Objects int64

	Sizes []Size // of the objects, the smallest first: what grows has one for each step
}

// A Size counts the objects of one size.
type Size struct{ Bytes, Objects int64 }

// A Stack holds the callers of objects of about one size.
type Stack struct {
	Callers []prof.Frame // as of a Leaf

	Bytes, Objects int64
}

// Caller is the line that calls the site's function.
func (l Leaf) Caller() prof.Frame {
	if len(l.Callers) == 0 {
		return prof.Frame{}
	}
	return l.Callers[0]
}

// Allocates returns the line that asks the runtime for memory, by way of a leaf, and the
// line that calls its function.
func (s *Site) Allocates(l Leaf) (at, caller prof.Frame) {
	switch n := len(l.Path); n {
	case 0:
		return s.Frame, l.Caller()
	case 1:
		return l.Path[0], s.Frame
	default:
		return l.Path[n-1], l.Path[n-2]
	}
}

// Outside is the function of the site that stands for stacks without a frame of the
// user's code.
const Outside = "(outside of the module)"

// Own reports whether a package is the user's.
type Own func(pkg string) bool

// Module returns an Own for the packages of modules with these paths. With none, it is
// all that is not of the standard library: import paths of that have no dot in
// their first element.
func Module(paths ...string) Own {
	if len(paths) == 0 {
		return func(pkg string) bool {
			first, _, _ := strings.Cut(pkg, "/")
			return strings.Contains(first, ".") || pkg == "main"
		}
	}
	return func(pkg string) bool {
		return pkg == "main" || slices.ContainsFunc(paths, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") })
	}
}

// Find returns the sites of a profile of allocations, most bytes first. cpu may be
// nil.
func Find(allocs, cpu *prof.Profile, own Own) []*Site {
	sites := map[prof.Frame]*Site{}
	at := func(stack []prof.Frame) (*Site, int) {
		i := firstOwn(stack, own)
		key := prof.Frame{Func: Outside}
		if i >= 0 {
			key = stack[i]
		}
		if sites[key] == nil {
			sites[key] = &Site{Frame: key}
		}
		return sites[key], i
	}
	bytes, objects := allocs.Value("alloc_space"), allocs.Value("alloc_objects")
	liveBytes, liveObjects := allocs.Value("inuse_space"), allocs.Value("inuse_objects")
	leaves, ops := map[*Site]map[string]*Leaf{}, allocs.Ops()
	for _, s := range allocs.Sample {
		stack := prof.Stack(s)
		site, i := at(stack)
		site.Bytes += s.Value[bytes]
		site.Objects += s.Value[objects]
		site.Samples += prof.Sampled(s.Value[bytes], s.Value[objects], allocs.Period)
		if liveBytes >= 0 && liveObjects >= 0 {
			site.LiveBytes += s.Value[liveBytes]
			site.LiveObjects += s.Value[liveObjects]
		}
		if leaves[site] == nil {
			leaves[site] = map[string]*Leaf{}
		}
		addLeaf(leaves[site], stack, i, s.Value[bytes], s.Value[objects])
		if site.Benchmarks == nil {
			site.Benchmarks = map[string]int64{}
		}
		site.Benchmarks[benchmarkOf(stack)] += s.Value[objects]
	}
	if cpu != nil {
		count := cpu.Value("samples")
		for _, s := range cpu.Sample {
			stack := prof.Stack(s)
			class := ceiling.Classify(stack)
			if class == ceiling.Other {
				addWork(sites, stack, own, s.Value[count])
			}
			if class != ceiling.Alloc && class != ceiling.Copy {
				continue
			}
			site, _ := at(stack)
			site.AllocCPU += s.Value[count]
			if class == ceiling.Copy {
				site.CopyCPU += s.Value[count]
			}
			switch pointers(stack) {
			case "noscan":
				site.NoScan += s.Value[count]
			case "scan":
				site.Scan += s.Value[count]
			}
		}
	}
	all := make([]*Site, 0, len(sites))
	for _, s := range sites {
		s.Ops = ops
		for _, l := range leaves[s] {
			s.Leaves = append(s.Leaves, *l)
		}
		slices.SortFunc(s.Leaves, func(a, b Leaf) int {
			return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(pathKey(a.Path), pathKey(b.Path)))
		})
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// firstOwn returns the index of the innermost frame of the user's code, -1 if there is none. The main package
// that go test generates is not the user's.
func firstOwn(stack []prof.Frame, own Own) int {
	return slices.IndexFunc(stack, func(f prof.Frame) bool {
		return own(f.Package()) && filepath.Base(f.File) != "_testmain.go"
	})
}

// addWork adds to the functions of a stack that are below a site. A line that allocates nothing
// is no site.
func addWork(sites map[prof.Frame]*Site, stack []prof.Frame, own Own, samples int64) {
	i := firstOwn(stack, own)
	if i <= 0 {
		return
	}
	site := sites[stack[i]]
	if site == nil {
		return
	}
	if site.Work == nil {
		site.Work = map[string]int64{}
	}
	for j, f := range stack[:i] {
		if !slices.ContainsFunc(stack[:j], func(g prof.Frame) bool { return g.Func == f.Func }) { // once, if it calls itself
			site.Work[f.Func] += samples
		}
	}
}

// benchmarkOf is the function of the benchmark that a stack is of, as package.BenchmarkName, or "".
func benchmarkOf(stack []prof.Frame) string {
	for _, f := range slices.Backward(stack) {
		name, ok := strings.CutPrefix(f.Func, prof.EscapePath(f.Package())+".")
		if ok && strings.HasPrefix(name, "Benchmark") {
			name, _, _ = strings.Cut(name, ".") // function literals in it
			return f.Package() + "." + name
		}
	}
	return ""
}

// addLeaf adds objects of one size, as a profile has a sample for each, to their leaf.
func addLeaf(to map[string]*Leaf, stack []prof.Frame, site int, bytes, objects int64) {
	if site < 0 {
		site = len(stack)
	}
	var path []prof.Frame
	for i := site - 1; i >= 0; i-- {
		path = append(path, stack[i])
	}
	l := Leaf{Path: path}
	if site+1 < len(stack) {
		l.Callers = stack[site+1:]
	}
	key := pathKey(append(path, l.Caller()))
	if to[key] == nil {
		to[key] = &l
	}
	to[key].Bytes += bytes
	to[key].Objects += objects
	if objects > 0 {
		to[key].Sizes = AddSize(to[key].Sizes, Size{bytes / objects, objects})
		to[key].Stacks = append(to[key].Stacks, Stack{l.Callers, bytes, objects})
	}
}

// AddSize adds objects to those of their size.
func AddSize(all []Size, s Size) []Size {
	i, found := slices.BinarySearchFunc(all, s, func(a, b Size) int { return cmp.Compare(a.Bytes, b.Bytes) })
	if !found {
		return slices.Insert(all, i, s)
	}
	all[i].Objects += s.Objects
	return all
}

func pathKey(path []prof.Frame) string {
	var b strings.Builder
	for _, f := range path {
		fmt.Fprintln(&b, f.Func, f.Line)
	}
	return b.String()
}

// pointers reports whether the memory that a stack allocates has pointers, by the
// runtime's function for it: "scan", "noscan", or "" for those that do both.
func pointers(stack []prof.Frame) string {
	for _, f := range stack {
		name, ok := strings.CutPrefix(f.Func, "runtime.mallocgc")
		switch {
		case !ok:
		case strings.HasPrefix(name, "SmallScan"):
			return "scan"
		case strings.HasPrefix(name, "SmallNoscan"), strings.HasPrefix(name, "SmallNoScan"), strings.HasPrefix(name, "Tiny"):
			return "noscan"
		}
	}
	return ""
}
