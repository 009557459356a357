package apply

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/escape"
)

// stack ends a change that means memory to be on the stack, if the compiler has it on the heap.
func (r *Runner) stack(ctx context.Context, c *candidate, pkg string, files map[string][]byte) error {
	var wanted []escape.Pos
	means, missing := false, false
	for _, e := range c.edits {
		if e.Stack == "" {
			continue
		}
		means = true
		name, err := filepath.Rel(r.tree.Top, e.File)
		if err != nil {
			return err
		}
		before := len(wanted)
		for i, line := range strings.Split(string(files[filepath.ToSlash(name)]), "\n") {
			if strings.Contains(line, e.Stack) {
				wanted = append(wanted, escape.Pos{File: e.File, Line: i + 1})
			}
		}
		missing = missing || len(wanted) == before
	}
	if !means {
		return nil
	}
	r.Progress.Step("asking the compiler what is on the stack")
	dir, err := os.MkdirTemp(r.tmp, "escape")
	if err != nil {
		return err
	}
	args := slices.Concat([]string{"build", "-o", os.DevNull, "-gcflags=" + pkg + "=-json=0,file://" + filepath.ToSlash(dir)}, r.tags(), []string{pkg})
	if _, err := r.command(ctx, "go", args...); err != nil {
		return err
	}
	records, err := escape.Read(dir)
	if err != nil {
		return err
	}
	if records.Files == 0 || missing {
		c.End(attempt.NoEffect, "the compiler does not say whether its memory is on the stack", "")
		return nil
	}
	for _, pos := range wanted {
		if heap := records.At(pos); len(heap) > 0 {
			c.End(attempt.NoEffect, "the compiler has "+heap[0].What+" on the heap: "+heap[0].Why(), "")
			return nil
		}
	}
	return nil
}
