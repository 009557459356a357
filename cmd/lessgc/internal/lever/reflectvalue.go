package lever

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var reflectValue = &Lever{
	Name:  "reflect-value",
	Title: "set or take the value itself, without a reflect.Value of a copy",
	Looks: "reflect.ValueOf of a string, number, slice or struct, which is copied to the heap to become an interface, twice or more in each operation.",
	Wrong: "when the Value itself is given to code that keeps it.",
	Before: `func convert(s string) reflect.Value { return reflect.ValueOf(s) }

field.Set(convert(text))`,
	After: `field.SetString(text)

// or, of a Value of any type: *field.Addr().Interface().(*T) = v
// or, for a key of a map: m, ok := v.Interface().(map[string]any), and m[key]`,
	Model: "The copy goes for the kinds that are set or read directly.",
	Risk:  NoRisk,
	Asks:  "Can the usual kinds be set or read directly on the line that is named?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findReflectValue,
}

func findReflectValue(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < 2 {
		return f
	}
	var found *ssa.Call
	f.Share = p.boxedShare(func(made *ssa.MakeInterface) bool {
		call := valueOf(made)
		if call == nil || !takesMemory(made.X.Type()) {
			return false
		}
		found = call
		return true
	})
	if found == nil || f.Share == 0 {
		return Finding{}
	}
	t := found.Call.Args[0].(*ssa.MakeInterface).X.Type()
	f.Calls = conversions
	f.Evidence = []Evidence{
		p.at(found.Pos(), fmt.Sprintf("reflect.ValueOf copies a %s to the heap%s", short(t), p.perOperation())),
		p.at(found.Pos(), p.withoutValue(found, t)),
	}
	return f
}

// valueOf is the call of reflect.ValueOf that an interface is made for; nil if it is made for anything else.
func valueOf(made *ssa.MakeInterface) (found *ssa.Call) {
	for _, in := range *made.Referrers() {
		call, ok := in.(*ssa.Call)
		if !ok || found != nil || nameOfCall(call) != "reflect.ValueOf" {
			return nil
		}
		found = call
	}
	return found
}

// takesMemory reports whether values of a type are copied to the heap to become an interface: those of one byte are not.
func takesMemory(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Bool, types.Int8, types.Uint8:
			return false
		}
	}
	return !pointerShaped(t)
}

// withoutValue returns what to do instead of a reflect.Value of a type.
func (p *Line) withoutValue(call *ssa.Call, t types.Type) string {
	set := setterOf(t)
	for _, u := range usesOfValue(call) {
		switch {
		case u.name == "(reflect.Value).MapIndex" && u.arg > 0:
			return "it is only a key: a map of a common type, such as map[string]any, is asserted and indexed directly; a key that comes again can be kept as a Value"
		case u.name == "(reflect.Value).SetMapIndex" && u.arg > 0:
			return "SetMapIndex copies it again: a map of a common type, such as map[string]any, is asserted and set directly; a Value made by reflect.New once for each map can be set by " + set
		case u.name == "(reflect.Value).Set" && u.arg > 0:
			return "it is set in another Value: " + set + " sets it there without the copy"
		case u.name == "(reflect.Value).Convert" && u.arg == 0:
			return "it is converted to another type of its kind: " + set + " of a Value of that type does both"
		case u.returned:
			return "it is returned: callers that set it somewhere, or read it again by a method such as String, can get the value itself, or hand down the target for " + set
		case u.name != "" && !strings.HasPrefix(u.name, "(reflect.") && !strings.HasPrefix(u.name, "reflect."):
			return "it is given to " + u.name[strings.LastIndexByte(u.name, '/')+1:] + ": a form of that for the type itself needs no Value; of a text that comes again, the Value can be kept"
		}
	}
	return "a type switch, or a form of what follows for the type itself, needs no Value"
}

// setterOf returns the method, or else the assignment, that sets a Value to one of a type.
func setterOf(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch info := b.Info(); {
		case info&types.IsString != 0:
			return "SetString"
		case info&types.IsUnsigned != 0:
			return "SetUint"
		case info&types.IsInteger != 0:
			return "SetInt"
		case info&types.IsFloat != 0:
			return "SetFloat"
		}
	}
	return "*v.Addr().Interface().(*" + short(t) + ") = ..."
}
