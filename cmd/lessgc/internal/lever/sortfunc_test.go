package lever

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// sortTypeText is a file with a type that is there to be sorted.
const sortTypeText = `package m

import (
	"fmt"
	"sort"
	"time"
)

type sortTimes []stamp

func (s sortTimes) Less(i, j int) bool {
	return s[i].at < s[j].at
}

func (s sortTimes) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
}

// Len is the number of stamps.
func (s sortTimes) Len() int {
	return len(s)
}

type stamp struct{ at time.Duration }

func sorted(all []stamp) []stamp {
	sort.Sort(sortTimes(all))
	return all
}

func printed(all []stamp) {
	sort.Stable(sortTimes(all))
	fmt.Println(all)
}
`

// TestSortTypeText checks what a file reads like when all that sorts a type is changed, and where it stays.
func TestSortTypeText(t *testing.T) {
	const want = `package m

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

type stamp struct{ at time.Duration }

func sorted(all []stamp) []stamp {
	slices.SortFunc(all, func(a, b stamp) int { return cmp.Compare(a.at, b.at) })
	return all
}

func printed(all []stamp) {
	slices.SortStableFunc(all, func(a, b stamp) int { return cmp.Compare(a.at, b.at) })
	fmt.Println(all)
}
`
	for _, at := range []string{"sort.Sort(", "sort.Stable("} {
		got := editedAlone(t, "1.21", sortTypeText, "type stamp", at, sortFunc)
		if got = strings.ReplaceAll(got, "\n\n\n", "\n\n"); strings.ReplaceAll(got, "\"slices\"\n\n\t", "\"slices\"\n\t") != want {
			t.Errorf("at %s:\n%s", at, got)
		}
	}
	for what, c := range map[string]struct{ version, source string }{
		"a variable has the function":  {"1.21", strings.Replace(sortTypeText, "func sorted(all []stamp) []stamp {", "var sorted = func(all []stamp) []stamp {", 1)},
		"the function has a directive": {"1.21", strings.Replace(sortTypeText, "func sorted(", "//go:noinline\nfunc sorted(", 1)},
		"the version of Go is older":   {"1.20", sortTypeText},
		"another type is on its line":  {"1.21", strings.Replace(sortTypeText, "[]stamp\n\n", "[]stamp; type other int\n\n", 1)},
		"a method is on another's":     {"1.21", strings.Replace(sortTypeText, "[i]\n}\n\n", "[i]\n}; func f() {}\n\n", 1)},
		"a file has only lines behind": {"1.21", strings.Replace(sortTypeText, "[i]\n}\n", "[i]\n} // of two\n", 1)},
	} {
		if c.source == sortTypeText && c.version != "1.20" {
			t.Errorf("%s: nothing is different", what)
		}
		if got := editedAlone(t, c.version, c.source, "type stamp", "sort.Sort(", sortFunc); strings.Contains(got, "slices.") {
			t.Errorf("%s, and it is rewritten:\n%s", what, got)
		}
	}
}

