package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lessgc/vet/internal/ruletest"
)

// source has a mistake, and something that could be faster.
const source = `package app

import "sync"

var buffers = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func first(s string) byte {
	b := buffers.Get().([]byte)
	b = append(b[:0], s...)
	buffers.Put(b)
	return b[0]
}

//lessgc:ignore poolnonpointer it is small
func second() {}
`

// module makes one of source.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module app\n\ngo 1.26.0\n", "app.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goVet runs go vet.
func goVet(t *testing.T, tool, dir string, flags ...string) (stdout, stderr string, ok bool) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + tool}, flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	return out.String(), errs.String(), err == nil
}

// The reports that source may get.
const (
	use       = `app\.go:11:\d+: [^\t].*`
	pointer   = `app\.go:10:\d+: [^\t].*`
	directive = `app\.go:14:1: poolnonpointer has no finding here.*`
)

// TestFlags checks which flags of go vet turn on what.
func TestFlags(t *testing.T) {
	if os.Getenv("LESSGC_LONG") == "" || testing.Short() {
		t.Skip("each flag is another analysis of the runtime; LESSGC_LONG=1 runs it, as .ci/run does")
	}
	tool, dir := ruletest.Tool(t), module(t)
	check := func(flags string, want ...string) {
		t.Helper()
		_, stderr, ok := goVet(t, tool, dir, strings.Fields(flags)...)
		if ok != (len(want) == 0) {
			t.Errorf("go vet %s: ok %v:\n%s", flags, ok, stderr)
		}
		rest := stderr
		for _, w := range want {
			line := regexp.MustCompile(`(?m)^` + w + `$`)
			if !line.MatchString(rest) {
				t.Errorf("go vet %s: nothing of %s:\n%s", flags, w, stderr)
			}
			rest = line.ReplaceAllString(rest, "")
		}
		if more := regexp.MustCompile(`(?m)^(\./)?app\.go:\d+:\d+: [^\t].*$`).FindString(rest); more != "" {
			t.Errorf("go vet %s: also %s", flags, more)
		}
	}
	check("", use)
	check("-advice -poolunbounded=false", use, pointer, directive)
	check("-advice=true -notes -poolnonpointer=false -poolunbounded=false", use, directive)
	check("-poolnonpointer=true -pooldoubleput", pointer)
	check("-pooluseafterput=false")

	stdout, _, ok := goVet(t, tool, dir, "-json")
	if !ok || !strings.Contains(stdout, `"pooluseafterput": [`) || !strings.Contains(stdout, `"category": "corruption"`) {
		t.Errorf("go vet -json: %v:\n%s", ok, stdout)
	}
	stdout, stderr, _ := goVet(t, tool, dir, "-fix", "-diff", "-lessgcdirective", "-advice")
	if !strings.Contains(stdout, "\n-//lessgc:ignore poolnonpointer it is small\n") {
		t.Errorf("go vet -fix -diff:\n%s%s", stdout, stderr)
	}
	_, stderr, ok = goVet(t, tool, dir, "-fix", "-lessgcdirective", "-advice")
	if data, err := os.ReadFile(filepath.Join(dir, "app.go")); !ok || err != nil || strings.Contains(string(data), "ignore") {
		t.Errorf("go vet -fix: %v:\n%s%s", err, stderr, data)
	}
}

// TestFlagIsUnknown checks that go vet refuses what the tool does not know.
func TestFlagIsUnknown(t *testing.T) {
	if _, stderr, ok := goVet(t, ruletest.Tool(t), module(t), "-poolalais"); ok || !strings.Contains(stderr, "-poolalais") {
		t.Errorf("it is taken: %s", stderr)
	}
}
