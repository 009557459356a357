// Apply runs lessgc apply on other people's modules, unattended, and prints what became of each.
//
//	go run ./bench/apply -o FOLDER                        # all of modules.txt: some hours on two cores
//	go run ./bench/apply -o FOLDER -only 'toml|mux'
//	go run ./bench/apply -o FOLDER -- -n 5 -time 30s      # with flags of lessgc apply
//	go run ./bench/apply -o FOLDER -settle 1m             # then measure narrow predictions again, for so long each
//	go run ./bench/apply -o FOLDER -print                 # the table of what FOLDER holds
//
// modules.txt has a module on each line: path, version, kind, and whether it was looked at while apply was
// built. Each is downloaded and copied to FOLDER with a repository of its own; what lessgc apply keeps is a branch
// of that. In the end the whole module is tested with the race detector, as it was and with all that was kept. A
// test is broken if it passed before, and fails twice with the changes.
//
// A module that FOLDER has a report of is not run again. One that was interrupted goes on. FOLDER/board.jsonl is the scoreboard.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"lessgc/bench/internal/vetting"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("apply: ")
	dir := flag.String("dir", filepath.Join("bench", "apply"), "the `FOLDER` of modules.txt")
	out := flag.String("o", "", "the `FOLDER` of copies, results and the scoreboard")
	only := flag.String("only", "", "choose the modules whose line matches `REGEXP`")
	show := flag.Bool("print", false, "run nothing, print what there is")
	longer := flag.Duration("settle", 0, "measure what was measured less precisely than it was predicted once more, alone, for this `DURATION`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	chosen, err := regexp.Compile(*only)
	if err != nil {
		log.Fatalf("-only: %v", err)
	}
	if *out == "" {
		log.Fatal("name a folder for the results with -o")
	}
	modules, err := readModules(filepath.Join(*dir, "modules.txt"), chosen)
	if err != nil {
		log.Fatal(err)
	}
	if !*show {
		if err := run(ctx, *out, modules, *longer, flag.Args()); err != nil {
			log.Fatal(err)
		}
	}
	if err := table(os.Stdout, *out, modules); err != nil {
		log.Fatal(err)
	}
}

// A module is a line of modules.txt.
type module struct {
	path, version, kind string
	unseen              bool
}

func (m module) name() string { return m.path + "@" + m.version }

// folder is the name of the module's folder.
func (m module) folder() string { return strings.ReplaceAll(m.path, "/", "_") }

func readModules(file string, chosen *regexp.Regexp) (all []module, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 4 || f[3] != "seen" && f[3] != "unseen" {
			return nil, fmt.Errorf("%s: want path, version, kind, and seen or unseen, not %q", file, line)
		}
		if chosen.MatchString(line) {
			all = append(all, module{f[0], f[1], f[2], f[3] == "unseen"})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("-only matches no line of %s", file)
	}
	return all, nil
}

// run applies to each module, in turn.
func run(ctx context.Context, out string, modules []module, longer time.Duration, flags []string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	tool, err := vetting.Build(ctx, out)
	if err != nil {
		return err
	}
	for i, m := range modules {
		start := time.Now()
		dir := filepath.Join(out, m.folder())
		var err error
		if _, missing := os.Stat(filepath.Join(dir, finalFile)); missing != nil {
			err = applyTo(ctx, tool, dir, m, flags)
		}
		if err == nil && longer > 0 {
			err = settle(ctx, tool, dir, longer, compare)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			log.Printf("%s: %v", m.name(), err)
		}
		log.Printf("%d of %d: %s, %.0f s", i+1, len(modules), m.name(), time.Since(start).Seconds())
	}
	return nil
}

const (
	branch    = "applied"
	finalFile = "final.json"
)

// environ makes builds those of the module alone.
var environ = []string{"GOWORK=off", "GOFLAGS="}

