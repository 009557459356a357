package prof

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// sample is a profile with one sample of the types given.
func sample(types ...string) *profile.Profile {
	f := &profile.Function{ID: 1, Name: "example.com/a.(*T).M", Filename: "a.go"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 7}}}
	p := &profile.Profile{Function: []*profile.Function{f}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}}}}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: cmp.Or(units[t], "count")})
		p.Sample[0].Value = append(p.Sample[0].Value, 1)
	}
	return p
}

func packed(t testing.TB, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRead checks profiles that are right, packed and not.
func TestRead(t *testing.T) {
	for want, p := range map[Kind]*profile.Profile{
		CPU:    sample("samples", "cpu"),
		Allocs: sample("alloc_objects", "alloc_space", "inuse_objects", "inuse_space"),
	} {
		for _, data := range [][]byte{packed(t, p), unpacked(t, p)} {
			got, err := new(Reader).Read(bytes.NewReader(data))
			if err != nil || got.Kind != want || len(got.Sample) != 1 {
				t.Fatalf("%v, %v", got, err)
			}
			if s := Stack(got.Sample[0]); len(s) != 1 || s[0] != (Frame{"example.com/a.(*T).M", "a.go", 7}) || s[0].Package() != "example.com/a" {
				t.Errorf("%+v", s)
			}
		}
	}
	var b bytes.Buffer // one of this very program
	kept := make([][]byte, 100)
	for i := range kept {
		kept[i] = make([]byte, 1<<20)
	}
	if err := pprof.Lookup("heap").WriteTo(&b, 0); err != nil {
		t.Fatal(err)
	}
	p, err := new(Reader).Read(&b)
	if err != nil || p.Kind != Allocs {
		t.Fatal(err)
	}
	runtime.KeepAlive(kept)
}

func unpacked(t testing.TB, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPackage checks what packages functions are of.
func TestPackage(t *testing.T) {
	for name, want := range map[string]string{
		"main.main": "main", "runtime.mallocgc": "runtime", "gopkg.in/yaml%2ev3.(*T).M": "gopkg.in/yaml.v3",
		"example.com/a/b.New[go.shape.struct { x/y.T }]": "example.com/a/b", "gcWriteBarrier": "gcWriteBarrier",
	} {
		if got := (Frame{Func: Generic(name)}).Package(); got != want {
			t.Errorf("%s is of %s, want %s", name, got, want)
		}
		if !strings.HasPrefix(name, EscapePath(want)) {
			t.Errorf("%s does not begin with %s", name, EscapePath(want))
		}
	}
}

// TestGeneric checks that instances of a function have one name.
func TestGeneric(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.F": "a/b.F", "a/b.F[...]": "a/b.F", "a/b.F[go.shape.[]int,go.shape.map[string]c/d.T[e.U]].func1": "a/b.F.func1",
		"a/b.(*T[go.shape.struct { X [4]int }]).M": "a/b.(*T).M", "a/b.T[...].M-fm": "a/b.T.M-fm", "a/b.F[": "a/b.F[", "a/b.F[[]": "a/b.F[[]", "": "",
	} {
		if got := Generic(name); got != want {
			t.Errorf("Generic(%q) = %q, want %q", name, got, want)
		}
	}
}

// zeros is a reader of so many.
type zeros int64

func (z *zeros) Read(b []byte) (int, error) {
	if *z <= 0 {
		return 0, io.EOF
	}
	n := min(int64(len(b)), int64(*z))
	clear(b[:n])
	*z -= zeros(n)
	return int(n), nil
}

// TestWrong checks what is said of what cannot be used.
func TestWrong(t *testing.T) {
	good := packed(t, sample("samples", "cpu"))
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	all := zeros(maxUnpacked + 1)
	if _, err := io.Copy(z, &all); err != nil {
		t.Fatal(err)
	}
	z.Close()
	none := sample("samples", "cpu")
	none.Sample = nil
	stripped := sample("samples", "cpu")
	stripped.Location[0].Line = nil
	stripped.Function = nil
	for name, c := range map[string]struct {
		data []byte
		err  string
	}{
		"empty":    {nil, "it is empty"},
		"cut off":  {good[:len(good)-9], "it is cut off or damaged"},
		"text":     {[]byte("goroutine 1 [running]:\n"), "not a pprof profile"},
		"bomb":     {bomb.Bytes(), "it is larger than any profile"},
		"mutex":    {packed(t, sample("contentions", "delay")), "it is a profile of contentions, delay; a CPU profile"},
		"none":     {packed(t, none), "it holds no samples; let the program work while the cpu profile is taken"},
		"stripped": {packed(t, stripped), "it has addresses and no names of functions"},
	} {
		if _, err := new(Reader).Read(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s", name, err, c.err)
		}
	}
	file := filepath.Join(t.TempDir(), "cpu.pprof")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := new(Reader).ReadFile(file); err == nil || !strings.HasPrefix(err.Error(), file+": it is empty") {
		t.Error(err)
	}
	if _, err := new(Reader).ReadFile(file + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzRead checks that no input makes the reader or its users crash.
func FuzzRead(f *testing.F) {
	for _, p := range []*profile.Profile{sample("samples", "cpu"), sample("alloc_objects", "alloc_space", "inuse_objects", "inuse_space"), sample()} {
		f.Add(packed(f, p))
		f.Add(unpacked(f, p))
	}
	f.Add([]byte{0x1f, 0x8b})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := new(Reader).Read(bytes.NewReader(data))
		if (p == nil) == (err == nil) {
			t.Fatal(p, err)
		}
		if err != nil {
			return
		}
		for _, s := range p.Sample {
			for _, frame := range Stack(s) {
				frame.Package()
			}
			_ = s.Value[p.Value(p.SampleType[0].Type)]
		}
	})
}
