package lever

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var scanText = &Lever{
	Name:  "scan-text",
	Title: "scan the text where it is, without a copy",
	way:   fewerCopies,
	Looks: "a string that is copied into a []byte or []rune, or bytes copied into a string, only to be looked at: by index, len, slicing, range or comparison, here or in functions that are given it.",
	Wrong: "when most texts have characters beyond ASCII and are read at random positions: a []rune gives the nth at once.",
	Before: `runes := []rune(s)
for i := 0; i < len(runes); i++ {
	if runes[i] == '"' {`,
	After: `for i, r := range s { // or s[i], if only ASCII characters are looked for
	if r == '"' {`,
	Model: "The copy goes whole, and what it takes to make it.",
	Risk:  NoRisk,
	Asks:  "Does what looks at the copy find the same in the text itself?",
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	find:  findScanText,
}

func findScanText(p *Line) (f Finding) {
	for _, in := range p.allocators() {
		made, ok := in.(*ssa.Convert)
		if !ok {
			return Finding{}
		}
		look := looking{seen: map[ssa.Value]bool{}}
		if !look.only(made, 0) || !look.read {
			return Finding{}
		}
		if !look.at.IsValid() { // of a range
			look.at = made.Pos()
		}
		f.Evidence = append(f.Evidence,
			p.at(made.Pos(), fmt.Sprintf("a copy of %.0f bytes on average, as a %s", p.objectSize(), short(made.Type()))),
			p.at(look.at, "it is only looked at, here"))
		f.Share = p.direct()
	}
	return f
}

// looking finds out whether text is only read.
type looking struct {
	seen map[ssa.Value]bool
	read bool
	at   token.Pos // where it is read
}

func (l *looking) only(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth > 3 {
		return false
	}
	if l.seen[v] {
		return true
	}
	l.seen[v] = true
	for _, r := range *v.Referrers() {
		if !l.use(v, r, depth) {
			return false
		}
	}
	return true
}

func (l *looking) use(v ssa.Value, in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Slice, *ssa.Phi, *ssa.IndexAddr:
		return l.only(in.(ssa.Value), depth)
	case *ssa.UnOp:
		l.read, l.at = true, in.Pos()
		return in.Op == token.MUL
	case *ssa.Index, *ssa.Lookup, *ssa.Range:
		l.read, l.at = true, in.(ssa.Value).Pos()
		return true
	case *ssa.Convert: // a piece of it becomes text again
		l.read, l.at = true, in.Pos()
		_, slice := v.Type().Underlying().(*types.Slice)
		return slice
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "len"
		}
		fn := in.Call.StaticCallee()
		if fn == nil || len(fn.Blocks) == 0 {
			return false
		}
		for i, arg := range in.Call.Args {
			if arg == v && (i >= len(fn.Params) || !l.only(fn.Params[i], depth+1)) {
				return false
			}
		}
		return true
	}
	return false
}
