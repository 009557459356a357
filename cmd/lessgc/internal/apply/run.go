package apply

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/lockfile"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/offline"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/source"
	"lessgc/cmd/lessgc/internal/vetrun"
)

// A Runner carries advice out. Its methods are called one after the other, by one goroutine, and the current folder has
// to be Dir meanwhile.
type Runner struct {
	State    *attempt.State
	Attempts []attempt.Attempt // so far
	Progress *progress.Printer

	results  string // the result folder
	tmp      string // for temporary files; removed by the caller
	tree     *Tree
	profiles *profiles
	modules  []string
	packages map[string]string   // import paths, by folder
	linked   map[string][]string // the packages whose tests a package is linked into
	coded    map[string]bool     // those that have files other than tests, for the system
	whole    int64               // bytes of the file of attempts
	firsts   map[string]string   // the first version of files that have changed, by name in the checkout

	root *os.Root       // the result folder, for lock
	lock *lockfile.Lock // of the result folder

	before map[string]testResult // test results of the last commit, by the arguments
	single map[string]bool       // keys of the changes that are tried by themselves, as they were not kept with others

	// Done is called with each attempt, once it is stored.
	Done func(*attempt.Attempt) error
}

// lockFile is held while a run goes on in a result folder.
const lockFile = "lock"

// newRunner takes a result folder, which is there, for a run.
func newRunner(s *attempt.State, results, tmp string, p *progress.Printer) (*Runner, error) {
	root, err := os.OpenRoot(results)
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(root, lockFile, lockfile.Self(os.Args[1:]...))
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Runner{State: s, Progress: p, results: results, tmp: tmp, root: root, lock: lock, before: map[string]testResult{}, single: map[string]bool{}, firsts: map[string]string{}}, nil
}

// Close lets others go on with the result folder.
func (r *Runner) Close() error { return errors.Join(r.lock.Release(), r.root.Close()) }

// Start begins a run in the folder wd, in a new result folder, which is there. tmp is an empty folder for temporary files.
// The caller calls Close.
func Start(ctx context.Context, s *attempt.State, wd, results, tmp string, p *progress.Printer) (*Runner, error) {
	r, err := newRunner(s, results, tmp, p)
	if err != nil {
		return nil, err
	}
	if err := r.start(ctx, wd); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Runner) start(ctx context.Context, wd string) (err error) {
	if r.tree, err = NewTree(ctx, wd, r.results, r.tmp); err != nil {
		return err
	}
	s := r.State
	if err := r.tree.CheckBranch(ctx, s.Branch); err != nil {
		return err
	}
	s.Format, s.Base, s.Snapshot = attempt.Format, r.tree.Base, r.tree.Snapshot
	if !r.tree.git {
		s.Branch = ""
	}
	return r.begin(ctx)
}

// Resume goes on with a run that has ended before its time. The caller calls Close.
func Resume(ctx context.Context, s *attempt.State, results, tmp string, p *progress.Printer) (*Runner, error) {
	r, err := newRunner(s, results, tmp, p)
	if err != nil {
		return nil, err
	}
	if err := r.resume(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Runner) resume(ctx context.Context) (err error) {
	if r.Attempts, r.whole, err = attempt.ReadAttempts(r.results); err != nil {
		return err
	}
	if r.tree, err = OpenTree(ctx, r.State.Dir, r.results, r.tmp, r.State.Base); err != nil {
		return err
	}
	r.parted()
	if err := r.reconcile(ctx); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Attempts, func(a attempt.Attempt) bool { return a.Commit != "" }) { // it may have ended before
		if err := r.tree.Publish(ctx, r.State.Branch); err != nil {
			return err
		}
	}
	return r.begin(ctx)
}

// reconcile takes back a commit that was made for an attempt of which nothing is written.
func (r *Runner) reconcile(ctx context.Context) error {
	last := r.State.Base
	for _, a := range r.Attempts {
		if a.Commit != "" {
			last = a.Commit
		}
	}
	if _, err := r.tree.run(ctx, nil, "cat-file", "-e", last+"^{commit}"); err != nil {
		return fmt.Errorf("%s has no commit %.12s, which an attempt of it names; start again without -resume", r.results, last)
	}
	_, err := r.tree.run(ctx, nil, "checkout", "--quiet", "--force", "--detach", last)
	return err
}

