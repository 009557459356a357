package apply

import (
	"context"
	"errors"
	"github.com/google/pprof/profile"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/lockfile"
	"lessgc/cmd/lessgc/internal/offline"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/verdict"
)

func TestMain(m *testing.M) {
	trial.Helper()
	offline.Helper()
	os.Exit(m.Run())
}

// TestJudge checks what is kept.
func TestJudge(t *testing.T) {
	cpu := func(w verdict.Word, ratio, lo, hi float64) attempt.Effect {
		return attempt.Effect{Word: w, Ratio: ratio, Lo: lo, Hi: hi}
	}
	mem := func(before, after float64) attempt.Effect {
		return attempt.Effect{Word: verdict.Same, Before: before, After: after}
	}
	better, same, worse := cpu(verdict.Better, 0.9, 0.85, 0.95), cpu(verdict.Same, 1, 0.99, 1.01), cpu(verdict.Worse, 1.1, 1.05, 1.15)
	for name, c := range map[string]struct {
		rows []attempt.Row
		want attempt.Outcome
	}{
		"CPU time":                      {[]attempt.Row{{CPU: better}}, attempt.Kept},
		"bytes":                         {[]attempt.Row{{CPU: same, Bytes: mem(100, 50), Allocs: mem(1, 1)}}, attempt.Kept},
		"allocations":                   {[]attempt.Row{{CPU: same, Bytes: mem(100, 100), Allocs: mem(3, 2)}}, attempt.Kept},
		"nothing":                       {[]attempt.Row{{CPU: same, Bytes: mem(100, 100), Allocs: mem(3, 3)}}, attempt.NoGain},
		"next to nothing":               {[]attempt.Row{{CPU: same, Bytes: mem(49543, 49540), Allocs: mem(3, 3)}}, attempt.NoGain},
		"another row worse":             {[]attempt.Row{{CPU: better}, {CPU: worse}}, attempt.Worse},
		"more bytes":                    {[]attempt.Row{{CPU: same, Bytes: mem(100, 200), Allocs: mem(3, 1)}}, attempt.Worse},
		"more bytes, less CPU time":     {[]attempt.Row{{CPU: better, Bytes: mem(100, 200)}}, attempt.Kept},
		"more bytes elsewhere":          {[]attempt.Row{{CPU: better}, {CPU: same, Bytes: mem(0, 16), Allocs: mem(0, 1)}}, attempt.Worse},
		"less memory, CPU time unclear": {[]attempt.Row{{CPU: cpu(verdict.Unclear, 1.01, 0.96, 1.06), Bytes: mem(100, 50)}}, attempt.Unclear},
		"unclear, but not worse":        {[]attempt.Row{{CPU: cpu(verdict.Unclear, 0.97, 0.93, 1.02), Bytes: mem(100, 50)}}, attempt.Kept},
		"unclear, no interval":          {[]attempt.Row{{CPU: cpu(verdict.Unclear, 0.97, 0, 0), Bytes: mem(100, 50)}}, attempt.Unclear},
		"more in both comparisons":      {[]attempt.Row{{CPU: better}, {CPU: cpu(verdict.Unclear, 1.1, 1.01, 1.2), First: &attempt.Effect{Word: verdict.Unclear, Ratio: 1.1, Lo: 1.01, Hi: 1.2}}}, attempt.Worse},
		"more in the first one only":    {[]attempt.Row{{CPU: better}, {CPU: same, First: &attempt.Effect{Word: verdict.Unclear, Ratio: 1.1, Lo: 1.01, Hi: 1.2}}}, attempt.Kept},
		"unclear, then more":            {[]attempt.Row{{CPU: better}, {CPU: cpu(verdict.Unclear, 1.02, 1.01, 1.03), First: &attempt.Effect{Word: verdict.Unclear, Ratio: 1.05, Lo: 0.99, Hi: 1.1}}}, attempt.Kept},
		"unclear, then much more":       {[]attempt.Row{{CPU: better}, {CPU: cpu(verdict.Worse, 1.06, 1.04, 1.08), First: &attempt.Effect{Word: verdict.Unclear, Ratio: 1.05, Lo: 0.99, Hi: 1.1}}}, attempt.Worse},
		"seems more in both":            {[]attempt.Row{{CPU: better}, {CPU: cpu(verdict.Unclear, 1.06, 0.97, 1.15), First: &attempt.Effect{Word: verdict.Unclear, Ratio: 1.08, Lo: 0.95, Hi: 1.2}}}, attempt.Unclear},
		"seems more in the first one":   {[]attempt.Row{{CPU: better}, {CPU: cpu(verdict.Unclear, 1.01, 0.97, 1.02), First: &attempt.Effect{Word: verdict.Unclear, Ratio: 1.08, Lo: 0.95, Hi: 1.2}}}, attempt.Kept},
		"another row unclear":           {[]attempt.Row{{CPU: better}, {CPU: cpu(verdict.Unclear, 1.02, 0.97, 1.07)}}, attempt.Unclear},
		"no rows":                       {nil, attempt.NoGain},
	} {
		mean := attempt.Effect{Word: verdict.Unclear}
		if len(c.rows) == 1 {
			mean = c.rows[0].CPU
		}
		if got, why := judge(c.rows, mean, []attempt.Gain{{}}, leastSaved); got != c.want || why == "" {
			t.Errorf("%s: %s, %s; want %s", name, got, why, c.want)
		}
	}
}

// TestReplaced checks which rows are measured again, and that only these are replaced.
func TestReplaced(t *testing.T) {
	effect := func(w verdict.Word, lo, hi float64) attempt.Effect {
		return attempt.Effect{Word: w, Ratio: (lo + hi) / 2, Lo: lo, Hi: hi}
	}
	rows := []attempt.Row{
		{Package: "p", Name: "A", CPU: effect(verdict.Better, 0.8, 0.9)},
		{Package: "p", Name: "B", CPU: effect(verdict.Unclear, 1.003, 1.2)},
		{Package: "q", Name: "B", CPU: effect(verdict.Unclear, 0.98, 1.1)},
		{Package: "p", Name: "C", CPU: effect(verdict.Same, 1.001, 1.02)}, // within the margin
	}
	doubts, most := doubted(attempt.Kept, rows, time.Second)
	if len(doubts) != 1 || doubts[0].Name != "B" || doubts[0].Package != "p" || most != time.Second {
		t.Fatalf("of a change that is kept, %v are measured again for %v", doubts, most)
	}
	if unclear, most := doubted(attempt.Unclear, rows, time.Second); len(unclear) != 2 || unclear[0] != rows[1] || unclear[1] != rows[2] || most != 2*time.Second {
		t.Errorf("of an unclear change, %v are measured again for %v", unclear, most)
	}
	for _, o := range []attempt.Outcome{attempt.Worse, attempt.NoGain} {
		if again, _ := doubted(o, rows, time.Second); again != nil {
			t.Errorf("of a change that is %v, %v are measured again", o, again)
		}
	}
	seems := attempt.Row{Package: "p", Name: "D", CPU: effect(verdict.Unclear, 0.95, 1.2)} // 7.5 % more
	if much, _ := doubted(attempt.Kept, append(slices.Clip(rows), seems), time.Second); len(much) != 2 || much[1] != seems {
		t.Errorf("of a change that is kept, %v are measured again", much)
	}
	again := []attempt.Row{{Package: "q", Name: "B", CPU: effect(verdict.Better, 0.1, 0.2)}, {Package: "p", Name: "B", CPU: effect(verdict.Same, 0.99, 1.01)}}
	got := replaced(rows, doubts, again)
	if got[1].CPU != again[1].CPU || got[1].First == nil || *got[1].First != rows[1].CPU {
		t.Errorf("the row that was measured again is %v", got[1])
	}
	for _, i := range []int{0, 2, 3} {
		if got[i] != rows[i] {
			t.Errorf("row %d is %v", i, got[i])
		}
	}
	if got := replaced(rows, doubts, nil); got[1] != rows[1] {
		t.Errorf("a row that is not there again is %v", got[1])
	}
}

