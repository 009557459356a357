package render

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// attacks are names that want to be more than text on a code host.
var attacks = []string{
	"a|b", `a\|b`, `a\\|b`, `a\`, "a`b", "``a``", "`|`@all", "a\n| x | y |", "a\r\n\r\n# heading", "</code>@all", "<!-- @all -->", "--> @all", "<img src=https://evil.example/x.png>",
	"<script>alert(1)</script>", "@all", "x @golang/team", "mail@evil.example", "#123", "golang/go#1", "GH-12", "gh-7", "https://evil.example/x", "HTTP://evil.example", "www.evil.example",
	"golang/go@0123456789abcdef0123456789abcdef01234567", "0123456789abcdef0123456789abcdef01234567", "deadbee", "[x](https://evil.example)", "![x](//evil.example/y)", "[^1]", "[ ] x",
	"$\\sqrt{x}$", "a\u202e@evil\u200fb", "&#64;all", "&commat;all", "*x*_y_~z~", "- x", "1. x", "> x", "```", "~~~", "<details>", "</details>", "", " ", "| --- |", "\u2028@all", "a\u200b@all",
}

// linked finds what a code host makes links and mentions of, in the text that is left of the Markdown when it is rendered.
var linked = regexp.MustCompile(`@[A-Za-z0-9]|#[0-9]|(?i:\bgh-[0-9])|(?i:https?://)|(?i:\bwww\.)|\b[0-9a-f]{7,40}\b`)

