package lockfile

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be a process that takes a lock and sleeps.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LOCKFILE_TEST_DIR"); dir != "" {
		root, err := os.OpenRoot(dir)
		if err == nil {
			_, err = Acquire(root, "lock", Self("compare", "-o", "x"))
		}
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString("locked\n")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func rootOf(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// TestTwo checks that a second process is refused with a name, and that a killed
// holder is none.
func TestTwo(t *testing.T) {
	dir := t.TempDir()
	root := rootOf(t, dir)
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "LOCKFILE_TEST_DIR="+dir)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Process.Kill()
	if _, err := out.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	_, err = Acquire(root, "lock", Self())
	held := new(Held)
	if !errors.As(err, &held) || held.Holder.PID != other.Process.Pid || held.Holder.Gone() {
		t.Fatalf("%v is not the refusal of process %d", err, other.Process.Pid)
	}
	for _, part := range []string{dir + " is in use by process ", "on host ", "since 2", `"lessgc compare -o x"`, "remove " + filepath.Join(dir, "lock")} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v; want %q in it", err, part)
		}
	}
	other.Process.Kill()
	other.Wait()
	if !held.Holder.Gone() {
		t.Error("a killed holder is not gone")
	}
	l, err := Acquire(root, "lock", Self())
	if err != nil {
		t.Fatalf("the lock of a killed process: %v", err)
	}
	if _, err := Acquire(root, "lock", Self()); !errors.As(err, &held) || held.Holder.PID != os.Getpid() {
		t.Errorf("a second lock of the same process: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	if l, err = Acquire(root, "lock", Self()); err != nil {
		t.Errorf("after the release: %v", err)
	} else {
		l.Release()
	}
}

// TestRemovedMeanwhile checks that the lock of a file that is no longer in the
// folder is not taken for the folder's.
func TestRemovedMeanwhile(t *testing.T) {
	root := rootOf(t, t.TempDir())
	f, err := root.Create("lock")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !same(root, "lock", f) {
		t.Error("the file is not itself")
	}
	if err := root.Remove("lock"); err != nil {
		t.Fatal(err)
	}
	if same(root, "lock", f) {
		t.Error("a removed file is taken for the one in the folder")
	}
	if err := root.WriteFile("lock", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if same(root, "lock", f) {
		t.Error("a removed file is taken for a new one")
	}
}

func TestGone(t *testing.T) {
	self := Self()
	check := func(name string, want bool, change func(*Holder)) {
		t.Helper()
		h := self
		change(&h)
		if got := h.Gone(); got != want {
			t.Errorf("%s: gone is %v", name, got)
		}
	}
	check("this process", false, func(*Holder) {})
	check("one of another host", false, func(h *Holder) { h.Host, h.PID = "elsewhere.example", 1<<30 })
	check("no process", true, func(h *Holder) { h.PID = 1 << 30 })
	check("a negative number", true, func(h *Holder) { h.PID = -1 })
	if runtime.GOOS == "linux" {
		check("an earlier process of the same number", true, func(h *Holder) { h.Birth = "1 x" })
	}
}

// TestNotAFile checks that nothing is written through a link, and that nothing
// waits for a pipe.
func TestNotAFile(t *testing.T) {
	dir := t.TempDir()
	root := rootOf(t, dir)
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("precious", filepath.Join(dir, "lock")); err != nil {
		t.Skip(err)
	}
	if _, err := Acquire(root, "lock", Self()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link: %v", err)
	}
	if data, _ := os.ReadFile(precious); string(data) != "x" {
		t.Errorf("a file behind a link was written: %q", data)
	}
}

// TestOddHolders checks the message about what a stranger may have written.
func TestOddHolders(t *testing.T) {
	root := rootOf(t, t.TempDir())
	for _, text := range []string{"", "{", `{"pid": -1}`, `{"pid": 1e99}`, `{"pid":1,"host":"a\nb","command":"\u001b[31m"}`,
		`{"pid":1,"command":"` + strings.Repeat("x", 1000) + `"}`, strings.Repeat("[", 100000)} {
		if err := root.WriteFile("lock", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := root.Open("lock")
		if err != nil {
			t.Fatal(err)
		}
		said := (&Held{"d/lock", read(f)}).Error()
		f.Close()
		if len(said) > 600 || strings.ContainsAny(said, "\n\x1b") {
			t.Errorf("%.80q: %q", text, said)
		}
	}
	if data, err := json.Marshal(Self("a")); err != nil || !strings.Contains(string(data), `"pid":`) {
		t.Errorf("%s, %v", data, err)
	}
}
