// Variance finds out where the spread of benchmark results comes from on a machine, and
// which protocol makes the most of a time. For a benchmark of any module:
//
//	go run ./bench/variance -dir DIR -bench '^BenchmarkX$/^sub$' [package]
//
// It reports, of CPU time: the spread of trials of one binary at several lengths of a
// trial, with what that leaves after two minutes; how much taking turns helps; what the
// order in which the linker places functions does (-ldflags=-randlayout), apart from the
// noise of trials, also with functions that begin at addresses of other multiples (-align);
// two runs at once against two in turn; and two processes that take turns of some
// milliseconds, one being stopped while the other runs. Spreads are standard deviations of natural
// logarithms, so 0.01 is 1 %. Of comparisons that were made,
//
//	go run ./bench/variance -explain FOLDER...
//
// reports how much the circumstances of trials explain.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	var c config
	flag.StringVar(&c.dir, "dir", ".", "`folder` of the module")
	flag.StringVar(&c.bench, "bench", ".", "benchmark, as for go test -bench: one")
	flag.IntVar(&c.trials, "trials", 30, "`n` trials of each kind")
	flag.IntVar(&c.orders, "orders", 12, "`n` orders of linking")
	flag.StringVar(&c.align, "align", "0", "multiples of `bytes` at which functions begin, with commas between; 0 for the compiler's")
	flag.StringVar(&c.parts, "parts", "length,duet,turns,order", "which `experiments`")
	results := flag.Bool("explain", false, "explain the noise in the folders of comparisons")
	flag.Parse()
	if *results {
		if err := explain(flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, "variance:", err)
			os.Exit(1)
		}
		return
	}
	c.pkg = "."
	if flag.NArg() > 0 {
		c.pkg = flag.Arg(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "variance:", err)
		os.Exit(1)
	}
}

type config struct {
	dir, bench, pkg string
	align, parts    string
	trials, orders  int
}

// lengths lists the durations of a trial.
var lengths = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, 800 * time.Millisecond}

