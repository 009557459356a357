package escape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
)

// complete is the file in a folder of records that says that the build which writes
// them has ended well once: from then on the go command recompiles what has changed,
// which writes its records again.
const complete = "complete"

// Build has the compiler write the records of packages, and all they depend on, below
// the folder cache, and reads them. dir is where the packages are built, and patterns name
// them; with tests, their tests too. The first time all has to be compiled: the go
// command does not repeat records from its cache.
func Build(ctx context.Context, cache, dir string, patterns []string, tests bool) (*Records, error) {
	version, err := build.Toolchain(ctx, dir, mode.Default())
	if err != nil {
		return nil, err
	}
	key := sha256.New()
	for _, word := range append([]string{version, dir, os.Getenv("GOFLAGS"), os.Getenv("GOEXPERIMENT"), os.Getenv("GOWORK"), strconv.FormatBool(tests)}, patterns...) {
		fmt.Fprintln(key, word)
	}
	parent := filepath.Join(cache, hex.EncodeToString(key.Sum(nil))[:16])
	records, err := generation(parent)
	if err != nil {
		return nil, err
	}
	// The path is part of the flags and so of what the go command caches by.
	flag := "-gcflags=all=-json=0,file://" + filepath.ToSlash(records)
	args := append([]string{"build", "-o", os.DevNull, flag, "--"}, patterns...)
	if tests {
		out, err := os.MkdirTemp("", "lessgc-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(out)
		// After -- go test would take the patterns for arguments of the test.
		args = append([]string{"test", "-c", "-vet=off", "-o", out + string(filepath.Separator), flag}, patterns...)
	}
	if _, err := build.Go(ctx, dir, mode.Default(), args...); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(parent, complete), []byte(filepath.Base(records)), 0o666); err != nil {
		return nil, err
	}
	r, err := Read(records)
	if err == nil && r.Files == 0 {
		err = errNone
	}
	return r, err
}

// generation returns the folder of the records: the one that is complete, or else a new
// one, because the go command will not repeat what an interrupted build has
// compiled.
func generation(parent string) (string, error) {
	if name, err := os.ReadFile(filepath.Join(parent, complete)); err == nil {
		dir := filepath.Join(parent, strings.TrimSpace(string(name)))
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	if err := os.RemoveAll(parent); err != nil {
		return "", err
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, "g")
}
