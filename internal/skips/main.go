// Command skips finds tests that are skipped without anybody having said so. It
// reads what go test -json prints and a list of the tests that may be skipped:
//
//	go test -json ./... | go run ./internal/skips .ci/skips.txt
//
// A line of the list is a package, a test and the reason, for example
//
//	lessgc/arena TestAsan needs a C compiler
//
// It prints what go test without -json would, and fails if a test fails, if one
// is skipped that the list does not hold, or if the list holds one that does not
// exist in a package that was tested.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

// run returns 0 if all is well, 1 if something failed or is skipped unnamed, and
// 2 if that is unknown.
func run(stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "usage: go test -json PACKAGES | go run ./internal/skips LIST")
		return 2
	}
	list, err := readList(args[0])
	if err != nil {
		fmt.Fprintln(stderr, "skips:", err)
		return 2
	}
	r := report{out: stdout, list: list, printed: map[test]string{}, packages: map[string]bool{}}
	if err := r.read(stdin); err != nil {
		fmt.Fprintln(stderr, "skips:", err)
		return 2
	}
	if len(r.packages) == 0 {
		fmt.Fprintln(stderr, "skips: no package was tested; pipe the output of go test -json into it")
		return 2
	}
	r.unknown(args[0])
	for _, p := range r.problems {
		fmt.Fprintln(stderr, "skips:", p)
	}
	if r.failed || len(r.problems) > 0 {
		return 1
	}
	return 0
}

// A test is a test or a subtest of a package; without a name, the package.
type test struct{ pkg, name string }

// An entry is a test that may be skipped.
type entry struct {
	test
	reason string
	line   int
	seen   bool // it was run or skipped
}

// readList reads the file with the tests that may be skipped.
func readList(name string) ([]*entry, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []*entry
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		words := strings.Fields(text)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 3 {
			return nil, fmt.Errorf("%s:%d: want a package, a test and the reason", name, line)
		}
		e := &entry{test{words[0], words[1]}, strings.Join(words[2:], " "), line, false}
		if slices.ContainsFunc(list, func(other *entry) bool { return other.test == e.test }) {
			return nil, fmt.Errorf("%s:%d: %s %s is named twice", name, line, e.pkg, e.name)
		}
		list = append(list, e)
	}
	return list, nil
}

// An event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// A report collects the output read of a run.
type report struct {
	out      io.Writer
	list     []*entry
	printed  map[test]string // by tests that have not ended
	packages map[string]bool
	problems []string
	failed   bool
}

// read reads the events. What is not an event is printed.
func (r *report) read(stdin io.Reader) error {
	lines := bufio.NewReader(stdin)
	for {
		line, err := lines.ReadString('\n')
		var e event
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			io.WriteString(r.out, line)
		} else {
			r.add(e)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *report) add(e event) {
	t := test{e.Package, e.Test}
	if t.pkg != "" {
		r.packages[t.pkg] = true
	}
	if i := slices.IndexFunc(r.list, func(l *entry) bool { return l.test == t }); i >= 0 {
		r.list[i].seen = true
	}
	switch e.Action {
	case "build-output":
		io.WriteString(r.out, e.Output)
	case "build-fail":
		r.failed = true
	case "output":
		switch frame := strings.TrimLeft(e.Output, " "); {
		case strings.HasPrefix(frame, "=== "), t.name == "" && e.Output == "PASS\n":
		case t.name == "":
			io.WriteString(r.out, e.Output)
		default:
			r.printed[t] += e.Output
		}
	case "skip":
		if t.name != "" && !slices.ContainsFunc(r.list, func(l *entry) bool { return l.test == t }) {
			r.problems = append(r.problems, fmt.Sprintf("%s: %s is skipped (%s), and not in the list: make it run, or add it with the reason", t.pkg, t.name, reason(r.printed[t])))
		}
		delete(r.printed, t)
	case "pass", "bench":
		delete(r.printed, t)
	case "fail":
		r.failed = true
		if t.name != "" {
			io.WriteString(r.out, r.printed[t])
			delete(r.printed, t)
			return
		}
		for unended, text := range r.printed { // it panicked, or took too long
			if unended.pkg == t.pkg {
				io.WriteString(r.out, text)
				delete(r.printed, unended)
			}
		}
	}
}

// reason returns the last line that a skipped test printed.
func reason(printed string) string {
	said := "it does not say why"
	for line := range strings.Lines(printed) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--- SKIP") {
			said = line
		}
	}
	return said
}

// unknown reports entries that name no test of a package that was tested.
func (r *report) unknown(name string) {
	for _, l := range r.list {
		if r.packages[l.pkg] && !l.seen {
			r.problems = append(r.problems, fmt.Sprintf("%s:%d: %s has no %s: take it out", name, l.line, l.pkg, l.name))
		}
	}
}
