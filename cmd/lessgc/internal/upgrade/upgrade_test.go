package upgrade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/internal/longtest"
)

// A release is a made-up toolchain.
type release struct {
	on, off []string          // experiments by default
	fixed   []string          // that GOEXPERIMENT cannot change
	refused map[string]string // settings that are refused, and why
	also    map[string]string // settings that turn another experiment off
	root    string
}

// fake is a go command with some releases, the default first.
type fake struct {
	names    []string
	releases []release
	env      string // GOEXPERIMENT of the environment
	settings []string
}

func (f *fake) run(_ context.Context, _ string, m mode.Mode, args ...string) ([]byte, error) {
	i := slices.Index(f.names, m.Toolchain)
	if m.Toolchain == "" {
		i = 0
	}
	if i < 0 {
		return nil, fmt.Errorf("go: download %s: toolchain not available", m.Toolchain)
	}
	r, setting := f.releases[i], f.env
	if m.Experiment != "" {
		setting = m.Experiment
		f.settings = append(f.settings, setting)
	}
	on := slices.Clone(r.on)
	for word := range strings.SplitSeq(setting, ",") {
		if why := r.refused[word]; why != "" {
			return nil, errors.New("go: " + why)
		}
		name, no := strings.CutPrefix(word, "no")
		switch {
		case word == "":
		case !slices.Contains(slices.Concat(r.on, r.off), name):
			return nil, fmt.Errorf("go: unknown GOEXPERIMENT %s", name)
		case slices.Contains(r.fixed, name):
		case no:
			on = slices.DeleteFunc(on, func(x string) bool { return x == name || x == r.also[word] })
		case !slices.Contains(on, name):
			on = append(on, name)
		}
	}
	switch args[0] {
	case "env":
		return fmt.Appendf(nil, "%s\n%s\n%s\n", f.names[i], f.env, r.root), nil
	case "list":
		var b strings.Builder
		for _, x := range on {
			b.WriteString(tagPrefix + x + "\n")
		}
		return []byte(b.String() + "amd64.v1\n"), nil
	}
	return nil, errors.New("unknown command")
}

// flags writes a GOROOT with the source of experiments.
func flags(t *testing.T, source string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "src", "internal", "goexperiment")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "flags.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	return root
}

