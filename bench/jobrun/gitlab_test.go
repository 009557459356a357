package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A pipelineJob holds what the test runs of a job of GitLab.
type pipelineJob struct {
	Image     string
	Parallel  any // a number, or a matrix
	Tags      []string
	Variables map[string]string
	Script    []string
	Rules     []struct{ If, When string }
	Needs     []struct {
		Job       string
		Artifacts bool
	}
	Artifacts struct {
		When  string
		Paths []string
	}
}

// instances returns the variables of each instance of a job.
func (j pipelineJob) instances(t *testing.T) [][]string {
	t.Helper()
	var all [][]string
	switch p := j.Parallel.(type) {
	case nil:
		all = [][]string{nil}
	case int:
		all = make([][]string, p)
	case map[string]any:
		for _, entry := range p["matrix"].([]any) {
			var variables []string
			for k, v := range entry.(map[string]any) {
				variables = append(variables, fmt.Sprintf("%s=%s", k, v))
			}
			all = append(all, variables)
		}
	default:
		t.Fatalf("parallel: %v", p)
	}
	if j.Parallel != nil {
		for i := range all {
			all[i] = append(all[i], fmt.Sprintf("CI_NODE_INDEX=%d", i+1), fmt.Sprintf("CI_NODE_TOTAL=%d", len(all)))
		}
	}
	return all
}

// script runs the lines of a job as a runner does: in one shell, which ends with the first that fails.
func (j pipelineJob) run(t *testing.T, shell, folder string, environ []string) error {
	t.Helper()
	options := "set -e\n"
	if filepath.Base(shell) == "bash" {
		options = "set -eo pipefail\n"
	}
	cmd := exec.Command(shell, "-c", options+strings.Join(j.Script, "\n"))
	cmd.Dir, cmd.Env = folder, environ
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	if len(out) > 0 {
		t.Logf("%s", out)
	}
	return err
}

// TestGitLab runs jobs whose strings are hostile, in both shells that runners have.
func TestGitLab(t *testing.T) {
	args, failOn := hostileArgs()
	name := `a: "b" 'c' # d $(id) \n`
	for _, runners := range [][]string{nil, {"-runner", "a #'b,c: d"}, {"-runner", "a #'b,c: d", "-runner", "x,y\"\\"}} {
		text := generate(t, slices.Concat([]string{"gitlab", "-from", "./a 'b' $(id)", "-name", name, "-shards", "3"}, runners, []string{"--"}, failOn, args)...)
		valid(t, "gitlab-ci.json", text)
		var jobs map[string]pipelineJob
		parse(t, text, &jobs)
		measure, report := jobs[name+": shard"], jobs[name+": report"]
		if len(jobs) != 2 || len(measure.Script) == 0 || len(report.Script) == 0 {
			t.Fatalf("jobs %v", jobs)
		}
		if len(report.Needs) != 1 || report.Needs[0].Job != name+": shard" || !report.Needs[0].Artifacts || report.Rules[0].When != "always" {
			t.Errorf("report %+v", report)
		}
		if measure.Artifacts.When != "always" || !slices.Equal(measure.Artifacts.Paths, []string{"lessgc-shards/"}) || measure.Variables["GIT_DEPTH"] != "0" {
			t.Errorf("shard %+v", measure)
		}
		shells := []string{bash(t)}
		if sh, err := exec.LookPath("sh"); err == nil {
			shells = append(shells, sh)
		}
		for _, shell := range shells {
			runGitLab(t, measure, report, shell, args, failOn, len(runners))
		}
	}
}

// runGitLab runs both jobs, in one folder, which stands for the artifacts.
func runGitLab(t *testing.T, measure, report pipelineJob, shell string, args, failOn []string, runners int) {
	t.Helper()
	record, folder := filepath.Join(t.TempDir(), "record"), t.TempDir()
	environ := append(os.Environ(), "PATH="+stubbed(t), recordVariable+"="+record)
	instances := measure.instances(t)
	if len(instances) != 3 {
		t.Fatalf("%d instances, want 3", len(instances))
	}
	var tags []string
	for _, variables := range instances {
		if err := measure.run(t, shell, folder, slices.Concat(environ, variables)); err != nil {
			t.Error(err)
		}
		tags = append(tags, os.Expand(strings.Join(measure.Tags, ","), func(name string) string {
			for _, v := range variables {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return "?"
		}))
	}
	want := map[int][]string{0: {"", "", ""}, 2: {"a #'b,c: d", "a #'b,c: d", "a #'b,c: d"}, 4: {"a #'b,c: d", "x,y\"\\", "a #'b,c: d"}}[runners]
	if !slices.Equal(tags, want) {
		t.Errorf("tags %q, want %q", tags, want)
	}
	all := calls(t, record, "lessgc")
	if len(all) != 3 {
		t.Fatalf("lessgc was called %d times, want 3", len(all))
	}
	for i, c := range all {
		equal(t, "compare", c.Args, slices.Concat([]string{"compare", "-shard", "auto", "-o", fmt.Sprintf("lessgc-shards/%d", i+1)}, args))
		if shard := fmt.Sprintf("%d/3", i+1); runners == 4 && c.Env["LESSGC_SHARD"] != shard || runners < 4 && c.Env["CI_NODE_INDEX"]+"/"+c.Env["CI_NODE_TOTAL"] != shard {
			t.Errorf("shard %s: %v", shard, c.Env)
		}
	}
	for _, status := range []string{"", "1"} {
		os.Remove(record)
		err := report.run(t, shell, folder, append(environ, failVariable+"="+status))
		if (err != nil) != (status != "") {
			t.Errorf("the report ended with %v, want status %s", err, status)
		}
		all := calls(t, record, "lessgc")
		if len(all) != 1 {
			t.Fatalf("lessgc was called %d times, want once", len(all))
		}
		equal(t, "report", all[0].Args, slices.Concat([]string{"report", "-html", "lessgc-report.html", "-junit", "lessgc-report.xml"}, failOn, []string{"lessgc-shards/1", "lessgc-shards/2", "lessgc-shards/3"}))
	}
}

// TestGitLabFiles checks files of all flags by GitLab's schema.
func TestGitLabFiles(t *testing.T) {
	for _, args := range [][]string{
		{"gitlab", "-from", "image", "-image", "example.com/x@sha256:0123", "--"},
		{"gitlab", "-from", ".", "-go", "1.26", "-shards", "200", "--", "."},
		{"gitlab", "-from", "https://h/p#v1", "-runner", "large", "--", "-base", "origin/main", "."},
	} {
		text := generate(t, args...)
		valid(t, "gitlab-ci.json", text)
		parse(t, text, new(map[string]pipelineJob))
	}
}