// TestJudgeTogether checks that rows which are unclear one by one may be clear together, and that one which is worse counts.
func TestJudgeTogether(t *testing.T) {
	unclear := attempt.Row{Name: "x", CPU: attempt.Effect{Word: verdict.Unclear, Ratio: 1, Lo: 0.95, Hi: 1.05},
		Bytes: attempt.Effect{Word: verdict.Same, Before: 100, After: 90}, Allocs: attempt.Effect{Word: verdict.Same, Before: 2, After: 2}}
	level := unclear
	level.Bytes.After = 100
	worse := attempt.Row{CPU: attempt.Effect{Word: verdict.Worse, Ratio: 1.1, Lo: 1.05, Hi: 1.15}}
	mean := func(w verdict.Word, lo, hi float64) attempt.Effect {
		return attempt.Effect{Word: w, Ratio: (lo + hi) / 2, Lo: lo, Hi: hi}
	}
	for name, c := range map[string]struct {
		rows []attempt.Row
		mean attempt.Effect
		want attempt.Outcome
	}{
		"same together":                  {[]attempt.Row{unclear, unclear}, mean(verdict.Same, 0.99, 1.01), attempt.Kept},
		"unclear together, but not much": {[]attempt.Row{unclear, unclear}, mean(verdict.Unclear, 0.95, 1.02), attempt.Kept},
		"unclear together":               {[]attempt.Row{unclear, unclear}, mean(verdict.Unclear, 0.97, 1.04), attempt.Unclear},
		"better together only":           {[]attempt.Row{level, level}, mean(verdict.Better, 0.95, 0.98), attempt.Kept},
		"nothing less":                   {[]attempt.Row{level, level}, mean(verdict.Same, 0.99, 1.01), attempt.NoGain},
		"one worse":                      {[]attempt.Row{unclear, worse}, mean(verdict.Better, 0.9, 0.95), attempt.Worse},
	} {
		if got, why := judge(c.rows, c.mean, []attempt.Gain{{}}, leastSaved); got != c.want || why == "" {
			t.Errorf("%s: %s, %s; want %s", name, got, why, c.want)
		}
	}
}

// TestJudgeWhatFor checks that a change is kept for what it is for, and that a pool has to save more than a size.
func TestJudgeWhatFor(t *testing.T) {
	row := func(name string, before, after float64) attempt.Row {
		return attempt.Row{Package: "p", Name: name, CPU: attempt.Effect{Word: verdict.Same, Ratio: 1, Lo: 0.99, Hi: 1.01},
			Bytes: attempt.Effect{Word: verdict.Same, Before: before, After: after}, Allocs: attempt.Effect{Word: verdict.Same, Before: 9, After: 9}}
	}
	faster := func(name string, ratio float64) attempt.Row {
		x := row(name, 100, 98)
		x.CPU = attempt.Effect{Word: verdict.Better, Ratio: ratio, Lo: ratio - 0.03, Hi: ratio + 0.03}
		return x
	}
	same := attempt.Effect{Word: verdict.Same, Ratio: 1, Lo: 0.99, Hi: 1.01}
	gains := []attempt.Gain{{Benchmark: "p.BenchmarkX", Bytes: 0.1}, {Benchmark: "p.BenchmarkY"}}
	for _, c := range []struct {
		rows  []attempt.Row
		lever string
		want  attempt.Outcome
	}{
		{[]attempt.Row{row("X", 100, 97), row("Y", 100, 100)}, "preallocate", attempt.Kept},
		{[]attempt.Row{row("X", 100, 99), row("Y", 100, 100)}, "preallocate", attempt.NoGain},
		{[]attempt.Row{row("X", 100, 100), row("Y", 100, 50)}, "preallocate", attempt.NoGain},
		{[]attempt.Row{row("X", 100, 98), row("Y", 100, 100)}, "typed-pool", attempt.NoGain},
		{[]attempt.Row{row("X", 100, 92), row("Y", 100, 100)}, "typed-pool", attempt.NoGain},
		{[]attempt.Row{row("X", 100, 80), row("Y", 100, 100)}, "typed-pool", attempt.NoGain},
		{[]attempt.Row{row("X", 100, 70), row("Y", 100, 100)}, "typed-pool", attempt.Kept},
		{[]attempt.Row{faster("X", 0.95), row("Y", 100, 100)}, "preallocate", attempt.Kept},
		{[]attempt.Row{faster("X", 0.95), row("Y", 100, 100)}, "typed-pool", attempt.NoGain},
		{[]attempt.Row{faster("X", 0.85), row("Y", 100, 100)}, "typed-pool", attempt.Kept},
	} {
		if got, why := judge(c.rows, same, gains, least(lever.ByName(c.lever), nil)); got != c.want {
			t.Errorf("%s: %s, %s; want %s", c.lever, got, why, c.want)
		}
	}
}

// TestWorse checks which results of tests are worse than others.
func TestWorse(t *testing.T) {
	const (
		pass    = "ok  \tm/a\t0.1s\n"
		fails   = "--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\nFAIL\tm/a\t0.1s\nFAIL\n"
		both    = "--- FAIL: TestX (0.00s)\n--- FAIL: TestY (0.00s)\nFAIL\nFAIL\tm/a\t0.1s\nFAIL\n"
		panics  = "panic: oh\n\ngoroutine 1 [running]:\nFAIL\tm/a\t0.1s\nFAIL\n"
		unbuilt = "# m/a\n./x.go:1:1: undefined: y\nFAIL\tm/a [build failed]\nFAIL\n"
		none    = "?   \tm/a\t[no test files]\n"
		cached  = "ok  \tm/a\t(cached)\n"
		timeout = "panic: test timed out after 1s\nrunning tests:\n\tTestX (1s)\nFAIL\tm/a\t1.0s\n"
	)
	for _, c := range []struct{ before, now, want string }{
		{pass, pass, ""}, {pass, cached, ""}, {fails, pass, ""}, {fails, fails, ""}, {both, fails, ""}, {none, none, ""},
		{pass, fails, "TestX of m/a fails"}, {fails, both, "TestY of m/a fails"},
		{pass, panics, "the tests of m/a do not come to their end"}, {pass, unbuilt, "the tests of m/a do not come to their end"},
		{fails, timeout, "the tests of m/a do not come to their end"}, {pass, "", "the tests of m/a did not run"},
		{panics, panics, ""}, {unbuilt, fails, ""},
	} {
		got, output := parseTests(c.now).worse(parseTests(c.before), []string{"m/a"})
		if got != c.want {
			t.Errorf("%q after %q: %q, want %q", c.now, c.before, got, c.want)
		}
		if strings.Contains(c.now, "x_test.go:3") && got != "" && !strings.Contains(output, "x_test.go:3: no") {
			t.Errorf("the output of what fails is lost: %q", output)
		}
	}
	for text, want := range map[string]bool{pass: true, fails: true, panics: false, unbuilt: false, none: false, "": false} {
		if got := parseTests(text).passes("m/a"); got != want {
			t.Errorf("%q passes: %t", text, got)
		}
	}
	two := parseTests(fails + "ok  \tm/b\t0.2s\n")
	if len(two) != 2 || !two["m/b"].ok || len(two["m/b"].failed) > 0 {
		t.Errorf("the results of two packages are mixed: %+v", two)
	}
}

