//go:build unix

package collect

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFolderFIFO checks that a named pipe without a writer in a folder does not block the
// reader.
func TestFolderFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "cpu.pprof"), 0o666); err != nil {
		t.Skip(err)
	}
	if _, err := Folder(dir); err == nil || !strings.Contains(err.Error(), "cpu.pprof is not a regular file") {
		t.Error(err)
	}
}
