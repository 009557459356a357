package lever

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var internText = &Rule{
	Name:  "intern-text",
	Title: "make each of the few texts once",
	Looks: "short strings converted from bytes, many in each operation, that become keys of maps or names in objects which are made again and again: names of fields, headers, labels, tags.",
	Wrong: "when the texts hardly ever repeat: the table grows and helps nothing. Bound it.",
	Before: `key := string(b)
m[key] = value`,
	After: `key, ok := d.names[string(b)] // allocates nothing
if !ok {
	key = string(b)
	if len(d.names) < 256 {
		d.names[key] = key
	}
}
m[key] = value`,
	Model: "A text that is in the table takes a look-up instead of an object.",
	Risk:  NoRisk,
	Asks:  "Do the same few texts come again and again?",
	Saves: Saves{Alloc: Range{0.4, 0.9}, Collect: Range{0.5, 0.95}},
	find:  findInternText,
}

const (
	leastInterned   = 32 // of an operation
	longestInterned = 40 // bytes, on the average
)

func findInternText(p *Place) (f Finding) {
	if each := p.each(); each > 0 && each < leastInterned || p.objectSize() > longestInterned {
		return f
	}
	made, _ := p.makesString()
	if made == nil {
		return f
	}
	at, what := p.comesAgain(made)
	if what == "" {
		return f
	}
	return Finding{Share: p.direct(), Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("strings of %.0f bytes on the average are made of bytes", p.objectSize())),
		p.at(at, what),
	}}
}

// comesAgain is where a string goes that repeats: as a run of the benchmarks has shown for those that the function
// returns, else if it becomes a name; "" if it does not, or the run has shown otherwise.
func (p *Place) comesAgain(made *ssa.Convert) (at token.Pos, what string) {
	for _, r := range *made.Referrers() {
		if _, ok := r.(*ssa.Return); !ok {
			continue
		}
		if n, ok := p.Texts[p.site.Func]; ok {
			if n.Distinct > mostDistinct*n.Made {
				return 0, ""
			}
			return r.Pos(), fmt.Sprintf("%s returns %.3g strings in each operation, of which %.3g are different", nameOf(made.Parent()), n.Made, n.Distinct)
		}
	}
	return p.isName(made, 0, map[ssa.Value]bool{})
}

// mostDistinct is the part of the strings that may be different ones.
const mostDistinct = 0.4

// isName is where a string becomes the key of a map, or a field that is called as names are; "" if it does not.
func (p *Place) isName(v ssa.Value, depth int, seen map[ssa.Value]bool) (at token.Pos, what string) {
	if v == nil || v.Referrers() == nil || seen[v] || depth > 3 {
		return 0, ""
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Key == v {
				return r.Pos(), "they are keys of a " + short(r.Map.Type())
			}
		case *ssa.Store:
			if to, ok := r.Addr.(*ssa.FieldAddr); ok && namesThings(fieldOf(to)) {
				return r.Pos(), fmt.Sprintf("they become the field %s of a %s", fieldOf(to).Name(), short(types.Unalias(to.X.Type()).(*types.Pointer).Elem()))
			}
		case *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface:
			if at, what = p.isName(r.(ssa.Value), depth, seen); what != "" {
				return at, what
			}
		case *ssa.Return:
			if at, what = p.isNameReturned(r, v, depth, seen); what != "" {
				return at, what
			}
		}
	}
	return 0, ""
}

// isNameReturned looks where the callers of a function use what it returns.
func (p *Place) isNameReturned(ret *ssa.Return, v ssa.Value, depth int, seen map[ssa.Value]bool) (at token.Pos, what string) {
	for _, c := range p.calls[ret.Parent()] {
		if c.Value() == nil {
			continue
		}
		for i, part := range parts(c.Value()) {
			if i < len(ret.Results) && ret.Results[i] == v {
				if at, what = p.isName(part, depth+1, seen); what != "" {
					return at, what
				}
			}
		}
	}
	return 0, ""
}

// namesThings reports whether a field is called as what names its object.
func namesThings(field *types.Var) bool {
	if field == nil {
		return false
	}
	switch field.Name() {
	case "Name", "name", "Key", "key", "Tag", "tag", "Type", "typ", "Label", "label", "Kind", "kind", "Lang", "Namespace", "Unit", "Method", "Scheme":
		return true
	}
	return false
}
