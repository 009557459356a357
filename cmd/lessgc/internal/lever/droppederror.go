package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var droppedError = &Lever{
	Name:  "dropped-error",
	Title: "do not make an error that is only compared with nil",
	Looks: "an error that a function makes, with a text or an object of its own, when most of the bytes are made for callers that only ask whether there is one; and calls of other packages' functions that fail so.",
	Wrong: "when the callers that read the text are the common ones in production.",
	Before: `if n, err := parseNumber(s); err == nil { // fails for most texts, with a text in the error
	return n
}
return s`,
	After: `if s != "" && (s[0] == '-' || '0' <= s[0] && s[0] <= '9') { // else it is none
	if n, err := parseNumber(s); err == nil {
		return n
	}
}
return s`,
	Model: "The error goes, with its text, for the callers that drop it.",
	Risk:  NoRisk,
	Asks:  "Can the callers tell before the call that it will fail, by the first byte or the type, or have a form of the function that returns false (or one error made once) instead?",
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.6, 1}, Work: Range{0.2, 1}},
	find:  findDroppedError,
}

// leastDroppedErrors is the smallest number of objects of dropped errors in an operation that is reported.
const leastDroppedErrors = 2

func findDroppedError(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < leastDroppedErrors {
		return f
	}
	if f = p.failedCall(); f.Evidence != nil {
		return f
	}
	if !p.onlyErrors() {
		return f
	}
	sum, most := int64(0), int64(0)
	var at token.Pos
	for _, l := range p.site.Leaves {
		pos := p.droppedAt(append([]prof.Frame{p.site.Frame}, l.Callers...))
		if !pos.IsValid() {
			continue
		}
		sum += l.Bytes
		if l.Bytes > most {
			most, at = l.Bytes, pos
		}
	}
	share := float64(sum) / float64(max(p.site.Bytes, 1))
	if share < 0.5 {
		return f
	}
	return Finding{Share: share, Evidence: []Evidence{
		{"an error is made here" + p.inEach(), p.site.File, p.site.Line},
		p.at(at, fmt.Sprintf("here it is only compared with nil, or dropped; such callers have %.0f %% of the bytes", 100*share)),
	}}
}

// onlyErrors reports whether all that the line allocates, it allocates on the way to returning an error that it makes.
func (p *Line) onlyErrors() bool {
	fn := p.body()
	if fn == nil || errorResult(fn.Signature) < 0 {
		return false
	}
	n := 0
	for in := range p.instructions() {
		_, isCall := in.(*ssa.Call)
		if !isCall && !mayAllocate(in) {
			continue
		}
		if !endsInError(in.Block()) {
			return false
		}
		n++
	}
	return n > 0
}

// errorResult is the number of the last result if it is an error; else -1.
func errorResult(sig *types.Signature) int {
	n := sig.Results().Len()
	if n > 0 && isError(sig.Results().At(n-1).Type()) {
		return n - 1
	}
	return -1
}

// mostReturned is by how many callers an error may be handed up.
const mostReturned = 4

// droppedAt is the call, of those on a stack, whose caller does nothing with the error but to compare it with nil;
// those below hand it up. It is no position if one of them does anything else with it.
func (p *Line) droppedAt(stack []prof.Frame) token.Pos {
	for i := 0; i+1 < len(stack) && i < mostReturned; i++ {
		at := p.function(stack[i])
		if at == nil || p.fns[at.node] == nil {
			return 0
		}
		call := p.callAbove(p.fns[at.node], stack[i+1])
		if call == nil || p.inTest(call.Pos()) {
			return 0
		}
		tested, returned := errorUses(call)
		if tested {
			return call.Pos()
		}
		if !returned {
			return 0
		}
	}
	return 0
}

// errorUses reports whether the error that a call returns is only compared with nil, or else returned as it is and nothing else.
func errorUses(call *ssa.Call) (tested, returned bool) {
	i := errorResult(call.Call.Signature())
	if i < 0 {
		return false, false
	}
	tested, returned = true, false
	for j, part := range parts(call) {
		if j != i {
			continue
		}
		for _, in := range *part.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.BinOp:
				if !isNilConst(in.X) && !isNilConst(in.Y) {
					return false, false
				}
			case *ssa.Return:
				tested, returned = false, slices.Index(in.Results, part) == len(in.Results)-1
				if !returned {
					return false, false
				}
			default:
				return false, false
			}
		}
	}
	return tested, returned
}

// makeErrors are functions that make errors, as profiles name them, for those that call them. The last ones make what they
// return themselves.
var makeErrors = []string{"errors.New", "fmt.Errorf", "strconv.syntaxError", "strconv.rangeError", "time.newParseError", "net/url.Parse", "net/netip.ParseAddr"}

// failedCall is about a call, of a function of another package, that fails with an error which nothing reads.
func (p *Line) failedCall() (f Finding) {
	for _, c := range p.callsOnLine() {
		callee := c.Call.StaticCallee()
		if callee == nil || c.Call.Signature().Results().Len() < 2 || slices.Contains(makeErrors[:2], nameOfCall(c)) {
			continue
		}
		if tested, _ := errorUses(c); !tested {
			continue
		}
		name := profiledName(fullName(callee))
		share := p.leaves(func(l site.Leaf) bool {
			return len(l.Path) > 0 && l.Path[0].Func == name && failsOn(l.Path)
		})
		if share > f.Share && share >= leastCostly {
			f = Finding{Share: share, Calls: []string{name}, Evidence: []Evidence{
				p.at(c.Pos(), fmt.Sprintf("%s fails and makes an error, which is only compared with nil%s: look at the first byte, the length or the type before the call", nameOf(callee), p.inEach())),
			}}
		}
	}
	return f
}

// failsOn reports whether what a path allocates is for an error.
func failsOn(path []prof.Frame) bool {
	for i, f := range path {
		if slices.Contains(makeErrors, f.Func) && (i > 0 || len(path) == 1) {
			return true
		}
	}
	return false
}
