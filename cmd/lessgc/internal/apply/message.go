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
	paragraph(&b, fmt.Sprintf("Before, line %d of %s allocated%s: %s.", c.Line, path.Base(c.File), c.most(), strings.Join(sentences(c), "; ")))
	b.WriteString("\n")
	var level []string // benchmarks
	for _, x := range c.Rows {
		if !changed(x) {
			level = append(level, x.Name)
			continue
		}
		fmt.Fprintf(&b, "%s: CPU time %s", x.Name, x.CPU.Change())
		if x.Predicted != nil {
			fmt.Fprintf(&b, ", predicted %s", predicted(x.Predicted))
		}
		bytes := ""
		if x.Memory != nil && lessBy(x.Bytes, leastSaved) {
			bytes = fmt.Sprintf(" (%s, predicted %s)", verdict.Percent(1-x.Bytes.Saved()), predicted(x.Memory))
		}
		fmt.Fprintf(&b, "\n    B/op %s -> %s%s, allocs/op %s -> %s\n", attempt.Number(x.Bytes.Before), attempt.Number(x.Bytes.After), bytes, attempt.Number(x.Allocs.Before), attempt.Number(x.Allocs.After))
	}
	if len(level) > 0 {
		paragraph(&b, "No difference in "+strings.Join(level, ", ")+".")
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
	in := ""
	if n := len(c.names); n > 0 {
		in = " in " + c.names[0]
		if n > 1 {
			in += fmt.Sprintf(" and %d more", n-1)
		}
	}
	place := fmt.Sprintf(" (%s:%d)", path.Base(c.File), c.Line)
	var texts []string
	for _, what := range []string{cmp.Or(c.what, c.lever.Subject), c.lever.Subject} {
		for _, pkg := range []string{pkg, path.Base(pkg)} {
			texts = append(texts, pkg+": "+what+" in "+strings.Join(c.names, ", "), pkg+": "+what+in, pkg+": "+what)
		}
	}
	if in == "" {
		texts = slices.DeleteFunc(texts, func(t string) bool { return strings.HasSuffix(t, " in ") })
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

// changed reports whether a difference was measured in a row.
func changed(x attempt.Row) bool {
	for _, e := range []attempt.Effect{x.Bytes, x.Allocs} {
		if lessBy(e, leastSaved) || moreBy(e, leastSaved) {
			return true
		}
	}
	return x.CPU.Word == verdict.Better || x.CPU.Word == verdict.Worse
}

// versionSuffix is the end of a module's path that tells its major version.
var versionSuffix = regexp.MustCompile(`/v[0-9]+$`)

// sentences are the evidence of a change.
func sentences(c *candidate) (all []string) {
	for _, e := range c.Evidence {
		text := e.Text
		if e.Line > 0 && (e.File != c.File || e.Line != c.Line) {
			text += fmt.Sprintf(" (line %d)", e.Line)
		}
		all = append(all, text)
	}
	return all
}

// most is the share of a benchmark's bytes that the line allocated.
func (c *candidate) most() string {
	if len(c.Gains) == 0 || c.Gains[0].Bytes < 0.01 {
		return ""
	}
	text := fmt.Sprintf(" %.0f %% of the bytes", 100*c.Gains[0].Bytes)
	if _, name := c.Gains[0].Split(); name != "" {
		text += " of " + name
	}
	return text
}

func predicted(p *advice.Range) string {
	return strings.ReplaceAll(fmt.Sprintf("-%.1f to -%.1f %%", 100*p.Lo, 100*p.Hi), "-0.0 ", "0 ")
}

// shortened names at most a few packages of a command.
func shortened(command string) string {
	const most = 160
	if len(command) <= most {
		return command
	}
	words := strings.Fields(command)
	text, n := words[0], 0
	for _, w := range words[1:] {
		if len(text)+len(w) > most-20 {
			n++
			continue
		}
		text += " " + w
	}
	return fmt.Sprintf("%s and %d more packages", text, n)
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
