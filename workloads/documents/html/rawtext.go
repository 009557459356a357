package html

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// rawText reads the text of a raw element, up to its end tag. It reports
// whether there is any.
func (z *tokenizer) rawText(raw atom.Atom) bool {
	rest := z.src[z.pos:]
	n := len(rest)
	switch raw {
	case atom.Plaintext: // has no end tag
	case atom.Script:
		n = scriptText(rest)
	default:
		name := raw.String()
		for i := 0; i < len(rest); i++ {
			if rest[i] == '<' && endsRaw(rest[i:], name) {
				n = i
				break
			}
		}
	}
	if n == 0 {
		return false
	}
	how := replaceNUL
	if raw == atom.Textarea || raw == atom.Title {
		how |= references
	}
	z.pos += n
	z.text(rest[:n], how)
	return true
}

// endsRaw reports whether s begins with the end tag of name.
func endsRaw(s, name string) bool {
	n := len("</") + len(name)
	return len(s) > n && s[1] == '/' && equalASCII(s[2:n], name) && endsName(s[n])
}

// scriptText returns the length of the text of a script. An end tag does not
// count if it is in a comment and belongs to a script that began there, as
// in <!--<script></script>-->.
func scriptText(s string) int {
	const script = "script"
	comment, inner := false, false
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		if s[i] == '>' {
			if comment && strings.HasSuffix(s[:i], "--") {
				comment, inner = false, false
			}
			continue
		}
		if s[i] != '<' {
			continue
		}
		switch {
		case endsRaw(rest, script):
			if !inner {
				return i
			}
			inner = false
			i += len("</" + script)
		case !comment && strings.HasPrefix(rest, "<!--"):
			comment = true
			i += len("<!-")
		case comment && !inner && len(rest) > 1 && isLetter(rest[1]):
			n := 1 + len(script)
			inner = len(rest) > n && equalASCII(rest[1:n], script) && endsName(rest[n])
			if inner {
				i += n
			}
		case comment && !inner && len(rest) > 1 && rest[1] != '/':
			// The specification stays in the comment, golang.org/x/net/html
			// does not.
			comment = false
		}
	}
	return len(s)
}
