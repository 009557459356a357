package lever

import (
	"strings"
	"testing"
)

// TestHoistBeside checks that the other constant errors and patterns of a function become variables with the one that the profile has.
func TestHoistBeside(t *testing.T) {
	for _, c := range []struct {
		lever            *Lever
		at, source, want string
	}{
		{sentinelError, "errors.New", "package m\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\nfunc f(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\"too small\")\n\t}\n\tif n > 9 {\n\t\treturn errors.New(\"too large\")\n\t}\n\tif n == 7 {\n\t\treturn fmt.Errorf(\"not %d\", n)\n\t}\n\treturn nil\n}\n",
			"package m\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\nvar errTooSmall = errors.New(\"too small\")\n\nvar errTooLarge = errors.New(\"too large\")\n\nfunc f(n int) error {\n\tif n < 0 {\n\t\treturn errTooSmall\n\t}\n\tif n > 9 {\n\t\treturn errTooLarge\n\t}\n\tif n == 7 {\n\t\treturn fmt.Errorf(\"not %d\", n)\n\t}\n\treturn nil\n}\n"},
		{compileOnce, "regexp.MustCompile", "package m\n\nimport \"regexp\"\n\nfunc f(s string) bool {\n\tmanySpaces := regexp.MustCompile(`\\s+`)\n\tif manySpaces.MatchString(s) {\n\t\treturn true\n\t}\n\treturn regexp.MustCompile(`^a*$`).MatchString(s)\n}\n",
			"package m\n\nimport \"regexp\"\n\nvar manySpaces = regexp.MustCompile(`\\s+`)\n\nvar fPattern = regexp.MustCompile(`^a*$`)\n\nfunc f(s string) bool {\n\tif manySpaces.MatchString(s) {\n\t\treturn true\n\t}\n\treturn fPattern.MatchString(s)\n}\n"},
		// More than a reader would want to see at once, and one that is told from others.
		{sentinelError, "errors.New", "package m\n\nimport \"errors\"\n\nfunc f(n int) error {\n\tswitch n {\n\tcase 1:\n\t\treturn errors.New(\"a\")\n\tcase 2:\n\t\treturn errors.New(\"b\")\n\tcase 3:\n\t\treturn errors.New(\"c\")\n\tcase 4:\n\t\treturn errors.New(\"d\")\n\tcase 5:\n\t\treturn errors.New(\"e\")\n\tcase 6:\n\t\treturn errors.New(\"g\")\n\t}\n\treturn nil\n}\n",
			"package m\n\nimport \"errors\"\n\nvar errA = errors.New(\"a\")\n\nfunc f(n int) error {\n\tswitch n {\n\tcase 1:\n\t\treturn errA\n\tcase 2:\n\t\treturn errors.New(\"b\")\n\tcase 3:\n\t\treturn errors.New(\"c\")\n\tcase 4:\n\t\treturn errors.New(\"d\")\n\tcase 5:\n\t\treturn errors.New(\"e\")\n\tcase 6:\n\t\treturn errors.New(\"g\")\n\t}\n\treturn nil\n}\n"},
		{sentinelError, "errors.New", "package m\n\nimport \"errors\"\n\nfunc f(n int) (error, bool) {\n\tif n < 0 {\n\t\treturn errors.New(\"too small\"), true\n\t}\n\tmark := errors.New(\"mark\")\n\tvar got error = mark\n\tif n == 5 {\n\t\tgot = errors.New(\"five\")\n\t}\n\treturn nil, got == mark\n}\n",
			"package m\n\nimport \"errors\"\n\nvar errTooSmall = errors.New(\"too small\")\n\nfunc f(n int) (error, bool) {\n\tif n < 0 {\n\t\treturn errTooSmall, true\n\t}\n\tmark := errors.New(\"mark\")\n\tvar got error = mark\n\tif n == 5 {\n\t\tgot = errors.New(\"five\")\n\t}\n\treturn nil, got == mark\n}\n"},
	} {
		if got := editedAlone(t, "1.26", c.source, "func f", c.at, c.lever); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// TestCutsOffKept checks that a text which was set before, and is not set between the split and the loop, is cut where it is.
func TestCutsOffKept(t *testing.T) {
	const begins = "package m\n\nimport \"strings\"\n\n"
	for source, want := range map[string]string{
		"func f(s string) (n int) {\n\ts = s[1:]\n\tparts := strings.Split(s, \",\")\n\tout := []int{}\n\tfor _, p := range parts {\n\t\tout = append(out, len(p))\n\t\ts = p\n\t}\n\treturn len(out) + len(s)\n}\n": "func f(s string) (n int) {\n\ts = s[1:]\n\tout := []int{}\n\tfor rest, more := s, true; more; {\n\t\tvar p string\n\t\tp, rest, more = strings.Cut(rest, \",\")\n\t\tout = append(out, len(p))\n\t\ts = p\n\t}\n\treturn len(out) + len(s)\n}\n",
		"func f(s string) (n int) {\n\tparts := strings.Split(s, \",\")\n\ts = \"other\"\n\tfor _, p := range parts {\n\t\tn += len(p)\n\t}\n\treturn n + len(s)\n}\n":                                               "func f(s string) (n int) {\n\ttext := s\n\ts = \"other\"\n\tfor rest, more := text, true; more; {\n\t\tvar p string\n\t\tp, rest, more = strings.Cut(rest, \",\")\n\t\tn += len(p)\n\t}\n\treturn n + len(s)\n}\n",
		"func f(s string) (n int) {\n\tset := func() { s = \"other\" }\n\tparts := strings.Split(s, \",\")\n\tset()\n\tfor _, p := range parts {\n\t\tn += len(p)\n\t}\n\treturn n + len(s)\n}\n":                    "func f(s string) (n int) {\n\tset := func() { s = \"other\" }\n\ttext := s\n\tset()\n\tfor rest, more := text, true; more; {\n\t\tvar p string\n\t\tp, rest, more = strings.Cut(rest, \",\")\n\t\tn += len(p)\n\t}\n\treturn n + len(s)\n}\n",
		"func f(s string) (n int) {\n\ts = s[1:]\n\n\t// Split s.\n\tparts := strings.Split(s, \",\")\n\tout := []int{}\n\tfor _, p := range parts {\n\t\tout = append(out, len(p))\n\t}\n\treturn len(out)\n}\n":    "func f(s string) (n int) {\n\ts = s[1:]\n\n\tout := []int{}\n\t// Split s.\n\tfor rest, more := s, true; more; {\n\t\tvar p string\n\t\tp, rest, more = strings.Cut(rest, \",\")\n\t\tout = append(out, len(p))\n\t}\n\treturn len(out)\n}\n",
	} {
		if got := editedAlone(t, "1.20", begins+source, "func f", "strings.Split", splitLocal); got != begins+want {
			t.Errorf("got\n%s\nwant\n%s", got, begins+want)
		}
	}
}

// TestCutsOffInLiteral checks that a text of the function around a literal, which may set it while that waits, is kept.
func TestCutsOffInLiteral(t *testing.T) {
	const source = "package m\n\nimport \"strings\"\n\nfunc f() (n int) {\n\ts := \"a,b\"\n\tseq := func(yield func(int) bool) {\n\t\tparts := strings.Split(s, \",\")\n\t\tyield(0)\n\t\tfor i, p := range parts {\n\t\t\tn += i*10 + len(p)\n\t\t}\n\t}\n\tfor range seq {\n\t\ts = \"zzz\"\n\t}\n\treturn n\n}\n"
	if got := editedAlone(t, "1.23", source, "func f", "strings.Split", splitLocal); strings.Contains(got, ":= 0, s, true") {
		t.Errorf("got\n%s", got)
	}
}
