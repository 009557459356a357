package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var sameText = &Lever{
	Name:  "same-text",
	Title: "put the text together once, and keep it",
	Looks: "a string put together from the same parts twice in a function, or only from constants and fields of one object: it is the same each time, until a field changes.",
	Wrong: "when the fields change as often as the text is asked for.",
	Before: `func (s *Service) FullName() string {
	return s.name + "." + s.domain + "."
}`,
	After: `func NewService(name, domain string) *Service {
	return &Service{name: name, domain: domain, full: name + "." + domain + "."}
}

func (s *Service) FullName() string { return s.full }`,
	Model: "The text is made once instead of each time.",
	Risk:  NoRisk,
	Asks:  "Do the parts stay the same from one time to the next, and where can the text be kept?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findSameText,
}

// leastSameText is the smallest number of times that an operation makes a text for it to be kept.
const leastSameText = 2

func findSameText(p *Line) (f Finding) {
	all := 0
	for _, in := range p.allocators() {
		sum, ok := in.(*ssa.BinOp)
		if ok && isOperand(sum) {
			continue
		}
		all++
		if !ok || f.Evidence != nil {
			continue
		}
		if twin := p.twinSum(sum); twin != nil {
			f.Evidence = []Evidence{
				p.at(sum.Pos(), fmt.Sprintf("a text of %.0f bytes on average%s", p.objectSize(), p.inEach())),
				p.at(twin.Pos(), "the same parts are put together here"),
			}
			continue
		}
		if of := partsOfOne(sum); of != "" && (p.each() == 0 || p.each() >= leastSameText) {
			f.Evidence = []Evidence{p.at(sum.Pos(), fmt.Sprintf("a text of %.0f bytes on average%s, of constants and fields of %s", p.objectSize(), p.inEach(), of))}
		}
	}
	if f.Evidence != nil {
		f.Share = p.direct() / float64(all)
	}
	return f
}

// addends are the texts that are put together.
func addends(v ssa.Value) (all []ssa.Value) {
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD {
		return []ssa.Value{v}
	}
	return append(addends(sum.X), addends(sum.Y)...)
}

// twinSum is another sum of the same parts in the function, one of which may be executed after the other; nil if there
// is none.
func (p *Line) twinSum(sum *ssa.BinOp) *ssa.BinOp {
	parts := addends(sum)
	for _, b := range sum.Parent().Blocks {
		for _, in := range b.Instrs {
			other, ok := in.(*ssa.BinOp)
			if !ok || other == sum || other.Op != token.ADD || !isString(other.Type()) || isOperand(other) || b != sum.Block() && !leadsTo(b, sum.Block()) && !leadsTo(sum.Block(), b) {
				continue
			}
			if p.line(other.Pos()) != 0 && sameValues(parts, addends(other)) {
				return other
			}
		}
	}
	return nil
}

func sameValues(a, b []ssa.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameValue(a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameValue reports whether two values are the same, for all that a glance shows: constants, or loads of the same
// field.
func sameValue(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.Const:
		b, ok := b.(*ssa.Const)
		return ok && a.Value != nil && b.Value != nil && a.Value.ExactString() == b.Value.ExactString()
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == token.MUL && b.Op == token.MUL && sameValue(a.X, b.X)
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && sameValue(a.X, b.X)
	case *ssa.Convert:
		b, ok := b.(*ssa.Convert)
		return ok && sameValue(a.X, b.X)
	}
	return false
}

// partsOfOne is the type of the object that all parts of a text are fields of, or made of its fields; "" if there
// are others.
func partsOfOne(sum *ssa.BinOp) string {
	var owner ssa.Value
	for _, part := range addends(sum) {
		if isConst(part) {
			continue
		}
		of := ownerOf(part, 0)
		if of == nil || owner != nil && of != owner {
			return ""
		}
		owner = of
	}
	if owner == nil {
		return ""
	}
	name := strings.TrimPrefix(short(owner.Type()), "*")
	if strings.Contains(name, "{") {
		return ""
	}
	return "a " + name
}

// ownerOf is the parameter whose field a text is, or is made of; nil if it is of something else.
func ownerOf(v ssa.Value, depth int) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			return nil
		}
		return parameterOf(field.X)
	case *ssa.Field:
		return parameterOf(v.X)
	case *ssa.Convert:
		return ownerOf(v.X, depth)
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		if depth > 1 || fn == nil || len(v.Call.Args) != 1 || !isString(v.Type()) || !isString(v.Call.Args[0].Type()) {
			return nil
		}
		return ownerOf(v.Call.Args[0], depth+1)
	}
	return nil
}

// parameterOf is the parameter, or a struct that one points to by a field; nil if it is none.
func parameterOf(v ssa.Value) ssa.Value {
	if p, ok := v.(*ssa.Parameter); ok {
		if _, isStruct := derefType(p.Type()).Underlying().(*types.Struct); isStruct {
			return p
		}
	}
	if a, ok := v.(*ssa.Alloc); ok { // a parameter that is a struct
		for _, r := range *a.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == a {
				if p, ok := s.Val.(*ssa.Parameter); ok {
					return p
				}
			}
		}
	}
	return nil
}

func derefType(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
