package render

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/visible"
)

// AdviceMarkdown writes a report for an issue or a pull request, in GitHub's dialect: the ceilings, what
// to try at the first n lines, by lever, and these lines in a section that is closed. dir is the
// folder that files are named from.
func AdviceMarkdown(w io.Writer, r *advice.Report, n int, dir string) error {
	r = visible.All(r, visible.Terminal)
	t := Text{Dir: dir}
	var b strings.Builder
	b.WriteString("### What does memory cost?\n\n")
	if c := r.Costs; c != nil {
		fmt.Fprintf(&b, "Allocation and garbage collection take %s of the CPU time, with idle workers %s: an upper bound on any saving.\n\n", plain(share(c.Throughput)), plain(share(c.Bill)))
	}
	if together := r.Together(n); together != nil {
		fmt.Fprintf(&b, "The first lever of each of these lines, together, saves %s.\n\n", gainText(*together))
	}
	for _, l := range r.Levers {
		markdownLever(&b, l)
		for _, e := range l.Evidence {
			fmt.Fprintf(&b, "- %s\n", plain(e.Text))
		}
		b.WriteByte('\n')
	}
	for _, g := range groupLevers(r, n) {
		markdownLever(&b, g.Lever)
		for _, i := range g.Sites {
			t.markdownSite(&b, r.Sites.Sites[i])
		}
		b.WriteByte('\n')
	}
	if r.Sites != nil {
		t.markdownSites(&b, r.Sites, n)
	}
	fmt.Fprintf(&b, "- %s.\n", plain(r.Regime))
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "- note: %s\n", plain(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownLever(b *strings.Builder, l advice.Lever) {
	fmt.Fprintf(b, "**%s**: %s", plain(l.Name), plain(l.Title))
	if l.Risk != "" {
		fmt.Fprintf(b, "; risk: %s", plain(l.Risk))
	}
	if gain := gainOf(l); gain != "" {
		fmt.Fprintf(b, ", %s", gain)
	}
	if l.Record != "" {
		fmt.Fprintf(b, " (%s)", plain(l.Record))
	}
	b.WriteString("\n\n")
	if l.Asks != "" {
		fmt.Fprintf(b, "Candidate, correct only if the answer is yes: %s\n\n", plain(l.Asks))
	}
}

// markdownSite writes the first lever of a site, and the names of the others.
func (t Text) markdownSite(b *strings.Builder, x advice.Site) {
	first := x.Levers[0]
	fmt.Fprintf(b, "- %s", code(t.location(x.File, x.Line)))
	if gain := gainOf(first); gain != "" {
		fmt.Fprintf(b, " %s", gain)
	}
	b.WriteByte('\n')
	for _, e := range first.Evidence {
		fmt.Fprintf(b, "  - %s (%s)\n", plain(e.Text), code(fmt.Sprintf("%s:%d", filepath.Base(e.File), e.Line)))
	}
	if len(first.Change) > 0 {
		fence := fenceFor(first.Change)
		if first.Sketch {
			b.WriteString("  - a sketch:\n")
		}
		fmt.Fprintf(b, "\n  %sdiff\n", fence)
		for _, l := range first.Change[:min(len(first.Change), mostChanged)] {
			fmt.Fprintf(b, "  %s\n", Text{}.diffLine(l))
		}
		fmt.Fprintf(b, "  %s\n", fence)
	}
	for _, l := range x.Levers[1:] {
		if l.Asks != "" {
			fmt.Fprintf(b, "  - %s %s: %s. %s\n", candidate(x), plain(l.Name), plain(l.Title), plain(l.Asks))
			continue
		}
		fmt.Fprintf(b, "  - or %s: %s\n", plain(l.Name), plain(l.Title))
	}
}

// fenceFor is a fence that no line of a change ends.
func fenceFor(lines []advice.ChangedLine) string {
	fence := "```"
	for _, l := range lines {
		for strings.Contains(l.Text, fence) {
			fence += "`"
		}
	}
	return fence
}

// markdownSites writes a table of lines.
func (t Text) markdownSites(b *strings.Builder, s *advice.Sites, n int) {
	shown := s.Sites[:min(n, mostLines, len(s.Sites))]
	fmt.Fprintf(b, "<details><summary>%d of %d lines that allocate</summary>\n\n| line | of all bytes | allocation | why |\n|---|--:|--:|---|\n", len(shown), len(s.Sites))
	for _, x := range shown {
		reason := ""
		if len(x.Reasons) > 0 {
			reason = plain(reasonText(x.Reasons[0]))
		}
		where := code(x.Func)
		if x.File != "" {
			where = code(t.location(x.File, x.Line))
		}
		fmt.Fprintf(b, "| %s | %.1f %% | %s | %s |\n", where, 100*x.Share, share(x.Alloc), reason)
	}
	b.WriteString("\n</details>\n\n")
}
