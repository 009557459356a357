package lever

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A gathering is a local slice of bytes or runes to which a function only appends, and of which it makes strings.
type gathering struct {
	p     *Line
	v     *types.Var
	runes bool

	decl  ast.Stmt // declares it, and nothing else
	room  ast.Expr // of its make; nil if it begins without
	texts map[ast.Node]string
	grows []token.Pos // where it gets its memory
}

// builtText has a strings.Builder in the place of the slice that a conversion on the line makes a string of: nil if anything else is done
// with it, or if the profile has too little memory of the slice.
func (p *Line) builtText(made *ssa.Convert) (edits []Edit, also []Also, what string) {
	g := gathering{p: p, texts: map[ast.Node]string{}}
	for _, s := range p.spots() {
		if call, ok := s.node.(*ast.CallExpr); ok && call.Lparen == made.Pos() && p.copiesText(call) {
			g.v = p.local(call.Args[0])
		}
	}
	if g.v == nil || !g.declared() || !g.used() || !g.pays() {
		return nil, nil, ""
	}
	edits, _ = p.instead(g.texts, "strings")
	if g.runes && edits != nil {
		also = g.fewerBytes()
	}
	return edits, also, "build the text of " + g.v.Name() + " with strings.Builder"
}

// fewerBytes is the memory of runes: room for as many bytes takes a quarter of it, and the same text up to all of it.
func (g *gathering) fewerBytes() []Also {
	const most = 0.75
	w := &wider{p: g.p, at: g.grows, through: growsByAppend, most: math.MaxInt64}
	also, _ := w.all("")
	for i := range also {
		also[i].Share = func(s *site.Site) Range {
			share := w.share(s)
			if g.room == nil {
				share.Lo = 0
			}
			return Range{most * share.Lo, most * share.Hi}
		}
	}
	return also
}

// declared reports whether a statement of a block declares the slice, empty, and nothing else.
func (g *gathering) declared() bool {
	elem, ok := types.Unalias(g.v.Type()).(*types.Slice)
	if !ok {
		return false
	}
	g.runes = types.Identical(elem.Elem(), types.Typ[types.Rune])
	b, ok := g.p.statement(g.v.Pos())
	if !ok || !g.runes && !types.Identical(elem.Elem(), types.Typ[types.Byte]) {
		return false
	}
	g.decl = b.list[b.at]
	var value ast.Expr
	switch s := g.decl.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Lhs) != 1 || s.Lhs[0].Pos() != g.v.Pos() {
			return false
		}
		value = s.Rhs[0]
	case *ast.DeclStmt:
		spec, alone := g.p.declares(g.v)
		if spec == nil || alone != s || len(spec.Names) != 1 {
			return false
		}
		if len(spec.Values) > 0 {
			value = spec.Values[0]
		}
	default:
		return false
	}
	if !g.begins(value) || g.room != nil && hasName(g.room, g.v.Name()) {
		return false // the room is that of what the builder hides
	}
	text := "var " + g.v.Name() + " " + g.p.qualify("strings") + ".Builder"
	if g.room != nil {
		indent, ok := g.p.indentOf(g.decl)
		if !ok {
			return false
		}
		text += "\n" + indent + g.v.Name() + ".Grow(" + g.p.text(g.room) + ")"
	}
	g.texts[g.decl] = text
	return true
}

// begins reports whether the slice is empty at first, and how much room it has then.
func (g *gathering) begins(value ast.Expr) bool {
	switch x := ast.Unparen(value).(type) {
	case nil:
		return true
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.CallExpr:
		if g.p.builtin(x, "make") == nil || len(x.Args) < 2 || !g.p.constant(x.Args[1]) || g.p.constantInt(x.Args[1]) != 0 {
			return false
		}
		if len(x.Args) == 3 {
			g.room = x.Args[2]
			g.grows = append(g.grows, x.Lparen)
			return g.p.notNegative(g.room) && types.Identical(types.Default(g.p.typeOf(g.room)), types.Typ[types.Int])
		}
		return true
	}
	return false
}

