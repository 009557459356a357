package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A batch is a tree in which mistakes are injected and repaired.
type batch struct {
	options
	*tree
	lessgc string
	table  map[string]*counts

	injected map[string]mistake // by file, with its path from the module
	tested   int                // packages whose tests passed with the mistakes
	worse    []string
}

// A finding holds the fields of one in the output of lessgc vet -json.
type finding struct {
	Rule, Message, Package, File string
	Line                         int
	Fixes                        []struct{ Message string }
}

type report struct {
	Packages int
	Findings []finding
	Problems []struct{ Package, Message string }
}

// vet runs lessgc vet -json.
func (b *batch) vet(ctx context.Context) (*report, error) {
	stdout, stderr, _, err := b.command(ctx, b.lessgc, "vet", "-advice", "-json", "./...")
	if err != nil {
		return nil, err
	}
	r := new(report)
	if err := json.Unmarshal([]byte(stdout), r); err != nil {
		return nil, fmt.Errorf("lessgc vet: %w: %s", err, stderr)
	}
	return r, nil
}

// test runs the tests of packages and returns the result of each.
func (b *batch) test(ctx context.Context, paths []string) (map[string]string, error) {
	if !b.tests || len(paths) == 0 {
		return map[string]string{}, nil
	}
	stdout, _, _, err := b.command(ctx, "go", append([]string{"test", "-vet=off", "-short", "-timeout=120s", "-p=2"}, paths...)...)
	results := map[string]string{}
	for line := range strings.Lines(stdout) {
		if f := strings.Fields(line); len(f) > 1 && (f[0] == "ok" || f[0] == "FAIL" || f[0] == "?") {
			results[f[1]] = f[0]
		}
	}
	return results, err
}

func (b *batch) run(ctx context.Context) error {
	r := rand.New(rand.NewPCG(b.seed, 0))
	sound, err := b.sound(ctx)
	if err != nil {
		return err
	}
	if err := b.inject(r, sound); err != nil {
		return err
	}
	before, err := b.compile(ctx)
	if err != nil {
		return err
	}
	packages := map[string]bool{}
	for file := range b.injected {
		packages["./"+filepath.ToSlash(filepath.Dir(file))] = true
	}
	paths := slices.Sorted(maps.Keys(packages))
	passed, err := b.test(ctx, paths)
	if err != nil {
		return err
	}
	outside := filepath.Join(filepath.Dir(b.dir), "outside")
	if err := os.CopyFS(outside, os.DirFS(b.dir)); err != nil {
		return err
	}
	old, err := contents(filepath.Dir(b.dir))
	if err != nil {
		return err
	}
	said, stderr, status, err := b.command(ctx, b.lessgc, "vet", "-advice", "-fix", "./...")
	if err != nil {
		return err
	}
	if status == 2 && len(before.Problems) == 0 {
		b.bad("", "lessgc vet -fix failed: %s", stderr)
	}
	now, err := contents(filepath.Dir(b.dir))
	if err != nil {
		return err
	}
	after, err := b.vet(ctx)
	if err != nil {
		return err
	}
	b.judge(before, after, said)
	b.compare(old, now, said)
	if err := b.retest(ctx, paths, passed); err != nil {
		return err
	}
	return b.again(ctx, now, said+stderr)
}

