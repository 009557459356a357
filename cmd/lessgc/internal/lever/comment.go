package lever

import (
	"strings"
	"unicode/utf8"
)

// Widths of what rewrites write, in columns: of a comment on lines of its own, and of a line with a comment behind it. A tab is four.
const (
	commentColumns = 80
	lineColumns    = 100
)

// columns is the width of a text without newlines.
func columns(text string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(text, "\t", "    "))
}

// comment returns the lines of a comment that stands at an indentation, which they are without. They are wrapped between words: only a word
// that is too wide makes a line wider than commentColumns.
func comment(indent, text string) (lines []string) {
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if line != "//" && columns(indent+line+" "+word) > commentColumns {
			lines = append(lines, line)
			line = "//"
		}
		line += " " + word
	}
	return append(lines, line)
}

// documented is the source of a declaration at the top level with a comment.
func documented(doc, source string) string {
	return strings.Join(append(comment("", doc), source), "\n")
}

// sameSource reports whether two declarations are the same but for where their comments are wrapped, as by an earlier version.
func sameSource(a, b string) bool {
	join := strings.NewReplacer("\n// ", " ", "\n\n// ", "\n\n// ")
	return join.Replace(a) == join.Replace(b)
}

// withNote returns the lines of a statement, or the first line of one, at an indentation, which they are without, and a comment: behind it, or
// above it where the line would be wider than lineColumns.
func withNote(indent, statement, note string) []string {
	if line := statement + " // " + note; columns(indent+line) <= lineColumns {
		return []string{line}
	}
	return append(comment(indent, note), statement)
}
