package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/trial/countertest"
)

// childEnv makes the test binary one of the programs that the tests measure.
const childEnv = "TRIAL_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(countertest.Variable) != "" {
		OpenCounter = countertest.Open
	}
	Helper()
	if name := os.Getenv(childEnv); name != "" {
		os.Exit(children[name]())
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every child takes a second longer under the race detector
	os.Exit(m.Run())
}

var sink any

// children return their exit status. Their argument is os.Args[1].
var children map[string]func() int

func init() {
	children = map[string]func() int{
		"nothing": func() int { return 0 },
		"exit": func() int {
			code, _ := strconv.Atoi(os.Args[1])
			return code
		},
		"panic": func() int { panic("on purpose") },
		"kill": func() int {
			n, _ := strconv.Atoi(os.Args[1])
			syscall.Kill(os.Getpid(), syscall.Signal(n))
			select {}
		},
		"print": func() int {
			fmt.Println("to standard output")
			fmt.Fprintln(os.Stderr, "to standard error")
			fmt.Print("no newline")
			return 0
		},
		"arguments": func() int {
			dir, _ := os.Getwd()
			fmt.Printf("%q %s\n", os.Args[1:], dir)
			return 0
		},
		"environment": func() int {
			fmt.Println(strings.Join(os.Environ(), "\n"))
			return 0
		},
		"files": func() int {
			entries, _ := os.ReadDir("/proc/self/fd")
			for _, e := range entries {
				if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
					fmt.Println(e.Name(), to)
				}
			}
			return 0
		},
		"status": func() int {
			data, _ := os.ReadFile("/proc/self/status")
			os.Stdout.Write(data)
			return 0
		},
		// busy says how much CPU time it took by its own account.
		"busy": func() int {
			for n := uint64(0); ; n++ {
				if n%1000 == 0 && ownCPU() > 200*time.Millisecond {
					sink = n
					fmt.Println(int64(ownCPU()))
					return 0
				}
			}
		},
		// busy family has threads that run at the same time, and a child.
		"busy family": func() int {
			child := childCommand("busy")
			child.Stdout = os.Stdout
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() { spin(100 * time.Millisecond) })
			}
			all.Wait()
			if child.Run() != nil {
				return 1
			}
			return 0
		},
		"touch": func() int {
			sink = touched(150 << 20)
			return 0
		},
		"collect": func() int {
			fmt.Fprintln(os.Stderr, "before")
			for range 20 {
				collect()
			}
			runtime.GC()
			runtime.GC() // the lines of the former are written
			fmt.Fprintln(os.Stderr, "after")
			return 0
		},
		"much output": func() int {
			block := bytes.Repeat([]byte("a line of the log\n"), 10000)
			for n := 0; n < keep+1<<20; n += len(block) {
				os.Stderr.Write(block)
			}
			for range 20 {
				collect()
			}
			return 0
		},
		"end of much output": func() int {
			block := bytes.Repeat([]byte("a line of the log\n"), 10000)
			fmt.Println("first")
			for n := 0; n < 2*keep; n += len(block) {
				os.Stdout.Write(block)
				os.Stderr.Write(block)
			}
			fmt.Println("last")
			panic(strings.Repeat("on purpose ", 1000))
		},
		"long line": func() int {
			os.Stderr.Write(append(bytes.Repeat([]byte("x"), 3<<20), '\n'))
			return 0
		},
		"sleep": func() int {
			time.Sleep(30 * time.Second)
			return 0
		},
		// family starts a grandchild, says who is who in the file os.Args[1]
		// and sleeps, or with os.Args[2] ends.
		"family": func() int {
			grandchild := childCommand("sleep")
			if slices.Contains(os.Args, "own group") {
				grandchild.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			}
			if slices.Contains(os.Args, "own session") {
				grandchild.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			}
			if err := grandchild.Start(); err != nil {
				fmt.Println(err)
				return 1
			}
			fmt.Println("started")
			text := fmt.Sprintln(os.Getppid(), os.Getpid(), grandchild.Process.Pid)
			if err := os.WriteFile(os.Args[1]+".tmp", []byte(text), 0o666); err != nil {
				return 1
			}
			os.Rename(os.Args[1]+".tmp", os.Args[1])
			if !slices.Contains(os.Args, "end") {
				time.Sleep(30 * time.Second)
			}
			return 0
		},
		// run measures a family.
		"run": func() int {
			_, err := Run(context.Background(), filepath.Dir(os.Args[1]), child("family", os.Args[1:]...))
			fmt.Println(err)
			return 0
		},
	}
}

func ownCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// spin runs for so long.
func spin(d time.Duration) {
	for began := time.Now(); time.Since(began) < d; {
	}
}

func touched(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		b[i] = 1
	}
	return b
}

func collect() {
	var keep [][]byte
	for range 1000 {
		keep = append(keep, make([]byte, 10<<10))
	}
	sink = keep
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

func childCommand(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(self(), args...)
	cmd.Env = append(os.Environ(), childEnv+"="+name)
	return cmd
}

// child is the command for one of children.
func child(name string, args ...string) Command {
	return Command{Path: self(), Args: args, Env: append(os.Environ(), childEnv+"="+name)}
}

// run runs c and checks that no file is left.
func run(t *testing.T, c Command) Outcome {
	t.Helper()
	dir := t.TempDir()
	o, err := Run(t.Context(), dir, c)
	if err != nil {
		t.Fatal(err)
	}
	mustBeEmpty(t, dir)
	return o
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// alive reports whether the process runs; a zombie does not.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// mustEnd waits for the end of a process that was killed.
func mustEnd(t *testing.T, what string, pid int) {
	t.Helper()
	if !until(func() bool { return !alive(pid) }) {
		t.Errorf("the %s is still there", what)
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// until polls until f holds, for up to ten seconds.
func until(f func() bool) bool {
	for range 1000 {
		if f() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return f()
}

// relatives waits for the file that a family writes.
func relatives(t *testing.T, file string) (helper, child, grandchild int) {
	t.Helper()
	var data []byte
	until(func() bool {
		data, _ = os.ReadFile(file)
		return len(data) > 0
	})
	if _, err := fmt.Sscan(string(data), &helper, &child, &grandchild); err != nil {
		t.Fatalf("the family did not start: %v", err)
	}
	t.Cleanup(func() { syscall.Kill(grandchild, syscall.SIGKILL) })
	return helper, child, grandchild
}

func TestCPUTime(t *testing.T) {
	o := run(t, child("busy"))
	reported, err := strconv.ParseInt(strings.TrimSpace(string(o.Stdout)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	// The program counts until it has taken enough, so these hold at any speed. The kernel's
	// two accounts may differ by a tick.
	own := time.Duration(reported)
	if o.CPUTime() < own/2 || o.User <= 0 {
		t.Errorf("user %v and system %v; the program itself counted %v", o.User, o.System, own)
	}
	if o.Wall < own/2/time.Duration(runtime.NumCPU()) {
		t.Errorf("wall time %v for %v of CPU time", o.Wall, own)
	}
	if quiet := run(t, child("nothing")); quiet.CPUTime() <= 0 {
		t.Errorf("CPU time %v of a program that does nothing", quiet.CPUTime())
	}
}

// The reason for the helper: a small program has a small peak, however large
// the one is that measures it.
func TestPeakRSS(t *testing.T) {
	ballast := touched(200 << 20)
	if o := run(t, child("nothing")); o.PeakRSS < 500<<10 || o.PeakRSS > 100<<20 {
		t.Errorf("%d MB for a program that does nothing", o.PeakRSS>>20)
	}
	if o := run(t, Command{Path: "/bin/true"}); o.PeakRSS <= 0 || o.PeakRSS > 50<<20 {
		t.Errorf("%d MB for /bin/true", o.PeakRSS>>20)
	}
	if o := run(t, child("touch")); o.PeakRSS < 140<<20 || o.PeakRSS > 1<<30 {
		t.Errorf("%d MB for a program that touches 150", o.PeakRSS>>20)
	}
	runtime.KeepAlive(ballast)
}

// The peak of a small program is its own, from 1 MiB on: not that of a process which
// started it.
func TestSmallPeak(t *testing.T) {
	if !peakHasNoFloor {
		t.Skip("not on " + runtime.GOARCH)
	}
	ballast := touched(50 << 20)
	const near = 300 << 10 // the kernel counts pages per CPU, and adds them up now and then
	dd := func(size string) int64 {
		return run(t, Command{Path: "/bin/dd", Args: []string{"if=/dev/zero", "of=/dev/null", "count=1", "bs=" + size}}).PeakRSS
	}
	least := dd("1K")
	if least < 500<<10 || least > 4<<20 {
		t.Errorf("%d bytes for a dd of 1 KiB", least)
	}
	for mb := int64(1); mb <= 32; mb *= 2 {
		if grown := dd(fmt.Sprintf("%dM", mb)) - least; grown < mb<<20-near || grown > mb<<20+near {
			t.Errorf("dd of %d MiB has a peak of %d KiB more than one of 1 KiB", mb, grown>>10)
		}
	}
	o := run(t, Command{Path: "/bin/grep", Args: []string{"VmHWM", "/proc/self/status"}})
	var own int64
	if _, err := fmt.Sscanf(string(o.Stdout), "VmHWM: %d kB", &own); err != nil {
		t.Fatalf("%q: %v", o.Stdout, err)
	}
	if d := o.PeakRSS - own<<10; d < -near || d > near {
		t.Errorf("%d KiB, the program itself says %d", o.PeakRSS>>10, own)
	}
	runtime.KeepAlive(ballast)
}

func TestEnd(t *testing.T) {
	check := func(c Command, code int, signal string) Outcome {
		t.Helper()
		o := run(t, c)
		if o.ExitCode != code || o.Signal != signal || o.Failed() != (code != 0) {
			t.Errorf("exit status %d, signal %q, failed %v; want %d, %q", o.ExitCode, o.Signal, o.Failed(), code, signal)
		}
		return o
	}
	check(child("exit", "0"), 0, "")
	check(child("exit", "1"), 1, "")
	check(child("exit", "255"), 255, "")
	check(child("kill", "9"), -1, "killed")
	check(child("kill", "15"), -1, "terminated")
	o := check(child("panic"), 2, "")
	if !o.Crashed() || o.Reason() != "panic: on purpose" || !strings.Contains(o.Detail(), "goroutine 1 [running]") {
		t.Errorf("%q\n%s", o.Reason(), o.Detail())
	}
	if o := check(child("nothing"), 0, ""); o.Load < 0 || o.Steal < 0 || o.Steal > 1 || o.Wall <= 0 {
		t.Errorf("load %v, steal %v, wall %v", o.Load, o.Steal, o.Wall)
	}
}

func TestOutput(t *testing.T) {
	o := run(t, child("print"))
	if string(o.Stdout) != "to standard output\nno newline" || string(o.Stderr) != "to standard error\n" {
		t.Errorf("standard output %q, standard error %q", o.Stdout, o.Stderr)
	}
	dir := t.TempDir()
	c := child("arguments", "a b", "", "-x", `"q"`)
	c.Dir = dir
	if o := run(t, c); string(o.Stdout) != fmt.Sprintf("%q %s\n", c.Args, dir) {
		t.Errorf("arguments and folder: %s", o.Stdout)
	}
	if o := run(t, child("end of much output")); !bytes.HasPrefix(o.Stdout, []byte("first\n")) || !bytes.HasSuffix(o.Stdout, []byte("\nlast\n")) ||
		len(o.Stdout) > keep || len(o.Stderr) > keep || o.Unread < keep || !bytes.Contains(o.Stdout, []byte("log\na line")) || bytes.Contains(o.Stdout, []byte("loga")) {
		t.Errorf("%d bytes of standard output, %d left out: %.20q to %q", len(o.Stdout), o.Unread, o.Stdout, o.Stdout[max(0, len(o.Stdout)-20):])
	} else if reason := o.Reason(); !strings.HasPrefix(reason, "panic: on purpose on purpose") || len(reason) > 400 || len(o.Detail()) > 10<<10 {
		t.Errorf("%d bytes of reason, %d of detail: %.100q", len(reason), len(o.Detail()), reason)
	}
	c = child("long line")
	c.Env = append(c.Env, "GOGC=off") // a trace may be written into the middle of it
	if o := run(t, c); len(o.Stderr) != 3<<20+1 {
		t.Errorf("%d bytes of standard error, want %d", len(o.Stderr), 3<<20+1)
	}
}

func TestCollections(t *testing.T) {
	c := child("collect")
	c.Env = append(c.Env, "GOGC=100", "GOMEMLIMIT=off")
	// The runtime writes a line in parts, and runtime.GC may return before the last: now and
	// then the program writes into one, and what is left of it is not distinguished from the
	// program's own. Traces that are passed on are there every time.
	o := run(t, c)
	for try := 1; try < 10 && string(o.Stderr) != "before\nafter\n"; try++ {
		o = run(t, c)
	}
	if string(o.Stderr) != "before\nafter\n" {
		t.Errorf("standard error is %q, want it without the traces", o.Stderr)
	}
	if o.GC.Cycles < 3 || o.GC.Forced < 1 || o.GC.CPU <= 0 {
		t.Errorf("%+v", o.GC)
	}
	c.Env = append(c.Env, "GOGC=off")
	if o := run(t, c); o.GC.Cycles != 0 || o.GC.Forced < 1 {
		t.Errorf("with GOGC=off: %+v", o.GC)
	}
	// Much of a program's own output does not hide the rest.
	if o := run(t, child("much output")); o.GC.Cycles == 0 || len(o.Stderr) > keep {
		t.Errorf("behind %d bytes of standard error no collection is seen: %+v", len(o.Stderr), o.GC)
	}
}

// What the environment does to a Go program must not be done to the helper,
// whose traces and memory would be taken for the program's.
func TestEnvironmentOfHelper(t *testing.T) {
	for _, env := range []string{"GOGC=1", "GOMEMLIMIT=1", "GODEBUG=inittrace=1", "GODEBUG=schedtrace=1"} {
		o := run(t, Command{Path: "/bin/true", Env: []string{env}})
		if o.GC.Cycles+o.GC.Forced+o.GC.Unread > 0 || len(o.Stderr) > 0 {
			t.Errorf("%s: a program that is not Go has %d collections and prints %q", env, o.GC.Cycles, o.Stderr)
		}
	}
}

func TestEnvironment(t *testing.T) {
	check := func(want []string, env ...string) {
		t.Helper()
		c := Command{Path: self(), Env: append(slices.Clip(env), childEnv+"=environment")}
		got := strings.Split(strings.TrimSpace(string(run(t, c).Stdout)), "\n")
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, childEnv) })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: the program sees %q, want %q", env, got, want)
		}
	}
	check([]string{"GODEBUG=gctrace=1"})
	check([]string{"GODEBUG=gctrace=1", "FOO=a b", "GOGC=50"}, "FOO=a b", "GOGC=50")
	check([]string{"GODEBUG=madvdontneed=1,gctrace=1"}, "GODEBUG=madvdontneed=1")
	check([]string{"GODEBUG=b=2,gctrace=1"}, "GODEBUG=a=1", "GODEBUG=b=2")
	check([]string{"GODEBUG=gctrace=1"}, "GODEBUG=")

	c := child("collect")
	c.Env = append(c.Env, "GODEBUG=gctrace=0")
	if o := run(t, c); o.GC.Forced == 0 {
		t.Error("gctrace=0 in the environment hides the collections")
	}
	env := make([]string, 1, 10)
	env[0] = "A=1"
	if got := traced(env); len(got) != 2 || env[:2][1] != "" {
		t.Errorf("traced wrote into its argument: %q, %q", got, env[:2])
	}
}

// The program gets its three files and no others.
func TestInheritedFiles(t *testing.T) {
	inherited := map[string]bool{} // of this process, before there was a helper
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		to, _ := os.Readlink("/proc/self/fd/" + e.Name())
		inherited[to] = true
	}
	out := string(run(t, child("files")).Stdout)
	for line := range strings.Lines(out) {
		_, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(to, "pipe:") && !inherited[to] {
			t.Errorf("the program has a pipe of the helper: %s", line)
		}
	}
	if !strings.Contains(out, "1 ") || !strings.Contains(out, "2 ") {
		t.Errorf("standard output and error are missing: %s", out)
	}
}

func TestPin(t *testing.T) {
	if !CanPin {
		t.Fatal("Linux can pin")
	}
	allowed := func(o Outcome) string {
		for line := range strings.Lines(string(o.Stdout)) {
			if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
				return strings.TrimSpace(list)
			}
		}
		return "unknown"
	}
	free := allowed(run(t, child("status")))
	var first int
	if _, err := fmt.Sscan(strings.FieldsFunc(free, func(r rune) bool { return r == '-' || r == ',' })[0], &first); err != nil {
		t.Fatalf("%q: %v", free, err)
	}
	c := child("status")
	c.CPU = 1 + first
	if got := allowed(run(t, c)); got != strconv.Itoa(first) {
		t.Errorf("pinned to CPU %d it may run on %s", first, got)
	}
	if after := allowed(run(t, child("status"))); after != free {
		t.Errorf("the next program may run on %s, before it was %s", after, free)
	}
	dir := t.TempDir()
	c.CPU = 1 + 1000
	if _, err := Run(t.Context(), dir, c); err == nil || !strings.Contains(err.Error(), "cannot pin to one CPU") {
		t.Errorf("pinned to a CPU that is not there: %v", err)
	}
	mustBeEmpty(t, dir)
}

func TestCannotStart(t *testing.T) {
	check := func(c Command, parts ...string) {
		t.Helper()
		dir := t.TempDir()
		_, err := Run(t.Context(), dir, c)
		mustBeEmpty(t, dir)
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %q in it", c.Path, err, part)
			}
		}
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o777); err != nil {
		t.Fatal(err)
	}
	check(Command{Path: "/nowhere/prog"}, "prog", "no such file")
	check(Command{Path: t.TempDir()}, "permission denied")
	check(Command{Path: text}, "text", "exec format error")
	check(Command{Path: "/bin/true", Dir: "/nowhere/at/all"}, "/nowhere/at/all")
	if _, err := Run(t.Context(), "/nowhere/at/all", child("nothing")); err == nil {
		t.Error("no error though the output cannot be kept")
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if _, err := Run(ctx, dir, child("nothing")); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before: %v", err)
	}
	mustBeEmpty(t, dir)
	ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, dir, child("sleep")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("out of time: %v", err)
	}
	mustBeEmpty(t, dir)
}

func TestCancelKillsAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "pids")
	done := make(chan error)
	var o Outcome
	go func() {
		var err error
		o, err = Run(ctx, dir, child("family", file))
		done <- err
	}()
	helper, child, grandchild := relatives(t, file)
	if !alive(helper) || !alive(child) || !alive(grandchild) {
		t.Error("the family is not alive")
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || string(o.Stdout) != "started\n" {
		t.Errorf("%v, output so far %q", err, o.Stdout)
	}
	mustEnd(t, "helper", helper)
	mustEnd(t, "child", child)
	mustEnd(t, "grandchild", grandchild)
	mustBeEmpty(t, dir)
}

// A grandchild may leave the process group, or the session, as a daemon does.
func TestCancelWithDaemon(t *testing.T) {
	for _, how := range []string{"own group", "own session"} {
		ctx, cancel := context.WithCancel(t.Context())
		file := filepath.Join(t.TempDir(), "pids")
		done := make(chan error, 1)
		dir := t.TempDir()
		go func() {
			_, err := Run(ctx, dir, child("family", file, how))
			done <- err
		}()
		_, child, grandchild := relatives(t, file)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if alive(child) || alive(grandchild) {
			t.Errorf("%s: after Run, the child is alive: %v, the grandchild: %v", how, alive(child), alive(grandchild))
		}
	}
}

