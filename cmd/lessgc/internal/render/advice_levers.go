package render

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
)

// A leverGroup is a lever with the sites that it comes first for, by their index in the report.
type leverGroup struct {
	advice.Lever // its name, title, risk and record
	Sites        []int
}

// groupLevers groups the first levers of the first n sites, in the order of these, and candidates
// after the others.
func groupLevers(r *advice.Report, n int) []leverGroup {
	var all []leverGroup
	if r.Sites == nil {
		return nil
	}
	for site, s := range r.Sites.Sites[:min(n, len(r.Sites.Sites))] {
		if len(s.Levers) == 0 {
			continue
		}
		first := s.Levers[0]
		i := slices.IndexFunc(all, func(g leverGroup) bool { return g.Title == first.Title && g.Name == first.Name })
		if i < 0 {
			i = len(all)
			all = append(all, leverGroup{Lever: advice.Lever{Name: first.Name, Title: first.Title, Risk: first.Risk, Asks: first.Asks, Record: first.Record}})
		}
		all[i].Sites = append(all[i].Sites, site)
	}
	slices.SortStableFunc(all, func(a, b leverGroup) int { return cmp.Compare(min(1, len(a.Asks)), min(1, len(b.Asks))) })
	return all
}

// mostChanged limits the lines of a change that are shown.
const mostChanged = 12

// levers writes what to try at the first n sites, by lever.
func (t Text) levers(b *strings.Builder, r *advice.Report, n int) {
	groups := groupLevers(r, n)
	if len(groups) == 0 {
		return
	}
	if groups[0].Asks == "" {
		fmt.Fprintf(b, "%s%s\n", t.bold("levers"), t.dim("  savings are predictions; lessgc compare measures"))
	}
	for i, g := range groups {
		if g.Asks != "" && (i == 0 || groups[i-1].Asks == "") {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%s%s\n", t.bold("candidates"), t.dim("  correct only if the answer to the question is yes; not added up"))
		}
		text := fmt.Sprintf("→ %s: %s", t.bold(g.Name), g.Title)
		if g.Risk != "" {
			text += "; risk: " + g.Risk
		}
		t.wrap(b, "", "  ", text)
		if g.Asks != "" {
			t.wrap(b, "  ", "  ", g.Asks)
		}
		if g.Record != "" {
			b.WriteString("  " + t.dim(g.Record) + "\n")
		}
		for _, i := range g.Sites {
			t.leverSite(b, r.Sites.Sites[i])
		}
	}
	b.WriteByte('\n')
}

// leverSite writes the levers of a site.
func (t Text) leverSite(b *strings.Builder, x advice.Site) {
	for i, l := range x.Levers {
		indent, head := "  ", t.bold(t.location(x.File, x.Line))
		if i > 0 {
			indent, head = "      ", fmt.Sprintf("or %s: %s", t.bold(l.Name), l.Title)
			if l.Asks != "" {
				head = fmt.Sprintf("%s %s: %s. %s", candidate(x), t.bold(l.Name), l.Title, l.Asks)
			}
		}
		if gain := gainOf(l); gain != "" {
			head += ", " + gain
		}
		if i == 0 && x.Together != nil && l.Gain != nil && *x.Together != *l.Gain {
			head += "; together with the lines above " + savings(*x.Together)
		}
		t.wrap(b, indent, indent+"  ", head)
		for _, e := range l.Evidence {
			t.wrap(b, "      - ", "        ", fmt.Sprintf("%s (%s:%d)", e.Text, filepath.Base(e.File), e.Line))
		}
		if l.Sketch && len(l.Change) > 0 {
			fmt.Fprintf(b, "        %s\n", t.dim("a sketch:"))
		}
		t.changed(b, x.File, l.Change)
	}
}

// candidate names a candidate that does not come first at a site.
func candidate(x advice.Site) string {
	if x.Levers[0].Asks != "" {
		return "or candidate"
	}
	return "candidate"
}

// changed writes a change as a diff does.
func (t Text) changed(b *strings.Builder, file string, lines []advice.ChangedLine) {
	for i, l := range lines {
		if i == mostChanged {
			fmt.Fprintf(b, "        %s\n", t.dim(fmt.Sprintf("and %d more lines in report.html", len(lines)-i)))
			return
		}
		if l.File != file && (i == 0 || l.File != lines[i-1].File) {
			fmt.Fprintf(b, "        %s\n", t.dim(t.location(l.File, l.Line)))
		}
		fmt.Fprintln(b, "        "+t.diffLine(l))
	}
}

func (t Text) diffLine(l advice.ChangedLine) string {
	if l.New {
		return t.sgr("32", "+ "+l.Text)
	}
	return t.sgr("31", "- "+l.Text)
}

// location is a file and line, from the current folder if it is there, so that terminals make
// a link of it.
func (t Text) location(file string, line int) string {
	if rel, err := filepath.Rel(t.Dir, file); err == nil && t.Dir != "" && filepath.IsLocal(rel) {
		file = rel
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// gainOf formats what a lever saves, in words; "" if it is not known.
func gainOf(l advice.Lever) string {
	verb := "saves "
	if l.Asks != "" {
		verb = "would save "
	}
	switch {
	case l.Gain == nil && l.Bytes == nil:
		return ""
	case l.Gain == nil:
		return verb + bytesText(*l.Bytes)
	case l.Bytes == nil && l.Gain.Sure():
		return verb + gainText(*l.Gain)
	case l.Bytes == nil:
		return unsure(*l.Gain)
	case l.Gain.Sure():
		return verb + gainText(*l.Gain) + " and " + bytesText(*l.Bytes)
	}
	return verb + bytesText(*l.Bytes) + ", and " + unsure(*l.Gain)
}

func bytesText(r advice.Range) string { return savings(r) + " of the bytes" }
