package lever

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pooledOnce is a package of which apply has changed the first function, and the second one has a map of the same type.
const pooledOnce = `package m

import "sync"

// maxPooledEntries is the size of the largest map that pools keep: none
// shrinks, and clear goes over all of it.
const maxPooledEntries = 256

// seenNodesPool keeps maps for getSeenNodes.
var seenNodesPool = sync.Pool{New: func() any { return make(map[*node]bool) }}

// getSeenNodes returns an empty map, which putSeenNodes takes back.
func getSeenNodes() map[*node]bool { return seenNodesPool.Get().(map[*node]bool) }

// putSeenNodes puts back m, which getSeenNodes returned. m must not be used
// afterwards.
func putSeenNodes(m map[*node]bool) {
	if len(m) > maxPooledEntries {
		return
	}
	clear(m)
	seenNodesPool.Put(m)
}

// Nodes counts different nodes.
func Nodes(all []*node) int {
	seen := getSeenNodes()
	defer putSeenNodes(seen)
	for _, n := range all {
		seen[n] = true
	}
	return len(seen)
}
`

const pooledNext = `package m

type node struct{ next *node }

// Next counts nodes that come after others.
func Next(all []*node) int {
	set := make(map[*node]bool)
	for _, n := range all {
		set[n.next] = true
	}
	return len(set)
}
`

