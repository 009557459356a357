package lever

import (
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
	leastSpared   = 0.1      // share of the bytes that growth allocates
	mostRetained  = 1.5      // times the bytes that remain of what grows
	mostEnds      = 0.9      // share of the runs that is not rare
	largestStep   = 4        // times the size before, and less than that
	mostSpread    = 4        // times the median, of the capacity that nine tenths end with
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
				o.steps = site.AddSize(o.steps, site.Size{Bytes: nearClass(size.Bytes), Objects: size.Objects})
			}
		}
		if s.Bytes > 0 {
			samples += s.Samples * float64(bytes) / float64(s.Bytes)
		}
	}
	if tiny && len(o.steps) > 1 && o.steps[0].Bytes == tinyBlock {
		o.steps[0].Objects = o.steps[0].Objects * 2 / 3
	}
	o.sum()
	return o, samples >= leastObserved && o.runs > 0
}

// sum adds up the steps, and finds where each run ends.
func (o *observed) sum() {
	o.ends = endsOf(o.steps)
	for _, step := range o.steps {
		o.objects += step.Objects
	}
	for _, e := range o.ends {
		o.runs += e.Objects
	}
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

// endsOf returns the last of the sizes that each growing thing has gone through. An object takes over what the largest smaller one
// had, so that there are as few things as can be; but not what is less than a quarter of it: what doubles does not leave a
// size out, and something that began as large is another thing.
func endsOf(steps []site.Size) (ends []site.Size) {
	for _, s := range steps {
		left := s.Objects
		for i := len(ends) - 1; i >= 0 && left > 0 && s.Bytes < largestStep*ends[i].Bytes; i-- {
			n := min(left, ends[i].Objects)
			ends[i].Objects -= n
			left -= n
		}
		ends = append(ends, s)
	}
	return slices.DeleteFunc(ends, func(e site.Size) bool { return e.Objects <= 0 })
}

// room returns the capacity in bytes with which the runs of the profile allocate the fewest bytes.
//
// Room must never be worse than none: each run pays for it, whatever it ends with, and a run that ends with less keeps it all. So ok is
// false unless the runs allocate a tenth less bytes with the room than by growing, and keep at most half more. It is also
// false where the capacity that nine tenths of the runs end with is more than four times the median: two steps of doubling
// apart, the profile is a mixture of inputs, and another mixture would make the same room a loss. Small runs that have not been
// seen to grow gain nothing: there are one and a half allocations of each run at least.
func (o observed) room() (most int64, ok bool) {
	if float64(o.objects) < leastSteps*float64(o.runs) {
		return 0, false
	}
	median, common := int64(-1), int64(-1)
	before, kept, all := int64(0), int64(0), int64(0)
	for _, e := range o.ends {
		before += e.Objects
		kept += e.Bytes * e.Objects
		if median < 0 && 2*before >= o.runs {
			median = e.Bytes
		}
		if common < 0 && float64(before) >= mostEnds*float64(o.runs) {
			common = e.Bytes
		}
	}
	for _, s := range o.steps {
		all += s.Bytes * s.Objects
	}
	most, spared := o.cheapest(median)
	keeps := int64(0)
	for _, e := range o.ends {
		keeps += max(e.Bytes, most) * e.Objects
	}
	return most, most > 0 && most <= largestRoom && common <= mostSpread*median &&
		float64(spared) >= leastSpared*float64(all) && float64(keeps) <= mostRetained*float64(kept)
}

// cheapest returns the capacity, of those that runs end with and of at least so many bytes, that spares the most bytes: the steps up to it
// are not allocated, and each run allocates it instead.
func (o observed) cheapest(least int64) (most, spared int64) {
	for _, e := range o.ends {
		saves := -e.Bytes * o.runs
		for _, s := range o.steps {
			if s.Bytes <= e.Bytes {
				saves += s.Bytes * s.Objects
			}
		}
		if e.Bytes >= least && (most == 0 || saves > spared) {
			most, spared = e.Bytes, saves
		}
	}
	return most, spared
}

// directly reports whether the line allocates by itself: below it are functions of the runtime only.
func directly(l site.Leaf) bool {
	return !slices.ContainsFunc(l.Path, func(f prof.Frame) bool {
		pkg := f.Package()
		return pkg != "runtime" && !strings.HasPrefix(pkg, "internal/runtime/")
	})
}

// note is a comment on room of some bytes: what holds of what ends there.
func (o observed) note(room int64) string {
	fit := int64(0)
	for _, e := range o.ends {
		if e.Bytes <= room {
			fit += e.Objects
		}
	}
	if float64(fit) < mostEnds*float64(o.runs) {
		return "most need no more"
	}
	return "few need more"
}

// elements are capacities in bytes as numbers of elements: the room, and a comment on it.
func (o observed) elements(size int64) (n int64, note string, ok bool) {
	most, ok := o.room()
	if !ok || size <= 0 || most < 2*size {
		return 0, "", false
	}
	return most / size, o.note(most), true
}

// text is the room of a builder or buffer in bytes, with a comment.
func (o observed) text() (n int64, note string, ok bool) {
	most, ok := o.room()
	if !ok {
		return 0, "", false
	}
	return most, o.note(most), true
}

// nearClass is the size next to one of a profile that may be a size class of the runtime: a profile has the mean of some objects,
// rounded, and one size must not look like two steps.
func nearClass(n int64) int64 {
	unit := int64(16)
	switch {
	case n < 32:
		unit = 8
	case n >= 32<<10:
		unit = 8 << 10
	case n >= 1<<10:
		unit = 128
	}
	return (n + unit/2) / unit * unit
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
		if slots, ok := slotsIn(s.Bytes, group); ok {
			in.steps = append(in.steps, site.Size{Bytes: slots, Objects: s.Objects})
			in.objects += s.Objects
		}
	}
	most, ok := in.room()
	if !ok || most <= 8 || most > largestTable || most*group/8 > largestRoom {
		return 0, "", false
	}
	return most * 7 / 8, in.note(most), true
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
