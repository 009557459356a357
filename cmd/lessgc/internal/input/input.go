// Package input opens files that others have named or written: regular files only, and no
// more of them than a bound.
package input

import (
	"fmt"
	"io"
	"os"
)

// Open opens a regular file. A named pipe or a device, which could keep the command waiting
// or send data without end, is an error.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if err := regular(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadFile reads a regular file of at most so many bytes.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, most)
}

// regular fails for anything else. The file is open already, so that it cannot be replaced
// in between; nothing has been read of it.
func regular(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; name one", f.Name())
	}
	return nil
}

func readAll(f *os.File, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("%s has more than %s, which is all that is read of such a file", f.Name(), size(most))
	}
	return data, err
}

// size writes a bound: all are whole numbers of KiB or MiB.
func size(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
