package lever

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var runeText = &Lever{
	Name:  "rune-text",
	Title: "work on the text itself, and not on its runes",
	way:   fewerCopies,

	Subject: "avoid copying to []rune",
	Looks:   "a text that is converted to []rune and kept, passed on or appended, and pieces of such a slice that become strings again. A rune takes four bytes, and each piece is a copy; a piece of a string is none. And texts of 33 to 128 characters whose runes stay in the function: the compiler has room for 32 on the stack, and a program can have it for more.",
	Wrong:   "when runes are changed in place, or taken from anywhere by their number.",
	Before: `l.input = []rune(text)
…
word := string(l.input[start:end])`,
	After: `l.input = text // start and end count bytes: i += size of utf8.DecodeRuneInString
…
word := l.input[start:end]`,
	Model: "The runes go, and the copies of pieces. A conversion goes over the text twice, to count its characters and to take them.",
	Risk:  API,
	Asks:  "Can offsets count bytes here, so that the string itself is kept and cut?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}, Work: Range{0, 0.6}},
	Rewrite: "A range goes over runes of a string, and takes each rune or its number, not both: a range over the string has the same runes, U+FFFD for each byte that is none, and as many. " +
		"Runes in a variable are gone over only, or counted once, in no loop, or only counted, and the string is a constant or a local variable that is never set, and has the same name there. " +
		"The range takes the string as it is when the loop begins, as the conversion did. " +
		"Other runes, of a conversion that declares a variable, have memory for 128 on the stack if nine tenths of those in the profile have room there; a text of more than 128 bytes, and one of 32 or less, is converted as before. " +
		"They stay in the function and in own functions that it calls by name: nothing stores, sends or returns them there, captures them, makes an interface or array of them, or points to one. " +
		"It is unobservable how much room they have: nothing is appended to them, nothing asks for their capacity, and a cut ends at their length or before, by the conditions that lead to it or as an index counts down. " +
		"A variable around a loop does not have those of an iteration in the next, no call leads back to the function, and where the statement converts several texts, nothing is called in it.",
	find: findRuneText,
}

func findRuneText(p *Line) (f Finding) {
	if made, share := p.textFrom(types.Rune); made != nil && !gathered(made.X, map[ssa.Value]bool{}) {
		return Finding{Share: share, Evidence: []Evidence{
			p.at(made.Pos(), fmt.Sprintf("the runes are converted back to a string of %.0f bytes on average%s", p.objectSize(), p.inEach())),
		}}
	}
	others := 0
	for _, in := range p.allocators() {
		made, ok := in.(*ssa.Convert)
		if !ok || !isRunes(made.Type()) {
			others++
			continue
		}
		text := fmt.Sprintf("the conversion copies the text to %.0f bytes on average, four for each character%s", p.objectSize(), p.inEach())
		if slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool { return callsBuiltin(r, "append") }) {
			text += "; the runes are only appended, which a range over the string or a strings.Builder does without the copy"
		}
		f.Evidence = append(f.Evidence, p.at(made.Pos(), text))
		f.Share, f.Edits = p.direct(), p.withoutRunes()
	}
	if f.Edits != nil {
		f = p.countedBeside(f)
		f.Evidence[0].Text += "; the function only goes over the runes or counts them, for which it needs no copy"
	}
	if f.Evidence != nil && f.Edits == nil {
		edits, also, saved := p.stackedRunes()
		if edits != nil {
			f.Edits, f.Also, f.Share, f.What = edits, also, f.Share*saved, "keep the runes on the stack"
			f.Evidence[0].Text += "; nearly all texts have 128 bytes at most and the runes do not leave the function, so they can be on the stack"
		}
	}
	if f.Edits != nil {
		f.Calls = []string{"runtime.stringtoslicerune"}
	}
	if others > 0 {
		f.Share /= 2
	}
	for _, c := range p.callsOnLine() {
		if nameOfCall(c) == "bytes.Runes" {
			f.Share = p.leavesOf(c)
			f.Evidence = append(f.Evidence, p.at(c.Pos(), "bytes.Runes copies the text, with four bytes for each character"))
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
