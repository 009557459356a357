package lever

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/coverage"
	"lessgc/cmd/lessgc/internal/prof"
	watched "lessgc/cmd/lessgc/internal/repeats"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/trial"
)

func TestMain(m *testing.M) {
	trial.Helper()          // measures the benchmarks that are watched
	debug.SetGCPercent(200) // hundreds of MB of syntax live: every fifth second of processor time was the collector's
	os.Exit(m.Run())
}

// TestPrograms profiles the programs below testdata, and checks what the levers find at each
// line that has a comment about them.
func TestPrograms(t *testing.T) {
	const folder = "./testdata/programs"
	file := filepath.Join(t.TempDir(), "allocs.out")
	out, err := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "20x", "-memprofile", file, "-memprofilerate", "1",
		"-o", os.DevNull, folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	profile, err := new(prof.Reader).ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Ops = 20
	program.Executed = countExecuted(t, folder)
	program.Repeats = repeatsIn(t, folder)
	found := map[string][]string{} // by line
	var edits [][]Edit
	for _, s := range site.Find(profile, nil, site.Module("lessgc/cmd/lessgc/internal/lever/testdata")) {
		line := fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
		found[line] = append(found[line], "") // it allocates
		for _, m := range program.Find(s) {
			found[line] = append(found[line], m.Name)
			for _, e := range m.Evidence {
				if e.Text == "" || e.Line == 0 || filepath.Base(filepath.Dir(e.File)) != "programs" {
					t.Errorf("%s: %s has evidence from nowhere: %v", line, m.Name, e)
				}
			}
			if m.Share < 0.1 {
				t.Errorf("%s: %s is about %.3f of the bytes", line, m.Name, m.Share)
			}
			if !m.Sketch {
				edits = append(edits, m.Edits)
			}
		}
		arena := slices.Contains(found[line], arenas.Name)
		program.Ops = 0 // of a service nobody knows how many objects there are in each request
		if filepath.Base(s.File) == "lives.go" && arena != slices.ContainsFunc(program.Find(s), func(m Match) bool { return m.Lever == arenas }) {
			t.Errorf("%s: the number of operations makes a difference for arenas, %t with it", line, arena)
		}
		program.Ops = 20
	}
	buildEdited(t, folder, edits)
	tested := map[string]int{}
	for line, text := range linesOf(t, folder) {
		comment := strings.Fields(text[strings.LastIndex(text, "//")+1:])
		if len(comment) != 3 || comment[1] != "want" && comment[1] != "no" {
			continue
		}
		name, want := comment[2], comment[1] == "want"
		switch all := found[line]; {
		case ByName(name) == nil:
			t.Errorf("%s: there is no lever %s", line, name)
		case all == nil:
			t.Errorf("%s does not allocate", line)
		case slices.Contains(all, name) != want:
			t.Errorf("%s: got %q: %s", line, all[1:], strings.TrimSpace(text))
		}
		if want {
			tested[name] |= 1
		} else {
			tested[name] |= 2
		}
	}
	for _, r := range All {
		if r.find != nil && tested[r.Name] != 3 {
			t.Errorf("%s has no program, or no near miss", r.Name)
		}
	}
}

// countExecuted runs the benchmarks of a folder with counters.
func countExecuted(t *testing.T, folder string) func(string, int, int) (int64, bool) {
	file := filepath.Join(t.TempDir(), "coverage.out")
	out, err := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "20x", "-cover", "-covermode=atomic", "-coverprofile", file,
		"-o", os.DevNull, folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	counts, err := coverage.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return counts.At
}

