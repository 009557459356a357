package watch

import "slices"

// A Summary is a whole watch: rates over all of it but for the time around restarts,
// and the medians of the gauges; GCShare is the last one.
type Summary struct {
	Rates
	Samples  int `json:"samples"`
	Restarts int `json:"restarts"`
}

// maxKept limits the values of a gauge that are kept for their median. When there
// are more, every second is dropped, and of those that follow too.
const maxKept = 1 << 14

// A Sum adds up snapshots as they come, in bounded memory. The zero value is one
// of none.
type Sum struct {
	first, last *Snapshot // of the segment
	done        change    // segments that ended
	ended       bool      // there are any
	gauges      [][]float64
	stride      int
	summary     Summary
}

// Add adds a snapshot. They come in the order of time.
func (s *Sum) Add(x *Snapshot) {
	switch {
	case s.last == nil:
		s.first = x
	case s.last.Segment != x.Segment:
		s.close()
		s.first = x
		s.summary.Restarts++
	}
	s.last = x
	s.stride = max(1, s.stride)
	if s.summary.Samples%s.stride == 0 {
		s.keep(&x.Gauges)
	}
	s.summary.Samples++
}

// close ends a segment.
func (s *Sum) close() {
	d, ok := between(s.first, s.last)
	switch {
	case ok && s.ended:
		s.done.plus(d)
	case ok:
		s.done, s.ended = d, true
	}
}

func (s *Sum) keep(g *Gauges) {
	fields := g.fields()
	if s.gauges == nil {
		s.gauges = make([][]float64, len(fields))
	}
	longest := 0
	for i, p := range fields {
		if *p != nil {
			s.gauges[i] = append(s.gauges[i], **p)
		}
		longest = max(longest, len(s.gauges[i]))
	}
	if longest < maxKept {
		return
	}
	s.stride *= 2
	for i, all := range s.gauges {
		kept := all[:0]
		for j := 0; j < len(all); j += 2 {
			kept = append(kept, all[j])
		}
		s.gauges[i] = kept
	}
}

// Summary returns the summary so far, or nil before there are two snapshots of one
// segment.
func (s *Sum) Summary() *Summary {
	if s.last == nil {
		return nil
	}
	all := *s
	all.close()
	if !all.ended {
		return nil
	}
	out := s.summary
	var medians Gauges
	for i, p := range medians.fields() {
		*p = median(slices.Clone(s.gauges[i]))
	}
	medians.GCShare = s.last.Gauges.GCShare // it covers all the time since the start
	out.Rates = *all.done.rates(s.last.Time, medians)
	return &out
}
