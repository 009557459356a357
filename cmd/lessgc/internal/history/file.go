package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lockfile"
	"lessgc/cmd/lessgc/internal/visible"
)

// A File is a history as it was read.
type File struct {
	Runs []Run  // in the order of the lines
	Cut  string // a sentence about a last line that was cut off; "" if there is none

	whole int64 // bytes up to the end of the last whole line
	ended bool  // the last whole line has its line end
}

// Read reads a history. A last line that was cut off is passed over; any other line that
// cannot be read is an error, and so is one of another format.
func Read(name string) (*File, error) {
	data, err := input.ReadFile(name, maxFile)
	if err != nil {
		return nil, err
	}
	return decode(name, data)
}

// Check reports why a run could not be appended to a history, before it is measured. A file
// that is not there yet is made by Append.
func Check(name string) error {
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot keep a history in %s: there is no folder %s; make it", name, filepath.Dir(name))
	}
	_, err := Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// decode reads the lines of a history.
func decode(name string, data []byte) (*File, error) {
	f := &File{ended: true}
	objects := 0
	for number := 1; len(data) > 0; number++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		data = rest
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", name, number, fmt.Sprintf(format, args...))
		}
		size := int64(len(line))
		if ended {
			size++
		}
		if len(bytes.TrimSpace(line)) == 0 {
			f.whole += size
			f.ended = ended
			continue
		}
		if len(line) > maxLine {
			return nil, fail("it is longer than %d bytes; remove the line", maxLine)
		}
		var head struct{ Format string }
		err := json.Unmarshal(line, &head)
		if err != nil && !ended && begun(line) {
			f.Cut = fmt.Sprintf("%s:%d: the last line was cut off and is passed over; the next run that is appended takes its place", name, number)
			return f, nil
		}
		if err != nil {
			return nil, fail("%s; remove the line", visible.Short(err.Error(), 500))
		}
		if head.Format != Format {
			return nil, fail("the line is of format %q, and this lessgc reads %s; use the lessgc that wrote it, or another file; nothing was changed", visible.Short(head.Format, 100), Format)
		}
		objects += bytes.Count(line, []byte("{"))
		if objects > maxObjects || len(f.Runs) == maxRuns {
			return nil, fail("there are more than %d results or %d runs before it; start another file", maxObjects, maxRuns)
		}
		var run Run
		if err = json.Unmarshal(line, &run); err == nil {
			err = run.check()
		}
		if err != nil {
			return nil, fail("%s; remove the line", visible.Short(err.Error(), 500))
		}
		f.Runs = append(f.Runs, run)
		f.whole += size
		f.ended = ended
	}
	return f, nil
}

// begun reports whether a line is the beginning of one that Append writes: nothing else is taken for cut off.
func begun(line []byte) bool {
	const first = `{"format":"` + Format + `"`
	return bytes.HasPrefix(line, []byte(first)) || strings.HasPrefix(first, string(line))
}

// patience is how long Append waits for another writer, who has the lock for some milliseconds.
var patience = 30 * time.Second

// Append adds a run to a history, which is made if it is not there. added is false if it has
// a line of the same results already. A last line that was cut off is removed: repaired
// is then a sentence about it. On an error the file is as it was.
func Append(name string, run *Run) (added bool, repaired string, err error) {
	if real, err := filepath.EvalSymlinks(name); err == nil { // one lock for all names
		name = real
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return false, "", err
	}
	defer root.Close()
	lock, err := acquire(root, filepath.Base(name)+".lock")
	if err != nil {
		return false, "", err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	return appendLocked(root, filepath.Base(name), name, run)
}

// acquire takes the lock, and waits for another writer.
func acquire(root *os.Root, name string) (*lockfile.Lock, error) {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		lock, err := lockfile.Acquire(root, name, lockfile.Self(os.Args[1:]...))
		held := new(lockfile.Held)
		if !errors.As(err, &held) {
			return lock, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("the history cannot be written: %w", err)
		}
	}
}

func appendLocked(root *os.Root, base, name string, run *Run) (added bool, repaired string, err error) {
	seen, err := Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		seen, err = &File{ended: true}, nil
	}
	if err != nil {
		return false, "", err
	}
	for _, old := range seen.Runs {
		if old.ID == run.ID {
			return false, "", nil
		}
	}
	line, err := json.Marshal(run)
	if err != nil {
		return false, "", err
	}
	line = append(visible.JSON(line), '\n')
	if !seen.ended {
		line = append([]byte("\n"), line...)
	}
	if len(line) > maxLine || seen.whole+int64(len(line)) > maxFile {
		return false, "", fmt.Errorf("%s would have a line of more than %d bytes, or more than %d in all, which lessgc does not read; start another file", name, maxLine, maxFile)
	}
	f, err := root.OpenFile(base, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return false, "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if seen.Cut != "" {
		if err := f.Truncate(seen.whole); err != nil {
			return false, "", err
		}
		repaired = fmt.Sprintf("%s: its last line was cut off; it is removed, and nothing else", name)
	}
	if err := write(f, line, seen.whole); err != nil {
		return false, repaired, fmt.Errorf("cannot write the history: %w", err)
	}
	return true, repaired, nil
}

// write writes a line whole, or takes back what was written of it.
func write(f interface {
	io.Writer
	Truncate(int64) error
	Sync() error
}, line []byte, whole int64) error {
	_, err := f.Write(line)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(whole))
	}
	return nil
}
