// Power measures how often a known change is called, and called rightly, by three
// protocols in the same time:
//
//   - sequential: ten runs of the old code, then ten of the new, and the Mann-Whitney U
//     test at 5 % that benchstat makes of two files (golang.org/x/perf/benchmath);
//   - interleaved: the same runs, taking turns;
//   - lessgc: lessgc compare -base REV -time T; the other two get the time that it took.
//
// The change is what the working tree of a checkout differs in from REV. With -same the
// working tree is compared with itself, and with -moved REV with itself and some functions
// more that nothing calls, other ones in each experiment: they move the rest.
//
//	go run ./bench/power -dir DIR -bench '^BenchmarkX$' -n 10 -time 2m
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"
)

const (
	runs  = 10 // of each side, for benchstat
	alpha = 0.05
)

func main() {
	var c config
	flag.StringVar(&c.dir, "dir", ".", "`folder` of a module in a git checkout")
	flag.StringVar(&c.rev, "base", "HEAD", "`revision` of the old code")
	flag.StringVar(&c.bench, "bench", "", "benchmark, as for go test -bench: one")
	flag.IntVar(&c.n, "n", 10, "experiments")
	flag.IntVar(&c.others, "others", 10, "`n` of them with the other two protocols as well")
	flag.DurationVar(&c.time, "time", 2*time.Minute, "longest `time` of one")
	flag.BoolVar(&c.same, "same", false, "compare the working tree with itself")
	flag.BoolVar(&c.moved, "moved", false, "compare the old code with itself and functions that nothing calls")
	flag.Parse()
	c.pkg = "."
	if flag.NArg() > 0 {
		c.pkg = flag.Arg(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "power:", err)
		os.Exit(1)
	}
}

type config struct {
	dir, rev, bench, pkg string
	n, others            int
	time                 time.Duration
	same, moved          bool
}

// calls counts the verdicts of a protocol in all experiments.
type calls struct{ worse, better, same int }

func (c *calls) add(word string) {
	switch word {
	case "worse":
		c.worse++
	case "better":
		c.better++
	case "same":
		c.same++
	}
}

