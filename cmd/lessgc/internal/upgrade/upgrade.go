// Package upgrade finds what a newer Go toolchain does differently by default and can be
// told not to do: the experiments (GOEXPERIMENT) that are on in one of two toolchains only.
//
// The toolchains are asked, so there is no list of experiments here. `go list` knows which
// are in force, as build tags goexperiment.NAME, for the system, the architecture and the
// environment; whether one can be turned off is tried. The source of internal/goexperiment
// is read for the sentence that explains an experiment, where a distribution has it.
package upgrade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/version"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/mode"
)

// A Plan is an upgrade from one toolchain to another, as modes: From and To are the names
// of the modes of the two toolchains, which are their versions.
type Plan struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Changes []Change `json:"changes,omitempty"` // by name
	Both    []string `json:"both,omitempty"`    // experiments that are on in both toolchains: not part of the upgrade
	Gone    []string `json:"gone,omitempty"`    // those of the old toolchain that the new one does not know: settled one way or the other
}

// A Change is an experiment that is on in the defaults of one of the two toolchains only.
type Change struct {
	Name    string `json:"name"`              // of the experiment, such as jsonv2
	Off     bool   `json:"off,omitempty"`     // the new toolchain turns it off, not on
	About   string `json:"about,omitempty"`   // what it is, by the toolchain's own documentation
	Setting string `json:"setting,omitempty"` // GOEXPERIMENT that takes it back, such as nojsonv2; "" if none does
	Mode    string `json:"mode,omitempty"`    // name of the mode of the new toolchain with Setting
	Why     string `json:"why,omitempty"`     // why there is no Setting
}

// A Go runs the go command of a mode in a folder, as build.Go does.
type Go func(ctx context.Context, dir string, m mode.Mode, args ...string) ([]byte, error)

// A toolchain is a Go toolchain, as it describes itself.
type toolchain struct {
	mode       mode.Mode
	version    string   // such as go1.27.3
	pinned     bool     // GOTOOLCHAIN can name it
	experiment string   // GOEXPERIMENT of the environment
	root       string   // GOROOT
	on         []string // experiments in force, sorted
}

// Find asks the go command in dir for the toolchain that it uses there and for the one
// called to, and returns the plan and its modes: the old toolchain, the new one, and the
// new one without each change that can be taken back. base has what all modes set; its
// name, toolchain and experiments are ignored.
//
// The error says that a toolchain cannot be had or asked, or that to is not an upgrade.
func Find(ctx context.Context, run Go, dir, to string, base mode.Mode) (*Plan, []mode.Mode, error) {
	name, err := releaseName(to)
	if err != nil {
		return nil, nil, err
	}
	base.Toolchain, base.Experiment = "", ""
	old, err := ask(ctx, run, dir, base)
	if err != nil {
		return nil, nil, err
	}
	if err := newer(old.version, name); err != nil {
		return nil, nil, err
	}
	base.Toolchain = name
	now, err := ask(ctx, run, dir, base)
	if err != nil {
		return nil, nil, unasked(name, err)
	}
	if err := newer(old.version, now.version); err != nil { // it may have answered with another version
		return nil, nil, err
	}
	if old.pinned { // so that the run can be gone on with where another toolchain is the default
		old.mode.Toolchain = old.version
	}
	return plan(ctx, run, dir, old, now)
}

// unasked returns why the new toolchain does not answer, and what to do.
func unasked(name string, err error) error {
	said := strings.TrimPrefix(err.Error(), "go: ")
	switch {
	case strings.Contains(said, "unknown GOEXPERIMENT"):
		return fmt.Errorf("-upgrade %s: GOEXPERIMENT of the environment is refused: %s; unset it, or set what both toolchains know", name, said)
	case strings.Contains(said, name) && !strings.Contains(said, "requires go"):
		return fmt.Errorf("-upgrade %s: the toolchain is not available: %s", name, said)
	}
	return fmt.Errorf("-upgrade %s: %w", name, err)
}

// plan finds what differs between two toolchains.
func plan(ctx context.Context, run Go, dir string, old, now toolchain) (*Plan, []mode.Mode, error) {
	p := &Plan{From: old.version, To: now.version, Both: common(old.on, now.on)}
	old.mode.Name, now.mode.Name = p.From, p.To
	modes := []mode.Mode{old.mode, now.mode}
	before, after := documented(old.root), documented(now.root)
	for _, x := range changed(old.on, now.on) {
		c := Change{Name: x, Off: slices.Contains(old.on, x), About: cmp.Or(after[x], before[x])}
		m, err := takeBack(ctx, run, dir, now, c)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil && c.Off && strings.Contains(err.Error(), "unknown GOEXPERIMENT "+x):
			p.Gone = append(p.Gone, x)
			continue
		case err != nil:
			c.Why = err.Error()
		default:
			c.Setting, c.Mode = m.Experiment, m.Name
			modes = append(modes, m)
		}
		p.Changes = append(p.Changes, c)
	}
	for x := range before {
		if _, known := after[x]; after != nil && !known {
			p.Gone = append(p.Gone, x)
		}
	}
	slices.Sort(p.Gone)
	p.Gone = slices.Compact(p.Gone)
	return p, modes, nil
}

