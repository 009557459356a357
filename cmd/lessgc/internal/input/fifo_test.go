//go:build unix

package input

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFIFO checks that a named pipe without a writer does not block the reader.
func TestFIFO(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.go")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Skip(err)
	}
	for _, read := range []func() ([]byte, error){
		func() ([]byte, error) { return ReadFile(name, 1<<20) },
		func() ([]byte, error) { return ReadFile(os.DevNull, 1<<20) },
		func() ([]byte, error) { return ReadFile(dir, 1<<20) },
		func() ([]byte, error) { return NewSources(dir).ReadFile(name) },
	} {
		if data, err := read(); data != nil || err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Error(data, err)
		}
	}
}

// TestReadFile checks the bound.
func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, make([]byte, 2<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(name, 2<<20); err != nil || len(data) != 2<<20 {
		t.Error(len(data), err)
	}
	if _, err := ReadFile(name, 1<<20); err == nil || err.Error() != name+" has more than 1 MiB, which is all that is read of such a file" {
		t.Error(err)
	}
}