func run(ctx context.Context, c config) error {
	tmp, err := os.MkdirTemp("", "variance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	plain, err := c.build(ctx, filepath.Join(tmp, "0"))
	if err != nil {
		return err
	}
	p := program{path: plain, dir: c.packageDir(), bench: c.bench}
	second, err := p.perIteration(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%s %s: about %v an iteration\n\n", c.pkg, c.bench, time.Duration(second*float64(time.Second)).Round(time.Nanosecond))
	for part := range strings.SplitSeq(c.parts, ",") {
		switch part {
		case "length":
			err = c.byLength(ctx, p, second)
		case "duet":
			err = c.atOnce(ctx, p, second)
		case "turns":
			err = c.inTurns(ctx, p, second)
		case "order":
			for align := range strings.SplitSeq(c.align, ",") {
				if err = c.byOrder(ctx, p, second, tmp, align); err != nil {
					break
				}
			}
		default:
			err = fmt.Errorf("-parts %s: there are length, duet, turns and order", part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c config) packageDir() string { return filepath.Join(c.dir, c.pkg) }

// build makes a test binary.
func (c config) build(ctx context.Context, file string, flags ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"test", "-c", "-o", file}, flags, []string{c.pkg})...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return file, nil
}

// A program is a test binary and one benchmark of it.
type program struct{ path, dir, bench string }

// A trial holds the time and the CPU time of a process.
type trial struct {
	cpu  float64 // seconds
	wall time.Duration
}

var result = regexp.MustCompile(`(?m)^Benchmark\S*\s+(\d+)\s+([0-9.e+]+) ns/op`)

func (p program) once(ctx context.Context, n int, env ...string) (trial, []byte, error) {
	return p.onCPU(ctx, -1, n, env...)
}

// onCPU runs n iterations on one CPU, or on any if cpu is negative.
func (p program) onCPU(ctx context.Context, cpu, n int, env ...string) (trial, []byte, error) {
	cmd := p.command(ctx, cpu, n, env...)
	began := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return trial{}, nil, fmt.Errorf("%v: %w", cmd.Args, err)
	}
	return trial{cpuTime(cmd), time.Since(began)}, out, nil
}

// command runs n iterations on one CPU, or on any if cpu is negative.
func (p program) command(ctx context.Context, cpu, n int, env ...string) *exec.Cmd {
	args := []string{p.path, "-test.run=^$", "-test.bench=" + p.bench, fmt.Sprintf("-test.benchtime=%dx", n)}
	if cpu >= 0 {
		args = append([]string{"taskset", "-c", strconv.Itoa(cpu)}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), env...)
	return cmd
}

// cpuTime returns the CPU time of a command that has ended, in seconds.
func cpuTime(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// perIteration is the time of an iteration, in seconds.
func (p program) perIteration(ctx context.Context) (float64, error) {
	n := 1
	for {
		_, out, err := p.once(ctx, n)
		if err != nil {
			return 0, err
		}
		all := result.FindAllSubmatch(out, -1)
		if len(all) != 1 {
			return 0, fmt.Errorf("-bench %s is to be one benchmark, and %d ran:\n%s", p.bench, len(all), out)
		}
		ns, err := strconv.ParseFloat(string(all[0][2]), 64)
		if err != nil {
			return 0, err
		}
		if ns*float64(n) > 50e6 || n >= 1e9 {
			return ns / 1e9, nil
		}
		n *= 4
	}
}

func iterations(length time.Duration, second float64) int {
	return max(1, int(length.Seconds()/second))
}

// byLength runs trials of all lengths in turn.
func (c config) byLength(ctx context.Context, p program, second float64) error {
	logs := make([][]float64, len(lengths))
	walls := make([]time.Duration, len(lengths))
	for range c.trials {
		for _, i := range rand.Perm(len(lengths)) {
			n := iterations(lengths[i], second)
			t, _, err := p.once(ctx, n)
			if err != nil {
				return err
			}
			logs[i] = append(logs[i], math.Log(t.cpu/float64(n)))
			walls[i] += t.wall / time.Duration(c.trials)
		}
	}
	fmt.Println("| trial | spread of trials | of neighbours | interval after two minutes, three cells |")
	fmt.Println("|---|---|---|---|")
	for i, x := range logs {
		var next []float64
		for k := range x[1:] {
			next = append(next, x[k+1]-x[k])
		}
		rounds := 120 / (3 * walls[i].Seconds())
		d := robust(next) / math.Sqrt2
		fmt.Printf("| %v | %.3f | %.3f | ±%.1f %% |\n", lengths[i], robust(x), d, 100*1.96*d*math.Sqrt(1.5/rounds))
	}
	fmt.Println()
	return nil
}

// atOnce compares pairs of runs in turn with pairs at once, each on one CPU and with
// GOMAXPROCS=1.
func (c config) atOnce(ctx context.Context, p program, second float64) error {
	const length = 200 * time.Millisecond
	n := iterations(length, second)
	var turns, duets []float64
	var turnTime, duetTime time.Duration
	for range c.trials {
		var pair [2]trial
		began := time.Now()
		for i := range pair {
			t, _, err := p.onCPU(ctx, i, n, "GOMAXPROCS=1")
			if err != nil {
				return err
			}
			pair[i] = t
		}
		turnTime += time.Since(began)
		turns = append(turns, math.Log(pair[0].cpu/pair[1].cpu))
		var errs [2]error
		var both sync.WaitGroup
		began = time.Now()
		for i := range pair {
			both.Go(func() { pair[i], _, errs[i] = p.onCPU(ctx, i, n, "GOMAXPROCS=1") })
		}
		both.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		duetTime += time.Since(began)
		duets = append(duets, math.Log(pair[0].cpu/pair[1].cpu))
	}
	fmt.Println("| pairs on one CPU each | spread of their ratio | time | interval after two minutes |")
	fmt.Println("|---|---|---|---|")
	for _, kind := range []struct {
		name string
		d    []float64
		took time.Duration
	}{{"in turn", turns, turnTime}, {"at once", duets, duetTime}} {
		each := kind.took / time.Duration(c.trials)
		fmt.Printf("| %s | %.3f | %v | ±%.1f %% |\n", kind.name, robust(kind.d), each.Round(time.Millisecond), 100*1.96*robust(kind.d)*math.Sqrt(each.Seconds()/120))
	}
	fmt.Println()
	return nil
}

// turnLengths holds the lengths of a process's turn that are compared; 0 runs one process after
// the other.
var turnLengths = []time.Duration{0, 2 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond}

// inTurns compares pairs of trials one after the other with pairs that take turns, on any
// CPU and with both on the same one.
func (c config) inTurns(ctx context.Context, p program, second float64) error {
	const length = 200 * time.Millisecond
	n := iterations(length, second)
	type kind struct {
		turn         time.Duration
		cpu          int
		ratios, cpus []float64
		took         time.Duration
	}
	var kinds []*kind
	for _, cpu := range []int{-1, 0} {
		for _, turn := range turnLengths {
			kinds = append(kinds, &kind{turn: turn, cpu: cpu})
		}
	}
	for round := range c.trials {
		for _, i := range rand.Perm(len(kinds)) {
			k := kinds[i]
			cpu := k.cpu
			if cpu >= 0 {
				cpu = round % runtime.NumCPU()
			}
			began := time.Now()
			pair, err := p.pair(ctx, n, k.turn, cpu)
			if err != nil {
				return err
			}
			k.took += time.Since(began) / time.Duration(c.trials)
			k.ratios = append(k.ratios, math.Log(pair[0]/pair[1]))
			k.cpus = append(k.cpus, pair[0], pair[1])
		}
	}
	fmt.Println("| pairs in turns of | on | spread of their ratio | standard deviation | CPU time | time of a pair |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, k := range kinds {
		turn, on := k.turn.String(), "one CPU"
		if k.turn == 0 {
			turn = "one after the other"
		}
		if k.cpu < 0 {
			on = "any"
		}
		fmt.Printf("| %s | %s | %.3f | %.3f | %+.1f %% | %v |\n", turn, on, robust(k.ratios), deviation(k.ratios), 100*(median(k.cpus)/median(kinds[0].cpus)-1), k.took.Round(time.Millisecond))
	}
	fmt.Println()
	return nil
}

// pair runs two processes of n iterations each and returns their CPU times, in seconds.
// Each runs for a slice of time while the other is stopped; if slice is 0, for all of it.
func (p program) pair(ctx context.Context, n int, slice time.Duration, on int) (cpu [2]float64, err error) {
	procs := fmt.Sprintf("GOMAXPROCS=%d", runtime.NumCPU()) // on one CPU, too
	if slice == 0 {
		for i := range cpu {
			t, _, err := p.onCPU(ctx, on, n, procs)
			if err != nil {
				return cpu, err
			}
			cpu[i] = t.cpu
		}
		return cpu, nil
	}
	var cmds [2]*exec.Cmd
	ended := [2]chan error{make(chan error, 1), make(chan error, 1)}
	for i := range cmds {
		cmds[i] = p.command(ctx, on, n, procs)
		if err := cmds[i].Start(); err != nil {
			return cpu, err
		}
		if err := cmds[i].Process.Signal(syscall.SIGSTOP); err != nil {
			return cpu, err
		}
		go func() { ended[i] <- cmds[i].Wait() }()
	}
	for i, left := 0, 2; left > 0; i = 1 - i {
		if cpu[i] > 0 {
			continue
		}
		cmds[i].Process.Signal(syscall.SIGCONT) // an error says that it has ended
		select {
		case err := <-ended[i]:
			if err != nil {
				return cpu, err
			}
			cpu[i] = cpuTime(cmds[i])
			left--
		case <-time.After(slice):
			cmds[i].Process.Signal(syscall.SIGSTOP)
		}
	}
	return cpu, nil
}

// byOrder runs binaries that differ in the order of their functions only, in turn. Each
// function begins at a multiple of align bytes, the compiler's choice if it is 0.
func (c config) byOrder(ctx context.Context, p program, second float64, tmp, align string) error {
	const length = 200 * time.Millisecond
	n := iterations(length, second)
	began := time.Now()
	var all []program
	for i := range c.orders {
		flags := fmt.Sprintf("-ldflags=-randlayout=%d", 1+i)
		if align != "0" {
			flags += " -funcalign=" + align
		}
		file, err := c.build(ctx, filepath.Join(tmp, fmt.Sprint(1+i)), flags)
		if err != nil {
			return err
		}
		all = append(all, program{file, p.dir, p.bench})
	}
	linked := time.Since(began) / time.Duration(c.orders)
	repeats := max(6, c.trials/3)
	logs := make([][]float64, c.orders)
	for range repeats {
		var round []float64
		took := make([]float64, c.orders)
		for _, i := range rand.Perm(c.orders) {
			t, _, err := all[i].once(ctx, n)
			if err != nil {
				return err
			}
			took[i] = math.Log(t.cpu)
			round = append(round, took[i])
		}
		middle := median(round) // what was slow in the whole round is not of an order
		for i := range took {
			logs[i] = append(logs[i], took[i]-middle)
		}
	}
	var within, means []float64
	for _, x := range logs {
		m := median(x)
		means = append(means, m)
		for _, v := range x {
			within = append(within, v-m)
		}
	}
	noise := robust(within)
	ofMean := noise * math.Sqrt(math.Pi/2/float64(repeats)) // of a median
	between := math.Sqrt(math.Max(0, math.Pow(deviation(means), 2)-ofMean*ofMean))
	fmt.Printf("%d orders of linking, -funcalign %s, %d trials of %v of each: trials of one order spread by %.3f, orders by %.3f (fastest %.1f %%, slowest %+.1f %%); linking one took %v\n",
		c.orders, align, repeats, length, noise, between, 100*math.Expm1(slices.Min(means)), 100*math.Expm1(slices.Max(means)), linked.Round(10*time.Millisecond))
	return nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// robust is the standard deviation of the middle of x: its median distance from the
// median, times 1.4826, as of a normal distribution.
func robust(x []float64) float64 {
	m := median(x)
	var far []float64
	for _, v := range x {
		far = append(far, math.Abs(v-m))
	}
	return 1.4826 * median(far)
}

func deviation(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(x)-1))
}
