package lever

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// arenaProgram makes lists and drops them.
const arenaProgram = `package lists

type link struct {
	next *link
	v    int
}

func Sum(n int) (sum int) {
	var last *link
	for i := range n {
		last = add(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

func add(next *link, v int) *link {
	return &link{next, v} // here
}
`

// TestArenaModule checks what a module or package has to be for objects to be made in an arena.
func TestArenaModule(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	module := path.Dir(arenaPath)
	requires := "module lists\n\ngo 1.25\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
	check := func(name string, want bool, mod, source string, more ...string) {
		t.Run(name, func(t *testing.T) {
			files := []string{"go.mod", mod, "lists.go", source}
			if got := len(arenaEdits(t, append(files, more...)).Edits) > 1; got != want {
				t.Errorf("edits are %t, want %t", got, want)
			}
		})
	}
	change := func(from, to string) string {
		if !strings.Contains(arenaProgram, from) {
			t.Fatalf("there is no %q", from)
		}
		return strings.Replace(arenaProgram, from, to, 1)
	}
	imported := func(path string) string { return change("package lists\n", "package lists\n\nimport _ \""+path+"\"\n") }

	check("required", true, requires, arenaProgram)
	check("not required", false, "module lists\n\ngo 1.25\n", arenaProgram)
	check("in the workspace only", false, "module lists\n\ngo 1.25\n", arenaProgram, "go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+root+"\n)\n")
	check("in the workspace too", true, requires, arenaProgram, "go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+root+"\n)\n")
	check("indirect", false, strings.Replace(requires, "v0.0.0", "v0.0.0 // indirect", 1), arenaProgram)
	check("not found", false, strings.Replace(requires, "=> "+root, "=> ./nowhere", 1), arenaProgram)
	check("no arenas in it", false, strings.Replace(requires, "=> "+root, "=> ./other", 1), arenaProgram, "other/go.mod", "module "+module+"\n\ngo 1.25\n", "other/lessgc.go", "package lessgc\n")
	check("vendored without", false, requires, arenaProgram, "vendor/modules.txt", "# "+module+" v0.0.0 => "+root+"\n## explicit; go 1.25\n# "+module+" => "+root+"\n")
	check("test that does not call", true, requires, arenaProgram, "lists_test.go", "package lists\n\nimport \"testing\"\n\nfunc TestSum(*testing.T) { Sum(3) }\n")
	check("test that calls", false, requires, arenaProgram, "lists_test.go", "package lists\n\nimport \"testing\"\n\nfunc TestAdd(*testing.T) { add(nil, 3) }\n")
	check("test with weak pointers", false, requires, arenaProgram, "lists_test.go", "package lists\n\nimport \"weak\"\n\nvar _ weak.Pointer[link]\n")
	check("unsafe", false, requires, imported("unsafe"))
	check("assembly", false, requires, arenaProgram, "lists_amd64.s", "// nothing\n")
	check("linkname", false, requires, change("package lists\n", "package lists\n\nimport _ \"unsafe\"\n\n//go:linkname add\n"))
	check("linkname of another package", false, requires, arenaProgram, "other/other.go", "package other\n\nimport _ \"unsafe\"\n\n//go:linkname add lists.add\nfunc add(*byte, int) *byte\n", "other/other.s", "")
	check("linkname of another function", true, requires, arenaProgram, "other/other.go", "package other\n\nimport _ \"unsafe\"\n\n//go:linkname add2 lists.add2\nfunc add2(*byte, int) *byte\n", "other/other.s", "")
	check("assembly of another package", false, requires, arenaProgram, "other/other.go", "package other\n\nfunc add()\n", "other/other_plan9.s", "TEXT ·add(SB), 0, $0\n\tJMP lists·add(SB)\n")
	check("a finalizer of anything", false, requires, change("package lists\n", "package lists\n\nimport \"runtime\"\n\nfunc Watch(v any) { runtime.SetFinalizer(v, nil) }\n"))
	check("a finalizer by a value", false, requires, change("package lists\n", "package lists\n\nimport \"runtime\"\n\nvar watch = runtime.SetFinalizer\n"))
	check("a cleanup by a value", false, requires, change("package lists\n", "package lists\n\nimport \"runtime\"\n\nvar watch = runtime.AddCleanup[link, int]\n"))
	check("a finalizer of another type", true, requires, change("package lists\n", "package lists\n\nimport \"runtime\"\n\nfunc Watch(v *[]int) { runtime.SetFinalizer(v, nil) }\n"))
	check("atomic numbers", false, requires, change("package lists\n", "package lists\n\nimport \"sync/atomic\"\n\nfunc Count(n *int64) { atomic.AddInt64(n, 1) }\n"))
	check("atomic numbers of types", true, requires, change("package lists\n", "package lists\n\nimport \"sync/atomic\"\n\nfunc Count(n *atomic.Int64) { n.Add(1) }\n"))
	check("any", false, requires, change("package lists\n", "package lists\n\ntype any = int\n"))
	check("the helper's name", true, requires, change("package lists\n", "package lists\n\ntype inArena int\n"))
	check("a test's name", false, requires, arenaProgram, "lists_test.go", "package lists\n\nfunc arena() {}\n")
	check("a test's arena", true, requires, arenaProgram, "lists_test.go", "package lists_test\n\nimport \"lessgc/arena\"\n\nvar A arena.Arena\n")
	check("a type switch's name", false, requires, change("	return &link", "	switch arena := interface{}(v).(type) {\n	case int:\n		v += arena\n	}\n	return &link"))
	check("an arena already", false, requires, strings.Replace(change("package lists\n", "package lists\n\nimport \"lessgc/arena\"\n"), "	var last", "	defer arena.NewArena().Free()\n	var last", 1))
	check("another package of the name", false, requires, change("package lists\n", "package lists\n\nimport \"lists/arena\"\n\nvar _ arena.T\n"), "arena/arena.go", "package arena\n\ntype T int\n")
	check("a name of the package", false, requires, change("package lists\n", "package lists\n\nvar arena = 1\n"))
	check("a file of another system", true, requires, arenaProgram, "more_plan9.go", "package lists\n\nfunc more() int { return Sum(1) }\n")
	check("a file of another system that calls", false, requires, arenaProgram, "more_plan9.go", "package lists\n\nfunc more() *link { return add(nil, 1) }\n")
}

// arenaEdits writes files, by names and contents in turn, and returns what the lever finds at the line that is marked.
func arenaEdits(t *testing.T, files []string) Finding {
	t.Helper()
	dir := t.TempDir()
	for ; len(files) > 0; files = files[2:] {
		name := filepath.Join(dir, files[0])
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	if work := filepath.Join(dir, "go.work"); exists(work) {
		t.Setenv("GOWORK", work)
	}
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Ops = 1
	name := filepath.Join(dir, "lists.go")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(string(data[:strings.Index(string(data), "// here")]), "\n")
	return everything(program, name, line, arenas)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
