package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repository is the root of this repository, seen from here.
const repository = "../.."

// TestText checks what is the path and what is only the word. The path without
// a host is "word" here, so that moving this repository leaves the tests alone.
func TestText(t *testing.T) {
	const to = "example.org/x/word"
	check := func(old, new, text, want string) {
		t.Helper()
		r := newRewriter(old, new, []string{"arena/a.go", "cmd/word/main.go", "vet/rule/r.go", "docs/a.md"})
		got, _ := r.text(text)
		if got != want {
			t.Errorf("%s to %s: %q is\n%q, want\n%q", old, new, text, got, want)
		}
		if again, n := newRewriter(new, new, nil).text(got); n > 0 && again != got {
			t.Errorf("a second time, %q becomes %q", got, again)
		}
	}
	moved := func(text string) { t.Helper(); check("word", to, text, strings.Replace(text, "word", to, 1)) }
	kept := func(text string) { t.Helper(); check("word", to, text, text) }

	moved(`import "word/arena"`)
	moved("(*word/arena.Arena).Free")
	moved("[word/arena.Arena]")
	moved(`"word/vet/`)
	moved("go install word/cmd/word")
	moved("-X=word/cmd/word/internal/a.B=c")
	moved("the packages of word/arena.")
	moved("-gcflags=word/...=-d=checkptr")
	moved(`"\nword/arena"`)
	moved("https://pkg.go.dev/word/vet/rule")
	moved("https://pkg.go.dev/word")
	moved("module word")
	moved("require word v0.0.0")
	moved("\tword v0.0.0 // indirect")
	moved(`"x\n\tword v0.0.0"`)
	moved("replace word => ../..")
	moved("replace word v0.0.0 => ../..")
	moved("go mod edit -replace=word=$ROOT")
	moved("go mod edit -require=word@v0.0.0")
	moved("go mod edit -replace=word/vet=$ROOT/vet")

	kept("word vet ./...")
	kept("./cmd/word/internal/a")
	kept("./cmd/word/...")
	kept("word/. word/.. word/")
	kept("cmd/word/testdata")
	kept("/debug/word")
	kept("~/.cache/word/arena")
	kept("../word/arena")
	kept("word/results, word/docs and word/arenas")
	kept("word-results/arena")
	kept("words/arena, sword/arena, my.word/arena, x@word/arena")
	kept("word.test, word.bench")
	kept("word v0.1.0 (linux)")
	kept("a module word is a word")
	kept(`"word"`)
	kept("-name=word=x")
	kept(to + "/arena")

	const from = "old.org/word"
	moved = func(text string) { t.Helper(); check(from, to, text, strings.Replace(text, from, to, 1)) }
	kept = func(text string) { t.Helper(); check(from, to, text, text) }
	moved(`"old.org/word"`)
	moved("old.org/word/anything")
	moved("old.org/word.")
	moved("https://old.org/word.git")
	moved("pkg/mod/old.org/word@v0.1.0/arena")
	kept("old.org/words old.org/word-vet old.org/word.v2 bold.org/word old-old.org/word")

	check(from, from+"/deep", "old.org/word/arena old.org/word/deep/arena", "old.org/word/deep/arena old.org/word/deep/arena")
	check("old.org/a/b", "old.org/a", "old.org/a/b/c old.org/a/c", "old.org/a/c old.org/a/c")
}

