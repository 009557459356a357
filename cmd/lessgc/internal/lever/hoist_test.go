package lever

import (
	"strings"
	"testing"
)

// TestHoistText checks that a local variable which only holds what is made once goes, gives its name if that tells enough, and stays where its
// declaration has a comment, it is set again, or many places would have another name.
func TestHoistText(t *testing.T) {
	const head = "package m\n\nimport \"regexp\"\n\n"
	for name, c := range map[string]struct{ source, want string }{
		"a telling name": {
			"func split(s string) []string {\n\tcommentStart := regexp.MustCompile(`#+`)\n\treturn commentStart.Split(s, 2)\n}\n",
			"var commentStart = regexp.MustCompile(`#+`)\n\nfunc split(s string) []string {\n\treturn commentStart.Split(s, 2)\n}\n",
		},
		"a short one": {
			"func split(s string) []string {\n\tvar re = regexp.MustCompile(`#+`)\n\n\tif re.MatchString(s) {\n\t\treturn nil\n\t}\n\treturn re.Split(s, 2)\n}\n",
			"var splitPattern = regexp.MustCompile(`#+`)\n\nfunc split(s string) []string {\n\tif splitPattern.MatchString(s) {\n\t\treturn nil\n\t}\n\treturn splitPattern.Split(s, 2)\n}\n",
		},
		"one that another function has, too": {
			"func split(s string) []string {\n\tcommentStart := regexp.MustCompile(`#+`)\n\treturn commentStart.Split(s, 2)\n}\n\nfunc other() int {\n\tcommentStart := 1\n\treturn commentStart\n}\n",
			"var splitPattern = regexp.MustCompile(`#+`)\n\nfunc split(s string) []string {\n\treturn splitPattern.Split(s, 2)\n}\n",
		},
		"many places": {
			"func split(s string) int {\n\tre := regexp.MustCompile(`#+`)\n\treturn len(re.Split(s, 1)) + len(re.Split(s, 2)) + len(re.Split(s, 3)) + len(re.Split(s, 4))\n}\n",
			"func split(s string) int {\n\tre := splitPattern\n",
		},
		"it is set": {
			"func split(s string) []string {\n\tcommentStart := regexp.MustCompile(`#+`)\n\tif s == \"\" {\n\t\tcommentStart = regexp.MustCompile(`a`)\n\t}\n\treturn commentStart.Split(s, 2)\n}\n",
			"\tcommentStart := ",
		},
		"a comment behind": {
			"func split(s string) []string {\n\tcommentStart := regexp.MustCompile(`#+`) // of any length\n\treturn commentStart.Split(s, 2)\n}\n",
			"\tcommentStart := splitPattern // of any length\n",
		},
		"a comment above": {
			"func split(s string) []string {\n\ts += \"x\"\n\t// of any length\n\tcommentStart := regexp.MustCompile(`#+`)\n\treturn commentStart.Split(s, 2)\n}\n",
			"\t// of any length\n\tcommentStart := splitPattern\n",
		},
		"of an if": {
			"func split(s string) []string {\n\tif commentStart := regexp.MustCompile(`#+`); commentStart.MatchString(s) {\n\t\treturn nil\n\t}\n\treturn []string{s}\n}\n",
			"\tif commentStart := splitPattern; ",
		},
		"a match that is only asked": {
			"func split(s string) string {\n\tif s == \"\" {\n\t\treturn \"\"\n\t} else if match, _ := regexp.MatchString(`#+`, s); match {\n\t\treturn \"#\"\n\t}\n\treturn s\n}\n",
			"\t} else if splitPattern.MatchString(s) {\n",
		},
		"one that is used again": {
			"func split(s string) bool {\n\tif match, _ := regexp.MatchString(`#+`, s); match {\n\t\treturn match\n\t}\n\treturn false\n}\n",
			"\tif match := splitPattern.MatchString(s); match {\n",
		},
		"a field, set twice": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc other() *lexer {\n\treturn &lexer{\n\t\tmark: regexp.MustCompile(`#+`),\n\t}\n}\n\nfunc third() *lexer { return &lexer{mark: regexp.MustCompile(`a`)} }\n",
			"var lexerMark = regexp.MustCompile(`#+`)\n\nfunc split(s string) []string {\n\tl := &lexer{mark: lexerMark}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc other() *lexer {\n\treturn &lexer{\n\t\tmark: lexerMark,\n\t}\n}\n\n" +
				"func third() *lexer { return &lexer{mark: regexp.MustCompile(`a`)} }\n",
		},
		"a field, set before the package has its variables, too": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\ntype early struct{}\n\nfunc (early) lexer() *lexer { return &lexer{mark: regexp.MustCompile(`#+`)} }\n\n" +
				"var first = from(early{})\n\nfunc from(l interface{ lexer() *lexer }) []string { return l.lexer().mark.Split(\"\", 2) }\n",
			"\tl := &lexer{mark: lexerMark}\n\treturn l.mark.Split(s, 2)\n}\n\ntype early struct{}\n\nfunc (early) lexer() *lexer { return &lexer{mark: regexp.MustCompile(`#+`)} }\n",
		},
		"a field that is set to another": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc (l *lexer) set(p *regexp.Regexp) { l.mark = p }\n",
			"\tl := &lexer{mark: lexerMark}\n",
		},
		"a field that is returned": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc (l *lexer) pattern() *regexp.Regexp { return l.mark }\n",
			"\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"a field that is compared": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc (l *lexer) same(o *lexer) bool { return l.mark == o.mark }\n",
			"\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"a field whose pattern is changed": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc (l *lexer) longest() { l.mark.Longest() }\n",
			"\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"a method value of a field": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc (l *lexer) longest() func() { return l.mark.Longest }\n",
			"\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"a struct that is compared": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nfunc (l *lexer) same(o *lexer) bool { return *l == *o }\n",
			"\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"a struct that anybody gets": {
			"type lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n\nvar Any any = &lexer{}\n",
			"\tl := &lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"an exported struct": {
			"type Lexer struct {\n\tmark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &Lexer{mark: regexp.MustCompile(`#+`)}\n\treturn l.mark.Split(s, 2)\n}\n",
			"\tl := &Lexer{mark: regexp.MustCompile(`#+`)}\n",
		},
		"an exported field": {
			"type lexer struct {\n\tMark *regexp.Regexp\n}\n\nfunc split(s string) []string {\n\tl := &lexer{Mark: regexp.MustCompile(`#+`)}\n\treturn l.Mark.Split(s, 2)\n}\n",
			"\tl := &lexer{Mark: regexp.MustCompile(`#+`)}\n",
		},
		"twice in a function": {
			"func split(s string) []string {\n\tif regexp.MustCompile(`#+`).MatchString(s) {\n\t\treturn nil\n\t}\n\treturn regexp.MustCompile(`#+`).Split(s, 2)\n}\n",
			"\tif splitPattern.MatchString(s) {\n\t\treturn nil\n\t}\n\treturn splitPattern.Split(s, 2)\n",
		},
		"two of a function": {
			"var splitPattern = regexp.MustCompile(`a`)\n\nfunc split(s string) []string {\n\treturn regexp.MustCompile(`#+`).Split(splitPattern.ReplaceAllString(s, \"\"), 2)\n}\n",
			"var splitPattern2 = regexp.MustCompile(`#+`)\n\nfunc split(s string) []string {\n\treturn splitPattern2.Split(",
		},
	} {
		got := editedAlone(t, "1.21", head+c.source, "func split(", "`#+`", compileOnce)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: there is no\n%s\nin\n%s", name, c.want, got)
		}
	}
}
