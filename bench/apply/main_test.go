package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// gitIn returns a function that runs git in a folder.
func gitIn(t *testing.T, dir string) func(args ...string) {
	return func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func TestModules(t *testing.T) {
	all, err := readModules("modules.txt", regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	unseen := 0
	for _, m := range all {
		if m.unseen {
			unseen++
		}
	}
	if len(all) < 10 || unseen < 6 {
		t.Errorf("%d modules, %d of them unseen", len(all), unseen)
	}
	if _, err := readModules("modules.txt", regexp.MustCompile("no such module")); err == nil {
		t.Error("no module is no error")
	}
}

func TestTable(t *testing.T) {
	out := t.TempDir()
	m := module{"example.com/x", "v1.0.0", "text", true}
	dir := filepath.Join(out, m.folder())
	write(t, filepath.Join(dir, "results", "report.json"), `{
	"attempts": [
		{"lever": "preallocate", "file": "a.go", "line": 3, "outcome": "kept"},
		{"lever": "builder", "file": "a.go", "line": 9, "outcome": "failed"},
		{"lever": "chunk", "file": "a.go", "line": 12, "outcome": "no gain"}],
	"person": [{"lever": "arena", "file": "a.go", "line": 12}, {"lever": "arena", "file": "b.go", "line": 1}],
	"total": [
		{"name": "A", "cpu": {"ratio": 0.9, "lo": 0.85, "hi": 0.95}, "bytes": {"ratio": 0.5}},
		{"name": "B", "cpu": {"ratio": 0.8, "lo": 0.7, "hi": 0.9}, "bytes": {"ratio": 2}}],
	"mean": {"ratio": 0.85, "lo": 0.8, "hi": 0.9}}`)
	write(t, filepath.Join(dir, finalFile), `{"Took": "5m0s", "Passed": 7, "Broken": ["TestX"]}`)
	write(t, filepath.Join(dir, "board.jsonl"), strings.Join([]string{
		`{"time":"2026-11-28T10:00:00Z","module":"example.com/x@0123","lever":"preallocate","line":"a.go:3","outcome":"kept","measured":{"lo":0,"hi":0.2},"saved":0.1,"freed":0}`,
		`{"time":"2026-11-28T10:01:00Z","module":"example.com/x@0123","lever":"builder","line":"a.go:9","outcome":"failed"}`, ""}, "\n"))
	write(t, filepath.Join(dir, settledFile), `{"0": {"Ratio": 0.75, "Lo": 0.5, "Hi": 1}}`)
	var w bytes.Buffer
	if err := table(&w, out, []module{m, {"example.com/y", "v1.2.3", "mail", false}}); err != nil {
		t.Fatal(err)
	}
	want := `module | kind | lines with advice | tried | kept | taken back | tests passed, broken | CPU time of the benchmarks that are touched | best | bytes | took
---|---|---|---|---|---|---|---|---|---|---
example.com/x@v1.0.0 (unseen) | text | 4 | 3 | 1 | 1 failed, 1 no gain | 7, 1 | -15.0 % [-20.0 %, -10.0 %] | -20.0 % [-30.0 %, -10.0 %] | +0.0 % | 5m0s
example.com/y@v1.2.3 | mail | not run

1 of 2 rewrites that passed their tests were kept; CPU time of 1 of 2 modules is less, interval included
`
	if w.String() != want {
		t.Errorf("%s\nwant\n%s", w.String(), want)
	}
	board, err := os.ReadFile(filepath.Join(out, "board.jsonl"))
	if err != nil || string(board) != strings.Join([]string{
		`{"time":"2026-11-28T10:00:00Z","module":"example.com/x@v1.0.0","lever":"preallocate","line":"a.go:3","outcome":"kept","measured":{"lo":0,"hi":0.5},"saved":0.25,"freed":0}`,
		`{"time":"2026-11-28T10:01:00Z","module":"example.com/x@v1.0.0","lever":"builder","line":"a.go:9","outcome":"failed"}`, ""}, "\n") {
		t.Errorf("%s %v", board, err)
	}
}

// TestBroken checks that a test counts as broken that passed before the changes only.
func TestBroken(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	git := gitIn(t, dir)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/x\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "x.go"), "package x\n\nconst n = 1\n")
	write(t, filepath.Join(dir, "x_test.go"), `package x

import "testing"

func TestOne(t *testing.T)   { if n != 1 { t.Error(n) } }
func TestTwo(t *testing.T)   { if n != 2 { t.Error(n) } }
func TestThree(t *testing.T) {}
`)
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "before")
	git("checkout", "-q", "-b", branch)
	write(t, filepath.Join(dir, "x.go"), "package x\n\nconst n = 2\n")
	git("commit", "-q", "-a", "-m", "after")
	git("checkout", "-q", "main")
	passed, names, err := broken(t.Context(), dir)
	if err != nil || passed != 2 || !slices.Equal(names, []string{"example.com/x.TestOne"}) {
		t.Errorf("%d passed, broken %v: %v", passed, names, err)
	}
}

