package prof

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// defaultPeriod is runtime.MemProfileRate, unless a program changes it.
const defaultPeriod = 512 << 10

// mostNegative is the share of the positive values up to which negative ones are taken
// for noise: net/http/pprof subtracts two profiles of allocations whose values are
// estimates.
const mostNegative = 0.1

// NoLive is the note of a profile whose values of the live heap were left out.
const NoLive = "the live heap is not known: some values are below zero, as in the difference of two profiles"

// units lists the units that values have to have. Others are counts.
var units = map[string]string{"cpu": "nanoseconds", "alloc_space": "bytes", "inuse_space": "bytes"}

// A sum is of the values of one type.
type sum struct {
	positive, negative int64 // negative is a magnitude
	below              int   // number of negative values
}

// checkValues makes sure that sums and shares of the values make sense, or fails. What
// has to be changed for that becomes a note.
func (p *Profile) checkValues() error {
	used := []string{"samples", "cpu"}
	if p.Kind == Allocs {
		used = []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
	}
	sums := map[string]sum{}
	for _, name := range used {
		i := p.Value(name)
		if i < 0 {
			continue
		}
		if unit := p.SampleType[i].Unit; units[name] != "" && unit != "" && unit != units[name] {
			return fmt.Errorf("its values of %s are in %.40q, and %s are needed; take it with pprof's own writer", name, unit, units[name])
		}
		all, err := p.sum(i)
		if err != nil {
			return err
		}
		sums[name] = all
	}
	if sums["inuse_space"].below > 0 || sums["inuse_objects"].below > 0 {
		p.dropLive()
		p.Notes = append(p.Notes, NoLive)
	}
	for _, name := range used[:2] {
		s := sums[name]
		if s.below == 0 && s.positive == 0 && name != "alloc_objects" {
			return fmt.Errorf("%w: all values of %s are zero; let the program work while the profile is taken", ErrNoSamples, name)
		}
		if s.below == 0 {
			continue
		}
		if name != "alloc_objects" && float64(s.negative) > mostNegative*float64(s.positive) {
			return fmt.Errorf("its values of %s add up to %d above zero and %d below: it is the difference of two profiles, such as pprof -base makes; give both to lessgc diff", name, s.positive, s.negative)
		}
		p.raise(name)
		p.Notes = append(p.Notes, fmt.Sprintf("%d values of %s are negative, %s; they count as zero", s.below, name, shareOf(s.negative, s.positive)))
	}
	if p.Kind == Allocs && (p.Period <= 0 || p.PeriodType != nil && p.PeriodType.Unit != "" && p.PeriodType.Unit != "bytes") {
		p.PeriodType, p.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, defaultPeriod
		p.Notes = append(p.Notes, "the profile does not say how finely allocations were sampled; taken to be once in 512 KiB, as Go does unless told otherwise")
	}
	if p.DurationNanos < 0 {
		p.DurationNanos = 0
		p.Notes = append(p.Notes, "the profile says that it took less than no time; how long it took is not known")
	}
	return nil
}

// shareOf returns the share of negative values in the sum of the positive ones, as text.
func shareOf(negative, positive int64) string {
	if positive == 0 {
		return "and none is positive"
	}
	return fmt.Sprintf("%.1f %% of all", 100*float64(negative)/float64(positive))
}

// sum adds up the values of one type.
func (p *Profile) sum(i int) (sum, error) {
	above, below, n := uint64(0), uint64(0), 0
	for _, s := range p.Sample {
		if v := s.Value[i]; v >= 0 {
			above = added(above, uint64(v))
		} else {
			below = added(below, -uint64(v))
			n++
		}
	}
	if added(above, below) > math.MaxInt64 {
		return sum{}, fmt.Errorf("its values of %.40q add up to more than 64 bits hold: it is damaged; take the profile again", p.SampleType[i].Type)
	}
	return sum{int64(above), int64(below), n}, nil
}

// added is a+b, or the largest number if that is larger.
func added(a, b uint64) uint64 {
	n, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return math.MaxUint64
	}
	return n
}

// dropLive leaves out the values of the live heap.
func (p *Profile) dropLive() {
	live := func(i int) bool {
		return p.SampleType[i].Type == "inuse_space" || p.SampleType[i].Type == "inuse_objects"
	}
	for _, s := range p.Sample {
		var kept []int64
		for i, v := range s.Value {
			if !live(i) {
				kept = append(kept, v)
			}
		}
		s.Value = kept
	}
	p.SampleType = slices.DeleteFunc(slices.Clone(p.SampleType), func(t *profile.ValueType) bool {
		return t.Type == "inuse_space" || t.Type == "inuse_objects"
	})
}

// raise makes the negative values of a type zero.
func (p *Profile) raise(name string) {
	i := p.Value(name)
	for _, s := range p.Sample {
		s.Value[i] = max(0, s.Value[i])
	}
}

