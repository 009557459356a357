package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

	// Somebody else deleted the folder.
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
