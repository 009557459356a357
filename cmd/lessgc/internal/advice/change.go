package advice

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
)

// A ChangedLine is a line of a change: one that goes, or one that comes.
type ChangedLine struct {
	File string `json:"file"`
	Line int    `json:"line"` // in the file as it is: of a line that comes, the one that it comes at
	New  bool   `json:"new,omitempty"`
	Text string `json:"text"` // without what all lines of the change in the file are indented by
}

// Change returns edits as lines, in the order of files and lines; nil if a file cannot be read, or
// is not as the edits know it.
func Change(files *input.Sources, edits []lever.Edit) []ChangedLine {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b lever.Edit) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pos, b.Pos)) })
	var all []ChangedLine
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].File == edits[0].File {
			n++
		}
		lines := changeFile(files, edits[:n])
		if lines == nil {
			return nil
		}
		all, edits = append(all, lines...), edits[n:]
	}
	return all
}

// changeFile is Change for edits of one file, in the order of their offsets.
func changeFile(files *input.Sources, edits []lever.Edit) []ChangedLine {
	read, err := files.ReadFile(edits[0].File)
	if err != nil {
		return nil
	}
	data := string(read)
	var all []ChangedLine
	for i := 0; i < len(edits); {
		first, end := lineStart(data, edits[i].Pos), 0
		var after strings.Builder
		for at := first; ; i++ { // all edits of the same lines
			if i == len(edits) || end > 0 && edits[i].Pos >= end {
				after.WriteString(data[at:end])
				break
			}
			e := edits[i]
			if e.Pos < at || e.End < e.Pos || e.End > len(data) {
				return nil
			}
			after.WriteString(data[at:e.Pos])
			after.WriteString(e.Text)
			at, end = e.End, max(end, lineEnd(data, e.End))
		}
		line := 1 + strings.Count(data[:first], "\n")
		all = append(all, changedLines(edits[0].File, line, data[first:end], after.String())...)
	}
	unindent(all)
	return all
}

// lineStart returns the index of the first byte of the line that holds pos.
func lineStart(data string, pos int) int {
	return strings.LastIndexByte(data[:max(0, min(pos, len(data)))], '\n') + 1
}

// lineEnd returns the index of the end of the line that holds pos, without its newline.
func lineEnd(data string, pos int) int {
	if i := strings.IndexByte(data[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(data)
}

// changedLines are lines before and after, without those that both begin and end with.
func changedLines(file string, line int, before, after string) (all []ChangedLine) {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is, line = was[1:], is[1:], line+1
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for i, text := range was {
		all = append(all, ChangedLine{File: file, Line: line + i, Text: text})
	}
	for _, text := range is {
		all = append(all, ChangedLine{File: file, Line: line, New: true, Text: text})
	}
	return all
}

// unindent takes off what all lines are indented by, writes tabs as four spaces, and cuts lines that
// nobody would read.
func unindent(lines []ChangedLine) {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	common := indent(texts)
	for i := range lines {
		text := strings.TrimSuffix(strings.TrimPrefix(lines[i].Text, common), "\r")
		text = strings.ReplaceAll(text, "\t", "    ")
		lines[i].Text = shortened(strings.ToValidUTF8(text, string(utf8.RuneError)))
	}
}