// repeatsIn runs the benchmarks of a folder that repeat work, with their functions watched.
func repeatsIn(t *testing.T, folder string) (out []Repeat) {
	file := filepath.Join(t.TempDir(), "allocs.out")
	if out, err := exec.Command("go", "test", "-run", "^$", "-bench", "Repeat", "-benchtime", "2000x", "-memprofile", file, "-memprofilerate", "1",
		"-o", os.DevNull, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	profile, err := new(prof.Reader).ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := watched.Benchmarks(t.Context(), []string{folder}, "Repeat", site.Module("lessgc/cmd/lessgc/internal/lever/testdata"), profile, nil, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(all []watched.Line) (out []RepeatLine) {
		for _, l := range all {
			out = append(out, RepeatLine{prof.Frame{Func: l.Func, File: l.File, Line: l.Line}, l.Calls, l.Again, l.Entered})
		}
		return out
	}
	for _, f := range all {
		out = append(out, Repeat{f.Func, f.Calls, f.Inputs, f.Across, lines(f.Places), lines(f.Lines)})
	}
	return out
}

// linesOf are the lines of a folder's files, by name and number.
func linesOf(t *testing.T, folder string) map[string]string {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range strings.Split(string(data), "\n") {
			all[fmt.Sprintf("%s:%d", filepath.Base(file), i+1)] = text
		}
	}
	return all
}

// buildEdited makes the edits of each finding, but for findings that edit what another has edited
// already, and runs the folder's tests.
func buildEdited(t *testing.T, folder string, findings [][]Edit) {
	var edits []Edit
	declared := map[string]bool{}
	for _, finding := range findings {
		if !declaresAgain(finding, declared) && !slices.ContainsFunc(finding, func(e Edit) bool {
			return slices.ContainsFunc(edits, func(o Edit) bool {
				return e != o && e.File == o.File && (e.Pos == o.Pos || e.Pos < o.End && o.Pos < e.End)
			})
		}) {
			edits = append(edits, finding...)
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Or(byPlace(a, b), strings.Compare(a.Text, b.Text)) })
	overlay := map[string]map[string]string{"Replace": {}}
	texts, ends := map[string][]byte{}, map[string]int{}
	for _, e := range slices.Compact(edits) {
		data, err := os.ReadFile(e.File)
		if err != nil {
			t.Fatal(err)
		}
		texts[e.File] = append(append(texts[e.File], data[ends[e.File]:e.Pos]...), e.Text...)
		ends[e.File] = e.End
	}
	for file, text := range texts {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), filepath.Base(file))
		texts[file] = append(text, data[ends[file]:]...)
		if err := os.WriteFile(to, texts[file], 0o666); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][file] = to
	}
	for file, text := range texts {
		tooWide(t, file, string(text))
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	test := exec.Command("go", "test", "-overlay", name, "-gcflags=-m", "-bench", ".", "-benchtime", "1x", folder)
	test.Env = append(os.Environ(), "LESSGC_EDITED=1") // for tests that count allocations
	out, err := test.CombinedOutput()
	if err != nil {
		t.Errorf("with %d edits: %v: %s", len(edits), err, out)
	}
	for _, e := range edits {
		if e.Stack != "" && !strings.Contains(string(texts[e.File]), e.Stack) {
			t.Errorf("%s is not there", e.Stack)
		}
		for i, line := range strings.Split(string(texts[e.File]), "\n") {
			if e.Stack == "" || !strings.Contains(line, e.Stack) {
				continue
			}
			stays := regexp.MustCompile(fmt.Sprintf(`%s:%d:\d+: make\(.*\) does not escape`, regexp.QuoteMeta(filepath.Base(e.File)), i+1))
			if !stays.Match(out) {
				t.Errorf("%s:%d: %s is not on the stack", filepath.Base(e.File), i+1, e.Stack)
			}
		}
	}
}

// tooWide checks that no comment in an edited file is too wide that the file did not have.
func tooWide(t *testing.T, file, text string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		_, comment, _ := strings.Cut(line, "//")
		there[strings.TrimSpace(comment)] = true
	}
	for line := range strings.Lines(text) {
		code, comment, ok := strings.Cut(strings.TrimRight(line, "\n"), "//")
		most := commentColumns
		if strings.TrimSpace(code) != "" {
			most = lineColumns
		}
		if ok && !there[strings.TrimSpace(comment)] && columns(code+"//"+comment) > most {
			t.Errorf("%s: a comment is wider than %d columns: %s", filepath.Base(file), most, strings.TrimSpace(line))
		}
	}
}

