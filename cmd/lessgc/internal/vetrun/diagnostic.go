package vetrun

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lessgc/vet"
)

// A diagnostic is a finding as go vet's tool prints it.
type diagnostic struct {
	Category string `json:"category"`
	Posn     string `json:"posn"`
	End      string `json:"end"`
	Message  string `json:"message"`
	Fixes    []struct {
		Message string `json:"message"`
		Edits   []struct {
			File  string `json:"filename"`
			Start int    `json:"start"`
			End   int    `json:"end"`
			New   string `json:"new"`
		} `json:"edits"`
	} `json:"suggested_fixes"`
	Related []struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	} `json:"related"`

	pkg string
}

func (d *diagnostic) finding(rule string) Finding {
	f := Finding{Rule: rule, Severity: vet.Severity(d.Category), Category: d.Category, Message: oneLine(d.Message), URL: url(rule),
		Package: d.pkg, Span: span(d.Posn, d.End)}
	for _, r := range d.Related {
		f.Related = append(f.Related, Related{span(r.Posn, r.End), oneLine(r.Message)})
	}
	for _, x := range d.Fixes {
		fix := Fix{Message: oneLine(x.Message)}
		for _, e := range x.Edits {
			fix.Edits = append(fix.Edits, Edit{short(e.File), e.Start, e.End, e.New})
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}

// belief returns what a diagnostic of -dump says.
func (d *diagnostic) belief(names overlaid) Belief {
	lines := strings.Split(d.Message, "\n")
	f := Finding{Span: span(d.Posn, d.End)}
	names.finding(&f)
	return Belief{Function: lines[0], Package: d.pkg, What: d.Category, Lines: lines[1:], Span: f.Span}
}

// span reads two positions. The second may be empty.
func span(from, to string) Span {
	s := Span{}
	var file string
	file, s.Line, s.Column = position(from)
	s.File = short(file)
	s.EndLine, s.EndColumn = s.Line, s.Column
	if end, line, column := position(to); end == file && line > 0 {
		s.EndLine, s.EndColumn = line, column
	}
	return s
}

// position reads file:line:column. The last may be missing.
func position(text string) (file string, line, column int) {
	number := func() (n int, ok bool) {
		i := strings.LastIndexByte(text, ':')
		n, err := strconv.Atoi(text[i+1:])
		if i < 0 || err != nil {
			return 0, false
		}
		text = text[:i]
		return n, true
	}
	last, ok := number()
	if !ok {
		return text, 0, 0
	}
	if before, ok := number(); ok {
		return text, before, last
	}
	return text, last, 0
}

// short is a file's name from the current folder, if it is below it.
func short(file string) string {
	folder, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(folder, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
