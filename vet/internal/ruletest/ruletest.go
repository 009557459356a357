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
	"testing"

	"golang.org/x/tools/go/analysis"
)

// least is how many bad and how many good cases every rule has.
const least = 12

// A Finding is one of the JSON output of go vet.
type Finding struct {
	Category string
	Posn     string // file:line:column
	Message  string
	Fixes    []struct {
		Edits []struct {
			Filename   string
			Start, End int
			New        string
		}
	} `json:"suggested_fixes"`
}

var place = regexp.MustCompile(`^(.*):(\d+):\d+$`)

// Place returns the file and the line of f.
func (f *Finding) Place() (file string, line int) {
	m := place.FindStringSubmatch(f.Posn)
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
// called good* differ from one of them by a detail and have none. All fixes are applied to
// a copy of the module, which must then compile and pass its tests.
//
// Through go vet, what is known of the standard library is found out once for all rules,
// and comes out of files as it does for users.
func Run(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	dir := copied(t)
	count(t, dir)
	found := Vet(t, dir, a.Name)
	compare(t, dir, found)
	fix(t, dir, found)
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

// ToolVariable names the environment variable that holds the file of a lessgc-vet to be
// used instead of one that each test builds for itself.
const ToolVariable = "LESSGC_VET_TOOL"

// Tool builds lessgc-vet and returns its file, which is there until t ends. It is the same
// each time, so that the go command keeps what it has found out of the standard library.
func Tool(t testing.TB) string {
	t.Helper()
	if name := os.Getenv(ToolVariable); name != "" {
		return name
	}
	name := filepath.Join(t.TempDir(), "lessgc-vet.exe")
	if out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", name, "lessgc/vet/cmd/lessgc-vet").CombinedOutput(); err != nil {
		t.Fatalf("go build lessgc-vet: %v\n%s", err, out)
	}
	return name
}

// Vet returns what a rule reports in the module at dir; env is added to the environment of
// go vet.
func Vet(t testing.TB, dir, rule string, env ...string) []Finding {
	t.Helper()
	cmd := exec.Command("go", "vet", "-vettool="+Tool(t), "-json", "-advice", "./...")
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
	var all []Finding
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
				if name == rule {
					all = append(all, list...)
				}
			}
		}
	}
}

var (
	want   = regexp.MustCompile(`// ?want (.*)`)
	quoted = regexp.MustCompile("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"")
)

// compare compares what was found with the comments.
func compare(t *testing.T, dir string, found []Finding) {
	at := map[string][]string{} // messages by file:line
	for _, f := range found {
		file, line := f.Place()
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
			if m := want.FindStringSubmatch(line); m != nil {
				for _, q := range quoted.FindAllString(m[1], -1) {
					text, err := strconv.Unquote(q)
					if err != nil {
						t.Fatalf("%s: %s", key, q)
					}
					i := slices.IndexFunc(at[key], regexp.MustCompile(text).MatchString)
					if i < 0 {
						t.Errorf("testdata/%s: nothing was reported that matches %s", key, q)
						continue
					}
					at[key] = slices.Delete(at[key], i, i+1)
				}
			}
			for _, message := range at[key] {
				t.Errorf("testdata/%s: unexpected: %s", key, message)
			}
		}
	})
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

// fix applies the first fix of every finding to a copy of dir, compiles it and runs its
// tests.
func fix(t *testing.T, dir string, found []Finding) {
	type edit struct {
		start, end int
		text       []byte
	}
	edits := map[string][]edit{}
	for _, f := range found {
		if len(f.Fixes) == 0 {
			continue
		}
		for _, e := range f.Fixes[0].Edits {
			x := edit{e.Start, e.End, []byte(e.New)}
			same := func(y edit) bool { return x.start == y.start && x.end == y.end && bytes.Equal(x.text, y.text) }
			if !slices.ContainsFunc(edits[e.Filename], same) { // a package and its test variant
				edits[e.Filename] = append(edits[e.Filename], x)
			}
		}
	}
	if len(edits) == 0 {
		return
	}
	for name, list := range edits {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(list, func(x, y edit) int { return y.start - x.start })
		for _, e := range list {
			data = slices.Concat(data[:e.start], e.text, data[e.end:])
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
}
