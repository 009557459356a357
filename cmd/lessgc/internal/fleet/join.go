package fleet

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

// memory are the values of a profile of allocations.
var memory = []*profile.ValueType{
	{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
	{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"},
}

// defaultRate is runtime.MemProfileRate, unless a program changes it.
const defaultRate = 512 << 10

// spread makes a profile of one of the values of memory one of all of them, in place: the
// others are 0, and its own is multiplied.
//
// Then profile.Merge adds up values of the same stacks. Those are of lines of functions
// here: addresses are not the same in two processes, or in two builds.
func spread(p *profile.Profile, times float64) *profile.Profile {
	own := slices.IndexFunc(memory, func(t *profile.ValueType) bool { return t.Type == p.SampleType[0].Type })
	p.SampleType = memory
	if p.PeriodType == nil || p.PeriodType.Unit != "bytes" {
		p.Period = 0
	}
	p.PeriodType = &profile.ValueType{Type: "space", Unit: "bytes"}
	for _, s := range p.Sample {
		value := scaled(s.Value[0], times)
		s.Value = make([]int64, len(memory))
		s.Value[own] = value
		s.Label, s.NumLabel, s.NumUnit = nil, nil, nil
	}
	for _, l := range p.Location {
		if len(l.Line) > 0 {
			l.Address, l.Mapping = 0, nil
		}
	}
	return p
}

// scaled multiplies, exactly if nothing is to be rounded: a profile less itself is nothing.
func scaled(v int64, times float64) int64 {
	switch times {
	case 1:
		return v
	case -1:
		return -v
	}
	return int64(math.Round(float64(v) * times))
}

// join adds up profiles that were spread. It returns nil if nothing is left.
func join(all []*profile.Profile) (*profile.Profile, error) {
	if len(all) == 0 {
		return nil, nil
	}
	err := prof.CheckSums(all...)
	var p *profile.Profile
	if err == nil {
		p, err = profile.Merge(all)
	}
	if err != nil {
		return nil, fmt.Errorf("the profiles of allocations cannot be joined: %w", err)
	}
	if len(p.Sample) == 0 {
		return nil, nil
	}
	return p, nil
}

// forget drops the values of the live heap if they are all 0: the query was not for them.
func forget(p *profile.Profile) {
	if slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return s.Value[2] != 0 || s.Value[3] != 0 }) {
		return
	}
	p.SampleType = p.SampleType[:2]
	for _, s := range p.Sample {
		s.Value = s.Value[:2]
	}
}

// falls reports whether a value is below 0: a later profile is not of the process that an
// earlier one was of.
func falls(p *profile.Profile) bool {
	return slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return slices.Min(s.Value) < 0 })
}

// total adds up the values of a profile of one value.
func total(p *profile.Profile) float64 {
	sum := 0.0
	for _, s := range p.Sample {
		sum += float64(s.Value[0])
	}
	return sum
}

// defaultPeriod is the period of Go's CPU profiles, 100 samples a second.
const defaultPeriod = 10 * time.Millisecond

// count makes a CPU profile of one value one of both that Go's have, in place, and
// says how.
func count(p *profile.Profile) (note string, err error) {
	period, how := period(p)
	one := int64(period)
	for _, s := range p.Sample {
		switch v := s.Value[0]; {
		case p.SampleType[0].Unit == "nanoseconds":
			s.Value = []int64{v/one + (v%one+one/2)/one, v}
		case v > math.MaxInt64/one || v < -math.MaxInt64/one:
			return "", fmt.Errorf("%d samples of %v are more CPU time than 64 bits hold: the answer is damaged", v, period)
		default:
			s.Value = []int64{v, v * one}
		}
	}
	p.SampleType = []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}
	p.PeriodType, p.Period = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, int64(period)
	p.DefaultSampleType = ""
	return fmt.Sprintf("of CPU time the store keeps one value; a sample is taken to be %v, %s", period, how), nil
}

// period is the time of one sample. If the profile does not say, it is Go's if that
// divides each value. If not, the samples come from another source, such as an agent, and the
// greatest common divisor tells, unless processes were sampled at different rates.
func period(p *profile.Profile) (time.Duration, string) {
	if p.PeriodType != nil && p.PeriodType.Unit == "nanoseconds" && plausible(p.Period) {
		return time.Duration(p.Period), "as it says"
	}
	var divisor int64
	if p.SampleType[0].Unit == "nanoseconds" {
		for _, s := range p.Sample {
			divisor = gcd(divisor, s.Value[0])
		}
	}
	if plausible(divisor) && divisor%int64(defaultPeriod) != 0 {
		return time.Duration(divisor), "of which each value is a multiple"
	}
	return defaultPeriod, "as Go's are"
}

// plausible reports whether somebody samples at this rate, from 10 to 1,000 times a second.
func plausible(nanos int64) bool {
	return int64(time.Millisecond) <= nanos && nanos <= int64(100*time.Millisecond)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
