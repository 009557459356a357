package prof

import (
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// benchmarkLabel is the label of samples that are of one benchmark.
const benchmarkLabel = "lessgc-benchmark"

// Mark labels all samples as those of a benchmark, so that Of finds them when profiles have been added up. The name
// is that of its function, with sub-benchmarks behind a slash.
func (p *Profile) Mark(benchmark string) {
	for _, s := range p.Sample {
		if s.Label == nil {
			s.Label = map[string][]string{}
		}
		s.Label[benchmarkLabel] = []string{benchmark}
	}
}

// Marks returns the benchmarks that samples are marked with, sorted; none if a sample has no mark.
func (p *Profile) Marks() (all []string) {
	for _, s := range p.Sample {
		mark := markOf(s)
		if mark == "" {
			return nil
		}
		if !slices.Contains(all, mark) {
			all = append(all, mark)
		}
	}
	slices.Sort(all)
	return all
}

func markOf(s *profile.Sample) string {
	if marks := s.Label[benchmarkLabel]; len(marks) == 1 {
		return marks[0]
	}
	return ""
}

// Of returns the samples that are marked as those of a benchmark, with its operations alone. It shares them with p.
func (p *Profile) Of(benchmark string) *Profile {
	out := &Profile{&profile.Profile{
		SampleType: p.SampleType, DefaultSampleType: p.DefaultSampleType, Mapping: p.Mapping, Location: p.Location, Function: p.Function,
		TimeNanos: p.TimeNanos, DurationNanos: p.DurationNanos, PeriodType: p.PeriodType, Period: p.Period,
	}, p.Kind, p.Notes}
	for _, s := range p.Sample {
		if markOf(s) == benchmark {
			out.Sample = append(out.Sample, s)
		}
	}
	for _, c := range p.Comments {
		n, ok := strings.CutPrefix(c, opsOfComment+benchmark+": ")
		switch {
		case ok:
			out.Comments = append(out.Comments, opsComment+n)
		case strings.HasPrefix(c, opsComment):
			out.Comments = append(out.Comments, c)
		}
	}
	return out
}
