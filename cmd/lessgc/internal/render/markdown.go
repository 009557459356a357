package render

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// GitHub's limits: of a comment in characters, and of a step summary in bytes. Both are applied to bytes,
// of which a text has at least as many as characters.
const (
	MarkdownComment = 65_536
	MarkdownSummary = 1 << 20

	MarkdownLeast = 16 << 10 // leaves room for the answers and the command
)

// fixedText bounds, in characters, what is never left out: headings and the names of tables.
const fixedText = 120

// mostLines bounds a table of Markdown in a comment; where there is more room there are more.
const mostLines = 40

// How decisive a line is: those of the last ranks are left out first.
const (
	rankAnswer = iota
	rankMean
	rankWorse
	rankProblem
	rankDiffers
	rankBetter
	rankCause
	rankUnclear
	rankSame
	rankOpen   // more than that: in a table of a metric that does not decide
	rankNote   = 20
	rankClosed = 30
)

// Markdown writes a report for a comment on a pull request, in GitHub's dialect: the
// answers, a table for each deciding metric and for each that is worse somewhere, the
// others in a section that is closed, and the notes. It writes at most limit bytes, or MarkdownComment
// if limit is 0: the least decisive lines are left out, and sentences count them. What a benchmark or a compiler has
// said cannot mention or link anyone, nor make tables or tags of its own.
func Markdown(w io.Writer, r *verdict.Report, limit int) error {
	r = visible.All(r, visible.Terminal)
	where := "report.html"
	if len(r.Machines) > 0 {
		where = "the page that -html writes"
	}
	d := newMarkdownDoc(limit, where)
	d.add(markdownBlock{head: "### " + plain(visible.Short(question(r), fixedText)) + "\n\n"})
	answers := markdownBlock{noun: "answer", tail: "\n"}
	for _, a := range r.Answers {
		name := code(r.Cells[a.Cell].Name)
		if group := r.Cells[a.Cell].Group; group != "" {
			name += " against " + code(group)
		}
		answers.line(rankAnswer, "", "- %s: **%s.** %s\n", name, plain(a.Short), plain(a.Text))
	}
	d.add(answers)
	markdownUpgrade(d, r)
	for _, closed := range []bool{false, true} {
		for m, metric := range r.Metrics {
			if !metric.Tabled() {
				continue
			}
			open := metric.Decides || slices.ContainsFunc(r.Comparisons, func(x verdict.Comparison) bool {
				return x.Metric == m && x.Word == verdict.Worse
			})
			for _, cells := range compared(r, m) {
				if r.Cells[cells[0]].Without == "" && open != closed { // markdownUpgrade has the others
					d.table(markdownTable(r, m, cells, closed))
				}
			}
		}
	}
	markdownMachines(d, r)
	var problems, notes markdownBlock
	problems.noun, notes.noun = "problem", "note"
	for _, p := range r.Problems {
		problems.line(rankProblem, "", "- not measured: %s\n", plain(p.Text))
	}
	for _, n := range r.Notes {
		notes.line(rankNote, "", "- note: %s\n", plain(n))
	}
	d.add(problems)
	d.add(notes)
	short := func(s string, most int) string { return plain(visible.Short(s, most)) }
	on := fmt.Sprintf("GOMAXPROCS=%d, %s/%s, %s", r.Procs, short(r.Host.OS, 20), short(r.Host.Arch, 20), short(r.Host.CPU, 100))
	if len(r.Machines) > 0 {
		on = short(measuredOn(r), 1000)
	}
	d.add(markdownBlock{head: fmt.Sprintf("\n<sub>%s: %s, %s</sub>\n", code(visible.Short("lessgc "+strings.Join(r.Command, " "), visible.Terminal)), rounds(r), on)})
	_, err := io.WriteString(w, d.text())
	return err
}

// A markdownDoc is Markdown within a limit.
type markdownDoc struct {
	limit  int
	where  string // what is left out can be read
	blocks []markdownBlock
}

// A markdownBlock is a list or a table. A table of which all lines are left out is named in a sentence instead.
type markdownBlock struct {
	name       string // of a table
	noun       string // of a line
	head, tail string // before and after the lines
	lines      []markdownLine
	closed     bool
}

type markdownLine struct {
	text string
	rank int
	word verdict.Word
	out  bool // left out
}

func newMarkdownDoc(limit int, where string) *markdownDoc {
	if limit <= 0 {
		limit = MarkdownComment
	}
	return &markdownDoc{limit: limit, where: where}
}

