package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	goyaml2 "sigs.k8s.io/yaml/goyaml.v2"

	yaml4 "go.yaml.in/yaml/v4"
)

// TestMain lets the test binary also be the programs that the generated files call. They record how
// they were called.
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); slices.Contains(stubs, name) {
		os.Exit(stub(name, os.Args[1:]))
	}
	status := m.Run()
	for _, folder := range temporary {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

var temporary []string // folders of the whole run

var stubs = []string{"lessgc", "go", "git"}

// A call is how a stub was called.
type call struct {
	Name string
	Args []string
	Env  map[string]string
}

// The variables that a stub reads.
const (
	recordVariable = "JOBRUN_TEST_RECORD" // the file to which calls are appended
	hangVariable   = "JOBRUN_TEST_HANG"   // names of pods that hang until they are killed, with commas between them
	failVariable   = "JOBRUN_TEST_FAIL"   // status of lessgc report
)

func stub(name string, args []string) int {
	c := call{Name: name, Args: args, Env: map[string]string{}}
	for _, v := range []string{"LESSGC_SHARD", "CI_NODE_INDEX", "CI_NODE_TOTAL", "JOB_COMPLETION_INDEX", "POD_NAME", "HOME", "GOTOOLCHAIN"} {
		c.Env[v] = os.Getenv(v)
	}
	line, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(os.Getenv(recordVariable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		panic(err)
	}
	switch {
	case name == "go" && slices.Equal(args, []string{"env", "GOPATH"}):
		fmt.Println("/stub/go")
	case name == "lessgc" && args[0] == "compare":
		i := slices.Index(args, "-o")
		if err := os.MkdirAll(args[i+1], 0o777); err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(args[i+1], "session.json"), line, 0o666); err != nil {
			panic(err)
		}
		if pod := os.Getenv("POD_NAME"); pod != "" && slices.Contains(strings.Split(os.Getenv(hangVariable), ","), pod) {
			time.Sleep(time.Minute) // and is killed before
			return 3
		}
	case name == "lessgc" && args[0] == "report":
		fmt.Println("the report")
		if os.Getenv(failVariable) != "" {
			return 1
		}
	}
	return 0
}

// stubbed returns PATH with the stubs in front.
func stubbed(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the files are for shells of Unix")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range stubs {
		if err := os.Symlink(self, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder + string(os.PathListSeparator) + os.Getenv("PATH")
}

// calls reads what a program was called with, and forgets it.
func calls(t *testing.T, record, name string) []call {
	t.Helper()
	data, err := os.ReadFile(record)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var all []call
	for line := range bytes.Lines(data) {
		var c call
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Name == name {
			all = append(all, c)
		}
	}
	return all
}

// lessgc builds the command once. go test does not know of it: after a change of the command alone, run with -count=1.
var lessgc = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "jobrun-test-")
	if err != nil {
		return "", err
	}
	temporary = append(temporary, folder)
	path := filepath.Join(folder, "lessgc.exe")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", path, "lessgc/cmd/lessgc").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, nil
})

// generate runs lessgc ci.
func generate(t *testing.T, args ...string) []byte {
	t.Helper()
	path, err := lessgc()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"ci"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("lessgc ci %q: %v: %s", args, err, &errs)
	}
	return out
}

// hostile are strings that would mean something to YAML, to a service or to a shell.
var hostile = []string{
	`x`, ` `, `a b`, `'`, `"`, `\`, `\'`, `'"'"'`, `a'b"c\d`, "`id`", `$(id)`, `$HOME`, `${HOME}`, `$$`, `$$(X)`, `$$$(HOME)`, `$(JOB_COMPLETION_INDEX)`, `$(POD_NAME`,
	`$`, `a$`, `${{ github.head_ref }}`, `$${{ x }}`, `'${{ x }}'`, `${{`, `}}`, `$[[ inputs.x ]]`, `{{.Name}}`, `#`, ` # x`, `a #b`, `a: b`, `: `, `:`, `- x`, `-`, `--`, `-x`, `---`, `...`,
	`*`, `&a`, `!tag`, `|`, `>`, `%x`, `@x`, `[a]`, `{a: b}`, `? x`, `~`, `~root`, `no`, `null`, `0x10`, `1e3`, `<<`, `;rm -rf x`, `a&&b`, `a|b`, `>x`, `!!`, `\n`, `\U00000041`,
	`EOF`, `ä`, `日本`, `😀`, "a\u00a0b", `*.go`, `a?`, `[ab]`, `=x`, `a=b`, `x `, ` x`, `%(id)s`, `^x$`, `/tmp`, `/results/x`, `2024-01-01`, `12:30:45`, strings.Repeat("long ", 300),
}

// hostileArgs are flags of compare that hold all of them, and the conditions of the report.
func hostileArgs() (args, failOn []string) {
	for _, s := range hostile {
		args = append(args, "-bench", s)
	}
	failOn = []string{"-fail-on", "x$(id)/op worse", "-fail-on", "'\"`$HOME${{x}}# $[[x]]'/op worse > 5%", "-fail-on", "cpu worse"}
	return append(args, "./..."), failOn
}

// parse reads YAML by a parser of version 1.1 and one of 1.2, which have to agree: services use both.
func parse(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := yaml4.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var a, b any
	if err := yaml4.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if err := goyaml2.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if a, b := plain(a), plain(b); a != b {
		t.Errorf("YAML 1.1 and 1.2 read it differently:\n%s\n%s", a, b)
	}
}

// plain returns a value of YAML as JSON.
func plain(v any) string {
	data, err := json.Marshal(stringKeys(v))
	if err != nil {
		panic(err)
	}
	return string(data)
}

func stringKeys(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[k] = stringKeys(e)
		}
		return m
	case map[any]any:
		m := map[string]any{}
		for k, e := range v {
			if k == true { // "on" of YAML 1.1, which GitHub reads as a word
				k = "on"
			}
			m[fmt.Sprint(k)] = stringKeys(e)
		}
		return m
	case []any:
		s := make([]any, len(v))
		for i, e := range v {
			s[i] = stringKeys(e)
		}
		return s
	}
	return v
}

// valid checks a file by a schema of testdata/schemas.
func valid(t *testing.T, schema string, text []byte) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "schemas", schema))
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := yaml4.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	v, err = jsonschema.UnmarshalJSON(strings.NewReader(plain(v)))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", schema, err)
	}
}

// bash returns the shell of both services.
func bash(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	return path
}

// equal compares arguments.
func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d arguments, want %d:\n%q\n%q", what, len(got), len(want), got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: argument %d is %q, want %q", what, i, got[i], want[i])
		}
	}
}
