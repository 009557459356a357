// Falsealarm measures how often a comparison of a program with itself is
// called a difference, by two protocols on one machine in one run:
//
//   - sequential: ten runs of A, then ten runs of B, and the Mann-Whitney U test
//     at 5 % that benchstat makes of two files (golang.org/x/perf/benchmath);
//   - lessgc: the command lessgc compare on the same benchmark.
//
// The experiments of both take turns, so that both see the same machine.
//
//	go run ./bench/falsealarm -n 40
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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
	pkg    = "lessgc/workloads/clones"
	bench  = "Clones/size=1024/clones=8"
	rounds = 10
	alpha  = 0.05
)

func main() {
	n := flag.Int("n", 40, "experiments of each protocol")
	trial := flag.Duration("trial", 60*time.Millisecond, "length of one run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *trial); err != nil {
		fmt.Fprintln(os.Stderr, "falsealarm:", err)
		os.Exit(1)
	}
}

// alarms counts experiments in which a difference was called.
type alarms struct{ cpu, wall int }

func run(ctx context.Context, n int, trial time.Duration) error {
	tmp, err := os.MkdirTemp("", "falsealarm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, build := range [][]string{
		{"test", "-c", "-o", filepath.Join(tmp, "clones.test"), pkg},
		{"build", "-o", filepath.Join(tmp, "lessgc"), "lessgc/cmd/lessgc"},
	} {
		if out, err := exec.CommandContext(ctx, "go", build...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(build, " "), err, out)
		}
	}
	s := sequential{binary: filepath.Join(tmp, "clones.test")}
	if err := s.pilot(ctx, trial); err != nil {
		return err
	}
	var seq, ours alarms
	for i := range n {
		if err := s.experiment(ctx, &seq); err != nil {
			return err
		}
		if err := lessgc(ctx, filepath.Join(tmp, "lessgc"), filepath.Join(tmp, fmt.Sprint(i)), trial, &ours); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d/%d  sequential: cpu %d wall %d  lessgc: cpu %d wall %d\n", i+1, n, seq.cpu, seq.wall, ours.cpu, ours.wall)
	}
	fmt.Printf("A program compared with itself, %d times by each protocol, %d runs of %v a side: called a difference\n\n", n, rounds, trial)
	fmt.Printf("| protocol | CPU time | wall time |\n|---|---|---|\n")
	for _, p := range []struct {
		name string
		a    alarms
	}{{"sequential, Mann-Whitney U at 5 % (benchstat of two files)", seq}, {"lessgc compare", ours}} {
		fmt.Printf("| %s | %d of %d (%.0f %%) | %d of %d (%.0f %%) |\n", p.name,
			p.a.cpu, n, 100*float64(p.a.cpu)/float64(n), p.a.wall, n, 100*float64(p.a.wall)/float64(n))
	}
	return nil
}

// sequential is the protocol of go test -count and benchstat.
type sequential struct {
	binary     string
	iterations int
}

func (s *sequential) pilot(ctx context.Context, trial time.Duration) error {
	s.iterations = 1000
	_, wall, err := s.once(ctx)
	if err != nil {
		return err
	}
	s.iterations = int(trial.Seconds() / wall)
	return nil
}

var nsPerOp = regexp.MustCompile(`([0-9.]+) ns/op`)

// once runs the benchmark in a process and returns its CPU and wall time per
// operation, in seconds.
func (s *sequential) once(ctx context.Context) (cpu, wall float64, err error) {
	var pattern []string
	for part := range strings.SplitSeq("Benchmark"+bench, "/") {
		pattern = append(pattern, "^"+part+"$")
	}
	cmd := exec.CommandContext(ctx, s.binary, "-test.run=^$", "-test.bench="+strings.Join(pattern, "/"), fmt.Sprintf("-test.benchtime=%dx", s.iterations))
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, err
	}
	m := nsPerOp.FindSubmatch(out)
	if m == nil {
		return 0, 0, fmt.Errorf("no result in %q", out)
	}
	ns, err := strconv.ParseFloat(string(m[1]), 64)
	state := cmd.ProcessState
	return (state.UserTime() + state.SystemTime()).Seconds() / float64(s.iterations), ns / 1e9, err
}

func (s *sequential) experiment(ctx context.Context, a *alarms) error {
	var cpu, wall [2][]float64
	for side := range 2 {
		for range rounds {
			c, w, err := s.once(ctx)
			if err != nil {
				return err
			}
			cpu[side], wall[side] = append(cpu[side], c), append(wall[side], w)
		}
	}
	a.cpu += differ(cpu)
	a.wall += differ(wall)
	return nil
}

// differ is 1 if benchstat would call the two samples different.
func differ(x [2][]float64) int {
	t := benchmath.DefaultThresholds
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(x[0], &t), benchmath.NewSample(x[1], &t))
	if c.P < alpha {
		return 1
	}
	return 0
}

// lessgc runs one comparison of two modes that are the same.
func lessgc(ctx context.Context, command, results string, trial time.Duration, a *alarms) error {
	cmd := exec.CommandContext(ctx, command, "compare", "-json", "-o", results, "-rounds", fmt.Sprint(rounds), "-trial", trial.String(),
		"-mode", "a: COPY=1", "-mode", "b: COPY=2", "-bench", "^BenchmarkClones$/^size=1024$/^clones=8$", pkg)
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return fmt.Errorf("%w\n%s", err, exit.Stderr)
	} else if err != nil {
		return err
	}
	var report struct {
		Metrics     []struct{ Name string }
		Comparisons []struct {
			Metric int
			Word   string
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return err
	}
	for _, c := range report.Comparisons {
		if c.Word != "better" && c.Word != "worse" {
			continue
		}
		switch report.Metrics[c.Metric].Name {
		case "cpu":
			a.cpu++
		case "wall":
			a.wall++
		}
	}
	return nil
}
