package render

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
	"lessgc/cmd/lessgc/internal/verdict"
)

// sampleUpgrade is a report of an upgrade with two changes and one that is refused. Decode
// is slower by jsonv2, Sum by the rest of the release; Encode is faster by malloc; Sort's
// binary has no part of jsonv2. name is behind all names.
func sampleUpgrade(name string) *verdict.Report {
	s := sampleSession("Decode"+name, "Sum"+name, "Encode"+name, "Sort"+name)
	s.Problems, s.Notes, s.Command = nil, nil, []string{"compare", "-upgrade", "go1.27.3"}
	s.Config.Upgrade = &upgrade.Plan{From: "go1.26.8", To: "go1.27.3", Changes: []upgrade.Change{
		{Name: "jsonv2", About: "JSONv2 enables the json/v2 package." + name, Setting: "nojsonv2", Mode: "go1.27.3 nojsonv2"},
		{Name: "malloc", Setting: "nomalloc", Mode: "go1.27.3 nomalloc"},
		{Name: "regabi", Why: "GOEXPERIMENT=noregabi changes nothing in go1.27.3" + name},
	}}
	refs := []int{-1, 0, 1, 1, 0}
	for i, n := range []string{"go1.26.8", "go1.27.3", "go1.27.3 nojsonv2", "go1.27.3 nomalloc", "A/A"} {
		s.Cells[i] = session.Cell{ID: strings.ReplaceAll(strings.ReplaceAll(n, " ", "-"), "/", ""), Name: n, Mode: mode.Mode{Name: n}, Ref: refs[i], AA: i == 4, Build: s.Cells[0].Build}
	}
	for i := range s.Rows {
		s.Rows[i].Bench = []string{"x", "x", "x", "x", "x"}
	}
	s.Rows[3].Bench[2], s.Rows[3].Same = "", []bool{false, false, true, false, false}
	effects := [][3]float64{{1.15, 0.97, 1}, {1, 1, 1.12}, {1, 0.9, 1}, {1, 1, 1}} // of jsonv2, malloc and the rest
	trials := sampleTrials(s, 12)
	for i := range trials {
		t := &trials[i]
		e := effects[t.Row]
		factor := []float64{1, e[0] * e[1] * e[2], e[1] * e[2], e[0] * e[2], 1}[t.Cell]
		speed := []float64{1, 0.93 + 0.05*float64(t.Row%4), 1, 0.62 + 0.1*float64(t.Row%3), 1}[t.Cell] // of sampleTrials
		perOp := (t.User + t.System).Seconds() / float64(t.N) / speed * factor
		trials[i] = sampleTrial(t.Round, t.Row, t.Cell, t.N, perOp)
	}
	return verdict.New(s, trials)
}

func TestUpgradeText(t *testing.T) {
	r := sampleUpgrade("")
	golden(t, "upgrade_wide.txt", text(t, Text{Width: 250}, r))
	golden(t, "upgrade_narrow.txt", text(t, Text{Width: 100}, r))
	_, section, _ := strings.Cut(text(t, Text{Width: 90}, r), " by change")
	section, _, _ = strings.Cut(section, "Should I upgrade")
	for line := range strings.Lines(section) {
		if n := width(strings.TrimRight(line, "\n")); n > 90 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestUpgradeFiles(t *testing.T) {
	r := sampleUpgrade("")
	var md, table, page strings.Builder
	if err := Markdown(&md, r, 0); err != nil {
		t.Fatal(err)
	}
	golden(t, "upgrade.md", md.String())
	if err := UpgradeCSV(&table, r); err != nil {
		t.Fatal(err)
	}
	if _, err := csv.NewReader(strings.NewReader(table.String())).ReadAll(); err != nil { // lines of different length are an error
		t.Error(err)
	}
	cpu := ""
	for line := range strings.Lines(table.String()) {
		if strings.Contains(line, ",cpu,") || strings.HasPrefix(line, "package,") {
			cpu += strings.ReplaceAll(line, r.Tool, "TOOL")
		}
	}
	golden(t, "upgrade.csv", cpu)
	if err := HTML(&page, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h2>Which change of go1.27.3 causes what</h2>", `<a href="#upgrade">`, "not explained by any opt-out: the rest of the release", "<td>same binary</td>",
		"set GOEXPERIMENT=nojsonv2: ", "<h1>Should I upgrade to go1.27.3?</h1>", "regabi is not told apart: GOEXPERIMENT=noregabi changes nothing", "against go1.27.3"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "%!", "<nil>", "ZgotmplZ"} {
		if strings.Contains(page.String()+md.String()+table.String(), bad) {
			t.Errorf("a file has %q", bad)
		}
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := Files(root, r); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "upgrade.csv")); err != nil {
		t.Error(err)
	}
}

// TestUpgradeHostile has names that a terminal, a page and a spreadsheet would obey.
func TestUpgradeHostile(t *testing.T) {
	r := sampleUpgrade("\x1b[31m<script>|@x")
	var md, table, page strings.Builder
	if err := Markdown(&md, r, 0); err != nil {
		t.Fatal(err)
	}
	if err := UpgradeCSV(&table, r); err != nil {
		t.Fatal(err)
	}
	if err := HTML(&page, r); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"text": text(t, Text{}, r), "Markdown": md.String(), "CSV": table.String(), "page": page.String()} {
		if strings.Contains(s, "\x1b") || !strings.Contains(s, "x1b") {
			t.Errorf("%s has a control character, or none of the names", name)
		}
	}
	if strings.Contains(page.String(), "<script") {
		t.Error("the page has a tag of a name")
	}
	for line := range strings.Lines(md.String()) {
		if outside := regexp.MustCompile("`[^`]*`").ReplaceAllString(line, ""); strings.Contains(outside, "<script") || strings.Contains(outside, "@x") {
			t.Errorf("Markdown has a tag, or mentions someone: %s", line)
		}
	}
}

// TestUpgradeWithout has an upgrade in which nothing can be taken back, and one that was not
// measured.
func TestUpgradeWithout(t *testing.T) {
	r := sampleUpgrade("")
	r.Upgrade.Changes = r.Upgrade.Changes[2:]
	for i := range r.Upgrade.Causes {
		c := &r.Upgrade.Causes[i]
		c.Shares, c.Rest, c.Short, c.Text = nil, nil, "", "x"
	}
	r.Upgrade.Remedies = nil
	for _, width := range []int{60, 250} {
		if s := text(t, Text{Width: width}, r); strings.Contains(s, "rest ") || !strings.Contains(s, "No setting of GOEXPERIMENT is known to help") {
			t.Errorf("a report without changes:\n%s", s)
		}
	}
	r.Upgrade.Causes, r.Upgrade.Worse = nil, nil
	if s := text(t, Text{}, r); strings.Contains(s, "by change") || strings.Contains(s, "Got worse") {
		t.Errorf("nothing was measured:\n%s", s)
	}
}
