package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var internText = &Lever{
	Name:  "intern-text",
	Title: "make each of the few texts once",
	Looks: "short strings converted from bytes, many in each operation, that become keys of maps or names in objects which are made again and again: names of fields, headers, labels, tags. Also those that a function returns, whole or a part, if a run has shown that few of them are different.",
	Wrong: "when the texts hardly ever repeat: the table grows and helps nothing. Bound it. When they are short and nothing else is costly: to look up 16 bytes takes as long as to copy them, and half the objects of a decoder (msgpack) went for 3 % more CPU time.",
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
	Saves: Saves{Alloc: Range{0, 0.6}, Collect: Range{0.5, 0.95}},
	find:  findInternText,
}

const (
	leastInterned   = 32 // of an operation
	leastCounted    = 16 // of an operation, if a run has shown that they repeat
	longestInterned = 40 // bytes, on the average
)

func findInternText(p *Line) (f Finding) {
	least := float64(leastInterned)
	if n, ok := p.Texts[p.site.Func]; ok && n.Distinct <= mostDistinct*n.Made {
		least = leastCounted
	}
	if each := p.each(); each > 0 && each < least || p.objectSize() > longestInterned {
		return f
	}
	made, share := p.textFrom(types.Byte)
	if made == nil {
		return f
	}
	at, what := p.comesAgain(made)
	if what == "" {
		return f
	}
	return Finding{Share: share, Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("strings of %.0f bytes on average are made of bytes", p.objectSize())),
		p.at(at, what),
	}}
}

// comesAgain returns the line that shows that a string repeats, and the text of the evidence: a run of the
// benchmarks has shown it for the strings that the function returns, else the string becomes a name. what is "" if
// it does not, or if the run has shown otherwise.
func (p *Line) comesAgain(made *ssa.Convert) (at token.Pos, what string) {
	if n, ok := p.Texts[p.site.Func]; ok {
		if r := returnsPartOf(made, map[ssa.Value]bool{}); r != nil {
			if n.Distinct > mostDistinct*n.Made {
				return 0, ""
			}
			what = fmt.Sprintf("%s returns %s strings in each operation, of which %s are different: a table of them, or the last one kept and compared first, as string(b) == last, which allocates nothing", nameOf(made.Parent()), few(n.Made), few(n.Distinct))
			if !slices.Contains(r.Results, ssa.Value(made)) {
				what += "; they are parts of it: cut the bytes first, and convert what is returned, or convert the line once for all of its parts"
			}
			return r.Pos(), what
		}
	}
	return p.isName(made, 0, map[ssa.Value]bool{})
}

// returnsPartOf returns the instruction that returns a text, or part of it; nil if none does.
func returnsPartOf(v ssa.Value, seen map[ssa.Value]bool) *ssa.Return {
	if seen[v] {
		return nil
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		var found *ssa.Return
		switch r := r.(type) {
		case *ssa.Return:
			return r
		case *ssa.Phi, *ssa.ChangeType, *ssa.Slice, *ssa.MakeInterface:
			found = returnsPartOf(r.(ssa.Value), seen)
		case *ssa.Call:
			if cutsText(r) {
				found = returnsPartOf(r, seen)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// cutsText reports whether a call returns the text that it is given, part of it, or another form of it.
func cutsText(c *ssa.Call) bool {
	switch name := nameOfCall(c); name {
	case "strings.ToLower", "strings.ToUpper", "net/textproto.CanonicalMIMEHeaderKey", "net/http.CanonicalHeaderKey", "net/textproto.TrimString":
		return true
	default:
		return strings.HasPrefix(name, "strings.Trim")
	}
}

// mostDistinct is the part of the strings that may be different ones.
const mostDistinct = 0.4

// isName returns the line on which a string becomes the key of a map, or a field that is called as names are, and
// the text of the evidence; "" if it does not.
func (p *Line) isName(v ssa.Value, depth int, seen map[ssa.Value]bool) (at token.Pos, what string) {
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
		case *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Slice:
			if at, what = p.isName(r.(ssa.Value), depth, seen); what != "" {
				return at, what
			}
		case *ssa.Call:
			if at, what = p.isNameGiven(r, v, depth, seen); what != "" {
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
func (p *Line) isNameReturned(ret *ssa.Return, v ssa.Value, depth int, seen map[ssa.Value]bool) (at token.Pos, what string) {
	for part := range p.atCallers(ret, v) {
		if at, what = p.isName(part, depth+1, seen); what != "" {
			return at, what
		}
	}
	stack := p.ownStack()
	for i := 0; i+1 < len(stack); i++ { // calls by way of interfaces
		if fn := p.function(stack[i]); fn == nil || p.fns[fn.node] != ret.Parent() {
			continue
		}
		for _, c := range p.callsAbove(ret.Parent(), stack[i+1]) {
			for j, part := range parts(c) {
				if j >= len(ret.Results) || ret.Results[j] != v {
					continue
				}
				if at, what = p.isName(part, depth+1, seen); what != "" {
					return at, what
				}
			}
		}
		break
	}
	return 0, ""
}

// isNameGiven looks what a function does with a text that it is given.
func (p *Line) isNameGiven(c *ssa.Call, v ssa.Value, depth int, seen map[ssa.Value]bool) (at token.Pos, what string) {
	if cutsText(c) {
		return p.isName(c, depth, seen)
	}
	fn := c.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return 0, ""
	}
	for i, arg := range c.Call.Args {
		if arg != v || i >= len(fn.Params) {
			continue
		}
		if at, what = p.isName(fn.Params[i], depth+1, seen); what != "" {
			return at, what
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
