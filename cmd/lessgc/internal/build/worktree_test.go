package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/lockfile"
	"lessgc/cmd/lessgc/internal/mode"
)

// repository makes one with two commits. The second adds the folder "new".
func repository(t *testing.T) (dir string, git func(args ...string) string) {
	t.Helper()
	dir = t.TempDir()
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@example.com", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@example.com"} {
		t.Setenv(name, value)
	}
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet", "--initial-branch=main")
	write(t, dir, map[string]string{"top.txt": "one", "a/sub folder ü/x.txt": "one"})
	git("add", ".")
	git("commit", "--quiet", "-m", "one")
	git("tag", "-a", "v1", "-m", "annotated")
	write(t, dir, map[string]string{"top.txt": "two", "a/sub folder ü/x.txt": "two", "new/y.txt": "two"})
	git("add", ".")
	git("commit", "--quiet", "-m", "two")
	return dir, git
}

func TestRevision(t *testing.T) {
	dir, git := repository(t)
	head := git("rev-parse", "HEAD")
	check := func(dir, want string) {
		t.Helper()
		if got := Revision(t.Context(), dir); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(filepath.Join(dir, "a"), head)
	write(t, dir, map[string]string{"new.go": "package x"})
	check(dir, head+"+")
	git("add", ".")
	check(dir, head+"+")
	git("commit", "--quiet", "-m", "new")
	check(dir, git("rev-parse", "HEAD"))
	check(t.TempDir(), "")
}

func TestCommit(t *testing.T) {
	dir, git := repository(t)
	first, second := git("rev-parse", "HEAD~1"), git("rev-parse", "HEAD")
	check := func(in, rev, want string) {
		t.Helper()
		if got, err := Commit(t.Context(), filepath.Join(dir, in), rev); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %s", rev, got, err, want)
		}
	}
	check("", "HEAD", second)
	check("a/sub folder ü", "HEAD~1", first)
	check("", "main", second)
	check("", "main^", first)
	check("", "v1", first) // the commit, not the tag
	check("", first[:10], first)
	check("", second, second)

	bad := func(in, rev, want string) {
		t.Helper()
		if got, err := Commit(t.Context(), in, rev); err == nil || err.Error() != want {
			t.Errorf("%s: %q, %v, want %q", rev, got, err, want)
		}
	}
	bad(dir, "nowhere", "-base nowhere: git knows no such revision")
	bad(dir, "", "-base : git knows no such revision")
	bad(dir, "--all", "-base --all: git knows no such revision")
	bad(dir, "HEAD:top.txt", "-base HEAD:top.txt: git knows no such revision")
	outside := t.TempDir()
	bad(outside, "HEAD", "-base HEAD: "+outside+" is not in a git repository")
}

func TestWorktree(t *testing.T) {
	dir, git := repository(t)
	first := git("rev-parse", "v1^{commit}")
	write(t, dir, map[string]string{"top.txt": "not committed", "untracked.txt": "x"})
	status, worktrees := git("status", "--porcelain"), git("worktree", "list")
	unchanged := func(when string) {
		t.Helper()
		if got := git("status", "--porcelain"); got != status {
			t.Errorf("%s: the status is\n%s\nwant\n%s", when, got, status)
		}
		if got := git("worktree", "list"); got != worktrees {
			t.Errorf("%s: git still lists\n%s", when, got)
		}
		if got := git("branch", "--list"); got != "* main" {
			t.Errorf("%s: branches %q", when, got)
		}
	}
	check := func(in, file string) {
		t.Helper()
		tmp := t.TempDir()
		w, err := NewWorktree(t.Context(), filepath.Join(dir, in), first, tmp)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			return
		}
		if data, err := os.ReadFile(filepath.Join(w.Dir, file)); err != nil || string(data) != "one" || w.Commit != first {
			t.Errorf("%q: %s is %q, %v", in, file, data, err)
		}
		if _, err := os.Stat(filepath.Join(w.Dir, "untracked.txt")); err == nil {
			t.Errorf("%q: a file that is not in the revision", in)
		}
		// A build leaves files behind.
		write(t, w.Dir, map[string]string{"built/x": "x", file: "changed"})
		w.Remove()
		unchanged("after " + in)
		if entries, err := os.ReadDir(tmp); err != nil || len(entries) > 0 {
			t.Errorf("%q: left behind %v, %v", in, entries, err)
		}
	}
	check("", "top.txt")
	check("a", "sub folder ü/x.txt")
	check("a/sub folder ü", "x.txt")

	tmp := t.TempDir()
	_, err := NewWorktree(t.Context(), filepath.Join(dir, "new"), first, tmp)
	if want := "-base " + first[:12] + ": the folder new/ is not in that revision"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	unchanged("after a folder that is not there")

	// The folder was deleted by another process.
	w, err := NewWorktree(t.Context(), dir, first, tmp)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(tmp); err != nil {
		t.Fatal(err)
	}
	w.Remove()
	unchanged("after the folder was deleted")

	if _, err := NewWorktree(t.Context(), t.TempDir(), first, t.TempDir()); err == nil {
		t.Error("no error outside of a repository")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewWorktree(ctx, dir, first, t.TempDir()); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
	unchanged("after a run that was canceled")
}

