package breaks

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lessgc/vet"
	"lessgc/vet/internal/ruletest"
)

// limit is the time that a program may take, including its build.
const limit = 5 * time.Minute

// marker stands at the end of the line that is to blame.
const marker = "// breaks here"

// A program has one mistake. Its head says how to show it:
//
//	//build FLAGS     what go build is given
//	//env NAME=VALUE  what the program finds in its environment
//	//shows REGEXP    what it prints before it fails
//	//long COST       what takes so long that LESSGC_LONG has to ask for it
type program struct {
	rule   string
	source []byte
	flags  []string
	env    []string
	shows  *regexp.Regexp
	long   string
	line   int // of the mistake
}

func readProgram(t *testing.T, name string) program {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := program{rule: strings.TrimSuffix(filepath.Base(name), ".go.txt"), source: source}
	lines := bufio.NewScanner(bytes.NewReader(source))
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		if rest, ok := strings.CutPrefix(text, "//build "); ok {
			p.flags = strings.Fields(rest)
		} else if rest, ok := strings.CutPrefix(text, "//env "); ok {
			p.env = append(p.env, rest)
		} else if rest, ok := strings.CutPrefix(text, "//shows "); ok {
			p.shows = regexp.MustCompile(rest)
		} else if rest, ok := strings.CutPrefix(text, "//long "); ok {
			p.long = rest
		} else if strings.HasSuffix(text, marker) {
			if p.line != 0 {
				t.Errorf("%s: lines %d and %d are both to blame", name, p.line, n)
			}
			p.line = n
		}
	}
	if p.shows == nil || p.line == 0 {
		t.Fatalf("%s does not say what it shows, or which line is to blame", name)
	}
	return p
}

// module writes the program as a module and returns its folder.
func (p program) module(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", p.source)
	mod := fmt.Sprintf("module program\n\ngo 1.26.0\n\nrequire lessgc v0.0.0\n\nreplace lessgc => %s\n", filepath.ToSlash(root))
	if bytes.Contains(p.source, []byte(`"lessgc/rpc/`)) {
		rpc := filepath.Join(root, "rpc")
		mod += fmt.Sprintf("\nrequire lessgc/rpc v0.0.0\n\nreplace lessgc/rpc => %s\n", filepath.ToSlash(rpc))
		sums, err := os.ReadFile(filepath.Join(rpc, "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		write("go.sum", sums)
	}
	write("go.mod", []byte(mod))
	return dir
}

// run builds and runs the program in dir, and sees it fail.
func (p program) run(t *testing.T, dir string) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	binary := filepath.Join(dir, "program.exe")
	build := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", binary}, p.flags, []string{"."})...)
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), p.env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("nothing broke:\n%s", out)
	}
	if !p.shows.Match(out) {
		t.Errorf("it does not show %q: %v\n%s", p.shows, err, out)
	}
}

// rules are the names of all there are.
func rules() map[string]bool {
	all := map[string]bool{}
	for _, a := range slices.Concat(vet.Analyzers(), vet.Advice()) {
		all[a.Name] = true
	}
	return all
}

// analyze returns the lines of the program in dir that a rule reports.
func analyze(t *testing.T, rule, dir string) []int {
	t.Helper()
	lines := map[int]bool{}
	for _, f := range ruletest.Vet(t, dir, rule) {
		file, line := f.Position()
		t.Logf("%s:%d: %s", filepath.Base(file), line, f.Message)
		lines[line] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

func programs(t *testing.T) []program {
	t.Helper()
	names, err := filepath.Glob("testdata/*.go.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var list []program
	for _, name := range names {
		list = append(list, readProgram(t, name))
	}
	return list
}

func TestBreaks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs a program for each rule")
	}
	all := rules()
	for _, p := range programs(t) {
		t.Run(p.rule, func(t *testing.T) {
			if !all[p.rule] {
				t.Fatalf("there is no rule %s", p.rule)
			}
			if p.long != "" && os.Getenv("LESSGC_LONG") == "" {
				t.Skipf("%s; LESSGC_LONG=1 runs it, as .ci/run does", p.long)
			}
			dir := p.module(t)
			p.run(t, dir)
			if lines := analyze(t, p.rule, dir); !slices.Equal(lines, []int{p.line}) {
				t.Errorf("reported are the lines %d; line %d is to blame", lines, p.line)
			}
		})
	}
}

// Comments break nothing, and what does not compile does not run: the rules about these are
// the only ones without a program.
func TestAllRulesHavePrograms(t *testing.T) {
	missing := rules()
	delete(missing, "lessgcdirective")
	delete(missing, "lessgcrenamed")
	for _, p := range programs(t) {
		delete(missing, p.rule)
	}
	for name := range missing {
		t.Errorf("nothing shows that what %s reports breaks", name)
	}
}