// applyTo runs lessgc apply on a module, and all its tests in the end.
func applyTo(ctx context.Context, tool, dir string, m module, flags []string) error {
	source, results := filepath.Join(dir, "source"), filepath.Join(dir, "results")
	args := []string{"apply", "-resume", results}
	if _, err := os.Stat(filepath.Join(results, "apply.json")); err != nil {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := download(ctx, source, m); err != nil {
			return err
		}
		args = slices.Concat([]string{"apply", "-o", results, "-branch", branch}, flags, []string{"./..."})
	}
	log.Printf("%s: %s", m.name(), strings.Join(args, " "))
	env := append([]string{"LESSGC_SCOREBOARD=" + filepath.Join(dir, "board.jsonl")}, environ...)
	start := time.Now()
	text, err := vetting.Output(ctx, source, env, tool, args...)
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "apply.txt"), text, 0o666)); err != nil {
		return err
	}
	f := final{Took: time.Since(start).Round(time.Second).String()}
	if _, err := vetting.Output(ctx, source, nil, "git", "rev-parse", "--verify", "-q", branch); err == nil {
		if f.Passed, f.Broken, err = broken(ctx, source); err != nil {
			return err
		}
	}
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, finalFile), data, 0o666)
}

// download copies a module to a new folder, and makes it a repository.
func download(ctx context.Context, to string, m module) error {
	data, err := vetting.Output(ctx, "", environ, "go", "mod", "download", "-json", m.name())
	if err != nil {
		return err
	}
	var got struct{ Dir, GoMod string }
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	if err := copyFolder(to, got.Dir); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(to, "go.mod")); errors.Is(err, fs.ErrNotExist) { // as old as GOPATH
		content, err := os.ReadFile(got.GoMod)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, "go.mod"), content, 0o666); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=lessgc", "-c", "user.email=lessgc@example.com", "commit", "-q", "-m", m.name()},
	} {
		if _, err := vetting.Output(ctx, to, nil, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

// copyFolder copies a folder of the module cache, whose files may not be written. Of what is vendored a module has no more than the
// list, which would have builds look for it.
func copyFolder(to, from string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		if name == "vendor" {
			return fs.SkipDir
		}
		if d.IsDir() {
			return os.MkdirAll(target, 0o777)
		}
		content, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o666)
	})
}

// broken runs all tests with the race detector, before and after: how many pass with the changes, and those that did before only.
func broken(ctx context.Context, source string) (passed int, names []string, err error) {
	before, err := passing(ctx, source, "HEAD")
	if err != nil {
		return 0, nil, err
	}
	after, err := passing(ctx, source, branch)
	if err != nil {
		return 0, nil, err
	}
	var again map[string]bool
	for name := range before {
		if after[name] {
			continue
		}
		if again == nil {
			if again, err = passing(ctx, source, branch); err != nil {
				return 0, nil, err
			}
		}
		if !again[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return len(after), names, nil
}

// checkout checks a commit out in a temporary folder, which remove removes with all that is beside it.
func checkout(ctx context.Context, source, commit string) (tree string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "lessgc-apply-*")
	if err != nil {
		return "", nil, err
	}
	tree = filepath.Join(dir, "tree")
	remove = func() {
		vetting.Output(context.WithoutCancel(ctx), source, nil, "git", "worktree", "remove", "-f", tree)
		os.RemoveAll(dir)
	}
	if _, err := vetting.Output(ctx, source, nil, "git", "worktree", "add", "-q", "--detach", tree, commit); err != nil {
		remove()
		return "", nil, err
	}
	return tree, remove, nil
}

// passing returns the tests that pass at a commit, with their packages.
func passing(ctx context.Context, source, commit string) (map[string]bool, error) {
	tree, remove, err := checkout(ctx, source, commit)
	if err != nil {
		return nil, err
	}
	defer remove()
	out, _ := vetting.Output(ctx, tree, environ, "go", "test", "-race", "-vet=off", "-json", "./...") // tests may fail
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	passed := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal([]byte(line), &e) == nil && e.Test != "" && (e.Action == "pass" || e.Action == "fail") {
			passed[e.Package+"."+e.Test] = e.Action == "pass"
		}
	}
	for name, ok := range passed {
		if !ok {
			delete(passed, name)
		}
	}
	return passed, nil
}