func (b *markdownBlock) line(rank int, word verdict.Word, format string, args ...any) {
	b.lines = append(b.lines, markdownLine{text: fmt.Sprintf(format, args...), rank: rank, word: word})
}

func (d *markdownDoc) add(b markdownBlock) { d.blocks = append(d.blocks, b) }

// table adds a table if it has lines, of which it shows the most decisive ones.
func (d *markdownDoc) table(b markdownBlock) {
	if len(b.lines) == 0 {
		return
	}
	b.noun = "line"
	most := max(mostLines, mostLines*(d.limit/MarkdownComment))
	for _, i := range b.byRank()[min(len(b.lines), most):] {
		b.lines[i].out = true
	}
	d.add(b)
}

// byRank are the numbers of the lines, the most decisive first.
func (b *markdownBlock) byRank() []int {
	var order []int
	for i := range b.lines {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return b.lines[i].rank - b.lines[j].rank })
	return order
}

// write writes the lines that are shown, and a sentence about the others.
func (b *markdownBlock) write(out *strings.Builder, where string) {
	left := b.left()
	if len(b.lines) > 0 && left == len(b.lines) && b.name != "" {
		return // markdownDoc.text names it
	}
	out.WriteString(b.head)
	for _, l := range b.lines {
		if !l.out {
			out.WriteString(l.text)
		}
	}
	if left > 0 && b.name == "" {
		fmt.Fprintf(out, "- %s in %s.\n", more(left, b.noun, ""), where)
	}
	out.WriteString(b.tail)
	if left > 0 && b.name != "" {
		fmt.Fprintf(out, "%s in %s.\n\n", more(left, b.noun, b.words()), where)
	}
}

func more(n int, noun, words string) string {
	if n == 1 {
		return "1 more " + noun + words + " is"
	}
	return fmt.Sprintf("%d more %ss%s are", n, noun, words)
}

func (b *markdownBlock) left() int {
	n := 0
	for _, l := range b.lines {
		if l.out {
			n++
		}
	}
	return n
}

