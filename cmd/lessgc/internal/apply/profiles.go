package apply

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
)

// profiles holds the profiles of a program whose source changes. Its lines are those of the first version.
type profiles struct {
	set  *prof.Set
	maps map[string]lineMap // by file in the checkout, of those that have changed
}

// rename has profiles name the files below one folder where they name those below another.
func rename(set *prof.Set, from, to string) {
	for _, p := range []*prof.Profile{set.CPU, set.Allocs, set.Live} {
		if p == nil {
			continue
		}
		for _, f := range p.Function {
			if below, ok := strings.CutPrefix(f.Filename, from+string(filepath.Separator)); ok {
				f.Filename = filepath.Join(to, below)
			}
		}
	}
}

// Original has profiles that were taken in the checkout name the user's files: the checkout goes, and they stay.
func (r *Runner) Original(set *prof.Set) { rename(set, r.tree.Top, r.tree.source) }

// moved says that a file of the checkout has other lines now than at first.
func (p *profiles) moved(file string, m lineMap) { p.maps[file] = m }

// first returns the line of the first version that a line of a file is now; 0 if it is new.
func (p *profiles) first(file string, line int) int {
	if m := p.maps[file]; m != nil {
		return m.before(line)
	}
	return line
}

// now returns the profiles with the lines that the files have now. Samples of lines that have gone have line 0.
// packages has the import path of each folder.
func (p *profiles) now(packages map[string]string) *prof.Set {
	out := *p.set
	out.Notes = slices.Clone(out.Notes)
	out.CPU, out.Allocs = p.shifted(p.set.CPU), p.shifted(p.set.Allocs)
	if p.set.Coverage == nil || len(p.maps) == 0 {
		return &out
	}
	out.Coverage = p.set.Coverage.Clone()
	for file, m := range p.maps {
		out.Coverage.Renumber(path.Join(packages[filepath.Dir(file)], filepath.Base(file)), m.at)
	}
	return &out
}

func (p *profiles) shifted(of *prof.Profile) *prof.Profile {
	if of == nil || len(p.maps) == 0 {
		return of
	}
	out := &prof.Profile{Profile: of.Copy(), Kind: of.Kind, Notes: of.Notes}
	for _, l := range out.Location {
		for i, line := range l.Line {
			if line.Function == nil {
				continue
			}
			if m := p.maps[line.Function.Filename]; m != nil {
				l.Line[i].Line = int64(m.at(int(line.Line)))
			}
		}
	}
	return out
}