// TestOneBlock checks that variables which are declared at the same place are one block.
func TestOneBlock(t *testing.T) {
	const old = "package x\n\nfunc f() {}\n"
	at := strings.Index(old, "func")
	add := func(text string) lever.Edit { return lever.Edit{Pos: at, End: at, Text: text} }
	for want, edits := range map[string][]lever.Edit{
		"package x\n\nvar a = 1\n\nfunc f() {}\n":                           {add("var a = 1\n\n")},
		"package x\n\nvar (\n\ta = 1\n\tb = 2\n)\n\nfunc f() {}\n":          {add("var a = 1\n\n"), add("var b = 2\n\n")},
		"package x\n\nvar (\n\ta = 1\n\tb = 2\n\tc = 3\n)\n\nfunc f() {}\n": {add("var a = 1\n\n"), add("var b = 2\n\n"), add("var c = 3\n\n")},
		"package x\n\nvar a = 1\n\nvar b = `2\n`\n\nfunc f() {}\n":          {add("var a = 1\n\n"), add("var b = `2\n`\n\n")},
		"package x\n\nvar a = 1\n\n// b is 2.\nvar b = 2\n\nfunc f() {}\n":  {add("var a = 1\n\n"), add("// b is 2.\nvar b = 2\n\n")},
		"package x\n\nvar a = 1\n\nfunc g() {}\n":                           {add("var a = 1\n\n"), {Pos: at + 5, End: at + 6, Text: "g"}},
	} {
		if got, err := splice([]byte(old), edits); err != nil || string(got) != want {
			t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
		}
	}
}

// TestTidy checks that formatting and comments stay as they are, and that imports go with what used them.
func TestTidy(t *testing.T) {
	check := func(old, from, to, want string) {
		t.Helper()
		i := strings.Index(old, from)
		now, err := splice([]byte(old), []lever.Edit{{Pos: i, End: i + len(from), Text: to}})
		if err == nil {
			now, err = tidy("x.go", []byte(old), now)
		}
		if err != nil || string(now) != want {
			t.Errorf("got %q, %v; want %q", now, err, want)
		}
	}
	check("package x\n\nimport \"fmt\"\n\nvar a = fmt.Sprint(1)\n", "fmt.Sprint(1)", `"1"`, "package x\n\nvar a = \"1\"\n")
	check("package x\n\nimport (\n\t\"fmt\" // for a\n\t\"os\"\n)\n\nvar a, b = fmt.Sprint(1), os.Args\n", "fmt.Sprint(1)", `"1"`,
		"package x\n\nimport (\n\t// for a\n\t\"os\"\n)\n\nvar a, b = \"1\", os.Args\n")
	check("package x\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar a, b = fmt.Sprint(1), os.Args\n", "fmt.Sprint(1)", `"1"`,
		"package x\n\nimport (\n\t\"os\"\n)\n\nvar a, b = \"1\", os.Args\n")
	check("package x\n\nvar  a   = 1 // not formatted\n", "1", "2", "package x\n\nvar  a   = 2 // not formatted\n")
	check("package x\n\nvar (\n\ta  = 1\n\tbb = 2\n)\n", "a ", "aaa ", "package x\n\nvar (\n\taaa = 1\n\tbb  = 2\n)\n")
	check("package x\n\nimport _ \"fmt\"\n\nvar a = 1\n", "1", "2", "package x\n\nimport _ \"fmt\"\n\nvar a = 2\n")
	check("package x\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar  a, b = fmt.Sprint(1), os.Args\n", "\"fmt\"", "", "package x\n\nimport (\n\t\"os\"\n)\n\nvar  a, b = fmt.Sprint(1), os.Args\n")
	check("package x\n\nimport (\n\t\"fmt\"\n\t\n\t\"os\"\n)\n\nvar  a, b = fmt.Sprint(1), os.Args\n", "1", "2", "package x\n\nimport (\n\t\"fmt\"\n\t\n\t\"os\"\n)\n\nvar  a, b = fmt.Sprint(2), os.Args\n")
	check("package x\n\nimport (\n\t\"bytes\"\n\t\"fmt\"\n\t\"os\"\n)\n\nvar a, b, c = bytes.MinRead, fmt.Sprint(1), os.Args\n", "\"fmt\"", "", "package x\n\nimport (\n\t\"bytes\"\n\t\"os\"\n)\n\nvar a, b, c = bytes.MinRead, fmt.Sprint(1), os.Args\n")
	if _, err := tidy("x.go", []byte("package x\n"), []byte("package x\nfunc {")); err == nil || !strings.Contains(err.Error(), "does not parse") {
		t.Error(err)
	}
	for _, e := range [][]lever.Edit{{{Pos: 0, End: 3}, {Pos: 2, End: 4}}, {{Pos: -1, End: 0}}, {{Pos: 3, End: 2}}, {{Pos: 0, End: 100}}} {
		if _, err := splice([]byte("package x"), e); err == nil {
			t.Errorf("%v is made", e)
		}
	}
}

// TestJoinImports checks where an import that comes is put in a file without a block of imports: the only import becomes one.
func TestJoinImports(t *testing.T) {
	const c = "/*\nint x;\n*/\nimport \"C\"\n"
	for _, x := range []struct{ before, after string }{
		{"", "import \"sync\"\n"},
		{"import \"bytes\"\n", "import (\n\t\"bytes\"\n\t\"sync\"\n)\n"},
		{"import \"time\"\n", "import (\n\t\"sync\"\n\t\"time\"\n)\n"},
		{"import times \"time\" // clocks\n", "import (\n\t\"sync\"\n\ttimes \"time\" // clocks\n)\n"},
		{"import b \"bytes\" // buffers\n", "import (\n\tb \"bytes\" // buffers\n\t\"sync\"\n)\n"},
		{"// for buffers,\n// and more\nimport \"bytes\"\n", "import (\n\t// for buffers,\n\t// and more\n\t\"bytes\"\n\t\"sync\"\n)\n"},
		{"// clocks\nimport \"time\"\n", "import (\n\t\"sync\"\n\t// clocks\n\t\"time\"\n)\n"},
		{"// of the file\n\nimport \"time\"\n", "// of the file\n\nimport (\n\t\"sync\"\n\t\"time\"\n)\n"},
		{"import \"time\"\n\n// of x\n", "import (\n\t\"sync\"\n\t\"time\"\n)\n\n// of x\n"},
		{"import \"example.com/a\"\n", "import (\n\t\"sync\"\n\n\t\"example.com/a\"\n)\n"},
		// what would not mean the same stays as it is
		{c, "import \"sync\"\n\n" + c},
		{"//go:generate true\nimport \"time\"\n", "import \"sync\"\n\n//go:generate true\nimport \"time\"\n"},
		{"/* clocks */\nimport \"time\"\n", "import \"sync\"\n\n/* clocks */\nimport \"time\"\n"},
		{"import \"time\" /* clocks */\n", "import \"sync\"\n\nimport \"time\" /* clocks */\n"},
		{"import \"bytes\"\nimport \"time\"\n", "import \"sync\"\n\nimport \"bytes\"\nimport \"time\"\n"},
	} {
		const head, tail = "package p\n\n", "\nvar x int\n"
		old := head + x.before + tail
		if x.before == "" {
			old = head + tail[1:] // one empty line
		}
		now, err := tidy("p.go", []byte(old), []byte(strings.Replace(old, "package p", "package p\n\nimport \"sync\"", 1)))
		if want := head + x.after + tail; err != nil || string(now) != want {
			t.Errorf("%q became %q, want %q; %v", old, now, want, err)
		}
	}
	// the import that was there goes with what used it
	old := "package p\n\nimport \"sort\"\n\nvar x = sort.Strings\n"
	for added, want := range map[string]string{
		"\n\nimport \"slices\"":                   "package p\n\nimport \"slices\"\n\nvar x = slices.Sort\n",
		"\n\nimport \"slices\"\n\nimport \"cmp\"": "package p\n\nimport (\n\t\"cmp\"\n\t\"slices\"\n)\n\nvar x = slices.Sort\n",
	} {
		edited := strings.Replace(strings.Replace(old, "package p", "package p"+added, 1), "sort.Strings", "slices.Sort", 1)
		if now, err := tidy("p.go", []byte(old), []byte(edited)); err != nil || string(now) != want {
			t.Errorf("%q became %q, want %q; %v", edited, now, want, err)
		}
	}
}

