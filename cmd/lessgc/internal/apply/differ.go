package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/differ"
)

// leastCalled is the number of generated inputs from which on a message tells them.
const leastCalled = 100

// differ calls the changed functions, old and new, with generated inputs. Functions whose inputs cannot be made are left to
// the tests.
func (r *Runner) differ(ctx context.Context, c *candidate, pkg string, files map[string][]byte) error {
	if r.State.Differ == 0 {
		return nil
	}
	dir := filepath.Dir(c.edits[0].File)
	old := map[string][]byte{}
	for name := range files {
		if filepath.Join(r.tree.Top, filepath.FromSlash(path.Dir(name))) != dir {
			continue
		}
		data, err := r.tree.At(ctx, "HEAD", name)
		if err != nil {
			return err
		}
		old[path.Base(name)] = data
	}
	var told []string
	for _, fn := range c.names {
		r.Progress.Step("calling %s, old and new, with generated inputs", fn)
		result, err := r.differOne(ctx, dir, pkg, old, fn, c.racy())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, differ.ErrCannot):
			told = append(told, fmt.Sprintf("%s was not called with generated inputs: %s", fn, reason(err)))
		case err != nil:
			return err
		case result.Difference != "":
			c.End(attempt.Failed, fmt.Sprintf("%s differs from what it was: %s", fn, result.Difference), "")
			return nil
		case result.Inputs == 0 || result.Inputs == result.Panicked || result.Inputs == result.Varied:
			told = append(told, fmt.Sprintf("generated inputs show nothing of %s", fn))
		default:
			text := fmt.Sprintf("%s does the same as before for %d generated inputs", fn, result.Inputs-result.Varied)
			if told = append(told, text); result.Inputs-result.Varied >= leastCalled {
				c.alike = append(c.alike, text)
			}
		}
	}
	if len(told) > 0 {
		c.Differ = strings.Join(told, "; ") + "."
	}
	return nil
}

func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), differ.ErrCannot.Error())
	return strings.TrimLeft(text, ": ")
}

// differOne checks one function. What it writes into the checkout, it deletes.
func (r *Runner) differOne(ctx context.Context, dir, pkg string, old map[string][]byte, fn string, race bool) (differ.Result, error) {
	check, err := differ.New(ctx, differ.Source{Dir: dir, Files: old}, differ.Source{Dir: dir}, fn)
	if err != nil {
		return differ.Result{}, err
	}
	file, err := check.Write(dir)
	if err != nil {
		return differ.Result{}, err
	}
	defer os.Remove(file)
	return differ.Run(ctx, r.tree.Dir, pkg, differ.Options{Duration: r.State.Differ, Race: race, Env: r.environ(), Go: r.goIn})
}

// goIn runs a go command for package differ.
func (r *Runner) goIn(ctx context.Context, dir string, env, args []string) (string, error) {
	o, err := r.commandIn(ctx, dir, env, "go", args...)
	return string(o.Stdout) + "\n" + string(o.Stderr), err
}
