package lever

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var reflectDirect = &Lever{
	Name:  "reflect-direct",
	Title: "take the common types directly, or work in place, instead of a copy that reflect makes",
	Looks: "calls of package reflect that make an object of their own: MakeSlice whose slice is set in another Value, New as scratch space of a loop, Call, Interface for a type assertion, MapIndex and the keys and values of MapRange, Convert, Method and MethodByName, and the fields of a type in a loop. Functions of other modules that call a function value by reflect.Value.Call, and calls of package reflect2 (github.com/modern-go).",
	Wrong: "when the types are seldom the common ones: the type switch is one more test then. When a method of the value keeps its address (UnmarshalJSON of a pointer, for example): scratch space must not be used again.",
	Before: `returns := fn.Call(args) // upper, lower, trim: func(string) string
return returns[0].Interface()`,
	After: `if f, ok := fn.Interface().(func(string) string); ok {
	return f(args[0].String())
}
returns := fn.Call(args)
return returns[0].Interface()`,
	Model: "The copies and headers go for the types that are taken directly, and with them the work of reflect.",
	Risk:  NoRisk,
	Asks:  "Are most values here of a few common types, and does nothing keep the memory that reflect makes at this line?",
	Saves: Saves{Alloc: Range{0.3, 0.95}, Collect: Range{0.3, 0.95}},
	find:  findReflectDirect,
}

// A reflection is a function of package reflect that makes an object, and what to do without it.
type reflection struct {
	call  string                            // as callers name it
	leaf  string                            // as profiles do
	least float64                           // share of the bytes
	fits  func(p *Line, c *ssa.Call) string // what to do; "" where that does not fit
}

var reflections = []reflection{
	{"reflect.MakeSlice", "reflect.MakeSlice", 0.15, setSlice},
	{"reflect.New", "reflect.New", 0.5, scratchValue},
	{"reflect.New", "reflect.New", 0.5, askedOnly},
	{"reflect.Append", "reflect.Append", 0.15, appendsSet},
	{"(reflect.Value).MapKeys", "reflect.Value.MapKeys", 0.3, func(*Line, *ssa.Call) string {
		return "MapKeys makes a slice, and an object for each key: range over the common type of the map directly, or take a MapIter and set one Value by SetIterKey"
	}},
	{"(reflect.Value).Interface", "reflect.Value.Interface", 0.5, copiesLarge},
	{"(reflect.Value).Call", "reflect.Value.Call", 0.4, func(*Line, *ssa.Call) string {
		return "Call makes slices for arguments and results, and an object for each result: a type switch over the most common types of functions calls them directly"
	}},
	{"(reflect.Value).Interface", "reflect.Value.Interface", 0.5, assertedOnly},
	{"(reflect.Value).MapIndex", "reflect.Value.MapIndex", 0.5, func(*Line, *ssa.Call) string {
		return "MapIndex copies the element into an object: a map of a common type, such as map[string]any, is asserted and indexed directly"
	}},
	{"(*reflect.MapIter).Key", "reflect.(*MapIter).Key", 0.5, iterated},
	{"(*reflect.MapIter).Value", "reflect.(*MapIter).Value", 0.5, iterated},
	{"(reflect.Value).Convert", "reflect.Value.Convert", 0.5, converted},
	{"(reflect.Value).MethodByName", "reflect.Value.MethodByName", 0.5, lookedUp},
	{"(reflect.Value).Method", "reflect.Value.Method", 0.5, lookedUp},
	{"(reflect.Type).Field", "reflect.(*rtype).Field", 0.5, func(p *Line, c *ssa.Call) string {
		if !repeats(c.Block()) {
			return ""
		}
		return "Field makes the index of each field anew: keep what the fields of a type say in a sync.Map by reflect.Type"
	}},
}

func findReflectDirect(p *Line) (f Finding) {
	if len(librarySetting.find(p).Evidence) > 0 {
		return f
	}
	for _, r := range reflections {
		share := p.byReflect(r.leaf)
		if share < r.least {
			continue
		}
		for _, c := range p.callsOnLine() {
			if nameOfCall(c) != r.call {
				continue
			}
			if text := r.fits(p, c); text != "" {
				made := fmt.Sprintf("%.0f %% of the bytes are those of %s itself%s", 100*share, r.leaf, p.inEach())
				return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), made), p.at(c.Pos(), text)}}
			}
		}
	}
	return p.reflectBeyond()
}

// inEach describes how many objects an operation makes at the line, that of the benchmark which makes most, if that is known and more than one.
func (p *Line) inEach() string {
	if n := p.each(); n >= 1.5 {
		return fmt.Sprintf("; an operation makes up to %s objects here", few(n))
	}
	return ""
}