func find(t *testing.T, f *fake, to string) (*Plan, []mode.Mode) {
	t.Helper()
	p, modes, err := Find(t.Context(), f.run, "", to, mode.Mode{Tags: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range modes {
		names = append(names, m.Name)
		if !slices.Equal(m.Tags, []string{"x"}) {
			t.Errorf("mode %s lacks what all set: %+v", m.Name, m)
		}
	}
	if err := p.Check(names); err != nil {
		t.Errorf("Find made a plan that Check refuses: %v", err)
	}
	return p, modes
}

// TestFind has the defaults of three releases, and more.
func TestFind(t *testing.T) {
	f := &fake{names: []string{"go1.25.9", "go1.27.3"}, releases: []release{
		{on: []string{"dwarf5", "swissmap", "oldthing"}, off: []string{"greenteagc", "jsonv2", "synctest"},
			root: flags(t, "package goexperiment\ntype Flags struct {\nDwarf5, SwissMap bool\n// OldThing does things the old way.\nOldThing bool\nGreenTeaGC, JSONv2 bool; SyncTest bool }\n")},
		{on: []string{"jsonv2", "greenteagc", "dwarf5", "regabiargs"}, off: []string{"oldthing", "arenas"}, fixed: []string{"regabiargs"},
			root: flags(t, "package goexperiment\n// Flags is the set.\ntype Flags struct {\nDwarf5 bool\n\n// JSONv2 enables the json/v2 package.\n// It is new.\nJSONv2 bool\nGreenTeaGC bool\nOldThing, Arenas bool; RegabiArgs bool `x:\"y\"`\n}\n")},
	}}
	p, modes := find(t, f, "go1.27.3")
	want := &Plan{From: "go1.25.9", To: "go1.27.3", Both: []string{"dwarf5"}, Gone: []string{"swissmap", "synctest"}, Changes: []Change{
		{Name: "greenteagc", Setting: "nogreenteagc", Mode: "go1.27.3 nogreenteagc"},
		{Name: "jsonv2", About: "JSONv2 enables the json/v2 package.", Setting: "nojsonv2", Mode: "go1.27.3 nojsonv2"},
		{Name: "oldthing", Off: true, About: "OldThing does things the old way.", Setting: "oldthing", Mode: "go1.27.3 oldthing"},
		{Name: "regabiargs", Why: "GOEXPERIMENT=noregabiargs changes nothing in go1.27.3"},
	}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("plan (-want +got)\n%s", diff)
	}
	var got []string
	for _, m := range modes {
		got = append(got, m.Name+": "+m.Settings())
	}
	if diff := cmp.Diff([]string{
		"go1.25.9: GOTOOLCHAIN=go1.25.9 tags=x", "go1.27.3: GOTOOLCHAIN=go1.27.3 tags=x",
		"go1.27.3 nogreenteagc: GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=nogreenteagc tags=x",
		"go1.27.3 nojsonv2: GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=nojsonv2 tags=x",
		"go1.27.3 oldthing: GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=oldthing tags=x",
	}, got); diff != "" {
		t.Errorf("modes (-want +got)\n%s", diff)
	}
	notes := strings.Join(p.Notes(), "\n")
	for _, part := range []string{"regabiargs cannot be taken back", "does not know", "swissmap, synctest", "on by default in both toolchains, and not part of the upgrade: dwarf5"} {
		if !strings.Contains(notes, part) {
			t.Errorf("the notes lack %q:\n%s", part, notes)
		}
	}
}

// TestFindWithoutSource has distributions without src/internal, or with another one: what
// they answer is enough.
func TestFindWithoutSource(t *testing.T) {
	for _, root := range []string{"", t.TempDir(), flags(t, "package goexperiment\nvar Flags = 3\n"), flags(t, "no Go at all")} {
		f := &fake{names: []string{"go1.25.9", "go1.27.3"}, releases: []release{
			{on: []string{"dwarf5", "swissmap"}, off: []string{"synctest"}, root: root}, {on: []string{"dwarf5", "jsonv2"}, root: root}}}
		p, _ := find(t, f, "1.27.3")
		want := &Plan{From: "go1.25.9", To: "go1.27.3", Both: []string{"dwarf5"}, Gone: []string{"swissmap"},
			Changes: []Change{{Name: "jsonv2", Setting: "nojsonv2", Mode: "go1.27.3 nojsonv2"}}}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", root, diff)
		}
	}
}

// TestFindEnvironment checks that GOEXPERIMENT of the environment holds in all modes, and
// that what it settles is not a change.
func TestFindEnvironment(t *testing.T) {
	f := &fake{names: []string{"go1.26.8", "go1.27.3"}, env: "nojsonv2,arenas", releases: []release{
		{on: []string{"dwarf5"}, off: []string{"jsonv2", "arenas"}}, {on: []string{"dwarf5", "jsonv2", "malloc"}, off: []string{"arenas"}}}}
	p, modes := find(t, f, "go1.27.3")
	if len(p.Changes) != 1 || p.Changes[0].Setting != "nojsonv2,arenas,nomalloc" || modes[2].Experiment != "nojsonv2,arenas,nomalloc" {
		t.Errorf("%+v, %+v", p, modes)
	}
}

// TestFindRefused checks opt-outs that the new toolchain refuses, or that do more.
func TestFindRefused(t *testing.T) {
	f := &fake{names: []string{"go1.26.8", "go1.27.3"}, releases: []release{
		{on: []string{"dwarf5"}},
		{on: []string{"dwarf5", "a", "b"}, refused: map[string]string{"noa": "GOEXPERIMENT b requires a"}, also: map[string]string{"nob": "dwarf5"}}}}
	p, modes := find(t, f, "go1.27.3")
	want := []Change{{Name: "a", Why: "go: GOEXPERIMENT b requires a"}, {Name: "b", Why: "GOEXPERIMENT=nob also changes dwarf5 in go1.27.3"}}
	if diff := cmp.Diff(want, p.Changes); diff != "" || len(modes) != 2 {
		t.Errorf("%d modes, changes (-want +got)\n%s", len(modes), diff)
	}
}

func TestFindWrong(t *testing.T) {
	check := func(current, to string, parts ...string) {
		t.Helper()
		f := &fake{names: []string{current, "go1.27.3", "go1.25.9"}, releases: make([]release, 3)}
		p, _, err := Find(t.Context(), f.run, "", to, mode.Mode{})
		if err == nil {
			t.Errorf("%s to %s: %+v without an error", current, to, p)
			return
		}
		for _, part := range parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s to %s: %q does not say %q", current, to, err, part)
			}
		}
	}
	check("go1.26.8", "latest", `"latest"`, "name a release, such as go1.27.3")
	check("go1.26.8", "\x1b[1m", "name a release")
	check("go1.26.8", "go1.26.8", "the toolchain in use here")
	check("go1.26.8", "1.25.9", "go1.25.9 is older than the toolchain in use here, go1.26.8", "-mode toolchain=go1.26.8,go1.25.9")
	check("go1.26.8", "go1.99.0", "-upgrade go1.99.0: the toolchain is not available: download", "not available")

	f := &fake{names: []string{"go1.25.9", "go1.27.3"}, env: "noswissmap", releases: []release{{on: []string{"swissmap"}}, {on: []string{"x"}}}}
	_, _, err := Find(t.Context(), f.run, "", "go1.27.3", mode.Mode{})
	if err == nil || err.Error() != "-upgrade go1.27.3: GOEXPERIMENT of the environment is refused: unknown GOEXPERIMENT swissmap; unset it, or set what both toolchains know" {
		t.Errorf("an experiment of the environment that the new toolchain does not know: %v", err)
	}
}

