package lessgcrenamed

import (
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// loaded are the packages of lessgc that testdata imports, and those that fixes write.
func loaded(t *testing.T) map[string]*types.Package {
	t.Helper()
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.pkg)
		if c.to != "" {
			paths = append(paths, c.to)
		}
	}
	slices.Sort(paths)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes, Dir: "testdata", Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}, slices.Compact(paths)...)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*types.Package{}
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		all[p.PkgPath] = p.Types
	}
	return all
}

// member returns a member of a type, or nil.
func member(pkg *types.Package, recv, name string) types.Object {
	o, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(recv).Type(), true, pkg, name)
	return o
}

// TestGone checks that the names of the table are gone, that calls are where the names are
// not, and that the members by which types are known are there.
func TestGone(t *testing.T) {
	pkgs := loaded(t)
	known := map[string]bool{}
	for _, c := range changes {
		if known[c.old()] {
			t.Errorf("%s is there twice", c.old())
		}
		known[c.old()] = true
		pkg := pkgs[c.pkg]
		var o types.Object
		if c.recv == "" {
			o = pkg.Scope().Lookup(c.name)
		} else {
			o = member(pkg, c.recv, c.name)
			if member(pkg, c.recv, members[c.recv]) == nil {
				t.Errorf("%s.%s has no %q, by which it is known", c.pkg, c.recv, members[c.recv])
			}
		}
		if c.args == "" {
			if o != nil {
				t.Errorf("%s exists: %v", c.old(), o)
			}
			continue
		}
		m, ok := o.(*types.Func)
		if !ok || m.Signature().Variadic() || m.Signature().Params().Len() > strings.Count(c.args, ",") {
			t.Errorf("%s can be called: %v", c.old(), o)
		}
	}
}

// TestWritten checks that what moved, or has another name, is what messages say it is.
func TestWritten(t *testing.T) {
	pkgs := loaded(t)
	name := regexp.MustCompile(`^use (\w+)\.(\w+)`)
	for _, c := range changes {
		if !strings.HasPrefix(c.to, root) || c.recv != "" {
			continue
		}
		m := name.FindStringSubmatch(c.now)
		if m == nil || m[1] != pkgs[c.to].Name() || pkgs[c.to].Scope().Lookup(m[2]) == nil {
			t.Errorf("%s: there is no %s", c.old(), c.now)
		}
	}
}

// silent are the rows of docs/migrating.md about code that compiles, by how they begin.
var silent = []string{"a zero `Buffer`", "a `Buffer` used after", "memory up to 64 KiB", "`var p arena.Pool`", "`arena.Clone(v)`", "`arenagrpc.Options{}`"}

// outside are capitalized words of its rows that are not names of the table: names that are
// there today, and type parameters.
var outside = []string{"Filter", "All", "Values", "Stats", "Options", "Policy", "K", "V", "T"}

// TestDocs checks that the table and docs/migrating.md have the same names, and that the
// messages have its words.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	code, word := regexp.MustCompile("`[^`]*`"), regexp.MustCompile(`\b[A-Z]\w*`)
	said := map[*change]bool{}
	pkg := ""
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			pkg = root + strings.TrimSpace(rest)
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 2 || !strings.Contains(cells[0], "`") || slices.ContainsFunc(silent, func(s string) bool { return strings.HasPrefix(cells[0], "| "+s) }) {
			continue
		}
		known := 0
		for _, name := range word.FindAllString(strings.Join(code.FindAllString(cells[0], -1), " "), -1) {
			c := ofName(pkg, name)
			switch {
			case len(c) > 0:
				known++
			case !slices.Contains(outside, name):
				t.Errorf("the table has no %s of %s", name, cells[0])
			}
			for _, c := range c {
				said[c] = true
			}
		}
		if known == 0 {
			t.Errorf("the table has nothing of %s", cells[0])
		}
	}
	plain := strings.ReplaceAll(string(text), "`", "")
	for i := range changes {
		c := &changes[i]
		if !said[c] {
			t.Errorf("docs/migrating.md says nothing of %s", c.old())
		}
		for _, alternative := range strings.Split(strings.ReplaceAll(c.now, "pass ", "use pass "), " or ") {
			if words := strings.TrimPrefix(alternative, "use "); !strings.Contains(plain, words) {
				t.Errorf("%s: docs/migrating.md does not say %q", c.old(), words)
			}
		}
	}
}

// ofName are the changes of a name, whatever type it is of.
func ofName(pkg, name string) []*change {
	var all []*change
	for i := range changes {
		if c := &changes[i]; c.pkg == pkg && c.name == name {
			all = append(all, c)
		}
	}
	return all
}
