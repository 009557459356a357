package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/board"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/diff"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/runs"
	"lessgc/cmd/lessgc/internal/sarif"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/vetrun"
	"lessgc/cmd/lessgc/internal/visible"
	"lessgc/cmd/lessgc/internal/watch"
)

// hostile are names as a profile, a benchmark, a server or a folder may have them. They are made at
// the first use: this binary is the helper of every trial, too.
var hostile = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"escape":  "evil\x1b[2J\x1b]0;title\x07\x1b[31m\u009b1m",
		"bidi":    "evil\u202egnp.exe\u2066\u200f",
		"hidden":  "evil\u200b\u200d\ufeff\u00ad\u3164\U000e0041",
		"line":    "evil\nforged: all is well\r\nforged\ttab\u2028forged",
		"invalid": "evil\xff\xc0\xaf\x80",
		"formula": "=cmd|' /C calc'!A0 evil",
		"plus":    "+evil",
		"minus":   "-evil",
		"at":      "@evil",
		"tag":     "evil</script><script>alert(1)</script>",
		"long":    "evil" + strings.Repeat("x", 1<<20),
		"words":   "evil" + strings.Repeat(" word", 1<<18),
	}
})

// clean checks that a text holds nothing that a terminal obeys, and begins no line that
// a name has made up.
func cleanText(t *testing.T, text string) {
	t.Helper()
	if strings.Contains("\n"+text, "\nforged") && !strings.Contains(text, "<html") { // where detail has lines
		t.Error("a name has made a line of its own")
	}
	for _, code := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"} {
		text = strings.ReplaceAll(text, code, "") // our own; a name has a code that is not among them, too
	}
	if shown := visible.Lines(text); shown != text {
		at := 0
		for at < len(text) && text[at] == shown[at] {
			at++
		}
		t.Errorf("control characters: %.100q", text[max(0, at-40):])
	}
}

func bounded(t *testing.T, text string, most int) {
	t.Helper()
	if n := utf8.RuneCountInString(text); n > most {
		t.Errorf("%d characters, more than %d", n, most)
	}
}

// filled sets every string that v holds to s, and makes one element of each slice, so
// that no field of a report is forgotten when it gets a new one.
func filled(v reflect.Value, s string, depth int) {
	if depth > 12 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), s, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0), s, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), s, depth+1)
		}
	}
}

func hostileOf[T any](s string) *T {
	v := new(T)
	filled(reflect.ValueOf(v).Elem(), s, 0)
	return v
}

// hostileReport is a comparison of two modes in which all names are s.
func hostileReport(s string) *verdict.Report {
	r := hostileOf[verdict.Report](s)
	cell := r.Cells[0]
	cell.Err, cell.AA, cell.Ref = "", false, -1
	r.Cells = []verdict.Cell{cell, cell}
	r.Cells[1].Ref = 0
	r.Latencies = nil
	u := r.Upgrade // of one change, in one row
	u.Changes[0].Cell, u.Worse = 1, []int{0}
	c := &u.Causes[0]
	c.Row, c.Metric, c.Total.Ratio, c.Shares[0].Change = 0, 0, -1.8, 0
	u.Remedies[0].Change, u.Remedies[0].Helps, u.Remedies[0].Harms = 0, []int{0}, []int{0}
	r.Answers[0].Cell = 1
	var values []verdict.Value
	for c := range 2 {
		values = append(values, verdict.Value{Cell: c, Median: -1.8, Rounds: []int{1}, Trials: []float64{-1.8}})
	}
	r.Values = values
	r.Comparisons = []verdict.Comparison{{Row: 0, Cell: 1, N: 6, Ratio: 0.5, Bounded: true, Lo: 0.4, Hi: 0.6, Word: verdict.Better},
		{Row: verdict.Geomean, Cell: 1, N: 6, Ratio: 0.5, Word: verdict.Better}}
	return r
}

