package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
)

// several are the flags to run one benchmark alone and several times over: package
// testing goes on while a panic unwinds, and on a busy machine may get to the end of
// the process first.
func several(name string) []string { return append(build.Only(name, "1x"), "-test.count=5") }

// procs is the GOMAXPROCS of a variant.
func (r *Run) procs(v *variant) int {
	n := r.config().Procs
	fmt.Sscan(v.mode.GOMAXPROCS, &n)
	return n
}

// environ is the whole environment of a process that is measured: that of lessgc, then
// more, then what the mode sets.
func (r *Run) environ(v *variant, more ...string) []string {
	env := append(slices.Concat(os.Environ(), more), fmt.Sprintf("GOMAXPROCS=%d", r.config().Procs))
	env = v.mode.RunEnviron(env)
	if v.mode.GODEBUG != "" {
		env = append(env, "GODEBUG="+v.mode.GODEBUG)
	}
	return env
}

// runBench runs a test binary in its package's folder, as go test does.
func (r *Run) runBench(ctx context.Context, v *variant, b *binary, cpu int, args []string) (trial.Outcome, error) {
	return r.runProcess(ctx, r.benchCommand(v, b, cpu, args))
}

func (r *Run) benchCommand(v *variant, b *binary, cpu int, args []string) trial.Command {
	args = append([]string{"-test.run=^$", "-test.benchmem", "-test.timeout=0", "-test.paniconexit0"}, args...)
	args = append(args, r.config().Args...)
	return trial.Command{Path: b.path, Args: args, Dir: cmp.Or(b.testsOf, b.pkg.Dir), Env: r.environ(v), CPU: cpu}
}

// runProcess runs a command with the timeout of a trial.
func (r *Run) runProcess(ctx context.Context, c trial.Command) (trial.Outcome, error) {
	limit := r.config().Timeout
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	o, err := trial.Run(limited, r.tmp, c)
	r.noteLeft(o.Left)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return o, fmt.Errorf("it took longer than %v; raise -timeout, or leave it out by -bench", limit)
	}
	return o, err
}

// noteLeft keeps for noteAllLeft which processes outlived the one that is measured.
// Those of a duet end at the same time.
func (r *Run) noteLeft(names []string) {
	r.daemonsMu.Lock()
	defer r.daemonsMu.Unlock()
	for _, name := range names {
		if name = strconv.Quote(name); !slices.Contains(r.daemons, name) && len(r.daemons) < 5 {
			r.daemons = append(r.daemons, name)
		}
	}
}

func (r *Run) noteAllLeft() {
	r.daemonsMu.Lock()
	defer r.daemonsMu.Unlock()
	if len(r.daemons) > 0 {
		slices.Sort(r.daemons)
		r.note("processes outside of the measured program's group ran on when it had ended (%s); they were ended with each trial", strings.Join(r.daemons, ", "))
	}
}

// result finds the line of one benchmark in the output of its process, with n
// iterations, or any number of them if n is 0. A benchmark that itself prints to
// standard output tears its result line apart; the numbers are then still found,
// by the count of iterations.
func result(out []byte, name string, n, procs int) (session.Line, error) {
	if line, ok := session.ParseOutput(out, procs)[name]; ok && (n == 0 || line.N == n) {
		return line, nil
	}
	count := `\d+`
	if n > 0 {
		count = strconv.Itoa(n)
	}
	torn := regexp.MustCompile(`(?m)(?:^|\s)(` + count + `\t\s*[0-9.]+ ns/op.*)$`)
	if m := torn.FindAllSubmatch(out, -1); len(m) == 1 {
		if line, ok := session.ParseOutput([]byte("Benchmark "+string(m[0][1])+"\n"), 1)[""]; ok {
			return line, nil
		}
	}
	return session.Line{}, errors.New("there is no result line in its output; if it prints to standard output itself, b.Log or standard error would be right")
}
