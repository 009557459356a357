package stored

import (
	"bytes"
	"net/http"
	"os/exec"
	"sync"
)

var outputs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A runner starts commands, and waits for them.
type runner interface {
	start(*exec.Cmd) (chan int, error)
	wait(*exec.Cmd, chan int) (int, error)
}

// The command has run when the buffer goes back.
func goodRun(cmd *exec.Cmd) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	cmd.Stdout = b
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return b.String(), nil
}

func goodWait(r runner, cmd *exec.Cmd, combined bool) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	cmd.Stdout = b
	if combined {
		cmd.Stderr = b
	}
	done, err := r.start(cmd)
	if err != nil {
		return "", err
	}
	_, err = r.wait(cmd, done)
	return b.String(), err
}

func setOutput(cmd *exec.Cmd, b *bytes.Buffer) { cmd.Stdout = b }

func goodSet(cmd *exec.Cmd) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	setOutput(cmd, b)
	err := cmd.Run()
	return b.String(), err
}

// It runs on.
func badStart(cmd *exec.Cmd) error {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	cmd.Stdout = b // want "aliases b"
	return cmd.Start()
}

// Whoever runs it writes to what another has.
func badPrepare(cmd *exec.Cmd) {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	cmd.Stdout = b // want "aliases b"
}

func badRun(cmd *exec.Cmd) ([]byte, error) {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	cmd.Stdout = b
	err := cmd.Run()
	return b.Bytes(), err // want "aliases b"
}

type reading struct{ *bytes.Buffer }

func (reading) Close() error { return nil }

// A request goes on to others, who read its body.
func badRequest(r *http.Request, next func(*http.Request)) {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	r.Body = reading{b} // want "aliases b"
	next(r)
}
