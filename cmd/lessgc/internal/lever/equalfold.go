package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

var equalFold = &Lever{
	Name:    "equal-fold",
	Title:   "compare with strings.EqualFold",
	Subject: "use strings.EqualFold",
	Looks:   "strings.ToLower or ToUpper compared by == or != with a constant of ASCII characters, none of which is a letter that EqualFold treats otherwise: s and i in lower case, K and I in upper case.",
	Wrong:   "when what is compared is needed in that case anyway.",
	Before:  `if strings.ToLower(name) == "width" {`,
	After:   `if strings.EqualFold(name, "width") {`,
	Model:   "The copy goes whole; there is none where the text is in that case already.",
	Saves:   Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.2, 0.9}},
	Rewrite: "The constant has characters only of which == after the change of case and EqualFold tell the same for any text, also one that is no UTF-8: TestFolds goes over all. The result is a bool, and not of a type of its own.",
	find:    findEqualFold,
}

func findEqualFold(p *Line) (f Finding) {
	for _, c := range p.called() {
		if c.name != "strings.ToLower" && c.name != "strings.ToUpper" {
			continue
		}
		b, ok := c.parent().(*ast.BinaryExpr)
		share := p.below(c.fn)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ || share == 0 {
			continue
		}
		other := b.X
		if ast.Unparen(b.X) == c.call {
			other = b.Y
		}
		if text, ok := p.stringOf(other); !ok || !folds(text, c.fn.Name()) {
			continue
		}
		f = Finding{Share: share, Calls: []string{c.name}, Evidence: []Evidence{p.at(c.call.Pos(), c.name+" makes a copy that is only compared, which strings.EqualFold does without one")}}
		if sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr); ok && types.Identical(types.Default(p.typeOf(b)), types.Typ[types.Bool]) {
			not := map[token.Token]string{token.NEQ: "!"}[b.Op]
			f.Edits, _ = p.instead(map[ast.Node]string{b: not + p.oneLine(sel.X) + ".EqualFold(" + p.oneLine(c.call.Args[0]) + ", " + p.oneLine(other) + ")"})
		}
		return f
	}
	return f
}

// folds reports whether EqualFold tells for a constant what == does after ToLower or ToUpper.
// TestFolds goes over all characters.
func folds(text, by string) bool {
	differ, changed := "si", strings.ToLower(text)
	if by == "ToUpper" {
		differ, changed = "KI", strings.ToUpper(text)
	}
	for _, r := range text {
		if r >= 0x80 || strings.ContainsRune(differ, r) {
			return false
		}
	}
	return text == changed
}
