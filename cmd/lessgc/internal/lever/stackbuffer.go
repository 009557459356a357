package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var stackBuffer = &Lever{
	Name:    "stack-buffer",
	Title:   "begin with an array on the stack",
	Subject: "start the buffer on the stack",
	Looks:   "a slice of a size that is not constant, or one that grows from nothing, of 512 bytes or less on average, that does not leave the function: it is on the heap only because its size is not known when the program is compiled. And a bytes.Buffer for a short text.",
	Wrong:   "when most sizes are larger than the array: these are allocated as before. When most are of 32 bytes or less, which the profile does not have: for these more is zeroed than before. When the function is deeply recursive, and its frame should stay small.",
	Before: `key := make([]byte, 0, len(name)+1+len(value))
key = append(key, name...)
…
return string(key)`,
	After: `key := make([]byte, 0, 128) // up to 128 bytes stay on the stack
if n := len(name) + 1 + len(value); n > cap(key) {
	key = make([]byte, 0, n)
}
key = append(key, name...)
…
return string(key)`,
	Model: "What fits is not allocated: the share of the bytes that the sizes in the profile show.",
	Risk:  NoRisk,
	Asks:  "Do most sizes fit in an array of constant size? Then append to that, cut to length 0; go build -gcflags=-m reports whether it stays on the stack. In a loop, declare it before the loop.",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	Rewrite: "A bytes.Buffer in a local variable, empty at first, declared by a statement of its own. All that is done with it, in the function and by own functions that get its address, are calls of methods that write text, tell its length or cut it to a length, and String; what its Bytes are is only read, by the function and functions of the standard library that do not keep it, after the last write, and nil is not told from empty there. It is not copied, given to an interface (but for fmt's), captured by a function literal or used by a deferred call, and no call leads back to its function. " +
		"Nine tenths of the texts fit in 512 bytes, in the runs of the profile; the others grow, and at least half of the bytes of all growth is saved (four fifths where a slice takes the buffer's place, which grows by smaller steps). The compiler does not leave the memory on the stack where WriteRune is called, or fmt prints to the buffer. A call of WriteRune for an ASCII character in quotes, whose results nothing takes, becomes one of WriteByte, and what fmt prints of strings, numbers and bools, in a statement of its own, writes of the parts, as plain-format says. Else, or where a number would be written by way of AvailableBuffer, the buffer becomes a slice to which append, functions of strconv, utf8.AppendRune and fmt.Append add: each write is a statement then, whose results nothing takes, in the function itself, which has no goto, and in no loop but those around the declaration: a long text would have a slice allocate more than a buffer, which doubles. " +
		"Of a text that is a sum, up to five parts are appended one by one where each can be evaluated behind the first append: it has no effects, cannot panic, and does not mention the buffer. strconv appends a number, or what it quotes, itself. " +
		"Or a slice whose length or capacity is computed, an int, made by a statement of its own. Its memory does not leave the function, and it is not captured, deferred or given to a goroutine; no element has its address taken; and no method of an interface, function value, or function that may keep it as far as the compiler can tell gets it. No call leads back to the function. In a loop, each iteration makes its own, zeroed, and the next does not see it. " +
		"The size is evaluated once, but for one that is the same each time: a local variable that nothing else changes, its length, or the sum or difference of two of these or of one and a constant. It is a sum of lengths and constants, such a sum times a constant, or a variable that is set to one of these once: none is negative, for which make panics in words of its own. A slice with a length is cut to it, and nothing is appended to it; where the capacity may be seen, as by slicing beyond the length, none is changed. What text-twice can make a strings.Builder is left to it. " +
		"Nine tenths of the slices in the profile need more than the 32 bytes that the compiler has on the stack anyway, and fit in a power of two of elements, of 128 to 512 bytes. These are zeroed in each call, and are at most four times the mean size of the slices that fit: zeroing 64 bytes takes about a nanosecond, and the smallest allocation twenty." + otherStatements + " They get the room that was measured of the one.",
	find: findStackBuffer,
}

