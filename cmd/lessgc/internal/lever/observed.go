package lever

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// An observed is what a profile shows of slices, buffers or maps of one place: where their growth ends.
type observed struct {
	steps   []site.Size // the objects by size
	ends    []site.Size // how many end with which capacity, the smallest first
	runs    int64       // how many there are
	objects int64       // that they allocate in sum
}

// Bounds of what is observed, and of the room that is made for it.
const (
	leastObserved = 16       // samples that a size may rest on
	leastSteps    = 1.5      // allocations of each run, of which one remains
	mostEnds      = 0.9      // share of the runs that has the room
	fewEnds       = 0.25     // share of the runs that may end with far less
	farLess       = 8        // times
	mostRoom      = 4        // times the mean
	largestRoom   = 64 << 10 // bytes
	tinyBlock     = 16       // bytes
)

// observe sums up the objects of the lines at which something grows, those for which grows holds. tiny says that there may be
// objects without pointers of less than 16 bytes: two share a block of that size, which a profile has beside their true
// second step. ok is false if too few were sampled.
func (p *Line) observe(lines map[prof.Frame]bool, tiny bool, grows func(site.Leaf) bool) (o observed, ok bool) {
	samples := 0.0
	for _, s := range p.sitesAt(lines) {
		var bytes int64
		for _, l := range s.Leaves {
			if !grows(l) {
				continue
			}
			bytes += l.Bytes
			for _, size := range l.Sizes {
				o.steps = site.AddSize(o.steps, size)
			}
		}
		if s.Bytes > 0 {
			samples += s.Samples * float64(bytes) / float64(s.Bytes)
		}
	}
	if tiny && len(o.steps) > 1 && o.steps[0].Bytes == tinyBlock {
		o.steps[0].Objects = o.steps[0].Objects * 2 / 3
	}
	for _, step := range o.steps {
		o.objects += step.Objects
	}
	o.ends = endsOf(o.steps)
	for _, e := range o.ends {
		o.runs += e.Objects
	}
	return o, samples >= leastObserved && o.runs > 0
}

// sitesAt returns the sites of some lines: those of the whole profile, if it is known.
func (p *Line) sitesAt(lines map[prof.Frame]bool) (all []*site.Site) {
	among := p.Sites
	if among == nil {
		among = []*site.Site{p.site}
	}
	for _, s := range among {
		if lines[prof.Frame{File: s.File, Line: s.Line}] {
			all = append(all, s)
		}
	}
	return all
}

// endsOf returns the last of the sizes that each growing thing has gone through. An object takes over what the largest
// smaller one had, so that there are as few things as can be.
func endsOf(steps []site.Size) (ends []site.Size) {
	for _, s := range steps {
		left := s.Objects
		for i := len(ends) - 1; i >= 0 && left > 0; i-- {
			n := min(left, ends[i].Objects)
			ends[i].Objects -= n
			left -= n
		}
		ends = append(ends, s)
	}
	return slices.DeleteFunc(ends, func(e site.Size) bool { return e.Objects <= 0 })
}

// room returns the smallest capacity in bytes that most of the runs end with, at most four times the mean, and the smallest
// that is not rare. ok is false where the sizes differ too much for one to be right, or where little is saved.
func (o observed) room() (least, most int64, ok bool) {
	if float64(o.objects) < leastSteps*float64(o.runs) {
		return 0, 0, false
	}
	sum := 0.0
	for _, e := range o.ends {
		sum += float64(e.Bytes) * float64(e.Objects)
	}
	mean := 0.75 * sum / float64(o.runs) // what has been doubled is three quarters full
	before, less := int64(0), int64(0)
	for _, e := range o.ends {
		if before += e.Objects; least == 0 && float64(before) > (1-mostEnds)*float64(o.runs) {
			least = e.Bytes
		}
		if most = e.Bytes; float64(before) >= mostEnds*float64(o.runs) {
			break
		}
	}
	for _, e := range o.ends {
		if e.Bytes*farLess < most {
			less += e.Objects
		}
	}
	return least, most, float64(most) <= mostRoom*mean && most <= largestRoom && float64(less) <= fewEnds*float64(o.runs)
}

// directly reports whether the line allocates by itself: below it are functions of the runtime only.
func directly(l site.Leaf) bool {
	return !slices.ContainsFunc(l.Path, func(f prof.Frame) bool {
		pkg := f.Package()
		return pkg != "runtime" && !strings.HasPrefix(pkg, "internal/runtime/")
	})
}

// elements are capacities in bytes as numbers of elements: the room, and how a comment says what it comes from.
func (o observed) elements(size int64) (n int64, note string, ok bool) {
	least, most, ok := o.room()
	if !ok || size <= 0 || most < 2*size {
		return 0, "", false
	}
	n = most / size
	from := max(1, least/size/2+1) // more than the capacity before
	if from >= n {
		return n, fmt.Sprintf("most ended with up to %d when measured", n), true
	}
	return n, fmt.Sprintf("most ended with %d to %d when measured", from, n), true
}

// entries are numbers of groups of a map as numbers of entries, with a comment. group is the size of the first. Where that is
// mostly on the stack, as of a map that does not escape, it is not known how many maps need no more, and ok is false.
func (o observed) entries(group int64) (n int64, note string, ok bool) {
	var in observed
	var begun, grown int64
	for _, s := range o.steps {
		if slots, ok := slotsIn(s.Bytes, group); ok && slots == 8 {
			begun += s.Objects
		} else if ok {
			grown = max(grown, s.Objects)
		}
	}
	if begun < grown/2 {
		return 0, "", false
	}
	for _, e := range o.ends {
		if slots, ok := slotsIn(e.Bytes, group); ok {
			in.ends = append(in.ends, site.Size{Bytes: slots, Objects: e.Objects})
			in.runs += e.Objects
		}
	}
	for _, s := range o.steps {
		if _, ok := slotsIn(s.Bytes, group); ok {
			in.objects += s.Objects
		}
	}
	least, most, ok := in.room()
	if !ok || most <= 8 || most > largestTable || most*group/8 > largestRoom {
		return 0, "", false
	}
	n = most * 7 / 8
	from := least*7/16 + 1
	if least <= 16 {
		from = least/2 + 1 // the first group has no room to spare
	}
	return n, fmt.Sprintf("most ended with %d to %d entries when measured", from, n), true
}

// largestTable is the number of slots of the largest table of a map, which is split then.
const largestTable = 1024

// slotsIn is the number of slots of which something of a size is, rounded up to a size class; false if it is something else.
func slotsIn(size, group int64) (int64, bool) {
	if group <= 0 || size < group {
		return 0, false
	}
	k := int(math.Log2(float64(size) / float64(group)))
	return 8 << k, float64(size) < 1.25*float64(group)*float64(int64(1)<<k)
}
