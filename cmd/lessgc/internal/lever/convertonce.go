package lever

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var convertOnce = &Rule{
	Name:  "convert-once",
	Title: "convert the input once, and slice the pieces out of it",
	Looks: "short strings, 32 or more in each operation, that are converted from pieces of a longer []byte: of a parameter, or of a field. They leave the function.",
	Wrong: "when the input is much larger than its pieces and one of them is kept long: it keeps all of the input. When the input comes in parts: a chunk for the strings of each part does the same.",
	Before: `func (p *parser) name() string {
	return string(p.data[p.start:p.pos])
}`,
	After: `func (p *parser) name() string {
	return p.text[p.start:p.pos] // text is string(data), made once
}`,
	Model: "One object takes the place of all.",
	Risk:  Lifetime,
	Asks:  "Is all of the input there when the first piece is made, and do the pieces go when the others go?",
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0, 0.5}},
	find:  findConvertOnce,
}

func findConvertOnce(p *Place) (f Finding) {
	if p.each() < leastStrings || p.objectSize() > longestInterned {
		return f
	}
	made, boxes := p.makesString()
	if made == nil || asKey(made) || p.follow(made).stays() {
		return f
	}
	of := p.pieceOf(made.X)
	if of == "" {
		return f
	}
	return Finding{Share: p.direct() / float64(1+boxes), Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("%.3g strings of %.0f bytes on the average are made in each operation, of pieces of %s", p.each()/float64(1+boxes), p.objectSize(), of)),
	}}
}

// pieceOf names the bytes that a slice is a part of: "" unless they are a parameter or a field.
func (p *Place) pieceOf(v ssa.Value) string {
	cut := false
	for range 4 {
		switch x := v.(type) {
		case *ssa.Slice:
			v, cut = x.X, true
			continue
		case *ssa.UnOp:
			if field := fieldRead(x); field != nil && x.Op == token.MUL {
				return "field " + field.Name()
			}
		case *ssa.Parameter:
			if _, ok := x.Type().Underlying().(*types.Slice); ok && cut {
				return x.Name()
			}
		}
		return ""
	}
	return ""
}
