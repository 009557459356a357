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
	samples float64     // that show them
	parts   []observed  // of each benchmark; none if they are not told apart
}

// Bounds of what is observed, and of the room that is made for it.
const (
	leastObserved = 16       // samples that a size may rest on
	leastPart     = 4        // samples of a benchmark that counts
	leastSteps    = 1.5      // allocations of each run, of which one remains
	leastSpared   = 0.1      // share of the bytes that growth allocates
	mostRetained  = 1.5      // times the bytes that remain of what grows
	mostEnds      = 0.9      // share of the runs that is not rare
	largestStep   = 4        // times the size before, and less than that
	mostSpread    = 4        // times the median, of the capacity that nine tenths end with
	largestRoom   = 64 << 10 // bytes
	largestNumber = 512      // bytes, of room that is a number in the source: who has smaller inputs than the benchmarks pays for it
	tinyBlock     = 16       // bytes
)

// observe sums up the objects of the lines at which something grows, those for which grows holds. tiny says that there may be
// objects without pointers of less than 16 bytes: two share a block of that size, which a profile has beside their true
// second step. ok is false if too few were sampled.
func (p *Line) observe(lines map[prof.Frame]bool, tiny bool, grows func(site.Leaf) bool) (o observed, ok bool) {
	var all []*growthSteps
	for _, among := range p.profiles() {
		g := &growthSteps{}
		for _, s := range sitesOf(among, lines) {
			for _, l := range s.Leaves {
				if grows(l) {
					g.add(s, l)
				}
			}
		}
		all = append(all, g)
	}
	return observedIn(all, tiny)
}

// A growthSteps holds the objects by which something grows, and the samples that show them.
type growthSteps struct {
	steps   []site.Size
	samples float64
}

// add adds the objects of a leaf of a site.
func (g *growthSteps) add(s *site.Site, l site.Leaf) {
	for _, size := range l.Sizes {
		g.steps = site.AddSize(g.steps, site.Size{Bytes: nearClass(size.Bytes), Objects: size.Objects})
	}
	if s.Bytes > 0 {
		g.samples += s.Samples * float64(l.Bytes) / float64(s.Bytes)
	}
}

// observedIn sums up what a profile shows, which is the first, and what each of its benchmarks does; those with few samples are taken
// together. ok is false if the profile has too few.
func observedIn(all []*growthSteps, tiny bool) (o observed, ok bool) {
	if len(all) == 0 || all[0].samples < leastObserved {
		return o, false
	}
	o = observedOf(all[0].steps, tiny)
	o.samples = all[0].samples
	var rest growthSteps
	for _, g := range all[1:] {
		if g.samples >= leastPart {
			o.parts = append(o.parts, observedOf(g.steps, tiny))
			continue
		}
		rest.samples += g.samples
		for _, s := range g.steps {
			rest.steps = site.AddSize(rest.steps, s)
		}
	}
	if rest.samples >= leastPart {
		o.parts = append(o.parts, observedOf(rest.steps, tiny))
	}
	return o, o.runs > 0
}

// observedOf sums up steps, see observe.
func observedOf(steps []site.Size, tiny bool) observed {
	o := observed{steps: slices.Clone(steps)}
	if tiny && len(o.steps) > 1 && o.steps[0].Bytes == tinyBlock {
		o.steps[0].Objects = o.steps[0].Objects * 2 / 3
	}
	o.sum()
	return o
}

// sum adds up the steps, and finds where each run ends.
func (o *observed) sum() {
	o.ends = endsOf(o.steps)
	o.count()
}

// count counts the objects and runs.
func (o *observed) count() {
	o.objects, o.runs = 0, 0
	for _, step := range o.steps {
		o.objects += step.Objects
	}
	for _, e := range o.ends {
		o.runs += e.Objects
	}
}

// sitesAt returns the sites of some lines: those of the whole profile, if it is known.
func (p *Line) sitesAt(lines map[prof.Frame]bool) []*site.Site { return sitesOf(p.allSites(), lines) }

// allSites returns the sites of the profile, or that of the line if they are not known.
func (p *Line) allSites() []*site.Site {
	if p.Sites == nil {
		return []*site.Site{p.site}
	}
	return p.Sites
}

// profiles are the sites of the profile, and then those of each benchmark of it.
func (p *Line) profiles() [][]*site.Site { return slices.Concat([][]*site.Site{p.allSites()}, p.Parts) }

// sitesOf returns the sites of some lines.
func sitesOf(among []*site.Site, lines map[prof.Frame]bool) (all []*site.Site) {
	for _, s := range among {
		if lines[prof.Frame{File: s.File, Line: s.Line}] {
			all = append(all, s)
		}
	}
	return all
}

// evenly returns what all benchmarks show if each counts alike, however often it has run.
func (o observed) evenly() observed {
	if len(o.parts) == 0 {
		return o
	}
	all := observed{parts: o.parts}
	for _, part := range o.parts {
		const runs = 1 << 20
		scaled := func(to, sizes []site.Size) []site.Size {
			for _, s := range sizes {
				to = site.AddSize(to, site.Size{Bytes: s.Bytes, Objects: int64(math.Round(float64(s.Objects) * runs / float64(part.runs)))})
			}
			return to
		}
		all.steps, all.ends = scaled(all.steps, part.steps), scaled(all.ends, part.ends)
	}
	all.count()
	return all
}

