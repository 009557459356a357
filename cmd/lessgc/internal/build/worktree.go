package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/lockfile"
)

// A Worktree is a git revision checked out beside the working tree.
type Worktree struct {
	Commit string // the full hash
	Dir    string // the folder that corresponds to the one asked for
	root   string // of the checkout
	record string // git's folder about it
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

// Revision returns the hash of the commit that is checked out where dir is, with a plus sign
// behind it if anything there is not committed. It is "" outside of a repository, or without
// git.
func Revision(ctx context.Context, dir string) string {
	commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return ""
	}
	if changes, err := git(ctx, dir, "--no-optional-locks", "status", "--porcelain"); err != nil || changes != "" {
		commit += "+"
	}
	return commit
}

// NewWorktree checks commit out under tmp, with the submodules that are there in the
// working tree too. The caller calls Remove.
func NewWorktree(ctx context.Context, dir, commit, tmp string) (*Worktree, error) {
	prefix, err := git(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	forgetKilled(ctx, dir)
	root := filepath.Join(tmp, "base-"+commit[:12])
	if _, err := git(ctx, dir, "worktree", "add", "--detach", "--force", root, commit); err != nil {
		forget(recordOf(root), root)
		return nil, err
	}
	w := &Worktree{Commit: commit, Dir: filepath.Join(root, prefix), root: root, record: recordOf(root)}
	lockfile.Self().Save(filepath.Join(w.record, ownerFile)) // without it, only this run removes the record
	if _, err := os.Stat(w.Dir); err != nil {
		w.Remove()
		return nil, fmt.Errorf("-base %s: the folder %s is not in that revision", commit[:12], prefix)
	}
	if err := w.submodules(ctx, top, commit, "."); err != nil {
		w.Remove()
		return nil, err
	}
	return w, nil
}

// submodules fills the folders of the submodules that a commit of the repository top
// names, below the folder at of the checkout. A submodule that is not checked out in
// the working tree stays empty, as it is there. Nothing is fetched.
func (w *Worktree) submodules(ctx context.Context, top, commit, at string) error {
	tree, err := git(ctx, top, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(tree, "\x00") {
		what, path, _ := strings.Cut(entry, "\t")
		hash, isSubmodule := strings.CutPrefix(what, "160000 commit ")
		if !isSubmodule {
			continue
		}
		source, name := filepath.Join(top, path), filepath.Join(at, path)
		if _, err := os.Lstat(filepath.Join(source, ".git")); err != nil || !filepath.IsLocal(path) {
			continue
		}
		if _, err := git(ctx, source, "cat-file", "-e", hash+"^{commit}"); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("-base %s: submodule %s has no commit %.12s there; fetch it with: git -C %s fetch origin %s", w.Commit[:12], filepath.ToSlash(name), hash, source, hash)
		}
		if err := w.fill(ctx, source, hash, name); err != nil {
			return fmt.Errorf("-base %s: submodule %s: %w", w.Commit[:12], filepath.ToSlash(name), err)
		}
		if err := w.submodules(ctx, source, hash, name); err != nil {
			return err
		}
	}
	return nil
}

// fill writes the files of a commit of another repository into a folder of the
// checkout.
func (w *Worktree) fill(ctx context.Context, repo, commit, name string) error {
	root, err := os.OpenRoot(w.root)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(name, 0o777); err != nil { // not through a link that leads elsewhere
		return err
	}
	index := w.root + ".index"
	defer os.Remove(index)
	for _, args := range [][]string{
		{"read-tree", commit},
		{"checkout-index", "--all", "--force", "--prefix=" + filepath.Join(w.root, name) + string(filepath.Separator)},
	} {
		if _, err := run(ctx, repo, append(environ(), "GIT_INDEX_FILE="+index), "git", quietly(args...)...); err != nil {
			return err
		}
	}
	return nil
}

// Remove deletes the checkout and git's record of it, and no other's. Git's own
// command refuses if there are submodules.
func (w *Worktree) Remove() {
	os.RemoveAll(w.root)
	forget(w.record, w.root)
}

// ownerFile names the process that made a checkout, in git's record of it.
const ownerFile = "lessgc"

// ForgetWorktrees removes git's records of the checkouts in dir, a folder that
// NewWorktree was called with by a process that is gone.
func ForgetWorktrees(dir string) {
	roots, _ := filepath.Glob(filepath.Join(dir, "base-*"))
	for _, root := range roots {
		forget(recordOf(root), root)
	}
}

// forgetKilled removes the records in the repository of dir whose process is gone:
// the checkouts themselves may have gone with a restart of the machine.
func forgetKilled(ctx context.Context, dir string) {
	common, err := git(ctx, dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return
	}
	owners, _ := filepath.Glob(filepath.Join(common, "worktrees", "base-*", ownerFile))
	for _, file := range owners {
		if owner, err := lockfile.Load(file); err == nil && owner.PID != 0 && owner.Gone() {
			os.RemoveAll(filepath.Dir(file))
		}
	}
}

// recordOf returns the folder in which git keeps what it knows of a checkout, or ""
// if root is none.
func recordOf(root string) string {
	text, ok := smallFile(filepath.Join(root, ".git"))
	record, isRecord := strings.CutPrefix(text, "gitdir: ")
	if !ok || !isRecord || filepath.Base(filepath.Dir(record)) != "worktrees" {
		return ""
	}
	return filepath.FromSlash(record)
}

// forget removes a record if it is that of the checkout root.
func forget(record, root string) {
	if record == "" {
		return
	}
	text, ok := smallFile(filepath.Join(record, "gitdir"))
	if !ok || !samePath(filepath.FromSlash(text), filepath.Join(root, ".git")) {
		return
	}
	os.RemoveAll(record)
	os.Remove(filepath.Dir(record)) // if it was the only one
}

// samePath compares paths of files that need not exist any more. Git resolves links.
func samePath(a, b string) bool {
	if a == b {
		return true
	}
	for dir, rest := filepath.Split(b); ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		dir = filepath.Clean(dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return a == filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// smallFile reads a regular file of a line.
func smallFile(name string) (text string, ok bool) {
	const most = 64 << 10
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return "", false
	}
	data, err := os.ReadFile(name)
	return strings.TrimRight(string(data), "\r\n"), err == nil
}

// quiet are settings that keep git from running programs of the user's beside the checkout: hooks,
// a file system monitor, and checkouts of submodules, which fetch. Filters that the
// user has set up for the repository's files are run: without them the files would
// be others.
var quiet = []string{"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "submodule.recurse=false", "worktree.useRelativePaths=false"}

// quietly returns the arguments of a git command with quiet in front.
func quietly(args ...string) []string {
	var all []string
	for _, setting := range quiet {
		all = append(all, "-c", setting)
	}
	return append(all, args...)
}

// quietEnviron is quiet for the git commands that the go command runs, from git 2.31
// on.
func quietEnviron() []string {
	env := []string{fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(quiet))}
	for i, setting := range quiet {
		key, value, _ := strings.Cut(setting, "=")
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, value))
	}
	return env
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	return Git(ctx, dir, nil, args...)
}

// Git runs a git command in dir, with some variables added to its environment, and returns what it prints, without space around
// it. No hook runs.
func Git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	out, err := GitOutput(ctx, dir, env, args...)
	return strings.TrimSpace(string(out)), err
}

// GitOutput is Git with the output as it is.
func GitOutput(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	return run(ctx, dir, append(environ(), env...), "git", quietly(args...)...)
}