// TestPoolShared checks that a pool that an earlier change has made is used again, as long as it is the same word for word, and that
// its functions are there and are meant.
func TestPoolShared(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for _, c := range []struct {
		why         string
		first, next func(string) string // change a file
		file        string              // of the first
		shared      bool
	}{
		{why: "the same", shared: true},
		{why: "by an earlier version, which did not wrap", first: replacing(" none\n// shrinks", " none shrinks", "used\n// afterwards", "used afterwards"), shared: true},
		{why: "a larger limit", first: replacing("256", "512"), shared: true},
		{why: "a smaller limit", first: replacing("256", "16"), shared: true},
		{why: "a person has set the limit", first: replacing("256", "5000"), shared: true},
		{why: "a limit that is not a number", first: replacing("256", "1 << 8")},
		{why: "a person has written what the limit is for", first: replacing("is the size", "bounds the size")},
		{why: "another type", first: replacing("map[*node]bool", "map[*node]int8", "= true", "= 1")},
		{why: "another new one", first: replacing("return make(map[*node]bool)", "return make(map[*node]bool, 8)")},
		{why: "not cleared", first: replacing("\tclear(m)\n", "")},
		{why: "another function between", first: replacing("// putSeenNodes puts", "func other() {}\n\n// putSeenNodes puts")},
		{why: "a person has written the comment", first: replacing("keeps maps", "has maps")},
		{why: "something else takes it", first: replacing("return len(seen)", "seenNodesPool.Put(make(map[*node]bool))\n\treturn len(seen)")},
		{why: "another package sync", first: replacing("import \"sync\"", "var sync syncs\n\ntype syncs struct{}\n\ntype Pool struct{ New func() any }\n\nfunc (*Pool) Get() any { return nil }\nfunc (*Pool) Put(any) {}", "= sync.Pool{", "= Pool{")},
		{why: "the name means something else", next: replacing("	for _, n := range all {", "	getSeenNodes := len(all)\n	for _, n := range all[:getSeenNodes] {")},
		{why: "a type of that name in the function", next: replacing("	set :=", "	type node = int\n	set :=", "for _, n := range", "for range", "set[n.next]", "set[new(node)]")},
		{why: "some systems only", file: "first_linux.go"},
		{why: "some builds only", first: func(s string) string { return "//go:build go1.21\n\n" + s }},
	} {
		dir := t.TempDir()
		if c.file == "" {
			c.file = "first.go"
		}
		texts := map[string]string{c.file: pooledOnce, "next.go": pooledNext, "go.mod": "module example.com/m\n\ngo 1.26\n"}
		if c.first != nil {
			texts[c.file] = c.first(pooledOnce)
		}
		if c.next != nil {
			texts["next.go"] = c.next(pooledNext)
		}
		for name, text := range texts {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		file, text := filepath.Join(dir, "next.go"), texts["next.go"]
		got := string(allEdits(program, file, []byte(text), map[string]bool{}))
		if shared := strings.Contains(got, "\tset := getSeenNodes()\n\tdefer putSeenNodes(set)\n"); shared != c.shared {
			t.Errorf("%s: shared is %t: %s", c.why, shared, got)
		}
		if c.shared && strings.Contains(got, "sync") {
			t.Errorf("%s: %s", c.why, got)
		}
		// Without the limit, there is none.
		if want := !slices.Contains([]string{"a type of that name in the function", "another package sync", "a limit that is not a number", "a person has written what the limit is for", "some systems only", "some builds only"}, c.why); !c.shared && want != strings.Contains(got, "var nodeSetPool = sync.Pool") {
			t.Errorf("%s: it has a pool of its own: %s", c.why, got)
		}
		if c.shared {
			poolAll(t, dir)
		}
	}
}

// replacing is a function that replaces texts.
func replacing(oldnew ...string) func(string) string { return strings.NewReplacer(oldnew...).Replace }

// pooledSized is a package of two functions with maps of one type, of which one is made with room.
const pooledSized = `package m

import "sync"

type node struct{ next *node }

// Nodes counts different nodes.
func Nodes(all []*node) int {
	set := make(map[*node]bool) // first
	for _, n := range all {
		set[n] = true
	}
	return len(set)
}

// Next counts nodes that come after others.
func Next(all []*node) int {
	m := make(map[*node]bool, len(all)) // second
	for _, n := range all {
		m[n.next] = true
	}
	return len(m)
}

var _ sync.Mutex
`

// pooledSizedTest checks that no map that was large is put back.
const pooledSizedTest = `package m

import "testing"

func Test(t *testing.T) {
	all := make([]*node, 5000)
	for i := range all {
		all[i] = &node{all[0]}
	}
	for range 3 {
		if Nodes(all) != 5000 || Next(all) != 2 || Next(all[:2]) != 2 {
			t.Error("another result")
		}
	}
	for _, n := range []int{0, 1, 8, 9, 20} {
		if got := testing.AllocsPerRun(100, func() { Next(all[:n]) }); got > 0.5 {
			t.Errorf("one for %d allocates %g", n, got)
		}
	}
	if n := testing.AllocsPerRun(10, func() { Next(all) }); n < 1 {
		t.Errorf("a large one was put back: %g", n)
	}
}
`

// TestPoolSized checks what a pool reads like whose maps are made with room, and that functions with room and without share one, in any
// order.
func TestPoolSized(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for _, c := range []struct {
		order []string
		other string // another file
		want  []string
	}{
		{order: []string{"second", "first"}, want: []string{`// maxPooledEntries is the size of the largest map that pools keep: none
// shrinks, and clear goes over all of it.
const maxPooledEntries = 32

// maxStackEntries is the size up to which a map that does not leave its
// function is on the stack. A pooled map leaves it, and so needs a variable of
// its own.
const maxStackEntries = 8

// nodeSetPool keeps maps for getNodeSet.
var nodeSetPool sync.Pool

// getNodeSet returns an empty map for n entries, which putNodeSet takes back.
func getNodeSet(n int) map[*node]bool {
	if n <= maxPooledEntries {
		if m, ok := nodeSetPool.Get().(map[*node]bool); ok {
			return m
		}
	}
	return make(map[*node]bool, n)
}

// putNodeSet puts back m, which getNodeSet returned for n entries. m must not
// be used afterwards.
func putNodeSet(m map[*node]bool, n int) {
	if n > maxPooledEntries || len(m) > maxPooledEntries {
		return
	}
	clear(m)
	nodeSetPool.Put(m)
}

// Next`, "\tset := getNodeSet(0) // first\n\tdefer putNodeSet(set, 0)\n", "\tm := make(map[*node]bool) // second\n\t// A small map is on the stack; only a large one is pooled.\n\tif len(all) > maxStackEntries {\n\t\tpooled := getNodeSet(len(all))\n\t\tdefer putNodeSet(pooled, len(all))\n\t\tm = pooled\n\t}\n"}},
		{order: []string{"first", "second"}, want: []string{`
const maxPooledEntries = 32

// maxStackEntries is the size up to which a map that does not leave its
// function is on the stack. A pooled map leaves it, and so needs a variable of
// its own.
const maxStackEntries = 8

// nodeSetPool keeps maps for getNodeSet.
var nodeSetPool sync.Pool
`, `
// getNodeSet returns an empty map for n entries, which putNodeSet takes back.
func getNodeSet(n int) map[*node]bool {`, "func putNodeSet(m map[*node]bool, n int) {\n\tif n > maxPooledEntries || ",
			"\tset := getNodeSet(0) // first\n\tdefer putNodeSet(set, 0)\n", "\tm := make(map[*node]bool) // second\n\t// A small map is on the stack; only a large one is pooled.\n\tif len(all) > maxStackEntries {\n\t\tpooled := getNodeSet(len(all))\n\t\tdefer putNodeSet(pooled, len(all))\n\t\tm = pooled\n\t}\n"}},
		{order: []string{"first", "second"}, other: "package m\n\nfunc other() { putNodeSet(getNodeSet()) }\n",
			want: []string{"func getNextNodeSet(n int) map[*node]bool {", "func getNodeSet() map[*node]bool { return", "\tset := getNodeSet() // first", "\t\tpooled := getNextNodeSet(len(all))"}},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "m.go")
		texts := map[string]string{"m.go": pooledSized, "m_test.go": pooledSizedTest, "go.mod": "module example.com/m\n\ngo 1.26\n"}
		for name, text := range texts {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		for _, at := range c.order {
			program, err := Load(t.Context(), dir, []string{"."}, false)
			if err != nil {
				t.Fatal(err)
			}
			begins := map[string]string{"first": "func Nodes(", "second": "func Next("}[at]
			got = edited(t, program, file, begins, "// "+at, typedPool)
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			if c.other != "" {
				if err := os.WriteFile(filepath.Join(dir, "other_plan9.go"), []byte(c.other), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: there is no\n%s\nin\n%s", c.order, want, got)
			}
		}
		cmd := exec.Command("go", "test", "-gcflags=-m", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", c.order, err, out)
		}
		if !strings.Contains(string(out), "make(map[*node]bool) does not escape") {
			t.Errorf("%s: a small map is not on the stack: %s", c.order, out)
		}
	}
}

// TestStackLimit checks that a pool which needs the constant for maps on the stack is not made where its name is another's.
func TestStackLimit(t *testing.T) {
	t.Setenv("GOWORK", "off")
	declared := stackText("8")
	for more, want := range map[string]string{
		declared:                               "\tif len(all) > maxStackEntries {",
		strings.Replace(declared, "8", "9", 1): "",
		strings.Replace(declared, "const", "var", 1):                          "",
		strings.Replace(declared, "is on", "may be on", 1):                    "",
		"const maxStackEntries = 8":                                           "",
		declared + "\n\n" + strings.Replace(entriesText("9"), "9", "size", 1): "",
		declared + "\n\n" + entriesText("9"):                                  "const maxPooledEntries = 32",
		entriesText("9") + " // as measured":                                  stackText("8"),
		entriesText("9") + "; var _ = 1":                                      "",
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"m.go": pooledSized + more + "\n\nconst size = 9\n", "go.mod": "module example.com/m\n\ngo 1.26\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		got := edited(t, program, filepath.Join(dir, "m.go"), "func Next(", "// second", typedPool)
		if changed := strings.Contains(got, "getNodeSet"); changed != (want != "") || !strings.Contains(got, want) {
			t.Errorf("with %s there is no %q in %s", more, want, got)
		}
		if n := strings.Count(got, "const maxStackEntries"); want != "" && n != 1 {
			t.Errorf("with %s it is declared %d times: %s", more, n, got)
		}
	}
}

// TestPoolNames checks the names of the functions of pools.
func TestPoolNames(t *testing.T) {
	t.Setenv("GOWORK", "off")
	const head = "package m\n\nimport \"bytes\"\n\ntype node struct{ text string }\ntype state struct{ cells [99]int }\ntype index map[string]int\n\nvar _ bytes.Buffer\n\n"
	for _, c := range []struct{ decl, fn, more, use, want string }{
		{decl: "set := make(map[*node]bool)", want: "NodeSet"},
		{decl: "m := map[string]struct{}{}", want: "StringSet"},
		{decl: "seen := make(map[*node]bool)", want: "SeenNodes"},
		{decl: "visited := make(map[[2]int]bool)", want: "VisitedSet"},
		{decl: "m := make(map[string]*node)", want: "NodeMap"},
		{decl: "m := make(map[node]int)", want: "NodeMap"},
		{decl: "m := make(map[string]int)", fn: "Words", want: "WordsMap"},
		{decl: "data := make(map[string]int)", fn: "getWords", want: "WordsMap"},
		{decl: "tmp := make(index)", use: "tmp[\"a\"] = n\n\treturn len(tmp)", want: "Index"},
		{decl: "compression := make(map[string]int)", want: "CompressionMap"},
		{decl: "compression := make(map[string]struct{})", want: "CompressionSet"},
		{decl: "counts := make(map[string]int)", want: "Counts"},
		{decl: "compression := make(map[string]int)", fn: "Pack", more: "func getCompressionMap() {}", want: "PackCompressionMap"},
		{decl: "var out bytes.Buffer", want: "Buffer"},
		{decl: "buf := new(bytes.Buffer)", fn: "Write", more: "var bufferPool int", want: "WriteBuffer"},
		{decl: "s := new(state)", want: "State"},
		{decl: "m := make(map[string]int)", fn: "Words", more: "var wordsMapPool int", want: ""},
	} {
		if c.fn == "" {
			c.fn = "F"
		}
		name := strings.Fields(strings.TrimPrefix(c.decl, "var "))[0]
		use := map[string]string{"Buffer": name + ".WriteByte('x')\n\tfor range n {\n\t\t" + name + ".WriteString(\"text\")\n\t}\n\treturn " + name + ".Len()", "State": name + ".cells[n] = 1\n\treturn len(text(" + name + "))"}[strings.TrimPrefix(c.want, "Write")]
		if c.use != "" {
			use = c.use
		}
		if use == "" {
			use = "clearly(" + name + ")\n\treturn len(" + name + ")"
		}
		source := head + c.more + "\n\nfunc " + c.fn + "(n int) int {\n\t" + c.decl + " // pooled\n\t" + use + "\n}\n\nfunc text(s *state) string { return string(rune(s.cells[1])) }\n\nfunc clearly(any) {}\n"
		dir := t.TempDir()
		for name, text := range map[string]string{"m.go": source, "go.mod": "module example.com/m\n\ngo 1.26\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		got := edited(t, program, filepath.Join(dir, "m.go"), "func "+c.fn+"(", "// pooled", typedPool)
		if is := strings.Contains(got, ":= get"+c.want+"() // pooled"); is != (c.want != "") {
			t.Errorf("%s in %s: there is no get%s in\n%s", c.decl, c.fn, c.want, got)
		}
	}
}

// pooledApart is a package whose functions have maps of two types, with another function between them.
const pooledApart = `package m

// Names counts different names.
func Names(all []string) int {
	names := make(map[string]bool) // first
	for _, name := range all {
		names[name] = true
	}
	return len(names)
}

func between() {}

// Sizes counts different sizes.
func Sizes(all []int) int {
	sizes := make(map[int]bool) // second
	for _, n := range all {
		sizes[n] = true
	}
	return len(sizes)
}

// Runes counts different characters.
func Runes(text string) int {
	runes := make(map[rune]bool) // third
	for _, r := range text {
		runes[r] = true
	}
	return len(runes)
}
`

// TestPoolsTogether checks that the pools of a file stand together, in the order of the changes, before the functions that use them.
func TestPoolsTogether(t *testing.T) {
	t.Setenv("GOWORK", "off")
	begins := map[string]string{"first": "func Names(", "second": "func Sizes(", "third": "func Runes("}
	for _, c := range []struct {
		why   string
		order []string
		first func(string) string // changes the file after the first of them
		want  string              // declarations in their order
	}{
		{"in order", []string{"first", "second", "third"}, nil, "maxPooledEntries namesPool getNames putNames sizesPool getSizes putSizes runesPool getRunes putRunes Names between Sizes Runes"},
		{"the last one first", []string{"third", "first"}, nil, "namesPool getNames putNames Names between Sizes maxPooledEntries runesPool getRunes putRunes Runes"},
		{"a comment behind", []string{"first", "second"}, replacing("(m)\n}\n", "(m)\n} // done\n"), "maxPooledEntries namesPool getNames putNames sizesPool getSizes putSizes Names between Sizes Runes"},
		{"no line between", []string{"first", "second"}, replacing("(m)\n}\n\n", "(m)\n}\n"), "maxPooledEntries namesPool getNames putNames sizesPool getSizes putSizes Names between Sizes Runes"},
		{"a person has written the comment", []string{"first", "second"}, replacing("keeps maps", "has maps"), "maxPooledEntries namesPool getNames putNames Names between sizesPool getSizes putSizes Sizes Runes"},
		{"another function between", []string{"first", "second"}, replacing("// putNames puts", "func other() {}\n\n// putNames puts"), "maxPooledEntries namesPool getNames other putNames Names between sizesPool getSizes putSizes Sizes Runes"},
		{"another type than a pool", []string{"first", "second"}, replacing("namesPool = sync.Pool{", "namesPool = pools{", "func between", "type pools struct{ New func() any }\n\nfunc (pools) Get() any { return map[string]bool{} }\n\nfunc (pools) Put(any) {}\n\nvar _ sync.Pool\n\nfunc between"),
			"maxPooledEntries namesPool getNames putNames Names pools Get Put _ between sizesPool getSizes putSizes Sizes Runes"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "m.go")
		for name, text := range map[string]string{"m.go": pooledApart, "go.mod": "module example.com/m\n\ngo 1.26\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		for i, at := range c.order {
			program, err := Load(t.Context(), dir, []string{"."}, false)
			if err != nil {
				t.Fatalf("%s: %v", c.why, err)
			}
			got = edited(t, program, file, begins[at], "// "+at, typedPool)
			if i == 0 && c.first != nil {
				got = c.first(got)
			}
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for _, m := range regexp.MustCompile(`(?m)^(?:func(?: \(\w+\))?|var|const|type) (\w+)`).FindAllStringSubmatch(got, -1) {
			names = append(names, m[1])
		}
		if is := strings.Join(names, " "); is != c.want {
			t.Errorf("%s: the order is\n%s, want\n%s: %s", c.why, is, c.want, got)
		}
		if !strings.Contains(got, "}\n\n// sizesPool keeps maps for getSizes.\nvar") && slices.Contains(c.order, "second") && c.why != "a comment behind" {
			t.Errorf("%s: it is on no lines of its own: %s", c.why, got)
		}
	}
}
