package lever

import (
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var keep any

// allocated returns the number of bytes that the first element of a map takes.
func allocated[K comparable, V any]() int64 {
	least := int64(1 << 40)
	for range 20 {
		m := make(map[K]V)
		keep = m // on the heap
		var k K
		var v V
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m[k] = v
		runtime.ReadMemStats(&after)
		least = min(least, int64(after.TotalAlloc-before.TotalAlloc))
	}
	return least
}

// TestGroupSize compares the size of a group with what the runtime of this toolchain
// allocates for one, up to the rounding of size classes.
func TestGroupSize(t *testing.T) {
	p := &Line{unit: &unit{pkg: &packages.Package{TypesSizes: types.SizesFor("gc", runtime.GOARCH)}}}
	number, text := types.Typ[types.Uint64], types.Typ[types.String]
	bytes := func(n int64) types.Type { return types.NewArray(types.Typ[types.Byte], n) }
	for _, c := range []struct {
		name      string
		key, elem types.Type
		got       int64
	}{
		{"map[uint64]uint64", number, number, allocated[uint64, uint64]()},
		{"map[string][88]byte", text, bytes(88), allocated[string, [88]byte]()},
		{"map[uint64][128]byte", number, bytes(128), allocated[uint64, [128]byte]()},
		{"map[uint64][1000]byte", number, bytes(1000), allocated[uint64, [1000]byte]() - 1024},
		{"map[uint64]struct{}", number, types.NewStruct(nil, nil), allocated[uint64, struct{}]()},
	} {
		group := p.groupSize(types.NewMap(c.key, c.elem))
		if c.got < group || float64(c.got) > 1.25*float64(group) {
			t.Errorf("%s: a group has %d bytes, and the runtime allocates %d", c.name, group, c.got)
		}
	}
}

// clonesMarked are the comments of functions of testdata/rewrites/presize-map/clones.go: whether a map is made by maps.Clone, only
// with a size, or as before.
var clonesMarked = regexp.MustCompile(`\{ // (clone|(?:size|none): .+)$`)

// TestClonedMap checks that a loop which copies a map becomes maps.Clone where it may, and nowhere else: nowhere in an older module.
func TestClonedMap(t *testing.T) {
	const folder = "./testdata/rewrites/presize-map"
	sources := map[string]string{"go.mod": "module example.com/m\n\ngo 1.20\n"}
	for _, name := range []string{"clones.go", "clones_named.go"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(data)
	}
	older := t.TempDir()
	t.Setenv("GOWORK", "off")
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(older, name), []byte(strings.ReplaceAll(text, "k[:min(v, 1)]", "k[v:]")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{".", older} {
		pattern, isOlder := folder, dir == older
		if isOlder {
			pattern = "."
		}
		program, err := Load(t.Context(), dir, []string{pattern}, false)
		if err != nil {
			t.Fatal(err)
		}
		var edits [][]Edit
		seen := 0
		for file, u := range program.units {
			lines := strings.Split(sources[filepath.Base(file)], "\n")
			for _, d := range u.file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || len(lines) == 1 {
					continue
				}
				mark := clonesMarked.FindStringSubmatch(lines[program.line(fn.Pos())-1])
				if mark == nil {
					continue
				}
				seen++
				got := "none"
				for line := program.line(fn.Pos()); line <= program.line(fn.End()); line++ {
					f := everything(program, file, line, presizeMap)
					if !(Match{presizeMap, f}).Complete() {
						continue
					}
					got = "size"
					for _, e := range f.Edits {
						if strings.Contains(e.Text, ".Clone(") {
							got = "clone"
						}
					}
					edits = append(edits, f.Edits)
				}
				want, _, _ := strings.Cut(mark[1], ":")
				if want == "clone" && isOlder {
					want = "size"
				}
				if got != want {
					t.Errorf("older %t, %s: %s; want %s", isOlder, fn.Name.Name, got, mark[1])
				}
			}
		}
		if seen < 25 {
			t.Errorf("%d functions are marked", seen)
		}
		if !isOlder {
			buildEdited(t, folder, edits)
		}
	}
}

// TestClonedMapReturned checks that no variable stays of a clone that is only returned.
func TestClonedMapReturned(t *testing.T) {
	const head, loop = "package m\n\nfunc clone(m map[string]int) map[string]int {\n\tif m == nil {\n\t\treturn nil\n\t}\n", "\tfor k, v := range m {\n\t\tall[k] = v\n\t}\n"
	for source, want := range map[string]string{
		"\tall := make(map[string]int)\n" + loop + "\n\treturn all\n":               "\t}\n\treturn maps.Clone(m)\n}\n",
		"\tvar all = make(map[string]int)\n" + loop + "\treturn (all)\n":            "\t}\n\treturn maps.Clone(m)\n}\n",
		"\tall := make(map[string]int)\n" + loop + "\tall[\"\"]++\n\treturn all\n":  "\tall := maps.Clone(m)\n\tall[\"\"]++\n\treturn all\n",
		"\tall := make(map[string]int)\n" + loop + "\t// all of it\n\treturn all\n": "\tall := maps.Clone(m)\n\t// all of it\n\treturn all\n",
		"\tall := make(map[string]int)\n" + loop + "\treturn add(all)\n":            "\tall := maps.Clone(m)\n\treturn add(all)\n",
	} {
		text := head + source + "}\n\nfunc add(m map[string]int) map[string]int { m[\"\"]++; return m }\n"
		if got := editedAlone(t, "1.21", text, "func clone(", "all[k] = v", presizeMap); !strings.Contains(got, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, got)
		}
	}
}

// TestClonedMapImport checks that the import of a type goes which only the map had.
func TestClonedMapImport(t *testing.T) {
	const source = "package m\n\nimport (\n\t\"go/build\"\n\t\"go/token\"\n)\n\nfunc clone(p *build.Package) any {\n\tif p.ImportPos == nil {\n\t\treturn nil\n\t}\n\tall := make(map[string][]token.Position)\n\tfor k, v := range p.ImportPos {\n\t\tall[k] = v\n\t}\n\treturn all\n}\n"
	got := editedAlone(t, "1.21", source, "func clone(", "all[k] = v", presizeMap)
	if !strings.Contains(got, "\treturn maps.Clone(p.ImportPos)\n") || strings.Contains(got, "go/token") {
		t.Error(got)
	}
}
