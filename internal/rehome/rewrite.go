package main

import (
	"bytes"
	"go/format"
	"path"
	"strings"
	"unicode/utf8"
)

// A rewriter replaces a module path by another where it stands as a path.
//
// A path with a host is unmistakable. One without is also a word: the name of
// the product, of its command and of folders. There it is the path only if it
// begins a package of this repository or a pattern of all (word/arena, word/...,
// but not cmd/word/arena or word/results), follows the address of pkg.go.dev, or stands in a line of a
// go.mod file or in a flag of go mod edit.
type rewriter struct {
	old, new string
	hosted   bool
	top      map[string]bool // folders at the root that hold packages
}

func newRewriter(old, new string, names []string) *rewriter {
	host, _, _ := strings.Cut(old, "/")
	r := &rewriter{old: old, new: new, hosted: strings.Contains(host, "."), top: map[string]bool{}}
	for _, name := range names {
		if top, _, ok := strings.Cut(name, "/"); ok && strings.HasSuffix(name, ".go") {
			r.top[top] = true
		}
	}
	return r
}

// file rewrites the content of a file and returns the number of replacements.
func (r *rewriter) file(name string, data []byte) ([]byte, int, error) {
	if r.old == r.new || !bytes.Contains(data, []byte(r.old)) || !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return data, 0, nil
	}
	after, inDescriptor := data, 0
	if strings.HasSuffix(name, ".pb.go") {
		var err error
		if after, inDescriptor, err = r.descriptors(data); err != nil {
			return nil, 0, err
		}
	}
	text, places := r.text(string(after))
	places += inDescriptor
	if places == 0 {
		return data, 0, nil
	}
	after = []byte(text)
	switch {
	case path.Base(name) == "go.mod":
		after = sortBlocks(after)
	case path.Base(name) == "go.sum":
		after = dropSums(after, r.new)
	case strings.HasSuffix(name, ".go"):
		// Imports that were sorted are to be sorted again.
		if was, err := format.Source(data); err == nil && bytes.Equal(was, data) {
			if after, err = format.Source(after); err != nil {
				return nil, 0, err
			}
		}
	}
	return after, places, nil
}

// text rewrites all occurrences in a text and counts them.
func (r *rewriter) text(s string) (string, int) {
	var b strings.Builder
	places, done := 0, 0
	below := strings.HasPrefix(r.new, r.old+"/")
	for from := 0; ; {
		i := strings.Index(s[from:], r.old)
		if i < 0 {
			break
		}
		i += from
		from = i + len(r.old)
		if below && strings.HasPrefix(s[i:], r.new) && ends(s[i+len(r.new):]) {
			from = i + len(r.new) // written before
			continue
		}
		if r.isPath(s[:i], s[from:]) {
			b.WriteString(s[done:i] + r.new)
			done = from
			places++
		}
	}
	return b.String() + s[done:], places
}

// isPath reports whether the old path between before and after is one.
func (r *rewriter) isPath(before, after string) bool {
	if !begins(before, r.hosted) {
		return false
	}
	if r.hosted || strings.HasSuffix(before, "pkg.go.dev/") {
		return ends(after)
	}
	if rest, ok := strings.CutPrefix(after, "/"); ok {
		end := strings.IndexFunc(rest, func(c rune) bool { return c >= utf8.RuneSelf || !inWord(byte(c)) && c != '-' })
		if end < 0 {
			end = len(rest)
		}
		return r.top[rest[:end]] || strings.HasPrefix(rest, "...")
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	if line == "module " {
		return after == "" || after[0] == '\n' || after[0] == '\r'
	}
	if strings.HasSuffix(line, "replace=") || strings.HasSuffix(line, "require=") { // go mod edit
		return strings.HasPrefix(after, "=") || strings.HasPrefix(after, "@")
	}
	indented := line != "" && strings.Trim(line, "\t") == "" || strings.HasSuffix(line, `\t`)
	return (indented || strings.HasSuffix(line, "require ") || strings.HasSuffix(line, "replace ")) &&
		(strings.HasPrefix(after, " v0.") || strings.HasPrefix(after, " v1.") || strings.HasPrefix(after, " => "))
}

// begins reports whether a path can begin after a text. Inside of a path it can
// only if it is unmistakable.
func begins(before string, hosted bool) bool {
	if before == "" || strings.HasSuffix(before, "pkg.go.dev/") {
		return true
	}
	for _, escape := range []string{`\n`, `\t`, `\r`} {
		if strings.HasSuffix(before, escape) {
			return true
		}
	}
	c := before[len(before)-1]
	return !inWord(c) && !strings.ContainsRune(".~@-", rune(c)) && (hosted || c != '/')
}

// ends reports whether a path can end, or go on with a package, before a text.
func ends(after string) bool {
	if after == "" || strings.HasPrefix(after, ".git") {
		return true
	}
	if after[0] == '.' {
		return len(after) == 1 || !inWord(after[1])
	}
	return !inWord(after[0]) && after[0] != '~' && after[0] != '-'
}

func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
