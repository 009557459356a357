package apply

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/verdict"
)

// message is the message of a commit: what is changed, why it allocated, what was predicted and what was measured,
// and the tests that passed. subjects are those of the commits before it.
func message(c *candidate, s *attempt.State, subjects []string) string {
	var b strings.Builder
	b.WriteString(subject(c, s, subjects) + "\n\n")
	paragraph(&b, c.why())
	b.WriteString("\n")
	its, others := c.shown()
	table(&b, its)
	if allocatesOnly(its) {
		b.WriteString("\n")
		paragraph(&b, "No difference in CPU time beyond noise: it is for what is allocated.")
	}
	if len(others) > 0 {
		b.WriteString("\n")
		paragraph(&b, beside(others))
	}
	for _, x := range c.Rows {
		if x.First != nil {
			paragraph(&b, fmt.Sprintf("%s was measured again: at first its CPU time was %s.", x.Name, x.First.Change()))
		}
	}
	if text := c.foretold(its); text != "" {
		b.WriteString("\n")
		paragraph(&b, text)
	}
	b.WriteString("\n")
	for _, t := range c.Tests {
		fmt.Fprintf(&b, "Passed: %s\n", shortened(t))
	}
	if len(c.alike) > 0 {
		paragraph(&b, strings.Join(c.alike, "; ")+".")
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
		if pkg = c.packageName(); pkg == "" || pkg == "main" {
			pkg = path.Base(versionSuffix.ReplaceAllString(s.Module, ""))
		}
	}
	var in []string // the longest first
	if len(c.names) > 0 {
		in = append(in, " in "+joined(c.names))
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

// packageName is the name in the package clause of the first file that is edited; "" if it is not known.
func (c *candidate) packageName() string {
	if len(c.edits) == 0 {
		return ""
	}
	file, err := parser.ParseFile(token.NewFileSet(), c.edits[0].File, nil, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
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

// shown are the benchmarks that a table is of, those in which anything changed; and the others, that were measured with them. If nothing
// changed in any, the table has those that the change was made for.
func (c *candidate) shown() (its, others []attempt.Row) {
	changed := func(x attempt.Row) bool {
		return differs(x.Bytes) || differs(x.Allocs) || cited(c.Gains, x) && beyondNoise(x.CPU)
	}
	isFor := func(x attempt.Row) bool { return cited(c.Gains, x) }
	for _, chosen := range []func(attempt.Row) bool{changed, isFor} {
		if !slices.ContainsFunc(c.Rows, chosen) {
			continue
		}
		for _, x := range c.Rows {
			if chosen(x) {
				its = append(its, x)
			} else {
				others = append(others, x)
			}
		}
		return its, others
	}
	return c.Rows, nil
}

// differs reports whether a metric that is counted is less or more, by the numbers that are shown.
func differs(e attempt.Effect) bool {
	return (lessBy(e, leastSaved) || moreBy(e, leastSaved)) && attempt.Number(e.Before) != attempt.Number(e.After)
}

// beyondNoise reports whether the interval of a ratio has no 1.
func beyondNoise(e attempt.Effect) bool { return e.Hi != 0 && (e.Hi < 1 || e.Lo > 1) }

// allocatesOnly reports whether what changed in benchmarks is allocations, and the CPU time of none by more than noise.
func allocatesOnly(rows []attempt.Row) bool {
	return !slices.ContainsFunc(rows, func(x attempt.Row) bool { return beyondNoise(x.CPU) }) &&
		slices.ContainsFunc(rows, func(x attempt.Row) bool { return differs(x.Bytes) || differs(x.Allocs) })
}

// beside tells what was measured of benchmarks that allocate as much as before: the CPU time where it differs, and the names of the others.
func beside(rows []attempt.Row) string {
	var other, same []string
	for _, x := range rows {
		if beyondNoise(x.CPU) {
			other = append(other, x.Name+" "+x.CPU.Change())
		} else {
			same = append(same, x.Name)
		}
	}
	text := ""
	if other != nil {
		text = "CPU time of benchmarks that allocate as much as before: " + listed(other) + ". "
	}
	if same != nil {
		text += "No difference beyond noise: " + listed(same) + "."
	}
	return text
}

// foretold tells what was predicted of one of the benchmarks of which something was: the one whose bytes the message names, or else the first.
func (c *candidate) foretold(rows []attempt.Row) string {
	if gains := c.ofLine(); len(gains) > 0 {
		if i := slices.IndexFunc(rows, gains[0].Of); i > 0 {
			rows = slices.Concat(rows[i:i+1], rows)
		}
	}
	for _, x := range rows {
		var ranges []string
		if x.Predicted != nil {
			ranges = append(ranges, predicted(x.Predicted)+" less CPU time")
		}
		if x.Memory != nil && x.Memory.Hi > leastTold && x.Bytes.Before > 0 {
			ranges = append(ranges, predicted(x.Memory)+" fewer bytes")
		}
		if ranges != nil {
			return "Predicted for " + x.Name + ": " + strings.Join(ranges, ", ") + "."
		}
	}
	return ""
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

// sentences are the evidence of a change; what is said of several lines is said once, as is a place that the sentence before has, and how many objects an operation makes is left out.
func sentences(c *candidate) (all []string) {
	var texts []string
	places := make(map[string][]string)
	for _, e := range c.Evidence {
		if strings.HasSuffix(e.Text, changedToo) && len(c.same) == 1 && c.same[0].File == e.File && c.same[0].Line == e.Line {
			continue // it is named as a line that allocated
		}
		for text := range strings.SplitSeq(e.Text, "; ") {
			if strings.HasPrefix(text, "an operation makes ") || text == lever.GrowsToo { // those lines are counted
				continue
			}
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			e.Text = text // the place stands behind the last
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
	last := ""
	for _, text := range texts {
		p := places[text]
		place := strings.Join(p, ", ")
		if before, ok := strings.CutSuffix(text, changedToo); ok && p != nil {
			text = before + " at " + ofLines(p) + ", too"
		} else if place != "" && place != last {
			text += " (" + place + ")"
		}
		last = cmp.Or(place, last)
		all = append(all, text)
	}
	return all
}

// ofLines names places: all lines of the change's file after one word.
func ofLines(places []string) string {
	var numbers []string
	for _, place := range places {
		number, ok := strings.CutPrefix(place, "line ")
		if !ok || len(places) < 2 {
			return joined(places)
		}
		numbers = append(numbers, number)
	}
	return "lines " + joined(numbers)
}

// changedToo is the end of evidence of another place that the change is of.
const changedToo = " here, too"

// joined is a list in words.
func joined(all []string) string {
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}

// leastTold is the least share of a benchmark's bytes that a message tells: the smallest that is not shown as zero.
const leastTold = 0.0005

// ofLine are the gains of the line, without those of mates; the first is of the benchmark in which most bytes were saved, or else of the one that was
// predicted to save most.
func (c *candidate) ofLine() []attempt.Gain {
	gains := c.Gains
	if len(c.members) > 0 {
		gains = c.members[0].gains
	}
	saved := func(g attempt.Gain) float64 {
		i := slices.IndexFunc(c.Rows, g.Of)
		if i < 0 || g.Bytes < leastTold || !lessBy(c.Rows[i].Bytes, leastSaved) {
			return 0
		}
		return c.Rows[i].Bytes.Saved()
	}
	gains = slices.Clone(gains)
	slices.SortStableFunc(gains, func(a, b attempt.Gain) int { return cmp.Compare(saved(b), saved(a)) })
	return gains
}

// why tells the line, its share of a benchmark's bytes, whether most of what the change saves is allocated elsewhere, and why it
// allocated, a sentence for each piece of evidence.
func (c *candidate) why() string {
	text := fmt.Sprintf("%s:%d", path.Base(c.File), c.Line)
	if gains := c.ofLine(); len(gains) > 0 && gains[0].Bytes >= leastTold {
		g := gains[0]
		switch n := len(c.same); {
		case n > 1:
			text += fmt.Sprintf(" and %d other lines", n)
		case n == 1 && c.same[0].File == c.File:
			text += fmt.Sprintf(" and line %d", c.same[0].Line)
		case n == 1:
			text += fmt.Sprintf(" and %s:%d", path.Base(c.same[0].File), c.same[0].Line)
		}
		text += " allocated " + share(g.Bytes) + " of the bytes"
		if _, name := g.Split(); name != "" {
			text += " of " + name
		}
		if g.Memory != nil && g.Memory.Hi > 2*g.Bytes {
			text += ", and most of what the change saves is allocated on other lines"
		}
	}
	for i, e := range sentences(c) {
		if i == 0 {
			text += ": " + e + "."
		} else {
			text += " " + sentence(e)
		}
	}
	return text
}

// firstWords are the words of evidence that a sentence may begin with; other first words may be names of the program.
var firstWords = []string{"a", "all", "an", "and", "callers", "consecutive", "each", "every", "here", "if", "it", "its", "many", "most", "nearly", "no", "nothing", "of", "one", "only",
	"some", "strings", "that", "the", "there", "these", "they", "this", "three", "two", "up", "what",
	"when", "where", "with", "without"}

// pronouns are first words that stand for something; the others may be names if a predicate follows.
var pronouns = []string{"it", "nothing", "that", "they", "these", "this", "what"}

// predicates follow a name.
var predicates = []string{"does", "finds", "grows", "has", "is", "keeps", "runs", "starts", "stays", "was"}

// sentence is a piece of evidence with a full stop, and a capital letter if its first word is no name.
func sentence(text string) string {
	first, rest, _ := strings.Cut(text, " ")
	second, _, _ := strings.Cut(rest, " ")
	if slices.Contains(firstWords, first) && (slices.Contains(pronouns, first) || !slices.Contains(predicates, second)) {
		text = strings.ToUpper(first[:1]) + text[1:]
	}
	return text + "."
}

// share is a share in percent, with a decimal place if it is small.
func share(of float64) string {
	if of < 0.01 {
		return fmt.Sprintf("%.1f %%", 100*of)
	}
	return fmt.Sprintf("%.0f %%", 100*of)
}

// predicted is a range in percent.
func predicted(p *advice.Range) string {
	lo, hi := fmt.Sprintf("%.1f", 100*p.Lo), fmt.Sprintf("%.1f", 100*p.Hi)
	switch {
	case lo == hi:
		return lo + " %"
	case lo == "0.0":
		return "up to " + hi + " %"
	}
	return lo + " to " + hi + " %"
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
	more := "packages"
	if n == 1 {
		more = "package"
	}
	return fmt.Sprintf("%sand %d more %s", text, n, more)
}

// unbroken are parts of a text that stay on one line: a number and what it counts, a line and its number, an interval.
var unbroken = regexp.MustCompile(`\[[-+0-9.]+, [-+0-9.]+\]|[0-9] (%|bytes|KiB|MiB|elements|entries|objects|times)|\blines? [0-9]`)

// paragraph writes a text in lines of at most 76 characters.
func paragraph(b *strings.Builder, text string) {
	const space = "\x00" // that no line ends at
	text = unbroken.ReplaceAllStringFunc(text, func(part string) string { return strings.ReplaceAll(part, " ", space) })
	width := 0
	for word := range strings.FieldsSeq(text) {
		word = strings.ReplaceAll(word, space, " ")
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
		case width+1+n > 76:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += n
	}
	b.WriteString("\n")
}