// begin learns about the module in the checkout.
func (r *Runner) begin(ctx context.Context) error {
	r.State.Online = ""
	if err := offline.Check(ctx); err != nil {
		r.State.Online = err.Error()
		r.Progress.Line("%v; tests and benchmarks may use it", err)
	}
	if err := os.MkdirAll(filepath.Join(r.tmp, "t"), 0o777); err != nil {
		return err
	}
	if err := os.Chdir(r.tree.Dir); err != nil {
		return err
	}
	if r.modules = source.Modules(ctx); len(r.modules) == 0 {
		return errors.New("the current folder is in no module; go to that of the source to be changed")
	}
	r.State.Module = r.modules[0]
	out, err := build.Go(ctx, r.tree.Dir, mode.Default(), "list", "-e", "-deps", "-test", "-f", "{{if .Module}}{{if .Module.Main}}{{.Dir}}\t{{.ImportPath}}{{end}}{{end}}", "./...")
	if err != nil {
		return err
	}
	r.packages = map[string]string{}
	for line := range strings.Lines(string(out)) {
		dir, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if path, _, _ = strings.Cut(path, " "); dir != "" && !strings.HasSuffix(path, ".test") && !strings.HasSuffix(path, "_test") {
			r.packages[dir] = path
		}
	}
	return nil
}

// Dir is the folder of the checkout that corresponds to that of the user, and Results the result folder.
func (r *Runner) Dir() string     { return r.tree.Dir }
func (r *Runner) Results() string { return r.results }

// Use sets the profiles that the advice rests on. They name the user's files.
func (r *Runner) Use(ctx context.Context, set *prof.Set) error {
	if set.Allocs == nil {
		return errors.New("there is no profile of allocations, so there is no line to change")
	}
	rename(set, r.tree.source, r.tree.Top)
	r.profiles = &profiles{set, map[string]lineMap{}}
	changed, err := r.tree.Changed(ctx)
	if err != nil {
		return err
	}
	return r.remap(ctx, changed)
}

// remap relates the lines of files to those of the first version.
func (r *Runner) remap(ctx context.Context, files []string) error {
	for _, name := range files {
		if _, ok := r.firsts[name]; !ok {
			first, err := r.tree.At(ctx, r.State.Base, name)
			if err != nil {
				return err
			}
			r.firsts[name] = string(first)
		}
		file := filepath.Join(r.tree.Top, filepath.FromSlash(name))
		now, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		r.profiles.moved(file, mapLines(r.firsts[name], string(now)))
	}
	return nil
}

// wants reports whether a lever is one of those that are asked for.
func (r *Runner) wants(name string) bool {
	return len(r.State.Levers) == 0 || slices.Contains(r.State.Levers, name)
}

// Run tries the changes, best first, until there is none left or Most are tried. It returns the advice that needs a person.
// Whatever ends it, what is kept is committed and published.
func (r *Runner) Run(ctx context.Context) ([]attempt.Person, error) {
	p, err := r.plan(ctx)
	if err != nil {
		return nil, err
	}
	r.Progress.Line("changes that can be made: %d; advice that needs a person: %d", len(p.candidates), len(p.person))
	for {
		c := r.next(p)
		if c == nil || len(r.Attempts) >= r.State.Most {
			return p.person, nil
		}
		if err := r.try(ctx, p, c); err != nil {
			return p.person, err
		}
		if c.Outcome != attempt.Kept {
			continue
		}
		if p, err = r.plan(ctx); err != nil {
			return nil, err
		}
	}
}

// next is the best candidate that was not tried.
func (r *Runner) next(p *plan) *candidate {
	for _, c := range p.candidates {
		if !r.tried(c) {
			return c
		}
	}
	return nil
}

// tried reports whether a change was tried, at one of the lines that it is for.
func (r *Runner) tried(c *candidate) bool {
	keys := c.keys()
	return slices.ContainsFunc(r.Attempts, func(a attempt.Attempt) bool {
		return slices.Contains(keys, a.Key()) || slices.ContainsFunc(a.With, func(k string) bool { return slices.Contains(keys, k) })
	})
}

// try tries a change, and writes down what came of it.
func (r *Runner) try(ctx context.Context, p *plan, c *candidate) error {
	began := time.Now()
	r.Progress.Line("change %d: %s at %s", len(r.Attempts)+1, c.Lever, c.Place())
	planned := *c
	c.mates = r.mates(p, c)
	var larger []attempt.Larger
	for {
		if err := r.attempt(ctx, c); err != nil {
			return err
		}
		if c.Outcome == attempt.Kept {
			break
		}
		if err := r.back(ctx); err != nil {
			return err
		}
		l, err := r.retry(c, planned)
		if err != nil {
			return err
		}
		if l == nil {
			break
		}
		larger = append(larger, *l)
		r.Progress.Line("  %s; once more, without that", l)
	}
	c.Larger = larger
	c.Time, c.Took = began.Truncate(time.Second), time.Since(began).Round(time.Second)
	r.Progress.Line("  %s: %s", c.Outcome, c.Why)
	var err error
	if r.whole, err = c.Append(r.results, r.whole); err != nil {
		return err
	}
	r.Attempts = append(r.Attempts, c.Attempt)
	if r.Done != nil {
		if err := r.Done(&c.Attempt); err != nil {
			return err
		}
	}
	if c.Outcome != attempt.Kept {
		return nil
	}
	return r.tree.Publish(ctx, r.State.Branch)
}

