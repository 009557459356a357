package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A call is a function and the file that it is in.
type call struct{ function, file string }

// allocs makes a profile of allocations; each stack has the innermost call first.
func allocs(bytes []int64, stacks ...[]call) *prof.Profile {
	p := &profile.Profile{Period: 1, SampleType: []*profile.ValueType{{Type: "alloc_objects"}, {Type: "alloc_space"}}}
	for i, stack := range stacks {
		s := &profile.Sample{Value: []int64{1, bytes[i]}}
		for _, c := range stack {
			f := &profile.Function{Name: c.function, Filename: c.file}
			p.Function = append(p.Function, f)
			s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: f, Line: 1}}})
		}
		p.Sample = append(p.Sample, s)
	}
	return &prof.Profile{Profile: p, Kind: prof.Allocs}
}

// TestPackages checks that only the user's packages that can be counted are named.
func TestPackages(t *testing.T) {
	p := allocs([]int64{1}, []call{{"example.com/m/b.F", ""}, {"example.com/m/a.(*T).G", ""}, {"example.com/m/b.H", ""}, {"example.com/m/a_test.BenchmarkG", ""},
		{"main.main", ""}, {"example.com/other.F", ""}})
	if got, want := Packages(p, site.Module("example.com/m")), []string{"example.com/m/a", "example.com/m/b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOwns checks whose a profile is, with a package main, which every program has.
func TestOwns(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.Abs("main.go")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "main.go")
	for _, name := range []string{here, elsewhere} {
		if err := os.WriteFile(name, []byte("package main\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		of   call
		want bool
	}{
		{call{"example.com/m/a.F", ""}, true},
		{call{"example.com/mine.F", ""}, false},
		{call{"main.main", here}, true},
		{call{"main.main", elsewhere}, false},              // another program's, which is here
		{call{"main.main", "/built/elsewhere/m.go"}, true}, // built elsewhere
		{call{"main.main", "/built/elsewhere/_testmain.go"}, false},
	} {
		p := &prof.Set{Allocs: allocs([]int64{1}, []call{c.of})}
		if got := Owns(p, site.Module("example.com/m")); got != c.want {
			t.Errorf("%v: %t", c.of, got)
		}
	}
}

// TestLeafFolders checks of which packages the compiler is asked.
func TestLeafFolders(t *testing.T) {
	root := t.TempDir()
	in := func(function, folder string) call { return call{function, filepath.Join(root, folder, "f.go")} }
	p := allocs([]int64{100_000, 900, 150, 50},
		[]call{in("strings.Join", "strings"), in("example.com/needed.F", "needed"), in("example.com/m/a.F", "a")},
		[]call{in("example.com/seldom.F", "seldom"), in("example.com/m/b.F", "b")}, // 0.9 % of the bytes
		[]call{in("example.com/m/c.F", "c")},                                       // 0.15 %
		[]call{in("example.com/m/d.F", "d")})                                       // 0.05 %
	want := []string{filepath.Join(root, "b"), filepath.Join(root, "c"), filepath.Join(root, "needed")}
	if got := leafFolders(p, site.Module("example.com/m")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCodeNothingAllocated checks that a program whose own functions allocate nothing has its source, and no levers that apply.
func TestCodeNothingAllocated(t *testing.T) {
	p := &prof.Set{Allocs: allocs([]int64{1}, []call{{"testing.(*B).run", "/go/src/testing/benchmark.go"}, {"main.main", "_testmain.go"}})}
	p.CPU = allocs([]int64{1}, []call{{"example.com/m/a.F", "/m/a/f.go"}})
	got := Code(t.Context(), p, site.Module("example.com/m"), Options{Reasons: true, Levers: true, Files: new(input.Sources)})
	if got.Levers == nil || got.Levers(&site.Site{}) != nil || p.Notes != nil {
		t.Errorf("levers %t, notes %q", got.Levers != nil, p.Notes)
	}
}

// TestCodeAsked checks that nothing is read that was not asked for.
func TestCodeAsked(t *testing.T) {
	p := &prof.Set{Allocs: allocs([]int64{1}, []call{{"example.com/m/a.F", "/m/a/f.go"}})}
	if got := Code(t.Context(), p, site.Module("example.com/m"), Options{}); got.Text != nil || p.Notes != nil {
		t.Errorf("nothing was asked for: %q", p.Notes)
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "")
	got := Code(t.Context(), p, site.Module("example.com/m"), Options{Reasons: true, Files: new(input.Sources)})
	if want := "the current folder is in no module: go to that of the program's source, and run it again there, so there are no reasons and no levers"; got.Text != nil || !slices.Equal(p.Notes, []string{want}) {
		t.Errorf("%q", p.Notes)
	}
}

// TestMeasuredParts checks that levers see the sites of each benchmark, where the samples are marked.
func TestMeasuredParts(t *testing.T) {
	stack := []call{{"example.com/m/a.F", "/m/a/f.go"}}
	p := allocs([]int64{100, 200, 300}, stack, stack, stack)
	parts := func() [][]*site.Site {
		var program lever.Program
		measured(&program, &prof.Set{Allocs: p}, site.Module("example.com/m"), nil, nil)
		return program.Parts
	}
	if all := parts(); all != nil {
		t.Errorf("%d benchmarks of samples without a mark", len(all))
	}
	p.Mark("a.BenchmarkA")
	(&prof.Profile{Profile: &profile.Profile{Sample: p.Sample[1:]}}).Mark("a.BenchmarkB")
	if all := parts(); len(all) != 2 || len(all[0]) != 1 || all[0][0].Bytes != 100 || len(all[1]) != 1 || all[1][0].Bytes != 500 {
		t.Errorf("the benchmarks have the sites %v", all)
	}
}
