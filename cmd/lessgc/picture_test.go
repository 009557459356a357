package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// TestPicture checks that README's picture shows what the commands print today of two
// runs that are kept in testdata/picture: advise of a benchmark of osteele/liquid v1.6.0, and compare
// after the map of each iteration of its loop was replaced by one map, as advise suggests.
func TestPicture(t *testing.T) {
	got := picture([]panel{
		{"lessgc advise -bench Template_Render .", advicePart(t)},
		{"lessgc compare -base HEAD -bench Template_Render .", comparePart(t)},
	})
	generated(t, "../../docs/report.svg", got)
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
	page := strings.Join(readme(t), "\n")
	for _, figure := range []string{`would save ([0-9.]+ to [0-9.]+ %) of`, `It saves ([0-9.]+ %) of`} {
		if m := regexp.MustCompile(figure).FindStringSubmatch(got); m == nil || !strings.Contains(page, m[1]) {
			t.Errorf("README.md lacks the picture's figure %q", m)
		}
	}
}

const pictureWidth = 124 // columns

// advicePart returns the costs, the most expensive line, and its lever.
func advicePart(t *testing.T) string {
	data, err := os.ReadFile("testdata/picture/advice.json")
	if err != nil {
		t.Fatal(err)
	}
	var r advice.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := (render.Text{Width: pictureWidth, Color: true}).Advice(&b, &r, 1, false); err != nil {
		t.Fatal(err)
	}
	return before(t, b.String(), "→ \x1b[1mgc-setting")
}

// comparePart returns the deciding figure and the answer.
func comparePart(t *testing.T) string {
	s, trials, err := session.Read("testdata/picture/compare")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := (render.Text{Width: pictureWidth, Color: true}).Write(&b, verdict.New(s, trials)); err != nil {
		t.Fatal(err)
	}
	all := b.String()
	first := before(t, all, "wall time per op")
	_, answer, ok := strings.Cut(all, "Is the working tree better?")
	if !ok {
		t.Fatalf("compare does not say whether the working tree is better:\n%s", all)
	}
	return first + "\n\x1b[1mIs the working tree better?" + before(t, answer, "note: ")
}

// before returns the lines of a text before the one in which part is.
func before(t *testing.T, text, part string) string {
	t.Helper()
	i := strings.Index(text, part)
	if i < 0 {
		t.Fatalf("no %q in:\n%s", part, text)
	}
	return strings.TrimRight(text[:strings.LastIndexByte(text[:i], '\n')+1], "\n")
}

// A panel is a command and what it prints, with the colours of a terminal.
type panel struct{ command, output string }

// sgr is a terminal's code for bold (1), dim (2), red (31), green (32), or none (0).
var sgr = regexp.MustCompile(`\x1b\[(\d+)m`)

// picture draws panels below each other as an SVG.
func picture(panels []panel) string {
	const column, line, margin = 7.25, 17.0, 18.0
	width := pictureWidth*column + 2*margin
	var b strings.Builder
	y := margin + line
	for _, p := range panels {
		fmt.Fprintf(&b, "<text x=%q y=%q><tspan class=\"p\">$ </tspan><tspan class=\"b\">%s</tspan></text>\n", px(margin), px(y), escaped(p.command))
		y += line
		for text := range strings.SplitSeq(p.output, "\n") {
			if text == "" {
				y += line / 2
			}
			for len(sgr.ReplaceAllString(text, "")) > 0 {
				var part string
				part, text = cutAt(text, pictureWidth)
				fmt.Fprintf(&b, "<text x=%q y=%q>%s</text>\n", px(margin), px(y), spans(part))
				y += line
			}
		}
		y += line
	}
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12">
<title>What lessgc advise prints of a benchmark, and lessgc compare of the change that it suggests</title>
<style>text { white-space: pre; fill: #d4d9e0 } .b { font-weight: bold; fill: #ffffff } .d { fill: #8b949e } .g { fill: #56d364; font-weight: bold } .r { fill: #ff7b72; font-weight: bold } .p { fill: #56d364 }</style>
<rect width="100%%" height="100%%" rx="8" fill="#14181f"/>
`, px(width), px(y))
	return head + b.String() + "</svg>\n"
}

func px(v float64) string { return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) }

// cutAt cuts a line after at most n columns; codes take none.
func cutAt(line string, n int) (head, tail string) {
	columns := 0
	for i := 0; i < len(line); {
		if code := sgr.FindStringIndex(line[i:]); code != nil && code[0] == 0 {
			i += code[1]
			continue
		}
		if columns == n {
			return line[:i], "    " + line[i:]
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i, columns = i+size, columns+1
	}
	return line, ""
}

// spans writes a line with codes as text elements.
func spans(line string) string {
	classes := map[string]string{"1": "b", "2": "d", "31": "r", "32": "g"}
	var b strings.Builder
	class, from := "", 0
	write := func(s string) {
		if class != "" && s != "" {
			fmt.Fprintf(&b, "<tspan class=%q>%s</tspan>", class, escaped(s))
		} else {
			b.WriteString(escaped(s))
		}
	}
	for _, code := range sgr.FindAllStringSubmatchIndex(line, -1) {
		write(line[from:code[0]])
		class, from = classes[line[code[2]:code[3]]], code[1]
	}
	write(line[from:])
	return b.String()
}

func escaped(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// TestBadges checks README's badges against the go.mod files and LICENSE.
func TestBadges(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	license, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	command, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^go (\d+\.\d+)`)
	release, newer := line.FindSubmatch(mod), line.FindSubmatch(command)
	name := regexp.MustCompile(`(?s)^\s*(Apache) License\s+Version (2\.0)`).FindSubmatch(license)
	if release == nil || newer == nil || name == nil {
		t.Fatal("a go.mod has no go line, or LICENSE is not Apache's")
	}
	direct := 0 // requirements of the libraries' module that are not only those of others or of tools
	for line := range strings.Lines(string(mod)) {
		if strings.HasPrefix(line, "require ") || strings.HasPrefix(line, "\t") && !strings.Contains(line, "// indirect") {
			direct++
		}
	}
	for file, words := range map[string][2]string{
		"go":           {"Go", fmt.Sprintf("%s; arena, pool, seq, pace: %s", newer[1], release[1])},
		"license":      {"license", fmt.Sprintf("%s-%s", name[1], name[2])},
		"dependencies": {"dependencies", fmt.Sprintf("arena, pool, seq, pace: %s", none(direct))},
	} {
		generated(t, "../../docs/badge-"+file+".svg", badge(words[0], words[1]))
	}
}

// none writes a number of things.
func none(n int) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(n)
}

// badge draws two words in boxes.
func badge(name, value string) string {
	const column, pad = 6.6, 8.0
	left, right := float64(len(name))*column+2*pad, float64(len(value))*column+2*pad
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width=%[1]q height="20" font-family="Verdana, 'DejaVu Sans', sans-serif" font-size="11" fill="#ffffff">
<title>%[4]s: %[5]s</title>
<rect width=%[1]q height="20" rx="3" fill="#2f6f9f"/><rect width=%[2]q height="20" rx="3" fill="#454b54"/>
<text x="8" y="14">%[4]s</text><text x=%[3]q y="14">%[5]s</text>
</svg>
`, px(left+right), px(left), px(left+pad), escaped(name), escaped(value))
}