// oftenEmpty reports whether, of some runs, more than a tenth are without memory, beyond what sampling may hide.
func (o observed) oftenEmpty(begun int64) bool {
	return float64(o.runs)*(1+2/math.Sqrt(max(o.samples, 1))) < mostEnds*float64(begun)
}

// withEmpty adds runs that nothing is added in, evenly to all benchmarks.
func (o observed) withEmpty(n int64) observed {
	parts := o.parts
	o.parts = nil
	for _, part := range parts {
		o.parts = append(o.parts, part.withEmpty(int64(float64(n)*float64(part.runs)/float64(o.runs))))
	}
	o.ends = slices.Insert(slices.Clone(o.ends), 0, site.Size{Objects: n})
	o.runs += n
	return o
}

// each returns the benchmarks, or all of them in one if they are not told apart.
func (o observed) each() []observed {
	if len(o.parts) == 0 {
		return []observed{o}
	}
	return o.parts
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
//
// It is enough for nine tenths of the runs if that is cheap enough, and else for those of the median and more. Each benchmark counts alike in this; and in none may the room cost more bytes than growing,
// or be too small for half of the runs.
func (o observed) room() (most int64, ok bool) {
	o = o.evenly()
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
	for _, least := range []int64{common, median} {
		most, spared := o.cheapest(least)
		keeps := int64(0)
		for _, e := range o.ends {
			keeps += max(e.Bytes, most) * e.Objects
		}
		if most > 0 && most <= largestRoom && common <= mostSpread*median &&
			float64(spared) >= leastSpared*float64(all) && float64(keeps) <= mostRetained*float64(kept) &&
			!slices.ContainsFunc(o.parts, func(part observed) bool { return part.spares(most) < 0 || part.fitting(most) < 0.5 }) {
			return most, true
		}
	}
	return 0, false
}

// spares returns the bytes that room for so many spares: the steps up to it are not allocated, and each run allocates it instead.
func (o observed) spares(room int64) int64 {
	saves := -room * o.runs
	for _, s := range o.steps {
		if s.Bytes <= room {
			saves += s.Bytes * s.Objects
		}
	}
	return saves
}

// fitting returns the share of the runs that need no more than some room.
func (o observed) fitting(room int64) float64 {
	fit := int64(0)
	for _, e := range o.ends {
		if e.Bytes <= room {
			fit += e.Objects
		}
	}
	return float64(fit) / float64(max(o.runs, 1))
}

// cheapest returns the capacity, of those that runs end with and of at least so many bytes, that spares the most bytes.
func (o observed) cheapest(least int64) (most, spared int64) {
	for _, e := range o.ends {
		if saves := o.spares(e.Bytes); e.Bytes >= least && (most == 0 || saves > spared) {
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

// Comments on a number of the profile.
const (
	mostNeedNoMore = "most need no more"
	fewNeedMore    = "few need more"
)

// Observed reports whether the edit has a number that is no length of anything, but what was seen in the profile: another input may need another one.
func (e Edit) Observed() bool {
	return strings.Contains(e.Text, mostNeedNoMore) || strings.Contains(e.Text, fewNeedMore)
}

// note is a comment on room of some bytes: what holds of what ends there, in each benchmark.
func (o observed) note(room int64) string {
	if slices.ContainsFunc(o.each(), func(part observed) bool { return part.fitting(room) < mostEnds }) {
		return mostNeedNoMore
	}
	return fewNeedMore
}

// elements are capacities in bytes as numbers of elements: the room, and a comment on it.
func (o observed) elements(size int64) (n int64, note string, ok bool) {
	most, ok := o.room()
	if !ok || size <= 0 || most < 2*size || most > largestNumber {
		return 0, "", false
	}
	return most / size, o.note(most), true
}

// text is the room of a builder or buffer in bytes, with a comment.
func (o observed) text() (n int64, note string, ok bool) {
	most, ok := o.room()
	if !ok || most > largestNumber {
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
	in := o.inSlots(group)
	most, ok := in.room()
	if !ok || most <= 8 || most > largestTable || most*group/8 > largestRoom {
		return 0, "", false
	}
	return most * 7 / 8, in.note(most), true
}

// inSlots counts slots of a map instead of bytes.
func (o observed) inSlots(group int64) (in observed) {
	slots := func(sizes []site.Size) (all []site.Size) {
		for _, s := range sizes {
			if n, ok := slotsIn(s.Bytes, group); ok {
				all = append(all, site.Size{Bytes: n, Objects: s.Objects})
			}
		}
		return all
	}
	in.steps, in.ends = slots(o.steps), slots(o.ends)
	in.count()
	for _, part := range o.parts {
		if part := part.inSlots(group); part.runs > 0 {
			in.parts = append(in.parts, part)
		}
	}
	return in
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
