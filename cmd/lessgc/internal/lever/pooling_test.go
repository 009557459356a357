package lever

import (
	"bytes"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"lessgc/cmd/lessgc/internal/site"
	"lessgc/vet"
)

// TestPooled makes all rewrites of testdata/rewrites/typed-pool in a module of its own. They are as gofmt has them,
// none of the rules of lessgc vet finds fault with the pools, and with the race detector the tests pass, too.
func TestPooled(t *testing.T) {
	dir := pooledModule(t)
	all, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, ".")
	if err != nil || packages.PrintErrors(all) > 0 {
		t.Fatal(err)
	}
	graph, err := checker.Analyze(slices.Concat(vet.Analyzers(), vet.Advice()), all, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Error(action.Err)
		}
		for _, d := range action.Diagnostics {
			t.Errorf("%s: %s: %s", all[0].Fset.Position(d.Pos), action.Analyzer.Name, d.Message)
		}
	}
	args := []string{"test", "."}
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err == nil && strings.TrimSpace(string(out)) == "1" {
		args = []string{"test", "-race", "."}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %.4000s", err, out)
	}
}

// pooledModule is a folder with the files of testdata/rewrites/typed-pool, rewritten wherever that is offered.
func pooledModule(t *testing.T) string {
	const folder = "./testdata/rewrites/typed-pool"
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{"go.mod": []byte("module example.com/pooled\n\ngo 1.26\n")}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)] = data
	}
	for name, data := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	poolAll(t, dir)
	return dir
}

// poolAll makes the complete edits of typed-pool in a module, as often as there are some, as apply does.
func poolAll(t *testing.T, dir string) {
	t.Helper()
	for range 20 {
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		declared := map[string]bool{}
		edits := map[string][]Edit{}
		for _, file := range slices.Sorted(maps.Keys(program.units)) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Count(string(data), "\n") {
				f := everything(program, file, line+1, typedPool)
				if !(Match{typedPool, f}).Complete() || resizes(f.Edits) && len(edits) > 0 || declaresAgain(f.Edits, declared) {
					continue
				}
				for _, e := range f.Edits {
					edits[e.File] = append(edits[e.File], e)
				}
				if resizes(f.Edits) {
					break
				}
			}
			if len(edits) > 0 && resizes(slices.Concat(slices.Collect(maps.Values(edits))...)) {
				break
			}
		}
		changed := false
		for file, all := range edits {
			old, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data := withEdits(all, old)
			if done, err := format.Source(data); err != nil || !bytes.Equal(done, data) {
				t.Errorf("%s is not as gofmt has it: %v: %s", file, err, data)
			}
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			changed = changed || !bytes.Equal(data, old)
		}
		if !changed {
			return
		}
	}
	t.Error("there is always one more to pool")
}

// poolDeclared is the declaration of a pool in an edit.
var poolDeclared = regexp.MustCompile(`(?m)^(?:var|const) (\w+) (?:= )?(?:sync\.Pool|\d)`)

// declaresAgain reports whether edits declare a pool or a limit whose name has been used since the source was loaded.
func declaresAgain(edits []Edit, declared map[string]bool) bool {
	var names []string
	for _, e := range edits {
		for _, m := range poolDeclared.FindAllStringSubmatch(e.Text, -1) {
			names = append(names, m[1])
		}
	}
	if slices.ContainsFunc(names, func(name string) bool { return declared[name] }) {
		return true
	}
	for _, name := range names {
		declared[name] = true
	}
	return false
}

// allEdits makes the complete edits of typed-pool in a file, the last first, but for those that declare a name again.
func allEdits(program *Program, file string, data []byte, declared map[string]bool) []byte {
	var edits []Edit
	for line := range strings.Count(string(data), "\n") {
		if f := everything(program, file, line+1, typedPool); (Match{typedPool, f}).Complete() && !declaresAgain(f.Edits, declared) {
			edits = append(edits, f.Edits...)
		}
	}
	return withEdits(edits, data)
}

// resizes reports whether edits give the functions of a pool another parameter, or raise the limit of all: other changes have to wait until
// it is loaded again.
func resizes(edits []Edit) bool {
	return slices.ContainsFunc(edits, func(e Edit) bool {
		_, err := strconv.Atoi(e.Text)
		return e.End > e.Pos && (strings.Contains(e.Text, "\nfunc get") || err == nil)
	})
}