// sound returns the packages that compile, with their tests, as they are.
func (b *batch) sound(ctx context.Context) ([]pkg, error) {
	all, err := b.list(ctx, b.dir, "./...")
	if err != nil {
		return nil, err
	}
	r, err := b.vet(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range r.Problems {
		i := slices.IndexFunc(all, func(q pkg) bool { return q.ImportPath+"_test" == p.Package })
		if i >= 0 { // tests of a copy may mix it with the original
			for _, name := range all[i].XTestGoFiles {
				if err := os.Remove(filepath.Join(all[i].Dir, name)); err != nil {
					return nil, err
				}
			}
			continue
		}
		all = slices.DeleteFunc(all, func(q pkg) bool { return q.ImportPath == strings.TrimSuffix(p.Package, "_test") })
	}
	return slices.DeleteFunc(all, func(p pkg) bool { return p.Incomplete || len(p.CgoFiles) > 0 }), nil
}

// inject puts a mistake into up to most files. Mistakes that keep a package from compiling have
// packages of their own, which no other imports: else nothing would be found there before.
func (b *batch) inject(r *rand.Rand, all []pkg) error {
	type target struct {
		path    string
		renamed bool
	}
	var targets []target
	imported := map[string]bool{}
	for _, p := range all {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			imported[path] = imported[path] || path != p.ImportPath
		}
	}
	for _, p := range all {
		renamed := r.IntN(5) == 0 && !imported[p.ImportPath]
		for _, name := range p.GoFiles {
			targets = append(targets, target{filepath.Join(p.Dir, name), renamed})
		}
	}
	b.injected = map[string]mistake{}
	n := 0
	for _, i := range r.Perm(len(targets)) {
		if len(b.injected) >= b.most {
			break
		}
		src, err := os.ReadFile(targets[i].path)
		if err != nil {
			return err
		}
		if bytes.Contains(src, []byte("DO NOT EDIT")) || bytes.Contains(src, []byte("//line ")) {
			continue
		}
		fns := hosts(src)
		if len(fns) == 0 {
			continue
		}
		var fit []mistake
		for _, m := range mistakes {
			if (m.rule == "lessgcrenamed") == targets[i].renamed && (b.rule == "" || m.rule == b.rule) {
				fit = append(fit, m)
			}
		}
		rare := slices.DeleteFunc(slices.Clone(fit), func(m mistake) bool {
			return !m.rare() || !slices.ContainsFunc(fns, func(p host) bool { return p.fits(m, r) })
		})
		fit = slices.DeleteFunc(fit, func(m mistake) bool { return m.rare() })
		if len(rare) > 0 && (len(fit) == 0 || r.IntN(3) > 0) {
			fit = rare
		}
		for range 40 { // not every mistake fits every function
			if len(fit) == 0 {
				break
			}
			m, fn := fit[r.IntN(len(fit))], fns[r.IntN(len(fns))]
			n++
			if text := fn.inject(m, n, r); text != nil {
				if err := os.WriteFile(targets[i].path, text, 0o666); err != nil {
					return err
				}
				rel, err := filepath.Rel(b.dir, targets[i].path)
				if err != nil {
					return err
				}
				m.original = src
				b.injected[filepath.ToSlash(rel)] = m
				break
			}
		}
	}
	return nil
}

// compile takes back the mistakes with which a package does not compile, and returns what is
// found then.
func (b *batch) compile(ctx context.Context) (*report, error) {
	for range 12 {
		r, err := b.vet(ctx)
		if err != nil {
			return nil, err
		}
		removed := 0
		for _, p := range r.Problems {
			for _, file := range slices.Sorted(maps.Keys(b.injected)) {
				if !strings.Contains(p.Message, file+":") {
					continue
				}
				if err := os.WriteFile(filepath.Join(b.dir, file), b.injected[file].original, 0o666); err != nil {
					return nil, err
				}
				delete(b.injected, file)
				removed++
			}
		}
		if removed == 0 {
			return r, nil
		}
	}
	return nil, fmt.Errorf("the mistakes do not compile")
}

// bad takes down that something is worse than before.
func (b *batch) bad(file, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if m, ok := b.injected[file]; ok {
		b.count(m.rule).worse++
		text = fmt.Sprintf("%s (%s, %s): %s", file, m.rule, m.name, text)
	}
	b.worse = append(b.worse, text)
}

func (b *batch) count(rule string) *counts {
	if b.table[rule] == nil {
		b.table[rule] = &counts{left: map[string]int{}}
	}
	return b.table[rule]
}

var digits = regexp.MustCompile(`[0-9]+`)

func (f *finding) kind() string {
	return f.File + " [" + f.Rule + "] " + digits.ReplaceAllString(f.Message, "#")
}

// judge counts what became of the mistakes, and looks for what is new.
func (b *batch) judge(before, after *report, said string) {
	for _, p := range after.Problems {
		if !slices.Contains(before.Problems, p) {
			b.bad("", "a new problem: %s %s", p.Package, p.Message)
		}
	}
	known := map[string]int{}
	for _, f := range before.Findings {
		known[f.kind()]++
	}
	hidden := map[string]bool{} // packages at which the other rules have not looked before
	for _, f := range before.Findings {
		hidden[f.Package] = hidden[f.Package] || f.Rule == "lessgcrenamed"
	}
	for _, f := range after.Findings {
		if known[f.kind()]--; known[f.kind()] < 0 && !hidden[f.Package] {
			b.bad(f.File, "a new finding: %s:%d: %s [%s]", f.File, f.Line, f.Message, f.Rule)
		}
	}
	outcomes := outcomes(said)
	for file, m := range b.injected {
		c := b.count(m.rule)
		c.injected++
		is := func(f finding) bool { return f.File == file && f.Rule == m.rule }
		i := slices.IndexFunc(before.Findings, is)
		if i < 0 {
			continue
		}
		c.found++
		reason, said := outcomes[file+" "+m.rule]
		still := slices.ContainsFunc(after.Findings, is)
		switch {
		case said && reason == "fixed" && !still:
			c.fixed++
		case said && reason == "fixed" && still && count(before.Findings, is) <= count(after.Findings, is):
			b.bad(file, "said to be fixed, and found again")
		case said && reason == "fixed":
			c.fixed++
		case len(before.Findings[i].Fixes) == 0:
			c.left["without a fix"]++
		case said && reason != "":
			c.left["because "+digits.ReplaceAllString(reason, "#")]++
		default:
			b.bad(file, "left without a reason")
		}
	}
}

