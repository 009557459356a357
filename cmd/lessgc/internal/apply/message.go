package apply

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/verdict"
)

// message is the message of a commit: what is changed, why it allocated, what was predicted and what was measured,
// and the tests that passed. subjects are those of the commits before it.
func message(c *candidate, s *attempt.State, subjects []string) string {
	var b strings.Builder
	b.WriteString(subject(c, s, subjects) + "\n\n")
	paragraph(&b, fmt.Sprintf("%s: %s.", c.before(), strings.Join(sentences(c), "; ")))
	b.WriteString("\n")
	var its, others []attempt.Row // benchmarks that the change is for, and those that were measured with them
	var names []string
	for _, x := range c.Rows {
		if cited(c.Gains, x) {
			its, names = append(its, x), append(names, x.Name)
		} else {
			others = append(others, x)
		}
	}
	table(&b, slices.Concat(its, others))
	var notes []string
	if len(its) > 0 && len(others) > 0 {
		notes = append(notes, "The change is for "+listed(names)+"; the others were measured with it.")
	}
	for _, x := range c.Rows {
		if x.First != nil {
			notes = append(notes, fmt.Sprintf("%s was measured again: at first its CPU time was %s.", x.Name, x.First.Change()))
		}
	}
	notes = append(notes, foretold(its)...)
	for i, text := range notes {
		if i == 0 {
			b.WriteString("\n")
		}
		paragraph(&b, text)
	}
	b.WriteString("\n")
	for _, t := range c.Tests {
		fmt.Fprintf(&b, "Passed: %s\n", shortened(t))
	}
	if c.Differ != "" {
		paragraph(&b, c.Differ)
	}
	return b.String()
}

// mostSubject is the length of a subject in characters.
const mostSubject = 72

// subject names the package, what is changed, and where: as much as there is room for. It has the line if another commit has
// the same subject.
func subject(c *candidate, s *attempt.State, others []string) string {
	pkg := path.Dir(c.File)
	if pkg == "." {
		pkg = path.Base(versionSuffix.ReplaceAllString(s.Module, ""))
	}
	var in []string // the longest first
	if n := len(c.names); n > 0 {
		in = append(in, " in "+strings.Join(c.names, ", "))
		if n > 1 {
			in = append(in, fmt.Sprintf(" in %s and %d more", c.names[0], n-1))
		}
	}
	in = append(in, "")
	place := fmt.Sprintf(" (%s:%d)", path.Base(c.File), c.Line)
	var texts []string
	for _, what := range []string{cmp.Or(c.what, c.lever.Subject), c.lever.Subject} {
		for _, pkg := range []string{pkg, path.Base(pkg)} {
			for _, in := range in {
				texts = append(texts, pkg+": "+what+in)
			}
		}
	}
	for _, text := range texts {
		if slices.Contains(others, text) {
			text += place
		}
		if utf8.RuneCountInString(text) <= mostSubject {
			return text
		}
	}
	return texts[len(texts)-1]
}

// mostListed is the number of benchmarks that a message lists.
const mostListed = 10

