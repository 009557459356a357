package main

import (
	"encoding/csv"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/mode"
)

// TestHistoryDocs runs what docs/measuring.md shows of histories, and checks that Otava's columns are in the table.
func TestHistoryDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/measuring.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## In CI, and over many commits\n")
	section, _, end := strings.Cut(section, "\n## ")
	if !found || !end {
		t.Fatal("there is no section on CI")
	}
	data, err := os.ReadFile("testdata/formats/history.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("perf.jsonl", data, 0o666); err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^lessgc .*$`).FindAllString(section, -1)
	if len(commands) != 4 {
		t.Fatalf("%q", commands)
	}
	for _, command := range commands {
		words, err := mode.SplitWords(command)
		if err != nil {
			t.Fatal(err)
		}
		if words[1] == "compare" {
			readExample(t, words[2:])
		} else if status, out := says(t, words[1:]...); status != exitClean {
			t.Errorf("%s: status %d, %s", command, status, out)
		}
	}
	f, err := os.Open("perf.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := regexp.MustCompile(`(?m)(?:column: "|time_column: |attributes: \[)([^"\n\]]*)`).FindAllStringSubmatch(section, -1)
	if len(columns) != 4 {
		t.Fatalf("%q", columns)
	}
	for _, c := range columns {
		if !slices.Contains(rows[0], c[1]) {
			t.Errorf("perf.csv has no column %q; it has %q", c[1], rows[0])
		}
	}
}
