package lever

import (
	"strings"
	"testing"
)

// TestLastAndNumber checks where the last part of a text and the number of its parts are found in the text, and where the slice of them stays.
func TestLastAndNumber(t *testing.T) {
	const before = "package m\n\nimport \"strings\"\n\n"
	const stays = "\tparts := strings.Split(s, "
	for name, c := range map[string]struct{ source, want string }{
		"both, by a variable": {
			"func at(s string) (int, int) {\n\tparts := strings.Split(s, \"\\n\")\n\tn := len(parts)\n\treturn n, len(parts[n-1]) + 1\n}\n",
			"func at(s string) (int, int) {\n\tn := strings.Count(s, \"\\n\") + 1\n\treturn n, len(s) - strings.LastIndexByte(s, '\\n')\n}\n",
		},
		"the last": {
			"func at(s string) string {\n\tparts := strings.Split(s, `\\`)\n\treturn parts[len(parts)-1]\n}\n",
			"func at(s string) string {\n\treturn s[strings.LastIndexByte(s, '\\\\')+1:]\n}\n",
		},
		"the number is read for the last only": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\tn := len(parts)\n\treturn parts[n-1]\n}\n", stays,
		},
		"a constant of a build": {
			"func at(s string) (int, string) {\n\tparts := strings.Split(s, \"a\")\n\treturn 0, parts[len(parts)-one]\n}\n\nconst one = 1\n", stays,
		},
		"the length and a constant": {
			"func at(s string) int {\n\tparts := strings.Split(s, \",\")\n\treturn len(parts[len(parts)-1]) + one\n}\n\nconst one = 1\n",
			"func at(s string) int {\n\treturn len(s[strings.LastIndexByte(s, ',')+1:]) + one\n}\n",
		},
		"the length of the last": {
			"func at(s string) (int, int) {\n\tparts := strings.Split(s, \",\")\n\treturn 9 - len(parts[len(parts)-1]) + 1, 2 * (len(parts[len(parts)-1]) + 1)\n}\n",
			"func at(s string) (int, int) {\n\treturn 9 - len(s[strings.LastIndexByte(s, ',')+1:]) + 1, 2 * (len(s) - strings.LastIndexByte(s, ','))\n}\n",
		},
		"the number, by operators": {
			"func at(s string) (int, bool) {\n\tparts := strings.Split(s, \"::\")\n\tif len(parts) > 3 || -len(parts) > s2 {\n\t\treturn 2 * len(parts), true\n\t}\n\treturn len(parts) - 1, 8-len(parts)-1 > 0\n}\n\nvar s2 = 1\n",
			"\tif strings.Count(s, \"::\")+1 > 3 || -(strings.Count(s, \"::\")+1) > s2 {\n\t\treturn 2 * (strings.Count(s, \"::\") + 1), true\n\t}\n\treturn strings.Count(s, \"::\"), 8-(strings.Count(s, \"::\")+1)-1 > 0\n",
		},
		"the last by several bytes, which may overlap": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"aa\")\n\treturn parts[len(parts)-1]\n}\n", stays,
		},
		"the one before": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\treturn parts[len(parts)-2]\n}\n", stays,
		},
		"the text is set": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\ts = \"b\"\n\treturn parts[len(parts)-1] + s\n}\n", stays,
		},
		"the text is set by a function literal": {
			"func at(s string) string {\n\tset := func() { s = \"b\" }\n\tparts := strings.Split(s, \"a\")\n\tset()\n\treturn parts[len(parts)-1]\n}\n", stays,
		},
		"its address is taken": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\tset(&s)\n\treturn parts[len(parts)-1]\n}\n\nfunc set(s *string) { *s = \"\" }\n", stays,
		},
		"another text has the name": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\tif s := \"b\"; s != \"\" {\n\t\treturn parts[len(parts)-1]\n\t}\n\treturn s\n}\n", stays,
		},
		"another package has the name": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\tstrings := 1\n\t_ = strings\n\treturn parts[len(parts)-1]\n}\n", stays,
		},
		"the part is set": {
			"func at(s string) int {\n\tparts := strings.Split(s, \"a\")\n\tparts[len(parts)-1] = \"b\"\n\treturn len(parts)\n}\n", stays,
		},
		"its address": {
			"func at(s string) *string {\n\tparts := strings.Split(s, \"a\")\n\treturn &parts[len(parts)-1]\n}\n", stays,
		},
		"another part": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\tif len(parts) < 3 {\n\t\treturn \"\"\n\t}\n\treturn parts[2]\n}\n", stays,
		},
		"in a loop": {
			"func at(s string) (n int) {\n\tparts := strings.Split(s, \"a\")\n\tfor range 9 {\n\t\tn += len(parts)\n\t}\n\treturn n\n}\n", stays,
		},
		"in a function literal": {
			"func at(s string) func() int {\n\tparts := strings.Split(s, \"a\")\n\treturn func() int { return len(parts) }\n}\n", stays,
		},
		"an empty separator": {
			"func at(s string) int {\n\tparts := strings.Split(s, \"\")\n\treturn len(parts)\n}\n", stays,
		},
		"the slice is returned": {
			"func at(s string) ([]string, int) {\n\tparts := strings.Split(s, \"a\")\n\treturn parts, len(parts)\n}\n", stays,
		},
		"the number changes": {
			"func at(s string) string {\n\tparts := strings.Split(s, \"a\")\n\tn := len(parts)\n\tn--\n\treturn parts[n-1]\n}\n", stays,
		},
		"the room": {
			"func at(s string) int {\n\tparts := strings.Split(s, \"a\")\n\treturn cap(parts)\n}\n", stays,
		},
		"a comment": {
			"func at(s string) int {\n\tparts := strings.Split(s, \"a\") // all\n\treturn len(parts)\n}\n", stays,
		},
	} {
		got := editedAlone(t, "1.22", before+c.source, "func at(", "strings.Split(", splitLocal)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: there is no\n%s\nin\n%s", name, c.want, got)
		}
	}
}

// TestLastOfParts checks what the rewrite rests on.
func TestLastOfParts(t *testing.T) {
	for _, s := range []string{"", "a", "aa", "ba", "ab", "bab", "b", "abab"} {
		parts := strings.Split(s, "a")
		if len(parts) != strings.Count(s, "a")+1 || parts[len(parts)-1] != s[strings.LastIndexByte(s, 'a')+1:] {
			t.Errorf("%q: %q", s, parts)
		}
		if many := strings.Split(s, "ab"); len(many) != strings.Count(s, "ab")+1 {
			t.Errorf("%q: %q", s, many)
		}
	}
}