// table writes what was measured of benchmarks, one a line.
func table(b *strings.Builder, rows []attempt.Row) {
	if len(rows) == 0 {
		return
	}
	lines := [][]string{{"", "CPU time", "B/op", "allocs/op"}}
	for _, x := range rows[:min(len(rows), mostListed)] {
		lines = append(lines, []string{x.Name, x.CPU.Change(), counted(x.Bytes), counted(x.Allocs)})
	}
	widths := make([]int, len(lines[0]))
	for _, l := range lines {
		for i, text := range l {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, l := range lines {
		text := ""
		for i, t := range l {
			text += t + strings.Repeat(" ", widths[i]+2-utf8.RuneCountInString(t))
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	if n := len(rows) - mostListed; n > 0 {
		fmt.Fprintf(b, "and %d more\n", n)
	}
}

// counted is a number before and after, with the difference in percent if there is one.
func counted(e attempt.Effect) string {
	switch before, after := attempt.Number(e.Before), attempt.Number(e.After); {
	case before == after:
		return before
	case e.Before > 0 && (lessBy(e, leastSaved) || moreBy(e, leastSaved)):
		return fmt.Sprintf("%s -> %s (%s)", before, after, verdict.Percent(1-e.Saved()))
	default:
		return before + " -> " + after
	}
}

// foretold tells what was predicted of the first of the benchmarks of which something was, the one that the change matters most
// to, and of all what was measured outside of its range. CPU time whose interval is wider than the range does not tell.
func foretold(rows []attempt.Row) (texts []string) {
	var outside []string
	add := func(what string, p *advice.Range, saved, slack float64) {
		if saved < p.Lo-slack {
			outside = append(outside, fmt.Sprintf("%s (saves less than %.1f %%)", what, 100*p.Lo))
		} else if saved > p.Hi+slack {
			outside = append(outside, fmt.Sprintf("%s (saves more than %.1f %%)", what, 100*p.Hi))
		}
	}
	for _, x := range rows {
		var ranges []string
		if p := x.Predicted; p != nil {
			ranges = append(ranges, "CPU time "+predicted(p))
			if x.CPU.Hi-x.CPU.Lo <= p.Hi-p.Lo {
				add("CPU time of "+x.Name, p, 1-x.CPU.Ratio, 0)
			}
		}
		if p := x.Memory; p != nil && x.Bytes.Before > 0 {
			ranges = append(ranges, "bytes "+predicted(p))
			add("bytes of "+x.Name, p, x.Bytes.Saved(), leastSaved)
		}
		if ranges != nil && texts == nil {
			texts = append(texts, "Predicted for "+x.Name+": "+strings.Join(ranges, ", ")+".")
		}
	}
	if len(outside) > 0 {
		texts = append(texts, "Not as predicted: "+listed(outside)+".")
	}
	return texts
}

// listed names a few.
func listed(names []string) string {
	if n := len(names) - mostListed; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), n)
	}
	return strings.Join(names, ", ")
}

// versionSuffix is the end of a module's path that tells its major version.
var versionSuffix = regexp.MustCompile(`/v[0-9]+$`)

// sentences are the evidence of a change; what is said of several lines is said once.
func sentences(c *candidate) (all []string) {
	var texts []string
	places := make(map[string][]string)
	for _, e := range c.Evidence {
		if !slices.Contains(texts, e.Text) {
			texts = append(texts, e.Text)
		}
		place := ""
		switch {
		case e.Line == 0 || e.File == c.File && e.Line == c.Line:
			continue
		case e.File == c.File:
			place = fmt.Sprintf("line %d", e.Line)
		default:
			place = fmt.Sprintf("%s:%d", path.Base(e.File), e.Line)
		}
		if !slices.Contains(places[e.Text], place) {
			places[e.Text] = append(places[e.Text], place)
		}
	}
	for _, text := range texts {
		if p := places[text]; p != nil {
			text += " (" + strings.Join(p, ", ") + ")"
		}
		all = append(all, text)
	}
	return all
}

// before says what the line did, with its share of a benchmark's bytes if it is one, and not most of what the change saves is elsewhere.
func (c *candidate) before() string {
	if len(c.Gains) == 0 || c.Gains[0].Bytes < 0.01 || c.Gains[0].Memory != nil && c.Gains[0].Memory.Hi > 2*c.Gains[0].Bytes {
		return fmt.Sprintf("Line %d of %s, before", c.Line, path.Base(c.File))
	}
	text := fmt.Sprintf("Before, line %d of %s allocated %.0f %% of the bytes", c.Line, path.Base(c.File), 100*c.Gains[0].Bytes)
	if _, name := c.Gains[0].Split(); name != "" {
		text += " of " + name
	}
	return text
}

func predicted(p *advice.Range) string {
	return strings.ReplaceAll(fmt.Sprintf("-%.1f to -%.1f %%", 100*p.Lo, 100*p.Hi), "-0.0 ", "0 ")
}

// shortened names at most a few packages of a command, and no flag that only says how it ran here.
func shortened(command string) string {
	const most = 140
	words := slices.DeleteFunc(strings.Fields(command), func(w string) bool {
		return strings.HasPrefix(w, "-vet=") || strings.HasPrefix(w, "-count=") || strings.HasPrefix(w, "-timeout=")
	})
	text := strings.Join(words, " ")
	if len(text) <= most {
		return text
	}
	text, n := "", 0
	for _, w := range words {
		if len(text)+len(w) > most {
			n++
			continue
		}
		text += w + " "
	}
	return fmt.Sprintf("%sand %d more packages", text, n)
}

// paragraph writes a text in lines of at most 76 characters.
func paragraph(b *strings.Builder, text string) {
	width := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width == 0:
		case width+1+len(word) > 76:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	b.WriteString("\n")
}
