package lever

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var lookupText = &Lever{
	Name:  "lookup-text",
	Title: "look up by the parts, without a text put together for it",
	way:   fewerCopies,
	Looks: "a text that the line puts together of parts, by + or a function of fmt or strings, and that is only a key: of a map, or of methods Get, Lookup, Load, Has, Set, Add and the like. Also what a function returns, when its callers do no more with it.",
	Wrong: "when others write the key, print it, or read it again.",
	Before: `func key(kind, name string) string { return kind + "." + name }

v, ok := cache.Get(key(kind, name))`,
	After: `type key struct{ kind, name string }

v, ok := cache.Get(key{kind, name})
// or, of a map, m[string(buf)] where the parts are appended to a buffer that is used again`,
	Model: "The text goes whole where it is only looked up; a struct that becomes an interface is an object, too.",
	Risk:  NoRisk,
	Asks:  "Can the key be a struct of the parts, or bytes in a buffer that is used again?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.6, 1}, Work: Range{0, 0.3}},
	find:  findLookupText,
}

func findLookupText(p *Line) (f Finding) {
	if !p.often() {
		return f
	}
	for in := range p.instructions() {
		v, ok := in.(ssa.Value)
		if !ok || !isString(v.Type()) {
			continue
		}
		share := p.putTogether(in)
		if share < leastCostly {
			continue
		}
		if at := keyOf(v); at != nil {
			return Finding{Share: share, Evidence: []Evidence{
				p.at(in.Pos(), fmt.Sprintf("a text of %.0f bytes on average is put together%s", p.objectSize(), p.inEach())),
				p.at(at.Pos(), "it is only looked up, here"),
			}}
		}
		i, ok := resultOf(v, 0)
		if !ok {
			continue
		}
		users := p.callersThat(p.body(), func(c *ssa.Call) bool {
			got := resultAt(c, i)
			return got != nil && keyOf(got) != nil
		})
		if users.share >= leastDropped {
			return Finding{Share: share * users.share, Evidence: []Evidence{
				p.at(in.Pos(), fmt.Sprintf("a text of %.0f bytes on average is put together%s", p.objectSize(), p.inEach())),
				p.at(users.call.Pos(), fmt.Sprintf("callers that only look it up have %.0f %% of the bytes", 100*users.share)),
			}}
		}
	}
	return f
}

// putTogether is the share of the bytes that an instruction allocates for a text of several parts; 0 if it makes none.
func (p *Line) putTogether(in ssa.Instruction) float64 {
	switch in := in.(type) {
	case *ssa.BinOp:
		if mayAllocate(in) && !isOperand(in) {
			return p.direct()
		}
	case *ssa.Call:
		switch nameOfCall(in) {
		case "fmt.Sprintf", "fmt.Sprint", "strings.Join":
			return p.leavesOf(in)
		}
	}
	return 0
}

// keyMethods holds the beginnings of the names of functions that look a key up, or set its value.
var keyMethods = []string{"get", "lookup", "load", "has", "contains", "exists", "find", "peek", "set", "add", "put", "store", "delete", "remove", "del"}

// keyOf returns the instruction that looks up a text; nil if none does, or if the text has uses other than as a key.
func keyOf(v ssa.Value) (at ssa.Instruction) {
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeInterface:
			inner := keyOf(in)
			if inner == nil {
				return nil
			}
			at = inner
		case *ssa.Lookup:
			if in.Index != v {
				return nil
			}
			at = in
		case *ssa.MapUpdate:
			if in.Key != v || in.Value == v {
				return nil
			}
			if at == nil {
				at = in
			}
		case *ssa.Call:
			fn, _ := callee(in.Common())
			if fn == nil || fn.Signature().Recv() == nil || !beginsWith(fn.Name(), keyMethods) || !isFirstArgument(in, v) {
				return nil
			}
			if at == nil || strings.HasPrefix(strings.ToLower(fn.Name()), "get") {
				at = in
			}
		default:
			return nil
		}
	}
	if _, only := at.(*ssa.MapUpdate); only {
		return nil
	}
	return at
}

// isFirstArgument reports whether a call of a method is given a value as its first argument, and as no other.
func isFirstArgument(c *ssa.Call, v ssa.Value) bool {
	args := c.Call.Args
	if !c.Call.IsInvoke() {
		args = args[1:]
	}
	return len(args) > 0 && args[0] == v && !slices.Contains(args[1:], v)
}
