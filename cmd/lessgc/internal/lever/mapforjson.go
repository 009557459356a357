package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/site"
)

var mapForJSON = &Lever{
	Name:    "map-for-json",
	Title:   "encode a struct instead of a map",
	Subject: "encode a struct instead of a map",
	Looks:   "a map literal whose keys are constant strings, that a function makes for each call and gives to a JSON encoder, directly, by way of a variable that is an interface, or by functions and methods of the program that do nothing else with it.",
	Wrong:   "when the encoder is not encoding/json and writes a map and a struct in different ways.",
	Before: `json.NewEncoder(w).Encode(map[string]any{
	"name": u.Name,
	"id":   u.ID,
})`,
	After: `json.NewEncoder(w).Encode(struct {
	ID   int    ` + "`json:\"id\"`" + `
	Name string ` + "`json:\"name\"`" + `
}{
	Name: u.Name,
	ID:   u.ID,
})`,
	Model: "One object takes the place of the map, its table and a copy of each value; encoding/json does not collect the keys and sort them.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.6, 1}, Work: Range{0.4, 0.9}},
	Rewrite: "The keys are constant, differ, and may stand in tags; the fields are in the order to which encoding/json sorts the keys, and have no options: each value is written, under the same name, in the same place. " +
		"Nothing but encoding/json gets the map, by way of functions of the program that do no more than compare it with nil. " +
		"A field has the type of the value, or is an interface without methods, as the element was; no value has a MarshalJSON or MarshalText that needs its address. Elements are evaluated in the same order.",
	find: findMapForJSON,
}

// encodesMap are the functions of encoding/json that encode a map: before Go 1.27, and since.
var encodesMap = []string{"encoding/json.mapEncoder.encode", "encoding/json/v2.makeMapArshaler.func2"}

// boxingJSON are the functions that they call for a value of type any, which a field of a struct does not need.
var boxingJSON = []string{"encoding/json/v2.newAddressableValue", "encoding/json/v2.makeInterfaceArshaler.func1", "encoding/json/v2.marshalValueAny"}

func findMapForJSON(p *Line) (f Finding) {
	for _, s := range p.spots() {
		if call, ok := s.node.(*ast.CallExpr); ok && f.Share == 0 {
			f = p.encodedMap(call)
		}
		lit, stack := p.mapLiteral(s)
		if lit == nil {
			continue
		}
		call := p.encodedBy(lit, stack)
		if call == nil {
			continue
		}
		share := p.alone(func(n ast.Node) bool {
			inner, ok := n.(*ast.CompositeLit)
			return n == lit || ok && lit.Pos() <= inner.Pos() && inner.End() <= lit.End() && p.constantKeys(inner)
		})
		if share == 0 {
			return f
		}
		return Finding{Share: f.Share + share, Calls: append(f.Calls, setters...), Evidence: p.ofMap(lit, call), Edits: p.structFor(lit), Sketch: !p.encodedStandard(lit, call)}
	}
	return f
}

// encodedStandard reports whether it is encoding/json that makes JSON of a map literal, by a call: other encoders may
// write structs and maps in different ways.
func (p *Line) encodedStandard(lit *ast.CompositeLit, call *ast.CallExpr) bool {
	found := false
	for _, arg := range call.Args {
		inside := arg.Pos() <= lit.Pos() && lit.End() <= arg.End()
		if !inside && (p.local(arg) == nil || !p.makesJSON(p.unit, call, ast.Unparen(arg), encoding{})) {
			continue
		}
		if !p.makesJSON(p.unit, call, ast.Unparen(arg), encoding{standard: true}) {
			return false
		}
		found = true
	}
	return found
}

