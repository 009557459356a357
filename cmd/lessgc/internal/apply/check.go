package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/attempt"
)

// baseline runs the tests before the change: they have to pass.
func (r *Runner) baseline(ctx context.Context, c *candidate, pkg string, _ map[string][]byte) error {
	packages, err := r.importers(ctx, pkg)
	if err != nil {
		return err
	}
	before, err := r.known(ctx, packages, c.racy())
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(packages, before.passes) {
		c.End(attempt.Untested, "no test of "+pkg+", or of what imports it, passes before the change", before.outputOf(pkg))
	} else if p := before[pkg]; p != nil && p.aborted {
		c.End(attempt.Untested, "the tests of "+pkg+" do not come to their end before the change", p.output)
	}
	return nil
}

func (t testResult) outputOf(pkg string) string {
	if p := t[pkg]; p != nil {
		return p.output
	}
	return ""
}

// known are the results of tests of the last commit.
func (r *Runner) known(ctx context.Context, packages []string, race bool) (testResult, error) {
	command := r.testCommand(packages, race)
	if done := r.before[command]; done != nil {
		return done, nil
	}
	r.Progress.Step("running the tests of %d packages before the change", len(packages))
	result, err := r.test(ctx, packages, race)
	if err == nil {
		r.before[command] = result
	}
	return result, err
}

// tests runs the tests with the change, and once more if one fails: that may be by chance.
func (r *Runner) tests(ctx context.Context, c *candidate, pkg string, files map[string][]byte) error {
	packages, err := r.importers(ctx, pkg)
	if err != nil {
		return err
	}
	before, err := r.known(ctx, packages, c.racy())
	if err != nil {
		return err
	}
	for range 2 {
		r.Progress.Step("running the tests of %d packages with the change", len(packages))
		now, err := r.test(ctx, packages, c.racy())
		if err != nil {
			return err
		}
		if err := errors.Join(r.tree.Reset(ctx), r.tree.Write(files)); err != nil { // tests write files, too
			return err
		}
		why, output := now.worse(before, packages)
		c.Outcome, c.Why, c.Output = "", "", ""
		if why == "" {
			command := r.testCommand(packages, c.racy())
			c.Tests = append(c.Tests, command)
			c.passed = map[string]testResult{command: now}
			return nil
		}
		c.End(attempt.Failed, why, output)
	}
	return nil
}

// vet builds the package and what imports it, and looks for new findings of go vet and lessgc vet.
func (r *Runner) vet(ctx context.Context, c *candidate, pkg string, files map[string][]byte) error {
	packages, err := r.importers(ctx, pkg)
	if err != nil {
		return err
	}
	r.Progress.Step("building and vetting %d packages", len(packages))
	now, err := r.findings(ctx, pkg, packages)
	if err != nil {
		return err
	}
	if now.broken != "" {
		c.End(attempt.Broken, "it does not build", now.broken)
		return nil
	}
	if len(now.findings) == 0 {
		return nil
	}
	if err := r.tree.Reset(ctx); err != nil {
		return err
	}
	before, err := r.findings(ctx, pkg, packages)
	if err != nil {
		return err
	}
	if err := r.tree.Write(files); err != nil {
		return err
	}
	for _, text := range slices.Sorted(maps.Keys(now.findings)) {
		if now.findings[text] > before.findings[text] {
			c.End(attempt.Broken, "vet reports something new: "+text, "")
			return nil
		}
	}
	return nil
}

// vetted is what compiler and vet say of the checkout as it is.
type vetted struct {
	findings map[string]int // how often go vet and lessgc vet say something, lines left out
	broken   string         // output of the compiler
}

func (r *Runner) findings(ctx context.Context, pkg string, packages []string) (v vetted, err error) {
	v.findings = map[string]int{}
	if v.broken, err = r.broken(ctx, packages); err != nil || v.broken != "" {
		return v, err
	}
	args := slices.Concat(r.tags(), packages)
	o, err := r.command(ctx, "go", append([]string{"vet"}, args...)...)
	if err != nil {
		return v, err
	}
	if o.Failed() {
		for line := range strings.Lines(string(o.Stderr)) {
			if text := withoutPlace(line); text != "" {
				v.findings["go vet: "+text]++
			}
		}
	}
	return v, r.ownFindings(ctx, pkg, v.findings)
}