// hostileCourse has three runs in which all names are s.
func hostileCourse(s string) *history.Course {
	c := hostileOf[history.Course](s)
	p := c.Tables[0].Rows[0].Points[0]
	p.Median = -1.8
	c.Tables[0].Rows[0].Mean = false
	c.Runs = append(c.Runs, c.Runs[0], c.Runs[0])
	c.Tables[0].Rows[0].Points = []*history.Point{p, p, p}
	c.Tables[0].Rows = append(c.Tables[0].Rows, c.Tables[0].Rows[0])
	return c
}

// hostileTune is of a program that was observed, and of one that was not.
func hostileTune(s string) *curve.Report {
	r := hostileOf[curve.Report](s)
	observed := r.Subjects[0]
	observed.Err, observed.Outcomes[0].Err = "", ""
	r.Subjects = append(r.Subjects, observed)
	return r
}

func hostileGraphs(s string) []*flame.Graph {
	g := &flame.Graph{Title: s, Root: &flame.Node{Name: s, Value: 1, Children: []*flame.Node{{Name: s, Value: 1}}}}
	return []*flame.Graph{g}
}

// rates holds the rates of a window, without names in them.
var rates = watch.Between(&watch.Snapshot{Time: time.Unix(1, 0)}, &watch.Snapshot{Time: time.Unix(2, 0)})

const (
	lines = iota // for people, at a terminal
	page
	data // JSON
	table
	fixed // no names from outside
)

