//go:build unix

// Spread measures one comparison on "machines" of one machine that are handicapped in different ways, kills some of
// them, takes the shards together, and sets the result beside a run that was not spread:
//
//	go run ./bench/spread -C FOLDER -o RESULTS -kill 3 -- -base HEAD -trial 50ms -rounds 12 .
//
// Behind -- are flags and packages of lessgc compare. Handicaps are other GOAMD64, a low priority, one CPU, half a CPU by a
// control group where this process may make one, and a neighbour that computes; each shard has the next of them.
// Shards that are killed get SIGKILL after a random number of trials. The code is in FOLDER.
package main

import (
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
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "spread:", err)
		os.Exit(1)
	}
}

type options struct {
	code, out    string
	shards, kill int
	most         int
	seed         uint64
	lessgc       string
	compare      []string
}

func run(ctx context.Context, args []string) error {
	var o options
	fs := flag.NewFlagSet("spread", flag.ContinueOnError)
	fs.StringVar(&o.code, "C", ".", "`folder` with the code")
	fs.StringVar(&o.out, "o", "", "new `folder` for the results")
	fs.IntVar(&o.shards, "shards", 8, "`number` of shards")
	fs.IntVar(&o.kill, "kill", 3, "kill this `number` of them")
	fs.IntVar(&o.most, "most", 150, "kill after this `number` of trials at most")
	fs.Uint64Var(&o.seed, "seed", 1, "`seed` of which are killed, and when")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if o.compare = fs.Args(); o.out == "" || len(o.compare) == 0 || o.kill < 0 || o.kill > o.shards || o.most < 1 {
		return errors.New("usage: spread -C FOLDER -o RESULTS [-shards 8] [-kill 3] -- FLAGS AND PACKAGES OF COMPARE")
	}
	var err error
	if o.out, err = filepath.Abs(o.out); err != nil {
		return err
	}
	if err := os.Mkdir(o.out, 0o777); err != nil {
		return err
	}
	o.lessgc = filepath.Join(o.out, "lessgc")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.lessgc, "lessgc/cmd/lessgc").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	rng := rand.New(rand.NewPCG(o.seed, 1))
	killed := map[int]bool{}
	for _, i := range rng.Perm(o.shards)[:o.kill] {
		killed[i+1] = true
	}
	var folders []string
	for i := 1; i <= o.shards; i++ {
		h := handicaps[(i-1)%len(handicaps)]
		after := 0 // trials
		if killed[i] {
			after = 1 + rng.IntN(o.most)
		}
		folder := filepath.Join(o.out, fmt.Sprintf("part%d", i))
		if err := o.shard(ctx, i, folder, h, after); err != nil {
			return err
		}
		if trials(folder) > 0 {
			folders = append(folders, folder)
		}
	}
	fmt.Println("not spread:")
	whole := filepath.Join(o.out, "whole")
	if err := o.command(ctx, append([]string{"compare", "-o", whole}, o.compare...)).Run(); err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	report := o.command(ctx, append([]string{"report", "-html", filepath.Join(o.out, "all.html")}, folders...))
	report.Stdout = os.Stdout
	if err := report.Run(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return o.beside(ctx, whole, folders)
}

func (o *options) command(ctx context.Context, args []string) *exec.Cmd {
	c := exec.CommandContext(ctx, o.lessgc, args...)
	c.Dir, c.Stderr = o.code, os.Stderr
	return c
}