// byReflect is the share of the bytes that a function of package reflect makes for itself: not the elements of a slice, nor
// what grows, nor what the functions make that it calls.
func (p *Line) byReflect(name string) float64 {
	return p.leaves(func(l site.Leaf) bool {
		if len(l.Path) == 0 || l.Path[0].Func != name {
			return false
		}
		last := l.Path[len(l.Path)-1]
		return last.Package() == "reflect" && last.Func != "reflect.unsafe_NewArray" && !strings.HasPrefix(last.Func, "reflect.map") && last.Func != "reflect.growslice"
	})
}

// nameOfCall is the full name of what a call calls, by an interface too; "" if it is a function value.
func nameOfCall(c *ssa.Call) string {
	if c.Call.IsInvoke() {
		return c.Call.Method.FullName()
	}
	if callee := c.Call.StaticCallee(); callee != nil {
		return fullName(callee)
	}
	return ""
}

// setSlice fits a slice with elements that is set in another Value, or returned for one of its type.
func setSlice(p *Line, c *ssa.Call) string {
	if !p.goes("1.20") || isInt(c.Call.Args[1], 0) && isInt(c.Call.Args[2], 0) {
		return ""
	}
	if !slices.ContainsFunc(usesOfValue(c), func(u valueUse) bool {
		return u.name == "(reflect.Value).Set" && u.arg == 1 || u.returned && typeFrom(c.Call.Args[0]) != nil
	}) {
		return ""
	}
	return "MakeSlice makes a slice header besides the elements, which is dropped when the slice is set: where the target can be set, SetZero, Grow(n) and SetLen(n) make the elements there (Go 1.20)"
}

// scratchValue fits an element that is copied to where it stays, and made again in a loop.
func scratchValue(p *Line, c *ssa.Call) string {
	uses := usesOfValue(elemOfNew(c))
	if slices.ContainsFunc(uses, func(u valueUse) bool { return u.returned }) {
		return p.returnedValue(c)
	}
	if !repeats(c.Block()) {
		return ""
	}
	copied, again := "", false
	for _, u := range uses {
		again = again || u.name == "(reflect.Value).SetZero" && u.arg == 0
		switch u.name {
		case "", "(reflect.Value).Addr", "(reflect.Value).UnsafeAddr":
			return ""
		case "(reflect.Value).SetMapIndex", "(reflect.Value).Set", "reflect.Append":
			if u.arg > 0 {
				copied = u.name
			}
		}
	}
	if copied == "" {
		return ""
	}
	if again {
		return "the object is scratch space, which the loop uses again: keep it for the next call too, by its type, in the receiver or a pool"
	}
	return "the object is scratch space, which " + strings.NewReplacer("(reflect.Value).", "", "reflect.", "").Replace(copied) + " copies: make it once and empty it by SetZero for the next, or fill the element of a slice in place"
}

// returnedValue fits an element that callers copy to where it stays.
func (p *Line) returnedValue(c *ssa.Call) string {
	if n := p.each(); n > 0 && n < 2 {
		return ""
	}
	elem := elemOfNew(c)
	for _, in := range *elem.Referrers() {
		ret, ok := in.(*ssa.Return)
		if !ok {
			continue
		}
		for part := range p.atCallers(ret, elem) {
			for _, u := range usesOfValue(part) {
				if u.arg > 0 && (u.name == "(reflect.Value).SetMapIndex" || u.name == "(reflect.Value).Set" || u.name == "reflect.Append") || u.name == "" {
					return "the object is filled and returned, and callers copy it to where it stays: hand down that Value (Index(i) of a slice with room, a field), so that it is filled in place"
				}
			}
		}
	}
	return ""
}

