package trial

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of every descendant whose own parent ends. So
// they are found even if they have left the process group, as daemons do.
func adopt() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// endTime bounds the wait for processes that were killed: one that the kernel holds
// in the middle of something ends later.
const endTime = 5 * time.Second

// mostNames bounds what a report says.
const mostNames = 100

// endDescendants kills what this process and its descendants have started, and waits
// for its end. It returns the names of those that had left the process group.
func endDescendants() (strangers []string) {
	own := syscall.Getpgrp()
	seen := map[int]bool{}
	for began := time.Now(); time.Since(began) < endTime; time.Sleep(time.Millisecond) {
		all := descendants(os.Getpid())
		if len(all) == 0 {
			break
		}
		for _, p := range all {
			if p.group != own && !seen[p.pid] && len(strangers) < mostNames {
				strangers = append(strangers, p.name)
			}
			seen[p.pid] = true
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	return strangers
}

// childless reaps the children that have ended, and reports whether there are no
// others.
func childless() bool {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return true
		case pid == 0:
			return false
		}
	}
}

type process struct {
	pid, parent, group int
	name               string
}

// descendants returns the processes below pid that have not ended.
func descendants(pid int) []process {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	children := map[int][]process{}
	for _, file := range files {
		if p, ok := readProcess(file); ok {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	all := children[pid]
	for i := 0; i < len(all); i++ { // all grows
		all = append(all, children[all[i].pid]...)
	}
	return all
}

// readProcess reads a stat file, see proc_pid_stat(5). ok is false for a process
// that has ended.
func readProcess(file string) (p process, ok bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return p, false
	}
	text := string(data)
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return p, false
	}
	p.name = text[open+1 : end] // which may hold anything
	var state string
	if _, err := fmt.Sscan(text[:open], &p.pid); err != nil {
		return p, false
	}
	if _, err := fmt.Sscan(text[end+1:], &state, &p.parent, &p.group); err != nil {
		return p, false
	}
	return p, state != "Z" && state != "X"
}
