package gosyntax

import (
	"bytes"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// goroot returns the folder of the release whose sources are the corpus.
var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// A source is a file of the release.
type source struct {
	name string // with slashes, in the folder of the release
	text []byte
}

// sources returns the Go files below the given folders of the release, in
// lexical order. With tests it returns _test.go files too.
func sources(t testing.TB, tests bool, folders ...string) []source {
	t.Helper()
	root, err := goroot()
	if err != nil {
		t.Fatalf("go env GOROOT: %v; the corpus is the release, so the go command must be in the PATH", err)
	}
	var list []source
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || !tests && strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			name, _ := filepath.Rel(root, path)
			list = append(list, source{filepath.ToSlash(name), text})
			return err
		})
		if err != nil {
			t.Fatalf("%v; the corpus is the release with its sources", err)
		}
	}
	return list
}

// corpus are the folders of TestCorpus: those whose files are not tests, and
// those in which every construct occurs.
var (
	corpus     = []string{"src/go", "src/net", "src/runtime", "src/encoding", "src/crypto", "src/slices", "src/maps", "src/iter"}
	constructs = []string{"src/internal/types/testdata", "src/cmd/compile/internal/syntax/testdata", "src/go/parser/testdata"}
)

// reference returns go/parser's tree of src.
func reference(src []byte) (*token.FileSet, *ast.File, error) {
	set := token.NewFileSet()
	f, err := goparser.ParseFile(set, "", src, mode)
	return set, f, err
}

// check compares the tree that s makes of src with go/parser's, or that both
// reject src.
func check(t *testing.T, s Strategy, name string, src []byte) {
	t.Helper()
	set, want, wantErr := reference(src)
	in := bytes.Clone(src)
	err := s.Do(in, func(got *Tree) {
		clear(in) // the tree must not care
		if wantErr != nil {
			t.Errorf("strategy=%s: %s: accepted; go/parser says %v", s.Name, name, wantErr)
			return
		}
		if d := diff(got.File, want); d != "" {
			t.Errorf("strategy=%s: %s: File%s", s.Name, name, d)
		}
		if d := diffLines(got.FileSet(""), set, positions(want)); d != "" {
			t.Errorf("strategy=%s: %s: %s", s.Name, name, d)
		}
	})
	if err != nil && wantErr == nil {
		t.Errorf("strategy=%s: %s: %v; go/parser accepts it", s.Name, name, err)
	}
}

// positions returns the position of every declaration and comment, and the
// ends of the file.
func positions(f *ast.File) []token.Pos {
	list := []token.Pos{f.FileStart, f.FileEnd}
	for _, d := range f.Decls {
		list = append(list, d.Pos(), d.End())
	}
	for _, g := range f.Comments {
		list = append(list, g.Pos(), g.End())
	}
	return list
}

// TestCorpus compares every tree of a large part of the release with
// go/parser's. Each file goes through heap and one of the other strategies in
// turn: they share the parser.
func TestCorpus(t *testing.T) {
	files := sources(t, false, corpus...)
	if testing.Short() {
		files = files[:200]
	} else if len(files) < 1000 {
		t.Fatalf("%d files, want at least 1000", len(files))
	}
	files = append(files, sources(t, true, constructs...)...)
	for i, f := range files {
		check(t, Strategies[1], f.name, f.text)
		check(t, Strategies[2+i%(len(Strategies)-2)], f.name, f.text)
	}
}
