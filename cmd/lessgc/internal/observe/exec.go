package observe

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/trial"
)

// A Program is observed from its start to its end.
type Program struct {
	Dir     string
	Command string // line, as compare's -exec has it
	Mode    mode.Mode
	Timeout time.Duration
	Step    func(string) // is called at each step
}

// Run builds the program if its command names a package, and runs it once. A program that is built already tells what
// gctrace has.
func (e *Program) Run(ctx context.Context, tmp string) (Subject, error) {
	s := Subject{Name: e.Command}
	p, err := compare.ParseProgram(e.Dir, e.Command)
	if err != nil {
		return s, err
	}
	c := trial.Command{Path: p.Path, Args: p.Args, Dir: e.Dir, Env: e.Mode.RunEnviron(os.Environ())}
	if p.Package != "" {
		e.Step("building " + p.Package)
		c.Path = filepath.Join(tmp, "observed-program")
		if err := e.build(ctx, tmp, p, c.Path); err != nil {
			return s, err
		}
	}
	e.Step("observing " + e.Command)
	ctx, stop := context.WithTimeout(ctx, e.Timeout)
	defer stop()
	got, err := observed(ctx, tmp, c)
	got.Name = s.Name
	if got.Run != nil {
		got.Run.Ends = true
	}
	if ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("it took longer than %v; raise -timeout, or give it less to do", e.Timeout)
	}
	return got, err
}

func (e *Program) build(ctx context.Context, tmp string, p compare.Program, out string) error {
	args := slices.Concat([]string{"list", "-f", "{{.Dir}}"}, e.Mode.BuildFlags(), p.Flags, []string{"--", p.Package})
	dir, err := build.Go(ctx, e.Dir, e.Mode, args...)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	if err := addProbe(replace, tmp, "main", strings.TrimSpace(string(dir)), probeFile); err != nil {
		return err
	}
	o, err := build.NewOverlay(tmp, "", replace)
	if err != nil {
		return err
	}
	return build.Program(ctx, e.Dir, e.Mode, append(slices.Clone(p.Flags), "-overlay="+o.File), p.Package, out)
}
