package box

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"

	"lessgc/bench/internal/service"
)

// A Message is a line that the program in the box writes to its standard output.
type Message struct {
	Listen string         `json:"listen,omitempty"` // the address that it serves lessgc/live at
	Point  *service.Point `json:"point,omitempty"`
	Note   string         `json:"note,omitempty"`
	Error  string         `json:"error,omitempty"`
	Done   bool           `json:"done,omitempty"` // the last message of a program that has run to its end
}

// An End describes the end of a program.
type End struct {
	How  string // "done", "killed", "crashed" or "failed"
	Text string // what it or the kernel said
}

func (e End) String() string {
	if e.Text == "" {
		return e.How
	}
	return e.How + ": " + e.Text
}

// Run runs this program in the box, hands over its messages as they come, and returns how it ended. The error
// is that it could not be run.
func (b *Box) Run(ctx context.Context, args []string, message func(Message, *exec.Cmd)) (End, error) {
	cmd, err := b.Command(ctx, args...)
	if err != nil {
		return End{}, err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return End{}, err
	}
	if err := cmd.Start(); err != nil {
		return End{}, err
	}
	var last Message
	for d := json.NewDecoder(out); ; {
		var m Message
		if d.Decode(&m) != nil { // the end, or a line cut off by it
			break
		}
		last = m
		message(m, cmd)
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return End{}, ctx.Err()
	}
	return b.end(last, err, said.String())
}

// end returns how the program ended, from its last message, its exit and what it wrote to standard error.
func (b *Box) end(last Message, err error, said string) (End, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return End{}, err
	}
	switch {
	case err == nil && last.Done:
		return End{How: "done"}, nil
	case strings.HasPrefix(last.Error, "killed: "): // by itself, without a control group
		return End{"killed", strings.TrimPrefix(last.Error, "killed: ")}, nil
	case last.Error != "":
		return End{"failed", last.Error}, nil
	case b.Killed():
		return End{"killed", "by the kernel, at the limit of the control group"}, nil
	case exit != nil && signaled(exit):
		return End{"killed", exit.Error()}, nil
	}
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "panic: "); ok {
			return End{"crashed", text}, nil
		}
		if text, ok := strings.CutPrefix(line, "fatal error: "); ok {
			return End{"crashed", text}, nil
		}
	}
	return End{"failed", fmt.Sprintf("%v: %.300s", err, said)}, nil
}

func signaled(e *exec.ExitError) bool {
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}