func count(all []finding, is func(finding) bool) int {
	n := 0
	for _, f := range all {
		if is(f) {
			n++
		}
	}
	return n
}

var head = regexp.MustCompile(`^(\S+?):\d+:\d+: (fixed|error|warning|note): .* \[(\w+)\]$`)

// outcomes reads what lessgc vet -fix has printed: by file and rule, "fixed" or why not.
func outcomes(said string) map[string]string {
	all := map[string]string{}
	last := ""
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\n")
		if m := head.FindStringSubmatch(line); m != nil {
			last = m[1] + " " + m[3]
			if _, ok := all[last]; !ok || m[2] == "fixed" {
				all[last] = map[bool]string{true: "fixed"}[m[2] == "fixed"]
			}
		} else if why, ok := strings.CutPrefix(line, "    not fixed: "); ok && all[last] != "fixed" {
			all[last] = why
		}
	}
	return all
}

// compare checks which files have changed, and that they are formatted.
func (b *batch) compare(old, now map[string]string, said string) {
	fixed := map[string]bool{}
	for key, outcome := range outcomes(said) {
		if file, _, _ := strings.Cut(key, " "); outcome == "fixed" {
			fixed[file] = true
		}
	}
	for path := range now {
		if _, ok := old[path]; !ok {
			b.bad("", "a new file: %s", path)
		}
	}
	for path, text := range old {
		if now[path] == text {
			continue
		}
		rel, err := filepath.Rel(b.dir, path)
		file := filepath.ToSlash(rel)
		if err != nil || !fixed[file] {
			b.bad(file, "changed without a fix: %s", path)
			continue
		}
		mode, src, _ := strings.Cut(text, "\n")
		newMode, newSrc, _ := strings.Cut(now[path], "\n")
		if mode != newMode {
			b.bad(file, "the mode is %s, was %s", newMode, mode)
		}
		if dos := strings.Count(newSrc, "\r\n"); strings.Contains(src, "\r\n") != (dos > 0) || dos > 0 && dos != strings.Count(newSrc, "\n") {
			b.bad(file, "other line ends")
		}
		newSrc, src = strings.ReplaceAll(newSrc, "\r\n", "\n"), strings.ReplaceAll(src, "\r\n", "\n")
		clean, err := format.Source([]byte(newSrc))
		was, err2 := format.Source([]byte(src))
		if err != nil || err2 == nil && string(was) == src && string(clean) != newSrc {
			b.bad(file, "not formatted: %v", err)
		}
	}
}

// retest checks that tests which passed with the mistakes pass.
func (b *batch) retest(ctx context.Context, paths []string, passed map[string]string) error {
	now, err := b.test(ctx, paths)
	if err != nil {
		return err
	}
	var again []string
	for path, result := range passed {
		if result == "ok" {
			b.tested++
		}
		if result == "ok" && now[path] != "ok" {
			again = append(again, path)
		}
	}
	if len(again) == 0 {
		return nil
	}
	now, err = b.test(ctx, again) // some tests fail at times
	for _, path := range again {
		if now[path] != "ok" {
			b.bad("", "the tests of %s passed before, and fail", path)
		}
	}
	return err
}

// again repairs once more: that changes nothing, but what the first run has left for it.
func (b *batch) again(ctx context.Context, now map[string]string, said string) error {
	for range 3 {
		next, notes, _, err := b.command(ctx, b.lessgc, "vet", "-advice", "-fix", "./...")
		if err != nil {
			return err
		}
		after, err := contents(filepath.Dir(b.dir))
		if err != nil {
			return err
		}
		if maps.Equal(now, after) {
			return nil
		}
		if !strings.Contains(said, "run lessgc vet -fix again") && !strings.Contains(said, "run lessgc vet again when that is fixed") {
			for path, text := range after {
				if now[path] != text {
					b.bad("", "the second run changed %s:\n%s", path, next)
				}
			}
			return nil
		}
		now, said = after, next+notes
	}
	return nil
}
