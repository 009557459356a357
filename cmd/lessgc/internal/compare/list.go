package compare

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/timed"
	"lessgc/cmd/lessgc/internal/trial"
)

// listed is a benchmark that ran once.
type listed struct {
	name    string  // full, without "Benchmark"
	seconds float64 // of that one iteration, cold
}

// listAll runs every binary once with one iteration per benchmark: there is no
// other way to learn the names of sub-benchmarks.
func (r *Run) listAll(ctx context.Context) error {
	seen := map[*binary]bool{}
	for _, v := range r.variants {
		for _, b := range v.bins {
			if seen[b] || b.err != nil {
				continue
			}
			seen[b] = true
			r.Progress.Step("listing the benchmarks of %s in mode %s", b.pkg.ImportPath, v.label())
			if err := r.list(ctx, v, b); err != nil {
				return err
			}
		}
	}
	r.alike()
	return nil
}

// maxBroken is the number of benchmarks of one binary that may crash before the rest of it is given up.
const maxBroken = 20

// list fills in b.names. A benchmark that ends the process or never ends is
// left out, and the others are tried again without it.
func (r *Run) list(ctx context.Context, v *variant, b *binary) error {
	var broken, skip []string
	leaveOut := func(name, reason string, detail *build.Error) {
		r.problem(v.mode.Name, name, fmt.Sprintf("Benchmark%s in mode %s is left out: %s", name, v.label(), reason), detail)
		broken, skip = append(broken, name), append(skip, build.BenchPattern("Benchmark"+name))
	}
	sound := map[string]bool{}
	file := r.regionFile()
	defer os.Remove(file)
	for range maxBroken {
		// With -test.v, package testing names a benchmark before it runs it.
		args := []string{"-test.bench=" + r.config().Bench, "-test.benchtime=1x", "-test.v"}
		if b.timed {
			args = append(args, timed.Flag+"="+file)
		}
		if len(skip) > 0 {
			args = append(args, "-test.skip="+strings.Join(skip, "|"))
		}
		o, err := r.runBench(ctx, v, b, 0, args)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		detail := &build.Error{Output: o.Detail()}
		began := started(o.Stdout)
		if o.Unread > 0 {
			r.note("%s in mode %s: %s; benchmarks that are named in between are not measured", b.pkg.ImportPath, v.label(), muchPrinted(o))
		}
		failed := failures(o.Stdout, r.procs(v))
		for _, f := range failed {
			r.problem(v.mode.Name, f.name, fmt.Sprintf("Benchmark%s failed in mode %s: %s", f.name, v.label(), f.reason), detail)
		}
		if err == nil && !o.Crashed() {
			name, crash, err := r.recheck(ctx, v, b, o, began, sound)
			if err != nil {
				return err
			}
			if name != "" {
				leaveOut(name, crash.Reason(), &build.Error{Output: crash.Detail()})
				continue
			}
			r.keepListed(v, b, o.Stdout, began, failed, broken)
			r.checkTimed(v, b, file)
			return nil
		}
		reason := o.Reason()
		if err != nil {
			reason = err.Error()
		}
		if len(began) == 0 {
			r.problem(v.mode.Name, "", fmt.Sprintf("%s in mode %s: no benchmark ran: %s", b.pkg.ImportPath, v.label(), reason), detail)
			return nil
		}
		name := began[len(began)-1].name
		if err == nil {
			if name, err = r.blame(ctx, v, b, o, began); err != nil {
				return err
			}
		}
		leaveOut(name, reason, detail)
	}
	r.problem(v.mode.Name, "", fmt.Sprintf("%s in mode %s: more than %d benchmarks crash; name those that work with -bench", b.pkg.ImportPath, v.label(), maxBroken), nil)
	return nil
}

// recheck finds a benchmark that crashes in spite of its result: package testing
// goes on while a panic unwinds, and on a busy machine gets to the end of the
// process first. The result then has no time, as if the benchmark hid it. Those
// are run alone and several times over, which gives a panic time to end it.
func (r *Run) recheck(ctx context.Context, v *variant, b *binary, o trial.Outcome, began []start, sound map[string]bool) (
	name string, crash trial.Outcome, err error) {
	for _, s := range began {
		line, err := result(o.Stdout[s.from:s.to], s.name, 1, r.procs(v))
		if err != nil || line.Seconds() > 0 || sound[s.name] {
			continue
		}
		again, err := r.runBench(ctx, v, b, 0, several("Benchmark"+s.name))
		if ctx.Err() != nil {
			return "", again, ctx.Err()
		}
		if err == nil && again.Crashed() {
			return s.name, again, nil
		}
		sound[s.name] = true
	}
	return "", trial.Outcome{}, nil
}

