package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var runeText = &Lever{
	Name:  "rune-text",
	Title: "work on the text itself, and not on its runes",
	way:   fewerCopies,

	Subject: "go over the text, not a copy of its runes",
	Looks:   "a text that is converted to []rune and kept, passed on or appended, and pieces of such a slice that become strings again. A rune takes four bytes, and each piece is a copy; a piece of a string is none.",
	Wrong:   "when runes are changed in place, or taken from anywhere by their number.",
	Before: `l.input = []rune(text)
…
word := string(l.input[start:end])`,
	After: `l.input = text // start and end count bytes: i += size of utf8.DecodeRuneInString
…
word := l.input[start:end]`,
	Model: "The runes go, and the copies of pieces.",
	Risk:  API,
	Asks:  "Can offsets count bytes here, so that the string itself is kept and cut?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}},
	Rewrite: "A range goes over runes of a string, and takes each rune or its number, not both: a range over the string has the same runes, U+FFFD for each byte that is none, and as many. " +
		"Runes in a variable are gone over only, or counted once, in no loop, and the string is a constant or a local variable that is never set, and has the same name there. " +
		"The range takes the string as it is when the loop begins, as the conversion did.",
	find: findRuneText,
}

func findRuneText(p *Line) (f Finding) {
	if made, share := p.textFrom(types.Rune); made != nil && !gathered(made.X, map[ssa.Value]bool{}) {
		return Finding{Share: share, Evidence: []Evidence{
			p.at(made.Pos(), fmt.Sprintf("runes become text again, %.0f bytes on the average%s", p.objectSize(), p.inEach())),
		}}
	}
	others := 0
	for _, in := range p.allocators() {
		made, ok := in.(*ssa.Convert)
		if !ok || !isRunes(made.Type()) {
			others++
			continue
		}
		text := "a copy of the text with four bytes for each character"
		for _, r := range *made.Referrers() {
			if callsBuiltin(r, "append") {
				text += ", which is only appended: a range over the string gives the same runes, and a strings.Builder takes the string as it is"
			}
		}
		f.Evidence = append(f.Evidence, p.at(made.Pos(), fmt.Sprintf("%s; %.0f bytes on the average%s", text, p.objectSize(), p.inEach())))
		f.Share, f.Edits = p.direct(), p.withoutRunes()
	}
	if others > 0 {
		f.Share /= 2
	}
	for _, c := range p.callsOnLine() {
		if nameOfCall(c) == "bytes.Runes" {
			f.Share = p.leavesOf(c)
			f.Evidence = append(f.Evidence, p.at(c.Pos(), "a copy of the text with four bytes for each character"))
		}
	}
	return f
}

func isRunes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && isOneOf(s.Elem(), []types.BasicKind{types.Rune})
}

// gathered reports whether a slice is built here, by append or element by element.
func gathered(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeSlice, *ssa.Alloc:
		return true
	case *ssa.Call:
		return callsBuiltin(v, "append")
	case *ssa.Slice:
		return gathered(v.X, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if gathered(e, seen) {
				return true
			}
		}
	}
	return false
}