// encodedMap is about the line of a call that encodes a map: what the encoder needs for its keys.
func (p *Line) encodedMap(call *ast.CallExpr) (f Finding) {
	share := p.leaves(func(l site.Leaf) bool {
		for _, frame := range slices.Backward(l.Path) {
			if pkg := frame.Package(); (pkg == "encoding/json" || pkg == "encoding/json/v2") && !slices.Contains(boxingJSON, frame.Func) {
				return slices.Contains(encodesMap, frame.Func)
			}
		}
		return false
	})
	if share == 0 {
		return f
	}
	for _, arg := range call.Args {
		lit := p.literalOf(arg)
		if lit != nil && p.encodedBy(lit, stackOf(p.file, lit)) == call {
			return Finding{Share: share, Calls: encodesMap, Evidence: p.ofMap(lit, call), Edits: p.structFor(lit), Sketch: !p.encodedStandard(lit, call)}
		}
	}
	return f
}

// ofMap is the evidence about a map and the call that encodes it.
func (p *Line) ofMap(lit *ast.CompositeLit, call *ast.CallExpr) []Evidence {
	return []Evidence{
		p.at(lit.Pos(), fmt.Sprintf("a map with %d constant keys is made for each call", len(lit.Elts))),
		p.at(call.Pos(), fmt.Sprintf("%s makes JSON of the map, and nothing else uses it; a struct with its keys as tags, in sorted order, gives the same text", p.callee(call).Name())),
	}
}

// literalOf is the map literal that an expression is, or that a local variable is made with; nil if
// it is neither.
func (p *Line) literalOf(e ast.Expr) *ast.CompositeLit {
	if v := p.local(e); v != nil {
		d, ok := p.define(p.unit, v)
		if !ok || d.param || d.value == nil {
			return nil
		}
		e = d.value
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || !p.constantKeys(lit) {
		return nil
	}
	return lit
}

// mapLiteral is the innermost map literal that a spot is, or is an element of.
func (p *Line) mapLiteral(s spot) (*ast.CompositeLit, []ast.Node) {
	if lit, ok := s.node.(*ast.CompositeLit); ok && p.constantKeys(lit) {
		return lit, s.stack
	}
	if _, ok := s.node.(*ast.KeyValueExpr); !ok || len(s.stack) == 0 {
		return nil, nil
	}
	last := len(s.stack) - 1
	if lit, ok := s.stack[last].(*ast.CompositeLit); ok && p.constantKeys(lit) {
		return lit, s.stack[:last]
	}
	return nil, nil
}

// constantKeys reports whether a literal is a map with keys that are constant strings, each fit for
// a tag.
func (p *Line) constantKeys(lit *ast.CompositeLit) bool {
	m, ok := p.typeOf(lit).Underlying().(*types.Map)
	if !ok || !isString(m.Key()) {
		return false
	}
	if hasOwnJSON(p.typeOf(lit)) || hasOwnJSON(m.Key()) || len(lit.Elts) == 0 {
		return false
	}
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, ok := p.stringOf(pair.Key)
		return !ok || !isTag(key)
	})
}

// hasOwnJSON reports whether a type says itself how it is encoded.
func hasOwnJSON(t types.Type) bool {
	return slices.ContainsFunc([]string{"MarshalJSON", "MarshalText", "MarshalJSONTo", "AppendText"}, func(name string) bool { return hasMethod(t, name) })
}

// pointerMarshals reports whether a type says how it is encoded only where a pointer leads to the value.
func pointerMarshals(t types.Type) bool {
	return !types.IsInterface(t) && slices.ContainsFunc([]string{"MarshalJSON", "MarshalText", "MarshalJSONTo", "AppendText"}, func(name string) bool {
		return hasMethod(t, name) && types.NewMethodSet(t).Lookup(nil, name) == nil
	})
}

