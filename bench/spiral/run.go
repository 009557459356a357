package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/service"
)

// args returns the arguments of the service.
func (c config) args() []string {
	return []string{"-child", "-case", c.Case, "-guard", c.Guard, "-hard", fmt.Sprint(c.Hard), "-time", c.Time.String(), "-rate", fmt.Sprint(c.Rate),
		"-fill", fmt.Sprint(c.Fill), "-listen", c.Listen, fmt.Sprintf("-cgroup=%t", c.Contained), fmt.Sprintf("-calm=%t", c.Calm)}
}

// run runs the service, watched by lessgc if its path is given, and returns what it has shown. What lessgc prints
// goes to a file, if one is named.
func (c config) run(ctx context.Context, lessgc, file string) (*result, error) {
	if c.Case == "lowered" && !c.Contained && strings.HasPrefix(c.Guard, "pace") {
		return nil, errors.New("pace follows the limit of a control group, not a simulated one: case lowered needs -cgroup, and a writable hierarchy of version 1")
	}
	if c.Listen == "" && lessgc != "" {
		c.Listen = "127.0.0.1:0"
	}
	b, err := box.Maybe(c.Contained, c.Hard)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	t := trial{config: c, box: b, watcher: watcher{lessgc: lessgc, file: file}}
	end, err := t.box.Run(ctx, c.args(), func(m box.Message, cmd *exec.Cmd) { t.message(ctx, m, cmd) })
	t.watcher.stop()
	if err != nil {
		return nil, err
	}
	if t.refused != "" {
		end = box.End{How: "killed", Text: t.refused}
	}
	if end.How == "failed" {
		return nil, errors.New(end.Text)
	}
	return t.result(end), nil
}

// A trial is a run while it lasts.
type trial struct {
	config
	box     *box.Box
	points  []service.Point
	begin   time.Time
	lowered int64  // the hard limit, if it was lowered
	refused string // why the limit was not lowered, or ""
	watcher watcher
}

// graceTime is the time, in seconds, for which the kernel may refuse to lower the limit to its last value.
const graceTime = 3.0

func (t *trial) message(ctx context.Context, m box.Message, cmd *exec.Cmd) {
	switch {
	case m.Listen != "":
		t.watcher.start(ctx, m.Listen)
	case m.Point != nil:
		if t.begin.IsZero() {
			t.begin = time.Now().Add(-time.Duration(m.Point.T * float64(time.Second)))
		}
		t.points = append(t.points, *m.Point)
		if t.Case == "lowered" && t.Contained {
			t.lower(m.Point.T, cmd)
		}
	}
}

// lower lowers the limit of the control group. Version 1 refuses a limit below the memory in use, where version 2
// kills: so the service is killed here if it still uses too much some time after the last step.
func (t *trial) lower(now float64, cmd *exec.Cmd) {
	want := t.hard(now)
	if t.stressed(now) == 0 || want == t.lowered {
		return
	}
	err := t.box.SetLimit(want)
	switch {
	case err == nil:
		t.lowered = want
	case t.refused == "" && t.stressed(now) == 1 && now > t.Time.Seconds()*3/4+graceTime:
		t.refused = fmt.Sprintf("memory %.1f MiB over the hard limit %.1f MiB, %.0f s after it was lowered", service.MiB(t.box.Usage()), service.MiB(want), graceTime)
		cmd.Process.Kill() // it may have ended already
	}
}