// TestReasons checks that what the compiler says of a line vetoes pools and reuse there.
func TestReasons(t *testing.T) {
	const folder = "./testdata/programs"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(filepath.Join(folder, "programs.go"))
	if err != nil {
		t.Fatal(err)
	}
	for lever, returned := range map[*Lever]bool{typedPool: true, callerBuffer: false, inPlace: true} {
		for reason, vetoed := range map[string]bool{
			"return": returned, "assign": true, "assign-pair": true, "send": true, "key of map put": true,
			"call parameter": false, "too large for stack": false,
		} {
			with, without := 0, 0
			for line := range program.fset.File(program.units[file].file.Package).LineCount() {
				s := &site.Site{Frame: prof.Frame{File: file, Line: line + 1}, Bytes: 4096, Objects: 1, Leaves: []site.Leaf{{Bytes: 4096}}}
				fn := program.function(s.Frame)
				if fn == nil {
					continue
				}
				p := &Line{program, fn.unit, s, fn, nil}
				program.Reasons = nil
				if len(lever.find(p).Evidence) == 0 {
					continue
				}
				without++
				program.Reasons = func(name string, _ int) []string {
					if name != file {
						t.Errorf("asked about %s", name)
					}
					return []string{"call parameter", reason}
				}
				if f := lever.find(p); len(f.Evidence) > 0 && (reason != "return" || !strings.Contains(f.Evidence[1].Text, "which has it made")) {
					with++ // else it is returned, indeed, to who leaves it
				}
			}
			if without == 0 || vetoed && with > 0 || !vetoed && with != without {
				t.Errorf("%s: %d of %d findings are left where the compiler says %q", lever.Name, with, without, reason)
			}
		}
	}
}

// TestEscapedNames checks the names of functions in profiles, where the dots of a path's last element are others.
func TestEscapedNames(t *testing.T) {
	pkg := types.NewPackage("gopkg.in/yaml.v3", "yaml")
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "parser", nil), types.NewStruct(nil, nil), nil)
	recv := types.NewVar(token.NoPos, pkg, "p", types.NewPointer(named))
	for want, sig := range map[string]*types.Signature{
		"gopkg.in/yaml%2ev3.(*parser).node": types.NewSignatureType(recv, nil, nil, nil, nil, false),
		"gopkg.in/yaml%2ev3.node":           types.NewSignatureType(nil, nil, nil, nil, nil, false),
	} {
		if got := profiled(types.NewFunc(token.NoPos, pkg, "node", sig)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestEveryLine lets the levers look at every line of some packages, as if it allocated by
// itself and by way of others: whatever stands there, they come to an end.
func TestEveryLine(t *testing.T) {
	patterns := []string{".", "./testdata/programs"}
	if dir := os.Getenv("LESSGC_LINES"); dir != "" { // another module, by hand
		t.Chdir(dir)
		patterns = []string{"./..."}
	} else {
		t.Parallel() // it takes as long as all the others
	}
	program, err := Load(t.Context(), ".", patterns, true)
	if err != nil {
		t.Fatal(err)
	}
	program.Executed = func(_ string, line, _ int) (int64, bool) { return 100 * int64(line%5), line%7 > 0 }
	program.Ops = 1
	caller := prof.Frame{Func: "main.main"}
	ways := [][]prof.Frame{{{Func: "bytes.(*Buffer).grow"}}, {{Func: "fmt.Sprintf"}}, {{Func: "google.golang.org/protobuf/proto.Unmarshal"}}} // in turn: all take minutes
	n, each := 0, 1
	if testing.Short() { // with the race detector, all take minutes
		each = 5
	}
	for file, u := range program.units {
		for line := 0; line < program.fset.File(u.file.Package).LineCount(); line += each {
			for _, path := range [][]prof.Frame{nil, ways[line/each%len(ways)]} {
				s := &site.Site{Frame: prof.Frame{File: file, Line: line + 1}, Bytes: 4096, Objects: 256, Leaves: []site.Leaf{{Path: path, Callers: []prof.Frame{caller}, Bytes: 4096}}}
				fn := program.function(s.Frame)
				if fn == nil {
					continue
				}
				p := &Line{program, fn.unit, s, fn, nil}
				for _, r := range All {
					if r.find == nil {
						continue
					}
					if f := r.find(p); len(f.Evidence) > 0 {
						n++
					}
				}
			}
		}
	}
	t.Logf("%d findings", n)
	if n == 0 {
		t.Error("no lever has found anything")
	}
}
