// Vetsnapshot compares what lessgc vet finds in other people's modules with a snapshot.
//
// It is run by hand after each step of a restructuring of lessgc/vet that must not change any
// finding:
//
//	go run ./bench/vetsnapshot                  # all of modules.txt: an hour on two cores
//	go run ./bench/vetsnapshot -only 'pgx|sonic'
//	go run ./bench/vetsnapshot -update          # write findings.txt, when a change is intended
//
// modules.txt names the modules of bench/results/vet.md, one path and version per line, and std.
// Each is downloaded, copied without its tests, its vendor folder and replacements by folders, and given to
//
//	GOWORK=off GOFLAGS=-mod=mod lessgc vet -json -advice -notes ./...
//
// findings.txt has a line for each finding: module, file, line, column, severity, rule, number of
// related positions and of edits of the first fix, message. Packages that cannot be vetted have a
// line too. The standard library is vetted with its tests. Lines that differ are printed as in a
// diff, and the exit status is 1.
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
	log.SetPrefix("vetsnapshot: ")
	update := flag.Bool("update", false, "write the findings of the chosen modules to findings.txt")
	only := flag.String("only", "", "choose the modules whose line in modules.txt matches `REGEXP`")
	rule := flag.String("rule", "", "compare only the findings of `RULE`")
	dir := flag.String("dir", filepath.Join("bench", "vetsnapshot"), "the `FOLDER` of modules.txt and findings.txt")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	chosen, err := regexp.Compile(*only)
	if err != nil {
		log.Fatalf("-only: %v", err)
	}
	same, err := run(ctx, *dir, *rule, chosen, *update)
	if err != nil {
		log.Fatal(err)
	}
	if !same {
		os.Exit(1)
	}
}

// run vets the chosen modules and reports whether they have the findings of the snapshot.
func run(ctx context.Context, dir, rule string, chosen *regexp.Regexp, update bool) (same bool, err error) {
	if rule != "" && update {
		return false, errors.New("-update writes the findings of all rules: leave -rule out")
	}
	modules, err := lines(filepath.Join(dir, "modules.txt"))
	if err != nil {
		return false, err
	}
	snapshot := filepath.Join(dir, "findings.txt")
	before, err := lines(snapshot)
	if err != nil && !(update && errors.Is(err, fs.ErrNotExist)) {
		return false, err
	}
	modules = slices.DeleteFunc(modules, func(m string) bool { return !chosen.MatchString(m) })
	if len(modules) == 0 {
		return false, errors.New("-only matches no line of modules.txt")
	}
	scratch, err := os.MkdirTemp("", "vetsnapshot-*")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	tool, err := vetting.Build(ctx, scratch)
	if err != nil {
		return false, err
	}
	same = true
	for i, module := range modules {
		start := time.Now()
		after, err := vet(ctx, tool, filepath.Join(scratch, "module"), module)
		if err != nil {
			return false, fmt.Errorf("%s: %w", module, err)
		}
		mine := func(line string) bool {
			return strings.HasPrefix(line, key(module)+" ") && (rule == "" || strings.Contains(line, " "+rule+" "))
		}
		after = slices.DeleteFunc(after, func(line string) bool { return !mine(line) })
		old := slices.DeleteFunc(slices.Clone(before), func(line string) bool { return !mine(line) })
		gone, added := without(old, after), without(after, old)
		fmt.Fprintf(os.Stderr, "%d of %d: %s: %d lines, %d gone, %d new, %.0f s\n", i+1, len(modules), module, len(after), len(gone), len(added), time.Since(start).Seconds())
		for _, line := range gone {
			fmt.Println("-" + line)
		}
		for _, line := range added {
			fmt.Println("+" + line)
		}
		same = same && len(gone)+len(added) == 0
		if update {
			before = append(slices.DeleteFunc(before, mine), after...)
			slices.Sort(before)
			if err := os.WriteFile(snapshot, []byte(strings.Join(before, "\n")+"\n"), 0o666); err != nil {
				return false, err
			}
		}
	}
	return same || update, nil
}

// key returns the first word of a module's lines: its name, with @ for each space.
func key(module string) string { return strings.ReplaceAll(module, " ", "@") }

// without returns the lines of a that b does not have, each as often as it is missing.
func without(a, b []string) []string {
	n := map[string]int{}
	for _, line := range b {
		n[line]++
	}
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool {
		n[line]--
		return n[line] >= 0
	})
}

// lines reads the lines of a file.
func lines(name string) ([]string, error) {
	data, err := os.ReadFile(name)
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return line == "" }), err
}

// vet returns the lines of a module, sorted. It makes the folder dir, and removes it.
func vet(ctx context.Context, tool, dir, module string) ([]string, error) {
	args, root := []string{"-advice", "-notes", "./..."}, dir
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if module == "std" {
		goroot, err := vetting.Output(ctx, "", nil, "go", "env", "GOROOT")
		if err != nil {
			return nil, err
		}
		root = strings.TrimSpace(string(goroot))
		args[len(args)-1] = "std"
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module std.example\n"), 0o666); err != nil {
			return nil, err
		}
	} else if err := download(ctx, module, dir); err != nil {
		return nil, err
	}
	r, err := vetting.Run(ctx, tool, dir, []string{"GOWORK=off", "GOFLAGS=-mod=mod"}, args...)
	if err != nil {
		return nil, err
	}
	all := []string{fmt.Sprintf("%s %d packages", key(module), r.Packages)}
	for _, f := range r.Findings {
		file := strings.TrimPrefix(strings.TrimPrefix(f.File, filepath.ToSlash(root)), "/")
		edits := 0
		if len(f.Fixes) > 0 {
			edits = len(f.Fixes[0].Edits)
		}
		all = append(all, fmt.Sprintf("%s %s:%d:%d %s %s %d %d %s", key(module), file, f.Line, f.Column, f.Severity, f.Rule, len(f.Related), edits, f.Message))
	}
	cache, err := vetting.Output(ctx, "", nil, "go", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	machine := strings.NewReplacer(root, "", strings.TrimSpace(string(cache)), "$GOMODCACHE") // its paths
	for _, p := range r.Problems {
		all = append(all, fmt.Sprintf("%s problem %s: %s", key(module), p.Package, machine.Replace(p.Message)))
	}
	slices.Sort(all)
	return all, nil
}

// download copies a module to dir, without tests and vendored packages.
func download(ctx context.Context, module, dir string) error {
	modulePath, version, _ := strings.Cut(module, " ")
	data, err := vetting.Output(ctx, dir, []string{"GOWORK=off"}, "go", "mod", "download", "-json", modulePath+"@"+version)
	if err != nil {
		return err
	}
	var got struct{ Dir, GoMod string }
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	err = filepath.WalkDir(got.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(got.Dir, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case d.IsDir() && rel == "vendor":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o777)
		case strings.HasSuffix(name, "_test.go") && !strings.Contains(filepath.ToSlash(rel), "testdata/"):
			return nil
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o666)
	})
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, fs.ErrNotExist) { // as old as GOPATH
		content, err := os.ReadFile(got.GoMod)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "go.mod"), content, 0o666)
	}
	return dropFolders(ctx, dir)
}

// dropFolders removes from a go.mod what replaces modules by folders: those are not in the module.
func dropFolders(ctx context.Context, dir string) error {
	data, err := vetting.Output(ctx, dir, []string{"GOWORK=off"}, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(data, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if !strings.HasPrefix(r.New.Path, ".") {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := vetting.Output(ctx, dir, []string{"GOWORK=off"}, "go", "mod", "edit", "-dropreplace="+old); err != nil {
			return err
		}
	}
	return nil
}
