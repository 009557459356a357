package input

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// write writes a file and the folders above it.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func link(t *testing.T, to, name string) string {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
	return name
}

// TestSources checks which files are opened.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	module, cache, elsewhere := filepath.Join(dir, "module"), filepath.Join(dir, "cache"), filepath.Join(dir, "elsewhere")
	text := []byte("package a\n")
	in := write(t, filepath.Join(module, "sub", "a.go"), text)
	cached := write(t, filepath.Join(cache, "b.go"), text)
	out := write(t, filepath.Join(elsewhere, "c.go"), text)
	secret := write(t, filepath.Join(module, ".env"), text)
	sibling := write(t, module+"-other/d.go", text)
	if err := os.Mkdir(filepath.Join(module, "folder.go"), 0o777); err != nil {
		t.Fatal(err)
	}
	named := link(t, module, filepath.Join(dir, "named")) // the module by another name
	s := NewSources(named, cache, filepath.Join(dir, "none"), "", "relative")
	const outside, linked = "is outside of the module", "is a link out of the module"
	for name, want := range map[string]string{
		in:                                       "",
		filepath.Join(named, "sub", "a.go"):      "",
		filepath.Join(module, "sub/../sub/a.go"): "",
		cached:                                   "",
		link(t, cached, filepath.Join(module, "cached.go")): "",
		out:                                outside,
		module + "/../elsewhere/c.go":      outside,
		sibling:                            outside,
		module:                             "is not the whole path of a Go file",
		secret:                             "is not the whole path of a Go file",
		"sub/a.go":                         "is not the whole path of a Go file",
		"-sub/a.go":                        "is not the whole path of a Go file",
		"":                                 "is not the whole path of a Go file",
		in + "\x00.go":                     "invalid argument",
		filepath.Join(module, "none.go"):   "no such file",
		filepath.Join(module, "folder.go"): "is not a regular file",
		link(t, out, filepath.Join(module, "out.go")):                                       linked,
		link(t, secret, filepath.Join(module, "secret.go")):                                 "is a link to a file that is not Go",
		filepath.Join(link(t, elsewhere, filepath.Join(module, "elsewhere")), "c.go"):       linked,
		link(t, filepath.Join(module, "loop.go"), filepath.Join(module, "loop.go")):         "too many links",
		write(t, filepath.Join(module, "large.go"), bytes.Repeat([]byte("/"), maxSource+1)): "has more than 16 MiB",
	} {
		data, err := s.ReadFile(name)
		switch {
		case want == "" && (err != nil || !bytes.Equal(data, text)):
			t.Errorf("%s: %v", name, err)
		case want != "" && (err == nil || data != nil || runtime.GOOS == "linux" && !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if data, err := s.ReadFile(write(t, filepath.Join(module, "large.go"), make([]byte, maxSource))); err != nil || len(data) != maxSource {
		t.Error(err)
	}
	for _, s := range []*Sources{nil, {}} {
		if _, err := s.ReadFile(in); err == nil || !strings.Contains(err.Error(), outside) {
			t.Error(err)
		}
	}
}

// TestFindSources checks what the go command knows.
func TestFindSources(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.work"), []byte("go 1.26\nuse (\n\t./a\n\t./b\n)\n"))
	write(t, filepath.Join(dir, "a", "go.mod"), []byte("module example.com/a\n"))
	write(t, filepath.Join(dir, "b", "go.mod"), []byte("module example.com/b\n"))
	beside := write(t, filepath.Join(dir, "b", "b.go"), []byte("package b\n"))
	alone := t.TempDir()
	write(t, filepath.Join(alone, "go.mod"), []byte("module example.com/c\n"))
	own := write(t, filepath.Join(alone, "c.go"), []byte("package c\n"))
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := filepath.Join(strings.TrimSpace(string(goroot)), "src", "fmt", "print.go")
	for _, c := range []struct {
		dir, work, file string
		ok              bool
	}{
		{filepath.Join(dir, "a"), "", beside, true},
		{filepath.Join(dir, "a"), "off", beside, false},
		{filepath.Join(dir, "a"), "", own, false},
		{alone, "off", own, true},
		{alone, "off", std, true},
		{t.TempDir(), "off", std, true},
		{t.TempDir(), "off", own, false},
	} {
		t.Chdir(c.dir)
		t.Setenv("GOWORK", c.work)
		t.Setenv("GOFLAGS", "")
		if _, err := FindSources(t.Context()).ReadFile(c.file); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