// isTag reports whether a key may stand in a tag as it is.
func isTag(key string) bool {
	return key != "" && key != "-" && !strings.ContainsFunc(key, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// encodedBy is the call that makes JSON of a map literal, if nothing else uses the map; or nil.
func (p *Line) encodedBy(lit *ast.CompositeLit, stack []ast.Node) *ast.CallExpr {
	var e ast.Expr = lit
	for { // a value of another map that is encoded, too
		pair, ok := innermost(stack).(*ast.KeyValueExpr)
		if !ok || pair.Key == e {
			break
		}
		stack = stack[:slices.Index(stack, ast.Node(pair))]
		outer, ok := innermost(stack).(*ast.CompositeLit)
		if !ok || !p.constantKeys(outer) || !types.IsInterface(p.typeOf(outer).Underlying().(*types.Map).Elem()) {
			return nil
		}
		e, stack = outer, stack[:slices.Index(stack, ast.Node(outer))]
	}
	switch parent := innermost(stack).(type) {
	case *ast.CallExpr:
		if p.makesJSON(p.unit, parent, e, encoding{}) {
			return parent
		}
	case *ast.AssignStmt:
		return p.encodedVariable(parent, e)
	}
	return nil
}

// encodedVariable is the call that makes JSON of a variable, which is declared for it alone; or nil.
func (p *Line) encodedVariable(assign *ast.AssignStmt, e ast.Expr) *ast.CallExpr {
	i := slices.IndexFunc(assign.Rhs, func(r ast.Expr) bool { return ast.Unparen(r) == e })
	if i < 0 || len(assign.Lhs) != len(assign.Rhs) {
		return nil
	}
	v := p.local(assign.Lhs[i])
	if v != nil && assign.Tok == token.ASSIGN {
		return p.encodedInterface(v, assign)
	}
	if v == nil || v.Pos() != assign.Lhs[i].Pos() {
		return nil
	}
	all := p.mentions(p.unit, v)
	if len(all) != 1 || within(all[0].stack, v.Pos()) != nil || len(loopsSince(all[0].stack, all[0].id, v.Pos())) > 0 {
		return nil
	}
	call, ok := all[0].parent().(*ast.CallExpr)
	if !ok || !p.makesJSON(p.unit, call, all[0].id, encoding{}) {
		return nil
	}
	return call
}

// encodedInterface is the call, after an assignment, that makes JSON of a variable which is an interface and is used
// for nothing else; or nil.
func (p *Line) encodedInterface(v *types.Var, assign *ast.AssignStmt) (found *ast.CallExpr) {
	it, ok := v.Type().Underlying().(*types.Interface)
	if !ok || it.NumMethods() > 0 {
		return nil
	}
	for _, m := range p.mentions(p.unit, v) {
		if _, set := m.assigned(); set {
			continue
		}
		call, ok := m.parent().(*ast.CallExpr)
		if !ok || within(m.stack, v.Pos()) != nil || !p.makesJSON(p.unit, call, m.id, encoding{}) {
			return nil
		}
		if call.Pos() > assign.End() && found == nil {
			found = call
		}
	}
	return found
}

// An encoding is a way to an encoder.
type encoding struct {
	depth    int  // of calls
	standard bool // it has to end at encoding/json
}

func (e encoding) deeper() encoding { return encoding{e.depth + 1, e.standard} }

// makesJSON reports whether a call does nothing with an argument but to make JSON of it. A function
// of the program does that by way of others.
func (p *Line) makesJSON(u *unit, call *ast.CallExpr, arg ast.Expr, way encoding) bool {
	i := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return ast.Unparen(e) == arg })
	fn := u.callee(call)
	if i < 0 || fn == nil || fn.Pkg() == nil || call.Ellipsis.IsValid() || way.depth > 3 {
		return false
	}
	sig := fn.Origin().Signature()
	if i >= fixed(sig) {
		return false
	}
	param := sig.Params().At(i)
	if it, ok := param.Type().Underlying().(*types.Interface); !ok || it.NumMethods() > 0 || !it.IsMethodSet() {
		return false
	}
	if isTypeParameter(param.Type()) && (isInstance(call.Fun) || !plainResults(sig)) {
		return false // its type matters elsewhere
	}
	if known := p.declared(fn); known != nil {
		return p.onlyMakesJSON(known, param, way)
	}
	if way.standard {
		return encoders[fn.FullName()] && fn.Pkg().Path() == "encoding/json"
	}
	if p.methodsMakeJSON(fn, i, way) {
		return true
	}
	return encoders[fn.FullName()] || strings.HasPrefix(fn.FullName(), "(*github.com/gin-gonic/gin.Context).") && ginJSON[fn.Name()]
}