// renderers are all functions that write what comes from outside. TestRenderersCovered
// finds those that are missing.
var renderers = map[string]struct {
	kind  int
	write func(w io.Writer, s string) error
}{
	"render.Text.Write": {lines, func(w io.Writer, s string) error {
		return render.Text{Plot: true, Color: true}.Write(w, hostileReport(s))
	}},
	"render.Text.Advice": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Advice(w, hostileOf[advice.Report](s), 5, true)
	}},
	"render.AdviceMarkdown": {lines, func(w io.Writer, s string) error {
		return render.AdviceMarkdown(w, hostileOf[advice.Report](s), 5, "/")
	}},
	"render.Text.Runs": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Runs(w, hostileOf[runs.Report](s))
	}},
	"render.RunsMarkdown": {lines, func(w io.Writer, s string) error { return render.RunsMarkdown(w, hostileOf[runs.Report](s), 0) }},
	"render.RunsHTML": {page, func(w io.Writer, s string) error {
		return render.RunsHTML(w, hostileOf[runs.Report](s), []string{s})
	}},
	"render.RunsJSON":    {data, func(w io.Writer, s string) error { return render.RunsJSON(w, hostileOf[runs.Report](s)) }},
	"render.Text.Course": {lines, func(w io.Writer, s string) error { return render.Text{Color: true}.Course(w, hostileCourse(s)) }},
	"render.CourseHTML":  {page, func(w io.Writer, s string) error { return render.CourseHTML(w, hostileCourse(s), []string{s}) }},
	"render.CourseJSON":  {data, func(w io.Writer, s string) error { return render.CourseJSON(w, hostileCourse(s)) }},
	"render.OtavaCSV":    {table, func(w io.Writer, s string) error { return render.OtavaCSV(w, hostileCourse(s)) }},
	"render.Badge":       {data, func(w io.Writer, s string) error { return render.Badge(w, hostileReport(s)) }},
	"render.JUnit": {lines, func(w io.Writer, s string) error {
		r := hostileReport(s)
		return render.JUnit(w, r, []render.Met{{Condition: s, Comparison: r.Comparisons[0]}})
	}},
	"render.Text.Diff": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Diff(w, hostileOf[diff.Report](s), 5)
	}},
	"render.Text.WatchStart": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.WatchStart(w, *hostileOf[watch.Header](s))
	}},
	"render.Text.WatchTitles": {fixed, func(w io.Writer, s string) error { return render.Text{}.WatchTitles(w) }},
	"render.Text.WatchRow":    {fixed, func(w io.Writer, s string) error { return render.Text{}.WatchRow(w, rates) }},
	"render.Text.WatchMethods": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.WatchMethods(w, []watch.Method{*hostileOf[watch.Method](s)})
	}},
	"render.Text.WatchSummary": {fixed, func(w io.Writer, s string) error { return render.Text{}.WatchSummary(w, new(watch.Summary)) }},
	"render.Text.Lever":        {fixed, func(w io.Writer, s string) error { return render.Text{}.Lever(w, lever.All[0]) }},
	"render.Summary":           {lines, func(w io.Writer, s string) error { return render.Summary(w, hostileReport(s)) }},
	"render.Markdown":          {lines, func(w io.Writer, s string) error { return render.Markdown(w, hostileReport(s), 0) }},
	"render.CSV":               {table, func(w io.Writer, s string) error { return render.CSV(w, hostileReport(s)) }},
	"render.HTML":              {page, func(w io.Writer, s string) error { return render.HTML(w, hostileReport(s)) }},
	"render.AdviceHTML": {page, func(w io.Writer, s string) error {
		source := func(string, int) []advice.SourceLine {
			return []advice.SourceLine{{Line: 1, Text: strings.ReplaceAll(s, "\n", "")}}
		}
		return render.AdviceHTML(w, hostileOf[advice.Report](s), render.AdvicePage{Title: s, Command: []string{s}, Graphs: hostileGraphs(s), Source: source})
	}},
	"render.DiffHTML": {page, func(w io.Writer, s string) error {
		return render.DiffHTML(w, hostileOf[diff.Report](s), hostileGraphs(s), []string{s})
	}},
	"render.UpgradeCSV": {table, func(w io.Writer, s string) error { return render.UpgradeCSV(w, hostileReport(s)) }},
	"render.Text.Tune": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Tune(w, hostileTune(s))
	}},
	"render.TunePage":   {page, func(w io.Writer, s string) error { return render.TunePage(w, hostileTune(s)) }},
	"render.WatchPage":  {page, func(w io.Writer, s string) error { return render.WatchPage(w, *hostileOf[watch.Header](s), "nonce") }},
	"render.JSON":       {data, func(w io.Writer, s string) error { return render.JSON(w, hostileReport(s)) }},
	"render.AdviceJSON": {data, func(w io.Writer, s string) error { return render.AdviceJSON(w, hostileOf[advice.Report](s)) }},
	"render.DiffJSON":   {data, func(w io.Writer, s string) error { return render.DiffJSON(w, hostileOf[diff.Report](s)) }},
	"render.VetJSON":    {data, func(w io.Writer, s string) error { return render.VetJSON(w, hostileOf[vetrun.Report](s)) }},
	"render.Text.Findings": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Findings(w, hostileOf[vetrun.Report](s).Findings)
	}},
	"render.Text.Repaired": {lines, func(w io.Writer, s string) error {
		x := *hostileOf[vetrun.Result](s)
		var all []vetrun.Result
		for _, x.Fate = range []vetrun.Fate{vetrun.Applied, vetrun.Beside, vetrun.Unchanged, vetrun.Remaining} {
			all = append(all, x)
		}
		return render.Text{Color: true}.Repaired(w, all)
	}},
	"render.Text.Left": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Left(w, []vetrun.Left{*hostileOf[vetrun.Left](s)})
	}},
	"render.Text.Beliefs": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Beliefs(w, []vetrun.Belief{*hostileOf[vetrun.Belief](s)})
	}},
	"render.Text.Apply": {lines, func(w io.Writer, s string) error {
		return render.Text{Color: true}.Apply(w, hostileOf[attempt.Report](s))
	}},
	"render.ApplyHTML": {page, func(w io.Writer, s string) error { return render.ApplyHTML(w, hostileOf[attempt.Report](s)) }},
	"render.ApplyJSON": {data, func(w io.Writer, s string) error { return render.ApplyJSON(w, hostileOf[attempt.Report](s)) }},
	"render.Text.Scoreboard": {lines, func(w io.Writer, s string) error {
		return render.Text{}.Scoreboard(w, []board.Sum{*hostileOf[board.Sum](s), {}})
	}},
	"render.ScoreboardJSON": {data, func(w io.Writer, s string) error { return render.ScoreboardJSON(w, hostileOf[board.Report](s)) }},
	"render.VetRule":        {fixed, func(w io.Writer, s string) error { return render.VetRule(w, vetrun.Rules()[0], 80) }},
	"sarif.Write": {data, func(w io.Writer, s string) error {
		return sarif.Write(w, hostileOf[vetrun.Report](s), "/", input.NewSources("/"))
	}},
}

