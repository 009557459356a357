package spread

import (
	"fmt"
	"regexp"
	"strings"

	"lessgc/cmd/lessgc/internal/visible"
)

// A bare word means itself to every shell.
var bare = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// word writes s as one word of a POSIX shell. In apostrophes nothing has a meaning but the
// apostrophe. The file may be read by a service before the shell: GitHub replaces ${{ x }} and
// GitLab $[[ x ]], wherever they stand, so these do not stand in the result.
func word(s string) string {
	if bare.MatchString(s) {
		return s
	}
	s = strings.ReplaceAll(s, "'", `'\''`)
	s = strings.ReplaceAll(s, "${{", "$''{{")
	s = strings.ReplaceAll(s, "$[[", "$''[[")
	return "'" + s + "'"
}

// commandLine writes words as a line of shell.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = word(w)
	}
	return strings.Join(quoted, " ")
}

// scalar writes s as a double-quoted scalar of YAML, in which only the quotation mark and the
// backslash have a meaning: not #, the colon, braces or words such as no.
func scalar(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case visible.Plain(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// literal writes s so that Kubernetes, which replaces $(X) in commands and arguments, passes it
// on unchanged: it makes one $ of each two.
func literal(s string) string { return strings.ReplaceAll(s, "$", "$$") }