// methodsMakeJSON reports whether a method of an interface of the program makes JSON of a parameter, in all types of the
// program that have it, and uses it for nothing else.
func (p *Line) methodsMakeJSON(method *types.Func, param int, way encoding) bool {
	recv := method.Signature().Recv()
	if recv == nil || p.unitOf(method.Pos()) == nil {
		return false
	}
	it, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	found := false
	for object, fn := range p.decls {
		known, ok := object.(*types.Func)
		if !ok || known.Name() != method.Name() || known.Signature().Recv() == nil || p.inTest(known.Pos()) || !types.Implements(known.Signature().Recv().Type(), it) {
			continue
		}
		if !p.onlyMakesJSON(fn, known.Signature().Params().At(param), way) {
			return false
		}
		found = true
	}
	return found
}

func isInstance(fun ast.Expr) bool {
	switch ast.Unparen(fun).(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// plainResults reports whether all that a function returns are errors and values of basic types, or slices of these.
func plainResults(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		t := v.Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		if _, basic := types.Unalias(t).(*types.Basic); !basic && !isError(t) {
			return false
		}
	}
	return true
}

// encoders are functions that make JSON of an argument, and sort the keys of maps or have no order.
var encoders = map[string]bool{
	"encoding/json.Marshal": true, "encoding/json.MarshalIndent": true, "(*encoding/json.Encoder).Encode": true,
	"github.com/goccy/go-json.Marshal": true, "github.com/goccy/go-json.MarshalIndent": true, "(*github.com/goccy/go-json.Encoder).Encode": true,
	"github.com/bytedance/sonic.Marshal": true, "github.com/bytedance/sonic.MarshalString": true,
	"github.com/json-iterator/go.Marshal": true, "(*github.com/json-iterator/go.Encoder).Encode": true,
	"github.com/segmentio/encoding/json.Marshal": true, "(*github.com/segmentio/encoding/json.Encoder).Encode": true,
	"(github.com/labstack/echo/v4.Context).JSON": true, "(github.com/labstack/echo/v4.Context).JSONPretty": true,
	"(*github.com/labstack/echo/v5.Context).JSON": true, "(*github.com/gofiber/fiber/v2.Ctx).JSON": true,
	"(github.com/json-iterator/go.API).Marshal": true, "(*github.com/gorilla/websocket.Conn).WriteJSON": true,
	"github.com/go-chi/render.JSON": true, "(*github.com/kataras/iris/v12/context.Context).JSON": true,
	"(*github.com/unrolled/render.Render).JSON": true,
}

// ginJSON are the methods of gin's contexts that make JSON.
var ginJSON = map[string]bool{"JSON": true, "IndentedJSON": true, "PureJSON": true, "AsciiJSON": true, "SecureJSON": true, "AbortWithStatusJSON": true}

// onlyMakesJSON reports whether a function makes JSON of a parameter, and uses it for nothing else.
func (p *Line) onlyMakesJSON(fn *function, param *types.Var, way encoding) bool {
	all := p.mentions(fn.unit, param)
	return len(all) > 0 && !slices.ContainsFunc(all, func(m mention) bool {
		switch parent := m.parent().(type) {
		case *ast.CallExpr:
			return !p.makesJSON(fn.unit, parent, m.id, way.deeper())
		case *ast.BinaryExpr:
			return !fn.unit.isNil(parent.X) && !fn.unit.isNil(parent.Y)
		}
		return true
	})
}

// A jsonField is a field of a struct in place of a key.
type jsonField struct{ key, name, typ string }

// structFor writes a map literal as a struct: nil if a type cannot be written there.
func (p *Line) structFor(lit *ast.CompositeLit) []Edit {
	if _, foreign := lit.Type.(*ast.SelectorExpr); lit.Type == nil || foreign { // its package may not be used otherwise
		return nil
	}
	var fields []jsonField
	var edits []Edit
	elem := p.typeOf(lit).Underlying().(*types.Map).Elem()
	for _, e := range lit.Elts {
		pair := e.(*ast.KeyValueExpr)
		if _, foreign := pair.Key.(*ast.SelectorExpr); foreign {
			return nil
		}
		key, _ := p.stringOf(pair.Key)
		name, typ := fieldName(key), p.fieldType(pair.Value, elem)
		if name == "" || typ == "" || pointerMarshals(p.typeOf(pair.Value)) || slices.ContainsFunc(fields, func(f jsonField) bool { return f.name == name }) {
			return nil
		}
		fields = append(fields, jsonField{key, name, typ})
		edits = append(edits, p.edit(pair.Key.Pos(), pair.Key.End(), name))
	}
	slices.SortFunc(fields, func(a, b jsonField) int { return strings.Compare(a.key, b.key) })
	line, _, _ := strings.Cut(p.textBetween(p.fset.File(lit.Pos()).LineStart(p.line(lit.Pos())), lit.Pos()), "\n")
	indent := line[:len(line)-len(strings.TrimLeft(line, "\t"))]
	names, typs := 0, 0
	for _, f := range fields {
		names, typs = max(names, len(f.name)), max(typs, len(f.typ))
	}
	text := "struct {\n"
	for _, f := range fields {
		text += fmt.Sprintf("%s\t%-*s %-*s `json:\"%s\"`\n", indent, names, f.name, typs, f.typ, f.key)
	}
	return append([]Edit{p.edit(lit.Type.Pos(), lit.Type.End(), text+indent+"}")}, edits...)
}

// fieldName is an exported name for a key; "" if it has no letter to begin with.
func fieldName(key string) string {
	name := ""
	for _, word := range strings.FieldsFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		if word == "id" || word == "url" {
			word = strings.ToUpper(word)
		}
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return ""
	}
	return name
}

