package source

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/escape"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// leastAsked are the shares of the bytes below which the compiler is not asked about a package of
// the user's, and of a module that it needs. It is not asked about the standard library: that
// takes longer than most modules, and the source shows what there is to know.
const (
	leastAskedOwn  = 0.001
	leastAskedElse = 0.01
)

// leafFolders are the folders of the packages whose lines allocate, and of their callers, into which
// they may be inlined.
func leafFolders(p *prof.Profile, own site.Own) (folders []string) {
	var all int64
	type folder struct {
		bytes int64
		least float64
	}
	sums := map[string]folder{}
	known := site.Module() // all but the standard library
	for _, s := range site.Find(p, nil, own) {
		for _, l := range s.Leaves {
			all += l.Bytes
			at, caller := s.Allocates(l)
			for _, f := range []prof.Frame{at, caller} {
				dir := filepath.Dir(f.File)
				if !known(f.Package()) || !filepath.IsAbs(dir) || f == caller && dir == filepath.Dir(at.File) {
					continue
				}
				sum := folder{sums[dir].bytes + l.Bytes, leastAskedElse}
				if own(f.Package()) {
					sum.least = leastAskedOwn
				}
				sums[dir] = sum
			}
		}
	}
	maps.DeleteFunc(sums, func(_ string, f folder) bool { return float64(f.bytes) < f.least*float64(all) })
	return slices.Sorted(maps.Keys(sums))
}

// hasOwn reports whether any of the user's own functions is in a profile.
func hasOwn(p *prof.Profile, own site.Own) bool {
	return slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool {
		return slices.ContainsFunc(prof.Stack(s), func(f prof.Frame) bool { return isOwn(f, own) })
	})
}

// ownFolders are the folders of the user's own files that a profile names and that are
// here.
func ownFolders(p *prof.Profile, own site.Own, sources *escape.Sources) []string {
	var all []string
	for _, s := range p.Sample {
		for _, f := range prof.Stack(s) {
			if dir := filepath.Dir(f.File); own(f.Package()) && !slices.Contains(all, dir) && sources.Known(f.File) {
				all = append(all, dir)
			}
		}
	}
	return all
}
