package main

import (
	"errors"
	"fmt"

	"lessgc/internal/cgroup"
)

// container makes the limit of the container that tune runs in the memory that is allowed, and says so, or why there is none. root is put
// before the paths of the system's files.
func (f *tuneFlags) container(root string) {
	g, err := cgroup.Find(root)
	if errors.Is(err, cgroup.ErrNone) {
		f.from = "no container's limit is known: this process is in no control group with a memory controller"
		return
	}
	if err != nil {
		f.from = fmt.Sprintf("the container's limit cannot be read: %v; give one with -memory", err)
		return
	}
	defer g.Close()
	switch limit, ok, err := g.Limit(); {
	case err != nil:
		f.from = fmt.Sprintf("the container's limit cannot be read: %v; give one with -memory", err)
	case !ok:
		f.from = fmt.Sprintf("the container has no memory limit (control groups, version %d)", g.Version())
	default:
		f.wishes.Memory, f.from = float64(limit), fmt.Sprintf("the limit of the container that tune runs in, control groups version %d", g.Version())
	}
}
