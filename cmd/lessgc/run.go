package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/visible"
)

// The exit statuses.
const (
	exitClean   = 0 // done, and no condition of -fail-on holds
	exitFound   = 1 // a condition of -fail-on holds
	exitFailure = 2 // something that was asked for could not be done
)

// A command is one subcommand.
type command struct {
	name, short string
	run         func(context.Context, *env, []string) int
}

// env holds the output streams of a subcommand.
type env struct {
	stdout, stderr io.Writer
}

// newEnv makes the remaining control characters visible. Renderers, which know what a name
// is, have done so already.
func newEnv(stdout, stderr io.Writer) *env {
	writer := func(w io.Writer) io.Writer {
		_, codes := terminal(w)
		return visible.NewWriter(w, codes)
	}
	return &env{writer(stdout), writer(stderr)}
}

// patch is standard output for a change of source, which has to stay as it is unless a
// terminal would obey it.
func (e *env) patch() io.Writer {
	out := unwrapped(e.stdout)
	if _, ok := terminal(out); ok {
		return visible.NewWriter(out, false)
	}
	return out
}

// unwrapped returns the writer that newEnv was given.
func unwrapped(w io.Writer) io.Writer {
	for {
		v, ok := w.(*visible.Writer)
		if !ok {
			return w
		}
		w = v.Unwrap()
	}
}

func commands() []command {
	return []command{
		{"compare", "measure Go benchmarks, a program or a server in several modes: which is better?", runCompare},
		{"advise", "show what allocation and garbage collection cost, which lines cause it, what would help", runAdvise},
		{"apply", "carry the advice out: change, test, measure, keep what pays on a branch", runApply},
		{"scoreboard", "show how often changes of lessgc apply were kept, and saved what was predicted", runScoreboard},
		{"tune", "predict CPU and memory at other GOGC and GOMEMLIMIT settings, and choose one", runTune},
		{"watch", "show and record allocation and collection of a running service", runWatch},
		{"diff", "show what changed between two profiles, result folders, or times", runDiff},
		{"vet", "find misuse of arenas and pools in source, and fix it", runVet},
		{"report", "show the results of an earlier compare again, or several side by side", runReport},
		{"ci", "print a file that runs a comparison on several machines: GitHub, GitLab, Kubernetes", runCI},
		{"version", "print the version of lessgc", runVersion},
		{"help", "print the help of a subcommand", runHelp},
	}
}

// run is the whole command but for the process around it.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	e := newEnv(stdout, stderr)
	if len(args) == 0 {
		usage(stderr)
		return exitFailure
	}
	name := args[0]
	if name == "-h" || name == "-help" || name == "--help" {
		usage(stdout)
		return exitClean
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, e, args[1:])
		}
	}
	return e.fail(fmt.Errorf("there is no subcommand %q; lessgc help lists them", name))
}

func usage(w io.Writer) {
	fmt.Fprint(w, `lessgc shows what allocation and garbage collection cost a Go program, and whether a change pays.

usage: lessgc SUBCOMMAND [flags] [arguments]

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, `
Try first, in your own module:

  lessgc advise -bench . ./PACKAGE    what memory costs its benchmarks, and what would help
  lessgc vet ./...                    mistakes with pools and arenas
  lessgc help compare                 the flags of a subcommand, with examples
`)
}

func runHelp(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 {
		usage(e.stdout)
		return exitClean
	}
	return run(ctx, e.stdout, e.stderr, []string{args[0], "-h"})
}

// fail reports an error in one line.
func (e *env) fail(err error) int {
	fmt.Fprintf(e.stderr, "lessgc: %s\n", visible.All(secret.Hide(oneLine(err.Error())), visible.Terminal))
	return exitFailure
}

// oneLine joins the lines of an error, such as one of errors.Join.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// parse reads the flags of a subcommand. done is true when there is nothing
// left to do: help was asked for, or a flag is wrong.
func (e *env) parse(fs *flag.FlagSet, help string, args []string) (status int, done bool) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(e.stdout, help, "\nFlags:\n\n")
		fs.SetOutput(e.stdout)
		fs.PrintDefaults()
		return exitClean, true
	case err != nil:
		if hint := foreignFlag(fs.Name(), err); hint != "" {
			return e.fail(errors.New(hint)), true
		}
		return e.fail(fmt.Errorf("%w; lessgc %s -h lists the flags", err, fs.Name())), true
	}
	return exitClean, false
}

// terminal reports whether w is one, and how wide.
func terminal(w io.Writer) (width int, ok bool) {
	f, isFile := unwrapped(w).(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 100, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	return width, true
}

// text returns the settings for text on standard output.
func (e *env) text() render.Text {
	width, isTerminal := terminal(e.stdout)
	dir, _ := os.Getwd() // without one, files have their whole names
	return render.Text{Width: width, Color: isTerminal && os.Getenv("NO_COLOR") == "", Dir: dir}
}

// progress prints what is going on to standard error.
func (e *env) progress() *progress.Printer {
	width, isTerminal := terminal(e.stderr)
	return &progress.Printer{W: e.stderr, Terminal: isTerminal, Width: width}
}
