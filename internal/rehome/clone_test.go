//go:build rehome_all

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// clone copies the files of this repository that git knows to a new repository.
func clone(t *testing.T) string {
	t.Helper()
	names, err := options{dir: repository, force: true}.files()
	if err != nil {
		t.Fatal(err)
	}
	tree := t.TempDir()
	for _, name := range names {
		from, to := filepath.Join(repository, name), filepath.Join(tree, name)
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted, or a link
		}
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", tree).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	return tree
}