// TestCheckPath checks what is refused as a module path, and why.
func TestCheckPath(t *testing.T) {
	for _, good := range []string{"example.org/path", "github.com/Some-one/less.gc", "example.org", "go.example.org/x/_y~z/v"} {
		if err := checkPath(good); err != nil {
			t.Error(err)
		}
	}
	for bad, want := range map[string]string{
		"":                        "no dot",
		"word":                    "no dot",
		"word/arena.x":            "no dot",
		"https://example.org/x":   "is a URL",
		"Example.org/x":           "not a host name",
		"-example.org/x":          "not a host name",
		"example.org//x":          "empty element",
		"example.org/x/":          "empty element",
		"example.org/a b":         `"a b"`,
		"example.org/a@v1":        `"a@v1"`,
		"example.org/ä":           `"ä"`,
		"example.org/.x":          `".x"`,
		"example.org/../x":        `".."`,
		"example.org/x.":          "ends with a dot",
		"example.org/x/v2":        "major version v2",
		"gopkg.in/x.v1":           "gopkg.in",
		"example.org/x\nmodule y": "not allowed there",
	} {
		if err := checkPath(bad); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", bad, err, want)
		}
	}
	for _, good := range []string{"", "v0.1.0", "v1.20.3-rc.1"} {
		if err := checkVersion(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"0.1.0", "v0.1", "v01.0.0", "v2.0.0", "v0.1.0+meta", "latest"} {
		if err := checkVersion(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// descriptor makes a file descriptor as protoc-gen-go writes it: fields of all
// wire types, and options around the package.
func descriptor(pkg string) string {
	options := "\x42\x03abc" + "\x5a" + string(rune(len(pkg))) + pkg + "\x50\x01"
	raw := "\x0a\x03a.b" + "\x51\x01\x02\x03\x04\x05\x06\x07\x08" + "\x55\x01\x02\x03\x04" + "\x42" + string(rune(len(options))) + options + "b\x06proto3"
	var b strings.Builder
	b.WriteString("package pb\n\nconst file_a_rawDesc = \"\"")
	for _, line := range strings.SplitAfter(raw, "\n") {
		fmt.Fprintf(&b, " +\n\t%q", line)
	}
	return b.String() + "\n\nconst other = 1 + 1\n"
}

// sample is the files of a repository like this one, at a module path.
func sample(module string) map[string]string {
	sorted := fmt.Sprintf("\t%q\n\t%q\n", "golang.org/x/net", module+"/arena")
	if module < "golang.org" {
		sorted = fmt.Sprintf("\t%q\n\t%q\n", module+"/arena", "golang.org/x/net")
	}
	required := "\tgolang.org/x/net v0.1.0\n\t" + module + " v0.0.0\n"
	if module < "golang.org" {
		required = "\t" + module + " v0.0.0\n\tgolang.org/x/net v0.1.0\n"
	}
	replaced := "\tother.org/x => ./x\n"
	if own := "\t" + module + " => ../..\n\t" + module + "/rpc => ../../rpc\n"; module < "other.org" {
		replaced = own + replaced
	} else {
		replaced += own
	}
	return map[string]string{
		"go.mod":                           "module " + module + "\n\ngo 1.25\n",
		"go.work":                          "go 1.26.0\n\nuse (\n\t.\n\t./rpc\n\t./cmd/word\n)\n",
		"arena/a.go":                       "package arena\n",
		"rpc/go.mod":                       "module " + module + "/rpc\n\ngo 1.25\n\nreplace " + module + " => ../\n\nrequire (\n" + required + ")\n",
		"rpc/go.sum":                       "golang.org/x/net v0.1.0 h1:x\n",
		"rpc/a.go":                         "package rpc\n\nimport (\n\t\"fmt\"\n\n" + sorted + ")\n",
		"rpc/a.pb.go":                      descriptor(module + "/rpc"),
		"cmd/word/go.mod":                  "module " + module + "/cmd/word\n\ngo 1.25\n\nrequire " + module + "/rpc v0.0.0\n\nreplace (\n" + replaced + ")\n",
		"cmd/word/main.go":                 "// The command word.\npackage main\n\nimport _ \"" + module + "/rpc\"\n",
		"cmd/word/bad.go":                  "package main\n\nimport (\n   \"" + module + "/rpc\"\n)\n",
		"cmd/word/testdata/script/a.txtar": "exec word vet ./...\n-- go.mod --\nmodule m\n\nrequire " + module + " v0.0.0\n",
		"docs/a.md":                        "word is `" + module + "/arena`: https://pkg.go.dev/" + module + "/arena\n",
		"binary":                           "\x00\"word/arena\"",
	}
}

// write makes a repository with one commit.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, dir, "init", "-q")
	return dir
}

// commit runs a git command and commits everything.
func commit(t *testing.T, dir string, args ...string) {
	t.Helper()
	for _, args := range [][]string{args, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty", "-m", "m"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
}

func compare(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s: %v\n%q, want\n%q", name, err, got, text)
		}
	}
}

// in runs the command in a repository.
func in(dir string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	before, wrong := os.Getwd()
	if wrong == nil {
		wrong = os.Chdir(dir)
	}
	if wrong != nil {
		panic(wrong)
	}
	defer os.Chdir(before)
	code = run(&out, &err, args)
	return code, out.String(), err.String()
}

// TestTree moves a repository twice, dry, twice to the same path, and with a
// move that was interrupted.
func TestTree(t *testing.T) {
	dir := write(t, sample("word"))
	check := func(wantCode int, wantOut, wantErr string, args ...string) {
		t.Helper()
		code, stdout, stderr := in(dir, args...)
		if code != wantCode || !strings.Contains(stdout, wantOut) || !strings.Contains(stderr, wantErr) || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%q: exit status %d, stdout %q, stderr %q; want %d, %q, %q", args, code, stdout, stderr, wantCode, wantOut, wantErr)
		}
	}
	check(0, "would rewrite docs/a.md (2)\n", "", "-n", "example.org/a")
	compare(t, dir, sample("word"))
	check(0, "\nrewrote go.mod (1)\nword -> example.org/a: rewrote 15 occurrences in 9 files\n", "", "example.org/a")
	compare(t, dir, sample("example.org/a"))
	check(2, "", "rehome: 9 files have uncommitted changes, the first is cmd/word/bad.go; commit them, or add -force\n", "zoo.org/a")
	compare(t, dir, sample("example.org/a"))
	check(0, "example.org/a -> example.org/a: rewrote 0 occurrences in 0 files\n", "", "-force", "example.org/a")
	check(0, "", "", "-force", "zoo.org/long/b")
	compare(t, dir, sample("zoo.org/long/b"))

	check(2, "", `rehome: invalid module path "word"`, "-force", "word")
	check(2, "", "name one module path")
	check(2, "", "name one module path", "a.org/b", "a.org/c")
	check(2, "", `rehome: invalid version "v2.0.0"`, "-force", "-release", "v2.0.0")
	compare(t, dir, sample("zoo.org/long/b"))

	// Interrupted: everything is written but the last file.
	dir = write(t, sample("word"))
	check(0, "", "", "example.org/a/word")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(sample("word")["go.mod"]), 0o666); err != nil {
		t.Fatal(err)
	}
	check(0, "rewrote 1 occurrences in 1 files\n", "", "-force", "example.org/a/word")
	compare(t, dir, sample("example.org/a/word"))

	// Elsewhere: in a module below the root, in a folder of no repository, and in none.
	root := dir
	dir = filepath.Join(root, "rpc")
	check(2, "", "go.work: no such file or directory; run it at the root of the repository", "-force", "example.org/b")
	compare(t, root, sample("example.org/a/word"))
	dir = t.TempDir()
	check(2, "", "go.mod: no such file or directory; run it at the root of the repository", "example.org/a")
	for _, name := range []string{"go.mod", "go.work"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(sample("word")[name]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check(2, "", "run it in a clone of the repository", "example.org/a")
}

// TestReleaseMode checks the go.mod files of a release, from a path without a
// host and again with the next version.
func TestReleaseMode(t *testing.T) {
	const home = "example.org/a"
	dir := write(t, sample("word"))
	if code, _, stderr := in(dir, "-release", "v0.1.0"); code != 2 || !strings.Contains(stderr, "nothing can be fetched from there") {
		t.Errorf("exit status %d, stderr %q", code, stderr)
	}
	for _, version := range []string{"v0.1.0", "v0.2.0"} {
		want := sample(home)
		want["rpc/go.mod"] = "module " + home + "/rpc\n\ngo 1.25\n\nrequire (\n\t" + home + " " + version + "\n\tgolang.org/x/net v0.1.0\n)\n"
		want["cmd/word/go.mod"] = "module " + home + "/cmd/word\n\ngo 1.25\n\nrequire " + home + "/rpc " + version + "\n\nreplace (\n\tother.org/x => ./x\n)\n"
		want["go.work"] += "\nreplace (\n\t" + home + " " + version + " => .\n\t" + home + "/rpc " + version + " => ./rpc\n\t" + home + "/cmd/word " + version + " => ./cmd/word\n)\n"
		if code, stdout, stderr := in(dir, "-release", version, home); code != 0 || !strings.HasSuffix(stdout, fmt.Sprintf("tags: %[1]s rpc/%[1]s cmd/word/%[1]s\n", version)) {
			t.Errorf("exit status %d, stdout %q, stderr %q", code, stdout, stderr)
		}
		compare(t, dir, want)
		commit(t, dir, "status")
		if code, stdout, stderr := in(dir, "-release", version); code != 0 || !strings.Contains(stdout, "rewrote 0 occurrences in 0 files\n") {
			t.Errorf("a second time: exit status %d, stdout %q, stderr %q", code, stdout, stderr)
		}
	}
	// The hashes of a release are not those of another path's.
	sum := filepath.Join(dir, "rpc/go.sum")
	if err := os.WriteFile(sum, []byte("example.org/a v0.2.0 h1:x\nexample.org/a/x v0.2.0/go.mod h1:x\n"+sample("")["rpc/go.sum"]), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := in(dir, "-force", "example.org/b"); code != 0 {
		t.Error(stderr)
	}
	compare(t, dir, map[string]string{"rpc/go.sum": sample("")["rpc/go.sum"]})
}

// TestOwnTree moves this repository without writing it: no import of the old
// path is left, and by way of another path everything is the same as directly.
func TestOwnTree(t *testing.T) {
	old, err := modulePath(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const to, between = "example.com/some/where/else", "example.net/" + "short" // this file moves, too
	names, err := options{dir: repository, force: true}.files()
	if err != nil {
		t.Skip("there is no git repository: ", err)
	}
	direct, first, second := newRewriter(old, to, names), newRewriter(old, between, names), newRewriter(between, to, names)
	moved := 0
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			continue // deleted, or a link to a folder
		}
		want, n, err := direct.file(name, data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		moved += n
		once, _, err := first.file(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := second.file(name, once); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is another if it moves twice: %v", name, err)
		}
		if path.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, want, parser.ImportsOnly)
		if err != nil {
			continue // test data that is meant to be wrong
		}
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && (imported == old || strings.HasPrefix(imported, old+"/")) {
				t.Errorf("%s still imports %s", name, imported)
			}
		}
	}
	if moved < 500 {
		t.Errorf("%d places moved, want more", moved)
	}
}

// TestDescriptors checks descriptors that cannot be taken apart.
func TestDescriptors(t *testing.T) {
	r := newRewriter("word", "example.org/a", slices.Sorted(maps.Keys(sample("word"))))
	for text, want := range map[string]string{
		`"\x42\x7fword/rpc"`:         "cut off",
		`"\x42"`:                     "cut off",
		`"\x80"`:                     "cut off",
		`"\x08\x80"`:                 "cut off",
		`"\x51word/rpc"[:4]`:         "not a sum of string literals",
		`"\x0bword/rpc"`:             "a group",
		`"\x42\x03\x5a\x7f" + "abc"`: "cut off",
	} {
		if _, _, err := r.file("a.pb.go", []byte("package pb // word/rpc\n\nconst a_rawDesc = "+text+"\n")); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a_rawDesc") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, _, err := r.file("a.pb.go", []byte("word/rpc")); err == nil {
		t.Error("a file that is not Go has descriptors")
	}
}
