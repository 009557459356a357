//go:build unix

package turns

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the program that takes turns: it works until it has used as much CPU
// time as it is told.
func TestMain(m *testing.M) {
	file, ok := os.LookupEnv("LESSGC_TURNS_FILE")
	if !ok {
		os.Exit(m.Run())
	}
	if file != "" {
		if err := os.WriteFile(file+".pid", fmt.Appendln(nil, os.Getpid()), 0o600); err != nil {
			panic(err)
		}
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
	most, err := time.ParseDuration(os.Getenv("LESSGC_TURNS_WORK"))
	if err != nil {
		panic(err)
	}
	for used := time.Duration(0); used < most; {
		var usage syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		used = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
}

func program(t *testing.T, file, work string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "LESSGC_TURNS_FILE="+file, "LESSGC_TURNS_WORK="+work)
	return cmd
}

func processes(t *testing.T, n int) []*Process {
	var all []*Process
	for range n {
		p, err := New(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		all = append(all, p)
	}
	return all
}

// TestRun has three processes take turns. One more ends before it takes any.
func TestRun(t *testing.T) {
	all := processes(t, 4)
	var cmds []*exec.Cmd
	for i, p := range all {
		file := p.File
		if i == 1 {
			file = ""
		}
		cmds = append(cmds, program(t, file, "150ms"))
	}
	ended, alone := make(chan error, 1), false
	go func() { ended <- Run(all, time.Minute, func(i int) { cmds[i].Run() }) }()
	for done := false; !done; {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			done = true
		case <-time.After(time.Millisecond):
			alone = alone || stoppedNow(all) == 2
		}
	}
	for i, cmd := range cmds {
		if !cmd.ProcessState.Success() {
			t.Errorf("process %d: %v", i, cmd.ProcessState)
		}
		// The first one waits for the start of the others, each for the turns of two.
		if stopped := all[i].Stopped(); (stopped > Slice) != (i != 1) {
			t.Errorf("process %d was stopped for %v", i, stopped)
		}
	}
	if runtime.GOOS == "linux" && !alone {
		t.Error("there never were two stopped processes")
	}
}

// stoppedNow counts the processes that are stopped.
func stoppedNow(all []*Process) int {
	n := 0
	for _, p := range all {
		pid, _ := os.ReadFile(p.File + ".pid")
		stat, _ := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if _, after, ok := strings.Cut(string(stat), ") "); ok && after[0] == 'T' {
			n++
		}
	}
	return n
}

// TestLate has a process come only when the other has ended, as if it waited for it.
func TestLate(t *testing.T) {
	all := processes(t, 2)
	cmds := []*exec.Cmd{program(t, all[0].File, "30ms"), program(t, all[1].File, "30ms")}
	first := make(chan bool)
	err := Run(all, 10*time.Millisecond, func(i int) {
		if i == 1 {
			<-first
		}
		cmds[i].Run()
		if i == 0 {
			close(first)
		}
	})
	if err != nil || all[1].Stopped() == 0 {
		t.Errorf("%v, the second one was stopped for %v", err, all[1].Stopped())
	}
	for i, cmd := range cmds {
		if !cmd.ProcessState.Success() {
			t.Errorf("process %d: %v", i, cmd.ProcessState)
		}
	}
}

// TestTold checks what a process reads of its stops.
func TestTold(t *testing.T) {
	p := processes(t, 1)[0]
	for _, stopped := range []time.Duration{0, 1, time.Hour, 3} {
		p.stopped = stopped
		if err := p.tell(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(p.File)
		if err != nil || len(text) != 8 || time.Duration(binary.NativeEndian.Uint64(text)) != stopped {
			t.Errorf("%v: %q, %v", stopped, text, err)
		}
	}
}

// TestKilled checks that processes which end while they are stopped end the turns, and that
// one that cannot be told for how long it was stopped runs to its end.
func TestKilled(t *testing.T) {
	all := processes(t, 2)
	cmds := []*exec.Cmd{program(t, all[0].File, "1h"), program(t, all[1].File, "1h")}
	ended := make(chan error, 1)
	go func() { ended <- Run(all, time.Minute, func(i int) { cmds[i].Run() }) }()
	for _, p := range all {
		pid := 0
		for ; pid == 0; time.Sleep(time.Millisecond) {
			text, _ := os.ReadFile(p.File + ".pid")
			if number, whole := strings.CutSuffix(string(text), "\n"); whole {
				pid, _ = strconv.Atoi(number)
			}
		}
		syscall.Kill(pid, syscall.SIGKILL)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	all = processes(t, 2)
	cmds = []*exec.Cmd{program(t, all[0].File, "50ms"), program(t, all[1].File, "50ms")}
	all[0].stops.Close()
	if err := Run(all, time.Minute, func(i int) { cmds[i].Run() }); err == nil {
		t.Error("no error though a file is closed")
	}
	for i, cmd := range cmds {
		if !cmd.ProcessState.Success() {
			t.Errorf("process %d: %v", i, cmd.ProcessState)
		}
	}
}
