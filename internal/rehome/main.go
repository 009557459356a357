// Command rehome moves this repository to another module path, and makes its
// modules ready for version tags. docs/releasing.md says when to run which.
//
//	go run ./internal/rehome [-n] [-force] example.org/path
//	go run ./internal/rehome [-n] [-force] -release v0.1.0 [example.org/path]
//
// The first form rewrites the module path in go.mod files, imports, generated
// code, test data, scripts, documents and links, wherever it stands as a path.
// The name of the product, which was the module path while there was no host,
// stays. The second form drops the replace lines between the modules of go.work,
// requires them at that version instead, and prints the tags that the commit
// needs. Neither needs the network.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// options are the command line.
type options struct {
	dir     string // the repository
	path    string // the new module path; empty for the present one
	release string // a version; empty if none
	dry     bool
	force   bool
}

// run returns 0 if the tree is as asked for, and 2 if it cannot be.
func run(stdout, stderr io.Writer, args []string) int {
	o := options{dir: "."}
	fs := flag.NewFlagSet("rehome", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: go run ./internal/rehome [-n] [-force] [-release VERSION] [PATH]")
		fs.PrintDefaults()
	}
	fs.BoolVar(&o.dry, "n", false, "print what would change, and change nothing")
	fs.BoolVar(&o.force, "force", false, "work on a tree with uncommitted changes, too")
	fs.StringVar(&o.release, "release", "", "drop the replace lines and require the modules at this `version`")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	err := errors.New("name one module path, such as example.org/path")
	if o.path = fs.Arg(0); fs.NArg() == 1 || fs.NArg() == 0 && o.release != "" {
		err = o.rehome(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rehome:", err)
		return 2
	}
	return 0
}

// A change is a file with its new content.
type change struct {
	name   string
	data   []byte
	places int // rewritten
}

// rehome does everything, or nothing if something is wrong before the first
// write.
func (o options) rehome(stdout io.Writer) error {
	old, err := modulePath(filepath.Join(o.dir, "go.mod"))
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(o.dir, "go.work")); err != nil { // it may be one module of several
		return fmt.Errorf("%w; run it at the root of the repository", err)
	}
	if o.path == "" {
		o.path = old
	}
	if err := checkPath(o.path); err != nil {
		return err
	}
	if err := checkVersion(o.release); err != nil {
		return err
	}
	names, err := o.files()
	if err != nil {
		return err
	}
	r := newRewriter(old, o.path, names)
	released, err := o.released(r)
	if err != nil {
		return err
	}
	changes, err := o.changes(names, r, released)
	if err != nil {
		return err
	}
	did := "rewrote"
	if o.dry {
		did = "would rewrite"
	}
	places := 0
	for _, c := range changes {
		if !o.dry {
			if err := os.WriteFile(filepath.Join(o.dir, c.name), c.data, 0o666); err != nil {
				return fmt.Errorf("%w; git restore brings the tree back", err)
			}
		}
		fmt.Fprintf(stdout, "%s %s (%d)\n", did, c.name, c.places)
		places += c.places
	}
	to := o.path
	if o.release != "" {
		to += " " + o.release
	}
	fmt.Fprintf(stdout, "%s -> %s: %s %d occurrences in %d files\n", old, to, did, places, len(changes))
	if tags := released.tags(); len(tags) > 0 {
		fmt.Fprintf(stdout, "tags: %s\n", strings.Join(tags, " "))
	}
	return nil
}

// files lists the files of the repository that git tracks or would track, with
// slashes. It refuses a tree whose changes would mix with those made here.
func (o options) files() ([]string, error) {
	git := func(args ...string) ([]string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = o.dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("git %s: %w: %s; run it in a clone of the repository", args[0], err, bytes.TrimSpace(stderr.Bytes()))
		}
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
	}
	changed, err := git("status", "--porcelain", "-z", "--", ".")
	if err != nil {
		return nil, err
	}
	if len(changed) > 0 && !o.force && !o.dry {
		return nil, fmt.Errorf("%d files have uncommitted changes, the first is %s; commit them, or add -force", len(changed), changed[0][3:])
	}
	names, err := git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// changes computes what becomes of every file. The go.mod of the root module is
// last: until it is written, the same command with -force goes on where it was
// interrupted.
func (o options) changes(names []string, r *rewriter, released *release) ([]change, error) {
	var all []change
	var last []change
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(o.dir, name))
		if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue // deleted but not committed, or a link
		}
		data, err := os.ReadFile(filepath.Join(o.dir, name))
		if err != nil {
			return nil, err
		}
		after, places, err := r.file(name, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		after, more := released.file(name, after)
		places += more
		if bytes.Equal(after, data) {
			continue
		}
		c := change{name, after, places}
		if name == "go.mod" {
			last = []change{c}
		} else {
			all = append(all, c)
		}
	}
	return append(all, last...), nil
}