var (
	codeSpan  = regexp.MustCompile("`[^`\n]*`|<code>[^<>`|\n]*</code>")
	ownTags   = regexp.MustCompile(`<!-- -->|</?(?:details|summary|sub)>`)
	backslash = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// checkMarkdown looks at Markdown as a code host does: tables have as many cells in each line as in their header, elements are closed, and
// nothing outside of code is a link, a mention or a tag.
func checkMarkdown(text string) error {
	cells := 0
	depth := 0
	for number, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("line %d, %s: %.300q", number+1, fmt.Sprintf(format, args...), line)
		}
		if strings.HasPrefix(line, "|") {
			n := 0
			for i := 1; i < len(line); i++ {
				if line[i] == '|' && line[i-1] != '\\' {
					n++
				} else if line[i] == '|' && strings.HasSuffix(line[:i], `\\`) && !strings.HasSuffix(line[:i], `\\\`) {
					return fail("a pipe of which it is not clear whether it ends the cell")
				}
			}
			if cells == 0 {
				cells = n
			}
			if n != cells || !strings.HasSuffix(line, "|") {
				return fail("%d cells in a table of %d", n, cells)
			}
		} else if line != "" && cells > 0 {
			return fail("text in a table")
		} else {
			cells = 0
		}
		switch {
		case strings.HasPrefix(line, "#") && number > 0, strings.HasPrefix(line, "```"), strings.HasPrefix(line, ">"), strings.HasPrefix(line, "    "):
			return fail("a block of its own")
		}
		rest := codeSpan.ReplaceAllString(line, "\x00")
		depth += strings.Count(rest, "<details>") - strings.Count(rest, "</details>")
		if strings.Contains(backslash.ReplaceAllString(rest, ""), "`") {
			return fail("a backtick")
		}
		for _, node := range ownTags.Split(rest, -1) {
			if strings.ContainsAny(node, "<>") {
				return fail("a tag")
			}
			bare := backslash.ReplaceAllString(node, "")
			if !strings.Contains(bare, "| --") && strings.ContainsAny(bare, "*_~") && !strings.Contains(bare, "**") {
				return fail("an emphasis")
			}
			if shown := html.UnescapeString(backslash.ReplaceAllString(node, "$1")); linked.MatchString(shown) {
				return fail("a link: %q", linked.FindString(shown))
			}
		}
	}
	if depth != 0 || strings.Contains(text, "\r") {
		return fmt.Errorf("%d sections are not closed", depth)
	}
	return nil
}

// hostileMarkdown is a comparison in which all names and texts are s.
func hostileMarkdown(s string) *verdict.Report {
	r := sampleReport("Decode", "Encode")
	for i := range r.Rows {
		r.Rows[i].Name, r.Rows[i].Package = s, s
	}
	for i := range r.Cells {
		r.Cells[i].Name, r.Cells[i].Group = s, s
	}
	for i := range r.Answers {
		r.Answers[i].Short, r.Answers[i].Text = s, "it is "+s+" that is better"
	}
	for i := range r.Metrics {
		if i > 1 {
			r.Metrics[i].Title, r.Metrics[i].Name, r.Metrics[i].Unit = s, s, s
		}
	}
	r.Problems, r.Notes = []session.Problem{{Text: s}}, []string{s, "a note on " + s}
	r.Command, r.Host.CPU, r.Host.OS, r.Host.Arch = []string{"compare", s}, s, s, s
	return r
}

// TestMarkdownAttacks checks that names break no table, and mention and link nobody.
func TestMarkdownAttacks(t *testing.T) {
	for _, s := range attacks {
		r := hostileMarkdown(s)
		up := sampleUpgrade(s)
		up.Upgrade.To, up.Upgrade.From = s, s
		for i := range up.Upgrade.Changes {
			up.Upgrade.Changes[i].Name, up.Upgrade.Changes[i].Setting = s, s
		}
		for i := range up.Upgrade.Causes {
			up.Upgrade.Causes[i].Text = "it is " + s
		}
		several := twoRuns(2)
		for i := range several.Runs {
			several.Runs[i].Name, several.Runs[i].Dir, several.Runs[i].Notes = s, s, []string{s}
		}
		several.Differs[0].What, several.Differs[0].Values = s, []string{s, s}
		several.Tables[0].Cell, several.Tables[0].Rows[0].Name = s, s
		for name, write := range map[string]func(b *strings.Builder) error{
			"report":       func(b *strings.Builder) error { return Markdown(b, r, 0) },
			"upgrade":      func(b *strings.Builder) error { return Markdown(b, up, 0) },
			"side by side": func(b *strings.Builder) error { return RunsMarkdown(b, several, 0) },
		} {
			var b strings.Builder
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if err := checkMarkdown(b.String()); err != nil {
				t.Errorf("%s, %q: %v", name, s, err)
			}
		}
	}
}

// TestCheckMarkdown checks that the check can fail.
func TestCheckMarkdown(t *testing.T) {
	for _, bad := range []string{"| a | b |\n|---|---|\n| x |\n", "| a |\n|---|\n| `x\\\\|y` |\n", "- @all", `- \@all`, `- \#12`, "- &#64;all", "- <b>", "- https://x", "- GH-1", "- a `", "- *x*", "x\n# y", "<details>"} {
		if checkMarkdown(bad) == nil {
			t.Errorf("%q is not found", bad)
		}
	}
	if err := checkMarkdown("### x\n\n- `@all` #<!-- -->1 <code>a&#124;b</code>\n\n| a |\n|---|\n| x\\|y |\n"); err != nil {
		t.Error(err)
	}
}

// TestMarkdownLimit checks that what is cut are whole lines, the least decisive first, and that a sentence counts them.
func TestMarkdownLimit(t *testing.T) {
	large := sampleReport("Decode")
	large.Comparisons, large.Values = nil, nil
	large.Notes = nil
	words := []verdict.Word{verdict.Same, verdict.Unclear, verdict.Better, verdict.Worse}
	for i := range 400 {
		large.Notes = append(large.Notes, fmt.Sprintf("note %d of @all", i))
		large.Rows = append(large.Rows, verdict.Row{Name: strings.Repeat("|`@all`", 40) + fmt.Sprint(i)})
		for m := range large.Metrics {
			large.Comparisons = append(large.Comparisons, verdict.Comparison{Row: 1 + i, Cell: 1, Metric: m, N: 10, Ratio: 1, Bounded: true, Lo: 0.9, Hi: 1.1, Word: words[i%len(words)]})
		}
	}
	for m := range large.Metrics {
		large.Comparisons = append(large.Comparisons, verdict.Comparison{Row: verdict.Geomean, Cell: 1, Metric: m, N: 10, Ratio: 1, Word: verdict.Same})
	}
	for _, limit := range []int{0, MarkdownLeast, MarkdownSummary} {
		var b strings.Builder
		if err := Markdown(&b, large, limit); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if limit == 0 {
			limit = MarkdownComment
		}
		if len(text) > limit || len(text) < limit/2 {
			t.Errorf("%d bytes of %d", len(text), limit)
		}
		if err := checkMarkdown(text); err != nil {
			t.Error(err)
		}
		if !strings.Contains(text, "### Should I turn it on?") || !strings.Contains(text, "| CPU time") || !strings.Contains(text, "geometric mean") || !strings.Contains(text, "<sub>") {
			t.Errorf("the most important is not in %.2000s", text)
		}
		for _, table := range strings.Split(text, "\n\n") {
			head, _, _ := strings.Cut(table, "\n")
			if !strings.HasPrefix(head, "| ") {
				continue
			}
			shown := strings.Count(table, "\n") - 1
			_, after, _ := strings.Cut(text, table+"\n\n")
			sentence := regexp.MustCompile(`^(\d+) more lines \(([^)]*)\) are in report\.html\.\n`).FindStringSubmatch(after)
			if sentence == nil {
				t.Errorf("no sentence behind %s: %.200s", head, after)
				continue
			}
			more, sum := atoi(sentence[1]), 0
			for part := range strings.SplitSeq(sentence[2], ", ") {
				count, _, _ := strings.Cut(part, " ")
				sum += atoi(count)
			}
			if more != sum || more+shown != 401 {
				t.Errorf("%d lines and %q of 401", shown, sentence[0])
			}
			if strings.Contains(table, "| same |") && strings.Contains(sentence[2], "worse") && !strings.Contains(table, "geometric mean | same |") {
				t.Errorf("lines that are the same are shown, and worse ones are not: %q", sentence[0])
			}
		}
	}
}

// TestMarkdownLongNames checks the limit where names alone would fill it.
func TestMarkdownLongNames(t *testing.T) {
	for _, s := range []string{strings.Repeat("@all|`#1 ", 1000), strings.Repeat("@", 5000), strings.Repeat("|", 5000) + " x"} {
		r := hostileMarkdown(s)
		for i := range 200 {
			r.Metrics = append(r.Metrics, verdict.Metric{Name: s, Unit: s, Title: fmt.Sprint(i) + s})
			r.Comparisons = append(r.Comparisons, verdict.Comparison{Row: 0, Cell: 1, Metric: len(r.Metrics) - 1, Ratio: 2, Word: verdict.Worse})
			r.Problems = append(r.Problems, session.Problem{Text: s})
		}
		up := sampleUpgrade(s)
		up.Upgrade.To = s
		several := twoRuns(2)
		for i := range several.Runs {
			several.Runs[i].Dir, several.Runs[i].Notes = s, []string{s}
		}
		several.Differs[0].What, several.Tables[0].Cell = s, s
		for name, write := range map[string]func(b *strings.Builder) error{
			"report":       func(b *strings.Builder) error { return Markdown(b, r, MarkdownLeast) },
			"upgrade":      func(b *strings.Builder) error { return Markdown(b, up, MarkdownLeast) },
			"side by side": func(b *strings.Builder) error { return RunsMarkdown(b, several, MarkdownLeast) },
		} {
			var b strings.Builder
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if b.Len() > MarkdownLeast {
				t.Errorf("%s of %.20q: %d bytes", name, s, b.Len())
			}
			if err := checkMarkdown(b.String()); err != nil {
				t.Errorf("%s of %.20q: %v", name, s, err)
			}
		}
	}
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1 << 30
	}
	return n
}
