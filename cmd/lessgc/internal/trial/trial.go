// Package trial runs one process and measures it from outside: wall time, CPU
// time, peak memory, garbage collections, and what else the host was doing.
// The program measured is not changed and need not know.
//
// The process is not started by the caller but by a helper, a second copy of
// the caller's own executable that does nothing else: it ends the program and all
// that it has started when the caller dies, whatever the way. On Linux the helper
// starts the program by way of a third, which is small: see spawn_linux.go.
package trial

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/procgroup"
)

// A Command names the program to run.
type Command struct {
	Path string
	Args []string // without the name of the program
	Dir  string
	Env  []string // the whole environment; GODEBUG is extended by gctrace=1, unless Plain is set
	CPU  int      // which of the CPUs it may use is to be the only one, from 1; 0 for any. Linux only, see CanPin

	// Plain leaves the environment as it is: of a program that is run and not measured, nothing is
	// known of its collections.
	Plain bool

	// Cycles says by number which collections count, once the program has ended. nil is
	// for all that were not forced.
	Cycles func(n int) bool

	// Count asks for the number of instructions. CounterFlag is a flag of the program, if
	// it is to read the counter itself: put before Args, with the number of a descriptor, if
	// the machine has a counter. Linux only, see OpenCounter.
	Count       bool
	CounterFlag string

	// Stderr gets the program's standard error, for callers who read it meanwhile. It stays
	// open. nil is for a file of Run's own.
	Stderr *os.File
}

// An Outcome holds the result and the cost of one process.
type Outcome struct {
	Wall     time.Duration // from start to end
	User     time.Duration // CPU time, with that of children waited for
	System   time.Duration
	PeakRSS  int64 // bytes; 0 where the system does not tell, or tells the helper's
	GC       gctrace.Summary
	Load     float64 // load average over one minute before the start; -1 unknown
	Steal    float64 // share of CPU time the hypervisor took meanwhile, 0 to 1; -1 unknown
	Stdout   []byte  // its beginning and its end, if it is long
	Stderr   []byte  // likewise, and without the gctrace lines
	Unread   int64   // bytes in the middle of standard output that are not in Stdout
	ExitCode int
	Signal   string // what killed it, if something did

	// Instructions counts instructions in user mode, of all threads and children; 0 if
	// they are not known.
	Instructions int64

	// Left are the names of the processes that it had started, that were not in its
	// process group any more, and that ran on when it ended. They were ended. Linux
	// only: elsewhere they are not found.
	Left []string
}

// Failed reports whether the process did not end with status 0.
func (o Outcome) Failed() bool { return o.ExitCode != 0 || o.Signal != "" }

// CPUTime is user and system time.
func (o Outcome) CPUTime() time.Duration { return o.User + o.System }

// keep bounds how much output of a program is held in memory: half of it from the
// beginning, where package testing names a benchmark, and half from the end, where
// results and panics stand.
const keep = 16 << 20

// Run runs c and waits for it. Its output goes to files in dir, which are
// removed again, and not through pipes: a reader would compete for the CPU with
// the program it measures. When ctx is done, the program and all its children
// are killed and Run returns ctx.Err(), with the output so far.
//
// The error is nil if the program ran, whatever its exit status.
func Run(ctx context.Context, dir string, c Command) (Outcome, error) {
	o := Outcome{Load: loadAverage(), Steal: -1}
	if err := ctx.Err(); err != nil {
		return o, err
	}
	stdout, err := os.CreateTemp(dir, "stdout-")
	if err != nil {
		return o, err
	}
	defer discard(stdout)
	stderr := c.Stderr
	if stderr == nil {
		if stderr, err = os.CreateTemp(dir, "stderr-"); err != nil {
			return o, err
		}
		defer discard(stderr)
	}

	before, beforeOK := readCPUTicks()
	r, err := runHelper(ctx, c, stdout, stderr)
	if ctx.Err() != nil {
		o.Stdout, o.Unread, _ = content(stdout)
		o.Stderr, _, _ = content(stderr)
		o.Stderr = withoutTraces(o.Stderr)
		return o, ctx.Err()
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", filepath.Base(c.Path), err)
	}
	if after, ok := readCPUTicks(); ok && beforeOK {
		o.Steal = after.stealSince(before)
	}
	o.Wall, o.User, o.System, o.PeakRSS = r.Wall, r.User, r.System, r.PeakRSS
	o.ExitCode, o.Signal, o.Left, o.Instructions = r.ExitCode, r.Signal, r.Left, r.Instructions

	if _, err := stderr.Seek(0, io.SeekStart); err != nil {
		return o, err
	}
	if o.GC, err = gctrace.Read(stderr, c.Cycles); err != nil {
		return o, err
	}
	if o.Stdout, o.Unread, err = content(stdout); err != nil {
		return o, err
	}
	o.Stderr, _, err = content(stderr)
	o.Stderr = withoutTraces(o.Stderr)
	return o, err
}

