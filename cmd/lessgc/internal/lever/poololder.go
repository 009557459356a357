package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// anything is the empty interface, as the file's version of Go writes it.
func (x *pooling) anything() string {
	if x.p.goes("1.18") && x.means("any") {
		return "any"
	}
	return "interface{}"
}

// emptyMap holds the statements that empty a variable that has the map: nil if there are none that surely do. Before Go 1.21, which
// has clear, an entry is deleted by its key, and none finds a key that is not equal to itself.
func (x *pooling) emptyMap(v string) []string {
	if x.p.goes("1.21") {
		return x.clears(v)
	}
	if !equalsItself(x.v.Type().Underlying().(*types.Map).Key()) || !x.means("delete") {
		return nil
	}
	return []string{"for key := range " + v + " {", "\tdelete(" + v + ", key)", "}"}
}

// clears holds the statement that clears a map or slice; nil if the name is another's.
func (x *pooling) clears(what string) []string {
	if !x.means("clear") {
		return nil
	}
	return []string{"clear(" + what + ")"}
}

// equalsItself reports whether each value of a type is equal to itself, as NaN is not: comparing it does not panic.
func equalsItself(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return equalsItself(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !equalsItself(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// hasWord reports whether a text of the source has a name.
func hasWord(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }), name)
}

// zeroed holds the statements that zero part of the slice's memory, as an expression that ranges over it and one whose
// elements are set: nil if the source has no zero value for them.
func (s *pooledSlice) zeroed(part, memory string) []string {
	if s.p.goes("1.21") {
		return s.clears(part)
	}
	zero := ""
	switch u := s.v.Type().Underlying().(*types.Slice).Elem().Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			zero = "0"
		case u.Info()&types.IsBoolean != 0 && s.means("false"):
			zero = "false"
		case u.Info()&types.IsString != 0:
			zero = `""`
		}
	case *types.Struct, *types.Array:
		zero = s.elem + "{}"
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		if s.means("nil") {
			zero = "nil"
		}
	}
	if zero == "" {
		return nil
	}
	i := "i" // of a scope of its own
	if hasWord(part+" "+zero, i) {
		i = s.localName(i)
	}
	return []string{fmt.Sprintf("for %s := range %s {", i, part), fmt.Sprintf("\t%s[%s] = %s", memory, i, zero), "}"}
}
