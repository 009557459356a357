package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
)

// TestCode checks that the sum of the code is the same wherever it lies and in whatever mode it is built, and another for
// other code: also in a file that is not compiled here, in a package that is used, in testdata and in go.mod.
func TestCode(t *testing.T) {
	files := map[string]string{
		"go.mod":                 "module example.com/m\n\ngo 1.26\n",
		"a.go":                   "package m\n\nimport _ \"example.com/m/used\"\n",
		"a_test.go":              "package m\n",
		"a_plan9.go":             "package m\n",
		"a_amd64.s":              "// nothing\n",
		"testdata/deep/in.txt":   "1",
		"used/used.go":           "package used\n",
		"unused/unused.go":       "package unused\n",
		"README.md":              "words",
		".hidden.go":             "package hidden\n",
		"used/testdata/more.txt": "2",
	}
	sum := func(dir string, m mode.Mode) string {
		t.Helper()
		h := sha256.New()
		v := &variant{mode: m, dir: dir, bins: []*binary{{pkg: build.Package{ImportPath: "example.com/m"}}}}
		if err := hashCode(t.Context(), h, v); err != nil {
			t.Fatal(err)
		}
		return hex.EncodeToString(h.Sum(nil))
	}
	write := func(dir, name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	var dirs []string
	for range 2 {
		dir := t.TempDir()
		for name, text := range files {
			write(dir, name, text)
		}
		dirs = append(dirs, dir)
	}
	want := sum(dirs[0], mode.Default())
	if got := sum(dirs[1], mode.Mode{Name: "v3", GOAMD64: "v3"}); got != want {
		t.Error("the same code elsewhere and in another mode has another sum")
	}
	for _, name := range []string{"unused/unused.go", "README.md", ".hidden.go"} {
		write(dirs[1], name, files[name]+"// other\n")
		if sum(dirs[1], mode.Default()) != want {
			t.Errorf("%s is in the sum", name)
		}
	}
	for _, name := range []string{"go.mod", "a.go", "a_test.go", "a_plan9.go", "a_amd64.s", "testdata/deep/in.txt", "used/used.go", "used/testdata/more.txt"} {
		write(dirs[1], name, files[name]+"// other\n")
		if sum(dirs[1], mode.Default()) == want {
			t.Errorf("%s is not in the sum", name)
		}
		write(dirs[1], name, files[name])
	}
	if sum(dirs[1], mode.Default()) != want {
		t.Error("the sum does not come back with the files")
	}
}

// TestSalted checks that no two shards have a random order in common, and that one without a number keeps that of
// before.
func TestSalted(t *testing.T) {
	seen := map[uint64]bool{}
	for index := 1; index <= 3; index++ {
		for round := range 5 {
			r := shardRun(index)
			if n := r.salted(round); seen[n] {
				t.Errorf("shard %d, round %d: %d was there before", index, round, n)
			} else {
				seen[n] = true
			}
		}
	}
	if n := shardRun(0).salted(7); n != 7 {
		t.Errorf("without a shard round 7 has %d", n)
	}
}

func shardRun(index int) *Run {
	r := &Run{Dir: &session.Dir{Session: new(session.Session)}}
	if index > 0 {
		r.Dir.Session.Config.Shard = &session.Shard{Index: index, Of: 3}
	}
	return r
}
