package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var textTwice = &Lever{
	Name:    "text-twice",
	Title:   "make the string at once, without bytes of its own before",
	Subject: "use strings.Builder",
	way:     fewerCopies,
	Looks:   "bytes or runes that were allocated for a text: a slice that is made or appended to, a line that bufio.Reader.ReadBytes returns, the result of a function that copies. They are copied once more, by string(b), and the slice is not kept.",
	Wrong:   "when the slice is used again for the next text, or has room for it on the stack: then the string is the only copy.",
	Before: `b := make([]byte, 0, len(s))
for … {
	b = append(b, c)
}
return string(b)`,
	After: `var b strings.Builder
b.Grow(len(s))
for … {
	b.WriteByte(c)
}
return b.String() // no copy
// or append to a slice that is kept for the next text, and copy only the result`,
	Model: "One of two copies goes.",
	Risk:  NoRisk,
	Asks:  "Are the bytes used for nothing else, so that a strings.Builder, ReadSlice or a slice that is used again can take their place?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	Rewrite: "A local slice of bytes or runes, which a statement of a block declares, alone and empty, and no function literal captures: all that is done with it is to append to it, in statements of their own, to ask for its length, and to make strings of all of it. " +
		"What is appended are bytes or runes, or all of a string or slice of bytes, and not made of the slice; of several, none calls a function. A strings.Builder writes the same, U+FFFD for a rune that is none, as a conversion has it. " +
		"Runes are not counted, but asked whether there are any. The slice is never told from nil, and nothing can tell how much room it has. " +
		"Bytes have room from the beginning, for a length or a sum of lengths, which Grow makes as well; runes may begin without, as a builder takes a quarter of their memory, or up to all of it, in as many steps. " +
		"The profile has as many bytes of the slice as of the strings, and of the builder's memory no more than one and a half times what they need, which they keep.",
	find: findTextTwice,
}

func findTextTwice(p *Line) (f Finding) {
	made, share := p.textFrom(types.Byte, types.Rune)
	if made == nil {
		return f
	}
	o := &freshness{p: p, seen: map[ssa.Value]bool{}}
	if !o.fresh(made.X, 0) || o.what == "" || !o.seenOnHeap() {
		return f
	}
	f = Finding{Share: share, Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("text of %.0f bytes on average is copied into a string%s", p.objectSize(), p.inEach())),
		p.at(o.at, o.what+": the text is allocated twice"),
	}}
	f.Edits, f.Also, f.What = p.builtText(made)
	return f
}

// textFrom is the only conversion of the line to a string, from a slice of one of some types, and the share of
// the bytes that it allocates: half of them where the line appends or makes an interface, too.
func (p *Line) textFrom(elems ...types.BasicKind) (made *ssa.Convert, share float64) {
	others := 0
	for _, in := range p.allocators() {
		switch in := in.(type) {
		case *ssa.Convert:
			from, ok := in.X.Type().Underlying().(*types.Slice)
			if !ok || !isString(in.Type()) || !isOneOf(from.Elem(), elems) {
				return nil, 0
			}
			if made != nil && made.X != in.X {
				return nil, 0
			}
			made = in
		case *ssa.MakeInterface, *ssa.Call:
			others++
		case *ssa.Alloc: // a variable for the string
			if !isString(elemOf(in)) {
				return nil, 0
			}
			others++
		default:
			return nil, 0
		}
	}
	share = p.direct()
	if others > 0 {
		share /= 2
	}
	return made, share
}

func isOneOf(t types.Type, kinds []types.BasicKind) bool {
	basic, ok := t.Underlying().(*types.Basic)
	for _, k := range kinds {
		if ok && basic.Kind() == k {
			return true
		}
	}
	return false
}

// How the function of a line gets bytes.
const (
	bytesMade     = "the bytes are allocated here"
	bytesAppended = "the bytes are gathered by append"
)

// A freshness finds out whether bytes were allocated for their use here.
type freshness struct {
	p    *Line
	seen map[ssa.Value]bool
	at   token.Pos // where they were
	what string

	own []token.Pos // where the function itself allocates them
	far bool        // a function that it calls may
}

// seenOnHeap reports whether the profile has bytes that the function allocates for the text: the compiler leaves up to 32 on the stack, and
// those of a constant size.
func (o *freshness) seenOnHeap() bool {
	if o.far || o.p.Sites == nil {
		return true
	}
	lines := map[prof.Frame]bool{}
	for _, pos := range o.own {
		lines[o.p.frameOf(pos)] = true
	}
	return slices.ContainsFunc(o.p.sitesAt(lines), func(s *site.Site) bool { return s != o.p.site || len(o.p.allocators()) > 1 })
}

func (o *freshness) found(at token.Pos, what string) bool {
	if what == bytesMade || what == bytesAppended {
		o.own = append(o.own, at)
	} else {
		o.far = true
	}
	if o.what == "" && at.IsValid() {
		o.at, o.what = at, what
	}
	return true
}

