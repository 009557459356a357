// Command all tries all message types in modules: see package foreign.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const program = `package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	r := Run(rounds, os.Stdout)
	fmt.Println(r)
	if r.Differences+r.Panics > 0 {
		os.Exit(1)
	}
}
`

func main() {
	rounds := flag.Int("rounds", 3, "random messages of each type")
	root := flag.String("root", ".", "the folder of this repository")
	speed := flag.String("speed", "", "compare the speed of decoding instead, with some types of modules that are given, for this `time`")
	bench := flag.String("bench", ".", "with -speed, the benchmarks, as lessgc compare has it")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: all [-rounds N] [-root DIR] MODULE[@VERSION]...\n       all -speed TIME [-bench REGEXP] [-root DIR]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if (flag.NArg() == 0) == (*speed == "") {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if *speed != "" {
		err = compareSpeed(*root, *speed, *bench)
	} else {
		err = run(*root, *rounds, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "all:", err)
		os.Exit(1)
	}
}

// A module is one that is made to link the types.
type module struct {
	root, dir string // of this repository, and of the module
}

// newModule makes a module with the harness and the files. Remove it when it is done with.
func newModule(root string, files map[string]string) (module, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return module{}, err
	}
	harness, err := os.ReadFile(filepath.Join(root, "bench", "foreign", "harness_test.go"))
	if err != nil {
		return module{}, fmt.Errorf("%w: -root is the folder of the repository", err)
	}
	dir, err := os.MkdirTemp("", "foreign")
	if err != nil {
		return module{}, err
	}
	m := module{root, dir}
	files["go.mod"] = fmt.Sprintf("module foreigntypes\n\ngo 1.26.0\n\nrequire (\n\tlessgc v0.0.0\n\tlessgc/rpc v0.0.0\n)\n\nreplace lessgc => %s\n\nreplace lessgc/rpc => %s\n",
		filepath.ToSlash(root), filepath.ToSlash(filepath.Join(root, "rpc")))
	files["foreign.go"] = strings.Replace(string(harness), "package foreign\n", "package main\n", 1)
	for name, text := range files {
		if err := m.write(name, []byte(text)); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (m module) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(m.dir, name), text, 0o666)
}

// command returns a command that runs in the module.
func (m module) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = m.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), os.Stderr
	return cmd
}

// folder returns where a module that is required is.
func (m module) folder(path string) (string, error) {
	where, err := m.command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", path, err)
	}
	return strings.TrimSpace(string(where)), nil
}

func run(root string, rounds int, modules []string) error {
	mod, err := newModule(root, map[string]string{"main.go": program})
	defer os.RemoveAll(mod.dir)
	if err != nil {
		return err
	}
	if err := mod.command("go", append([]string{"get"}, modules...)...).Run(); err != nil {
		return fmt.Errorf("go get: %w", err)
	}
	var imports bytes.Buffer
	imports.WriteString("package main\n\nimport (\n")
	found := 0
	for _, m := range modules {
		path, _, _ := strings.Cut(m, "@")
		where, err := mod.folder(path)
		if err != nil {
			return err
		}
		n, err := writeImports(&imports, path, where)
		if err = cmp.Or(err, none(n, path)); err != nil {
			return err
		}
		found += n
	}
	imports.WriteString(")\n")
	if err := mod.write("imports.go", imports.Bytes()); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d packages with messages: building\n", found)
	if err := mod.command("go", "build", "-o", "types", ".").Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	cmd := mod.command(filepath.Join(mod.dir, "types"), fmt.Sprint(rounds))
	cmd.Stdout = os.Stdout
	return cmd.Run()
}

//go:embed testdata/speed_test.go
var speedTest string

// speedModules lists the modules whose types testdata/speed_test.go imports.
var speedModules = []string{
	"buf.build/go/hyperpb@v0.1.3",
	"cloud.google.com/go/firestore@v1.29.2",
	"cloud.google.com/go/spanner@v1.96.1",
	"github.com/envoyproxy/go-control-plane/envoy@v1.40.0",
	"github.com/grafana/pyroscope/api@v1.6.0",
	"go.opentelemetry.io/proto/otlp@v1.11.1",
}

// compareSpeed runs the benchmarks of testdata/speed_test.go by lessgc compare. Protobuf's own benchmark
// messages are in an internal folder of its module, which is copied.
func compareSpeed(root, duration, bench string) error {
	mod, err := newModule(root, map[string]string{"main.go": "package main\n\nfunc main() {}\n", "speed_test.go": speedTest})
	defer os.RemoveAll(mod.dir)
	if err != nil {
		return err
	}
	protobuf, err := mod.folder("google.golang.org/protobuf")
	if err != nil {
		return err
	}
	const datasets = "internal/testprotos/benchmarks/datasets"
	if err := os.CopyFS(filepath.Join(mod.dir, "datasets"), os.DirFS(filepath.Join(protobuf, filepath.FromSlash(datasets)))); err != nil {
		return err
	}
	if err := mod.command("go", append([]string{"get", "-t", "."}, speedModules...)...).Run(); err != nil {
		return fmt.Errorf("go get: %w", err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(mod.dir, "lessgc"), ".")
	build.Dir, build.Stderr = filepath.Join(mod.root, "cmd", "lessgc"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	out, err := filepath.Abs(filepath.Join("lessgc-results", "types-"+filepath.Base(mod.dir)))
	if err != nil {
		return err
	}
	cmd := mod.command(filepath.Join(mod.dir, "lessgc"), "compare", "-col", "/impl", "-mode", "greentea", "-decide", "loop-cpu-ns/op", "-trial", "50ms", "-time", duration, "-bench", bench, "-o", out, ".")
	cmd.Stdout = os.Stdout
	return cmd.Run()
}

func none(n int, module string) error {
	if n == 0 {
		return fmt.Errorf("module %s has no packages with generated messages", module)
	}
	return nil
}

// writeImports writes an import of each package in a module's folder that has generated messages.
func writeImports(w *bytes.Buffer, module, dir string) (n int, err error) {
	last := ""
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		folder := filepath.Dir(name)
		if strings.HasSuffix(name, ".pb.go") && folder != last {
			last = folder
			rel, err := filepath.Rel(dir, folder)
			if err != nil {
				return err
			}
			n++
			fmt.Fprintf(w, "\t_ %q\n", strings.TrimSuffix(module+"/"+filepath.ToSlash(rel), "/."))
		}
		return nil
	})
	return n, err
}
