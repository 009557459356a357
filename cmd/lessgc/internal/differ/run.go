package differ

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Result is what a check has found.
type Result struct {
	Inputs   int // that were played
	Panicked int // of these, for which both functions panicked: a check in which all do says little
	Varied   int // of these, that were not compared, as the old function varies

	Difference string // between the functions, in one sentence: "" if none was found
	Unstable   string // how the old function varies by itself: what it does then is not compared
	Slow       string // the calls that took so long that the check was given up
}

// Options say how a check is run.
type Options struct {
	Duration time.Duration // of the calls; the build is not counted
	Race     bool          // with the race detector
	Env      []string      // of the go command, instead of that of the process

	// Go runs a go command in dir with an environment, and returns all that it prints; its exit status is no error.
	Go func(ctx context.Context, dir string, env, args []string) (string, error)
}

// The lines by which the test tells what it does, as folder harness prints them.
const (
	resultMark = "lessgc-differ: "
	phaseMark  = "lessgc-differ-phase: "
)

// buildTime bounds the time that the build of the test may take.
const buildTime = 5 * time.Minute

// attempts bounds how often a check is begun again because a call takes too long.
const attempts = 4

// Run runs the test file that a check has written into the folder of a package; pkg is the package as the go command
// names it from folder dir. If a call takes too long the check is run again with other inputs, which are small.
func Run(ctx context.Context, dir, pkg string, o Options) (Result, error) {
	var all Result
	for i := range attempts {
		r, err := runOnce(ctx, dir, pkg, o, i)
		if err != nil {
			return Result{}, err
		}
		all.Inputs += r.Inputs
		all.Panicked += r.Panicked
		all.Varied += r.Varied
		all.Unstable = cmp.Or(all.Unstable, r.Unstable)
		all.Difference, all.Slow = r.Difference, r.Slow
		if r.Slow == "" {
			break
		}
	}
	return all, nil
}

func runOnce(ctx context.Context, dir, pkg string, o Options, attempt int) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, buildTime+2*o.Duration)
	defer cancel()
	args := []string{"test", "-run=^" + testName + "$", "-count=1", "-vet=off", "-ldflags=-w", "-timeout=" + (o.Duration + time.Minute).String(), "-v"}
	if o.Race {
		args = append(args, "-race")
	}
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(env[:len(env):len(env)], "LESSGC_DIFFER_DURATION="+o.Duration.String(), "GORACE=halt_on_error=1")
	if attempt > 0 {
		env = append(env, "LESSGC_DIFFER_CAREFUL=1", "LESSGC_DIFFER_SEED="+strconv.Itoa(attempt+1))
	}
	out, err := o.Go(ctx, dir, env, append(args, pkg))
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		return Result{}, err
	}
	return parse(out)
}

// parse reads what the test has printed.
func parse(out string) (Result, error) {
	var found struct {
		Result
		Cannot string
	}
	phase, told, played := "", false, 0
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, phaseMark); ok {
			var inputs string
			phase, inputs, _ = strings.Cut(rest, " ")
			played, _ = strconv.Atoi(inputs) // 0 is the number that is not known
		}
		if rest, ok := strings.CutPrefix(line, resultMark); ok {
			if err := json.Unmarshal([]byte(rest), &found); err != nil {
				return Result{}, fmt.Errorf("read the result of the check: %w", err)
			}
			told = true
		}
	}
	switch {
	case found.Cannot != "":
		return Result{}, cannot("%s", found.Cannot)
	case told && found.Difference == "" && found.Slow == "" && strings.Contains(out, "\n--- FAIL") && !strings.Contains(out, "DATA RACE"):
		return Result{}, fmt.Errorf("the test file failed: %s", excerpt(out))
	case told && !strings.Contains(out, "DATA RACE"):
		return found.Result, nil
	case phase == "":
		return Result{}, notBuilt(out)
	}
	found.Inputs = max(found.Inputs, played)
	return ended(out, phase, found.Result), nil
}

// ended makes a result of a process that ended before it had one: by a data race, or by an error of the runtime that
// cannot be recovered from. One in calls of the old function alone is no difference.
func ended(out, phase string, r Result) Result {
	what := "the process ended: " + excerpt(out)
	if strings.Contains(out, "WARNING: DATA RACE") {
		what = "data race" + raceFunctions(out)
	} else if m := regexp.MustCompile(`(?m)^(fatal error: .*|runtime: .*)$`).FindString(out); m != "" {
		what = m
	}
	switch phase {
	case "several-old":
		r.Unstable = "calls of the old function at the same time: " + what
	case "several-new", "done":
		r.Difference = "calls at the same time: " + what
	default:
		r.Slow = "one of the functions, called with generated inputs: " + what
	}
	return r
}

var raceFrame = regexp.MustCompile(`(?m)^  (\S+)\(\)$`)

// raceFunctions names the two functions that a data race is between, as far as they are not those of the check.
func raceFunctions(out string) string {
	_, out, _ = strings.Cut(out, "WARNING: DATA RACE")
	first, second, _ := strings.Cut(out, "Previous ")
	second, _, _ = strings.Cut(second, "\nGoroutine ")
	var names []string
	for _, part := range []string{first, second} {
		for _, m := range raceFrame.FindAllStringSubmatch(part, -1) {
			name := m[1]
			if strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "reflect.") {
				continue
			}
			if !strings.Contains(name, harnessPrefix) {
				names = append(names, name)
			}
			break
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " in " + strings.Join(slices.Compact(names), " and ")
}

// notBuilt makes an error of a test that did not start. If it is the test file that does not compile, the old function
// cannot stand beside the new one.
func notBuilt(out string) error {
	for line := range strings.Lines(out) {
		if strings.Contains(line, FileName+":") {
			return cannot("the old function does not compile beside the new one: %s", strings.TrimSpace(line))
		}
	}
	return fmt.Errorf("run the check: %s", excerpt(out))
}

// excerpt is the end of a text.
func excerpt(out string) string {
	const most = 600
	out = strings.TrimSpace(out)
	if len(out) > most {
		out = "..." + strings.ToValidUTF8(out[len(out)-most:], "")
	}
	return out
}
