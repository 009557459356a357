package lessgcrenamed_test

import (
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/lessgcrenamed"
)

func testdata(t *testing.T) string {
	t.Helper()
	t.Setenv("LESSGC_VET_PANIC", "1")
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Test runs the analyzer, applies its fixes, and compares them with testdata/fixes.txt.
func Test(t *testing.T) {
	dir := testdata(t)
	ruletest.CompareFixes(t, lessgcrenamed.Analyzer, dir, analysistest.RunWithSuggestedFixes(t, dir, lessgcrenamed.Analyzer, "./..."))
}

// TestFixed checks that the packages compile after the fixes, other than those below left, and
// that nothing is reported then. The comments that want something are taken out.
func TestFixed(t *testing.T) {
	from, to := testdata(t), t.TempDir()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(from, name)
		switch {
		case err != nil || relErr != nil:
			return err
		case d.IsDir() && rel == "left":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case filepath.Ext(name) == ".golden":
			return nil
		}
		data, err := os.ReadFile(name + ".golden")
		if err != nil {
			data, err = os.ReadFile(name)
		}
		text := strings.ReplaceAll(string(data), "// want", "// was")
		text = strings.ReplaceAll(text, "=> ../../..", "=> "+filepath.ToSlash(filepath.Join(from, "../../..")))
		return cmp.Or(err, os.WriteFile(filepath.Join(to, rel), []byte(text), 0o666))
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "./...")
	cmd.Dir, cmd.Env = to, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	analysistest.Run(t, to, lessgcrenamed.Analyzer, "./...")
}
