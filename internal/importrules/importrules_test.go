package importrules

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/version"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the repository, seen from here.
const root = "../.."

// home is the path of the root module.
var home = strings.TrimSuffix(reflect.TypeFor[layer]().PkgPath(), "/internal/importrules")

// modules says, for each folder with a go.mod, what its packages may import
// besides the standard library and themselves, tests left out: path prefixes
// of packages.
var modules = map[string][]string{
	".": {},
	"workloads": {
		"lessgc/arena", "lessgc/pool", "lessgc/seq", "lessgc/internal/",
		"golang.org/x/net/html", // a baseline, and what makes HTML tokens
	},
	"vet": {
		"golang.org/x/tools/", "golang.org/x/mod/", "golang.org/x/sync/",
		"github.com/golangci/plugin-module-register/", // golangci, and nothing else
	},
	"cmd/lessgc": {
		"lessgc/live", "lessgc/internal/methods", "lessgc/internal/pacing", // the form of what lessgc watch reads
		"lessgc/internal/cgroup", // the container's limit
		"lessgc/vet",
		"golang.org/x/perf/", "github.com/aclements/go-moremath/", // x/perf needs it
		"golang.org/x/sys/", "golang.org/x/term",
		"github.com/google/pprof/",
		"golang.org/x/tools/", "golang.org/x/mod/", "golang.org/x/sync/", // lever, vet
		"github.com/rogpeppe/go-internal/diff", "github.com/rogpeppe/go-internal/lockedfile", // vetrun
		"github.com/HdrHistogram/hdrhistogram-go", "google.golang.org/grpc", "google.golang.org/protobuf/", // load
		"google.golang.org/genproto/googleapis/rpc/status", "golang.org/x/net/", "golang.org/x/text/",
	},
	"rpc": {
		"lessgc/arena", "lessgc/internal/", "google.golang.org/protobuf/",
		"google.golang.org/grpc", "google.golang.org/genproto/googleapis/rpc/status", "golang.org/x/net/", "golang.org/x/sys/", "golang.org/x/text/", // arenagrpc
	},
	"examples": {
		"lessgc/arena", "lessgc/live", "lessgc/rpc", "lessgc/internal/", "google.golang.org/protobuf/", "google.golang.org/grpc",
		"google.golang.org/genproto/googleapis/rpc/status", "golang.org/x/net/", "golang.org/x/sys/", "golang.org/x/text/",
	},
	"bench": {
		"golang.org/x/tools/txtar", // cases of vetrecall
		"golang.org/x/perf/", "github.com/aclements/go-moremath/",
		"google.golang.org/protobuf/", "github.com/bufbuild/protocompile", "golang.org/x/sync/", // protogen
		"github.com/planetscale/vtprotobuf/", // a rival's generated code

		// what guards services
		home + "/pace", home + "/live", home + "/internal/", "github.com/KimMachineGun/automemlimit/", "github.com/pbnjay/memory",

		// what reads the Jobs of lessgc ci, and its own imports
		"k8s.io/", "sigs.k8s.io/", "github.com/fxamacker/cbor/", "github.com/go-logr/logr", "github.com/json-iterator/go", "github.com/modern-go/", "github.com/x448/float16",
		"go.yaml.in/yaml/", "gopkg.in/inf.v0", "golang.org/x/net/", "golang.org/x/text/",
	},
}

// TestModules checks that go.work, the table and the folders agree, and every
// import of every module.
func TestModules(t *testing.T) {
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if err == nil && d.Name() == "go.mod" {
			rel, err := filepath.Rel(root, filepath.Dir(path))
			found = append(found, filepath.ToSlash(rel))
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	work, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range found {
		allowed, ok := modules[dir]
		if !ok {
			t.Errorf("module %s has no import rule", dir)
			continue
		}
		use := "./" + dir
		if dir == "." {
			use = "."
		}
		if !slices.Contains(strings.Fields(string(work)), use) {
			t.Errorf("go.work does not use %s", use)
		}
		t.Run(dir, func(t *testing.T) { checkModule(t, dir, allowed) })
	}
	if len(found) != len(modules) {
		t.Errorf("there are modules %q, and rules for %d", found, len(modules))
	}
}

func checkModule(t *testing.T, dir string, allowed []string) {
	prefix := home + "/"
	if dir != "." {
		prefix += dir
	}
	for _, p := range list(t, dir, "-deps") {
		if p.Standard || p.ImportPath == home {
			continue
		}
		own := strings.HasPrefix(p.ImportPath, prefix)
		if !own && !slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(p.ImportPath, a) }) {
			t.Errorf("module %s must not depend on %s", dir, p.ImportPath)
		}
	}
}

// TestRootRequiresNothing checks the module that users import: not even its
// tests may add a requirement.
func TestRootRequiresNothing(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(mod, []byte("require")) {
		t.Errorf("go.mod of the root module requires something:\n%s", mod)
	}
}

// listed holds the fields of go list's output that the tests use.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// list runs go list for all packages of a module.
func list(t *testing.T, dir string, flags ...string) []listed {
	t.Helper()
	if version.Compare(runtime.Version(), "go1.26") < 0 {
		t.Skip("some modules need a newer Go")
	}
	args := slices.Concat([]string{"list", "-json=ImportPath,Standard,Imports"}, flags, []string{"./..."})
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join(root, dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", dir, err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// TestArenapb checks that who decodes protobuf messages need not link gRPC.
func TestArenapb(t *testing.T) {
	if version.Compare(runtime.Version(), "go1.26") < 0 {
		t.Skip("the module needs Go 1.26")
	}
	list := exec.Command("go", "list", "-deps", "./arenapb")
	list.Dir = filepath.Join(root, "rpc")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "google.golang.org/protobuf/proto\n") || strings.Contains(string(out), "google.golang.org/grpc") {
		t.Errorf("package arenapb depends on\n%s", out)
	}
}

// TestVet checks that who imports the rules gets nothing of golangci-lint.
func TestVet(t *testing.T) {
	if version.Compare(runtime.Version(), "go1.26") < 0 {
		t.Skip("the module needs Go 1.26")
	}
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir = filepath.Join(root, "vet")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "golang.org/x/tools/go/analysis\n") || strings.Contains(string(out), "golangci") {
		t.Errorf("package vet depends on\n%s", out)
	}
}