// askedOnly fits a new object of a type that is only asked whether it has some methods.
func askedOnly(p *Line, c *ssa.Call) string {
	n := 0
	var asked func(v ssa.Value) bool
	asked = func(v ssa.Value) bool {
		for _, in := range *v.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.Call:
				if name := nameOfCall(in); name != "(reflect.Value).Interface" || !asked(in) {
					return false
				}
			case *ssa.TypeAssert:
				if !in.CommaOk || !types.IsInterface(in.AssertedType) || calledPart(in) {
					return false
				}
				n++
			case *ssa.Phi:
				if !asked(in) {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	if !asked(c) || n == 0 {
		return ""
	}
	return "the object is made only to ask whether it has the methods of an interface: reflect.PointerTo(t).Implements says that of the type, and can be kept by type"
}

// calledPart reports whether a call has what an assertion gives, at once.
func calledPart(assert *ssa.TypeAssert) bool {
	for i, part := range parts(assert) {
		if i == 0 && slices.ContainsFunc(*part.Referrers(), func(in ssa.Instruction) bool { _, call := in.(ssa.CallInstruction); return call }) {
			return true
		}
	}
	return false
}

// appendsSet fits elements that are added to a slice which is then set in a Value.
func appendsSet(p *Line, c *ssa.Call) string {
	if !p.goes("1.20") || !slices.ContainsFunc(usesOfValue(c), func(u valueUse) bool { return u.name == "(reflect.Value).Set" && u.arg == 1 || u.returned }) {
		return ""
	}
	return "Append makes a slice header for its result, and the elements were Values of their own: where the target can be set, Grow(n) and SetLen(n) make room in it, and Index(i) is each element in place (Go 1.20)"
}

// leastBoxed is the size in bytes of a copy that is worth a pointer.
const leastBoxed = 32

// copiesLarge fits an interface made of an element or field that has an address.
func copiesLarge(p *Line, c *ssa.Call) string {
	made, ok := c.Call.Args[0].(*ssa.Call)
	if !ok || p.objectSize() < leastBoxed {
		return ""
	}
	switch nameOfCall(made) {
	case "(reflect.Value).Index", "(reflect.Value).Field", "(reflect.Value).Elem", "(reflect.Value).FieldByIndex":
		return "Interface copies the whole value into an object: Addr().Interface() is a pointer to it and copies nothing, where what follows takes pointers, too, and the value has an address"
	}
	return ""
}

// elemOfNew is the element of a pointer, if nothing but that is asked of it; nil otherwise.
func elemOfNew(c *ssa.Call) (elem ssa.Value) {
	for _, in := range *c.Referrers() {
		call, ok := in.(*ssa.Call)
		if !ok || elem != nil || nameOfCall(call) != "(reflect.Value).Elem" {
			return nil
		}
		elem = call
	}
	return elem
}

// A valueUse is a use of a reflect.Value: as an argument of a call, the receiver being the first. Function values
// are called func, and other uses have no name.
type valueUse struct {
	name     string
	arg      int
	returned bool
}

// usesOfValue are the uses of a reflect.Value, which may be nil.
func usesOfValue(v ssa.Value) (all []valueUse) {
	seen := map[ssa.Value]bool{}
	var walk func(ssa.Value)
	walk = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, in := range *v.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.Phi:
				walk(in)
			case *ssa.Call:
				all = append(all, valueUse{name: cmp.Or(nameOfCall(in), "func"), arg: slices.Index(in.Call.Args, v)})
			case *ssa.Store:
				use := valueUse{}
				if isAppendedVararg(in) {
					use = valueUse{name: "reflect.Append", arg: 1}
				}
				all = append(all, use)
			case *ssa.Return:
				all = append(all, valueUse{returned: true})
			default:
				all = append(all, valueUse{})
			}
		}
	}
	if v != nil {
		walk(v)
	}
	return all
}

// isAppendedVararg reports whether a Value is stored as an element that reflect.Append is given.
func isAppendedVararg(in *ssa.Store) bool {
	element, ok := in.Addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	array, ok := element.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" {
		return false
	}
	return slices.ContainsFunc(*array.Referrers(), func(in ssa.Instruction) bool {
		s, ok := in.(*ssa.Slice)
		return ok && slices.ContainsFunc(*s.Referrers(), func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			return ok && nameOfCall(call) == "reflect.Append"
		})
	})
}

// assertedOnly fits an interface that is only asked for its type.
func assertedOnly(p *Line, c *ssa.Call) string {
	n := 0
	for _, in := range *c.Referrers() {
		if call, ok := in.(*ssa.Call); ok && nameOfCall(call) == "reflect.TypeOf" {
			return "Interface copies the value into an object, and its type is asked for: Type of the Value tells that without, but for interfaces"
		}
	}
	for _, in := range *c.Referrers() {
		switch in.(type) {
		case *ssa.TypeAssert:
			n++
		case *ssa.DebugRef, *ssa.BinOp:
		default:
			return ""
		}
	}
	if n == 0 {
		return ""
	}
	return "Interface copies the value into an object, only for a type assertion: reflect.TypeAssert (Go 1.25) does not, nor does a look at Type or Kind before"
}

// iterated fits the key or value of an iteration.
func iterated(p *Line, c *ssa.Call) string {
	if !repeats(c.Block()) {
		return ""
	}
	return "each element of the map becomes an object: range over the common type of the map directly, or set one Value by SetIterKey or SetIterValue"
}

// converted fits a conversion, of a number that is only read above all.
func converted(p *Line, c *ssa.Call) string {
	for _, u := range usesOfValue(c) {
		switch u.name {
		case "(reflect.Value).Int", "(reflect.Value).Uint", "(reflect.Value).Float", "(reflect.Value).String":
			return "Convert makes an object for a value that is only read: " + strings.TrimPrefix(u.name, "(reflect.Value).") + " reads it without, where its Kind is the same"
		}
	}
	return "Convert makes an object, even of a value that has the type already: compare the types before"
}

// lookedUp fits a method that is found anew each time.
func lookedUp(p *Line, c *ssa.Call) string {
	return "the method is found anew, and its type made, each time: keep its number in a sync.Map by reflect.Type and name, with none for types that lack it"
}
