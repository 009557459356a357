package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var writeParts = &Lever{
	Name:    "write-parts",
	Title:   "write the parts, instead of putting them together",
	Subject: "write the parts one by one",
	Looks:   "strings that are put together, or converted, on the line, and are only given to a method or function that writes them: Write, WriteString, io.WriteString, fmt.Fprint, or a function of the program which only looks at them and writes them. Also what a method String or the like of another module makes.",
	Wrong:   "when the writer is not buffered, and each write is a system call or a packet; when others write in between.",
	Before:  `io.WriteString(w, name+": "+value+"\r\n")`,
	After: `io.WriteString(w, name)
io.WriteString(w, ": ")
io.WriteString(w, value)
io.WriteString(w, "\r\n")
// or append them to a buffer that is used again, and write that`,
	Model: "The text goes whole, and what it takes to copy it.",
	Risk:  NoRisk,
	Asks:  "Is the writer a buffer, or may there be one buffer for all that is written?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}},
	Rewrite: "The text is a sum of strings, what strings.Join returns, a character or a few bytes, and goes to a bytes.Buffer, a strings.Builder or a bufio.Writer that no type of the program is behind: they hand on the same bytes in the same order. " +
		"The number of bytes is not used, nor the error of a bufio.Writer, which comes with Flush, too. An operand that could panic is evaluated before anything is written, calls in their order, and none changes the writer.",
	find: findWriteParts,
}

func findWriteParts(p *Line) (f Finding) {
	split := p.splitsWrite()
	if split.Edits != nil {
		return split
	}
	if f = p.calledToWrite(); f.Evidence != nil {
		return f
	}
	made := slices.DeleteFunc(p.allocators(), func(in ssa.Instruction) bool {
		sum, ok := in.(*ssa.BinOp)
		return ok && isOperand(sum)
	})
	for _, in := range made {
		v, ok := in.(ssa.Value)
		if !ok || !isString(v.Type()) && !isBytes(v.Type()) {
			return Finding{}
		}
		to := writtenBy(v)
		if to == nil {
			return p.writtenByCallers(v)
		}
		fn, _ := callee(to.Common())
		f.Evidence = append(f.Evidence, p.at(to.Pos(), fmt.Sprintf("the text, %.0f bytes on average, is only written, by %s", p.objectSize(), fn.Name())))
	}
	f.Share = p.direct()
	return f
}

// calledToWrite is about the text that a method of another module makes of its receiver, and that is only written.
func (p *Line) calledToWrite() (f Finding) {
	for _, c := range p.callsOnLine() {
		fn := c.Call.StaticCallee()
		if fn == nil || len(fn.Blocks) > 0 || fn.Signature.Recv() == nil || fn.Signature.Params().Len() > 0 || otherWay(nameOfCall(c)) != "" || isBuilderMethod(profiledName(nameOfCall(c))) ||
			!isString(c.Type()) && !isBytes(c.Type()) {
			continue
		}
		to, share := writtenBy(c), p.leavesOf(c)
		if to == nil || share < leastCostly {
			continue
		}
		by, _ := callee(to.Common())
		return Finding{Share: share, Evidence: []Evidence{
			p.at(c.Pos(), fmt.Sprintf("%s makes a text of its receiver, %.0f bytes on average%s", nameOfCall(c), p.objectSize(), p.inEach())),
			p.at(to.Pos(), fmt.Sprintf("it is only written, by %s", by.Name())),
		}}
	}
	return f
}

// writtenByCallers is about a text that is a result of the line's function, and that most callers only write.
func (p *Line) writtenByCallers(v ssa.Value) (f Finding) {
	fn := p.body()
	i, ok := resultOf(v, 0)
	if !ok {
		return f
	}
	var write *ssa.Call
	writers := p.callersThat(fn, func(c *ssa.Call) bool {
		for n, part := range parts(c) {
			if to := writtenBy(part); n == i && to != nil {
				write = to
				return true
			}
		}
		return false
	})
	if writers.share < 0.5 {
		return f
	}
	return Finding{Share: p.direct() * writers.share, Evidence: []Evidence{
		p.at(fn.Pos(), fmt.Sprintf("%s puts the text together, %.0f bytes on average%s", nameOf(fn), p.objectSize(), p.inEach())),
		p.at(write.Pos(), fmt.Sprintf("callers that only write it have %.0f %% of the bytes: a function that writes the parts makes no text", 100*writers.share)),
	}}
}

// writtenBy is the call that writes a text, if nothing else is done with it; or nil.
func writtenBy(v ssa.Value) (call *ssa.Call) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Convert:
			if call != nil {
				return nil
			}
			if call = writtenBy(r); call == nil {
				return nil
			}
		case *ssa.Call:
			if writes, ok := passedOn(r, v, 0); call != nil || !writes || !ok {
				return nil
			}
			call = r
		default:
			return nil
		}
	}
	return call
}

// farWrite limits the functions that may pass on what is written.
const farWrite = 3

// passedOn reports whether a function writes a text that it is given, and whether it does nothing else than that and look at it.
func passedOn(c *ssa.Call, v ssa.Value, depth int) (writes, ok bool) {
	if fn, _ := callee(c.Common()); fn != nil && isWrite(fn) {
		return true, true
	}
	if builtin, ok := c.Call.Value.(*ssa.Builtin); ok {
		return false, builtin.Name() == "len"
	}
	fn := c.Call.StaticCallee()
	if fn == nil || depth == farWrite {
		return false, false
	}
	if len(fn.Blocks) == 0 {
		return false, fn.Pkg != nil && slices.Contains([]string{"strings", "unicode/utf8"}, fn.Pkg.Pkg.Path()) && !isString(c.Type())
	}
	for i, arg := range c.Call.Args {
		if arg != v {
			continue
		}
		w, ok := usedForWrites(fn.Params[i], depth)
		if !ok {
			return false, false
		}
		writes = writes || w
	}
	return writes, true
}

// usedForWrites is passedOn for a value inside of a function.
func usedForWrites(v ssa.Value, depth int) (writes, ok bool) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.Index, *ssa.Range:
			if sum, ok := r.(*ssa.BinOp); ok && sum.Op == token.ADD {
				return false, false
			}
		case *ssa.Slice:
			w, ok := usedForWrites(r, depth)
			if !ok {
				return false, false
			}
			writes = writes || w
		case *ssa.Call:
			w, ok := passedOn(r, v, depth+1)
			if !ok {
				return false, false
			}
			writes = writes || w
		default:
			return false, false
		}
	}
	return writes, true
}

// isWrite reports whether a function writes a text that it is given, by its name and type.
func isWrite(fn *types.Func) bool {
	if fn.FullName() == "io.WriteString" {
		return true
	}
	return fn.Signature().Recv() != nil && strings.HasPrefix(fn.Name(), "Write") && !strings.HasPrefix(fn.Name(), "WriteHeader")
}
