package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var writeParts = &Rule{
	Name:   "write-parts",
	Title:  "write the parts, instead of putting them together",
	Looks:  "strings that are put together, or converted, on the line, and are only given to a method or function that writes them: Write, WriteString, io.WriteString, fmt.Fprint.",
	Wrong:  "when the writer is not buffered, and each write is a system call or a packet; when others write in between.",
	Before: `io.WriteString(w, name+": "+value+"\r\n")`,
	After: `io.WriteString(w, name)
io.WriteString(w, ": ")
io.WriteString(w, value)
io.WriteString(w, "\r\n")
// or append them to a buffer that is used again, and write that`,
	Model: "The text goes whole, and what it takes to copy it.",
	Risk:  NoRisk,
	Asks:  "Is the writer a buffer, or may there be one buffer for all that is written?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}},
	find:  findWriteParts,
}

func findWriteParts(p *Place) (f Finding) {
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
			return Finding{}
		}
		fn, _ := callee(to.Common())
		f.Evidence = append(f.Evidence, p.at(to.Pos(), fmt.Sprintf("the text, %.0f bytes on the average, is only written, by %s", p.objectSize(), fn.Name())))
	}
	f.Share = p.direct()
	return f
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
			fn, _ := callee(r.Common())
			if call != nil || fn == nil || !isWrite(fn) {
				return nil
			}
			call = r
		default:
			return nil
		}
	}
	return call
}

// isWrite reports whether a function writes a text that it is given, by its name and type.
func isWrite(fn *types.Func) bool {
	if fn.FullName() == "io.WriteString" {
		return true
	}
	return fn.Signature().Recv() != nil && strings.HasPrefix(fn.Name(), "Write") && !strings.HasPrefix(fn.Name(), "WriteHeader")
}