// withEdits makes some edits of a file, the last first.
func withEdits(edits []Edit, data []byte) []byte {
	slices.SortFunc(edits, func(a, b Edit) int {
		if a.Pos != b.Pos {
			return b.Pos - a.Pos
		}
		return strings.Compare(a.Text, b.Text)
	})
	for _, e := range slices.Compact(edits) {
		data = slices.Concat(data[:e.Pos], []byte(e.Text), data[e.End:])
	}
	return data
}

// lending is a package with a buffer that is lent, one that is not, and methods that are lent memory.
const lending = `package m

import (
	"bytes"
	"fmt"
	"io"
)

func Write(w io.Writer, word string) {
	var buf bytes.Buffer
	buf.WriteString(word)
	w.Write(buf.Bytes())
}

func Text(n int) string {
	room := new(bytes.Buffer)
	fmt.Fprintf(room, "%d", n)
	return room.String()
}

type writer struct{ last []byte }

func (w *writer) Write(p []byte) (int, error) {
	BODY
	return len(p), nil
}

type value struct{ text []byte }

func (v *value) UnmarshalJSON(text []byte) error {
	v.text = TEXT
	return nil
}
`

// TestLentKept checks that a buffer is not pooled where a type of the program breaks the contract of the method
// that the buffer may be given to.
func TestLentKept(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for body, json := range map[string]string{
		"w.last = append(w.last[:0], p...)": "bytes.Clone(text)",
		"w.last = p":                        "nil",
		"w.last = append(p, '.')":           "nil",
		"w.last = bytes.TrimSpace(p)":       "nil",
		"go func() { w.last[0] = p[0] }()":  "nil",
		"w.last = make([]byte, cap(p))":     "nil",
		"if p == nil {\nreturn -1, nil\n}":  "nil",
		"w.last = nil":                      "text",
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "m.go")
		text := strings.NewReplacer("BODY", body, "TEXT", json).Replace(lending)
		for name, data := range map[string]string{file: text, filepath.Join(dir, "go.mod"): "module example.com/m\n\ngo 1.26\n"} {
			if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		line := 1 + strings.Count(text[:strings.Index(text, "var buf")], "\n")
		f := everything(program, file, line, typedPool)
		if got, want := (Match{typedPool, f}).Complete(), strings.HasPrefix(json, "bytes.Clone"); got != want {
			t.Errorf("%s, %s: rewritten is %t", body, json, got)
		}
		line = 1 + strings.Count(text[:strings.Index(text, "room :=")], "\n")
		if f := everything(program, file, line, typedPool); !(Match{typedPool, f}).Complete() {
			t.Errorf("%s, %s: a buffer that is not lent is not rewritten", body, json)
		}
	}
}

// TestSmallShare checks which share of a line's bytes a pool keeps, as it drops what is large.
func TestSmallShare(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []site.Size
		grows bool
		want  float64
	}{
		"no sizes":     {nil, true, 1},
		"small":        {[]site.Size{{Bytes: 1024, Objects: 9}}, false, 1},
		"at the limit": {[]site.Size{{Bytes: mostKept, Objects: 1}}, false, 1},
		"large":        {[]site.Size{{Bytes: 2 * mostKept, Objects: 1}}, false, 0},
		"half":         {[]site.Size{{Bytes: 1024, Objects: 128}, {Bytes: 2 * mostKept, Objects: 1}}, false, 0.5},
		"steps":        {[]site.Size{{Bytes: 32 << 10, Objects: 2}, {Bytes: 64 << 10, Objects: 2}, {Bytes: 128 << 10, Objects: 2}}, true, 0},
		"more of them": {[]site.Size{{Bytes: 32 << 10, Objects: 6}, {Bytes: 64 << 10, Objects: 2}, {Bytes: 128 << 10, Objects: 1}}, true, 0.6},
	} {
		p := &Line{site: &site.Site{Leaves: []site.Leaf{{Sizes: c.sizes}}}}
		if got := p.smallShare(c.grows); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
