package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/spread"
)

// TestShardArgs checks that -fail-on is taken out of what compare gets, however it is written, and
// nothing else.
func TestShardArgs(t *testing.T) {
	check := func(args, shard, failOn []string) {
		t.Helper()
		gotShard, gotFailOn, err := shardArgs(args)
		if err != nil || !slices.Equal(gotShard, shard) || !slices.Equal(gotFailOn, failOn) {
			t.Errorf("%q: %q and %q, %v; want %q and %q", args, gotShard, gotFailOn, err, shard, failOn)
		}
	}
	cpu := []string{"cpu worse"}
	check(nil, nil, nil)
	check([]string{"-fail-on", "cpu worse"}, nil, cpu)
	check([]string{"-fail-on=cpu worse", "."}, []string{"."}, cpu)
	check([]string{"--fail-on=cpu worse", "-duet", "--fail-on", "allocs worse > 5%", "-base=main", "."},
		[]string{"-duet", "-base=main", "."}, []string{"cpu worse", "allocs worse > 5%"})
	check([]string{"-turns", "-bench", "-fail-on", "-fail-on", "cpu worse", "-exec", "--", "x"}, []string{"-turns", "-bench", "-fail-on", "-exec", "--", "x"}, cpu)
	check([]string{"-bench", "a", "--", "./..."}, []string{"-bench", "a", "./..."}, nil)
	check([]string{"-profiles=false", "a", "b", "-args", "--", "-fail-on", "x"}, []string{"-profiles=false", "a", "b", "-args", "--", "-fail-on", "x"}, nil)
}

// TestShardArgsAreFlags checks that every flag of a report is either one of a shard or refused by
// name: one that is added later must not come into a shard's command by chance.
func TestShardArgsAreFlags(t *testing.T) {
	shared := flagsOf(help(t, "report"))
	for name := range flagsOf(help(t, "compare")) {
		if _, ok := shared[name]; !ok || name == "fail-on" {
			continue
		}
		value := "true"
		if name == "markdown-size" {
			value = "65536"
		}
		_, _, err := shardArgs([]string{"-" + name + "=" + value, "."})
		if err == nil || !strings.HasPrefix(err.Error(), "-"+name+" does not go with shards: it ") {
			t.Errorf("-%s: %v", name, err)
		}
	}
}

// TestCILines checks that an argument of several lines is refused in one.
func TestCILines(t *testing.T) {
	for _, s := range []string{"a\nb", "a\x00b", "a\u2028b", "\xff"} {
		var out, errs bytes.Buffer
		status := run(context.Background(), &out, &errs, []string{"ci", "github", "-from", ".", "--", "-bench", s, "."})
		if status != exitFailure || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", s, status, &out, &errs)
		}
	}
}

// TestSpreadingPage runs the commands of docs/spreading.md.
func TestSpreadingPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/spreading.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for line := range strings.Lines(string(data)) {
		words, err := mode.SplitWords(line)
		if !strings.HasPrefix(line, "lessgc ") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if words[1] != "ci" { // TestScript/shard runs such, in a module
			known := flagsOf(help(t, words[1]))
			for _, word := range words[2:] {
				if name, isFlag := strings.CutPrefix(word, "-"); isFlag && known[name] == "" {
					t.Errorf("%s: there is no -%s", strings.TrimSpace(line), name)
				}
			}
			continue
		}
		var out, errs bytes.Buffer
		if status := run(context.Background(), &out, &errs, words[1:]); status != exitClean || !strings.HasPrefix(out.String(), "# "+strings.TrimSpace(line)+"\n") {
			t.Errorf("%s: status %d, %s%.100s", line, status, &errs, &out)
		}
		ran[words[2]]++
	}
	for _, service := range spread.Services {
		if ran[service] < 2 {
			t.Errorf("docs/spreading.md shows %d commands for %s", ran[service], service)
		}
	}
	for name := range flagsOf(help(t, "ci")) {
		if !strings.Contains(string(data), "-"+name+" ") && !slices.Contains([]string{"name", "memory"}, name) {
			t.Errorf("docs/spreading.md does not show -%s", name)
		}
	}
}

// help returns what -h prints.
func help(t *testing.T, name string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := run(context.Background(), &out, &errs, []string{name, "-h"}); status != exitClean {
		t.Fatalf("%s -h: status %d, %s", name, status, &errs)
	}
	return out.String()
}
