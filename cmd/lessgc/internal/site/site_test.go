package site

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

// profileOf makes a profile of lines such as "1 2 3 4: leaf caller", values and calls
// with the innermost first.
func profileOf(kind prof.Kind, types string, lines ...string) *prof.Profile {
	p := &profile.Profile{Period: 1 << 10}
	for _, t := range strings.Fields(types) {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t})
	}
	for _, line := range lines {
		values, calls, _ := strings.Cut(line, ":")
		s := &profile.Sample{}
		for _, v := range strings.Fields(values) {
			n := int64(0)
			for _, c := range v {
				n = 10*n + int64(c-'0')
			}
			s.Value = append(s.Value, n)
		}
		for _, name := range strings.Fields(calls) {
			s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}, Line: int64(len(name))}}})
		}
		p.Sample = append(p.Sample, s)
	}
	return &prof.Profile{Profile: p, Kind: kind}
}

const allocTypes = "alloc_objects alloc_space inuse_objects inuse_space"

// TestFind checks that what other packages allocate is the caller's.
func TestFind(t *testing.T) {
	allocs := profileOf(prof.Allocs, allocTypes,
		"100 6400 1 64: bytes.growSlice bytes.(*Buffer).Write example.com/my/a.Encode example.com/my.main",
		"10 102400 0 0: strings.(*Builder).grow other.org/x.Join example.com/my/a.Encode example.com/my.main",
		"5 500 5 500: example.com/my.main",
		"7 700 0 0: net/http.(*conn).serve")
	cpu := profileOf(prof.CPU, "samples cpu",
		"12 0: runtime.mallocgcSmallNoscan runtime.mallocgc bytes.growSlice bytes.(*Buffer).Write example.com/my/a.Encode example.com/my.main",
		"4 0: runtime.mallocgcSmallScanHeader runtime.mallocgc example.com/my/a.Encode",
		"3 0: runtime.memmove runtime.growslice example.com/my.main",
		"50 0: example.com/my/a.Encode")
	all := Find(allocs, cpu, Module("example.com/my"))
	if len(all) != 3 {
		t.Fatalf("%d sites", len(all))
	}
	encode, outside, main := all[0], all[1], all[2]
	if encode.Func != "example.com/my/a.Encode" || encode.Bytes != 108800 || encode.Objects != 110 || encode.LiveBytes != 64 || encode.LiveObjects != 1 {
		t.Errorf("%+v", encode)
	}
	if encode.AllocCPU != 16 || encode.NoScan != 12 || encode.Scan != 4 || encode.CopyCPU != 0 || main.AllocCPU != 3 || main.CopyCPU != 3 {
		t.Errorf("CPU time of Encode: %+v, of main: %+v", encode, main)
	}
	// 6400 bytes in small objects are 6.25 samples, 10 objects of 10 KiB are 10.
	if encode.Samples != 16.25 {
		t.Errorf("%v samples", encode.Samples)
	}
	if len(encode.Leaves) != 2 || encode.Leaves[0].Bytes != 102400 || encode.Leaves[0].Path[0].Func != "other.org/x.Join" || encode.Leaves[0].Path[1].Func != "strings.(*Builder).grow" {
		t.Errorf("%+v", encode.Leaves)
	}
	if outside.Func != Outside || outside.Bytes != 700 || main.Bytes != 500 || main.AllocCPU != 3 || len(main.Leaves) != 1 || len(main.Leaves[0].Path) != 0 {
		t.Errorf("%+v, %+v", outside, main)
	}
	if all := Find(allocs, nil, Module()); all[0].Func != "other.org/x.Join" {
		t.Errorf("without a module the first is %+v", all[0])
	}
}

// TestGeneratedMain checks that what the main package of go test allocates is not the user's.
func TestGeneratedMain(t *testing.T) {
	allocs := profileOf(prof.Allocs, allocTypes,
		"5 500 5 500: regexp.compile testing.(*M).Run main.main",
		"5 400 5 500: main.run")
	for _, s := range allocs.Sample[0].Location[2].Line {
		s.Function.Filename = "_testmain.go"
	}
	all := Find(allocs, nil, Module("example.com/my"))
	if len(all) != 2 || all[0].Func != Outside || all[1].Func != "main.run" {
		t.Errorf("%+v", all)
	}
}

// TestModule checks whose packages are whose.
func TestModule(t *testing.T) {
	own := Module("example.com/my", "hostless")
	for pkg, want := range map[string]bool{"example.com/my": true, "example.com/my/a": true, "example.com/mine": false, "main": true, "hostless/arena": true, "bytes": false} {
		if own(pkg) != want {
			t.Errorf("%s: %t", pkg, !want)
		}
	}
	any := Module()
	if any("net/http") || !any("other.org/x") || !any("main") {
		t.Error("without a module")
	}
}

// TestStacks checks that a leaf has all stacks above it.
func TestStacks(t *testing.T) {
	all := Find(profileOf(prof.Allocs, allocTypes,
		"3 30 0 0: example.com/my/a.leaf example.com/my/a.middle example.com/my.one",
		"5 50 0 0: example.com/my/a.leaf example.com/my/a.middle example.com/my.two"), nil, Module("example.com/my"))
	if len(all) != 1 || len(all[0].Leaves) != 1 || len(all[0].Leaves[0].Stacks) != 2 {
		t.Fatalf("%+v", all)
	}
	for i, want := range []Stack{{Bytes: 30, Objects: 3}, {Bytes: 50, Objects: 5}} {
		got := all[0].Leaves[0].Stacks[i]
		if got.Bytes != want.Bytes || got.Objects != want.Objects || len(got.Callers) != 2 || got.Callers[1].Func != []string{"example.com/my.one", "example.com/my.two"}[i] {
			t.Errorf("%+v", got)
		}
	}
}
