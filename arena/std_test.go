package arena

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/internal/longtest"
)

// TestStd runs a program for the standard package arena against that package and
// against this one: nothing but the import is changed, and the output is the
// same.
func TestStd(t *testing.T) {
	if heapOnly {
		t.Skip("arenas are the heap, where Clone need not copy")
	}
	longtest.Skip(t, "builds the standard library with GOEXPERIMENT=arenas")
	program, err := filepath.Abs("testdata/std/main.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(source), `"arena"`, `"lessgc/arena"`, 1)
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{program: file}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		t.Fatal(err)
	}

	run := func(env string, args ...string) string {
		t.Helper()
		cmd := exec.Command("go", append(append([]string{"run"}, args...), "./testdata/std")...)
		cmd.Env = append(os.Environ(), env)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
		return string(out)
	}
	want := run("GOEXPERIMENT=arenas")
	if n := strings.Count(want, ": ok\n"); n < 20 || n != strings.Count(want, "\n") {
		t.Fatalf("with the standard package:\n%s", want)
	}
	if got := run("GOEXPERIMENT=", "-overlay", overlay); got != want {
		t.Errorf("with this package:\n%swith the standard one:\n%s", got, want)
	}
	got := run("GOEXPERIMENT=arenas", "-tags", "lessgc_std", "-overlay", overlay)
	if got != want {
		t.Errorf("with this package on the standard one:\n%swith the standard one:\n%s", got, want)
	}
}
