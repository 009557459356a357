package lever

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var byType = &Lever{
	Name:  "cache-by-type",
	Title: "keep what is found out about a type in a table",
	Looks: "a function of your own that is given a reflect.Type or a struct field, names, flags and settings (a pointer to a struct of flags and functions) and no data, and makes its result in each operation of a benchmark; and a slice of the fields of a type that is collected for each value.",
	Wrong: "when the settings change, or have functions that are closures: then they are part of the key, or the result is kept for the package's own settings only. When the names that come with the type are not few, as user input is not: look only valid ones up, or bound the table.",
	Before: `parts, err := parsePath(key, t) // splits key, and goes along the fields of t
`,
	After: `type pathKey struct {
	t   reflect.Type
	key string
}

var paths sync.Map // of pathKey to []part

parts, ok := paths.Load(pathKey{t, key})
if !ok { // parse it, and store it where it is valid
}
`,
	Model: "What the function makes goes, but for the first time with each type; the look-up takes a key.",
	Risk:  Concurrency,
	Asks:  "Does the result depend on these arguments only, do the same few come again, and does every caller leave it unchanged?",
	Saves: Saves{Alloc: Range{0.5, 0.95}, Collect: Range{0.5, 0.95}},
	find:  findByType,
}

func findByType(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < 0.9 {
		return f // it is done once for each type already
	}
	if f = p.fieldsCollected(); f.Share > 0 {
		return f
	}
	asked := map[string]*ssa.Function{}
	name, share := p.mostBelow(func(frame prof.Frame) bool {
		fn, known := asked[frame.Func]
		if !known {
			fn = p.ofTypeOnly(frame)
			asked[frame.Func] = fn
		}
		return fn != nil
	})
	if fn := asked[name]; fn != nil {
		f.Share = share
		f.Evidence = []Evidence{p.at(fn.Pos(), fmt.Sprintf("%s is given %s, and no data: what it makes is the same for the same ones; here are %s objects in each operation", nameOf(fn), p.parametersOf(fn), few(p.each())))}
	}
	return f
}

// fieldsCollected is about a slice of the fields of a type, with what is found out about them, that is made for each value.
func (p *Line) fieldsCollected() (f Finding) {
	in, share := p.only()
	c, ok := in.(*ssa.Call)
	if !ok || !callsBuiltin(c, "append") || !isSlice(c.Type()) || !hasStructField(c.Type().Underlying().(*types.Slice).Elem()) {
		return f
	}
	return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), fmt.Sprintf("the fields of a type are collected for each value%s: they, their tags and indices are the same for all values of the type", p.perOperation()))}}
}

// hasStructField reports whether values of a type hold the description of a field of a struct.
func hasStructField(t types.Type) bool {
	if short(t) == "reflect.StructField" {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if short(field.Type()) == "reflect.StructField" {
			return true
		}
	}
	return false
}

// ofTypeOnly is the function of a frame if it is given a type or a struct field, and else only names, numbers and flags; nil
// if it is not, or returns nothing that can be kept.
func (p *Line) ofTypeOnly(frame prof.Frame) *ssa.Function {
	at := p.function(frame)
	if at == nil || p.fns[at.node] == nil || !p.known(frame) {
		return nil
	}
	decl, ok := at.node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	fn := p.fns[at.node]
	params := fn.Params
	if decl.Recv != nil && len(params) > 0 {
		params = params[1:]
	}
	ofType := false
	for _, v := range params {
		switch short(v.Type()) {
		case "reflect.Type", "reflect.StructField", "reflect.StructTag":
			ofType = true
			continue
		}
		if !isPlain(v.Type()) && !isSettings(v) {
			return nil
		}
	}
	if !ofType || makesOnly(fn) || !keepable(fn.Signature.Results()) {
		return nil
	}
	return fn
}

// isSettings reports whether a parameter points to a struct of flags, functions and plain values, of which the function only
// reads: what a program sets once.
func isSettings(v *ssa.Parameter) bool {
	to, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	of, ok := to.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	switches := false
	for field := range of.Fields() {
		switch t := field.Type().Underlying().(type) {
		case *types.Signature:
			switches = true
		case *types.Basic:
			switches = switches || t.Kind() == types.Bool
		default:
			if !isPlain(t) {
				return false
			}
		}
	}
	for _, in := range *v.Referrers() {
		if field, ok := in.(*ssa.FieldAddr); ok && stored(field) {
			return false
		}
	}
	return switches
}

// isPlain reports whether a type is text, a number or a flag, or a struct of such.
func isPlain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Struct:
		for v := range t.Fields() {
			if !isPlain(v.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// keepable reports whether the first of some results is text, or an object other than a value of reflect.
func keepable(results *types.Tuple) bool {
	if results.Len() == 0 || short(results.At(0).Type()) == "reflect.Value" {
		return false
	}
	switch t := results.At(0).Type().Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Struct:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// parametersOf are the types of a function's parameters, in words.
func (p *Line) parametersOf(fn *ssa.Function) (text string) {
	params := fn.Signature.Params()
	for i := range params.Len() {
		switch {
		case i > 0 && i == params.Len()-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += "a " + short(params.At(i).Type())
	}
	return text
}
