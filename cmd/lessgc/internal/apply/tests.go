package apply

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/offline"
	"lessgc/cmd/lessgc/internal/trial"
)

// A testResult is what go test says of packages.
type testResult map[string]*packageResult

// A packageResult is what go test says of a package.
type packageResult struct {
	ok      bool
	none    bool     // it has no tests
	aborted bool     // it did not build, or ended before all tests had run
	failed  []string // names of tests
	output  string   // what was printed before the verdict
}

var (
	packageLine = regexp.MustCompile(`^(ok  |FAIL|\?   |---   )?\t(\S+)(?:\t| \[)(.*)$`)
	failedTest  = regexp.MustCompile(`^--- FAIL: (\S+) \(`)
)

// mostOutput bounds what is kept of the output of a package, in bytes.
const mostOutput = 8 << 10

// parseTests reads the output of go test without -json and -v.
func parseTests(text string) testResult {
	all := testResult{}
	var output strings.Builder
	p := new(packageResult)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := packageLine.FindStringSubmatch(line); m != nil {
			p.ok, p.none = m[1] == "ok  ", m[1] == "?   " || m[1] == "" // with -cover a package without tests has no word
			p.aborted = p.aborted || !p.ok && !p.none && len(p.failed) == 0
			p.output = output.String()
			all[m[2]] = p
			p = new(packageResult)
			output.Reset()
			continue
		}
		if m := failedTest.FindStringSubmatch(line); m != nil {
			p.failed = append(p.failed, m[1])
		}
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.Contains(line, "signal: ") {
			p.aborted = true
		}
		if output.Len() < mostOutput {
			output.WriteString(line + "\n")
		}
	}
	return all
}

// worse returns what is worse than it was: a sentence and the output; "" if nothing is. A package that did not pass
// before is not worse if no more of its tests fail.
func (now testResult) worse(before testResult, packages []string) (sentence, output string) {
	for _, pkg := range packages {
		was, is := before[pkg], now[pkg]
		switch {
		case was == nil || was.aborted:
			continue // nothing is known of it
		case is == nil:
			return "the tests of " + pkg + " did not run", ""
		case is.ok || is.none:
			continue
		case is.aborted:
			return "the tests of " + pkg + " do not come to their end", is.output
		}
		for _, name := range is.failed {
			if !slices.Contains(was.failed, name) {
				return fmt.Sprintf("%s of %s fails", name, pkg), is.output
			}
		}
	}
	return "", ""
}

// passes reports whether any tests of a package pass.
func (t testResult) passes(pkg string) bool {
	p := t[pkg]
	return p != nil && !p.aborted && !p.none
}

// test runs the tests of packages in the checkout.
func (r *Runner) test(ctx context.Context, packages []string, race bool) (testResult, error) {
	ctx, cancel := context.WithTimeout(ctx, r.State.Test+time.Minute)
	defer cancel()
	o, err := r.command(ctx, "go", r.testArgs(packages, race)...)
	if err != nil {
		return nil, err
	}
	return parseTests(string(o.Stdout) + "\n" + string(o.Stderr)), nil
}

// testCommand is the command line of test.
func (r *Runner) testCommand(packages []string, race bool) string {
	return "go " + strings.Join(r.testArgs(packages, race), " ")
}

func (r *Runner) testArgs(packages []string, race bool) []string {
	args := []string{"test", "-vet=off", "-count=1", "-timeout=" + r.State.Test.String()}
	if r.State.Short {
		args = append(args, "-short")
	}
	if race {
		args = append(args, "-race")
	}
	return slices.Concat(args, r.tags(), packages)
}

// tags is the flag with the build tags of the run; none if it has none.
func (r *Runner) tags() []string {
	if r.State.Tags == "" {
		return nil
	}
	return []string{"-tags=" + r.State.Tags}
}

// command runs a command in the checkout, without a network where that can be, and ends all that it started.
func (r *Runner) command(ctx context.Context, name string, args ...string) (trial.Outcome, error) {
	return r.commandIn(ctx, r.tree.Dir, r.environ(), name, args...)
}

// commandIn is command in another folder and environment.
func (r *Runner) commandIn(ctx context.Context, dir string, env []string, name string, args ...string) (trial.Outcome, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return trial.Outcome{}, err
	}
	if r.State.Online == "" {
		if path, args, err = offline.Wrap(path, args); err != nil {
			return trial.Outcome{}, err
		}
	}
	return trial.Run(ctx, r.tmp, trial.Command{Path: path, Args: args, Dir: dir, Env: env, Plain: true})
}

// own runs a subcommand of lessgc in the checkout.
func (r *Runner) own(ctx context.Context, args ...string) (trial.Outcome, error) {
	self, err := os.Executable()
	if err != nil {
		return trial.Outcome{}, err
	}
	return r.command(ctx, self, args...)
}

// environ is the environment of what runs in the checkout: nothing is downloaded, and temporary files are where they
// are removed.
func (r *Runner) environ() []string {
	tmp := filepath.Join(r.tmp, "t")
	return append(os.Environ(), "GOPROXY=off", "TMPDIR="+tmp, "GOTMPDIR="+tmp)
}

// importers returns a package and all packages of the patterns whose tests it is linked into.
func (r *Runner) importers(ctx context.Context, of string) ([]string, error) {
	if r.linked == nil {
		out, err := build.Go(ctx, r.tree.Dir, mode.Default(), slices.Concat([]string{"list", "-e", "-test", "-f", "{{.ImportPath}}\t{{if or .GoFiles .CgoFiles}}code{{end}}\t{{join .Deps \" \"}}"}, r.tags(), []string{"./..."})...)
		if err != nil {
			return nil, err
		}
		r.linked, r.coded = map[string][]string{}, map[string]bool{}
		for line := range strings.Lines(string(out)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			r.coded[fields[0]] = len(fields) > 1 && fields[1] != ""
			tested, isTest := strings.CutSuffix(fields[0], ".test")
			if !isTest || len(fields) < 3 {
				continue
			}
			for _, dep := range strings.Fields(fields[len(fields)-1]) {
				if strings.HasPrefix(dep, "[") {
					continue
				}
				r.linked[dep] = append(r.linked[dep], tested)
			}
		}
	}
	all := slices.Clone(r.linked[of])
	if !slices.Contains(all, of) {
		all = append(all, of)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
