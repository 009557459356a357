package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

// A workflow holds what the test runs of a workflow.
type workflow struct {
	Name        string
	On          map[string]any
	Permissions map[string]string
	Jobs        map[string]struct {
		If       string
		Needs    string
		RunsOn   any `yaml:"runs-on"`
		Strategy struct {
			FailFast *bool `yaml:"fail-fast"`
			Matrix   struct {
				Include []struct {
					Shard  int
					Runner any
				}
			}
		}
		Steps []step
	}
}

type step struct {
	Name, Uses, Run, If string
	Env                 map[string]string
	With                map[string]any
}

var expression = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// evaluate replaces the expressions that lessgc prints. Another one has come from what a user gave.
func evaluate(t *testing.T, s string, shard int) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(s, func(e string) string {
		switch e {
		case "${{ matrix.shard }}":
			return fmt.Sprint(shard)
		case "${{ matrix.runner }}", "${{ github.workflow }}", "${{ github.ref }}":
			return "x"
		}
		t.Errorf("GitHub evaluates %s", e)
		return ""
	})
}

// runSteps runs the steps of a job in a folder, as a runner of GitHub does; artifacts are folders.
func runSteps(t *testing.T, steps []step, shard int, workspace, artifacts string, environ []string) error {
	t.Helper()
	var failed error
	for _, s := range steps {
		if failed != nil && s.If != "always()" {
			continue
		}
		if s.If != "" && s.If != "always()" {
			t.Errorf("condition %q", s.If)
		}
		action, _, _ := strings.Cut(s.Uses, "@")
		switch action {
		case "actions/checkout", "actions/setup-go":
		case "actions/upload-artifact":
			to := filepath.Join(artifacts, evaluate(t, s.With["name"].(string), shard))
			if _, err := os.Stat(to); err == nil {
				t.Errorf("two artifacts are called %s", to)
			}
			copyFolder(t, filepath.Join(workspace, s.With["path"].(string)), to)
		case "actions/download-artifact":
			if s.With["merge-multiple"] != true {
				t.Error("artifacts are not merged")
			}
			all, err := filepath.Glob(filepath.Join(artifacts, s.With["pattern"].(string)))
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range all {
				copyFolder(t, a, filepath.Join(workspace, s.With["path"].(string)))
			}
		case "":
			if strings.Contains(s.Run, "${{") {
				t.Errorf("GitHub looks for an expression in a script:\n%s", s.Run)
			}
			script := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(script, []byte(s.Run), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(bash(t), "--noprofile", "--norc", "-eo", "pipefail", script)
			cmd.Dir, cmd.Env = workspace, environ
			for k, v := range s.Env {
				cmd.Env = append(cmd.Env, k+"="+evaluate(t, v, shard))
			}
			out, err := cmd.CombinedOutput()
			if err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatal(err)
			}
			if len(out) > 0 {
				t.Logf("%s: %s", s.Name, out)
			}
			failed = errors.Join(failed, err)
		default:
			t.Errorf("action %s", s.Uses)
		}
	}
	return failed
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(from); err != nil {
		return // as with if-no-files-found: warn
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// lint checks a workflow by SchemaStore's schema and by actionlint, which also knows the inputs of
// actions, types of expressions, and what an attacker can name.
func lint(t *testing.T, text []byte) {
	t.Helper()
	valid(t, "github-workflow.json", text)
	l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Lint("workflow.yml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		if !strings.Contains(e.Message, "is unknown. available labels are") { // of a runner of one's own
			t.Errorf("actionlint: %v", e)
		}
	}
}

// TestGitHub runs a workflow whose strings are hostile.
func TestGitHub(t *testing.T) {
	args, failOn := hostileArgs()
	name := `a: "b" 'c' # d $(id) \n`
	text := generate(t, slices.Concat([]string{"github", "-from", "./a 'b' $(id)", "-name", name, "-shards", "3", "-runner", "self-hosted,amd # 'x\"", "-runner", "b", "--"}, failOn, args)...)
	lint(t, text)
	var w workflow
	parse(t, text, &w)
	if w.Name != name {
		t.Errorf("name %q, want %q", w.Name, name)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("permissions %v", w.Permissions)
	}
	if _, ok := w.On["pull_request_target"]; ok || len(w.On) != 2 {
		t.Errorf("triggers %v", w.On)
	}
	measure, report := w.Jobs["shard"], w.Jobs["report"]
	include := measure.Strategy.Matrix.Include
	if len(include) != 3 || plain(include[0].Runner) != `["self-hosted","amd # 'x\""]` || plain(include[1].Runner) != `["b"]` || plain(include[2].Runner) != plain(include[0].Runner) {
		t.Errorf("matrix %+v", include)
	}
	if measure.Strategy.FailFast == nil || *measure.Strategy.FailFast {
		t.Error("a shard that fails ends the others")
	}
	if report.Needs != "shard" || report.If != "always()" {
		t.Errorf("the report needs %q, if %q", report.Needs, report.If)
	}

	temp := t.TempDir()
	record, summary, artifacts := filepath.Join(temp, "record"), filepath.Join(temp, "summary"), filepath.Join(temp, "artifacts")
	path := stubbed(t)
	environ := append(os.Environ(), "PATH="+path, recordVariable+"="+record, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_PATH="+filepath.Join(temp, "path"))
	for _, m := range include {
		if err := runSteps(t, measure.Steps, m.Shard, t.TempDir(), artifacts, environ); err != nil {
			t.Errorf("shard %d: %v", m.Shard, err)
		}
	}
	all := calls(t, record, "lessgc")
	if len(all) != 3 {
		t.Fatalf("lessgc was called %d times, want 3", len(all))
	}
	for i, c := range all {
		equal(t, "compare", c.Args, slices.Concat([]string{"compare", "-shard", "auto", "-o", fmt.Sprintf("lessgc-shards/%d", i+1)}, args))
		if want := fmt.Sprintf("%d/3", i+1); c.Env["LESSGC_SHARD"] != want {
			t.Errorf("LESSGC_SHARD=%s, want %s", c.Env["LESSGC_SHARD"], want)
		}
	}
	for _, c := range calls(t, record, "go") {
		if c.Args[0] != "env" {
			equal(t, "go", c.Args, []string{"-C", "./a 'b' $(id)", "install", "./cmd/lessgc"})
		}
	}

	// The report gets the shards that are there, and its status is the job's.
	if err := os.RemoveAll(filepath.Join(artifacts, "lessgc-shard-2")); err != nil {
		t.Fatal(err)
	}
	for _, status := range []int{0, 1} {
		os.Remove(record)
		os.RemoveAll(filepath.Join(artifacts, "lessgc-report")) // of the run before
		here := environ
		if status == 1 {
			here = append(here, failVariable+"=1")
		}
		err := runSteps(t, report.Steps, 0, t.TempDir(), artifacts, here)
		if (err != nil) != (status == 1) {
			t.Errorf("the report ended with %v, want status %d", err, status)
		}
		all := calls(t, record, "lessgc")
		if len(all) != 1 {
			t.Fatalf("lessgc was called %d times, want once", len(all))
		}
		equal(t, "report", all[0].Args, slices.Concat([]string{"report", "-markdown", "-html", "lessgc-report.html"}, failOn, []string{"lessgc-shards/1", "lessgc-shards/3"}))
	}
	if data, err := os.ReadFile(summary); err != nil || string(data) != "the report\nthe report\n" {
		t.Errorf("summary %q, %v", data, err)
	}
}

// TestGitHubFiles lints files of all flags.
func TestGitHubFiles(t *testing.T) {
	for _, args := range [][]string{
		{"github", "-from", "image", "--"},
		{"github", "-from", ".", "-go", "1.26", "--", "."},
		{"github", "-from", "https://h/p#v1", "-image", "example.com/x@sha256:0123", "-shards", "200", "--", "-base", "origin/main", "."},
		{"github", "-from", "example.com/x/cmd/lessgc@latest", "-image", "golang:1.26", "-go", "1.27rc1", "--", "."},
		{"github", "-from", ".", "-runner", "ubuntu-24.04", "-runner", "ubuntu-24.04-arm", "--", "."},
	} {
		text := generate(t, args...)
		lint(t, text)
		parse(t, text, new(workflow))
	}
}

// TestLintFinds checks that lint would find mistakes.
func TestLintFinds(t *testing.T) {
	text := string(generate(t, "github", "-from", ".", "--", "."))
	for _, change := range [][2]string{
		{"fetch-depth:", "fetch-deep:"},
		{"matrix.shard }} of", "matrix.shart }} of"},
		{"lessgc compare", "echo ${{ github.head_ref }}; lessgc compare"},
		{"needs: shard", "needs: shards"},
	} {
		if !strings.Contains(text, change[0]) {
			t.Fatalf("the workflow does not hold %q", change[0])
		}
		l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := l.Lint("workflow.yml", []byte(strings.Replace(text, change[0], change[1], 1)), nil)
		if err != nil || len(found) == 0 {
			t.Errorf("actionlint says nothing of %q, %v", change[1], err)
		}
	}
}
