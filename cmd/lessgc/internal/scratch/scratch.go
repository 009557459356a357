// Package scratch makes the temporary folder of a process, and removes those of
// processes that were killed before they could.
package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lessgc/cmd/lessgc/internal/lockfile"
)

const (
	prefix = "lessgc-"
	owner  = "owner" // the lock file in each folder
)

// A Dir is a temporary folder.
type Dir struct {
	Path string
	root *os.Root
	lock *lockfile.Lock
}

// New makes a folder in parent, or in the system's folder for temporary files if
// parent is empty. Before, it removes the folders there that New made for this user
// and whose process is gone; forget is called with each first, for what else has to
// go with it. The caller calls Remove.
func New(parent string, forget func(dir string)) (*Dir, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	sweep(parent, forget)
	path, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, err
	}
	d := &Dir{Path: path}
	if d.root, err = os.OpenRoot(path); err == nil {
		d.lock, err = lockfile.Acquire(d.root, owner, lockfile.Self())
	}
	if err != nil {
		d.Remove()
		return nil, err
	}
	return d, nil
}

// Remove removes the folder and its contents.
func (d *Dir) Remove() error {
	err := os.RemoveAll(d.Path)
	if d.lock != nil {
		d.lock.Release()
	}
	if d.root != nil {
		d.root.Close()
	}
	if err != nil { // some systems do not remove open files
		err = os.RemoveAll(d.Path)
	}
	return err
}

// sweep removes abandoned folders. What cannot be removed stays.
func sweep(parent string, forget func(string)) {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && e.IsDir() && abandoned(root, e.Name()) {
			forget(filepath.Join(parent, e.Name()))
			root.RemoveAll(e.Name())
		}
	}
}

// abandoned reports whether a folder is of a process that is gone, and takes it
// over: no other process finds its owner after that.
func abandoned(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() || !mine(info) {
		return false
	}
	dir, err := root.OpenRoot(name)
	if err != nil {
		return false
	}
	defer dir.Close()
	// A file without a name in it is of a process that is about to write it.
	if info, err := dir.Lstat(owner); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	lock, err := lockfile.Acquire(dir, owner, lockfile.Self())
	if err != nil {
		return false
	}
	return !errors.Is(lock.Release(), fs.ErrNotExist)
}
