// Package lockfile gives a folder to one process at a time.
//
// Where the system has locks that end with the process that holds them (flock, or
// LockFileEx on Windows), the lock is such a one on a file in the folder, and what
// a killed process left is not an obstacle. The file also names the holder, for the
// message; where there are no such locks, as on some network file systems, the
// name decides: a holder on this host that is gone holds nothing.
package lockfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Holder is the process that has a lock.
type Holder struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Birth   string    `json:"birth,omitempty"` // tells processes apart that have had the same PID; empty if the system does not say
	Started time.Time `json:"started"`
	Command string    `json:"command,omitempty"` // its beginning
}

// Self is this process, which was started by lessgc with args.
func Self(args ...string) Holder {
	host, _ := os.Hostname()
	return Holder{os.Getpid(), host, birth(os.Getpid()), time.Now().Truncate(time.Second), short(strings.Join(append([]string{"lessgc"}, args...), " "))}
}

// Load reads a Holder from a file that Save has written.
func Load(file string) (Holder, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return Holder{}, err
	}
	if !info.Mode().IsRegular() {
		return Holder{}, fmt.Errorf("%s is not a regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return Holder{}, err
	}
	defer f.Close()
	return read(f), nil
}

// Save writes h to a file.
func (h Holder) Save(file string) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}

func short(s string) string {
	const most = 200
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// Gone reports whether the process has certainly ended. One of another host may
// still run.
func (h Holder) Gone() bool {
	host, err := os.Hostname()
	if err != nil || h.Host != host {
		return false
	}
	return h.PID <= 0 || !exists(h.PID) || h.Birth != "" && birth(h.PID) != h.Birth
}

// String names the process for a reader.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another lessgc"
	}
	return fmt.Sprintf("process %d on host %q since %s, %q", h.PID, short(h.Host), h.Started.Local().Format(time.DateTime), short(h.Command))
}

// Held is the error of Acquire when another process has the lock.
type Held struct {
	File   string
	Holder Holder
}

func (e *Held) Error() string {
	return fmt.Sprintf("%s is in use by %v; wait for its end, and remove %s if there is no such process any more",
		filepath.Dir(e.File), e.Holder, e.File)
}

// A Lock is held until Release, or the end of the process.
type Lock struct {
	root *os.Root
	name string
	file *os.File
}

var (
	errHeld        = errors.New("another process has the lock")
	errUnsupported = errors.New("no locks here")
)

// Acquire takes the lock that is the file name in root. The error is a *Held if
// another process has it, or this one.
func Acquire(root *os.Root, name string, self Holder) (*Lock, error) {
	file := filepath.Join(root.Name(), name)
	for range 100 { // the holder may remove the file while it is opened
		if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file; remove it", file)
		}
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		err = lock(f)
		if errors.Is(err, errUnsupported) {
			err = nil
			if h := read(f); h.PID != 0 && !h.Gone() {
				err = errHeld
			}
		}
		switch {
		case errors.Is(err, errHeld):
			defer f.Close()
			return nil, &Held{file, read(f)}
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("cannot lock %s: %w", file, err)
		}
		if same(root, name, f) {
			l := &Lock{root, name, f}
			if err := l.write(self); err != nil {
				l.Release()
				return nil, err
			}
			return l, nil
		}
		f.Close()
	}
	return nil, &Held{file, Holder{}}
}

// same reports whether f is still the file of that name, not a removed one.
func same(root *os.Root, name string, f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := root.Lstat(name)
	return err == nil && os.SameFile(opened, named)
}

func (l *Lock) write(self Holder) error {
	data, err := json.Marshal(self)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(data, '\n'), 0)
	return err
}

// read reads who has the lock; the zero Holder stands for one that has not said.
func read(f *os.File) Holder {
	var h Holder
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 64<<10))
	if err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}

// Release gives the lock up. The file goes first: a process that has opened it
// meanwhile sees that it is no longer the one in the folder.
func (l *Lock) Release() error {
	return errors.Join(l.root.Remove(l.name), l.file.Close())
}