// releaseName checks the name of a toolchain that is to be upgraded to: go1.27.3, or 1.27.3.
func releaseName(to string) (string, error) {
	name := to
	if !strings.HasPrefix(name, "go") {
		name = "go" + name
	}
	if !version.IsValid(name) {
		return "", fmt.Errorf("-upgrade %.40q is not the name of a toolchain; name a release, such as go1.27.3", to)
	}
	return name, nil
}

// newer refuses what is not an upgrade. The version of a toolchain built from a revision cannot
// be compared, and is let pass.
func newer(old, now string) error {
	if !version.IsValid(old) || !version.IsValid(now) {
		return nil
	}
	switch version.Compare(old, now) {
	case 0:
		return fmt.Errorf("-upgrade %s: that is the toolchain in use here; name a newer release", now)
	case 1:
		return fmt.Errorf("-upgrade %s is older than the toolchain in use here, %s; two toolchains of any age are compared by -mode toolchain=%s,%s", now, old, old, now)
	}
	return nil
}

// ask asks the go command of a mode what it is.
func ask(ctx context.Context, run Go, dir string, m mode.Mode) (toolchain, error) {
	t := toolchain{mode: m}
	out, err := run(ctx, dir, m, "env", "GOVERSION", "GOEXPERIMENT", "GOROOT")
	if err != nil {
		return t, err
	}
	lines := strings.SplitN(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n", 3)
	if len(lines) < 3 || strings.TrimSpace(lines[0]) == "" {
		return t, fmt.Errorf("go env GOVERSION GOEXPERIMENT GOROOT answered %.100q", out)
	}
	// "go1.25.9 X:arenas" is one that was built with other defaults, and "devel ..." one of a revision.
	answer := strings.TrimSpace(lines[0])
	t.pinned = version.IsValid(answer) && !strings.Contains(answer, "-")
	t.version, _, _ = strings.Cut(answer, " ")
	t.experiment, t.root = strings.TrimSpace(lines[1]), strings.TrimSpace(lines[2])
	t.on, err = inForce(ctx, run, dir, m)
	return t, err
}

// tagPrefix begins the build tag of an experiment.
const tagPrefix = "goexperiment."

// inForce asks which experiments are on in a mode.
func inForce(ctx context.Context, run Go, dir string, m mode.Mode) ([]string, error) {
	out, err := run(ctx, dir, m, "list", "-f", "{{range context.ToolTags}}{{println .}}{{end}}", "unsafe")
	if err != nil {
		return nil, err
	}
	var on []string
	for tag := range strings.FieldsSeq(string(out)) {
		if name, ok := strings.CutPrefix(tag, tagPrefix); ok {
			on = append(on, name)
		}
	}
	if len(on) == 0 && len(strings.TrimSpace(string(out))) == 0 {
		return nil, errors.New("go list names no build tags of the toolchain, so what it does by default is not known; it is too old")
	}
	slices.Sort(on)
	return slices.Compact(on), nil
}

// takeBack returns the mode of the new toolchain without a change. The error says why there
// is none.
func takeBack(ctx context.Context, run Go, dir string, now toolchain, c Change) (mode.Mode, error) {
	setting := "no" + c.Name
	want := slices.DeleteFunc(slices.Clone(now.on), func(x string) bool { return x == c.Name })
	if c.Off {
		setting = c.Name
		want = append(want, c.Name)
		slices.Sort(want)
	}
	m := now.mode
	m.Name += " " + setting
	m.Experiment = setting
	if now.experiment != "" { // what the environment sets holds as well
		m.Experiment = now.experiment + "," + setting
	}
	on, err := inForce(ctx, run, dir, m)
	if err != nil {
		return m, err
	}
	if also := changed(on, want); slices.Contains(also, c.Name) {
		return m, fmt.Errorf("GOEXPERIMENT=%s changes nothing in %s", setting, now.version)
	} else if len(also) > 0 {
		return m, fmt.Errorf("GOEXPERIMENT=%s also changes %s in %s", setting, strings.Join(also, ", "), now.version)
	}
	return m, nil
}

// common are the elements of both lists, which are sorted.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(x string) bool { return !slices.Contains(b, x) })
}

// changed are the elements of one of two lists only, sorted.
func changed(a, b []string) []string {
	all := slices.DeleteFunc(slices.Concat(a, b), func(x string) bool { return slices.Contains(a, x) && slices.Contains(b, x) })
	slices.Sort(all)
	return all
}
