package vetrun

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A Fate is what became of a finding.
type Fate string

const (
	Applied   Fate = "applied"   // its own fix was
	Beside    Fate = "beside"    // gone, with lines that the fix of another finding has changed
	Unchanged Fate = "unchanged" // no longer reported, though its lines are as they were: it may still be true
	Remaining Fate = "remaining" // still there
)

// A Result is a finding after a repair, at its place in the files as they were written.
type Result struct {
	Finding
	Fate Fate
	Why  string // it is not fixed though it has a fix; or empty
}

// Fixed reports whether the repair has changed what was found.
func (r *Result) Fixed() bool { return r.Fate == Applied || r.Fate == Beside }

// Settle returns what became of each finding, by file and line.
func (r *Repair) Settle() []Result {
	var all []Result
	for _, f := range r.Fixed {
		f.Span, _ = r.moved(f.Span)
		all = append(all, Result{f, Applied, ""})
	}
	now := map[string][]Finding{} // by kind
	for _, f := range r.after {
		now[f.kind()] = append(now[f.kind()], f)
	}
	var open []Result // those that are not where they have to be by now
	for _, l := range r.Left {
		x := Result{l.Finding, Remaining, l.Why}
		var changed bool
		x.Span, changed = r.moved(l.Span)
		k := l.kind()
		same := slices.IndexFunc(now[k], func(f Finding) bool { return f.Line == x.Line })
		switch {
		case len(r.Files) == 0:
			all = append(all, x)
		case same >= 0:
			x.Finding = now[k][same]
			now[k] = slices.Delete(now[k], same, same+1)
			all = append(all, x)
		case changed:
			x.Fate = Beside
			open = append(open, x)
		default:
			x.Fate = Unchanged
			open = append(open, x)
		}
	}
	for _, x := range open {
		k := x.kind()
		if i := nearest(now[k], x.Line); i >= 0 {
			x.Finding, x.Fate = now[k][i], Remaining
			now[k] = slices.Delete(now[k], i, i+1)
		}
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b Result) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// nearest returns the index of the finding that is nearest to a line, or -1.
func nearest(all []Finding, line int) int {
	best := -1
	for i, f := range all {
		if best < 0 || distance(f.Line, line) < distance(all[best].Line, line) {
			best = i
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// moved returns where a span is in the files as they were written, and whether its lines read
// otherwise there.
func (r *Repair) moved(s Span) (Span, bool) {
	path := real(s.File)
	i := slices.IndexFunc(r.Files, func(f File) bool { return f.path == path })
	if i < 0 || s.Line == 0 {
		return s, false
	}
	f := r.Files[i]
	at := lineStart(f.Old, s.Line) + max(s.Column-1, 0)
	was := words(f.Old, s)
	added := 0
	for _, e := range f.edits {
		if e.Start <= at {
			added += strings.Count(e.New, "\n") - bytes.Count(f.Old[e.Start:min(e.End, max(at, e.Start))], []byte("\n"))
		}
	}
	s.Line += added
	s.EndLine += added
	return s, !slices.Equal(was, words(f.New, s))
}

// words returns what stands in the lines of a span, whatever the space between it.
func words(text []byte, s Span) []string {
	return strings.Fields(string(text[lineStart(text, s.Line):lineStart(text, max(s.Line, s.EndLine)+1)]))
}

// lineStart returns the offset at which a line begins, or the end of the text.
func lineStart(text []byte, line int) int {
	at := 0
	for range line - 1 {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}
