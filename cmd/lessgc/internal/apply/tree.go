package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
)

// A Tree is a scratch checkout of the user's source, in a repository of its own that borrows the objects of
// the user's: nothing is written to that, or to the user's files, until Publish. Paths are relative to the
// top of the checkout, with slashes.
type Tree struct {
	Top      string // the folder of the checkout
	Dir      string // the folder in it that corresponds to the one of the user's
	Base     string // the commit that changes are made on
	Snapshot bool   // Base holds what was not committed, too

	store  string // the repository of the checkout
	source string // the top of the user's files
	git    bool   // the user's files are in a repository
	author string // as git var prints it
}

// repositoryFolder is the name of a Tree's repository in a result folder.
const repositoryFolder = "repository"

// NewTree checks the files of the folder wd out below tmp, as they are: uncommitted ones included, those that git
// ignores not. Its repository is a new folder in results, from which OpenTree goes on.
func NewTree(ctx context.Context, wd, results, tmp string) (*Tree, error) {
	t, err := locate(ctx, wd, results, tmp)
	if err != nil {
		return nil, err
	}
	if err := t.makeStore(ctx); err != nil {
		return nil, err
	}
	if t.Base, err = t.snapshot(ctx, results); err != nil {
		return nil, err
	}
	return t, t.checkOut(ctx, t.Base)
}

// OpenTree checks out what an earlier run has kept in results, on top of base.
func OpenTree(ctx context.Context, wd, results, tmp, base string) (*Tree, error) {
	t, err := locate(ctx, wd, results, tmp)
	if err != nil {
		return nil, err
	}
	t.Base = base
	for _, stale := range []string{"index.lock", "HEAD.lock", "worktrees"} { // of a run that was killed
		if err := os.RemoveAll(filepath.Join(t.store, stale)); err != nil {
			return nil, err
		}
	}
	if _, err := t.run(ctx, nil, "cat-file", "-e", base+"^{commit}"); err != nil {
		return nil, fmt.Errorf("%s does not hold the commit %.12s that it began with; start again without -resume", results, base)
	}
	if _, err := t.run(ctx, nil, "merge-base", "--is-ancestor", base, "HEAD"); err != nil {
		return nil, fmt.Errorf("the changes in %s are not made on the commit %.12s that it began with; start again without -resume", results, base)
	}
	return t, t.checkOut(ctx, "HEAD")
}

// locate finds the top of the user's files.
func locate(ctx context.Context, wd, results, tmp string) (*Tree, error) {
	t := &Tree{Top: filepath.Join(tmp, "tree"), store: filepath.Join(results, repositoryFolder), author: "lessgc <lessgc@localhost>"}
	if err := os.MkdirAll(t.Top, 0o777); err != nil {
		return nil, err
	}
	prefix, err := build.Git(ctx, wd, nil, "rev-parse", "--show-prefix")
	if err == nil {
		t.git = true
		if t.source, err = build.Git(ctx, wd, nil, "rev-parse", "--show-toplevel"); err != nil {
			return nil, err
		}
		if who, err := build.Git(ctx, wd, nil, "var", "GIT_AUTHOR_IDENT"); err == nil && strings.LastIndexByte(who, '>') > 0 {
			t.author = who[:strings.LastIndexByte(who, '>')+1]
		}
		t.Dir = filepath.Join(t.Top, filepath.FromSlash(prefix))
		return t, nil
	}
	if !errors.As(err, new(*build.Error)) {
		return nil, err // there is no git
	}
	module, err := moduleFolder(ctx, wd)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(module, wd)
	t.source, t.Dir = module, filepath.Join(t.Top, below)
	return t, err
}

// moduleFolder returns the folder of the workspace or the module that a folder is in.
func moduleFolder(ctx context.Context, dir string) (string, error) {
	out, err := build.Go(ctx, dir, mode.Default(), "env", "GOWORK", "GOMOD")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(out)) {
		if file := strings.TrimSpace(line); file != "" && file != "off" && file != os.DevNull {
			return filepath.Dir(file), nil
		}
	}
	return "", errors.New("the current folder is in no module; go to that of the source to be changed")
}