func run(ctx context.Context, c config) error {
	tmp, err := os.MkdirTemp("", "power-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	command := filepath.Join(tmp, "lessgc")
	if err := output(ctx, ".", "go", "build", "-o", command, "lessgc/cmd/lessgc"); err != nil {
		return err
	}
	old := filepath.Join(tmp, "old")
	if err := output(ctx, c.dir, "git", "worktree", "add", "--detach", old, c.rev); err != nil {
		return err
	}
	defer output(context.Background(), c.dir, "git", "worktree", "remove", "--force", old)
	prefix, err := prefixOf(ctx, c.dir)
	if err != nil {
		return err
	}
	sides := [2]side{{dir: filepath.Join(old, prefix)}, {dir: c.dir}}
	if c.same {
		sides[0] = sides[1]
	}
	if c.moved {
		changed := filepath.Join(tmp, "changed")
		if err := output(ctx, c.dir, "git", "worktree", "add", "--detach", changed, c.rev); err != nil {
			return err
		}
		defer output(context.Background(), c.dir, "git", "worktree", "remove", "--force", changed)
		c.dir = filepath.Join(changed, prefix)
		c.rev, sides[1].dir = "HEAD", c.dir
	}
	for i := range sides {
		if err := sides[i].build(ctx, c, filepath.Join(tmp, fmt.Sprintf("%d.test", i))); err != nil {
			return err
		}
	}
	var ours, inTurn, inRow calls
	var spent time.Duration
	for i := range c.n {
		if c.moved {
			if err := addFunctions(ctx, filepath.Join(c.dir, c.pkg), i); err != nil {
				return err
			}
			if err := sides[1].build(ctx, c, sides[1].binary); err != nil {
				return err
			}
		}
		began := time.Now()
		word, change, err := c.lessgc(ctx, command, filepath.Join(tmp, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		took := time.Since(began)
		spent += took
		ours.add(word)
		if i >= c.others {
			fmt.Fprintf(os.Stderr, "%d/%d in %v: lessgc %s (%s)\n", i+1, c.n, took.Round(time.Second), word, change)
			continue
		}
		turn, err := benchstat(ctx, sides, took, true)
		if err != nil {
			return err
		}
		inTurn.add(turn)
		row, err := benchstat(ctx, sides, took, false)
		if err != nil {
			return err
		}
		inRow.add(row)
		fmt.Fprintf(os.Stderr, "%d/%d in %v: lessgc %s (%s), interleaved %s, sequential %s\n", i+1, c.n, took.Round(time.Second), word, change, turn, row)
	}
	fmt.Printf("| protocol, %v on average | worse | better | same | nothing |\n|---|---|---|---|---|\n", (spent / time.Duration(c.n)).Round(time.Second))
	others := min(c.n, c.others)
	for _, p := range []struct {
		name string
		calls
		n int
	}{{"lessgc compare", ours, c.n}, {"ten runs in turn, benchstat", inTurn, others}, {"ten runs after ten, benchstat", inRow, others}} {
		fmt.Printf("| %s | %d | %d | %d | %d |\n", p.name, p.worse, p.better, p.same, p.n-p.worse-p.better-p.same)
	}
	return nil
}

func output(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return nil
}

// prefixOf returns the path of a folder within its checkout, with a slash at the end, or
// "" for the root.
func prefixOf(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--show-prefix")
	cmd.Dir = dir
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// lessgc runs one comparison.
func (c config) lessgc(ctx context.Context, command, results string) (word, change string, err error) {
	args := []string{"compare", "-json", "-o", results, "-time", c.time.String(), "-bench", c.bench}
	if c.same {
		args = append(args, "-mode", "a: COPY=1", "-mode", "b: COPY=2")
	} else {
		args = append(args, "-base", c.rev)
	}
	cmd := exec.CommandContext(ctx, command, append(args, c.pkg)...)
	cmd.Dir = c.dir
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return "", "", fmt.Errorf("%w\n%s", err, exit.Stderr)
	} else if err != nil {
		return "", "", err
	}
	var report struct {
		Metrics     []struct{ Name string }
		Comparisons []struct {
			Metric        int
			Word          string
			Ratio, Lo, Hi float64
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return "", "", err
	}
	for _, x := range report.Comparisons {
		if x.Word != "" && report.Metrics[x.Metric].Name == "cpu" {
			return x.Word, fmt.Sprintf("%+.1f %% [%+.1f, %+.1f]", 100*(x.Ratio-1), 100*(x.Lo-1), 100*(x.Hi-1)), nil
		}
	}
	return "", "", errors.New("lessgc compared nothing")
}

// A side is a test binary of one version, and the module it is built in.
type side struct{ binary, dir, pkg, bench string }

func (s *side) build(ctx context.Context, c config, file string) error {
	s.binary, s.pkg, s.bench = file, c.pkg, c.bench
	return output(ctx, s.dir, "go", "test", "-c", "-o", file, c.pkg)
}

// addFunctions gives the package in dir functions that are linked and never called. How
// many and how large they are depends on the experiment.
func addFunctions(ctx context.Context, dir string, experiment int) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.Name}}", ".")
	cmd.Dir = dir
	name, err := cmd.Output()
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(uint64(experiment), 1))
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"os\"\n\nfunc init() {\n\tif len(os.Args) > 1e6 {\n", bytes.TrimSpace(name))
	n := 1 + rng.IntN(5)
	for k := range n {
		fmt.Fprintf(&b, "\t\tmoved%d(nil)\n", k)
	}
	b.WriteString("\t}\n}\n")
	for k := range n {
		fmt.Fprintf(&b, "\n//go:noinline\nfunc moved%d(x []int) {\n", k)
		for i := range rng.IntN(40) {
			fmt.Fprintf(&b, "\tx[%d] += x[%d]\n", i, i+1)
		}
		b.WriteString("}\n")
	}
	return os.WriteFile(filepath.Join(dir, "lessgc_moved.go"), []byte(b.String()), 0o666)
}

var nsPerOp = regexp.MustCompile(`(?m)^Benchmark\S*\s+\d+\s+([0-9.e+]+) ns/op`)

// once runs the benchmark for about a time and returns what it prints.
func (s side) once(ctx context.Context, length time.Duration) (float64, error) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.run=^$", "-test.bench="+s.bench, "-test.benchtime="+length.String())
	cmd.Dir = filepath.Join(s.dir, s.pkg)
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	m := nsPerOp.FindAllSubmatch(out, -1)
	if len(m) != 1 {
		return 0, fmt.Errorf("-bench %s is to be one benchmark, and %d ran:\n%s", s.bench, len(m), out)
	}
	return strconv.ParseFloat(string(m[0][1]), 64)
}

// benchstat measures both sides in a time, and says what benchstat would. A run of
// package testing takes about twice its benchtime.
func benchstat(ctx context.Context, sides [2]side, all time.Duration, inTurn bool) (string, error) {
	length := all / (2 * runs * 2)
	var x [2][]float64
	for k := range 2 * runs {
		i := k / runs
		if inTurn {
			i = k % 2
		}
		ns, err := sides[i].once(ctx, length)
		if err != nil {
			return "", err
		}
		x[i] = append(x[i], ns)
	}
	t := benchmath.DefaultThresholds
	old, changed := benchmath.NewSample(x[0], &t), benchmath.NewSample(x[1], &t)
	if c := benchmath.AssumeNothing.Compare(old, changed); c.P >= alpha {
		return "nothing", nil
	}
	if benchmath.AssumeNothing.Summary(changed, 0.95).Center > benchmath.AssumeNothing.Summary(old, 0.95).Center {
		return "worse", nil
	}
	return "better", nil
}
