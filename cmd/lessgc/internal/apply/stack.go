package apply

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/escape"
)

// stack ends a change that means memory to be on the stack, if the compiler has it on the heap.
func (r *Runner) stack(ctx context.Context, c *candidate, pkg string, files map[string][]byte) error {
	wanted, all := map[escape.Pos]bool{}, 0
	for _, e := range c.edits {
		if e.Stack == "" {
			continue
		}
		all++
		name, err := filepath.Rel(r.tree.Top, e.File)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(files[filepath.ToSlash(name)]), "\n") {
			if strings.Contains(line, e.Stack) {
				wanted[escape.Pos{File: e.File, Line: i + 1}] = true
			}
		}
	}
	if all == 0 {
		return nil
	}
	r.Progress.Step("asking the compiler what is on the stack")
	dir, err := os.MkdirTemp(r.tmp, "escape")
	if err != nil {
		return err
	}
	args := []string{"build", "-o", os.DevNull, "-gcflags=" + pkg + "=-json=0,file://" + filepath.ToSlash(dir)}
	if r.State.Tags != "" {
		args = append(args, "-tags="+r.State.Tags)
	}
	if _, err := r.command(ctx, "go", append(args, pkg)...); err != nil {
		return err
	}
	records, err := escape.Read(dir)
	if err != nil {
		return err
	}
	if records.Files == 0 || len(wanted) < all {
		c.End(attempt.NoEffect, "the compiler does not say whether its memory is on the stack", "")
	}
	for pos := range wanted {
		for _, record := range records.At(pos) {
			c.End(attempt.NoEffect, "the compiler has "+record.What+" on the heap: "+record.Why(), "")
		}
	}
	return nil
}