// One that has left and runs on when the program ends is ended, and named.
func TestDaemonLeftBehind(t *testing.T) {
	for _, how := range []string{"own group", "own session"} {
		file := filepath.Join(t.TempDir(), "pids")
		o := run(t, child("family", file, "end", how))
		_, _, grandchild := relatives(t, file)
		if alive(grandchild) {
			t.Errorf("%s: the grandchild is alive", how)
		}
		if o.Failed() || len(o.Left) != 1 || !strings.HasPrefix(filepath.Base(self()), o.Left[0]) {
			t.Errorf("%s: %+v", how, o)
		}
	}
	file := filepath.Join(t.TempDir(), "pids")
	if o := run(t, child("family", file, "end")); len(o.Left) != 0 {
		t.Errorf("one of the group is named: %q", o.Left)
	}
}

// Whoever called Run may be killed: a daemon does not outlive that.
func TestCallerKilledWithDaemon(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	caller := childCommand("run", file, "own session")
	if err := caller.Start(); err != nil {
		t.Fatal(err)
	}
	helper, child, grandchild := relatives(t, file)
	caller.Process.Kill()
	caller.Wait()
	mustEnd(t, "child", child)
	mustEnd(t, "grandchild", grandchild)
	mustEnd(t, "helper", helper)
}

func TestReadProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stat")
	for _, c := range []struct {
		text string
		want process
		ok   bool
	}{
		{"12 (sleep) S 3 4 5 6", process{12, 3, 4, "sleep"}, true},
		{"12 (a) R 1 (b\n) S 3 4 5", process{12, 3, 4, "a) R 1 (b\n"}, true},
		{"12 (sleep) Z 3 4 5 6", process{12, 3, 4, "sleep"}, false},
		{"", process{}, false},
		{"12 sleep", process{}, false},
		{"x (sleep) S 3 4 5", process{name: "sleep"}, false},
		{"12 (sleep)", process{pid: 12, name: "sleep"}, false},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, ok := readProcess(file); got != c.want || ok != c.ok {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
}

func TestGrandchildLeftBehind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	if o := run(t, child("family", file, "end")); o.Failed() {
		t.Errorf("%+v", o)
	}
	_, _, grandchild := relatives(t, file)
	mustEnd(t, "grandchild", grandchild)
}

// The program ends with whichever of its ancestors is killed: what started it, or the
// helper, which is that or its parent.
func TestHelperKilled(t *testing.T) {
	for _, generations := range []int{1, 2} {
		if generations == 2 && !peakHasNoFloor {
			continue
		}
		file := filepath.Join(t.TempDir(), "pids")
		done := make(chan error)
		dir := t.TempDir()
		go func() {
			_, err := Run(t.Context(), dir, child("family", file))
			done <- err
		}()
		helper, child, grandchild := relatives(t, file)
		if generations == 2 {
			p, ok := readProcess(fmt.Sprintf("/proc/%d/stat", helper))
			if helper = p.parent; !ok || helper == os.Getpid() {
				t.Fatalf("parent %d of %+v", helper, p)
			}
		}
		syscall.Kill(helper, syscall.SIGKILL)
		mustEnd(t, "child", child)
		syscall.Kill(grandchild, syscall.SIGKILL) // if it holds the report's pipe open
		if err := <-done; err == nil || !strings.Contains(err.Error(), "helper failed") {
			t.Errorf("the helper was killed: %v", err)
		}
		mustEnd(t, "grandchild", grandchild)
		mustBeEmpty(t, dir)
	}
}

// Whoever called Run may be killed without a chance to clean up.
func TestCallerKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	caller := childCommand("run", file)
	if err := caller.Start(); err != nil {
		t.Fatal(err)
	}
	helper, child, _ := relatives(t, file)
	caller.Process.Kill()
	caller.Wait()
	mustEnd(t, "helper", helper)
	mustEnd(t, "child", child)
}

func TestHelperRequests(t *testing.T) {
	for _, q := range []request{{}, {Path: "/nowhere/prog"}, {Path: "/bin/true", CPU: 1 + 1000}, {Path: "/bin/true", Dir: "/nowhere"}} {
		if r := help(q); r.Err == "" {
			t.Errorf("%+v is run: %+v", q, r)
		}
	}
	// Not even a request.
	cmd := exec.Command(self(), helperArg)
	cmd.Stdin = strings.NewReader("{")
	if err := cmd.Run(); err == nil {
		t.Error("the helper accepts half a request")
	}
}
