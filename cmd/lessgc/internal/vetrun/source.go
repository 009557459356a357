package vetrun

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// Why a file is left alone. Other reasons are said only once.
const (
	notVetted     = "the file is not one of the packages that were vetted"
	lineDirective = "the file holds a line directive, so that it is not certain which file a fix belongs to"
	cgo           = "the file uses cgo, which moves the code around"
)

// A source is a file that fixes want to change.
type source struct {
	data      []byte
	crlf      bool   // all lines end like that
	formatted bool   // but for the ends of its lines
	why       string // it must not be changed
	edits     []Edit
}

// read reads a file, named by its real path, and reports whether it may be changed.
func (r *Report) read(path string) *source {
	vetted, ok := r.vetted[path]
	switch {
	case !ok:
		return &source{why: notVetted}
	case vetted.why != "":
		return &source{why: vetted.why}
	}
	info, err := os.Stat(path)
	if err != nil {
		return &source{why: err.Error()}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return &source{why: err.Error()}
	}
	s := &source{data: data}
	file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.ParseComments)
	switch {
	case sha256.Sum256(data) != vetted.sum:
		s.why = "the file was changed meanwhile; run lessgc vet -fix again"
	case err != nil:
		s.why = "the file does not parse"
	case holdsLineDirective(file):
		s.why = lineDirective
	case ast.IsGenerated(file):
		s.why = "the file is generated"
	case slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }):
		s.why = cgo
	case info.Mode().Perm()&0o200 == 0:
		s.why = "the file is read-only"
	}
	lines := bytes.Count(data, []byte("\n"))
	s.crlf = lines > 0 && bytes.Count(data, []byte("\r\n")) == lines
	plain := s.plain(data)
	if clean, err := format.Source(plain); err == nil {
		s.formatted = bytes.Equal(clean, plain)
	}
	return s
}

// holdsLineDirective reports whether a file holds a line directive, or a comment that looks
// like one.
func holdsLineDirective(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// plain is a text of the file with the line ends of Go.
func (s *source) plain(text []byte) []byte {
	if s.crlf {
		return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return text
}

// own is a text with the line ends of the file.
func (s *source) own(text []byte) []byte {
	if s.crlf {
		return bytes.ReplaceAll(s.plain(text), []byte("\n"), []byte("\r\n"))
	}
	return text
}

// apply makes the edits. What comes of them is to be a whole file: format.Source alone
// takes a piece of one, or nothing, as well.
func (s *source) apply() ([]byte, error) {
	slices.SortFunc(s.edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var out []byte
	at := 0
	for _, e := range s.edits {
		out = append(append(out, s.data[at:e.Start]...), e.New...)
		at = e.End
	}
	out = append(out, s.data[at:]...)
	if _, err := parser.ParseFile(token.NewFileSet(), "", out, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	clean, err := format.Source(s.plain(out))
	if err != nil || s.formatted {
		return s.own(clean), err
	}
	return s.own(out), nil
}