// fieldType writes the type of a field for a value; "" if the file cannot. What was an interface in
// the map may stay one, and a literal may become a struct in its turn. An interface with methods may be
// encoded by these, where the value in it has others that come first: it stays what it was in the map.
func (p *Line) fieldType(e ast.Expr, elem types.Type) string {
	it, ok := elem.Underlying().(*types.Interface)
	switch {
	case isTypeParameter(elem):
		return ""
	case !ok || it.NumMethods() > 0 || !it.IsMethodSet():
		return p.typeText(elem)
	}
	if _, ok := ast.Unparen(e).(*ast.CompositeLit); !ok && !p.isNil(e) && !types.IsInterface(p.typeOf(e)) {
		if text := p.typeText(types.Default(p.typeOf(e))); text != "" {
			return text
		}
	}
	return p.emptyInterface()
}

// emptyInterface returns the interface without methods, as the file writes it.
func (p *Line) emptyInterface() string {
	if p.goes("1.18") && p.isUniversal("any") {
		return "any"
	}
	return "interface{}"
}

// typeText writes a type of the universe or the package; "" for others.
func (p *Line) typeText(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if p.isUniversal(t.Name()) {
			return t.Name()
		}
	case *types.Slice:
		if elem := p.typeText(t.Elem()); elem != "" {
			return "[]" + elem
		}
	case *types.Pointer:
		if elem := p.typeText(t.Elem()); elem != "" {
			return "*" + elem
		}
	case *types.Interface:
		if t.NumMethods() == 0 && t.IsMethodSet() {
			return p.emptyInterface()
		}
	case *types.Named:
		if object := t.Obj(); object.Pkg() == nil && p.isUniversal(object.Name()) || object.Pkg() != nil && object.Parent() == p.pkg.Types.Scope() && t.TypeArgs().Len() == 0 && p.nameIs(object) {
			return object.Name()
		}
	}
	return ""
}

// isUniversal reports whether the name of a type of the universe means it all over the function.
func (p *Line) isUniversal(name string) bool {
	object := types.Universe.Lookup(name)
	return object != nil && p.pkg.Types.Scope().Lookup(name) == nil && p.nameIs(object)
}

// nameIs reports whether a name of the package means the same all over the function.
func (p *Line) nameIs(object types.Object) bool {
	same := true
	ast.Inspect(p.fn.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		same = same && !(ok && id.Name == object.Name() && p.pkg.TypesInfo.ObjectOf(id) != object)
		return same
	})
	return same
}