// In a hook, git's own variables say where the index of the user is.
func TestWorktreeInHook(t *testing.T) {
	dir, git := repository(t)
	first := git("rev-parse", "v1^{commit}")
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, ".git", "index"))
	w, err := NewWorktree(t.Context(), filepath.Join(dir, "a"), first, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(w.Dir, "sub folder ü", "x.txt")); err != nil || string(data) != "one" {
		t.Errorf("%q, %v", data, err)
	}
	w.Remove()
	if status := git("status", "--porcelain"); status != "" {
		t.Errorf("the user's index was changed:\n%s", status)
	}
}

// TestWorktreeRunsNoHooks checks that what a repository or its owner has set up to
// run beside a checkout does not run.
func TestWorktreeRunsNoHooks(t *testing.T) {
	dir, git := repository(t)
	first := git("rev-parse", "v1^{commit}")
	ran := filepath.Join(t.TempDir(), "ran")
	script := "#!/bin/sh\necho $0 >>'" + ran + "'\n"
	hooks := filepath.Join(t.TempDir(), "hooks")
	for _, folder := range []string{hooks, filepath.Join(dir, ".git", "hooks")} {
		for _, name := range []string{"post-checkout", "reference-transaction", "post-index-change", "monitor"} {
			write(t, folder, map[string]string{name: script})
			if err := os.Chmod(filepath.Join(folder, name), 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(where string) {
		t.Helper()
		os.Remove(ran)
		w, err := NewWorktree(t.Context(), dir, first, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(filepath.Join(w.Dir, "top.txt")); err != nil || string(data) != "one" {
			t.Errorf("%q, %v", data, err)
		}
		write(t, w.Dir, map[string]string{"go.mod": "module example.com/x\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() {}\n"})
		t.Setenv("GOWORK", "off")
		if err := Program(t.Context(), w.Dir, mode.Default(), []string{"-buildvcs=true"}, ".", filepath.Join(t.TempDir(), "x")); err != nil {
			t.Error(err)
		}
		w.Remove()
		if said, err := os.ReadFile(ran); err == nil {
			t.Errorf("%s: these ran: %s", where, said)
		}
	}
	check(".git/hooks")
	git("config", "core.hooksPath", hooks)
	git("config", "core.fsmonitor", filepath.Join(hooks, "monitor"))
	check("core.hooksPath")
}

// TestWorktreeWithSubmodules checks that a checkout has the submodules of its
// revision, nested ones too, that nothing is fetched, and that nothing stays.
func TestWorktreeWithSubmodules(t *testing.T) {
	dir, git := repository(t)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "protocol.file.allow")
	t.Setenv("GIT_CONFIG_VALUE_0", "always")
	in := func(folder string, args ...string) string {
		t.Helper()
		return git(append([]string{"-C", folder}, args...)...)
	}
	made := func(files map[string]string) string {
		t.Helper()
		repo := t.TempDir()
		in(repo, "init", "--quiet", "--initial-branch=main")
		write(t, repo, files)
		in(repo, "add", ".")
		in(repo, "commit", "--quiet", "-m", "one")
		return repo
	}
	inner, outer, unused := made(map[string]string{"i.txt": "one"}), made(map[string]string{"o.txt": "one"}), made(map[string]string{"u.txt": "one"})
	in(outer, "submodule", "--quiet", "add", inner, "deep/inner")
	in(outer, "commit", "--quiet", "-m", "two")
	in(dir, "submodule", "--quiet", "add", outer, "libs/outer")
	in(dir, "submodule", "--quiet", "add", unused, "unused")
	in(dir, "submodule", "--quiet", "update", "--init", "--recursive")
	in(dir, "commit", "--quiet", "-m", "with submodules")
	base := in(dir, "rev-parse", "HEAD")
	// The working tree goes on.
	write(t, filepath.Join(dir, "libs/outer"), map[string]string{"o.txt": "two"})
	in(filepath.Join(dir, "libs/outer"), "commit", "--quiet", "-a", "-m", "two")
	in(dir, "commit", "--quiet", "-a", "-m", "later")
	in(dir, "submodule", "--quiet", "deinit", "--force", "unused")
	status := in(dir, "status", "--porcelain")

	tmp := t.TempDir()
	w, err := NewWorktree(t.Context(), filepath.Join(dir, "a"), base, tmp)
	if err != nil {
		t.Fatal(err)
	}
	top := filepath.Dir(w.Dir)
	for name, want := range map[string]string{"libs/outer/o.txt": "one", "libs/outer/deep/inner/i.txt": "one", "top.txt": "two"} {
		if data, err := os.ReadFile(filepath.Join(top, name)); err != nil || string(data) != want {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(top, "unused")); err != nil || len(entries) > 0 {
		t.Errorf("a submodule that is not checked out: %v, %v", entries, err)
	}
	w.Remove()
	nothingLeft := func(when string) {
		t.Helper()
		if entries, err := os.ReadDir(tmp); err != nil || len(entries) > 0 {
			t.Errorf("%s: left behind %v, %v", when, entries, err)
		}
		if list := in(dir, "worktree", "list"); strings.Contains(list, "base-") {
			t.Errorf("%s: git still lists\n%s", when, list)
		}
		if got := in(dir, "status", "--porcelain"); got != status {
			t.Errorf("%s: the status is\n%s\nwant\n%s", when, got, status)
		}
	}
	nothingLeft("after Remove")

	// The commit of a submodule is not there.
	write(t, inner, map[string]string{"i.txt": "elsewhere"})
	in(inner, "commit", "--quiet", "-a", "-m", "elsewhere")
	missing := in(inner, "rev-parse", "HEAD")
	in(dir, "update-index", "--cacheinfo", "160000,"+missing+",libs/outer")
	in(dir, "commit", "--quiet", "-m", "missing")
	gone := in(dir, "rev-parse", "HEAD")
	in(dir, "reset", "--quiet", "HEAD~1")
	_, err = NewWorktree(t.Context(), dir, gone, tmp)
	if want := "-base " + gone[:12] + ": submodule libs/outer has no commit " + missing[:12] + " there; fetch it with: git -C "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	nothingLeft("after a commit that is not there")
}

// TestKilledWorktrees checks that the records of killed runs go, with and without
// their folder, and that all others stay.
func TestKilledWorktrees(t *testing.T) {
	dir, git := repository(t)
	first := git("rev-parse", "v1^{commit}")
	mine := filepath.Join(t.TempDir(), "mine")
	git("worktree", "add", "--quiet", "--detach", mine, first)
	if err := os.RemoveAll(mine); err != nil { // it may come back: a disk that is not there
		t.Fatal(err)
	}
	made := func() *Worktree {
		t.Helper()
		w, err := NewWorktree(t.Context(), dir, first, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	listed := func(w *Worktree) bool {
		return strings.Contains(git("worktree", "list"), filepath.Base(filepath.Dir(w.root))+"/")
	}
	running, killed, vanished := made(), made(), made()
	// Their processes are this one; say that those of two have ended.
	for _, w := range []*Worktree{killed, vanished} {
		if err := (lockfile.Holder{PID: 1 << 30, Host: lockfile.Self().Host}).Save(filepath.Join(w.record, ownerFile)); err != nil {
			t.Fatal(err)
		}
	}
	ForgetWorktrees(filepath.Dir(killed.root))
	if listed(killed) || !listed(vanished) {
		t.Errorf("after ForgetWorktrees git lists\n%s", git("worktree", "list"))
	}
	if err := os.RemoveAll(vanished.root); err != nil {
		t.Fatal(err)
	}
	made().Remove()
	if listed(vanished) || !listed(running) {
		t.Errorf("after the next run git lists\n%s", git("worktree", "list"))
	}
	running.Remove()
	if list := git("worktree", "list"); !strings.Contains(list, "mine") || strings.Contains(list, "base-") {
		t.Errorf("at the end git lists\n%s", list)
	}
}

// TestForget checks that only a folder that is a record of the checkout is removed.
func TestForget(t *testing.T) {
	tmp := t.TempDir()
	write(t, tmp, map[string]string{
		"base-1/.git":             "gitdir: " + filepath.ToSlash(filepath.Join(tmp, "worktrees", "base-1")),
		"worktrees/base-1/gitdir": filepath.ToSlash(filepath.Join(tmp, "elsewhere", ".git")),
		"base-2/.git":             "gitdir: " + filepath.ToSlash(filepath.Join(tmp, "precious")),
		"precious/gitdir":         filepath.ToSlash(filepath.Join(tmp, "base-2", ".git")),
		"base-3/.git":             "nonsense",
		"base-4/.git":             "gitdir: " + filepath.ToSlash(filepath.Join(tmp, "worktrees", "base-4")),
		"worktrees/base-4/gitdir": filepath.ToSlash(filepath.Join(tmp, "base-4", ".git")) + "\n",
	})
	ForgetWorktrees(tmp)
	for name, want := range map[string]bool{"worktrees/base-1/gitdir": true, "precious/gitdir": true, "base-3/.git": true, "worktrees/base-4/gitdir": false} {
		if _, err := os.Stat(filepath.Join(tmp, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
