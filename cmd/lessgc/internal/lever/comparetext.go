package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var compareText = &Lever{
	Name:  "compare-text",
	Title: "compare without making the text first",
	way:   fewerCopies,
	Looks: "text that the line puts together, converts, splits or gets from a call, and that is only compared after that: by operators, switch, len, functions such as strings.EqualFold and strings.HasPrefix, or by functions of the program that do no more. Also what a function returns, when its callers do no more with it.",
	Wrong: "when the text is compared with many others: make it once, before.",
	Before: `for _, x := range pending {
	if strings.EqualFold(x.instance+"."+x.domain, name) {`,
	After: `for _, x := range pending {
	if len(name) == len(x.instance)+1+len(x.domain) && strings.EqualFold(x.instance, name[:len(x.instance)]) && …
// or keep the full name in x, made when it is first asked for`,
	Model: "The text goes whole, and what it takes to copy it.",
	Risk:  NoRisk,
	Asks:  "Can both sides be compared part by part where they are, or the text be kept with what it is made of?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}, Work: Range{0, 0.6}},
	find:  findCompareText,
}

func findCompareText(p *Line) (f Finding) {
	for _, s := range p.spots() {
		if call, ok := s.node.(*ast.CallExpr); ok && p.readsTag(call) {
			return f // kept by type, it is made once
		}
	}
	counted, here, other := map[*types.Func]bool{}, 0, 0
	for in := range p.instructions() {
		v, ok := in.(ssa.Value)
		if !ok || !isString(v.Type()) && !isStrings(v.Type()) {
			continue
		}
		by, makes := makesText(v)
		at, compared := (&comparison{p: p, seen: map[ssa.Value]bool{}}).of(v)
		switch {
		case !makes || by != nil && counted[by]:
		case by == nil && compared:
			here++
			f.Evidence = append(f.Evidence, p.at(at, fmt.Sprintf("the text, %.0f bytes on average, is only compared, here", p.objectSize())))
		case by == nil:
			other++
		case compared && p.below(by) > 0:
			counted[by] = true
			f.Share += p.below(by)
			f.Calls = append(f.Calls, profiled(by))
			f.Evidence = append(f.Evidence, p.at(at, fmt.Sprintf("what %s makes, %.0f bytes on average, is only compared, here", by.Name(), p.objectSize())))
		}
	}
	all := slices.DeleteFunc(p.allocators(), func(in ssa.Instruction) bool {
		v, ok := in.(*ssa.BinOp)
		return ok && isOperand(v)
	})
	if here > 0 && other == 0 && here == len(all) {
		f.Share += p.direct()
	}
	return f
}

// makesText reports whether a value is text with memory of its own, and which function makes it: nil for
// the line itself.
func makesText(v ssa.Value) (by *types.Func, ok bool) {
	switch v := v.(type) {
	case *ssa.BinOp, *ssa.Convert:
		return nil, mayAllocate(v.(ssa.Instruction)) && !isOperand(v)
	case *ssa.Call:
		by, _ = callee(v.Common())
		return by, by != nil
	}
	return nil, false
}

// callee is the function or method that a call names, of an interface too; nil if it is a value.
func callee(c *ssa.CallCommon) (fn *types.Func, static bool) {
	if c.IsInvoke() {
		return c.Method, false
	}
	called := c.StaticCallee()
	if called == nil {
		return nil, false
	}
	fn, _ = called.Object().(*types.Func)
	return fn, true
}

// isOperand reports whether a text is only part of one that is put together: there is one memory for all.
func isOperand(v ssa.Value) bool {
	return len(*v.Referrers()) > 0 && !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		sum, ok := in.(*ssa.BinOp)
		_, debug := in.(*ssa.DebugRef)
		return !debug && (!ok || sum.Op != token.ADD)
	})
}

func isStrings(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && isString(s.Elem())
}

// comparison finds out whether text is only compared.
type comparison struct {
	p     *Line
	seen  map[ssa.Value]bool
	at    token.Pos // where it is
	depth int
}

func (c *comparison) of(v ssa.Value) (at token.Pos, ok bool) {
	ok = c.value(v)
	return c.at, ok && c.at.IsValid()
}

func (c *comparison) value(v ssa.Value) bool {
	if v == nil || v.Referrers() == nil || len(c.seen) > longest {
		return false
	}
	if c.seen[v] {
		return true
	}
	c.seen[v] = true
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { return !c.use(v, in) })
}

func (c *comparison) use(v ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Phi, *ssa.ChangeType, *ssa.Slice, *ssa.IndexAddr:
		return c.value(in.(ssa.Value))
	case *ssa.UnOp: // an element
		return in.Op == token.MUL && c.value(in)
	case *ssa.Index, *ssa.Lookup:
		return isString(v.Type())
	case *ssa.Store: // an element of the same slice, to another index
		_, element := in.Addr.(*ssa.IndexAddr)
		return element && c.seen[in.Addr] || in.Addr == v
	case *ssa.BinOp:
		if in.Op == token.ADD {
			return false
		}
		c.at = in.Pos()
		return true
	case *ssa.Call:
		return c.call(v, in)
	case *ssa.Return:
		return c.result(v, in)
	}
	return false
}

// result follows what the function returns to those of its callers that the profile shows.
func (c *comparison) result(v ssa.Value, ret *ssa.Return) bool {
	if ret.Parent() != c.p.body() || len(ret.Results) != 1 {
		return false
	}
	shown, found := c.p.callers(), 0
	for _, call := range c.p.callsOf(ret.Parent()) {
		at := c.p.fset.Position(call.Pos())
		if call.Value() == nil || !slices.ContainsFunc(shown, func(f prof.Frame) bool {
			return f.Line == at.Line && filepath.Base(f.File) == filepath.Base(at.Filename)
		}) {
			continue
		}
		if found++; !c.value(call.Value()) {
			return false
		}
	}
	return found > 0 && found >= len(shown)
}

// comparing are functions that only compare the text that they are given.
var comparing = map[string]bool{
	"strings.EqualFold": true, "strings.Compare": true, "strings.HasPrefix": true, "strings.HasSuffix": true, "strings.Contains": true,
	"strings.ContainsRune": true, "strings.Index": true, "strings.IndexByte": true, "strings.LastIndex": true, "strings.LastIndexByte": true,
	"bytes.Equal": true, "bytes.EqualFold": true, "bytes.Compare": true, "slices.Contains": true, "slices.Index": true,
}

func (c *comparison) call(v ssa.Value, in *ssa.Call) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len"
	}
	called, static := callee(in.Common())
	if called == nil || !static {
		return false
	}
	if comparing[called.Origin().FullName()] {
		c.at = in.Pos()
		return true
	}
	fn := in.Common().StaticCallee()
	if len(fn.Blocks) == 0 || c.depth >= 2 {
		return false
	}
	c.depth++
	defer func() { c.depth-- }()
	for i, arg := range in.Common().Args {
		if arg == v && (i >= len(fn.Params) || !c.value(fn.Params[i])) {
			return false
		}
	}
	return true
}
