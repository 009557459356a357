package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var typedForm = &Lever{
	Name:  "typed-form",
	Title: "give the usual type a form of its own, without an interface",
	Looks: "strings, numbers and small structs that become interfaces on the line, twice or more in each operation, and whose type is asserted or switched over again: by the callers that they are returned to, by a function that is given them, or by one of those that these call.",
	Wrong: "when the values are of many types, none of which is the usual one; when what gets the interface keeps it as one.",
	Before: `func parse(p *Param, text string) (any, error) {
	if p.Kind == String {
		return text, nil // allocates the interface
	}
	// …

v, err := parse(p, text)
validate(p.Schema, v) // switches over its type`,
	After: `if p.Kind == String {
	return validateString(p.Schema, text)
}
v, err := parse(p, text)
validate(p.Schema, v)`,
	Model: "A value that is not a pointer takes an object of its own as an interface: it goes for those that have the usual type.",
	Risk:  NoRisk,
	Asks:  "Is this type the usual one, and can it take a way without the interface from here to where its type is asked for?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findTypedForm,
}

func findTypedForm(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < 2 {
		return f
	}
	var found *ssa.MakeInterface
	var at token.Pos
	f.Share = p.boxedShare(func(made *ssa.MakeInterface) bool {
		pos := p.asked(made)
		if !pos.IsValid() || isError(made.Type()) {
			return false
		}
		found, at = made, pos
		return true
	})
	if found == nil {
		return Finding{}
	}
	pos := p.fn.body.Pos()
	for _, r := range *found.Referrers() {
		if r.Pos().IsValid() {
			pos = r.Pos()
		}
	}
	f.Calls = conversions
	f.Evidence = []Evidence{
		p.at(pos, fmt.Sprintf("a %s becomes an interface%s", short(found.X.Type()), p.perOperation())),
		p.at(at, "its type is asked for again here"),
	}
	return f
}

// asked returns the position at which the type of an interface that is returned, or given to a function, is asserted
// again.
func (p *Line) asked(made *ssa.MakeInterface) token.Pos {
	for _, r := range *made.Referrers() {
		if ret, ok := r.(*ssa.Return); ok {
			if pos := p.assertedByCallers(ret, made, 2); pos.IsValid() {
				return pos
			}
		}
	}
	return asserts(made, 2)
}

// assertedByCallers returns the position at which one of the callers of a function asserts the type of its result,
// or one of those that they return it to.
func (p *Line) assertedByCallers(ret *ssa.Return, v ssa.Value, depth int) token.Pos {
	for part := range p.atCallers(ret, v) {
		if p.onlyTests(part.Parent()) {
			continue
		}
		if pos := p.assertedPart(part, depth); pos.IsValid() {
			return pos
		}
	}
	return p.assertedByInvokes(ret, v, depth)
}

// mostInvokes bounds the calls of a method by interfaces that are looked at: of a name that is all over the program,
// these are of something else.
const mostInvokes = 30

// assertedByInvokes is assertedByCallers for those that call a method by an interface.
func (p *Line) assertedByInvokes(ret *ssa.Return, v ssa.Value, depth int) token.Pos {
	fn := ret.Parent()
	if fn.Signature.Recv() == nil || fn.Parent() != nil {
		return 0
	}
	calls := p.invokes(fn.Name())
	if len(calls) > mostInvokes {
		return 0
	}
	for _, c := range calls {
		if !sameSignature(c.Call.Signature(), fn.Signature) {
			continue
		}
		for i, part := range parts(c) {
			if ret.Results[i] == v {
				if pos := p.assertedPart(part, depth); pos.IsValid() {
					return pos
				}
			}
		}
	}
	return 0
}

func (p *Line) assertedPart(part ssa.Value, depth int) token.Pos {
	if pos := asserts(part, 2); pos.IsValid() || depth == 0 {
		return pos
	}
	for _, r := range *part.Referrers() {
		if ret, ok := r.(*ssa.Return); ok {
			if pos := p.assertedByCallers(ret, part, depth-1); pos.IsValid() {
				return pos
			}
		}
	}
	return 0
}

// asserts returns the position at which the type of a value is asserted, in its function or those that are given it,
// some calls deep.
func asserts(v ssa.Value, depth int) token.Pos {
	if v.Referrers() == nil || depth < 0 {
		return 0
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			if !types.IsInterface(r.AssertedType) {
				return at(r, v)
			}
		case *ssa.Phi, *ssa.ChangeInterface:
			if pos := asserts(r.(ssa.Value), depth-1); pos.IsValid() {
				return pos
			}
		case *ssa.Call:
			callee := r.Call.StaticCallee()
			i := slices.Index(r.Call.Args, v)
			if callee == nil || i < 0 || i >= len(callee.Params) {
				continue
			}
			if pos := asserts(callee.Params[i], depth-1); pos.IsValid() {
				return pos
			}
		}
	}
	return 0
}

// at is the position of an instruction, or of the function that it is in.
func at(in ssa.Instruction, v ssa.Value) token.Pos {
	if in.Pos().IsValid() {
		return in.Pos()
	}
	if v.Pos().IsValid() {
		return v.Pos()
	}
	return in.Parent().Pos()
}
