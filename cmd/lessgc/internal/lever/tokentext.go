package lever

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var tokenText = &Lever{
	Name:  "token-text",
	Title: "cut the token out of the text, instead of putting its characters together",
	way:   fewerCopies,
	Looks: "a string that a scanner puts together of characters which it reads one by one from a text in memory, by a builder or an append in a loop, and the string of a single character. Not where the characters come from a reader.",
	Wrong: "when most tokens differ from what stands in the text, or a few of them would keep a large text in memory.",
	Before: `var b strings.Builder
for isLetter(l.char) {
	b.WriteRune(l.char)
	l.next()
}
return b.String()`,
	After: `begin := l.offset
for isLetter(l.char) {
	l.next()
}
return l.text[begin:l.offset]
// where there are escapes: build from the first of them on`,
	Model: "A piece of a string takes no memory; what its characters are gathered in goes, too.",
	Risk:  Aliasing,
	Asks:  "Do most tokens stand in the text as they are, and is the text a string, or one that could be made of it once?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}},
	find:  findTokenText,
}

func findTokenText(p *Line) (f Finding) {
	if !p.madeAgain() {
		return f
	}
	single, others := 0, 0
	var at ssa.Instruction
	for _, in := range p.allocators() {
		if made, ok := in.(*ssa.Convert); ok && isString(made.Type()) && isCharacter(made.X.Type()) && p.readsText(made.X, 0, map[ssa.Value]bool{}) {
			single, at = single+1, in
			continue
		}
		others++
	}
	if single > 0 {
		return Finding{Share: p.direct() * float64(single) / float64(single+others), Evidence: []Evidence{
			p.at(at.Pos(), "the text of a single character, which stands in the text that it was read from"+p.perOperation()),
		}}
	}
	for in := range p.instructions() {
		text, share := p.gatheredText(in)
		if text == nil || share == 0 {
			continue
		}
		if read := p.characterOf(text); read != nil {
			return Finding{Share: share, Evidence: []Evidence{
				p.at(in.Pos(), fmt.Sprintf("a text is put together of single characters, %.0f bytes on average%s", p.objectSize(), p.inEach())),
				p.at(read.Pos(), "each is read from a text in memory"),
			}}
		}
	}
	return f
}

// isCharacter reports whether a type is one of runes or bytes.
func isCharacter(t types.Type) bool {
	return isOneOf(t, []types.BasicKind{types.Rune, types.Byte})
}

// gatheredText is the builder, buffer or slice whose text an instruction takes, or to which it adds a character, and the share
// of the bytes that it allocates.
func (p *Line) gatheredText(in ssa.Instruction) (ssa.Value, float64) {
	switch in := in.(type) {
	case *ssa.Convert:
		if isString(in.Type()) && (isRunes(in.X.Type()) || isBytes(in.X.Type())) && gathered(in.X, map[ssa.Value]bool{}) {
			return in.X, p.direct()
		}
	case *ssa.Call:
		if callsBuiltin(in, "append") && (isRunes(in.Type()) || isBytes(in.Type())) && turnedToText(in, map[ssa.Value]bool{}) {
			return in, p.direct()
		}
		name := profiledName(nameOfCall(in))
		if isBuilderMethod(name) && slices.Contains([]string{"String", "WriteRune", "WriteByte"}, name[strings.LastIndexByte(name, '.')+1:]) && !p.onlyWrites(in) {
			return in.Call.Args[0], p.leavesOf(in)
		}
	}
	return nil, 0
}

// onlyWrites reports whether the function of a call never asks for the text of the builder that it writes to.
func (p *Line) onlyWrites(c *ssa.Call) bool {
	for _, other := range builderCalls(c.Parent(), c.Call.Args[0]) {
		if strings.HasSuffix(nameOfCall(other), ".String") {
			return false
		}
	}
	return true
}

// builderCalls are the calls in a function of methods of a builder or buffer.
func builderCalls(fn *ssa.Function, of ssa.Value) (all []*ssa.Call) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if ok && len(c.Call.Args) > 0 && isBuilderMethod(profiledName(nameOfCall(c))) && sameValue(c.Call.Args[0], of) {
				all = append(all, c)
			}
		}
	}
	return all
}

// turnedToText reports whether a slice becomes a string in the end, and is nothing but built before.
func turnedToText(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Convert:
			return isString(in.Type())
		case *ssa.Phi:
			return turnedToText(in, seen)
		case *ssa.Call:
			return callsBuiltin(in, "append") && turnedToText(in, seen)
		}
		return false
	})
}