// setBack are the outcomes that other statements of a change may be the reason of: no benchmark runs them.
func setBack(o attempt.Outcome) bool {
	return slices.Contains([]attempt.Outcome{attempt.Refused, attempt.Broken, attempt.Failed, attempt.NoEffect}, o)
}

// edited returns the content of the files that a change edits; nil if it cannot be made, which ends it.
func (r *Runner) edited(c *candidate) map[string][]byte {
	if c.refused != "" {
		c.End(attempt.Refused, c.refused, "")
		return nil
	}
	files, err := r.tree.edited(c.edits)
	if err != nil {
		c.End(attempt.Refused, err.Error(), "")
		return nil
	}
	return files
}

// attempt makes a change, checks and measures it, and commits it if it is to be kept.
func (r *Runner) attempt(ctx context.Context, c *candidate) error {
	files := r.edited(c)
	if files == nil {
		return nil
	}
	pkg := r.packages[filepath.Dir(c.edits[0].File)]
	if pkg == "" {
		c.End(attempt.Refused, "its folder is not a package of the module", "")
		return nil
	}
	for _, step := range []func(context.Context, *candidate, string, map[string][]byte) error{r.baseline, r.write, r.join, r.vet, r.stack, r.tally, r.tests, r.differ, r.measure} {
		if err := step(ctx, c, pkg, files); err != nil {
			return err
		}
		if c.Outcome != "" && c.Outcome != attempt.Kept {
			return nil
		}
	}
	names := slices.Sorted(maps.Keys(files))
	subjects, err := r.tree.Subjects(ctx)
	if err != nil {
		return err
	}
	if c.Commit, err = r.tree.Commit(ctx, names, message(c, r.State, subjects)); err != nil {
		return err
	}
	r.before = c.passed // what passes with the change passes before the next one
	return r.remap(ctx, names)
}

// write writes a change into the checkout.
func (r *Runner) write(ctx context.Context, c *candidate, _ string, files map[string][]byte) (err error) {
	if err := r.tree.Write(files); err != nil {
		return err
	}
	c.Diff, err = r.tree.Diff(ctx)
	return err
}

// racy reports whether the tests of a change run with the race detector.
func (c *candidate) racy() bool {
	return c.lever.Risk == lever.Lifetime || c.lever.Risk == lever.Concurrency || c.lever.Risk == lever.Aliasing
}

// Diffs writes what would be tried, without trying it, each with what was predicted.
func (r *Runner) Diffs(ctx context.Context) ([]attempt.Attempt, []attempt.Person, error) {
	p, err := r.plan(ctx)
	if err != nil {
		return nil, nil, err
	}
	var all []attempt.Attempt
	shown := map[*candidate]bool{}
	for _, c := range p.candidates {
		if len(all) == r.State.Most {
			break
		}
		if shown[c] {
			continue
		}
		if err := r.show(ctx, p, c); err != nil {
			return nil, nil, err
		}
		for _, m := range c.mates {
			shown[m] = slices.Contains(c.With, m.Key())
		}
		all = append(all, c.Attempt)
	}
	return all, p.person, nil
}

// show makes a change, and takes it back again.
func (r *Runner) show(ctx context.Context, p *plan, c *candidate) error {
	files := r.edited(c)
	if files == nil {
		return nil
	}
	c.mates = r.mates(p, c)
	return errors.Join(r.write(ctx, c, "", files), r.join(ctx, c, "", files), r.back(ctx))
}

// Save writes down what the run was asked to do, so that Resume can go on with it.
func (r *Runner) Save() error { return r.State.Write(r.results) }

// WriteBack writes what is kept into the user's files. None of them is written if one has changed since the run began.
func (r *Runner) WriteBack(ctx context.Context) error {
	names, err := r.tree.Changed(ctx)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(r.tree.source)
	if err != nil {
		return err
	}
	defer root.Close()
	var write vetrun.Repair
	for _, name := range names {
		first, err := r.tree.At(ctx, r.State.Base, name)
		if err != nil {
			return err
		}
		last, err := r.tree.At(ctx, "HEAD", name)
		if err != nil {
			return err
		}
		now, err := root.ReadFile(filepath.FromSlash(name))
		if err != nil || string(now) != string(first) {
			return fmt.Errorf("%s has changed since the run began, so nothing is written; git merge %s, or git am %s", name, r.State.Branch, filepath.Join(r.results, attempt.PatchFile))
		}
		write.Files = append(write.Files, vetrun.NewFile(name, filepath.Join(r.tree.source, filepath.FromSlash(name)), first, last))
	}
	return write.Write(ctx)
}
