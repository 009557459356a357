package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module is a package whose tests do everything that tests can do.
var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.25\n",
	"a/a_test.go": `package a

import "testing"

func TestPasses(t *testing.T) { t.Log("not shown") }
func TestSkips(t *testing.T)  { t.Skip("the moon is full") }
func TestSub(t *testing.T) {
	t.Run("skips", func(t *testing.T) { t.SkipNow() })
	t.Run("runs", func(t *testing.T) {})
}
`,
	"none/none.go": "package none\n",
	"fails/fails_test.go": `package fails

import "testing"

func TestFails(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Error("shown") }) }
func TestPanics(t *testing.T) { t.Log("shown before"); panic("shown as well") }
`,
	"broken/broken_test.go": "package broken\n\nvar x int = \"shown\"\n",
}

// TestSkips runs go test and reads what it prints.
func TestSkips(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	events := func(packages ...string) string {
		cmd := exec.Command("go", append([]string{"test", "-json", "-vet=off"}, packages...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
		out, _ := cmd.Output() // it fails where tests do
		return string(out)
	}
	list := filepath.Join(dir, "list")
	check := func(input, entries string, code int, wants ...string) {
		t.Helper()
		if err := os.WriteFile(list, []byte(entries), 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		if got := run(strings.NewReader(input), &stdout, &stderr, []string{list}); got != code {
			t.Errorf("%q: exit status %d, want %d", entries, got, code)
		}
		all := strings.ReplaceAll(stdout.String()+stderr.String(), dir, "DIR")
		for _, want := range wants {
			if not, ok := strings.CutPrefix(want, "!"); ok == strings.Contains(all, not) {
				t.Errorf("%q: %q in\n%s", entries, want, all)
			}
		}
		if code == 0 && stderr.Len() > 0 {
			t.Errorf("%q: %s", entries, stderr.String())
		}
	}

	quiet := events("./a", "./none")
	const both = "# May be skipped.\n\nexample.com/m/a TestSkips the moon\nexample.com/m/a TestSub/skips no reason\n"
	check(quiet, both, 0, "ok  \texample.com/m/a\t", "no test files", "!not shown", "!===", "!PASS")
	check(quiet, both+"example.com/m/b TestGone of a package that was not tested\nexample.com/m/a TestPasses may be skipped elsewhere\n", 0)
	check(quiet, "", 1,
		"skips: example.com/m/a: TestSkips is skipped (a_test.go:6: the moon is full), and not in the list: make it run, or add it with the reason\n",
		"skips: example.com/m/a: TestSub/skips is skipped (it does not say why), and not in the list")
	check(quiet, both+"example.com/m/a TestGone was renamed\n", 1, "skips: DIR/list:5: example.com/m/a has no TestGone: take it out\n")
	check(quiet, both+both, 2, "DIR/list:7: example.com/m/a TestSkips is named twice")
	check(quiet, "example.com/m/a TestSkips\n", 2, "DIR/list:1: want a package, a test and the reason")
	check("", both, 2, "no package was tested")
	check("go: no such tool\n", both, 2, "go: no such tool\n", "no package was tested")

	check(events("./fails", "./broken", "./a"), both, 1, "shown\n", "--- FAIL: TestFails", "shown before", "panic: shown as well", "FAIL\texample.com/m/fails", `cannot use "shown"`, "ok  \texample.com/m/a\t")

	var stderr strings.Builder
	if code := run(strings.NewReader(quiet), &stderr, &stderr, []string{filepath.Join(dir, "no")}); code != 2 || !strings.Contains(stderr.String(), "no such file") {
		t.Errorf("without the list: exit status %d, %s", code, stderr.String())
	}
}

// TestCommittedList checks that the list of this repository can be read.
func TestCommittedList(t *testing.T) {
	list, err := readList("../../.ci/skips.txt")
	if err != nil || len(list) == 0 {
		t.Errorf("%d entries, %v", len(list), err)
	}
}
