package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Worktree is a git revision checked out beside the working tree.
type Worktree struct {
	Commit string // the full hash
	Dir    string // the folder that corresponds to the one asked for
	root   string // of the checkout
	repo   string // folder of the working tree it belongs to
}

// Commit resolves a revision of the repository that holds dir to a full hash.
func Commit(ctx context.Context, dir, rev string) (string, error) {
	out, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		if !errors.As(err, new(*Error)) { // git did not run
			return "", err
		}
		if _, inRepo := git(ctx, dir, "rev-parse", "--git-dir"); inRepo != nil {
			return "", fmt.Errorf("-base %s: %s is not in a git repository", rev, dir)
		}
		return "", fmt.Errorf("-base %s: git knows no such revision", rev)
	}
	return out, nil
}

// NewWorktree checks commit out under tmp. The caller calls Remove.
func NewWorktree(ctx context.Context, dir, commit, tmp string) (*Worktree, error) {
	prefix, err := git(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	root := filepath.Join(tmp, "base-"+commit[:12])
	if _, err := git(ctx, dir, "worktree", "add", "--detach", "--force", root, commit); err != nil {
		return nil, err
	}
	w := &Worktree{Commit: commit, Dir: filepath.Join(root, prefix), root: root, repo: dir}
	if _, err := os.Stat(w.Dir); err != nil {
		w.Remove()
		return nil, fmt.Errorf("-base %s: the folder %s is not in that revision", commit[:12], prefix)
	}
	return w, nil
}

// Remove deletes the checkout and git's record of it. It does its work even
// when the context of the run has ended.
func (w *Worktree) Remove() {
	if _, err := git(context.Background(), w.repo, "worktree", "remove", "--force", w.root); err != nil {
		os.RemoveAll(w.root)
		git(context.Background(), w.repo, "worktree", "prune")
	}
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := run(ctx, dir, environ(), "git", args...)
	return strings.TrimSpace(string(out)), err
}
