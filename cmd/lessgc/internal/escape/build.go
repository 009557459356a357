package escape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
)

// complete is the file in a folder of records that says that the build which writes
// them has ended well once: from then on the go command recompiles what has changed,
// which writes its records again.
const complete = "complete"

// Build has the compiler write the records of the packages in some folders, which are part of
// what is built in dir by patterns, as the go command has them; with tests, of their tests
// too. The records are kept below the folder cache. The first time those packages are compiled once more, and
// others are not: the go command does not repeat records from its cache.
func Build(ctx context.Context, cache, dir string, patterns, folders []string, tests bool) (*Records, error) {
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
	flags, err := compilerFlags(dir, records, folders)
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"build", "-o", os.DevNull}, flags, []string{"--"}, patterns)
	if tests {
		// The binaries of packages in folders of the same name would have the same name, which go test refuses. After -- it would
		// take the patterns for arguments of the test.
		args = slices.Concat([]string{"test", "-c", "-vet=off", "-o", os.DevNull}, flags, patterns)
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

// compilerFlags ask for the records of the packages in some folders. The path is part of the flags,
// and so of what the go command caches by: a package that is asked about later is compiled
// then, and those before are not again.
func compilerFlags(dir, records string, folders []string) (flags []string, err error) {
	for _, folder := range folders {
		rel, err := filepath.Rel(dir, folder)
		if err != nil {
			continue // on another drive
		}
		pattern := "./" + filepath.ToSlash(rel) // the go command cleans it
		if strings.Contains(pattern, "=") || strings.Contains(pattern, "...") {
			continue // it cannot be said
		}
		flags = append(flags, "-gcflags="+pattern+"=-json=0,file://"+filepath.ToSlash(records))
	}
	if len(flags) == 0 {
		return nil, errNone
	}
	return flags, nil
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
