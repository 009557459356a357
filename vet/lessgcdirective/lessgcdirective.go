package lessgcdirective

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/directive"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Name is the name of the analyzer.
const Name = "lessgcdirective"

// New makes the analyzer. It knows the given rules, and runs after them: only then is it
// known what an ignore was good for.
func New(rules []*analysis.Analyzer) *analysis.Analyzer {
	return rule.New(Name, doc, false, func(pass *rule.Pass) error { return run(pass, rules) }, rules...)
}

func run(pass *rule.Pass, rules []*analysis.Analyzer) error {
	d := pass.ResultOf[directive.Analyzer].(*directive.Directives)
	for _, m := range d.Mistakes {
		pass.Report(rule.Finding{Pos: m.Pos, End: m.End, Category: rule.Directive, Message: m.Text})
	}
	ran := map[string]bool{}
	for _, r := range rules {
		ran[r.Name] = bool(pass.ResultOf[r].(rule.Ran))
	}
	ran[Name] = false // what is said of a comment that names it, that comment silences
	for _, i := range d.Ignores {
		if err := check(pass, i, ran); err != nil {
			return err
		}
	}
	return nil
}

// check reports what is wrong with an ignore. Of the rules, ran knows all that exist.
func check(pass *rule.Pass, i *directive.Ignore, ran map[string]bool) error {
	unused := i.Unused()
	var unknown, idle []string
	for _, name := range i.Rules {
		switch on, ok := ran[name]; {
		case !ok:
			unknown = append(unknown, name)
		case on && slices.Contains(unused, name):
			idle = append(idle, name)
		}
	}
	if len(unknown)+len(idle) == 0 {
		return nil
	}
	fix, err := without(pass.Pass, i, slices.Concat(unknown, idle))
	if err != nil {
		return err
	}
	for _, name := range unknown {
		pass.Report(rule.Finding{Pos: i.Pos, End: i.End, Category: rule.Directive,
			Message: fmt.Sprintf("there is no rule %s: this comment silences nothing", name), Fixes: fix})
	}
	for _, name := range idle {
		pass.Report(rule.Finding{Pos: i.Pos, End: i.End, Category: rule.Directive,
			Message: fmt.Sprintf("%s has no finding here: this comment would only hide what it finds later", name), Fixes: fix})
	}
	return nil
}

// without takes rules out of an ignore, or all of it out of the source.
func without(pass *analysis.Pass, i *directive.Ignore, rules []string) ([]analysis.SuggestedFix, error) {
	kept := slices.DeleteFunc(slices.Clone(i.Rules), func(r string) bool { return slices.Contains(rules, r) })
	if len(kept) > 0 {
		list := strings.Join(i.Rules, ",")
		file := pass.Fset.File(i.Pos)
		src, err := pass.ReadFile(file.Name())
		if err != nil {
			return nil, err
		}
		comment := src[file.Offset(i.Pos):file.Offset(i.End)]
		at := bytes.Index(comment, []byte(list))
		if at < 0 {
			return nil, nil
		}
		start := i.Pos + token.Pos(at)
		return edit("ignore only "+strings.Join(kept, " and "), start, start+token.Pos(len(list)), strings.Join(kept, ",")), nil
	}
	start, end, err := line(pass, i)
	if err != nil {
		return nil, err
	}
	return edit("remove the comment", start, end, ""), nil
}

// line is the line of a comment if it stands there alone, else the comment and the space
// in front of it.
func line(pass *analysis.Pass, i *directive.Ignore) (start, end token.Pos, err error) {
	file := pass.Fset.File(i.Pos)
	src, err := pass.ReadFile(file.Name())
	if err != nil {
		return 0, 0, err
	}
	at := file.Offset(i.Pos)
	from := len(bytes.TrimRight(src[:at], " \t"))
	if from > 0 && src[from-1] != '\n' {
		return file.Pos(from), i.End, nil
	}
	to := file.Offset(i.End)
	if to < len(src) && src[to] == '\r' {
		to++
	}
	if to < len(src) && src[to] == '\n' {
		to++
	}
	return file.Pos(from), file.Pos(to), nil
}

func edit(message string, start, end token.Pos, text string) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{Message: message, TextEdits: []analysis.TextEdit{{Pos: start, End: end, NewText: []byte(text)}}}}
}
