package arenas

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table in docs/arenas-compared.md; with GOEXPERIMENT=arenas, all of it")

const (
	page  = "../../docs/arenas-compared.md"
	begin = "<!-- begin hazards: go test ./bench/arenas -update -->\n"
	end   = "<!-- end hazards -->\n"

	// hazardVariable tells a child process which cell of the table it is:
	// name of the subject, tab, title of the hazard.
	hazardVariable = "LESSGC_BENCH_HAZARD"
	resultPrefix   = "RESULT "
)

// TestPage runs every hazard of every subject and compares what happened with
// the table in the page.
func TestPage(t *testing.T) {
	if instrumented {
		t.Skip("the race detector changes what a stale pointer sees")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the page says what happens on Linux, where unmapped memory is mapped again at once")
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s: the marks around the table are missing", page)
	}
	rows := runHazards(t, table)
	if *update {
		table = merge(table, rows)
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, row := range rows {
		if !strings.Contains(table, row) {
			t.Errorf("the page is out of date (see -update): %s is now\n%s", subjects[i].name, row)
		}
	}
	if want := header(); !strings.HasPrefix(table, want) {
		t.Errorf("the page is out of date (see -update): the head of the table is now\n%s", want)
	}
}

// runHazards returns the rows of the table, in the order of subjects. What a rival
// does with freed memory can depend on what else the machine does: the table says
// what can happen, so a cell that comes out differently is tried again. Ours are
// not.
func runHazards(t *testing.T, table string) []string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cells := make([][]string, len(subjects))
	var wg sync.WaitGroup
	free := make(chan bool, 4)
	for i, s := range subjects {
		cells[i] = make([]string, len(hazards))
		for j, h := range hazards {
			wg.Go(func() {
				free <- true
				defer func() { <-free }()
				for try := 0; try == 0 || try < 5 && !ours(s) && cells[i][j] != said(table, s, j); try++ {
					cells[i][j] = child(t, exe, s.name+"\t"+h.title)
				}
			})
		}
	}
	wg.Wait()
	rows := make([]string, len(subjects))
	for i, s := range subjects {
		rows[i] = fmt.Sprintf("| %s | %s |\n", s.name, strings.Join(cells[i], " | "))
	}
	return rows
}

// ours reports whether the subject is of this project.
func ours(s subject) bool { return strings.HasPrefix(s.name, "lessgc") }

// said returns what the table says in the cell of a hazard.
func said(table string, s subject, hazard int) string {
	_, row, _ := strings.Cut(table, "| "+s.name+" | ")
	row, _, _ = strings.Cut(row, " |\n")
	cells := strings.Split(row, " | ")
	return cells[min(hazard, len(cells)-1)]
}

func header() string {
	var b strings.Builder
	b.WriteString("| |")
	for _, h := range hazards {
		fmt.Fprintf(&b, " %s |", h.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(hazards)) + "\n")
	return b.String()
}

// merge puts the rows into the table. Rows of subjects that this build does not
// have stay as they are, in front.
func merge(table string, rows []string) string {
	var b strings.Builder
	b.WriteString(header())
	for line := range strings.Lines(table) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		known := strings.HasPrefix(line, "| |") || strings.HasPrefix(line, "|---")
		for _, s := range subjects {
			known = known || s.name == name
		}
		if !known {
			b.WriteString(line)
		}
	}
	return b.String() + strings.Join(rows, "")
}

// child runs one cell in a process of its own. Its death is a result.
func child(t *testing.T, exe, cell string) string {
	cmd := exec.Command(exe, "-test.run=^TestHazard$", "-test.v", "-test.timeout=60s")
	cmd.Env = append(os.Environ(), hazardVariable+"="+cell)
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if result, ok := strings.CutPrefix(line, resultPrefix); ok && err == nil {
			return strings.TrimSpace(result)
		}
	}
	switch {
	case bytes.Contains(out, []byte("test timed out")):
		t.Errorf("%s: timed out", cell)
		return "hangs"
	case bytes.Contains(out, []byte("nil pointer dereference")):
		return "panics"
	case bytes.Contains(out, []byte("fatal error: fault")), bytes.Contains(out, []byte("freed user arena")), bytes.Contains(out, []byte("unexpected fault address")):
		return "faults"
	case bytes.Contains(out, []byte("panic: ")):
		return "panics"
	}
	t.Logf("%s: %v\n%s", cell, err, out)
	return "crashes"
}

// TestHazard is the child process.
func TestHazard(t *testing.T) {
	cell := os.Getenv(hazardVariable)
	if cell == "" {
		t.Skip("runs in the child processes of TestPage")
	}
	name, title, _ := strings.Cut(cell, "\t")
	for _, s := range subjects {
		for _, h := range hazards {
			if s.name == name && h.title == title {
				fmt.Printf("\n%s%s\n", resultPrefix, h.run(s))
				return
			}
		}
	}
	t.Fatalf("no cell %q", cell)
}

var requirement = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)$`)

// others are requirements of this module that have nothing to do with arenas,
// this repository's first.
var others = []string{strings.TrimSuffix(reflect.TypeFor[subject]().PkgPath(), "/bench/arenas"), "golang.org/x/", "google.golang.org/", "buf.build/", "github.com/bufbuild/", "github.com/planetscale/", "github.com/valyala/bytebufferpool", "github.com/samber/lo", "github.com/grpc-ecosystem/", "go.opentelemetry.io/", "cel.dev/", "github.com/KimMachineGun/automemlimit",
	"github.com/rhysd/actionlint", "github.com/santhosh-tekuri/jsonschema/", "go.yaml.in/yaml/", "k8s.io/", "sigs.k8s.io/"}

// TestVersions checks that the page names the versions that were tested: the
// direct requirements of this module.
func TestVersions(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range requirement.FindAllStringSubmatch(string(mod), -1) {
		module, version := m[1], m[2]
		if slices.ContainsFunc(others, func(prefix string) bool { return strings.HasPrefix(module, prefix) }) {
			continue
		}
		found++
		if want := fmt.Sprintf("`%s` %s", module, version); !strings.Contains(string(text), want) {
			t.Errorf("the page is out of date: it does not name %s", want)
		}
	}
	if found < len(subjects)/2 {
		t.Errorf("%d rivals in go.mod, want more", found)
	}
}
