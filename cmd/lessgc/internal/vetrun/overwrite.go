package vetrun

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	overwriteName = "overwrite.json" // the journal of a file that is overwritten
	keptPrefix    = "kept-"          // what a file held before a repair was killed, and something else has changed it
)

// An overwriting is the journal of a file that is overwritten, from before the first byte
// until the last.
type overwriting struct {
	File     string // absolute
	Old, New []byte
}

// overwrite gives the file at path new content in its place, so that all hard links of it
// have that, and its owner and attributes stay. If the process is killed before the file is
// whole, the next run restores the old content from the journal in the scratch folder dir.
func overwrite(dir, path string, content []byte) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data, err := json.Marshal(overwriting{path, old, content})
	if err != nil {
		return err
	}
	if err := store(dir, overwriteName, data); err != nil {
		return err
	}
	if err := put(path, content); err != nil {
		if again := put(path, old); again != nil {
			return fmt.Errorf("%w; the next lessgc vet restores it", err) // by the journal
		}
		return cmp.Or(os.Remove(filepath.Join(dir, overwriteName)), err)
	}
	return os.Remove(filepath.Join(dir, overwriteName))
}

// put overwrites a file from its beginning. At any moment, each of its bytes is an old or a
// new one.
func put(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil {
		err = cmp.Or(f.Truncate(int64(len(content))), f.Sync())
	}
	return cmp.Or(err, f.Close())
}

// store makes a file in the scratch folder, whole.
func store(dir, name string, data []byte) error {
	tmp, err := os.CreateTemp(dir, newPrefix+"*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	err = cmp.Or(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return cmp.Or(err, os.Remove(tmp.Name()))
	}
	return nil
}

// restore ends what a killed run has begun to overwrite. A file that is neither old nor new
// gets its old content back, unless something else has changed it: then that is kept, and an
// error says where, once.
func restore(dir string) error {
	journal := filepath.Join(dir, overwriteName)
	data, err := os.ReadFile(journal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var o overwriting
	if err = cmp.Or(err, json.Unmarshal(data, &o)); err != nil {
		return fmt.Errorf("the journal of a repair that was killed: %w", err)
	}
	now, err := os.ReadFile(o.File)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && (bytes.Equal(now, o.Old) || bytes.Equal(now, o.New)):
	case err != nil:
		return fmt.Errorf("a repair was killed while it wrote a file: %w", err)
	case o.torn(now):
		if err := put(o.File, o.Old); err != nil {
			return fmt.Errorf("a repair was killed while it wrote a file: %w", err)
		}
	default:
		kept, err := os.CreateTemp(dir, keptPrefix+"*-"+filepath.Base(o.File))
		if err != nil {
			return err
		}
		_, err = kept.Write(o.Old)
		if err = cmp.Or(err, kept.Close(), os.Remove(journal)); err != nil {
			return err
		}
		return fmt.Errorf("a repair was killed while it wrote %s, which was changed since; look at it: what it held before is in %s", o.File, kept.Name())
	}
	return os.Remove(journal)
}

// torn reports whether each byte of a file is the old or the new one.
func (o *overwriting) torn(now []byte) bool {
	if len(now) < min(len(o.Old), len(o.New)) || len(now) > max(len(o.Old), len(o.New)) {
		return false
	}
	for i, b := range now {
		if (i >= len(o.Old) || b != o.Old[i]) && (i >= len(o.New) || b != o.New[i]) {
			return false
		}
	}
	return true
}
