package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares output with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got, -update writes it):\n%s", name, diff)
	}
}

func text(t *testing.T, opt Text, r *verdict.Report) string {
	t.Helper()
	var b strings.Builder
	if err := opt.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	r := sampleReport(fourRows...)
	golden(t, "wide.txt", text(t, Text{Width: 250}, r))
	golden(t, "narrow.txt", text(t, Text{Width: 100, Plot: true}, r))
}

// TestTextWidth checks that a table is turned when it is too wide, that prose
// and bars keep to the width, and that colours take no room.
func TestTextWidth(t *testing.T) {
	r := sampleReport("a", "b")
	narrow, colored := text(t, Text{Width: 90, Plot: true}, r), text(t, Text{Width: 90, Plot: true, Color: true}, r)
	for line := range strings.Lines(narrow) {
		if n := width(strings.TrimRight(line, "\n")); n > 90 && !strings.Contains(line, "GOMAXPROCS") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[32m", "").Replace(colored)
	if diff := cmp.Diff(narrow, plain); diff != "" {
		t.Errorf("colours change the layout:\n%s", diff)
	}
	if narrow == colored {
		t.Error("there are no colours")
	}
}

// TestTextOdd checks that reports with little in them are written.
func TestTextOdd(t *testing.T) {
	few := verdict.New(sampleSession("a"), sampleTrials(sampleSession("a"), 3))
	if s := text(t, Text{}, few); !strings.Contains(s, "unclear") || strings.Contains(s, "[") {
		t.Errorf("three rounds must have no interval:\n%s", s)
	}
	none := verdict.New(sampleSession("a"), nil)
	if s := text(t, Text{Plot: true}, none); !strings.Contains(s, "not measured") {
		t.Errorf("nothing was measured, and it does not say so:\n%s", s)
	}
}

func TestNumber(t *testing.T) {
	check := func(v float64, unit, want string) {
		t.Helper()
		if got := Number(v, unit); got != want {
			t.Errorf("Number(%v, %q) = %q, want %q", v, unit, got, want)
		}
	}
	check(0, "sec/op", "0")
	check(412e-9, "sec/op", "412.0ns")
	check(1.5, "stw-sec", "1.500s")
	check(1536, "B/op", "1.500KiB")
	check(3<<20, "peak-RSS-bytes", "3.000MiB")
	check(10, "allocs/op", "10")
	check(12.5, "gc-cycles", "12.5")
	check(0.123, "gc-cpu-fraction", "12.3 %")
	check(5e6, "rows/s", "5.000M")
}

func TestCSV(t *testing.T) {
	r := sampleReport(fourRows...)
	var b bytes.Buffer
	if err := CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll() // fails on rows of different length
	if err != nil {
		t.Fatal(err)
	}
	geomeans := 0
	for _, c := range r.Comparisons {
		if c.Row == verdict.Geomean {
			geomeans++
		}
	}
	if want := 1 + len(r.Values) + geomeans; len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	for _, row := range rows[1:] {
		if row[0] != "" && row[6] == "" || row[3] != "" && row[8] == "" {
			t.Errorf("a median or a ratio is missing: %q", row)
		}
	}
}

func rootOf(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// TestFilesBehindLinks checks that links in a folder of results are replaced, and
// not followed: the folder may be a stranger's.
func TestFilesBehindLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	precious := filepath.Join(outside, "a_cpu.tsv")
	if err := os.WriteFile(precious, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.html", "report.json.tmp", "results.csv"} {
		if err := os.Symlink(precious, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "tsv")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "summary.txt")); err != nil {
		t.Fatal(err)
	}
	if err := Files(rootOf(t, dir), sampleReport("a", "b")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(precious); err != nil || string(data) != "precious" {
		t.Errorf("a file outside of the folder is now %q, %v", data, err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside of the folder: %v, %v", entries, err)
	}
	for _, name := range []string{"report.html", "report.json", "results.csv", "summary.txt", "tsv/a_cpu.tsv"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	r := sampleReport(append(fourRows, "size=256/clones=8", "size=256/clones/8")...)
	for range 2 { // the second time replaces the first
		if err := Files(rootOf(t, dir), r); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"report.html", "results.csv", "summary.txt", "tsv/size256_clones8_cpu.tsv", "tsv/size256_clones_8_cpu.tsv"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var back verdict.Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, &back); diff != "" {
		t.Errorf("report.json is not the report:\n%s", diff)
	}
	tsvs, err := os.ReadDir(filepath.Join(dir, "tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(r.Rows) * len(r.Metrics); len(tsvs) != want {
		t.Errorf("%d TSV files, want one for each of %d benchmarks and metrics", len(tsvs), want)
	}
}

// TestSameNames checks that two packages with the same benchmark get a file
// each.
func TestSameNames(t *testing.T) {
	dir := t.TempDir()
	r := sampleReport("a", "a")
	if err := Files(rootOf(t, dir), r); err != nil {
		t.Fatal(err)
	}
	tsvs, err := filepath.Glob(filepath.Join(dir, "tsv", "*_cpu.tsv"))
	if err != nil || len(tsvs) != 2 {
		t.Errorf("%q, %v: want two files", tsvs, err)
	}
}

func TestSummary(t *testing.T) {
	var b strings.Builder
	if err := Summary(&b, sampleReport("a", "b")); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.txt", b.String())
}

// TestTool checks that what was rendered says which lessgc made it, and which measured.
func TestTool(t *testing.T) {
	r := sampleReport("a")
	check := func(name string, write func(io.Writer, *verdict.Report) error, want ...string) {
		t.Helper()
		var b strings.Builder
		if err := write(&b, r); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s does not say %s", name, w)
			}
		}
	}
	check("the page", HTML, "Made by "+r.Tool+".", "Measured by "+r.Measured+".")
	check("JSON", JSON, `"tool": "`+r.Tool, `"measured": "`+r.Measured)
	check("CSV", CSV, ",tool\n", ","+r.Tool+"\n")
	check("the summary", Summary, "Made by "+r.Tool+".\n")
}

// TestUnknownFigure checks that a figure of the collector that is not known keeps its
// location in the table.
func TestUnknownFigure(t *testing.T) {
	r := &verdict.Report{
		Cells:   []verdict.Cell{{Name: "x", Ref: -1}},
		Rows:    []verdict.Row{{Name: "R"}},
		Metrics: []verdict.Metric{{Unit: "gc-cycles", Name: "gc", Title: "GC cycles"}, {Unit: "gc-cpu-fraction", Name: "gc-cpu", Title: "GC share"}, {Unit: "stw-sec", Name: "stw", Title: "stopped"}},
		Values:  []verdict.Value{{Metric: 0, Median: 7}, {Metric: 2, Median: 3}},
	}
	var b strings.Builder
	if err := (Text{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if fields := "R x 7 – 3.000s"; !strings.Contains(strings.Join(strings.Fields(b.String()), " "), fields) {
		t.Errorf("want %s in\n%s", fields, b.String())
	}
}
