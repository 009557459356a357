package lever

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// reflectBeyond finds calls of functions of other modules that work by reflection: those that call function values, and those of
// package reflect2.
func (p *Line) reflectBeyond() (f Finding) {
	for _, c := range p.callsOnLine() {
		name := nameOfCall(c)
		method := name[strings.LastIndexByte(name, '.')+1:]
		share, text := 0.0, ""
		if strings.Contains(name, reflect2) {
			share, text = p.leaves(func(l site.Leaf) bool {
				return len(l.Path) > 0 && l.Path[0].Package() == reflect2 && strings.HasSuffix(l.Path[0].Func, "."+method)
			}), insteadOfReflect2(c, method)
			name = "reflect2." + method
		} else if name != "" {
			share, name = p.callsValues(method)
			text = "it calls a function value by reflection: slices for arguments and results, a copy of each argument that is an interface. A type switch over the most common types of functions, before, calls them directly; the others go by reflection as before"
		}
		if share >= 0.5 && text != "" {
			made := fmt.Sprintf("%.0f %% of the bytes are those of %s%s", 100*share, name, p.inEach())
			return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), made), p.at(c.Pos(), text)}}
		}
	}
	return f
}

const (
	reflect2    = "github.com/modern-go/reflect2"
	leastByCall = 0.2 // share of the bytes that Value.Call makes itself, below a function
)

// callsValues is the share of the bytes below a function of another module, of some name, that calls function values by
// reflect.Value.Call.
func (p *Line) callsValues(method string) (share float64, name string) {
	name, share = p.most(func(l site.Leaf) string {
		if len(l.Path) == 0 || !strings.HasSuffix(l.Path[0].Func, "."+method) || !strings.Contains(l.Path[0].Package(), ".") {
			return ""
		}
		return l.Path[0].Func
	})
	byCall := p.leaves(func(l site.Leaf) bool {
		if len(l.Path) == 0 || l.Path[0].Func != name {
			return false
		}
		at := slices.IndexFunc(l.Path, func(f prof.Frame) bool { return f.Func == "reflect.Value.Call" })
		return at >= 0 && !slices.ContainsFunc(l.Path[at:], func(f prof.Frame) bool { return f.Package() != "reflect" })
	})
	if byCall < leastByCall {
		return 0, ""
	}
	return share, name[strings.LastIndexByte(name, '/')+1:]
}

// insteadOfReflect2 returns what to do instead of a call of package reflect2, or in another way; "" if there is nothing.
func insteadOfReflect2(c *ssa.Call, method string) string {
	switch method {
	case "New", "UnsafeNew":
		switch {
		case givenTo(c, "UnsafeIndirect", "Indirect"):
			return "the object is filled, and copied to become an interface: decode bools, numbers and strings, by the Kind of the type, into a variable and return that as any; bools and integers below 256 then take no memory at all"
		case repeats(c.Block()) && givenTo(c, "UnsafeSetIndex", "SetIndex", "UnsafeSet", "Set"):
			return "the object is scratch space of the loop, which the assignment copies: make it once before the loop, and set it to zero (UnsafeSet of a zero value) for the next"
		}
	case "Iterate", "UnsafeIterate":
		return "the iterator and the one of the runtime in it are objects of their own, of some 200 bytes for each map: range over the common types directly (for k, v := range *(*map[string]string)(ptr)), and keep this for the others"
	case "MakeMap", "UnsafeMakeMap":
		if text := "a map of a common type, such as map[string]any, is made and set directly (*(*map[string]any)(ptr) = make(map[string]any, n)), without the pointer to it that this makes"; len(c.Call.Args) > 0 {
			if isInt(c.Call.Args[len(c.Call.Args)-1], 0) {
				return "it is made without a size, and grows: give it the number of elements, which the input tells; " + text
			}
			return text
		}
	case "SetIndex", "UnsafeSetIndex":
		if madeEmpty(c.Parent()) {
			return "the map grows, as it was made without a size: make it with the number of elements, which the input tells"
		}
	}
	return ""
}

// givenTo reports whether a value is given to a method of package reflect2 that has one of some names.
func givenTo(c *ssa.Call, names ...string) bool {
	return slices.ContainsFunc(*c.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		name := nameOfCall(call)
		return strings.Contains(name, reflect2) && slices.Contains(names, name[strings.LastIndexByte(name, '.')+1:])
	})
}

// madeEmpty reports whether a function makes a map without a size, by package reflect2.
func madeEmpty(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if ok && strings.Contains(nameOfCall(call), reflect2) && strings.HasSuffix(nameOfCall(call), "MakeMap") && isInt(call.Call.Args[len(call.Call.Args)-1], 0) {
				return true
			}
		}
	}
	return false
}
