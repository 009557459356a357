package vetrun

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A vetting is a run of go vet.
type vetting struct {
	step func(done, all int)
	all  int

	mu       sync.Mutex
	done     int
	findings map[string][]diagnostic // by rule
	problems []Problem
	failed   map[string][]string // by package, the messages about it
	loose    []string            // messages about no package

	// By name of a package that illTyped has checked:
	removed map[string]bool     // whether it uses names that lessgc has removed
	others  map[string][]string // its other type errors
}

// run starts go vet with this program as its tool.
func (v *vetting) run(ctx context.Context, o *Options, pkgs *packages) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program, which go vet has to start: %w", err)
	}
	patterns := o.Patterns
	if len(pkgs.problems) > 0 {
		patterns = pkgs.paths
	}
	patterns = slices.Concat(patterns, pkgs.imported)
	cmd := goCommand(ctx, []string{toolVariable + "=1"},
		slices.Concat([]string{"vet", "-json", "-vettool=" + self}, o.buildFlags(), o.toolFlags(), []string{"--"}, patterns)...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if v.step != nil {
		v.step(0, v.all)
	}
	if err := cmd.Start(); err != nil {
		return finished(ctx, cmd, err)
	}
	var reading sync.WaitGroup
	reading.Go(func() { v.read(stdout) })
	reading.Go(func() { v.read(stderr) })
	reading.Wait()
	if err := finished(ctx, cmd, cmd.Wait()); err != nil {
		return err
	}
	if !cmd.ProcessState.Success() && len(v.failed)+len(v.loose) == 0 {
		v.loose = append(v.loose, "go vet failed, and did not say why")
	}
	return nil
}

// read takes in what go vet prints to one of its outputs.
func (v *vetting) read(r io.Reader) {
	about := ""
	err := split(r, v.object, func(line string) {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			if !strings.HasPrefix(name, "[") { // that is the same package again
				about = bare(name)
			}
			return
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		switch {
		case !worth(line):
		case about == "":
			v.loose = append(v.loose, line)
		default:
			v.failed[about] = append(v.failed[about], line)
		}
	})
	if err != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.loose = append(v.loose, err.Error())
	}
}

// object takes in what was found in a package.
func (v *vetting) object(data []byte) {
	var tree map[string]map[string]json.RawMessage // by package and rule
	err := json.Unmarshal(data, &tree)
	v.mu.Lock()
	defer v.mu.Unlock()
	if err != nil {
		v.loose = append(v.loose, "the output of go vet cannot be read: "+err.Error())
		return
	}
	v.done++
	if v.step != nil {
		v.step(v.done, v.all)
	}
	for pkg, rules := range tree {
		for rule, result := range rules {
			v.result(pkg, rule, result)
		}
	}
}

// result takes in what a rule found in a package: diagnostics, or why it failed.
func (v *vetting) result(pkg, rule string, data []byte) {
	var all []diagnostic
	var failure struct{ Error string }
	switch {
	case json.Unmarshal(data, &all) == nil:
		for i := range all {
			all[i].pkg = bare(pkg)
		}
		v.findings[rule] = append(v.findings[rule], all...)
	case json.Unmarshal(data, &failure) == nil:
		v.problems = append(v.problems, Problem{bare(pkg), "was not looked at by " + rule + ": " + oneLine(failure.Error)})
	default:
		v.loose = append(v.loose, "what "+rule+" says of "+pkg+" cannot be read")
	}
}

// doesNotCompile begins the message of a problem.
const doesNotCompile = "does not compile: "

// atLine matches the beginning of a compiler's message.
var atLine = regexp.MustCompile(`^\S+\.go:\d+`)

// unseen returns the names of the packages that go vet has not looked at: it has failed for
// them, or for one that they import.
func (v *vetting) unseen(pkgs *packages) map[string]bool {
	bad := v.bad()
	unseen := maps.Clone(bad)
	for _, u := range pkgs.units {
		if slices.ContainsFunc(u.deps, func(dep string) bool { return bad[dep] }) {
			unseen[u.name] = true
		}
	}
	return unseen
}

// bad returns the names of the packages for which go vet has failed.
func (v *vetting) bad() map[string]bool {
	bad := map[string]bool{}
	for name, lines := range v.failed {
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, "no package vetx file") })
		v.failed[name] = lines
		if len(lines) > 0 { // else it imports one that failed
			bad[name] = true
		}
	}
	return bad
}

// explain makes problems of what go vet has said, and of packages that were not looked at
// because of one that they import. It returns the names of unseen packages without a problem:
// all that is wrong there, or in what they import, is findings.
func (v *vetting) explain(pkgs *packages) map[string]bool {
	bad, explained := v.bad(), map[string]bool{}
	for name := range bad {
		lines, what := v.failed[name], "was not looked at: "
		if atLine.MatchString(lines[0]) {
			what = doesNotCompile
			if v.removed[name] {
				lines = unique(v.others[name])
			}
		}
		if explained[name] = len(lines) == 0; !explained[name] {
			v.problems = append(v.problems, Problem{name, what + first(lines)})
		}
	}
	for _, u := range pkgs.units {
		if bad[u.name] {
			continue
		}
		imports := func(dep string) bool { return bad[dep] && !explained[dep] }
		switch i := slices.IndexFunc(u.deps, imports); {
		case i < 0 && len(v.others[u.name]) == 0:
			explained[u.name] = slices.ContainsFunc(u.deps, func(dep string) bool { return bad[dep] })
			continue
		case bad[strings.TrimSuffix(u.name, "_test")]: // its own tests go without saying
		case i < 0:
			v.problems = append(v.problems, Problem{u.name, doesNotCompile + first(unique(v.others[u.name]))})
		default:
			v.problems = append(v.problems, Problem{u.name, "was not looked at: it imports " + u.deps[i]})
		}
	}
	for _, line := range v.loose {
		v.problems = append(v.problems, Problem{"", strings.TrimPrefix(oneLine(line), "go: ")})
	}
	return explained
}

// unique returns each line once.
func unique(lines []string) []string {
	var all []string
	for _, line := range lines {
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

// first is the first of some lines, and how many more there are.
func first(lines []string) string {
	n := 0
	for _, line := range lines[1:] {
		if atLine.MatchString(line) {
			n++
		}
	}
	if n > 0 {
		return fmt.Sprintf("%s (and %d more)", oneLine(lines[0]), n)
	}
	return oneLine(lines[0])
}
