package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
)

// A pod is one try at an index of a Job.
type pod struct {
	name  string
	index int // -1 if the Job has none
	spec  *core.PodSpec
	kill  time.Duration // after which it is killed; 0 for not at all
}

// run runs the container as a process and returns its exit status; that of a process that was
// killed is 137, as Kubernetes shows it.
func (c *cluster) run(ctx context.Context, p pod) (int, error) {
	paths, remove, err := c.mount(p.spec)
	if err != nil {
		return 0, err
	}
	defer remove()
	container := &p.spec.Containers[0]
	values, err := p.variables(container)
	if err != nil {
		return 0, err
	}
	var words []string
	for _, w := range append(append([]string(nil), container.Command...), container.Args...) {
		words = append(words, moved(expand(w, values), paths))
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.code, c.stdout, c.stderr
	cmd.Env = os.Environ()
	if folder, ok := paths["/tmp"]; ok {
		cmd.Env = append(cmd.Env, "TMPDIR="+folder)
	}
	for name, value := range values {
		cmd.Env = append(cmd.Env, name+"="+moved(value, paths))
	}
	group(cmd)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("pod %s: %w", p.name, err)
	}
	if p.kill > 0 {
		defer time.AfterFunc(p.kill, func() { killGroup(cmd) }).Stop()
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		if exit.ExitCode() < 0 {
			return 137, nil
		}
		return exit.ExitCode(), nil
	}
	return 0, err
}

// mount returns the folder of each path at which the container has a volume.
func (c *cluster) mount(spec *core.PodSpec) (paths map[string]string, remove func(), err error) {
	paths = map[string]string{}
	var folders []string
	remove = func() {
		for _, f := range folders {
			os.RemoveAll(f)
		}
	}
	for _, m := range spec.Containers[0].VolumeMounts {
		for _, v := range spec.Volumes {
			switch {
			case v.Name != m.Name:
			case v.PersistentVolumeClaim != nil:
				paths[m.MountPath] = c.results
			case v.EmptyDir != nil:
				folder, err := os.MkdirTemp("", "jobrun-")
				if err != nil {
					remove()
					return nil, nil, err
				}
				folders = append(folders, folder)
				paths[m.MountPath] = folder
			default:
				remove()
				return nil, nil, fmt.Errorf("volume %s is neither a claim nor an empty folder", v.Name)
			}
		}
	}
	return paths, remove, nil
}

// variables are those of the container, and the index, which the Job's controller adds.
func (p pod) variables(container *core.Container) (map[string]string, error) {
	values := map[string]string{}
	for _, v := range container.Env {
		switch {
		case v.ValueFrom == nil:
			values[v.Name] = expand(v.Value, values)
		case v.ValueFrom.FieldRef != nil && v.ValueFrom.FieldRef.FieldPath == "metadata.name":
			values[v.Name] = p.name
		default:
			return nil, fmt.Errorf("variable %s: only metadata.name is known here", v.Name)
		}
	}
	if p.index >= 0 {
		values["JOB_COMPLETION_INDEX"] = strconv.Itoa(p.index)
	}
	return values, nil
}

// expand replaces $(NAME) by the value of a variable if there is one, and $$ by $, in the way of
// Kubernetes (k8s.io/kubernetes/third_party/forked/golang/expansion).
func expand(s string, values map[string]string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i == len(s)-1 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		name, rest, closed := strings.Cut(strings.TrimPrefix(s, "("), ")")
		value, known := values[name]
		switch {
		case s[0] == '$':
			b.WriteByte('$')
			s = s[1:]
		case s[0] == '(' && closed && known:
			b.WriteString(value)
			s = rest
		case s[0] == '(' && closed:
			b.WriteString("$(" + name + ")")
			s = rest
		default:
			b.WriteByte('$')
		}
	}
}

// moved replaces paths, and paths below them, by folders.
func moved(s string, paths map[string]string) string {
	var all []string
	for p := range paths {
		all = append(all, p)
	}
	sort.Slice(all, func(i, j int) bool { return len(all[i]) > len(all[j]) })
	inName := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("_.-", c) >= 0 || c >= 0x80
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		from := ""
		for _, p := range all {
			if strings.HasPrefix(s[i:], p) && (i == 0 || !inName(s[i-1]) && s[i-1] != '/') && (len(s) == i+len(p) || !inName(s[i+len(p)])) {
				from = p
				break
			}
		}
		if from == "" {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(filepath.ToSlash(paths[from]))
		i += len(from)
	}
	return b.String()
}

// podSpec returns what the pods of a Job are made of.
func podSpec(job *batch.Job) *core.PodSpec { return &job.Spec.Template.Spec }
