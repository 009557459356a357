//go:build rehome_all

package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestRelease makes a release of a copy of this repository, serves its modules
// from a folder in the layout of a module proxy, and uses them as strangers do.
// Everything else comes from the module cache, by the same means.
//
// It compiles the command from nothing, which takes minutes: .ci/run asks for it
// by its build tag.
func TestRelease(t *testing.T) {
	const home, proxied = "example.org/Some.path/lessgc", "example.org/!some.path/lessgc"
	tree := clone(t)
	o := options{dir: tree, path: home, force: true}
	if err := o.rehome(io.Discard); err != nil {
		t.Fatal(err)
	}
	proxy := t.TempDir()
	publish(t, tree, proxy, proxied, "v0.0.1") // with its replace lines
	o.release = "v0.1.0"
	if err := o.rehome(io.Discard); err != nil {
		t.Fatal(err)
	}
	publish(t, tree, proxy, proxied, o.release)

	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw", "GOSUMDB=off", "GOBIN="+bin, "GOMODCACHE="+t.TempDir(),
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(strings.TrimSpace(string(cache)))+"/cache/download")
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	check := func(want, name string, args ...string) {
		t.Helper()
		if out, err := run(name, args...); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s %s: %v, want %q:\n%s", name, strings.Join(args, " "), err, want, out)
		}
	}

	// The tree itself works before anything is published, and as a release.
	list := exec.Command("go", "list", "-deps", "./rpc/arenapb", "./cmd/lessgc", "./bench/protobuf")
	list.Dir, list.Env = tree, append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
	if out, err := list.CombinedOutput(); err != nil {
		t.Errorf("go list: %v\n%s", err, out)
	}

	check("", "go", "mod", "init", "consumer")
	check(home+"/rpc v0.1.0", "go", "get", home+"/rpc@v0.1.0")
	source := strings.ReplaceAll(consumer, "HOME", home)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	check("arena, pool, arenapb\n", "go", "run", ".")

	if out, err := run("go", "install", home+"/cmd/lessgc@v0.0.1"); err == nil || !strings.Contains(out, "replace directives") {
		t.Errorf("a command whose go.mod has replace lines is installed: %v\n%s", err, out)
	}
	check("", "go", "install", home+"/cmd/lessgc@v0.1.0")
	check("usage: lessgc SUBCOMMAND", filepath.Join(bin, "lessgc"), "help")
	check(home+"\tv0.1.0", "go", "version", "-m", filepath.Join(bin, "lessgc"))
	check("", "go", "install", home+"/vet/cmd/lessgc-vet@v0.1.0")
}

// consumer is a program that uses the libraries.
const consumer = `package main

import (
	"fmt"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"HOME/arena"
	"HOME/pool"
	"HOME/rpc/arenapb"
)

func main() {
	a := arena.NewArena()
	defer a.Free()
	name := arena.New[string](a)
	*name = "arena"
	p := pool.Pool[[]byte]{New: func() *[]byte { b := []byte("pool"); return &b }, Reset: func(*[]byte) {}}
	b := p.Get()
	data, err := arenapb.Marshal(a, wrapperspb.String("arenapb"))
	if err != nil {
		panic(err)
	}
	m := arena.New[wrapperspb.StringValue](a)
	if err := arenapb.Unmarshal(a, data, m); err != nil {
		panic(err)
	}
	fmt.Printf("%s, %s, %s\n", *name, *b, m.Value)
	p.Put(b)
}
`

// publish adds a version of every module of a tree to a proxy: its go.mod file,
// and a zip file of what belongs to it and to no module inside of it.
func publish(t *testing.T, tree, proxy, home, version string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	names, err := options{dir: tree, force: true}.files()
	must(err)
	license, err := os.ReadFile(filepath.Join(tree, "LICENSE"))
	must(err)
	roots := map[string]bool{}
	for _, name := range names {
		if path.Base(name) == "go.mod" {
			roots[path.Dir(name)] = true
		}
	}
	moduleOf := func(name string) string {
		dir := path.Dir(name)
		for !roots[dir] {
			dir = path.Dir(dir)
		}
		return dir
	}
	for root := range roots {
		if strings.Contains(root, "testdata") {
			continue
		}
		versions := filepath.Join(proxy, filepath.FromSlash(path.Join(home, root)), "@v")
		must(os.MkdirAll(versions, 0o777))
		mod, err := os.ReadFile(filepath.Join(tree, root, "go.mod"))
		must(err)
		module, err := modulePath(filepath.Join(tree, root, "go.mod"))
		must(err)
		var archive bytes.Buffer
		z := zip.NewWriter(&archive)
		add := func(name string, data []byte) {
			w, err := z.Create(fmt.Sprintf("%s@%s/%s", module, version, name))
			must(err)
			_, err = w.Write(data)
			must(err)
		}
		for _, name := range names {
			if moduleOf(name) != root {
				continue
			}
			data, err := os.ReadFile(filepath.Join(tree, name))
			must(err)
			if root != "." {
				name = strings.TrimPrefix(name, root+"/")
			}
			add(name, data)
		}
		if root != "." { // the go command gives nested modules the licence of the repository
			add("LICENSE", license)
		}
		must(z.Close())
		list, err := os.OpenFile(filepath.Join(versions, "list"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		must(err)
		_, err = fmt.Fprintln(list, version)
		must(err)
		must(list.Close())
		must(os.WriteFile(filepath.Join(versions, version+".info"), fmt.Appendf(nil, `{"Version":%q,"Time":"2026-11-22T00:00:00Z"}`, version), 0o666))
		must(os.WriteFile(filepath.Join(versions, version+".mod"), mod, 0o666))
		must(os.WriteFile(filepath.Join(versions, version+".zip"), archive.Bytes(), 0o666))
	}
}