// broken builds packages, and returns the output of the compiler if one does not build. Those that have only tests, for the system, are left
// out, as go build refuses them.
func (r *Runner) broken(ctx context.Context, packages []string) (output string, err error) {
	coded := slices.DeleteFunc(slices.Clone(packages), func(pkg string) bool { return !r.coded[pkg] })
	o, err := r.command(ctx, "go", slices.Concat([]string{"build", "-o", os.DevNull}, r.tags(), coded)...)
	if err != nil || !o.Failed() {
		return "", err
	}
	return string(o.Stderr[:min(len(o.Stderr), mostOutput)]), nil
}

// withoutPlace is what a line of go vet says, without its file, line and column; "" for a line that says nothing.
func withoutPlace(line string) string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "vet: ")
	if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "exit status") {
		return ""
	}
	parts := strings.SplitN(line, ":", 4)
	if len(parts) == 4 && strings.HasSuffix(parts[0], ".go") {
		return filepath.Base(parts[0]) + ":" + parts[3]
	}
	return line
}

// ownFindings adds the findings of lessgc vet.
func (r *Runner) ownFindings(ctx context.Context, pkg string, to map[string]int) error {
	o, err := r.own(ctx, slices.Concat([]string{"vet", "-json", "-advice", "-tests=false"}, r.tags(), []string{pkg})...)
	if err != nil {
		return err
	}
	var report struct {
		Findings []struct{ Rule, Message, File string }
	}
	if err := json.Unmarshal(o.Stdout, &report); err != nil {
		return fmt.Errorf("lessgc vet %s: %s", pkg, lastLine(o.Stderr))
	}
	for _, f := range report.Findings {
		to[fmt.Sprintf("lessgc vet: %s: %s: %s", filepath.Base(f.File), f.Rule, f.Message)]++
	}
	return nil
}

// measure compares the benchmarks that come by the change with those without it, and decides.
func (r *Runner) measure(ctx context.Context, c *candidate, _ string, _ map[string][]byte) error {
	r.Progress.Step("measuring change %d, for at most %v", len(r.Attempts)+1, r.State.Time)
	folder := filepath.Join(r.results, fmt.Sprintf("compare-%03d", len(r.Attempts)+1))
	rows, mean, err := r.compare(ctx, folder, "HEAD", c.Gains, r.State.Time)
	c.Rows = rows
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errSame):
		c.End(attempt.NoGain, err.Error(), "")
	case err != nil:
		c.End(attempt.Unmeasured, "the comparison failed: "+err.Error(), "")
	default:
		o, why := judge(rows, mean, c.Gains, c.least)
		if doubts, most := doubted(o, rows, r.State.Time); len(doubts) > 0 {
			r.Progress.Step("measuring change %d again, for at most %v: %s", len(r.Attempts)+1, most, doubts[0].Name)
			rows, err = r.confirm(ctx, folder+"-again", c.Gains, rows, doubts, most)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.Rows = rows
			if o, why = judge(rows, mean, c.Gains, c.least); err != nil {
				o, why = attempt.Unclear, fmt.Sprintf("the CPU time of %s may be worse: %s, and a second comparison failed: %v", doubts[0].Name, doubts[0].CPU.Change(), err)
			}
		}
		if fn := c.unpaid(rows); o == attempt.Kept && fn != "" {
			o, why = attempt.Unclear, "of what was measured, nothing tells that the change of "+fn+" pays"
		}
		if left := leftOut(c.Gains, rows); o == attempt.NoGain && left != "" {
			o, why = attempt.Unmeasured, fmt.Sprintf("the comparison had no time for %s, which it matters most to; raise -time", left)
		}
		c.End(o, why, "")
	}
	return nil
}