// TestSortTypeProfiled checks that a call that the profile has changes by itself if the type stays, and with the others if it goes.
func TestSortTypeProfiled(t *testing.T) {
	for _, stays := range []bool{false, true} {
		t.Setenv("GOWORK", "off")
		dir := t.TempDir()
		source := strings.Replace(sortTypeText, "sort.Stable", "sort.Sort", 1)
		if stays {
			source += "\nvar _ sortTimes\n"
		}
		file := filepath.Join(dir, "m.go")
		for name, text := range map[string]string{"m.go": source, "go.mod": "module example.com/m\n\ngo 1.22\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		var found []Finding
		for i, line := range strings.Split(source, "\n") {
			if strings.Contains(line, "sort.Sort(") {
				program.Sites = append(program.Sites, &site.Site{Frame: prof.Frame{File: file, Line: i + 1}})
			}
		}
		for _, s := range program.Sites {
			found = append(found, everything(program, file, s.Line, sortFunc))
		}
		if len(found) != 2 || len(found[0].Edits) == 0 || slices.Equal(found[0].Edits, found[1].Edits) == stays || found[0].Alone != nil {
			t.Errorf("the type stays: %t: %+v", stays, found)
		}
	}
}

// TestSortTypeFiles checks which of several files with calls for a type change, and what becomes of the type.
func TestSortTypeFiles(t *testing.T) {
	const call = "package m\n\nimport \"sort\"\n\nfunc second(all []stamp) {\n\tsort.Sort(sortTimes(all))\n}\n"
	const other = "//go:build never\n\npackage m\n\n"
	for what, c := range map[string]struct {
		files map[string]string
		calls int  // that change
		goes  bool // the type
	}{
		"alone":                              {nil, 2, true},
		"an import with a dot":               {map[string]string{"m.go": strings.Replace(sortTypeText, "import (", "import . \"math\"; import (", 1) + "\nvar _ = Pi\n"}, 0, false},
		"a call in another file":             {map[string]string{"second.go": call}, 3, true},
		"a call in a file of one system":     {map[string]string{"second_linux.go": call}, 3, true},
		"a call in another build":            {map[string]string{"second.go": strings.Replace(call, "package", other[:len(other)-len("package m\n\n")]+"package", 1)}, 0, false},
		"another build declares a Less":      {map[string]string{"other.go": other + "type x []int\n\nfunc (x) Less(i, j int) bool { return true }\n"}, 0, false},
		"another build declares the type":    {map[string]string{"other.go": other + "type sortTimes []int\n"}, 0, false},
		"a test uses the type":               {map[string]string{"m_test.go": "package m\n\nvar _ = sortTimes(nil)\n"}, 2, false},
		"a test of another package":          {map[string]string{"m_test.go": "package m_test\n\nvar sortTimes int\n"}, 2, false},
		"a variable of the type":             {map[string]string{"other.go": "package m\n\nvar _ sortTimes\n"}, 2, false},
		"an alias":                           {map[string]string{"other.go": "package m\n\ntype alias = sortTimes\n"}, 2, false},
		"an embedded field":                  {map[string]string{"other.go": "package m\n\ntype t struct{ sortTimes }\n"}, 2, false},
		"another method":                     {map[string]string{"other.go": "package m\n\nfunc (s sortTimes) first() stamp { return s[0] }\n"}, 2, false},
		"an expression of a method":          {map[string]string{"other.go": "package m\n\nvar less = sortTimes.Less\n"}, 2, false},
		"a generated file with a call":       {map[string]string{"second.go": "// Code generated by m. DO NOT EDIT.\n\n" + call}, 2, false},
		"a file that has unsafe":             {map[string]string{"second.go": strings.Replace(call, "import", "import _ \"unsafe\"\nimport", 1)}, 2, false},
		"a call that is put off":             {map[string]string{"second.go": strings.Replace(call, "sort.Sort", "defer sort.Sort", 1)}, 2, false},
		"a call of sort.IsSorted":            {map[string]string{"second.go": strings.Replace(call, "sort.Sort", "_ = sort.IsSorted", 1)}, 2, false},
		"a comment in another file":          {map[string]string{"other.go": "package m\n\n// It is not sortTimes.\n"}, 0, false},
		"a local variable of the name":       {map[string]string{"other.go": "package m\n\nfunc f() (sortTimes int) { return sortTimes }\n"}, 2, true},
		"assembly that has Len":              {map[string]string{"m.s": "// TEXT ·Len(SB)\n"}, 0, false},
		"the name cmp is declared":           {map[string]string{"other.go": "package m\n\nvar cmp int\n"}, 0, false},
		"the name slices is another build's": {map[string]string{"other.go": other + "var slices int\n"}, 0, false},
		"more calls than change together": {map[string]string{"second.go": call, "third.go": strings.Replace(call, "second(all []stamp) {\n",
			"third(all, more []stamp) {\n"+strings.Repeat("\tsort.Sort(sortTimes(more))\n", 3), 1)}, 1, false},
	} {
		t.Run(what, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			dir := t.TempDir()
			files := map[string]string{"m.go": sortTypeText, "go.mod": "module example.com/m\n\ngo 1.22\n"}
			for name, text := range c.files {
				files[name] = text
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			program, err := Load(t.Context(), dir, []string{"."}, false)
			if err != nil {
				t.Fatal(err)
			}
			before, _, _ := strings.Cut(sortTypeText, "sort.Sort(")
			f := everything(program, filepath.Join(dir, "m.go"), 1+strings.Count(before, "\n"), sortFunc)
			calls, goes := 0, false
			for _, e := range f.Edits {
				if strings.Contains(e.Text, "slices.Sort") {
					calls++
				}
				old := files[filepath.Base(e.File)][e.Pos:e.End]
				goes = goes || strings.HasPrefix(old, "type sortTimes") && e.Text == ""
			}
			if calls != c.calls || goes != c.goes {
				t.Errorf("%d calls change, want %d; the type goes: %t, want %t: %+v", calls, c.calls, goes, c.goes, f.Edits)
			}
			if (len(f.Also) > 0) != goes {
				t.Errorf("other lines are %+v", f.Also)
			}
			for _, a := range f.Also {
				a.Line.Func = "example.com/m.printed"
				if strings.HasPrefix(filepath.Base(a.Line.File), "second") {
					a.Line.Func = "example.com/m.second"
				}
				s := &site.Site{Frame: a.Line, Bytes: 24, Leaves: []site.Leaf{{Path: []prof.Frame{{Func: "runtime.convTslice"}}, Bytes: 24}}}
				if got := a.Share(s); got != (Range{1, 1}) {
					t.Errorf("line %d of %s is saved by %v", a.Line.Line, filepath.Base(a.Line.File), got)
				}
			}
		})
	}
}

// TestSortAlike checks which other calls of sort.Slice change with one.
func TestSortAlike(t *testing.T) {
	const source = `package m

import "sort"

type item struct{ id, n int }

func first(all []item) {
	sort.Slice(all, func(i, j int) bool {
		return all[i].id < all[j].id
	})
}

func second(all []item) {
	sort.Slice(all, func(i, j int) bool { return all[i].n > all[j].n })
	sort.SliceStable(all, func(i, j int) bool { return all[i].n > all[j].n })
	sort.Slice(all, func(i, j int) bool { return all[i].n >= all[j].n })
}

func third(all []*item) {
	sort.Slice(all, func(i, j int) bool { return all[i].n > all[j].n })
}
`
	got := editedAlone(t, "1.21", source, "func first(", "sort.Slice(", sortFunc)
	for _, want := range []string{
		"func first(all []item) {\n\tslices.SortFunc(all, func(a, b item) int { return cmp.Compare(a.id, b.id) })\n}",
		"func second(all []item) {\n\tslices.SortFunc(all, func(a, b item) int { return cmp.Compare(b.n, a.n) })\n\tsort.SliceStable(all, func(i, j int) bool { return all[i].n > all[j].n })\n\tsort.Slice(all, func(i, j int) bool { return all[i].n >= all[j].n })\n}",
		"func third(all []*item) {\n\tsort.Slice(all, func(i, j int) bool { return all[i].n > all[j].n })\n}",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, got)
		}
	}
}