// CheckSums makes sure that the values of all profiles together, whose signs may change,
// can be added up.
func CheckSums(all ...*profile.Profile) error {
	for i := 0; ; i++ { // each type
		found, total := false, uint64(0)
		for _, p := range all {
			if i >= len(p.SampleType) {
				continue
			}
			found = true
			s, err := (&Profile{Profile: p}).sum(i)
			if err != nil {
				return err
			}
			total = added(total, uint64(s.positive)+uint64(s.negative))
		}
		if !found {
			return nil
		}
		if total > math.MaxInt64 {
			return errors.New("their values add up to more than 64 bits hold: one of them is damaged; take them again")
		}
	}
}

// Add adds up profiles of one kind; it is nil for none. What only some of them know, how
// long they took and the live heap, the sum does not.
func Add(all []*Profile) (*Profile, error) {
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	out := &Profile{Kind: all[0].Kind}
	if dated := timed(all); dated > 0 && dated < len(all) {
		out.Notes = append(out.Notes, fmt.Sprintf("%d of %d profiles do not say how long they took, so that values per minute are not known", len(all)-dated, len(all)))
	}
	var parts []*profile.Profile
	for _, p := range all {
		if slices.ContainsFunc(all, func(x *Profile) bool { return x.Value("inuse_space") < 0 }) {
			p.dropLive()
		}
		parts = append(parts, p.Profile)
		for _, note := range p.Notes {
			if !slices.Contains(out.Notes, note) {
				out.Notes = append(out.Notes, note)
			}
		}
	}
	var err error
	if err = CheckSums(parts...); err == nil {
		out.Profile, err = profile.Merge(parts)
	}
	if err != nil {
		return nil, fmt.Errorf("the %s profiles cannot be added up: %w", out.Kind, err)
	}
	if timed(all) < len(all) || out.overlong(all) {
		out.DurationNanos = 0
	}
	return out, nil
}

// timed counts the profiles that say how long they took.
func timed(all []*Profile) (n int) {
	for _, p := range all {
		if p.DurationNanos > 0 {
			n++
		}
	}
	return n
}

// overlong reports whether the times of profiles add up to more than 64 bits hold.
func (p *Profile) overlong(all []*Profile) bool {
	total := uint64(0)
	for _, x := range all {
		total = added(total, uint64(max(0, x.DurationNanos)))
	}
	return total > math.MaxInt64
}

// Less subtracts from a profile the values of the same stacks in another, such as those that a benchmark's
// set-up costs. What is left of the allocations of a stack counts only if it can be distinguished from
// the errors of both. The live heap stays that of p. The error is ErrNoSamples if nothing is left.
func (p *Profile) Less(other *Profile) (*Profile, error) {
	taken := other.Copy()
	ratios := make([]float64, len(taken.SampleType))
	for i, t := range taken.SampleType {
		if t.Type != "inuse_space" && t.Type != "inuse_objects" {
			ratios[i] = -1
		}
	}
	if err := taken.ScaleN(ratios); err != nil {
		return nil, err
	}
	merged, err := profile.Merge([]*profile.Profile{p.Profile, taken})
	if err != nil {
		return nil, err
	}
	merged.DurationNanos = max(0, p.DurationNanos-other.DurationNanos)
	merged.Comments = p.Comments
	out := &Profile{Profile: merged, Kind: p.Kind, Notes: p.Notes}
	out.dropNoise(other)
	used := "cpu"
	if p.Kind == Allocs {
		used = "alloc_space"
	}
	if all, err := out.sum(out.Value(used)); err != nil || all.positive == 0 {
		return nil, cmp.Or(err, ErrNoSamples)
	}
	return out, nil
}

// dropNoise makes zero what is negative, and of stacks that are in the other profile as well
// what is less than three standard errors: there is one sample for each period of bytes.
func (p *Profile) dropNoise(other *Profile) {
	names := []string{"samples", "cpu"}
	squares := map[string]float64{} // of the errors of other, by stack
	if p.Kind == Allocs {
		names = []string{"alloc_objects", "alloc_space"}
		space, objects := other.Value("alloc_space"), other.Value("alloc_objects")
		for _, s := range other.Sample {
			if n := Sampled(s.Value[space], s.Value[objects], other.Period); n > 0 {
				squares[stackKey(s)] += float64(s.Value[space]) * float64(s.Value[space]) / n
			}
		}
	}
	for _, s := range p.Sample {
		noise := false
		if square, both := squares[stackKey(s)]; both && p.Kind == Allocs {
			left := float64(s.Value[p.Value("alloc_space")])
			noise = left < 3*math.Sqrt(2*square) // the same set-up is in both
		}
		for _, name := range names {
			i := p.Value(name)
			if s.Value[i] = max(0, s.Value[i]); noise {
				s.Value[i] = 0
			}
		}
	}
}

// stackKey is the same for objects of the same size on the same stack.
func stackKey(s *profile.Sample) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.NumLabel["bytes"])
	for _, f := range Stack(s) {
		fmt.Fprintf(&b, "%s:%d\n", f.Func, f.Line)
	}
	return b.String()
}
