package advice

import (
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/input"
)

// A SourceLine is a line of a file, without the indentation that the lines around it share.
type SourceLine struct {
	Line int
	Text string
}

// maxLine limits the bytes of a line that are shown: generated files have very long
// lines.
const maxLine = 400

// Source returns a line of a file with some lines before and after it; nil if it is not
// there, or not among the files that may be read.
func Source(files *input.Sources, file string, line, around int) []SourceLine {
	data, err := files.ReadFile(file)
	if err != nil {
		return nil
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if line < 1 || line > len(all) {
		return nil
	}
	first, last := max(1, line-around), min(len(all), line+around)
	lines := all[first-1 : last]
	common := indent(lines)
	out := make([]SourceLine, len(lines))
	for i, text := range lines {
		text = strings.TrimSuffix(strings.TrimPrefix(text, common), "\r")
		out[i] = SourceLine{first + i, shortened(strings.ToValidUTF8(text, string(utf8.RuneError)))}
	}
	return out
}

// indent is the white space that all lines but blank ones begin with.
func indent(lines []string) string {
	var common string
	found := false
	for _, text := range lines {
		body := strings.TrimLeft(text, " \t")
		if strings.TrimSpace(body) == "" {
			continue
		}
		space := text[:len(text)-len(body)]
		if !found {
			common, found = space, true
		}
		for !strings.HasPrefix(space, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

// shortened cuts a line that nobody would read to its end.
func shortened(text string) string {
	if len(text) <= maxLine {
		return text
	}
	end := maxLine
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