// used has the texts of all uses of the slice: ok is false if one has none.
func (g *gathering) used() bool {
	for _, m := range g.p.mentions(g.p.unit, g.v) {
		if g.p.captured(m, g.v) {
			return false
		}
		switch parent := m.parent().(type) {
		case *ast.AssignStmt: // of the result of append, whose operand is another mention
			if !g.appends(parent) {
				return false
			}
		case *ast.CallExpr:
			around := innermost(stackOf(g.p.file, parent))
			switch { // that of append has the text already, where the variable is set
			case g.p.builtin(parent, "append") != nil || g.appendsRune(parent):
				if assign, ok := around.(*ast.AssignStmt); !ok || ast.Unparen(parent.Args[0]) != m.id || g.texts[assign] == "" && !g.appends(assign) {
					return false
				}
			case g.p.builtin(parent, "len") != nil:
				if g.runes && !g.p.asksForNone(around, parent) {
					return false // a builder counts bytes
				}
				g.texts[parent] = g.v.Name() + ".Len()"
			case g.p.copiesText(parent) && types.Identical(g.p.typeOf(parent), types.Typ[types.String]):
				g.texts[parent] = g.v.Name() + ".String()"
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// asksForNone reports whether a comparison with 0 tells whether a length is.
func (p *Line) asksForNone(comparison ast.Node, length ast.Expr) bool {
	x, ok := comparison.(*ast.BinaryExpr)
	return ok && ast.Unparen(x.X) == length && slices.Contains([]token.Token{token.EQL, token.NEQ, token.GTR}, x.Op) && p.constant(x.Y) && p.constantInt(x.Y) == 0
}

// appendsRune reports whether a call is one of utf8.AppendRune.
func (g *gathering) appendsRune(call *ast.CallExpr) bool {
	fn := g.p.callee(call)
	return fn != nil && fn.FullName() == "unicode/utf8.AppendRune"
}

// appends has the text of a statement that appends to the slice: ok is false if it does more, or is none of a block.
func (g *gathering) appends(assign *ast.AssignStmt) bool {
	if assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || g.p.local(assign.Lhs[0]) != g.v || ast.Unparen(assign.Lhs[0]) != assign.Lhs[0] ||
		statements(innermost(stackOf(g.p.file, assign))) == nil {
		return false
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || g.p.local(call.Args[0]) != g.v || !g.appendsRune(call) && g.p.builtin(call, "append") == nil {
		return false
	}
	indent, alone := g.p.indentOf(assign)
	calls := g.writes(call)
	if calls == nil || len(calls) > 1 && !alone {
		return false
	}
	if slices.ContainsFunc(call.Args[1:], func(arg ast.Expr) bool { return len(g.p.mentionsIn(arg, g.v)) > 0 }) {
		return false
	}
	for i := range calls {
		calls[i] = g.v.Name() + "." + calls[i]
	}
	g.texts[assign] = strings.Join(calls, "\n"+indent)
	g.grows = append(g.grows, call.Lparen)
	return true
}

// writes are the calls of methods of a builder that write what a call appends; nil if there are none.
func (g *gathering) writes(call *ast.CallExpr) (all []string) {
	args := call.Args[1:]
	write := map[bool]string{false: "WriteByte(", true: "WriteRune("}[g.runes || g.appendsRune(call)]
	if call.Ellipsis.IsValid() {
		return g.writesAll(args[0])
	}
	if text, ok := g.p.characters(args, g.runes); ok && len(args) > 1 {
		return []string{"WriteString(" + strconv.Quote(text) + ")"}
	}
	for _, arg := range args {
		if len(args) > 1 && below(arg, g.p.isCall) {
			return nil // it may change what is appended before
		}
		if text, ok := g.p.characters([]ast.Expr{arg}, g.runes || g.appendsRune(call)); ok && text[0] < utf8.RuneSelf {
			all = append(all, "WriteByte("+g.p.text(arg)+")")
			continue
		}
		all = append(all, write+g.p.text(arg)+")")
	}
	return all
}

// writesAll is writes of the elements of a slice or string.
func (g *gathering) writesAll(arg ast.Expr) []string {
	text := g.p.text(arg)
	switch t := g.p.typeOf(arg); {
	case g.runes || g.p.isNil(arg):
		return nil
	case isString(t):
		if !types.Identical(types.Default(t), types.Typ[types.String]) {
			text = "string(" + text + ")"
			if !g.p.means(arg.Pos(), text, "string") {
				return nil
			}
		}
		return []string{"WriteString(" + text + ")"}
	case isBytes(t):
		if call, ok := ast.Unparen(arg).(*ast.CallExpr); ok && g.p.copiesText(call) && types.Identical(types.Default(g.p.typeOf(call.Args[0])), types.Typ[types.String]) {
			return []string{"WriteString(" + g.p.text(call.Args[0]) + ")"}
		}
		return []string{"Write(" + text + ")"}
	}
	return nil
}

// characters is the text of some constants that are written as characters; ok is false if one is none.
func (p *Line) characters(args []ast.Expr, runes bool) (text string, ok bool) {
	for _, arg := range args {
		lit, isLit := ast.Unparen(arg).(*ast.BasicLit)
		if !isLit || lit.Kind != token.CHAR {
			return "", false
		}
		c, exact := constant.Int64Val(constant.ToInt(p.pkg.TypesInfo.Types[arg].Value))
		if !exact {
			return "", false
		}
		if runes {
			text += string(rune(c))
		} else {
			text += string([]byte{byte(c)})
		}
	}
	return text, true
}

// leastTwice is the memory of a slice, as a share of that of the strings that are made of it, from which on the text has memory twice.
const leastTwice = 0.75

// growsByAppend is directly, for append and utf8.AppendRune.
func growsByAppend(l site.Leaf) bool {
	return directly(l) || len(l.Path) > 0 && l.Path[0].Func == "unicode/utf8.AppendRune"
}

// pays reports whether the slice has memory of its own in the profile, and a builder does not keep much more of it than the string needs.
func (g *gathering) pays() bool {
	lines := map[prof.Frame]bool{}
	for _, pos := range g.grows {
		lines[g.p.frameOf(pos)] = true
	}
	if g.p.Sites == nil {
		return false
	}
	var bytes, objects int64
	for _, s := range g.p.sitesAt(lines) {
		for _, l := range s.Leaves {
			if growsByAppend(l) {
				bytes, objects = bytes+l.Bytes, objects+l.Objects
			}
		}
	}
	if objects < g.p.site.Objects/2 || float64(bytes) < leastTwice*float64(g.p.site.Bytes) {
		return false
	}
	switch {
	case g.room == nil:
		return g.runes // a builder for bytes would grow as the slice does, from the heap
	case g.runes:
		bytes /= 4
	}
	return float64(bytes)/float64(objects) <= mostRetained*g.p.objectSize()
}
