package vetrun

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Files are replaced by renaming, so that each is as it was or as it should be at any
// moment. Nothing is made beside them: what will be renamed is written to the scratch
// folder. Only if that is on another file system does it have to be made beside the file for
// a moment, and its name stands in the journal meanwhile. Whatever a killed run has left in
// the scratch folder, or beside a file, the next run removes.
//
// A file that another one cannot stand in for, since it has several hard links or an owner
// that this user cannot give away, is overwritten; see overwrite.go.
const (
	lockName     = "lock" // held while files are written or leftovers removed
	newPrefix    = "new-"
	journalName  = "beside.json" // the name of a file beside another
	besidePrefix = ".lessgc-fix-"
)

// scratchFolder returns the folder for the files that are written for a repair, which it
// makes.
func scratchFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the files of a repair: %w", err)
	}
	dir := filepath.Join(cache, "lessgc", "vet-fix")
	return dir, os.MkdirAll(dir, 0o700)
}

// Sweep removes what killed runs have left, if anything.
func Sweep() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil // there was no repair without
	}
	dir := filepath.Join(cache, "lessgc", "vet-fix")
	names, err := os.ReadDir(dir)
	if err != nil || len(names) == 0 || len(names) == 1 && names[0].Name() == lockName {
		return nil
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, lockName)).Lock()
	if err != nil {
		return fmt.Errorf("files of earlier repairs stay in %s: %w", dir, err)
	}
	defer unlock()
	return sweep(dir)
}

// sweep removes what is left in the scratch folder dir. No other process writes there while it
// runs.
func sweep(dir string) error {
	if err := restore(dir); err != nil {
		return err
	}
	journal := filepath.Join(dir, journalName)
	if data, err := os.ReadFile(journal); err == nil {
		var name string
		if json.Unmarshal(data, &name) == nil && strings.HasPrefix(filepath.Base(name), besidePrefix) {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("an earlier repair was killed and has left a file: %w", err)
			}
		}
		if err := os.Remove(journal); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), newPrefix) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Write writes the files, each whole or not at all. If one cannot be written, those that
// were are made as they were again. A context that is done stops it before the first file,
// not between two.
func (r *Repair) Write(ctx context.Context) error {
	if len(r.Files) == 0 {
		return nil
	}
	dir, err := scratchFolder()
	if err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, lockName)).Lock()
	if err != nil {
		return fmt.Errorf("cannot lock the folder for repairs: %w", err)
	}
	defer unlock()
	if err := sweep(dir); err != nil {
		return err
	}
	for _, f := range r.Files {
		if err := f.unchanged(); err != nil {
			return fmt.Errorf("cannot write %s: %w; nothing was changed", f.Name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, f := range r.Files {
		err := f.unchanged()
		if err == nil {
			err = replace(dir, f.path, f.New)
		}
		if err != nil {
			return fmt.Errorf("cannot write %s: %w; %s", f.Name, err, undo(dir, r.Files[:i]))
		}
	}
	return nil
}

// undo makes files what they were, and says what came of it.
func undo(dir string, files []File) string {
	for _, f := range files {
		now, err := os.ReadFile(f.path)
		if err == nil && bytes.Equal(now, f.New) {
			err = replace(dir, f.path, f.Old)
		}
		if err != nil {
			return f.Name + " stays changed: " + err.Error()
		}
	}
	return "nothing was changed"
}

// unchanged returns an error if the file is not what it was when it was looked at.
func (f File) unchanged() error {
	if info, err := os.Lstat(f.path); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file any more")
	}
	if now, err := os.ReadFile(f.path); err != nil || !bytes.Equal(now, f.Old) {
		return cmp.Or(err, errors.New("it was changed meanwhile; run lessgc vet -fix again"))
	}
	return nil
}

// replace gives the file at path new content. It keeps its permissions, its owner and its
// hard links.
func replace(dir, path string, content []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if links(path, info) > 1 || hasAttributes(path) {
		return overwrite(dir, path, content)
	}
	tmp, err := os.CreateTemp(dir, newPrefix+"*")
	if err != nil {
		return err
	}
	if err := fill(tmp, info, content); err != nil {
		if err := os.Remove(tmp.Name()); err != nil {
			return err
		}
		if errors.Is(err, errOwner) {
			return overwrite(dir, path, content)
		}
		return err
	}
	if os.Rename(tmp.Name(), path) == nil {
		return nil
	}
	if err := os.Remove(tmp.Name()); err != nil {
		return err
	}
	return replaceBeside(dir, path, info, content)
}

// replaceBeside does the same by a file in the same folder: the scratch folder may be on
// another file system.
func replaceBeside(dir, path string, info fs.FileInfo, content []byte) error {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d", besidePrefix, os.Getpid()))
	data, err := json.Marshal(name)
	if err != nil {
		return err
	}
	journal := filepath.Join(dir, journalName)
	if err := os.WriteFile(journal, data, 0o600); err != nil {
		return err
	}
	tmp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		if err = fill(tmp, info, content); err == nil {
			err = os.Rename(name, path)
		}
		if err != nil {
			err = cmp.Or(err, os.Remove(name))
		}
	}
	return cmp.Or(err, os.Remove(journal))
}

// errOwner is the error of a new file that cannot be given the owner of another.
var errOwner = errors.New("this user cannot give a file to its owner")

// fill writes a new file, gives it the permissions and the owner of another, and closes it.
func fill(tmp *os.File, like fs.FileInfo, content []byte) error {
	_, err := tmp.Write(content)
	if err == nil {
		err = cmp.Or(chown(tmp, like), tmp.Chmod(like.Mode()), tmp.Sync())
	}
	return cmp.Or(err, tmp.Close())
}
