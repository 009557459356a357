package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A watcher is lessgc watch, which looks at the service from outside. The zero value does nothing.
type watcher struct {
	lessgc string
	file   string // for what it prints
	cmd    *exec.Cmd
	out    *os.File
	failed error

	done     sync.WaitGroup
	near, in time.Time // when it first said so
	said     []string
}

const watchEvery = "500ms"

func (w *watcher) start(ctx context.Context, url string) {
	if w.lessgc == "" {
		return
	}
	w.cmd = exec.CommandContext(ctx, w.lessgc, "watch", "-json", "-interval", watchEvery, url)
	if w.file != "" {
		if w.out, w.failed = os.Create(w.file); w.failed != nil {
			w.cmd = nil
			return
		}
		w.cmd.Stdout = w.out
	}
	said, err := w.cmd.StderrPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		w.cmd, w.failed = nil, err
		return
	}
	w.done.Go(func() { w.listen(said) })
}

// listen notes when the first alarms came. lessgc prints a line to standard error whenever the level changes.
func (w *watcher) listen(said io.Reader) {
	for s := bufio.NewScanner(said); s.Scan(); {
		w.hear(s.Text(), time.Now())
	}
}

func (w *watcher) hear(line string, now time.Time) {
	w.said = append(w.said, line)
	switch {
	case strings.HasPrefix(line, "warning: ") && w.near.IsZero():
		w.near = now
	case strings.HasPrefix(line, "ALARM: ") && w.in.IsZero():
		w.in = now
	}
}

// stop ends lessgc. What it has said is complete then.
func (w *watcher) stop() {
	if w.cmd == nil {
		return
	}
	w.cmd.Process.Signal(os.Interrupt) // it may have ended already
	w.done.Wait()
	if err := w.cmd.Wait(); err != nil {
		w.failed = fmt.Errorf("%w: %s", err, strings.Join(w.said, "; "))
	}
	if w.out != nil {
		w.out.Close()
	}
}