// TestFindRevision has a toolchain in use that was built from a revision: it is not pinned,
// and its age not known.
func TestFindRevision(t *testing.T) {
	for _, v := range []string{"devel", "go1.26.8-corp", "go1.26.8 X:dwarf5"} {
		f := &fake{names: []string{v, "go1.27.3"}, releases: []release{{on: []string{"x"}}, {on: []string{"x"}}}}
		_, modes, err := Find(t.Context(), f.run, "", "go1.27.3", mode.Mode{})
		if err != nil {
			t.Errorf("%s: %v", v, err)
		} else if pin := modes[0].Toolchain; pin != "" {
			t.Errorf("%s is pinned as %s", v, pin)
		}
	}
}

func TestCheck(t *testing.T) {
	check := func(want string, modes []string, change func(p *Plan)) {
		t.Helper()
		p := &Plan{From: "a", To: "b", Changes: []Change{{Name: "x", Setting: "nox", Mode: "b nox"}, {Name: "y", Why: "no"}}}
		change(p)
		if err := p.Check(modes); err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	same, all := func(*Plan) {}, []string{"a", "b", "b nox"}
	check("", nil, same)
	check("", all, same)
	check("invalid upgrade", nil, func(p *Plan) { p.To = "a" })
	check("invalid upgrade", nil, func(p *Plan) { p.From = "" })
	check("invalid upgrade", nil, func(p *Plan) { p.Changes = make([]Change, 1000) })
	check("invalid upgrade", nil, func(p *Plan) { p.Gone = make([]string, 10000) })
	check("is called", nil, func(p *Plan) { p.Changes[0].Name = "x y" })
	check("is called", nil, func(p *Plan) { p.Changes[0].Name = strings.Repeat("x", 1000) })
	check("with the setting", nil, func(p *Plan) { p.Changes[0].Setting = "nox$(rm)" })
	check("two changes", nil, func(p *Plan) { p.Changes[1].Name = "x" })
	check("two parts", nil, func(p *Plan) { p.Changes[0].Mode = "a" })
	check("and not both", nil, func(p *Plan) { p.Changes[1].Mode = "z" })
	check("not one of the modes", []string{"a", "b", "c"}, same)
	check("not part of the upgrade", append(all, "d"), same)
	if (*Plan)(nil).Check(nil) != nil || (*Plan)(nil).Change("a") != nil {
		t.Error("no plan is no good plan")
	}
}

// TestReal asks toolchains that there are.
func TestReal(t *testing.T) {
	longtest.Skip(t, "fetches other toolchains")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x\n\ngo 1.25.0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	check := func(from, to string, want ...string) {
		t.Helper()
		t.Setenv("GOTOOLCHAIN", from)
		p, modes, err := Find(t.Context(), build.Go, dir, to, mode.Mode{})
		if err != nil {
			t.Error(err)
			return
		}
		var got []string
		for _, c := range p.Changes {
			got = append(got, c.Setting)
			if c.About == "" {
				t.Errorf("%s is not explained", c.Name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(modes) != 2+len(want) {
			t.Errorf("%s to %s: %d modes, settings (-want +got)\n%s", from, to, len(modes), diff)
		}
	}
	check("go1.25.9", "go1.26.8", "nogreenteagc", "norandomizedheapbase64")
	check("go1.26.8", "go1.27.3", "nojsonv2", "nosizespecializedmalloc")
	check("go1.25.9", "go1.27.3", "nogreenteagc", "nojsonv2", "norandomizedheapbase64", "nosizespecializedmalloc")
}
