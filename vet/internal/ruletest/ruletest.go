// Package ruletest tests the analyzer of a rule against the module in its testdata folder.
package ruletest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/flow/debug"
)

// least is the smallest number of bad and of good cases of a rule.
const least = 12

// A Finding is one of the JSON output of go vet.
type Finding struct {
	Category string
	Posn     string // file:line:column
	Message  string
	Fixes    []Fix `json:"suggested_fixes"`
}

// A Fix is one of a finding's.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces the bytes of a file from Start to End.
type Edit struct {
	Filename   string
	Start, End int
	New        string
}

var position = regexp.MustCompile(`^(.*):(\d+):\d+$`)

// Position returns the file and the line of f.
func (f *Finding) Position() (file string, line int) {
	m := position.FindStringSubmatch(f.Posn)
	if m == nil {
		return f.Posn, 0
	}
	line, err := strconv.Atoi(m[2])
	if err != nil {
		return f.Posn, 0
	}
	return m[1], line
}

// Run runs a, as a tool of go vet, over testdata: a module whose packages hold the cases,
// in the form of package analysistest. Functions called bad* have a "want" comment, those
// called good* differ from one of them by a detail and have none. A line "summary: ..." in the doc
// comment of a function is what the analysis flow must believe of it. testdata/fixes.txt has the
// fixes that are suggested; -update writes it. A rule whose page has a paragraph that begins
// with "Fix: " suggests at least one, any other none. All fixes are applied to a copy of the
// module, which must then compile, pass its tests and have no findings but those without a fix.
//
// Through go vet, what is known of the standard library is found out once for all rules,
// and comes out of files as it does for users.
func Run(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	count(t, "testdata")
	dir := copied(t)
	all := vet(t, dir)
	found := all[a.Name]
	compare(t, dir, found)
	compareSummaries(t, dir, all[debug.Name])
	compareFixes(t, a, dir, found)
	if left, fixed := applyFixes(t, dir, found); fixed {
		distinct(t, "with all fixes", Vet(t, dir, a.Name), left)
	}
}

// distinct compares how many findings there are with how many there have to be. Those of a
// package and of its test variant are one.
func distinct(t *testing.T, when string, found []Finding, want int) {
	t.Helper()
	if got := unique(found); len(got) != want {
		t.Errorf("%s there are %d findings, want %d: %v", when, len(got), want, got)
	}
}

// unique returns the positions and messages of findings, each once.
func unique(found []Finding) []string {
	var all []string
	for _, f := range found {
		all = append(all, f.Posn+": "+f.Message)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// long matches the files of cases that import package arena, for which the standard library
// has to be compiled once more, or net or net/http, with which its facts take twice as long.
// Only LESSGC_LONG=1, as in .ci/run, has them.
var long = regexp.MustCompile(`^//go:build (!lessgc_short|goexperiment\.arenas)\n`)

func wantLong() bool { return os.Getenv("LESSGC_LONG") != "" }

// Arenas turns on package arena, if the cases that import it are to be run.
func Arenas(t *testing.T) {
	t.Helper()
	if wantLong() {
		t.Setenv("GOEXPERIMENT", "arenas")
	}
}

// copied is a copy of testdata, which fixes may change.
func copied(t *testing.T) string {
	from, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	to, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	addLib(t, from, to)
	if !wantLong() {
		walk(t, to, func(path string, data []byte) {
			if !long.Match(data) {
				return
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		})
	}
	name := filepath.Join(to, "go.mod")
	mod, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mod = regexp.MustCompile(`=> \.\./\S*`).ReplaceAllFunc(mod, func(b []byte) []byte {
		return []byte("=> " + filepath.ToSlash(filepath.Join(from, string(b[len("=> "):]))))
	})
	if err := os.WriteFile(name, mod, 0o666); err != nil {
		t.Fatal(err)
	}
	return to
}

// addLib adds package lib of the rules about pools, which is one for all of them, to the copy at
// to of a module that imports cases/lib and has none.
func addLib(t *testing.T, from, to string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(to, "lib")); err == nil {
		return
	}
	imported := false
	walk(t, to, func(_ string, data []byte) { imported = imported || bytes.Contains(data, []byte(`"cases/lib"`)) })
	if !imported {
		return
	}
	shared := os.DirFS(filepath.Join(from, "..", "..", "internal", "ruletest", "testdata", "lib"))
	if err := os.CopyFS(filepath.Join(to, "lib"), shared); err != nil {
		t.Fatal(err)
	}
}

// Tool returns the file of lessgc-vet, which the go command links once for all tests and
// keeps in its cache. One tool for all rules also means that the facts of the standard
// library are computed once.
func Tool(t testing.TB) string {
	t.Helper()
	name, err := buildTool()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

var buildTool = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "tool", "-n", "lessgc-vet")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
})

// Vet returns the findings of a rule in the module at dir; env is added to the environment of
// go vet.
func Vet(t testing.TB, dir, rule string, env ...string) []Finding {
	t.Helper()
	return vet(t, dir, env...)[rule]
}

