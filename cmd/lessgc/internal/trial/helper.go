package trial

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/procgroup"
)

// helperArg is the only argument of a process that is the helper.
const helperArg = "-lessgc-trial-helper"

// reportFD is the descriptor that the helper writes its report to.
const reportFD = 3

// request is read first by the helper, from its standard input.
type request struct {
	Path string
	Args []string
	Dir  string
	Env  []string
	CPU  int

	Count       bool
	CounterFlag string
}

// report is written by the helper to reportFD.
type report struct {
	Wall, User, System time.Duration
	PeakRSS            int64
	Instructions       int64
	ExitCode           int
	Signal             string
	Left               []string
	Err                string // the program could not be started
}

// ending is held by who ends the descendants of the helper: the helper does not exit
// meanwhile.
var ending sync.Mutex

// Helper turns the process into the helper, and then does not return, if it was
// started as one. Every program that calls Run, tests included, calls Helper
// first thing in main or TestMain.
func Helper() {
	if len(os.Args) != 2 || os.Args[1] != helperArg {
		return
	}
	closeOnExec(reportFD)
	adopt()
	var q request
	requests := json.NewDecoder(os.Stdin)
	if err := requests.Decode(&q); err != nil {
		os.Exit(1)
	}
	go func() {
		// The caller holds the other end and writes nothing more: what comes
		// is the end of the file, when the caller is gone or has had enough.
		io.Copy(io.Discard, os.Stdin)
		ending.Lock()
		endDescendants()
		procgroup.KillOwn()
	}()
	r := help(q)
	ending.Lock()
	if !childless() {
		r.Left = endDescendants()
	}
	if err := json.NewEncoder(os.NewFile(reportFD, "report")).Encode(r); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func help(q request) report {
	// The death signal, the CPU affinity and the counter belong to the thread that forks.
	runtime.LockOSThread()
	if q.CPU > 0 {
		if err := pin(q.CPU - 1); err != nil {
			return report{Err: "cannot pin to one CPU: " + err.Error()}
		}
	}
	cmd := exec.Command(q.Path, q.Args...)
	cmd.Dir, cmd.Env = q.Dir, q.Env
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	dieWithParent(cmd)
	counter := startCounting(q, cmd)
	r, err := spawn(cmd)
	if errors.Is(err, errNoSpawn) {
		r, err = startDirectly(cmd)
	}
	if err != nil {
		r.Err = err.Error()
		if _, noDir := os.Stat(q.Dir); q.Dir != "" && noDir != nil { // which the kernel blames on the program
			r.Err = noDir.Error()
		}
	}
	if counter != nil {
		r.Instructions = counted(counter)
	}
	return r
}

// startDirectly is spawn on systems that do not have it. The peak is that of the
// program only if it is larger than that of the helper.
func startDirectly(cmd *exec.Cmd) (r report, err error) {
	floor := ownPeakRSS()
	start := time.Now()
	err = cmd.Run()
	r.Wall = time.Since(start)
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return r, err
	}
	state := cmd.ProcessState
	r.User, r.System = state.UserTime(), state.SystemTime()
	if peak := peakRSS(state); peak > floor {
		r.PeakRSS = peak
	}
	r.ExitCode, r.Signal = state.ExitCode(), killedBy(state)
	return r, nil
}
