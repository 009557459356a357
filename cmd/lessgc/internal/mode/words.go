package mode

import (
	"fmt"
	"strings"
)

// SplitWords splits a command line or a list of settings at white space, by
// the go command's own rule for flags such as -ldflags: single or double
// quotes protect white space, nothing else is special, and no shell is asked.
// Unlike there, a quote may stand inside a word, as in FLAGS='a b'.
func SplitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	var quote byte
	for i := range len(s) { // bytes: whatever is special is ASCII, the rest may be any file name
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quote writes a word so that SplitWords reads it back.
func quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\r\n'\"") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}
