package main

import (
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/internal/longtest"
)

// readme returns the lines of README.md.
func readme(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// shell returns the commands of README.md: indented lines that start with a
// command's name.
func shell(t *testing.T) []string {
	var all []string
	for _, line := range readme(t) {
		command, ok := strings.CutPrefix(line, "    ")
		if ok && (strings.HasPrefix(command, "go ") || strings.HasPrefix(command, "lessgc ")) {
			all = append(all, command)
		}
	}
	return all
}

func TestReadme(t *testing.T) {
	if n := len(readme(t)); n >= 120 {
		t.Errorf("README.md has %d lines, want fewer than 120", n)
	}
	commands := shell(t)
	for _, want := range []string{"go run ./cmd/lessgc compare ./workloads/clones", "go test -vet=off -tags lessgc_short -timeout 30m work"} {
		if !slices.Contains(commands, want) {
			t.Errorf("README.md does not show %q", want)
		}
	}
}

// TestReadmeCommands runs the command that is the repository's main job, its
// trials cut short, and reads the flags of the other examples.
func TestReadmeCommands(t *testing.T) {
	for _, command := range shell(t) {
		words, err := mode.SplitWords(command)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case len(words) > 3 && words[1] == "run":
			t.Run(command, func(t *testing.T) { runExample(t, words[3:]) })
		case words[0] == "lessgc" && words[1] == "compare":
			t.Run(command, func(t *testing.T) { readExample(t, words[2:]) })
		case words[0] == "lessgc":
			t.Run(command, func(t *testing.T) { readFlags(t, words[1], words[2:]) })
		}
	}
}

// runExample compares two modes that share a binary, or the four of the example
// if long tests are asked for.
func runExample(t *testing.T, args []string) {
	flags := []string{"-trial", "2ms", "-rounds", "6", "-o", t.TempDir()}
	if !longtest.Wanted() {
		flags = append(flags, "-mode", "gogc=100,200")
	}
	args = slices.Concat(args[:1], flags, args[1:])
	cmd := exec.Command("lessgc", args...) // TestMain has put it into PATH
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}

func readExample(t *testing.T, args []string) {
	var f compareFlags
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.register(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	if err := f.show.check(); err != nil {
		t.Error(err)
	}
	var c session.Config
	if err := f.setModes(&c); err != nil {
		t.Error(err)
	}
}

// readFlags reads the flags of the other subcommands.
func readFlags(t *testing.T, name string, args []string) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	switch name {
	case "advise":
		new(adviseFlags).register(fs)
	case "apply":
		new(applyFlags).register(fs)
	case "diff":
		new(diffFlags).register(fs)
	case "tune":
		new(tuneFlags).register(fs)
	case "vet":
		new(vetFlags).register(fs)
	case "watch":
		new(watchFlags).register(fs)
	default:
		t.Fatalf("there is no subcommand %s", name)
	}
	if err := fs.Parse(args); err != nil || fs.NArg() == 0 {
		t.Errorf("%v, %d arguments", err, fs.NArg())
	}
}