// mostOnStack is the mean size in bytes of what the stack should have.
const mostOnStack = 512

func findStackBuffer(p *Line) (f Finding) {
	if f, s, room := p.stackedBuffer(); f.Edits != nil {
		return p.alike(f, s, false, func(other ast.Stmt) []Edit { return p.bufferAlike(other, room) })
	}
	if f, s := p.smallSlice(nil); f.Edits != nil {
		return p.alike(f, s.stmt, true, func(other ast.Stmt) []Edit { return p.sliceAlike(other, s) })
	}
	if f = p.bufferOfText(); f.Evidence != nil {
		return f
	}
	if p.direct() < 0.5 || !p.madeAgain() || p.objectSize() > mostOnStack {
		return f
	}
	all := p.allocators()
	for _, in := range all {
		var text, why string
		v, _ := in.(ssa.Value)
		switch in := in.(type) {
		case *ssa.MakeSlice:
			text, why = "a "+short(in.Type()), "its size is not constant"
		case *ssa.Alloc:
			if v = literalThatGrows(in); v == nil {
				continue
			}
			text, why = "a "+short(v.Type()), "it may outgrow the literal that it begins with"
		case *ssa.Call:
			if !callsBuiltin(in, "append") {
				continue
			}
			switch {
			case fromNothing(in.Call.Args[0], map[ssa.Value]bool{}):
				text, why = "a "+short(in.Type()), "it grows from nothing"
			case p.begunByCallers(in):
				text, why = "a "+short(in.Type()), "the callers that have it appended to begin it without room"
			default:
				continue
			}
		default:
			continue
		}
		if !p.unmoved(v) {
			continue
		}
		size := 32
		for float64(size) < 2*p.objectSize() {
			size *= 2
		}
		elems := max(1, size/int(p.elemBytes(v.Type())))
		elem := v.Type().Underlying().(*types.Slice).Elem()
		return Finding{Share: p.direct(), Evidence: []Evidence{
			p.at(in.Pos(), p.onHeapBecause(text, why)),
			p.at(in.Pos(), fmt.Sprintf("the slice does not leave %s, so an array [%d]%s on the stack would have room for most", nameOf(in.Parent()), elems, short(elem))),
		}}
	}
	return f
}

// onHeapBecause says of the memory that a line allocates why it is not on the stack.
func (p *Line) onHeapBecause(what, why string) string {
	text := fmt.Sprintf("%s of %s on average is on the heap because %s", what, bytesOf(p.objectSize()), why)
	if n := p.each(); n > 0 && !p.onlyBeside() {
		text += fmt.Sprintf("; an operation makes %s of them", few(n))
	}
	return text
}

// mostOfBuffer is the mean size in bytes of a bytes.Buffer that an array should be instead; the first takes 64.
const mostOfBuffer = 128

// bufferOfText is about a bytes.Buffer in which a function puts a short text together.
func (p *Line) bufferOfText() (f Finding) {
	share := p.leaves(func(l site.Leaf) bool {
		return len(l.Path) > 0 && strings.HasPrefix(l.Path[0].Func, "bytes.(*Buffer).Write")
	})
	if share < 0.5 || p.objectSize() > mostOfBuffer {
		return f
	}
	for _, c := range p.callsOnLine() {
		if len(c.Call.Args) == 0 || !strings.HasPrefix(nameOfCall(c), "(*bytes.Buffer).Write") {
			continue
		}
		made, ok := c.Call.Args[0].(*ssa.Alloc)
		if !ok || !onlyMakesText(made) {
			continue
		}
		return Finding{Share: share, Evidence: []Evidence{
			p.at(c.Pos(), fmt.Sprintf("a bytes.Buffer allocates at least 64 bytes, here %.0f on average%s", p.objectSize(), p.inEach())),
			p.at(made.Pos(), nameOf(made.Parent())+" only makes a string of the buffer, so appending to an array [64]byte on the stack would do instead"),
		}}
	}
	return f
}

