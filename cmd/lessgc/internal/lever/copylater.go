package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var copyLater = &Lever{
	Name:  "copy-later",
	Title: "pass the original, and copy it only where it is changed or kept",
	way:   fewerCopies,
	Looks: "calls of a method or function Copy, Clone or DeepCopy, one or more in each operation, whose result has the type of what is copied; and the lines of such a method in the module itself. Not where the copy becomes an element of a slice or map.",
	Wrong: "when the copy is changed, or kept, on most paths, or the original changes while the copy is used.",
	Before: `func (c *Cache) Serve(r *Msg) *Msg {
	req := r.Copy() // also for a hit, which only reads it
	if m := c.get(req); m != nil {
		return m
	}
	return c.next(req)
}`,
	After: `func (c *Cache) Serve(r *Msg) *Msg {
	if m := c.get(r); m != nil {
		return m
	}
	return c.next(r.Copy())
}`,
	Model: "What the copy allocates goes on the paths that do without it.",
	Risk:  Aliasing,
	Asks:  "Do most paths only read the copy, so that it can be made where the first of the others begins, or is there another copy already?",
	Saves: Saves{Alloc: Range{0.3, 1}, Collect: Range{0.3, 1}, Work: Range{0, 0.5}},
	find:  findCopyLater,
}

func findCopyLater(p *Line) (f Finding) {
	if !p.often() {
		return f
	}
	for _, c := range p.callsOnLine() {
		fn, ok := copyCalled(c)
		if !ok || collected(c) {
			continue
		}
		share := p.leaves(func(l site.Leaf) bool { return len(l.Path) > 0 && strings.HasSuffix(l.Path[0].Func, "."+fn.Name()) })
		if share > 0 {
			return Finding{Share: share, Evidence: []Evidence{
				p.at(c.Pos(), fmt.Sprintf("%s makes a whole copy of a %s%s", fn.Name(), short(c.Type()), p.inEach())),
			}}
		}
	}
	fn := p.body()
	if fn == nil || fn.Signature.Recv() == nil || !isCopying(fn.Signature, fn.Signature.Recv().Type(), fn.Name()) {
		return f
	}
	caller, share := p.copiedFor(fn)
	if share < 0.5 {
		return f
	}
	return Finding{Share: p.direct() * share, Evidence: []Evidence{
		p.at(fn.Pos(), fmt.Sprintf("%s makes a whole copy of a %s%s", nameOf(fn), short(fn.Signature.Recv().Type()), p.inEach())),
		{Text: fmt.Sprintf("most of the copies, %.0f %% of the bytes, are made for this line", 100*share), File: caller.File, Line: caller.Line},
	}}
}

// collected reports whether a copy becomes an element of a slice or map: it is kept, or one of a larger copy.
func collected(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Store:
			_, element := in.Addr.(*ssa.IndexAddr)
			return element && in.Val == v
		case *ssa.MapUpdate:
			return in.Value == v
		case *ssa.MakeInterface, *ssa.TypeAssert, *ssa.ChangeInterface:
			return collected(in.(ssa.Value))
		}
		return false
	})
}

// copyCalled is the function of a call, and whether it makes a whole copy of its receiver or first argument.
func copyCalled(c *ssa.Call) (fn *types.Func, ok bool) {
	fn, _ = callee(c.Common())
	if fn == nil || strings.HasPrefix(fn.FullName(), "slices.") || strings.HasPrefix(fn.FullName(), "bytes.") || strings.HasPrefix(fn.FullName(), "strings.") {
		return nil, false // copy-once has these
	}
	var of types.Type
	switch {
	case fn.Signature().Recv() != nil:
		of = fn.Signature().Recv().Type()
	case len(c.Call.Args) > 0:
		of = c.Call.Args[0].Type()
	default:
		return nil, false
	}
	return fn, isCopying(fn.Signature(), of, fn.Name())
}

// isCopying reports whether a function is one that copies what has a type, by its name and its result: that type itself, a
// pointer to it, or an interface that it implements.
func isCopying(sig *types.Signature, of types.Type, name string) bool {
	if sig.Results().Len() == 0 || !copyName(name) {
		return false
	}
	result := sig.Results().At(0).Type()
	if it, ok := result.Underlying().(*types.Interface); ok {
		return it.NumMethods() > 0 && (types.Implements(of, it) || types.Implements(types.NewPointer(of), it))
	}
	return types.Identical(derefType(result), derefType(of))
}

// copyName reports whether a function is there to copy, by its name: Copy, DeepCopy, cloneMap, but not Copyright or CopyTo.
func copyName(name string) bool {
	for _, verb := range []string{"Clone", "Copy", "clone", "copy"} {
		at := strings.Index(name, verb)
		if at < 0 || at > 0 && !strings.EqualFold(name[:at], "deep") && !strings.EqualFold(name[:at], "must") {
			continue
		}
		rest := name[at+len(verb):]
		next, _ := utf8.DecodeRuneInString(rest)
		if !unicode.IsLower(next) && !strings.HasPrefix(rest, "To") && !strings.HasPrefix(rest, "From") && !strings.HasPrefix(rest, "Into") {
			return true
		}
	}
	return false
}

// copiedFor is the line that has most of the copies made, outside of the function itself, and its share of the bytes.
func (p *Line) copiedFor(fn *ssa.Function) (caller prof.Frame, share float64) {
	sums := map[prof.Frame]int64{}
	for _, l := range p.site.Leaves {
		for _, f := range l.Callers {
			if at := p.function(f); at != nil && p.fns[at.node] != fn {
				sums[f] += l.Bytes
				break
			}
		}
	}
	most := int64(0)
	for f, n := range sums {
		if n > most || n == most && (f.File < caller.File || f.File == caller.File && f.Line < caller.Line) {
			most, caller = n, f
		}
	}
	return caller, float64(most) / float64(max(p.site.Bytes, 1))
}