// blame finds the benchmark that ended the process. It need not be the last that
// was started: package testing goes on to the next one while a panic unwinds. So
// it is one whose function stands in the trace, and, of several, the one that
// ends in the same way when it runs alone.
func (r *Run) blame(ctx context.Context, v *variant, b *binary, crashed trial.Outcome, began []start) (string, error) {
	traced := slices.DeleteFunc(slices.Clone(began), func(s start) bool { return !inTrace(crashed.Detail(), s.name) })
	if len(traced) == 0 { // os.Exit or a signal leaves no trace, and no time to start another
		traced = began[len(began)-1:]
	}
	last := traced[len(traced)-1].name
	for i := len(traced) - 1; i >= 0 && len(traced) > 1; i-- {
		o, err := r.runBench(ctx, v, b, 0, several("Benchmark"+traced[i].name))
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err == nil && o.Crashed() && o.Reason() == crashed.Reason() {
			return traced[i].name, nil
		}
	}
	return last, nil
}

// inTrace reports whether a stack trace passes through the function of a benchmark
// or a function literal in it.
func inTrace(trace, name string) bool {
	function, _, _ := strings.Cut(name, "/")
	return strings.Contains(trace, ".Benchmark"+function+"(") || strings.Contains(trace, ".Benchmark"+function+".")
}

// A start is the offset in an output at which a benchmark was named before it ran.
type start struct {
	name     string // without "Benchmark"
	from, to int    // its output
}

// startLine is a name on a line of its own, which package testing prints under
// -test.v. It has no -GOMAXPROCS suffix there.
var startLine = regexp.MustCompile(`(?m)^Benchmark(\S*)\r?$`)

// longestName bounds a name: what is longer was printed by a benchmark.
const longestName = 1000

// started finds all starts.
func started(out []byte) []start {
	var all []start
	const most = 10_000 // or a benchmark prints such lines itself
	for _, m := range startLine.FindAllSubmatchIndex(out, most) {
		if m[3]-m[2] > longestName {
			continue
		}
		if n := len(all); n > 0 {
			all[n-1].to = m[0]
		}
		all = append(all, start{string(out[m[2]:m[3]]), m[1], len(out)})
	}
	return all
}

// keepListed keeps the benchmarks that have a result. One that has none is a
// problem, unless it says why, or only holds sub-benchmarks.
func (r *Run) keepListed(v *variant, b *binary, out []byte, began []start, failed []failure, broken []string) {
	b.names = nil
	depth := strings.Count(r.config().Bench, "/")
	others := slices.Clone(broken)
	for _, s := range began {
		others = append(others, s.name)
	}
	for _, s := range began {
		printed := out[s.from:s.to]
		line, err := result(printed, s.name, 1, r.procs(v))
		switch {
		case err == nil:
			if !slices.ContainsFunc(b.names, func(l listed) bool { return l.name == s.name }) {
				b.names = append(b.names, listed{s.name, line.Seconds()})
			}
		case bytes.Contains(printed, []byte("--- SKIP: Benchmark"+s.name)),
			slices.ContainsFunc(failed, func(f failure) bool { return f.name == s.name }),
			slices.ContainsFunc(others, func(name string) bool { return strings.HasPrefix(name, s.name+"/") }),
			strings.Count(s.name, "/") < depth: // -bench asks for sub-benchmarks that it does not have
		default:
			r.problem(v.mode.Name, s.name, fmt.Sprintf("Benchmark%s in mode %s: %v", s.name, v.label(), err), &build.Error{Output: string(printed)})
		}
	}
}

// A failure is a benchmark for which package testing printed FAIL.
type failure struct{ name, reason string }

// failures lists those in an output, by the names that benchmarks have without the number of processors.
func failures(out []byte, procs int) []failure {
	var all []failure
	for _, f := range trial.Failures(out) {
		all = append(all, failure{trial.Short(session.TrimProcs(f.Name, procs)), f.Reason})
	}
	return all
}
