package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write doc.go from the help texts")

// manual is doc.go as it should be: an introduction and the help texts.
func manual(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`// Lessgc shows what allocation and garbage collection cost a Go program, and whether a change pays.
//
// This manual holds the help of each subcommand, as lessgc help prints it. What stands in
// a result folder is described in package session and in docs/measuring.md.
//
`)
	for _, c := range commands() {
		if c.name == "help" {
			continue
		}
		var out, errs bytes.Buffer
		if status := run(context.Background(), &out, &errs, []string{c.name, "-h"}); status != exitClean || errs.Len() > 0 {
			t.Fatalf("%s -h: status %d, %s", c.name, status, &errs)
		}
		b.WriteString("// # lessgc " + c.name + "\n//\n")
		for line := range strings.Lines(out.String()) {
			line = strings.TrimRight(strings.ReplaceAll(line, "\t", "        "), " \n")
			if line == "" {
				b.WriteString("//\n")
			} else {
				b.WriteString("//\t" + line + "\n")
			}
		}
		b.WriteString("//\n")
	}
	return strings.TrimSuffix(b.String(), "//\n") + "package main\n\n//go:generate go test -run ^Test(Manual|Picture|Badges)$ -update\n"
}

// TestManual checks that the package comment says what the command says.
func TestManual(t *testing.T) {
	generated(t, "doc.go", manual(t))
}

// generated checks that a file holds what is generated, or writes it if that is asked for.
func generated(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is out of date (run go generate, and look at it):\n%s", file, diff)
	}
}

// flagsOf returns the flags that a help text lists, each with its text.
func flagsOf(help string) map[string]string {
	flags := map[string]string{}
	name := ""
	for line := range strings.Lines(help) {
		if rest, ok := strings.CutPrefix(line, "  -"); ok {
			name, line, _ = strings.Cut(strings.TrimSpace(rest), "\t") // a short flag's text is in the same line
			name, _, _ = strings.Cut(name, " ")
			flags[name] = ""
		} else if !strings.HasPrefix(line, "    ") {
			name = ""
		}
		if name != "" {
			flags[name] += strings.TrimSpace(line)
		}
	}
	return flags
}

// TestFlagsAreExplained checks that every flag has a text, and that nothing in
// a help is out of proportion for a terminal.
func TestFlagsAreExplained(t *testing.T) {
	for _, c := range commands() {
		var out, errs bytes.Buffer
		run(context.Background(), &out, &errs, []string{c.name, "-h"})
		if c.name != "help" && !strings.Contains(out.String(), "  lessgc "+c.name+" ") {
			t.Errorf("%s -h shows no example", c.name)
		}
		flags := flagsOf(out.String())
		if strings.Contains(out.String(), "\nFlags:\n") != (len(flags) > 0) {
			t.Errorf("%s -h lists the flags %q", c.name, flags)
		}
		for name, text := range flags {
			if text, _, _ := strings.Cut(text, "(default "); len(strings.Fields(text)) < 2 {
				t.Errorf("%s -h: the text of -%s is %q", c.name, name, text)
			}
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > 130 {
				t.Errorf("%s -h: a line of %d columns: %s", c.name, len(line), line)
			}
		}
	}
}
