package lever

import (
	"go/ast"
	"go/token"
	"go/types"
)

var builder = &Lever{
	Name:    "builder",
	Title:   "use strings.Builder, or append to a []byte",
	Subject: "use strings.Builder",
	Looks:   "a string that a loop makes longer by + or +=: each iteration copies all of it.",
	Wrong:   "when the loop has two or three iterations: then it is no slower, and shorter, as it is.",
	Before: `s := ""
for _, w := range words {
	s += w + "\n"
}
return s`,
	After: `var b strings.Builder
for _, w := range words {
	b.WriteString(w)
	b.WriteByte('\n')
}
return b.String()`,
	Model:   "n iterations copy n/2 times the result; a builder that doubles allocates about twice the result. From four iterations on half of the bytes are saved, from twenty on nearly all.",
	Risk:    NoRisk,
	Saves:   Saves{Alloc: Range{0.5, 0.98}, Collect: Range{0.5, 0.98}},
	Rewrite: "The variable is a string that is declared alone and empty, in the function that uses it and in no function literal. It is only read, and made longer by +=, with what is not made of it; nothing points to it, and nothing else is assigned to it or from it, so that each read sees the text as it was at that time.",
	find:    findBuilder,
}

func findBuilder(p *Line) (f Finding) {
	for _, s := range p.spots() {
		assign, ok := s.node.(*ast.AssignStmt)
		if !ok || p.direct() == 0 || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
			continue
		}
		v := p.local(assign.Lhs[0])
		if v == nil || !isString(v.Type()) || !p.grows(assign, v) {
			continue
		}
		if loops := loopsSince(s.stack, assign, v.Pos()); len(loops) > 0 && !p.wantedInside(loops[len(loops)-1], v) {
			return Finding{Share: p.direct(), Edits: p.useBuilder(v), What: "build " + v.Name() + " with strings.Builder", Evidence: []Evidence{p.at(loops[len(loops)-1].Pos(), "each iteration of the loop copies all of "+v.Name()+" to make it longer, which a strings.Builder only does when it is full")}}
		}
	}
	return f
}

// wantedInside reports whether a loop needs the text that it makes longer in each iteration: for more than its
// length, whether there is any, or to begin again after it was used.
func (p *Line) wantedInside(loop ast.Node, v *types.Var) bool {
	wanted := false
	for _, m := range p.mentions(p.unit, v) {
		if m.id.Pos() < loop.Pos() || loop.End() < m.id.End() {
			continue
		}
		if value, ok := m.assigned(); ok {
			if value != nil && p.constant(value) {
				return false // it begins again
			}
			continue
		}
		wanted = wanted || !p.looksOnly(m, v)
	}
	return wanted
}

// looksOnly reports whether a mention is of the sum itself, of its length, a comparison with a constant, or what
// is returned.
func (p *Line) looksOnly(m mention, v *types.Var) bool {
	for i := len(m.stack) - 1; i >= 0; i-- {
		switch n := m.stack[i].(type) {
		case *ast.AssignStmt:
			return len(n.Lhs) == 1 && p.local(n.Lhs[0]) == v
		case *ast.ReturnStmt:
			return true
		case *ast.CallExpr:
			return p.builtin(n, "len") != nil
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return p.constant(n.X) || p.constant(n.Y)
			}
		case *ast.ParenExpr:
		default:
			return false
		}
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// grows reports whether an assignment makes a string longer: s += x, or s = s + x.
func (p *Line) grows(assign *ast.AssignStmt, v *types.Var) bool {
	if assign.Tok == token.ADD_ASSIGN {
		return true
	}
	e := ast.Unparen(assign.Rhs[0])
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD || assign.Tok != token.ASSIGN {
			return false
		}
		if p.local(b.X) == v || p.local(b.Y) == v {
			return true
		}
		e = ast.Unparen(b.X)
	}
}
