package collect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

func someProfile(kind prof.Kind, value int64, types ...string) *prof.Profile {
	p := &profile.Profile{PeriodType: &profile.ValueType{}, Period: 1}
	f := &profile.Function{ID: 1, Name: "main.f"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 1}}}
	p.Function, p.Location = []*profile.Function{f}, []*profile.Location{l}
	s := &profile.Sample{Location: []*profile.Location{l}}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t})
		s.Value = append(s.Value, value)
	}
	p.Sample = []*profile.Sample{s}
	return &prof.Profile{Profile: p, Kind: kind}
}

// TestFolder checks that what was written is read again, and not the live heap as what
// was allocated.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Folder(dir); err == nil || !strings.Contains(err.Error(), "holds no profiles") {
		t.Error(err)
	}
	p := &prof.Set{
		CPU:    someProfile(prof.CPU, 1, "samples", "cpu"),
		Allocs: someProfile(prof.Allocs, 2, "alloc_objects", "alloc_space"),
		Live:   someProfile(prof.Allocs, 3, "alloc_objects", "alloc_space", "inuse_objects", "inuse_space"),
	}
	if err := Write(dir, p); err != nil {
		t.Fatal(err)
	}
	got, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.CPU.Sample[0].Value[0] != 1 || got.Allocs.Sample[0].Value[1] != 2 || got.Live.Sample[0].Value[3] != 3 {
		t.Errorf("%v %v %v", got.CPU.Sample, got.Allocs.Sample, got.Live.Sample)
	}
	// Others' folders have other names, and may lack a kind.
	other := t.TempDir()
	if err := os.Rename(filepath.Join(dir, allocsFile), filepath.Join(other, "heap.pb.gz")); err != nil {
		t.Fatal(err)
	}
	if got, err = Folder(other); err != nil || got.CPU != nil || got.Live != nil || got.Allocs.Sample[0].Value[0] != 2 {
		t.Errorf("%v, %v", got, err)
	}
	idle := someProfile(prof.CPU, 1, "samples", "cpu")
	idle.Sample = nil
	if err := write(filepath.Join(other, "idle.pprof"), idle); err != nil {
		t.Fatal(err)
	}
	if got, err = Folder(other); err != nil || got.CPU != nil || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "idle.pprof: it holds no samples") {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(other, "x.pprof"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(other); err == nil || !strings.Contains(err.Error(), "x.pprof") {
		t.Error(err)
	}
}
