// Package vetting runs the lessgc vet of this checkout, for the benches that count what it finds.
package vetting

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// A Report is the output of lessgc vet -json, as far as the benches need it.
type Report struct {
	Packages int
	Findings []Finding
	Problems []struct{ Package, Message string }
}

// A Finding is one of a rule.
type Finding struct {
	Rule, Severity, Message string
	Position
	Related []Position
	Fixes   []struct{ Edits []struct{} }
}

// A Position is a place in a file; Line and Column count from 1.
type Position struct {
	File         string
	Line, Column int
}

// Build builds the command into a folder, and returns its name.
func Build(ctx context.Context, folder string) (tool string, err error) {
	tool = filepath.Join(folder, "lessgc")
	_, err = Output(ctx, "", nil, "go", "build", "-o", tool, "lessgc/cmd/lessgc")
	return tool, err
}

// Advisory returns the names of the advisory rules, which tool vet -explain list marks.
func Advisory(ctx context.Context, tool string) (names []string, err error) {
	list, err := Output(ctx, "", nil, tool, "vet", "-explain", "list")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(list)) {
		if fields := strings.Fields(line); strings.HasSuffix(strings.TrimSpace(line), "(with -advice)") {
			names = append(names, fields[0])
		}
	}
	if len(names) == 0 {
		return nil, errors.New("vet -explain list marks no rule with (with -advice)")
	}
	return names, nil
}

// Run runs tool vet -json in a folder with more of the environment. That something was found is no
// error.
func Run(ctx context.Context, tool, dir string, env []string, args ...string) (*Report, error) {
	data, err := Output(ctx, dir, env, tool, append([]string{"vet", "-json"}, args...)...)
	if exit := new(exec.ExitError); err != nil && !(errors.As(err, &exit) && len(data) > 0) {
		return nil, err
	}
	r := new(Report)
	return r, json.Unmarshal(data, r)
}

// Output returns the standard output of a command, also if it fails; the error has its standard error.
func Output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", path.Base(name), strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, err
}