// shard measures one shard with a handicap; it is killed once it has stored so many trials, if that is not 0.
func (o *options) shard(ctx context.Context, i int, folder string, h handicap, after int) error {
	c := o.command(ctx, append([]string{"compare", "-shard", fmt.Sprintf("%d/%d", i, o.shards), "-o", folder}, o.compare...))
	c.Env = append(os.Environ(), h.env...)
	if len(h.before) > 0 {
		path, err := exec.LookPath(h.before[0])
		if err != nil {
			return err
		}
		c.Path, c.Args = path, append(append([]string{}, h.before...), c.Args...)
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	undo := func() {}
	if h.start != nil {
		var err error
		if undo, err = h.start(c); err != nil {
			fmt.Printf("shard %d: %s cannot be had here: %v\n", i, h.name, err)
			undo = func() {}
		}
	}
	defer undo()
	if err := c.Start(); err != nil {
		return err
	}
	if h.started != nil {
		if err := h.started(c.Process.Pid); err != nil {
			fmt.Printf("shard %d: %s cannot be had here: %v\n", i, h.name, err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			fmt.Printf("shard %d, %s: %d trials\n", i, h.name, trials(folder))
			return err
		case <-time.After(20 * time.Millisecond):
			if after > 0 && trials(folder) >= after {
				syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
				<-ended
				fmt.Printf("shard %d, %s: killed after %d trials\n", i, h.name, trials(folder))
				return nil
			}
		}
	}
}

// trials counts the trials of a folder.
func trials(folder string) int {
	data, _ := os.ReadFile(filepath.Join(folder, "trials.jsonl"))
	return strings.Count(string(data), "\n")
}

// A handicap makes a machine another one.
type handicap struct {
	name    string
	env     []string
	before  []string                        // the command line
	start   func(*exec.Cmd) (func(), error) // before the process starts; the function undoes it
	started func(pid int) error
}

var handicaps = []handicap{
	{name: "as it is"},
	{name: "GOAMD64=v3", env: []string{"GOAMD64=v3"}},
	{name: "priority 15", before: []string{"nice", "-n", "15"}},
	{name: "one CPU", before: []string{"taskset", "-c", "0"}},
	{name: "half a CPU", started: halfCPU},
	{name: "a neighbour that computes", start: neighbour},
	{name: "GOAMD64=v2", env: []string{"GOAMD64=v2"}},
	{name: "GOAMD64=v3, priority 15 and a neighbour", env: []string{"GOAMD64=v3"}, before: []string{"nice", "-n", "15"}, start: neighbour},
}

// neighbour computes on all CPUs but one meanwhile.
func neighbour(*exec.Cmd) (func(), error) {
	var stop atomic.Bool
	for range max(1, runtime.NumCPU()-1) {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	return func() { stop.Store(true) }, nil
}

// halfCPU moves a process into a new control group of version 1 or 2 with half a CPU.
func halfCPU(pid int) error {
	name := fmt.Sprintf("lessgc-spread-%d", pid)
	if _, err := os.Stat("/sys/fs/cgroup/cpu"); err == nil {
		dir := filepath.Join("/sys/fs/cgroup/cpu", name)
		return errors.Join(os.Mkdir(dir, 0o777), write(dir, "cpu.cfs_quota_us", "50000"), write(dir, "cgroup.procs", fmt.Sprint(pid)))
	}
	dir := filepath.Join("/sys/fs/cgroup", name)
	return errors.Join(os.Mkdir(dir, 0o777), write(dir, "cpu.max", "50000 100000"), write(dir, "cgroup.procs", fmt.Sprint(pid)))
}

func write(dir, name, text string) error {
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
}

// A result is what is needed of report.json.
type result struct {
	Rows        []struct{ Name string }
	Cells       []struct{ Name string }
	Metrics     []struct{ Name string }
	Comparisons []struct {
		Row, Cell, Metric int
		Ratio, Lo, Hi     float64
		Bounded           bool
		Word              string
	}
}

// beside prints the CPU time of both, and whether the interval of each has the other's estimate in it.
func (o *options) beside(ctx context.Context, whole string, folders []string) error {
	read := func(dirs ...string) (r result, err error) {
		c := o.command(ctx, append([]string{"report", "-json"}, dirs...))
		c.Stdout = nil
		out, err := c.Output()
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		return r, err
	}
	one, err := read(whole)
	if err != nil {
		return err
	}
	all, err := read(folders...)
	if err != nil {
		return err
	}
	fmt.Print("\n| | | not spread | shards | each in the other's interval |\n|---|---|---|---|---|\n")
	for _, x := range all.Comparisons {
		if all.Metrics[x.Metric].Name != "cpu" || x.Word == "" {
			continue
		}
		for _, y := range one.Comparisons {
			if y.Row != x.Row || y.Cell != x.Cell || one.Metrics[y.Metric].Name != "cpu" {
				continue
			}
			name := "geometric mean"
			if x.Row >= 0 {
				name = all.Rows[x.Row].Name
			}
			show := func(ratio, lo, hi float64, word string) string {
				return fmt.Sprintf("%s %+.1f %% [%+.1f, %+.1f]", word, 100*(ratio-1), 100*(lo-1), 100*(hi-1))
			}
			fmt.Printf("| %s | %s | %s | %s | %v, %v |\n", name, all.Cells[x.Cell].Name, show(y.Ratio, y.Lo, y.Hi, y.Word), show(x.Ratio, x.Lo, x.Hi, x.Word),
				y.Ratio >= x.Lo && y.Ratio <= x.Hi, x.Ratio >= y.Lo && x.Ratio <= y.Hi)
		}
	}
	return nil
}
