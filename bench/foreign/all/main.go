// Command all tries all message types in modules: see package foreign.
package main

import (
	"bytes"
	"cmp"
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
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: all [-rounds N] [-root DIR] MODULE[@VERSION]...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*root, *rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "all:", err)
		os.Exit(1)
	}
}

func run(root string, rounds int, modules []string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	harness, err := os.ReadFile(filepath.Join(root, "bench", "foreign", "harness_test.go"))
	if err != nil {
		return fmt.Errorf("%w: -root is the folder of the repository", err)
	}
	dir, err := os.MkdirTemp("", "foreign")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	goMod := fmt.Sprintf("module foreigntypes\n\ngo 1.26.0\n\nrequire (\n\tlessgc v0.0.0\n\tlessgc/rpc v0.0.0\n)\n\nreplace lessgc => %s\n\nreplace lessgc/rpc => %s\n",
		filepath.ToSlash(root), filepath.ToSlash(filepath.Join(root, "rpc")))
	for name, text := range map[string]string{
		"go.mod": goMod, "main.go": program, "foreign.go": strings.Replace(string(harness), "package foreign\n", "package main\n", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	goTool := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), os.Stderr
		return cmd.Output()
	}
	if _, err := goTool(append([]string{"get"}, modules...)...); err != nil {
		return fmt.Errorf("go get: %w", err)
	}
	var imports bytes.Buffer
	imports.WriteString("package main\n\nimport (\n")
	found := 0
	for _, m := range modules {
		path, _, _ := strings.Cut(m, "@")
		where, err := goTool("list", "-m", "-f", "{{.Dir}}", path)
		if err != nil {
			return fmt.Errorf("go list -m %s: %w", path, err)
		}
		n, err := writeImports(&imports, path, strings.TrimSpace(string(where)))
		if err = cmp.Or(err, none(n, path)); err != nil {
			return err
		}
		found += n
	}
	imports.WriteString(")\n")
	if err := os.WriteFile(filepath.Join(dir, "imports.go"), imports.Bytes(), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d packages with messages: building\n", found)
	if _, err := goTool("build", "-o", "types", "."); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	cmd := exec.Command(filepath.Join(dir, "types"), fmt.Sprint(rounds))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
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