// makeStore makes the repository of the checkout.
func (t *Tree) makeStore(ctx context.Context) error {
	if _, err := build.Git(ctx, t.source, nil, "init", "--quiet", "--bare", "--template=", t.store); err != nil {
		return err
	}
	if _, err := t.run(ctx, nil, "config", "core.bare", "false"); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(t.store, "info"), 0o777); err != nil || !t.git {
		return err
	}
	objects, err := build.Git(ctx, t.source, nil, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(t.store, "objects", "info", "alternates"), []byte(objects+"\n"), 0o666); err != nil {
		return err
	}
	for _, name := range []string{"shallow", "info/exclude", "info/attributes"} {
		from, err := build.Git(ctx, t.source, nil, "rev-parse", "--path-format=absolute", "--git-path", name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err = cmp.Or(err, os.WriteFile(filepath.Join(t.store, filepath.FromSlash(name)), data, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// snapshot commits the user's files as they are, to the repository of the checkout. If nothing is uncommitted,
// the commit is the user's own.
func (t *Tree) snapshot(ctx context.Context, results string) (string, error) {
	head := ""
	if t.git {
		head, _ = build.Git(ctx, t.source, nil, "rev-parse", "--verify", "--quiet", "HEAD") // none of a new repository
		if head != "" {
			if changes, err := build.Git(ctx, t.source, nil, "--no-optional-locks", "status", "--porcelain"); err != nil || changes == "" {
				return head, err
			}
		}
	}
	if err := t.exclude(results); err != nil {
		return "", err
	}
	env := []string{"GIT_WORK_TREE=" + t.source, "GIT_INDEX_FILE=" + filepath.Join(t.store, "snapshot.index")}
	if head != "" {
		if _, err := t.run(ctx, env, "read-tree", head); err != nil {
			return "", err
		}
	}
	if _, err := t.run(ctx, env, "add", "--all"); err != nil {
		return "", err
	}
	tree, err := t.run(ctx, env, "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree, "-m", "uncommitted work, as lessgc apply found it"}
	if head != "" {
		if same, err := t.run(ctx, nil, "rev-parse", head+"^{tree}"); err == nil && same == tree {
			return head, nil
		}
		args = append(args, "-p", head)
	}
	t.Snapshot = t.git
	return t.run(ctx, t.identity(), args...)
}

// exclude keeps a result folder among the user's files out of the snapshot.
func (t *Tree) exclude(results string) error {
	below, err := filepath.Rel(t.source, results)
	if err != nil || !filepath.IsLocal(below) {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(t.store, "info", "exclude"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n/%s/\n", filepath.ToSlash(below))
	return errors.Join(err, f.Close())
}

// checkOut makes the folder of the checkout.
func (t *Tree) checkOut(ctx context.Context, commit string) error {
	if err := os.WriteFile(filepath.Join(t.Top, ".git"), []byte("gitdir: "+t.store+"\n"), 0o666); err != nil {
		return err
	}
	if _, err := t.run(ctx, nil, "checkout", "--quiet", "--force", "--detach", commit); err != nil {
		return err
	}
	if _, err := os.Stat(t.Dir); err != nil {
		return fmt.Errorf("the current folder holds no file that git knows: %w", err)
	}
	return nil
}

// identity is the environment in which git commits for the user.
func (t *Tree) identity() []string {
	name, mail, _ := strings.Cut(strings.TrimSuffix(t.author, ">"), "<")
	name = cmp.Or(strings.TrimSpace(name), "lessgc")
	return []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + mail, "GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + mail}
}

// run runs git in the checkout.
func (t *Tree) run(ctx context.Context, env []string, args ...string) (string, error) {
	return build.Git(ctx, t.Top, append([]string{"GIT_DIR=" + t.store, "GIT_WORK_TREE=" + t.Top}, env...), args...)
}

// Write puts new content into files of the checkout, which are there.
func (t *Tree) Write(files map[string][]byte) error {
	root, err := os.OpenRoot(t.Top)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, data := range files {
		f, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Reset takes back what has changed since the last commit, by Write or by the tests.
func (t *Tree) Reset(ctx context.Context) error {
	if _, err := t.run(ctx, nil, "reset", "--quiet", "--hard"); err != nil {
		return err
	}
	_, err := t.run(ctx, nil, "clean", "-ffdq")
	return err
}

// Commit commits the new content of files, and nothing else. It returns the commit.
func (t *Tree) Commit(ctx context.Context, files []string, message string) (string, error) {
	if _, err := t.run(ctx, nil, append([]string{"add", "--"}, files...)...); err != nil {
		return "", err
	}
	if _, err := t.run(ctx, t.identity(), "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim", "-m", message); err != nil {
		return "", err
	}
	return t.run(ctx, nil, "rev-parse", "HEAD")
}

// Publish moves a branch of the user's repository to what is committed in the checkout, or makes it. The branch
// must be an ancestor of that.
func (t *Tree) Publish(ctx context.Context, branch string) error {
	if !t.git {
		return nil
	}
	_, err := build.Git(ctx, t.source, nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules",
		t.store, "HEAD:refs/heads/"+branch)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("branch %s cannot be moved to what is kept: %w; rename it, and go on with -resume", branch, err)
	}
	return err
}

// CheckBranch checks that a branch can be made.
func (t *Tree) CheckBranch(ctx context.Context, branch string) error {
	if !t.git {
		return nil
	}
	if _, err := build.Git(ctx, t.source, nil, "check-ref-format", "--branch", branch); err != nil {
		return fmt.Errorf("-branch %q is not the name of a branch", branch)
	}
	if _, err := build.Git(ctx, t.source, nil, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch); err == nil {
		return fmt.Errorf("there is a branch %s already; name another with -branch, or delete it", branch)
	}
	return nil
}

// Patches returns the commits since Base as git am reads them; "" for none.
func (t *Tree) Patches(ctx context.Context) (string, error) {
	return t.run(ctx, nil, "format-patch", "--stdout", "--no-signature", "--no-ext-diff", t.Base+"..HEAD")
}

// Subjects returns those of the commits since Base, the last first.
func (t *Tree) Subjects(ctx context.Context) ([]string, error) {
	out, err := t.run(ctx, nil, "log", "--format=%s", t.Base+"..HEAD")
	return strings.Split(out, "\n"), err
}

// Diff returns the difference of the checkout to its last commit, for git apply: the lines at its end may be empty.
func (t *Tree) Diff(ctx context.Context) (string, error) {
	out, err := build.GitOutput(ctx, t.Top, []string{"GIT_DIR=" + t.store, "GIT_WORK_TREE=" + t.Top}, "diff", "--no-ext-diff", "--no-color", "HEAD")
	return string(out), err
}

// Changed returns the files that differ between Base and the last commit.
func (t *Tree) Changed(ctx context.Context) ([]string, error) {
	out, err := t.run(ctx, nil, "diff", "--name-only", "-z", t.Base, "HEAD")
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

// At returns the content of a file in a commit.
func (t *Tree) At(ctx context.Context, commit, file string) ([]byte, error) {
	return build.GitOutput(ctx, t.Top, []string{"GIT_DIR=" + t.store}, "cat-file", "blob", commit+":"+file)
}
