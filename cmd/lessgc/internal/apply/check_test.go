package apply

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuilds checks that packages which have tests only, or files for other systems only, are no reason to say that a change does not build.
func TestBuilds(t *testing.T) {
	ctx := context.Background()
	r := runnerOn(t, "x.go", "package x\n\nfunc X() int { return 1 }\n")
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(r.tree.Dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("only/only_test.go", "package only\n\nimport (\n\t\"testing\"\n\n\t\"x\"\n)\n\nfunc Test(t *testing.T) { _ = x.X() }\n")
	write("other/other.go", "//go:build never\n\npackage other\n")
	write("other/other_test.go", "package other\n\nimport (\n\t\"testing\"\n\n\t\"x\"\n)\n\nfunc Test(t *testing.T) { _ = x.X() }\n")
	write("user/user.go", "package user\n\nimport \"x\"\n\nvar N int = x.X()\n")
	write("user/user_test.go", "package user\n")
	t.Chdir(r.tree.Dir)
	packages, err := r.importers(ctx, "x")
	if got := strings.Join(packages, " "); err != nil || got != "x x/only x/other x/user" {
		t.Fatalf("%q, %v", got, err)
	}
	if broken, err := r.broken(ctx, packages); err != nil || broken != "" {
		t.Errorf("%s, %v", broken, err)
	}
	write("x.go", "package x\n\nfunc X() string { return \"\" }\n")
	if broken, err := r.broken(ctx, packages); err != nil || !strings.Contains(broken, "user.go:5") {
		t.Errorf("what does not build is not found: %s, %v", broken, err)
	}
}