// raw are functions with a writer that must not change what they write.
var raw = map[string]string{
	"spread.Write":           "a file for a service, of which what cannot be seen is refused: TestCILines, and bench/jobrun runs it with hostile names",
	"coverage.Profile.Write": "counts, for go tool cover: its names were lines of such a file",
	"vetrun.Repair.Diff":     "a patch, for git apply; env.patch has it made visible for a terminal",
	"prof.Profile.Write":     "a profile",
	"visible.NewWriter":      "makes others visible",
}

// TestRenderers checks what hostile names do in everything that is written.
func TestRenderers(t *testing.T) {
	for name, r := range renderers {
		t.Run(name, func(t *testing.T) {
			for kind, s := range hostile() {
				if kind == "words" && r.kind == page {
					continue // 20 times as long as one name at most, and slow
				}
				if r.kind == data || r.kind == table {
					s = s[:min(len(s), 1<<12)] // no name is cut there
				}
				var b bytes.Buffer
				if err := r.write(&b, s); err != nil {
					t.Fatalf("%s: %v", kind, err)
				}
				out := b.String()
				cleanText(t, out)
				if r.kind != fixed && !strings.Contains(out, "evil") {
					t.Errorf("%s: the name is not there: %.300s", kind, out)
				}
				switch r.kind {
				case lines:
					bounded(t, out, 100_000)
				case page:
					if strings.Contains(out, "<script>alert") {
						t.Error("a name is a script")
					}
					bounded(t, out, 1_000_000)
				case table:
					checkTable(t, out)
				case data:
					var back any
					if err := json.Unmarshal(b.Bytes(), &back); err != nil {
						t.Errorf("%s: %v", kind, err)
					}
				}
				if t.Failed() {
					t.Fatal(kind)
				}
			}
		})
	}
}

// checkTable checks that a spreadsheet computes nothing, and that numbers are numbers.
func checkTable(t *testing.T, out string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	numbers := 0
	for _, row := range rows {
		for _, cell := range row {
			var f float64
			if n, err := fmt.Sscanf(cell, "%g", &f); n == 1 && err == nil && cell == fmt.Sprint(f) {
				numbers++
			} else if cell != "" && strings.IndexByte("=+-@\t\r", cell[0]) >= 0 {
				t.Errorf("%.40q is a formula", cell)
			}
		}
	}
	if numbers < 5 || !strings.Contains(out, ",-1.8,") {
		t.Errorf("%d numbers in %.300s", numbers, out)
	}
}

// TestRenderedFiles checks the files of a comparison: tables have names that are visible
// and no formulas, JSON has them as they are.
func TestRenderedFiles(t *testing.T) {
	for kind, s := range hostile() {
		s = s[:min(len(s), 1<<12)]
		dir := t.TempDir()
		r := hostileReport(s)
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := render.Files(root, r); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		tables, err := filepath.Glob(filepath.Join(dir, "tsv", "*.tsv"))
		if err != nil || len(tables) != 1 {
			t.Fatalf("%s: %q, %v", kind, tables, err)
		}
		text, err := os.ReadFile(tables[0])
		if err != nil {
			t.Fatal(err)
		}
		cleanText(t, string(text))
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
			if cells := strings.Split(line, "\t"); len(cells) != 7 || strings.IndexByte("=+-@", cells[0][0]) >= 0 || cells[1] != "-1.8" {
				t.Errorf("%s: %.100q", kind, cells)
			}
		}
		text, err = os.ReadFile(filepath.Join(dir, "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		var back verdict.Report
		if err := json.Unmarshal(text, &back); err != nil || back.Rows[0].Name != strings.ToValidUTF8(s, "\ufffd") && kind != "invalid" {
			t.Errorf("%s: %v, %.100q is not what was measured", kind, err, back.Rows[0].Name)
		}
		if t.Failed() {
			t.Fatal(kind)
		}
	}
}

// TestSARIFTexts checks what a code host shows: there the escapes of JSON are read.
func TestSARIFTexts(t *testing.T) {
	var b bytes.Buffer
	if err := sarif.Write(&b, hostileOf[vetrun.Report](hostile()["escape"]+hostile()["bidi"]), "/", input.NewSources("/")); err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	texts := 0
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(k, x)
			}
		case []any:
			for _, x := range v {
				walk(key, x)
			}
		case string:
			if strings.Contains(v, "evil") && key != "ruleId" && key != "level" && key != "category" {
				texts++
				if visible.Text(v) != v {
					t.Errorf("%s: %q", key, v)
				}
			}
		}
	}
	walk("", log)
	if texts < 6 {
		t.Errorf("%d texts", texts)
	}
}

