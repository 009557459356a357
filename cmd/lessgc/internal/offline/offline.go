// Package offline runs commands without a network: code of others that is tested or measured has no business there.
// On Linux, a command runs in a network namespace of its own, which has a loopback interface only; sockets in
// the file system are not of the network, and stay within reach. Elsewhere, and where
// the system does not let a user make namespaces, [Check] says so.
package offline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// stage is the first argument of the calling program when it is started again to enter a namespace.
const stage = "lessgc-offline"

// Wrap returns the command that runs a program, by its whole path, with arguments, without a network. The exit status and
// the output are those of the program. Check has to have returned nil.
func Wrap(path string, args []string) (string, []string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	return self, append([]string{stage, "enter", path}, args...), nil
}

// Helper turns the process into a step to a command that runs without a network, and then does not return, if it was
// started as one. Every program that calls Wrap, tests included, calls Helper first thing in main or TestMain.
func Helper() {
	if len(os.Args) < 4 || os.Args[1] != stage {
		return
	}
	var err error
	switch os.Args[2] {
	case "enter":
		err = enter(os.Args[3:])
	case "run":
		err = run(os.Args[3:])
	case "try":
		os.Exit(0)
	}
	fmt.Fprintf(os.Stderr, "%s without a network: %v\n", os.Args[3], err)
	os.Exit(125)
}

// ErrNot is the error of Check where a command cannot be kept from the network.
var ErrNot = errors.New("commands cannot be kept from the network here")

// Check reports whether commands can run without a network: nil if one was, by way of trying.
func Check(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, self, stage, "enter", self, stage, "try", self).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", ErrNot, firstLine(string(out), err))
	}
	return nil
}

// firstLine is the first line of an output, or an error if there is none.
func firstLine(out string, err error) string {
	if line, _, _ := strings.Cut(strings.TrimSpace(out), "\n"); line != "" {
		return line
	}
	return err.Error()
}
