package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A report holds the fields of a lessgc-tune/1 report that are used here.
type report struct {
	Subjects []subject `json:"subjects"`
}

type subject struct {
	Name   string       `json:"name"`
	Err    string       `json:"error"`
	Live   float64      `json:"live"`
	RSS    float64      `json:"rss"`
	Cycles float64      `json:"cycles"`
	Curve  []prediction `json:"curve"`
	Limits []prediction `json:"limits"`
	Onset  *struct {
		NonHeap float64 `json:"nonHeap"`
	} `json:"onset"`
	Advice *struct {
		Now prediction `json:"now"`
	} `json:"advice"`
}

type prediction struct {
	Setting struct {
		GOGC  float64 `json:"gogc"`
		Limit float64 `json:"limit"`
	} `json:"setting"`
	GC  value `json:"gc"`
	RSS value `json:"rss"`
}

type value struct{ Value, Lo, Hi float64 }

func (v value) has(x float64) bool { return v.Lo <= x && x <= v.Hi }

// A setting is one to measure at.
type setting struct {
	gogc  float64
	limit int64 // bytes; 0 for none
}

func (s setting) env() []string {
	if s.limit > 0 {
		return []string{"GOGC=off", fmt.Sprintf("GOMEMLIMIT=%d", s.limit)}
	}
	return []string{fmt.Sprintf("GOGC=%g", s.gogc), "GOMEMLIMIT=off"}
}

func (s setting) file() string {
	return strings.NewReplacer("=", "", ";", "").Replace(s.env()[0] + s.env()[1])
}

func (s setting) String() string {
	if s.limit > 0 {
		return fmt.Sprintf("limit %d MiB", s.limit>>20)
	}
	return fmt.Sprintf("GOGC=%g", s.gogc)
}

// limits are two limits for all subjects of a report: with as much room above live heap and the rest as 0.9 times and 2.5 times
// the live heap, to the MiB.
func (r *report) limits() []int64 {
	live, beside := 0.0, 0.0
	for _, s := range r.Subjects {
		if s.Onset != nil {
			live, beside = max(live, s.Live), max(beside, s.Onset.NonHeap)
		}
	}
	if live == 0 {
		return nil
	}
	mib := func(x float64) int64 { return int64(math.Ceil(x/(1<<20))) << 20 }
	return []int64{mib(1.9*live + beside + 2<<20), mib(3.5*live + beside + 2<<20)}
}

// A point is a prediction and what came.
type point struct {
	Program string  `json:"program"`
	Setting string  `json:"setting"`
	GC      value   `json:"gc"`
	GCIs    float64 `json:"gcIs"`
	RSS     value   `json:"rss"`
	RSSIs   float64 `json:"rssIs"`
	Cycles  float64 `json:"cycles"` // of the measurement

	gogc  float64
	limit int64
}

// compare compares a measurement with the prediction.
func compare(name string, s setting, base, measured *report) []point {
	var all []point
	for _, b := range base.Subjects {
		i := slices.IndexFunc(measured.Subjects, func(m subject) bool { return m.Name == b.Name })
		if i < 0 || b.Err != "" || measured.Subjects[i].Err != "" || measured.Subjects[i].Advice == nil {
			continue
		}
		predictions := b.Curve
		if s.limit > 0 {
			predictions = b.Limits
		}
		k := slices.IndexFunc(predictions, func(p prediction) bool {
			return p.Setting.GOGC == s.gogc && (s.limit == 0 || int64(p.Setting.Limit) == s.limit)
		})
		if k < 0 {
			continue
		}
		label, m, p := name, measured.Subjects[i], predictions[k]
		if len(base.Subjects) > 1 {
			label += " " + b.Name
		}
		all = append(all, point{Program: label, Setting: s.String(), GC: p.GC, GCIs: m.Advice.Now.GC.Value, RSS: p.RSS, RSSIs: m.RSS, Cycles: m.Cycles, gogc: s.gogc, limit: s.limit})
	}
	return all
}

// narrow reports whether a prediction is narrow enough to choose by: half of it is at most 20 % of the value, or 2 points of CPU.
func narrow(v value, points float64) bool {
	half := (v.Hi - v.Lo) / 2
	return half <= 0.2*v.Value || half <= points
}

// table is all points in Markdown, with the sums.
func table(all []point) string {
	var b strings.Builder
	b.WriteString("| program | setting | GC CPU predicted | measured | peak RSS predicted, MiB | measured | |\n|---|---|---|---|---|---|---|\n")
	var gc, rss, gcNarrow, rssNarrow int
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(x, y point) int {
		return cmp.Or(cmp.Compare(x.Program, y.Program), cmp.Compare(x.limit, y.limit), cmp.Compare(x.gogc, y.gogc))
	})
	for _, p := range sorted {
		var words []string
		count := func(n *int, ok bool, word string) {
			if ok {
				*n++
			} else {
				words = append(words, word)
			}
		}
		count(&gc, p.GC.has(p.GCIs), "GC CPU outside")
		count(&rss, p.RSS.has(p.RSSIs), "RSS outside")
		count(&gcNarrow, narrow(p.GC, 0.02), "GC CPU wide")
		count(&rssNarrow, narrow(p.RSS, 0), "RSS wide")
		const mib = 1 << 20
		fmt.Fprintf(&b, "| %s | %s | %.1f %% (%.1f to %.1f) | %.1f %% | %.0f (%.0f to %.0f) | %.0f | %s |\n", p.Program, p.Setting, 100*p.GC.Value, 100*p.GC.Lo, 100*p.GC.Hi, 100*p.GCIs,
			p.RSS.Value/mib, p.RSS.Lo/mib, p.RSS.Hi/mib, p.RSSIs/mib, strings.Join(words, ", "))
	}
	n := len(all)
	fmt.Fprintf(&b, "\n%d points: GC CPU inside %d, peak RSS inside %d; narrow enough to choose by: GC CPU %d, peak RSS %d.\n", n, gc, rss, gcNarrow, rssNarrow)
	return b.String()
}