// TestRenderersCovered finds exported functions that write to a writer and are in neither
// table above, and writes to the standard outputs that get around the Writer of newEnv.
func TestRenderersCovered(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && isName(s.X, "os") && (s.Sel.Name == "Stdout" || s.Sel.Name == "Stderr") && !slices.Contains(standard, filepath.ToSlash(path)) {
				t.Errorf("%s writes to os.%s; what it prints is not made visible", path, s.Sel.Name)
			}
			if f, ok := n.(*ast.FuncDecl); ok && f.Name.IsExported() && takesWriter(f) && file.Name.Name != "main" {
				found[file.Name.Name+"."+receiver(f)+f.Name.Name] = true
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if _, ok := renderers[name]; !ok && raw[name] == "" {
			t.Errorf("%s writes to a writer: add it to renderers, so that hostile names are tried", name)
		}
	}
	for name := range renderers {
		if !found[name] {
			t.Errorf("there is no %s any more", name)
		}
	}
	for name := range raw {
		if !found[name] && name != "prof.Profile.Write" {
			t.Errorf("there is no %s any more", name)
		}
	}
}

// standard are the files that use the standard outputs themselves: the command's own
// process, and helpers whose output the command, or the go command, reads.
var standard = []string{"main.go", "internal/trial/helper.go", "internal/load/probe/probe.go", "internal/vetrun/tool.go", "internal/offline/offline.go", "internal/offline/offline_linux.go"}

func isName(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

func takesWriter(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		s, ok := p.Type.(*ast.SelectorExpr)
		return ok && isName(s.X, "io") && s.Sel.Name == "Writer"
	})
}

// receiver is the name of a method's type with a point, or "".
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	x := f.Recv.List[0].Type
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name + "."
	}
	return "?."
}

// TestHostileArguments checks the errors of all subcommands for arguments, files and
// folders with such names.
func TestHostileArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	for kind, s := range hostile() {
		t.Run(kind, func(t *testing.T) {
			s := s[:min(len(s), 1<<16)] // systems take no longer arguments
			file := "api" + kind
			if err := os.WriteFile(file, []byte(s), 0o666); err != nil {
				t.Fatal(err)
			}
			spec := "load" + kind + ".json"
			text, err := json.Marshal(map[string]string{"format": s, s: s})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(spec, text, 0o666); err != nil {
				t.Fatal(err)
			}
			folder := "folder" + kind
			writePlan(t, folder, s)
			for _, args := range [][]string{
				{s}, {"help", s}, {"report", s}, {"report", "-" + s, "x"}, {"report", folder}, {"report", folder, s}, {"report", "-html", s, folder, folder}, {"report", "-fail-on", s, "x"},
				{"report", "-history", s}, {"report", "-history", file}, {"report", "-history", file, folder}, {"report", "-otava", s, folder}, {"report", "-badge", s, folder}, {"compare", "-history", file}, {"compare", "-junit", folder},
				{"compare", "-mode", s}, {"compare", "-mode", s + "=1"}, {"compare", "-mode", s + ": A"}, {"compare", "-mode", "oldgc,greentea", "-baseline", s},
				{"compare", "-col", s}, {"compare", "-load", s}, {"compare", "-load", spec}, {"compare", "-resume", s}, {"compare", "-exec", "./x", s}, {"compare", "-exec", "'" + s},
				{"compare", "-mode", "pgo=" + s}, {"compare", "-margin", s}, {"compare", ".", "-" + s},
				{"advise", s}, {"advise", "-explain", s}, {"advise", file}, {"advise", "http://127.0.0.1:1/" + s}, {"advise", "http://[" + s}, {"advise", "x", "-" + s}, {"advise", "-for", s},
				{"advise", "-parca", s, "-query", s}, {"advise", "-parca", "http://x", "-query", s}, {"advise", "-pyroscope", "http://x", "-range", s, "-query", "{a=\"b\"}"},
				{"diff", s, s}, {"diff", file, file}, {"diff", "-requests", s, "a", "b"}, {"diff", s + ".jsonl", s},
				{"vet", "-rules", s}, {"vet", "-disable", s}, {"vet", "-api", s}, {"vet", "-api", file}, {"vet", "-explain", s}, {"vet", "x", "-" + s},
				{"watch", s}, {"watch", "http://127.0.0.1:1/" + s}, {"watch", "http://[" + s}, {"watch", "http://x", "-" + s},
			} {
				status, out := says(t, args...)
				if status != exitFailure {
					t.Errorf("status %d of %.60q", status, args)
				}
				cleanText(t, out)
				bounded(t, out, 10_000)
				if n := strings.Count(strings.ReplaceAll(out, "\nlessgc: ", " "), "\n"); n != 1 { // one of progress may come before
					t.Errorf("%d lines: %.300q", n, out)
				}
				if t.Failed() {
					t.Fatalf("%.80q", args)
				}
			}
		})
	}
}

