package gosyntax

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// A Tree is the syntax tree of one source and what is needed to turn its
// positions into lines. It is only valid inside the function that
// [Strategy.Do] hands it to.
//
// A position is 1 and the offset in bytes, as in the first file of a
// [token.FileSet].
type Tree struct {
	File *ast.File

	lines      []int // offset of each line; the first is 0
	directives []directive
	set        *token.FileSet // of a tree that go/parser has made
}

// FileSet returns a file set with the source as its only file. It is on the
// heap and stays valid when the tree is gone. Name is the name of the source;
// relative names in line directives are relative to its directory. The tree of
// goparser has its file set already, in which the source has no name.
func (t *Tree) FileSet(name string) *token.FileSet {
	if t.set != nil {
		return t.set
	}
	set := token.NewFileSet()
	f := set.AddFile(name, -1, int(t.File.FileEnd-t.File.FileStart))
	lines := make([]int, len(t.lines))
	copy(lines, t.lines)
	f.SetLines(lines)
	for _, d := range t.directives {
		d.addTo(f)
	}
	return set
}

// A directive is a line directive. From offset next on, positions are in
// another file.
type directive struct {
	at, next  int // offsets of the comment and of what it is about
	file      string
	line, col int // col is 0 if the directive has none
}

// addTo adds d to the lines of f.
func (d *directive) addTo(f *token.File) {
	name := strings.Clone(d.file)
	switch {
	case name == "" && d.col > 0:
		name = f.Position(f.Pos(d.at)).Filename
	case name != "":
		name = filepath.Clean(name)
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(f.Name()), name)
		}
	}
	f.AddLineColumnInfo(d.next, name, d.line, d.col)
}

// maxLine is the largest line or column of a line directive.
const maxLine = 1 << 30

// directive reads the line directive in text. A text that does not end in a
// colon and a number is a comment; a number that makes no sense is an error.
func (s *scanner) directive(text string, next int) {
	from := s.pos + len("//line ")
	if text[1] == '*' {
		text = text[:len(text)-len("*/")]
	}
	text = text[len("//line "):]
	file, line, found, ok := cutNumber(text)
	if !found {
		return
	}
	if !ok {
		s.fail(from+len(file)+1, "invalid line number")
	}
	d := directive{at: s.pos, next: next, file: file, line: line}
	if file, line, _, ok := cutNumber(file); ok {
		if d.line == 0 || d.line > maxLine {
			s.fail(from+len(d.file)+1, "invalid column number")
		}
		d.file, d.line, d.col = file, line, d.line
	}
	if d.line == 0 || d.line > maxLine {
		s.fail(from+len(d.file)+1, "invalid line number")
	}
	s.directives = append(s.directives, d)
}

// cutNumber cuts text at its last colon. Found is false if there is none, ok if
// a decimal number follows it.
func cutNumber(text string) (before string, n int, found, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, 0, false, false
	}
	u, err := strconv.ParseUint(text[i+1:], 10, 0)
	return text[:i], int(u), true, err == nil
}
