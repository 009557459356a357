package vetrun

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/procgroup"
)

// tempKey is the key of the folder in which the go commands of a context make their
// temporary files.
type tempKey struct{}

// withTemp returns a context whose go commands make their temporary files in dir: what is
// left of one that was killed then goes with it.
func withTemp(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, tempKey{}, dir)
}

// goEnviron is the environment of the go commands of ctx.
func goEnviron(ctx context.Context, env ...string) []string {
	all := os.Environ()
	if dir, ok := ctx.Value(tempKey{}).(string); ok {
		all = append(all, "GOTMPDIR="+dir)
	}
	return append(all, env...)
}

// goCommand is a go command that ends, with all that it has started, when ctx does.
func goCommand(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = goEnviron(ctx, env...)
	procgroup.Command(cmd)
	cmd.Cancel = func() error { return procgroup.Interrupt(cmd) } // the go command then removes its temporary files
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// finished makes an error of how a command ended: of that it could not run, or has to be
// killed. That the go command failed is no error here; what it has printed says more.
func finished(ctx context.Context, cmd *exec.Cmd, err error) error {
	exit := new(exec.ExitError)
	switch {
	case ctx.Err() != nil:
		if cmd.Process != nil {
			procgroup.Kill(cmd)
		}
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("the go command is not in PATH; install it or add its folder to PATH")
	case errors.As(err, &exit):
		return nil
	}
	return err
}

// goOutput is the standard output of a go command that has to succeed.
func goOutput(ctx context.Context, env []string, args ...string) ([]byte, error) {
	cmd := goCommand(ctx, env, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err := finished(ctx, cmd, err); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, errors.New(oneLine(strings.Join(said(stderr.String()), " ")))
	}
	return stdout.Bytes(), nil
}

// said are the lines of a go command's standard error that say something.
func said(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); worth(line) {
			all = append(all, line)
		}
	}
	return all
}

// worth reports whether a line of a go command reports a problem.
func worth(line string) bool {
	return strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "go: finding ")
}