// vet returns what all rules report, and what lessgcdebug prints, by their names.
func vet(t testing.TB, dir string, env ...string) map[string][]Finding {
	t.Helper()
	tool := Tool(t)
	unlock, err := lock(tool)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	cmd := exec.Command("go", "vet", "-vettool="+tool, "-json", "-advice", "-dump", "./...")
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), []string{"GOWORK=off", "GOFLAGS=-mod=mod", "LESSGC_VET_PANIC=1"}, env)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("go vet: %v\n%s", err, &stderr)
	}
	if bytes.Contains(stderr.Bytes(), []byte("panic")) {
		t.Errorf("%s", &stderr)
	}
	all := map[string][]Finding{}
	for dec := json.NewDecoder(&stdout); ; {
		var units map[string]map[string]json.RawMessage
		if err := dec.Decode(&units); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("go vet -json: %v\n%s", err, &stderr)
		}
		for unit, rules := range units {
			for name, data := range rules {
				var list []Finding
				if err := json.Unmarshal(data, &list); err != nil {
					t.Errorf("%s of %s: %s", name, unit, data)
				}
				all[name] = append(all[name], list...)
			}
		}
	}
}

var (
	wantComment = regexp.MustCompile(`// ?want (.*)`)
	quoted      = regexp.MustCompile("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"")
)

// compare compares what was found with the comments.
func compare(t *testing.T, dir string, found []Finding) {
	at := map[string][]string{} // messages by file:line
	for _, f := range found {
		file, line := f.Position()
		key := fmt.Sprintf("%s:%d", filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator))), line)
		if !slices.Contains(at[key], f.Message) { // a package and its test variant
			at[key] = append(at[key], f.Message)
		}
	}
	walk(t, dir, func(path string, data []byte) {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			key := fmt.Sprintf("%s:%d", filepath.ToSlash(rel), n)
			for _, message := range unwanted(t, key, line, at[key]) {
				t.Errorf("testdata/%s: unexpected: %s", key, message)
			}
		}
	})
}

// unwanted returns the messages at key that the comment of the line does not want, and reports what it wants
// in vain.
func unwanted(t *testing.T, key, line string, messages []string) []string {
	m := wantComment.FindStringSubmatch(line)
	if m == nil {
		return messages
	}
	for _, q := range quoted.FindAllString(m[1], -1) {
		text, err := strconv.Unquote(q)
		if err != nil {
			t.Fatalf("%s: %s", key, q)
		}
		i := slices.IndexFunc(messages, regexp.MustCompile(text).MatchString)
		if i < 0 {
			t.Errorf("testdata/%s: nothing was reported that matches %s", key, q)
			continue
		}
		messages = slices.Delete(messages, i, i+1)
	}
	return messages
}

// walk hands over the Go files of the cases.
func walk(t *testing.T, dir string, do func(path string, data []byte)) {
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "stubs" {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			do(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// count checks that there are enough cases, and that the comments are where the names
// say.
func count(t *testing.T, dir string) {
	bad, good := 0, 0
	fset := token.NewFileSet()
	walk(t, dir, func(path string, data []byte) {
		f, err := parser.ParseFile(fset, path, data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			wanted := slices.ContainsFunc(f.Comments, func(g *ast.CommentGroup) bool {
				return g.Pos() > fn.Pos() && fset.Position(g.Pos()).Line <= fset.Position(fn.End()).Line && strings.Contains(g.Text(), "want ")
			})
			switch name := strings.ToLower(fn.Name.Name); {
			case strings.HasPrefix(name, "bad"):
				bad++
				if !wanted {
					t.Errorf("%s: %s wants nothing", fset.Position(fn.Pos()), fn.Name.Name)
				}
			case strings.HasPrefix(name, "good"):
				good++
				if wanted {
					t.Errorf("%s: %s wants something", fset.Position(fn.Pos()), fn.Name.Name)
				}
			}
		}
	})
	if bad < least || good < least {
		t.Errorf("%d bad and %d good cases; at least %d of each are wanted", bad, good, least)
	}
}

// applyFixes applies the first fix of every finding to a copy of dir, compiles it and runs its
// tests. It returns how many findings have no fix, and whether any has.
func applyFixes(t *testing.T, dir string, found []Finding) (left int, fixed bool) {
	edits := map[string][]Edit{}
	for _, f := range found {
		if len(f.Fixes) == 0 {
			continue
		}
		for _, e := range f.Fixes[0].Edits {
			if !slices.Contains(edits[e.Filename], e) { // a package and its test variant
				edits[e.Filename] = append(edits[e.Filename], e)
			}
		}
	}
	without := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return len(f.Fixes) > 0 })
	if left = len(unique(without)); len(edits) == 0 {
		return left, false
	}
	for name, list := range edits {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(list, func(x, y Edit) int { return y.Start - x.Start })
		for _, e := range list {
			data = slices.Concat(data[:e.Start], []byte(e.New), data[e.End:])
		}
		if data, err = format.Source(data); err != nil {
			t.Errorf("%s does not parse after its fixes: %v", name, err)
			continue
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"build", "./..."}, {"test", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with all fixes, go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return left, true
}