// TestTouchable checks where nothing may be changed.
func TestTouchable(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"plain.go":       "package x\n\nfunc f() {\n}\n",
		"made.go":        "// Code generated by x. DO NOT EDIT.\n\npackage x\n\nfunc g() {\n}\n",
		"unsafe.go":      "package x\n\nimport \"unsafe\"\n\nfunc h() { _ = unsafe.Pointer(nil)\n}\n",
		"cgo.go":         "package x\n\nimport \"C\"\n\nfunc i() {\n}\n",
		"noinline.go":    "package x\n\n//go:noinline\nfunc j() {\n}\n",
		"called.go":      "package x\n\nfunc k() {\n}\n",
		"k_amd64.s":      "TEXT ·other(SB), 4, $0\n\tCALL ·k(SB)\n",
		"x_test.go":      "package x\n\nfunc l() {\n}\n",
		"vendor/y/y.go":  "package y\n\nfunc m() {\n}\n",
		"vendored/ok.go": "package ok\n\nfunc n() {\n}\n",
	} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tree := &Tree{Top: top}
	for name, want := range map[string]string{
		"plain.go": "", "vendored/ok.go": "", "made.go": "generated", "unsafe.go": "imports unsafe", "cgo.go": "imports C", "noinline.go": "j has a //go: directive",
		"called.go": "assembly refers to k", "x_test.go": "a test", "vendor/y/y.go": "vendored", "../x.go": "outside",
	} {
		file := filepath.Join(top, filepath.FromSlash(name))
		data, _ := os.ReadFile(file)
		spans, names, err := tree.touchable([]lever.Edit{{File: file, Pos: len(data) - 2, End: len(data) - 2}})
		if want == "" && (err != nil || len(spans) != 1 || len(names) != 1 || !spans[0].holds(file, spans[0].to)) {
			t.Errorf("%s: %v, %v, %v", name, spans, names, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestTouchableFunctions checks that all functions which a change is of are named, but for those that go: each is called, old and new.
func TestTouchableFunctions(t *testing.T) {
	tree := &Tree{Top: t.TempDir()}
	var edits []lever.Edit
	const gone = "package x\n\nfunc h() {\n}\n"
	file := filepath.Join(tree.Top, "c.go")
	if err := os.WriteFile(file, []byte(gone), 0o666); err != nil {
		t.Fatal(err)
	}
	edits = append(edits, lever.Edit{File: file, Pos: strings.Index(gone, "func"), End: len(gone) - 1})
	for name, text := range map[string]string{"a.go": "package x\n\nfunc f() {\n}\n", "b.go": "package x\n\nfunc (t *T) g() {\n}\n"} {
		file := filepath.Join(tree.Top, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		edits = append(edits, lever.Edit{File: file, Pos: len(text) - 2, End: len(text) - 2})
	}
	_, names, err := tree.touchable(edits)
	if slices.Sort(names); err != nil || !slices.Equal(names, []string{"(*T).g", "f"}) {
		t.Error(names, err)
	}
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=g", "-c", "user.email=g@example.com"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestTree checks that a checkout has what the user has, uncommitted work included, that nothing of the user's changes, and
// that what is committed there comes to a branch.
func TestTree(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	gitIn(t, dir, "init", "-q", "-b", "main")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module x\n")
	write(".gitignore", "ignored\n")
	write("in/x.go", "package x\n")
	write("gone.go", "package gone\n")
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-q", "-m", "first")
	clean, err := NewTree(ctx, dir, filepath.Join(t.TempDir(), "r"), t.TempDir())
	if err != nil || clean.Snapshot || clean.Base != gitIn(t, dir, "rev-parse", "HEAD") {
		t.Fatal(clean, err)
	}
	write("in/x.go", "package x // changed\n\n\n")
	write("new.go", "package fresh\n")
	write("ignored", "secret")
	write("excluded", "secret")
	write(".git/info/exclude", "excluded\n")
	os.Remove(filepath.Join(dir, "gone.go"))
	results := filepath.Join(dir, "results")
	before := gitIn(t, dir, "status", "--porcelain") + gitIn(t, dir, "rev-parse", "HEAD")
	tree, err := NewTree(ctx, filepath.Join(dir, "in"), results, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := func() (all []string) {
		entries, err := os.ReadDir(tree.Top)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	if got, want := names(), []string{".git", ".gitignore", "go.mod", "in", "new.go"}; !slices.Equal(got, want) || !tree.Snapshot || tree.Dir != filepath.Join(tree.Top, "in") {
		t.Errorf("checkout has %q, want %q; %+v", got, want, tree)
	}
	if err := tree.Write(map[string][]byte{"in/x.go": []byte("package x // better\n\n\n")}); err != nil {
		t.Fatal(err)
	}
	if all, err := tree.Subjects(ctx); err != nil || strings.Join(all, "") != "" {
		t.Error(all, err)
	}
	if diff, err := tree.Diff(ctx); err != nil || !strings.HasSuffix(diff, "\n+package x // better\n \n \n") {
		t.Errorf("%q, %v", diff, err) // without its last lines, git apply calls it corrupt
	}
	if err := os.WriteFile(filepath.Join(tree.Top, "junk"), nil, 0o666); err != nil { // as tests do
		t.Fatal(err)
	}
	if _, err := tree.Commit(ctx, []string{"in/x.go"}, "x: be better\n\nWhy.\n"); err != nil {
		t.Fatal(err)
	}
	if all, err := tree.Subjects(ctx); err != nil || !slices.Equal(all, []string{"x: be better"}) {
		t.Error(all, err)
	}
	if err := tree.Reset(ctx); err != nil || slices.Contains(names(), "junk") {
		t.Error("what tests leave stays", err)
	}
	if err := tree.CheckBranch(ctx, "b"); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"main", "-x", "a..b", ""} {
		if err := tree.CheckBranch(ctx, bad); err == nil {
			t.Errorf("branch %q can be made", bad)
		}
	}
	if err := tree.Publish(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	if got := gitIn(t, dir, "log", "--format=%s", "b"); got != "x: be better\nuncommitted work, as lessgc apply found it\nfirst" {
		t.Errorf("branch: %s", got)
	}
	if got := gitIn(t, dir, "show", "b:in/x.go"); got != "package x // better" {
		t.Error(got)
	}
	os.RemoveAll(filepath.Join(results)) // the branch needs nothing of it
	if got := gitIn(t, dir, "fsck", "--connectivity-only"); strings.Contains(got, "missing") {
		t.Error(got)
	}
	if after := gitIn(t, dir, "status", "--porcelain") + gitIn(t, dir, "rev-parse", "HEAD"); after != before {
		t.Errorf("the user's files are %q, and were %q", after, before)
	}
}

// TestTreeWithoutGit checks the checkout of a module that is in no repository, and that a second run goes on with it.
func TestTreeWithoutGit(t *testing.T) {
	dir, results, ctx := t.TempDir(), filepath.Join(t.TempDir(), "r"), context.Background()
	t.Setenv("GOWORK", "off")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	for name, text := range map[string]string{"go.mod": "module x\n\ngo 1.26\n", "a/a.go": "package a\n"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := NewTree(ctx, filepath.Join(dir, "a"), results, t.TempDir())
	if err != nil || tree.Snapshot {
		t.Fatal(tree, err)
	}
	if err := tree.Write(map[string][]byte{"a/a.go": []byte("package a // better\n")}); err != nil {
		t.Fatal(err)
	}
	commit, err := tree.Commit(ctx, []string{"a/a.go"}, "a: be better")
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Publish(ctx, "b"); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(results, repositoryFolder, "index.lock"), nil, 0o666); err != nil { // it was killed
		t.Fatal(err)
	}
	again, err := OpenTree(ctx, filepath.Join(dir, "a"), results, t.TempDir(), tree.Base)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(again.Dir, "a.go")); err != nil || string(data) != "package a // better\n" {
		t.Errorf("%q, %v", data, err)
	}
	if patches, err := again.Patches(ctx); err != nil || !strings.Contains(patches, "From "+commit) || !strings.Contains(patches, "Subject: [PATCH] a: be better") {
		t.Error(patches, err)
	}
	if _, err := OpenTree(ctx, dir, results, t.TempDir(), strings.Repeat("1", 40)); err == nil || !strings.Contains(err.Error(), "start again") {
		t.Error(err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a/a.go")); string(data) != "package a\n" {
		t.Errorf("the user's file is %q", data)
	}
}

// TestMessage checks a commit message as a whole.
func TestMessage(t *testing.T) {
	c := &candidate{names: []string{"Users"}, lever: lever.ByName("preallocate"), Attempt: attempt.Attempt{Title: "make the slice with the capacity that it will need (x)", File: "codec/a.go", Line: 7,
		Evidence: []advice.Evidence{{Text: "out starts without capacity", File: "codec/a.go", Line: 5}}, Tests: []string{"go test -vet=off -count=1 -timeout=10m0s m/codec"}, Gains: []attempt.Gain{{Benchmark: "m/codec.BenchmarkUsers", Bytes: 0.38}},
		Rows: []attempt.Row{{Name: "Users", Predicted: &advice.Range{Lo: 0.02, Hi: 0.05}, CPU: attempt.Effect{Word: verdict.Better, Ratio: 0.96, Lo: 0.95, Hi: 0.97},
			Bytes: attempt.Effect{Word: verdict.Better, Before: 100, After: 64}, Allocs: attempt.Effect{Word: verdict.Better, Before: 5, After: 1}}}}}
	want := `codec: presize the slice in Users

a.go:7 allocated 38 % of the bytes of BenchmarkUsers: out starts without
capacity (line 5).

       CPU time             B/op                 allocs/op
Users  -4.0 % [-5.0, -3.0]  100 -> 64 (-36.0 %)  5 -> 1 (-80.0 %)

Predicted for Users: 2.0 to 5.0 % less CPU time.

Passed: go test m/codec
`
	if got := message(c, &attempt.State{Module: "m"}, nil); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c.File, c.names, c.Evidence[0].File = "a.go", nil, "a.go"
	c.Rows = append(c.Rows, attempt.Row{Name: "Other", CPU: attempt.Effect{Word: verdict.Unclear, Ratio: 1.01, Lo: 0.97, Hi: 1.05}, Bytes: attempt.Effect{Word: verdict.Same, Before: 9, After: 9}, Allocs: attempt.Effect{Word: verdict.Same, Before: 1, After: 1}})
	c.Rows[0].Predicted = &advice.Range{Hi: 0.03}
	c.Rows[0].Memory = &advice.Range{Lo: 0.4, Hi: 0.5}
	want = `x: presize the slice

a.go:7 allocated 38 % of the bytes of BenchmarkUsers: out starts without
capacity (line 5).

       CPU time             B/op                 allocs/op
Users  -4.0 % [-5.0, -3.0]  100 -> 64 (-36.0 %)  5 -> 1 (-80.0 %)

No difference beyond noise: Other.

Predicted for Users: up to 3.0 % less CPU time, 40.0 to 50.0 % fewer bytes.

Passed: go test m/codec
`
	if got := message(c, &attempt.State{Module: "example.com/x/v6"}, []string{"x: presize the map"}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c.Rows[1].CPU.Lo = 1.005
	if got := message(c, &attempt.State{Module: "x"}, nil); !strings.Contains(got, "\nCPU time of benchmarks that allocate as much as before: Other +1.0 %\n[+0.5, +5.0].\n") {
		t.Errorf("got\n%s", got)
	}
	c.Rows[0].CPU.Hi = 1.01
	if got := message(c, &attempt.State{Module: "x"}, nil); !strings.Contains(got, "(-80.0 %)\n\nNo difference in CPU time beyond noise: it is for what is allocated.\n\nCPU time of benchmarks that allocate as much as before: Other ") {
		t.Errorf("got\n%s", got)
	}
	c.Rows[0].CPU.Hi = 0.97
	c.Rows[0].Memory = &advice.Range{Hi: 0.0001}
	if got := message(c, &attempt.State{Module: "x"}, nil); !strings.Contains(got, "\nPredicted for Users: up to 3.0 % less CPU time.\n") {
		t.Errorf("got\n%s", got)
	}
	c.Gains[0].Bytes, c.Gains[0].Memory = 0.02, &advice.Range{Lo: 0.7, Hi: 1} // where it grows, elsewhere
	c.Evidence = []advice.Evidence{{Text: "this goes, too", File: "b.go", Line: 3}, {Text: "out grows; an operation makes up to 3 objects here; many are small", File: "a.go", Line: 4}, {Text: "this goes, too", File: "a.go", Line: 9}}
	if got := message(c, &attempt.State{Module: "x"}, nil); !strings.Contains(got, "\na.go:7 allocated 2 % of the bytes of BenchmarkUsers, and most of what the\nchange saves is allocated on other lines: this goes, too (b.go:3, line 9).\nout grows. Many are small (line 4).\n") {
		t.Errorf("got\n%s", got)
	}
	c.Evidence[2] = advice.Evidence{Text: "it ends there", File: "a.go", Line: 4}
	if got := message(c, &attempt.State{Module: "x"}, nil); !strings.Contains(got, "out\ngrows. Many are small (line 4). It ends there.\n") {
		t.Errorf("got\n%s", got)
	}
	for range 12 {
		c.Rows = append(c.Rows, c.Rows[0])
	}
	if got := message(c, &attempt.State{Module: "x"}, nil); strings.Count(got, "\nUsers ") != 10 || !strings.Contains(got, "\nand 3 more\n") {
		t.Errorf("got\n%s", got)
	}
	if got := message(c, &attempt.State{Module: "x"}, []string{"y", "x: presize the slice"}); !strings.HasPrefix(got, "x: presize the slice (a.go:7)\n") {
		t.Errorf("got\n%s", got)
	}
	c.edits = []lever.Edit{{File: filepath.Join(t.TempDir(), "a.go")}}
	if got := subject(c, &attempt.State{Module: "example.com/x/go/v6"}, nil); got != "go: presize the slice" {
		t.Errorf("without a file: %q", got)
	}
	for text, want := range map[string]string{"package gherkin\n": "gherkin: presize the slice", "package main\n": "go: presize the slice"} {
		if err := os.WriteFile(c.edits[0].File, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := subject(c, &attempt.State{Module: "example.com/x/go/v6"}, nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := shortened("go test " + strings.Repeat("example.com/package ", 100)); len(got) > 200 || !strings.HasSuffix(got, "more packages") {
		t.Error(got)
	}
}

// TestOfBenchmarks checks which lines are of what benchmarks measure with.
func TestOfBenchmarks(t *testing.T) {
	for file, want := range map[string]bool{"benchmarks/large.go": true, "internal/bench/data/a.go": true, "benchmark.go": false, "codec/bench.go": false, "benchmarking/a.go": false, "a.go": false} {
		c := &candidate{Attempt: attempt.Attempt{File: file, Gains: []attempt.Gain{{Benchmark: "m.BenchmarkA"}}}}
		if c.ofBenchmarks() != want {
			t.Errorf("%s: %t", file, !want)
		}
		c.Gains[0].Benchmark = "a program"
		if c.ofBenchmarks() {
			t.Errorf("%s of a program", file)
		}
	}
}

// TestOfErrors checks which changes are of the texts of errors only.
func TestOfErrors(t *testing.T) {
	for _, name := range ofTexts {
		if lever.ByName(name) == nil {
			t.Errorf("there is no lever %s", name)
		}
	}
	for _, c := range []struct {
		lever string
		names []string
		want  bool
	}{
		{"plain-format", []string{"(*ParseError).Error"}, true},
		{"append-text", []string{"HTTPError.PublicError", "parseErr", "errText", "errorf"}, true},
		{"append-text", []string{"HTTPError.PublicError", "HTTPError.Code"}, false},
		{"plain-format", []string{"(*ErrorList).Render"}, false},
		{"plain-format", []string{"errand", "terrific"}, false},
		{"plain-format", nil, false},
		{"compile-once", []string{"parseError"}, false},
	} {
		if got := (&candidate{Attempt: attempt.Attempt{Lever: c.lever}, names: c.names}).ofErrors(); got != c.want {
			t.Errorf("%s in %q: %t", c.lever, c.names, got)
		}
	}
}

// TestOfLines checks how places are named in a sentence.
func TestOfLines(t *testing.T) {
	for want, places := range map[string][]string{"line 3": {"line 3"}, "lines 3, 5 and 9": {"line 3", "line 5", "line 9"}, "line 3 and b.go:4": {"line 3", "b.go:4"}} {
		if got := ofLines(places); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOfLine checks that a message names the benchmark in which most was saved, and without any the one of which most was predicted.
func TestOfLine(t *testing.T) {
	row := func(name string, before, after float64) attempt.Row {
		return attempt.Row{Package: "m", Name: name, Bytes: attempt.Effect{Word: verdict.Better, Before: before, After: after}}
	}
	c := &candidate{Attempt: attempt.Attempt{Gains: []attempt.Gain{{Benchmark: "m.BenchmarkA", Bytes: 0.3}, {Benchmark: "m.BenchmarkB", Bytes: 0.2}, {Benchmark: "m.BenchmarkC"}}}}
	for want, rows := range map[string][]attempt.Row{
		"m.BenchmarkA": {row("A", 100, 100), row("B", 100, 100), row("C", 100, 1)}, // C was not predicted
		"m.BenchmarkB": {row("A", 100, 99), row("B", 100, 90)},
	} {
		if c.Rows = rows; c.ofLine()[0].Benchmark != want || c.Gains[0].Benchmark != "m.BenchmarkA" {
			t.Errorf("%s is first, want %s", c.ofLine()[0].Benchmark, want)
		}
	}
}

// TestForetold checks that what is predicted is of the benchmark whose bytes the message names.
func TestForetold(t *testing.T) {
	rows := []attempt.Row{{Package: "m", Name: "A", Predicted: &advice.Range{Lo: 0.1, Hi: 0.2}}, {Package: "m", Name: "B", Predicted: &advice.Range{Lo: 0.3, Hi: 0.4}}}
	for of, want := range map[string]string{"m.BenchmarkA": "Predicted for A: 10.0 to 20.0", "m.BenchmarkB": "Predicted for B: 30.0 to 40.0", "m.BenchmarkC": "Predicted for A: 10.0 to 20.0", "": "Predicted for A: 10.0 to 20.0"} {
		c := &candidate{Attempt: attempt.Attempt{Gains: []attempt.Gain{{Benchmark: of}}}}
		if got := c.foretold(rows); got != want+" % less CPU time." {
			t.Errorf("%q: %q", of, got)
		}
	}
	rows[1].Predicted = nil
	c := &candidate{Attempt: attempt.Attempt{Gains: []attempt.Gain{{Benchmark: "m.BenchmarkB"}}}}
	if got := c.foretold(rows); got != "Predicted for A: 10.0 to 20.0 % less CPU time." {
		t.Errorf("without a prediction of it: %q", got)
	}
}

// TestWhy checks the share of the bytes that a message tells.
func TestWhy(t *testing.T) {
	with := func(lines ...attempt.Attempt) (all []*candidate) {
		for _, a := range lines {
			all = append(all, &candidate{Attempt: a})
		}
		return all
	}
	for _, x := range []struct {
		bytes float64
		most  float64
		same  []*candidate
		want  string
	}{
		{0.38, 0.5, nil, "a.go:7 allocated 38 % of the bytes of BenchmarkUsers"},
		{0.002, 0.003, nil, "a.go:7 allocated 0.2 % of the bytes of BenchmarkUsers"},
		{0.0004, 0.9, nil, "a.go:7"},
		{0, 0, nil, "a.go:7"},
		{0.05, 0.74, nil, "a.go:7 allocated 5 % of the bytes of BenchmarkUsers, and most of what the change saves is allocated on other lines"},
		{0.08, 0.09, with(attempt.Attempt{File: "codec/a.go", Line: 9}), "a.go:7 and line 9 allocated 8 % of the bytes of BenchmarkUsers"},
		{0.08, 0.09, with(attempt.Attempt{File: "codec/b.go", Line: 9}), "a.go:7 and b.go:9 allocated 8 % of the bytes of BenchmarkUsers"},
		{0.08, 0.09, with(attempt.Attempt{File: "codec/a.go", Line: 9}, attempt.Attempt{File: "codec/b.go", Line: 9}), "a.go:7 and 2 other lines allocated 8 % of the bytes of BenchmarkUsers"},
	} {
		c := &candidate{same: x.same, Attempt: attempt.Attempt{File: "codec/a.go", Line: 7, Gains: []attempt.Gain{{Benchmark: "m/codec.BenchmarkUsers", Bytes: x.bytes, Memory: &advice.Range{Hi: x.most}}}}}
		if got := c.why(); got != x.want {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
	c := &candidate{Attempt: attempt.Attempt{File: "a.go", Line: 7, Gains: []attempt.Gain{{Bytes: 0.5}}}}
	if got := c.why(); got != "a.go:7 allocated 50 % of the bytes" {
		t.Errorf("of a program: %q", got)
	}
	const other = "the call in another case of the switch is changed here, too"
	c.Evidence = []advice.Evidence{{Text: "fmt.Sprintf formats only numbers", File: "a.go", Line: 7}, {Text: other, File: "a.go", Line: 9},
		{Text: lever.ChangesAlike, File: "a.go", Line: 3}, {Text: lever.ChangesAlike, File: "b.go", Line: 5}}
	const alike = "The same statement is changed at line 3 and b.go:5, too."
	if got, want := c.why(), "a.go:7 allocated 50 % of the bytes: fmt.Sprintf formats only numbers. The call in another case of the switch is changed at line 9, too. "+alike; got != want {
		t.Errorf("of other lines: %q, want %q", got, want)
	}
	c.same = []*candidate{{Attempt: attempt.Attempt{File: "a.go", Line: 9}}}
	if got, want := c.why(), "a.go:7 and line 9 allocated 50 % of the bytes: fmt.Sprintf formats only numbers. "+alike; got != want {
		t.Errorf("of a line that is named already: %q, want %q", got, want)
	}
}

// TestParagraph checks that lines end where a reader would end them, wherever a text begins.
func TestParagraph(t *testing.T) {
	const text = "-3.5 % [-4.7, -1.4], 64 bytes, (line 12, line 345) and (lines 3 and 4), 1.87 KiB, 2.99 elements."
	for n := range 80 {
		var b strings.Builder
		paragraph(&b, strings.Repeat("x", n)+" "+strings.Repeat(text+" ", 3))
		for _, l := range strings.SplitAfter(strings.TrimSuffix(b.String(), "\n"), "\n") {
			if end := strings.TrimSuffix(l, "\n"); len(end) > 80 || regexp.MustCompile(`\[[-+0-9.]+,$|[0-9]$|lines?$|\x00`).MatchString(end) && !strings.HasSuffix(end, "lines 3") {
				t.Errorf("%q", b.String())
			}
		}
		if strings.Join(strings.Fields(b.String()), " ") != strings.TrimSpace(strings.Repeat("x", n)+" "+strings.TrimSpace(strings.Repeat(text+" ", 3))) {
			t.Errorf("%q is another text", b.String())
		}
	}
}

// TestSubject checks that subjects name what is changed, as far as there is room, and are not the same twice.
func TestSubject(t *testing.T) {
	for _, x := range []struct {
		file, what string
		names      []string
		others     string
		want       string
	}{
		{"a.go", "pool the map compression", []string{"(*Msg).Len"}, "", "dns: pool the map compression in (*Msg).Len"},
		{"a.go", "", []string{"(*Msg).Len"}, "", "dns: presize the slice in (*Msg).Len"},
		{"in/a.go", "presize ids", nil, "", "in: presize ids"},
		{"in/a.go", "presize ids", []string{"f", "g"}, "", "in: presize ids in f and g"},
		{"in/a.go", "presize ids", []string{"f", "g"}, "in: presize ids in f and g", "in: presize ids in f and g (a.go:7)"},
		{"in/a.go", "presize ids", []string{"(*T).first", "(*T).second", "(*T).third", "(*T).fourth", "(*T).fifth"}, "", "in: presize ids"},
		{"in/a.go", "presize the slice identifiers", []string{"(*Collection).functionWithAVeryLongName"}, "", "in: presize the slice identifiers"},
		{"internal/private/protocol/of/the/devices/encoding/a.go", "presize the slice identifiers", []string{"f"}, "", "encoding: presize the slice identifiers in f"},
		{"in/a.go", "presize the slice identifiers" + strings.Repeat("OfAll", 10), []string{"f"}, "", "in: presize the slice in f"},
		{"in/a.go", "presize ids", []string{"function"}, "in: presize ids in function", "in: presize ids in function (a.go:7)"},
	} {
		c := &candidate{names: x.names, what: x.what, lever: lever.ByName("preallocate"), Attempt: attempt.Attempt{File: x.file, Line: 7}}
		if got := subject(c, &attempt.State{Module: "example.com/dns/v2"}, []string{x.others}); got != x.want {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}

// TestOneAtATime checks that a folder in which a run goes on is not gone on with by another.
func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	lock, err := lockfile.Acquire(root, lockFile, lockfile.Self("apply"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	held := new(lockfile.Held)
	if _, err := Resume(t.Context(), new(attempt.State), dir, t.TempDir(), nil); !errors.As(err, &held) {
		t.Errorf("%v, want that the folder is in use", err)
	}
}

// TestClose checks that a run that could not begin leaves its folder to the next one.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // the folder holds no run
		if _, err := Resume(t.Context(), &attempt.State{Dir: dir, Base: strings.Repeat("1", 40)}, dir, t.TempDir(), nil); err == nil || errors.As(err, new(*lockfile.Held)) {
			t.Errorf("%v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, lockFile)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestTogether checks that a change which several lines are the reason of is tried once.
func TestTogether(t *testing.T) {
	edit := []lever.Edit{{File: "kinds.go", Pos: 5, End: 8, Text: "const"}}
	candidateAt := func(line int, edits []lever.Edit, gains ...attempt.Gain) *candidate {
		c := &candidate{Attempt: attempt.Attempt{Lever: "constant-variable", File: "kinds.go", Line: line, First: line, Gains: gains}, edits: edits}
		for _, g := range gains {
			c.order += g.Middle()
		}
		return c
	}
	predicted := func(lo, hi float64) *advice.Range { return &advice.Range{Lo: lo, Hi: hi} }
	all := together([]*candidate{
		candidateAt(3, []lever.Edit{{File: "kinds.go", Pos: 9, End: 9, Text: "x"}}, attempt.Gain{Benchmark: "p.BenchmarkA", Predicted: predicted(0.04, 0.06)}),
		candidateAt(1, edit, attempt.Gain{Benchmark: "p.BenchmarkA", Bytes: 0.25, Predicted: predicted(0.01, 0.04)}),
		candidateAt(2, edit, attempt.Gain{Benchmark: "p.BenchmarkA", Bytes: 0.5, Predicted: predicted(0.02, 0.06)}, attempt.Gain{Benchmark: "p.BenchmarkB", Bytes: 0.125}),
	})
	if len(all) != 2 || all[0].Line != 1 || all[1].Line != 3 {
		t.Fatal(all)
	}
	c := all[0]
	if g := c.Gains[0]; len(c.Gains) != 2 || g.Bytes != 0.75 || math.Abs(g.Predicted.Lo-0.03) > 1e-9 || math.Abs(g.Predicted.Hi-0.08) > 1e-9 || c.Gains[1].Benchmark != "p.BenchmarkB" {
		t.Errorf("%+v %+v", c.Gains, c.Gains[0].Predicted)
	}
	r := &Runner{Attempts: []attempt.Attempt{all[0].same[0].Attempt}}
	if next := r.next(&plan{candidates: all}); next != all[1] {
		t.Errorf("%s is tried again for another of its lines", next.Key())
	}
}

// TestAlike checks that a change of several statements is of one where a benchmark runs the function of another, and can be made of it alone.
func TestAlike(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package p\n\nfunc a() int {\n\treturn 1\n}\n", "b.go": "package p\n\nfunc b() int {\n\treturn 1\n}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(name string) lever.Edit {
		return lever.Edit{File: filepath.Join(dir, name), Pos: 34, End: 35, Text: "2"}
	}
	for function, want := range map[string]int{"a.go": 2, "b.go": 1, "c.go": 2} {
		p := &planner{runner: &Runner{tree: &Tree{Top: dir, Dir: dir}}}
		c := &candidate{edits: []lever.Edit{edit("a.go"), edit("b.go")}, alone: []lever.Edit{edit("a.go")},
			Attempt: attempt.Attempt{Evidence: []advice.Evidence{{Text: "it grows"}, {Text: lever.ChangesAlike}}}}
		sample := &prof.Profile{Profile: &profile.Profile{Sample: []*profile.Sample{{Value: []int64{1, 1, 1, 1},
			Location: []*profile.Location{{Line: []profile.Line{{Line: 4, Function: &profile.Function{Name: "p.f", Filename: filepath.Join(dir, function)}}}}}}}}}
		p.beside(c, map[string]*prof.Set{"p.BenchmarkA": {Allocs: sample}})
		if len(c.edits) != want || len(c.Evidence) != want || (c.alone == nil) != (want == 1) {
			t.Errorf("a benchmark runs %s: %+v", function, c)
		}
	}
	for line, want := range map[int]int{3: 2, 4: 1} { // of expressions the line counts
		p := &planner{runner: &Runner{tree: &Tree{Top: dir, Dir: dir}}}
		c := &candidate{edits: []lever.Edit{edit("a.go"), edit("b.go")}, alone: []lever.Edit{edit("a.go")}, inPlace: true,
			Attempt: attempt.Attempt{Evidence: []advice.Evidence{{Text: "it grows"}, {Text: lever.ChangesAlike, File: "b.go", Line: 4}}}}
		sample := &prof.Profile{Profile: &profile.Profile{Sample: []*profile.Sample{{Value: []int64{1, 1, 1, 1},
			Location: []*profile.Location{{Line: []profile.Line{{Line: int64(line), Function: &profile.Function{Name: "p.f", Filename: filepath.Join(dir, "b.go")}}}}}}}}}
		all := map[string]*prof.Set{"p.BenchmarkA": {Allocs: sample}}
		if p.beside(c, all); len(c.edits) != want {
			t.Errorf("a benchmark runs line %d: %+v", line, c)
		}
		if p.affected(c, all); (len(c.Gains) == 1) != (want == 2) {
			t.Errorf("a benchmark that runs line %d is measured with the change: %+v", line, c.Gains)
		}
	}
	for outcome, want := range map[attempt.Outcome]bool{attempt.Kept: false, attempt.NoGain: false, attempt.Unmeasured: false, attempt.Unclear: false, attempt.Worse: false,
		attempt.Refused: true, attempt.Broken: true, attempt.Failed: true, attempt.NoEffect: true} {
		if setBack(outcome) != want {
			t.Errorf("%s: %t", outcome, !want)
		}
	}
}

// TestTogetherCounted checks that a line whose memory the prediction of another line counts is not counted twice, and is in a
// benchmark where that line is not.
func TestTogetherCounted(t *testing.T) {
	edits := []lever.Edit{{File: "heap.go", Pos: 5, End: 8, Text: "pop"}}
	predicted := &advice.Range{Lo: 0.25, Hi: 0.5}
	line := func(n int, order float64, also []prof.Frame, benchmarks ...string) *candidate {
		c := &candidate{Attempt: attempt.Attempt{Lever: "heap-fix", File: "heap.go", Line: n}, edits: edits, order: order, also: also}
		for _, b := range benchmarks {
			c.Gains = append(c.Gains, attempt.Gain{Benchmark: b, Bytes: 0.25, Predicted: predicted, Memory: predicted})
		}
		return c
	}
	push, pop, third := prof.Frame{File: "heap.go", Line: 1}, prof.Frame{File: "heap.go", Line: 2}, prof.Frame{File: "heap.go", Line: 3}
	all := together([]*candidate{
		line(1, 3, []prof.Frame{pop, third}, "p.BenchmarkA"),
		line(2, 2, []prof.Frame{push, third}, "p.BenchmarkA", "p.BenchmarkB"),
		line(3, 1, []prof.Frame{push, pop}, "p.BenchmarkB"),
	})
	if len(all) != 1 || len(all[0].Gains) != 2 {
		t.Fatal(all)
	}
	for _, g := range all[0].Gains {
		if *g.Predicted != *predicted || *g.Memory != *predicted || g.Bytes != 0.5 {
			t.Errorf("%s: %+v, of which CPU time %v, bytes %v", g.Benchmark, g, g.Predicted, g.Memory)
		}
	}
	if want := 3 + all[0].Gains[1].Middle(); all[0].order != want {
		t.Errorf("the order is %v, want %v", all[0].order, want)
	}
}

// TestRowsFor checks that a short comparison measures the benchmarks that matter most.
func TestRowsFor(t *testing.T) {
	gains := []attempt.Gain{{Benchmark: "p.BenchmarkMost"}, {Benchmark: "p.BenchmarkMore"}, {Benchmark: "p.BenchmarkLeast"}}
	r := &Runner{State: &attempt.State{}}
	for _, x := range []struct {
		seconds int
		want    string
	}{{1, "^BenchmarkMost$"}, {25, "^BenchmarkMost$|^BenchmarkMore$"}, {90, "^BenchmarkMost$|^BenchmarkMore$|^BenchmarkLeast$"}} {
		r.State.Time = time.Duration(x.seconds) * time.Second
		if args := r.compareArgs(gains); !slices.Contains(args, x.want) {
			t.Errorf("%d s: %q, want -bench %s", x.seconds, args, x.want)
		}
	}
	if left := leftOut(gains, []attempt.Row{{Package: "p", Name: "More"}}); left != "BenchmarkMost" {
		t.Errorf("%q was left out", left)
	}
	if left := leftOut(gains, []attempt.Row{{Package: "p", Name: "More"}, {Package: "p", Name: "Most"}}); left != "" {
		t.Errorf("%q was left out", left)
	}
}

// TestLeast checks that a change has to save the more the more lines it adds, as much as a pool at most.
func TestLeast(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("a\nb\nc\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	builder := lever.ByName("builder")
	for _, c := range []struct {
		edits []lever.Edit
		want  float64
	}{
		{nil, leastChange},
		{[]lever.Edit{{File: file, Text: "1\n"}}, leastLonger + leastPerLine},
		{[]lever.Edit{{File: file, Text: "1\n2\n"}}, leastLonger + 2*leastPerLine},
		{[]lever.Edit{{File: file, Text: "1\n2\n3\n4\n"}}, leastWorth},
		{[]lever.Edit{{File: file, Text: "1\n2\n3\n4\n5\n6\n"}}, leastWorth},
		{[]lever.Edit{{File: file, Text: "1\n2\n"}, {File: file, Pos: 4, End: 4, Text: "3\n4\n5\n"}}, leastWorth},
		{[]lever.Edit{{File: file, Pos: 0, End: 2, Text: "1\n"}}, leastChange}, // in the place of a line
		{[]lever.Edit{{File: file, Pos: 0, End: 2, Text: "12\n"}}, leastLonger},
		{[]lever.Edit{{File: file, Pos: 0, End: 2, Text: "12\n"}, {File: file, Pos: 2, End: 3}}, leastChange},
		{[]lever.Edit{{File: file, Text: "b.Grow(24) // few need more\n"}}, leastWorth},
		{[]lever.Edit{{File: file, Text: "\n\n\timport \"strconv\"\n"}, {File: file, Text: "\n\t\"io\""}}, leastChange},
	} {
		if got := least(builder, c.edits); got != c.want {
			t.Errorf("%+v: %g, want %g", c.edits, got, c.want)
		}
	}
}

// TestLessAllocated checks that small allocations count half of what bytes do.
func TestLessAllocated(t *testing.T) {
	for _, c := range []struct {
		bytes, allocs, share float64
		want                 bool
	}{
		{0.98, 1, 0.02, false}, {0.97, 1, 0.02, true}, {0.99, 0.97, 0.02, false}, {0.99, 0.95, 0.02, true}, {1, 0.998, leastSaved, true}, {1, 1, leastSaved, false},
	} {
		x := attempt.Row{Bytes: attempt.Effect{Word: verdict.Same, Before: 1000, After: 1000 * c.bytes}, Allocs: attempt.Effect{Word: verdict.Same, Before: 1000, After: 1000 * c.allocs}}
		if got := lessAllocated(x, c.share); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestReached checks which changes are tried: those that may save what they would be kept for.
func TestReached(t *testing.T) {
	pool, builder := least(lever.ByName("typed-pool"), nil), least(lever.ByName("builder"), nil)
	for _, c := range []struct {
		gain  attempt.Gain
		least float64
		want  bool
	}{
		{attempt.Gain{Memory: &advice.Range{Lo: 0.02, Hi: 0.04}}, pool, false},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.02, Hi: 0.04}}, builder, true},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.06, Hi: 0.09}}, pool, false},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.08, Hi: 0.12}}, pool, false},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.08, Hi: 0.27}}, pool, true},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.02, Hi: 0.04}, Predicted: &advice.Range{Hi: 0.1}}, pool, false},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.02, Hi: 0.04}, Predicted: &advice.Range{Lo: 0.02, Hi: 0.1}}, pool, false},
		{attempt.Gain{Memory: &advice.Range{Lo: 0.02, Hi: 0.04}, Predicted: &advice.Range{Lo: 0.02, Hi: 0.2}}, pool, true},
		{attempt.Gain{}, pool, true}, // nothing was predicted
	} {
		if got := reached(c.gain, c.least); got != c.want {
			t.Errorf("%+v, least %g: %v", c.gain, c.least, got)
		}
	}
}