// words counts the lines that are left out by their verdicts, in brackets.
func (b *markdownBlock) words() string {
	var parts []string
	for _, w := range []verdict.Word{verdict.Worse, verdict.Mixed, verdict.Better, verdict.Unclear, verdict.Same} {
		n := 0
		for _, l := range b.lines {
			if l.out && l.word == w {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// text is the document, with so many lines left out that it fits.
func (d *markdownDoc) text() string {
	type place struct{ block, line, rank int }
	var all []place
	for i, b := range d.blocks {
		for j, l := range b.lines {
			if !l.out {
				all = append(all, place{i, j, l.rank})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return a.rank - b.rank })
	for {
		text := d.written()
		over := len(text) - d.limit
		if over <= 0 || len(all) == 0 {
			return text
		}
		for over > 0 && len(all) > 0 {
			last := all[len(all)-1]
			all = all[:len(all)-1]
			line := &d.blocks[last.block].lines[last.line]
			line.out = true
			over -= len(line.text)
		}
	}
}

// fewTables bounds the names of tables that are left out.
const fewTables = 5

func (d *markdownDoc) written() string {
	var b, closed strings.Builder
	var gone []string
	flush := func() { // the closed tables, and what is left out, stand behind the open tables
		if closed.Len() > 0 {
			fmt.Fprintf(&b, "<details><summary>other metrics</summary>\n\n%s</details>\n\n", closed.String())
			closed.Reset()
		}
		if n := len(gone); n > 0 {
			names := strings.Join(gone[:min(n, fewTables)], "; ")
			if n > fewTables {
				names += fmt.Sprintf("; and %d others", n-fewTables)
			}
			fmt.Fprintf(&b, "- %s in %s: %s.\n", more(n, "table", ""), d.where, names)
			gone = nil
		}
	}
	for _, block := range d.blocks {
		switch {
		case block.name == "":
			flush()
			block.write(&b, d.where)
		case block.left() == len(block.lines):
			gone = append(gone, block.name)
		case block.closed:
			block.write(&closed, d.where)
		default:
			block.write(&b, d.where)
		}
	}
	flush()
	return b.String()
}

// markdownTable is one metric of one group, verdicts first, and those that are worse
// before all others.
func markdownTable(r *verdict.Report, m int, cells []int, closed bool) markdownBlock {
	metric := r.Metrics[m]
	block := markdownBlock{closed: closed, tail: "\n"}
	for _, row := range rowsAndGeomean(r) {
		for _, c := range cells {
			x := find(r, row, c, m)
			if x == nil {
				continue
			}
			name := "geometric mean"
			if row != verdict.Geomean {
				name = code(r.Rows[row].Name)
			}
			if len(cells) > 1 {
				name += " in " + code(r.Cells[c].Name)
			}
			word := string(x.Word)
			switch {
			case x.Withheld != "":
				word = "withheld: wall time disagrees"
			case x.Word == verdict.Worse:
				word = "**worse**"
			case x.Word == verdict.Mixed:
				word = "**mixed**"
				if of := byClass(r, x); of != "" {
					word += ": " + plain(of)
				}
			case x.Word == verdict.Better:
				word = "**better**"
			}
			change := change(x)
			if metric.Exact && x.Ratio == 1 {
				change = "="
			}
			before, after := "", ""
			if v := value(r, row, x.Ref, m); v != nil {
				before = Number(v.Median, metric.Unit)
			}
			if v := value(r, row, c, m); v != nil {
				after = Number(v.Median, metric.Unit)
			}
			block.line(lineRank(x, metric, closed), x.Word, "| %s | %s | %s | %s | %s |\n", name, word, change, before, after)
		}
	}
	slices.SortStableFunc(block.lines, func(a, b markdownLine) int {
		switch aw, bw := a.word == verdict.Worse, b.word == verdict.Worse; {
		case aw == bw:
			return 0
		case aw:
			return -1
		}
		return 1
	})
	before := "baseline"
	if ref, one := commonRef(r, cells); one {
		before = code(r.Cells[ref].Name)
	}
	after := "other"
	if len(cells) == 1 {
		after = code(r.Cells[cells[0]].Name)
	}
	block.name = plain(visible.Short(heading(r, metric)+against(r, cells), fixedText))
	block.head = fmt.Sprintf("| %s | verdict | change | %s | %s |\n|---|---|--:|--:|--:|\n", block.name, before, after)
	return block
}

// lineRank is how decisive a line of a table is.
func lineRank(x *verdict.Comparison, m verdict.Metric, closed bool) int {
	rank := rankSame
	switch {
	case (x.Word == verdict.Worse || x.Word == verdict.Mixed) && !closed:
		return rankWorse
	case x.Row == verdict.Geomean:
		rank = rankMean
	case x.Word == verdict.Better:
		rank = rankBetter
	case x.Word == verdict.Unclear:
		rank = rankUnclear
	}
	switch {
	case closed:
		return rankClosed + rank
	case !m.Decides:
		return rankOpen + rank
	}
	return rank
}

// linking are texts that a code host makes links of, behind Markdown's own escapes: references
// to issues, and addresses. What parts them goes behind the first group.
var linking = regexp.MustCompile(`(?i)(#)([0-9])|(\bgh)(-[0-9])|(:)(//)|(\bwww)(\.)`)

// hash matches what may be that of a commit.
var hash = regexp.MustCompile(`(?i)\b[0-9a-f]{7,}\b`)

// plain is text without meaning in Markdown.
func plain(s string) string {
	const apart = "\x00" // becomes a comment, which takes no room
	s = linking.ReplaceAllString(strings.ReplaceAll(s, apart, ""), "${1}${3}${5}${7}"+apart+"${2}${4}${6}${8}")
	s = hash.ReplaceAllStringFunc(s, func(h string) string {
		var parts []string
		for part := range slices.Chunk([]byte(h), 6) { // 7 digits are the fewest that are linked
			parts = append(parts, string(part))
		}
		return strings.Join(parts, apart)
	})
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '@':
			b.WriteString("@<!-- -->") // or it would mention someone
		case c == 0:
			b.WriteString("<!-- -->")
		case c == '\n' || c == '\r':
			b.WriteByte(' ')
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`|", c): // renderers differ in what a backslash does before these
			fmt.Fprintf(&b, "&#%d;", c)
		case strings.ContainsRune("*_{}[]#~$", c):
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// code is text in a code span, where nothing but its end and the end of a table's cell means anything.
// With either in it, it is an element with everything but letters, digits and spaces by numbers.
func code(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	if !strings.ContainsAny(s, "`|") {
		return "`" + s + "`"
	}
	var b strings.Builder
	for _, c := range s {
		if c < 0x80 && c != ' ' && (c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z') {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return "<code>" + b.String() + "</code>"
}
