package session

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// What a result directory may hold at most. The bounds are far above what a run
// writes, and keep an edited file from filling the memory.
const (
	maxPlan    = 64 << 20  // bytes of session.json
	maxObjects = 128 << 10 // objects in it: an empty one is two bytes there and 500 in memory
	maxTrials  = 512 << 20 // bytes of trials.jsonl
	maxLine    = 1 << 20   // bytes of a trial
	maxRecords = 1 << 20   // trials
)

// mustBeRegular refuses what is not a file, or not yet, in root: a symbolic link
// leads elsewhere, and opening a pipe may take forever.
func mustBeRegular(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link; put the file itself there, or measure into another folder", filepath.Join(root.Name(), name))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file; remove it, or measure into another folder", filepath.Join(root.Name(), name))
	}
	return nil
}

// open opens a regular file of at most limit bytes.
func open(root *os.Root, name string, limit int64) (*os.File, error) {
	if err := mustBeRegular(root, name); err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > limit {
		err = fmt.Errorf("%s has %d bytes, more than the %d that lessgc reads; start a new comparison", filepath.Join(root.Name(), name), info.Size(), limit)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := open(root, name, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
