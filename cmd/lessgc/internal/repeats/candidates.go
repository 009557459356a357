package repeats

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

const (
	leastShare = 0.015 // of the bytes, or of the CPU time, that a function has to cost with what it calls
	most       = 60    // functions that are instrumented
)

// A candidate is a function that costs enough.
type candidate struct {
	prof.Frame
	share float64
}

// candidates returns the functions of the user's own, by name, that cost most, tests left out.
func candidates(own site.Own, allocs, cpu *prof.Profile) map[string]candidate {
	all := map[string]candidate{}
	for p, value := range map[*prof.Profile]string{allocs: "alloc_space", cpu: "samples"} {
		if p == nil || p.Value(value) < 0 {
			continue
		}
		for name, c := range inclusive(p, p.Value(value), own) {
			if c.share >= leastShare && c.share > all[name].share {
				all[name] = c
			}
		}
	}
	sorted := slices.SortedFunc(maps.Values(all), func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.Func, b.Func))
	})
	for _, c := range sorted[min(most, len(sorted)):] {
		delete(all, c.Func)
	}
	return all
}

// inclusive returns the share of a value of each function with what it calls.
func inclusive(p *prof.Profile, value int, own site.Own) map[string]candidate {
	all := map[string]candidate{}
	var total int64
	for _, s := range p.Sample {
		total += s.Value[value]
	}
	for _, s := range p.Sample {
		seen := map[string]bool{}
		for _, f := range prof.Stack(s) {
			if seen[f.Func] || !own(f.Package()) || !filepath.IsAbs(f.File) || strings.HasSuffix(f.File, "_test.go") {
				continue
			}
			seen[f.Func] = true
			c := all[f.Func]
			c.Frame = f
			c.share += float64(s.Value[value]) / float64(max(total, 1))
			all[f.Func] = c
		}
	}
	return all
}