// says runs the whole command.
func says(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	var b bytes.Buffer
	status = run(t.Context(), &b, &b, args)
	return status, b.String()
}

// writePlan writes a session of a format that is not known.
func writePlan(t *testing.T, folder, format string) {
	t.Helper()
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(session.Session{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "session.json"), text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestHostileServers checks what is said of services and stores whose status lines and
// answers are meant for the terminal.
func TestHostileServers(t *testing.T) {
	t.Chdir(t.TempDir())
	for kind, s := range hostile() {
		line := strings.NewReplacer("\n", "", "\r", "").Replace(s)
		line = line[:min(len(line), 4096)] // of a status; the transport refuses longer ones
		for _, answer := range []string{
			"HTTP/1.1 500 " + line + "\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n" + s,
			"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n" + s,
			"HTTP/1.1 404 " + line + "\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + fmt.Sprintf(`{"message":%q}`, strings.ToValidUTF8(line, "")),
			"HTTP/1.1 " + line + "\r\n\r\n",
			"HTTP/1.1 302 Found\r\nLocation: http://" + line + "\r\n\r\n",
			line,
		} {
			address := answering(t, answer)
			for _, args := range [][]string{{"advise", "-for", "1s", address}, {"watch", address}, {"diff", "-for", "1s", address, address},
				{"advise", "-parca", address, "-query", `{a="b"}`}, {"advise", "-pyroscope", address, "-query", `{a="b"}`}} {
				status, out := says(t, args...)
				if status != exitFailure {
					t.Errorf("status %d of %q", status, args)
				}
				cleanText(t, out)
				bounded(t, out, 10_000)
				if t.Failed() {
					t.Fatalf("%s: %q: %.200q: %.300q", kind, args, answer, out)
				}
			}
		}
	}
}

// answering is the address of a server that says the same to everybody.
func answering(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.Read(make([]byte, 4096))
				io.WriteString(c, answer)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// TestProgressVisible checks the lines that tell what is going on.
func TestProgressVisible(t *testing.T) {
	for kind, s := range hostile() {
		var b bytes.Buffer
		p := newEnv(&b, &b).progress()
		p.Line("building %s", s)
		p.Terminal, p.Width = true, 80
		p.Step("running %s", s)
		cleanText(t, b.String())
		bounded(t, b.String(), 10_000)
		if t.Failed() {
			t.Fatal(kind)
		}
	}
}

// TestPatchRaw checks that a patch for git apply stays as it is.
func TestPatchRaw(t *testing.T) {
	var b bytes.Buffer
	const patch = "+\t\f\r\n+// \u202e\n"
	if _, err := io.WriteString(newEnv(&b, &b).patch(), patch); err != nil || b.String() != patch {
		t.Errorf("%v: %q, want %q", err, b.String(), patch)
	}
}
