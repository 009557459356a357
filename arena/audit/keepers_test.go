package audit

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"lessgc/arena"
)

// TestKeepers builds a program with a symbol table, whose audits find an object in a cache, one that a
// goroutine has, and what these have themselves.
func TestKeepers(t *testing.T) {
	if (&arena.Pool{}).Get() == nil {
		t.Skip("arenas are the heap")
	}
	program := filepath.Join(t.TempDir(), "keeps.exe")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/keeps").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "LESSGC_ARENA=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	variable := func(name string) string {
		if runtime.GOOS == "linux" { // an ELF file
			return "variable " + regexp.QuoteMeta(name)
		}
		return "a package variable, .*"
	}
	for _, want := range []string{
		`main\.user from main\.handle keeps/main\.go:\d+ is kept by ` + variable("main.cache") + ` through \d+ objects, of [\d, and]+ bytes`,
		`main\.user from main\.handle keeps/main\.go:\d+ is kept by main\.wait keeps/main\.go:\d+, of goroutine \d+ \[chan receive\], which main\.main keeps/main\.go:\d+ has started\n`,
		`\[\]string from main\.handle keeps/main\.go:\d+ is kept by ` + variable("main.list") + `\n`,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if n := len(regexp.MustCompile(`(?m)^.* is kept by .*$`).FindAll(out, -1)); n != 3 {
		t.Errorf("%d keepers, want 3:\n%s", n, out)
	}
}
