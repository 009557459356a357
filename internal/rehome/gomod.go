package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// modulePath reads the module path of a go.mod file.
func modulePath(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("%w; run it at the root of the repository", err)
	}
	for line := range strings.Lines(string(data)) {
		if words := fields(line); len(words) == 2 && words[0] == "module" {
			return words[1], nil
		}
	}
	return "", fmt.Errorf("%s has no module line", name)
}

// fields are the words of a line, without its comment.
func fields(line string) []string {
	line, _, _ = strings.Cut(line, "//")
	return strings.Fields(line)
}

// sortBlocks sorts the lines of every block of a go.mod file, as go mod tidy
// does. A block with comments of its own lines is left as it is.
func sortBlocks(data []byte) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasSuffix(strings.TrimSpace(lines[i]), "(") {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != ")" {
			end++
		}
		block := lines[i+1 : end]
		if !slices.ContainsFunc(block, func(line string) bool { return len(fields(line)) == 0 }) {
			slices.SortStableFunc(block, func(a, b string) int { return slices.Compare(fields(a), fields(b)) })
		}
		i = end
	}
	return []byte(strings.Join(lines, ""))
}

// dropSums drops the hashes of the modules at and below a path: their content is
// about to change.
func dropSums(data []byte, module string) []byte {
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		if words := fields(line); len(words) == 0 || words[0] != module && !strings.HasPrefix(words[0], module+"/") {
			b.WriteString(line)
		}
	}
	return []byte(b.String())
}

// A release is the modules of go.work and the version they get.
type release struct {
	dirs, paths []string
	version     string
}

// released reads go.work, if a release is asked for. Its files are go.work and
// the go.mod files of the modules.
func (o options) released(r *rewriter) (*release, error) {
	all := &release{version: o.release}
	if o.release == "" {
		return all, nil
	}
	work, err := os.ReadFile(filepath.Join(o.dir, "go.work"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(work)) {
		words := fields(line)
		if n := len(words); n == 1 && words[0] != ")" || n == 2 && words[0] == "use" && words[1] != "(" {
			all.dirs = append(all.dirs, path.Clean(words[n-1]))
			all.paths = append(all.paths, path.Join(r.new, path.Clean(words[n-1])))
		}
	}
	return all, nil
}

// tags are the names under which git has to know the commit of the release.
func (r *release) tags() []string {
	var all []string
	for _, dir := range r.dirs {
		all = append(all, path.Join(dir, r.version))
	}
	return all
}

// file changes one of the files of a release and counts the changes.
func (r *release) file(name string, data []byte) ([]byte, int) {
	switch {
	case name == "go.work" && r.version != "":
		// Until the tags are published, the modules find each other by go.work.
		rest, _ := r.requirements(data)
		after := append(rest, "\nreplace (\n"...)
		for i, dir := range r.dirs {
			if dir != "." {
				dir = "./" + dir
			}
			after = fmt.Appendf(after, "\t%s %s => %s\n", r.paths[i], r.version, dir)
		}
		if after = append(after, ")\n"...); bytes.Equal(after, data) {
			return data, 0
		}
		return after, len(r.dirs)
	case path.Base(name) == "go.mod" && slices.Contains(r.dirs, path.Dir(name)):
		return r.requirements(data)
	}
	return data, 0
}

// requirements drops the replace lines of the modules from a go.mod file,
// requires them at the version, and counts both.
func (r *release) requirements(data []byte) ([]byte, int) {
	var out []string
	places, block := 0, ""
	for _, line := range strings.SplitAfter(string(data), "\n") {
		words := fields(line)
		verb := block
		switch {
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case len(words) == 1 && words[0] == ")":
			block = ""
			if n := len(out); n > 0 && strings.HasSuffix(strings.TrimSpace(out[n-1]), "(") {
				out = out[:n-1] // it is empty now
				continue
			}
		case block == "" && len(words) > 1:
			verb, words = words[0], words[1:]
		}
		if len(words) > 1 && slices.Contains(r.paths, words[0]) {
			switch {
			case verb == "replace":
				places++
				continue
			case verb == "require" && words[1] != r.version:
				places++
				line = strings.Replace(line, words[0]+" "+words[1], words[0]+" "+r.version, 1)
			}
		}
		out = append(out, line)
	}
	text := []byte(strings.Join(out, ""))
	for bytes.Contains(text, []byte("\n\n\n")) {
		text = bytes.ReplaceAll(text, []byte("\n\n\n"), []byte("\n\n"))
	}
	return append(bytes.TrimRight(text, "\n"), '\n'), places
}
