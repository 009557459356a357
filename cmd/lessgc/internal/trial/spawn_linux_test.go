//go:build linux && (amd64 || arm64)

package trial

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestSpawnFile checks the program by itself, if need be in an emulator: so that for
// arm64 is run as well.
func TestSpawnFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spawn")
	if err := os.WriteFile(file, spawnFile(), 0o777); err != nil {
		t.Fatal(err)
	}
	spawned := func(words ...string) (told spawnReport) {
		t.Helper()
		from, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer from.Close()
		start := func(path string, args ...string) (*exec.Cmd, error) {
			cmd := exec.Command(path, args...)
			cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdout, os.Stderr, []*os.File{to}
			return cmd, cmd.Start()
		}
		cmd, err := start(file, words...)
		if errors.Is(err, syscall.ENOEXEC) { // this test is emulated
			cmd, err = start("qemu-aarch64", append([]string{file}, words...)...)
		}
		to.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := binary.Read(from, binary.NativeEndian, &told); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		return told
	}
	told := spawned("/bin/sh", "sh", "-c", `[ "$LESSGC_TEST" = yes ] && [ "$1" = "a b" ] && exit 7`, "sh", "a b")
	if status := syscall.WaitStatus(told.Status); status.ExitStatus() != 1 {
		t.Errorf("the environment is not handed on: status %d", status.ExitStatus())
	}
	t.Setenv("LESSGC_TEST", "yes")
	told = spawned("/bin/sh", "sh", "-c", `[ "$LESSGC_TEST" = yes ] && [ "$1" = "a b" ] && exit 7`, "sh", "a b")
	if status := syscall.WaitStatus(told.Status); status.ExitStatus() != 7 || told.Failed != 0 {
		t.Errorf("%+v: status %d, want 7", told, status.ExitStatus())
	}
	if d := told.End.Nano() - told.Start.Nano(); d <= 0 || told.Usage.Maxrss < 100 {
		t.Errorf("%d ns, %d KiB", d, told.Usage.Maxrss)
	}
	told = spawned("/bin/sh", "sh", "-c", "kill -9 $$")
	if status := syscall.WaitStatus(told.Status); !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Errorf("%+v: it was killed", told)
	}
}