func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// content reads what a program wrote: all of it, or the lines at its beginning and
// its end. Unread is how many bytes are left out.
func content(f *os.File) (data []byte, unread int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	size := info.Size()
	if size <= keep {
		data, err = io.ReadAll(io.NewSectionReader(f, 0, size))
		return data, 0, err
	}
	half := make([]byte, keep/2)
	if _, err := f.ReadAt(half, 0); err != nil {
		return nil, 0, err
	}
	data = append(data, half[:bytes.LastIndexByte(half, '\n')+1]...)
	if _, err := f.ReadAt(half, size-keep/2); err != nil {
		return nil, 0, err
	}
	data = append(data, half[bytes.IndexByte(half, '\n')+1:]...)
	return data, size - int64(len(data)), nil
}

// withoutTraces removes what the runtime wrote.
func withoutTraces(stderr []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(stderr) {
		if at := gctrace.Find(string(line)); at >= 0 {
			line = line[:at]
		}
		kept = append(kept, line...)
	}
	return kept
}

// traced returns env with gctrace=1 added to its last GODEBUG.
func traced(env []string) []string {
	godebug := "gctrace=1"
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "GODEBUG="); ok && v != "" {
			godebug = v + ",gctrace=1"
		}
	}
	return append(env[:len(env):len(env)], "GODEBUG="+godebug)
}

// runHelper starts the helper in a process group of its own, hands it the
// request and reads its report.
func runHelper(ctx context.Context, c Command, stdout, stderr *os.File) (report, error) {
	var r report
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	pipeRead, pipeWrite, err := os.Pipe()
	if err != nil {
		return r, err
	}
	defer pipeRead.Close()
	cmd := exec.CommandContext(ctx, self, helperArg)
	cmd.Env = helperEnviron()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.ExtraFiles = []*os.File{pipeWrite} // reportFD of the helper
	procgroup.Command(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		pipeWrite.Close()
		return r, err
	}
	cmd.Cancel = stdin.Close // the helper then ends all that it finds, and itself
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Start()
	pipeWrite.Close()
	if err != nil {
		return r, err
	}
	// The pipe stays open until Wait: that it ends tells the helper that this
	// process has.
	env := c.Env
	if !c.Plain {
		env = traced(env)
	}
	sendErr := json.NewEncoder(stdin).Encode(request{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: env, CPU: c.CPU, Count: c.Count, CounterFlag: c.CounterFlag})
	decodeErr := json.NewDecoder(pipeRead).Decode(&r)
	waitErr := cmd.Wait()
	procgroup.Kill(cmd) // children that the program left behind
	if err := cmp.Or(waitErr, decodeErr, sendErr); err != nil {
		return r, fmt.Errorf("the measuring helper failed: %w", err)
	}
	if r.Err != "" {
		return r, errors.New(r.Err)
	}
	return r, nil
}

// helperEnviron is the environment without what would make the helper itself
// collect, or print into the program's standard error.
func helperEnviron() []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return name == "GODEBUG" || name == "GOMEMLIMIT" || name == "GOGC"
	})
	return append(env, "GOGC=off")
}
