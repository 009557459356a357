package compare

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
	"lessgc/cmd/lessgc/internal/verdict"
)

// checkUpgrade refuses an upgrade of which one of the two toolchains builds nothing: the
// cells that are left answer another question.
func (r *Run) checkUpgrade() error {
	s := r.Dir.Session
	p := s.Config.Upgrade
	if p == nil {
		return nil
	}
	for _, name := range []string{p.From, p.To} {
		i := slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Mode.Name == name && !c.AA })
		if i < 0 || s.Cells[i].Err == "" {
			continue
		}
		var without []string
		for _, c := range s.Cells {
			if change := p.Change(c.Mode.Name); change != nil && c.Err == "" && name == p.To {
				without = append(without, "GOEXPERIMENT="+change.Setting)
			}
		}
		also := ""
		if len(without) > 0 {
			also = "; it can be built with " + strings.Join(without, " or with ")
		}
		return fmt.Errorf("nothing to compare: the code cannot be built with %s: %s%s", name, s.Cells[i].Err, also)
	}
	return nil
}

// leaveOutUntouched finds the rows whose binary is the same without a change: the change is
// not part of it, and there is nothing to measure.
func (r *Run) leaveOutUntouched(ctx context.Context) error {
	s := r.Dir.Session
	type pair [2]*binary
	proved := map[pair]bool{}
	names := map[string][]string{} // of rows, by change
	var order []string
	for c, cell := range s.Cells {
		change := s.Config.Upgrade.Change(cell.Mode.Name)
		if change == nil || cell.AA || cell.Err != "" {
			continue
		}
		for i := range s.Rows {
			row := &s.Rows[i]
			if row.Bench[c] == "" || row.Bench[cell.Ref] == "" {
				continue
			}
			p := pair{r.binaryOf(s.Cells[cell.Ref], *row), r.binaryOf(cell, *row)}
			if p[0] == nil || p[1] == nil {
				continue
			}
			same, known := proved[p]
			if !known {
				r.Progress.Step("looking whether %s is part of the binary of %s", change.Name, row.Label)
				same = r.untouched(ctx, cell, p[0], p[1], change)
				proved[p] = same
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !same {
				continue
			}
			if row.Same == nil {
				row.Same = make([]bool, len(s.Cells))
			}
			row.Same[c], row.Bench[c] = true, ""
			if len(names[change.Name]) == 0 {
				order = append(order, change.Name)
			}
			names[change.Name] = append(names[change.Name], row.Label)
		}
	}
	for _, change := range order {
		r.note("the binary is the same without %s, which therefore changes nothing: %s", change, verdict.FirstOf(5, names[change]))
	}
	return nil
}

// muchLarger is by how many bytes two binaries differ at most whose code may be the same:
// they hold the names of their experiments, and what follows is aligned.
const muchLarger = 8 << 10

// untouched reports whether a binary is the same without a change. A binary holds its
// GOEXPERIMENT, so both are built once more: with settings that mean what the modes mean
// and are equally long, without what the linker adds, and are compared but for these
// settings. What cannot be built so is taken for different.
func (r *Run) untouched(ctx context.Context, cell session.Cell, now, without *binary, change *upgrade.Change) bool {
	x, errX := os.Stat(now.path)
	y, errY := os.Stat(without.path)
	if errX != nil || errY != nil || max(x.Size()-y.Size(), y.Size()-x.Size()) > muchLarger {
		return false
	}
	on, off := "no"+change.Name+","+change.Name, change.Name+",no"+change.Name // the last word counts
	if change.Off {
		on, off = off, on
	}
	v := r.variantOf(cell)
	bare := func(words string) ([]byte, error) {
		m := v.mode
		m.Experiment = strings.Join(append(strings.Split(m.Experiment, ",")[:strings.Count(m.Experiment, ",")], words), ",")
		file := filepath.Join(r.tmp, "bare")
		defer os.Remove(file)
		if err := r.buildBare(ctx, v, m, without, file); err != nil {
			return nil, err
		}
		return os.ReadFile(file)
	}
	a, errA := bare(on)
	b, errB := bare(off)
	return errA == nil && errB == nil && bytes.Equal(bytes.ReplaceAll(a, []byte(on), []byte(off)), b)
}

// buildBare builds a binary in a mode without tables, build ID and version.
func (r *Run) buildBare(ctx context.Context, v *variant, m mode.Mode, b *binary, file string) error {
	flags := []string{"-ldflags=-s -w -buildid= -X runtime.buildVersion=go", "-o", file}
	args := slices.Concat([]string{"test", "-c", "-vet=off"}, m.BuildFlags(), flags, []string{b.pkg.ImportPath})
	if !r.benchmarks() {
		more, err := r.withProbe(ctx, v, r.program)
		if err != nil {
			return err
		}
		args = slices.Concat([]string{"build"}, m.BuildFlags(), more, flags, []string{"--", r.program.pkg})
	}
	_, err := build.Go(ctx, v.dir, m, args...)
	return err
}

// upgraded returns the comparison of the whole upgrade in the row and metric of one of a
// single change of it, or nil.
func upgraded(report *verdict.Report, c *verdict.Comparison) *verdict.Comparison {
	if report.Cells[c.Cell].Without == "" {
		return nil
	}
	i := slices.IndexFunc(report.Comparisons, func(x verdict.Comparison) bool {
		return x.Row == c.Row && x.Cell == c.Ref && x.Metric == c.Metric
	})
	if i < 0 {
		return nil
	}
	return &report.Comparisons[i]
}