// passes reports whether a slice, and what it becomes by append, is stored nowhere: it is read, or given to calls.
func passes(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.IndexAddr, *ssa.BinOp, *ssa.Convert, *ssa.UnOp, *ssa.Range, *ssa.If:
		case *ssa.Slice, *ssa.Phi:
			if !passes(r.(ssa.Value), seen) {
				return false
			}
		case *ssa.Call:
			if callsBuiltin(r, "append") && r.Call.Args[0] == v && !passes(r, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// returnsBytes are functions that return bytes which they allocate.
var returnsBytes = map[string]bool{
	"(*bufio.Reader).ReadBytes": true, "bytes.Clone": true, "bytes.ToLower": true, "bytes.ToUpper": true, "bytes.ReplaceAll": true,
	"bytes.Replace": true, "bytes.Join": true, "bytes.Map": true, "bytes.Repeat": true, "io.ReadAll": true, "io/ioutil.ReadAll": true, "encoding/json.Marshal": true,
	"encoding/hex.DecodeString": true, "(*encoding/base64.Encoding).DecodeString": true, "(*regexp.Regexp).ReplaceAll": true,
}

// cutsBytes are functions that return part of the bytes that they are given.
func cutsBytes(name string) bool {
	return strings.HasPrefix(name, "bytes.Trim") || strings.HasPrefix(name, "bytes.Cut") || name == "bytes.Fields"
}

func (o *freshness) fresh(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	if o.seen[v] {
		return true
	}
	o.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice:
		return passes(v, map[ssa.Value]bool{}) && o.found(v.Pos(), bytesMade)
	case *ssa.Slice:
		return isEmptySlice(v) && !isCut(v) || isSlice(v.X.Type()) && o.fresh(v.X, depth)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !o.fresh(e, depth) {
				return false
			}
		}
		return true
	case *ssa.ChangeType:
		return o.fresh(v.X, depth)
	case *ssa.TypeAssert:
		return o.fresh(v.X, depth)
	case *ssa.MakeInterface:
		return o.fresh(v.X, depth)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return o.result(c, v.Index, depth)
		}
		if a, ok := v.Tuple.(*ssa.TypeAssert); ok {
			return v.Index == 0 && o.fresh(a.X, depth)
		}
	case *ssa.Call:
		return o.result(v, 0, depth)
	case *ssa.Parameter:
		return o.given(v, depth)
	}
	return false
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// result reports whether what a call returns was allocated for it.
func (o *freshness) result(c *ssa.Call, index, depth int) bool {
	if callsBuiltin(c, "append") {
		return (isEmptySlice(c.Call.Args[0]) && !isCut(c.Call.Args[0]) || o.fresh(c.Call.Args[0], depth)) && passes(c, map[ssa.Value]bool{}) && o.found(c.Pos(), bytesAppended)
	}
	name := nameOfCall(c)
	if returnsBytes[name] {
		return index == 0 && o.found(c.Pos(), "the bytes are what "+name[strings.LastIndexByte(name, '.')+1:]+" returns")
	}
	if len(c.Call.Args) > 0 && (cutsBytes(name) || appends(name)) {
		return o.fresh(c.Call.Args[0], depth)
	}
	fn := c.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	inner := &freshness{p: o.p, seen: map[ssa.Value]bool{}}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && (index >= len(ret.Results) || !inner.freshResult(ret.Results[index], depth+1)) {
			return false
		}
	}
	return inner.what != "" && o.found(c.Pos(), "the bytes are what "+fn.Name()+" returns")
}

// freshResult is fresh of what a function returns: it leaves it.
func (o *freshness) freshResult(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return o.found(v.Pos(), bytesMade)
	case *ssa.MakeInterface:
		return o.freshResult(v.X, depth)
	case *ssa.Slice:
		return isSlice(v.X.Type()) && o.freshResult(v.X, depth)
	case *ssa.Call:
		if callsBuiltin(v, "append") {
			return (isEmptySlice(v.Call.Args[0]) && !isCut(v.Call.Args[0]) || o.freshResult(v.Call.Args[0], depth)) && o.found(v.Pos(), bytesAppended)
		}
	case *ssa.Phi:
		if o.seen[v] {
			return true
		}
		o.seen[v] = true
		for _, e := range v.Edges {
			if !o.freshResult(e, depth) {
				return false
			}
		}
		return true
	}
	return o.fresh(v, depth)
}

// isCut reports whether an empty slice may have room: that of another slice, or of an array.
func isCut(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return true
	}
	array, ok := elemOf(a).Underlying().(*types.Array)
	return !ok || array.Len() > 0
}

// given reports whether all callers give bytes that they had allocated for it.
func (o *freshness) given(param *ssa.Parameter, depth int) bool {
	fn := param.Parent()
	i := 0
	for i < len(fn.Params) && fn.Params[i] != param {
		i++
	}
	calls := o.p.ownCalls(fn)
	if len(calls) == 0 || isPublic(fn) {
		return false
	}
	for _, c := range calls {
		if i >= len(c.Common().Args) || !o.fresh(c.Common().Args[i], depth+1) {
			return false
		}
	}
	return true
}
