package lever

import (
	"fmt"
	"go/types"
	"strings"

	"lessgc/cmd/lessgc/internal/site"
)

var bufferForm = &Lever{
	Name:  "buffer-form",
	Title: "call the form that takes a buffer",
	Looks: "calls of functions and methods of other modules that return bytes or text of their own, where the package has another form of the same that takes a buffer: AppendX, XAppend, XTo, XBuffer.",
	Wrong: "when the result is kept, and so has to have memory of its own.",
	Before: `out, err := msg.Pack()
conn.Write(out)`,
	After: `out, err := msg.AppendPack(c.buf[:0])
c.buf = out
conn.Write(out)`,
	Model: "The result goes into memory that is there.",
	Risk:  Aliasing,
	Asks:  "Is the result only looked at or written before the next call, and who can keep the buffer?",
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0.4, 0.95}},
	find:  findBufferForm,
}

func findBufferForm(p *Line) (f Finding) {
	for _, c := range p.callsOnLine() {
		fn, _ := callee(c.Common())
		if fn == nil || fn.Pkg() == nil || p.decls[fn.Origin()] != nil || !returnsText(fn) {
			continue
		}
		name := profiled(fn)
		share := p.leaves(func(l site.Leaf) bool { return len(l.Path) > 0 && l.Path[0].Func == name })
		other := withBuffer(fn)
		if other == "" || share <= f.Share {
			continue
		}
		f = Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), fmt.Sprintf("%s makes the result%s; %s takes a buffer", fn.Name(), p.perOperation(), other))}}
	}
	return f
}

// returnsText reports whether a function returns bytes or a string that it makes, and is given no buffer.
func returnsText(fn *types.Func) bool {
	results := fn.Signature().Results()
	if results.Len() == 0 || !isBytes(results.At(0).Type()) && !isString(results.At(0).Type()) {
		return false
	}
	return !strings.Contains(fn.Name(), "Append")
}

// withBuffer is the name of the form of a function that takes a buffer; "" if its package has none.
func withBuffer(fn *types.Func) string {
	for _, name := range []string{"Append" + fn.Name(), fn.Name() + "Append", fn.Name() + "Buffer", fn.Name() + "To", "AppendTo", fn.Name() + "Into", "Append"} {
		var found types.Object
		if recv := fn.Signature().Recv(); recv != nil {
			found, _, _ = types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), name)
		} else if name != "AppendTo" && name != "Append" {
			found = fn.Pkg().Scope().Lookup(name)
		}
		other, ok := found.(*types.Func)
		if !ok || !other.Exported() {
			continue
		}
		for v := range other.Signature().Params().Variables() {
			if isBytes(v.Type()) {
				return name
			}
		}
	}
	return ""
}
