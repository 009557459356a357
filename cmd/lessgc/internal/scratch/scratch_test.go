package scratch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be a process that makes a folder and sleeps.
func TestMain(m *testing.M) {
	if parent := os.Getenv("SCRATCH_TEST_PARENT"); parent != "" {
		d, err := New(parent, func(string) {})
		if err != nil {
			panic(err)
		}
		os.WriteFile(filepath.Join(d.Path, "much"), []byte("x"), 0o666)
		fmt.Println(d.Path)
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func TestSweep(t *testing.T) {
	parent := t.TempDir()
	// What is not certainly an abandoned one of ours stays.
	for _, name := range []string{"lessgc-mine", "lessgc-new", "other-1"} {
		if err := os.Mkdir(filepath.Join(parent, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	outside := t.TempDir()
	keep := []string{filepath.Join(parent, "lessgc-new", owner), filepath.Join(parent, "lessgc-file"), filepath.Join(outside, owner)}
	for i, file := range keep {
		if err := os.WriteFile(file, []byte(`{"pid":-1}`)[:10*(i%2)], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, owner), []byte(`{"pid":-1}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(parent, "lessgc-link")); err != nil {
		t.Log(err)
	}
	own, err := New(parent, func(dir string) { t.Errorf("%s is taken for an abandoned one", dir) })
	if err != nil {
		t.Fatal(err)
	}
	defer own.Remove()

	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "SCRATCH_TEST_PARENT="+parent)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Process.Kill()
	var theirs string
	if _, err := fmt.Fscanln(out, &theirs); err != nil {
		t.Fatal(err)
	}
	before := names(t, parent)
	live, err := New(parent, func(dir string) { t.Errorf("%s has a process", dir) })
	if err != nil {
		t.Fatal(err)
	}
	if err := live.Remove(); err != nil {
		t.Fatal(err)
	}
	if after := names(t, parent); !slices.Equal(before, after) {
		t.Errorf("from %q to %q", before, after)
	}

	other.Process.Kill()
	other.Wait()
	var forgotten []string
	third, err := New(parent, func(dir string) {
		if _, err := os.Stat(filepath.Join(dir, "much")); err != nil {
			t.Error(err)
		}
		forgotten = append(forgotten, dir)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(forgotten, []string{theirs}) {
		t.Errorf("forgotten: %q, want %q", forgotten, theirs)
	}
	if err := third.Remove(); err != nil {
		t.Error(err)
	}
	want := slices.DeleteFunc(before, func(name string) bool { return strings.HasSuffix(theirs, name) })
	if after := names(t, parent); !slices.Equal(want, after) {
		t.Errorf("left %q, want %q", after, want)
	}
	if _, err := os.Stat(filepath.Join(outside, owner)); err != nil {
		t.Errorf("behind a link: %v", err)
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