// onlyMakesText reports whether a bytes.Buffer is written to, becomes a string, and is used for nothing else.
func onlyMakesText(made *ssa.Alloc) bool {
	text := false
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			name := nameOfCall(in)
			if in.Call.Args[0] != ssa.Value(made) || !strings.HasPrefix(name, "(*bytes.Buffer).Write") && name != "(*bytes.Buffer).String" && name != "(*bytes.Buffer).Len" {
				return false
			}
			text = text || name == "(*bytes.Buffer).String"
		default:
			return false
		}
	}
	return text
}

// literalThatGrows is the slice of a literal, if append is called with it or with what it may be; nil if it is not.
func literalThatGrows(made *ssa.Alloc) ssa.Value {
	if made.Comment != "slicelit" {
		return nil
	}
	for _, in := range *made.Referrers() {
		cut, ok := in.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, in := range *cut.Referrers() {
			if phi, ok := in.(*ssa.Phi); ok && slices.ContainsFunc(*phi.Referrers(), func(in ssa.Instruction) bool { return callsBuiltin(in, "append") }) || callsBuiltin(in, "append") {
				return cut
			}
		}
	}
	return nil
}

// unmoved reports whether a slice that a function makes is used by it, and by what it calls, and no more: on
// the stack it could be, if its size were known.
func (p *Line) unmoved(v ssa.Value) bool {
	c := p.course(v)
	if !c.dropped() || len(c.keeps) > 0 || c.returned || c.public || len(c.unknown) > 0 || p.leavesBy(v.Pos(), true) {
		return false
	}
	for _, in := range c.lent {
		if callee := in.Common().StaticCallee(); callee == nil || !strings.HasPrefix(fullName(callee), "(encoding/binary.") && takesInterface(callee.Signature) {
			return false // what is called by an interface may keep it, for all the compiler knows
		}
	}
	return true
}

// takesInterface reports whether a function has a parameter that is an interface.
func takesInterface(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if types.IsInterface(v.Type()) {
			return true
		}
	}
	return false
}

// begunByCallers reports whether an append adds to a parameter that is empty or a literal in all calls, but for those
// of the function itself, which give it what has been added to.
func (p *Line) begunByCallers(in *ssa.Call) bool {
	param, ok := in.Call.Args[0].(*ssa.Parameter)
	if !ok || isPublic(param.Parent()) || p.mayBeInvoked(param.Parent()) {
		return false
	}
	i, begun := slices.Index(param.Parent().Params, param), false
	for _, c := range p.callsOf(param.Parent()) {
		args := c.Common().Args
		if p.inTest(c.Pos()) {
			continue
		}
		if i >= len(args) || args[i] != ssa.Value(in) && !isSmallLiteral(args[i]) && !fromNothing(args[i], map[ssa.Value]bool{}) {
			return false
		}
		begun = begun || args[i] != ssa.Value(in)
	}
	return begun
}

// isSmallLiteral reports whether a value is a slice literal of few elements, without room for more.
func isSmallLiteral(v ssa.Value) bool {
	cut, ok := v.(*ssa.Slice)
	if !ok || cut.Low != nil || cut.High != nil {
		return false
	}
	made, ok := cut.X.(*ssa.Alloc)
	if !ok || made.Comment != "slicelit" {
		return false
	}
	array, ok := elemOf(made).Underlying().(*types.Array)
	return ok && array.Len() <= fewSlots
}

// fromNothing reports whether a slice is nil, or what append has made of that.
func fromNothing(v ssa.Value, seen map[ssa.Value]bool) bool {
	return beginsAs(v, seen, func(v ssa.Value) bool {
		cut, ok := v.(*ssa.Slice)
		return isNilConst(v) || ok && isEmptySlice(cut)
	})
}