// characterOf is an instruction in a loop which adds a character of a text in memory to what is gathered; nil if there is none, or
// if something else is added that is not constant.
func (p *Line) characterOf(to ssa.Value) (read ssa.Instruction) {
	added := map[ssa.Instruction]ssa.Value{}
	if isRunes(to.Type()) || isBytes(to.Type()) {
		appendsTo(to, added, map[ssa.Value]bool{})
	} else {
		fn := to.Parent()
		if fn == nil {
			return nil
		}
		for _, c := range builderCalls(fn, to) {
			name := nameOfCall(c)
			switch name = name[strings.LastIndexByte(name, '.')+1:]; name {
			case "WriteRune", "WriteByte", "WriteString", "Write":
				added[c] = c.Call.Args[1]
			case "ReadFrom":
				return nil
			}
		}
	}
	constants := slices.ContainsFunc(slices.Collect(maps.Values(added)), isConst)
	for in, v := range added {
		if isConst(v) {
			continue
		}
		if !p.readsText(v, 0, map[ssa.Value]bool{}) || constants && ofParameter(v) {
			return nil // of a text that is escaped
		}
		if isCharacter(v.Type()) && repeats(in.Block()) && (read == nil || in.Pos() < read.Pos()) {
			read = in
		}
	}
	return read
}

// ofParameter reports whether a character is read from a text that the function is given.
func ofParameter(v ssa.Value) bool {
	var text ssa.Value
	switch x := v.(type) {
	case *ssa.Convert:
		return ofParameter(x.X)
	case *ssa.Index:
		text = x.X
	case *ssa.Lookup:
		text = x.X
	case *ssa.UnOp:
		if at, ok := x.X.(*ssa.IndexAddr); ok {
			text = at.X
		}
	case *ssa.Extract:
		if next, ok := x.Tuple.(*ssa.Next); ok {
			text = next.Iter.(*ssa.Range).X
		}
	}
	_, is := text.(*ssa.Parameter)
	return is
}

// appendsTo finds the appends of single elements that a slice is built by, and what they add.
func appendsTo(v ssa.Value, added map[ssa.Instruction]ssa.Value, seen map[ssa.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			appendsTo(e, added, seen)
		}
	case *ssa.Slice:
		appendsTo(v.X, added, seen)
	case *ssa.Call:
		if !callsBuiltin(v, "append") {
			return
		}
		appendsTo(v.Call.Args[0], added, seen)
		more := v.Call.Args[1]
		if s, ok := more.(*ssa.Slice); ok && isVarargs(s) {
			for _, store := range storesInto(s.X) {
				added[v] = store.Val
			}
			return
		}
		added[v] = more
	}
}

// mostScanner limits the functions and fields between a character and the text.
const mostScanner = 3

// readsText reports whether a character, or a piece, is read from a text in memory: by index, range or package utf8, here, by a
// function without arguments that does no more, or into a field.
func (p *Line) readsText(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true // of a loop
	}
	if depth > mostScanner {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		return true // as for the end of the text
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !p.readsText(e, depth, seen) })
	case *ssa.Convert:
		return p.readsText(v.X, depth, seen)
	case *ssa.Index:
		return true
	case *ssa.Lookup:
		return isString(v.X.Type())
	case *ssa.Slice:
		return isText(v.X.Type()) || isRunes(v.X.Type())
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Next:
			return t.IsString
		case *ssa.Call:
			return p.callReadsText(t, v.Index, depth, seen)
		}
	case *ssa.Call:
		return p.callReadsText(v, 0, depth, seen)
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.IndexAddr:
			return isText(x.X.Type()) || isRunes(x.X.Type())
		case *ssa.FieldAddr:
			return isCharacter(v.Type()) && p.fieldReadsText(x, depth, seen)
		}
	}
	return false
}

// callReadsText is readsText of what a function returns.
func (p *Line) callReadsText(c *ssa.Call, result, depth int, seen map[ssa.Value]bool) bool {
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if strings.HasPrefix(nameOfCall(c), "unicode/utf8.Decode") {
		return true
	}
	if len(fn.Blocks) == 0 || fn.Signature.Params().Len() > 0 {
		return false
	}
	found := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || isConst(ret.Results[result]) {
			continue
		}
		if !p.readsText(ret.Results[result], depth+1, seen) {
			return false
		}
		found = true
	}
	return found
}

// fieldReadsText is readsText of what methods of the type store in a field.
func (p *Line) fieldReadsText(at *ssa.FieldAddr, depth int, seen map[ssa.Value]bool) bool {
	owner := derefType(at.X.Type())
	found := false
	for _, fn := range p.fns {
		if fn.Signature.Recv() == nil || !types.Identical(derefType(fn.Signature.Recv().Type()), owner) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				to, ok := s.Addr.(*ssa.FieldAddr)
				if !ok || to.Field != at.Field || !types.Identical(derefType(to.X.Type()), owner) || isConst(s.Val) {
					continue
				}
				if !p.readsText(s.Val, depth+1, seen) {
					return false
				}
				found = true
			}
		}
	}
	return found
}