// TestSettle checks which predictions are measured once more: those that the measurement is wider than.
func TestSettle(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "results", "report.json"), `{"base": "b", "attempts": [
	{"lever": "wide", "commit": "c", "rows": [{"name": "A", "predicted": {"lo": 0, "hi": 0.2}, "cpu": {"ratio": 0.9, "lo": 0.88, "hi": 0.92}}]},
	{"lever": "narrow", "rows": [
		{"package": "x", "name": "A", "predicted": {"lo": 0, "hi": 0.005}, "cpu": {"ratio": 1, "lo": 0.9, "hi": 1.1}},
		{"package": "x", "name": "B/c", "predicted": {"lo": 0, "hi": 0.02}, "cpu": {"ratio": 1, "lo": 0.9, "hi": 1.1}},
		{"package": "x", "name": "C", "cpu": {"ratio": 1, "lo": 0.9, "hi": 1.1}}]},
	{"lever": "unmeasured"}]}`)
	calls := 0
	compared := func(_ context.Context, _, _, before string, a attempt, x *row, _ time.Duration) (effect, error) {
		calls++
		if before != "c" || a.Lever != "narrow" || x.Name != "B/c" {
			t.Errorf("%s of %s is compared with %s", x.Name, a.Lever, before)
		}
		return effect{Ratio: 0.99, Lo: 0.985, Hi: 0.995}, nil
	}
	for range 2 { // the second time all are settled
		if err := settle(t.Context(), "", dir, time.Second, compared); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 1 {
		t.Errorf("%d comparisons, want 1", calls)
	}
	e, err := cpu([]byte(`{"cells": [{"ref": -1}, {"ref": 0, "aa": true}, {"ref": 0}], "rows": [{"name": "A"}, {"name": "B/c"}], "metrics": [{"name": "wall"}, {"name": "cpu"}],
	"comparisons": [{"row": -1, "cell": 2, "metric": 1, "bounded": true, "ratio": 1}, {"row": 1, "cell": 2, "metric": 0, "bounded": true, "ratio": 2},
	{"row": 1, "cell": 1, "metric": 1, "bounded": true, "ratio": 3}, {"row": 1, "cell": 2, "metric": 1, "bounded": true, "ratio": 0.5, "lo": 0.4, "hi": 0.6}]}`), "B/c")
	if err != nil || e.Ratio != 0.5 || e.Lo != 0.4 || e.Hi != 0.6 {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestCopyFolder checks that what is vendored is left out: a module of the cache has the list of it, and nothing else.
func TestCopyFolder(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	for _, name := range []string{"go.mod", "a/a.go", "vendor/modules.txt", "a/vendor/v.go"} {
		write(t, filepath.Join(from, filepath.FromSlash(name)), "x")
	}
	if err := copyFolder(to, from); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"go.mod": true, "a/a.go": true, "vendor": false, "a/vendor/v.go": true} {
		if _, err := os.Stat(filepath.Join(to, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCompare checks that a change that was taken back is compared as it was tried: its diff ends with empty lines of the context, and in
// elder reports without a newline.
func TestCompare(t *testing.T) {
	source := t.TempDir()
	git := gitIn(t, source)
	write(t, filepath.Join(source, "x.txt"), "old\nlast\n\n")
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "before")
	tool := filepath.Join(t.TempDir(), "tool")
	write(t, tool, `#!/bin/sh
grep -q new x.txt && echo '{"cells": [{}], "rows": [{"name": "A"}], "metrics": [{"name": "cpu"}], "comparisons": [{"bounded": true, "ratio": 0.5}]}'
`)
	if err := os.Chmod(tool, 0o777); err != nil {
		t.Fatal(err)
	}
	const head = "diff --git a/x.txt b/x.txt\n--- a/x.txt\n+++ b/x.txt\n"
	for _, diff := range []string{head + "@@ -1,2 +1,2 @@\n-old\n+new\n last", head + "@@ -1,3 +1,3 @@\n-old\n+new\n last\n \n"} {
		e, err := compare(t.Context(), tool, source, "main", attempt{Diff: diff}, &row{Package: ".", Name: "A"}, time.Second)
		if err != nil || e.Ratio != 0.5 {
			t.Errorf("%q: %+v, %v", diff, e, err)
		}
	}
}
