package lever

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

const wide = `package m

import (
	"net/url"
	"strconv"
)

func Count(names []string) int {
	seen := make(map[string]int) // home
	for _, name := range names {
		add(seen, name)
		addBytes(seen, []byte(name))
	}
	deeper(seen)
	return len(seen)
}

func deeper(seen map[string]int) {
	other := Keep("x")
	add(seen, "y")
	_ = other
}

func Keep(name string) map[string]int {
	kept := make(map[string]int) // kept
	add(kept, name)
	return kept
}

func add(m map[string]int, name string) {
	m[name] = len(name) // set
}

func addBytes(m map[string]int, name []byte) {
	m[string(name)] = len(name) // set beside
}

func Parse(raw, key string) bool {
	text := []byte(raw) // copied
	name, err := url.QueryUnescape(string(text)) // copied again
	return err == nil && name == key
}

func Print(numbers []int) int {
	text := make([]byte, 0, 300) // room
	for _, n := range numbers {
		text = strconv.AppendInt(text, int64(n), 10) // number
		text = append(text, ' ') // appended
	}
	sum := 0
	for _, c := range text {
		sum += int(c)
	}
	return sum
}
`

// TestAlso checks what changes save at other lines than those that they are found at, by the stacks there.
func TestAlso(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	file := filepath.Join(dir, "m.go")
	for name, data := range map[string]string{file: wide, filepath.Join(dir, "go.mod"): "module example.com/m\n\ngo 1.26\n"} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) prof.Frame {
		line := 1 + strings.Count(wide[:strings.Index(wide, text)], "\n")
		return prof.Frame{File: file, Line: line}
	}
	of := func(line string, stacks ...site.Stack) *site.Site {
		s := &site.Site{Frame: at(line), Samples: 100}
		s.Func = "example.com/m." + program.function(s.Frame).node.(*ast.FuncDecl).Name.Name
		var leaf site.Leaf
		for _, stack := range stacks {
			leaf.Bytes, leaf.Objects = leaf.Bytes+stack.Bytes, leaf.Objects+stack.Objects
			leaf.Sizes = site.AddSize(leaf.Sizes, site.Size{Bytes: stack.Bytes / stack.Objects, Objects: stack.Objects})
		}
		leaf.Stacks = stacks
		s.Bytes, s.Objects, s.Leaves = leaf.Bytes, leaf.Objects, []site.Leaf{leaf}
		return s
	}
	by := func(bytes, objects int64, calls ...string) site.Stack {
		stack := site.Stack{Bytes: bytes, Objects: objects}
		for _, call := range calls {
			stack.Callers = append(stack.Callers, at(call))
		}
		return stack
	}
	const group = 8 + 8*(16+8)
	for _, c := range []struct {
		name   string
		change *Lever
		line   *site.Site
		other  *site.Site
		want   Range
	}{
		{"a map that grows in another function", typedPool, of("// home", by(480, 10)),
			of("// set", by(3*group, 3, "add(seen, name)"), by(group, 1, "add(kept, name)")), Range{0.75, 0.75}},
		{"on the way another map is made, which may be what grows", typedPool, of("// home", by(480, 10)),
			of("// set", by(3*group, 3, "add(seen, name)"), by(group, 1, "add(kept, name)", `Keep("x")`, "deeper(seen)")), Range{0.75, 1}},
		{"below another function only", typedPool, of("// home", by(480, 10)), of("// set", by(group, 1, "add(kept, name)")), Range{}},
		{"beside texts, by size", typedPool, of("// home", by(480, 10)),
			of("// set beside", by(3*group, 3, "addBytes(seen"), by(group, 20, "addBytes(seen")), Range{0.75, 0.75}},
		{"large ones, as were measured", typedPool, of("// home", by(480, 10)),
			of("// set", by(128*group, 1, "add(seen, name)")), Range{1, 1}},
		{"larger ones are dropped", typedPool, of("// home", by(480, 10)),
			of("// set", by(256*group, 1, "add(seen, name)")), Range{0, 1}},
		{"texts that are not copied", keepText, of("// copied", by(640, 10)), of("// copied again", by(640, 10)), Range{1, 1}},
		{"a slice that its function appends to", typedPool, of("// room", by(3200, 10)), of("// appended", by(6400, 10)), Range{1, 1}},
	} {
		program.Sites = []*site.Site{c.line, c.other}
		fn := program.function(c.line.Frame)
		f := c.change.find(&Line{program, fn.unit, c.line, fn, nil})
		var got Range
		for _, a := range f.Also {
			if a.Line.File == c.other.File && a.Line.Line == c.other.Line {
				got = a.Share(c.other)
			}
			if a.Line.Line == c.line.Line {
				t.Errorf("%s: the line itself is another", c.name)
			}
		}
		if len(f.Evidence) == 0 || got != c.want {
			t.Errorf("%s: %v of the line's bytes, want %v: %+v", c.name, got, c.want, f.Evidence)
		}
		limits := map[string]string{"a map that grows in another function": "= 32\n", "large ones, as were measured": "= 1024\n", "larger ones are dropped": "= 1024\n"}
		if limit := limits[c.name]; limit != "" && !slices.ContainsFunc(f.Edits, func(e Edit) bool { return strings.Contains(e.Text, "maxPooledEntries "+limit) }) {
			t.Errorf("%s: the pool has not the limit %s: %+v", c.name, limit, f.Edits)
		}
		said := false
		for _, e := range f.Evidence {
			said = said || e.Line == c.other.Line
		}
		if said != (c.want.Hi > 0) {
			t.Errorf("%s: the evidence is %+v", c.name, f.Evidence)
		}
	}
}
