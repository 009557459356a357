package stacktree

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
)

// recordEnv makes the test binary record the real profile instead of testing.
const recordEnv = "LESSGC_STACKTREE_RECORD"

func TestMain(m *testing.M) {
	if os.Getenv(recordEnv) == "" {
		m.Run()
		return
	}
	if err := record(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// record parses and prints the source of go/parser, and writes what that
// allocated, with every allocation counted, to w.
func record(w io.Writer) error {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "go", "parser", "*.go"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, fmt.Errorf("no source of go/parser in GOROOT %q", build.Default.GOROOT))
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.SortImports(set, file)
		if err := format.Node(io.Discard, set, file); err != nil {
			return err
		}
	}
	runtime.GC() // the profile is complete as of the last collection
	return pprof.Lookup("allocs").WriteTo(w, 0)
}

// recorded returns the real profile: of a process of its own, because the rate
// at which allocations are counted is the same for a whole process and must not
// change while it runs.
var recorded = sync.OnceValues(func() ([]byte, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), recordEnv+"=1", "GODEBUG=memprofilerate=1")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("recording a profile: %w: %s", err, &stderr)
	}
	return out.Bytes(), nil
})

// The sample types of a profile of allocations.
const (
	allocObjects = iota
	allocSpace
	inuseObjects
	inuseSpace
	allocTypes
)

func realProfile(t testing.TB) []byte {
	t.Helper()
	data, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
